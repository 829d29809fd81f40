"""The pages of the site can be written; `make docs` turns them into HTML and looks at every link."""

from __future__ import annotations

import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bdgame_env import list_games

ROOT = Path(__file__).resolve().parents[1]


def paths(nav: Any) -> Iterator[str]:
    """The pages of a navigation."""
    if isinstance(nav, str):
        yield nav
    else:
        for part in nav.values() if isinstance(nav, dict) else nav:
            yield from paths(part)


def test_every_page_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "site"))
    build = runpy.run_path(str(ROOT / "docs" / "site" / "build.py"))
    pages = build["Pages"](ROOT, tmp_path)
    named = list(paths(build["collect"](pages)))
    pages.write_all()
    assert {f"games/{game}.md" for game in list_games()} <= set(named)
    assert {"frameworks/torchrl.md", "reference/adapters.md", "quickstart.md"} <= set(named)
    assert [name for name in named if not (tmp_path / name).is_file()] == []
