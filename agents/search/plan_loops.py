"""Comparing plans for a turn by playouts: a template, of which `planner` makes a copy for each game.

Rollout over several base policies, also known as policy switching (Bertsekas, Tsitsiklis and Wu 1997; Chang, Givan and
Chong 2004): every arm is an action and a policy for the rest of the turn, after which everybody plays the default
policy. All arms get the same determinizations, and the worse half is dropped after each stage (sequential halving:
Karnin, Koren and Somekh 2013). The default arm is kept unless another was better by `z_score` standard errors.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from bdgame_env.engine.jit import entry_point, lean_kernel
from bdgame_env.engine.players import NO_OPINION
from bdgame_env.engine.rng import nth

from .search_records import Comparison

if TYPE_CHECKING:
    from bdgame_env.engine import match_loops as loops
    from bdgame_env.engine.arrays import Floats, Floats2, Ints, Rows
    from bdgame_env.engine.seam import rules
    from bdgame_env.engine.struct import GameState, Settings

    from . import playout_loops as playouts
    from .guides import guide
    from .search_records import Arm, Own


@entry_point
def decide_games(
    games: Rows[GameState],
    configs: Rows[Settings],
    settings: Rows[Any],
    owns: Rows[Own],
    sims: Ints,
    actions: Ints,
    values: Floats,
    gains: Floats2,
    played: Ints,
    arms: Rows[Arm],
    space: Any,
    trials: Rows[GameState],
    mask: Ints,
    lo: int,
    hi: int,
) -> None:
    """Decide in the positions lo..hi-1.

    `sims` int64 (n,) are the playouts that the comparison may take, 0 for what `settings` says; `played` int64 (n,)
    gets how many it took.

    Writes `actions` int32 (n,), their mean outcomes `values` float32 (n,), and `gains` float32 (n, actions): how much
    the best arm that begins with an action beats the default arm, -inf for actions not tried. A gain is shrunk as if
    `settings.deals` more determinizations had shown none, so that a few lucky ones count for little.

    `owns` are OWN records (n,); the rest is work space, see `Comparison`.
    """
    for i in range(lo, hi):
        case = Comparison(games[i], configs[0], settings[0], owns[i], arms, space, trials, mask)
        played[i], values[i] = 0, 0.0
        gains[i, :] = -np.inf
        actions[i] = decide(case, sims[i], values, gains[i], i, played)


@lean_kernel
def decide(case: Comparison, sims: int, values: Floats, gains: Floats, i: int, played: Ints) -> int:
    """The action of the best arm in one position; `values[i]` gets its mean outcome, if there is more than one arm."""
    root, own, settings, arms, trials = case.root, case.own, case.settings, case.arms, case.trials
    guide.begin(case.space)
    trials[0] = root  # plans must not see what is hidden
    loops.determinize(trials[0], case.config, nth(own.deals, np.uint64(0)), int(root.seat))
    count = list_arms(case)
    if count == 1:
        gains[arms[0].action] = 0.0
        return arms[0].action
    deals, most_deals = int(settings.deals), int(settings.most_deals)
    if sims > 0:
        deals, most_deals = deals_for(sims, count), sims
    alive, first = count, 0
    while True:
        for deal in range(first, first + deals):
            base = 0.0
            for k in range(count):
                if settings.stop != 0:
                    return arms[0].action
                if arms[k].alive != 0:
                    value = roll_out(case, arms[k], deal)
                    if k == 0:
                        base = value
                    arms[k].deals += 1
                    arms[k].total += value
                    arms[k].gain += value - base
                    arms[k].squares += (value - base) * (value - base)
        first += deals
        played[i] += alive * deals
        if alive <= 2 or first >= most_deals:
            break
        alive = drop_worse_half(arms, count, alive)
        deals = first
    best = best_arm(arms, count, first, settings.z_score)
    values[i] = arms[best].total / first
    for k in range(count):
        gain = arms[k].gain / (arms[k].deals + settings.deals)
        gains[arms[k].action] = max(gain, gains[arms[k].action])
    return arms[best].action


@lean_kernel
def deals_for(sims: int, count: int) -> int:
    """Determinizations of the first stage, so that about `sims` playouts compare `count` arms.

    The first stage plays every arm in each of them; each further stage has half the arms, and as many deals as all
    stages before it.
    """
    halves = 0.0
    left = count
    while left > 2:
        left = (left + 1) // 2
        halves += 0.5
    return max(1, int(sims / (count * (1.0 + halves))))


@lean_kernel
def list_arms(case: Comparison) -> int:
    """Write the arms: the default policy, then plans that begin differently, then every other legal action.

    Returns their number, 1 if only one action is legal.
    """
    s, config, own, settings, arms = case.trials[0], case.config, case.own, case.settings, case.arms
    space, mask = case.space, case.mask
    legals = playouts.list_legal(s, config, mask)
    base = guide.advice(settings.player, s, config, mask, own, space)
    add_arm(arms, 0, base, settings.player)
    if legals == 1:
        return 1
    arm = 1
    for k in range(space.plans.shape[0]):
        action = guide.advice(space.plans[k], s, config, mask, own, space)
        if action != NO_OPINION and action != base and arm < arms.shape[0]:
            add_arm(arms, arm, action, space.plans[k])
            arm += 1
    if settings.deviate != 0:
        guide.narrow(s, config, mask, settings, space)
        for action in range(mask.shape[0]):
            if mask[action] != 0 and action != base and arm < arms.shape[0]:
                add_arm(arms, arm, action, settings.player)
                arm += 1
    return arm


@lean_kernel
def add_arm(arms: Rows[Arm], k: int, action: int, policy: int) -> None:
    """Reset arm `k` to an action and a policy."""
    arms[k].action = action
    arms[k].policy = policy
    arms[k].alive = 1
    arms[k].deals = 0
    arms[k].total = 0.0
    arms[k].gain = 0.0
    arms[k].squares = 0.0


@lean_kernel
def roll_out(case: Comparison, arm: Arm, deal: int) -> float:
    """The outcome of an arm for the seat to decide, in determinization number `deal`."""
    config, own, settings, space, mask = case.config, case.own, case.settings, case.space, case.mask
    case.trials[0] = case.root
    s = case.trials[0]
    seat = int(case.root.seat)
    loops.determinize(s, config, nth(own.deals, np.uint64(deal)), seat)
    rules.apply(s, config, arm.action)
    if s.seat == seat:
        playouts.finish_turn(s, config, own, int(arm.policy), settings, space, mask)
    playouts.playout(s, config, own, settings, space, mask)
    guide.outcome(s, config, settings, own, space)
    return float(own.outcome[seat])


@lean_kernel
def drop_worse_half(arms: Rows[Arm], count: int, alive: int) -> int:
    """Drop the worse half of the arms but never the default arm; returns how many are left."""
    keep = (alive + 1) // 2
    while alive > keep:
        worst = -1
        for k in range(1, count):
            if arms[k].alive != 0 and (worst < 0 or arms[k].gain < arms[worst].gain):
                worst = k
        arms[worst].alive = 0
        alive -= 1
    return alive


@lean_kernel
def best_arm(arms: Rows[Arm], count: int, deals: int, z_score: float) -> int:
    """The arm with the greatest mean gain over the default arm, less `z_score` standard errors."""
    best, best_gain = 0, 0.0
    for k in range(1, count):
        if arms[k].alive != 0:
            mean = arms[k].gain / deals
            variance = max(0.0, arms[k].squares / deals - mean * mean)
            gain = mean - z_score * math.sqrt(variance / max(1, deals - 1))
            if gain > best_gain:
                best, best_gain = k, gain
    return best
