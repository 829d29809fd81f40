"""Nash averaging and alpha-rank on games whose solutions are known."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from bdgame_env.experiments.arena.meta_game import alpha_rank, cycles, meta_game, nash_mix, resampled_averages
from bdgame_env.experiments.arena.meta_game_text import cycles_line, meta_game_table
from bdgame_env.experiments.arena.standings import Standings, standings
from tests.experiments.arena.test_ratings import result

ROCK_PAPER_SCISSORS = np.array([[0.5, 0.0, 1.0], [1.0, 0.5, 0.0], [0.0, 1.0, 0.5]])


def with_copy(shares: np.ndarray, agent: int) -> np.ndarray:
    """The same agents and a copy of one behind them."""
    rows = [*range(len(shares)), agent]
    return shares[np.ix_(rows, rows)]


def chain(count: int, share: float) -> np.ndarray:
    """Each beats all behind it in this share of meetings."""
    places = np.arange(count)
    return 0.5 + (share - 0.5) * np.sign(places[None] - places[:, None])


def test_rock_paper_scissors_is_a_mix_of_thirds() -> None:
    found = meta_game(ROCK_PAPER_SCISSORS)
    assert found.nash == pytest.approx([1 / 3] * 3) and found.average == pytest.approx([0.5] * 3)
    assert found.alpha == pytest.approx([1 / 3] * 3)


def test_unequal_wins_of_rock_paper_scissors_have_the_known_mix() -> None:
    """Of payoffs a (rock over scissors), b (paper over rock), c (scissors over paper), the mix is (c, a, b) / sum."""
    a, b, c = 0.1, 0.2, 0.3
    shares = 0.5 + np.array([[0, -b, a], [b, 0, -c], [-a, c, 0]])
    assert nash_mix(shares) == pytest.approx(np.array([c, a, b]) / (a + b + c))


def test_of_a_chain_the_first_is_the_whole_mix_and_the_others_are_judged_against_it() -> None:
    found = meta_game(chain(5, 0.8))
    assert found.nash == pytest.approx([1, 0, 0, 0, 0]) and found.average == pytest.approx([0.5, *[0.2] * 4])
    assert found.alpha == pytest.approx([1, 0, 0, 0, 0])


@pytest.mark.parametrize("agent", range(4))
def test_a_copy_changes_no_average_and_shares_its_weight(agent: int) -> None:
    shares = np.pad(ROCK_PAPER_SCISSORS, (0, 1), constant_values=0.9)
    shares[3] = [0.1, 0.1, 0.1, 0.5]
    before, after = meta_game(shares), meta_game(with_copy(shares, agent))
    assert after.average == pytest.approx([*before.average, before.average[agent]])
    halves = before.nash.copy()
    halves[agent] /= 2
    assert after.nash == pytest.approx([*halves, halves[agent]], abs=1e-7)


def test_of_all_equilibria_it_is_that_with_the_most_entropy() -> None:
    """Where all are equal, and where the last has a choice of whom to lose to."""
    assert nash_mix(np.full((4, 4), 0.5)) == pytest.approx([0.25] * 4)
    shares = np.full((4, 4), 0.5)
    shares[3, :2], shares[:2, 3] = 0.25, 0.75
    assert nash_mix(shares) == pytest.approx([1 / 3] * 3 + [0], abs=1e-7), "the third is as good as those who beat it"
    shares[2, 3], shares[3, 2] = 0.25, 0.75
    found, best = nash_mix(shares), (0.0, ())
    for weights in product(np.linspace(0, 1, 41), repeat=4):
        if abs(sum(weights) - 1) < 1e-9 and ((shares - 0.5) @ weights).max() < 1e-9:
            some = np.array([weight for weight in weights if weight])
            best = max(best, (float(-(some * np.log(some)).sum()), weights))
    assert found == pytest.approx(best[1], abs=0.03) and ((shares - 0.5) @ found).max() < 1e-6


@pytest.mark.parametrize("seed", range(20))
def test_nobody_beats_the_mix_and_those_in_it_are_even_with_it(seed: int) -> None:
    rng = np.random.default_rng(seed)
    count = int(rng.integers(3, 12))
    drawn = rng.integers(-8, 9, (count, count)) / 40
    found = meta_game(0.5 + drawn - drawn.T)
    assert found.nash.sum() == pytest.approx(1) and found.nash.min() >= 0
    assert found.average.max() < 0.5 + 1e-6 and found.average[found.nash > 1e-6] == pytest.approx(0.5, abs=1e-6)


def test_alpha_rank_is_the_stationary_distribution_of_its_chain() -> None:
    """Written out with weak selection, where nothing is tiny."""
    shares, intensity, population = np.array([[0.5, 0.7, 0.4], [0.3, 0.5, 0.8], [0.6, 0.2, 0.5]]), 2.0, 10
    moves = np.zeros((3, 3))
    for old, new in product(range(3), range(3)):
        if old != new:
            favor = intensity * population / (population - 1) * (shares[new, old] - 0.5)
            moves[old, new] = 0.5 * (1 - np.exp(-favor)) / (1 - np.exp(-population * favor))
    moves += np.diag(1 - moves.sum(1))
    found = alpha_rank(shares, intensity, population)
    assert found @ moves == pytest.approx(found) and found.sum() == pytest.approx(1)


def test_alpha_rank_counts_copies_as_so_many_agents() -> None:
    assert alpha_rank(with_copy(ROCK_PAPER_SCISSORS, 0)) == pytest.approx([0.2, 0.4, 0.2, 0.2])
    assert alpha_rank(np.full((3, 3), 0.5)) == pytest.approx([1 / 3] * 3)


def test_a_cycle_counts_if_all_three_are_sure() -> None:
    low = np.array([[0.5, 0.6, 0.1, 0.6], [0.1, 0.5, 0.6, 0.6], [0.6, 0.1, 0.5, 0.4], [0.1, 0.1, 0.1, 0.5]])
    assert cycles(low) == [(0, 1, 2)]
    low[2, 0] = 0.5
    assert cycles(low) == []


def played(wins: dict[tuple[int, int], float], deals: int = 40) -> Standings:
    """Standings of three agents, of whom the first of a pair won this share of the deals."""
    results = [
        result(len(wins) * deal + k, pair, (1, 2) if deal < share * deals else (2, 1), deal=deal)
        for deal in range(deals)
        for k, (pair, share) in enumerate(wins.items())
    ]
    return standings(["one", "two", "three"], results)


def test_standings_show_cycles_with_intervals() -> None:
    circle = played({(0, 1): 0.9, (1, 2): 0.9, (2, 0): 0.9})
    assert circle.cycles == (("one", "two", "three"),)
    assert cycles_line(circle) == "one beats two, two beats three, three beats one"
    table = meta_game_table(circle)
    assert table is not None and len(table.rows) == 3
    for row in circle.agents:
        assert row.nash == pytest.approx(1 / 3, abs=1e-4) and row.nash_average == pytest.approx(0.5, abs=1e-6)
        assert row.nash_average_interval is not None and row.nash_average_interval[1] <= 0.5 + 1e-6
    order = played({(0, 1): 0.9, (1, 2): 0.9, (0, 2): 0.9})
    assert order.cycles == () and [row.nash for row in order.agents] == pytest.approx([1, 0, 0])
    low, high = order.agents[1].nash_average_interval or (0, 0)
    assert order.agents[1].nash_average == pytest.approx(0.1) and 0 <= low < 0.1 < high < 0.4
    assert "There is no cycle of three agents" in cycles_line(order)


def test_nothing_is_told_of_two_agents_or_of_pairs_that_never_met() -> None:
    apart = played({(0, 1): 0.9, (1, 2): 0.9})
    assert meta_game_table(apart) is None and apart.agents[0].nash is None
    two = standings("ab", [result(k, (k % 2, 1 - k % 2), (1, 2), deal=k) for k in range(6)])
    assert meta_game_table(two) is None
    assert resampled_averages(np.ones((1, 3, 3)), np.ones((1, 3, 3))) is None
