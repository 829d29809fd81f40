"""Self-play for learners of one seat: a pool of opponents that holds earlier versions of the learner."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any, TypeGuard

import numpy as np
import numpy.typing as npt

from ..engine.arguments import number, whole
from ..engine.game import BadOption
from ..engine.learner import Opponent
from ..engine.loop_records import POOL
from ..engine.quoting import shown

Act = Callable[[npt.NDArray[np.int8], npt.NDArray[np.int8]], npt.NDArray[Any]]


class SnapshotOpponents:
    """Earlier versions of a learner, and opponents that stay, to draw the opponents of each game from.

        snapshots = SnapshotOpponents(["heuristic"], keep=8)
        snapshots.add(copy_of_my_network)           # (observations, masks) -> actions
        env.set_opponents(snapshots.pool())         # of make_gym, make_vector, make_sb3_vec

    Every other seat of a new game is drawn from the pool; games in progress keep their opponents. A snapshot is asked
    for all games that wait for it at once. For Stable-Baselines3 see `sb3_self_play.SelfPlayCallback`.

    Args:
        opponents: those that stay: names, agents, functions, each alone or with its weight, as in `make_gym`.
        keep: how many snapshots are kept; of more, the oldest is dropped.
        latest: how often the newest snapshot is drawn, relative to `past` and `fixed`.
        past: how often one of the older snapshots is, each alike; until there is one, the newest stands in.
        fixed: how often one of `opponents` is, by their weights; nobody, if there are none.

    Raises:
        BadOption: a number is out of its range, there are too many opponents, or none could ever be drawn.
    """

    def __init__(
        self, opponents: object = (), *, keep: int = 8, latest: float = 0.5, past: float = 0.3, fixed: float = 0.2
    ) -> None:
        self._fixed = _weighed(opponents)
        self.keep = whole("keep", keep, 1, POOL)
        if self.keep + len(self._fixed) > POOL:
            raise BadOption(f"keep={keep} and {len(self._fixed)} opponents: together they may be {POOL}")
        self._shares = [number(*share, 0, 1) for share in (("latest", latest), ("past", past), ("fixed", fixed))]
        if latest + past <= 0 and (fixed <= 0 or not self._fixed):
            raise BadOption(f"latest={latest}, past={past}, fixed={fixed}: nobody would be drawn")
        self._snapshots: list[Opponent] = []
        self._added = 0

    @property
    def names(self) -> list[str]:
        """The names of the snapshots as in line-ups, from the oldest to the newest."""
        return [opponent.name for opponent in self._snapshots]

    def add(self, act: Act, name: str | None = None) -> None:
        """Add a snapshot; of more than `keep`, the oldest is dropped.

        Args:
            act: `(observations, masks) -> actions`: int8 of shape (n, observation size) and (n, num_actions) to
                integers of shape (n,), each legal. It must not change with the learner: pass a copy. If it has a method
                `seed(number)`, this is called when the games are seeded.
            name: as in line-ups; None for "snapshot-0" and so on.

        Raises:
            BadOption: it cannot be called.
        """
        if not callable(act):
            raise BadOption(f"a snapshot is a function (observations, masks) -> actions, not {shown(act)}")
        told = f"snapshot-{self._added}" if name is None else name
        self._snapshots.append(Opponent(told, act=_Asked(act), seed=getattr(act, "seed", None)))
        self._added += 1
        del self._snapshots[: -self.keep]

    def clear(self) -> None:
        """Drop all snapshots."""
        self._snapshots.clear()

    def pool(self) -> list[Any]:
        """The opponents with their weights, for `set_opponents`. Before the first snapshot, those that stay.

        Raises:
            BadOption: there is no opponent yet.
        """
        if not self._snapshots:
            if not self._fixed:
                raise BadOption("no opponent yet: add a snapshot, or pass opponents")
            return list(self._fixed)
        latest, past, fixed = self._shares
        *older, newest = self._snapshots
        if not older:
            latest, past = latest + past, 0.0
        drawn = [replace(snapshot, weight=past / len(older)) for snapshot in older]
        drawn.append(replace(newest, weight=latest))
        total = sum(weight for _, weight in self._fixed)
        return [*drawn, *((spec, fixed * weight / total) for spec, weight in self._fixed)]


@dataclass(frozen=True)
class _Asked:
    """A function of observations and masks with the interface of `Opponent.act`."""

    act: Act

    def __call__(
        self,
        observations: npt.NDArray[np.int8],
        masks: npt.NDArray[np.int8],
        states: npt.NDArray[Any] | None = None,
    ) -> npt.NDArray[Any]:
        return self.act(observations, masks)


def _weighed(opponents: Any) -> list[tuple[Any, float]]:
    """Opponents as `make_gym` takes them, each with its weight.

    Raises:
        BadOption: a weight is no number above 0.
    """
    several = isinstance(opponents, Iterable) and not isinstance(opponents, str) and not _is_pair(opponents)
    weighed = []
    for spec in opponents if several else [opponents]:
        weight = 1.0
        if _is_pair(spec):
            spec, weight = spec
        elif isinstance(spec, Opponent):
            weight = spec.weight
        if number("weight", weight, 0) <= 0:
            raise BadOption(f"weight={shown(weight)} of opponent {shown(spec)}, must be above 0")
        weighed.append((spec, float(weight)))
    return weighed


def _is_pair(spec: object) -> TypeGuard[tuple[Any, Any]]:
    return isinstance(spec, tuple) and len(spec) == 2 and isinstance(spec[1], Real)
