"""Gizmos's heuristic player: values every action by its gain now and its expected gain in later turns.

It looks one action ahead and only at what its seat can see: for a Research, all cards that may be in the deck are
equally likely. Its plans are alternatives to its first choice: the best action of a kind, or the second best of all.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bdgame_env.engine.arrays import Floats, Ints
from bdgame_env.engine.jit import kernel
from bdgame_env.engine.players import NO_OPINION, CompiledPlayers
from bdgame_env.engine.struct import Struct, part, unsaved
from bdgame_env.games.gizmos import actions as act
from bdgame_env.games.gizmos import state as st
from bdgame_env.games.gizmos.building import (
    least_price,
    missing_energy,
    payable,
)
from bdgame_env.games.gizmos.cards import (
    CARDS_OF_A_LEVEL,
    COLOR,
    FREE_BUILD,
    LEVEL,
    NUM_CARDS,
    NUM_COLORS,
    NUM_STARTING,
    PICK,
    POINTS,
    RING_SCORER,
)
from bdgame_env.games.gizmos.ending import score
from bdgame_env.games.gizmos.marbles import count, unused_converters
from bdgame_env.games.gizmos.market import may_file
from bdgame_env.games.gizmos.payment import count_of, packed, pays, total_of
from bdgame_env.games.gizmos.state import Config, State

from .evaluation import FEATURES, evaluate
from .worth import (
    FILE_EVENT,
    FIRST_PICK,
    WEIGHTS,
    View,
    built_gain,
    built_marbles,
    look_at,
    marbles_for,
    outlook,
    ring_after,
    worth,
)


class Scratch(Struct):
    """Work space."""

    sight: View = part(View)
    features: Floats = unsaved(np.float64, FEATURES)
    values: Floats = unsaved(np.float64, act.NUM_ACTIONS)  # what each action is worth, NEVER if it is not legal
    prices: Floats = unsaved(np.float64, NUM_COLORS)  # what a marble of each color is worth
    seen: Ints = unsaved(np.int8, NUM_CARDS)  # cards that are face up


NEVER = -1e9
HEURISTIC = 1
# Plans: the second best action, the best one of a kind, the second best color to pick.
SECOND, FILE_BEST, PICK_BEST, PICK_OTHER, RESEARCH_BEST, BUILD_LEVEL = range(2, 8)
PLANS = (SECOND, FILE_BEST, PICK_BEST, PICK_OTHER, RESEARCH_BEST, *range(BUILD_LEVEL, BUILD_LEVEL + 3))


@kernel
def choose(policy: int, s: State, config: Config, mask: Ints, rng: Any, scratch: Scratch) -> int:
    """The action of the seat to decide, or NO_OPINION if a plan does not apply; `mask` holds the legal actions."""
    phase = int(s.phase)
    if policy != HEURISTIC and phase not in (st.MAIN, st.HAND):
        return NO_OPINION
    if phase in (st.MAIN, st.HAND, st.CHAIN, st.PAY):
        look_at(scratch.sight, s, config, s.seat)
    if phase in (st.MAIN, st.HAND):
        _weigh(s, config, mask, scratch)
        return _best(scratch.values) if policy == HEURISTIC else _planned(policy, s, scratch.values)
    if phase == st.CHAIN:
        return _in_chain(s, config, mask, scratch)
    if phase == st.PAY:
        return _in_pay(s, mask, scratch)
    return _first_legal(mask, act.CONVERT_TYPE if phase == st.CONVERT else act.PUT_UNDER)


@kernel
def _best(values: Floats) -> int:
    """The action with the highest value, NO_OPINION if there is none; among equals KEEP_NONE or END, else the first."""
    best, chosen = NEVER, NO_OPINION
    for action in range(act.NUM_ACTIONS):
        stops = action in (act.KEEP_NONE, act.END)
        if values[action] > best or (stops and values[action] == best and best > NEVER):
            best, chosen = values[action], action
    return chosen


@kernel
def _planned(policy: int, s: State, values: Floats) -> int:
    """The best action that a plan allows, or NO_OPINION."""
    if policy in (SECOND, PICK_OTHER):
        if policy == PICK_OTHER:
            _leave(PICK_BEST, s, values)
        best = _best(values)
        if best != NO_OPINION:
            values[best] = NEVER
    else:
        _leave(policy, s, values)
    return _best(values)


@kernel
def _leave(policy: int, s: State, values: Floats) -> None:
    """Rule out all actions that are not of a plan's kind."""
    for action in range(act.NUM_ACTIONS):
        if values[action] > NEVER and _kind_of(s, action) != policy:
            values[action] = NEVER


@kernel
def _kind_of(s: State, action: int) -> int:
    """The plan that an action belongs to, or NO_OPINION."""
    if action < act.BUILD_DISPLAY or act.FILE_HAND <= action < act.BUILD_HAND:
        return FILE_BEST
    if action < act.PICK_COLOR:
        return BUILD_LEVEL + int(LEVEL[_card_to_build(s, action)]) - 1
    if action < act.RESEARCH_LEVEL:
        return PICK_BEST
    if action < act.FILE_HAND:
        return RESEARCH_BEST
    if action < act.KEEP_NONE:
        return BUILD_LEVEL + int(LEVEL[s.hand[action - act.BUILD_HAND]]) - 1
    return NO_OPINION


@kernel
def _card_to_build(s: State, action: int) -> int:
    """The card that an action builds from display or archive."""
    if action < act.BUILD_ARCHIVED:
        return int(s.display[action - act.BUILD_DISPLAY])
    return int(s.seats[s.seat].archive[action - act.BUILD_ARCHIVED])


@kernel
def _first_legal(mask: Ints, first: int) -> int:
    """The first legal action from an id on, or the last action."""
    action = first
    while action < mask.shape[0] - 1 and not mask[action]:
        action += 1
    return action


@kernel
def _in_chain(s: State, config: Config, mask: Ints, scratch: Scratch) -> int:
    """Take points and free cards first, draw before picking while there is room for both, and research last."""
    me = s.seats[s.seat]
    if mask[act.TAKE_POINTS]:
        return act.TAKE_POINTS
    view = scratch.sight
    if s.credits[FREE_BUILD] > 0:
        best, action = outlook(view, s, me, packed(me.ring), 0.0, st.NONE, st.NONE), -1
        for a in range(act.BUILD_DISPLAY, act.PICK_COLOR):
            if mask[a]:
                value = _value_of_build(s, config, view, a, 0)
                if value > best:
                    best, action = value, a
        if action >= 0:
            return action
    room = me.ring_limit - count(me.ring)
    if mask[act.DRAW_ONE] and room > s.credits[PICK]:
        return act.DRAW_ONE
    best, action = NEVER, -1
    for color in range(NUM_COLORS):
        if mask[act.PICK_COLOR + color]:
            value = _value_of_pick(s, view, color)
            if value > best:
                best, action = value, act.PICK_COLOR + color
    if action >= 0:
        return action
    if mask[act.DRAW_ONE]:
        return act.DRAW_ONE
    _weigh(s, config, mask, scratch)
    return _best(scratch.values)


@kernel
def _weigh(s: State, config: Config, mask: Ints, scratch: Scratch) -> None:
    """Write the value of each legal action: File, Pick, Build, Research and End, or those on researched cards."""
    view, values = scratch.sight, scratch.values
    now = outlook(view, s, s.seats[s.seat], packed(s.seats[s.seat].ring), 0.0, st.NONE, st.NONE)
    values[:] = NEVER
    if s.phase == st.HAND:
        _weigh_hand(s, config, mask, scratch)
        values[act.KEEP_NONE] = now
        return
    if mask[act.END]:
        values[act.END] = now
    for place in range(st.DISPLAY):
        if mask[act.FILE_DISPLAY + place]:
            values[act.FILE_DISPLAY + place] = _value_of_file(s, view, int(s.display[place]))
    if s.phase == st.MAIN:
        for action in range(act.BUILD_DISPLAY, act.PICK_COLOR):
            if mask[action]:
                values[action] = _value_of_build(s, config, view, action, 1)
        for color in range(NUM_COLORS):
            if mask[act.PICK_COLOR + color]:
                values[act.PICK_COLOR + color] = _value_of_pick(s, view, color)
    if mask[act.RESEARCH_LEVEL] or mask[act.RESEARCH_LEVEL + 1] or mask[act.RESEARCH_LEVEL + 2]:
        _mark_seen(s, config, scratch.seen)
        for level in range(1, 4):
            action = act.RESEARCH_LEVEL + level - 1
            if mask[action]:
                values[action] = now + _value_of_research(s, config, view, scratch.seen, level)


@kernel
def _weigh_hand(s: State, config: Config, mask: Ints, scratch: Scratch) -> None:
    """Write the value of building or filing each researched card."""
    for place in range(s.hand_size):
        card = int(s.hand[place])
        if mask[act.BUILD_HAND + place]:
            scratch.values[act.BUILD_HAND + place] = _value_built(s, config, scratch.sight, card, st.FROM_HAND, 1)
        if mask[act.FILE_HAND + place]:
            scratch.values[act.FILE_HAND + place] = _value_of_file(s, scratch.sight, card)


@kernel
def _value_of_pick(s: State, view: View, color: int) -> float:
    """The value of the marble and of what picking it triggers."""
    me = s.seats[s.seat]
    ring = packed(me.ring) + (1 << 4 * color)
    event = FIRST_PICK + color
    return view.gains[event] + outlook(view, s, me, ring, view.marbles[event], st.NONE, st.NONE)


@kernel
def _value_of_file(s: State, view: View, card: int) -> float:
    """The value of keeping a display card for later, and of what filing it triggers."""
    me = s.seats[s.seat]
    value = view.gains[FILE_EVENT] + outlook(view, s, me, packed(me.ring), view.marbles[FILE_EVENT], card, card)
    return value - WEIGHTS.place * min(1.0, view.turns)


@kernel
def _value_of_build(s: State, config: Config, view: View, action: int, paid: int) -> float:
    """The value of building a card from display or archive."""
    source = st.FROM_DISPLAY if action < act.BUILD_ARCHIVED else st.FROM_ARCHIVE
    return _value_built(s, config, view, _card_to_build(s, action), source, paid)


@kernel
def _value_built(s: State, config: Config, view: View, card: int, source: int, paid: int) -> float:
    """The value of the card, of what it triggers and of what is left; and of winning, if it ends the game."""
    me = s.seats[s.seat]
    ring, types = packed(me.ring), unused_converters(s, s.seat)
    if paid:
        ring = ring_after(ring, card, marbles_for(ring, card, least_price(me, card, source), types))
    gain, marbles = built_gain(view, me, card, source), built_marbles(view, me, card, source)
    cards, level_3 = me.cards + 1, me.level_3 + int(LEVEL[card] == 3)
    if s.last_round or (cards < st.LAST_ROUND_CARDS and level_3 < st.LAST_ROUND_LEVEL_3):
        return worth(view, me, card) + gain + outlook(view, s, me, ring, marbles, card, st.NONE)
    held = min(float(me.ring_limit), total_of(ring) + marbles)
    return _value_of_end(s, config, POINTS[card] + gain + me.scorers[RING_SCORER] * (held - count(me.ring)))


@kernel
def _value_of_end(s: State, config: Config, gain: float) -> float:
    """The value of beginning the last round with this many more points: high if that wins."""
    mine = score(s.seats[s.seat]) + gain
    lead = 1000.0
    for other in range(config.players):
        if other != s.seat:
            theirs = float(score(s.seats[other]))
            if other > s.seat:
                theirs += WEIGHTS.last_turn
            lead = min(lead, mine - theirs)
    return gain + WEIGHTS.win if lead >= 0.0 else gain + WEIGHTS.loss * (lead - 1.0)


@kernel
def _mark_seen(s: State, config: Config, seen: Ints) -> None:
    """Mark the cards that are face up and so in no deck."""
    seen[:] = 0
    for place in range(st.DISPLAY):
        if s.display[place] != st.NONE:
            seen[s.display[place]] = 1
    for seat in range(config.players):
        one = s.seats[seat]
        for place in range(one.cards):
            seen[one.built[place]] = 1
        for place in range(one.archived):
            seen[one.archive[place]] = 1


@kernel
def _value_of_research(s: State, config: Config, view: View, seen: Ints, level: int) -> float:
    """The expected gain from the best of the cards looked at, where all unseen cards are equally likely."""
    me = s.seats[s.seat]
    ring, types, energies = packed(me.ring), unused_converters(s, s.seat), int(me.energies)
    files = may_file(me)
    number = 0
    first = NUM_STARTING + (level - 1) * CARDS_OF_A_LEVEL
    for card in range(first, first + CARDS_OF_A_LEVEL):
        if seen[card]:
            continue
        value, whole = 0.0, -1.0
        if payable(me, energies, card, st.FROM_HAND) or files:
            whole = worth(view, me, card)
        if payable(me, energies, card, st.FROM_HAND):
            spent = marbles_for(ring, card, least_price(me, card, st.FROM_HAND), types)
            marbles = min(built_marbles(view, me, card, st.FROM_HAND), float(me.ring_limit - total_of(ring) + spent))
            value = whole + built_gain(view, me, card, st.FROM_HAND) + view.marble * marbles
            value -= WEIGHTS.spent * spent * min(1.0, view.turns)
        if files and view.turns > 0.0:
            near = view.near[missing_energy(me, energies, card, st.FROM_ARCHIVE)]
            kept = WEIGHTS.second * near * whole + view.gains[FILE_EVENT] + view.marble * view.marbles[FILE_EVENT]
            value = max(value, kept)
        place = number
        while place > 0 and view.looked[place - 1] < value:
            view.looked[place] = view.looked[place - 1]
            place -= 1
        view.looked[place] = value
        number += 1
    drawn = min(int(me.research), number)
    mean, chance, left = 0.0, drawn / max(1, number), float(number)
    for place in range(number - drawn + 1):  # chance: that this card is looked at, and none before it
        mean += chance * max(0.0, view.looked[place])
        chance *= (left - drawn) / max(1.0, left - 1.0)
        left -= 1.0
    return mean + WEIGHTS.looking


@kernel
def _in_pay(s: State, mask: Ints, scratch: Scratch) -> int:
    """The amount of the color asked for that belongs to the cheapest payment."""
    me, payment, view, prices = s.seats[s.seat], s.payment, scratch.sight, scratch.prices
    ring, paid, asked, card = packed(me.ring), packed(payment.paid), int(payment.decided), int(payment.card)
    types, target = unused_converters(s, s.seat), int(COLOR[payment.card])
    least, most = int(payment.least), int(payment.most)
    now = outlook(view, s, me, ring, 0.0, card, st.NONE)
    limits = 0
    for color in range(NUM_COLORS):
        prices[color] = 0.0
        if color >= asked and count_of(ring, color) > 0:
            limits |= count_of(ring, color) << 4 * color
            prices[color] = 0.01 + max(0.0, now - outlook(view, s, me, ring - (1 << 4 * color), 0.0, card, st.NONE))
    best, amount = 1e9, -1
    left = most - total_of(paid)
    for red in range(min(left, count_of(limits, 0)) + 1):
        for blue in range(min(left - red, count_of(limits, 1)) + 1):
            for black in range(min(left - red - blue, count_of(limits, 2)) + 1):
                for yellow in range(min(left - red - blue - black, count_of(limits, 3)) + 1):
                    cost = prices[0] * red + prices[1] * blue + prices[2] * black + prices[3] * yellow
                    if cost < best:
                        more = red | blue << 4 | black << 8 | yellow << 12
                        if pays(paid + more, target, types, least, most):
                            best, amount = cost, count_of(more, asked)
    if amount < 0 or not mask[act.PAY_AMOUNT + amount]:
        return _first_legal(mask, act.PAY_AMOUNT)
    return act.PAY_AMOUNT + amount


PLAYERS = CompiledPlayers(
    module=__name__,
    names=("heuristic",),
    choose=choose,
    scratch=Scratch.dtype,
    plans=PLANS,
    evaluate=evaluate,
    horizon=10,
)
