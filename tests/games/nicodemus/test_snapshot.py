"""Positions as JSON: what a snapshot holds, round trips, refusals of data that is no position."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.games.nicodemus.positions import new_game, position, restore
from tests.support.faults import Spoil, both, check_refused, numbered, put
from tests.support.position import both_backends, engine_only

pytestmark = both_backends


def test_a_new_game():
    """All entries, in the form of the section on snapshots."""
    snap = new_game(seed=4, max_rounds=7).snap
    assert set(snap) == {
        *("game", "players", "options", "round", "seat", "phase", "ending", "truncated", "rng", "reserve"),
        *("bric_a_brac", "deck", "projects", "project_deck", "removed", "played", "effect", "discarded", "left"),
        *("previous", "repair", "offer", "project", "latest", "partners", "used", "seats"),
    }
    assert (
        snap["game"] == "nicodemus"
        and snap["players"] == 2
        and snap["options"] == {"max_rounds": 7, "end_by_deck": "lack"}
    )
    assert (snap["round"], snap["seat"], snap["phase"], snap["ending"]) == (1, 0, "turn", False)
    assert snap["rng"].isdecimal() and snap["left"] == 0
    assert all(snap[name] is None for name in ("played", "effect", "discarded", "previous", "repair", "project"))
    assert snap["offer"] == snap["partners"] == snap["used"] == []
    names = {"points", "tokens", "hand", "workshop", "reserved", "completed", "rejected", "lost", "known", "doubtful"}
    names.add("last")
    assert len(snap["seats"]) == 2 and set(snap["seats"][0]) == names


def turn() -> dict[str, Any]:
    other = {"workshop": "P1", "hand": "Y2", "tokens": "1 wood"}
    return position(row="B1:1 P2", hand="B2 B3", workshop="R1 B4", tokens="2 charcoalium", board=[3], other=other).snap


def wild() -> dict[str, Any]:
    t = position(row="B5 B2", workshop="P1 B5", tokens="3 wood 1 copper 2 charcoalium")
    return t.play("repair 1").snap  # the first reduction has to be wood


def pick() -> dict[str, Any]:
    return position(row="B1 P5", hand="P5").play("effect P5", "pick wood").snap


def pick_copied() -> dict[str, Any]:
    return position(row="B1 P5", hand="Y2 B2").play("effect Y2", "target 2").snap


def pick_discarded() -> dict[str, Any]:
    return position(hand="P1 P5 B1").play("effect P1", "discard P5").snap


def produce() -> dict[str, Any]:
    return position(row="B1", hand="P1 B2").play("produce P1").snap


def hand() -> dict[str, Any]:
    return position(hand="P1 B1 B2 B3").play("effect P1").snap


def target() -> dict[str, Any]:
    return position(row="B1 B2 R1 R1", hand="P2").play("effect P2").snap


def exchange() -> dict[str, Any]:
    return position(hand="P4", tokens="2 charcoalium").play("effect P4", "exchange charcoalium-wood").snap


def keep() -> dict[str, Any]:
    return position(hand="Y1", project_top=[7, 4]).play("effect Y1").snap


def projects() -> dict[str, Any]:
    t = position(row="B1", workshop="B1 B1", tokens="1 copper 1 crystal", board=[5, 6, 1])
    return t.play("repair 1", "complete 5", "partner 2").snap


def partner() -> dict[str, Any]:
    t = position(row="P4", workshop="P2 P3 P3", tokens="2 wood 1 crystal", board=[16])
    return t.play("repair 1", "complete 16").snap


def over() -> dict[str, Any]:
    return position(seat=1, hand="B1", other={"points": 20}, ending=True).play("charcoalium B1").snap


def cut_off() -> dict[str, Any]:
    return position(seat=1, hand="B1", round=2, max_rounds=2).play("charcoalium B1").snap


@pytest.mark.parametrize(
    ("make", "phase"),
    [
        *((turn, "turn"), (wild, "wild"), (hand, "hand"), (target, "target"), (exchange, "exchange"), (keep, "keep")),
        *((each, "pick") for each in (pick, pick_copied, pick_discarded, produce)),
        *((projects, "projects"), (partner, "partner"), (over, "over"), (cut_off, "over")),
    ],
)
def test_a_position_of_each_phase_is_restored(make, phase):
    """With the same snapshots and legal moves."""
    snap = make()
    t = restore(snap)
    assert t.snap == snap and t.phase == phase
    again = restore(json.loads(json.dumps(snap)))
    assert again.legal == t.legal and (again.seat, again.over) == (t.seat, t.over)
    assert [again.told(seat) for seat in (0, 1)] == [t.told(seat) for seat in (0, 1)] and again.public == t.public


def move_to(where: str, number: int) -> Spoil:
    """Take machines from the top of the deck into a workshop or the row."""

    def spoil(data: dict[str, Any]) -> None:
        for _ in range(number):
            kind = data["deck"].pop(0)
            if where == "row":
                data["bric_a_brac"].append({"kind": kind, "charcoalium": 0})
            elif where == "hand":
                data["seats"][0]["hand"][kind] = data["seats"][0]["hand"].get(kind, 0) + 1
            else:
                data["seats"][1]["workshop"].append(kind)

    return spoil


def lengthen(data: dict[str, Any]) -> None:
    kind, number = data["removed"].popitem()
    data["deck"] += [kind] * number


def more_tiles(data: dict[str, Any]) -> None:
    data["project_deck"] += data["seats"][1]["completed"]
    data["seats"][1]["completed"] = []


def known() -> dict[str, Any]:
    """B1 and B2 are known to seat 0, P1 is doubtful."""
    other = {"hand": "B1 B2 B3", "lost": "P1"}
    return position(row="B4", hand="B4", known="B1 B2", doubtful="P1", other=other).snap


def pick_of_known() -> dict[str, Any]:
    """Seat 1 knows B1 and P5, of which P1 may have discarded one."""
    return position(hand="P1 P5 B1", other={"known": "B1 P5"}).play("effect P1", "discard P5").snap


def last_card() -> dict[str, Any]:
    return position(deck=2, end_by_deck="last_card").snap


def drawn() -> dict[str, Any]:
    return position(reserved=[3], rejected=[5], other={"reserved": [4]}).snap


FAULTS = [
    (turn, put("players", 3), "players=3 is not allowed"),
    (turn, put("phase", "end"), "phase is 'end'"),
    (turn, put("reserve", "wood", 8), "9 tokens of wood, must be 8"),
    (turn, put("bric_a_brac", 0, "charcoalium", 2), "13 tokens of charcoalium, must be 12"),
    (turn, put("bric_a_brac", 0, "kind", "B2"), "3 machines of kind B1, must be 4"),
    (turn, move_to("row", 8), "10 machines on the bric-a-brac, at most 9"),
    (turn, move_to("hand", 4), r"machines in seats\[0\].hand, at most 5"),
    (turn, move_to("workshop", 3), "4 machines in workshop 1, at most 3"),
    (turn, lengthen, "machines in the deck, at most 45"),
    (turn, put("seats", 0, "hand", "B2", 0), "B2 is 0, must be 1 to 4"),
    (turn, put("seats", 0, "hand", {"B2": 1}), "3 machines of kind B3, must be 4"),
    (turn, put("seats", 1, "points", 20), "ending is false"),
    (turn, both(put("ending", True), put("seats", 0, "points", 20)), "has 20 points already"),
    (turn, put("truncated", True), "not by the round limit"),
    (turn, put("projects", 0, None), "0 projects of number 3, must be 1"),
    (turn, put("projects", 1, 0), "2 projects of number 0, must be 1"),
    (turn, more_tiles, "tiles in the project deck, at most 11"),
    (turn, put("played", "P2"), "does not go with played"),
    (turn, put("effect", "P2"), "effect"),
    (turn, put("discarded", "P2"), "discarded does not go"),
    (turn, put("left", 1), "does not go with left"),
    (turn, put("previous", "wood"), "does not go with left or previous"),
    (turn, put("previous", "charcoalium"), "previous is 'charcoalium'"),
    (turn, put("repair", {"space": 1, "fee": 1, "need": {"wood": 0, "copper": 1, "crystal": 1}}), "go with repair"),
    (turn, put("partners", [1]), "project or partners"),
    (turn, put("used", [1]), "does not go with used"),
    (turn, put("project", 3), "project or partners"),
    (turn, put("phase", "projects"), "nothing to ask"),
    (wild, put("phase", "turn"), "does not go with left"),
    (wild, put("repair", None), "go with repair"),
    (wild, put("repair", "fee", 0), "repair.fee is 0, must be 1"),
    (wild, put("repair", "space", 3), "does not go with repair"),
    (wild, put("repair", "space", 11), "repair.space is 11, must be 1 to 10"),
    (wild, put("left", 2), "nothing to ask"),
    (wild, put("played", "B2"), "does not go with played"),
    (pick, put("phase", "hand"), "go with effect"),
    (pick, put("effect", "P1"), "cannot be that of P5"),
    (pick, put("effect", None), "go with effect"),
    (pick, put("discarded", None), "discarded does not go"),
    (pick, put("discarded", "R4"), "not among those that left"),
    (pick, put("previous", "crystal"), "nothing to ask"),
    (pick_copied, put("effect", "B5"), "copied from no machine|discarded does not go"),
    (pick_copied, put("effect", "Y2"), "go with effect"),
    (pick_discarded, put("discarded", "B1"), "not among those that left"),
    (produce, put("played", "B1"), "does not go with played"),
    (hand, put("phase", "target"), "go with effect"),
    (hand, put("left", 1), "go with left"),
    (target, put("phase", "pick"), "discarded does not go"),
    (exchange, put("left", 0), "go with left"),
    (exchange, put("left", 4), "left is 4"),
    (keep, put("offer", [7]), "0 projects of number 4, must be 1"),
    (keep, put("phase", "turn"), "go with played|go with effect"),
    (keep, both(put("offer", []), put("project_deck", 0, 7)), "0 projects of number 0, must be 1"),
    (projects, put("used", [3, 2]), "used.* is 3, but reads as 2"),
    (projects, put("partners", [1]), "project or partners"),
    (projects, put("seats", 0, "workshop", []), "machines of kind B1, must be 4"),
    (partner, put("project", 15), "not there for the seat"),
    (partner, put("project", None), "project or partners"),
    (partner, put("partners", []), "nothing to ask"),
    (partner, put("partners", [1, 3]), "nothing to ask"),
    (over, put("ending", False), "ending is false"),
    (over, put("truncated", True), "round limit"),
    (turn, put("round", 54), "round is 54, must be 1 to 53"),
    (known, put("seats", 0, "known", "B1", 2), r"seats\[0\].known has 2 B1, of 1 in hand"),
    (known, put("seats", 0, "known", "B9", 1), r"'B9' is unknown in seats\[0\].known"),
    (known, put("seats", 0, "doubtful", "P1", 2), r"seats\[0\]: too many P1 are known: 1 in hand or lost"),
    (known, put("seats", 0, "known", None), r"seats\[0\].known is None, must be a mapping"),
    (pick_of_known, put("seats", 1, "known", "P5", 2), "known has 2 P5, of 1 in hand"),
    (turn, put("latest", 3), "used or latest"),
    (turn, put("options", "end_by_deck", "never"), "end_by_deck='never' is not allowed"),
    (turn, put("seats", 1, "last", "use", "sleep"), "last.use is 'sleep'"),
    (hand, move_to("hand", 2), r"5 machines in seats\[0\].hand, at most 4"),
    (pick_discarded, move_to("hand", 3), r"4 machines in seats\[0\].hand, at most 3"),
    (projects, put("latest", 6), "nothing to ask"),
    (drawn, put("project_deck", 0, 5), "projects of number"),
    (drawn, lambda data: data["seats"][1]["completed"].reverse(), r"seats\[1\].completed\[0\] is .*, but reads as"),
    (keep, lambda data: data["offer"].reverse(), r"offer\[0\] is 7, but reads as 4"),
]


@engine_only  # the reference trusts its snapshots
@numbered(FAULTS)
def test_data_that_is_no_position_is_refused(make, spoil, reason):
    """In one line that says where and why."""
    check_refused(restore, make, spoil, reason)
