"""Positions as JSON: what a snapshot holds, round trips, refusals of data that is no position."""

from __future__ import annotations

from typing import Any

from tests.games.pixel_pusher.positions import new_game, position, restore
from tests.support.faults import both, check_refused, numbered, put, shift
from tests.support.position import both_backends

KEYS = {
    *("game", "players", "options", "round", "seat", "phase", "leaders", "supply", "conveyor", "machine_deck"),
    *("removed", "set_aside", "discarded", "image_deck", "images", "finished", "seats", "open_convert", "known"),
    *("shown_supply", "played"),
}
SEAT_KEYS = {"points", "pixels", "slots", "hand", "choice", "drafted", "abilities", "used", "used_abilities"}
SEAT_KEYS |= {"laid", "shown", "asked"}
NUMBERS = ("machine_deck", "removed", "set_aside", "image_deck")


@both_backends
def test_a_new_game():
    """All entries, in the form of the section on snapshots."""
    t = new_game(3, seed=4)
    assert set(t.public) == KEYS and set(t.snap) == KEYS | {"rng"}
    snap = t.snap
    assert snap["game"] == "pixel_pusher" and snap["players"] == 3
    assert snap["options"] == {"line_points": "newest", "triple": "primary"}
    assert (snap["round"], snap["seat"], snap["phase"], snap["shown_supply"]) == (1, 0, "draft", {})
    assert snap["rng"].isdecimal() and set(snap["seats"][0]) == SEAT_KEYS and len(snap["seats"]) == 3
    assert "".join(snap["supply"]) == "RGBCMYW"
    assert all(isinstance(t.public[name], int) for name in NUMBERS)
    for one in t.public["seats"]:
        assert (one["hand"], one["drafted"], one["choice"]) == (4, 0, None)


def draft() -> dict[str, Any]:
    hands = {0: [1, 9, 17, "first_build"], 1: [2, 10, 18, "prism"]}
    return position("draft", hands=hands, pixels={0: "RG"}).play("draft 0", "draft 1", "draft 2").snap


def build() -> dict[str, Any]:
    slots = {0: {1: ("R", [4]), 2: ("convert", [6, 12])}}
    return position("build", seat=1, drafted={1: [9, 37]}, pixels={0: "R", 1: "GW"}, slots=slots).snap


def pay() -> dict[str, Any]:
    return position("build", drafted={0: [37], 1: [9]}, pixels={0: "GW"}).play("install 0 collect slot 1").snap


def convert() -> dict[str, Any]:
    slots = {0: {1: ("convert", [2, 3])}, 1: {1: ("convert", [10])}}
    t = position("convert", slots=slots, pixels={0: "RGRB", 1: "RG"}, abilities={0: ["first_score"]})
    return t.play("activate RG>Y").snap


def store() -> dict[str, Any]:
    return position("store", pixels={0: "RRRGGGW", 1: "RG"}).snap


def score() -> dict[str, Any]:
    return position("score", pixels={0: "BB", 1: "BB"}, images={0: 7, 1: 5}, filled=[(0, 1)]).snap


def over() -> dict[str, Any]:
    return position("over", round=7, points={0: 3}, image_deck=10).snap


def swap_removed(data: dict[str, Any]) -> None:
    data["removed"][0], data["removed"][-1] = data["removed"][-1], data["removed"][0]


def deck_to_discard(data: dict[str, Any]) -> None:
    data["discarded"] = sorted([*data["discarded"], data["machine_deck"].pop()])


def two_abilities_in_a_stack(data: dict[str, Any]) -> None:
    one, other = data["seats"][0]["hand"], data["seats"][1]["hand"]
    assert isinstance(one[-1], str) or isinstance(other[-1], str)
    giver, taker = (one, other) if isinstance(one[-1], str) else (other, one)
    kind = next(card for card in taker if isinstance(card, int))
    taker.remove(kind)
    taker.append(giver.pop())
    giver.append(kind)
    giver.sort()
    taker.sort(key=str)


def many_cards(data: dict[str, Any]) -> None:
    slots = data["seats"][0]["slots"]
    slots[0]["cards"] = [4] * 28


def early_cards(data: dict[str, Any]) -> None:
    data["seats"][0]["slots"][2] = {"type": "convert", "cards": data["discarded"]}
    data["discarded"] = []


no_pixels = both(*(shift(("seats", 0, "pixels", color), ("supply", color)) for color in "GW"))

FAULTS = [
    (draft, put("options", {"speed": 1}), "unknown option"),
    (draft, put("players", 5), "players=5"),
    (draft, put("seat", None), "seat is None"),
    (draft, put("seat", 0), "seats\\[0\\].choice does not go with"),
    (draft, put("round", 3), "cards in the machine deck"),
    (draft, put("phase", "build"), "hand is not empty"),
    (draft, put("leaders", "score", 2), "leaders.score is 2"),
    (draft, put("seats", 0, "choice", None), "choice does not go"),
    (draft, put("seats", 0, "choice", 3), "choice does not go with"),
    (draft, put("seats", 0, "hand", [1, 2, 40]), "must be"),
    (draft, two_abilities_in_a_stack, "must have one ability card"),
    (draft, put("seats", 0, "abilities", ["prism"]), "turned up in Draft"),
    (draft, put("seats", 0, "used", ["mixY"]), "more often than it has it"),
    (draft, put("seats", 0, "used", ["prism"]), r"seats\[0\].used\[0\] is 'prism', must be one of mixY"),
    (draft, put("seats", 0, "drafted", []), "must have 4 cards in Draft|must be 4"),
    (draft, swap_removed, r"removed\[0\] is \d+, but reads as 1"),
    (draft, deck_to_discard, "27 cards in the machine deck"),
    (draft, put("conveyor", 0, "R", 1), "21 pixels of color R, must be 20"),
    (draft, put("supply", "W", 9), "9 pixels of color W"),
    (draft, put("images", 0, "image", 21), "image is 21"),
    (draft, put("images", 0, "image", 2), "0 images of number 1, must be 1"),
    (draft, put("finished", [20]), "2 images of number 20, must be 1"),
    (build, put("images", 0, "filled", [True] * 5), "finished in phase|pixels of color"),
    (build, put("images", 0, "filled", [True]), r"images\[0\].filled has 1 entries, must have 5"),
    (build, put("seats", 1, "hand", [9]), "must be"),
    (build, put("seat", 0), "no card to play"),
    (build, put("phase", "score"), "must have 4 cards in Build, else none"),
    (build, put("seats", 0, "slots", 0, "type", "G"), r"slots\[0\].cards are \[4\], must be of its type"),
    (build, put("seats", 0, "slots", 0, "type", None), "4 must be|must be"),
    (build, put("seats", 0, "slots", 2, "type", "G"), "has a type, but no card"),
    (build, put("seats", 0, "slots", 1, "cards", [12, 6]), "in order of kind"),
    (build, many_cards, r"cards\[27\] is 4, must be one of at most 27 cards installed by the seat"),
    (build, early_cards, "of which 8 leave room"),
    (build, put("seats", 0, "used", ["white"]), "in phase 'build'"),
    (build, put("seats", 0, "abilities", []), "other ability cards than"),
    (build, put("seats", 0, "abilities", ["first_build"] * 2), r"abilities\[1\] is .*, must be there at most 1 times"),
    (build, put("seats", 0, "abilities", ["first_build", "prism", "first_score"]), "other ability cards than"),
    (build, put("shown_supply", {"R": 1}), "belong to a secret Convert and Store"),
    (pay, put("phase", "build"), "no card to play"),
    (pay, no_pixels, "the seat that pays has no pixel"),
    (convert, put("shown_supply", {}), "pixels shown of color R"),
    (convert, put("seats", 1, "shown", "pixels", []), r"shown.pixels is \[\], must be a mapping"),
    (convert, put("seats", 1, "shown", "pixels", "R", 2), "shown of color R"),
    (convert, put("seats", 1, "shown", "points", 1), "converted without having been asked"),
    (convert, put("seats", 1, "asked", 1), r"seats\[1\].asked is 1, must be 0"),
    (convert, put("seats", 0, "asked", 100), r"seats\[0\].asked is 100, more than it has done"),
    (convert, put("open_convert", True), "belong to a secret Convert and Store"),
    (build, put("seats", 1, "laid", []), r"seats\[1\].laid must have 4 cards"),
    (build, put("seats", 1, "drafted", [9, 38]), "cards of kind 37|not in its laid"),
    (build, put("known", 0, 1, 2, 5), r"known\[0\]\[1\]\[2\] is 5, but reads as"),
    (build, put("played", 1, []), r"played\[1\] has 0 entries, but reads as 1"),
    (build, put("seats", 0, "asked", 1), "belong to a secret Convert and Store"),
    (draft, put("known", []), "known has 0 entries, but reads as 2"),
    (draft, put("options", {"line_points": "old", "triple": "any"}), "line_points='old' is not allowed"),
    (convert, put("seats", 1, "used", ["mixY"]), "without having been asked"),
    (convert, put("seats", 0, "used", ["mixY", "mixY"]), "more often"),
    (convert, put("seats", 0, "used_abilities", ["prism"]), "more often"),
    (convert, put("seats", 0, "used", ["mixM", "mixY"]), "used\\[0\\] is 'mixM'"),
    (convert, put("phase", "store"), "no pixel too many"),
    (store, put("seat", 1), "at most 5 can be stored|no pixel too many"),
    (over, put("round", 6), "cards in the machine deck"),
]


@numbered(FAULTS)
def test_data_that_is_no_position_is_refused(make, spoil, reason):
    """In one line that says where and why."""
    check_refused(restore, make, spoil, reason)


@both_backends
def test_p66_two_players_and_what_they_have_passed_on():
    """P66, by observer, stack and place: what is gone when a stack comes back is known; unknown orders are by kind."""
    hands = {0: [1, 9, 17, "first_build"], 1: [2, 10, 18, "prism"]}
    t = position("draft", hands=hands, pixels={0: "RGB", 1: "RGB"})
    nothing = [None] * 4
    assert t.snap["known"] == [[nothing, nothing]] * 2
    t.play("draft 0", "draft 0")
    assert t.snap["known"] == [
        [[None, 9, 17, "first_build"], nothing],
        [nothing, [None, 10, 18, "prism"]],
    ]
    t.play("draft 1", "draft 2")  # 18 and first_build
    assert t.snap["known"] == [
        [[None, "first_build", None, None], [None, None, 10, "prism"]],
        [[None, None, 9, 17], [None, 18, None, None]],
    ]
    t.play("draft 0", "draft 0")  # 9 and 10; the last cards go by themselves
    in_build = [
        [[None, "first_build", None, 17], [None, None, 10, None]],
        [[None, None, 9, None], [None, 18, None, "prism"]],
    ]
    assert t.phase == "build" and t.snap["known"] == in_build
    assert t.play("install 0 convert slot 1").snap["known"] == in_build and t.public["known"] is None
    while t.phase == "build":
        t.play("install 0 convert slot 1")
    assert t.phase == "convert" and t.snap["known"] == [[], []]


@both_backends
def test_p66_with_three_players_the_last_card_comes_back():
    """P66: only then is known what two others have taken, but not who took which."""
    hands = {0: [1, 9, 17, "first_build"], 1: [2, 10, 18, "prism"], 2: [3, 11, 19, "first_score"]}
    t = position("draft", players=3, hands=hands)
    t.play(*["draft 0"] * 3, "draft 1", "draft 1", "draft 0")
    nothing = [None] * 4
    seen = [[None, 9, 17, "first_build"], nothing, [None, None, 11, "first_score"]]
    assert t.snap["known"][0] == seen and t.of(0)["drafted"] == [1, 19] and t.of(1)["drafted"] == [2, 17]
    t.play("draft 0", "draft 1", "draft 0")  # of 18 and prism, 11 and first_score, 9 and first_build
    assert t.phase == "build"
    seen = [[None, 9, 17, None], [None, None, None, "prism"], [None, None, 11, "first_score"]]
    assert t.snap["known"][0] == seen


@both_backends
def test_a_position_with_one_legal_action_is_not_played_on_by_restoring_it():
    """The first move does."""
    t = position("score", pixels={0: "W", 1: "BB"}, images={0: 7})
    assert t.legal == {"pass"} and t.play("pass").seat == 1
