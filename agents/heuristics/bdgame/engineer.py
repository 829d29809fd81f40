"""Bdgame: the engineer's decisions. It builds the machine that promises most, over several turns where it must."""

from __future__ import annotations

from bdgame_env.engine.arrays import Ints
from bdgame_env.engine.jit import kernel
from bdgame_env.engine.struct import NONE
from bdgame_env.games.bdgame import actions as act
from bdgame_env.games.bdgame.market import row_has_card, storage_value
from bdgame_env.games.bdgame.state import BUILD, BUY, CUBE_LIMIT, PLACE, Config, State
from bdgame_env.games.bdgame.turn import cubes_held

from .construction import (
    Site,
    card_to_buy,
    card_to_lay,
    card_to_lift,
    choose_machine,
    place_of_selected,
)
from .discarding import most_wanted, useful
from .plan import Plan, Weights, best_plan, set_weights
from .steps import add_loaded, cube_to_pay, spend

_OF_LAST_ORDERS = 0.25  # fraction of a cube's worth that is left when only accepted orders are


@kernel
def value_cubes(s: State, config: Config, plan: Plan, site: Site) -> None:
    """Let cubes be worth what is left to do with them, after `survey`: more if Devices turn them into better ones,
    little if no order is left to accept, nothing in the last turn.

    With full storage, cubes that no order in sight needs are in the way.

    Writes plan.weights, which `forget_values` sets back.
    """
    weights, me = plan.weights, s.seats[s.seat]
    if row_has_card(s.orders_row):
        _add_fuel(weights, site)
    else:
        weights.cube[:] *= _OF_LAST_ORDERS
    for color in range(3):
        if cubes_held(me) >= CUBE_LIMIT - 1 and most_wanted(s, config, color) == 0:
            weights.cube[color] *= weights.unwanted
    if s.last_round:
        weights.cube[:] = 0.01
        weights.prospect = 0.0
    plan.narrowed = 1


@kernel
def cap_worths(s: State, config: Config, plan: Plan) -> None:
    """With full storage, let cubes beyond what orders in sight can use add nothing, after `set_worths_in`.

    Else a Device is run over and over for cubes that are then returned (B44).
    """
    if cubes_held(s.seats[s.seat]) < CUBE_LIMIT - 1:
        return
    for color in range(3):
        for count in range(useful(s, config, color) + 1, CUBE_LIMIT + 1):
            plan.worth[color, count] = plan.worth[color, count - 1]


@kernel
def _add_fuel(weights: Weights, site: Site) -> None:
    """Add to the worth of cubes a fraction of what Devices make of them."""
    economy = site.economy
    for color in range(3):
        for d in range(economy.num_devices):
            if economy.uses[d, color] > 0.0:
                made = 0.0
                for other in range(3):
                    made += weights.cube[other] * economy.adds[d, other]
                if made > 0.0:
                    weights.cube[color] += site.judgment.fuel * made / economy.uses[d, color]


@kernel
def forget_values(plan: Plan, config: Config) -> None:
    """Undo `value_cubes`: the next decision may be another player's."""
    set_weights(plan.weights, config)
    plan.narrowed = 1


@kernel
def construct(s: State, config: Config, mask: Ints, plan: Plan, site: Site) -> int:
    """The next decision of an open Buy, Build or Dismantle; -1 if any will do."""
    me, step, found = s.seats[s.seat], NONE, choose_machine(s, config, site)
    if found and s.phase == BUY:
        due = int(site.price) - int(s.credit)
        if due > 0:
            step = act.PAY + cube_to_pay(plan.weights, me.storage, due)
        if step == NONE or not mask[step]:
            step = card_to_buy(s, mask, site)
    elif found and s.phase == PLACE:
        return place_of_selected(s, mask, site)
    elif found and s.phase == BUILD:
        step = card_to_lay(s, mask, site)
    elif found:
        cell = card_to_lift(me.workshop, config, site)
        step = NONE if cell == NONE else act.REMOVE + cell
    if step == NONE and s.phase == BUY and not mask[act.END]:
        return _any_card(mask)
    return step if step != NONE else act.END


@kernel
def _any_card(mask: Ints) -> int:
    """A card to buy where one has to be bought."""
    for action in range(act.BUY_SLOT, act.SELECT):
        if mask[action]:
            return action
    return -1


@kernel
def machine_step(s: State, config: Config, mask: Ints, plan: Plan, site: Site, cubes: Ints) -> int:
    """What to do for a machine, after `find_recipes` and `list_orders`; -1 if the plan alone is worth more.

    In that case the plan is the best one of this turn.
    """
    actions, judgment = int(s.actions_left), site.judgment
    with_machine = -1.0
    if not s.last_round and choose_machine(s, config, site):
        now = min(actions, int(site.actions))
        _plan_turn(s, config, plan, cubes, int(site.price), actions - now)
        # This plan lacks the price and the actions of this turn: do not count them twice.
        with_machine = plan.value + site.value + judgment.credit * site.price + judgment.action * now
    _plan_turn(s, config, plan, cubes, 0, actions)
    return _first_step(s, config, mask, plan, site) if with_machine > plan.value else -1


@kernel
def _plan_turn(s: State, config: Config, plan: Plan, cubes: Ints, price: int, actions: int) -> None:
    """Find the best plan with what is left after paying a price."""
    me = s.seats[s.seat]
    cubes[:] = me.storage
    spend(plan.weights, cubes, min(price, storage_value(cubes)))
    add_loaded(cubes, me.workshop)
    best_plan(config, plan, cubes, actions, s.bank[0])


@kernel
def _first_step(s: State, config: Config, mask: Ints, plan: Plan, site: Site) -> int:
    """The action that goes on with the machine: collect for it, buy, take apart, then build; -1 if it has to wait."""
    me = s.seats[s.seat]
    if site.price > 0:
        if site.price > storage_value(me.storage):
            return act.COLLECT if mask[act.COLLECT] else -1
        action = act.PAY + cube_to_pay(plan.weights, me.storage, int(site.price))
        return action if mask[action] else -1
    if site.removes > 0:
        return act.REMOVE + card_to_lift(me.workshop, config, site)
    return card_to_lay(s, mask, site)
