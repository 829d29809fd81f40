"""The share of MaskablePPO training time that the environment takes."""

from __future__ import annotations

import time
from typing import Any

from bdgame_env import make_sb3_vec

from ..training.maskable_ppo import new_model
from .figures import PER_SECOND, PERCENT, Bench, Figure, summary

GAMES = 256
_ROLLOUTS = 3


def share_name(opponents: str, games: int = GAMES) -> str:
    """The name of the figure for training against some opponents."""
    return f"stepping's share of MaskablePPO training, {games} games, {opponents} opponents"


def sb3_figures(bench: Bench, opponents: str, games: int = GAMES) -> list[Figure]:
    """The share of `learn`'s time spent in `step_wait`, with the network of `training.maskable_ppo`.

    Each repetition is one rollout of all games and the update after it; the first does not count.

    Raises:
        UnknownAgent: this game has no such opponents.
    """
    samples = games * bench.rollout
    env = make_sb3_vec(bench.game.id, games, opponents=[opponents], reward="points", seed=0, **bench.config.options)
    stepping = [0.0]
    plain_step = env.step_wait

    def step_wait() -> Any:
        began = time.perf_counter()
        result = plain_step()
        stepping[0] += time.perf_counter() - began
        return result

    env.step_wait = step_wait  # type: ignore[method-assign]
    model = new_model(env, rollout=bench.rollout, seed=0)
    shares, rates = [], []
    for repetition in range(1 + min(bench.repetitions, _ROLLOUTS)):
        stepping[0] = 0.0
        began = time.perf_counter()
        model.learn(samples, reset_num_timesteps=repetition == 0)
        took = time.perf_counter() - began
        if repetition:
            shares.append(100 * stepping[0] / took)
            rates.append(samples / took)
    return [
        summary(share_name(opponents, games), PERCENT, shares, min),
        summary(
            f"MaskablePPO training, learner's decisions, {games} games, {opponents} opponents", PER_SECOND, rates, max
        ),
    ]
