"""Opponents by name."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import numpy as np
import pytest

from bdgame_env import BadOption, get_game, make_gym
from bdgame_env.agents.base import Agent, UnknownAgent
from bdgame_env.agents.networks.ppo_agent import PolicyAgent
from bdgame_env.agents.opponents import resolve_opponents
from bdgame_env.agents.random_agent import RandomAgent
from bdgame_env.engine.learner import Opponent
from tests.support.policies import plain_policy

GAME = get_game("bdgame-v3")
CONFIG = GAME.config()


class Fixed(Agent):
    name = "fixed"
    needs_states = True

    def act(self, observation, mask, states=None):
        return mask.argmax(axis=1).astype(np.int32)


def first(observation, mask):
    return mask.argmax(axis=1)


def resolve(specs):
    return resolve_opponents(GAME, CONFIG, specs)[0]


def test_names_of_compiled_players_play_compiled():
    pool, players = resolve_opponents(GAME, CONFIG, ["random", "greedy"])
    assert players is not None and players.names[0] == "greedy"
    assert [(opponent.name, opponent.policy, opponent.act) for opponent in pool] == [
        ("random", 0, None),
        ("greedy", 1, None),
    ]


def test_agents_and_functions_are_asked_in_python():
    agent = Fixed()
    by_agent, by_function = resolve([agent, first])
    assert (by_agent.name, by_agent.policy, by_agent.needs_states) == ("fixed", None, True)
    assert by_agent.act == agent.act and by_agent.seed == agent.seed
    assert (by_function.name, by_function.policy, by_function.needs_states) == ("first", None, False)
    mask = np.array([[0, 1, 0], [0, 0, 1]], np.int8)
    assert by_function.act(None, mask, None).tolist() == [1, 2]


def test_trained_policies_are_asked_in_python(tmp_path: Path):
    path = tmp_path / "x.npz"
    policy = plain_policy(GAME, CONFIG, scale=0.1)
    path.write_bytes(policy.to_bytes())
    by_name = f"ppo:path={path}"
    for spec, name in ((str(path), by_name), (by_name, by_name), (PolicyAgent(policy), "policy")):
        (opponent,) = resolve(spec)
        assert (opponent.name, opponent.policy, opponent.needs_states) == (name, None, False)
    env = make_gym(GAME.id, opponents=[str(path), (PolicyAgent(policy, temperature=1, seed=1), 2.0)])
    _, info = env.reset(seed=1)
    for _ in range(20):
        _, _, over, cut, info = env.step(int(info["action_mask"].argmax()))
        if over or cut:
            _, info = env.reset()


def test_weights_and_single_specs():
    own = Opponent("own", policy=0)
    assert resolve(own) == [own]
    assert [opponent.name for opponent in resolve("greedy")] == ["greedy"]
    assert [opponent.name for opponent in resolve(first)] == ["first"]
    assert [opponent.name for opponent in resolve(("random", "greedy"))] == ["random", "greedy"]
    assert [(opponent.name, opponent.weight) for opponent in resolve([("greedy", 3), "random", (own, 0.5)])] == [
        ("greedy", 3.0),
        ("random", 1.0),
        ("own", 0.5),
    ]
    assert [(opponent.name, opponent.weight) for opponent in resolve(("greedy", 2))] == [("greedy", 2.0)]


@pytest.mark.parametrize(
    ("specs", "error", "told"),
    [
        ([], BadOption, "at least one is needed"),
        (7, BadOption, "opponents=7, must be a name, an agent, or a list of them"),
        ([7], BadOption, "opponent 7 is no name, agent, function or pair"),
        ([RandomAgent], BadOption, "is no name, agent, function or pair"),
        (["nobody"], UnknownAgent, "unknown agent 'nobody'; known: "),
    ],
)
def test_wrong_specs_are_refused_in_one_line(specs, error, told):
    with pytest.raises(error, match=told) as caught:
        resolve(specs)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["mcts:sims=2", "planner:sims=2", "az:sims=2", "network-planner:sims=2"])
def test_environments_whose_opponents_search_can_be_copied(name):
    """Copies, pickles and clones play on alike; loops are modules, which none of them could hold."""
    env = make_gym(GAME.id, opponents=name, seat=0, max_rounds=3)
    env.reset(seed=1)
    env.step(int(env.action_masks().argmax()))
    seen = []
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env)), env.clone(), env):
        moves = [twin.step(int(twin.action_masks().argmax()))[0].tobytes() for _ in range(2)]
        seen.append(moves)
    assert all(moves == seen[0] for moves in seen)
