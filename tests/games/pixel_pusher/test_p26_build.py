"""Build (P26-P33)."""

from __future__ import annotations

from collections import Counter

import pytest

from bdgame_env.games.pixel_pusher.cards import CARDS, CONVERTER
from tests.games.pixel_pusher.positions import COLORS, below, drawn, pixels, position
from tests.support.position import both_backends, engine_only

pytestmark = both_backends

COLLECTS = {**dict.fromkeys(range(1, 9), "R"), **dict.fromkeys(range(9, 17), "G"), **dict.fromkeys(range(17, 25), "B")}
COLLECTS |= dict.fromkeys(range(25, 29), "RR") | dict.fromkeys(range(29, 33), "GG") | dict.fromkeys(range(33, 37), "BB")
COLLECTS |= dict.fromkeys(range(37, 42), "?")
TAKEN = {0: ["first_build"], 1: ["prism"]}


def test_p26_one_player_after_the_other():
    """P26: from the leader of Build; each plays all cards, in any order."""
    t = position("build", players=3, seat=2, leaders=(2, 0, 0), drafted={0: [1, 2], 1: [9], 2: [17, 18]})
    order = [t.seat]
    t.play("install 1 convert slot 1")
    assert t.of(2)["drafted"] == [17] and t.slot(2, 1) == ("convert", [18])
    for move in ("discard 0", "discard 1", "discard 0"):
        order.append(t.seat)
        t.play(move)
    assert order == [2, 2, 0, 0] and t.seat == 1


def test_p26_a_seat_without_machine_cards_is_passed_over():
    """P26: also the leader; four ability cards can be drafted."""
    hands = {0: ["first_build"], 1: ["prism"]}
    drafted = {0: [1, 9, 17], 1: [2, 10, 18]}
    t = position("draft", seat=0, hands=hands, drafted=drafted)
    assert t.legal == {"draft 0"}
    t.play("draft 0")
    assert t.phase == "build" and t.seat == 0
    t = position("build", seat=1, leaders=(0, 0, 0), drafted={1: [1]}, abilities={0: ["prism"]})
    assert t.seat == 1 and t.of(0)["drafted"] == []


def test_p27_no_card_is_kept():
    """P27: each card is installed or discarded before Build ends; there is no move to keep one."""
    t = position("build", drafted={0: [1], 1: [9]})
    assert {move.split(" ")[0] for move in t.legal} == {"install", "discard"}
    t.play("discard 0", "install 0 collect slot 1")
    assert t.phase == "draft" or not any(one["drafted"] for one in t.snap["seats"])


def test_p28_the_first_card_sets_the_type():
    """P28: later cards in a slot must have it; convert ends of any kinds share a slot."""
    slots = {0: {1: ("R", [1]), 2: ("convert", [2, 9]), 3: ("?", [37]), 4: ("G", [10])}}
    t = position("build", drafted={0: [3, 37]}, slots=slots, pixels={0: "C"})
    assert {move for move in t.legal if move.startswith("install 0 collect")} == {
        f"install 0 collect slot {k}" for k in (1, 5, 6)
    }
    assert {move for move in t.legal if move.startswith("install 1 collect")} == {
        f"install 1 collect slot {k}" for k in (3, 5, 6)
    }
    for place in (0, 1):
        assert {move for move in t.legal if move.startswith(f"install {place} convert")} == {
            f"install {place} convert slot {k}" for k in (2, 5, 6)
        }
    t.refuses("install 0 collect slot 4", "install 0 convert slot 1", "install 1 convert slot 3")
    t.play("install 0 convert slot 2", "install 0 convert slot 2")
    assert t.slot(0, 2) == ("convert", [2, 3, 9, 37])


def test_p28_any_number_of_cards():
    """P28: twelve in one slot, in order of kind."""
    cards = [1, 1, 2, 2, 3, 4, 5, 6, 7, 25]
    t = position("build", round=6, drafted={0: [3, 28]}, slots={0: {6: ("R", cards)}}, pixels={0: "R"})
    t.play("install 1 collect slot 6", "install 0 collect slot 6")
    assert t.slot(0, 6) == ("R", sorted([*cards, 3, 28]))


@engine_only  # the reference observes nothing
def test_p28_what_a_slot_takes_is_observed():
    """P28: twelve cards, of which two take two pixels."""
    cards = [1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 25, 28]
    t = position("score", round=6, slots={0: {6: ("R", cards)}}, pixels={0: "BB"}, images={0: 7})
    assert t.seen("slots", 0)[0, 5, 0] == 10 + 2 * 2
    assert t.seen("slot_cards", 0)[0].tolist() == [0, 0, 0, 0, 0, 12]


def test_p29_the_other_end_is_lost():
    """P29: a card that collects converts nothing, and the other way round."""
    t = position("convert", slots={0: {1: ("R", [2])}}, pixels={0: "RG", 1: "RG"}, abilities={0: ["prism"]})
    assert "activate RG>Y" not in t.legal
    t = position("build", seat=1, drafted={1: [2]}, slots={0: {1: ("convert", [1])}}, conveyor=["R"], leaders=(0, 0, 0))
    t.play("discard 0")
    assert "R" not in t.pixels(0) and t.segment(1) == "R"


@pytest.mark.parametrize("kind", range(1, 42))
def test_p30_p41_every_card_by_both_ends(kind: int):
    """P30: its cost, and what it then takes; P41: the converter on the other end."""
    take = COLLECTS[kind]
    t = position("build", drafted={0: [kind], 1: [1]}, pixels={0: "RGB" if take != "?" else "RY"}, conveyor=["RRGGBB"])
    collecting = t.copy().play("install 0 collect slot 1")
    if take == "?":
        assert collecting.phase == "pay" and collecting.legal == {"give R", "give Y"}
        collecting.play("give Y")
    paid = {1: "", 2: take[0]}[len(take)] if take != "?" else "Y"
    assert Counter(collecting.pixels(0)) == Counter(t.pixels(0)) - Counter(paid)
    assert collecting.slot(0, 1) == (take[0], [kind])
    converting = t.copy().play("install 0 convert slot 1")
    assert converting.pixels(0) == t.pixels(0) and converting.slot(0, 1) == ("convert", [kind])
    mover = position("convert", slots={0: {1: ("convert", [kind])}}, pixels={0: "RRRGGGBBBCMY"}, abilities=TAKEN)
    first, end = CARDS.first_recipe[CONVERTER[kind]], CARDS.end_recipe[CONVERTER[kind]]
    recolor = {f"activate {pay}>{gain}" for pay in "RGB" for gain in "RGB" if pay != gain}
    names = {f"activate {name}" for name in CARDS.recipes[first:end]}
    names -= {f"activate {color * 3}>{gain}" for color in "CMYW" for gain in COLORS}  # they pay with an option only
    assert mover.family("activate") - recolor == names


@engine_only  # the reference observes nothing
@pytest.mark.parametrize("kind", range(1, 42))
def test_p30_p41_every_card_is_observed_by_the_end_at_work(kind: int):
    """P30, P41: what its slot takes, or which converter is in it."""
    take = COLLECTS[kind]
    t = position("build", drafted={0: [kind], 1: [1]}, pixels={0: "RGB" if take != "?" else "R"}, conveyor=["RRGGBB"])
    collecting = t.copy().play("install 0 collect slot 1")
    assert collecting.seen("slots", 0)[0, 0].sum() == len(take)
    assert not collecting.seen("converters", 0)[0].any()
    found = t.play("install 0 convert slot 1").seen("converters", 0)[0]
    assert found.sum() == 1 and found[CONVERTER[kind]] == 1


def test_p30_who_cannot_pay_cannot_install():
    """P30: an end that takes two needs a pixel of its color, a random one any pixel; the other end is free."""
    t = position("build", drafted={0: [25, 37]}, pixels={0: "GW"})
    t.refuses("install 0 collect slot 1")
    assert "install 1 collect slot 1" in t.legal and "install 0 convert slot 1" in t.legal
    t = position("build", drafted={0: [25, 37]})
    t.refuses("install 0 collect slot 1", "install 1 collect slot 1")
    assert "install 1 convert slot 1" in t.legal


def test_p30_the_cost_is_paid_at_once():
    """P30: a pixel drawn by a discard can pay the next card; the pixel is in the bag again then."""
    t = position("build", drafted={0: [1, 25, 28]}, pixels={0: "R"}, conveyor=["RR"])
    t.play("install 1 collect slot 1").refuses("install 1 collect slot 1")
    assert t.supply["R"] == 18 and t.pixels(0) == ""


def test_p31_a_discard_draws_a_pixel():
    """P31: the card is out of the game, face up."""
    t = position("build", drafted={0: [1, 9], 1: [17]})
    before = Counter(t.snap["discarded"])
    t.play("discard 1")
    assert len(t.pixels(0)) == 1 and Counter(t.public["discarded"]) - before == Counter([9])
    assert t.bag == 59
    drawn = {position("build", drafted={0: [1, 9]}, rng=rng).play("discard 0").pixels(0) for rng in range(20)}
    assert drawn == {"R", "G", "B"}


def test_p31_the_number_decides_which_pixel_is_drawn():
    """P31: of the pixels in the order of colors, as the section on chance says."""
    for rng in range(8):
        t = position("build", drafted={0: [1, 9], 1: [17]}, pixels={0: "RG"}, rng=rng).play("discard 1")
        color = ("R" * 19 + "G" * 19 + "B" * 20)[below(rng, 0, 58)]
        assert Counter(t.pixels(0)) == Counter("RG" + color) and drawn(t, rng, 1)


def test_p31_the_last_pixel_is_drawn():
    """P31: a bag with one pixel is not empty."""
    t = position("build", drafted={0: [1, 9]}, conveyor=["R" * 20, "G" * 20, "B" * 19]).play("discard 0")
    assert t.pixels(0) == "B" and drawn(t, 1, 1)


def test_p31_p50_with_an_empty_bag_a_discard_brings_nothing():
    """P31, P50: and it uses no chance."""
    full = ["R" * 20, "G" * 20, "B" * 20]
    t = position("build", drafted={0: [1, 9]}, conveyor=full)
    t.play("discard 0")
    assert t.pixels(0) == "" and t.snap["rng"] == "1" and 1 in t.snap["discarded"]


@engine_only  # the reference's legal moves are all it lists
def test_p32_no_move_moves_or_removes_an_installed_card():
    """P32: in no later phase either."""
    names = position("build", drafted={0: [1]}).match.action_names
    verbs = {"draft", "install", "discard", "activate", "finish", "give", "fill", "pass"}
    assert {name.split(" ")[0] for name in names} == verbs


def test_p33_more_than_five_pixels_in_build_and_collect():
    """P33: seven on the board, and more are drawn and collected."""
    t = position("build", drafted={0: [1], 1: [9]}, pixels={0: "WWWWWMM"}, slots={0: {1: ("R", [2])}}, conveyor=["R"])
    t.play("discard 0", "discard 0")
    assert t.phase in ("convert", "store") and len(t.pixels(0)) == 9
    assert pixels(t.pixels(0))["R"] >= 1
