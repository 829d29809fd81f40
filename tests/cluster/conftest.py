"""A Ray cluster on this machine, for `make test-cluster`: without Ray there is nothing to collect."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from bdgame_env.experiments.cluster.connection import disconnect
from bdgame_env.registry import GAMES, register_game

HERE = Path(__file__).parent
collect_ignore_glob = [] if find_spec("ray") else ["test_*.py"]
os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"  # read when Ray is imported: everything stays on loopback
os.environ.setdefault("RAY_worker_niceness", "0")  # on a busy machine the tests would wait for everything else
os.environ["RAY_CLIENT_RECONNECT_GRACE_PERIOD"] = "20"
STORE = 80 * 2**20


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Ray leaves files and sockets open, and warns of its own future; other folders' tests come along here."""
    for item in (one for one in items if HERE in one.path.parents):
        for what in (
            "ResourceWarning",
            "pytest.PytestUnraisableExceptionWarning",
            "FutureWarning",
            "DeprecationWarning",
        ):
            item.add_marker(pytest.mark.filterwarnings(f"ignore::{what}"))


class Nodes:
    """A head without cores, and nodes with one core each, all of them processes of this machine."""

    def __init__(self) -> None:
        from ray.cluster_utils import Cluster

        self.client_port = free_port()
        head = {"num_cpus": 0, "object_store_memory": STORE, "include_dashboard": False}
        head |= {"node_ip_address": "127.0.0.1", "ray_client_server_port": self.client_port}
        self.cluster = Cluster(initialize_head=True, head_node_args=head)

    def have(self, count: int) -> list[Any]:
        """Start or remove nodes until there are so many."""
        while len(self.cluster.worker_nodes) > count:
            self.kill(next(iter(self.cluster.worker_nodes)))
        while len(self.cluster.worker_nodes) < count:
            self.add()
        return list(self.cluster.worker_nodes)

    def add(self) -> Any:
        return self.cluster.add_node(num_cpus=1, object_store_memory=STORE, node_ip_address="127.0.0.1")

    def kill(self, node: Any) -> None:
        """Kill all processes of a node."""
        self.cluster.remove_node(node, allow_graceful=False)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@pytest.fixture(scope="session")
def all_nodes() -> Iterator[Nodes]:
    nodes = Nodes()
    yield nodes
    nodes.cluster.shutdown()


@pytest.fixture
def nodes(all_nodes: Nodes, monkeypatch: pytest.MonkeyPatch) -> Iterator[Nodes]:
    """The nodes, to which `--on ray` connects."""
    monkeypatch.setenv("RAY_ADDRESS", all_nodes.cluster.address)
    yield all_nodes
    disconnect()


@pytest.fixture(autouse=True, scope="session")
def toy() -> Iterator[None]:
    register_game("toy-v1", "tests.support.toy_game:GAME")
    yield
    del GAMES["toy-v1"]
