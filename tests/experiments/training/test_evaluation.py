"""Evaluations: the compiled games are those that plain Python plays, and what is counted in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bdgame_env.agents.networks import Policy
from bdgame_env.agents.networks.network import fresh
from bdgame_env.agents.networks.row_plan import plan_network
from bdgame_env.engine.match import Match
from bdgame_env.engine.players import AGENT_RNG
from bdgame_env.engine.rng import random_legal
from bdgame_env.experiments.errors import BadInput
from bdgame_env.experiments.training.codes import RIVAL
from bdgame_env.experiments.training.config import SEEDS, checked
from bdgame_env.experiments.training.evaluation import (
    CurveRow,
    Opponent,
    measure,
    measure_against,
    write_curve,
)
from bdgame_env.experiments.training.rollouts import Matches
from tests.support.tiny_training import tiny_runs
from tests.support.toy_game import GAME

DEALS = 12
RANDOM = Opponent("random", 0)


@pytest.fixture(autouse=True)
def _tiny() -> Iterator[None]:
    with tiny_runs():
        yield


def policy_of(players: int, seed: int = 1, **options: Any) -> Policy:
    """A network with weights so large that its choices are its own."""
    plan = plan_network(GAME, GAME.config(players=players, **options))
    return Policy(plan, 20 * fresh(plan, 8, 1, seed), 8, 1, {"game": GAME.id, "players": [players]})


def measured(policy: Policy, players: int, opponent: Opponent = RANDOM, seed: int = 0, **options: Any) -> CurveRow:
    return measure(policy, GAME, GAME.config(players=players, **options), opponent, DEALS, seed, 1)


def replayed(policy: Policy, rival: Policy | None, players: int, seed: int, **options: Any) -> list[Match]:
    """The games of an evaluation move by move, from each seat in turn; against random play if there is no rival."""
    count = DEALS * players
    deals = np.random.SeedSequence([SEEDS + seed, players]).generate_state(count, np.uint64)
    rng = np.zeros(count, AGENT_RNG)
    rng["rng"] = np.random.default_rng([SEEDS + seed, players, 1]).integers(0, 2**64, count, np.uint64)
    games = []
    for row in range(count):
        match = Match(GAME, players=players, **options)
        match.deal(int(deals[row % DEALS]))
        while not match.over:
            mover = policy if match.seat == row // DEALS else rival
            if mover is None:
                match.play(int(random_legal(match.mask(), rng[row])))
            else:
                match.play(int(mover.logits(match.observe()[None], match.mask()[None])[0].argmax()))
        games.append(match)
    return games


@pytest.mark.parametrize("against", ["random", "another network"])
@pytest.mark.parametrize("players", [2, 3])
def test_a_measurement_is_what_plain_python_counts(players: int, against: str) -> None:
    """Deal by deal and seat by seat; with rolls and few rounds, so that random play shares first ranks."""
    options = {"max_rounds": 2, "rolling": True}
    policy = policy_of(players, 2, **options)
    rival = policy_of(players, 3, **options) if against != "random" else None
    opponent = RANDOM if rival is None else Opponent("twin", RIVAL, rival.network)
    row = measured(policy, players, opponent, 3, **options)
    games = replayed(policy, rival, players, 3, **options)
    own = [number // DEALS for number in range(len(games))]
    won = [(game.ranks()[seat] == 1) / game.ranks().count(1) for game, seat in zip(games, own, strict=True)]
    mine = [game.points()[seat] for game, seat in zip(games, own, strict=True)]
    others = [sum(game.points()) - points for game, points in zip(games, mine, strict=True)]
    assert {0.0, 0.5, 1.0} <= set(won)
    assert row.games == len(games) == DEALS * players and row.players == players
    assert row.win_rate == pytest.approx(np.mean(won))
    assert row.points == pytest.approx(np.mean(mine))
    assert row.opponent_points == pytest.approx(np.mean(others) / (players - 1))
    assert row.truncated == pytest.approx(np.mean([game.truncated for game in games]))
    assert row.length == pytest.approx(np.mean([game.state["decisions"] for game in games]))
    assert 0 <= row.low <= row.win_rate <= row.high <= 1


def test_deals_are_never_those_of_training() -> None:
    """Whatever the seeds: those of training end where those of evaluations begin."""
    config = GAME.config()

    def deals(seed: int) -> set[int]:
        return set(Matches(GAME, config, 64, seed, 1).games["game_seed"].tolist())

    seen = set().union(*(deals(seed) for seed in (0, 1, 2, 2**32, SEEDS - 1)))
    assert len(seen) == 5 * 64
    assert not seen & (deals(SEEDS) | deals(SEEDS + 1))
    assert checked({"game": "toy-v1", "seed": SEEDS - 1}, "x").seed == SEEDS - 1
    with pytest.raises(BadInput, match=f"seed is {SEEDS}, must be less than {SEEDS}"):
        checked({"game": "toy-v1", "seed": SEEDS}, "x")


@pytest.mark.parametrize("players", [2, 3])
def test_agents_of_any_kind_are_met_on_the_same_deals(tmp_path: Path, players: int) -> None:
    """A network is an agent too, so both ways to measure must come to the same."""
    policy, rival = policy_of(players), policy_of(players, seed=2)
    (tmp_path / "rival.npz").write_bytes(rival.to_bytes())
    config = GAME.config(players=players)
    wanted = measured(policy, players, Opponent("ppo", RIVAL, rival.network), seed=4)
    with tiny_runs():
        found = measure_against(f"ppo:path={tmp_path / 'rival.npz'}", policy, GAME, config, DEALS, 4)
    assert found == replace(wanted, opponent=found.opponent)


def test_one_deal_has_no_interval() -> None:
    config = GAME.config(players=2)
    policy = policy_of(2)
    row = measure(policy, GAME, config, RANDOM, 1, 0, 1)
    assert (row.low, row.high) == (0.0, 1.0)
    row = measured(policy, 2)
    assert 0.0 <= row.low <= row.win_rate <= row.high <= 1.0 and row.high - row.low > 0.1


def test_a_curve_is_a_table_and_lines_of_text(tmp_path: Path) -> None:
    row = replace(measured(policy_of(2), 2), decisions=1200, label="random")
    write_curve(tmp_path / "curve.csv", [row, row])
    lines = (tmp_path / "curve.csv").read_text().splitlines()
    assert lines[0] == ",".join(field.name for field in fields(CurveRow)) and len(lines) == 3 and lines[1] == lines[2]
    assert lines[1].startswith("1200,0.0,2,random,random,24,")
    told = str(row)
    assert told.strip().startswith("1,200 decisions: wins") and "against random" in told and "\n" not in told
