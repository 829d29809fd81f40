"""The game as a sequence of decisions (P55-P63, P69, P70)."""

from __future__ import annotations

import random

import pytest

import bdgame_env
from bdgame_env.engine.jit import JIT_DISABLED
from bdgame_env.games.pixel_pusher.cards import CARDS
from tests.games.pixel_pusher.positions import PIXELS, Position, new_game, position, total
from tests.support.position import both_backends, engine_only

pytestmark = both_backends

TABLE = {  # P55: id of some actions
    "draft 0": 0,
    "draft 3": 3,
    "install 0 collect slot 1": 4,
    "install 0 convert slot 1": 10,
    "install 2 convert slot 6": 39,
    "install 3 convert slot 6": 51,
    "discard 0": 52,
    "discard 3": 55,
    "activate RG>Y": 56,
    "activate RB>M": 57,
    "activate C>2VP": 69,
    "activate BBB>W": 101,
    "finish": 102,
    "give R": 103,
    "give W": 109,
    "fill 0 line 0": 110,
    "fill 2 line 4": 124,
    "fill 5 line 4": 139,
    "pass": 140,
}


@engine_only  # the reference does not number its moves
def test_p55_141_actions():
    """P55: ids and notation of the match."""
    names = list(bdgame_env.make_match("pixel-pusher-v2").action_names)
    assert len(names) == 141 == bdgame_env.make_match("pixel-pusher-v2").config.num_actions
    for name, number in TABLE.items():
        assert names[number] == name
    assert [name.removeprefix("activate ") for name in names[56:102]] == CARDS.recipes[:46]
    more = bdgame_env.make_match("pixel-pusher-v2", triple="any").action_names
    assert list(more[:141]) == names and [name.removeprefix("activate ") for name in more[141:]] == CARDS.recipes[46:]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_p55_p58_p51_every_decision_is_a_choice(players: int):
    """P55, P58, P51: in random games: two legal actions or more until the end, and pixels are kept."""
    for seed in range(1 if JIT_DISABLED else 15):
        t, chance = new_game(players, seed), random.Random(seed)
        while not t.over:
            moves = sorted(t.legal)
            assert len(moves) >= 2, f"{t.snap}"
            assert total(t) == PIXELS
            t.play(chance.choice(moves))
        assert t.legal == set()


def test_p55_single_actions_are_carried_out_in_every_phase():
    """P55: one card, one place to put it: the last of a hand, a discard, a payment, finish, give, pass."""
    slots = {0: {k: ("R", [k]) for k in range(1, 7)}, 1: {1: ("convert", [41])}}
    t = position("build", drafted={0: [9, 37], 1: [24]}, slots=slots, pixels={1: "CCCMMM"}, seat=0)
    assert t.legal == {"discard 0", "discard 1"}
    t.play("discard 1")
    assert t.seat == 1 and t.phase == "build" and {9, 37} <= set(t.snap["discarded"])
    t = position("build", drafted={0: [37], 1: [24]}, pixels={0: "YY"})
    t.play("install 0 collect slot 1")
    assert t.seat == 1 and t.pixels(0) == "Y"
    t = position("convert", pixels={0: "RRRRRRR", 1: "CCCCCCW"}, slots={0: {1: ("convert", [7])}})
    t.play("finish")
    assert t.seat == 1 and t.phase == "store" and t.pixels(0) == "RRRRR"
    t.play("give W")
    assert t.pixels(1) == "CCCCC"


def test_p55_equal_cards_are_not_merged():
    """P55: two cards of a kind are asked, and so are equal slots."""
    hands = {0: [1], 1: [9]}
    drafted = {0: [17, 18, "prism"], 1: [2, 3, "first_build"]}
    t = position("draft", hands={0: [1, 1], 1: [9, 9]}, drafted={0: [17, "prism"], 1: [2, "first_build"]})
    assert t.legal == {"draft 0", "draft 1"}
    t = position("draft", hands=hands, drafted=drafted)
    assert t.play("draft 0").phase == "build" and "install 0 collect slot 6" in t.legal


def test_p56_hand_positions():
    """P56: machine cards by kind, then the ability cards in file order; the rest closes up."""
    t = position("draft", hands={0: [9, 17, 40, "prism"], 1: [1, 2, 3, "first_build"]})
    t.play("draft 1", "draft 3")
    assert [one["hand"] for one in t.snap["seats"]] == [[1, 2, 3], [9, 40, "prism"]]
    t = position("build", drafted={0: [1, 9, 17, 40], 1: [2]}, abilities={1: ["first_build", "prism"]})
    assert "discard 3" in t.legal
    t.play("discard 1")
    assert t.of(0)["drafted"] == [1, 17, 40] and "discard 3" not in t.legal


def test_p57_give_pays_for_a_random_end():
    """P57, P30: right after the install, of a color that the player has; the card lies in its slot."""
    t = position("build", drafted={0: [37, 1], 1: [9]}, pixels={0: "RW"})
    t.play("install 1 collect slot 4")
    assert t.phase == "pay" and t.slot(0, 4) == ("?", [37]) and t.legal == {"give R", "give W"}
    t.play("give W")
    assert t.phase == "build" and t.seat == 0 and t.pixels(0) == "R" and t.supply["W"] == 10


def test_p58_no_dead_ends():
    """P58: a player with nothing can discard, finish, pass."""
    t = position("build", drafted={0: [25], 1: [9]})
    assert "discard 0" in t.legal
    assert "finish" in position("convert", pixels={0: "RG"}, slots={0: {1: ("convert", [2])}}).legal
    assert "pass" in position("score", pixels={0: "BB"}, images={0: 7}).legal


def test_p61_build_and_score_are_open():
    """P61: everybody sees what is played at once; phases without decisions are never seen."""
    t = position("build", drafted={0: [1, 2], 1: [9]})
    t.play("install 0 collect slot 3")
    assert t.public["seats"][0]["slots"][2] == {"type": "R", "cards": [1]}
    t = position("score", pixels={0: "BB", 1: "BB"}, images={0: 7}).play("fill 0 line 0")
    assert t.public["seats"][0]["points"] == 2 and t.public["images"][0]["filled"][0]


def test_p61_p64_3_everybody_sees_which_cards_have_been_played():
    """P61, P64.3: in order of kind, installed or discarded, until Build ends."""
    t = position("draft", hands={0: [41], 1: [9]}, drafted={0: [30, 2, "prism"], 1: [17, 10, "first_build"]})
    t.play("draft 0")  # both take their last card
    assert t.phase == "build" and t.seat == 1
    t.play("discard 2", "install 0 convert slot 1")
    assert t.public["played"] == t.snap["played"] == [[], [9, 17]]
    t.play("install 0 convert slot 1", "install 1 convert slot 1")
    assert t.public["played"] == [[30], [9, 10, 17]]


@engine_only  # the reference observes nothing
def test_p61_build_and_score_are_observed():
    """P61: by the other seat, at once."""
    t = position("build", drafted={0: [1, 2], 1: [9]}).play("install 0 collect slot 3")
    assert t.seen("slots", 1)[1, 2, 0] == 1
    t = position("score", pixels={0: "BB", 1: "BB"}, images={0: 7}).play("fill 0 line 0")
    assert t.seen("points", 1)[1] == 2 and t.seen("filled", 1)[0, 0] == 1


def chance_used(t: Position, move: str) -> bool:
    """Whether a move draws numbers."""
    before = t.snap["rng"]
    return t.copy().play(move).snap["rng"] != before


def test_p62_what_is_left_to_chance():
    """P62: a discard is; choosing, installing, converting, giving, filling are not."""
    t = position("build", drafted={0: [1, 2], 1: [9]})
    assert chance_used(t, "discard 0") and not chance_used(t, "install 0 collect slot 1")
    assert not chance_used(new_game(), "draft 0")
    t = position("convert", pixels={0: "RRRGGGW", 1: "RG"}, slots={k: {1: ("convert", [2])} for k in (0, 1)})
    assert not chance_used(t, "activate RG>Y") and not chance_used(t.play("finish"), "give W")
    assert not chance_used(position("score", pixels={0: "BB", 1: "BB"}, images={0: 7}), "fill 0 line 0")


@pytest.mark.parametrize(("players", "most"), [(2, 412), (3, 456), (4, 486)])
def test_p63_p70_length(players: int, most: int):
    """P63: a bound; P70: random play is far below it."""
    t, chance = new_game(players, seed=1), random.Random(1)
    decisions = 0
    while not t.over:
        t.play(chance.choice(sorted(t.legal)))
        decisions += 1
    assert 60 < decisions < 250 < most


@engine_only  # the reference counts no decisions
@pytest.mark.parametrize(("players", "most"), [(2, 412), (3, 456), (4, 486)])
def test_p63_the_bound_of_the_configuration(players: int, most: int):
    """P63: and the match counts each decision."""
    t = new_game(players).play("draft 0", "draft 0")
    assert t.match.config.max_decisions == most and int(t.match.state.decisions) == 2


@engine_only  # it reads the card file
def test_p69_features_of_prototypes_are_not_there():
    """P69: nothing sells W, no card stores or takes from trays; images have five lines."""
    assert not any(recipe.startswith("W") for recipe in CARDS.recipes[:46])
    assert {recipe for recipe in CARDS.recipes if "VP" in recipe} == {"C>2VP", "M>2VP", "Y>2VP"}
