"""The guides of the games as pages show them."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from bdgame_env import get_game, list_games
from bdgame_env.experiments.play.web.guide import guide_html
from bdgame_env.render.drawings import drawing_of


def test_headings_lists_and_bold() -> None:
    text = "## One\n\nA **bold**\nline <b>.\n\n- first\n  1. inner\n\n  and more\n- second `s_1R_1Y1R`"
    made = guide_html(text)
    assert made.startswith("<h2>One</h2>\n<p>A <strong>bold</strong>\nline &lt;b&gt;.</p>\n<ul>")
    inner, after = made.index("<li>inner</li>\n</ol>"), made.index("<p>and more</p>\n</li>")
    assert inner < after < made.index("<code>s_1R_1Y1R</code>"), "what follows an inner list is outside of it"


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
    text = re.sub(r"^\s*(-|\d+\.|##) ", "", re.sub(r"\*\*|`", "", wording.guide), flags=re.MULTILINE)
    assert "".join(page.text.split()) == "".join(text.split())
