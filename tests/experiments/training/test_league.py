"""The league: snapshots that still beat the learner come more often."""

from __future__ import annotations

import numpy as np
import pytest

from bdgame_env.agents.networks.network import Network
from bdgame_env.experiments.training.league import League


def league_of(*scores: tuple[float, float]) -> League:
    """A league with a snapshot for each score, games won and games."""
    league = League(max(1, len(scores)))
    for number, score in enumerate(scores):
        league.add(np.full(3, number, np.float32))
        league.scores[number] = list(score)
    return league


def shares(league: League, draws: int = 10_000) -> list[float]:
    """How often each snapshot is drawn, for numbers spread evenly over [0, 1)."""
    drawn = np.zeros(len(league.weights))
    for k in range(draws):
        league.draw((k + 0.5) / draws)
        drawn[league.drawn] += 1 / draws
    return [float(share) for share in drawn]


def test_snapshots_that_have_not_played_are_drawn_alike() -> None:
    assert shares(league_of((0, 0), (0, 0), (0, 0))) == pytest.approx([1 / 3] * 3, abs=1e-3)


def test_who_beats_the_learner_comes_more_often() -> None:
    """The weight is (1 - p)^2 of Vinyals et al. 2019, with one win and one loss added to the games seen."""
    weights = np.array([(1 - 1 / 2) ** 2, (1 - 81 / 102) ** 2, (1 - 11 / 102) ** 2])
    drawn = shares(league_of((0, 0), (80, 100), (10, 100)))
    assert drawn == pytest.approx(weights / weights.sum(), abs=1e-3)


def test_no_snapshot_is_ever_out_of_reach() -> None:
    """Not even one that has lost every game; and no number leads beyond the last one."""
    assert min(shares(league_of((0, 0), (100, 100)), 100_000)) > 0
    league = league_of((0, 0), (0, 0))
    for number, rival in ((0.0, 0), (np.nextafter(1.0, 0.0), 1)):
        league.draw(float(number))
        assert league.drawn == rival


def test_games_count_for_the_rival_alone() -> None:
    league = league_of((0, 0), (0, 0))
    league.drawn = 1
    league.count(2.5, 4)
    league.count(0, 0)
    assert league.scores == [[0.0, 0.0], [2.5, 4.0]]


def test_old_games_fade() -> None:
    """A learner that has caught up is soon recognized, and the number of games that count stays bounded."""
    league = league_of((0, 0))
    for _ in range(100):
        league.count(0, 100)
    assert league.scores[0] == [0.0, pytest.approx(2000, rel=0.02)]
    for _ in range(60):
        league.count(100, 100)
    won, games = league.scores[0]
    assert won / games > 0.9 and games <= 2000
    league.count(3000, 5000)  # more at once than are remembered
    assert league.scores[0] == [3000, 5000]


def test_the_first_snapshot_and_the_newest_are_kept() -> None:
    league = League(3)
    weights = np.zeros(2, np.float32)
    for number in range(6):
        weights[:] = number
        league.add(weights)
        league.scores[-1][0] = number
        assert len(league.weights) == len(league.scores) == min(3, number + 1)
    assert [int(kept[0]) for kept in league.weights] == [0, 4, 5] == [int(won) for won, _ in league.scores]


def test_rivals_are_kept_for_good() -> None:
    """All of them, even if there are as many as places; the two newest snapshots are met as well."""
    nothing = Network(*(np.zeros(0, np.float32) for _ in Network._fields))
    league = League(2, [nothing, nothing])
    for number in range(8):
        league.add(np.full(2, number, np.float32))
        league.scores[-1][0] = number
    assert [int(weights[0]) for weights in league.weights] == [6, 7]
    assert [int(won) for won, _ in league.scores] == [0, 0, 6, 7]


@pytest.mark.parametrize(("most", "kept"), [(1, [5]), (2, [4, 5])])
def test_small_leagues_keep_the_newest(most: int, kept: list[int]) -> None:
    league = League(most)
    for number in range(6):
        league.add(np.full(2, number, np.float32))
    assert [int(weights[0]) for weights in league.weights] == kept


def test_an_empty_league_has_no_rival() -> None:
    league = League(2)
    league.count(1, 2)
    league.draw(0.5)
    assert league.drawn == 0 and league.scores == []
