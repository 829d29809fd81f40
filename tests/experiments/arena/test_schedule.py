"""Who plays whom in each format, worked out by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from bdgame_env.experiments.arena.matches import GameResult
from bdgame_env.experiments.arena.schedule import Plan, most_games, rounds, standing_order, swiss_line_ups, swiss_rounds
from bdgame_env.experiments.arena.seating import Seating, seatings
from bdgame_env.experiments.arena.sequential_test import LOOK
from bdgame_env.experiments.arena.standings import Standings, standings


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


def race(
    plan: Plan, strengths: Sequence[float], seconds: Sequence[float] = (), seed: int = 0
) -> tuple[list[list[Seating]], list[GameResult]]:
    """The games of every round among agents whose strengths are shifted by Gumbel noise, and their results.

    Args:
        plan: of the race.
        strengths: logarithms of their odds.
        seconds: how long an agent thinks in a game.
        seed: of the noise, which is that of each game, whenever it is played.
    """
    going, results = rounds(plan), list[GameResult]()
    played = [next(going)]
    while True:
        for table in played[-1]:
            noise = np.random.default_rng([seed, table.number]).gumbel(size=plan.players)
            drawn = np.array(strengths)[list(table.agents)] + noise
            took = tuple(seconds[agent] for agent in table.agents) if seconds else (1.0,) * plan.players
            results.append(replace(result(table, lambda agent: 0.0), ranks=ranks_of(drawn), seconds=took))
        try:
            played.append(going.send(results[-len(played[-1]) :]))
        except StopIteration:
            return played, results


def ranks_of(values: np.ndarray) -> tuple[int, ...]:
    return tuple((1 + (values[None] > values[:, None]).sum(1)).tolist())


def half_widths(found: Standings) -> list[float]:
    ends = [found.win_matrix_intervals[place][place + 1] for place in range(len(found.agents) - 1)]
    return [np.inf if pair is None else (pair[1] - pair[0]) / 2 for pair in ends]


def games_by_pair(results: list[GameResult]) -> Counter[tuple[int, ...]]:
    return Counter(tuple(sorted(one.agents)) for one in results)


STRENGTHS = [3.0, 2.8, 1.5, 1.4, -1.0]


def test_a_race_plays_on_where_neighbors_meet_until_they_are_told_apart() -> None:
    plan = Plan(5, 2, games=2000, half_width=0.03)
    _, results = race(plan, STRENGTHS)
    found = standings("abcde", results)
    assert [row.agent for row in found.agents] == list("abcde") and max(half_widths(found)) <= 0.03
    counts = games_by_pair(results)
    assert counts[0, 1] > 900 and counts[2, 3] > 900, "where it is close"
    assert counts[0, 4] < 100 and counts[0, 2] < 200, "not where it decides nothing"
    assert len(results) < 0.5 * 10 * 2 * 550, "half of what equal numbers for all pairs would take"
    assert len({one.number for one in results}) == len(results) <= most_games(plan)


@pytest.mark.parametrize("players", [3, 4])
def test_races_of_more_players_are_among_those_next_to_each_other(players: int) -> None:
    _, results = race(Plan(5, players, games=1000, half_width=0.04), [3.0, 2.5, 1.5, 1.0, -1.0])
    found = standings("abcde", results)
    assert "".join(row.agent for row in found.agents) == "abcde" and max(half_widths(found)) <= 0.04
    assert all(len(set(one.agents)) == players for one in results)
    seats = Counter((agent, seat) for one in results for seat, agent in enumerate(one.agents))
    assert all(len({seats[agent, seat] for seat in range(players)}) == 1 for agent in range(5)), "each in every seat"


def test_few_agents_take_several_seats_in_a_race() -> None:
    _, results = race(Plan(2, 3, games=400, half_width=0.05), [0.3, 0.0])
    assert max(half_widths(standings("ab", results))) <= 0.05 and set(games_by_pair(results)) == {(0, 0, 1), (0, 1, 1)}


def test_a_race_ends_at_the_limit_of_deals() -> None:
    _, results = race(Plan(3, 2, games=21, half_width=0.01), [0.1, 0.0, -0.1])
    assert max(games_by_pair(results).values()) == 2 * 21


def test_a_race_ends_once_agents_have_thought_for_long_enough_since_the_first_deals() -> None:
    plan = Plan(3, 2, games=2000, half_width=0.02, seconds=500.0)
    played, results = race(plan, [0.1, 0.0, -0.1])
    assert 500 <= 2 * (len(results) - len(played[0])) < 500 + 2 * len(played[-1])


@pytest.mark.parametrize(("seconds", "deals"), [(30.0, 16), (3000.0, 75)])
def test_neighbors_have_equally_long_to_think_in_a_round_of_a_race(seconds: float, deals: int) -> None:
    """So slow ones take nothing from the others, even where the first deals alone take longer than there is time."""
    plan = Plan(4, 2, games=10**6, half_width=0.001, seconds=seconds)
    played, _ = race(plan, [9.1, 9.0, 0.1, 0.0], seconds=[5.0, 5.0, 0.05, 0.05])
    last = Counter(tuple(sorted(table.agents)) for table in played[-1])
    assert (last[0, 1], last[2, 3]) == (2, 2 * deals) and len(played[0]) == 4 * 2 * 6


def test_a_race_that_was_stopped_plays_the_same_games() -> None:
    """Its choice depends on results alone, whichever process played them."""
    plan = Plan(4, 2, games=200, half_width=0.05)
    played, results = race(plan, [0.5, 0.4, 0.1, 0.0], seconds=[3.0, 1.0, 0.1, 0.1])
    stored = {one.number: one for one in results}
    going = rounds(plan)
    again = [next(going)]
    for _ in played[1:]:
        again.append(going.send([stored[table.number] for table in again[-1]]))
    assert again == played


def test_what_cannot_be_played() -> None:
    for plan in (Plan(2, 2, 0), Plan(2, 2, 1, format="knockout")):
        with pytest.raises(ValueError, match="cannot be played"):
            rounds(plan)
