"""The bric-a-brac and the limited supply (N13, N14)."""

from __future__ import annotations

import pytest

from tests.games.nicodemus.positions import position, tokens
from tests.support.position import both_backends

pytestmark = both_backends


def test_n13_01_spaces_are_filled_in_order():
    """N13.1: one machine on each."""
    t = position(row="B1 B2 B3 B4", hand="P1 P2", other={"hand": "P3"})
    t.play("charcoalium P1", "charcoalium P3", "charcoalium P2")
    assert t.row == "B1 B2 B3 B4 P1 P3 P2"


def test_n13_02_charcoalium_on_machines_is_nobodys():
    """N13.2: it cannot be gained, stolen, or counted in a workshop."""
    t = position(row="B2:12", hand="R1").play("effect R1")
    assert t.tokens == tokens() and t.row == "B2:12 R1"
    position(row="P1:9 B1", tokens="1 wood 1 copper").refuses("repair 1")


def test_n13_03_those_after_it_move_up():
    """N13.3: across the rows, with their charcoalium."""
    t = position(row="B1 B1 B1 B1 P1 B2:1 B2 B2:2", tokens="1 wood 1 copper 3 charcoalium").play("repair 5")
    assert t.row == "B1 B1 B1 B1 B2:2 B2:1 B2:3"
    t = position(row="B1 P1:2 P2:1 B4", hand="P2").play("effect P2", "target 2", "pick wood")
    assert t.row == "B1 P2:1 B4 P2"


def test_n13_04_a_full_row_is_cleared():
    """N13.4: at the end of the turn, whatever it was played for; no sooner."""
    row = "B1:1 B1 P1 P1:2 B2 B3:3 B3 B4 B4:1"
    t = position(row=row, hand="P2").play("charcoalium P2")
    assert t.row == "B3:3 B3 B4 B4:1 P2" and t.snap["reserve"]["charcoalium"] == 12 - 4 - 1
    assert t.gone == {"B1": 2, "B2": 1, "P1": 2}
    t = position(row=row, hand="P1 B5 B5 Y1").play("effect P1")
    assert t.phase == "hand" and len(t.snap["bric_a_brac"]) == 10


def test_n13_05_nine_at_most_or_none():
    """N13.5."""
    t = position(row="P1", tokens="1 wood 1 copper", other={"hand": "B1"}).play("repair 1")
    assert t.row == "" and t.family("repair") == set()
    assert t.play("charcoalium B1").row == "B1"


@pytest.mark.parametrize(("reserve", "other", "gained"), [(5, 2, 3), (1, 1, 2), (0, 5, 3), (2, 3, 3), (0, 0, 0)])
def test_n14_01_reserve_then_opponent(reserve: int, other: int, gained: int):
    """N14.1: what both lack is lost."""
    on_machines = 12 - reserve - other
    t = position(row=f"B1:{on_machines}", hand="Y1", other={"tokens": f"{other} charcoalium"}).play("charcoalium Y1")
    assert t.tokens["charcoalium"] == gained
    assert t.snap["reserve"]["charcoalium"] == max(0, reserve - 3)
    assert t.other["tokens"]["charcoalium"] == other - max(0, min(other, 3 - reserve))


@pytest.mark.parametrize(
    ("row", "moves"),
    [
        ("", ["produce B1"]),
        ("", ["produce P1", "pick wood"]),
        ("", ["effect B1"]),
        ("P1", ["effect B5", "pick wood"]),
        ("B2", ["effect P2"]),
        ("B2", ["effect P5"]),
        ("", ["effect P1", "discard P2", "pick wood", "pick wood"]),
        ("", ["effect P4", "exchange charcoalium-wood", "done"]),
    ],
)
def test_n14_02_every_gain_may_take_from_the_opponent(row: str, moves: list[str]):
    """N14.2: here all wood is the opponent's."""
    kind = moves[0].split(" ")[1]
    hand = f"{kind} P2" if moves[0] == "effect P1" else kind
    t = position(row=row, hand=hand, tokens="1 charcoalium", other={"tokens": "8 wood"}).play(*moves)
    assert t.seat == 1 and t.tokens["wood"] > 0 and t.tokens["wood"] + t.other["tokens"]["wood"] == 8


def test_n14_02_steals_are_no_gains():
    """N14.2: they take from the opponent though the reserve is full; what lies on a machine is just taken."""
    t = position(hand="R1", other={"tokens": "1 charcoalium"}).play("effect R1")
    assert t.other["tokens"] == tokens() and t.snap["reserve"]["charcoalium"] == 11
    t = position(row="P1:3", tokens="1 wood 1 copper").play("repair 1")
    assert t.tokens == tokens("3 charcoalium") and t.snap["reserve"]["charcoalium"] == 9


def test_n14_03_a_choice_may_bring_nothing():
    """N14.3: resources of a discarded machine too."""
    t = position(row="P4", hand="P2", tokens="8 wood").play("effect P2")
    assert t.legal == {"pick wood", "pick crystal"}
    assert t.play("pick wood").tokens == tokens("8 wood")
