"""Plays a position to its end and checks, on the way, what holds in every position of every game."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from bdgame_env.engine.match import Match
from tests.support.conformance import restored


def play_to_the_end(match: Match, seed: int, every: int) -> None:
    """Play at random, and check the first position, the last, and every `every`-th in between.

    Raises:
        AssertionError: the game gets stuck or does not end, or a position fails `look`.
    """
    chance = random.Random(seed)
    for number in range(match.config.max_decisions + 1):
        mask = match.mask()
        assert set(mask.tolist()) <= {0, 1}, f"after {number} decisions the mask holds {set(mask.tolist())}"
        assert mask.any() != match.over, f"after {number} decisions over is {match.over}, legal: {match.legal_moves()}"
        if number % every == 0 or match.over:
            look(match, f"after {number} decisions")
        if match.over:
            return
        match.play(chance.choice(match.legal_actions()))
    raise AssertionError(f"not over after {match.config.max_decisions} decisions")


def look(match: Match, where: str) -> None:
    """Check that nothing is negative, all pieces are there, observations fit the schema, and a copy with other hidden
    cards is a legal position that looks the same.

    The game itself counts the pieces, when it restores the position from its snapshot.

    Raises:
        AssertionError: one of these does not hold.
    """
    data = match.snapshot(omniscient=True)
    for path, number in numbers(data):
        assert number >= 0, f"{where}: {path} is {number}"
    restored(match, where)
    schema = match.game.schema
    low, high = (np.zeros(match.game.obs.itemsize, np.int8) for _ in range(2))
    for field in schema:
        low[field.slice], high[field.slice] = field.low, field.high
    for seat in range(match.players):
        seen = match.observe(seat)
        for index in np.flatnonzero((seen < low) | (seen > high))[:1]:
            field = next(field for field in schema if field.start <= index < field.stop)
            raise AssertionError(f"{where}, seat {seat}: {field.name} is {seen[index]}, not {field.low}..{field.high}")
        if match.over:
            continue
        other = match.clone(determinize=seat, seed=seat)
        assert other.observe(seat).tobytes() == seen.tobytes(), f"{where}: resampled, seat {seat} sees something else"
        assert other.snapshot(seat=seat) == match.snapshot(seat=seat), f"{where}: another snapshot for seat {seat}"
        if seat == match.seat:
            assert other.mask().tobytes() == match.mask().tobytes(), f"{where}: resampled, other legal moves"
            restored(other, f"{where}, resampled for seat {seat}")


def numbers(data: Any, where: str = "") -> Iterator[tuple[str, int]]:
    """Every number in a snapshot, with its path."""
    if type(data) is int:
        yield where, data
    entries = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in entries:
        yield from numbers(value, f"{where}[{key}]" if isinstance(key, int) else f"{where}.{key}".removeprefix("."))
