"""A trained policy as plain arrays: a network on NumPy alone. `policy_file` reads and checks its files."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from .inputs import CardInputs, Floats, Inputs

FORMAT = 2
_ROWS_AT_ONCE = 1024  # bounds the memory for the grids of many observations


@dataclass(frozen=True)
class Policy:
    """A policy and value network.

    It has two trunks, one for the policy and one for the values. A trunk's first layer adds up contributions of plain
    inputs, card inputs and, for the policy, advice; ReLU layers follow. The policy trunk yields the logits of all
    actions and a weight for each adviser, which is added to the logit of the action it advises. The value trunk yields,
    through tanh, the expected final rewards of the seats, starting with the observer's seat.

    Attributes:
        inputs: the plain inputs.
        cards: the card inputs, or None.
        weights: arrays by name, those of a linear layer "NAME.weight" (out, in) and "NAME.bias" (out,), float32.
        meta: game id, observation size, numbers of actions and advisers, players, and how it was trained.
    """

    inputs: Inputs
    cards: CardInputs | None
    weights: Mapping[str, Floats]
    meta: Mapping[str, Any]

    @property
    def advisers(self) -> int:
        """Number of advisers (compiled players and plans) that the network uses; 0 for a network without advice."""
        return self.weights["gates.weight"].shape[0] if "gates.weight" in self.weights else 0

    @property
    def players(self) -> tuple[int, ...]:
        """The numbers of players that the policy was trained for."""
        return tuple(self.meta["players"])

    def logits(self, observation: npt.NDArray[np.int8], advice: npt.NDArray[np.int16] | None = None) -> Floats:
        """Logits, float32 (n, actions).

        Args:
            observation: int8 (n, size).
            advice: int16 (n, advisers), -1 for no opinion; may be None for a network without advisers.

        Raises:
            ValueError: the advice does not fit.
        """
        given = np.zeros((len(observation), 0), np.int16) if advice is None else advice
        if given.shape != (len(observation), self.advisers):
            raise ValueError(f"advice of shape {given.shape}, must be {(len(observation), self.advisers)}")
        return _in_parts(len(observation), lambda rows: self._logits(observation[rows], given[rows]))

    def values(self, observation: npt.NDArray[np.int8]) -> Floats:
        """Expected final rewards, float32 (n, seats), the observer's seat first, for observations int8 (n, size)."""
        return _in_parts(len(observation), lambda rows: self._values(observation[rows]))

    def _logits(self, observation: npt.NDArray[np.int8], advice: npt.NDArray[np.int16]) -> Floats:
        hidden = self._hidden("policy", observation, advice)
        logits = self._linear("logits", hidden)
        if self.advisers:
            weights = self._linear("gates", hidden)
            rows, advisers = np.nonzero(advice >= 0)
            np.add.at(logits, (rows, advice[rows, advisers]), weights[rows, advisers])
        return logits

    def _values(self, observation: npt.NDArray[np.int8]) -> Floats:
        expected = np.tanh(self._linear("expected", self._hidden("value", observation, None)))
        return np.asarray(expected, np.float32)

    def _hidden(self, trunk: str, observation: npt.NDArray[np.int8], advice: npt.NDArray[np.int16] | None) -> Floats:
        """The last layer of a trunk."""
        sizes, read = self.inputs.read(observation)
        hidden = sizes @ self._first[trunk][read] + self.weights[f"{trunk}.first.bias"]
        if self.cards is not None:
            hidden += self._read_cards(trunk, observation, self.cards) @ self.weights[f"{trunk}.cards.weight"].T
        if self.advisers and advice is not None:
            opinions = np.concatenate([advice >= 0, advice == advice[:, :1]], axis=1).astype(np.float32)
            hidden += opinions @ self.weights[f"{trunk}.advised.weight"].T
        for number in range(self.meta["layers"]):
            hidden = self._linear(f"{trunk}.layers.{number}", np.maximum(hidden, 0.0))
        features: Floats = np.maximum(hidden, 0.0)
        return features

    @cached_property
    def _first(self) -> dict[str, Floats]:
        return {trunk: np.ascontiguousarray(self.weights[f"{trunk}.first.weight"].T) for trunk in ("policy", "value")}

    def _linear(self, name: str, values: Floats) -> Floats:
        product: Floats = values @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]
        return product

    def _read_cards(self, trunk: str, observation: npt.NDArray[np.int8], cards: CardInputs) -> Floats:
        """The features computed from card inputs, float32 (n, m)."""
        n, embedding = len(observation), self.weights[f"{trunk}.embedding.weight"]
        read = [embedding[observation[:, cards.faces]].reshape(n, -1)]
        read.append((observation[:, cards.counts].astype(np.float32) @ embedding[1:]).reshape(n, -1))
        if seats := len(cards.grid):
            cells = np.concatenate(
                [embedding[observation[:, cards.grid]], observation[:, cards.layers] * cards.layer_scale], axis=-1
            )
            seen = np.maximum(self._convolve(trunk, cells), 0.0).reshape(n * seats, -1)
            read.append(np.maximum(self._linear(f"{trunk}.workshop", seen), 0.0).reshape(n, -1))
        return np.concatenate(read, axis=1)

    def _convolve(self, trunk: str, cells: Floats) -> Floats:
        """A 3 x 3 convolution of cells (n, seats, columns, rows, c), padded with zeros."""
        columns, rows, c = cells.shape[2:]
        padded = np.pad(cells, ((0, 0), (0, 0), (1, 1), (1, 1), (0, 0)))
        weights = self.weights[f"{trunk}.cells.weight"].reshape(-1, 9, c)
        seen = np.tile(self.weights[f"{trunk}.cells.bias"], (*cells.shape[:4], 1))
        for around in range(9):
            x, y = divmod(around, 3)
            seen += padded[:, :, x : x + columns, y : y + rows] @ weights[:, around].T
        return seen

    def rounded(self) -> Policy:
        """The policy with weights rounded to half precision (11 bits) but still float32, which halves its file."""
        return replace(self, weights={name: _halved(values) for name, values in self.weights.items()})

    def to_bytes(self) -> bytes:
        """The contents of a policy file."""
        arrays: dict[str, Any] = {f"inputs.{part.name}": getattr(self.inputs, part.name) for part in fields(Inputs)}
        if self.cards is not None:
            arrays |= {f"cards.{part.name}": getattr(self.cards, part.name) for part in fields(CardInputs)}
        arrays |= {f"weights.{name}": values for name, values in self.weights.items()}
        arrays["meta"] = np.array(json.dumps({"format": FORMAT, **self.meta}))
        buffer = io.BytesIO()
        np.savez_compressed(buffer, **arrays)
        return buffer.getvalue()


def _halved(values: Floats) -> Floats:
    halved: Floats = values.astype(np.float16).astype(np.float32)
    return halved


def _in_parts(n: int, compute: Callable[[slice], Floats]) -> Floats:
    """The result of `compute` for n rows, computed in parts to bound the memory."""
    parts = [compute(slice(start, start + _ROWS_AT_ONCE)) for start in range(0, max(1, n), _ROWS_AT_ONCE)]
    return parts[0] if len(parts) == 1 else np.concatenate(parts)
