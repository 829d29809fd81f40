"""What people read while functions are compiled."""

from __future__ import annotations

import io
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from bdgame_env.engine.compile_listener import CompileListener
from bdgame_env.engine.compile_notice import NOTICE, SILENT_SECONDS, Compiling, TellStderr

pytestmark = pytest.mark.plain
GROUPS = [Compiling(5, 0.1, True), Compiling(40, 4.0, True), Compiling(41, 4.5, False)]
GROUPS += [Compiling(60, 7.0, True), Compiling(61, 7.1, True), Compiling(62, 7.5, False)]


def test_a_process_that_compiles_several_groups_says_it_once(capsys: pytest.CaptureFixture[str]) -> None:
    tell = TellStderr()
    for now in GROUPS:
        tell(now)
    assert capsys.readouterr().err == f"{NOTICE}\n"


def test_what_is_over_at_once_is_not_worth_a_word(capsys: pytest.CaptureFixture[str]) -> None:
    tell = TellStderr()
    tell(Compiling(1, 0.2, True)), tell(Compiling(2, 0.4, False))
    assert capsys.readouterr().err == ""


def test_a_terminal_has_one_line_that_counts_along(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is taken back when a group is done, so that what the program prints stands on a line of its own."""
    tell = TellStderr()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setattr("sys.__stderr__", sys.stderr)
    for now in GROUPS:
        tell(now)
    counts = [f"\r{NOTICE}: 40 functions, 4 s", "\r\x1b[K", f"\r{NOTICE}: 60 functions, 7 s", "\r\x1b[K"]
    assert capsys.readouterr().err == "".join(counts)


def test_a_progress_bar_has_it_as_a_line_of_its_own(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """rich takes the place of stderr, and would print every count as another line."""
    tell = TellStderr()
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    for now in GROUPS:
        tell(now)
    assert capsys.readouterr().err == f"{NOTICE}\n"


def test_a_terminal_that_cannot_take_back_has_it_as_a_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tell = TellStderr()
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setattr("sys.__stderr__", sys.stderr)
    for now in GROUPS:
        tell(now)
    assert capsys.readouterr().err == f"{NOTICE}\n"


class _Broken(io.StringIO):
    """A pipe that nobody reads, or a disk that is full."""

    def write(self, text: str) -> int:
        raise BrokenPipeError(32, "Broken pipe")


def _closed() -> io.StringIO:
    stream = io.StringIO()
    stream.close()
    return stream


@pytest.mark.parametrize("also_first", [True, False])
@pytest.mark.parametrize(
    "stream",
    [None, _closed(), _Broken(), SimpleNamespace(), io.TextIOWrapper(io.BytesIO(), "ascii", "strict")],
    ids=["none", "closed", "broken", "without methods", "ascii"],
)
def test_what_is_compiled_is_compiled_whatever_stderr_is(
    monkeypatch: pytest.MonkeyPatch, stream: Any, also_first: bool
) -> None:
    notice = CompileListener()
    notice._before = 2 * SILENT_SECONDS
    event = SimpleNamespace(data={"dispatcher": SimpleNamespace(is_ours=True)})
    monkeypatch.setattr(sys, "stderr", stream)
    if also_first:
        monkeypatch.setattr(sys, "__stderr__", stream)
    for _ in range(2):
        notice.on_start(event), notice.on_end(event)
    assert notice.now().functions == 2 and not notice.now().running


def test_a_logger_in_place_of_stderr_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(sys, "stderr", SimpleNamespace(write=said.append))
    tell = TellStderr()
    for now in GROUPS:
        tell(now)
    assert said == [f"{NOTICE}\n"]


def test_who_is_told_may_fail() -> None:
    def fail(now: Compiling) -> None:
        raise RuntimeError(now)

    notice = CompileListener()
    notice.tell = fail
    event = SimpleNamespace(data={"dispatcher": SimpleNamespace(is_ours=True)})
    notice.on_start(event), notice.on_end(event)
    assert not notice.now().running
