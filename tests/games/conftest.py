"""Runs the rule tests of every game against the engine and against its slow reference."""

from __future__ import annotations

import pytest

from tests.support import position


@pytest.fixture(params=["engine", pytest.param("reference", marks=pytest.mark.plain)])
def backend(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """What plays the positions of this test; references have no compiled code."""
    monkeypatch.setattr(position, "active_backend", request.param)
    return str(request.param)
