"""Unusable input of a training run gives one clear line and changes nothing."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bdgame_env.experiments.training.samples import ReplayBuffer

from bdgame_env.experiments.cli import main
from bdgame_env.experiments.errors import BadInput
from bdgame_env.experiments.training import train
from bdgame_env.experiments.training.checkpoints import Checkpoint, read_checkpoint
from bdgame_env.experiments.training.ship import ship
from bdgame_env.registry import GAMES, get_game, register_game
from tests.support.policies import plain_policy

SETTINGS = """
game = "toy-v1"
players = [2]
options = {max_rounds = 3}
hidden = [8]
network = "plain"
advice = false
threads = 1
[imitation]
teacher = "random"
rounds = 2
samples = 8
games = 2
[self_play]
steps = 0
opponents = {random = 1.0}
evaluation_games = 1
evaluate_against = ["random"]
"""


@pytest.fixture(autouse=True)
def toy() -> Iterator[None]:
    register_game("toy-v1", "tests.support.toy_game:GAME")
    yield
    del GAMES["toy-v1"]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """The folder of a finished run, with its settings beside it."""
    (tmp_path / "toy.toml").write_text(SETTINGS)
    train.run(train.settings_for(str(tmp_path / "toy.toml")), tmp_path / "run")
    return tmp_path / "run"


def refusal(run: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *more: str) -> str:
    """The error when the command resumes a run; no file may change."""
    files = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    arguments = ["experiments", "train", str(run.parent / "toy.toml"), "--out", str(run), *more]
    monkeypatch.setattr(sys, "argv", arguments)
    capsys.readouterr()
    assert main() == 2
    told = capsys.readouterr().err.splitlines()
    assert {path: path.read_bytes() for path in run.rglob("*") if path.is_file()} == files
    assert len(told) == 1 and told[0].startswith("error: ")
    return told[0]


@pytest.mark.parametrize(
    ("name", "data", "line"),
    [
        ("run.json", b"{", "run.json is not that of a training run"),
        ("run.json", b"[]", "run.json is not that of a training run: no objects"),
        ("run.json", b'{"config": 5, "run": {}}', "run.json is not that of a training run: no objects"),
        ("run.json", b"\xff", "run.json is not that of a training run"),
        ("checkpoint/state.json", None, "checkpoint cannot be used: state.json is missing"),
        ("checkpoint/state.json", b"", "checkpoint cannot be used: state.json"),
        ("checkpoint/state.json", b'{"format": 1, "fac', "checkpoint cannot be used: state.json"),
        ("checkpoint/state.json", b'{"curve": [], "rounds": {}}', "state.json is of another version"),
        ("checkpoint/arrays.npz", None, "checkpoint cannot be used: arrays.npz is missing"),
        ("checkpoint/arrays.npz", b"PK", "checkpoint cannot be used: arrays.npz is not the file that was written"),
        ("checkpoint/best.npz", None, "checkpoint cannot be used: best.npz is missing"),
        ("checkpoint/snapshot-16.npz", b"", "checkpoint cannot be used: snapshot-16.npz is not the file"),
    ],
)
def test_damaged_files_of_a_run(
    run: Path,
    name: str,
    data: bytes | None,
    line: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = run / name
    assert path.exists()
    path.unlink() if data is None else path.write_bytes(data)
    assert line in refusal(run, capsys, monkeypatch)


def test_facts_and_arrays_that_are_missing_or_of_another_kind(run: Path) -> None:
    """Each of them in turn, with a valid checksum."""

    def check(changed: Checkpoint, name: str) -> None:
        changed.write(folder)
        told = ""
        try:
            train.run(config, run)
        except BadInput as error:
            told = str(error)
        assert told.startswith(f"{folder} cannot be used") and "\n" not in told, (name, told)

    config = train.settings_for(str(run.parent / "toy.toml"))
    folder = run / "checkpoint"
    whole = read_checkpoint(folder)
    assert whole is not None
    for name in whole.facts:
        without = {key: value for key, value in whole.facts.items() if key != name}
        for facts in (without, {**without, name: ["x"]}, {**without, name: 5.5} if name != "best" else without):
            check(replace(whole, facts=facts), name)
    for name, values in whole.arrays.items():
        if name.startswith("optimizer."):  # of a finished stage, so never read
            continue
        others: list[Any] = [{key: value for key, value in whole.arrays.items() if key != name}]
        others.append({**whole.arrays, name: np.zeros((*values.shape, 2), values.dtype)})
        for arrays in others:
            check(replace(whole, arrays=arrays), name)
    whole.write(folder)
    train.run(config, run)


def test_policies_to_start_from(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files of another kind, policies with other inputs, and weights that are NaN."""
    (tmp_path / "toy.toml").write_text(SETTINGS)
    game = get_game("toy-v1")
    good = plain_policy(game, game.config(players=2, max_rounds=3))
    strange = plain_policy(game, game.config(players=2, max_rounds=3))
    strange.weights["logits.weight"][0, 0] = np.nan  # type: ignore[index]
    turned = replace(good, inputs=replace(good.inputs, entries=good.inputs.entries[::-1].copy()))
    path = tmp_path / "start.npz"
    for number, (data, line) in enumerate(
        (
            (b"text", "not a policy file"),
            (strange.to_bytes(), "logits.weight holds numbers that are not finite"),
            (turned.to_bytes(), "it reads other parts of the observation"),
        )
    ):
        path.write_bytes(data)
        told = refusal_of_start(tmp_path / str(number), path, tmp_path / "toy.toml", capsys, monkeypatch)
        assert f"start='{path}'" in told and line in told
    path.write_bytes(good.to_bytes())
    train.run(replace(train.settings_for(str(tmp_path / "toy.toml")), start=str(path)), tmp_path / "good")


def refusal_of_start(
    out: Path, start: Path, settings: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> str:
    arguments = ["experiments", "train", str(settings), "--out", str(out), "--start", str(start)]
    monkeypatch.setattr(sys, "argv", arguments)
    assert main() == 2
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 1 and told[0].startswith("error: ") and not out.exists()
    return told[0]


def test_a_tournament_of_a_damaged_policy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "x.npz").write_bytes(b"PK")
    monkeypatch.setattr(sys, "argv", ["experiments", "tournament", "toy-v1", "random", str(tmp_path / "x.npz")])
    assert main() == 2
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 1 and "x.npz: not a policy file" in told[0]


def test_a_run_without_its_policy_does_not_ship(run: Path) -> None:
    for name, data, line in (
        ("policy.npz", b"PK", "not a policy file"),
        ("run.json", b'{"config": {}, "run": {}}', "the setting 'game' is missing"),
        ("run.json", None, "does not exist"),
    ):
        path = run / name
        path.unlink() if data is None else path.write_bytes(data)
        with pytest.raises(BadInput, match=line):
            ship(run, "ppo", [], deals=1)


def test_samples_that_cannot_be_read(tmp_path: Path) -> None:
    """Samples that are missing, truncated, or of another kind."""
    buffer = ReplayBuffer(tmp_path, 1)
    with pytest.raises(BadInput, match=r"round-0003\.npz holds no samples of this run"):
        buffer.resume(3, {})
    for data in (b"", b"PK", b"text"):
        (tmp_path / "round-0000.npz").write_bytes(data)
        with pytest.raises(BadInput, match=r"round-0000\.npz holds no samples of this run") as told:
            buffer.has(0)
        assert "\n" not in str(told.value)
