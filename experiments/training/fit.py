"""Fits the network to samples: its policy to the teacher's preferences, its values to the final rewards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from .checkpoints import Arrays
from .network import Network
from .samples import Samples


@dataclass(frozen=True)
class FitSettings:
    """The settings of a fit: see `config.Imitation`."""

    epochs: int
    batch_size: int
    policy_weight: float
    value_weight: float


def new_optimizer(network: Network, learning_rate: float) -> torch.optim.Adam:
    """A fresh optimizer for fits."""
    return torch.optim.Adam(network.parameters(), lr=learning_rate, fused=True)


def optimizer_state(optimizer: torch.optim.Optimizer) -> Arrays:
    """An optimizer's state for each parameter, as plain arrays."""
    return {
        f"{number}.{name}": values.detach().cpu().numpy().copy()
        for number, remembered in optimizer.state_dict()["state"].items()
        for name, values in remembered.items()
    }


def set_optimizer_state(optimizer: torch.optim.Optimizer, arrays: Arrays) -> None:
    """Restore an `optimizer_state`; learning rates stay as they are.

    Raises:
        ValueError: the state is that of other parameters.
    """
    own = optimizer.state_dict()
    shapes = [tuple(values.shape) for group in optimizer.param_groups for values in group["params"]]
    own["state"] = {}
    for key, values in arrays.items():
        number, _, name = key.partition(".")
        if not number.isdecimal() or int(number) >= len(shapes) or values.shape not in ((), shapes[int(number)]):
            raise ValueError(f"the optimizer has no parameter {number} of shape {values.shape}")
        own["state"].setdefault(int(number), {})[name] = torch.as_tensor(values)
    optimizer.load_state_dict(own)


def fit(
    network: Network,
    optimizer: torch.optim.Optimizer,
    samples: Samples,
    settings: FitSettings,
    rng: np.random.Generator,
    progress: Callable[[int, int], None],
) -> dict[str, float]:
    """Fit the network to the samples; returns the mean losses "policy" and "value" of the last epoch."""
    n, done = len(samples), 0
    losses: list[tuple[float, float]] = []
    network.train()
    for _ in range(settings.epochs):
        order = rng.permutation(n)
        losses = []
        for start in range(0, n, settings.batch_size):
            rows = order[start : start + settings.batch_size]
            policy_loss, value_loss = losses_of(network, samples, rows)
            optimizer.zero_grad()
            (settings.policy_weight * policy_loss + settings.value_weight * value_loss).backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            losses.append((float(policy_loss.detach()), float(value_loss.detach())))
            done += len(rows)
            progress(done, n * settings.epochs)
    network.eval()
    policy, value = np.mean(losses, axis=0)
    return {"policy": float(policy), "value": float(value)}


def losses_of(network: Network, samples: Samples, rows: npt.NDArray[np.intp]) -> tuple[torch.Tensor, torch.Tensor]:
    """Cross-entropy of the policy with the teacher's preferences, and squared error of the values, on some samples."""
    logits, values = network(*_read(network, samples, rows))
    device = logits.device
    masks = torch.as_tensor(samples.mask_of(rows, logits.shape[1]), device=device)
    chances = torch.log_softmax(logits.masked_fill(~masks, -1e9), dim=1)
    liked = torch.as_tensor(samples.actions[rows].astype(np.int64), device=device)
    weights = torch.as_tensor(samples.weights[rows], device=device)
    policy_loss = -(chances.gather(1, liked.clamp(min=0)) * weights).sum(1).mean()
    returns = torch.as_tensor(samples.returns[rows], device=device)
    known = ~torch.isnan(returns)
    value_loss = ((values[known] - returns[known]) ** 2).mean() if known.any() else torch.zeros((), device=device)
    return policy_loss, value_loss


@torch.no_grad()
def agreement(network: Network, samples: Samples, rows: npt.NDArray[np.intp]) -> float:
    """The share of some samples in which the network's most likely action is the teacher's."""
    hits = 0
    for start in range(0, len(rows), 4096):
        part = rows[start : start + 4096]
        logits = network(*_read(network, samples, part))[0].cpu().numpy()
        chosen = np.where(samples.mask_of(part, logits.shape[1]), logits, -np.inf).argmax(axis=1)
        hits += int((chosen == samples.actions[part, 0]).sum())
    return hits / max(1, len(rows))


def _read(network: Network, samples: Samples, rows: npt.NDArray[np.intp]) -> Any:
    device = next(network.parameters()).device
    observations = torch.as_tensor(samples.observations[rows], device=device).float()
    return observations, torch.as_tensor(samples.advice[rows].astype(np.int64), device=device)
