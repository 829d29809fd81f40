"""Documents are written as the standard library writes them, only faster."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from bdgame_env import get_game, list_games
from bdgame_env.engine.match import Match
from bdgame_env.render.drawings import drawing_of
from bdgame_env.render.picture import scene_of
from bdgame_env.render.svg import Canvas


def test_odd_letters_are_escaped_as_in_the_standard_library() -> None:
    odd = "a < b > c & 'd' \"e\"\n\t\r é €"
    canvas = Canvas.document(10, 10, odd, "#ffffff")
    canvas.text(1, 1, odd, 3)
    canvas.rect(0, 0, 1.5, 2, id=odd)
    assert str(canvas) == ElementTree.tostring(canvas._element, encoding="unicode")
    assert ElementTree.fromstring(str(canvas)).findall("*")[-1].get("id") == odd


@pytest.mark.parametrize("game_id", list_games())
def test_pictures_are_written_as_by_the_standard_library(game_id: str) -> None:
    drawn = drawing_of(get_game(game_id)).picture(scene_of(Match(get_game(game_id), seed=1), seat=0))
    assert str(drawn) == ElementTree.tostring(drawn._element, encoding="unicode")
