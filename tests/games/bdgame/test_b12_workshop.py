"""Chapter 3: the workshop and its geometry (B12-B19)."""

from __future__ import annotations

import pytest

from tests.games.bdgame.positions import Position, cubes, position
from tests.support.position import both_backends

pytestmark = both_backends


def cells(t: Position, kind: str) -> set[str]:
    """Where a card from hand may be placed; nowhere if it may not even be selected."""
    if f"select {kind}" not in t.legal:
        return set()
    return t.copy().play(f"select {kind}").family("place")


def test_b12_a_card_may_lie_at_nine_heights_of_a_column():
    """B12: in an empty column y runs from 0 to 8."""
    t = position(workshop=[], hand=["hopper"])
    assert cells(t, "hopper") == {f"0,{y}" for y in range(9)}


def test_b12_cards_of_a_column_do_not_overlap():
    """B12: beside a card at y = 2 the heights 1, 2 and 3 are taken, 0 and 4 are free."""
    t = position(workshop=[("hopper", 0, 2)], hand=["hopper"])
    assert cells(t, "hopper") == {"0,0", "0,4", "0,5", "0,6", "0,7", "0,8"}
    t.play("select hopper").refuses("place 0,1", "place 0,2", "place 0,3")


def test_b12_a_column_holds_five_cards():
    """B12: with cards at 0, 2, 4 and 6 only y = 8 is free; then the column is full."""
    four = [("hopper", 0, y) for y in (0, 2, 4, 6)]
    t = position(players=3, workshop=four, hand=["hopper", "hopper"])
    assert cells(t, "hopper") == {"0,8"}
    t.play("select hopper", "place 0,8")
    assert "select hopper" not in t.legal


def test_b12_cubes_flow_to_the_right_only():
    """B12: a card goes to the right of the outlet that feeds it, never to its left."""
    t = position(workshop=[("hopper", 3, 4)], hand=["straight"])
    assert cells(t, "straight") == {"4,4"}


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("packer", {"1,4"}),
        ("straight", {"1,4"}),
        ("pause", {"1,4"}),
        ("bend_up", {"1,4"}),
        ("bend_down", {"1,4"}),
        ("splitter", {"1,4"}),
        ("joiner", {"1,3", "1,5"}),
        ("c_3Y_1B", {"1,4"}),
        ("s_4Y_1B1R", {"1,4"}),
        ("j_1Y1B_1R2B", {"1,3", "1,5"}),
    ],
)
def test_b13_where_the_inlets_of_a_kind_are(kind, expected):
    """B13: behind an outlet at junction 5 a middle inlet fits at y = 4, a joiner's two at 5 and 3."""
    t = position(workshop=[("hopper", 0, 4)], hand=[kind])
    assert cells(t, kind) == expected


@pytest.mark.parametrize(
    ("kind", "y", "expected"),
    [
        ("straight", 4, {"2,4"}),
        ("pause", 4, {"2,4"}),
        ("bend_up", 4, {"2,3"}),
        ("bend_down", 4, {"2,5"}),
        ("splitter", 4, {"2,3", "2,5"}),
        ("joiner", 3, {"2,3"}),
        ("joiner", 5, {"2,5"}),
        ("c_1B_3R", 4, {"2,4"}),
        ("s_1R_1R1Y", 4, {"2,3", "2,5"}),
        ("j_1R1R_1Y1B", 5, {"2,5"}),
    ],
)
def test_b13_where_the_outlets_of_a_kind_are(kind, y, expected):
    """B13: a packer, whose inlet is in the middle, finds the outlets of the card before it."""
    t = position(workshop=[("hopper", 0, 4), (kind, 1, y)], hand=["packer"])
    assert cells(t, "packer") == expected


def test_b13_a_packer_has_no_outlet():
    """B13: behind a packer nothing can be placed."""
    t = position(workshop=[("hopper", 0, 4), ("packer", 1, 4)], hand=["straight", "joiner", "packer"])
    assert t.family("select") == set()


def test_b14_two_inlets_do_not_share_a_junction():
    """B14: a joiner's upper inlet may not lie where another joiner's open lower inlet is."""
    t = position(workshop=[("hopper", 0, 1), ("hopper", 0, 5), ("joiner", 1, 2)], hand=["joiner"])
    assert cells(t, "joiner") == {"1,6", "2,1", "2,3"}
    t.play("select joiner").refuses("place 1,4")


def test_b14_two_outlets_do_not_share_a_junction():
    """B14: below a splitter a bend up would end in the splitter's lower outlet; a bend down does not."""
    t = position(workshop=[("hopper", 0, 2), ("hopper", 0, 4), ("splitter", 1, 2)], hand=["bend_up", "bend_down"])
    assert cells(t, "bend_up") == {"2,1", "2,3"}
    assert cells(t, "bend_down") == {"1,4", "2,1", "2,3"}


def test_b14_an_outlet_feeds_the_inlet_at_the_same_junction():
    """B14: a splitter and a joiner at the same height meet at two junctions and are one Device."""
    t = position(
        workshop=[("hopper", 0, 3, "2Y"), ("splitter", 1, 3), ("joiner", 2, 3), ("packer", 3, 3)],
        phase="activate",
    )
    assert t.legal == {"end", "activate 0"}
    assert t.play("activate 0").storage == cubes("2Y")


def test_b15_an_outlet_may_not_end_at_the_edge_of_a_neighbor():
    """B15: next to a straight card whose edge ends at junction 2, cards with an outlet there are refused."""
    t = position(
        workshop=[("hopper", 0, 0), ("straight", 1, 0), ("straight", 2, 0), ("hopper", 0, 2)],
        hand=["bend_up", "splitter", "straight", "bend_down", "s_1B_2Y2R"],
    )
    for kind in ("bend_up", "splitter", "s_1B_2Y2R"):
        assert cells(t, kind) == {"3,0"}
    for kind in ("straight", "bend_down"):
        assert cells(t, kind) == {"1,2", "3,0"}


def test_b15_a_new_card_may_not_stop_an_open_outlet():
    """B15: a straight card would touch a splitter's open upper outlet with its lower end."""
    t = position(
        workshop=[("hopper", 0, 0), ("straight", 1, 0), ("hopper", 0, 2), ("splitter", 1, 2)],
        hand=["straight", "packer"],
    )
    # The straight card's own outlet is at junction 1, the splitter's are at 2 and 4.
    assert cells(t, "straight") == {"2,3"}
    assert cells(t, "packer") == {"2,3"}


def test_b15_an_inlet_may_not_end_at_a_hopper():
    """B15: a joiner's second inlet must not touch a hopper that has its outlet elsewhere."""
    t = position(workshop=[("hopper", 0, 2), ("hopper", 0, 5)], hand=["joiner"])
    # (1, 3): inlet 5 touches the lower hopper; (1, 4): inlet 4 touches the upper one.
    assert cells(t, "joiner") == {"1,1", "1,6"}


def test_b15_a_joiner_takes_two_outlets_at_once():
    """B15: with hoppers at 2 and 4 a joiner at 3 connects both; above and below it one."""
    t = position(workshop=[("hopper", 0, 2), ("hopper", 0, 4)], hand=["joiner"])
    assert cells(t, "joiner") == {"1,1", "1,3", "1,5"}


def test_b15_a_hopper_may_not_cover_an_open_inlet():
    """B15: an open inlet at junction 5 touches a hopper at 5, whose outlet is at 6; at 4 it fits."""
    t = position(workshop=[("hopper", 0, 2), ("joiner", 1, 3)], hand=["hopper"])
    assert cells(t, "hopper") == {"0,0", "0,4", "0,6", "0,7", "0,8"}


def test_b15_neighboring_outlets_leave_room_for_one_card_only():
    """B15: of outlets at 3 and 4 neither can be continued straight on, the other one would touch the card."""
    t = position(
        workshop=[("hopper", 0, 1), ("hopper", 0, 3), ("bend_down", 1, 1), ("straight", 1, 3)],
        hand=["straight", "packer", "joiner", "splitter"],
    )
    assert t.family("select") == {"joiner"}
    assert cells(t, "joiner") == {"2,4"}


def test_b15_a_connected_port_does_not_count_as_touching():
    """B15: once the joiner takes the outlet at 4, the one at 3 may be continued."""
    t = position(
        workshop=[("hopper", 0, 1), ("hopper", 0, 3), ("bend_down", 1, 1), ("straight", 1, 3)],
        hand=["straight", "packer", "joiner"],
    )
    t.play("select joiner", "place 2,4")
    assert cells(t, "straight") == {"2,2", "3,4"}
    assert cells(t, "packer") == {"2,2", "3,4"}


def test_b15a_a_removal_is_not_refused_for_a_port_that_then_touches_a_card():
    """B15a: the joiner goes although the outlet it frees touches the straight card above."""
    t = position(
        workshop=[
            ("hopper", 0, 1),
            ("hopper", 0, 3),
            ("bend_down", 1, 1),
            ("straight", 1, 3),
            ("joiner", 2, 4),
            ("straight", 2, 2),
        ],
    )
    assert t.family("remove") == {"2,2", "2,4"}
    assert t.play("remove 2,4").card(2, 4) is None


def test_b15a_a_touching_pair_in_play_does_not_stop_other_placements():
    """B15a: what touches already is not judged again when a card is placed two columns away or elsewhere."""
    t = position(
        workshop=[
            ("hopper", 0, 1),
            ("hopper", 0, 3),
            ("hopper", 0, 7),
            ("bend_down", 1, 1),
            ("straight", 1, 3),
            ("straight", 2, 2),
        ],
        hand=["straight"],
    )
    # The outlet of (1, 3) at junction 4 touches the card at (2, 2).
    assert cells(t, "straight") == {"3,2", "1,7"}


def test_b15a_a_card_placed_at_a_touching_port_must_connect_to_it():
    """B15a: the port left open is taken by a card that connects to it, not by one that touches it."""
    t = position(
        workshop=[
            ("hopper", 0, 1),
            ("hopper", 0, 3),
            ("bend_down", 1, 1),
            ("straight", 1, 3),
            ("straight", 2, 2),
        ],
        hand=["joiner", "packer", "straight"],
    )
    assert cells(t, "joiner") == {"2,4", "3,1", "3,3"}
    assert cells(t, "packer") == {"3,2"}


LONG_LINE = [
    ("hopper", 0, 2),
    ("straight", 1, 2),
    ("straight", 2, 2),
    ("straight", 3, 2),
    ("c_2Y_1R", 4, 2),
    ("c_1Y_1R", 5, 2),
    ("c_3Y_1B", 6, 2),
]


def test_b16_no_outlet_points_out_of_the_last_column():
    """B16: in column 7 only a packer can end the line."""
    t = position(workshop=LONG_LINE, hand=["pause", "bend_up", "splitter", "joiner", "c_2R_1B", "packer"])
    assert t.family("select") == {"packer"}
    assert cells(t, "packer") == {"7,2"}


def test_b16_no_inlet_points_out_of_the_first_column():
    """B16: column 0 takes hoppers and nothing else."""
    t = position(workshop=[], hand=["straight", "joiner", "packer", "pause", "c_2R_1B", "hopper"])
    assert t.family("select") == {"hopper"}


@pytest.mark.parametrize(("y", "expected"), [(0, {"1,1"}), (8, {"1,7"})])
def test_b16_a_joiner_stays_within_the_half_lanes(y, expected):
    """B16: behind a hopper at the rim a joiner fits on the inner side only: junctions end at 0 and 10."""
    t = position(workshop=[("hopper", 0, y)], hand=["joiner"])
    assert cells(t, "joiner") == expected


def test_b17_a_card_needs_an_outlet_that_feeds_it():
    """B17: with finished Devices only, no card but a hopper can be placed."""
    t = position(hand=["straight", "packer", "joiner", "splitter", "c_1R_3Y", "hopper"])
    assert t.family("select") == {"hopper"}


def test_b17_a_hopper_begins_a_device_in_column_0_only():
    """B17: a further hopper has the free places of column 0, none further right."""
    t = position(hand=["hopper"])
    assert cells(t, "hopper") == {"0,0", "0,4", "0,8"}


def test_b17_a_hopper_in_a_later_column_must_feed_an_open_inlet():
    """B17: in column 1 the hopper fits only where its outlet meets the joiner's open inlet."""
    t = position(workshop=[("hopper", 0, 2), ("straight", 1, 2), ("joiner", 2, 3)], hand=["hopper"])
    assert {cell for cell in cells(t, "hopper") if cell[0] != "0"} == {"1,4"}


def test_b17_a_joiner_makes_one_device_of_two():
    """B17: two lines meet in a joiner: with the packer it is one Device and both hoppers empty at once."""
    t = position(workshop=[("hopper", 0, 2, "1Y"), ("hopper", 0, 4, "1B")], hand=["joiner", "packer"], actions_left=1)
    t.play("select joiner", "place 1,3", "select packer", "place 2,3")
    assert t.legal == {"end", "activate 0"}
    assert t.play("activate 0").storage == cubes("1Y 1B")


def test_b17_a_hopper_left_alone_in_a_later_column_stays_of_use():
    """B17: nothing is asked of a hopper in play: it stays, can be loaded and built on again."""
    t = position(
        storage="1R",
        workshop=[("hopper", 0, 2), ("straight", 1, 2), ("hopper", 1, 4), ("joiner", 2, 3)],
    )
    t.play("remove 2,3", "end", "load R@1")
    assert t.hopper(1) == cubes("1R")
    assert cells(t, "joiner") == {"2,1", "2,3", "2,5"}


def test_b18_a_device_with_an_open_outlet_is_not_finished():
    """B18: a splitter with one packer is not finished; the loaded hopper cannot be activated."""
    t = position(workshop=[("hopper", 0, 2, "2Y"), ("splitter", 1, 2), ("packer", 2, 1)])
    assert t.play("end").seat == 1
    assert t.hopper(0) == cubes("2Y")


def test_b18_a_device_with_an_open_inlet_is_not_finished():
    """B18: a joiner fed on one side only leaves its Device unfinished."""
    t = position(workshop=[("hopper", 0, 2, "2Y"), ("joiner", 1, 3), ("packer", 2, 3)])
    assert t.play("end").seat == 1


def test_b18_a_device_is_finished_when_every_port_is_connected():
    """B18: with the second packer the same Device can be activated."""
    t = position(workshop=[("hopper", 0, 2, "2Y"), ("splitter", 1, 2), ("packer", 2, 1), ("packer", 2, 3)])
    assert t.play("end").legal == {"end", "activate 0"}


def test_b18_two_devices_side_by_side_stay_apart():
    """B18: cards that only lie next to each other are no Device: each hopper is activated by itself."""
    t = position(workshop=[("hopper", 0, 2, "1Y"), ("packer", 1, 2), ("hopper", 0, 4, "1R"), ("packer", 1, 4)])
    assert t.play("end").legal == {"end", "activate 0", "activate 1"}


FIVE_HOPPERS = [("hopper", 0, 0), ("hopper", 0, 2), ("hopper", 0, 4), ("hopper", 0, 6), ("hopper", 3, 0)]


def test_b19_a_sixth_hopper_takes_the_last_slot():
    """B19: with five hoppers in play one more may be placed; it gets slot 5."""
    t = position(players=4, workshop=FIVE_HOPPERS, hand=["hopper"])
    assert t.play("select hopper", "place 0,8").card(0, 8)["slot"] == 5


def test_b19_a_seventh_hopper_is_refused():
    """B19: with six in play a hopper cannot be selected, though its place in column 0 is free."""
    t = position(players=4, workshop=[*FIVE_HOPPERS, ("hopper", 3, 4)], hand=["hopper"])
    t.refuses("select hopper")


def test_b19_a_hopper_takes_the_lowest_free_slot_and_keeps_it():
    """B19: slot 0 is free again after its hopper went; the hopper of slot 1 keeps its number."""
    t = position().play("remove 1,2", "remove 0,2", "end", "select hopper", "place 0,0")
    assert t.card(0, 0)["slot"] == 0 and t.card(0, 6)["slot"] == 1


def test_b19_slots_count_in_the_order_of_placing():
    """B19: the third and fourth hopper get slots 2 and 3, wherever they lie."""
    t = position(hand=["hopper", "hopper"]).play("select hopper", "place 0,8", "select hopper", "place 0,0")
    assert t.card(0, 8)["slot"] == 2 and t.card(0, 0)["slot"] == 3
