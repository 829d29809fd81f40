"""SplitMix64 in plain Python integers: the naive twin of `engine.rng`, the same on every machine."""

from __future__ import annotations

from typing import Any

_64_BITS = (1 << 64) - 1


def mix(counter: Any) -> Any:
    """The output function, of an integer or of an array of uint64."""
    z = ((counter ^ (counter >> 30)) * 0xBF58476D1CE4E5B9) & _64_BITS
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _64_BITS
    return z ^ (z >> 31)


def advance(counter: int) -> int:
    """The counter after one draw."""
    return (counter + 0x9E3779B97F4A7C15) & _64_BITS


def output(counter: int, number: int) -> int:
    """The number-th draw (from 0) of the stream that begins at `counter`."""
    return mix((counter + (number + 1) * 0x9E3779B97F4A7C15) & _64_BITS)
