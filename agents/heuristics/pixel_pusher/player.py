"""Pixel Pusher's heuristic player: drafts and builds for the conveyor and the open images, mixes for the best line it
can reach, and keeps what the next lines ask for.

It uses only what its seat can see: in Draft its hand, in Convert and Store the boards as they were. Its plans are
alternatives to its first choice: the next best choices, another line, or another use of a card.
"""

from __future__ import annotations

from typing import Any

from bdgame_env.engine.arrays import Floats, Ints
from bdgame_env.engine.jit import kernel
from bdgame_env.engine.players import NO_OPINION, CompiledPlayers
from bdgame_env.games.pixel_pusher import actions as act
from bdgame_env.games.pixel_pusher import state as st
from bdgame_env.games.pixel_pusher.cards import LINES, NUM_COLORS
from bdgame_env.games.pixel_pusher.state import Config, Seat, State

from .evaluation import Scratch, evaluate
from .mixing import best_improvement, best_line, restore_pixels, set_apart, set_out
from .worth import (
    WEIGHTS,
    View,
    follow_conveyor,
    look_at,
    most_valuable,
    points_of,
    worth_of_card,
    worth_of_discarding,
    worth_of_end,
)

NEVER = -1e9
_ANOTHER = 0.01  # a pixel is missed this much less for each other one of its color
_NEEDED = 100.0
HEURISTIC = 1
# Plans: the second and third best card, use of a card, or line to make; the best use of a kind; no more recipes.
SECOND, THIRD, COLLECT_END, CONVERT_END, PIXEL_FOR_CARD, FINISH_NOW = range(2, 8)
PLANS = (SECOND, THIRD, COLLECT_END, CONVERT_END, PIXEL_FOR_CARD, FINISH_NOW)


@kernel
def choose(policy: int, s: State, config: Config, mask: Ints, rng: Any, scratch: Scratch) -> int:
    """The action of the seat to decide, or NO_OPINION if a plan does not apply; `mask` holds the legal actions."""
    view, values, phase = scratch.sight, scratch.values, int(s.phase)
    if policy > THIRD and phase != (st.CONVERTING if policy == FINISH_NOW else st.BUILDING):
        return NO_OPINION
    if policy == FINISH_NOW:
        return act.FINISH if mask[act.FINISH] else NO_OPINION
    view.weights[:] = WEIGHTS
    look_at(view, s, config)
    others = int(policy) - HEURISTIC if policy <= THIRD else 0
    if phase == st.CONVERTING:
        return _in_convert(view, s, mask, others)
    if phase in (st.STORING, st.PAYING):
        return _least_missed(view, s, mask, others)
    values[:] = NEVER
    if phase == st.DRAFTING:
        _weigh_draft(view, s, config, values)
    elif phase == st.BUILDING:
        _weigh_build(policy, view, s, config, mask, values)
    elif phase == st.SCORING:
        _weigh_score(view, s, mask, values)
    for _ in range(others):
        best = _best(values)
        if best != NO_OPINION:
            values[best] = NEVER
    return _best(values)


@kernel
def _best(values: Floats) -> int:
    """The action with the highest value, or NO_OPINION if there is none."""
    best, chosen = NEVER, NO_OPINION
    for action in range(act.NUM_ACTIONS):
        if values[action] > best:
            best, chosen = values[action], action
    return chosen


@kernel
def _weigh_draft(view: View, s: State, config: Config, values: Floats) -> None:
    """Write the value of each card in the hand."""
    me = s.seats[s.seat]
    follow_conveyor(view, s, config, s.seat)
    for place in range(me.hand_size):
        values[act.DRAFT + place] = worth_of_card(view, me, int(me.hand[place]))


@kernel
def _weigh_build(policy: int, view: View, s: State, config: Config, mask: Ints, values: Floats) -> None:
    """Write the value of each use of a card that the policy allows: an end in a slot, or a pixel for it."""
    me = s.seats[s.seat]
    follow_conveyor(view, s, config, s.seat)
    for place in range(st.MOST_HAND):
        if not mask[act.DISCARD + place]:
            continue
        if policy not in (COLLECT_END, CONVERT_END):
            values[act.DISCARD + place] = worth_of_discarding(view)
        for end in range(2):
            if policy == PIXEL_FOR_CARD or policy == (COLLECT_END if end == 1 else CONVERT_END):
                continue
            for slot in range(st.SLOTS):
                action = act.INSTALL + act.INSTALLS_OF_A_CARD * place + st.SLOTS * end + slot
                if mask[action]:
                    values[action] = worth_of_end(view, me, int(me.drafted[place]), end, slot)


@kernel
def _line_to_make(view: View, s: State, me: Seat, convert: bool, others: int) -> int:
    """The best line after skipping `others` better ones, or NONE; see `best_line`."""
    without = 0
    for _ in range(others):
        line = best_line(view, s, me, convert, without)
        if line != st.NONE:
            without |= 1 << line
    return best_line(view, s, me, convert, without)


@kernel
def _in_convert(view: View, s: State, mask: Ints, others: int) -> int:
    """The first recipe towards the best line (skipping `others`), then those that improve the remaining pixels."""
    me = s.seats[s.seat]
    set_out(view, s, me, mask)
    line = _line_to_make(view, s, me, True, others)
    if view.first != st.NONE and mask[act.ACTIVATE + view.first]:
        return act.ACTIVATE + view.first
    room = st.STORAGE
    for color in range(NUM_COLORS):
        room -= int(view.need[color])
    if line == st.NONE:
        view.need[:] = 0
        room = st.STORAGE
    recipe = best_improvement(view, room)
    if recipe != st.NONE and mask[act.ACTIVATE + recipe]:
        return act.ACTIVATE + recipe
    return act.FINISH


@kernel
def _least_missed(view: View, s: State, mask: Ints, others: int) -> int:
    """The least valuable pixel that the best line within reach (skipping `others`) does not need."""
    me = s.seats[s.seat]
    view.missing = 0
    if s.phase == st.STORING:
        _line_to_make(view, s, me, False, others)
    else:
        restore_pixels(view, me)
    lowest, chosen = 0.0, st.NONE
    for color in range(NUM_COLORS):
        if mask[act.GIVE + color]:
            missed = view.value[color] - _ANOTHER * view.have[color]
            if view.have[color] <= view.need[color]:
                missed += _NEEDED
            if chosen == st.NONE or missed < lowest:
                lowest, chosen = missed, act.GIVE + color
    return chosen


@kernel
def _weigh_score(view: View, s: State, mask: Ints, values: Floats) -> None:
    """Write the value of filling each line (its points, and the pixels it leaves) and of passing."""
    me = s.seats[s.seat]
    restore_pixels(view, me)
    values[act.PASS] = most_valuable(view, st.STORAGE)
    for place in range(st.PLACES):
        for line in range(LINES):
            action = act.FILL + LINES * place + line
            if mask[action]:
                set_apart(view, int(s.images[place]), line)
                values[action] = float(points_of(view, s, place, line)) + most_valuable(view, st.STORAGE)


PLAYERS = CompiledPlayers(
    module=__name__, names=("heuristic",), choose=choose, scratch=Scratch.dtype, plans=PLANS, evaluate=evaluate
)
