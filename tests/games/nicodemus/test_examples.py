"""The worked examples of the rules (N25)."""

from __future__ import annotations

from tests.games.nicodemus.positions import position, tokens
from tests.support.position import both_backends

pytestmark = both_backends


def test_n25_01_repair():
    """N25.1."""
    t = position(row="P4 R2:1 B2 Y1 P2", workshop="B1 P5 P1", tokens="2 charcoalium 1 copper 1 crystal")
    t.play("repair 2")
    assert t.legal == {"wild copper", "wild crystal"}
    assert t.snap["repair"] == {"space": 2, "fee": 2, "need": {"wood": 0, "copper": 1, "crystal": 1}}
    before = t.snap["reserve"]
    assert t.row == "P4 R2:1 B2 Y1 P2" and t.me["workshop"] == ["B1", "P5", "P1"]  # nothing is paid or moved yet
    t.play("wild copper")
    assert t.tokens == tokens("1 charcoalium 1 copper") and t.me["points"] == 2
    assert t.snap["reserve"] == {**before, "crystal": before["crystal"] + 1}
    assert t.row == "P4 B2:1 Y1:1 P2" and t.me["workshop"] == ["R2"]


def test_n25_02_shortage():
    """N25.2."""
    t = position(row="B1:10", hand="Y1", other={"tokens": "1 charcoalium"}).play("charcoalium Y1")
    assert t.tokens["charcoalium"] == 2 and t.other["tokens"]["charcoalium"] == 0


def test_n25_03_copy():
    """N25.3."""
    t = position(row="B2 P2", hand="Y2").play("effect Y2")
    assert t.legal == {"target 1", "target 2"}
    assert t.copy().play("target 1").tokens == tokens("2 charcoalium")
    t.play("target 2")
    assert t.phase == "target" and t.snap["effect"] == "P2" and t.legal == {"target 1", "target 2"}
    for space, left in (("1", "P2 Y2"), ("2", "B2 Y2")):
        after = t.copy().play(f"target {space}")
        assert after.tokens == tokens("1 wood") and after.row == left and after.seat == 1


def test_n25_04_projects():
    """N25.4."""
    t = position(row="R1", workshop="P2 B4 B1", tokens="8 wood 8 crystal", board=[15, 6, 1]).play("repair 1")
    assert t.family("complete") == {"15", "6"} and t.me["points"] == 1
    assert t.copy().play("complete 15").legal == {"partner 1", "partner 2"}
    assert t.copy().play("complete 6").legal == {"partner 1", "partner 3"}
    t.play("complete 6", "partner 1", "complete 15", "partner 1")
    assert t.me["points"] == 7 and t.me["workshop"] == ["B4", "B1"] and t.gone == {"P2": 1, "R1": 1}


def test_n25_05_full_board():
    """N25.5."""
    t = position(row="B1:1 B1 B1 B1:1 B2 B3 B3 B3 B4", hand="P5", workshop="")
    after = t.copy().play("charcoalium P5")
    assert after.row == "B3 B3 B3 B4 P5" and after.snap["reserve"]["charcoalium"] == 12 - 3
    t.play("effect P5", "pick copper")
    assert t.row == "B1:1 B1 B1 B1:1 B2 B3 B3 B3 P5" and t.gone == {"B4": 1}


def test_n25_06_deck():
    """N25.6."""
    hand = "B1 B1 B2 B2 B3"
    t = position(hand=hand, deck=1, other={"hand": "B4 B4 B4 P4"}).play("charcoalium B3")
    assert t.held == 5 and not t.snap["ending"]
    assert t.play("charcoalium P4").snap["ending"]


def test_n25_07_thinned_hand():
    """N25.7."""
    t = position(
        seat=1, hand="R3", row="P1", other={"hand": "B1 B2 B3 B4 B5", "tokens": "4 charcoalium 1 wood 1 copper"}
    )
    t.play("effect R3")
    assert sum(t.other["hand"].values()) == 2 and t.other["tokens"]["charcoalium"] == 2
    after = t.copy().play("repair 1")
    assert sum(after.other["hand"].values()) == 2
    deck = len(t.snap["deck"])
    t.play(next(move for move in sorted(t.legal) if move.startswith("charcoalium")))
    assert sum(t.other["hand"].values()) == 5 and len(t.snap["deck"]) == deck - 4


def test_n25_08_tie():
    """N25.8."""
    for one, other, places in (
        ("3 charcoalium", "2 charcoalium 5 wood", [1, 2]),
        ("3 charcoalium", "3 charcoalium 5 wood", [2, 1]),
        ("3 charcoalium 2 wood", "3 charcoalium 1 copper", [1, 2]),
    ):
        t = position(points=12, tokens=one, other={"points": 12, "tokens": other})
        assert t.ranks == places
