"""Plays the batches of a tournament, in this process or in several worker processes.

The results of a batch do not depend on the process that plays it, because agents are seeded for each batch. A worker
that an agent takes down is replaced. Its batch is then played again game by game; when a game takes down a worker once
more, the agent that was asked last loses it.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection, wait
from queue import SimpleQueue
from threading import Thread
from typing import Protocol

from bdgame_env.agents.program_agent import kill_programs
from bdgame_env.engine.cores import usable_cores

from ..errors import BadInput
from .batch_runner import BatchRunner, Job, OnStep, Seatings
from .matches import GameResult
from .stored_batches import Batch

_WORTH_SECONDS = 5.0  # of play left: below that, starting workers takes longer than playing
_STEP_SECONDS = 0.2
_POLL_SECONDS = 1.0
_GOODBYE_SECONDS = 2.0
_MOST_STARTS = 3
_THREADS = ("BDGAME_ENV_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


class Pool(Protocol):
    """Workers that play batches."""

    def play(self, batches: Sequence[Seatings], on_step: OnStep) -> Iterator[Sequence[Batch]]:
        """See `Executor.play`."""

    def close(self) -> None:
        """Stop all workers."""


class Executor:
    """Plays batches in this process while that is faster, and in workers once enough remains to be played.

    Args:
        here: plays in this process.
        start_workers: starts the workers; None for none. Then everything is played in this process, and an agent that
            ends its process ends the tournament.
        begin_here: whether to begin in this process, because its agents are fast and trusted.
    """

    def __init__(self, here: BatchRunner, start_workers: Callable[[], Pool] | None, begin_here: bool) -> None:
        self._here, self._start_workers, self._begin_here = here, start_workers, begin_here
        self._workers: Pool | None = None

    def play(self, batches: Sequence[Seatings], on_step: OnStep) -> Iterator[Sequence[Batch]]:
        """Yield batches as they end; `on_step` is called with the number of games that have ended.

        Raises:
            BadInput: workers cannot be started.
            RuntimeError: the engine failed. An agent that fails only loses its game.
        """
        waiting = deque(batches)
        ended, started = 0, time.monotonic()
        while waiting and (self._start_workers is None or (self._begin_here and self._workers is None)):
            done = ended
            results, _ = self._here.play(waiting.popleft(), lambda now: on_step(done + now))  # noqa: B023  (called at once)
            yield [results]
            ended += len(results)
            rest = sum(map(len, waiting)) * (time.monotonic() - started) / ended
            if self._start_workers is not None and len(waiting) > 1 and rest > _WORTH_SECONDS:
                break
        if waiting:
            assert self._start_workers is not None
            if self._workers is None:
                self._here.load_agents()
                self._workers = self._start_workers()
            yield from self._workers.play(list(waiting), lambda now: on_step(ended + now))

    def close(self) -> None:
        """Stop the workers and close the agents."""
        if self._workers is not None:
            self._workers.close()
        self._here.close()


# Workers, seen from the main process


@dataclass
class _Batch:
    """A batch being played: in one piece or, after it took a worker down, game by game."""

    seatings: Seatings
    results: list[GameResult] = field(default_factory=list)


@dataclass
class _Task:
    batch: _Batch
    seatings: Seatings
    alone: bool = False
    tries: int = 0


class _Worker:
    """A worker process, its task, and its last message."""

    def __init__(self, job: Job, threads: int) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=_work, args=(theirs, job), daemon=True)
        with _starting(threads):
            self.process.start()
        theirs.close()  # so that the pipe ends when the process does
        self.ready = False
        self.task: _Task | None = None
        self.ended = 0
        self.question: GameResult | None = None
        self.heard = time.monotonic()

    def give(self, task: _Task) -> None:
        self.task, self.ended, self.question, self.heard = task, 0, None, time.monotonic()
        with suppress(OSError):  # it has just died, which `_listen` will notice
            self.connection.send((task.seatings, task.alone))

    def stop(self) -> str:
        """Stop it, and say how it failed."""
        self.process.join(0.5)
        hung = self.process.is_alive()
        self.kill()
        return "hung its process" if hung else f"ended its process ({_exit_text(self.process.exitcode)})"

    def end(self) -> None:
        """Stop it, but let it close its agents first, so that none of their programs is left running."""
        with suppress(OSError):
            self.connection.send(None)
        self.process.join(_GOODBYE_SECONDS)
        self.kill()

    def kill(self) -> None:
        self.process.terminate()  # it ends its agents' programs
        self.process.join(_GOODBYE_SECONDS)
        self.process.kill()
        self.process.join()
        self.connection.close()


class WorkerPool:
    """Up to `count` worker processes, started when there is something to play.

    Args:
        job: the tournament's games and agents.
        count: the most processes.
        threads: of the libraries in each of them; None to share the usable cores.
    """

    def __init__(self, job: Job, count: int, threads: int | None = None) -> None:
        self._job, self._count = job, count
        self._threads = threads or max(1, usable_cores() // count)
        self._workers: list[_Worker] = []
        self._failed_starts = 0

    def play(self, batches: Sequence[Seatings], on_step: OnStep) -> Iterator[Sequence[Batch]]:
        """See `Executor.play`."""
        waiting = deque(_Task(batch, batch.seatings) for batch in map(_Batch, batches))
        left, ended = len(batches), 0
        while left:
            self._hand_out(waiting)
            for worker in self._with_news():
                for batch in self._listen(worker, waiting):
                    left -= 1
                    ended += len(batch.results)
                    yield [batch.results]
            on_step(ended + sum(worker.ended for worker in self._workers if worker.task is not None))

    def close(self) -> None:
        """Stop all workers."""
        for worker in self._workers:
            if worker.task is not None or not worker.ready:
                worker.process.terminate()  # all of them first, so that they end at the same time
        for worker in self._workers:
            if worker.task is None and worker.ready:
                worker.end()
            else:
                worker.kill()
        self._workers.clear()

    def _hand_out(self, waiting: deque[_Task]) -> None:
        for worker in self._workers:
            if waiting and worker.ready and worker.task is None:
                worker.give(waiting.popleft())
        coming = sum(not worker.ready for worker in self._workers)
        for _ in range(min(len(waiting) - coming, self._count - len(self._workers))):
            self._workers.append(_Worker(self._job, self._threads))

    def _with_news(self) -> list[_Worker]:
        """The workers that have sent a message, ended or hung."""
        by_connection = {worker.connection: worker for worker in self._workers}
        news = [by_connection[connection] for connection in wait(list(by_connection), _POLL_SECONDS)]  # type: ignore[index]
        for worker in self._workers:
            patience = None if worker.task is None else self._job.patience(len(worker.task.seatings))
            if worker not in news and patience is not None and time.monotonic() - worker.heard > patience:
                news.append(worker)
        return news

    def _listen(self, worker: _Worker, waiting: deque[_Task]) -> Iterator[_Batch]:
        """Receive one message; yield the batch that it completed, if any."""
        silent = not worker.connection.poll()
        try:
            if silent:
                raise EOFError
            kind, content = worker.connection.recv()
        except (EOFError, OSError):
            yield from self._replace(worker, worker.stop(), waiting)
            return
        worker.heard = time.monotonic()
        if kind == "ready":
            worker.ready, self._failed_starts = True, 0
        elif kind == "step":
            worker.ended = content
        elif kind == "question":
            worker.question = content
        elif kind == "error":
            raise RuntimeError(content)
        elif kind == "done":
            task, (results, worn) = worker.task, content
            assert task is not None
            worker.task = None
            if worn:  # an agent's thread may still be running there and would slow all later games
                worker.end()
                self._workers.remove(worker)
            yield from _finished(task.batch, results)

    def _replace(self, worker: _Worker, reason: str, waiting: deque[_Task]) -> Iterator[_Batch]:
        self._workers.remove(worker)
        task = worker.task
        if task is None:
            self._failed_starts += 1
            if self._failed_starts == _MOST_STARTS:
                raise BadInput(f"{_MOST_STARTS} worker processes {reason} before they played: try --workers 1")
        elif not task.alone:
            waiting.extendleft(_Task(task.batch, [seating], alone=True) for seating in reversed(task.seatings))
        elif worker.question is None:  # no agent had been asked yet
            task.tries += 1
            waiting.appendleft(task)
            if task.tries == _MOST_STARTS:
                raise BadInput(f"game {task.seatings[0].number} {reason} {_MOST_STARTS} times: try --workers 1")
        else:
            yield from _finished(task.batch, [replace(worker.question, reason=reason)])


def _finished(batch: _Batch, results: Sequence[GameResult]) -> Iterator[_Batch]:
    batch.results += results
    if len(batch.results) == len(batch.seatings):
        yield batch


def _exit_text(code: int | None) -> str:
    if code is not None and code < 0:
        with suppress(ValueError):
            return signal.Signals(-code).name
    return f"exit code {code}"


@contextmanager
def _starting(threads: int) -> Iterator[None]:
    """While processes start: limit their libraries to some threads, so that cores are not overbooked, and hold Ctrl-C.

    A new process cannot handle Ctrl-C yet; this one gets it afterwards.
    """
    before = {name: os.environ.get(name) for name in _THREADS}
    os.environ.update(dict.fromkeys(_THREADS, str(threads)))
    has_masks = hasattr(signal, "pthread_sigmask")
    held = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if has_masks else set()
    try:
        yield
    finally:
        if has_masks:
            signal.pthread_sigmask(signal.SIG_SETMASK, held)
        for name, value in before.items():
            os.environ.pop(name)
            if value is not None:
                os.environ[name] = value


# In the worker process


def _work(connection: Connection, job: Job) -> None:
    """Play the batches that are sent until the connection closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes; the main one stops the workers
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    stops: SimpleQueue[object] = SimpleQueue()
    parent = multiprocessing.parent_process()
    assert parent is not None
    signal.signal(signal.SIGTERM, lambda *_: stops.put(None))
    for reason in (stops.get, parent.join):
        Thread(target=_end_after, args=(reason,), daemon=True).start()
    try:
        runner = BatchRunner(job)
        runner.load()
        if job.memory is not None:
            limit_memory(job.memory)
        connection.send(("ready", None))
        reported = 0.0

        def on_step(ended: int) -> None:
            nonlocal reported
            if time.monotonic() - reported > _STEP_SECONDS:
                connection.send(("step", ended))
                reported = time.monotonic()

        while (request := connection.recv()) is not None:
            seatings, alone = request
            on_question = (lambda result: connection.send(("question", result))) if alone else None
            connection.send(("done", runner.play(seatings, on_step, on_question)))
        runner.close()
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return
    except Exception:
        connection.send(("error", traceback.format_exc()))


def limit_memory(most: int) -> None:
    """Limit the memory that this process may allocate, in bytes: more is a MemoryError, or ends the process.

    Raises:
        BadInput: this system cannot limit memory.
    """
    try:
        import resource
    except ModuleNotFoundError:
        raise BadInput("--memory: this system cannot limit memory") from None
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


def _end_after(wait_for_reason: Callable[[], object]) -> None:
    """Wait, then end at once, even in the middle of a call, along with the programs that agents have started.

    This is no work for a signal handler: the main thread, which it interrupts, may be about to start a program, or hold
    a lock; a second signal even interrupts the handler of the first. Only `SimpleQueue.put` is made for that.
    """
    wait_for_reason()
    kill_programs()
    os._exit(1)
