"""PPO in one file, on the vector environment, with masks: `python examples/ppo.py gizmos-v3 --opponents heuristic`.

One learner plays many games at once in one process; opponents play the other seats. PPO: Schulman et al. 2017;
masks: Huang and Ontanon 2022. Every step of a rollout is a decision of the learner, which the rewards are for.
"""

import argparse
import time
from collections.abc import Callable

import numpy as np
import torch
from torch import nn

import bdgame_env

parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
parser.add_argument("game", nargs="?", default="nicodemus-v2", choices=bdgame_env.list_games())
parser.add_argument("--players", type=int, default=2)
parser.add_argument("--opponents", default="random", help="agents, drawn game by game, e.g. heuristic,random")
parser.add_argument("--games", type=int, default=64, help="games side by side")
parser.add_argument("--steps", type=int, default=500_000, help="the learner's decisions, up to a whole rollout")
parser.add_argument("--rollout", type=int, default=64, help="decisions per game between updates")
parser.add_argument("--batch", type=int, default=1024)
parser.add_argument("--epochs", type=int, default=3)
parser.add_argument("--width", type=int, default=128)
parser.add_argument("--rate", type=float, default=1e-3, help="learning rate")
parser.add_argument("--seed", type=int, default=1)
GAMMA, LAMBDA, CLIP, ENTROPY, VALUE, NORM = 1.0, 0.95, 0.2, 0.01, 0.5, 0.5


class Network(nn.Module):
    """A body with two heads: a logit for each action, and the value of the position."""

    def __init__(self, scale: torch.Tensor, actions: int, width: int) -> None:
        super().__init__()
        self.scale, size = scale, len(scale)
        self.body = nn.Sequential(nn.Linear(size, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.policy, self.value = nn.Linear(width, actions), nn.Linear(width, 1)

    def forward(self, seen: torch.Tensor, mask: torch.Tensor) -> tuple[torch.distributions.Categorical, torch.Tensor]:
        hidden = self.body(seen * self.scale)
        logits = self.policy(hidden).masked_fill(~mask, -1e9)  # illegal actions have the probability 0
        return torch.distributions.Categorical(logits=logits), self.value(hidden)[:, 0]


def train(asked: argparse.Namespace, watch: Callable[[Network, int], bool] | None = None) -> None:
    """Train with these arguments; `watch`, called after each update with the number of steps, says whether to go on."""
    torch.manual_seed(asked.seed)
    opponents = asked.opponents.split(",")
    envs = bdgame_env.make_vector(
        asked.game, asked.games, players=asked.players, opponents=opponents, observation="float", illegal="raise"
    )
    space = envs.single_observation_space
    scale = torch.as_tensor(1 / np.maximum(np.maximum(np.abs(space.low), np.abs(space.high)), 1))

    network = Network(scale, int(envs.single_action_space.n), asked.width)
    adam = torch.optim.Adam(network.parameters(), lr=asked.rate, eps=1e-5)
    n, length = asked.games, asked.rollout
    observations = torch.zeros(length, n, space.shape[0])
    masks = torch.zeros(length, n, int(envs.single_action_space.n), dtype=torch.bool)
    actions = torch.zeros(length, n, dtype=torch.long)
    logps, values, rewards, ends = torch.zeros(4, length, n)

    seen, info = envs.reset(seed=asked.seed)
    returns: list[float] = []
    begun = time.perf_counter()
    for update in range(1, -(-asked.steps // (n * length)) + 1):
        # play
        for t in range(length):
            observations[t] = torch.as_tensor(seen)
            masks[t] = torch.as_tensor(info["action_mask"]).bool()
            with torch.no_grad():
                policy, values[t] = network(observations[t], masks[t])
            actions[t] = policy.sample()
            logps[t] = policy.log_prob(actions[t])
            seen, reward, terminated, truncated, info = envs.step(actions[t].numpy())
            # A game that ends is replaced within the step. The round limit pays by rank too: nothing is bootstrapped.
            rewards[t], ends[t] = torch.as_tensor(reward), torch.as_tensor(terminated | truncated)
            returns += reward[terminated | truncated].tolist()

        # advantages by GAE, from the last step to the first
        with torch.no_grad():
            _, following = network(torch.as_tensor(seen), torch.as_tensor(info["action_mask"]).bool())
        advantages, advantage = torch.zeros(length, n), torch.zeros(n)
        for t in reversed(range(length)):
            goes_on = 1 - ends[t]
            advantage = rewards[t] + goes_on * GAMMA * (following + LAMBDA * advantage) - values[t]
            advantages[t], following = advantage, values[t]
        targets = advantages + values

        # learn
        flat = [x.flatten(0, 1) for x in (observations, masks, actions, logps, advantages, targets)]
        for _ in range(asked.epochs):
            for rows in torch.randperm(n * length).split(asked.batch):
                seen_b, mask_b, action_b, logp_b, advantage_b, target_b = (x[rows] for x in flat)
                policy, value = network(seen_b, mask_b)
                ratio = (policy.log_prob(action_b) - logp_b).exp()
                gain = (advantage_b - advantage_b.mean()) / (advantage_b.std() + 1e-8)
                surrogate = torch.min(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
                loss = VALUE * (value - target_b).square().mean() - surrogate - ENTROPY * policy.entropy().mean()
                adam.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(network.parameters(), NORM)
                adam.step()

        steps, recent = update * n * length, returns[-500:]
        if watch is not None and not watch(network, steps):
            break
        if update % 10 == 0 or steps >= asked.steps:
            speed = steps / (time.perf_counter() - begun)
            mean = f"mean reward of {len(recent)} games {np.mean(recent):+.3f}" if recent else "no game is over yet"
            print(f"{steps:>9,} steps: {mean}, {speed:,.0f} steps/s", flush=True)


if __name__ == "__main__":
    train(parser.parse_args())
