"""Collect (P34-P37)."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.games.pixel_pusher.positions import Position, Slots, below, drawn, position
from tests.support.position import both_backends

pytestmark = both_backends

ONE, TWO = 1, 25  # kinds that collect one and two R


def collect(
    conveyor: list[str], slots: dict[int, Slots], *, leader: int = 0, rng: int = 1, players: int = 2
) -> Position:
    """The position after Collect: the last seat has installed the last card, and will have pixels to give back."""
    last = players - 1
    t = position(
        "build",
        players=players,
        seat=last,
        leaders=(0, leader, 0),
        drafted={last: [17]},
        slots={**slots, last: {**slots.get(last, {}), 6: ("convert", [1])}},
        conveyor=conveyor,
        rng=rng,
        pixels={last: "CCCCMM"},
    )
    t.play("install 0 convert slot 6")
    assert t.phase in ("convert", "store")
    return t


def taken(t: Position, seat: int) -> str:
    """The primaries on a board."""
    return "".join(color for color in t.pixels(seat) if color in "RGB")


def test_p34_segments_one_after_the_other_without_choice():
    """P34: slot k takes from segment k only."""
    slots = {0: {1: ("R", [1]), 2: ("G", [9]), 3: ("B", [17]), 5: ("R", [2])}}
    t = collect(["R", "G", "B", "R", "G"], slots)
    assert taken(t, 0) == "RGB" and [t.segment(k) for k in range(1, 6)] == ["", "", "", "R", "G"]


def test_p34_each_player_gets_one_chance_in_collect_order():
    """P34: from the leader of Collect, clockwise."""
    slots = {seat: {1: ("R", [1 + seat])} for seat in range(3)}
    t = collect(["RR"], slots, players=3, leader=2)
    assert [taken(t, seat) for seat in range(3)] == ["R", "", "R"]


def test_p35_all_that_the_ends_say_or_none():
    """P35: amounts add up; with one R too few nothing is taken."""
    slots = {0: {1: ("R", [ONE, TWO])}}
    assert taken(collect(["RRRR"], slots), 0) == "RRR"
    t = collect(["RRGB"], slots)
    assert taken(t, 0) == "" and t.segment(1) == "RRGB"


def test_p36_random_slots_wait_for_the_colors_of_their_segment():
    """P36: seat 0 leads, but its random slot comes after the color slot of seat 1."""
    slots = {0: {1: ("?", [37])}, 1: {1: ("R", [1])}}
    t = collect(["RG"], slots)
    assert (taken(t, 0), taken(t, 1), t.segment(1)) == ("G", "R", "")


def test_p36_all_or_none_at_random():
    """P36: two of what is left, of any color; with one left, none. In Collect order among themselves."""
    two = {0: {1: ("?", [37, 38])}}
    found = {taken(collect(["RGB"], two, rng=rng), 0) for rng in range(30)}
    assert found == {"RG", "RB", "GB"}
    assert taken(collect(["R"], two), 0) == ""
    slots = {0: {1: ("?", [37, 38])}, 1: {1: ("?", [39])}}
    for leader, wanted in ((0, (2, 0)), (1, (2, 1))):
        t = collect(["RG" if leader == 0 else "RGB"], slots, leader=leader)
        assert (len(taken(t, 0)), len(taken(t, 1))) == wanted


def test_p36_each_draw_is_one_number():
    """P36: also when exactly as many are left; none for who gets nothing."""
    slots = {0: {1: ("?", [37])}}
    drawn, nothing = collect(["G"], slots), collect([""], slots)
    assert nothing.snap["rng"] == "1" and drawn.snap["rng"] != "1" and taken(drawn, 0) == "G"


def test_p36_the_numbers_decide_what_is_taken():
    """P36: one pixel after the other, from those of the segment in the order of colors, in Collect order."""
    slots = {0: {1: ("?", [37])}, 1: {1: ("?", [38])}}
    for rng in range(10):
        t, left = collect(["RRGB"], slots, leader=1, rng=rng, players=3), list("RRGB")
        for number, seat in enumerate((1, 0)):
            assert taken(t, seat) == left.pop(below(rng, number, len(left)))
        assert t.segment(1) == "".join(left) and drawn(t, rng, 2)


@pytest.mark.parametrize("kind", range(1, 42))
def test_p35_every_collect_end(kind: int):
    """P35, P6.1: one or two pixels of its color, or one of any."""
    color = "R" * (kind in range(1, 9) or kind in range(25, 29)) or "G" * (
        kind in range(9, 17) or kind in range(29, 33)
    )
    color = color or "B" * (kind in range(17, 25) or kind in range(33, 37)) or "?"
    t = collect(["", "RRGGBB"], {0: {2: (color, [kind])}})
    wanted = 2 if kind in range(25, 37) else 1
    assert len(taken(t, 0)) == wanted and set(taken(t, 0)) <= {color} | set("RGB" if color == "?" else "")
    assert Counter(taken(t, 0) + t.segment(2)) == Counter("RRGGBB")


def test_p37_empty_and_convert_slots_take_nothing():
    """P37: what is taken lies on the board, beside what was there."""
    slots = {0: {1: ("convert", [1]), 3: ("B", [17])}}
    t = collect(["RRR", "GGG", "B"], slots)
    assert t.pixels(0) == "B" and Counter(t.segment(1)) == Counter("RRR")
