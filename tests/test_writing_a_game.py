"""The page that shows how to write a game quotes the game that it builds."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def test_the_page_quotes_nim() -> None:
    page = (ROOT / "docs" / "writing_a_game.md").read_text("utf-8")
    nim = (ROOT / "tests" / "support" / "nim_game.py").read_text("utf-8")
    quoted = re.findall(r"```py\n(.*?)```", page, re.DOTALL)
    assert len(quoted) >= 7
    for block in quoted:
        assert block in nim
