"""Figures in tables."""

from __future__ import annotations

import pytest

from bdgame_env.experiments.tables import Table, interval


def test_intervals_can_be_told_from_minus_signs() -> None:
    assert (
        interval(None) == ""
        and interval((1.0, 2.55), 2) == " (1.00-2.55)"
        and interval((0.1, 0.2), 0, 100) == " (10-20)"
    )
    assert interval((-3.0, -1.0)) == " (-3.0 to -1.0)" and interval((-3.0, 1.0), 0) == " (-3 to 1)"


def test_figures_are_whole_on_a_narrow_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "40")
    Table("", ["agent", "rating", "wins"], [["ppo:sample=1", "1577 (1566-1590)", "70.9 % (67.8-73.8)"]]).print(100)
    out = capsys.readouterr().out
    assert "…" not in out and "(1566-1590)" in out and "(67.8-73.8)" in out
    assert max(map(len, out.splitlines()[1:])) == 40
