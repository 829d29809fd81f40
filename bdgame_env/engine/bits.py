"""Sets of small numbers as the bits of an integer."""

from __future__ import annotations

from .jit import kernel, trailing_zeros

_FIRST = (1 << 63) - 1


@kernel
def lowest(bits: int) -> int:
    """The number of the lowest bit set, which must be one of the first 63."""
    return trailing_zeros(int(bits))


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
    pairs = int(bits) & _FIRST
    pairs -= pairs >> 1 & 0x5555555555555555
    fours = (pairs & 0x3333333333333333) + (pairs >> 2 & 0x3333333333333333)
    return ((fours + (fours >> 4) & 0x0F0F0F0F0F0F0F0F) * 0x0101010101010101 >> 56) & 127
