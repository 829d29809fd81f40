"""The decisions of one window of play, which are learned from and then forgotten."""

from __future__ import annotations

import pickle
import zlib
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bdgame_env.agents.networks.network import HEADS
from bdgame_env.agents.networks.row_plan import Plan
from bdgame_env.engine.jit import entry_point

from .codes import FINAL, OPEN


class Window(NamedTuple):
    """Samples, `steps` in a row for each match. S is their number.

    Attributes:
        rows: int32 (S, capacity), rows of the first layer: those that are on now and were not in the same seat's last
            sample, then those that were on and are no longer. rows_on, rows_off: int32 (S,), how many of each. Where
            `rows_off` is WHOLE: all that are on, and no others.
        seats: int8 (S,), who decided.
        begins: int8 (S,), 1 where a segment begins, in which the first sample of each seat is WHOLE.
        legal: int16 (S, actions), the legal actions. cards: int32 (S, actions), their card rows.
        legals: int32 (S,), how many.
        chosen: int32 (S,), the place in `legal` of the action that was played, or that a teacher would have played.
        log_prob: float32 (S,), its log-probability when it was played.
        next: int32 (S,), the same seat's next sample; OPEN if the window ended before it, FINAL if the game did.
        values: float32 (S, HEADS), what the heads said.
        targets: float32 (S, HEADS), what they should have said; at first only where `next` is FINAL.
        advantage: float32 (S,).
        advised: int32 (S,), the place in `legal` of what the teacher would have done in self-play, or NO_ADVICE.
        searched: int8 (S,), 1 where a search improved the policy. improved: float32 (S, actions), that policy, in the
            order of `legal`; (S, 0) in a run without searches.
    """

    rows: npt.NDArray[np.int32]
    rows_on: npt.NDArray[np.int32]
    rows_off: npt.NDArray[np.int32]
    seats: npt.NDArray[np.int8]
    begins: npt.NDArray[np.int8]
    legal: npt.NDArray[np.int16]
    cards: npt.NDArray[np.int32]
    legals: npt.NDArray[np.int32]
    chosen: npt.NDArray[np.int32]
    log_prob: npt.NDArray[np.float32]
    next: npt.NDArray[np.int32]
    values: npt.NDArray[np.float32]
    targets: npt.NDArray[np.float32]
    advantage: npt.NDArray[np.float32]
    advised: npt.NDArray[np.int32]
    searched: npt.NDArray[np.int8]
    improved: npt.NDArray[np.float32]

    def part(self, lo: int, hi: int) -> Window:
        """The samples lo..hi-1, as views; their `next` counts from lo."""
        return Window._make(values[lo:hi] for values in self)

    def packed(self) -> bytes:
        """The samples that can be learned from, and nothing that is not learned from, in a twentieth of the bytes."""
        kept = np.flatnonzero((self.next != OPEN) | (self.begins != 0))
        sent = {name: values[kept] for name, values in self._asdict().items() if name != "values"}
        return zlib.compress(pickle.dumps((kept, sent), protocol=5), 1)

    def unpack(self, packed: bytes) -> None:
        """Fill this window with what a window of the same length has packed; what it left out is OPEN."""
        kept, sent = pickle.loads(zlib.decompress(packed))
        self.next[:] = OPEN
        for name, values in sent.items():
            getattr(self, name)[kept] = values


def new_window(plan: Plan, samples: int, *, searches: bool = False) -> Window:
    """Room for so many samples, and for policies improved by searches if there are any."""
    actions = len(plan.places)

    def room(kind: type[np.number], *shape: int) -> npt.NDArray[Any]:
        return np.zeros((samples, *shape), kind)

    return Window(
        rows=room(np.int32, plan.capacity),
        rows_on=room(np.int32),
        rows_off=room(np.int32),
        seats=room(np.int8),
        begins=room(np.int8),
        legal=room(np.int16, actions),
        cards=room(np.int32, actions),
        legals=room(np.int32),
        chosen=room(np.int32),
        log_prob=room(np.float32),
        next=room(np.int32),
        values=room(np.float32, HEADS),
        targets=room(np.float32, HEADS),
        advantage=room(np.float32),
        advised=room(np.int32),
        searched=room(np.int8),
        improved=room(np.float32, actions if searches else 0),
    )


@entry_point
def add_returns(window: Window, steps: int, trace: np.float32, lo: int, hi: int) -> None:
    """Fill `targets` and `advantage` of the samples of matches lo..hi-1 from the end of the window backwards.

    The returns are TD(lambda) returns of every head (Sutton and Barto 2018, chapter 12), the advantage that of
    generalized advantage estimation (Schulman et al. 2016, arXiv 1506.02438). Samples whose `next` is OPEN have no
    return: their targets become what the heads said.
    """
    heads = window.values.shape[1]
    one = np.float32(1.0)
    for i in range(lo, hi):
        for at in range((i + 1) * steps - 1, i * steps - 1, -1):
            after = window.next[at]
            if after == OPEN:
                for k in range(heads):
                    window.targets[at, k] = window.values[at, k]
            elif after != FINAL:
                for k in range(heads):
                    window.targets[at, k] = (one - trace) * window.values[after, k] + trace * window.targets[after, k]
            window.advantage[at] = window.targets[at, 0] - window.values[at, 0]
