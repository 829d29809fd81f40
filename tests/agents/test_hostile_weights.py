"""Networks whose numbers are extreme or none: whoever plays by them chooses legal actions and reports finite numbers.

The tests of compiled code run with every index checked, so that a loop that leaves its arrays is found here.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from bdgame_env import get_game, list_games
from bdgame_env.agents import Agent, make_agent
from bdgame_env.agents.networks import BadPolicy, load_policy
from bdgame_env.agents.networks.ppo_agent import PolicyAgent
from bdgame_env.engine.batch import Batch
from bdgame_env.engine.game import Game
from tests.support.policies import HOSTILE, hostile_policy

FIRST = get_game(list_games()[0])
SEATS = [(game, players) for game in map(get_game, list_games()) for players in sorted({*game.seats})]
SEARCHES = [
    "az:sims=8",
    "az:sims=8,rollout_turns=2,noise=1,temperature=0.01,value_scale=100,visit_offset=1000000,doubt=0,considered=2",
    "az:sims=8,rollout_turns=1,temperature=100,value_scale=0,visit_offset=0,doubt=1000000,least_visits=1000000",
    "network-planner:deals=1,most=2,rollout_depth=1,considered=2",
    "network-planner:sims=8,rollout_depth=1,z_score=0,value_scale=0,inverse_temperature=0",
    "network-planner:sims=8,rollout_depth=1,z_score=100,value_scale=1000,inverse_temperature=1000",
]


def check_answer(agent: Agent, batch: Batch, name: str) -> npt.NDArray[np.int32]:
    """The agent's actions, after checking all that it tells."""
    actions = agent.act(batch.obs.copy(), batch.mask.copy(), batch.states.copy())
    assert batch.mask[np.arange(len(actions)), actions].all(), name
    if agent.preferences is not None:
        assert np.isfinite(agent.preferences).all(), name
        np.testing.assert_allclose(agent.preferences.sum(axis=1), 1.0, atol=1e-3, err_msg=name)
        assert not agent.preferences[batch.mask == 0].any(), name
    if agent.values is not None:
        assert not np.isinf(agent.values).any() and np.nanmax(np.abs(agent.values), initial=0.0) <= 1.0, name
    report = getattr(agent, "last", None)
    if report is not None:
        assert all(np.isfinite(part).all() for part in (report.values, report.priors)), name
    return actions


@pytest.mark.parametrize(("game", "players"), SEATS, ids=lambda one: getattr(one, "id", one))
def test_every_agent_with_a_network_plays_on(game: Game, players: int) -> None:
    batch = Batch(game, 3, seed=players, players=players)
    rng = np.random.default_rng(players)
    for name in HOSTILE:
        policy = hostile_policy(game, batch.config, name)
        logits, heads = policy.evaluate(batch.obs, batch.mask)
        assert np.isfinite(logits[batch.mask != 0]).all() and np.isfinite(heads).all(), name
        agents: list[Agent] = [PolicyAgent(policy), PolicyAgent(policy, temperature=1, seed=1)]
        for spec in SEARCHES if game is FIRST else ():  # the one whose searches are compiled ahead
            agents.append(make_agent(spec, game, batch.config, seed=1, threads=1, policy=policy))
        for agent in agents:
            for _ in range(2):
                batch.step(check_answer(agent, batch, f"{agent.name}: {name}"))
        for _ in range(4):  # further into the game
            batch.step((rng.random(batch.mask.shape) * batch.mask).argmax(axis=1))


def test_a_file_of_finite_weights_plays(tmp_path: Path) -> None:
    """Whatever their size; what is not finite is refused, see `test_policy_files`."""
    batch = Batch(FIRST, 3, seed=0)
    for name in HOSTILE:
        policy, path = hostile_policy(batch.game, batch.config, name), tmp_path / "policy.npz"
        path.write_bytes(policy.to_bytes())
        if not np.isfinite(policy.weights).all():
            with pytest.raises(BadPolicy, match="numbers that are not finite"):
                load_policy(path, batch.game, batch.config)
            continue
        for spec in ("ppo:", "ppo:sample=1,", "az:sims=32,", "network-planner:deals=1,most=2,rollout_depth=1,"):
            agent = make_agent(f"{spec}path={path}", batch.game, batch.config, seed=1)
            batch.step(check_answer(agent, batch, f"{spec}{name}"))
