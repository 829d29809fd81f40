"""Who plays whom on which deal."""

from __future__ import annotations

from collections import Counter

import pytest

import bdgame_env
from bdgame_env.experiments.arena.seating import line_ups, seat_orders, seatings


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("agents", [1, 2, 3, 4, 5])
def test_every_agent_has_every_seat_equally_often(agents: int, players: int) -> None:
    tables = seatings(agents, players, 1, seed=0)
    seats = Counter((agent, seat) for table in tables for seat, agent in enumerate(table.agents))
    assert len(seats) == agents * players and len(set(seats.values())) == 1
    assert len({table.agents for table in tables}) == len(tables)


def test_line_ups() -> None:
    assert line_ups(3, 2) == [(0, 1), (0, 2), (1, 2)]
    assert line_ups(2, 4) == [(0, 0, 1, 1)]
    assert line_ups(2, 3) == [(0, 0, 1), (0, 1, 1)]


@pytest.mark.parametrize(("line_up", "orders"), [((0, 1), 2), ((0, 1, 2), 6), ((0, 0, 1, 1), 6), ((0, 1, 2, 3), 8)])
def test_number_of_seat_orders(line_up: tuple[int, ...], orders: int) -> None:
    assert len(seat_orders(line_up)) == orders


def test_a_deal_is_that_of_a_match_with_the_same_seed() -> None:
    matches = [bdgame_env.make_match("bdgame-v3", seed=7, match=number) for number in range(3)]
    assert [s.game_seed for s in seatings(2, 2, 3, seed=7)[::2]] == [match.game_seed for match in matches]
