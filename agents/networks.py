"""Trained policies as plain arrays: a multi-layer perceptron that runs on NumPy alone.

A policy file is a `.npz` with the arrays of the network and a JSON text `meta` that says which game it plays and how
it came to be. It is read without unpickling anything.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.core.game import Game

FORMAT = 1
Floats = npt.NDArray[np.float32]


class BadPolicy(ValueError):
    """A policy file that cannot be used; the message says why."""


@dataclass(frozen=True)
class Inputs:
    """What a plain network reads of an observation: entries by size, and whether counts reach thresholds.

    The steps (a thermometer code) let a network compare counts, such as cubes there with cubes asked for.

    Attributes:
        entries: int64 (k,), indices into the observation. scale: float32 (k,), what each is multiplied by.
        step_entries: int64 (m,). thresholds: int8 (m,): an input is 1 where the entry is at least the threshold.
    """

    entries: npt.NDArray[np.int64]
    scale: Floats
    step_entries: npt.NDArray[np.int64]
    thresholds: npt.NDArray[np.int8]

    @property
    def width(self) -> int:
        """Number of inputs."""
        return len(self.entries) + len(self.step_entries)

    def read(self, observation: npt.NDArray[np.int8]) -> tuple[Floats, npt.NDArray[np.intp]]:
        """Inputs of observations int8 (n, size): float32 (n, m), and which of the `width` inputs they are, int64 (m,).

        Inputs that are 0 in all rows, which most are, are left out.
        """
        if not len(observation):
            return np.zeros((0, 0), np.float32), np.zeros(0, np.intp)
        lowest, highest = observation.min(axis=0), observation.max(axis=0)
        sized = np.flatnonzero(((highest != 0) | (lowest != 0))[self.entries])
        stepped = np.flatnonzero(highest[self.step_entries] >= self.thresholds)
        k = len(sized)
        values = np.empty((len(observation), k + len(stepped)), np.float32)
        np.multiply(observation[:, self.entries[sized]], self.scale[sized], out=values[:, :k])
        reached = values[:, k:]
        np.greater_equal(
            observation[:, self.step_entries[stepped]], self.thresholds[stepped], out=reached, casting="unsafe"
        )
        return values, np.concatenate([sized, len(self.entries) + stepped])


def plan_inputs(game: Game, players: Sequence[int]) -> Inputs:
    """The inputs of a plain network, from the game's schema alone.

    Seats that are not in play at any of the numbers of players are left out. Sizes are divided by their greatest value,
    counts above 30 by 30; small fields of counts get steps, the smaller the finer.
    """
    seats = max(players)
    entries: list[int] = []
    scale: list[float] = []
    step_entries: list[int] = []
    thresholds: list[int] = []
    for field in game.schema:
        width = field.stop - field.start
        per_seat = len(field.shape) > 1 and field.shape[0] == game.seats[1]
        used = width * seats // field.shape[0] if per_seat else width
        own = width // field.shape[0] if per_seat else width
        entries.extend(range(field.start, field.start + used))
        scale.extend([1.0 / max(1, min(30, max(abs(field.low), abs(field.high))))] * used)
        if field.high > 1 and own <= _LARGEST_STEPPED:
            steps = _FINE_STEPS if own <= _LARGEST_FINE else _COARSE_STEPS
            for entry in range(field.start, field.start + used):
                step_entries += [entry] * len(steps)
                thresholds += steps
    return Inputs(
        entries=np.array(entries, np.int64),
        scale=np.array(scale, np.float32),
        step_entries=np.array(step_entries, np.int64),
        thresholds=np.array(thresholds, np.int8),
    )


_FINE_STEPS, _COARSE_STEPS = (1, 2, 3, 4, 5, 6, 8, 10), (1, 2)
_LARGEST_FINE, _LARGEST_STEPPED = 20, 60


@dataclass(frozen=True)
class Policy:
    """A policy network: features of the observation, ReLU layers, logits.

    Attributes:
        inputs: what the first layer reads of an observation.
        layers: weights (in, out) and biases (out,) of each layer, float32; the last gives logits.
        meta: game id, observation size, number of actions, players, and how it was trained.
    """

    inputs: Inputs
    layers: tuple[tuple[Floats, Floats], ...]
    meta: Mapping[str, Any]

    def logits(self, observation: npt.NDArray[np.int8]) -> Floats:
        """Logits, float32 (n, actions), for observations int8 (n, size)."""
        values, read = self.inputs.read(observation)
        weights, biases = self.layers[0]
        values = values @ weights[read] + biases
        for weights, biases in self.layers[1:]:
            values = np.maximum(values, 0.0) @ weights + biases
        return values

    def to_bytes(self) -> bytes:
        """The contents of a policy file."""
        arrays: dict[str, Any] = asdict(self.inputs)
        for index, (weights, biases) in enumerate(self.layers):
            arrays[f"weights{index}"], arrays[f"biases{index}"] = weights, biases
        arrays["meta"] = np.array(json.dumps({"format": FORMAT, "layers": len(self.layers), **self.meta}))
        buffer = io.BytesIO()
        np.savez_compressed(buffer, **arrays)
        return buffer.getvalue()


def load_policy(path: str | Path, game: Game, num_actions: int) -> Policy:
    """Read a policy file for a game.

    Raises:
        BadPolicy: it cannot be read, is damaged, or belongs to another game or other options.
    """
    try:
        with Path(path).open("rb") as raw, np.load(raw, allow_pickle=False) as file:
            meta = json.loads(str(file["meta"]))
            if meta.get("format") != FORMAT:
                raise BadPolicy(f"{path}: policy format {meta.get('format')!r}, this version reads {FORMAT}")
            layers = tuple((file[f"weights{i}"], file[f"biases{i}"]) for i in range(meta["layers"]))
            inputs = Inputs(*(file[entry.name] for entry in fields(Inputs)))
            policy = Policy(inputs, layers, meta)
    except FileNotFoundError:
        raise BadPolicy(f"{path}: no such policy file") from None
    except BadPolicy:
        raise
    except (OSError, ValueError, KeyError, zipfile.BadZipFile, EOFError) as error:
        raise BadPolicy(f"{path}: not a policy file: {error}") from None
    if meta["game"] != game.id:
        raise BadPolicy(f"{path}: a policy for {meta['game']}, not for {game.id}")
    if meta["observation_size"] != game.obs.itemsize or meta["num_actions"] != num_actions:
        raise BadPolicy(
            f"{path}: made for {meta['observation_size']} features and {meta['num_actions']} actions,"
            f" the game has {game.obs.itemsize} and {num_actions} with these options"
        )
    return policy
