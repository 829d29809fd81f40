"""Sets as bits, against Python's own counting."""

from __future__ import annotations

import random

from bdgame_env.engine.bits import lowest, several, size_of, without_lowest


def test_every_single_bit_is_found() -> None:
    for number in range(63):
        bit = 1 << number
        assert lowest(bit) == number and without_lowest(bit) == 0 and size_of(bit) == 1 and not several(bit)


def test_random_sets() -> None:
    chance = random.Random(0)
    assert size_of(0) == 0 and not several(0)
    for _ in range(300):
        numbers = sorted(chance.sample(range(63), chance.randint(2, 20)))
        bits = sum(1 << number for number in numbers)
        assert lowest(bits) == numbers[0] and without_lowest(bits) == bits - (1 << numbers[0])
        assert size_of(bits) == len(numbers) and several(bits)


def test_what_is_no_set_leaves_nothing_in_the_end() -> None:
    """Loops over the bits of a negative number end, without the JIT too, where numbers have bits without end."""
    assert size_of(-1) == 63
    left, steps = -6, 0
    while left != 0:
        left, steps = without_lowest(left), steps + 1
    assert steps == 61 and several(-6)
