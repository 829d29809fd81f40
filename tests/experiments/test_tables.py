"""Figures in tables."""

from __future__ import annotations

from bdgame_env.experiments.tables import interval


def test_intervals_can_be_told_from_minus_signs() -> None:
    assert (
        interval(None) == ""
        and interval((1.0, 2.55), 2) == " (1.00-2.55)"
        and interval((0.1, 0.2), 0, 100) == " (10-20)"
    )
    assert interval((-3.0, -1.0)) == " (-3.0 to -1.0)" and interval((-3.0, 1.0), 0) == " (-3 to 1)"
