"""Pixel Pusher: a linear evaluation of positions, from points scored and points to be expected."""

from __future__ import annotations

import numpy as np

from bdgame_env.engine.arrays import Floats
from bdgame_env.engine.jit import kernel
from bdgame_env.engine.struct import Struct, part, unsaved
from bdgame_env.games.pixel_pusher.actions import NUM_ACTIONS
from bdgame_env.games.pixel_pusher.cards import LINES, NUM_MACHINE_CONVERTERS
from bdgame_env.games.pixel_pusher.ending import WINNING_POINTS
from bdgame_env.games.pixel_pusher.state import NONE, SCORING, STORAGE, Config, State

from .mixing import best_line, restore_pixels, worth_of_line
from .worth import WEIGHTS, View, follow_conveyor, look_at, most_valuable

EVALUATION = np.array([1.0, 0.8, 0.3, 0.9, 0.1])  # points of the final lead, by feature
FEATURES = len(EVALUATION)


class Scratch(Struct):
    """Scratch space of the player."""

    sight: View = part(View)
    values: Floats = unsaved(np.float64, NUM_ACTIONS)  # by action
    features: Floats = unsaved(np.float64, FEATURES)


@kernel
def write_features(s: State, config: Config, seat: int, view: View, out: Floats) -> None:
    """Write the features of one seat's position to `out`, float64 (FEATURES,); `view` is scratch space."""
    view.weights[:] = WEIGHTS
    look_at(view, s, config)
    me = s.seats[seat]
    out[0] = float(me.points)
    view.missing = 0
    line = best_line(view, s, me, s.phase != SCORING, 0)
    out[1] = most_valuable(view, STORAGE) if line == NONE else worth_of_line(view, s, line // LINES, line % LINES)
    restore_pixels(view, me)
    out[2] = most_valuable(view, STORAGE)
    follow_conveyor(view, s, config, seat)
    out[3] = view.intake * view.rounds
    converters = 0.0
    for converter in range(NUM_MACHINE_CONVERTERS):
        converters += float(me.converters[converter])
    out[4] = converters * view.rounds


@kernel
def evaluate(s: State, config: Config, seat: int, scratch: Scratch) -> float:
    """The score a seat is expected to end with, relative to a winning score; only differences between seats matter."""
    write_features(s, config, seat, scratch.sight, scratch.features)
    total = 0.0
    for k in range(FEATURES):
        total += EVALUATION[k] * scratch.features[k]
    return float(total / WINNING_POINTS[config.players])
