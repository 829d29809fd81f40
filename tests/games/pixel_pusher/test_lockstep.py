"""The engine against the slow reference: the same legal moves, positions and result, from the deal to the end.

`PIXEL_PUSHER_LOCKSTEP_GAMES=1000 pytest tests/games/pixel_pusher/test_lockstep.py` plays that many games (from other
seeds) for each number of players, and restores more of their positions: before a release.
"""

from __future__ import annotations

import json
import os
import random

import pytest

import bdgame_env
from bdgame_env.engine.jit import JIT_DISABLED
from bdgame_env.engine.match import Match
from tests.games.pixel_pusher.positions import new_game
from tests.support.reference.pixel_pusher import Reference

MANY = int(os.environ.get("PIXEL_PUSHER_LOCKSTEP_GAMES", "0"))
GAMES = MANY or (2 if JIT_DISABLED else 10)  # for each number of players
RESTORE_EVERY = 7 if MANY else 35
FIRST_SEED = 1_000_000 if MANY else 100
PHASES = {"draft", "build", "pay", "convert", "store", "score", "over"}


def any_move(moves: list[str], chance: random.Random) -> str:
    """A random move."""
    return chance.choice(moves)


def busy(moves: list[str], chance: random.Random) -> str:
    """A random move that prefers machines that work: cards installed, recipes used, lines filled."""
    good = [move for move in moves if move.startswith(("install", "activate", "fill"))]
    return chance.choice(good if good and chance.random() < 0.9 else moves)


def wasteful(moves: list[str], chance: random.Random) -> str:
    """A random move that prefers what brings many pixels, some at a cost: cards discarded, collect ends."""
    good = [move for move in moves if move.startswith(("discard", "activate")) or " collect " in move]
    return chance.choice(good if good and chance.random() < 0.9 else moves)


def play_in_lockstep(seed: int, players: int) -> tuple[int, int, set[str]]:
    """Play one game in both; the numbers of decisions and of positions restored, and the phases met."""
    chance = random.Random(seed)
    match = new_game(seed=seed, players=players).match
    reference = Reference.new(players, int(match.states["game_seed"][0]))
    choose = (any_move, busy, busy, wasteful)[seed % 4]
    moves: list[str] = []
    restored = 0
    phases = set()
    while True:
        where = f"seed {seed}, players {players}, decision {len(moves)}, last moves {moves[-8:]}"
        legal, ours, theirs = match.legal_moves(), match.snapshot(omniscient=True), reference.snapshot()
        phases.add(ours["phase"])
        assert ours == theirs, f"{where}\n{json.dumps(ours)}\n{json.dumps(theirs)}"
        assert match.snapshot() == reference.snapshot(omniscient=False), where
        assert sorted(legal) == reference.legal_moves(), f"{where}\n{json.dumps(ours)}"
        assert match.over == reference.over, where
        if len(moves) % RESTORE_EVERY == 0 or match.over:
            assert_restored(match, where)
            restored += 1
        if not legal:
            break
        moves.append(choose(legal, chance))
        match.play(moves[-1])
        reference.play(moves[-1])
    assert match.points() == reference.points() and match.ranks() == reference.ranks(), where
    return len(moves), restored, phases


def assert_restored(match: Match, where: str) -> None:
    """A position comes back from its snapshot byte for byte, but for game seed and count of decisions."""
    again = bdgame_env.match_from_snapshot(match.snapshot(omniscient=True))
    one, other = match.states.copy(), again.states.copy()
    for name in ("game_seed", "decisions"):
        one[name] = other[name] = 0
    assert one.tobytes() == other.tobytes(), where
    assert again.legal_moves() == match.legal_moves(), where


@pytest.mark.parametrize("players", [2, 3, 4])
def test_engine_and_reference_play_the_same_game(players: int) -> None:
    """Every paragraph of the rules at once: two implementations, one text."""
    first = FIRST_SEED * players
    games = [play_in_lockstep(seed, players) for seed in range(first, first + GAMES)]
    assert sum(decisions for decisions, *_ in games) > 80 * GAMES
    assert sum(restored for _, restored, _ in games) > 3 * GAMES
    phases = set().union(*(met for *_, met in games))
    assert phases >= PHASES - {"pay"}
    if GAMES > 2:
        assert phases == PHASES
