"""Sets of small numbers as bits of an integer, and random elements of such a set (P67)."""

from __future__ import annotations

from ...engine.bits import size_of
from ...engine.jit import kernel
from ...engine.rng import below
from .state import State


@kernel
def nth_bit(bits: int, n: int) -> int:
    """The number of the n-th bit set, counted from 0; if no more than n are set, of the place above them."""
    k = 0
    while bits >> k > 0 and (n > 0 or not bits >> k & 1):
        n -= bits >> k & 1
        k += 1
    return k


@kernel
def any_bit(s: State, bits: int) -> int:
    """The number of a random bit set, each equally likely."""
    return nth_bit(bits, below(s, size_of(bits)))
