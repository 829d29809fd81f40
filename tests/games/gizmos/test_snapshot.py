"""Positions as JSON: what a snapshot holds, round trips, refusals of data that is no position."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.gizmos.positions import marbles, new_game, position, restore
from tests.support.faults import Spoil, check_refused, numbered, put
from tests.support.position import both_backends, engine_only

pytestmark = both_backends

OPTIONS = [{}, {"rules": "quick"}]


def test_a_new_game():
    """All entries, in the form of the section on snapshots."""
    snap = new_game(3, seed=4, max_rounds=7).snap
    assert set(snap) == {
        *("game", "players", "options", "round", "seat", "phase", "last_round", "truncated", "passes", "rng"),
        *("row", "dispenser", "display", "decks", "stacks", "removed", "known", "credits", "hand", "under", "kept"),
        *("payment", "spent", "used", "seats"),
    }
    assert snap["game"] == "gizmos" and snap["players"] == 3 and len(snap["seats"]) == 3
    assert snap["options"] == {"rules": "printed", "max_rounds": 7}
    assert (snap["round"], snap["seat"], snap["phase"], snap["passes"]) == (1, 0, "main", 0)
    assert snap["rng"].isdecimal() and snap["hand"] is snap["payment"] is None and snap["under"] == []
    assert set(snap["seats"][0]) == {"ring", "archive", "built", "tokens"}
    assert set(snap["credits"]) == {"draw", "pick", "file", "free_build", "research", "points"}


def test_a_payment_in_progress():
    """Forced amounts are among those paid; nothing has been paid yet; a card of the hand stays there."""
    t = position(built=[24], ring="1 red 1 blue", tops={1: [17, 16, 18]}).play("research 1", "build hand 0")
    wanted = {"card": 16, "source": "hand", "place": 0, "least": 1, "most": 1, "paid": [], "converters": []}
    assert t.snap["payment"] == wanted
    assert t.snap["hand"] == {"level": 1, "cards": [16, 17, 18], "known_to": []} and t.ring == marbles("1 red 1 blue")
    t = position(ring="1 blue", built=[24, 62, 91], display={0: 22}).play("build 0")
    assert t.phase == "convert" and t.snap["payment"]["paid"] == [0, 1, 0, 0] and t.snap["payment"]["place"] == 0
    t = position(ring="3 blue", built=[24, 30, 62, 91, 92], display={4: 54}).play("build 4", "convert 2blue-any")
    assert t.snap["payment"]["converters"] == ["2blue-any"]


def test_spent_and_used_cards_stand_in_the_order_of_building():
    """They are those of the seat on turn."""
    t = position(built=[24, 91, 19, 90], ring="1 blue", display={0: 16}).play("build 0")
    assert t.snap["spent"] == [19, 91] and t.snap["used"] == [24]


KEPT = {
    "file hand 0": {"as": "file", "card": 20},
    "keep none": None,
    "build hand 0": {"as": "build", "card": 20},
}


@pytest.mark.parametrize("move", KEPT)
def test_what_was_kept_is_known_while_cards_go_under(move: str):
    """`kept` says so in this phase only, and what follows from it comes after it."""
    t = position(ring="1 red", built=[16, 19], tops={1: [36, 20, 21]}).play("research 1", move)
    assert t.snap["kept"] == KEPT[move] == t.public["kept"]
    again = restore(t.snap)
    for each in (t, again):
        while each.phase == "under":
            each.play("under 0")
    assert again.snap == t.snap and t.snap["kept"] is None
    wanted = {"file hand 0": (1, 0), "keep none": (0, 0), "build hand 0": (0, 1)}[move]
    assert (t.credits["draw"], t.credits["pick"]) == wanted


def main_turn() -> dict[str, Any]:
    return position(ring="2 red", built=[24, 72], archive=[20], others={1: {"built": [44], "archive": [77]}}).snap


def chain() -> dict[str, Any]:
    return position(built=[4, 91, 24], ring="1 blue").play("file 0").snap


def hand() -> dict[str, Any]:
    return position(tops={1: [16, 17, 18]}).play("research 1").snap


def pay() -> dict[str, Any]:
    return position(ring="2 red 1 blue", built=[24, 102], display={4: 40}).play("build 4").snap


def only_card() -> dict[str, Any]:
    """The only card that was researched is being paid for."""
    data = position(built=[24], ring="1 red 1 blue", tops={1: [17, 16, 18]}).play("research 1", "build hand 0").snap
    data["decks"][0] += data["hand"]["cards"][1:]
    del data["hand"]["cards"][1:]
    return data


def convert() -> dict[str, Any]:
    return position(ring="1 blue", built=[24, 62, 91], display={0: 22}).play("build 0").snap


def under() -> dict[str, Any]:
    return position(tops={1: [16, 17, 18]}).play("research 1", "keep none").snap


def swap_level(data: dict[str, Any]) -> None:
    data["decks"][0][0], data["decks"][1][0] = data["decks"][1][0], data["decks"][0][0]


def mixed(data: dict[str, Any]) -> None:
    data["removed"][0], data["removed"][1] = data["removed"][1], data["removed"][0]


def too_many_marbles(data: dict[str, Any]) -> None:
    data["seats"][0]["ring"]["red"] += 6
    data["dispenser"]["red"] -= 6


def short_row(data: dict[str, Any]) -> None:
    data["row"]["red"] -= 1
    data["dispenser"]["red"] += 1


def sixteen(seat: int, last_round: bool) -> Spoil:
    def spoil(data: dict[str, Any]) -> None:
        data["seats"][seat]["built"] += [data["decks"][0].pop() for _ in range(16)]
        data["last_round"] = last_round

    return spoil


def named_under(data: dict[str, Any]) -> None:
    data["under"] = [data["decks"][0].pop()]


def swapped_starting_cards(data: dict[str, Any]) -> None:
    data["seats"][0]["built"][0], data["seats"][1]["built"][0] = 1, 0


def twenty(data: dict[str, Any]) -> None:
    data["seats"][0]["built"] += [data["decks"][0].pop() for _ in range(16)]
    data["last_round"] = True


def researched() -> dict[str, Any]:
    return position(rules="quick", players=3, tops={1: [16, 17, 18]}).play("research 1", "keep none", "research 1").snap


def parts() -> dict[str, Any]:
    """Seat 0 put four cards under the deck of level 3, and another took them with one that nobody knew."""
    t = position(rules="quick", tops={3: [80, 81, 84, 85]}, built=[36]).play("research 3", "keep none")
    t.match.state.seats[1].research = 11
    return t.play("research 3", "keep none").snap


def swapped(data: dict[str, Any]) -> None:
    """A known card changes places with one that the seat does not know."""
    deck = data["decks"][0]
    deck[0], deck[-1] = deck[-1], deck[0]


def swapped_in_hand(data: dict[str, Any]) -> None:
    data["known"][0][0]["labels"][:1], data["known"][0][0]["labels"][-1:] = [16], [0]


def renumbered(data: dict[str, Any]) -> None:
    known = data["known"][0][2]
    known["parts"] = [2 * part for part in known["parts"]]


FAULTS = [
    (parts, renumbered, r"known\[0\]\[2\].parts\[3\] is 2, but reads as 1"),
    (main_turn, put("dispenser", {"red": 13, "blue": 13, "black": 13, "yellow": 13}), "marbles of color"),
    (main_turn, put("known", []), "known has 0 entries, must have 2"),
    (main_turn, put("known", 0, [None]), r"known\[0\] has 1 entries, must have 3"),
    (main_turn, put("known", 0, 0, {"batches": [[4]], "labels": [], "parts": []}), "labels has 0 entries, must have"),
    (hand, put("hand", "cards", [17, 16, 18]), r"hand.cards\[0\] is 17, but reads as 16"),
    (researched, swapped, r"known\[0\]\[0\] is not true of the hidden cards"),
    (researched, swapped_in_hand, "tells the cards of a hand apart"),
    (researched, put("known", 0, 0, "batches", [[16, 17]]), "not one place for each card"),
    (researched, put("known", 0, 0, "batches", [[17, 18, 20]]), "not one place for each card"),
    (researched, put("stacks", 0, [{"cards": 40, "known_to": [0], "order_known_to": None}]), "cards is 40"),
    (researched, put("stacks", 0, 0, "known_to", []), "at least one seat"),
    (researched, put("stacks", 0, 0, "order_known_to", 0), "order_known_to is 0, but reads as None"),
    (main_turn, named_under, "does not go with under"),
    (main_turn, put("seats", 0, "built", [1, 24, 72]), "0 cards of number 0"),
    (main_turn, swapped_starting_cards, "must have one starting card"),
    (chain, twenty, "20 built cards of the seat on turn are too many"),
    (chain, put("spent", [0, 4, 4]), "spent has 3 entries, but reads as 2"),
    (main_turn, put("passes", 3), "passes is 3"),
    (main_turn, put("passes", 2), "everybody has passed"),
    (main_turn, put("row", "red", 3), "14 marbles of color red, must be 13"),
    (main_turn, too_many_marbles, "8 marbles in the ring, at most 7"),
    (main_turn, short_row, "5 marbles in the row, must be 6"),
    (main_turn, put("display", 0, 44), "0 cards of number 4, must be 1"),
    (main_turn, swap_level, "of another level"),
    (main_turn, mixed, r"removed\[0\] is 93, but reads as 92"),
    (main_turn, put("seats", 0, "built", []), "0 cards of number 0, must be 1"),
    (main_turn, put("seats", 1, "archive", [20]), "2 cards of number 20, must be 1"),
    (main_turn, put("seats", 0, "tokens", 200), "more than its cards can have given"),
    (main_turn, sixteen(1, False), "which the built cards contradict"),
    (main_turn, sixteen(1, True), "has yet to play"),
    (main_turn, sixteen(0, True), "has yet to play"),
    (main_turn, put("truncated", True), "not by the round limit"),
    (main_turn, put("under", [5]), "2 cards of number 5, must be 1"),
    (main_turn, put("kept", {"as": "file", "card": 20}), "does not go with under or kept"),
    (main_turn, put("credits", "pick", 1), "credits.pick is 1, but 0"),
    (chain, put("credits", "pick", 2), "credits.pick is 2, but 1"),
    (chain, put("credits", "points", 1), "credits.points is 1, but 0"),
    (
        chain,
        put("spent", [0, 4, 24]),
        "spent has 3 entries, but reads as 2",
    ),
    (chain, put("spent", [4, 0]), r"spent\[0\] is 4, but reads as 0"),
    (chain, put("used", [25]), r"used\[0\] is 25, must be a built card of the seat on turn"),
    (chain, put("spent", [1]), r"spent\[0\] is 1, must be a built card of the seat on turn"),
    (chain, put("phase", "hand"), "does not go with hand"),
    (hand, put("phase", "chain"), "does not go with hand"),
    (hand, put("hand", "level", 2), "of another level"),
    (hand, put("hand", None), "0 cards of number 16, must be 1"),
    (researched, put("phase", "under"), "nothing to put in order"),
    (only_card, put("hand", "known_to", [1]), "of no hidden card"),
    (pay, put("phase", "chain"), "does not go with payment"),
    (pay, put("payment", None), "does not go with payment"),
    (pay, put("payment", "card", 41), "not at place 4 of display"),
    (pay, put("payment", "place", 14), "not at place 14"),
    (pay, put("payment", "least", 2), "payment is from 2 to 2, must be 1 to 2"),
    (pay, put("payment", "paid", [3]), "more marbles are paid"),
    (pay, put("payment", "paid", [0, 1]), "nothing to ask"),
    (pay, put("payment", "paid", [0, 1, 0, 0]), "4 amounts are paid in phase 'pay'"),
    (pay, put("payment", "converters", ["blue-any"]), "before all amounts"),
    (
        pay,
        put("payment", "converters", ["blue-pink"]),
        r"payment.converters\[0\] is 'blue-pink', must be one of red",
    ),
    (convert, put("payment", "paid", [0, 1]), "2 amounts are paid in phase 'convert'"),
    (convert, put("payment", "converters", ["blue-any"]), "nothing to ask"),
    (convert, put("payment", "converters", ["any-any"] * 4), "more converters are named than there are"),
    (under, put("kept", {"as": "build", "card": 16}), "kept is no card there"),
    (under, put("kept", {"as": "lost", "card": 16}), "kept.as is"),
    (under, put("kept", "nothing to say"), "kept"),
]


@engine_only  # the reference trusts its snapshots
@numbered(FAULTS)
def test_data_that_is_no_position_is_refused(make, spoil, reason):
    """In one line that says where and why."""
    check_refused(restore, make, spoil, reason)
