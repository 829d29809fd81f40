"""Pictures, reports, charts and notices may fail: the results are there before, and one line says what is missing."""

from __future__ import annotations

import json
import sys
import webbrowser
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from bdgame_env.experiments.arena import tournament_files
from bdgame_env.experiments.arena.tournament_progress import Live
from bdgame_env.experiments.balance import balance_files
from bdgame_env.experiments.courtesy import courtesy
from bdgame_env.experiments.play import play
from bdgame_env.experiments.play.web import serving
from bdgame_env.experiments.training import training_run
from bdgame_env.experiments.training.charts import Charts
from bdgame_env.experiments.training.show import showing
from bdgame_env.records.game_record import GameRecord
from tests.experiments.conftest import Run
from tests.support.tiny_training import TOY, as_arguments, command, tiny_runs

FAULTS = [
    RuntimeError("no\nfonts \ud800"),
    ImportError("half installed"),
    PermissionError(13, "Permission denied", "x"),
]
SHORT = ["--games", "1", "--option", "max_rounds=2", "--workers", "1"]


def failing(error: Exception) -> Callable[..., Any]:
    def fail(*_: Any, **__: Any) -> Any:
        raise error

    return fail


@pytest.mark.parametrize("error", FAULTS, ids=ascii)
def test_a_courtesy_that_fails_is_told_in_one_line(error: Exception, capsys: pytest.CaptureFixture[str]) -> None:
    with courtesy("no picture"):
        raise error
    told = capsys.readouterr()
    assert told.out == "" and told.err.startswith("note: no picture: ") and told.err.count("\n") == 1
    with pytest.raises(KeyboardInterrupt), courtesy("no picture"):
        raise KeyboardInterrupt


REPORTS = {
    "ratings.png": (tournament_files, "ratings_figure"),
    "matrix.png": (tournament_files, "matrix_figure"),
    "report.html": (tournament_files, "tournament_page"),
    "balance.html": (balance_files, "balance_page"),
}


@pytest.mark.parametrize(("missing", "where"), REPORTS.items(), ids=list(REPORTS))
def test_a_report_that_fails_ends_no_tournament(
    missing: str, where: tuple[Any, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.setattr(*where, failing(FAULTS[0]))
    asked = ["tournament", "bdgame-v3", "random", "random"]
    if missing == "balance.html":
        asked = ["balance", "bdgame-v3", "--agents", "random,random"]
    code, out, err = run(*asked, *SHORT, "--out", tmp_path)
    assert code == 0 and f"written: {tmp_path}" in out and err == f"note: no {missing}: RuntimeError: no fonts\n"
    assert json.loads((tmp_path / "result.json").read_text()) and not (tmp_path / missing).exists()
    assert len({"ratings.png", "matrix.png", "report.html"} & {file.name for file in tmp_path.iterdir()}) >= 2


def test_a_curve_that_cannot_be_drawn_ends_no_training(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(training_run, "plot_learning_curve", failing(FAULTS[0]))
    with tiny_runs():
        assert command("train", TOY, "--decisions", 100, *as_arguments(evaluations=1), "--out", tmp_path) == 0
    assert "no learning_curve.png: RuntimeError: no" in capsys.readouterr().err
    assert (tmp_path / "policy.npz").is_file() and (tmp_path / "learning_curve.csv").is_file()


@pytest.mark.parametrize("fault", ["import", "begin", "add_scalar", "close"])
@pytest.mark.parametrize("error", FAULTS, ids=ascii)
def test_tensorboard_may_fail(fault: str, error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Writer:
        def __init__(self, folder: str) -> None:
            if fault == "begin":
                raise error

        def add_scalar(self, *_: Any) -> None:
            if fault == "add_scalar":
                raise error

        def close(self) -> None:
            if fault == "close":
                raise error

    module: Any = ModuleType("torch.utils.tensorboard")
    module.__getattr__ = failing(error)
    if fault != "import":
        module.SummaryWriter = Writer
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", module)
    said: list[str] = []
    with Charts(tmp_path, said.append) as charts:
        for decisions in range(3):
            charts.add(decisions, {"loss": 1.0})
    assert len(said) == 1 and "TensorBoard" in said[0]


@pytest.mark.parametrize("error", [webbrowser.Error("none"), *FAULTS], ids=ascii)
def test_a_browser_that_does_not_open_ends_no_server(
    error: Exception, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    async def end(*_: Any) -> None:
        return

    monkeypatch.setattr(webbrowser, "open", failing(error))
    monkeypatch.setattr(serving, "_serve", end)
    code, out, err = run("play", "bdgame-v3", "--seats", "human,random", "--port", "0")
    assert code == 0 and "the server runs" in out and err.startswith("note: the page was not opened in a browser: ")


@pytest.mark.parametrize("way", ["--text", "--json"])
def test_a_record_that_cannot_be_kept_ends_no_game_before_its_end(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    written, tries = play.write_record, []

    def fails_at_first(path: Path, record: GameRecord) -> None:
        tries.append(path)
        if len(tries) < 3:
            raise OSError(28, "No space left on device")
        written(path, record)

    monkeypatch.setattr(play, "write_record", fails_at_first)
    file = tmp_path / "x.txt"
    asked = ["play", "bdgame-v3", "--seats", "random,random", "--option", "max_rounds=1", way, "--record", str(file)]
    code, _, err = run(*asked)
    note = "note: the game is not being saved: [Errno 28] No space left on device\n"
    assert code == 0 and err == 2 * note and GameRecord.from_text(file.read_text()).ending is not None


@pytest.mark.parametrize("terminal", [True, False], ids=["terminal", "file"])
def test_progress_is_told_of_agents_with_any_name(
    terminal: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names in brackets are none of rich's tags, of which an unknown one is an error."""
    monkeypatch.setenv("TTY_COMPATIBLE", "1" if terminal else "0")
    with showing() as show:
        show.say("against [/x].npz")
        show.progress("against [/x]", 1, 2, "[/y]")
        show.show_workers("[/z]")
        show.progress("against [/x]", 2, 2, "[/y]")
    with Live("[/x] against [/y]") as live:
        live.show_workers("on [/host]")
        live.update(9, 3, 4)
    assert "against [/x].npz" in capsys.readouterr().err
