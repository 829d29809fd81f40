"""The records that loops share with their callers: settings of play, and a learner's rows."""

from __future__ import annotations

import numpy as np

from .arrays import Ints
from .game import MAX_SEATS
from .struct import Struct, plain

POOL = 64  # most opponents of a learner to draw from


class PlaySettings(Struct):
    """How decisions are paid, and when a game is cut.

    Attributes:
        shaping: size of the potential. gamma: its discount. scheme: see `rewards`.
        decisions_left: of a single match, before it is truncated. action: to be played in it.
        watching: of a batch, 1 if observations and masks are wanted.
    """

    shaping: float = plain(np.float64)
    gamma: float = plain(np.float64)
    decisions_left: int = plain(np.int64)
    action: int = plain(np.int32)
    scheme: int = plain(np.int32)
    watching: int = plain(np.int32)


class Row(Struct):
    """One game of a learner among opponents.

    Attributes:
        rng: the row's generator for line-ups and compiled opponents, never for the game itself.
        copies: the seed of the last determinized copy for an opponent in Python.
        game_seed: the seed of the game.
        reward: of the learner's last decision. potential: for shaping, at that decision.
        steps: the learner's decisions so far.
        status: who is to decide, as in line-ups, or OVER. lineup: who plays each seat. seat: the learner's.
        done: RUNNING, TERMINATED or TRUNCATED.
        fresh: 1 if `game_seed` has been set by a seed and not been used.
        forfeited: 1 if the learner has lost the game by an action that is not legal.
        final_steps, length, points, ranks, final_lineup, final_seat, illegal: of the game that ended last the learner's
            decisions, those of all seats, points and ranks, line-up and learner's seat, and 1 if it was forfeited.
    """

    rng: int = plain(np.uint64)
    copies: int = plain(np.uint64)
    game_seed: int = plain(np.uint64)
    reward: float = plain(np.float32)
    potential: float = plain(np.float32)
    steps: int = plain(np.int32)
    final_steps: int = plain(np.int32)
    length: int = plain(np.int32)
    points: Ints = plain(np.int32, MAX_SEATS)
    ranks: Ints = plain(np.int32, MAX_SEATS)
    lineup: Ints = plain(np.int16, MAX_SEATS)
    final_lineup: Ints = plain(np.int16, MAX_SEATS)
    status: int = plain(np.int16)
    final_seat: int = plain(np.int8)
    seat: int = plain(np.int8)
    done: int = plain(np.int8)
    fresh: int = plain(np.int8)
    forfeited: int = plain(np.int8)
    illegal: int = plain(np.int8)


class LearnerSettings(Struct):
    """What a learner plays for, and against whom.

    Attributes:
        shaping, gamma, scheme: as in `PlaySettings`.
        seat: the learner's, or ANYWHERE for a random one in each game.
        autoreset: STAYS, SAME_STEP or NEXT_STEP.
        tickets: the sum of `pool_tickets`.
        pool_size, pool_tickets, pool_policy: how many opponents there are, how often each is drawn, and who it is.
    """

    shaping: float = plain(np.float64)
    gamma: float = plain(np.float64)
    scheme: int = plain(np.int32)
    seat: int = plain(np.int32)
    tickets: int = plain(np.int32)
    autoreset: int = plain(np.int32)
    pool_size: int = plain(np.int32)
    pool_tickets: Ints = plain(np.int32, POOL)
    pool_policy: Ints = plain(np.int16, POOL)
