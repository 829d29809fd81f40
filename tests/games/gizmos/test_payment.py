"""The formulas of payments (D4.2-D4.6) against a plain search over energy and halves of converters."""

from __future__ import annotations

import itertools
import random
from functools import cache

import pytest

from bdgame_env.engine.jit import JIT_DISABLED, entry_point
from bdgame_env.games.gizmos.cards import ANY, NUM_TYPES
from bdgame_env.games.gizmos.payment import amounts, count_of, energies_of, one_of_type, packed, pays, types_to_name

MOST_OF_A_TYPE = (2, 2, 2, 2, 1, 1, 1, 1, 2, 2, 2, 2, 2, 1, 1)
MOST_HALVES = 7


@entry_point
def look(marbles, ring, target, types, least, most):
    """What the engine says of one question: whether the marbles pay, and the reach of the ring."""
    return pays(marbles, target, types, least, most), count_of(energies_of(ring, types), target)


@entry_point
def next_types(marbles, target, types, least, most, named):
    return types_to_name(marbles, target, types, least, most, named)


@entry_point
def next_amounts(ring, paid, color, target, types, least, most):
    return amounts(ring, paid, color, target, types, least, most)


def halves(types: tuple[int, ...]) -> tuple[tuple[str, int], ...]:
    """The halves of converters, given by their number for each type."""
    found = []
    for color in range(4):
        turns = types[color] + 2 * types[4 + color]
        doublers = types[8 + color] + types[13 + color % 2]
        found += [("turn", color)] * turns + [("double", color)] * doublers
    return tuple(found + [("turn", ANY)] * types[12])


@cache
def energies(pool: tuple[int, ...], left: tuple[tuple[str, int], ...], target: int) -> frozenset[int]:
    """G8.5: every amount of the target color that the pool can become, with nothing over."""
    found = set()
    if target == ANY or sum(pool) == pool[target]:
        found.add(sum(pool))
    for half in set(left):
        rest = list(left)
        rest.remove(half)
        what, color = half
        for source in range(4) if color == ANY else [color]:
            if not pool[source]:
                continue
            after = list(pool)
            if what == "double":
                after[source] += 1
                found |= energies(tuple(after), tuple(rest), target)
                continue
            after[source] -= 1
            for other in range(4):
                if other != source:
                    after[other] += 1
                    found |= energies(tuple(after), tuple(rest), target)
                    after[other] -= 1
    return frozenset(found)


def search(marbles: tuple[int, ...], target: int, types: tuple[int, ...], least: int, most: int) -> bool:
    return any(least <= amount <= most for amount in energies(marbles, halves(types), target))


def as_number(types: tuple[int, ...]) -> int:
    return sum(number * one_of_type(kind) for kind, number in enumerate(types))


def question(chance: random.Random) -> tuple[tuple[int, ...], int, tuple[int, ...], int, int]:
    """Ring, target, converters, least and most."""
    types = [0] * NUM_TYPES
    for _ in range(chance.randint(0, chance.choice([2, 4, 6]))):
        kind = chance.randrange(NUM_TYPES)
        types[kind] = min(types[kind] + 1, MOST_OF_A_TYPE[kind])
    ring = [0, 0, 0, 0]
    colors = chance.sample(range(4), chance.choice([1, 2, 4]))
    for _ in range(chance.randint(0, 4)):
        ring[chance.choice(colors)] += 1
    least = chance.randint(0, 7)
    return tuple(ring), chance.randrange(5), tuple(types), least, min(7, least + chance.choice([0, 0, 1, 2]))


def questions(number: int, seed: int):
    chance = random.Random(seed)
    while number:
        asked = question(chance)
        if len(halves(asked[2])) <= MOST_HALVES:
            number -= 1
            yield asked


def test_d04_02_d04_04_formula_and_search_agree():
    """D4.2, D4.4: on each choice of marbles, and on whether there is any that pays."""
    paying = 0
    for ring, target, types, least, most in questions(150 if JIT_DISABLED else 600, seed=1):
        found = [
            marbles
            for marbles in itertools.product(*(range(number + 1) for number in ring))
            if search(marbles, target, types, least, most)
        ]
        for marbles in itertools.product(*(range(number + 1) for number in ring)):
            said, within = look(packed(marbles), packed(ring), target, as_number(types), least, most)
            assert bool(said) == (marbles in found), (marbles, target, types, least, most)
        assert (within >= least) == bool(found), (ring, target, types, least, most)
        paying += bool(found)
    assert paying > 40


@pytest.mark.slow
def test_d04_04_formula_and_search_agree_on_many():
    """D4.4: the same, longer."""
    for ring, target, types, least, most in questions(5000, seed=2):
        said, within = look(packed(ring), packed(ring), target, as_number(types), least, most)
        assert bool(said) == search(ring, target, types, least, most), (ring, target, types, least, most)
        some = any(
            search(marbles, target, types, least, most)
            for marbles in itertools.product(*(range(number + 1) for number in ring))
        )
        assert (within >= least) == some, (ring, target, types, least, most)
        energies.cache_clear()


def test_d04_03_amounts_are_those_that_payable_choices_begin_with():
    """D4.3: color by color, each payable choice is reached, and no other."""
    for ring, target, types, least, most in questions(60 if JIT_DISABLED else 200, seed=3):
        wanted = {
            marbles
            for marbles in itertools.product(*(range(number + 1) for number in ring))
            if search(marbles, target, types, least, most)
        }
        begun: set[tuple[int, ...]] = {()} if wanted else set()
        for color in range(4):
            going_on = set()
            for paid in begun:
                so_far = packed((*paid, *[0] * (4 - color)))
                bits = next_amounts(packed(ring), so_far, color, target, as_number(types), least, most)
                going_on |= {(*paid, amount) for amount in range(8) if bits >> amount & 1}
            begun = going_on
        assert begun == wanted, (ring, target, types, least, most)


def minimal_sets(marbles, target, types, least, most) -> set[tuple[int, ...]]:
    """D4.6: by trying all of them."""
    paying = {
        chosen
        for chosen in itertools.product(*(range(number + 1) for number in types))
        if search(marbles, target, chosen, least, most)
    }
    return {chosen for chosen in paying if not any(within(other, chosen) and other != chosen for other in paying)}


def within(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return all(a <= b for a, b in zip(one, other, strict=True))


def test_d04_06_types_named_lead_to_minimal_sets():
    """D4.6: each minimal set is reached by naming, and naming ends with one."""
    several = 0
    for ring, target, types, least, most in questions(200 if JIT_DISABLED else 600, seed=4):
        if not search(ring, target, types, least, most):
            continue
        wanted = minimal_sets(ring, target, types, least, most)
        several += len(wanted) > 1
        ended = set()
        waiting = [(0,) * NUM_TYPES]
        while waiting:
            named = waiting.pop()
            bits = next_types(packed(ring), target, as_number(types), least, most, as_number(named))
            further = [kind for kind in range(NUM_TYPES) if bits >> kind & 1]
            for kind in further:
                assert any(within(named, chosen) and chosen[kind] > named[kind] for chosen in wanted)
                waiting.append((*named[:kind], named[kind] + 1, *named[kind + 1 :]))
            if not further:
                ended.add(named)
        assert ended == wanted, (ring, target, types, least, most)
    assert several > 3
