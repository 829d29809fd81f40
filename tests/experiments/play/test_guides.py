"""The guides of the games as pages show them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html.parser import HTMLParser

import pytest

from bdgame_env import get_game, list_games
from bdgame_env.engine.game import Game, GameConfig
from bdgame_env.experiments.play.web.guide import gallery_html, guide_html
from bdgame_env.render.drawings import drawing_of
from bdgame_env.render.prompt import rules_text


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
    guide = re.sub("<!--.*-->", "", wording.guide)
    text = re.sub(r"^\s*(-|\d+\.|##) ", "", re.sub(r"\*\*|`", "", guide), flags=re.MULTILINE)
    assert "".join(page.text.split()) == "".join(text.split())


def _cards(game: Game, config: GameConfig) -> tuple[list[str], Mapping[str, str]]:
    wording = drawing_of(game).wording
    assert wording is not None
    shelves = drawing_of(game).gallery(config)
    return [card.name for shelf in shelves for card in shelf.cards], wording.cards(config)


@pytest.mark.parametrize("game_id", list_games())
def test_every_card_has_a_picture_and_words(game_id: str) -> None:
    """Each once. In Gizmos the players' starting cards are the same: one picture stands for them."""
    game = get_game(game_id)
    for options in ({}, {"deck": "random:7"}) if game_id == "bdgame-v3" else ({},):
        names, words = _cards(game, game.config(**options))
        assert len(set(names)) == len(names)
        without = {text for name, text in words.items() if name not in names}
        assert without == ({words["0"]} if game_id == "gizmos-v3" else set())
        page = _Nesting()
        page.feed(gallery_html(drawing_of(game).gallery(game.config(**options)), words))
        assert not page.open and all(words[name] in page.text for name in names)


def test_a_gallery_says_how_many_cards_there_are() -> None:
    """B3, B4, B5: with two players, 7 hoppers and 60 special parts."""
    game = get_game("bdgame-v3")
    made = gallery_html(drawing_of(game).gallery(game.config(players=2)), _cards(game, game.config())[1])
    assert "7\u00d7 Hopper." in made and "<h3>Special parts: 60</h3>" in made and "<h3>Orders: 32</h3>" in made


@pytest.mark.parametrize("game_id", list_games())
def test_guides_show_cards_of_the_deck_that_is_played(game_id: str) -> None:
    """All of them with the usual deck; those that another deck lacks are left out; texts for programs have none."""
    game, guide = get_game(game_id), drawing_of(get_game(game_id)).wording.guide  # type: ignore[union-attr]
    shown = [name for names in re.findall("<!-- cards: (.*) -->", guide) for name in names.split(", ")]
    names, words = _cards(game, game.config())
    assert 4 <= len(shown) <= 8 and set(shown) <= set(names)
    whole = guide_html(guide, drawing_of(game).gallery(game.config()), words)
    assert whole.count("<figure>") == len(shown) and "<!--" not in rules_text(game)
    if game_id == "bdgame-v3":
        classic = game.config(deck="classic")
        names, words = _cards(game, classic)
        left = sum(name in names for name in shown)
        assert guide_html(guide, drawing_of(game).gallery(classic), words).count("<figure>") == left < len(shown)
