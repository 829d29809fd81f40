"""Pictures of any game, seen on toys: what is shown to whom, the plain table, text and its colors."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import pytest

from bdgame_env.engine.match import Match
from bdgame_env.render.picture import picture, picture_of, scene_of, steps
from bdgame_env.render.scene import Scene
from bdgame_env.render.text_picture import shows_colors, text_of, text_picture
from tests.support import toy_game as toy


def toy_match() -> Match:
    return Match(toy.GAME, seed=3, players=3)


def test_a_game_without_a_drawing_is_a_table_of_its_snapshot() -> None:
    match = toy_match()
    root = ElementTree.fromstring(picture_of(match, seat=1))
    shown = {
        element.attrib["data-entry"]: "".join(element.itertext())
        for element in root.iter()
        if "data-entry" in element.attrib
    }
    assert list(shown) == list(match.snapshot())
    assert json.loads(shown["secret"].removeprefix("secret: ")) == [None, int(match.state.secret[1]), None]


def test_a_long_snapshot_is_cut() -> None:
    snapshot = {**toy_match().snapshot(), **{f"entry {number}": [["x" * 60] * 3] for number in range(40)}}
    svg = picture(Scene(toy.GAME, snapshot))
    assert svg.count("data-entry") == 40 and "entry 39" not in svg and ">…<" in svg


def test_the_legal_moves_are_shown_to_the_seat_that_decides() -> None:
    """They can reveal what it alone knows."""
    match = toy_match()
    assert match.seat == 0 and scene_of(match, seat=0).legal == tuple(match.legal_moves()) != ()
    assert scene_of(match, seat=1).legal == scene_of(match).legal == ()


@pytest.mark.parametrize("seat", [None, 0, 1, 2])
def test_a_picture_shows_a_seat_no_more_than_it_may_see(seat: int | None) -> None:
    match = toy_match()
    for _ in range(12):
        for determinized in range(3) if seat is None else (seat,):
            other = match.clone(determinize=determinized, seed=5)
            assert picture_of(other, seat=seat) == picture_of(match, seat=seat)
            assert text_of(other, seat=seat) == text_of(match, seat=seat)
        match.play(match.legal_moves()[0])


def test_there_is_no_such_seat() -> None:
    with pytest.raises(ValueError, match="no seat 3"):
        picture_of(toy_match(), seat=3)


def test_the_latest_moves_are_told_the_newest_first_if_room_is_short() -> None:
    match = toy_match()
    svg = picture_of(match, last=["0: the first", "1: the second"])
    assert "0: the first  ·  1: the second" in re.sub(r"\s+·\s+", "  ·  ", svg)
    crowded = picture_of(match, last=[f"{number}: a move with a long name" for number in range(30)])
    assert "29: a move" in crowded and "0: a move with" not in crowded.split("29:")[0][-40:]


def test_without_a_drawing_there_are_no_steps() -> None:
    match = toy_match()
    assert steps(scene_of(match), "draw", match.snapshot()) == []


def test_text_has_colors_only_where_they_are_asked_for() -> None:
    match = toy_match()
    plain = text_picture(Scene(toy.GAME, match.snapshot(), legal=["draw"], last=["1: \x1b[31mpass"]))
    assert plain.startswith("Draw: seat 0 decides\n") and plain.endswith("last   1: ?[31mpass\nmoves  draw\n")
    assert "\x1b" not in plain
    colored = text_picture(Scene(toy.GAME, match.snapshot(), legal=["draw"]), color=True)
    assert "\x1b[1;32mdraw\x1b[0m" in colored


@pytest.mark.parametrize(
    ("terminal", "environment", "wanted"),
    [
        (True, {}, True),
        (False, {}, False),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"TERM": "dumb"}, False),
        (False, {"FORCE_COLOR": "1"}, True),
        (False, {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ],
)
def test_colors_are_for_terminals(
    monkeypatch: pytest.MonkeyPatch, terminal: bool, environment: dict[str, str], wanted: bool
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.stdout.isatty", lambda: terminal, raising=False)
    assert shows_colors() == wanted
