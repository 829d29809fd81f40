"""Gizmos: a linear evaluation of positions, from points scored and points to be expected.

The weights are a least-squares fit of the final lead in points to the features of 120,000 positions from self-play of
the heuristic player, with two and with four seats; in half of the games, one decision in ten was random.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bdgame_env.engine.jit import kernel
from bdgame_env.games.gizmos.building import energies_of
from bdgame_env.games.gizmos.cards import DRAW, PICK
from bdgame_env.games.gizmos.ending import WINNING_POINTS, score
from bdgame_env.games.gizmos.marbles import count
from bdgame_env.games.gizmos.payment import packed
from bdgame_env.games.gizmos.state import NONE

from .worth import gain_a_turn, later, look_at

WEIGHTS = np.array(  # points of the final lead, by feature
    [1.28, -0.843, 0.8, 0.13, 0.449, 1.36, -0.466, -0.712, -0.859, 0.943, -0.0341]
)
FEATURES = len(WEIGHTS)


@kernel
def write_features(s: Any, config: Any, seat: Any, view: Any, out: Any) -> None:
    """Write the features of one seat's position to `out`, float64 (FEATURES,); `view` is scratch space."""
    look_at(view, s, config, seat)
    me = s.seats[seat]
    out[:] = 0.0
    out[0] = score(me)
    for place in range(me.cards):
        gain = gain_a_turn(view, me, int(me.built[place]))
        out[1] += gain
        out[2] += gain * view.turns
    marbles = float(count(me.ring))
    if s.seat == seat:
        marbles += s.credits[DRAW] + s.credits[PICK]
    out[3] = min(marbles, float(me.ring_limit)) * view.turns / (view.turns + 1.0)
    out[4] = min(marbles, float(me.ring_limit))
    if view.turns > 0.0:
        out[5] = later(view, s, me, energies_of(packed(me.ring), int(me.converters)), NONE, NONE)
    out[6] = me.cards
    out[7] = me.level_3
    out[8] = me.archived
    out[9] = 1.0 if s.seat == seat else 0.0
    out[10] = out[9] * view.turns


@kernel
def evaluate(s: Any, config: Any, seat: Any, scratch: Any) -> Any:
    """The score a seat is expected to end with, relative to a winning score; only differences between seats matter."""
    write_features(s, config, seat, scratch.sight, scratch.features)
    total = 0.0
    for k in range(FEATURES):
        total += WEIGHTS[k] * scratch.features[k]
    return total / WINNING_POINTS
