"""The engine against the slow reference: the same legal moves at every decision, the same positions and result.

`BDGAME_LOCKSTEP_GAMES=5000 pytest tests/games/nicodemus/test_lockstep.py` plays that many games (from other seeds)
of each kind, to the end and with every position compared: before a release.
"""

from __future__ import annotations

import json
import os
import random

import pytest

import bdgame_env
from bdgame_env.engine.jit import JIT_DISABLED
from bdgame_env.engine.match import Match
from tests.games.nicodemus.positions import Position, new_game, rich_position
from tests.support.reference.nicodemus import Reference

MANY = int(os.environ.get("BDGAME_LOCKSTEP_GAMES", "0"))
GAMES = MANY or (6 if JIT_DISABLED else 20)  # of each kind
POSITION_EVERY = 1 if MANY else 3
FIRST_SEED = 1_000_000 if MANY else 200
LIKED = {
    "random": (),
    "repairs": ("repair", "complete"),
    "effects": ("effect", "exchange", "repair"),
}


def play_in_lockstep(begin, seed: int, liked: tuple[str, ...]) -> tuple[int, set[str]]:
    """Play one game in both, to its end; the number of decisions, and the phases met."""
    chance = random.Random(seed)
    match = begin(seed=seed).match
    reference = Reference.from_snapshot(match.snapshot(omniscient=True))
    moves: list[str] = []
    phases = set()
    while True:
        where = f"{begin.__name__}, seed {seed}, decision {len(moves)}, last moves {moves[-8:]}"
        legal, ours = match.legal_moves(), match.snapshot(omniscient=True)
        phases.add(ours["phase"])
        if sorted(legal) != sorted(reference.legal_moves()):
            theirs = reference.snapshot(omniscient=True)
            raise AssertionError(
                f"{where}\n{sorted(legal)}\n{sorted(reference.legal_moves())}\n{json.dumps(ours)}\n{json.dumps(theirs)}"
            )
        assert match.over == reference.over, where
        if len(moves) % POSITION_EVERY == 0 or match.over or ours["phase"] != "turn":
            theirs = reference.snapshot(omniscient=True)
            assert ours == theirs, f"{where}\n{json.dumps(ours)}\n{json.dumps(theirs)}"
            public, other = match.snapshot(), reference.snapshot(omniscient=False)
            assert public == other, f"{where}\n{json.dumps(public)}\n{json.dumps(other)}"
        if len(moves) % 20 == 0 or ours["phase"] in ("wild", "hand", "keep", "partner"):
            assert_restored(match, where)
        if not legal:
            break
        good = [move for move in legal if move.startswith(liked)] if liked else []
        move = chance.choice(good if good and chance.random() < 0.75 else legal)
        moves.append(move)
        match.play(move)
        reference.play(move)
    assert match.points() == reference.points() and match.ranks() == reference.ranks(), where
    return len(moves), phases


def assert_restored(match: Match, where: str) -> None:
    """A position comes back from its snapshot byte for byte, but for game seed and count of decisions."""
    again = bdgame_env.match_from_snapshot(match.snapshot(omniscient=True))
    assert again.legal_moves() == match.legal_moves(), where
    one, other = match.states.copy(), again.states.copy()
    for name in ("game_seed", "decisions"):
        one[name] = other[name] = 0
    assert one.tobytes() == other.tobytes(), where


def new_game_to_the_last_card(seed: int) -> Position:
    """A game with the other end trigger (N15.5)."""
    return new_game(seed=seed, end_by_deck="last_card")


@pytest.mark.parametrize("liked", LIKED)
@pytest.mark.parametrize("begin", [new_game, rich_position, new_game_to_the_last_card])
def test_engine_and_reference_play_the_same_game(begin, liked: str) -> None:
    """Every paragraph of the rules at once: two implementations, one text."""
    first = FIRST_SEED * (1 + list(LIKED).index(liked))
    games = [play_in_lockstep(begin, seed, LIKED[liked]) for seed in range(first, first + GAMES)]
    assert sum(decisions for decisions, _ in games) > (5 if begin is rich_position else 40) * GAMES
    phases = set().union(*(met for _, met in games))
    assert phases >= {"turn", "over"}
    if GAMES > 6 and begin is new_game:
        assert phases >= {"turn", "pick", "hand", "target", "exchange", "keep", "projects", "partner", "wild", "over"}
