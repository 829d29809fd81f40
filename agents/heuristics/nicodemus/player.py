"""Nicodemus's heuristic player: tries every action on a copy of the game and evaluates the position after the turn.

It ignores what it cannot see: the machines and tiles that a trial draws, and the machine that it steals. A trial plays
the rest of the turn: each further decision is chosen by its result when the decisions after it are taken by default.
Its plans are alternatives to its first choice: the best action of a kind, or the next best ones.
"""

from __future__ import annotations

import numpy as np

from bdgame_env.engine.arrays import Floats, Ints, Ints2, Rows
from bdgame_env.engine.jit import kernel
from bdgame_env.engine.players import NO_OPINION, CompiledPlayers
from bdgame_env.engine.struct import GameState, Struct, part, unsaved
from bdgame_env.games.nicodemus import actions as act
from bdgame_env.games.nicodemus.cards import NUM_KINDS
from bdgame_env.games.nicodemus.ending import ranks
from bdgame_env.games.nicodemus.legal_and_apply import apply, legal
from bdgame_env.games.nicodemus.state import HAND_SIZE, KEEP, NUM_SEATS, OVER, PICK, PROJECTS, TURN, Config, State

from .evaluation import View, evaluate, weighed, write_features


class Scratch(Struct):
    """Work space for one choice."""

    sight: View = part(View)
    values: Floats = unsaved(np.float64, act.NUM_ACTIONS)  # the value of each action, NEVER for those ruled out
    trials: Rows[State] = part(State, 2)  # the rest of a turn, and one decision of it
    masks: Ints2 = unsaved(np.int8, (2, act.NUM_ACTIONS))
    ranks: Ints = unsaved(np.int8, NUM_SEATS)
    nobodys: Ints = unsaved(np.int8, NUM_KINDS)  # a hand with no known machine
    known: Ints = unsaved(np.int8, NUM_KINDS)  # the known part of the player's hand after a trial


W_OFFER = 1.0
_WON = 1000.0


NEVER = -1e9
HEURISTIC = 1
# Plans: the second and third best action, the best of each kind that can begin a turn, the second best repair.
SECOND, THIRD, COAL_BEST, PRODUCE_BEST, EFFECT_BEST, REPAIR_BEST, REPAIR_OTHER = range(2, 9)
PLANS = (SECOND, THIRD, COAL_BEST, PRODUCE_BEST, EFFECT_BEST, REPAIR_BEST, REPAIR_OTHER)


@kernel
def choose(policy: int, s: State, config: Config, mask: Ints, rng: GameState, scratch: Scratch) -> int:
    """The action of the seat to decide, or NO_OPINION if a plan does not apply; `mask` holds the legal actions."""
    if policy >= COAL_BEST and s.phase != TURN:
        return NO_OPINION
    _weigh(policy, s, config, mask, scratch)
    if policy in (SECOND, THIRD, REPAIR_OTHER):
        _rule_out_best(scratch.values)
    if policy == THIRD:
        _rule_out_best(scratch.values)
    return _best(scratch.values)


@kernel
def _best(values: Floats) -> int:
    """The action with the highest value, or NO_OPINION if there is none."""
    best, chosen = NEVER, NO_OPINION
    for action in range(act.NUM_ACTIONS):
        if values[action] > best:
            best, chosen = values[action], action
    return chosen


@kernel
def _rule_out_best(values: Floats) -> None:
    best = _best(values)
    if best != NO_OPINION:
        values[best] = NEVER


@kernel
def _weigh(policy: int, s: State, config: Config, mask: Ints, scratch: Scratch) -> None:
    """Write the value of each legal action that the policy allows."""
    scratch.values[:] = NEVER
    first, end = 0, act.NUM_ACTIONS
    if policy == COAL_BEST:
        first, end = act.PLAY_CHARCOALIUM, act.PLAY_PRODUCE
    elif policy == PRODUCE_BEST:
        first, end = act.PLAY_PRODUCE, act.PLAY_EFFECT
    elif policy == EFFECT_BEST:
        first, end = act.PLAY_EFFECT, act.REPAIR
    elif policy in (REPAIR_BEST, REPAIR_OTHER):
        first, end = act.REPAIR, act.WILD_REDUCTION
    for action in range(first, end):
        if mask[action]:
            scratch.trials[0] = s
            trial = scratch.trials[0]
            apply(trial, config, action)
            _play_on(s, trial, config, action, scratch)
            scratch.values[action] = _value(s, trial, config, action, scratch)


@kernel
def _ended(trial: State) -> bool:
    """Whether the turn has ended, or continues with tiles that were hidden when it began."""
    return trial.phase in (TURN, OVER, KEEP)


@kernel
def _play_on(s: State, trial: State, config: Config, action: int, scratch: Scratch) -> None:
    """Take the further decisions of a turn, each by its result when those after it are taken by default."""
    mask = scratch.masks[0]
    while not _ended(trial):
        mask[:] = 0
        legal(trial, config, mask)
        best, chosen = -1e9, -1
        for more in range(act.REPAIR, act.NUM_ACTIONS):
            if mask[more]:
                scratch.trials[1] = trial
                after = scratch.trials[1]
                apply(after, config, more)
                _end_by_default(after, config, scratch.masks[1])
                value = _value(s, after, config, action, scratch)
                if chosen < 0 or value > best:
                    best, chosen = value, more
        if chosen < 0:  # a record that is no game
            return
        apply(trial, config, chosen)


@kernel
def _end_by_default(trial: State, config: Config, mask: Ints) -> None:
    """End a turn: pick the scarcest resource, complete projects in order of number, else take the last action."""
    while not _ended(trial):
        mask[:] = 0
        legal(trial, config, mask)
        tokens = trial.seats[trial.seat].tokens
        chosen, fewest = -1, 0
        for action in range(act.REPAIR, act.NUM_ACTIONS):
            if mask[action]:
                number = action if trial.phase == PROJECTS else -action  # N20.7: a project rules out those before it
                if trial.phase == PICK:
                    number = int(tokens[action - act.PICK_RESOURCE + 1])
                if chosen < 0 or number < fewest:
                    chosen, fewest = action, number
        if chosen < 0:  # a record that is no game
            return
        apply(trial, config, chosen)


@kernel
def _value(s: State, trial: State, config: Config, action: int, scratch: Scratch) -> float:
    """The lead, after a trial begun with `action`, of the seat to decide in `s`."""
    me = int(s.seat)
    mine = trial.seats[me]
    if trial.over:
        ranks(trial, config, scratch.ranks)
        won = float(scratch.ranks[1 - me]) - float(scratch.ranks[me])
        return _WON * won + float(mine.points) - float(trial.seats[1 - me].points)
    value = 0.0
    if s.phase != KEEP and trial.project_deck_size < s.project_deck_size:
        mine.reserved[:] = s.seats[me].reserved  # the last tile, which is unknown
        value += W_OFFER
    known = scratch.known
    for kind in range(NUM_KINDS):
        known[kind] = s.seats[me].hand[kind] - (mine.lost[kind] - s.seats[me].lost[kind])
    if action < act.REPAIR:
        known[action % NUM_KINDS] -= 1
    held = HAND_SIZE if trial.phase == KEEP else int(mine.hand_size)
    view = scratch.sight
    write_features(view, trial, me, False, held, known)
    value += weighed(view)
    write_features(view, trial, 1 - me, True, int(trial.seats[1 - me].hand_size), scratch.nobodys)
    return value - weighed(view)


PLAYERS = CompiledPlayers(
    module=__name__,
    names=("heuristic",),
    choose=choose,
    scratch=Scratch.dtype,
    plans=PLANS,
    evaluate=evaluate,
    horizon=8,
)
