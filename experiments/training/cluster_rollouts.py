"""Plays windows on a Ray cluster: `ClusterRollouts` beside the learner, `RolloutWorker` on each worker.

Workers keep nothing between orders: the states of the matches travel with them, so that the learner's process has all
of a run's state. A part that a lost worker was playing is played again by another, from the same states, with the same
result; and a window does not depend on who plays which part of it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from math import gcd

import numpy as np
import numpy.typing as npt

from bdgame_env import get_game
from bdgame_env.agents.networks.network import Network
from bdgame_env.engine.game import Game

from ..cluster.connection import connect
from ..cluster.crew import Crew
from .codes import COUNTS
from .config import TrainConfig
from .rollouts import Counts, Matches, WindowPlayer
from .samples import Window, new_window
from .stage import Stages

_PARTS_PER_WORKER = 2  # so that a worker that is done early has more to do


@dataclass(eq=False)
class _Part:
    """The matches lo..hi-1 of some with the same config; their samples begin at `at` in the window."""

    number: int  # of the config
    matches: Matches
    lo: int
    hi: int
    at: int

    def __str__(self) -> str:
        return f"a window of the matches {self.lo} to {self.hi - 1} of {self.matches.game_config.players} players"


class ClusterRollouts:
    """Plays all matches on workers of a cluster: the window that a single process would play, to the last bit.

    Args:
        config: the settings of the run.
        on: see `cluster.connection.connect`.
        actors: the most workers; None for all cores of the cluster when the run starts.
        show: told who works, see `Crew`.

    Attributes:
        crew: the workers.
    """

    def __init__(
        self, config: TrainConfig, on: str, actors: int | None, show: Callable[[str], None] | None = None
    ) -> None:
        self._config = config
        ray = connect(on, actors)
        self._workers = actors or max(1, int(ray.cluster_resources().get("CPU", 1)))
        kind = f"{__name__}:RolloutWorker"
        self.crew: Crew[_Part] = Crew(ray, kind, (get_game(config.game), config), actors, show)

    def fill(
        self, window: Window, matches: Sequence[Matches], stage: Stages, learner: Network, rivals: Sequence[Network]
    ) -> tuple[Counts, dict[str, float]]:
        """See `Rollouts.fill`."""
        shared = self.crew.share((stage, learner, rivals))
        parts, sent, waited = deque(self._split(matches)), 0, self.crew.waited
        counts = np.zeros(COUNTS)

        def arguments(part: _Part) -> tuple[object, ...]:
            nonlocal sent
            states = part.matches.packed(part.lo, part.hi)
            sent += len(states)
            lineups = part.matches.lineups[part.lo : part.hi].copy()
            return shared, part.number, part.lo, states, lineups

        for done in self.crew.carry_out(lambda: parts.popleft() if parts else None, arguments, parts.appendleft):
            if done is None:
                continue
            part, (states, samples, counted) = done.order, done.result
            sent += len(states) + len(samples)
            part.matches.unpack(states, part.lo, part.hi)
            window.part(part.at, part.at + (part.hi - part.lo) * self._config.steps).unpack(samples)
            counts += counted
        return counts, {
            "cluster/workers": float(self.crew.size),
            "cluster/lost": float(self.crew.lost),
            "cluster/bytes_per_decision": sent / len(window.next),
            "cluster/seconds_waited": self.crew.waited - waited,
        }

    def close(self) -> None:
        """Stop all workers."""
        self.crew.close()

    def _split(self, matches: Sequence[Matches]) -> Iterator[_Part]:
        """All matches in parts of about equal size.

        A part begins at a multiple of `unit`, so that the same samples are searched as in one piece.
        """
        config, at = self._config, 0
        unit = config.search_every // gcd(config.steps, config.search_every) if config.search_every else 1
        total = sum(some.count for some in matches)
        for number, some in enumerate(matches):
            share = max(1, round(_PARTS_PER_WORKER * self._workers * some.count / total))
            size = -(-max(1, some.count // share) // unit) * unit
            for lo in range(0, some.count, size):
                hi = min(some.count, lo + size)
                yield _Part(number, some, lo, hi, at)
                at += (hi - lo) * config.steps


class RolloutWorker:
    """The work of a worker: it plays windows of some matches.

    Args:
        game: the game of the run, which may be registered in the learner's process only.
        config: the settings of the run.
    """

    def __init__(self, game: Game, config: TrainConfig) -> None:
        self._player = WindowPlayer(game, config, threads=1)
        self._room: dict[tuple[int, int], tuple[Matches, Window]] = {}  # by numbers of config and of matches

    def work(
        self,
        shared: tuple[Stages, Network, Sequence[Network]],
        number: int,
        first: int,
        states: bytes,
        lineups: npt.NDArray[np.int8],
    ) -> tuple[bytes, bytes, Counts]:
        """Play the matches from `first` on; the states after it, the samples, and what was counted."""
        matches, window = self._room_for(number, len(lineups))
        matches.unpack(states, 0, matches.count)
        matches.lineups[:] = lineups
        # Ray's arrays cannot be written to, which compiled code would take for another type.
        stage, learner, rivals = deepcopy(shared)
        counts = self._player.play(window, matches, number, stage, learner, rivals, first)
        return matches.packed(0, matches.count), window.packed(), counts

    def close(self) -> None:
        """Nothing is left to stop."""

    def _room_for(self, number: int, count: int) -> tuple[Matches, Window]:
        if (number, count) not in self._room:
            player, config = self._player, self._player.config
            matches = Matches(player.game, player.game_configs[number], count, 0, 1)
            window = new_window(player.plan, count * config.steps, searches=config.search_every > 0)
            self._room[number, count] = matches, window
        return self._room[number, count]
