"""What the pages of a game look like: a dark color of its own, and a small pattern that says nothing."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from bdgame_env import get_game, list_games
from bdgame_env.render.drawings import drawing_of
from bdgame_env.render.ornaments import disc, gear
from bdgame_env.render.scene import Look


def test_every_game_has_a_dark_color_of_its_own() -> None:
    bands = [drawing_of(get_game(name)).look.band for name in list_games()]
    assert len(set(bands)) == len(bands)
    for band in bands:
        assert re.fullmatch("#[0-9a-f]{6}", band)
        assert max(int(band[place : place + 2], 16) for place in (1, 3, 5)) < 100


def test_patterns_are_small_and_say_nothing() -> None:
    for name in list_games():
        told = drawing_of(get_game(name)).look.to_json()
        tags = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(told["backdrop"]).iter()}
        assert {"svg", "pattern"} <= tags <= {"svg", "pattern", "g", "path", "rect"}
        assert re.findall("url.*?[)]", told["backdrop"]) == [f"url(#backdrop-{told['band'][1:]})"]
        assert len(told["backdrop"]) < 20_000


def test_a_game_without_a_look() -> None:
    assert Look().to_json() == {"band": "#2f3a4a", "backdrop": "", "common": "market"}


def test_a_gear_has_teeth_and_stays_in_its_circle() -> None:
    numbers = re.findall(r"-?[\d.]+ -?[\d.]+", gear(50, 40, 20, 9).split("Z")[0])
    distances = [((float(x) - 50) ** 2 + (float(y) - 40) ** 2) ** 0.5 for x, y in map(str.split, numbers)]
    assert len(distances) == 4 * 9
    assert {round(distance) for distance in distances} == {16, 20}


def test_a_disc_is_two_half_circles() -> None:
    assert disc(10, 20, 5) == "M5 20a5 5 0 1 0 10 0a5 5 0 1 0 -10 0Z"
