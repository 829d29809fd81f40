"""The first lines of other libraries' guides, with every game: they run as they stand, and without a warning."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test
from stable_baselines3 import PPO
from stable_baselines3.common.env_util import make_vec_env

import bdgame_env
from bdgame_env import BadOption, get_game, make_aec, make_gym, make_match, make_parallel, make_sb3_vec, make_vector
from bdgame_env.agents import UnknownAgent
from bdgame_env.registration import gymnasium_id
from tests.clients.checks import SIZES

GAMES = bdgame_env.list_games()
LITTLE: dict[str, Any] = {"n_steps": 8, "batch_size": 16, "n_epochs": 1, "policy_kwargs": {"net_arch": [8]}}


@pytest.mark.parametrize(("game", "players"), SIZES)
def test_gymnasium_checks_it(game: str, players: int) -> None:
    """The checker takes actions that were drawn in another position, as any library may."""
    for observation in ("flat", "dict", "entities"):
        env = gymnasium.make(gymnasium_id(game), players=players, observation=observation).unwrapped
        check_env(env, skip_render_check=True)


@pytest.mark.parametrize(("game", "players"), SIZES)
def test_pettingzoo_makes_it_by_name(game: str, players: int) -> None:
    for name in (game, f"bdgame_env/{game}"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # it accepts dict observations only of games it knows
            api_test(pettingzoo.make("aec", name, players=players), num_cycles=20)
        parallel_api_test(pettingzoo.make("parallel", name, players=players), num_cycles=20)


@pytest.mark.parametrize("game", GAMES)
def test_stable_baselines_learns_without_masks(game: str) -> None:
    """Plain PPO, which chooses illegal actions all the time, and with fields in place of one vector."""
    envs = make_vec_env(gymnasium_id(game), n_envs=2, seed=1)
    PPO("MlpPolicy", envs, device="cpu", seed=1, **LITTLE).learn(16)
    fields = make_vec_env(gymnasium_id(game), n_envs=2, seed=1, env_kwargs={"observation": "dict"})
    assert all(space.shape for space in fields.observation_space.values())
    PPO("MultiInputPolicy", fields, device="cpu", seed=1, **LITTLE).learn(16)
    model = PPO("MlpPolicy", make_sb3_vec(game, 2, seed=1), device="cpu", seed=1, **LITTLE).learn(64)
    assert min(episode["r"] for episode in model.ep_info_buffer) == -1


@pytest.mark.parametrize("game", GAMES)
def test_an_unknown_keyword_is_pythons_own_error(game: str) -> None:
    """TorchRL's `GymEnv` tries `frameskip=`, and goes on without it if a TypeError says these words."""
    makers = (make_gym, make_vector, make_sb3_vec, make_aec, make_parallel)
    own = ", ".join(["players", *get_game(game).options])
    for make in makers:
        with pytest.raises(TypeError, match=f"^{game}: unexpected keyword argument 'frameskip'; allowed: .*{own}$"):
            make(game, frameskip=1)  # type: ignore[operator]
    with pytest.raises(TypeError, match="unexpected keyword argument 'frameskip'"):
        gymnasium.make(gymnasium_id(game), frameskip=1)
    with pytest.raises(TypeError, match="unknown option 'frameskip'"):
        make_match(game, frameskip=1)
    with pytest.raises(BadOption, match=r"allowed: .*opponents, .*illegal, "):
        make_gym(game, opponent="random")


@pytest.mark.parametrize("game", [game for game in GAMES if game != "bdgame-v3"])
def test_a_player_of_another_game_is_refused_with_those_of_this_one(game: str) -> None:
    for opponents in ("greedy", ["random", "thrifty"]):
        told = rf"^agent '\w+': {game} has no such player; "
        told += (
            r"known: az, heuristic, mcts, network-planner, planner, ppo, random, strong-planner, level:1 to level:10$"
        )
        with pytest.raises(UnknownAgent, match=told):
            make_gym(game, opponents=opponents)


@pytest.mark.parametrize(("game", "players"), SIZES)
def test_masks_may_be_written_to(game: str, players: int) -> None:
    """Libraries do; the environment's own mask stays as it is."""
    aec = make_aec(game, players=players)
    aec.reset(seed=1)
    for _ in range(6):
        legal = aec.legal_moves()
        for agent in aec.agents:
            for mask in (aec.infos[agent]["action_mask"], aec.observe(agent)["action_mask"]):
                mask[:] = 1
        assert aec.legal_moves() == legal
        mover = aec.agent_selection
        aec.play(legal[0])
        assert aec.infos[aec.agent_selection]["action_mask"].sum() == len(aec.legal_moves())
        assert mover == aec.agent_selection or not aec.infos[mover]["action_mask"].any()
        assert not any(aec.observe(agent)["action_mask"].any() for agent in aec.agents if agent != aec.agent_selection)
    for env in (make_gym(game, players=players), make_vector(game, 2, players=players)):
        _, info = env.reset(seed=1)
        before = env.batch.mask.copy()
        info["action_mask"][:] = 1
        assert (env.batch.mask == before).all()
    parallel = make_parallel(game, players=players)
    _, infos = parallel.reset(seed=1)
    for agent in parallel.agents:
        infos[agent]["action_mask"][:] = 1
    assert not np.array_equal(parallel.observe("player_0")["action_mask"], infos["player_0"]["action_mask"])
