"""Bdgame: which cube to return to the bank when storage has too many (B44)."""

from __future__ import annotations

from bdgame_env.engine.arrays import Ints
from bdgame_env.engine.jit import kernel
from bdgame_env.engine.struct import NONE
from bdgame_env.games.bdgame import actions as act
from bdgame_env.games.bdgame.cards import NUM_BASIC
from bdgame_env.games.bdgame.state import COLUMNS, CUBE_LIMIT, OPEN_COLLECT, ROWS, Config, Seat, State, Workshop

from .plan import Plan, accepts_no_more, choose_wanted, most_needed, prospect


@kernel
def most_wanted(s: State, config: Config, color: int) -> int:
    """The most cubes of a color that one order of the mover's queue or of the row needs."""
    return max(most_needed(s.seats[s.seat].queue, config, color), most_needed(s.orders_row, config, color))


@kernel
def useful(s: State, config: Config, color: int) -> int:
    """How many cubes of a color count when some have to be returned: for two orders, and three at least."""
    return max(3, 2 * most_wanted(s, config, color))


@kernel
def _cube_in_the_way(plan: Plan, me: Seat, config: Config) -> int:
    """The Discard of a cube that is not kept for accepted orders, if possible of a color that no part in play takes
    either, else of the most plentiful, or NONE.
    """
    best, most = NONE, 0
    choose_wanted(plan, me, config)
    for color in range(3):
        unneeded = int(me.storage[color]) - int(plan.wanted[color])
        if unneeded > 0 and not _is_taken(me.workshop, config, color):
            unneeded += CUBE_LIMIT
        if unneeded > most:
            best, most = act.DISCARD_CUBE + color, unneeded
    return best


@kernel
def _is_taken(workshop: Workshop, config: Config, color: int) -> bool:
    """Whether a special part in play takes cubes of a color."""
    for x in range(COLUMNS):
        for y in range(ROWS):
            kind = workshop.kinds[x, y]
            if kind >= NUM_BASIC and config.takes[kind, :, color].any():
                return True
    return False


@kernel
def cube_to_return(s: State, config: Config, plan: Plan, cubes: Ints, keeps_collected: bool) -> int:
    """B44: the cube in storage without which the others are worth most, with what orders in sight make of them.

    With `keeps_collected` it is Yellow after a Collect only if nothing else is there: else the Collect was for nothing.
    """
    me, best, most = s.seats[s.seat], -1, -1.0
    if accepts_no_more(s, me):
        unneeded = _cube_in_the_way(plan, me, config)
        if unneeded != NONE:
            return unneeded
    first = 1 if keeps_collected and s.opened == OPEN_COLLECT and me.storage[1] + me.storage[2] > 0 else 0
    for color in range(first, 3):
        if me.storage[color] == 0:
            continue
        cubes[:] = me.storage
        cubes[color] -= 1
        value, most_of_row = 0.0, 0.0
        for each in range(3):
            value += plan.worth[each, min(int(cubes[each]), useful(s, config, each), CUBE_LIMIT)]
        for order in me.queue:
            if order != NONE:
                value += prospect(plan.weights, plan.feed, config.needs[order], config.points[order], cubes)
        for order in s.orders_row:
            if order != NONE:
                gain = prospect(plan.weights, plan.feed, config.needs[order], config.points[order], cubes)
                most_of_row = max(most_of_row, gain)
        if value + most_of_row > most:
            best, most = act.DISCARD_CUBE + color, value + most_of_row
    return best
