"""RLlib's new API stack: PPO on the Gymnasium ids, `PettingZooEnv` and `ParallelPettingZooEnv`, without masks.

For an environment and a module that use the masks there is `bdgame_env.adapters.rllib`, where it is installed.
"""

from __future__ import annotations

import logging
from functools import cache
from typing import Any

import ray
from ray.rllib.algorithms.algorithm_config import AlgorithmConfig
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.connectors.env_to_module import FlattenObservations
from ray.rllib.env.wrappers.pettingzoo_env import ParallelPettingZooEnv, PettingZooEnv
from ray.tune.registry import register_env

from bdgame_env import make_aec, make_parallel
from bdgame_env.registration import gymnasium_id
from tests.clients.checks import check

NEEDS = [".", "ray[rllib]", "torch"]


@cache
def start() -> None:
    ray.init("local", num_cpus=1, include_dashboard=False, logging_level=logging.ERROR, log_to_driver=False)


def train(config: AlgorithmConfig) -> dict[str, Any]:
    start()
    config = config.env_runners(num_env_runners=0)
    config = config.training(train_batch_size_per_learner=128, minibatch_size=64, num_epochs=1)
    algorithm = config.build_algo()
    result: dict[str, Any] = algorithm.train()
    algorithm.stop()
    return result


def separate_policies(config: AlgorithmConfig, players: int) -> AlgorithmConfig:
    """As in RLlib's example of independent learning."""
    agents = [f"player_{seat}" for seat in range(players)]
    return config.multi_agent(policies=set(agents), policy_mapping_fn=lambda agent, *args, **kwargs: agent)


@check("`PPOConfig().environment(ID)`, `build_algo`, `train`")
def gymnasium_ppo(game: str, players: int) -> None:
    options = {"players": players, "observation": "float"}
    result = train(PPOConfig().environment(gymnasium_id(game), env_config=options))
    assert result["env_runners"]["num_env_steps_sampled"] >= 128


@check("`PettingZooEnv` with a policy for each agent")
def pettingzoo(game: str, players: int) -> None:
    register_env("aec", lambda _: PettingZooEnv(make_aec(game, players=players, observation="float")))
    config = separate_policies(PPOConfig().environment("aec"), players)
    # glue
    config = config.env_runners(env_to_module_connector=lambda *args, **kwargs: FlattenObservations(multi_agent=True))
    # end of glue
    assert train(config)["env_runners"]["num_env_steps_sampled"] >= 128


@check("`ParallelPettingZooEnv` with a policy for each agent")
def parallel_pettingzoo(game: str, players: int) -> None:
    register_env("par", lambda _: ParallelPettingZooEnv(make_parallel(game, players=players, observation="float")))
    config = separate_policies(PPOConfig().environment("par"), players)
    # glue
    config = config.env_runners(env_to_module_connector=lambda *args, **kwargs: FlattenObservations(multi_agent=True))
    # end of glue
    assert train(config)["env_runners"]["num_env_steps_sampled"] >= 128
