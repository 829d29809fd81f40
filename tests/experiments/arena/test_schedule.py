"""Who plays whom in each format, worked out by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from bdgame_env.experiments.arena.matches import GameResult
from bdgame_env.experiments.arena.schedule import Plan, most_games, rounds, standing_order, swiss_line_ups, swiss_rounds
from bdgame_env.experiments.arena.seating import Seating, seatings
from bdgame_env.experiments.arena.sequential_test import LOOK


def result(table: Seating, strength: Callable[[int], float]) -> GameResult:
    """The stronger agent wins."""
    strengths = [strength(agent) for agent in table.agents]
    ranks = tuple(1 + sum(other > mine for other in strengths) for mine in strengths)
    points = tuple(int(10 * mine) for mine in strengths)
    return GameResult(
        table.number, table.deal, table.game_seed, table.agents, points, ranks, decisions=9, truncated=False
    )


def play(plan: Plan, strength: Callable[[int], float] = lambda agent: -agent) -> list[list[Seating]]:
    """The games of every round, where agents named first are stronger."""
    going = rounds(plan)
    played = [next(going)]
    while True:
        try:
            played.append(going.send([result(table, strength) for table in played[-1]]))
        except StopIteration:
            return played


def meetings(tables: list[Seating]) -> list[tuple[int, ...]]:
    return sorted({tuple(sorted(table.agents)) for table in tables})


def test_round_robin_is_every_seating_at_once() -> None:
    assert play(Plan(3, 2, 4, seed=5)) == [seatings(3, 2, 4, 5)]


@pytest.mark.parametrize(
    ("agents", "players", "expected"),
    [
        (4, 2, [(0, 1), (0, 2), (0, 3)]),
        (4, 3, [(0, 1, 2), (0, 1, 3), (0, 2, 3)]),
        (2, 4, [(0, 0, 1, 1)]),
        (5, 4, [(0, 1, 2, 3), (0, 1, 2, 4), (0, 1, 3, 4), (0, 2, 3, 4)]),
    ],
)
def test_a_gauntlet_is_the_first_against_all_others(agents: int, players: int, expected: list[tuple[int, ...]]) -> None:
    plan = Plan(agents, players, games=2, format="gauntlet")
    (tables,) = play(plan)
    assert meetings(tables) == expected
    assert [table.number for table in tables] == list(range(most_games(plan)))
    seats = Counter(table.agents.index(0) for table in tables)
    assert len(set(seats.values())) == 1 or agents < players


@pytest.mark.parametrize("format", ["round-robin", "gauntlet", "swiss"])
@pytest.mark.parametrize(("agents", "players"), [(2, 2), (5, 2), (4, 3), (5, 3), (3, 4), (6, 4)])
def test_all_seat_orders_of_a_table_play_the_same_deals(format: str, agents: int, players: int) -> None:
    plan = Plan(agents, players, games=2, format=format, seed=3)
    played = play(plan)
    tables = [table for part in played for table in part]
    assert [table.number for table in tables] == list(range(most_games(plan)))
    for part in played:
        deals = {}
        for table in part:
            deals.setdefault(table.agents, []).append(table.game_seed)
        assert len({tuple(numbers) for numbers in deals.values()}) == 1
    for line_up in meetings(tables):
        orders = {table.agents for table in tables if tuple(sorted(table.agents)) == line_up}
        for seat in range(players):
            assert {order[seat] for order in orders} == set(line_up), "each of them has every seat"


def test_swiss_of_four_by_hand() -> None:
    """0 beats 1 and 2 beats 3; then winners meet winners and losers meet losers; then those that have not met."""
    played = play(Plan(4, 2, games=1, format="swiss", rounds=3))
    assert [meetings(tables) for tables in played] == [[(0, 1), (2, 3)], [(0, 2), (1, 3)], [(0, 3), (1, 2)]]
    assert [sorted({table.deal for table in tables}) for tables in played] == [[0], [1], [2]], "new deals each round"
    assert len(play(Plan(4, 2, games=1, format="swiss"))) == swiss_rounds(4) == 2


def test_swiss_with_an_odd_number_gives_everybody_one_rest() -> None:
    """Agent 4 rests first, then the last of the losers, never one that has rested before."""
    played = play(Plan(5, 2, games=1, format="swiss", rounds=5))
    resting = [({*range(5)} - {agent for table in tables for agent in table.agents}).pop() for tables in played]
    assert resting[0] == 4 and sorted(resting) == [0, 1, 2, 3, 4]


def test_swiss_with_some_left_over_mixes_them() -> None:
    (tables,) = play(Plan(5, 3, games=1, format="swiss", rounds=1))
    assert meetings(tables) == [(0, 1, 2), (3, 3, 4), (3, 4, 4)]


def test_swiss_avoids_second_meetings() -> None:
    tables = swiss_line_ups([0, 1, 2, 3], 2, Counter({(0, 1): 1, (2, 3): 1}), Counter())
    assert tables == [(0, 2), (1, 3)]
    assert swiss_line_ups([0, 1, 2], 2, Counter(), Counter({2: 1})) == [(0, 2)], "1 rests: 2 has rested"


def test_standing_so_far() -> None:
    tables = [Seating(0, 0, 0, (0, 1)), Seating(1, 0, 0, (2, 3))]
    results = [result(table, lambda agent: agent) for table in tables]
    assert standing_order(5, 2, []) == [0, 1, 2, 3, 4]
    assert standing_order(5, 2, results) == [3, 1, 4, 2, 0], "more points first; 4 has not played"


def test_play_stops_when_a_pair_is_settled() -> None:
    plan = Plan(3, 2, games=10 * LOOK, delta=0.1)
    played = play(plan, lambda agent: 1.0 if agent == 0 else 0.0)
    assert meetings(played[0]) == [(0, 1), (0, 2), (1, 2)]
    assert meetings(played[-1]) == [(1, 2)], "agent 0 is above both, the others go on until they are seen to be equal"
    tables = [table for part in played for table in part]
    assert len(tables) < most_games(plan)
    numbers = {table.number: table for table in seatings(3, 2, plan.games, plan.seed)}
    assert all(numbers[table.number] == table for table in tables), "numbered as if all were played"


def test_the_budget_ends_what_is_not_settled() -> None:
    plan = Plan(2, 2, games=LOOK + 3, delta=0.01, format="gauntlet")
    played = play(plan, lambda agent: 0.0)
    assert [len(tables) for tables in played] == [2 * LOOK, 6]


def test_what_cannot_be_played() -> None:
    for plan in (Plan(2, 2, 0), Plan(2, 2, 1, format="knockout")):
        with pytest.raises(ValueError, match="cannot be played"):
            rounds(plan)
