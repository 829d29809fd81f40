"""Positions as JSON: what a snapshot holds, round trips, refusals of data that is no position."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

import bdgame_env
from bdgame_env.core.jit import JIT_DISABLED
from bdgame_env.games.pixel_pusher.game import GAME
from tests.games.pixel_pusher.positions import new_game, position, restore

KEYS = {
    *("game", "players", "options", "round", "seat", "phase", "leaders", "bag", "piles", "conveyor", "machine_deck"),
    *("removed", "set_aside", "discarded", "image_deck", "images", "finished", "seats"),
}
SEAT_KEYS = {"points", "pixels", "slots", "hand", "choice", "drafted", "abilities", "used", "used_abilities"}
NUMBERS = ("machine_deck", "removed", "set_aside", "image_deck")


def test_a_new_game():
    """All entries, in the form of the section on snapshots."""
    t = new_game(3, seed=4)
    assert set(t.public) == KEYS and set(t.snap) == KEYS | {"luck", "shown"}
    snap = t.snap
    assert snap["game"] == "pixel_pusher" and snap["players"] == 3 and snap["options"] == {}
    assert (snap["round"], snap["seat"], snap["phase"], snap["shown"]) == (1, 0, "draft", None)
    assert snap["luck"].isdecimal() and set(snap["seats"][0]) == SEAT_KEYS and len(snap["seats"]) == 3
    assert set(snap["bag"]) == set("RGB") and set(snap["piles"]) == set("CMYW")
    assert all(isinstance(t.public[name], int) for name in NUMBERS)
    for one in t.public["seats"]:
        assert (one["hand"], one["drafted"], one["choice"]) == (4, 0, None)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_position_is_restored_exactly(players: int):
    """In random games: the snapshot, the legal moves and every byte; in all phases."""
    phases = set()
    for seed in range(1 if JIT_DISABLED else 8):
        table, chance, number = new_game(players, seed).table, random.Random(seed), 0
        while True:
            legal, snap = table.legal_moves(), table.snapshot(omniscient=True)
            number += 1
            if number % 9 == 0 or snap["phase"] in ("pay", "store", "over"):
                phases.add(snap["phase"])
                again = restore(json.loads(json.dumps(snap)))
                assert again.snap == snap and again.table.legal_moves() == legal
                one, other = table.states.copy(), again.table.states.copy()
                for name in ("deal", "decisions"):
                    one[name] = other[name] = 0
                assert one.tobytes() == other.tobytes()
            if not legal:
                break
            liked = [move for move in legal if "collect" in move]
            table.play(chance.choice(liked if liked and chance.random() < 0.5 else legal))
    assert phases >= {"draft", "build", "over"} | (set() if JIT_DISABLED else {"pay", "convert", "store", "score"})


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


def put(*path: Any) -> Callable[[dict[str, Any]], None]:
    """Set an entry of the snapshot, given by its keys and the value."""

    def spoil(data: dict[str, Any]) -> None:
        *keys, last, value = path
        for key in keys:
            data = data[key]
        data[last] = value

    return spoil


def drop(name: str) -> Callable[[dict[str, Any]], None]:
    return lambda data: data.pop(name)


def swap_removed(data: dict[str, Any]) -> None:
    data["removed"][0], data["removed"][-1] = data["removed"][-1], data["removed"][0]


def deck_to_discard(data: dict[str, Any]) -> None:
    data["discarded"] = sorted([*data["discarded"], data["machine_deck"].pop()])


def hole(data: dict[str, Any]) -> None:
    data["finished"] = [data["images"][0]["image"]]
    data["images"][0] = None


def move_pixel(frm: tuple[Any, ...], to: tuple[Any, ...], count: int = 1) -> Callable[[dict[str, Any]], None]:
    def spoil(data: dict[str, Any]) -> None:
        for path, change in ((frm, -count), (to, count)):
            part = data
            for key in path[:-1]:
                part = part[key]
            part[path[-1]] += change

    return spoil


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


def six_stored(data: dict[str, Any]) -> None:
    data["seats"][1]["pixels"]["R"] += 6
    data["bag"]["R"] -= 6


def steal_choice(data: dict[str, Any]) -> None:
    data["seats"][0]["choice"] = None


FAULTS = [
    (draft, put("game", "chess"), "unknown game 'chess'"),
    (draft, drop("options"), "'players' or 'options'"),
    (draft, put("options", {"speed": 1}), "unknown option"),
    (draft, drop("luck"), "only omniscient"),
    (draft, drop("shown"), "only omniscient"),
    (draft, drop("leaders"), "KeyError"),
    (draft, put("note", 1), "unknown here"),
    (draft, put("luck", "many"), "ValueError"),
    (draft, put("luck", "-1"), "OverflowError"),
    (draft, put("luck", 5), "reads as '5'"),
    (draft, put("players", 5), "players=5"),
    (draft, put("seat", 2), "seat is 2, must be 0 to 1"),
    (draft, put("seat", None), "seat is None"),
    (draft, put("seat", 0), "seats\\[0\\].choice does not go with"),
    (draft, put("round", 8), "round is 8"),
    (draft, put("round", True), "round is True"),
    (draft, put("round", 3), "cards in the machine deck"),
    (draft, put("phase", "sleep"), "phase has 'sleep'"),
    (draft, put("phase", "build"), "0 ability cards are turned up"),
    (draft, put("leaders", "score", 2), "leaders.score is 2"),
    (draft, steal_choice, "choice does not go"),
    (draft, put("seats", 0, "choice", 3), "choice is 3, must be 0 to 2"),
    (draft, put("seats", 0, "hand", [1, 2, 40]), "must be"),
    (draft, put("seats", 0, "hand", [9, "rainbow"]), "hand has 'rainbow'"),
    (draft, put("seats", 0, "hand", [1, 2, 3, 4, 5]), "5 cards in seats\\[0\\].hand, at most 4"),
    (draft, two_abilities_in_a_stack, "must have one ability card"),
    (draft, put("seats", 0, "abilities", ["prism"]), "none is turned up"),
    (draft, put("seats", 0, "used", ["mixY"]), "more often than it has it"),
    (draft, put("seats", 0, "used", ["prism"]), "used has 'prism'"),
    (draft, put("seats", 0, "drafted", []), "must have 4 cards in Draft|must be 4"),
    (draft, put("seats", []), "0 seats"),
    (draft, put("seats", 0, "points", -1), "points is -1"),
    (draft, put("seats", 0, "points", 1.0), "points is 1.0"),
    (draft, six_stored, "at most 5 can be stored"),
    (draft, swap_removed, "removed is not in order"),
    (draft, deck_to_discard, "27 cards in the machine deck"),
    (draft, put("discarded", 0, 42), "discarded is 42"),
    (draft, put("machine_deck", 0, "prism"), "machine_deck is 'prism'"),
    (draft, put("conveyor", 0, "R", 1), "21 pixels of color R, must be 20"),
    (draft, put("bag", "R", -1), "bag.R is -1"),
    (draft, put("piles", "W", 9), "9 pixels of color W"),
    (draft, put("conveyor", []), "IndexError"),
    (draft, hole, "images\\[0\\] is null"),
    (draft, put("images", 0, "image", 21), "image is 21"),
    (draft, put("images", 0, "image", 2), "image 1 is there 0 times|there 2 times"),
    (draft, put("finished", [20]), "image 20 is there 2 times"),
    (build, put("images", 0, "filled", [True] * 5), "finished in phase|pixels of color"),
    (build, put("images", 0, "filled", [True]), "not of the documented form"),
    (build, put("seats", 1, "drafted", [37, 9]), "not in order"),
    (build, put("seats", 1, "hand", [9]), "must be"),
    (build, put("seat", 0), "no card to play"),
    (build, put("phase", "pay"), "no random end"),
    (build, put("phase", "score"), "machine cards left"),
    (build, put("seats", 0, "slots", 0, "type", "G"), "which card 4 is not"),
    (build, put("seats", 0, "slots", 0, "type", None), "4 must be|must be"),
    (build, put("seats", 0, "slots", 2, "type", "G"), "reads as None"),
    (build, put("seats", 0, "slots", 1, "cards", [12, 6]), "reads as"),
    (build, many_cards, "more than 27 cards"),
    (build, early_cards, "can have drafted 8 by then"),
    (build, put("seats", 0, "used", ["white"]), "in phase 'build'"),
    (build, put("seats", 0, "abilities", []), "1 ability cards are turned up"),
    (build, put("seats", 0, "abilities", ["first_build"] * 2), "must be 2 different"),
    (build, put("seats", 0, "abilities", ["first_build", "prism", "first_score"]), "must be 2"),
    (build, put("shown", {}), "does not go with shown"),
    (pay, put("phase", "build"), "no card to play"),
    (pay, put("seats", 0, "slots", 0, "type", "convert"), "no random end"),
    (convert, put("shown", None), "pixels shown of color R"),
    (convert, put("shown", "seats", []), "0 seats in shown"),
    (convert, put("shown", "seats", 1, "pixels", "R", 2), "shown of color R"),
    (convert, put("shown", "seats", 1, "points", 1), "converted before its turn"),
    (convert, put("seats", 1, "used", ["mixY"]), "converted before its turn"),
    (convert, put("seats", 0, "used", ["mixY", "mixY"]), "more often"),
    (convert, put("seats", 0, "used_abilities", ["prism"]), "more often"),
    (convert, put("seats", 0, "used", ["mixM", "mixY"]), "used\\[0\\] is 'mixM'"),
    (convert, put("phase", "store"), "no pixel too many"),
    (store, put("seat", 1), "at most 5 can be stored|no pixel too many"),
    (score, six_stored, "at most 5 can be stored"),
    (score, put("phase", "over"), "seat is 0|machine deck is not empty"),
    (over, put("seat", 0), "seat is 0, but reads as None"),
    (over, put("round", 6), "cards in the machine deck"),
]


@pytest.mark.parametrize(
    ("make", "spoil", "reason"),
    [pytest.param(*fault, id=f"{number}-{fault[0].__name__}") for number, fault in enumerate(FAULTS)],
)
def test_data_that_is_no_position_is_refused(make, spoil, reason):
    """In one line that says where and why."""
    data = make()
    restore(data)
    spoil(data)
    with pytest.raises((bdgame_env.BadSnapshot, bdgame_env.BadOption), match=reason) as refused:
        restore(data)
    assert "\n" not in str(refused.value)


def test_a_snapshot_of_another_game_is_refused():
    """Where the game is known already."""
    with pytest.raises(bdgame_env.BadSnapshot, match="game is 'chess', must be 'pixel_pusher'"):
        bdgame_env.Table.from_snapshot(GAME, {"game": "chess"})


def test_a_public_snapshot_is_not_restored():
    """The decks are not in it."""
    with pytest.raises(bdgame_env.BadSnapshot, match="omniscient"):
        restore(new_game().public)


def test_a_position_with_one_legal_action_is_not_played_on_by_restoring_it():
    """The first move does."""
    t = position("score", pixels={0: "W", 1: "BB"}, images={0: 7})
    assert t.legal == {"pass"} and t.play("pass").seat == 1
