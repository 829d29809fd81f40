"""Pages say that the server compiles."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from bdgame_env.engine.compile_notice import Compiling
from bdgame_env.experiments.play.web import conversations

IDLE, SHORT = Compiling(5, 1.0, False), Compiling(6, 1.2, True)
LONG, LONGER, DONE = Compiling(40, 4.0, True), Compiling(60, 6.0, True), Compiling(80, 9.0, False)


def news(monkeypatch: pytest.MonkeyPatch, *moments: Compiling) -> list[Any]:
    """What a page is told when the server finds these figures, one after another."""
    told: list[Any] = []
    left = iter(moments)

    async def send(message: Mapping[str, Any]) -> None:
        told.append(message["functions"])
        assert message["type"] == "compiling"

    monkeypatch.setattr(conversations, "compiling", lambda: next(left))
    monkeypatch.setattr(conversations, "POLL_SECONDS", 0)
    with ThreadPoolExecutor(1) as pool, pytest.raises(RuntimeError, match="StopIteration"):
        pool.submit(asyncio.run, conversations.tell_compiling(send)).result()
    return told


def test_a_page_is_told_how_far_it_is_and_when_it_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    assert news(monkeypatch, IDLE, IDLE, LONG, LONGER, DONE, DONE) == [40, 60, None]


def test_what_is_over_at_once_is_not_worth_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    assert news(monkeypatch, IDLE, SHORT, IDLE, SHORT, IDLE) == []
