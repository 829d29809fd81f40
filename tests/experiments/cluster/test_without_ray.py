"""What can be said about a cluster without Ray: which extra is missing, bad addresses, files to send, fingerprints."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from bdgame_env.agents import register_agent
from bdgame_env.agents.registry import _FACTORIES
from bdgame_env.experiments.cli import main
from bdgame_env.experiments.cluster import connection, shipping
from bdgame_env.experiments.cluster.connection import connect
from bdgame_env.experiments.cluster.fingerprint import fingerprint
from bdgame_env.experiments.errors import BadInput
from tests.support.bots import First
from tests.support.forked import in_fork, needs_fork


@pytest.mark.parametrize(
    "command",
    [["tournament", "bdgame-v3", "random", "random"], ["ladder", "bdgame-v3"], ["balance", "bdgame-v3"]],
    ids=lambda command: command[0],
)
def test_without_ray_the_extra_is_named(
    command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    monkeypatch.setattr(sys, "argv", ["bdgame", *command, "--games", "1", "--on", "ray"])
    assert main() == 2
    error = capsys.readouterr().err.splitlines()[-1]
    assert error.startswith(f"error: {command[0]} needs the extra 'cluster': pip install")


@pytest.mark.parametrize(
    ("on", "address", "line"),
    [
        ("slurm", "", "--on slurm: must be ray (this machine, or RAY_ADDRESS) or ray://HOST:PORT"),
        ("ray://nowhere", "", "--on ray://nowhere: must be ray://HOST:PORT"),
        ("ray", "nonsense", "RAY_ADDRESS nonsense: must be HOST:PORT or ray://HOST:PORT"),
        ("ray://127.0.0.1:99999", "", "no Ray at ray://127.0.0.1:99999"),
        ("ray://127.0.0.1:1", "", "no Ray at ray://127.0.0.1:1: "),
        ("ray", "127.0.0.1:1", "no Ray at 127.0.0.1:1: "),
    ],
)
def test_an_address_that_does_not_answer_is_told(
    on: str, address: str, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAY_ADDRESS", address)
    with pytest.raises(BadInput) as told:
        connect(on)
    assert line in str(told.value) and "\n" not in str(told.value)


def test_agents_of_this_process_cannot_go_to_a_cluster(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    register_agent("mine", First)
    try:
        monkeypatch.setattr(sys, "argv", ["bdgame", "tournament", "bdgame-v3", "mine", "random", "--on", "ray"])
        assert main() == 2
    finally:
        del _FACTORIES["mine"]
    assert capsys.readouterr().err == "error: --on ray: mine is registered in this process only: name module:Class\n"


def test_memory_limits_need_worker_processes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["bdgame", "tournament", "bdgame-v3", "random", "random", "--workers", "1", "--memory", "900"]
    monkeypatch.setattr(sys, "argv", command)
    assert main() == 2
    assert capsys.readouterr().err == (
        "error: --memory limits worker processes: needs --workers 2 or more, or --on ray\n"
    )


def test_files_that_specs_name_are_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.npz").write_bytes(b"one")
    Path("runs").mkdir()
    Path("runs/policy.npz").write_bytes(b"two")
    specs = ["mine.npz", "az:path=runs/policy.npz,sims=64", f"ppo:path={tmp_path}/mine.npz", "greedy"]
    files = shipping.files_named(specs)
    assert files == {"mine.npz": b"one", "runs/policy.npz": b"two", f"{tmp_path}/mine.npz": b"one"}
    names = shipping.unpack(files, tmp_path / "there")
    there = [shipping.renamed(spec, names) for spec in specs]
    assert there[0].endswith(".npz") and Path(there[0]).read_bytes() == b"one"
    assert there[1].endswith(",sims=64") and Path(there[1][8:-8]).read_bytes() == b"two"
    assert there[3] == "greedy"
    monkeypatch.setattr(shipping, "LARGEST", 5)
    with pytest.raises(BadInput, match="take 9 bytes, must be at most 5 for a cluster"):
        shipping.files_named(specs)


def test_the_fingerprint_names_versions() -> None:
    assert fingerprint().startswith("bdgame_env ") and "numba" in fingerprint() and "python" not in fingerprint()


@pytest.mark.parametrize(
    ("more", "line"),
    [
        (["--actors", "2"], "--actors needs --on ray: workers of a cluster"),
    ],
)
def test_training_without_a_cluster_has_no_workers(
    more: list[str], line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["bdgame", "train", "bdgame-v3", "--out", str(tmp_path / "run"), *more])
    assert main() == 2
    assert line in capsys.readouterr().err and not (tmp_path / "run").exists()


@needs_fork
def test_a_child_does_not_end_its_parents_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor with it a Ray that the parent started."""
    ended: list[str] = []
    ray = SimpleNamespace(shutdown=lambda: ended.append("ended"))
    monkeypatch.setitem(sys.modules, "ray", ray)
    connection._connected.append("local")
    assert in_fork(lambda: (connection.disconnect(), list(ended))[1]) == []
    connection.disconnect()
    assert ended == ["ended"] and connection._connected == []
