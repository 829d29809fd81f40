"""A baseline in one file: sb3-contrib's MaskablePPO on `make_sb3_vec`, with a network that is then a policy file.

    python -m experiments.training.maskable_ppo nicodemus-v2 --steps 200000 --out policy.npz
    bdgame tournament nicodemus-v2 ppo:path=policy.npz heuristic

PPO: Schulman et al. 2017, arXiv 1707.06347; invalid actions: Huang and Ontañón 2022, arXiv 2006.14171. The network is
that of `bdgame_env.agents.networks`, without card rows and with a single head, for the learner's own reward.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import torch
import typer
from gymnasium.spaces import Box
from sb3_contrib import MaskablePPO
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from bdgame_env import BadOption, UnknownGame, make_sb3_vec
from bdgame_env.adapters.sb3_vec import LearnerVecEnv
from bdgame_env.agents import UnknownAgent
from bdgame_env.agents.networks import Policy, file_of
from bdgame_env.agents.networks.forward import rows_on
from bdgame_env.agents.networks.network import RANK, UTILITY, size_of, view
from bdgame_env.agents.networks.row_plan import Plan, plan_network
from bdgame_env.engine.jit import entry_point
from bdgame_env.experiments.files import write_bytes


@entry_point
def all_rows_on(observations: Any, plan: Plan, rows: Any) -> None:
    """Write the rows that each observation switches on to `rows` (int32, (n, capacity)), filled up with plan.rows."""
    entries: Any = np.empty(observations.shape[1] + 1, np.int32)
    for i in range(observations.shape[0]):
        rows[i, rows_on(observations[i], plan, rows[i], entries) :] = plan.sizes[0]


class RowsExtractor(BaseFeaturesExtractor):
    """The body of the network: the sum of the rows that are on, then a dense layer, each with its bias and ReLU."""

    def __init__(self, observation_space: Box, plan: Plan, width: int) -> None:
        super().__init__(observation_space, width)
        self.plan = plan
        self.first = nn.EmbeddingBag(plan.rows + 1, width, mode="sum", padding_idx=plan.rows)
        nn.init.normal_(self.first.weight, std=0.03)  # small, since some hundred rows are on at once
        with torch.no_grad():
            self.first.weight[plan.rows] = 0
        self.first_bias = nn.Parameter(torch.zeros(width))
        self.dense = nn.Linear(width, width)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """The last hidden layer, (n, width), for observations as SB3 gives them, float32 (n, size)."""
        seen = observations.detach().cpu().numpy().astype(np.int8)
        rows = np.zeros((len(seen), self.plan.capacity), np.int32)
        all_rows_on(seen, self.plan, rows)
        hidden = torch.relu(self.first(torch.as_tensor(rows, device=observations.device)) + self.first_bias)
        return torch.relu(self.dense(hidden))


def new_model(
    env: LearnerVecEnv, *, width: int = 128, rollout: int = 64, batch_size: int = 2048, **ppo: Any
) -> MaskablePPO:
    """A learner for an environment; `rollout` is decisions per game between updates, `ppo` more settings of SB3."""
    body = {"plan": plan_network(env.game, env.batch.config), "width": width}
    network = {"features_extractor_class": RowsExtractor, "features_extractor_kwargs": body, "net_arch": []}
    usual = {"learning_rate": 1e-3, "gamma": 1.0, "gae_lambda": 0.95, "ent_coef": 0.01, "n_epochs": 3, "device": "cpu"}
    batch_size = min(batch_size, env.num_envs * rollout)
    return MaskablePPO(
        "MlpPolicy", env, n_steps=rollout, batch_size=batch_size, policy_kwargs=network, **{**usual, **ppo}
    )


def export(model: MaskablePPO, env: LearnerVecEnv) -> Policy:
    """The model's network as a policy."""
    policy: Any = model.policy
    body, players = policy.features_extractor, env.batch.config.players
    width = body.features_dim
    weights = np.zeros(size_of(body.plan, width, 1), np.float32)
    network = view(weights, body.plan, width, 1)
    value, bias = policy.value_net.weight[0], policy.value_net.bias[0]
    with torch.no_grad():
        network.first[:] = body.first.weight[: body.plan.rows]
        network.first_bias[:] = body.first_bias
        network.dense[0], network.dense_bias[0] = body.dense.weight.T, body.dense.bias
        network.actions[:], network.action_bias[:] = policy.action_net.weight, policy.action_net.bias
        for seat in range(players):  # rewards add up to 0, so the others share what the learner does not get
            share = 1.0 if seat == 0 else -1.0 / (players - 1)
            for head in (UTILITY + seat, RANK + seat):
                network.heads[head], network.head_bias[head] = share * value, share * bias
    options = {name: choice for name, choice in env.batch.config.options.items() if name != "players"}
    meta = {"game": env.game.id, "players": [players], "options": options, "decisions": model.num_timesteps}
    return Policy(body.plan, weights, width, 1, meta)


def main(
    game: Annotated[str, typer.Argument(metavar="GAME", help="a game's id")],
    out: Annotated[Path, typer.Option(help="the policy file to write")],
    steps: Annotated[int, typer.Option(min=1, help="the learner's decisions, up to whole rollouts")] = 1_000_000,
    players: Annotated[int, typer.Option(help="number of players")] = 2,
    opponents: Annotated[str, typer.Option(help="agents, drawn game by game")] = "heuristic,random",
    games: Annotated[int, typer.Option(min=1, help="games side by side")] = 256,
    seed: Annotated[int, typer.Option(min=0, help="seed of games and network")] = 0,
) -> None:
    """Train MaskablePPO on a game and write a policy file."""
    try:
        env = make_sb3_vec(game, games, players=players, opponents=opponents.split(","), seed=seed)
    except (BadOption, UnknownGame, UnknownAgent) as error:
        raise SystemExit(f"error: {error}") from None
    model = new_model(env, seed=seed, verbose=1)
    begun = time.perf_counter()
    try:
        model.learn(steps)
        data = file_of(export(model, env), env.game, env.batch.config, str(out))
    except ValueError as error:  # also PyTorch's, whose distributions refuse what is not a number in many lines
        finite = all(torch.isfinite(weights).all() for weights in model.policy.parameters())
        if finite and "invalid values" not in str(error):
            raise
        raise SystemExit(f"error: {out} is not written: the network no longer computes with finite numbers") from None
    took = time.perf_counter() - begun
    print(f"{model.num_timesteps:,} decisions in {took:.0f} s: {model.num_timesteps / took:,.0f} per second")
    write_bytes(out, data)
    print(f"written: {out}")


if __name__ == "__main__":
    typer.run(main)
