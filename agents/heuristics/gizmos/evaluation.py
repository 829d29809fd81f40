"""Gizmos: a linear evaluation of positions, from points scored and points to be expected.

The weights are a least-squares fit of the final lead in points to the features of 120,000 positions from self-play of
the heuristic player, with two and with four seats; in half of the games, one decision in ten was random.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bdgame_env.engine.arrays import Floats
from bdgame_env.engine.jit import kernel
from bdgame_env.games.gizmos.cards import DRAW, PICK
from bdgame_env.games.gizmos.ending import WINNING_POINTS, score
from bdgame_env.games.gizmos.marbles import count
from bdgame_env.games.gizmos.payment import energies_of, packed
from bdgame_env.games.gizmos.state import NONE, Config, State

from .worth import View, gain_a_turn, later, look_at

if TYPE_CHECKING:
    from .player import Scratch

(
    SCORE,  # points scored so far
    GAINS,  # of the built cards in one turn
    GAINS_LEFT,  # in all turns left
    MARBLES_LEFT,  # marbles that fit into the ring, nearly all of them if many turns are left
    MARBLES,  # marbles that fit into the ring
    LATER,  # worth of the cards to build later
    CARDS,  # built
    LEVEL_3,  # of level 3
    ARCHIVED,
    ON_TURN,  # 1 for the seat on turn
    TURNS_ON_TURN,  # turns left, for the seat on turn
) = range(11)
FEATURES = 11
WEIGHTS = np.zeros(FEATURES)  # points of the final lead, by feature
WEIGHTS[SCORE], WEIGHTS[GAINS], WEIGHTS[GAINS_LEFT] = 1.28, -0.843, 0.8
WEIGHTS[MARBLES_LEFT], WEIGHTS[MARBLES], WEIGHTS[LATER] = 0.13, 0.449, 1.36
WEIGHTS[CARDS], WEIGHTS[LEVEL_3], WEIGHTS[ARCHIVED] = -0.466, -0.712, -0.859
WEIGHTS[ON_TURN], WEIGHTS[TURNS_ON_TURN] = 0.943, -0.0341


@kernel
def write_features(s: State, config: Config, seat: int, view: View, out: Floats) -> None:
    """Write the features of one seat's position to `out`, float64 (FEATURES,); `view` is scratch space."""
    look_at(view, s, config, seat)
    me = s.seats[seat]
    out[:] = 0.0
    out[SCORE] = score(me)
    for place in range(me.cards):
        gain = gain_a_turn(view, me, int(me.built[place]))
        out[GAINS] += gain
        out[GAINS_LEFT] += gain * view.turns
    marbles = float(count(me.ring))
    if s.seat == seat:
        marbles += s.credits[DRAW] + s.credits[PICK]
    out[MARBLES_LEFT] = min(marbles, float(me.ring_limit)) * view.turns / (view.turns + 1.0)
    out[MARBLES] = min(marbles, float(me.ring_limit))
    if view.turns > 0.0:
        out[LATER] = later(view, s, me, energies_of(packed(me.ring), int(me.converters)), NONE, NONE)
    out[CARDS] = me.cards
    out[LEVEL_3] = me.level_3
    out[ARCHIVED] = me.archived
    out[ON_TURN] = 1.0 if s.seat == seat else 0.0
    out[TURNS_ON_TURN] = out[ON_TURN] * view.turns


@kernel
def evaluate(s: State, config: Config, seat: int, scratch: Scratch) -> float:
    """The score a seat is expected to end with, relative to a winning score; only differences between seats matter."""
    write_features(s, config, seat, scratch.sight, scratch.features)
    total = 0.0
    for k in range(FEATURES):
        total += WEIGHTS[k] * scratch.features[k]
    return total / WINNING_POINTS
