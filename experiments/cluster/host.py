"""What runs on a worker: it refuses a driver with other sources, then does the work of one kind that it is sent."""

from __future__ import annotations

import pickle
import socket
import time
from importlib import import_module
from typing import Any, Protocol

try:
    import ray
except ModuleNotFoundError as error:
    if error.name != "ray":
        raise
    raise ModuleNotFoundError("workers on a cluster need ray: pip install 'bdgame_env[cluster]'", name="ray") from None

from ..errors import BadInput
from .fingerprint import fingerprint


class Work(Protocol):
    """A kind of work. It is made once on each worker, from arguments that can be pickled."""

    def work(self, *order: Any) -> Any:
        """Do what is ordered; the result does not depend on the worker, or on what it did before."""

    def close(self) -> None:
        """Stop; nothing is ordered afterwards."""


class Host:
    """Holds the work of a worker.

    Args:
        theirs: the driver's fingerprint.
        kind: the class of the work, "module:Class".
        arguments: what it is made with, pickled. They are unpickled only once the fingerprints are the same.

    Attributes:
        problem: why nothing can be done here, in one line; "" if all is well.
    """

    def __init__(self, theirs: str, kind: str, arguments: bytes) -> None:
        self._work: Work | None = None
        self.problem = ""
        if theirs != fingerprint():
            self.problem = f"has {fingerprint()}, here is {theirs}: install the same version everywhere"
            return
        module, _, name = kind.partition(":")
        try:
            self._work = getattr(import_module(module), name)(*pickle.loads(arguments))
        except Exception as error:  # such as a game, an agent or a file that is not there
            self.problem = " ".join(f"{error}".split()) or type(error).__name__

    def ready(self) -> tuple[str, str, str]:
        """The name of this machine, Ray's name for it, and the problem."""
        return socket.gethostname(), ray.get_runtime_context().get_node_id(), self.problem

    def work(self, *order: Any) -> tuple[float, Any, str]:
        """The seconds it took, the result, and why there is none, in one line."""
        assert self._work is not None, self.problem
        started = time.perf_counter()
        try:
            result, problem = self._work.work(*order), ""
        except BadInput as error:
            result, problem = None, str(error)
        return time.perf_counter() - started, result, problem

    def close(self) -> None:
        """Stop what the work has started."""
        if self._work is not None:
            self._work.close()
