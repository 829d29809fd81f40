"""The guides of the games as pages show them."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from bdgame_env import get_game, list_games
from bdgame_env.experiments.play.web.guide import guide_html
from bdgame_env.render.drawings import drawing_of


def test_headings_lists_and_bold() -> None:
    text = "## One\n\nA **bold**\nline <b>.\n\n- first\n  more\n  1. inner\n- second\n\n## Two\nend"
    assert guide_html(text) == (
        "<h2>One</h2><p>A <strong>bold</strong> line &lt;b&gt;.</p><ul><li>first more<ol><li>inner</li></ol></li>"
        "<li>second</li></ul><h2>Two</h2><p>end</p>"
    )


class _Nesting(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data + " "


@pytest.mark.parametrize("game_id", list_games())
def test_every_guide_is_whole(game_id: str) -> None:
    wording = drawing_of(get_game(game_id)).wording
    assert wording is not None
    page = _Nesting()
    page.feed(guide_html(wording.guide))
    assert not page.open
    text = re.sub(r"^\s*(-|\d+\.|##) ", "", wording.guide.replace("**", ""), flags=re.MULTILINE)
    assert "".join(page.text.split()) == "".join(text.split())
