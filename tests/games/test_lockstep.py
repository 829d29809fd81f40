"""Engine and slow reference play the same games: equal legal moves at every decision, equal positions, equal results.

`BDGAME_LOCKSTEP_GAMES=5000 pytest tests/games/test_lockstep.py -k gizmos`, before a release, plays that many games from
other seeds in every case of Gizmos, to their ends, and compares every position.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

import bdgame_env
from bdgame_env.engine.jit import JIT_DISABLED
from bdgame_env.engine.match import Match
from tests.games.bdgame.positions import LIKED as LIKED_IN_BDGAME
from tests.games.gizmos import positions as gizmos
from tests.games.nicodemus import positions as nicodemus
from tests.games.pixel_pusher import positions as pixel_pusher
from tests.support.reference.bdgame import Reference as BdgameReference
from tests.support.reference.gizmos import Reference as GizmosReference
from tests.support.reference.nicodemus import Reference as NicodemusReference
from tests.support.reference.pixel_pusher import Reference as PixelPusherReference

MANY = int(os.environ.get("BDGAME_LOCKSTEP_GAMES", "0"))
LATE_SEEDS = 1_000_000  # where the seeds of a long run begin
NOT_IN_A_SNAPSHOT = ("game_seed", "decisions")

Snapshot = dict[str, Any]
Preference = tuple[Callable[[str], bool], float]  # which moves are preferred, and how often


@dataclass(frozen=True)
class Pairing:
    """How engine and reference of one game are compared."""

    twin: Callable[[Match], Any]  # the reference in the position of a match
    games: tuple[int, int]  # of each case: compiled, and without the JIT
    compare_every: int  # decisions
    restore_every: int
    always: Callable[[str], bool] | None = None  # phases in which every position is compared
    restores: Callable[[Snapshot], bool] = lambda snap: False  # compared positions that are restored as well
    decisions: int | None = None  # compared at most, unless the run is long
    not_restored: tuple[str, ...] = NOT_IN_A_SNAPSHOT

    @property
    def number(self) -> int:
        """Games of each case in this run."""
        return MANY or self.games[JIT_DISABLED]


@dataclass(frozen=True)
class Case:
    """Games of one kind; all of them together reach the phases."""

    begin: Callable[[int], Match]  # with a seed
    prefers: Callable[[int], Preference | None]  # the way of playing, by seed
    first_seed: int
    decisions: int  # at least so many in each game, on average
    restored: int = 0
    phases: frozenset[str] = frozenset()
    phases_compiled: frozenset[str] = frozenset()  # reached only by as many games as are played when compiled


PAIRINGS = {
    "bdgame": Pairing(
        lambda match: BdgameReference.from_snapshot(match.snapshot(omniscient=True)),
        games=(20, 1),
        compare_every=7,
        restore_every=35,
        restores=lambda snap: bool(snap["pending"] or snap["offer"]),
        decisions=250,
        not_restored=("rng", *NOT_IN_A_SNAPSHOT),
    ),
    "gizmos": Pairing(
        lambda match: GizmosReference.from_snapshot(match.snapshot(omniscient=True)),
        games=(12, 3),
        compare_every=5,
        restore_every=35,
        always=lambda phase: phase in ("pay", "convert", "under"),
        restores=lambda snap: snap["phase"] in ("pay", "convert", "under"),
    ),
    "nicodemus": Pairing(
        lambda match: NicodemusReference.from_snapshot(match.snapshot(omniscient=True)),
        games=(20, 6),
        compare_every=3,
        restore_every=20,
        always=lambda phase: phase != "turn",
        restores=lambda snap: snap["phase"] in ("wild", "hand", "keep", "partner"),
    ),
    "pixel_pusher": Pairing(
        lambda match: PixelPusherReference.new(match.players, match.game_seed, **match.snapshot()["options"]),
        games=(10, 2),
        compare_every=1,
        restore_every=7 if MANY else 35,
    ),
}


def starts(*verbs: str) -> Callable[[str], bool]:
    """Moves that begin with one of these."""
    return lambda move: move.startswith(verbs)


def bdgame_cases() -> Iterator[tuple[str, Case]]:
    """Numbers of players, sets of options and both decks; every second game runs Devices whenever it can."""
    eager: Preference = (starts(*LIKED_IN_BDGAME), 0.7)
    classic = {"deck": "classic"}
    both = {"selling": True, "trading": True}
    for options in ({}, {"selling": True, **classic}, {"trading": True, **classic}, both):
        for players in (2, 3, 4):
            yield (
                f"{players}-{options}",
                Case(
                    lambda seed, players=players, options=options: bdgame_env.make_match(
                        "bdgame-v3", players=players, seed=seed, max_rounds=12, **options
                    ),
                    lambda seed: eager if seed % 2 else None,
                    first_seed=100 * players,
                    decisions=100,
                    restored=2,
                ),
            )


def gizmos_cases() -> Iterator[tuple[str, Case]]:
    """Numbers of players and sets of options.

    Every third game begins with the deal, the others late, with many cards built: there chains are long and payments
    have many ways.
    """
    eager: Preference = (starts("build", "pay", "convert", "draw", "take", "file"), 0.7)
    for options in ({}, {"rules": "quick"}):
        for players in (2, 3, 4):

            def begin(seed: int, players: int = players, options: dict[str, Any] = options) -> Match:
                position = gizmos.rich_position if seed % 3 else gizmos.new_game
                return position(seed=seed, players=players, max_rounds=40, **options).match

            yield (
                f"{players}-{options}",
                Case(
                    begin,
                    lambda seed: eager if seed % 2 else None,
                    first_seed=100 * players,
                    decisions=20,
                    restored=1,
                    phases=frozenset({"main", "hand", "chain", "over"}),
                    phases_compiled=frozenset({"pay", "convert"}),
                ),
            )


def nicodemus_cases() -> Iterator[tuple[str, Case]]:
    """Games from the deal, late ones, and games to the other end of the deck (N15.5), each played in three ways."""
    begins = {
        "new_game": nicodemus.new_game,
        "rich_position": nicodemus.rich_position,
        "to_the_last_card": lambda seed: nicodemus.new_game(seed=seed, end_by_deck="last_card"),
    }
    ways: dict[str, Preference | None] = {
        "random": None,
        "repairs": (starts("repair", "complete"), 0.75),
        "effects": (starts("effect", "exchange", "repair"), 0.75),
    }
    questions = {"pick", "hand", "target", "exchange", "keep", "projects", "partner", "wild"}
    for number, (way, preference) in enumerate(ways.items()):
        for name, begin in begins.items():
            yield (
                f"{name}-{way}",
                Case(
                    lambda seed, begin=begin: begin(seed=seed).match,
                    lambda seed, preference=preference: preference,
                    first_seed=200 * (number + 1),
                    decisions=5 if name == "rich_position" else 40,
                    phases=frozenset({"turn", "over"}),
                    phases_compiled=frozenset(questions if name == "new_game" else ()),
                ),
            )


def pixel_pusher_cases() -> Iterator[tuple[str, Case]]:
    """Numbers of players; half of the games keep machines busy, a quarter collects and discards what it can.

    Of eight games four have the options that are not usual.
    """
    usual, other = {}, {"line_points": "may_2018", "triple": "any"}
    busy: Preference = (starts("install", "activate", "fill"), 0.9)
    wasteful: Preference = (lambda move: move.startswith(("discard", "activate")) or " collect " in move, 0.9)
    for players in (2, 3, 4):
        yield (
            f"{players}",
            Case(
                lambda seed, players=players: (
                    pixel_pusher.new_game(players, seed, **(usual, other)[seed // 4 % 2]).match
                ),
                lambda seed: (None, busy, busy, wasteful)[seed % 4],
                first_seed=100 * players,
                decisions=80,
                restored=3,
                phases=frozenset({"draft", "build", "convert", "store", "score", "over"}),
                phases_compiled=frozenset({"pay"}),
            ),
        )


CASES = {
    "bdgame": bdgame_cases,
    "gizmos": gizmos_cases,
    "nicodemus": nicodemus_cases,
    "pixel_pusher": pixel_pusher_cases,
}


def choose(moves: list[str], preference: Preference | None, chance: random.Random) -> str:
    """A random move; where there are preferred ones, mostly one of them."""
    if preference is None:
        return chance.choice(moves)
    wanted, share = preference
    preferred = [move for move in moves if wanted(move)]
    return chance.choice(preferred if preferred and chance.random() < share else moves)


def play_in_lockstep(pairing: Pairing, case: Case, seed: int) -> tuple[int, int, set[str]]:
    """Play one game in both; the numbers of decisions and of positions restored, and the phases seen."""
    chance, match = random.Random(seed), case.begin(seed)
    reference = pairing.twin(match)
    moves: list[str] = []
    restored, phases = 0, set()
    while True:
        where = f"seed {seed}, decision {len(moves)}, last moves {moves[-8:]}"
        legal, theirs = match.legal_moves(), reference.legal_moves()
        if sorted(legal) != sorted(theirs):
            both = (match.snapshot(omniscient=True), reference.snapshot(omniscient=True))
            raise AssertionError("\n".join([where, *map(str, (sorted(legal), sorted(theirs))), *map(json.dumps, both)]))
        assert match.over == reference.over, where
        number = len(moves)
        compares = number % (1 if MANY else pairing.compare_every) == 0 or match.over
        restores = number % pairing.restore_every == 0
        if compares or restores or pairing.always:
            snap = match.snapshot(omniscient=True)
            phases.add(snap["phase"])
            if compares or (pairing.always and pairing.always(snap["phase"])):
                for omniscient in (True, False):
                    ours, theirs = match.snapshot(omniscient=omniscient), reference.snapshot(omniscient=omniscient)
                    assert ours == theirs, f"{where}\n{json.dumps(ours)}\n{json.dumps(theirs)}"
                restores |= pairing.restores(snap)
            if restores:
                assert_restored(match, pairing.not_restored, where)
                restored += 1
        if not legal or (number == pairing.decisions and not MANY):
            break
        moves.append(choose(legal, case.prefers(seed), chance))
        match.play(moves[-1])
        reference.play(moves[-1])
    assert match.ranks() == reference.ranks(), where
    assert match.points() == reference.points(), where
    return len(moves), restored, phases


def assert_restored(match: Match, but: tuple[str, ...], where: str) -> None:
    """A position comes back from its snapshot byte for byte, apart from the fields `but`."""
    snap = match.snapshot(omniscient=True)
    again = bdgame_env.match_from_snapshot(snap, **({"deck": deck} if (deck := snap["options"].get("deck")) else {}))
    assert again.legal_moves() == match.legal_moves(), where
    one, other = match.states.copy(), again.states.copy()
    for name in but:
        one[name] = other[name] = 0
    assert one.tobytes() == other.tobytes(), where


@pytest.mark.parametrize(
    ("game", "case"),
    [pytest.param(game, case, id=f"{game}-{name}") for game, cases in CASES.items() for name, case in cases()],
)
def test_engine_and_reference_play_the_same_game(game: str, case: Case) -> None:
    """Every paragraph of the rules at once: two implementations of one text."""
    pairing = PAIRINGS[game]
    first = case.first_seed + (LATE_SEEDS if MANY else 0)
    games = [play_in_lockstep(pairing, case, seed) for seed in range(first, first + pairing.number)]
    assert sum(decisions for decisions, *_ in games) > case.decisions * pairing.number
    if case.restored:
        assert sum(restored for _, restored, _ in games) > case.restored * pairing.number
    phases = set().union(*(met for *_, met in games))
    assert phases >= case.phases
    if pairing.number >= pairing.games[0]:
        assert phases >= case.phases_compiled
