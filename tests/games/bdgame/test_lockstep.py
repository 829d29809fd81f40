"""The engine against the slow reference: the same legal moves, position and result after every decision."""

from __future__ import annotations

import json
import random

import pytest

import bdgame_env
from bdgame_env.core.table import Table
from tests.support.reference.bdgame import Reference

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


def play_in_lockstep(seed: int, players: int, options: dict[str, object], decisions: int) -> int:
    """Play one game in both; returns the number of decisions."""
    chance = random.Random(seed)
    table = bdgame_env.make_table("bdgame-v1", players=players, seed=seed, max_rounds=25, **options)
    reference = Reference.from_snapshot(table.snapshot(omniscient=True))
    choose = eager if seed % 2 else lambda moves, chance: chance.choice(moves)
    moves: list[str] = []
    for number in range(decisions):
        where = f"seed {seed}, players {players}, {options}, decision {number}, last moves {moves[-5:]}"
        legal = table.legal_moves()
        assert sorted(legal) == reference.legal_moves(), f"{where}\n{json.dumps(table.snapshot(True))}"
        assert table.over == reference.over, where
        if not legal:
            break
        move = choose(legal, chance)
        moves.append(move)
        table.play(move)
        reference.play(move)
        ours, theirs = table.snapshot(omniscient=True), reference.snapshot(omniscient=True)
        assert ours == theirs, f"{where}\n{json.dumps(ours)}\n{json.dumps(theirs)}"
        if number % 37 == 0 or ours["pending"] or ours["offer"]:
            again = bdgame_env.table_from_snapshot(ours)
            assert again.snapshot(omniscient=True) == ours, where
            assert again.legal_moves() == table.legal_moves(), where
            assert_same_record(table, again, where)
    assert table.places() == reference.places()
    return len(moves)


def assert_same_record(table: Table, again: Table, where: str) -> None:
    """Equal positions are equal byte for byte, apart from luck and the count of decisions."""
    one, other = table.states.copy(), again.states.copy()
    for name in ("rng", "deal", "decisions"):
        one[name] = other[name] = 0
    assert one.tobytes() == other.tobytes(), where


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_engine_and_reference_play_the_same_game(players: int, options: dict[str, object]) -> None:
    """Every paragraph of the rules at once: two implementations, one text."""
    played = sum(play_in_lockstep(seed, players, options, 700) for seed in range(players * 100, players * 100 + 12))
    assert played > 1000
