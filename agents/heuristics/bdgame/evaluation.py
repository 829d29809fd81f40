"""Bdgame: a linear evaluation of positions, from points scored and points to be expected.

The weights are a least-squares fit of the final lead in points to the features of 75,000 positions from self-play of
the greedy player; in half of the games, one decision in ten was random.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bdgame_env.engine.arrays import Floats
from bdgame_env.engine.jit import kernel
from bdgame_env.games.bdgame.cards import NUM_BASIC
from bdgame_env.games.bdgame.state import COLUMNS, NONE, QUEUE, ROWS, WINNING_POINTS, Config, State

from .plan import Plan, cubes_of, find_feed, make_ready, prospect
from .projects import worth_of_part

if TYPE_CHECKING:
    from .player import Scratch

WEIGHTS = np.array(  # points of the final lead, by feature
    [1.147, -0.116, -0.01, -0.183, -0.352, 0.0761, 1.524, -0.0763, 0.29, 0.365, -0.353, 0.27, 0.464, 0.294, 0.122, 0.23]
)
FEATURES = len(WEIGHTS)


@kernel
def write_features(s: State, config: Config, seat: int, plan: Plan, out: Floats) -> None:
    """Write the features of one seat's position to `out`, float64 (FEATURES,). `plan.weights` must be set."""
    me = s.seats[seat]
    weights, feed = plan.weights, plan.feed
    find_feed(weights, me, config, feed)
    most = 0
    for other in range(config.players):
        most = max(most, int(s.seats[other].points))
    turns = max(0.5, (WINNING_POINTS - most) / weights.points_a_turn)
    out[:] = 0.0
    out[0] = me.points
    for color in range(3):
        cubes = cubes_of(me, color)
        if s.seat == seat:
            cubes += int(s.made[color])
        out[1 + color] = cubes
    for x in range(COLUMNS):
        for y in range(ROWS):
            kind = int(me.workshop.kinds[x, y])
            if kind >= NUM_BASIC:
                gain = worth_of_part(weights, feed, config, kind)
                out[4] += gain
                out[5] += gain * turns
                out[6] += 1.0
                out[7] += turns
    for color in range(1, 3):
        out[7 + color] = min(feed[color], 4.0) * turns
    for place in range(QUEUE):
        order = int(me.queue[place])
        if order != NONE:
            out[10] += 1.0
            out[11] += config.points[order]
            out[12] += prospect(weights, feed, config.needs[order], config.points[order], out[1:4])
    for kind in range(NUM_BASIC, len(me.hand)):
        out[13] += me.hand[kind]
    if s.seat == seat:
        out[14] = 1.0 + int(s.actions_left)
        out[15] = turns


@kernel
def evaluate(s: State, config: Config, seat: int, scratch: Scratch) -> float:
    """The score a seat is expected to end with, relative to a winning score; only differences between seats matter."""
    make_ready(scratch.plan, config)
    write_features(s, config, seat, scratch.plan, scratch.features)
    total = 0.0
    for k in range(FEATURES):
        total += WEIGHTS[k] * scratch.features[k]
    return total / WINNING_POINTS
