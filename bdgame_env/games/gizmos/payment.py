"""What marbles can pay, with converters (G8.2-G8.6, G10, D4): pure functions of integers.

Rows of small counts are packed into one integer each, so that nothing is allocated:

- `marbles` and `ring` hold four bits for each color, red lowest;
- `types` holds two bits for each type of converter (D2.3), type 0 lowest: the number of unused cards of that type.

While paying, marbles count as energy (G10.6). Each half of a converter takes one energy: a *turn* of color k makes it
any color (G10.3 a, b), a *free turn* does so with any color (d), a *doubler* of color k makes two of it (c, e). Turns
and doublers of all cards work in any order (G10.1, G10.5), so only their numbers count. Doublers may be left unused,
so marbles can pay every amount from their own number up to the most energy they make.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ...engine.arrays import Ints
from ...engine.jit import kernel
from .cards import (
    ANY,
    ANY_TO_ANY,
    DOUBLE_BLUE_YELLOW,
    DOUBLE_RED_BLACK,
    DOUBLER,
    NUM_COLORS,
    NUM_TYPES,
    TO_ANY,
    TWICE_TO_ANY,
)

MOST_ENERGY = 15  # that is told apart: more than any card costs

# What one color does for others, as fields of a number that add up over colors: energy that its turns give, and what
# more its marbles and doublers would, with free turns; both again if it has no marbles, so that energy needs a detour;
# from _FAR on, four bits for each number of doublers: whether it has so many, and neither marbles nor turns.
_MORE, _DETOUR, _DETOUR_MORE, _FAR = 8, 16, 24, 32


def _helps() -> npt.NDArray[np.int64]:
    """By marbles, turns << 4 and doublers << 8 of a color."""
    found = np.zeros(1 << 10, np.int64)
    for at in range(len(found)):
        count, turns, doublers = at & 15, at >> 4 & 15, at >> 8
        if count > 0:
            turned = min(turns, count + doublers)
            found[at] = turned | count + doublers - turned << _MORE
        elif doublers > 0 and turns > 0:
            doubled = min(doublers, turns - 1)
            found[at] = doubled << _DETOUR | doublers - doubled << _DETOUR_MORE
        elif doublers > 0:
            found[at] = 1 << _FAR + 4 * (doublers - 1)
    found.setflags(write=False)
    return found


HELPS = _helps()
# What one more marble adds without converters, see `energies_gained`: one of its color and of ANY.
_ALONE = sum(1 << 20 * color for color in range(NUM_COLORS))
_ALONE_FOR_ANY = sum(1 << 16 * color for color in range(NUM_COLORS))


@kernel
def packed(counts: Ints) -> int:
    """Counts by color as one number."""
    return int(counts[0]) | int(counts[1]) << 4 | int(counts[2]) << 8 | int(counts[3]) << 12


@kernel
def count_of(marbles: int, color: int) -> int:
    """The count of a color."""
    return marbles >> 4 * color & 15


@kernel
def total_of(marbles: int) -> int:
    """The sum of the counts of all colors."""
    return (marbles & 15) + (marbles >> 4 & 15) + (marbles >> 8 & 15) + (marbles >> 12 & 15)


@kernel
def one_of_type(kind: int) -> int:
    """One converter of a type."""
    return 1 << 2 * kind


@kernel
def number_of(types: int, kind: int) -> int:
    """How many converters of a type there are."""
    return types >> 2 * kind & 3


@kernel
def turns_of(types: int, color: int) -> int:
    """G10.3 (a), (b): halves that turn this color into any."""
    return number_of(types, TO_ANY + color) + 2 * number_of(types, TWICE_TO_ANY + color)


@kernel
def doublers_of(types: int, color: int) -> int:
    """G10.3 (c), (e): halves that double this color."""
    both = DOUBLE_RED_BLACK if color % 2 == 0 else DOUBLE_BLUE_YELLOW
    return number_of(types, DOUBLER + color) + number_of(types, both)


@kernel
def most_energy(marbles: int, target: int, types: int) -> int:
    """D4.4: the most energy of the target color (or ANY) that exactly these marbles make with these converters.

    -1 if one of the marbles cannot become the target color; such marbles pay nothing.
    """
    if marbles == 0:
        return 0
    if target == ANY:
        return _reach_of_any(_helps_of(marbles, _all_turns(types), _all_doublers(types)), number_of(types, ANY_TO_ANY))
    if types == 0:
        alone = count_of(marbles, target)
        return alone if total_of(marbles) == alone else -1
    return _most_of_color(marbles, target, types)


@kernel
def _most_of_color(marbles: int, target: int, types: int) -> int:
    """D4.4: every marble of another color needs a turn. A turn left over allows one more doubling of that color.

    A color without marbles can double too, if one energy takes a detour to it: that energy, and each one gained by
    doubling, needs a turn of that color to come back.
    """
    free = number_of(types, ANY_TO_ANY)
    energy = total_of(marbles) + doublers_of(types, target)
    more = detour = detour_more = 0  # doublings: with a free turn each; on detours; on detours, with a free turn each
    others = far = False
    for color in range(NUM_COLORS):
        if color == target:
            continue
        count, turns, doublers = count_of(marbles, color), turns_of(types, color), doublers_of(types, color)
        if count > 0:
            others = True
            free -= max(0, count - turns)
            doubled = min(doublers, max(0, turns - count))
            energy += doubled
            more += doublers - doubled
        elif doublers > 0 and turns > 0:
            doubled = min(doublers, turns - 1)
            detour += doubled
            detour_more += doublers - doubled
        elif doublers > 0:
            far = True  # the detour itself needs a free turn
    if free < 0:
        return -1
    best = min(free, more)
    left = free
    if not others and turns_of(types, target) == 0:
        left -= 1  # to turn a marble of the target color away
    if left >= 0:
        best = max(best, detour + _helped(left, more + detour_more, far))
    return energy + best


@kernel
def _helped(free: int, more: int, far: bool) -> int:
    """Doublings that free turns allow: one each, or one for two of them in a color that has no turns."""
    if more == 0 and far and free >= 2:
        return 1
    return min(free, more)


@kernel
def pays(marbles: int, target: int, types: int, least: int, most: int) -> bool:
    """D4.2, G8.5: whether exactly these marbles make an amount of energy from least to most."""
    return total_of(marbles) <= most and most_energy(marbles, target, types) >= least


@kernel
def energies_of(ring: int, types: int) -> int:
    """D4.2: the most energy of each color, then of ANY, that a choice of marbles from the ring makes; packed alike.

    At most MOST_ENERGY each. Every smaller number can be made too. So a card can be paid if this is its least price or
    more.
    """
    if types == 0:
        return ring | min(MOST_ENERGY, total_of(ring)) << 4 * ANY
    turns, doublers, free = _all_turns(types), _all_doublers(types), number_of(types, ANY_TO_ANY)
    return _energies(ring, turns, doublers, free, _helps_of(ring, turns, doublers))


@kernel
def energies_gained(ring: int, now: int, types: int) -> tuple[int, int]:
    """What one more marble adds to `energies_of`, which is `now`: for the colors, and for ANY.

    Of a marble of color k, both have it from bit 16 k on, the first with four bits for each color of energy.
    """
    if types == 0:
        return _ALONE, _ALONE_FOR_ANY
    turns, doublers, free = _all_turns(types), _all_doublers(types), number_of(types, ANY_TO_ANY)
    helps = _helps_of(ring, turns, doublers)
    colors = generic = 0
    for color in range(NUM_COLORS):
        at = count_of(ring, color) | count_of(turns, color) << 4 | count_of(doublers, color) << 8
        more = _energies(ring + (1 << 4 * color), turns, doublers, free, helps - HELPS[at] + HELPS[at + 1]) - now
        colors |= (more & 0xFFFF) << 16 * color
        generic |= (more >> 16) << 16 * color
    return colors, generic


@kernel
def _energies(ring: int, turns: int, doublers: int, free: int, helps: int) -> int:
    """`energies_of` with converters."""
    energies = min(MOST_ENERGY, _reach_of_any(helps, free)) if ring != 0 else 0
    for color in range(NUM_COLORS - 1, -1, -1):
        here, back, more = count_of(ring, color), count_of(turns, color), count_of(doublers, color)
        others = helps - HELPS[here | back << 4 | more << 8]
        energies = energies << 4 | min(MOST_ENERGY, _reach_of_color(others, here, back, more, free))
    return energies


@kernel
def _all_turns(types: int) -> int:
    """`turns_of` all colors, packed like marbles."""
    return _spread(types >> 2 * TO_ANY) + 2 * _spread(types >> 2 * TWICE_TO_ANY)


@kernel
def _all_doublers(types: int) -> int:
    """`doublers_of` all colors, packed like marbles."""
    both = number_of(types, DOUBLE_RED_BLACK) | number_of(types, DOUBLE_BLUE_YELLOW) << 4
    return _spread(types >> 2 * DOUBLER) + both * 0x101


@kernel
def _spread(numbers: int) -> int:
    """Four numbers of two bits as four of four bits."""
    return (numbers & 3) | (numbers & 0xC) << 2 | (numbers & 0x30) << 4 | (numbers & 0xC0) << 6


@kernel
def _helps_of(marbles: int, turns: int, doublers: int) -> int:
    """HELPS, added up over all colors."""
    helps = 0
    for color in range(NUM_COLORS):
        helps += HELPS[count_of(marbles, color) | count_of(turns, color) << 4 | count_of(doublers, color) << 8]
    return helps


@kernel
def _reach_of_color(helps: int, here: int, turns: int, doublers: int, free: int) -> int:
    """D4.2 for a color with this many marbles, turns and doublers, and what all other colors do for it.

    Like `_most_of_color`, but a turn may be used for a marble or a doubling, whichever is available.
    """
    turned, more = helps & 255, helps >> _MORE & 255
    detour, detour_more = helps >> _DETOUR & 255, helps >> _DETOUR_MORE & 255
    back = (turned > 0) | (here > 0) & (turns > 0)  # whether energy can take a detour and come back
    if free == 0:
        energy = here + turned + detour * back
        return energy + doublers * (energy > 0)
    best = min(free, more)
    if back:
        best = max(best, detour + _helped(free, more + detour_more, helps >> _FAR != 0))
    elif free > 0 and more > 0:  # a free turn for a marble of another color that takes the detour
        best = max(best, 1 + detour + min(free - 1, more - 1 + detour_more))
    elif free > 0 and here > 0:  # or for one of the target color
        best = max(best, detour + min(free - 1, detour_more))
    energy = here + turned + best
    return energy + doublers if energy > 0 else 0


@kernel
def _reach_of_any(helps: int, free: int) -> int:
    """D4.4 for a generic card: all doublers of available colors work; a turn takes energy to another color."""
    energy, ways = (helps & 255) + (helps >> _MORE & 255), free + (helps & 255)
    if ways == 0:
        return energy
    detour = helps >> _DETOUR & 255  # colors that give back the turn spent on reaching them
    energy += detour + (helps >> _DETOUR_MORE & 255)
    ways += detour
    for size in range(3, 0, -1):  # then the others, those with most doublers first
        reached = min(ways, helps >> _FAR + 4 * (size - 1) & 15)
        energy += size * reached
        ways -= reached
    return energy


@kernel
def amounts(ring: int, paid: int, color: int, target: int, types: int, least: int, most: int) -> int:
    """D4.3: bit m is set if, of this color, m marbles may be paid after `paid` of the colors before."""
    if types == 0:
        return _amounts_alone(ring, color, target, least - total_of(paid), most - total_of(paid))
    bits = 0
    for amount in range(min(count_of(ring, color), most - total_of(paid)) + 1):
        if _goes_on(ring, paid | amount << 4 * color, color + 1, target, types, least, most):
            bits |= 1 << amount
    return bits


@kernel
def _amounts_alone(ring: int, color: int, target: int, least: int, most: int) -> int:
    """D4.3 without converters: of the marbles that count, as many as later colors leave to pay, up to `most`."""
    here, later = count_of(ring, color), total_of(ring >> 4 * (color + 1))
    if target != ANY:
        here, later = here if target == color else 0, count_of(ring, target) if target > color else 0
    low, high = max(0, least - later), min(here, most)
    return (2 << high) - (1 << low) if low <= high else 0


@kernel
def _goes_on(ring: int, paid: int, color: int, target: int, types: int, least: int, most: int) -> bool:
    """D4.3: whether `paid`, with some amounts of this color and those after it, is payable."""
    first = _useful(ring, 1, target, types) if color <= 1 else 0
    second = _useful(ring, 2, target, types) if color <= 2 else 0
    third = _useful(ring, 3, target, types) if color <= 3 else 0
    left = most - total_of(paid)
    for blue in range(min(first, left) + 1):
        for black in range(min(second, left - blue) + 1):
            for yellow in range(min(third, left - blue - black) + 1):
                if pays(paid + (blue << 4 | black << 8 | yellow << 12), target, types, least, most):
                    return True
    return False


@kernel
def _useful(ring: int, color: int, target: int, types: int) -> int:
    """The most marbles of a color that can become the target color."""
    if target == ANY or target == color:  # noqa: SIM109  (compiled, `in` a tuple is slower)
        return count_of(ring, color)
    return min(count_of(ring, color), turns_of(types, color) + number_of(types, ANY_TO_ANY))


@kernel
def types_to_name(marbles: int, target: int, types: int, least: int, most: int, named: int) -> int:
    """D4.6: bit t is set if a minimal set of converters that pays contains those named and one of type t more.

    0 if the named ones are such a set; a single bit if only one set is left, so that nothing is asked. Sets are tried
    as ascending sequences of types, in order. A set that pays is not extended; one that would not pay even with all
    types that could follow is skipped.
    """
    bits = sets = 0
    if pays(marbles, target, 0, least, most):
        return 0
    chosen = 0
    kind = 0  # the least type that may be added to those chosen
    while kind < NUM_TYPES or chosen != 0:
        if kind == NUM_TYPES:  # backtrack: drop the last one chosen, go on to the next type
            kind = _highest(chosen)
            chosen -= one_of_type(kind)
            kind += 1
            continue
        if number_of(chosen, kind) == number_of(types, kind):
            kind += 1
            continue
        chosen += one_of_type(kind)
        paying = pays(marbles, target, chosen, least, most)
        if paying and _is_minimal(marbles, target, chosen, least, most):
            bits |= _not_named(chosen, named)
            sets += 1
        lower = one_of_type(kind) - 1
        if paying or not pays(marbles, target, (chosen & lower) | (types & ~lower), least, most):
            chosen -= one_of_type(kind)
            kind += 1
    return bits if sets > 1 else bits & -bits


@kernel
def _highest(types: int) -> int:
    """The highest type of which there is one."""
    kind = NUM_TYPES - 1
    while kind > 0 and number_of(types, kind) == 0:
        kind -= 1
    return kind


@kernel
def _is_minimal(marbles: int, target: int, types: int, least: int, most: int) -> bool:
    """D4.6, G10.7: whether these converters, which pay, would no longer pay with one card less."""
    for kind in range(NUM_TYPES):
        if number_of(types, kind) > 0 and pays(marbles, target, types - one_of_type(kind), least, most):
            return False
    return True


@kernel
def _not_named(types: int, named: int) -> int:
    """As bits, the types with cards not yet named; 0 if more of a type were named than there are."""
    bits = 0
    for kind in range(NUM_TYPES):
        if number_of(types, kind) < number_of(named, kind):
            return 0
        if number_of(types, kind) > number_of(named, kind):
            bits |= 1 << kind
    return bits
