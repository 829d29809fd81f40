"""Where a server listens."""

from __future__ import annotations

import ipaddress
import socket
from contextlib import suppress
from dataclasses import dataclass

from ...errors import BadInput


@dataclass(frozen=True)
class Address:
    """Where to serve, as the user asked.

    Attributes:
        host: address to serve at.
        port: port to serve at; 0 for any free one.
        open_page: whether to open the first page in a browser.
    """

    host: str
    port: int
    open_page: bool

    def listen(self) -> socket.socket:
        """A listening socket.

        Raises:
            BadInput: the address is not available.
        """
        try:
            family = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)[0][0]
            return socket.create_server((self.host, self.port), family=family, backlog=256)
        except (OSError, OverflowError) as error:
            why = error.strerror if isinstance(error, OSError) and error.strerror else error
            line = f"cannot serve at {self.host}, port {self.port}: {why}; --port 0 takes a free port"
            raise BadInput(line) from None

    def url(self, port: int) -> str:
        """The beginning of all links, for the port that it listens at."""
        name = socket.gethostname() if self.host in ("0.0.0.0", "::", "") else self.host
        return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach it."""
        with suppress(ValueError):
            return ipaddress.ip_address(self.host).is_loopback
        return self.host == "localhost"
