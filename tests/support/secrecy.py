"""Nothing hidden from a seat reaches it over any channel, as functions `check(game, options)`; no game is named here.

`CHECKS` lists them by name. tests/conformance runs them over the registry, and on games with planted leaks to show
that each finds its leak.
"""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from bdgame_env.adapters.aec import RawAEC
from bdgame_env.adapters.gym import LearnerEnv
from bdgame_env.adapters.parallel import RawParallel
from bdgame_env.agents.heuristics.compiled_players import compiled_players
from bdgame_env.engine.game import Game
from bdgame_env.engine.jit import JIT_DISABLED
from bdgame_env.engine.learner import LearnerBatch, Opponent
from bdgame_env.engine.match import Match
from bdgame_env.experiments.play.opinions import Question
from tests.support.attacks import leads_back, other_worlds
from tests.support.channels import WITH_MOVES, given_to
from tests.support.conformance import COPY_FIELDS, Options, same
from tests.support.room import Room

Check = Callable[[Game, Options], None]
CHECKS: dict[str, Check] = {}

DECISIONS = 60 if JIT_DISABLED else 160  # played in each game
EVERY = 6 if JIT_DISABLED else 4  # decisions between those examined
WORLDS, TRIES = 2, 25  # other worlds wanted for a position, and pairs of entries to try for them
CHOICES = 3  # pairs of moves compared at a position for each viewer
SEED = 11


def check(function: Check) -> Check:
    """Add a function to the list of checks."""
    CHECKS[function.__name__] = function
    return function


# Determinized copies


def _positions(game: Game, options: Options) -> Iterator[tuple[str, Match]]:
    """Positions of a random game, chosen so that most phases of most games occur."""
    match, chance = Match(game, seed=SEED, **options), random.Random(SEED)
    for number in range(DECISIONS):
        if match.over:
            return
        if number % EVERY == number // EVERY % EVERY:  # not always the same seat, where seats take turns
            yield f"{game.id} {dict(options)}, decision {number}", match
        match.play(chance.choice(match.legal_actions()))


@check
def copies_depend_on_knowledge_and_chance_only(game: Game, options: Options) -> None:
    """From positions that a seat cannot tell apart, the same seed makes the same copy, to the last byte."""
    chance = random.Random(SEED)
    for where, match in _positions(game, options):
        for seat in range(match.players):
            sample = match.clone(determinize=seat, seed=5)
            worlds = [match.clone(determinize=seat, seed=number) for number in range(WORLDS)]
            found = other_worlds(match, seat, chance, TRIES)
            worlds += [world for world, _ in zip(found, range(WORLDS), strict=False)]
            for k, world in enumerate(worlds):
                again = world.clone(determinize=seat, seed=5)
                but = () if k < WORLDS else ("decisions",)  # a snapshot does not include their number
                assert same(sample, again, but), f"{where}: the copy for seat {seat} depends on what it does not know"
            assert not same(sample, match) or same(match, match.clone(determinize=seat, seed=6), COPY_FIELDS), where


@check
def nothing_handed_out_leads_back(game: Game, options: Options) -> None:
    """No record given to a player, opponent, program or page holds numbers that undo the deal."""
    for where, match in _positions(game, options):
        for way, given in _handed_out(match):
            leak = leads_back(match, given)
            assert not leak, f"{where}: {way}: {leak}"


def _handed_out(match: Match) -> Iterator[tuple[str, Any]]:
    """Every record handed to somebody who may know only what the seat to decide knows, with its channel."""
    seat, game = match.seat, match.game
    yield "Match.clone", match.clone(determinize=seat).states
    yield "Match.clone with a seed", match.clone(determinize=seat, seed=SEED).states
    env = RawAEC(game, **match.config.options)
    env.from_snapshot(match.snapshot(omniscient=True))
    env.match.states[:] = match.states
    twin = env.clone(determinize=seat)
    yield "RawAEC.clone", twin.match.states
    assert twin._seed != env._seed, "RawAEC.clone keeps the seed of the deals"
    yield "Question", Question.at(match, 0).states


@check
def opponents_in_python_get_nothing_that_leads_back(game: Game, options: Options) -> None:
    """Neither the states that opponents are shown nor a sampled copy of an environment tell the true games."""
    batch: list[LearnerBatch] = []
    found: list[str] = []

    def ask(observation: Any, mask: Any, states: Any) -> Any:
        for row in np.flatnonzero(batch[0].rows["status"] < -1):
            truth = Match(game, seed=0, **options)
            truth.states[:] = batch[0].states[row]
            found.extend(leads_back(truth, state[None]) for state in states)
            numbers = {int(batch[0].rows[row][name]) for name in ("rng", "game_seed")}
            found.extend("it holds the row's own numbers" for state in states if int(state["rng"]) in numbers)
        return mask.argmax(axis=1)

    opponents = [Opponent("asked", act=ask, needs_states=True)]
    config = game.config(**options)
    batch.append(LearnerBatch(game, config, 1, opponents, compiled=compiled_players(game), autoreset=False, seed=SEED))
    env = LearnerEnv(batch[0])
    env.reset(seed=SEED)
    chance = random.Random(SEED)
    for number in range(DECISIONS // 4):
        legal = np.flatnonzero(env.batch.mask[0])
        if not len(legal):
            break
        env.step(chance.choice(legal.tolist()))
        if number % EVERY == 0 and env.batch.mask[0].any():
            found.extend(_of_a_sampled_env(env))
    told = [leak for leak in found if leak]
    assert not told, f"{game.id} {dict(options)}: {told[0]}"


def _of_a_sampled_env(env: LearnerEnv) -> Iterator[str]:
    truth = env.match()
    rows = env.batch.rows[0].copy()
    twin = env.clone(determinize=env.seat)
    yield leads_back(truth, twin.batch.states)
    numbers = {int(rows.rng), int(rows.game_seed), int(rows.copies), truth.game_seed, int(truth.state.rng), SEED}
    held = {int(twin.batch.rows[0][name]) for name in ("rng", "game_seed", "copies")} - {0}
    yield "the copy of an environment holds the true row's numbers" if held & numbers else ""
    yield "the copy of an environment holds its seed" if twin.batch._base == env.batch._base else ""


# Channels


@check
def secret_choices_show_nowhere(game: Game, options: Options) -> None:
    """Where a viewer is told the same about two moves and sees the same afterwards, no channel tells them apart.

    If it is told nothing about a move while others are still choosing, nothing at all may change for it, or it could
    count the moves.
    """
    if game.told is None:
        return
    room, chance = Room.of(game, options, SEED), random.Random(SEED)
    viewers = (None, *range(options["players"]))
    for number in range(DECISIONS):
        match = room.match
        if match.over:
            return
        legal = match.legal_actions()
        short = match.config.max_decisions < DECISIONS
        for viewer in viewers if short else viewers[number // 3 % len(viewers) :][: number % 3 == 0]:
            if viewer != match.seat and len(legal) > 1:
                room.news(viewer)
                _compare(room, viewer, chance, f"{game.id} {dict(options)}, decision {number}")
        room.play(chance.choice(legal))


@check
def what_is_told_is_what_is_seen(game: Game, options: Options) -> None:
    """A viewer is told the same about two moves that look the same to it afterwards, though not to the mover."""
    for where, match in _positions(game, options):
        legal, mover = match.legal_actions(), match.seat
        chance = random.Random(where)
        tried = chance.sample(legal, min(len(legal), 2 * CHOICES))
        after = [match.clone() for _ in tried]
        for twin, action in zip(after, tried, strict=True):
            twin.play(action)
        own = [twin.snapshot(seat=mover) for twin in after]
        for viewer in (None, *(seat for seat in range(match.players) if seat != mover)):
            views = [
                (twin.snapshot(seat=viewer), match.told(action, viewer))
                for twin, action in zip(after, tried, strict=True)
            ]
            for k, (seen, told) in enumerate(views):
                for other in range(k):
                    if seen == views[other][0] and own[k] != own[other]:
                        text = f"{where}: {viewer} is told {told!r} and {views[other][1]!r}"
                        assert told == views[other][1], f"{text}, though it sees no difference"


def _compare(room: Room, viewer: int | None, chance: random.Random, where: str) -> None:
    match = room.match
    groups: dict[str, list[int]] = {}
    for action in match.legal_actions():
        groups.setdefault(match.told(action, viewer), []).append(action)
    phase = match.choosing()[0]
    for told, actions in groups.items():
        if told and len(actions) == 1:
            continue  # there is no other move that it could be mistaken for
        tried = chance.sample(actions, min(len(actions), CHOICES))
        rooms = [room.twin() for _ in tried]
        before = given_to(room, viewer) if told == "" else {}
        for twin, action in zip(rooms, tried, strict=True):
            twin.play(action)
        news = [twin.news(viewer) for twin in rooms]
        shown = [given_to(twin, viewer) for twin in rooms]
        asked = [twin.match.seat == viewer and not twin.match.over for twin in rooms]
        same_phase = [phase != 0 and twin.match.choosing()[0] == phase for twin in rooms]
        for k in range(len(tried)):
            text = f"{where}, {match.action_names[tried[k]]!r} to {viewer}"
            if told == "" and same_phase[k] and not asked[k]:
                changed = [name for name in before if name != "reward" and before[name] != shown[k][name]]
                assert not changed, f"{text}: not told, but shown by {changed}"
                assert news[k] is None, f"{text}: a message is sent to the page"
            if k and asked[k] == asked[0] and shown[k]["snapshot"] == shown[0]["snapshot"]:
                allowed = WITH_MOVES if asked[k] else set()
                differ = [name for name in shown[0] if shown[0][name] != shown[k][name] and name not in allowed]
                assert not differ, f"{text}: told as {told!r} like other moves, but differs in {differ}"
                assert asked[k] or news[k] == news[0], f"{text}: the messages to the page differ"


@check
def choosing_at_once_tells_nothing_before_its_end(game: Game, options: Options) -> None:
    """In the parallel environment, while seats choose at once, what one seat is given, and when, does not depend on
    what the others choose."""
    if not game.has_simultaneous_phases:
        return
    for viewer in range(options["players"]):
        env = RawParallel(game, render_mode="ansi", reward="points", **options)
        env.reset(seed=SEED)
        own, others = random.Random(viewer), random.Random(SEED)
        for number in range(DECISIONS // 2):
            if not env.agents:
                break
            if env._copies and number % 3 == viewer % 3:
                where = f"{game.id} {dict(options)}, step {number}, seat {viewer}"
                _choose_differently(copy.deepcopy(env), copy.deepcopy(env), viewer, where)
            _step(env, viewer, own, others)


def _choose_differently(one: RawParallel, other: RawParallel, viewer: int, where: str) -> None:
    """Play two copies of an environment to the end of the phase, with different choices of the others only."""
    phase = one._number
    chances = [(random.Random(where), random.Random(salt)) for salt in (1, 2)]
    for step in range(1, 1000):
        seen = [_step(env, viewer, *chance) for env, chance in zip((one, other), chances, strict=True)]
        going = [bool(env.agents) and env._number == phase and bool(env._copies) for env in (one, other)]
        assert going[0] == going[1], f"{where}: the phase takes {step} steps, or more if others choose differently"
        if not going[0]:
            return
        differ = [name for name in seen[0] if seen[0][name] != seen[1][name]]
        assert not differ, f"{where}: {differ} differ after {step} steps, since others chose differently"


def _step(env: RawParallel, viewer: int, own: random.Random, others: random.Random) -> dict[str, Any]:
    """Take one step of random legal actions; returns what the viewer is given after it."""
    agents = list(env.agents)
    actions = {}
    for agent in agents:
        seat = env.possible_agents.index(agent)
        legal = np.flatnonzero(env.observe(agent)["action_mask"]).tolist()
        actions[agent] = (own if seat == viewer else others).choice(legal)
    observations, rewards, terminations, truncations, infos = env.step(actions)
    agent = env.possible_agents[viewer]
    return {
        "observation": observations[agent]["observation"].tobytes(),
        "mask": observations[agent]["action_mask"].tobytes(),
        "reward": rewards[agent],
        "ended": (terminations[agent], truncations[agent]),
        "info": pickle.dumps(infos[agent]),
        "render": env.render(viewer),
        "render for all": env.render(),
        "snapshot": env.snapshot(),
    }
