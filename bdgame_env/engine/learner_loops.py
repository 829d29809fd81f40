"""The loops of a learner among opponents: a template, of which `learner` makes a copy for each game with its rules.

A row is one game with the learner's seat, the line-up and the results (see `loop_records.Row`). The policy of a seat
is LEARNER, RANDOM, one of the game's compiled players or, from EXTERNAL downwards, an agent in Python (see `codes`).
Line-ups change only when a game starts. A row that stays at its finished game has status OVER.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .codes import (
    ANYWHERE,
    EXTERNAL,
    FORFEIT,
    LEARNER,
    OVER,
    RANDOM,
    RUNNING,
    SAME_STEP,
    TERMINATED,
    TRUNCATED,
)
from .jit import entry_point, kernel
from .rewards import POINTS, rank_reward
from .rng import any_legal, below, draw, nth, random_legal

if TYPE_CHECKING:
    from . import match_loops as loops
    from .arrays import Ints, Ints2, Rows
    from .loop_records import LearnerSettings, Row
    from .rng import Stream
    from .seam import BLANK, players, rules
    from .struct import GameState, Settings


@entry_point
def begin_rows(
    games: Rows[GameState],
    configs: Rows[Settings],
    rows: Rows[Row],
    settings: Rows[LearnerSettings],
    scratch: Rows[Any],
    chosen: Ints,
    obs: Rows[Any],
    mask: Ints2,
    final_obs: Rows[Any],
    lo: int,
    hi: int,
) -> None:
    """Start a new game in rows `chosen[k]` and play up to the first decision made in Python."""
    for k in range(lo, hi):
        begin_row(games, configs, rows, settings, scratch, obs, mask, final_obs, chosen[k])


@entry_point
def step_rows(
    games: Rows[GameState],
    configs: Rows[Settings],
    rows: Rows[Row],
    settings: Rows[LearnerSettings],
    scratch: Rows[Any],
    actions: Ints,
    obs: Rows[Any],
    mask: Ints2,
    final_obs: Rows[Any],
    lo: int,
    hi: int,
) -> int:
    """Play the learner's actions, legal or FORFEIT, then the compiled opponents, up to the next decision in Python.

    A row whose game is over starts a new one instead. Returns how many rows wait for an agent in Python (`status`
    EXTERNAL or less).
    """
    waiting = 0
    for i in range(lo, hi):
        if rows[i].status == OVER:
            begin_row(games, configs, rows, settings, scratch, obs, mask, final_obs, i)
        else:
            rows[i].done = RUNNING
            rows[i].reward = 0.0
            rows[i].steps += 1
            rows[i].forfeited = 1 if actions[i] == FORFEIT else 0
            if actions[i] != FORFEIT:
                games[i].decisions += 1
                rules.apply(games[i], configs[0], actions[i])
            run_row(games, configs, rows, settings, scratch, obs, mask, final_obs, i)
        if rows[i].status <= EXTERNAL:
            waiting += 1
    return waiting


@entry_point
def answer_rows(
    games: Rows[GameState],
    configs: Rows[Settings],
    rows: Rows[Row],
    settings: Rows[LearnerSettings],
    scratch: Rows[Any],
    chosen: Ints,
    actions: Ints,
    obs: Rows[Any],
    mask: Ints2,
    final_obs: Rows[Any],
    lo: int,
    hi: int,
) -> int:
    """Carry out `actions[k]` of agents in Python in rows `chosen[k]`, and play on as `step_rows` does."""
    waiting = 0
    for k in range(lo, hi):
        i = chosen[k]
        games[i].decisions += 1
        rules.apply(games[i], configs[0], actions[k])
        run_row(games, configs, rows, settings, scratch, obs, mask, final_obs, i)
        if rows[i].status <= EXTERNAL:
            waiting += 1
    return waiting


@entry_point
def resume_rows(
    games: Rows[GameState],
    configs: Rows[Settings],
    rows: Rows[Row],
    settings: Rows[LearnerSettings],
    scratch: Rows[Any],
    obs: Rows[Any],
    mask: Ints2,
    final_obs: Rows[Any],
    lo: int,
    hi: int,
) -> None:
    """Play on in rows that waited for the learner but in which, after resampling, another seat is to decide."""
    for i in range(lo, hi):
        if rows[i].status == LEARNER and rows[i].lineup[games[i].seat] != LEARNER:
            run_row(games, configs, rows, settings, scratch, obs, mask, final_obs, i)


@kernel
def begin_row(
    games: Rows[GameState],
    configs: Rows[Settings],
    rows: Rows[Row],
    settings: Rows[LearnerSettings],
    scratch: Rows[Any],
    obs: Rows[Any],
    mask: Ints2,
    final_obs: Rows[Any],
    i: int,
) -> None:
    """Start a new game in a row and play up to the first decision made in Python.

    A freshly seeded row (`fresh`) holds its game seed; other rows draw it from the generator of the game before.
    """
    if rows[i].fresh == 0:
        rows[i].game_seed = draw(games[i])
    rows[i].fresh = 0
    rows[i].done = RUNNING
    rows[i].reward = 0.0
    new_game(games, configs, rows, settings, i)
    run_row(games, configs, rows, settings, scratch, obs, mask, final_obs, i)


@kernel
def run_row(
    games: Rows[GameState],
    configs: Rows[Settings],
    rows: Rows[Row],
    settings: Rows[LearnerSettings],
    scratch: Rows[Any],
    obs: Rows[Any],
    mask: Ints2,
    final_obs: Rows[Any],
    i: int,
) -> None:
    """Play the compiled seats until the learner or Python is to decide; score a game that ends and start a new one.

    A game that ends before the learner's first decision is replaced without a score.
    """
    row = rows[i]
    policy = OVER
    while True:
        s = games[i]
        if s.over != 0 or row.forfeited != 0:
            if row.steps > 0:
                finish_row(games, configs, rows, settings, final_obs, i)
                if settings[0].autoreset != SAME_STEP:
                    policy = OVER
                    mask[i, :] = 0
                    break
            row.game_seed = draw(games[i])
            new_game(games, configs, rows, settings, i)
            continue
        policy = row.lineup[s.seat]
        mask[i, :] = 0
        rules.legal(s, configs[0], mask[i])
        if policy < 0:
            break
        if not any_legal(mask[i]):  # a record that is no game
            s.over = s.truncated = 1
            continue
        s.decisions += 1
        rules.apply(s, configs[0], choose_action(policy, s, configs[0], mask[i], row, scratch))
    row.status = policy
    rules.observe(games[i], configs[0], row.seat if policy == OVER else games[i].seat, obs[i])
    if policy == LEARNER:
        if settings[0].scheme == POINTS:
            potential = settings[0].shaping * lead(games[i], configs[0], row.seat)
            if row.steps > 0:
                row.reward += settings[0].gamma * potential - row.potential
            row.potential = potential


@kernel
def finish_row(
    games: Rows[GameState],
    configs: Rows[Settings],
    rows: Rows[Row],
    settings: Rows[LearnerSettings],
    final_obs: Rows[Any],
    i: int,
) -> None:
    """Score a finished game for the learner; the reward belongs to the learner's last decision.

    After an action that is not legal the learner is last and the others share the first rank.
    """
    row = rows[i]
    s = games[i]
    row.done = TERMINATED if s.truncated == 0 else TRUNCATED
    row.length = s.decisions
    row.final_steps = row.steps
    row.final_seat = row.seat
    row.illegal = row.forfeited
    row.final_lineup[:] = row.lineup
    rules.ranks(s, configs[0], row.ranks)
    seated = int(configs[0].players)
    for seat in range(seated):
        row.points[seat] = rules.points(s, configs[0], seat)
        if row.forfeited != 0:
            row.ranks[seat] = seated if seat == row.seat else 1
    if row.forfeited != 0:
        row.reward -= 1.0 + row.potential
    else:
        row.reward += rank_reward(row.ranks, seated, row.seat, settings[0].scheme) - row.potential
    rules.observe(s, configs[0], row.seat, final_obs[i])


@kernel
def lead(s: GameState, config: Settings, seat: int) -> float:
    """The potential for shaping: a seat's progress less the mean progress of the others."""
    seated = int(config.players)
    others = 0.0
    for other in range(seated):
        if other != seat:
            others += rules.progress(s, config, other)
    return rules.progress(s, config, seat) - others / (seated - 1)


@kernel
def new_game(
    games: Rows[GameState], configs: Rows[Settings], rows: Rows[Row], settings: Rows[LearnerSettings], i: int
) -> None:
    """Start the game of a row's game seed, and draw the learner's seat and its opponents from the row's generator."""
    row = rows[i]
    games[i] = BLANK[0]
    games[i].rng = row.game_seed
    games[i].game_seed = row.game_seed
    rules.reset(games[i], configs[0])
    seated = int(configs[0].players)
    row.seat = settings[0].seat if settings[0].seat != ANYWHERE else below(row, seated)
    for seat in range(seated):
        row.lineup[seat] = LEARNER if seat == row.seat else draw_opponent(row, settings[0])
    row.potential = 0.0
    row.steps = 0
    row.forfeited = 0


@entry_point
def hide_states(
    games: Rows[GameState],
    configs: Rows[Settings],
    rows: Rows[Row],
    chosen: Ints,
    states: Rows[GameState],
    lo: int,
    hi: int,
) -> None:
    """Copy the record of row `chosen[k]` to `states[k]` and `determinize` it for the seat to decide.

    The numbers come from a stream used for nothing else, so a copy's generator reveals no other random number.
    """
    for k in range(lo, hi):
        i = chosen[k]
        states[k] = games[i]
        rows[i].copies = nth(rows[i].copies, np.uint64(0))
        loops.determinize(states[k], configs[0], rows[i].copies, int(states[k].seat))


@kernel
def draw_opponent(row: Row, settings: LearnerSettings) -> int:
    """An opponent of the pool, drawn in proportion to the weights."""
    ticket = below(row, settings.tickets)
    for k in range(settings.pool_size):
        ticket -= settings.pool_tickets[k]
        if ticket < 0:
            return settings.pool_policy[k]
    return settings.pool_policy[0]


@entry_point
def choose_games(
    games: Rows[GameState],
    configs: Rows[Settings],
    policies: Ints,
    mask: Ints2,
    rng: Rows[Stream],
    scratch: Rows[Any],
    actions: Ints,
    lo: int,
    hi: int,
) -> None:
    """Write the action of the compiled policy `policies[i]` in each match, given the legal actions in `mask`."""
    for i in range(lo, hi):
        actions[i] = choose_action(policies[i], games[i], configs[0], mask[i], rng[i], scratch)


@kernel
def choose_action(policy: int, s: GameState, config: Settings, mask: Ints, rng: Stream, scratch: Rows[Any]) -> int:
    """The action of a compiled policy, which may write `scratch` (shape (1,)) but never `s`."""
    if policy == RANDOM:
        return random_legal(mask, rng)
    return players.choose(policy, s, config, mask, rng, scratch[0])
