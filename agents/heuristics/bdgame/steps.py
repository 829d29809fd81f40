"""Bdgame: from a plan to actions: which cubes to pay with, what to do first, what to load."""

from __future__ import annotations

from bdgame_env.engine.arrays import Ints
from bdgame_env.engine.jit import kernel
from bdgame_env.games.bdgame import actions as act
from bdgame_env.games.bdgame.cards import VALUE
from bdgame_env.games.bdgame.state import HOPPERS, QUEUE, ROW, Config, State, Workshop

from .plan import YELLOW_TO_COME, Plan, Weights, best_plan, set_targets


@kernel
def add_loaded(cubes: Ints, workshop: Workshop) -> None:
    """Add the cubes on hoppers: those already loaded are part of the plan, like those in storage."""
    for color in range(3):
        for hopper in range(HOPPERS):
            cubes[color] += workshop.loaded[hopper, color]


@kernel
def plan_to_make_room(config: Config, plan: Plan, cubes: Ints, actions: int) -> None:
    """The best plan if no order is worth waiting for, and Yellow will fill what room there is: saving for a large order
    while storage is full can take forever.
    """
    prospect = plan.weights.prospect
    plan.weights.prospect = 0.0
    plan.to_come = YELLOW_TO_COME
    best_plan(config, plan, cubes, actions, 0)
    plan.to_come = 0
    plan.weights.prospect = prospect


@kernel
def spend(weights: Weights, cubes: Ints, price: int) -> None:
    """Pay the price with the cheapest cubes."""
    credit = 0
    while credit < price:
        color = cube_to_pay(weights, cubes, price - credit)
        cubes[color] -= 1
        credit += VALUE[color]


@kernel
def cube_to_pay(weights: Weights, cubes: Ints, due: int) -> int:
    """The first cube of the cheapest way to pay what is due, given that there is no change (B24)."""
    best = 1e9
    color = 0 if cubes[0] else 1 if cubes[1] else 2
    for blues in range(cubes[2] + 1):
        for reds in range(cubes[1] + 1):
            missing = due - 4 * blues - 2 * reds
            yellows = max(0, missing)
            if yellows <= cubes[0] and blues + reds + yellows > 0:
                worth = weights.cube[0] * yellows + weights.cube[1] * reds + weights.cube[2] * blues
                if worth < best:
                    best = worth
                    color = 2 if blues else 1 if reds else 0
    return color


@kernel
def plan_step(s: State, config: Config, mask: Ints, plan: Plan) -> int:
    """Collect first, then accept, then load."""
    if plan.collects > 0 and mask[act.COLLECT]:
        return act.COLLECT
    for slot in range(ROW):
        if plan.subset >> (QUEUE + slot) & 1:
            return act.ACCEPT + slot
    if plan.loads:
        return next_load(s, plan)
    return act.END


@kernel
def next_load(s: State, plan: Plan) -> int:
    """A cube that the plan wants on a hopper, or END."""
    me = s.seats[s.seat]
    set_targets(plan)
    for hopper in range(HOPPERS):
        for color in range(3):
            if plan.target[hopper, color] > me.workshop.loaded[hopper, color] and me.storage[color] > 0:
                return act.LOAD_CUBE + color * HOPPERS + hopper
    return act.END
