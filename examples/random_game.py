"""A random game, turn by turn: `python examples/random_game.py gizmos-v3 --players 3`."""

import argparse

import numpy as np

import bdgame_env

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("game", nargs="?", default="bdgame-v3", choices=bdgame_env.list_games())
parser.add_argument("--players", type=int, default=2)
parser.add_argument("--seed", type=int, default=1)
asked = parser.parse_args()

env = bdgame_env.make_aec(asked.game, players=asked.players)  # PettingZoo AEC
env.reset(seed=asked.seed)
rng = np.random.default_rng(asked.seed)
for agent in env.agent_iter():
    observation, reward, termination, truncation, info = env.last()
    if termination or truncation:
        print(f"{agent}: rank {info['rank']}, {info['points']} points, reward {reward:+.2f}")
        env.step(None)
    else:
        env.step(rng.choice(np.flatnonzero(observation["action_mask"])))
