"""Sets of small numbers as the bits of an integer."""

from __future__ import annotations

import numpy as np

from .jit import kernel

# A power of two times this number shows a different pattern in its highest bits for each of 64 powers (de Bruijn).
_PATTERN, _SIZE = 0x03F79D71B4CB0A89, 64
_FIRST = (1 << 63) - 1
_PLACE = np.zeros(_SIZE, np.int64)
for _power in range(_SIZE):
    _PLACE[(_PATTERN << _power) >> 58 & 63] = _power
_PLACE.setflags(write=False)


@kernel
def lowest(bits: int) -> int:
    """The number of the lowest bit set, which must be one of the first 63."""
    return int(_PLACE[(int(bits) & -int(bits)) * _PATTERN >> 58 & 63])


@kernel
def without_lowest(bits: int) -> int:
    """The first 63 bits without the lowest bit set. Taken from any number again and again, that leaves 0."""
    return int(bits) & (int(bits) - 1) & _FIRST


@kernel
def several(bits: int) -> bool:
    """Whether more than one bit is set."""
    return without_lowest(bits) != 0


@kernel
def size_of(bits: int) -> int:
    """The number of bits set among the first 63."""
    count, left = 0, int(bits) & _FIRST
    while left != 0:
        count += 1
        left = without_lowest(left)
    return count
