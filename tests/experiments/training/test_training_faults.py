"""Unusable input of a training run gives one clear line; nothing is lost, and nothing is created."""

from __future__ import annotations

import errno
import json
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bdgame_env.agents.networks import Policy
from bdgame_env.agents.networks.network import fresh
from bdgame_env.agents.networks.row_plan import plan_network
from bdgame_env.engine.game import GameConfig
from bdgame_env.experiments.errors import BadInput
from bdgame_env.experiments.files import NotWritten
from bdgame_env.experiments.training import checkpoints, train
from bdgame_env.experiments.training import training_run as run_module
from bdgame_env.experiments.training.checkpoints import read_checkpoint
from bdgame_env.experiments.training.learner import Learner
from bdgame_env.registry import GAMES, get_game, register_game
from tests.support import toy_game
from tests.support.tiny_training import NIM, TOY, as_arguments, as_toml, command, files_of, tiny, tiny_runs, weights_of

DECISIONS = 150


def _odd_config(options: Any) -> GameConfig:
    return toy_game.make_config({**options, "rolling": options["players"] == 3})


ODD = replace(toy_game.GAME, name="odd", make_config=_odd_config)  # with three seats it has another action


@pytest.fixture(autouse=True)
def _tiny() -> Iterator[None]:
    with tiny_runs():
        yield


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("finished")
    with tiny_runs():
        train.run(tiny(decisions=DECISIONS, seed=1), folder)
    return folder


@pytest.fixture
def run(tmp_path: Path, finished: Path) -> Path:
    """The folder of a finished run."""
    shutil.copytree(finished, tmp_path / "run")
    return tmp_path / "run"


def refusal(folder: Path, capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """The line that a command is refused with; no file in the folder may change or come."""
    files = files_of(folder)
    capsys.readouterr()
    assert command(*arguments) == 2
    told = capsys.readouterr()
    assert files_of(folder) == files
    lines = told.err.splitlines()
    assert len(lines) == 1 and lines[0].startswith("error: ") and told.out == "", told
    return lines[0]


def of_resuming(run: Path, capsys: pytest.CaptureFixture[str], *more: object) -> str:
    """The line that resuming the run is refused with."""
    arguments = ("train", TOY, "--decisions", DECISIONS, "--seed", 1, *as_arguments(), "--out", run)
    return refusal(run.parent, capsys, *arguments, *more)


# Settings


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--set", "speed=3"], "unknown setting 'speed'; known: game, players, options"),
        (["--set", "width"], "--set 'width' is not NAME=VALUE"),
        (["--set", "width=wide"], "width is 'wide', must be a valid integer"),
        (["--set", "width=true"], "width is True, must be a valid integer"),
        (["--set", "width=0"], "width is 0, must be greater than 0"),
        (["--set", "noise=1.5"], "noise is 1.5, must be less than or equal to 1"),
        (["--set", "noise=nan"], "noise is nan, must be a finite number"),
        (["--set", "learning_rate=1e300"], "learning_rate is 1e+300, must be less than or equal to 1000000000"),
        (["--set", "options={speed=3}"], "unknown option 'speed'"),
        (["--set", "options={max_rounds=0}"], "option max_rounds=0 is not allowed; allowed: 1 to 1000"),
        (["--set", "teacher=greedy"], "teacher='greedy', must be one of strongest, heuristic, or '' for none"),
        (["--players", "two"], "--players 'two', must be numbers such as 2 or 2,3,4"),
        (["--players", "2,2"], "players is [2, 2], must be different numbers"),
        (["--players", "2,9"], "option players=9 is not allowed; allowed: 2 to 4"),
        (["--set", "players=[]"], "players is [], must have at least 1 item"),
        (["--seed", "-1"], "--seed"),
        (["--start", "nowhere.npz"], "start=nowhere.npz: no such policy file"),
    ],
)
def test_settings_that_are_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], line: str
) -> None:
    assert line in refusal(tmp_path, capsys, "train", TOY, *as_arguments(), "--out", tmp_path / "run", *arguments)


@pytest.mark.parametrize(
    ("game", "more", "line"),
    [
        ("chess-v1", [], "unknown game 'chess-v1'; known: "),
        (
            NIM,
            ["--set", "teacher=greedy"],
            "teacher='greedy', must be one of strongest, heuristic, perfect, or '' for none",
        ),
        (
            NIM,
            ["--set", "snapshot_share=0.75", "--set", "teacher_matches=0.5"],
            "snapshot_share + teacher_matches must be at most 1",
        ),
    ],
)
def test_settings_that_do_not_fit_the_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], game: str, more: list[str], line: str
) -> None:
    arguments = as_arguments(options={})
    assert line in refusal(tmp_path, capsys, "train", game, *arguments, "--out", tmp_path / "run", *more)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("players = 2", "toy.toml: the setting 'game' is missing"),
        ("game = ", "toy.toml: Invalid value"),
        (as_toml(player=2), "toy.toml: unknown setting 'player'; known: "),
        (as_toml(seed="one"), "toy.toml: seed is 'one', must be a valid integer"),
        (as_toml() + "start = 1979-05-27\n[more]\n", "toy.toml: unknown setting 'more'"),
        ("\ufffe", "toy.toml: "),
        (None, "No such file"),
    ],
)
def test_settings_files_that_are_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str | None, line: str
) -> None:
    path = tmp_path / "toy.toml"
    if text is not None:
        path.write_text(text, encoding="utf-16" if text == "\ufffe" else "utf-8")
    assert line in refusal(tmp_path, capsys, "train", path, "--out", tmp_path / "run")


def test_numbers_of_players_whose_actions_differ(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    register_game("odd-v1", f"{__name__}:ODD")
    try:
        told = refusal(
            tmp_path, capsys, "train", "odd-v1", "--players", "2,3,4", *as_arguments(), "--out", tmp_path / "run"
        )
    finally:
        del GAMES["odd-v1"]
    assert "odd-v1: one network cannot learn games whose actions differ: [{'players': 2" in told


# Policies to start from


def policy_of(game_id: str, width: int = 8, layers: int = 1, **options: Any) -> Policy:
    game = get_game(game_id)
    plan = plan_network(game, game.config(**options))
    return Policy(plan, fresh(plan, width, layers, 0), width, layers, {"game": game.id, "players": [2]})


@pytest.mark.parametrize("setting", ["start={}", 'rivals=["{}"]', 'teachers=["{}"]'])
def test_policies_to_start_from(tmp_path: Path, capsys: pytest.CaptureFixture[str], setting: str) -> None:
    """A file of another kind, other games, actions and shapes, weights that are no numbers; rivals, teachers too."""
    strange = policy_of(TOY)
    strange.network.heads[0, 0] = np.nan
    path = tmp_path / "start.npz"
    shapes = (
        (policy_of(TOY, width=16).to_bytes(), "width and layers are (16, 1), must be at most 8 and exactly 1"),
        (policy_of(TOY, layers=0).to_bytes(), "width and layers are (8, 0), must be at most 8 and exactly 1"),
    )
    for data, line in (
        (b"text", "not a policy file"),
        (policy_of(TOY).to_bytes()[:-100], "not a policy file"),
        (policy_of(NIM).to_bytes(), "a policy for 'nim-v1', not for toy-v1"),
        (policy_of(TOY, rolling=True).to_bytes(), "made for other observations or actions"),
        *(shapes if setting.startswith("start") else ()),
        (strange.to_bytes(), "heads holds numbers that are not finite"),
    ):
        path.write_bytes(data)
        given = ("--set", setting.format(path))
        told = refusal(tmp_path, capsys, "train", TOY, *given, *as_arguments(), "--out", tmp_path / "run")
        assert f"{setting.partition('=')[0]}={path}: " in told and line in told


def test_rivals_and_teachers_that_a_run_would_not_meet_or_that_cannot_play(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "rival.npz"
    path.write_bytes(policy_of(TOY).to_bytes())
    rivals, teachers = (("--set", f'{setting}=["{path}"]') for setting in ("rivals", "teachers"))
    for more, line in (
        (("--set", 'teachers=["ppo"]'), "no weights ship for toy-v1 with 2 players"),
        ((*teachers, "--set", "imitation=0.0"), "teachers teach in imitation: it needs a share above 0"),
        ((*teachers, "--players", "2,3"), f"teachers={path}: trained for 2 players, not for 3"),
        (("--set", "snapshot_share=0.0"), "rivals are among the snapshots: they need a snapshot_share above 0"),
        (("--set", f"against={path}"), "rivals are among the snapshots"),
        (("--players", "2,3"), f"rivals={path}: trained for 2 players, not for 3"),
    ):
        told = refusal(tmp_path, capsys, "train", TOY, *rivals, *as_arguments(), *more, "--out", tmp_path / "run")
        assert line in told


# The folder of a run


def test_a_folder_with_another_run(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The line names the settings that differ."""
    told = of_resuming(run, capsys, "--seed", 2, "--set", "width=9")
    assert f"{run} holds a run with other settings (seed, width): choose another --out" in told


def test_a_folder_that_is_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "run").write_text("mine")
    assert "cannot be written" in refusal(
        tmp_path, capsys, "train", TOY, "--minutes", 0, *as_arguments(), "--out", tmp_path / "run"
    )


@pytest.mark.parametrize(
    ("name", "data", "line"),
    [
        ("run.json", b"{", "run.json is not that of a training run"),
        ("run.json", b"[]", "run.json is not that of a training run: no objects"),
        ("run.json", b'{"config": 5, "run": {}}', "run.json is not that of a training run: no objects"),
        ("run.json", b"\xff", "run.json is not that of a training run"),
        ("run.json", None, "holds a checkpoint, but not the run.json with its settings"),
        ("checkpoint.npz", b"", "checkpoint.npz cannot be used: "),
        ("checkpoint.npz", b"PK", "checkpoint.npz cannot be used: "),
    ],
)
def test_damaged_files_of_a_run(
    run: Path, name: str, data: bytes | None, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = run / name
    assert path.exists()
    path.unlink() if data is None else path.write_bytes(data)
    assert line in of_resuming(run, capsys)


def test_a_checkpoint_with_one_other_byte(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = run / "checkpoint.npz"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    line = of_resuming(run, capsys)
    assert f"{path} cannot be used: " in line and line.endswith("; remove the file to train from the beginning")


def test_a_checkpoint_of_an_earlier_version(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file of another format, or the folder that was written before."""
    path = run / "checkpoint.npz"
    arrays, facts = contents_of(path)
    write_contents(path, arrays, {**facts, "format": 2})
    assert "checkpoint.npz is of another version (format 2, wanted 4)" in of_resuming(run, capsys)
    (run / "checkpoint").mkdir()
    assert f"{run} holds the checkpoint of an earlier version: choose another --out" in of_resuming(run, capsys)


def test_settings_that_are_gone_change_nothing(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A run that named them goes on if they were off."""
    facts = json.loads((run / "run.json").read_text())
    for staleness in (0, 1):
        facts["config"] |= {"learners": 0, "staleness": staleness}
        (run / "run.json").write_text(json.dumps(facts))
        if staleness:
            assert "holds a run with other settings (staleness)" in of_resuming(run, capsys)
        else:
            train.run(tiny(decisions=DECISIONS, seed=1), run)


def contents_of(path: Path) -> tuple[dict[str, Any], Any]:
    with np.load(path) as file:
        arrays = {name: file[name] for name in file.files}
    return arrays, json.loads(str(arrays.pop("facts")))


def write_contents(path: Path, arrays: Mapping[str, Any], facts: Any) -> None:
    np.savez(path, facts=np.array(json.dumps(facts)), **arrays)


def test_facts_and_arrays_that_are_missing_or_of_another_kind(run: Path) -> None:
    """Each of them in turn."""
    config, path = tiny(decisions=DECISIONS, seed=1), run / "checkpoint.npz"
    whole, facts = contents_of(path)

    def check(arrays: Mapping[str, Any], state: Mapping[str, Any], name: str) -> None:
        write_contents(path, arrays, {**facts, "state": state})
        with pytest.raises(BadInput) as told:
            train.run(config, run)
        line = str(told.value)
        assert line.startswith(f"{path} cannot be used: ") and "\n" not in line and name in line, (name, line)

    state = facts["state"]
    for name in state:
        if name not in ("scores", "curve"):
            check(whole, {key: value for key, value in state.items() if key != name}, name)
        for other in (["x"], -1, "x", None, [[0.0, -1.0]], float("nan"), float("inf")):
            check(whole, {**state, name: other}, "")
    for name, values in whole.items():
        check({key: value for key, value in whole.items() if key != name}, state, name)
        shorter = [values[:-1]] if len(values) else []  # this network has no card rows
        for wrong in (np.zeros((*values.shape, 2), values.dtype), values.astype(np.float64), *shorter):
            check({**whole, name: wrong}, state, name)
    for strange in ([], {}, None, "text", {"format": 4}, {"format": 4, "state": []}):
        write_contents(path, whole, strange)
        with pytest.raises(BadInput, match="cannot be used: "):
            train.run(config, run)
    write_contents(path, whole, facts)
    train.run(config, run)


# What goes wrong while a run lasts


@pytest.mark.parametrize("where", ["loss", "weights"])
def test_a_run_that_diverges_keeps_its_checkpoint(
    tmp_path: Path, where: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Found by the loss of a step, or by the weights after the last one; what is not a number is never written."""
    monkeypatch.setattr(run_module, "CHECKPOINT_SECONDS", 0.0)
    true = Learner.step

    def spoiled(self: Learner, *arguments: Any) -> Any:
        if self.steps == 2 and where == "loss":
            self.weights[-1] = np.nan
        losses = true(self, *arguments)
        if self.steps == 3:
            self.weights[-1] = np.nan
        return losses

    monkeypatch.setattr(Learner, "step", spoiled)
    settings = as_arguments(batch_size=1000, epochs=1)  # one step for each update
    assert command("train", TOY, "--decisions", 600, *settings, "--out", tmp_path) == 2
    lines = [line for line in capsys.readouterr().err.splitlines() if line.startswith("error: ")]
    what = (
        "the loss is not a finite number after 2" if where == "loss" else "weights are no longer finite numbers after 3"
    )
    assert lines == [f"error: {tmp_path}: {what} steps: choose lower rates and another --out"]
    assert not (tmp_path / "policy.npz").exists()
    found = read_checkpoint(tmp_path / "checkpoint.npz")
    assert found is not None and found[0].updates == 2 and np.isfinite(found[1]["weights_first"]).all()


def test_a_full_disk_loses_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line at the third checkpoint; with room again, the run ends as if nothing had been."""
    monkeypatch.setattr(run_module, "CHECKPOINT_SECONDS", 0.0)
    arguments = ("train", TOY, "--decisions", DECISIONS, *as_arguments(), "--out")
    assert command(*arguments, tmp_path / "whole") == 0
    true, calls = checkpoints.write_bytes, count()

    def write_bytes(path: Path, data: bytes) -> None:
        if next(calls) == 2:
            raise NotWritten(errno.ENOSPC, "No space left on device", str(path))
        true(path, data)

    with monkeypatch.context() as patch:
        patch.setattr(checkpoints, "write_bytes", write_bytes)
        capsys.readouterr()
        assert command(*arguments, tmp_path / "full") == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert last == f"error: {tmp_path / 'full' / 'checkpoint.npz'} cannot be written: No space left on device"
    assert command(*arguments, tmp_path / "full") == 0
    whole, after = (weights_of(tmp_path / name / "policy.npz") for name in ("whole", "full"))
    assert all(np.array_equal(values, after[name]) for name, values in whole.items())
    assert (tmp_path / "full/learning_curve.csv").read_bytes() == (tmp_path / "whole/learning_curve.csv").read_bytes()


def test_a_tournament_of_a_damaged_policy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.npz").write_bytes(b"PK")
    assert "x.npz: not a policy file" in refusal(tmp_path, capsys, "tournament", TOY, "random", str(tmp_path / "x.npz"))


def test_settings_in_a_run_are_plain_data(run: Path) -> None:
    """What is read from a run's folder is what was written, so that a run can always be resumed."""
    facts = json.loads((run / "run.json").read_text())
    assert run_module.read_run(run / "run.json") == facts
    run_module.check_folder(tiny(decisions=DECISIONS, seed=1), run)


def test_a_rate_that_leads_beyond_all_numbers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One line, and no policy."""
    settings = as_arguments(learning_rate=1e9)
    assert command("train", TOY, "--decisions", 600, *settings, "--out", tmp_path) == 2
    (line,) = (line for line in capsys.readouterr().err.splitlines() if line.startswith("error: "))
    assert "finite number" in line and line.endswith("choose lower rates and another --out")
    assert not (tmp_path / "policy.npz").exists()


@pytest.mark.parametrize("updates", [1, 3])
def test_a_mean_that_overflows_is_never_written(tmp_path: Path, updates: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The weights of several updates may be finite while their mean is not."""
    true = run_module.TrainingRun._average

    def spoiled(self: Any, imitation: bool) -> None:
        self.learner.weights[0] = (np.inf if updates == 1 else 3e38) * (-1) ** self.state.updates
        true(self, imitation)

    monkeypatch.setattr(run_module.TrainingRun, "_average", spoiled)
    with np.errstate(over="ignore"), pytest.raises(BadInput, match="finite number"):
        train.run(tiny(decisions=600, averaged_updates=updates, imitation=0.0), tmp_path)
    assert not (tmp_path / "policy.npz").exists()
