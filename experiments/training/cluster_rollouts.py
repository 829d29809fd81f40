"""Plays windows on a Ray cluster: `ClusterRollouts` beside the learner, `RolloutWorker` on each worker.

Workers keep nothing between orders: the states of the matches travel with them, so that the learner's process has all
of a run's state. A part that a lost worker was playing is played again by another, from the same states, with the same
result; and with `staleness` 0 a window does not depend on who plays which part of it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env import get_game
from bdgame_env.engine.game import Game

from ..cluster.connection import connect
from ..cluster.crew import Crew, Done
from .averaging import Share, ShareLearner
from .codes import COUNTS, OPEN, RIVAL_GAMES, RIVAL_WINS
from .config import TrainConfig
from .matches import Matches, pack_states, unpack_states
from .packing import pack, unpack
from .rollouts import Filled, Order, Rival, WindowPlayer, part_size
from .samples import Window, new_window

_PARTS_PER_WORKER = 2  # so that a worker that is done early has more to do
_PARTS_AHEAD = 2  # that a worker holds where nobody waits for it


@dataclass(eq=False)
class _Part:
    """Some of the matches with a number of players.

    Attributes:
        matches: all of these. lo, hi: its own are lo..hi-1. at: where its samples begin in the window.
        order: how it is being played.
    """

    matches: Matches
    lo: int
    hi: int
    at: int
    order: Order | None = None

    def __str__(self) -> str:
        return f"a window of the matches {self.lo} to {self.hi - 1} of {self.matches.config.players} players"


class ClusterRollouts:
    """Plays all matches on workers of a cluster.

    With `config.staleness` 0, a window is played with the newest weights and learned from when all of it is there.
    Otherwise workers play on while the learner learns: a part goes into the next window when it arrives, unless more
    than `staleness` updates have been made since its weights.

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
        depth = _PARTS_AHEAD if config.staleness else 1
        self.crew: Crew[_Part] = Crew(ray, kind, (get_game(config.game), config), actors, depth, show)
        self._parts: list[_Part] = []
        self._idle: deque[_Part] = deque()
        self._shared: tuple[Order, tuple[Any, ...]] | None = None
        self._stream: Iterator[Done[_Part] | None] = iter(())
        self._early: deque[Done[_Part]] = deque()  # arrived, with no room left in the window
        self._bytes = self._samples = 0

    def fill(self, window: Window, matches: Sequence[Matches], order: Order) -> Filled:
        """See `Rollouts.fill`."""
        if not self._parts:
            self._parts = self._split(matches)
            self._idle.extend(self._parts)
        self._share(order)
        self._bytes = self._samples = 0
        waited = self.crew.waited
        filled = self._fill_ahead(window, order) if self._config.staleness else self._fill_in_step(window, order)
        filled.figures |= {
            "cluster/workers": float(self.crew.size),
            "cluster/lost": float(self.crew.lost),
            "cluster/bytes_per_decision": self._bytes / max(1, self._samples),
            "cluster/seconds_waited": self.crew.waited - waited,
        }
        return filled

    def close(self) -> None:
        """Stop all workers."""
        self.crew.close()

    def _fill_in_step(self, window: Window, order: Order) -> Filled:
        """The window that a single process would play, to the last bit."""
        counts = np.zeros(COUNTS, np.float64)
        for done in self._play():
            if done is not None:
                part = done.order
                self._take_in(done, window, part.at, counts)
        self._idle.extend(self._parts)
        return Filled(counts, [(order.rival, counts[RIVAL_GAMES], counts[RIVAL_WINS])], {"cluster/staleness": 0.0})

    def _fill_ahead(self, window: Window, order: Order) -> Filled:
        """A window of whatever arrives first."""
        window.next[:] = OPEN
        counts, met = np.zeros(COUNTS, np.float64), list[tuple[Rival | None, float, float]]()
        at, ages, dropped = 0, list[int](), 0
        steps = self._config.steps
        while True:
            done = self._early.popleft() if self._early else self._next()
            if done is None:
                continue
            part = done.order
            samples = (part.hi - part.lo) * steps
            if at + samples > len(window.next):
                self._early.appendleft(done)
                break
            assert part.order is not None
            age = order.updates - part.order.updates
            own = np.zeros(COUNTS, np.float64)
            if age > self._config.staleness or part.order.teach != order.teach:
                dropped += 1
                self._take_in(done, None, 0, own)
            else:
                ages.append(age)
                self._take_in(done, window, at, own)
                at += samples
                counts += own
                met.append((part.order.rival, own[RIVAL_GAMES], own[RIVAL_WINS]))
            self._idle.append(part)
            if at == len(window.next):
                break
        figures = {"cluster/staleness": float(np.mean(ages)), "cluster/dropped": dropped / (dropped + len(ages))}
        return Filled(counts, met, figures)

    def _next(self) -> Done[_Part] | None:
        """What arrives next, or None after a while in which nothing does."""
        try:
            return next(self._stream)
        except StopIteration:
            self._stream = self._play()
            return None

    def _play(self) -> Iterator[Done[_Part] | None]:
        return self.crew.carry_out(self._take, self._arguments, self._idle.appendleft)

    def _take(self) -> _Part | None:
        return self._idle.popleft() if self._idle else None

    def _split(self, matches: Sequence[Matches]) -> list[_Part]:
        """All matches in parts of about equal size."""
        parts, at = list[_Part](), 0
        total = sum(some.count for some in matches)
        for some in matches:
            share = max(1, round(_PARTS_PER_WORKER * self._workers * some.count / total))
            size = part_size(some.count, share, self._config)
            for lo in range(0, some.count, size):
                hi = min(some.count, lo + size)
                parts.append(_Part(some, lo, hi, at))
                at += (hi - lo) * self._config.steps
        return parts

    def _share(self, order: Order) -> None:
        """Send an order's weights to where all workers find them."""
        rival = None
        if order.rival is not None:
            rival = self.crew.share((order.rival.weights, order.rival.width, order.rival.layers))
        weights = self.crew.share(order.weights)
        self._shared = order, (weights, rival, order.play, order.updates, order.teach)

    def _arguments(self, part: _Part) -> tuple[Any, ...]:
        """What a worker is sent: the states as they were when the part's last window ended."""
        assert self._shared is not None
        part.order, sent = self._shared
        states = pack_states(part.matches.games[part.lo : part.hi], part.matches.rng[part.lo : part.hi])
        self._bytes += len(states)
        lineups = part.matches.lineups[part.lo : part.hi].copy()
        return (*sent, part.matches.config.players, part.lo, part.matches.count, states, lineups)

    def _take_in(self, done: Done[_Part], window: Window | None, at: int, counts: Any) -> None:
        """Keep a part's states, write its samples to the window, and count."""
        part = done.order
        states, samples, counted = done.result
        self._bytes += len(states) + len(samples)
        size = (part.hi - part.lo) * self._config.steps
        self._samples += size
        unpack_states(states, part.matches.games[part.lo : part.hi], part.matches.rng[part.lo : part.hi])
        if window is not None:
            unpack(samples, window.part(at, at + size))
        counts += counted


class ClusterLearners:
    """Has the shares of averaged learners learned on workers of a cluster, see `averaging`.

    Args:
        config: the settings of the run.
        on: see `cluster.connection.connect`.
        actors: the most workers; None for all cores of the cluster.
        show: told who works, see `Crew`.
    """

    def __init__(
        self, config: TrainConfig, on: str, actors: int | None, show: Callable[[str], None] | None = None
    ) -> None:
        arguments = get_game(config.game), config, 1
        kind = f"{ShareLearner.__module__}:{ShareLearner.__name__}"
        self._crew: Crew[Share] = Crew(connect(on, actors), kind, arguments, actors, show=show)

    def ask(
        self, shares: Sequence[Share], same: tuple[Any, ...], own: Callable[[Share], tuple[Any, ...]]
    ) -> Iterator[tuple[Share, Any]]:
        """See `averaging.AveragedLearners`."""
        waiting = deque(shares)
        sent = tuple(self._crew.share(value) for value in same)
        take, put_back = (lambda: waiting.popleft() if waiting else None), waiting.appendleft
        for done in self._crew.carry_out(take, lambda share: (*sent, *own(share)), put_back):
            if done is not None:
                yield done.order, done.result

    def close(self) -> None:
        """Stop all workers."""
        self._crew.close()


class RolloutWorker:
    """The work of a worker: it plays windows of some matches.

    Args:
        game: the game of the run, which may be registered in the learner's process only.
        config: the settings of the run.
    """

    def __init__(self, game: Game, config: TrainConfig) -> None:
        self._player = WindowPlayer(game, config, threads=1)
        self._windows: dict[int, Window] = {}  # by number of samples

    def work(
        self,
        weights: Any,
        rival: Any,
        play: Any,
        updates: int,
        teach: bool,
        players: int,
        first: int,
        of: int,
        states: bytes,
        lineups: npt.NDArray[np.int8],
    ) -> tuple[bytes, bytes, npt.NDArray[np.float64]]:
        """Play the matches `first`, ... of `of` on; the states after it, the samples, and what was counted."""
        matches = self._player.matches(players, len(lineups))
        window = self._window(len(lineups) * self._player.config.steps)
        unpack_states(states, matches.games, matches.rng)
        matches.lineups[:] = lineups
        # Ray's arrays cannot be written to, which compiled code would take for another type.
        met = None if rival is None else Rival(rival[0].copy(), *rival[1:])
        order = Order(play.copy(), weights.copy(), met, updates, teach)
        counts = self._player.play(window, matches, order, first, of)
        return pack_states(matches.games, matches.rng), pack(window), counts

    def close(self) -> None:
        """Nothing is left to stop."""

    def _window(self, samples: int) -> Window:
        if samples not in self._windows:
            player = self._player
            self._windows[samples] = new_window(player.plan, samples, searches=player.config.search_every > 0)
        return self._windows[samples]
