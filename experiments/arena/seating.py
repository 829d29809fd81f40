"""Who plays whom, in which seats and on which deal: every seat order plays the same deals. Knows no game."""

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
        number: index in the tournament's list of games, from 0.
        deal: index of the tournament's deal, from 0; games on the same deal are paired.
        game_seed: the 64-bit seed of the deal.
        agents: index of the agent in each seat.
    """

    number: int
    deal: int
    game_seed: int
    agents: tuple[int, ...]


def line_ups(agents: int, players: int) -> list[tuple[int, ...]]:
    """The sets of agents (by index) that meet in a game, whatever their seats.

    With at least as many agents as seats: every combination (a round robin). With fewer: every agent takes
    `players // agents` seats, and each choice of agents for the remaining seats is one line-up. So 2 agents in 4 seats
    meet as 0, 0, 1, 1, and in 3 seats as 0, 0, 1 and as 0, 1, 1.
    """
    if agents >= players:
        return list(combinations(range(agents), players))
    each, more = divmod(players, agents)
    return [tuple(sorted([*range(agents)] * each + [*extra])) for extra in combinations(range(agents), more)]


def seat_orders(line_up: Sequence[int]) -> list[tuple[int, ...]]:
    """The seat orders in which a line-up plays each deal; every agent sits in every seat equally often.

    All distinct orders if there are at most `MAX_ORDERS`: up to 3 seats, and 4 seats if an agent has more than one of
    them. Otherwise the rotations of the line-up and of its reverse: 8 of the 24 orders of 4 agents.
    """
    distinct = sorted(set(permutations(line_up)))
    if len(distinct) <= MAX_ORDERS:
        return distinct
    forward = tuple(line_up)
    return [row[k:] + row[:k] for row in (forward, forward[::-1]) for k in range(len(row))]


def seatings(agents: int, players: int, games: int, seed: int) -> list[Seating]:
    """Every game of a round robin: each of `games` deals, for each line-up, in each seat order.

    Args:
        agents: number of agents.
        players: number of seats.
        games: number of deals.
        seed: deal g has the game seed that row g of a batch with this seed starts from.

    Raises:
        ValueError: a number below 1.
    """
    if min(agents, players, games) < 1:
        raise ValueError(f"a tournament of {agents} agents, {players} players, {games} games cannot be played")
    return seatings_of(line_ups(agents, players), seed, range(games))


def seatings_of(chosen: Sequence[tuple[int, ...]], seed: int, deals: range, number: int = 0) -> list[Seating]:
    """Every deal in all seat orders of the chosen line-ups, numbered from `number`."""
    orders = [order for row in chosen for order in seat_orders(row)]
    return [
        Seating(number + place * len(orders) + k, deal, game_seed(seed, deal), order)
        for place, deal in enumerate(deals)
        for k, order in enumerate(orders)
    ]
