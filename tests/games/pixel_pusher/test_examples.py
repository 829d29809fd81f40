"""The worked examples (P52-P54)."""

from __future__ import annotations

import pytest

from bdgame_env.games.pixel_pusher.cards import CARDS, LINE_POINTS, NEED
from tests.games.pixel_pusher.positions import position
from tests.support.position import both_backends, engine_only

pytestmark = both_backends


@pytest.mark.parametrize(("segment", "wanted"), [("RRG", ("RR", "", "G")), ("RG", ("", "R", "G"))])
def test_p52_one_segment_three_machines(segment: str, wanted: tuple[str, ...]):
    """P52: seat 0 takes both R or none; seat 1 what it leaves; the random end comes last."""
    slots = {0: {2: ("R", [1, 2])}, 1: {2: ("R", [3])}, 2: {2: ("?", [37]), 3: ("convert", [10])}}
    t = position(
        "build", players=3, seat=2, drafted={2: [11]}, slots=slots, conveyor=["", segment], pixels={2: "CCCMMM"}
    )
    t.play("install 0 convert slot 3")
    found = ["".join(color for color in t.pixels(seat) if color in "RGB") for seat in range(3)]
    assert tuple(found) == wanted


def test_p53_two_converters_and_prism():
    """P53: R, G, B, Y to B, Y, Y to Y, W; Prism finds no primary, nothing is given back."""
    slots = {0: {1: ("convert", [2, 21])}, 1: {1: ("convert", [10])}}
    t = position("convert", slots=slots, pixels={0: "RGBY", 1: "RG"}, abilities={0: ["prism"]})
    t.play("activate RG>Y")
    assert t.pixels(0) == "BYY" and t.of(0)["used"] == ["mixY"]
    assert t.legal == {"activate YB>W", "activate B>C", "activate B>M", "finish"}
    t.play("activate YB>W")
    assert t.pixels(0) == "YW" and t.of(0)["used"] == ["mixY", "topY"] and t.of(0)["used_abilities"] == []
    assert t.seat == 1 and t.phase == "convert"


@engine_only  # it reads the card file
@pytest.mark.parametrize(("name", "line", "points"), [("bat", 2, 9), ("snowman", 0, 12), ("pink cat", 4, 22)])
def test_p54_points_of_lines(name: str, line: int, points: int):
    """P54: BBYBB 9, _WWW_ 12, WWWWW 22."""
    image = CARDS.image_names.index(name) + 1
    assert LINE_POINTS[0, image, line] == points
    assert NEED[image, line].sum() in (3, 5)
