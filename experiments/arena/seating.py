"""Who plays whom, where and on which deal: every seat order on the same deals. Knows no game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

from bdgame_env.engine.rng import game_seed

MAX_ORDERS = 12


@dataclass(frozen=True)
class Seating:
    """One game to be played.

    Attributes:
        number: place in the tournament's list of games, from 0.
        deal: which of the tournament's deals, from 0; games of one deal are paired.
        game_seed: the 64-bit number that the game is dealt from.
        agents: index of the agent in each seat.
    """

    number: int
    deal: int
    game_seed: int
    agents: tuple[int, ...]


def line_ups(agents: int, players: int) -> list[tuple[int, ...]]:
    """The agents (by index) that meet at one table, whatever their seats.

    As many agents as seats, or more: every combination (a round robin). Fewer: every agent takes
    `players // agents` seats, and every choice of agents takes one more until the table is full; so 2 agents at 4
    seats meet as 0, 0, 1, 1, and at 3 seats as 0, 0, 1 and as 0, 1, 1.
    """
    if agents >= players:
        return list(combinations(range(agents), players))
    each, more = divmod(players, agents)
    return [tuple(sorted([*range(agents)] * each + [*extra])) for extra in combinations(range(agents), more)]


def seat_orders(line_up: Sequence[int]) -> list[tuple[int, ...]]:
    """The seat orders in which a line-up plays each deal; every agent has every seat equally often.

    All distinct orders if these are at most `MAX_ORDERS`, which holds up to 3 seats and at 4 seats with an agent in
    more than one; else the rotations of the line-up and of its reverse: 8 of the 24 orders of 4 agents.
    """
    distinct = sorted(set(permutations(line_up)))
    if len(distinct) <= MAX_ORDERS:
        return distinct
    forward = tuple(line_up)
    return [row[k:] + row[:k] for row in (forward, forward[::-1]) for k in range(len(row))]


def seatings(agents: int, players: int, games: int, seed: int) -> list[Seating]:
    """Every game of a tournament: each of `games` deals, for each line-up, in each seat order.

    Args:
        agents: number of agents.
        players: number of seats.
        games: number of deals, so number of games per seating.
        seed: deal g is that of table g of a batch of tables with this seed.

    Raises:
        ValueError: a number below 1.
    """
    if min(agents, players, games) < 1:
        raise ValueError(f"a tournament of {agents} agents, {players} players, {games} games cannot be played")
    orders = [order for line_up in line_ups(agents, players) for order in seat_orders(line_up)]
    return [
        Seating(deal * len(orders) + place, deal, number, order)
        for deal, number in ((deal, game_seed(seed, deal)) for deal in range(games))
        for place, order in enumerate(orders)
    ]
