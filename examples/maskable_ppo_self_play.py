"""sb3-contrib's MaskablePPO against its own snapshots: `python examples/maskable_ppo_self_play.py gizmos-v3`."""

import argparse

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy

import bdgame_env
from bdgame_env.adapters.sb3_self_play import SelfPlayCallback

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("game", nargs="?", default="nicodemus-v2", choices=bdgame_env.list_games())
parser.add_argument("--players", type=int, default=2)
parser.add_argument("--games", type=int, default=64, help="games side by side")
parser.add_argument("--steps", type=int, default=200_000, help="the learner's decisions")
parser.add_argument("--every", type=int, default=20_000, help="decisions from one snapshot to the next")
parser.add_argument("--tests", type=int, default=500, help="games against random play, before and after")
parser.add_argument("--out", default="runs/self_play", help="folder for the model and its snapshots")
parser.add_argument("--seed", type=int, default=1)
asked = parser.parse_args()

envs = bdgame_env.make_sb3_vec(asked.game, asked.games, players=asked.players)
model = MaskablePPO("MlpPolicy", envs, n_steps=64, batch_size=1024, gamma=1.0, ent_coef=0.01, seed=asked.seed)

# Games against random play, on deals of a seed of their own; nothing is learned from them.
test = bdgame_env.make_sb3_vec(asked.game, 64, players=asked.players, opponents="random", seed=asked.seed + 10**6)
before, _ = evaluate_policy(model, test, asked.tests, deterministic=False)
self_play = SelfPlayCallback(every=asked.every, keep=5, path=f"{asked.out}/snapshots.pt", verbose=1)
model.learn(asked.steps, callback=self_play)
model.save(f"{asked.out}/model.zip")
after, _ = evaluate_policy(model, test, asked.tests, deterministic=False)
print(f"mean reward against random play: {before:+.2f} before, {after:+.2f} after {model.num_timesteps:,} decisions")
