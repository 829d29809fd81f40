"""Tianshou: `PettingZooEnv` with random agents and with DQN against them, and its quick start on Gymnasium."""

from __future__ import annotations

from typing import Any

import gymnasium
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
from tianshou.data import Collector, CollectStats, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

from bdgame_env import make_aec
from bdgame_env.registration import gymnasium_id
from tests.clients.checks import check

NEEDS = [".", "tianshou"]


def dqn(observations: Any, actions: Any) -> DQN:
    net = Net(state_shape=observations.shape, action_shape=actions.n, hidden_sizes=[32])
    policy = DiscreteQLearningPolicy(model=net, action_space=actions, observation_space=observations, eps_training=0.5)
    return DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3))


def train(algorithm: Any, envs: DummyVectorEnv) -> None:
    buffer = VectorReplayBuffer(1000, len(envs))
    collector = Collector[CollectStats](algorithm, envs, buffer, exploration_noise=True)
    collector.reset()
    collector.collect(n_step=64)
    params = OffPolicyTrainerParams(
        training_collector=collector,
        test_collector=None,
        max_epochs=1,
        epoch_num_steps=64,
        collection_step_num_env_steps=32,
        update_step_num_gradient_steps_per_sample=0.1,
        batch_size=16,
        verbose=False,
    )
    algorithm.run_training(params)


@check("`PettingZooEnv`, `MultiAgentOffPolicyAlgorithm` of random agents, `Collector`")
def random_agents(game: str, players: int) -> None:
    def make() -> PettingZooEnv:
        return PettingZooEnv(make_aec(game, players=players, illegal="raise", max_cycles=200))

    env = make()
    agents = [MARLRandomDiscreteMaskedOffPolicyAlgorithm(env.action_space) for _ in range(players)]
    algorithm = MultiAgentOffPolicyAlgorithm(algorithms=agents, env=env)
    collector = Collector[CollectStats](algorithm, DummyVectorEnv([make, make]))
    result = collector.collect(n_episode=2, reset_before_collect=True)
    assert result.n_collected_episodes == 2 and result.returns.shape == (2, players)


@check("DQN for the first seat against random agents")
def dqn_against_random(game: str, players: int) -> None:
    def make() -> PettingZooEnv:
        return PettingZooEnv(make_aec(game, players=players, illegal="raise"))

    env = make()
    learner = dqn(env.observation_space["observation"], env.action_space)
    others = [MARLRandomDiscreteMaskedOffPolicyAlgorithm(env.action_space) for _ in range(players - 1)]
    train(MultiAgentOffPolicyAlgorithm(algorithms=[learner, *others], env=env), DummyVectorEnv([make, make]))


@check("quick start: DQN on `gymnasium.make`")
def quick_start(game: str, players: int) -> None:
    # glue
    # The last info of a game has text in "final". Tianshou fills up the other infos with None, and takes it for NaN.
    class NoFinal(gymnasium.Wrapper):
        def step(self, action: Any) -> Any:
            *result, info = self.env.step(action)
            info.pop("final", None)
            return *result, info

    # end of glue
    def make() -> gymnasium.Env:
        return NoFinal(gymnasium.make(gymnasium_id(game), players=players))

    env = make()
    train(dqn(env.observation_space, env.action_space), DummyVectorEnv([make, make]))
