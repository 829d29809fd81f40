"""A connection that can be cut: what arrives at one port is passed on to another."""

from __future__ import annotations

import socket
from contextlib import suppress
from threading import Thread


class Proxy:
    """Passes connections on to a port of this machine, until it is cut.

    Attributes:
        port: where to connect. connections: how many were accepted.
    """

    def __init__(self, target: int) -> None:
        self._target, self._cut = target, False
        self._open: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self.connections = 0
        Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """End all connections, and refuse new ones."""
        self._cut = True
        for one in self._open:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        self._open.clear()

    def mend(self) -> None:
        """Accept connections again."""
        self._cut = False

    def close(self) -> None:
        self.cut()
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            if self._cut:
                near.close()
                continue
            self.connections += 1
            far = socket.create_connection(("127.0.0.1", self._target))
            self._open += [near, far]
            for one, other in ((near, far), (far, near)):
                Thread(target=_pass_on, args=(one, other), daemon=True).start()


def _pass_on(one: socket.socket, other: socket.socket) -> None:
    with suppress(OSError):
        while data := one.recv(65536):
            other.sendall(data)
    for each in (one, other):
        with suppress(OSError):
            each.shutdown(socket.SHUT_RDWR)
