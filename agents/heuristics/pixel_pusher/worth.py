"""Pixel Pusher: the value of pixels and machine ends to a seat, in points, by what they can still bring.

A pixel is worth more if the open lines ask for its color. A collect end is worth the pixels that it will take: the
conveyor is simulated to the end of the game, from its pixels, the pixels expected and what all machines take.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from bdgame_env.engine.arrays import Floats, Floats2, Ints
from bdgame_env.engine.jit import kernel
from bdgame_env.engine.struct import Struct, unsaved
from bdgame_env.games.pixel_pusher import cards
from bdgame_env.games.pixel_pusher.ending import in_secret
from bdgame_env.games.pixel_pusher.pixels import held, primaries
from bdgame_env.games.pixel_pusher.state import NONE, PLACES, REFILL, ROUNDS, SEGMENTS, SLOTS, Config, Seat, State

# The weights by number.
# Value of a stored primary, secondary and white pixel; how much the demand of the open lines changes that
W_PRIMARY, W_SECONDARY, W_WHITE, W_DEMAND = range(4)
# Value of a collected pixel; the intake a round above which more pixels are worth less, and how much less each
W_COLLECTED, W_ENOUGH, W_TOO_MANY = 4, 5, 6
# How much others take before this seat in later rounds; the loss of the seat's slots further down to a new one
W_OTHERS, W_DOWNSTREAM = 7, 8
# Opportunity cost of opening a slot
W_OPENED = 9
# Value of a discarded card, as a fraction of a collected pixel
W_DISCARD = 10
# Value a round of each kind of machine converter; the factors for a second one of its kind and for each other one
W_CONVERTERS = 11
W_SAME_AGAIN = W_CONVERTERS + cards.NUM_MACHINE_CONVERTERS
W_ANY_MORE = W_SAME_AGAIN + 1
# Value of each ability card
W_ABILITIES = W_ANY_MORE + 1
# Value of a pixel left at the end, which breaks ties (P49)
W_OVER = W_ABILITIES + cards.NUM_ABILITIES
NUM_WEIGHTS = W_OVER + 1
# In that order; tuned by self-play with two, three and four seats.
WEIGHTS = np.array(
    [
        *(1.04, 1.9, 2.15, 0.3),
        *(1.3, 6.11, 0.1),
        *(0.57, 0.269),
        0.145,
        0.9,
        *(0.577, 0.381, 0.45, 0.712, 0.317, 0.4, 0.4, 0.1, 0.1, 0.1, 0.35, 0.35, 0.348, 1.13),
        *(0.6, 0.9),
        *(0.3, 0.6, 0.3, 3.38),
        0.02,
    ]
)
assert len(WEIGHTS) == NUM_WEIGHTS
MOST_ROUNDS = int(ROUNDS.max())
_NO_COLOR = 0.01  # of a line's points, to avoid dividing by zero where there is no demand


class View(Struct):
    """What a seat makes of a position; scratch space."""

    weights: Floats = unsaved(np.float64, NUM_WEIGHTS)
    rounds: float = unsaved(np.float64)  # rounds left, including this one
    value: Floats = unsaved(np.float64, cards.NUM_COLORS)  # of a pixel that is stored
    unit: Floats = unsaved(np.float64, cards.NUM_PRIMARIES)  # of a pixel that is collected
    flow: Floats2 = unsaved(np.float64, (SEGMENTS, cards.NUM_PRIMARIES))  # the simulated conveyor
    left: Any = unsaved(np.float64, (MOST_ROUNDS, SEGMENTS, cards.NUM_PRIMARIES))  # what the seat finds there, by round
    intake: float = unsaved(np.float64)  # pixels a round that the seat's machines take
    have: Ints = unsaved(np.int64, cards.NUM_COLORS)  # for trying out recipes: pixels,
    need: Ints = unsaved(np.int64, cards.NUM_COLORS)  # those not to be paid,
    ready: Ints = unsaved(np.int64, cards.NUM_CONVERTERS)  # converters,
    printing: int = unsaved(np.int64)  # of the points of lines
    missing: int = unsaved(np.int64)  # bits: colors that the supply lacks,
    first: int = unsaved(np.int64)  # and the first recipe that was used, or NONE


@kernel
def look_at(view: View, s: State, config: Config) -> None:
    """Write the rounds left and the value of pixels."""
    view.printing = int(config.printing)
    view.rounds = float(ROUNDS[config.players]) - float(s.round_number) + 1.0
    w = view.weights
    demand = view.value
    for color in range(cards.NUM_COLORS):
        demand[color] = _NO_COLOR
    for place in range(PLACES):
        for line in range(cards.LINES):
            image = int(s.images[place])
            if image != 0 and s.filled[place, line] == 0:
                for color in range(cards.NUM_COLORS):
                    demand[color] += float(cards.NEED[image, line, color])
    primary, secondary = 0.0, 0.0
    for color in range(cards.NUM_PRIMARIES):
        primary += demand[color] / cards.NUM_PRIMARIES
        secondary += demand[cards.NUM_PRIMARIES + color] / cards.NUM_PRIMARIES
    for color in range(cards.NUM_PRIMARIES):
        wanted = 1.0 + w[W_DEMAND] * (min(2.0, demand[color] / primary) - 1.0)
        view.unit[color] = w[W_COLLECTED] * wanted
        view.value[color] = w[W_PRIMARY] * wanted
        other = cards.NUM_PRIMARIES + color
        view.value[other] = w[W_SECONDARY] * (1.0 + w[W_DEMAND] * (min(2.0, demand[other] / secondary) - 1.0))
    view.value[cards.NUM_COLORS - 1] = w[W_WHITE]
    if view.rounds <= 1.0:
        view.value[:] = w[W_OVER]


@kernel
def most_valuable(view: View, count: int) -> float:
    """The value of the best `count` pixels among those that are not needed."""
    total, left = 0.0, int(count)
    seen = 0
    while left > 0:
        best = NONE
        for color in range(cards.NUM_COLORS):
            if not seen >> color & 1 and (best == NONE or view.value[color] > view.value[best]):
                best = color
        if best == NONE:
            break
        seen |= 1 << best
        number = min(left, max(0, int(view.have[best] - view.need[best])))
        total += number * view.value[best]
        left -= number
    return total


# Collecting


@kernel
def chance(mean: float, amount: int, known: bool) -> float:
    """The probability that there are enough pixels for a slot; `known` is whether the mean is an exact number."""
    if amount <= 0:
        return 1.0
    if known:
        return min(1.0, max(0.0, mean - amount + 1.0))
    term = math.exp(-mean)
    less = 0.0
    for k in range(amount):
        less += term
        term *= mean / (k + 1.0)
    return max(0.0, 1.0 - less)


@kernel
def follow_conveyor(view: View, s: State, config: Config, seat: int) -> None:
    """P17, P34: simulate round by round what `seat` finds on each segment, and what it takes in all.

    What others take before it is known for this round; for later rounds it is a fraction of what they take.
    """
    players, w = int(config.players), view.weights
    bag = float(max(1, primaries(s.shown_supply if in_secret(s) else s.supply)))
    view.intake = 0.0
    for segment in range(SEGMENTS):
        for color in range(cards.NUM_PRIMARIES):
            view.flow[segment, color] = float(s.conveyor[segment, color])
    rounds = int(view.rounds)
    for later in range(rounds):
        if later > 0:
            for color in range(cards.NUM_PRIMARIES):
                for segment in range(SEGMENTS - 1, 0, -1):
                    view.flow[segment, color] = view.flow[segment - 1, color]
                supply = int(s.shown_supply[color]) if in_secret(s) else int(s.supply[color])
                view.flow[0, color] = REFILL * supply / bag
        for segment in range(SEGMENTS):
            for color in range(cards.NUM_PRIMARIES):
                view.left[later, segment, color] = view.flow[segment, color]
            before = 1.0
            for turn in range(players):
                other = (int(s.leaders[cards.COLLECT]) + turn) % players
                one = s.seats[other]
                kind = int(one.slot_type[segment])
                if other == seat:
                    before = 0.0
                if kind in (NONE, cards.CONVERT_TYPE):
                    continue
                amount = int(one.slot_amount[segment])
                taken = 0.0
                if kind == cards.RANDOM_TYPE:
                    there = view.flow[segment, 0] + view.flow[segment, 1] + view.flow[segment, 2]
                    part = amount * chance(there, amount, segment >= later) / max(there, 1.0)
                    for color in range(cards.NUM_PRIMARIES):
                        view.flow[segment, color] *= max(0.0, 1.0 - part)
                    taken = part * there
                else:
                    taken = amount * chance(view.flow[segment, kind], amount, segment >= later)
                    view.flow[segment, kind] = max(0.0, view.flow[segment, kind] - taken)
                    if other != seat:
                        share = before if later == 0 else w[W_OTHERS]
                        view.left[later, segment, kind] = max(0.0, view.left[later, segment, kind] - share * taken)
                if other == seat:
                    view.intake += taken / rounds


@kernel
def worth_of_collecting(view: View, me: Seat, card: int, slot: int) -> float:
    """The value of a collect end in a slot until the end of the game, less its cost; the slot must take it."""
    kind, more = int(cards.COLLECT_TYPE[card]), int(cards.AMOUNT[card])
    now = int(me.slot_amount[slot]) if me.slot_type[slot] == kind else 0
    gained = 0.0
    for later in range(int(view.rounds)):
        known = slot >= later
        if kind == cards.RANDOM_TYPE:
            left = view.left[later, slot, 0] + view.left[later, slot, 1] + view.left[later, slot, 2]
        else:
            left = view.left[later, slot, kind]
        gained += (now + more) * chance(left, now + more, known) - now * chance(left, now, known)
    unit = (
        view.unit[kind]
        if kind != cards.RANDOM_TYPE
        else (view.unit[0] + view.unit[1] + view.unit[2]) / cards.NUM_PRIMARIES
    )
    w = view.weights
    if kind != cards.RANDOM_TYPE:
        for further in range(slot + 1, SLOTS):
            if me.slot_type[further] == kind:
                gained *= 1.0 - w[W_DOWNSTREAM]
                break
    plenty = max(0.0, view.intake - w[W_ENOUGH])
    value = gained * unit * max(0.1, 1.0 - w[W_TOO_MANY] * plenty)
    if kind == cards.RANDOM_TYPE or more == 2:
        value -= w[W_PRIMARY]
    return value


# Converting, and all uses of a card


@kernel
def worth_of_converter(view: View, me: Seat, converter: int) -> float:
    """The value of one more converter of a kind until the end of the game."""
    w = view.weights
    installed = 0
    for kind in range(cards.NUM_MACHINE_CONVERTERS):
        installed += int(me.converters[kind])
    value = w[W_CONVERTERS + converter] * view.rounds
    same = int(me.converters[converter])
    return value * w[W_SAME_AGAIN] ** same * w[W_ANY_MORE] ** (installed - same)


@kernel
def worth_of_opening(view: View, slot: int) -> float:
    """The opportunity cost of an empty slot: a fraction of what the best color brings there."""
    best = 0.0
    for color in range(cards.NUM_PRIMARIES):
        value = 0.0
        for later in range(int(view.rounds)):
            value += chance(view.left[later, slot, color], 1, slot >= later)
        best = max(best, value * view.unit[color])
    return view.weights[W_OPENED] * best


@kernel
def worth_of_discarding(view: View) -> float:
    """The value of a random pixel now (P31)."""
    return view.weights[W_DISCARD] * (view.unit[0] + view.unit[1] + view.unit[2]) / cards.NUM_PRIMARIES


@kernel
def worth_of_end(view: View, me: Seat, card: int, end: int, slot: int) -> float:
    """The value of an end in a slot that takes it."""
    value = (
        worth_of_collecting(view, me, card, slot)
        if end == 0
        else worth_of_converter(view, me, int(cards.CONVERTER[card]))
    )
    if me.slot_type[slot] == NONE:
        value -= worth_of_opening(view, slot)
    return value


@kernel
def worth_of_card(view: View, me: Seat, card: int) -> float:
    """The value of a card in a hand, by its best use."""
    if card >= cards.FIRST_ABILITY:
        return view.weights[W_ABILITIES + card - cards.FIRST_ABILITY]
    best = worth_of_discarding(view)
    rich = held(me) > 0 or (cards.AMOUNT[card] == 1 and cards.COLLECT_TYPE[card] != cards.RANDOM_TYPE)
    for slot in range(SLOTS):
        for end in range(2):
            kind = int(cards.COLLECT_TYPE[card]) if end == 0 else cards.CONVERT_TYPE
            if (me.slot_type[slot] == NONE or me.slot_type[slot] == kind) and (end == 1 or rich):
                best = max(best, worth_of_end(view, me, card, end, slot))
    return best


@kernel
def points_of(view: View, s: State, place: int, line: int) -> int:
    """The points of a line, 0 if it can no longer be filled."""
    image = int(s.images[place])
    return 0 if image == 0 or s.filled[place, line] != 0 else int(cards.LINE_POINTS[view.printing, image, line])
