"""Attacks on hidden information: they know the engine and its generator, but no game.

`leads_back` tries to recover the true game from a record that was handed to a player, by the numbers in it and by
undoing shuffles with the generator it holds. `other_worlds` builds positions that a seat cannot tell from the true
one; it works on snapshots alone, without any of the game's rules.
"""

from __future__ import annotations

import copy
import math
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.game import BadSnapshot
from bdgame_env.engine.match import Match
from tests.support import faults, splitmix

_GOLDEN, _64_BITS = 0x9E3779B97F4A7C15, (1 << 64) - 1
_BACK = 400  # how many draws a counter is wound back
_FEWEST_ORDERS = 24  # bits: a row with fewer possible orders may match by accident


def leads_back(truth: Match, given: npt.NDArray[Any]) -> str:
    """How a record, shape (1,), that was sampled from the true game gives it away; "" if it does not."""
    secrets = {int(truth.state.rng): "generator", truth.game_seed: "number of its deal"}
    numbers = _numbers(given)
    for number in numbers:
        for told in (number, splitmix.mix(number)):
            if told in secrets:
                return f"the record holds the true game's {secrets[told]}"
    before = _rows(truth.states)
    for name, row in _rows(given).items():
        true = before[name]
        if row != true and sorted(row) == sorted(true) and _orders(row) > _FEWEST_ORDERS:
            if (_unshuffled(row, numbers) == true).all(axis=1).any():
                return f"{name}: undoing the shuffle gives the true order"
    return ""


def _numbers(given: npt.NDArray[Any]) -> list[int]:
    """Candidates for earlier states of the generator, from it and all other 64-bit numbers."""
    starts = {int(given[name][0]) for name in given.dtype.names or () if given.dtype[name] == np.uint64}
    return [(start - k * _GOLDEN) & _64_BITS for start in starts for k in range(_BACK)]


def _orders(row: list[int]) -> float:
    """The number of possible orders of a row, in bits."""
    ways = math.factorial(len(row))
    for count in Counter(row).values():
        ways //= math.factorial(count)
    return math.log2(ways)


def _unshuffled(row: list[int], counters: list[int]) -> npt.NDArray[np.int64]:
    """The row before an `engine.rng.shuffle` that began at each of the counters: shape (counters, row)."""
    steps = np.arange(1, len(row), dtype=np.uint64) * np.uint64(_GOLDEN)
    draws = splitmix.mix(np.array(counters, np.uint64)[:, None] + steps) >> 32
    swapped = (draws * np.arange(len(row), 1, -1, dtype=np.uint64)) >> 32  # with the last place first
    before, every = np.tile(np.array(row), (len(counters), 1)), np.arange(len(counters))
    for last in range(1, len(row)):
        other = swapped[:, len(row) - 1 - last].astype(np.intp)
        before[:, last], before[every, other] = before[every, other], before[:, last].copy()
    return before


def _rows(games: npt.NDArray[Any]) -> dict[str, list[int]]:
    """Every row of numbers in a record, by its place, without the padding at its ends (-1, or else 0)."""
    found: dict[str, list[int]] = {}

    def look(array: npt.NDArray[Any], place: str) -> None:
        if array.dtype.names:
            for name in array.dtype.names:
                look(array[name], f"{place}.{name}" if place else name)
        elif array.ndim > 1:
            for index, part in enumerate(array):
                look(part, f"{place}[{index}]" if len(array) > 1 else place)
        else:
            values = [int(value) for value in array]
            filler = -1 if -1 in values else 0
            while values and values[-1] == filler:
                values.pop()
            while values and values[0] == filler:
                values.pop(0)
            found[place] = values

    look(games, "")
    return found


def other_worlds(match: Match, seat: int, chance: random.Random, tries: int) -> Iterator[Match]:
    """Positions that the seat cannot tell from the true one, made by swapping two hidden entries of the snapshot.

    Args:
        match: the true position.
        seat: the seat that looks.
        chance: picks the entries.
        tries: how many pairs to try; most give no legal position, or one that looks different.
    """
    whole, seen = match.snapshot(omniscient=True), match.snapshot(seat=seat)
    hidden = [path for path in faults.entries(whole) if _is_leaf(whole, path) and not _shows(seen, whole, path)]
    for _ in range(tries if len(hidden) > 1 else 0):
        one, other = chance.sample(hidden, 2)
        values = faults.inside(whole, one), faults.inside(whole, other)
        if values[0] == values[1]:
            continue
        data = copy.deepcopy(whole)
        faults.put(*one, values[1])(data)
        faults.put(*other, values[0])(data)
        try:
            world = Match.from_snapshot(match.game, data)
        except BadSnapshot:
            continue
        alike = world.snapshot(seat=seat) == seen and world.observe(seat).tobytes() == match.observe(seat).tobytes()
        asked = match.seat == seat
        if alike and (not asked or world.mask().tobytes() == match.mask().tobytes()):
            world.states["decisions"], world.states["game_seed"] = match.state.decisions, match.state.game_seed
            yield world


def _is_leaf(data: Any, path: tuple[Any, ...]) -> bool:
    return not isinstance(faults.inside(data, path), (dict, list))


def _shows(seen: Any, whole: Any, path: tuple[Any, ...]) -> bool:
    try:
        return bool(faults.inside(seen, path) == faults.inside(whole, path))
    except (LookupError, TypeError):
        return False
