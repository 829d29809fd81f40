"""What people read while functions are compiled."""

from __future__ import annotations

import sys

import pytest

from bdgame_env.engine.compile_notice import NOTICE, Compiling, TellStderr

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
