"""The loops that count what happens in games: a template that `loop_builder` copies for each game.

A game is replayed from its actions, or played by compiled players; either way every decision is counted before it is
carried out. `tables` are those of `items.Items`: of each action its family, its other item or -1, the place in the
observation that names its card or -1 and the row of the last table, items by row and that entry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bdgame_env.engine.codes import RANDOM
from bdgame_env.engine.jit import entry_point, kernel
from bdgame_env.engine.rng import random_legal

if TYPE_CHECKING:
    from bdgame_env.engine import match_loops as loops
    from bdgame_env.engine.arrays import Ints, Ints2, Ints3, Rows
    from bdgame_env.engine.rng import Stream
    from bdgame_env.engine.seam import exploring, players, rules, statistics
    from bdgame_env.engine.struct import GameState, Settings

    Tables = tuple[Ints, Ints, Ints, Ints, Ints2]
    # By game and seat: what could be taken, what was, and decisions; by game: lead changes; counts by game and seat.
    Counts = tuple[Ints3, Ints3, Ints2, Ints, Ints3]
    # An observation as a record and as int8, a mask, a state, the decision at which each item was last legal.
    Room = tuple[Rows[Any], Ints2, Ints2, Rows[GameState], Ints]

NOBODY = -1


@entry_point
def replay_games(
    games: Rows[GameState],
    configs: Rows[Settings],
    seeds: Ints,
    actions: Ints,
    starts: Ints,
    tables: Tables,
    counts: Counts,
    room: Room,
    lo: int,
    hi: int,
) -> None:
    """Replay games lo..hi-1: the actions of game i are those from `starts[i]` to `starts[i + 1]`.

    A game ends early, not over, at an action that is not legal.
    """
    config = configs[0]
    for i in range(lo, hi):
        loops.reset_games(games, configs, seeds, i, i + 1)
        s = games[i]
        room[4][:] = NOBODY
        leader = NOBODY
        for k in range(starts[i], starts[i + 1]):
            look(s, config, room)
            action = int(actions[k])
            if s.over != 0 or action >= room[2].shape[1] or room[2][0, action] == 0:
                break
            leader = decide(s, config, action, i, leader, tables, counts, room)
        if s.over != 0:
            statistics.finish(s, config, counts[4][i])


@entry_point
def play_games(
    games: Rows[GameState],
    configs: Rows[Settings],
    seeds: Ints,
    policies: Ints2,
    rng: Rows[Stream],
    held: Ints3,
    tables: Tables,
    counts: Counts,
    room: Room,
    scratch: Rows[Any],
    lo: int,
    hi: int,
) -> None:
    """Play games lo..hi-1 by the compiled players `policies` (int8, shape (n, MAX_SEATS)).

    With `held` (int32, shape (n, players, entries)) of any entries, games begin by exploring, and what each seat begins
    with is written there.
    """
    config = configs[0]
    for i in range(lo, hi):
        loops.reset_games(games, configs, seeds, i, i + 1)
        s = games[i]
        if held.shape[2] > 0:
            exploring.explore(s, config, rng[i])
            for seat in range(held.shape[1]):
                statistics.holdings(s, config, seat, held[i, seat])
        room[4][:] = NOBODY
        leader = NOBODY
        while s.over == 0:
            look(s, config, room)
            policy = int(policies[i, s.seat])
            if policy == RANDOM:
                action = random_legal(room[2][0], rng[i])
            else:
                action = players.choose(policy, s, config, room[2][0], rng[i], scratch[0])
            leader = decide(s, config, action, i, leader, tables, counts, room)
        statistics.finish(s, config, counts[4][i])


@kernel
def look(s: GameState, config: Settings, room: Room) -> None:
    """Write the observation and mask of the seat to decide."""
    room[2][0, :] = 0
    if s.over == 0:
        rules.legal(s, config, room[2][0])
        rules.observe(s, config, int(s.seat), room[0][0])


@kernel
def decide(
    s: GameState, config: Settings, action: int, i: int, leader: int, tables: Tables, counts: Counts, room: Room
) -> int:
    """Count a decision of game i and carry it out; returns the only seat with the most points, or the leader before."""
    available, taken, decisions, lead_changes, others = counts
    seen, mask, last = room[1][0], room[2][0], room[4]
    seat = int(s.seat)
    for other in range(mask.shape[0]):  # an item counts once, however many actions take it
        if mask[other] != 0:
            add_item(int(tables[0][other]), last, int(s.decisions), available[i, seat])
            add_item(card_of(other, tables, seen), last, int(s.decisions), available[i, seat])
    taken[i, seat, tables[0][action]] += 1
    item = card_of(action, tables, seen)
    if item >= 0:
        taken[i, seat, item] += 1
    decisions[i, seat] += 1
    statistics.count(s, config, action, others[i], room[3])
    s.decisions += 1
    rules.apply(s, config, action)
    now = leader_of(s, config, leader, decisions.shape[1])
    if leader != NOBODY and now != leader:
        lead_changes[i] += 1
    return now


@kernel
def add_item(item: int, last: Ints, decision: int, available: Ints) -> None:
    """Count an item that can be taken, unless it has been counted at this decision."""
    if item >= 0 and last[item] != decision:
        last[item] = decision
        available[item] += 1


@kernel
def card_of(action: int, tables: Tables, seen: Ints) -> int:
    """The item of an action besides its family, or -1."""
    if tables[2][action] < 0:
        return int(tables[1][action])
    entry = min(max(0, int(seen[tables[2][action]])), tables[4].shape[1] - 1)
    return int(tables[4][tables[3][action], entry])


@kernel
def leader_of(s: GameState, config: Settings, before: int, seats: int) -> int:
    """The only seat with the most points, or the leader before while several have them."""
    best, most, several = 0, int(rules.points(s, config, 0)), False
    for seat in range(1, seats):
        points = int(rules.points(s, config, seat))
        if points > most:
            best, most, several = seat, points, False
        elif points == most:
            several = True
    return before if several else best
