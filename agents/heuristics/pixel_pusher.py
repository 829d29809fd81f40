"""Pixel Pusher, the heuristic player: drafts and builds for the conveyor and the images that lie there, mixes for the
best line that it can reach, and keeps what the next lines ask for.

It looks at what its seat can see only: in Draft at its hand, in Convert and Store at the boards as they were.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bdgame_env.core.jit import rule
from bdgame_env.core.learner import CompiledPlayers
from bdgame_env.core.records import record
from bdgame_env.games.pixel_pusher import actions as act
from bdgame_env.games.pixel_pusher.cards import LINES, NUM_COLORS
from bdgame_env.games.pixel_pusher.state import (
    BUILDING,
    CONVERTING,
    DRAFTING,
    MOST_HAND,
    NONE,
    PAYING,
    PLACES,
    SLOTS,
    STORAGE,
    STORING,
)

from .pixel_pusher_evaluation import FEATURES, evaluate
from .pixel_pusher_mixing import best_improvement, best_line, restore_pixels, set_apart, set_out
from .pixel_pusher_worth import (
    VIEW,
    WEIGHTS,
    follow_conveyor,
    look_at,
    most_valuable,
    points_of,
    worth_of_card,
    worth_of_discarding,
    worth_of_end,
)

SCRATCH = record([("sight", VIEW), ("features", np.float64, FEATURES)])
NEVER = -1e9
_ANOTHER = 0.01  # that much less is one pixel missed for each other of its color
_NEEDED = 100.0


@rule
def choose(policy: Any, s: Any, box: Any, mask: Any, luck: Any, scratch: Any) -> Any:
    """An action for the seat to decide; `mask` holds the legal ones."""
    view = scratch.sight
    view.weights[:] = WEIGHTS
    return decide(view, s, box, mask)


@rule
def decide(view: Any, s: Any, box: Any, mask: Any) -> Any:
    """The action, by the weights in `view`."""
    phase = int(s.phase)
    look_at(view, s, box)
    if phase == DRAFTING:
        return _in_draft(view, s, box)
    if phase == BUILDING:
        return _in_build(view, s, box, mask)
    if phase == CONVERTING:
        return _in_convert(view, s, mask)
    if phase in (STORING, PAYING):
        return _least_missed(view, s, mask)
    return _in_score(view, s, mask)


@rule
def _in_draft(view: Any, s: Any, box: Any) -> Any:
    """The card that is worth most."""
    me = s.seats[s.seat]
    follow_conveyor(view, s, box, s.seat)
    best, chosen = NEVER, 0
    for place in range(me.hand_size):
        value = worth_of_card(view, me, int(me.hand[place]))
        if value > best:
            best, chosen = value, place
    return act.DRAFT + chosen


@rule
def _in_build(view: Any, s: Any, box: Any, mask: Any) -> Any:
    """The use of a card that is worth most: an end in a slot, or a pixel for it."""
    me = s.seats[s.seat]
    follow_conveyor(view, s, box, s.seat)
    best, chosen = NEVER, NONE
    for place in range(MOST_HAND):
        if not mask[act.DISCARD + place]:
            continue
        card = int(me.drafted[place])
        value = worth_of_discarding(view)
        if value > best:
            best, chosen = value, act.DISCARD + place
        for end in range(2):
            for slot in range(SLOTS):
                action = act.INSTALL + act.INSTALLS_OF_A_CARD * place + SLOTS * end + slot
                if mask[action]:
                    value = worth_of_end(view, me, card, end, slot)
                    if value > best:
                        best, chosen = value, action
    return chosen


@rule
def _in_convert(view: Any, s: Any, mask: Any) -> Any:
    """The first recipe towards the best line; then what makes more of the rest."""
    me = s.seats[s.seat]
    set_out(view, s, me, mask)
    line = best_line(view, s, me, True)
    if view.first != NONE and mask[act.ACTIVATE + view.first]:
        return act.ACTIVATE + view.first
    room = STORAGE
    for color in range(NUM_COLORS):
        room -= int(view.need[color])
    if line == NONE:
        view.need[:] = 0
        room = STORAGE
    recipe = best_improvement(view, room)
    if recipe != NONE and mask[act.ACTIVATE + recipe]:
        return act.ACTIVATE + recipe
    return act.FINISH


@rule
def _least_missed(view: Any, s: Any, mask: Any) -> Any:
    """The pixel of least worth that the best line within reach does not need."""
    me = s.seats[s.seat]
    view.missing = 0
    if s.phase == STORING:
        best_line(view, s, me, False)
    else:
        restore_pixels(view, me)
    lowest, chosen = 0.0, NONE
    for color in range(NUM_COLORS):
        if mask[act.GIVE + color]:
            missed = view.value[color] - _ANOTHER * view.have[color]
            if view.have[color] <= view.need[color]:
                missed += _NEEDED
            if chosen == NONE or missed < lowest:
                lowest, chosen = missed, act.GIVE + color
    return chosen


@rule
def _in_score(view: Any, s: Any, mask: Any) -> Any:
    """The line of most points, less what its pixels are worth; or none."""
    me = s.seats[s.seat]
    restore_pixels(view, me)
    best, chosen = most_valuable(view, STORAGE), act.PASS
    for place in range(PLACES):
        for line in range(LINES):
            action = act.FILL + LINES * place + line
            if mask[action]:
                set_apart(view, int(s.images[place]), line)
                value = float(points_of(s, place, line)) + most_valuable(view, STORAGE)
                if value > best:
                    best, chosen = value, action
    return chosen


PLAYERS = CompiledPlayers(
    module=__name__, names=("heuristic",), choose=choose, scratch=SCRATCH, plans=(), evaluate=evaluate
)
