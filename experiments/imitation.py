"""The first stage of training: imitate a teacher (behavioral cloning) and learn how its games end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from sb3_contrib import MaskablePPO

from agents import Agent, make_agent
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


class School:
    """Tables at which teachers and the learner play; every position met is labeled with the teacher's decision."""

    def __init__(self, config: TrainConfig, game: Game) -> None:
        settings = config.imitation
        self._config = config
        self._batch = Batch(game, settings.games, seed=config.seed, players=config.players, **config.options)
        self._teacher = make_agent(settings.teacher, game, self._batch.box, seed=config.seed)

    def collect(self, learner: Agent | None, progress: Progress) -> Lessons:
        """The decisions of one round; games go on from round to round.

        Args:
            learner: plays in the first tables, as many as `learner_share` says; None: teachers play everywhere.
            progress: is told samples, of how many, and the stage.
        """
        batch, settings = self._batch, self._config.imitation
        tables = settings.games
        steps = -(-settings.samples // tables)
        n = steps * tables
        lessons = Lessons(
            observations=np.zeros((n, batch.obs.shape[1]), np.int8),
            masks=np.zeros((n, -(-batch.box.num_actions // 8)), np.uint8),
            actions=np.zeros(n, np.int32),
            returns=np.full(n, np.nan, np.float32),
            num_actions=batch.box.num_actions,
        )
        seats = np.zeros((steps, tables), np.int8)
        begun = np.zeros(tables, np.int64)  # the step in which each table's game began
        returns = lessons.returns.reshape(steps, tables)
        own = 0 if learner is None else round(settings.learner_share * tables)
        for step in range(steps):
            rows = slice(step * tables, (step + 1) * tables)
            actions = self._teacher.act(batch.obs, batch.mask, batch.states.copy())
            lessons.observations[rows], lessons.actions[rows] = batch.obs, actions
            lessons.masks[rows] = np.packbits(batch.mask, axis=1)
            seats[step] = batch.seat
            if learner is not None:
                actions[:own] = learner.act(batch.obs[:own], batch.mask[:own])
            batch.step(actions)
            for table in np.flatnonzero(batch.done):
                played = slice(begun[table], step + 1)
                returns[played, table] = batch.rewards[table][seats[played, table]]
                begun[table] = step + 1
            progress((step + 1) * tables, n, "collecting games")
        return lessons


def imitate(
    model: MaskablePPO, config: TrainConfig, game: Game, learner: Callable[[int], Agent], progress: Progress
) -> dict[str, float]:
    """Fit the model's policy to the teacher's decisions and its value to the final rewards.

    Args:
        model: whose policy learns.
        config: the run's settings.
        game: the declaration of the game.
        learner: gives the model as an agent that draws its actions, for the round of that number.
        progress: is told how far a stage is.

    Returns:
        "accuracy" in the last round, on samples not yet trained on.
    """
    settings = config.imitation
    school = School(config, game)
    optimizer = torch.optim.Adam(model.policy.parameters(), lr=settings.learning_rate, fused=True)
    rng = np.random.default_rng(config.seed)
    accuracy = 0.0
    for number in range(settings.rounds):
        lessons = school.collect(learner(number) if number else None, progress)
        accuracy = _accuracy(model, lessons, np.arange(0, len(lessons.actions), 8))
        for group in optimizer.param_groups:
            group["lr"] = settings.learning_rate * (1.0 - 0.8 * number / settings.rounds)
        stage = f"imitating the teacher, round {number + 1} of {settings.rounds}"
        _study(model, config, lessons, optimizer, rng, partial(_tell, progress, stage))
    return {"accuracy": accuracy}


def _tell(progress: Progress, stage: str, done: int, total: int) -> None:
    progress(done, total, stage)


def _study(
    model: MaskablePPO,
    config: TrainConfig,
    lessons: Lessons,
    optimizer: torch.optim.Optimizer,
    rng: np.random.Generator,
    progress: Callable[[int, int], None],
) -> None:
    """Some passes over the lessons of one round."""
    settings, done, n = config.imitation, 0, len(lessons.actions)
    model.policy.set_training_mode(True)
    for _ in range(settings.epochs):
        order = rng.permutation(n)
        for start in range(0, n, settings.batch_size):
            rows = order[start : start + settings.batch_size]
            loss = _loss(model, lessons, rows, settings.value_weight)
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(model.policy.parameters(), 0.5)
            optimizer.step()
            done += len(rows)
            progress(done, n * settings.epochs)
    model.policy.set_training_mode(False)


def _loss(model: MaskablePPO, lessons: Lessons, rows: npt.NDArray[Any], value_weight: float) -> torch.Tensor:
    device = model.device
    observations = torch.as_tensor(lessons.observations[rows], device=device).float()
    actions = torch.as_tensor(lessons.actions[rows].astype(np.int64), device=device)
    policy: Any = model.policy
    latent_policy, latent_value = policy.mlp_extractor(policy.extract_features(observations))
    masks = torch.as_tensor(lessons.mask_of(rows), device=device)
    logits = policy.action_net(latent_policy).masked_fill(~masks, -torch.inf)
    values = policy.value_net(latent_value)
    returns = torch.as_tensor(lessons.returns[rows], device=device)
    known = ~torch.isnan(returns)
    value_loss = torch.zeros((), device=device)
    if known.any():
        value_loss = ((values.flatten()[known] - returns[known]) ** 2).mean()
    return torch.nn.functional.cross_entropy(logits, actions) + value_weight * value_loss


@torch.no_grad()
def _accuracy(model: MaskablePPO, lessons: Lessons, rows: npt.NDArray[np.intp]) -> float:
    hits = 0
    for start in range(0, len(rows), 4096):
        part = rows[start : start + 4096]
        observations = torch.as_tensor(lessons.observations[part], device=model.device).float()
        chosen = model.policy.get_distribution(observations, lessons.mask_of(part)).mode()
        hits += int((chosen.cpu().numpy() == lessons.actions[part]).sum())
    return hits / max(1, len(rows))
