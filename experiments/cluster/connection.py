"""The connection to Ray: a small one on this machine, or a cluster."""

from __future__ import annotations

import atexit
import os
import re
import socket
import warnings
from collections.abc import Callable
from threading import Thread
from types import ModuleType
from typing import Any

from bdgame_env.engine.cores import usable_cores
from bdgame_env.engine.forks import after_fork

from ..errors import BadInput

HERE = "ray"
_PROBE_SECONDS = 5.0
_CONNECT_SECONDS = 60.0
_STORE_BYTES = 200 * 2**20
_ADDRESS = re.compile(r"(ray://)?(?P<host>[^:/\s]+|\[[0-9a-fA-F:]+\]):(?P<port>\d{1,5})")
_connected: list[str] = []  # the address of this process's connection, once there is one


def connect(on: str, cores: int | None = None) -> ModuleType:
    """Connect this process to Ray, if it is not connected yet; returns the module `ray`.

    Args:
        on: "ray" for the cluster at RAY_ADDRESS or, without that, a Ray of our own on this machine, which ends with
            this process; "ray://HOST:PORT" for a cluster.
        cores: of a Ray on this machine; None for all usable ones.

    Raises:
        BadInput: nothing answers at the address, or not what should; one line.
        ModuleNotFoundError: Ray is not installed.
    """
    address = _address(on)
    if not _connected:
        _probe(on, address)
    if address == "local":
        # Ray reads this when it is imported: without it, it listens on all of the machine's addresses.
        os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
        os.environ.setdefault("RAY_worker_niceness", "0")  # else everything else on the machine comes first
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # else it warns about GPUs, which are not used
    warnings.filterwarnings("ignore", category=UserWarning, module="ray")  # what is wrong is an error anyway
    import ray

    module: ModuleType = ray
    if _connected:
        if _connected != [address]:
            raise BadInput(f"--on {on}: this process is connected to {_connected[0]} already")
        return module
    if ray.is_initialized():  # by whoever called us
        return module
    quiet: dict[str, Any] = {"logging_level": "ERROR", "log_to_driver": False}
    if address == "local":
        ray.init(
            address="local",
            num_cpus=cores or usable_cores(),
            object_store_memory=_STORE_BYTES,
            include_dashboard=False,
            _node_ip_address="127.0.0.1",
            **quiet,
        )
    else:
        _within(lambda: ray.init(address=address, **quiet), on, address)
    _connected[:] = [address]
    atexit.register(disconnect)
    return module


def disconnect() -> None:
    """End the connection, and a Ray that was started for it; in the child of a fork both are the parent's."""
    if _connected:
        import ray

        _connected.clear()
        ray.shutdown()


after_fork(_connected.clear)


def _address(on: str) -> str:
    """What Ray is to connect to: "local", "auto", "HOST:PORT" or "ray://HOST:PORT".

    Raises:
        BadInput: `on` or RAY_ADDRESS is none of these.
    """
    if on == HERE:
        address, source = os.environ.get("RAY_ADDRESS") or "local", "RAY_ADDRESS"
        if address in ("local", "auto"):
            return address
    else:
        address, source = on, "--on"
        if not on.startswith("ray://"):
            raise BadInput(f"--on {on}: must be {HERE} (this machine, or RAY_ADDRESS) or ray://HOST:PORT")
    if not _ADDRESS.fullmatch(address):
        raise BadInput(f"{source} {address}: must be {'' if source == '--on' else 'HOST:PORT or '}ray://HOST:PORT")
    return address


def _probe(on: str, address: str) -> None:
    """See whether anything listens at an address; Ray itself takes minutes to give up, or ends the process."""
    match = _ADDRESS.fullmatch(address)
    if match is None:  # "local", or "auto": Ray knows the address
        return
    try:
        socket.create_connection((match["host"].strip("[]"), int(match["port"])), _PROBE_SECONDS).close()
    except (OSError, OverflowError) as error:
        reason = f"no answer within {_PROBE_SECONDS:g} s" if isinstance(error, TimeoutError) else str(error)
        raise BadInput(f"--on {on}: no Ray at {address}: {reason}") from None


def _within(call: Callable[[], object], on: str, address: str) -> None:
    """Connect, within a time limit.

    Raises:
        BadInput: it failed, or took longer.
    """
    failed: list[BaseException] = []

    def connect() -> None:
        try:
            call()
        except BaseException as error:
            failed.append(error)

    thread = Thread(target=connect, daemon=True)
    thread.start()
    thread.join(_CONNECT_SECONDS)
    if thread.is_alive():
        raise BadInput(
            f"--on {on}: what listens at {address} is no Ray, or is busy: not connected in {_CONNECT_SECONDS:g} s"
        )
    if failed:
        if isinstance(failed[0], ModuleNotFoundError):
            raise failed[0]
        raise BadInput(f"--on {on}: cannot use the Ray at {address}: {' '.join(str(failed[0]).split())}")
