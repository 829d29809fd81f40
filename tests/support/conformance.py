"""What every game must satisfy, as functions `check(game, options)` that raise AssertionError; no game is named here.

`CHECKS` lists them by name. tests/conformance runs them over the registry, and on `broken_games.py` to show that each
can fail.
"""

from __future__ import annotations

import copy
import json
import os
import pickle
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np

from bdgame_env import IllegalAction, Match
from bdgame_env.engine.batch import Batch
from bdgame_env.engine.game import BadSnapshot, Game
from bdgame_env.engine.jit import JIT_DISABLED
from bdgame_env.engine.loop_builder import loops_of
from bdgame_env.render.picture import picture
from bdgame_env.render.scene import Scene
from bdgame_env.render.text_picture import text_picture
from tests.support import faults, splitmix

Options = Mapping[str, Any]
Check = Callable[[Game, Options], None]

GAMES = 2 if JIT_DISABLED else 6  # random games per check
DECISIONS = 40 if JIT_DISABLED else 400  # examined in each of them
MATCHES = 3 if JIT_DISABLED else 64  # in a batch
STEPS = 40 if JIT_DISABLED else 200
COPY_FIELDS = ("rng", "game_seed", "decisions")  # a snapshot need not have them
SCHEMES = ("rank", "win", "points")

CHECKS: dict[str, Check] = {}


def check(function: Check) -> Check:
    """Add a function to the list of checks."""
    CHECKS[function.__name__] = function
    return function


def option_sets(game: Game, **of_ranges: Any) -> list[dict[str, Any]]:
    """Options in which every number of players and every value of an option occurs, from the first ones to the last.

    Of a range of numbers the third smallest is used, which makes games short, or what `of_ranges` says. From one set
    to the next all options but one stay or have their last value, so that extras are also tried alone.
    """
    least, most = game.seats
    chosen = [(name, option.allowed) for name, option in game.options.items() if isinstance(option.allowed, tuple)]
    ranges = {name: option.allowed[2] for name, option in game.options.items() if isinstance(option.allowed, range)}
    number = max(most - least + 1, *(place + len(allowed) for place, (_, allowed) in enumerate(chosen)), 1)
    return [
        {"players": min(least + step, most), **ranges, **of_ranges}
        | {name: allowed[min(max(step - place, 0), len(allowed) - 1)] for place, (name, allowed) in enumerate(chosen)}
        for step in range(number)
    ]


def long_games(game: Game) -> list[dict[str, Any]]:
    """Sets of options, with ranges of numbers at their defaults."""
    return option_sets(
        game, **{name: option.default for name, option in game.options.items() if isinstance(option.allowed, range)}
    )


def same(one: Match, other: Match, but: tuple[str, ...] = ()) -> bool:
    """Whether two matches have the same record to the last byte, apart from the fields `but`."""
    records = [one.states.copy(), other.states.copy()]
    for each in records:
        for name in but:
            each[name] = 0
    return records[0].tobytes() == records[1].tobytes()


def restored(match: Match, where: str) -> Match:
    """The match made again from its snapshot: plain JSON data that leads to the same position, moves and record."""
    data = match.snapshot(omniscient=True)
    text = json.dumps(data)
    assert json.loads(text) == data, f"{where}: not plain JSON data"
    try:
        again = Match.from_snapshot(match.game, json.loads(text))
    except BadSnapshot as refused:
        raise AssertionError(f"{where}: {refused}") from refused
    assert again.snapshot(omniscient=True) == data, f"{where}: another snapshot"
    assert again.legal_moves() == match.legal_moves(), f"{where}: other legal moves"
    assert same(match, again, COPY_FIELDS), f"{where}: another record"
    return again


def walk(game: Game, options: Options, seed: int, decisions: int = DECISIONS) -> Iterator[Match]:
    """A random game: its match before each decision, and once more at the end. Callers must not change it."""
    match = Match(game, seed=seed, **options)
    chance = random.Random(seed)
    for _ in range(decisions):
        yield match
        moves = match.legal_actions()
        if not moves:
            return
        match.play(chance.choice(moves))
    yield match


def positions(game: Game, options: Options, every: int = 1) -> Iterator[tuple[str, Match]]:
    """Every n-th position of some random games, each with a description of where it comes from."""
    for seed in range(GAMES):
        for number, match in enumerate(walk(game, options, seed)):
            if number % every == 0 or match.over:
                yield f"{game.id} {dict(options)}, seed {seed}, decision {number}", match


def refusal(error: type[Exception], call: Callable[[Any], object], value: Any) -> str | None:
    """The message of the error that the call raises, or None if it raises none."""
    try:
        call(value)
    except error as refused:
        return str(refused)
    return None


# The course of a game


@check
def a_legal_move_until_the_end(game: Game, options: Options) -> None:
    """Somebody can move until the game is over, nobody afterwards; masks hold 0 and 1; each decision is counted."""
    for where, match in positions(game, options):
        mask = match.mask()
        assert mask.shape == (match.config.num_actions,) and mask.dtype == np.int8, where
        assert set(mask.tolist()) <= {0, 1}, f"{where}: mask holds {set(mask.tolist())}"
        assert mask.any() != match.over, f"{where}: over is {match.over}, legal moves {match.legal_moves()}"
        assert 0 <= match.seat < match.players, where
        assert match.over or not match.truncated, where
    for seed in range(GAMES):
        for number, match in enumerate(walk(game, options, seed)):
            assert int(match.state.decisions) == number, f"{game.id}: {match.state.decisions} decisions, not {number}"


@check
def ends_within_max_decisions(game: Game, options: Options) -> None:
    """A random game is over after at most `max_decisions` decisions."""
    for seed in range(1 if JIT_DISABLED else GAMES):
        most = game.config(**options).max_decisions
        *_, last = walk(game, options, seed, most)
        assert last.over, f"{game.id} {dict(options)}, seed {seed}: not over after {most} decisions"


@check
def illegal_actions_are_refused(game: Game, options: Options) -> None:
    """An action outside the mask or out of range raises and changes nothing, in a match and in a batch."""
    for where, match in positions(game, options, every=9):
        before, mask = match.get_state(), match.mask()
        wrong = [*np.flatnonzero(mask == 0)[:: max(1, len(mask) // 20)], -1, len(mask), 1 << 20]
        for action in map(int, wrong):
            message = refusal(IllegalAction, match.play, action)
            assert message is not None, f"{where}: action {action} was carried out"
            assert "\n" not in message, where
            assert match.get_state() == before, f"{where}: refused action {action} changed the game"
    batch = Batch(game, 3, seed=1, threads=1, **options)
    actions = batch.mask.argmax(axis=1)
    wrong_action = int(np.flatnonzero(batch.mask[1] == 0)[0]) if (batch.mask[1] == 0).any() else batch.mask.shape[1]
    actions[1] = wrong_action
    kept = pickle.dumps(batch.get_state())
    message = refusal(IllegalAction, batch.step, actions)
    assert message is not None and "row 1" in message, f"{game.id}: action {wrong_action} in a batch: {message}"
    assert pickle.dumps(batch.get_state()) == kept, f"{game.id}: a refused action changed the batch"


@check
def looking_changes_nothing(game: Game, options: Options) -> None:
    """Asking for mask, observations, points, ranks and snapshots changes nothing, at any time."""
    for where, match in positions(game, options, every=3):
        before = match.get_state()
        match.mask()
        for seat in range(match.players):
            match.observe(seat)
        match.points()
        match.ranks()
        match.snapshot()
        match.snapshot(omniscient=True)
        assert match.get_state() == before, where


@check
def same_deal_and_moves_are_the_same_game(game: Game, options: Options) -> None:
    """Game seed and moves in notation reproduce the game to the last byte: there is no other source of chance."""
    for seed in range(GAMES):
        again = Match(game, seed=seed + 1000, **options)
        names = again.action_names
        chance = random.Random(seed)
        match = Match(game, seed=seed, **options)
        again.deal(match.game_seed)
        for number in range(DECISIONS):
            assert same(match, again), f"{game.id} {dict(options)}, seed {seed}: differs after {number} decisions"
            moves = match.legal_actions()
            if not moves:
                break
            action = chance.choice(moves)
            match.play(action)
            again.play(names[action])


@check
def ranks_are_a_ranking(game: Game, options: Options) -> None:
    """At any time, each seat's rank is one more than the number of seats ahead of it."""
    for where, match in positions(game, options):
        ranks = match.ranks()
        wanted = [1 + sum(other < rank for other in ranks) for rank in ranks]
        assert ranks == wanted, f"{where}: ranks {ranks}"


# Notation, positions, copies


@check
def notation_goes_both_ways(game: Game, options: Options) -> None:
    """Each action has a unique name in plain text that leads back to it, and a rule."""
    match = Match(game, seed=0, **options)
    names = match.action_names
    assert len(names) == match.config.num_actions, (
        f"{game.id}: {len(names)} names for {match.config.num_actions} actions"
    )
    twice = sorted({name for name in names if names.count(name) > 1})
    assert not twice, f"{game.id}: names given twice: {twice}"
    for action, name in enumerate(names):
        assert name and name == " ".join(name.split()) and name.isascii(), repr(name)
        assert match.string_to_action(match.action_to_string(action)) == action
        assert game.actions.rule_of(name), name


@check
def snapshots_go_both_ways(game: Game, options: Options) -> None:
    """A snapshot is JSON and restores position, legal moves and record; with the same generator, the same game."""
    for where, match in positions(game, options, every=3):
        for public in (match.snapshot(), *(match.snapshot(seat=seat) for seat in range(match.players))):
            assert json.loads(json.dumps(public)) == public, f"{where}: not plain JSON data"
        again = restored(match, where)
        again.states["rng"] = match.state.rng
        twin, chance = match.clone(), random.Random(where)
        for _ in range(6):
            moves = twin.legal_actions()
            if moves:
                action = chance.choice(moves)
                twin.play(action)
                again.play(action)
        assert same(twin, again, COPY_FIELDS), f"{where}: goes on differently"


@check
def only_whole_snapshots_are_restored(game: Game, options: Options) -> None:
    """A snapshot of what a seat or the public sees cannot be restored, nor can one of another game."""
    restore = partial(Match.from_snapshot, game)
    for where, match in positions(game, options, every=29):
        data = match.snapshot(omniscient=True)
        for part in (match.snapshot(), *(match.snapshot(seat=seat) for seat in range(match.players))):
            message = refusal(BadSnapshot, restore, part)
            whole = part == data  # where nothing is hidden
            assert whole or "only omniscient snapshots can be restored" in (message or ""), f"{where}: {message}"
        message = refusal(BadSnapshot, restore, {**data, "game": "chess"})
        assert message == f"snapshot: game is 'chess', must be {game.name!r}", f"{where}: {message}"


@check
def spoiled_snapshots_are_refused(game: Game, options: Options) -> None:
    """An entry that is malformed, missing or superfluous is refused in one line, and the data is left as it was."""
    for where, match in positions(game, options, every=_SPOILED_AT):
        data, chance = match.snapshot(omniscient=True), random.Random(where)
        paths = list(faults.entries(data))
        for path in chance.sample(paths, min(_SPOILED, len(paths))):
            place, key = faults.place(path), path[-1]
            for junk in _JUNK:
                _must_be_refused(game, data, faults.put(*path, junk), key if path[0] == "options" else place, where)
            if isinstance(key, str):
                _must_be_refused(game, data, faults.drop(*path), key if path[0] != "options" else "", where)
                _must_be_refused(game, data, faults.put(*path[:-1], "unheard", 1), "unheard", where)


_SPOILED_AT, _SPOILED = (20, 3) if JIT_DISABLED else (133, 8)  # decisions between positions, entries of each
_JUNK: tuple[Any, ...] = ("unheard", 0.5, ["unheard"], {"unheard": 1})  # occurs in no snapshot


def _must_be_refused(game: Game, data: dict[str, Any], spoil: faults.Spoil, named: str, where: str) -> None:
    spoiled = pickle.loads(pickle.dumps(data))  # as copy.deepcopy, but fast
    spoil(spoiled)
    kept = pickle.dumps(spoiled)
    message = refusal(ValueError, partial(Match.from_snapshot, game), spoiled)
    assert message is not None, f"{where}: restored although {named} is spoiled"
    assert str(named) in message and "\n" not in message, f"{where}: {named} is spoiled: {message}"
    assert spoiled == pickle.loads(kept), f"{where}: restoring changed the data"


@check
def copies_go_on_in_the_same_way(game: Game, options: Options) -> None:
    """clone, copy, deepcopy, pickle and get_state give an independent game with the same future."""
    for where, match in positions(game, options, every=29):
        state = match.get_state()
        restored = Match(game, seed=12345, **options)
        restored.set_state(state)
        copies = {
            "clone": match.clone(),
            "copy": copy.copy(match),
            "deepcopy": copy.deepcopy(match),
            "pickle": pickle.loads(pickle.dumps(match)),
            "get_state": restored,
        }
        twin, chance = match.clone(), random.Random(where)
        for _ in range(15):
            moves = twin.legal_actions()
            if not moves:
                break
            action = chance.choice(moves)
            twin.play(action)
            for how, each in copies.items():
                each.play(action)
                assert same(twin, each), f"{where}: {how} goes on differently"
        assert match.get_state() == state, f"{where}: playing a copy changed the game"


# What is seen


@check
def observations_are_as_announced(game: Game, options: Options) -> None:
    """The schema covers the int8 vector without gaps, and each value is within its field's range, for every seat."""
    fields = game.schema
    assert fields[0].start == 0 and fields[-1].stop == game.obs.itemsize, f"{game.id}: schema and vector differ"
    assert all(one.stop == other.start for one, other in pairwise(fields)), f"{game.id}: gap in the schema"
    assert len({field.name for field in fields}) == len(fields), f"{game.id}: a field's name is given twice"
    for field in fields:
        assert int(np.prod(field.shape, dtype=int)) == field.stop - field.start, field.name
        assert -128 <= field.low <= field.high <= 127 and field.meaning, field.name
        if field.faces:
            table = next(other for other in fields if other.name == field.faces)
            assert table.cards == "table" and table.deck == (field.deck or table.deck), field.name
            assert len(table.features) == table.shape[1], field.name
            assert field.cards != "cell" or field.high <= table.shape[0], field.name
            assert field.cards != "count" or field.shape[-1] <= table.shape[0], field.name
    low, high = (np.zeros(game.obs.itemsize, np.int8) for _ in range(2))
    for field in fields:
        low[field.slice], high[field.slice] = field.low, field.high
    for where, match in positions(game, options):
        for seat in range(match.players):
            seen = match.observe(seat)
            for index in np.flatnonzero((seen < low) | (seen > high))[:1]:
                field = next(field for field in fields if field.start <= index < field.stop)
                raise AssertionError(
                    f"{where}, seat {seat}: {field.name} is {seen[index]}, not {field.low}..{field.high}"
                )
            for field in (field for field in fields if field.faces and field.cards == "face"):
                rows = next(other.shape[0] for other in fields if other.name == field.faces)
                shown = seen[field.slice].reshape(field.shape)[..., 0]
                assert shown.max(initial=0) <= rows, f"{where}, seat {seat}: {field.name} shows card {shown.max()}"


@check
def observations_are_written_whole(game: Game, options: Options) -> None:
    """`observe` writes every byte, whatever was there before."""
    config = game.config(**options).record
    for where, match in positions(game, options, every=11):
        for seat in range(match.players):
            seen = []
            for before in (0, -1, 85):
                vector = np.full(game.obs.itemsize, before, np.int8)
                loops_of(game).observe_games(
                    match.states, config, np.array([seat], np.int8), vector.view(game.obs), 0, 1
                )
                seen.append(vector.tobytes())
            assert len(set(seen)) == 1, f"{where}, seat {seat}"


@check
def hidden_stays_hidden(game: Game, options: Options) -> None:
    """Resampling what a seat cannot see changes neither its observation, its mask nor its snapshot, nor the public one.

    What is hidden does change, including future chance, and the true game seed is gone. The sample is a sound position:
    what its record keeps follows from its snapshot.
    """
    hidden = changed = False
    for where, match in positions(game, options, every=5):
        if match.over:
            continue
        public = match.snapshot()
        hidden |= public != match.snapshot(omniscient=True)
        for seat in range(match.players):
            other = match.clone(determinize=seat, seed=1000 + seat)
            assert other.observe(seat).tobytes() == match.observe(seat).tobytes(), f"{where}: seat {seat} sees more"
            assert other.snapshot() == public, f"{where}: the public snapshot shows what seat {seat} cannot see"
            own = match.snapshot(seat=seat)
            assert other.snapshot(seat=seat) == own, f"{where}: the snapshot of seat {seat} shows what it cannot see"
            assert own.keys() == public.keys(), f"{where}: the snapshot of seat {seat} has other entries"
            if seat == match.seat:
                assert other.mask().tobytes() == match.mask().tobytes(), f"{where}: the mask tells seat {seat} more"
            restored(other, f"{where}, sampled for seat {seat}")
            assert other.game_seed != match.game_seed and other.state.rng != match.state.rng, where
            changed |= not same(match, other, COPY_FIELDS)
    assert changed == hidden, f"{game.id}: hidden: {hidden}, but resampled: {changed}"


# Pictures


@check
def pictures_are_sound(game: Game, options: Options) -> None:
    """Every picture is self-contained, well-formed SVG of the same size, and each legal move is on an element.

    Text is colored only on request.
    """
    height = 0
    for number, match in enumerate(walk(game, options, seed=0, decisions=1 + 4 * _PICTURED)):
        if number % _PICTURED and not match.over:
            continue
        where, moves = f"{game.id} {dict(options)}, decision {number}", match.legal_moves()
        snapshot = match.snapshot(seat=match.seat)
        shown = {"game": game, "snapshot": snapshot, "config": match.config, "seat": match.seat, "legal": moves}
        svg = picture(Scene(**shown, last=("a <b> & c",)))
        root = ElementTree.fromstring(svg)
        ids = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
        assert len(ids) == len(set(ids)), f"{where}: ids given twice"
        told = [json.loads(element.attrib["data-moves"]) for element in root.iter() if "data-moves" in element.attrib]
        missing = set(moves) - {move for about in told for move in about}
        assert not missing, f"{where}: moves on no element: {sorted(missing)}"
        assert {move for about in told for move in about} <= set(moves), f"{where}: a move that is not legal"
        assert all(told) and len(told) == svg.count('class="legal"'), f"{where}: marked without a move, or not marked"
        assert not _REACHES_OUT.search(svg), f"{where}: {_REACHES_OUT.search(svg)}"
        high = float(root.attrib["height"])
        assert (root.attrib["width"], high % 2) == ("1200", 0), where
        assert height in (0, high), f"{where}: is {high:g} high, not {height:g}"
        height = high
        plain = text_picture(Scene(**shown))
        colored = text_picture(Scene(**shown), color=True)
        assert plain.isascii() and plain.replace("\n", "").isprintable(), f"{where}: escape codes without colors"
        assert re.sub("\x1b\\[[0-9;]+m", "", colored) == plain != colored, f"{where}: colors change the text"


_PICTURED = 40 if JIT_DISABLED else 90
_REACHES_OUT = re.compile(r"<(script|style|image|foreignObject|use|a)[ />]|(href|style|on[a-z]+)=|url\(|@import")


# Batches


@check
def a_batch_plays_as_single_matches(game: Game, options: Options) -> None:
    """Row i of a batch plays like match i alone: observation, mask, seat, rewards, end, and the next game's seed."""
    batch = Batch(game, MATCHES, seed=7, threads=1, **options)
    matches = [Match(game, seed=7, match=i, **options) for i in range(MATCHES)]
    chance = np.random.default_rng(0)
    for step in range(STEPS):
        for i, match in enumerate(matches):
            where = f"{game.id} {dict(options)}, step {step}, match {i}"
            assert batch.states[i].tobytes() == match.states[0].tobytes(), f"{where}: record"
            assert batch.seat[i] == match.seat, f"{where}: seat"
            assert batch.mask[i].tobytes() == match.mask().tobytes(), f"{where}: mask"
            if step % 5 == i % 5:
                assert batch.obs[i].tobytes() == match.observe().tobytes(), f"{where}: observation"
        actions = (chance.random(batch.mask.shape) * batch.mask).argmax(axis=1)
        batch.step(actions)
        for i, match in enumerate(matches):
            where = f"{game.id} {dict(options)}, step {step}, match {i}"
            match.play(int(actions[i]))
            assert batch.done[i] == (0 if not match.over else 2 if match.truncated else 1), f"{where}: done"
            if match.over:
                finals = [*match.points(), *match.ranks(), int(match.state.decisions)]
                assert batch.finals[i].tolist() == finals, f"{where}: finals"
                np.testing.assert_allclose(batch.rewards[i], place_rewards(match.ranks()), atol=1e-6, err_msg=where)
                match.deal(splitmix.output(int(match.state.rng), 0))
            else:
                assert not batch.rewards[i].any(), f"{where}: rewards"


def place_rewards(ranks: list[int]) -> list[float]:
    """From 1 for the first to -1 for the last in equal steps; seats that tie share what their ranks pay."""
    steps = [1 - 2 * rank / (len(ranks) - 1) for rank in range(len(ranks))]
    shared = {place: [steps[place - 1 + k] for k in range(ranks.count(place))] for place in ranks}
    return [sum(shared[place]) / len(shared[place]) for place in ranks]


@check
def rewards_add_up_to_zero(game: Game, options: Options) -> None:
    """In every scheme, rewards add up to zero at every decision; without shaping, only the end pays."""
    for scheme in SCHEMES:
        batch = Batch(game, MATCHES, seed=3, reward=scheme, shaping_gamma=0.99, threads=1, **options)
        chance = np.random.default_rng(1)
        for step in range(STEPS):
            batch.step((chance.random(batch.mask.shape) * batch.mask).argmax(axis=1))
            total = np.abs(batch.rewards.sum(axis=1)).max()
            assert total < 1e-5, f"{game.id} {dict(options)}, {scheme}, step {step}: rewards add up to {total}"
            if scheme != "points":
                paid = batch.rewards.any(axis=1)
                assert not paid[batch.done == 0].any(), f"{game.id}, {scheme}, step {step}: paid before the end"


@check
def threads_change_nothing(game: Game, options: Options) -> None:
    """512 matches shared by two threads play as they do in one."""
    batches = [Batch(game, 512, seed=5, threads=threads, **options) for threads in (1, 2)]
    chance = np.random.default_rng(2)
    for step in range(30):
        actions = (chance.random(batches[0].mask.shape) * batches[0].mask).argmax(axis=1)
        for batch in batches:
            batch.step(actions)
        one, two = (batch.get_state() for batch in batches)
        for name in one:
            assert pickle.dumps(one[name]) == pickle.dumps(two[name]), f"{game.id} {dict(options)}, step {step}: {name}"


_ALLOCATIONS = """
import json, sys
from importlib import import_module
import numpy as np
from numba.core.runtime import rtsys
from bdgame_env.engine.batch import Batch
module, name, options = sys.argv[1:]
game = next(g for g in vars(import_module(module)).values() if getattr(g, "id", None) == name)
counts = []
for matches in (1, 64):
    batch = Batch(game, matches, seed=1, threads=1, **json.loads(options))
    chance = np.random.default_rng(0)
    count = 0
    for step in range(300):
        actions = (chance.random(batch.mask.shape) * batch.mask).argmax(axis=1)
        before = rtsys.get_allocation_stats().alloc
        batch.step(actions)
        count += rtsys.get_allocation_stats().alloc - before
    counts.append(count)
print(json.dumps(counts))
"""


@check
def a_step_allocates_nothing(game: Game, options: Options) -> None:
    """64 matches cause as many allocations as one: those of the call, none by the rules."""
    command = [sys.executable, "-c", _ALLOCATIONS, game.module, game.id, json.dumps(dict(options))]
    environment = {**os.environ, "NUMBA_NRT_STATS": "1"}
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=root, env=environment)
    assert done.returncode == 0, done.stderr
    one, many = json.loads(done.stdout.splitlines()[-1])
    assert one == many, f"{game.id} {dict(options)}: 300 steps of 1 match: {one} allocations, of 64: {many}"


COMPILED_ONLY = ("threads_change_nothing", "a_step_allocates_nothing")  # threads without the JIT would take turns
