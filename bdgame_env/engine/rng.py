"""Random numbers: a SplitMix64 counter inside each game's record (Steele, Lea and Flood 2014, OOPSLA)."""

from __future__ import annotations

from typing import Protocol, cast

import numpy as np

from .arguments import check_seed, whole
from .arrays import Ints
from .forks import Origin
from .jit import JIT_DISABLED, kernel


def _word(number: int) -> int:
    return cast(int, np.uint64(number))  # numbers of 64 bits are `int` to those who draw


_GOLDEN = _word(0x9E3779B97F4A7C15)
_MIX_1 = _word(0xBF58476D1CE4E5B9)
_MIX_2 = _word(0x94D049BB133111EB)
_S27, _S30, _S31, _S32 = _word(27), _word(30), _word(31), _word(32)
_DETERMINIZE = 1  # any number but 0, so that determinizations do not share the seeds of games


class Stream(Protocol):
    """A record with a stream of random numbers, such as the state of a game."""

    rng: int


def game_seed(seed: int | None, match: int = 0) -> int:
    """The 64-bit seed of the game that match number `match` of a batch with this `seed` begins with.

    It equals `numpy.random.SeedSequence(seed).spawn(n)[match].generate_state(1, uint64)[0]` for every n, so a match
    plays the same alone as in a batch. `None` takes fresh entropy from the operating system.

    Raises:
        BadOption: the seed is neither None nor a whole number from 0 to `LARGEST_SEED`, or `match` is not one from 0 to
            2**32 - 1.
    """
    seed = check_seed(seed)
    match = whole("match", match, 0, 2**32 - 1)
    sequence = np.random.SeedSequence(seed, spawn_key=(match,))
    return int(sequence.generate_state(1, np.uint64)[0])


class OwnGenerator:
    """A generator of random numbers in Python, for those that draw apart from the games.

    Args:
        seed: a number of 0 or more; None takes fresh entropy, and takes it anew in every child of a fork.
    """

    def __init__(self, seed: int | None = None) -> None:
        self.seed(seed)

    def seed(self, seed: int | None) -> None:
        """Begin anew; `seed` as for the class, errors as in `game_seed`."""
        seed = check_seed(seed)
        self._origin, self._generator = Origin(seed), np.random.default_rng(seed)

    def __call__(self) -> np.random.Generator:
        """The generator to draw from now."""
        if self._origin.is_parents():
            self.seed(None)
        return self._generator


def determinization_seed(seed: int | None) -> int:
    """The seed of a determinization; it differs from the seed of the game that `seed` deals."""
    return game_seed(game_seed(seed), _DETERMINIZE)


@kernel
def _advance(counter: int) -> int:
    return counter + _GOLDEN


@kernel
def mix(counter: int) -> int:
    """The SplitMix64 output function: one uint64 from another."""
    z = (counter ^ (counter >> _S30)) * _MIX_1
    z = (z ^ (z >> _S27)) * _MIX_2
    return z ^ (z >> _S31)


@kernel
def nth(start: int, k: int | np.uint64) -> int:
    """Output k = 0, 1, ... (uint64) of the stream whose counter stands at `start`, found directly."""
    return mix(start + (k + np.uint64(1)) * _GOLDEN)  # type: ignore[arg-type]  # see `_word`


if JIT_DISABLED:  # the counter is meant to wrap; compiled code does so silently, NumPy would warn
    _advance_raw, _mix_raw, _nth_raw = _advance, mix, nth

    def _advance(counter: int) -> int:
        with np.errstate(over="ignore"):
            return _advance_raw(counter)

    def mix(counter: int) -> int:
        """The SplitMix64 output function: one uint64 from another."""
        with np.errstate(over="ignore"):
            return _mix_raw(counter)

    def nth(start: int, k: int | np.uint64) -> int:
        """Output k = 0, 1, ... (uint64) of the stream whose counter stands at `start`."""
        with np.errstate(over="ignore"):
            return _nth_raw(start, k)


@kernel
def draw(s: Stream) -> int:
    """The next uint64 of the stream `s.rng`."""
    s.rng = _advance(s.rng)
    return mix(s.rng)


@kernel
def below(s: Stream, n: int) -> int:
    """A number 0..n-1 from the stream `s.rng`, n < 2**31 (multiply and shift; bias below 2**-32 * n)."""
    return int(((draw(s) >> _S32) * np.uint64(n)) >> _S32)


@kernel
def random_legal(mask: Ints, rng: Stream) -> int:
    """A uniformly random action that `mask` allows, from the stream `rng.rng`; 0 if it allows none."""
    count = 0
    for action in range(mask.shape[0]):
        count += mask[action]
    if count == 0:
        return 0
    chosen = below(rng, count)
    for action in range(mask.shape[0]):
        if mask[action] != 0:
            if chosen == 0:
                return action
            chosen -= 1
    return 0


@kernel
def any_legal(mask: Ints) -> bool:
    """Whether `mask` allows an action: in a game that is not over it does, in a record that is no game it may not."""
    for action in range(mask.shape[0]):
        if mask[action] != 0:
            return True
    return False


@kernel
def shuffle(s: Stream, row: Ints, count: int) -> None:
    """Shuffle the first `count` places of a one-dimensional array (Fisher and Yates)."""
    for last in range(count - 1, 0, -1):
        other = below(s, last + 1)
        kept = row[last]
        row[last] = row[other]
        row[other] = kept
