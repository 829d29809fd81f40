"""A trained policy: a network and the plan that says what it reads."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.game import MAX_SEATS
from bdgame_env.engine.threads import run_ranges, usable_threads

from .face_plan import cards_of
from .forward import run_batch
from .network import HEADS, RANK, Floats, Network, view, work_out
from .row_plan import Plan

FORMAT = 3


class Policy:
    """A policy for one game, compiled.

    Args:
        plan: of the game and its options.
        weights: float32 (size,), see `network.size_of`; copied. What follows from the others is worked out.
        width: of every layer.
        layers: number of dense layers.
        meta: plain JSON data about the policy: "game" (id), "players" (list) and "options" it was trained for, and
            whatever training adds.

    Attributes:
        plan, meta: as above.
        network: the weights in their shapes.
    """

    def __init__(
        self, plan: Plan, weights: Floats, width: int, layers: int, meta: Mapping[str, Any], threads: int | None = None
    ) -> None:
        self.plan, self.meta = plan, dict(meta)
        self.weights = np.array(weights, np.float32)
        work_out(self.weights, plan, width, layers)
        self.network: Network = view(self.weights, plan, width, layers)
        self._threads = usable_threads(threads)

    @property
    def players(self) -> tuple[int, ...]:
        """The numbers of players that it was trained for."""
        return tuple(self.meta["players"])

    def evaluate(self, observations: npt.NDArray[np.int8], masks: npt.NDArray[np.int8]) -> tuple[Floats, Floats]:
        """What the network says of n observations.

        Args:
            observations: int8 (n, size).
            masks: int8 (n, actions), 1 for legal.

        Returns:
            Logits, float32 (n, actions), -inf for illegal actions; and the heads, float32 (n, HEADS): utilities,
            progress and rank rewards of each seat, from the observer on.
        """
        n = len(observations)
        observations, masks = np.ascontiguousarray(observations, np.int8), np.ascontiguousarray(masks, np.int8)
        logits, heads = np.zeros(masks.shape, np.float32), np.zeros((n, HEADS), np.float32)

        def part(_: int, lo: int, hi: int) -> None:
            run_batch(self.network, self.plan, observations, masks, logits, heads, lo, hi)

        run_ranges(part, n, self._threads)
        return logits, heads

    def logits(self, observations: npt.NDArray[np.int8], masks: npt.NDArray[np.int8]) -> Floats:
        """The logits of `evaluate`."""
        return self.evaluate(observations, masks)[0]

    def values(self, observations: npt.NDArray[np.int8]) -> Floats:
        """The expected rank reward of each seat, from the observer on: float32 (n, MAX_SEATS)."""
        none = np.zeros((len(observations), len(self.plan.places)), np.int8)
        return self.evaluate(observations, none)[1][:, RANK : RANK + MAX_SEATS]

    def to_bytes(self, *, half: bool = False) -> bytes:
        """The contents of a policy file, an `.npz` without pickles.

        Rows of zeros, which training never met, are left out, and so are sums: the file fits all decks. With `half`,
        weights are rounded to multiples of 1/2048 and to eight significant bits, in half precision, which changes
        hardly any decision and makes the file less than half as large; weights beyond 65,280 become infinite.
        """
        arrays: dict[str, npt.NDArray[Any]] = {}
        for name, part in zip(Network._fields, self.network, strict=True):
            arrays[name] = _rounded(part) if half else part
        used = np.flatnonzero(self.network.first[: self.plan.kept_rows].any(axis=1)).astype(np.int32)
        arrays["first"], arrays["first_rows"] = arrays["first"][used], used
        arrays["cards"] = arrays["cards"][: self.plan.kept_cards]
        meta = {**self.meta, "format": FORMAT, "plan": self.plan.digest, "cards": cards_of(self.plan)}
        meta |= {"width": self.network.width, "layers": self.network.layers}
        buffer = io.BytesIO()
        np.savez_compressed(buffer, meta=np.array(json.dumps(meta)), **arrays)  # type: ignore[arg-type]
        return buffer.getvalue()


def _rounded(part: Floats) -> npt.NDArray[np.float16]:
    """In half precision, as a multiple of 1/2048 without the last three of its eleven significant bits, so that archives
    compress it.
    """
    with np.errstate(over="ignore"):
        bits = (np.rint(part * 2048) / 2048).astype(np.float16).view(np.uint16).astype(np.uint32)
    return ((bits + 4) & 0xFFF8).astype(np.uint16).view(np.float16)
