"""Bdgame's players. Greedy makes the most of this turn and adds a Device when that pays; thrifty uses the Devices it
has, and plays like greedy only when they are of no use. The engineer builds larger machines over several turns.

They look one turn ahead: `plan` finds the best loads and orders for what the Devices can make now, `projects` the best
Device to add with one special part, `machines` and `construction` the best with several. They neither sell nor trade.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bdgame_env.engine.arrays import Floats, Ints
from bdgame_env.engine.jit import kernel
from bdgame_env.engine.players import NO_OPINION, CompiledPlayers
from bdgame_env.engine.struct import NONE, Struct, part, unsaved
from bdgame_env.games.bdgame import actions as act
from bdgame_env.games.bdgame import state as st
from bdgame_env.games.bdgame.cards import NUM_BASIC, NUM_KINDS
from bdgame_env.games.bdgame.devices import answer_split
from bdgame_env.games.bdgame.market import orders_in_queue
from bdgame_env.games.bdgame.rules import deck_of
from bdgame_env.games.bdgame.trading import trade_id
from bdgame_env.games.bdgame.turn import cubes_held

from .construction import Site, survey
from .discarding import cube_to_return, most_wanted
from .engineer import cap_worths, construct, forget_values, machine_step, value_cubes
from .evaluation import FEATURES, evaluate
from .plan import (
    Plan,
    Weights,
    best_plan,
    cube_worth,
    find_feed,
    find_recipes,
    list_orders,
    make_ready,
    most_needed,
    set_worths_in,
)
from .projects import Project, choose_project, is_in_place, within_reach
from .rebuilding import Rebuilt, card_to_remove, next_card_to_remove, order_out_of_the_way
from .routing import Run, copy_flow, copy_workshop, run_on
from .steps import add_loaded, cube_to_pay, next_load, plan_step, plan_to_make_room, spend


class Scratch(Struct):
    """What the players remember from one decision to the next, and space to think in."""

    plan: Plan = part(Plan)
    project: Project = part(Project)
    site: Site = part(Site)
    trial: Run = part(Run)  # of the rest of an activation
    cubes: Ints = unsaved(np.int8, 3)
    rebuilt: Rebuilt = part(Rebuilt)
    features: Floats = unsaved(np.float64, FEATURES)


GREEDY, THRIFTY, ENGINEER = 1, 2, 3
# Plans are ways to spend a turn: Collect while there is room; begin with a Clear; begin by accepting the order in a
# slot; add a Device with a certain special part. They have no opinion where they do not apply.
SAVE, CLEAR_FIRST, ACCEPT_FIRST = 4, 5, 6
ADD = ACCEPT_FIRST + st.ROW
PLANS = (THRIFTY, SAVE, CLEAR_FIRST, *range(ACCEPT_FIRST, ADD + NUM_KINDS - NUM_BASIC))


@kernel
def choose(policy: int, s: st.State, config: st.Config, mask: Ints, rng: Any, scratch: Scratch) -> int:
    """The action of the seat to decide, or NO_OPINION if a plan does not apply; `mask` holds the legal actions."""
    if policy >= ADD and not within_reach(s, s.seats[s.seat], policy - ADD + NUM_BASIC):
        return NO_OPINION
    make_ready(scratch.plan, config)
    if policy == ENGINEER:
        survey(s, config, scratch.site)
        value_cubes(s, config, scratch.plan, scratch.site)
    set_worths_in(scratch.plan, s, s.seats[s.seat], config)
    if policy == ENGINEER:
        cap_worths(s, config, scratch.plan)
    find_feed(scratch.plan.weights, s.seats[s.seat], config, scratch.plan.feed)
    action = _choose(policy, s, config, mask, scratch)
    if policy == ENGINEER:
        forget_values(scratch.plan, config)
    if action >= 0 and mask[action]:
        return action
    return NO_OPINION if policy > ENGINEER else _first_legal(mask)


@kernel
def _choose(policy: int, s: st.State, config: st.Config, mask: Ints, scratch: Scratch) -> int:
    """The action by phase; -1 if any will do."""
    phase = int(s.phase)
    favored = policy - ADD + NUM_BASIC if policy >= ADD else NONE
    if phase == st.ACT:
        if SAVE <= policy < ADD:
            return _opening(policy, s, mask)
        action = _in_act(policy, favored, s, config, mask, scratch)
        if action == act.END and policy == THRIFTY:  # its Devices are of no use as they are
            action = _in_act(GREEDY, favored, s, config, mask, scratch)
        return action
    if policy == ENGINEER and (phase == st.BUY or phase == st.PLACE or phase == st.BUILD or phase == st.DISMANTLE):
        return construct(s, config, mask, scratch.plan, scratch.site)
    if phase == st.BUY:
        return _in_buy(favored, s, config, mask, scratch)
    if phase == st.PLACE:
        return _in_place(favored, s, config, mask, scratch)
    if phase == st.BUILD:
        return _in_build(favored, s, config, mask, scratch)
    if policy > ENGINEER:
        return NO_OPINION
    if phase == st.DISMANTLE:
        cell = next_card_to_remove(s.seats[s.seat].workshop, config)
        return act.END if cell == NONE else act.REMOVE + cell
    if phase == st.LOAD:
        return _in_load(s, config, mask, scratch)
    if phase == st.SPLIT:
        return _in_split(s, config, mask, scratch)
    if phase == st.HOLD:
        return act.HOLD_NONE
    if phase == st.FULFIL:
        return _in_fulfil(s, config)
    if phase == st.DISCARD:
        return cube_to_return(s, config, scratch.plan, scratch.cubes, policy == ENGINEER)
    if phase == st.ACTIVATE:
        for hopper in range(st.HOPPERS):
            if mask[act.ACTIVATE_HOPPER + hopper]:
                return act.ACTIVATE_HOPPER + hopper
    if phase == st.RESPOND:
        return trade_id(config, act.REFUSE)
    return act.END


@kernel
def _first_legal(mask: Ints) -> int:
    """The legal action with the lowest id."""
    for action in range(mask.shape[0]):
        if mask[action]:
            return action
    return 0


@kernel
def _opening(policy: int, s: st.State, mask: Ints) -> int:
    """The opening action of SAVE, CLEAR_FIRST and ACCEPT_FIRST."""
    if policy == SAVE:
        return act.COLLECT if mask[act.COLLECT] and cubes_held(s.seats[s.seat]) + 2 <= st.CUBE_LIMIT else NO_OPINION
    if s.actions_left < st.ACTIONS_PER_TURN:
        return NO_OPINION
    return act.CLEAR if policy == CLEAR_FIRST else act.ACCEPT + policy - ACCEPT_FIRST


@kernel
def _in_act(policy: int, favored: int, s: st.State, config: st.Config, mask: Ints, scratch: Scratch) -> int:
    """The first decision of the best plan, or of the best project if that is worth more."""
    me = s.seats[s.seat]
    plan, project, cubes = scratch.plan, scratch.project, scratch.cubes
    queued, actions = orders_in_queue(me.queue), int(s.actions_left)
    project.kind = NONE
    if policy != THRIFTY and policy != ENGINEER:
        choose_project(plan.weights, plan.feed, s, config, me, project, actions, favored)
    if favored != NONE:
        return _project_step(plan.weights, s, config, mask, project) if project.kind == favored else NO_OPINION
    cubes[:] = me.storage
    add_loaded(cubes, me.workshop)
    find_recipes(me, s.bank, config, plan, cubes, actions)
    list_orders(s, config, me, plan, queued, actions)
    step = -1
    if policy == ENGINEER:
        step = machine_step(s, config, mask, plan, scratch.site, cubes)
    else:
        with_project = -1.0
        if project.kind != NONE:
            cubes[:] = me.storage
            spend(plan.weights, cubes, int(project.price))
            add_loaded(cubes, me.workshop)
            best_plan(config, plan, cubes, actions - int(project.actions), s.bank[0])
            with_project = plan.value + project.value
        cubes[:] = me.storage
        add_loaded(cubes, me.workshop)
        best_plan(config, plan, cubes, actions, s.bank[0])
        if with_project > plan.value:
            step = _project_step(plan.weights, s, config, mask, project)
    if step < 0:
        step = plan_step(s, config, mask, plan)
    if step == act.END and policy != THRIFTY:
        step = _way_out(policy, s, config, mask, scratch)
    return step


@kernel
def _way_out(policy: int, s: st.State, config: st.Config, mask: Ints, scratch: Scratch) -> int:
    """What to do when a plan has nothing to do: rebuild a Device, look for other parts and orders, then make room."""
    plan, project = scratch.plan, scratch.project
    if policy != ENGINEER and project.kind == NONE and s.actions_left == st.ACTIONS_PER_TURN:
        cell = card_to_remove(plan.weights, s, config, project, scratch.rebuilt)
        if cell != NONE:
            return act.REMOVE + cell
    if project.kind == NONE and mask[act.CLEAR] and s.actions_left > 1:
        return act.CLEAR
    accept = order_out_of_the_way(s, config, plan.feed)
    if accept != NONE:
        return accept
    me = s.seats[s.seat]
    if cubes_held(me) >= st.CUBE_LIMIT - 1:
        plan_to_make_room(config, plan, scratch.cubes, int(s.actions_left))
        if plan.loads:
            return next_load(s, plan)
    wanted = most_wanted(s, config, 0) if policy == ENGINEER else max(5, most_needed(me.queue, config, 0))
    if mask[act.COLLECT] and me.storage[0] < wanted and cubes_held(me) >= st.CUBE_LIMIT - 1:
        return act.COLLECT
    return act.END


@kernel
def _in_load(s: st.State, config: st.Config, mask: Ints, scratch: Scratch) -> int:
    """Continue the best plan for all cubes, counting those on hoppers as if they were still in storage."""
    me = s.seats[s.seat]
    plan = scratch.plan
    cubes, actions = scratch.cubes, int(s.actions_left) + 1
    cubes[:] = me.storage
    add_loaded(cubes, me.workshop)
    find_recipes(me, s.bank, config, plan, cubes, actions)
    list_orders(s, config, me, plan, orders_in_queue(me.queue), actions)
    best_plan(config, plan, cubes, actions, 0)
    if not plan.loads:  # then the Load was a way out
        plan_to_make_room(config, plan, cubes, actions)
    return next_load(s, plan)


@kernel
def _project_step(weights: Weights, s: st.State, config: st.Config, mask: Ints, project: Project) -> int:
    """Clear the place, buy what is missing, then build; -1 if none of these is legal."""
    me = s.seats[s.seat]
    if project.clear_packer and mask[act.REMOVE + 1 * st.ROWS + 2]:
        return act.REMOVE + 1 * st.ROWS + 2
    if project.price > 0:
        color = cube_to_pay(weights, me.storage, int(project.price))
        return act.PAY + color if mask[act.PAY + color] else -1
    return _next_card(s, mask, project)


@kernel
def _next_card(s: st.State, mask: Ints, project: Project) -> int:
    """The first card of the project that is not in place yet and can be selected now, or -1."""
    workshop = s.seats[s.seat].workshop
    for index in range(project.num_cards):
        if not is_in_place(workshop, project, index) and mask[act.SELECT + project.cards[index]]:
            return act.SELECT + int(project.cards[index])
    return -1


@kernel
def _in_buy(favored: int, s: st.State, config: st.Config, mask: Ints, scratch: Scratch) -> int:
    """Pay for the project and buy its cards; they are built from the hand."""
    me = s.seats[s.seat]
    weights, project = scratch.plan.weights, scratch.project
    choose_project(weights, scratch.plan.feed, s, config, me, project, int(s.actions_left) + 1, favored)
    if favored != NONE and project.kind != favored:
        return NO_OPINION
    if project.kind == NONE:
        return act.END if mask[act.END] else -1
    due = int(project.price) - int(s.credit)
    if due > 0:
        payment = act.PAY + cube_to_pay(weights, me.storage, due)
        if mask[payment]:  # else the credit covers the dearest card (B52): it has to be bought first
            return payment
    for slot in range(st.ROW):
        kind = int(s.parts_row[slot])
        if kind != NONE and project.need[kind] > 0:
            return act.BUY_SLOT + slot
    for kind in range(NUM_BASIC):
        if project.need[kind] > 0:
            return act.BUY_KIND + kind
    return act.END


@kernel
def _in_build(favored: int, s: st.State, config: st.Config, mask: Ints, scratch: Scratch) -> int:
    """Put the next card of the project into play, or end."""
    me = s.seats[s.seat]
    project, actions = scratch.project, int(s.actions_left) + 1
    choose_project(scratch.plan.weights, scratch.plan.feed, s, config, me, project, actions, favored)
    if favored != NONE and project.kind != favored:
        return NO_OPINION
    step = _next_card(s, mask, project) if project.kind != NONE else -1
    return step if step >= 0 else act.END


@kernel
def _in_place(favored: int, s: st.State, config: st.Config, mask: Ints, scratch: Scratch) -> int:
    """The cell where the project wants the selected card."""
    me = s.seats[s.seat]
    project = scratch.project
    choose_project(scratch.plan.weights, scratch.plan.feed, s, config, me, project, int(s.actions_left) + 1, favored)
    if favored != NONE and project.kind != favored:
        return NO_OPINION
    if project.kind == NONE:
        return -1
    for index in range(project.num_cards):
        cell = int(project.xs[index]) * st.ROWS + int(project.ys[index])
        if project.cards[index] == s.selected and mask[act.PLACE_AT + cell]:
            if not is_in_place(me.workshop, project, index):
                return act.PLACE_AT + cell
    return -1


@kernel
def _in_split(s: st.State, config: st.Config, mask: Ints, scratch: Scratch) -> int:
    """Try every number, run the rest of the Device with the first legal answers, and value the pool."""
    best, best_value = -1, -1.0
    plan, trial = scratch.plan, scratch.trial
    workshop = trial.workshop
    for number in range(25):
        if mask[act.SPLIT_UP + number]:
            copy_workshop(workshop, s.seats[s.seat].workshop)
            copy_flow(trial.flow, s.flow)
            trial.bank[:] = s.bank
            trial.made[:] = s.made
            answer_split(trial.flow, number)
            run_on(workshop, trial.flow, trial.bank, trial.made, config)
            value = cube_worth(plan, trial.made)
            for subset in range(1 << st.QUEUE):
                value = max(
                    value,
                    cube_worth(plan, trial.made) * 0.5 + _points_of(s.seats[s.seat].queue, config, subset, trial.made),
                )
            if value > best_value:
                best, best_value = act.SPLIT_UP + number, value
    return best


@kernel
def _in_fulfil(s: st.State, config: st.Config) -> int:
    """An order of the best set that the pool covers."""
    best, best_points = act.END, -1
    me = s.seats[s.seat]
    for subset in range(1, 1 << st.QUEUE):
        points = _points_of(me.queue, config, subset, s.made)
        if points > best_points:
            best_points = points
            lowest = 0
            while not subset >> lowest & 1:
                lowest += 1
            best = act.FULFIL_ORDER + lowest
    return best


@kernel
def _points_of(queue: Ints, config: st.Config, subset: int, made: Ints) -> int:
    """The points of a set of orders in the queue, or -1 if the made cubes do not cover it."""
    points = 0
    for color in range(3):
        left = int(made[color])
        for place in range(st.QUEUE):
            if subset >> place & 1:
                if queue[place] == NONE:
                    return -1
                left -= int(config.needs[queue[place], color])
        if left < 0:
            return -1
    for place in range(st.QUEUE):
        if subset >> place & 1:
            points += int(config.points[queue[place]])
    return points


@kernel
def choose_with_deck(policy: int, s: st.State, decks: st.Decks, mask: Ints, rng: Any, scratch: Scratch) -> int:
    """`choose`, with the deck of the game."""
    return choose(policy, s, deck_of(s, decks), mask, rng, scratch)


@kernel
def evaluate_with_deck(s: st.State, decks: st.Decks, seat: int, scratch: Scratch) -> float:
    """`evaluate`, with the deck of the game."""
    return evaluate(s, deck_of(s, decks), seat, scratch)


PLAYERS = CompiledPlayers(
    module=__name__,
    names=("greedy", "thrifty", "engineer"),
    choose=choose_with_deck,
    scratch=Scratch.dtype,
    plans=PLANS,
    evaluate=evaluate_with_deck,
    strongest="engineer",
)
