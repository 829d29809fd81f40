"""The league: opponents that still beat the learner come more often."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bdgame_env import get_game
from bdgame_env.agents import UnknownAgent
from bdgame_env.experiments.training.config import SelfPlay, TrainConfig
from bdgame_env.experiments.training.league import League
from tests.support.policies import plain_policy

GAME = get_game("bdgame-v2")
CONFIG = TrainConfig(
    "bdgame-v2", self_play=SelfPlay(opponents={"greedy": 0.4, "random": 0.0}, self_weight=0.6, snapshots=2)
)


BOXES = {players: GAME.config(players=players) for players in (2, 3)}


def league_of(config=CONFIG, scores=None):
    return League(config, GAME, BOXES, scores)


def snapshot(name):
    return name, plain_policy(GAME, BOXES[2])


def ended(lineup, ranks, seat=0):
    return {"final": {"lineup": lineup, "ranks": np.array(ranks), "seat": seat}}


def names(pool):
    return {who if isinstance(who, str) else who.name: weight for who, weight in pool}


def test_new_snapshots_weigh_alike_and_only_the_newest_play():
    """Before any game, all count as equally strong; an opponent without weight is left out."""
    pool = league_of().pool([snapshot("old"), snapshot("a"), snapshot("b")], 2)
    assert names(pool) == pytest.approx({"greedy": 0.4, "a": 0.3, "b": 0.3})


def test_who_beats_the_learner_comes_more_often():
    """The weight is (1 - p)^2 of Vinyals et al. 2019, with one win and one loss added to the games seen."""
    league = league_of()
    league.count([{}, ended(("learner", "a"), (1, 2)), ended(("b", "learner"), (1, 2), seat=1)])
    assert league.score("a") == pytest.approx(2 / 3) and league.score("b") == pytest.approx(1 / 3)
    weights = names(league.pool([snapshot("a"), snapshot("b")], 2))
    assert weights["b"] == pytest.approx(4 * weights["a"]) and weights["a"] + weights["b"] == pytest.approx(0.6)


def test_ties_count_half_and_every_seat_counts():
    """In a game of three, each opponent is counted separately."""
    league = league_of(replace(CONFIG, players=(3,)))
    league.count([ended(("a", "learner", "b"), (1, 1, 3), seat=1)])
    assert league.score("a") == pytest.approx(0.5) and league.score("b") == pytest.approx(2 / 3)


def test_old_games_fade():
    """A learner that has caught up is soon recognized."""
    league = league_of()
    league.count([ended(("learner", "a"), (2, 1))] * 1000)
    assert league.score("a") < 0.02
    league.count([ended(("learner", "a"), (1, 2))] * 400)
    assert league.score("a") > 0.8


def test_it_goes_on_from_a_checkpoint():
    """Scores are part of the checkpoint, and a snapshot stays the same opponent."""
    league = league_of()
    league.count([ended(("learner", "a"), (1, 2))] * 5)
    twin = league_of(scores=league.to_json())
    assert twin.score("a") == league.score("a")
    (first, _), (again, _) = league.pool([snapshot("a")], 2)[1], league.pool([snapshot("a")], 2)[1]
    assert first is again and first.name == "a"


def test_snapshots_that_left_the_pool_are_kept_while_they_play():
    """By the names that games in progress use; other names are agent specs."""
    league = league_of()
    first = league.pool([snapshot("a")], 2)[1][0]
    league.pool([snapshot("b"), snapshot("c")], 2)
    assert list(league.policies) == ["a", "b", "c"]
    league.forget_all_but(["a", "c", "greedy"])
    assert list(league.policies) == ["a", "c"]
    twin = League(CONFIG, GAME, BOXES, league.to_json(), league.policies)
    again, greedy = twin.opponent("a", 2), twin.opponent("greedy", 3)
    assert (again.name, greedy.name, greedy.needs_states) == ("a", "greedy", True)
    assert again.act.__self__.policy is first.policy
    with pytest.raises(UnknownAgent, match="unknown agent 'b'"):
        twin.opponent("b", 2)
