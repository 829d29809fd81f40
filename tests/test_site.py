"""What makes the site: Markdown as GitHub reads it, links, docstrings, pictures. `make docs` builds the whole of it."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from types import ModuleType

import pytest

from bdgame_env import get_game

ROOT = Path(__file__).resolve().parents[1]
SITE = ROOT / "docs" / "site"


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        ("Text:\n- one\n- two", "Text:\n\n- one\n- two"),
        ("- one\n  more\n  - inner\n    more\n- two", "- one\n    more\n    - inner\n        more\n- two"),
        ("1. one\n   - inner\n\n   more\n2. two", "1. one\n    - inner\n\n    more\n\n2. two"),
        ("Text\n| a |\n|---|\n| b |", "Text\n\n| a |\n|---|\n| b |"),
        ("```text\nText:\n- one\n  - two\n```", "```text\nText:\n- one\n  - two\n```"),
        ("A paragraph\nof two lines.\n\n## Heading", "A paragraph\nof two lines.\n\n## Heading"),
    ],
)
def test_lists_and_tables_stay_what_they_are_on_github(written: str, wanted: str) -> None:
    assert runpy.run_path(str(SITE / "commonmark.py"))["for_python_markdown"](written) == f"{wanted}\n"


def test_dead_links_and_what_comes_from_the_internet_are_found(tmp_path: Path) -> None:
    check_site = runpy.run_path(str(SITE / "check.py"))["check_site"]
    (tmp_path / "sub").mkdir()
    (tmp_path / "a.html").write_text(
        '<a href="sub/b.html#there">1</a><a href="sub/b.html#nowhere">2</a><a href="c.html">3</a><a href="#top">4</a>'
        '<a href="https://example.org">5</a><script src="https://example.org/x.js"></script><p id="top">'
    )
    (tmp_path / "sub" / "b.html").write_text('<p id="there"><img src="../a.html"><img src="data:image/png;base64,">')
    assert check_site(tmp_path) == [
        "a.html: c.html leads nowhere",
        "a.html: https://example.org/x.js is loaded from the internet",
        "a.html: sub/b.html#nowhere: the page has no such place",
    ]


def test_a_public_name_without_a_docstring_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SITE))
    undocumented = runpy.run_path(str(SITE / "reference.py"))["_undocumented"]
    module = ModuleType("made", "What it is.")
    monkeypatch.setitem(sys.modules, "made", module)
    code = (
        "def said():\n    'It is.'\ndef unsaid(): pass\ndef _own(): pass\n"
        "class Base:\n    'It is.'\n    def move(self):\n        'It is.'\n"
        "class Kind(Base):\n    'It is.'\n    def move(self): pass\n    def stay(self): pass\n"
    )
    exec(code, vars(module))
    assert undocumented(module) == ["made.unsaid", "made.Kind.stay"]


def test_the_picture_of_the_entities_is_that_of_the_game() -> None:
    """`python docs/draw_entities.py`"""
    drawn = runpy.run_path(str(ROOT / "docs" / "draw_entities.py"))["draw_entities"](get_game("bdgame-v2"))
    assert drawn == (ROOT / "docs" / "entities.svg").read_text("utf-8"), "draw it again and commit it"
