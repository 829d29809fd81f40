"""`engine.rng`: SplitMix64, with its counter in the game's record."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from typing import Any

import numpy as np

from bdgame_env.engine.jit import entry_point
from bdgame_env.engine.players import AGENT_RNG
from bdgame_env.engine.rng import below, draw, game_seed, shuffle
from tests.support import splitmix

KNOWN = [6457827717110365317, 3203168211198807973, 9817491932198370423]  # of the authors' C program, seed 1234567


@entry_point
def _draw(rng: Any, out: Any) -> None:
    for i in range(len(out)):
        out[i] = draw(rng[0])


@entry_point
def _below(rng: Any, n: Any, out: Any) -> None:
    for i in range(len(out)):
        out[i] = below(rng[0], n)


@entry_point
def _shuffle(rng: Any, rows: Any, count: Any) -> None:
    for i in range(len(rows)):
        shuffle(rng[0], rows[i], count)


def rng(seed: int) -> Any:
    own = np.zeros(1, AGENT_RNG)
    own["rng"] = seed
    return own


def numbers(seed: int, n: int, count: int) -> Any:
    out = np.zeros(count, np.int64)
    _below(rng(seed), n, out)
    return out


def shuffled(seed: int, rows: int, size: int, count: int) -> Any:
    out = np.tile(np.arange(size, dtype=np.int8), (rows, 1))
    _shuffle(rng(seed), out, count)
    return out


def test_splitmix64_known_outputs():
    """The outputs are those of the published algorithm."""
    out = np.zeros(3, np.uint64)
    _draw(rng(1234567), out)
    assert out.tolist() == KNOWN


def test_the_twin_in_plain_python_draws_the_same():
    """Checkers rely on `tests.support.splitmix`."""
    out = np.zeros(50, np.uint64)
    start = (1 << 64) - 5  # the counter soon wraps around
    _draw(rng(start), out)
    assert out.tolist() == [splitmix.output(start, number) for number in range(50)]
    assert [splitmix.output(1234567, number) for number in range(3)] == KNOWN


def test_a_draw_advances_only_the_counter():
    """The same counter gives the same numbers; each draw adds the same step."""
    one = rng(9)
    _draw(one, np.zeros(1, np.uint64))
    assert int(one["rng"][0]) == splitmix.advance(9)
    assert numbers(9, 6, 20).tolist() == numbers(9, 6, 20).tolist() != numbers(10, 6, 20).tolist()


def test_below_covers_its_range_evenly():
    """Chi-squared test of 6000 throws of a die, 5 degrees of freedom: 20.5 is exceeded once in a thousand."""
    counts = np.bincount(numbers(3, 6, 6000), minlength=6)
    assert len(counts) == 6 and ((counts - 1000) ** 2 / 1000).sum() < 20.5


def test_below_one_is_zero_and_large_bounds_hold():
    """The smallest and the largest bounds allowed."""
    assert not numbers(1, 1, 20).any()
    large = numbers(1, 2**31 - 1, 200)
    assert large.min() >= 0 and large.max() < 2**31 - 1 and large.max() > 2**30


def test_shuffle_permutes_the_first_places_only():
    """Nothing is lost, nothing beyond `count` moves, and a row of one card or none stays as it is."""
    rows = shuffled(5, 30, 20, 12)
    assert all(sorted(row) == list(range(20)) for row in rows.tolist())
    assert (rows[:, 12:] == np.arange(12, 20)).all() and (rows[:, :12] != np.arange(12)).any()
    for count in (0, 1):
        assert (shuffled(5, 3, 4, count) == np.arange(4)).all()


def test_all_orders_are_about_equally_likely():
    """Chi-squared test of 2400 shuffles of four cards, 23 degrees of freedom: 49.7 is exceeded once in a thousand."""
    counts = Counter(map(tuple, shuffled(11, 2400, 4, 4).tolist()))
    assert set(counts) == set(permutations(range(4)))
    assert sum((count - 100) ** 2 / 100 for count in counts.values()) < 49.7


def test_a_game_seed_is_numpys_spawned_seed():
    """A single match plays the same game as in a batch: `SeedSequence(seed).spawn(n)[i]`, for every n."""
    for n in (3, 8):
        spawned = np.random.SeedSequence(42).spawn(n)
        wanted = [int(sequence.generate_state(1, np.uint64)[0]) for sequence in spawned]
        assert [game_seed(42, match) for match in range(n)] == wanted
    assert game_seed(42) == game_seed(42, 0)


def test_no_seed_is_fresh_entropy():
    """None never repeats a game."""
    assert len({game_seed(None) for _ in range(20)}) == 20
