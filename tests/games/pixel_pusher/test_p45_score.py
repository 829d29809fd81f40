"""Score and the end (P45-P51)."""

from __future__ import annotations

from collections import Counter

import pytest

from bdgame_env.games.pixel_pusher.cards import CARDS, COLORS, LINE_POINTS, NEED
from tests.games.pixel_pusher.positions import AXE, BAT, PINK_CAT, PIXELS, Position, position, total
from tests.support.position import both_backends, engine_only

pytestmark = both_backends

FULL_BAT = [(0, line) for line in range(4)]  # all but the last line, B___B


def score(pixels: str, other: str = "", **rest) -> Position:
    """Seat 0 scores with these pixels; at place 0 the bat, at place 1 the axe."""
    images = {0: BAT, 1: AXE, **rest.pop("images", {})}
    return position("score", pixels={0: pixels, 1: other}, images=images, **rest)


def need(image: int, line: int) -> str:
    return "".join(color * int(count) for color, count in zip(COLORS, NEED[image, line], strict=True))


def test_p45_one_line_or_pass():
    """P45: one turn each, also with pixels for two lines; a pass scores nothing."""
    t = score("BBBBB", "BB")
    assert {"fill 0 line 0", "fill 0 line 1", "fill 0 line 4", "pass"} <= t.legal
    t.play("fill 0 line 0")
    assert t.seat == 1 and t.points(0) == 2
    t.play("pass")
    assert t.phase == "draft" and t.points(1) == 0


@pytest.mark.parametrize("image", range(1, 21))
def test_p46_p08_every_line_of_every_image(image: int):
    """P46: with exactly its pixels a line can be filled, with one less it cannot."""
    for line in range(5):
        pixels = need(image, line)
        if len(pixels) == 1:
            pixels += "W" if pixels != "W" else "R"  # something to spare does no harm
        t = position("score", pixels={0: pixels, 1: "W"}, images={2: image})
        t.play(f"fill 2 line {line}")
        assert t.points(0) == LINE_POINTS[0, image, line] and len(t.pixels(0)) == len(pixels) - len(need(image, line))
        for color in set(need(image, line)):
            less = position("score", pixels={0: pixels.replace(color, "", 1)}, images={2: image})
            assert f"fill 2 line {line}" not in less.legal
    assert CARDS.image_names[image - 1]


def test_p46_a_filled_line_is_filled():
    """P46: its pixels lie on the image, and nobody can fill it again."""
    t = score("BB", "BB")
    t.play("fill 0 line 0")
    assert t.snap["images"][0] == {"image": BAT, "filled": [True, False, False, False, False]}
    assert t.pixels(0) == "" and t.seat == 1
    t.refuses("fill 0 line 0")
    assert "fill 0 line 4" in t.legal and t.supply["B"] == 16


def test_p46_not_at_an_empty_place():
    """P46: there is no image."""
    t = score("BBBBB", images={2: None}, image_deck=0)
    assert not {move for move in t.legal if move.startswith("fill 2")}


def test_p47_a_finished_image_is_replaced_after_all_turns():
    """P47: its pixels go to the supply, the next image comes; not before the last turn."""
    t = score("BB", "BB", filled=FULL_BAT, next_images=[17, 18])
    t.play("fill 0 line 4")
    assert t.seat == 1 and t.snap["images"][0]["filled"] == [True] * 5
    assert not {move for move in t.legal if move.startswith("fill 0")}
    t.play("pass")
    assert t.snap["images"][0] == {"image": 17, "filled": [False] * 5} and t.snap["finished"] == [BAT]
    assert t.snap["image_deck"][0] == 18 and t.supply["Y"] == 10 and total(t) == PIXELS


def test_p47_four_lines_are_not_enough():
    """P47: the image stays, with what lies on it."""
    t = score("BB", "BB", filled=FULL_BAT[:3]).play("fill 0 line 4", "pass")
    assert t.snap["images"][0] == {"image": BAT, "filled": [True] * 3 + [False, True]} and t.snap["finished"] == []


@pytest.mark.parametrize("image", range(1, 21))
def test_p47_p51_all_pixels_of_an_image_go_to_the_supply(image: int):
    """P47, P51: of each color as many as its lines ask for."""
    last = max(range(5), key=lambda line: len(need(image, line)))
    lines = [(2, line) for line in range(5) if line != last]
    t = position("score", pixels={0: need(image, last)}, images={2: image}, filled=lines, round=7)
    t.play(f"fill 2 line {last}")
    while not t.over:
        t.play("pass")
    assert t.supply == PIXELS and t.snap["finished"] == [image]


def test_p47_two_images_are_replaced_place_by_place():
    """P47: the lower place has the next image, and pixels of both are in the supply."""
    most = [(1, line) for line in (0, 1, 2, 3)]
    t = score("BB", "B", filled=[*FULL_BAT, *most], next_images=[17, 18])
    t.play("fill 0 line 4", "fill 1 line 4")
    assert [image["image"] for image in t.snap["images"][:2]] == [17, 18] and t.snap["finished"] == [AXE, BAT]
    assert total(t) == PIXELS


def test_p47_the_last_image_of_the_deck():
    """P47: it takes the place like any other."""
    t = score("BB", "BB", filled=FULL_BAT, next_images=[17], image_deck=1).play("fill 0 line 4", "pass")
    assert t.snap["images"][0] == {"image": 17, "filled": [False] * 5} and t.snap["image_deck"] == []


def test_p47_p50_without_a_deck_the_place_stays_empty():
    """P47, P50."""
    t = score("BB", "BB", filled=FULL_BAT, image_deck=0).play("fill 0 line 4", "pass")
    assert t.snap["images"][0] is None and BAT in t.snap["finished"]


@pytest.mark.parametrize(("players", "rounds"), [(2, 7), (3, 6), (4, 5)])
def test_p48_the_last_round(players: int, rounds: int):
    """P48: after Score of the round in which the deck became empty; not one round before."""
    for number in (rounds - 1, rounds):
        t = position(
            "score", players=players, round=number, seat=players - 1, pixels={players - 1: "BB"}, images={0: BAT}
        )
        t.play("pass")
        assert t.over == (number == rounds)
    snap = t.snap
    assert snap["phase"] == "over" and snap["seat"] == players - 1 and snap["round"] == rounds and t.legal == set()
    assert any(one["abilities"] for one in snap["seats"])


@engine_only  # nothing cuts a game of the reference short
def test_p48_the_end_cuts_nothing_short():
    """P48: nothing else ends a game."""
    t = position("score", round=7, seat=1, pixels={1: "BB"}, images={0: BAT}).play("pass")
    assert t.match.over and not t.match.truncated


def test_p48_images_are_replaced_in_the_last_round_too():
    """P47, P48."""
    t = score("BB", "BB", round=7, filled=FULL_BAT).play("fill 0 line 4", "pass")
    assert t.over and t.snap["finished"] == [BAT] and t.snap["images"][0]["image"] != BAT


@pytest.mark.parametrize(
    ("points", "pixels", "ranks"),
    [
        ((3, 2, 9), ("", "", ""), [2, 3, 1]),
        ((5, 5, 5), ("R", "RG", ""), [2, 1, 3]),
        ((5, 5, 1), ("W", "R", "RRRRR"), [1, 1, 3]),
        ((5, 7, 5), ("WW", "R", "GB"), [2, 1, 2]),
        ((0, 0, 0), ("", "", ""), [1, 1, 1]),
    ],
)
def test_p49_p68_places(points: tuple[int, ...], pixels: tuple[str, ...], ranks: list[int]):
    """P49, P68: points, then pixels on the board, then shared."""
    t = position(
        "over", players=3, round=6, points=dict(enumerate(points)), pixels=dict(enumerate(pixels)), image_deck=14
    )
    assert t.ranks == ranks and t.match.points() == list(points)


def test_p50_empty_piles_are_no_gain():
    """P50: with all W on boards and images nobody gains one."""
    t = position(
        "convert",
        pixels={0: "RGB", 1: "W" * 5},
        slots={0: {1: ("convert", [4, 2])}},
        images={0: 10},
        filled=[(0, 4)],
        open_convert=True,
    )
    assert t.supply["W"] == 0 and "activate RGB>W" not in t.legal and "activate RG>Y" in t.legal


def test_p51_pixels_are_kept():
    """P51: in a built position with filled lines, at every decision of a round."""
    t = position(
        "build",
        drafted={0: [37, 25, 1], 1: [29, 9]},
        pixels={0: "RGBCW", 1: "GGMY"},
        slots={0: {1: ("R", [26]), 2: ("?", [38]), 3: ("convert", [6, 12])}, 1: {1: ("B", [17])}},
        conveyor=["RRBG", "GB", "R", "", "B", "G"],
        images={0: PINK_CAT, 1: BAT},
        filled=[(0, 1), (1, 3)],
    )
    while t.round == 2:
        assert total(t) == Counter(PIXELS)
        t.play(sorted(t.legal)[len(t.legal) // 2])
    assert total(t) == Counter(PIXELS)
