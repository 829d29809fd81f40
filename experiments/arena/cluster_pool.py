"""Plays the batches of a tournament on a Ray cluster: `ClusterPool` in the driver, `GamePlayer` on each worker."""

from __future__ import annotations

import tempfile
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bdgame_env.agents import make_agent
from bdgame_env.agents.specs import KeptSpec

from ..cluster.connection import connect
from ..cluster.crew import Crew
from ..cluster.shipping import files_named, renamed, unpack
from .batch_runner import Job, OnStep, Seatings
from .stored_batches import StoredBatch, packed
from .workers import WorkerPool

_LEAST_MEMORY = 2**30
_PARCEL_SECONDS = 1.0
_WORKERS_PER_SECOND = 50  # whose parcels the driver takes in: a small part of what it was measured to manage
_PROGRAM = "program:"


@dataclass(frozen=True, eq=False)
class _Parcel:
    batches: list[Seatings]

    def __str__(self) -> str:
        first, last = self.batches[0][0].number, self.batches[-1][-1].number
        return f"game {first}" if first == last else f"one of the games {first} to {last}"


class ClusterPool:
    """Workers on a cluster, each with a process of its own in which agents play.

    Args:
        job: the tournament's games and agents; without a memory limit, a worker gets its share of its machine's.
        on: see `cluster.connection.connect`.
        count: the most workers; None for all cores of the cluster.
        show: told who works, see `Crew`.

    Attributes:
        crew: the workers.

    Raises:
        BadInput: there is no such cluster, or the files that the agents need are too large; one line.
    """

    def __init__(self, job: Job, on: str, count: int | None, show: Callable[[str], None] | None = None) -> None:
        ray = connect(on, count)
        files = files_named(filter(_names_files_there, job.agents))
        if job.memory is None:
            job = replace(job, memory=_share_of_memory(ray))
        self.crew: Crew[_Parcel] = Crew(ray, f"{__name__}:GamePlayer", (job, files), count, show=show)
        self._seconds = 0.0  # of a batch, on average

    def play(self, batches: Sequence[Seatings], on_step: OnStep) -> Iterator[list[StoredBatch]]:
        """See `Executor.play`."""
        waiting = deque(batches)
        returned: deque[_Parcel] = deque()  # by lost workers
        ended = played = 0
        total = 0.0

        def take() -> _Parcel | None:
            if returned:
                return returned.popleft()
            size = self._parcel_size(len(waiting))
            return _Parcel([waiting.popleft() for _ in range(size)]) if size else None

        def put_back(parcel: _Parcel) -> None:
            parts = [_Parcel([batch]) for batch in parcel.batches] if len(parcel.batches) > 1 else [parcel]
            returned.extendleft(reversed(parts))

        for done in self.crew.carry_out(take, lambda parcel: (parcel.batches,), put_back):
            if done is not None:
                total, played = total + done.seconds, played + len(done.order.batches)
                self._seconds = total / played
                ended += sum(batch.size for batch in done.result)
                yield done.result  # several batches, to be stored at once: waiting for the disk is what takes long
            on_step(ended)

    def close(self) -> None:
        """Stop all workers."""
        self.crew.close()

    def _parcel_size(self, waiting: int) -> int:
        """How many of the waiting batches to send at once: more if they are short, fewer towards the end.

        A parcel is to take `_PARCEL_SECONDS`, and longer if there are many workers, so that the driver keeps up; but
        nobody gets so much that others would have nothing left to do.
        """
        if not self._seconds:
            return min(1, waiting)
        workers = max(1, self.crew.size)
        wanted = max(_PARCEL_SECONDS, workers / _WORKERS_PER_SECOND) / self._seconds
        return min(waiting, max(1, min(int(wanted), waiting // (2 * workers))))


def _names_files_there(spec: str) -> bool:
    """Whether an agent may look for files by the names in its spec; policies and card files travel with theirs."""
    return not spec.startswith(_PROGRAM) and not isinstance(spec, KeptSpec)


def _share_of_memory(ray: Any) -> int:
    """What each worker may take so that the workers of no machine take more than it has, in bytes."""
    shares = [
        node["Resources"]["memory"] / node["Resources"]["CPU"]
        for node in ray.nodes()
        if node["Alive"] and node["Resources"].get("CPU") and node["Resources"].get("memory")
    ]
    return max(_LEAST_MEMORY, int(0.9 * min(shares))) if shares else _LEAST_MEMORY


class GamePlayer:
    """The work of a worker: it plays batches in a process of its own, which agents may crash, hang or fill.

    Args:
        job: the tournament's games and agents.
        files: those that agents need, by the names they have there.

    Raises:
        UnknownAgent, BadOption, BadInput: an agent or option is not known here.
    """

    def __init__(self, job: Job, files: dict[str, bytes]) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="bdgame_env-")
        names = unpack(files, Path(self._folder.name))
        agents = [renamed(spec, names) if _names_files_there(spec) else spec for spec in job.agents]
        job = replace(job, agents=agents)
        config = job.game.config(**job.options)
        for spec in agents:
            make_agent(spec, job.game, config).close()
        self._pool = WorkerPool(job, 1, threads=1)

    def work(self, batches: Sequence[Seatings]) -> list[StoredBatch]:
        """The results of some batches."""
        return [packed(batch) for part in self._pool.play(batches, lambda _: None) for batch in part]

    def close(self) -> None:
        """Stop the process."""
        self._pool.close()
        self._folder.cleanup()
