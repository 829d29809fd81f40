"""The first stage of training: imitate a teacher (behavioral cloning) and learn how its games end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from sb3_contrib import MaskablePPO

from agents import make_agent
from bdgame_env.core.batch import Batch
from bdgame_env.core.game import Game

from .config import TrainConfig

Progress = Callable[[int, int, str], None]


@dataclass
class Lessons:
    """Decisions of a teacher.

    Attributes:
        observations: int8 (n, size).
        masks: uint8 (n, ceil(actions / 8)), packed bits.
        actions: int32 (n,).
        returns: float32 (n,), the final reward of the seat that decided; NaN if its game was not finished.
        num_actions: size of the action space.
    """

    observations: npt.NDArray[np.int8]
    masks: npt.NDArray[np.uint8]
    actions: npt.NDArray[np.int32]
    returns: npt.NDArray[np.float32]
    num_actions: int

    def mask_of(self, rows: npt.NDArray[np.intp]) -> npt.NDArray[np.bool_]:
        """Masks of some samples, bool (k, actions)."""
        return np.unpackbits(self.masks[rows], axis=1, count=self.num_actions).astype(bool)


def collect_lessons(config: TrainConfig, game: Game, progress: Progress) -> Lessons:
    """Let teachers play each other in every seat and record all their decisions."""
    settings = config.imitation
    tables = settings.games
    steps = -(-settings.samples // tables)
    batch = Batch(game, tables, seed=config.seed, players=config.players, **config.options)
    teacher = make_agent(settings.teacher, game, batch.box, seed=config.seed)
    n = steps * tables
    lessons = Lessons(
        observations=np.zeros((n, game.obs.itemsize), np.int8),
        masks=np.zeros((n, -(-batch.box.num_actions // 8)), np.uint8),
        actions=np.zeros(n, np.int32),
        returns=np.full(n, np.nan, np.float32),
        num_actions=batch.box.num_actions,
    )
    seats = np.zeros((steps, tables), np.int8)
    begun = np.zeros(tables, np.int64)  # the step in which each table's game began
    returns = lessons.returns.reshape(steps, tables)
    for step in range(steps):
        rows = slice(step * tables, (step + 1) * tables)
        actions = teacher.act(batch.obs, batch.mask, batch.states.copy())
        lessons.observations[rows], lessons.actions[rows] = batch.obs, actions
        lessons.masks[rows] = np.packbits(batch.mask, axis=1)
        seats[step] = batch.seat
        batch.step(actions)
        for table in np.flatnonzero(batch.done):
            played = slice(begun[table], step + 1)
            returns[played, table] = batch.rewards[table][seats[played, table]]
            begun[table] = step + 1
        progress((step + 1) * tables, n, "collecting the teacher's games")
    return lessons


def imitate(model: MaskablePPO, config: TrainConfig, lessons: Lessons, progress: Progress) -> dict[str, float]:
    """Fit the model's policy to the teacher's actions and its value to the final rewards.

    Returns:
        "accuracy" on the last tenth of the samples, which is not trained on, and "loss" of the last epoch.
    """
    settings, policy = config.imitation, model.policy
    optimizer = torch.optim.Adam(policy.parameters(), lr=settings.learning_rate)
    rng = np.random.default_rng(config.seed)
    n = len(lessons.actions)
    trained = n - n // 10
    epochs, done, loss_sum = settings.epochs, 0, 0.0
    policy.set_training_mode(True)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: max(0.05, 1.0 - step * settings.batch_size / (trained * epochs))
    )
    for _ in range(epochs):
        order, loss_sum = rng.permutation(trained), 0.0
        for start in range(0, trained, settings.batch_size):
            rows = np.sort(order[start : start + settings.batch_size])
            loss = _loss(model, lessons, rows, settings.value_weight)
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()
            schedule.step()
            loss_sum += float(loss.detach()) * len(rows)
            done += len(rows)
            progress(done, trained * epochs, "imitating the teacher")
    policy.set_training_mode(False)
    return {"accuracy": _accuracy(model, lessons, np.arange(trained, n)), "loss": loss_sum / trained}


def _loss(model: MaskablePPO, lessons: Lessons, rows: npt.NDArray[Any], value_weight: float) -> torch.Tensor:
    device = model.device
    observations = torch.as_tensor(lessons.observations[rows], device=device).float()
    actions = torch.as_tensor(lessons.actions[rows].astype(np.int64), device=device)
    values, log_prob, _ = model.policy.evaluate_actions(observations, actions, lessons.mask_of(rows))
    returns = torch.as_tensor(lessons.returns[rows], device=device)
    known = ~torch.isnan(returns)
    value_loss = torch.zeros((), device=device)
    if known.any():
        value_loss = ((values.flatten()[known] - returns[known]) ** 2).mean()
    return -log_prob.mean() + value_weight * value_loss


@torch.no_grad()
def _accuracy(model: MaskablePPO, lessons: Lessons, rows: npt.NDArray[np.intp]) -> float:
    hits = 0
    for start in range(0, len(rows), 4096):
        part = rows[start : start + 4096]
        observations = torch.as_tensor(lessons.observations[part], device=model.device).float()
        chosen = model.policy.get_distribution(observations, lessons.mask_of(part)).mode()
        hits += int((chosen.cpu().numpy() == lessons.actions[part]).sum())
    return hits / max(1, len(rows))
