"""Workers on a Ray cluster: started as cores are there, given work, replaced when they are lost."""

from __future__ import annotations

import pickle
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Generic, TypeVar

from ..errors import BadInput
from .fingerprint import fingerprint
from .host import Host

_LOOK_SECONDS = 2.0  # between looks at how many cores the cluster has
_POLL_SECONDS = 0.5
_GOODBYE_SECONDS = 8.0
_START_SECONDS = 60.0  # without any worker, while starts fail
_MOST_LOSSES = 4  # of workers with the same order, on machines that go on

Order = TypeVar("Order")


@dataclass(eq=False)
class _Worker:
    actor: Any
    machine: str = ""  # once it is ready
    node: str = ""
    order: Any = None  # what it works at
    call: Any = None  # the reference to its result


@dataclass(frozen=True)
class Done(Generic[Order]):
    """An order that was carried out.

    Attributes:
        order: what was ordered.
        result: what came back.
        seconds: how long the worker took.
    """

    order: Order
    result: Any
    seconds: float


class Crew(Generic[Order]):
    """Workers of one kind, each with a core of its own.

    A worker that is lost, with its process, machine or network, gives its order back, and another one carries it out.
    A result counts when it arrives here, so nothing is lost and nothing counts twice.

    Args:
        ray: the module, connected.
        kind: the class of the work, "module:Class", see `host.Work`.
        arguments: what it is made with on each worker; they can be pickled.
        most: number of workers; None for one for each core that the cluster has, now or later.
        show: told who works, in a few words, whenever that changes.

    Attributes:
        lost: workers lost so far. waited: seconds this process waited for results.
    """

    def __init__(
        self,
        ray: ModuleType,
        kind: str,
        arguments: tuple[Any, ...],
        most: int | None = None,
        show: Callable[[str], None] | None = None,
    ) -> None:
        self._ray, self._most, self._show = ray, most, show
        self._host = ray.remote(num_cpus=1, max_restarts=0, max_task_retries=0)(Host)
        self._start: tuple[Any, ...] = (fingerprint(), kind, ray.put(pickle.dumps(arguments)))
        self._starting: dict[Any, _Worker] = {}
        self._workers: list[_Worker] = []
        self._wanted, self._looked, self._shown = 0, 0.0, ""
        self._failing: float | None = None  # since when no worker has started
        self._losses: Counter[Order] = Counter()  # workers, by the order that they were at
        self.lost, self.waited = 0, 0.0

    @property
    def size(self) -> int:
        """Workers that are ready."""
        return len(self._workers)

    def share(self, value: Any) -> Any:
        """A reference to a value, for an order: it travels to each machine once, not to each worker."""
        return self._ray.put(value)

    def carry_out(
        self,
        take: Callable[[], Order | None],
        arguments: Callable[[Order], tuple[Any, ...]],
        put_back: Callable[[Order], None],
    ) -> Iterator[Done[Order] | None]:
        """Carry out orders until there are none; yield each when it is done, and None now and then while none is.

        Args:
            take: the next order, or None while there is none. Orders are told apart by identity.
            arguments: of an order, for `Work.work`; a `share` among them arrives as its value.
            put_back: takes an order back whose worker was lost.

        Raises:
            BadInput: a worker refuses, workers cannot be started or are lost again and again with the same order, or
                the connection is lost; one line.
            RuntimeError: the work itself failed.
        """
        try:
            while True:
                self._recruit()
                self._hand_out(take, arguments)
                if all(worker.call is None for worker in self._workers):
                    order = take()
                    if order is None:
                        return
                    put_back(order)
                done = list(self._collect(put_back))
                self._hand_out(take, arguments)
                yield from done
                if not done:
                    yield None
        except ConnectionError as error:
            raise _cut_off(error) from None
        except self._ray.exceptions.RaySystemError as error:
            raise _cut_off(error) from None

    def close(self) -> None:
        """Stop all workers; those that do nothing may end their agents' programs first."""
        actors = [worker.actor for worker in (*self._workers, *self._starting.values())]
        with suppress(Exception):  # the cluster may be gone
            goodbyes = [worker.actor.close.remote() for worker in self._workers if worker.call is None]
            if goodbyes:
                self._ray.wait(goodbyes, num_returns=len(goodbyes), timeout=_GOODBYE_SECONDS)
        for actor in actors:
            with suppress(Exception):
                self._ray.kill(actor)
        self._workers.clear()
        self._starting.clear()

    def _recruit(self) -> None:
        """Start workers for the cores that there are."""
        now = time.monotonic()
        if now - self._looked > _LOOK_SECONDS:
            self._looked = now
            self._wanted = self._most or int(self._ray.cluster_resources().get("CPU", 0))
        for _ in range(self._wanted - len(self._workers) - len(self._starting)):
            actor = self._host.remote(*self._start)
            self._starting[actor.ready.remote()] = _Worker(actor)
        self._tell()

    def _hand_out(self, take: Callable[[], Order | None], arguments: Callable[[Order], tuple[Any, ...]]) -> None:
        for worker in self._workers:
            if worker.call is None:
                order = take()
                if order is None:
                    return
                worker.order, worker.call = order, worker.actor.work.remote(*arguments(order))

    def _collect(self, put_back: Callable[[Order], None]) -> Iterator[Done[Order]]:
        """What has arrived; waits a moment for it."""
        by_call = {worker.call: worker for worker in self._workers if worker.call is not None}
        calls = [*by_call, *self._starting]
        if not calls:  # the cluster has no core for us at present
            time.sleep(_POLL_SECONDS)
            return
        started = time.perf_counter()
        arrived, _ = self._ray.wait(calls, num_returns=1, timeout=_POLL_SECONDS)
        self.waited += time.perf_counter() - started
        if arrived:
            arrived, _ = self._ray.wait(calls, num_returns=len(calls), timeout=0)
        for call in arrived:
            if call in self._starting:
                self._welcome(call)
                continue
            worker = by_call[call]
            try:
                seconds, result, problem = self._ray.get(call)
            except self._ray.exceptions.RayTaskError as error:
                raise RuntimeError(f"a worker failed: {error}") from None
            except self._ray.exceptions.RaySystemError:
                raise
            except self._ray.exceptions.RayError as error:
                self._lose(worker, error, put_back)
                continue
            if problem:
                raise BadInput(problem)
            order, worker.order, worker.call = worker.order, None, None
            self._losses.pop(order, None)
            yield Done(order, result, seconds)

    def _welcome(self, call: Any) -> None:
        """Take in a worker that has started, or find out why it has not."""
        worker = self._starting.pop(call)
        try:
            worker.machine, worker.node, problem = self._ray.get(call)
        except self._ray.exceptions.RayError as error:
            now = time.monotonic()
            self._failing = self._failing or now
            alone = not self._workers and now - self._failing > _START_SECONDS
            if alone or isinstance(error, self._ray.exceptions.RayTaskError):
                raise BadInput(f"the cluster's workers do not start: {_reason(error)}") from None
            self._wanted = 0  # until the next look: a node may have gone that Ray still counts
            return
        if problem:
            raise BadInput(f"the worker on {worker.machine} {problem}")
        self._failing = None
        self._workers.append(worker)

    def _lose(self, worker: _Worker, error: Exception, put_back: Callable[[Order], None]) -> None:
        """Give a worker up, and its order back."""
        self.lost += 1
        self._workers.remove(worker)
        with suppress(Exception):  # it may only be out of reach: what it still does must not go on
            self._ray.kill(worker.actor)
        machine_goes_on = any(node["Alive"] and node["NodeID"] == worker.node for node in self._ray.nodes())
        if machine_goes_on:
            self._losses[worker.order] += 1
            if self._losses[worker.order] == _MOST_LOSSES:
                raise BadInput(
                    f"{worker.order} took down {_MOST_LOSSES} workers, last on {worker.machine}: {_reason(error)}"
                )
        put_back(worker.order)

    def _tell(self) -> None:
        nodes = len({worker.node for worker in self._workers})
        text = f"{len(self._workers)} workers on {nodes} node{'' if nodes == 1 else 's'}"
        if self._starting:
            text += f", {len(self._starting)} starting or waiting for a core"
        if self.lost:
            text += f", {self.lost} lost"
        if text != self._shown and self._show is not None:
            self._show(text)
        self._shown = text


def _cut_off(error: Exception) -> BadInput:
    return BadInput(f"the connection to the cluster was lost ({_reason(error)}): repeat the command to go on")


def _reason(error: Exception) -> str:
    """The line of Ray's many that says what happened."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    telling = [line for line in lines if "Error" in line and not line.startswith(("ray::", "File "))]
    return (telling or lines or [type(error).__name__])[-1][:300]
