"""Trained policies as plain arrays: a multi-layer perceptron that runs on NumPy alone.

A policy file is a `.npz` with the arrays of the network and a JSON text `meta` that says which game it plays and how
it came to be. It is read without unpickling anything.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
class Policy:
    """A policy network: scaled features, ReLU layers, logits.

    Attributes:
        features: indices of the observation's entries that are read, int64 (k,).
        scale: what each is multiplied by, float32 (k,).
        layers: weights (in, out) and biases (out,) of each layer, float32; the last gives logits.
        meta: game id, observation size, number of actions, players, and how it was trained.
    """

    features: npt.NDArray[np.int64]
    scale: Floats
    layers: tuple[tuple[Floats, Floats], ...]
    meta: Mapping[str, Any]

    def logits(self, observation: npt.NDArray[np.int8]) -> Floats:
        """Logits, float32 (n, actions), for observations int8 (n, size)."""
        values: Floats = observation[:, self.features].astype(np.float32) * self.scale
        for weights, biases in self.layers[:-1]:
            values = np.maximum(values @ weights + biases, 0.0)
        weights, biases = self.layers[-1]
        result: Floats = values @ weights + biases
        return result

    def to_bytes(self) -> bytes:
        """The contents of a policy file."""
        arrays: dict[str, Any] = {"features": self.features, "scale": self.scale}
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
        with np.load(path, allow_pickle=False) as file:
            meta = json.loads(str(file["meta"]))
            if meta.get("format") != FORMAT:
                raise BadPolicy(f"{path}: policy format {meta.get('format')!r}, this version reads {FORMAT}")
            layers = tuple((file[f"weights{i}"], file[f"biases{i}"]) for i in range(meta["layers"]))
            policy = Policy(file["features"], file["scale"], layers, meta)
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


def feature_plan(game: Game, players: Sequence[int]) -> tuple[npt.NDArray[np.int64], Floats]:
    """Which entries of an observation a plain network reads, and by what it multiplies them, from the schema.

    Fields that stay the same are left out; so are seats that are not in play at any of the numbers of players. Entries are
    divided by their greatest value, counts above 30 only by 30, so that a single card or cube stays visible.
    """
    seats, features, scale = max(players), [], []
    for field in game.schema:
        width = field.stop - field.start
        per_seat = field.shape and field.shape[0] == game.seats[1] and field.name not in ("to_move", "on_turn")
        used = width * seats // field.shape[0] if per_seat else width
        features.extend(range(field.start, field.start + used))
        scale.extend([1.0 / max(1, min(30, max(abs(field.low), abs(field.high))))] * used)
    return np.array(features, np.int64), np.array(scale, np.float32)
