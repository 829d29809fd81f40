"""Convert and Store (P38-P44, P60)."""

from __future__ import annotations

from collections import Counter

import pytest

from bdgame_env.games.pixel_pusher.cards import CARDS, COLORS, CONVERTER
from tests.games.pixel_pusher.positions import Position, position
from tests.support.position import both_backends, engine_only

pytestmark = both_backends

CARD_OF = {CARDS.converters[CONVERTER[kind]]: kind for kind in range(41, 0, -1)}  # the lowest kind with it
MIX_Y, MIX_M, WHITE, TOP_Y, TRIPLE = 2, 3, 4, 21, 7


def convert(pixels: str, cards: list[int], other: str = "RG", **rest) -> Position:
    """Seat 0 begins to convert, with convert ends of these cards. Seat 1, with the pixels `other`, can mix Y."""
    slots = {0: {1: ("convert", cards)}, 1: {1: ("convert", [10])}, **rest.pop("slots", {})}
    return position("convert", slots=slots, pixels={0: pixels, 1: other}, **rest)


def test_p38_stored_pixels_count_too():
    """P38: what was kept before Collect and what was collected can be paid together."""
    slots = {0: {1: ("R", [1]), 2: ("convert", [MIX_Y])}}
    t = position("build", seat=1, drafted={1: [9]}, slots=slots, pixels={0: "G"}, conveyor=["R"])
    t.play("install 0 convert slot 1")
    assert t.phase == "convert" and t.seat == 0 and t.pixels(0) == "RG"
    assert t.play("activate RG>Y").of(0)["pixels"]["Y"] == 1


def test_p39_what_is_gained_can_be_paid():
    """P39: any number of activations; then finish."""
    t = convert("RRGGB", [MIX_Y, MIX_Y, TOP_Y], abilities={0: ["prism"]})
    t.play("activate RG>Y", "activate YB>W", "activate RG>Y")
    assert t.pixels(0) == "YW" and t.seat == 1


def test_p40_each_converter_once_a_round():
    """P40: two copies, two activations; ready again in the next round."""
    t = convert("RRRGGG", [MIX_Y, MIX_Y], abilities={0: ["prism"]}, images={0: 7})
    t.play("activate RG>Y")
    assert t.of(0)["used"] == ["mixY"] and "activate RG>Y" in t.legal
    t.play("activate RG>Y").refuses("activate RG>Y")
    assert t.of(0)["used"] == ["mixY", "mixY"]
    t.play("finish")
    while t.round == 2:
        assert t.of(0)["used"] == ["mixY", "mixY"]
        t.play("pass" if "pass" in t.legal else "finish")
    assert t.of(0)["used"] == []


@engine_only  # the reference observes nothing
def test_p40_its_owner_observes_what_is_ready():
    """P40: both copies in the next round."""
    t = convert("RRRGGG", [MIX_Y, MIX_Y], images={0: 7}).play("activate RG>Y")
    assert t.seen("ready", 0)[0] == 1
    while t.round == 2:
        t.play("pass" if "pass" in t.legal else "finish")
    assert t.seen("ready", 0)[0] == 2


def test_p40_used_converters_stand_in_the_order_of_the_card_file():
    """P40: whatever the order in which they were used."""
    t = convert("RRGGBY", [MIX_Y, WHITE, CARD_OF["sellY"]], abilities={0: ["prism"]})
    t.play("activate Y>2VP", "activate RGB>W")
    assert t.of(0)["used"] == ["white", "sellY"]
    t.play("activate RG>Y")
    assert t.of(0)["used"] == ["mixY", "white", "sellY"]


def test_p40_installed_in_this_round():
    """P40: a convert end works at once."""
    t = position("build", drafted={0: [MIX_Y], 1: [9]}, pixels={0: "RG"})
    t.play("install 0 convert slot 1", "install 0 convert slot 1")
    assert t.phase == "convert" and "activate RG>Y" in t.legal


def all_recipes() -> list[tuple[str, str]]:
    return [
        (converter, recipe)
        for converter, first, end in zip(CARDS.converters, CARDS.first_recipe, CARDS.end_recipe, strict=True)
        for recipe in CARDS.recipes[first:end]
    ]


@pytest.mark.parametrize(("converter", "recipe"), all_recipes())
def test_p41_1_p41_2_p41_3_p41_4_p41_5_p41_6_every_recipe(converter: str, recipe: str):
    """P41.1-P41.6: with what it pays it does what it says; with one pixel less it cannot be used."""
    pay, gain = recipe.split(">")
    cards = [CARD_OF[converter]] if converter in CARD_OF else []
    abilities = {0: ["first_score" if converter == "recolor" else "prism"]} if not cards else {0: ["first_score"]}
    t = convert(pay + "W", cards, abilities=abilities)
    before = t.supply
    assert f"activate {recipe}" in t.legal
    t.play(f"activate {recipe}")
    gained = "" if gain == "2VP" else gain
    assert Counter(t.pixels(0)) == Counter(gained + "W") and t.points(0) == (2 if gain == "2VP" else 0)
    change = Counter(pay)
    change.subtract(gained)
    assert {c: t.supply[c] - before[c] for c in COLORS} == {c: change[c] for c in COLORS}
    for short in set(pay):
        less = pay.replace(short, "", 1)
        assert (
            f"activate {recipe}" not in convert(less + "W", cards, "RG", abilities=abilities, open_convert=True).legal
        )


def test_p41_6_the_triple_gives_another_color():
    """P41.6: six each for three primaries, never the color paid; three secondaries do not pay."""
    t = convert("RRRCCC", [TRIPLE], abilities={0: ["first_score"]})
    gains = {move.removeprefix("activate RRR>") for move in t.legal if "RRR>" in move}
    assert gains == set("GBCMYW") and not any("CCC" in move for move in t.legal)


def test_p42_the_supply_must_have_what_is_gained():
    """P42, P50: no Y on its pile; both units of a split are needed."""
    t = convert("RG", [MIX_Y, MIX_M], "YYYYYYYYYYB", open_convert=True)
    assert "activate RG>Y" not in t.legal
    split = CARD_OF["splitC"]
    full = ["B" * 19, "", "", "", "", "G"]
    t = convert("C", [split], conveyor=full, open_convert=True)
    assert t.legal >= {"activate C>GG"} and "activate C>BB" not in t.legal


@pytest.mark.parametrize("short", "CMYW")
def test_p42_no_recipe_gains_from_an_empty_pile(short: str):
    """P42, P50: all others can be used still."""
    cards = [1, 2, 3, 4, 5, 7]
    other = short * (10 - (short == "C"))
    t = convert("RRRGBC", cards, other, abilities={0: ["first_score"]}, open_convert=True)
    assert t.supply[short] == 0
    gains = {move.split(">")[1] for move in t.family("activate")}
    assert gains == set("RGBCMYW") - {short}


def test_p42_the_payment_goes_in_first():
    """P42: the only G are those paid."""
    t = convert("GGG", [TRIPLE], "CCCMMM", conveyor=["G" * 17, "R" * 20], open_convert=True)
    assert "activate GGG>R" not in t.legal and "activate GGG>B" in t.legal
    t.play("activate GGG>B")
    assert t.supply["G"] == 3


def test_p43_five_pixels_are_kept():
    """P43: who has more gives back of choice, one at a time; with five or fewer nobody is asked."""
    t = convert("RRRGGWC", [MIX_Y])
    t.play("finish")
    assert t.phase == "store" and t.seat == 0 and t.legal == {"give R", "give G", "give C", "give W"}
    before = t.supply
    t.play("give W")
    assert t.phase == "store" and t.supply["W"] == before["W"] + 1
    t.play("give R")
    assert t.pixels(0) == "RRGGC" and t.seat == 1


def test_p43_pixels_of_one_color_go_by_themselves():
    """P43, P55: no choice is no decision."""
    t = convert("RRRRRRRR", [TRIPLE], abilities={0: ["first_score"]})
    t.play("finish")
    assert t.pixels(0) == "RRRRR"


def test_p44_collect_order_decides_who_is_served():
    """P44: one Y is left; the leader of Collect takes it, and seat 0 then finds none."""
    both = {0: {1: ("convert", [MIX_Y])}, 1: {1: ("convert", [10])}}
    pixels = {0: "RGYYYYY", 1: "RGYYYY"}
    t = position("convert", seat=1, leaders=(0, 1, 0), slots=both, pixels=pixels, images={0: 7}, open_convert=True)
    assert "activate RG>Y" in t.legal
    t.play("activate RG>Y", "finish") if t.family("activate") - {"activate RG>Y"} else t.play("activate RG>Y")
    while t.seat == 1:
        t.play(sorted(t.legal)[0])
    assert t.seat == 0 and "activate RG>Y" not in t.legal


def test_p60_others_see_how_things_were():
    """P60: until the last seat is done; then everything shows. The own board is live."""
    both = {0: {1: ("convert", [MIX_Y])}, 1: {1: ("convert", [10])}}
    t = position("convert", slots=both, pixels={0: "RG", 1: "RG"}, images={0: 7, 1: 3, 2: 4})
    public = t.public
    t.play("activate RG>Y")
    while t.seat == 0:
        t.play("finish")
    assert t.phase == "convert" and t.seat == 1
    assert t.public == public and public["seat"] is None and t.pixels(0) == "Y"
    assert t.snap["shown_supply"]["Y"] == 10 and t.supply["Y"] == 9
    assert [one["asked"] for one in t.snap["seats"]] == [1, 0]
    while t.seat == 1 and t.phase == "convert":
        t.play("finish")
    assert [one["asked"] for one in t.snap["seats"]] == [0, 0]
    assert t.snap["shown_supply"] == {} and t.public["shown_supply"] is None
    assert t.public["seats"][0]["pixels"]["Y"] == 1 and t.public["supply"]["Y"] == 9


@engine_only  # the reference observes nothing
def test_p60_others_observe_how_things_were():
    """P60: but for whose decision it is, and what that seat could do (P65.1); the own board is live."""
    both = {0: {1: ("convert", [MIX_Y])}, 1: {1: ("convert", [10])}}
    t = position("convert", slots=both, pixels={0: "RG", 1: "RG"}, images={0: 7, 1: 3, 2: 4})
    view = t.match.observe(1)
    t.play("activate RG>Y")
    while t.seat == 0:
        t.play("finish")
    assert t.seen("pixels", 0)[0].tolist() == [0, 0, 0, 0, 0, 1, 0] and t.seen("ready", 0)[0] == 0
    assert t.seen("pixels", 1)[1].tolist() == [1, 1, 0, 0, 0, 0, 0]
    changed = t.match.observe(1)
    slices = {field.name: field.slice for field in t.match.game.schema}
    assert changed[slices["to_move"]].tolist() == [1, 0, 0, 0]
    for name in ("to_move", "after_recipe", "after_two"):
        assert changed[slices[name]].any() and not view[slices[name]].any()
        changed[slices[name]] = 0
    assert changed.tobytes() == view.tobytes()
    assert t.seen("supply", 0)[5] == t.seen("supply", 1)[5] == 10


def test_p60_others_are_not_told_that_a_seat_stores():
    """P60: the phase they see is convert."""
    t = convert("RRRGGGW", [MIX_Y], "RG", images={0: 7}).play("finish")
    assert t.phase == "store" and t.public["phase"] == "convert"
    assert t.of(0)["asked"] == 1 and t.play("give W").of(0)["asked"] == 2 and t.public["phase"] == "convert"


@engine_only  # the reference observes nothing
def test_p60_others_do_not_observe_that_a_seat_stores():
    """P60: only the seat itself does."""
    t = convert("RRRGGGW", [MIX_Y], "RG", images={0: 7}).play("finish")
    assert t.seen("phase", 0).tolist() == [0, 0, 0, 0, 1, 0, 0] and t.seen("phase", 1).tolist() == [0, 0, 0, 1, 0, 0, 0]


def after_a_sale() -> Position:
    """Seat 0 has sold a C in secret; seat 1 is to convert."""
    t = convert("CC", [CARD_OF["sellC"]]).play("activate C>2VP")
    while t.seat == 0:
        t.play("finish")
    return t


def test_p60_a_sale_shows_at_the_end():
    """P60: points too."""
    t = after_a_sale()
    assert t.points(0) == 2 and t.public["seats"][0]["points"] == 0
    while t.phase in ("convert", "store"):
        t.play("finish")
    assert t.public["seats"][0]["points"] == 2


@engine_only  # the reference observes nothing and shapes no reward
def test_p60_a_sale_is_observed_and_rewarded_at_the_end():
    """P60: shaping counts the points that all can see."""
    t = after_a_sale()
    assert t.seen("points", 0)[0] == 2 and t.seen("points", 1)[1] == 0
    progress = t.match.game.rules.progress
    assert progress(t.match.state, t.match.config.record[0], 0) == 0
    while t.phase in ("convert", "store"):
        t.play("finish")
    assert progress(t.match.state, t.match.config.record[0], 0) > 0
