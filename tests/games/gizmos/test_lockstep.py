"""The engine against the slow reference: the same legal moves at every decision, the same positions and result.

`GIZMOS_LOCKSTEP_GAMES=5000 pytest tests/games/gizmos/test_lockstep.py` plays that many games (from other seeds) for
each number of players and set of options, to the end and with every position compared: before a release.
"""

from __future__ import annotations

import json
import os
import random
from typing import Any

import pytest

import bdgame_env
from bdgame_env.engine.jit import JIT_DISABLED
from bdgame_env.engine.match import Match
from tests.games.gizmos.positions import new_game, rich_position
from tests.support.reference.gizmos import Reference

MANY = int(os.environ.get("GIZMOS_LOCKSTEP_GAMES", "0"))
GAMES = MANY or (3 if JIT_DISABLED else 24)  # for each number of players and set of options
POSITION_EVERY = 1 if MANY else 5
FIRST_SEED = 1_000_000 if MANY else 100
OPTIONS: list[dict[str, Any]] = [
    {},
    {"auto_points": False},
    {"order_under": "player"},
    {"auto_points": False, "order_under": "player"},
]
WITH_QUESTIONS = ("pay", "convert", "under")


def eager(moves: list[str], chance: random.Random) -> str:
    """A random move that prefers what leads to long chains: cards built and filed, triggered cards used."""
    liked = ("build", "pay", "convert", "draw", "take", "file")
    good = [move for move in moves if move.startswith(liked)]
    if good and chance.random() < 0.7:
        return chance.choice(good)
    return chance.choice(moves)


def play_in_lockstep(seed: int, players: int, options: dict[str, Any]) -> tuple[int, int, set[str]]:
    """Play one game in both; the numbers of decisions and of positions restored, and the phases met.

    Every third game begins from the deal, the others late, with many cards built: there chains are long and payments
    have many ways.
    """
    chance = random.Random(seed)
    begin = rich_position if seed % 3 else new_game
    match = begin(seed=seed, players=players, max_rounds=40, **options).match
    reference = Reference.from_snapshot(match.snapshot(omniscient=True))
    choose = eager if seed % 2 else lambda moves, chance: chance.choice(moves)
    moves: list[str] = []
    restored = 0
    phases = set()
    while True:
        where = f"seed {seed}, players {players}, {options}, decision {len(moves)}, last moves {moves[-8:]}"
        legal, ours = match.legal_moves(), match.snapshot(omniscient=True)
        phases.add(ours["phase"])
        if sorted(legal) != sorted(reference.legal_moves()):
            theirs = reference.snapshot(omniscient=True)
            raise AssertionError(
                f"{where}\n{sorted(legal)}\n{sorted(reference.legal_moves())}\n{json.dumps(ours)}\n{json.dumps(theirs)}"
            )
        assert match.over == reference.over, where
        if len(moves) % POSITION_EVERY == 0 or match.over or ours["phase"] in WITH_QUESTIONS:
            theirs = reference.snapshot(omniscient=True)
            assert ours == theirs, f"{where}\n{json.dumps(ours)}\n{json.dumps(theirs)}"
        if len(moves) % 35 == 0 or ours["phase"] in WITH_QUESTIONS:
            assert_restored(match, where)
            restored += 1
        if not legal:
            break
        move = choose(legal, chance)
        moves.append(move)
        match.play(move)
        reference.play(move)
    assert match.points() == reference.points() and match.ranks() == reference.ranks(), where
    return len(moves), restored, phases


def assert_restored(match: Match, where: str) -> None:
    """A position comes back from its snapshot byte for byte, but for game seed and count of decisions."""
    again = bdgame_env.match_from_snapshot(match.snapshot(omniscient=True))
    assert again.legal_moves() == match.legal_moves(), where
    one, other = match.states.copy(), again.states.copy()
    for name in ("game_seed", "decisions"):
        one[name] = other[name] = 0
    assert one.tobytes() == other.tobytes(), where


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_engine_and_reference_play_the_same_game(players: int, options: dict[str, Any]) -> None:
    """Every paragraph of the rules at once: two implementations, one text."""
    first = FIRST_SEED * players
    games = [play_in_lockstep(seed, players, options) for seed in range(first, first + GAMES)]
    assert sum(decisions for decisions, *_ in games) > 20 * GAMES and sum(number for _, number, _ in games) > GAMES
    phases = set().union(*(met for *_, met in games))
    assert phases >= {"main", "hand", "chain", "over"}
    if GAMES > 6:
        assert phases >= {"pay", "convert"}
