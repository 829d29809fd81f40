"""PPO of Ray RLlib, one network in every seat: `python examples/rllib_self_play.py nicodemus-v2 --iterations 8`."""

import argparse
import logging

import numpy as np
import ray

import bdgame_env
from bdgame_env.adapters.rllib import ModulePolicy, self_play_config

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("game", nargs="?", default="nicodemus-v2", choices=bdgame_env.list_games())
parser.add_argument("--players", type=int, default=2)
parser.add_argument("--iterations", type=int, default=8)
parser.add_argument("--batch", type=int, default=2048, help="decisions of all seats in each iteration")
parser.add_argument("--tests", type=int, default=256, help="games against random play, before and after")
parser.add_argument("--seed", type=int, default=1)
asked = parser.parse_args()


def wins(policy: ModulePolicy) -> float:
    """The share of games won against random play, on deals of a seed of their own."""
    envs = bdgame_env.make_vector(asked.game, asked.tests, players=asked.players, opponents="random", reward="win")
    seen, info = envs.reset(seed=asked.seed + 10**6)
    won = np.full(asked.tests, np.nan)
    while np.isnan(won).any():
        seen, reward, terminated, truncated, info = envs.step(policy(seen, info["action_mask"]))
        over = (terminated | truncated) & np.isnan(won)  # the first game of each row counts
        won[over] = reward[over] > 0
    return float(won.mean())


# A small Ray: one core, this machine only, no dashboard.
ray.init(
    num_cpus=1,
    include_dashboard=False,
    object_store_memory=100 * 2**20,
    _node_ip_address="127.0.0.1",
    log_to_driver=False,
    logging_level=logging.ERROR,
)
config = self_play_config(bdgame_env.get_game(asked.game), players=asked.players)
config = config.training(train_batch_size_per_learner=asked.batch, minibatch_size=min(256, asked.batch))
algorithm = config.debugging(seed=asked.seed).build_algo()
policy = ModulePolicy(algorithm.get_module("learner"), seed=asked.seed)
before = wins(policy)
for iteration in range(1, asked.iterations + 1):
    result = algorithm.train()
    entropy = result["learners"]["learner"]["entropy"]
    print(f"iteration {iteration}: {result['num_env_steps_sampled_lifetime']:,.0f} decisions, entropy {entropy:.2f}")
after = wins(policy)
print(f"wins against random play: {before:.1%} before, {after:.1%} after")
algorithm.stop()
ray.shutdown()
