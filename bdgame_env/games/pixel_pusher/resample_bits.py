"""Sets of small numbers as the bits of one integer, and a random element of such a set (P67)."""

from __future__ import annotations

from typing import Any

from ...engine.jit import kernel
from ...engine.rng import below


@kernel
def bits_set(bits: Any) -> Any:
    """The number of bits set."""
    count = 0
    while bits != 0:
        count += bits & 1
        bits >>= 1
    return count


@kernel
def nth_bit(bits: Any, n: Any) -> Any:
    """The number of the n-th bit that is set, n from 0; there are more than n."""
    k = 0
    while n > 0 or not bits >> k & 1:
        n -= bits >> k & 1
        k += 1
    return k


@kernel
def any_bit(s: Any, bits: Any) -> Any:
    """The number of a bit that is set, each as likely as the others."""
    return nth_bit(bits, below(s, bits_set(bits)))
