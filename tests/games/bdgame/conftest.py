"""Runs the rule tests of Bdgame against the engine and against the slow reference."""

from __future__ import annotations

import pytest

from tests.support import builders


@pytest.fixture(params=["engine", pytest.param("reference", marks=pytest.mark.plain)])
def backend(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """What plays the positions of this test; the reference has no compiled code."""
    monkeypatch.setattr(builders, "active_backend", request.param)
    return str(request.param)
