"""The engine against the slow reference: the same legal moves at every decision, the same positions and result.

`BDGAME_LOCKSTEP_GAMES=5000 pytest tests/games/bdgame/test_lockstep.py` plays that many games (from other seeds) for
each number of players and set of options, to the end and with every position compared: an hour, before a release.
"""

from __future__ import annotations

import json
import os
import random

import pytest

import bdgame_env
from bdgame_env.engine.jit import JIT_DISABLED
from bdgame_env.engine.match import Match
from tests.support.reference.bdgame import Reference

MANY = int(os.environ.get("BDGAME_LOCKSTEP_GAMES", "0"))
GAMES = MANY or (1 if JIT_DISABLED else 20)  # for each number of players and set of options
DECISIONS = 5000 if MANY else 250
POSITION_EVERY = 1 if MANY else 7
FIRST_SEED = 1_000_000 if MANY else 100
OPTIONS = [
    {},
    {"selling": True},
    {"trading": True},
    {"selling": True, "trading": True},
]


def eager(moves: list[str], chance: random.Random) -> str:
    """A random move that prefers what leads to long games: cards bought and placed, cubes loaded, Devices run."""
    liked = ("place", "select", "buy", "load", "activate", "fulfil", "agree", "sell", "offer", "hold", "split")
    good = [move for move in moves if move.startswith(liked)]
    if good and chance.random() < 0.7:
        return chance.choice(good)
    return chance.choice(moves)


def play_in_lockstep(seed: int, players: int, options: dict[str, object]) -> tuple[int, int]:
    """Play one game in both; returns the numbers of decisions, and of positions restored from their snapshot."""
    chance = random.Random(seed)
    match = bdgame_env.make_match("bdgame-v2", players=players, seed=seed, max_rounds=12, **options)
    reference = Reference.from_snapshot(match.snapshot(omniscient=True))
    choose = eager if seed % 2 else lambda moves, chance: chance.choice(moves)
    moves: list[str] = []
    restored = 0
    for number in range(1, DECISIONS + 1):
        where = f"seed {seed}, players {players}, {options}, decision {number}, last moves {moves[-8:]}"
        legal = match.legal_moves()
        if sorted(legal) != reference.legal_moves():
            ours, theirs = match.snapshot(omniscient=True), reference.snapshot(omniscient=True)
            raise AssertionError(
                f"{where}\n{sorted(legal)}\n{reference.legal_moves()}\n{json.dumps(ours)}\n{json.dumps(theirs)}"
            )
        assert match.over == reference.over, where
        if not legal:
            break
        move = choose(legal, chance)
        moves.append(move)
        match.play(move)
        reference.play(move)
        if number % POSITION_EVERY and not match.over:
            continue
        ours, theirs = match.snapshot(omniscient=True), reference.snapshot(omniscient=True)
        assert ours == theirs, f"{where}\n{json.dumps(ours)}\n{json.dumps(theirs)}"
        if number % 35 == 0 or ours["pending"] or ours["offer"]:
            again = bdgame_env.match_from_snapshot(ours)
            assert again.snapshot(omniscient=True) == ours, where
            assert again.legal_moves() == match.legal_moves(), where
            assert_same_record(match, again, where)
            restored += 1
    assert match.ranks() == reference.ranks(), where
    return len(moves), restored


def assert_same_record(match: Match, again: Match, where: str) -> None:
    """Equal positions are equal byte for byte, apart from luck and the count of decisions."""
    one, other = match.states.copy(), again.states.copy()
    for name in ("rng", "game_seed", "decisions"):
        one[name] = other[name] = 0
    assert one.tobytes() == other.tobytes(), where


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_engine_and_reference_play_the_same_game(players: int, options: dict[str, object]) -> None:
    """Every paragraph of the rules at once: two implementations, one text."""
    first = FIRST_SEED * players
    games = [play_in_lockstep(seed, players, options) for seed in range(first, first + GAMES)]
    decisions, restored = (sum(numbers) for numbers in zip(*games, strict=True))
    assert decisions > 100 * GAMES and restored > GAMES
