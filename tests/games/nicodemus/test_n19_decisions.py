"""Actions and phases (N19, N20), and what always holds (N24)."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from bdgame_env import make_match
from bdgame_env.engine.jit import JIT_DISABLED
from bdgame_env.games.nicodemus import actions
from tests.games.nicodemus.positions import assert_pieces, new_game, position, rich_position, tokens
from tests.support.position import both_backends, engine_only

pytestmark = both_backends

FIRST = {
    0: "charcoalium B1",
    15: "charcoalium Y2",
    16: "produce B1",
    32: "effect B1",
    47: "effect Y2",
    48: "repair 1",
    56: "repair 9",
    57: "wild wood",
    60: "pick wood",
    62: "pick crystal",
    63: "discard B1",
    79: "target 1",
    87: "target 9",
    88: "exchange charcoalium-wood",
    90: "exchange charcoalium-crystal",
    91: "exchange wood-charcoalium",
    94: "keep 0",
    110: "keep 16",
    111: "complete 0",
    127: "complete 16",
    128: "partner 1",
    130: "partner 3",
    131: "done",
    132: "pass",
}


@engine_only  # the reference has no list of actions
def test_n19_01_133_actions():
    """N19.1: numbers as in the table."""
    names = make_match("nicodemus-v2").action_names
    assert len(names) == actions.NUM_ACTIONS == 133 == len(set(names))
    assert {number: names[number] for number in FIRST} == FIRST
    assert actions.ACTIONS.rule_of("wild wood") == "N6.4, N21.2" and actions.ACTIONS.rule_of("?") == "N20"


def test_n19_01_nine_spaces_are_enough():
    """N19.1."""
    t = position(row="B1 B1 B1 B1 B2 B2 B2 B2 B3", hand="Y2").play("effect Y2")
    assert t.family("target") == {str(space) for space in range(1, 10)}


def test_n19_02_copies_in_hand_are_one_action():
    """N19.2."""
    t = position(hand="P1 P1")
    assert sorted(t.match.legal_moves()) == ["charcoalium P1", "effect P1", "produce P1"]
    t = position(row="B1", hand="P1 B2 B2 B2 B3").play("effect P1")
    assert t.legal == {"discard B2", "discard B3"}
    t = position(row="B1", hand="P1 B2 B2").play("effect P1")
    assert t.legal == {"discard B2"}
    t.play("discard B2")
    assert t.legal == {"pick wood"} and t.me["lost"] == {"B2": 1}


def test_n20_01_what_is_legal_in_turn():
    """N20.1: what is in the hand, what N4.6 allows, what N6.6 allows."""
    t = position(row="P1 Y1", hand="B1 P4", tokens="1 wood 1 copper 1 charcoalium")
    assert t.legal == {
        *("charcoalium B1", "charcoalium P4", "produce B1", "produce P4", "effect B1", "effect P4"),
        "repair 1",
    }
    t = position(row="P1 Y1", hand="B1 P4", tokens="1 wood 1 copper")
    assert t.family("repair") == set()


def test_n20_02_what_leaves_no_choice_is_not_asked():
    """N20.2: but turn, exchange and projects are."""
    assert position(row="P1", tokens="").legal == {"pass"}
    t = position(row="B1", hand="P2").play("effect P2")
    assert t.phase == "pick"
    t = position(row="B2", hand="P5").play("effect P5")
    assert t.seat == 1 and t.tokens == tokens("2 wood")
    t = position(hand="P4", tokens="1 wood", other={"tokens": "7 wood"}).play("effect P4")
    assert t.legal == {"exchange wood-charcoalium", "done"}
    t = position(row="B1", workshop="B1", tokens="1 copper 1 crystal", board=[5]).play("repair 1")
    assert t.legal == {"complete 5", "done"}
    t.play("complete 5")
    assert t.seat == 1 and t.me["completed"] == [5]


def test_n20_03_done_is_never_alone():
    """N20.3: projects end by themselves when none is left, exchanges after the third."""
    t = position(row="B1", workshop="R1", tokens="1 copper 1 crystal", board=[5]).play("repair 1")
    assert t.seat == 1 and t.me["workshop"] == ["R1", "B1"]
    t = position(hand="P4", tokens="1 wood").play("effect P4")
    for move in ("exchange wood-charcoalium", "exchange charcoalium-wood"):
        t.play(move)
        assert t.phase == "exchange"
    assert t.play("exchange wood-charcoalium").seat == 1


def test_n20_04_n20_05_picks_rise():
    """N20.4, N20.5: a resource is open if the picks still due can come from it on."""
    t = position(row="P5", hand="P5").play("effect P5")
    assert t.legal == {"pick wood", "pick copper", "pick crystal"}
    t.play("pick copper")
    assert t.seat == 1 and t.tokens == tokens("1 copper 1 crystal")
    t = position(row="P5", hand="P5").play("effect P5", "pick wood")
    assert t.legal == {"pick copper", "pick crystal"}
    t = position(row="R4", hand="P5").play("effect P5")
    assert t.legal == {"pick wood", "pick copper"}
    t.play("pick copper")
    assert t.tokens == tokens("2 copper")


def test_n20_05_how_many_picks():
    """N20.5: two for P1, P5 and R4, one for the others."""
    rich = {"hand": "B1", "tokens": "2 wood 2 copper 2 crystal"}
    for kind, left in (("P1", 2), ("P5", 2), ("P2", 1), ("P3", 1), ("R4", 2), ("R2", 1), ("B5", 1)):
        t = position(row="P5 P5", hand=f"{kind} R2", other=rich).play(f"effect {kind}")
        if t.phase == "target":
            t.play("target 1")
        if t.phase == "hand":
            t.play("discard R2")
        assert t.phase == "pick" and t.snap["left"] == left, kind


def test_n20_08_p1_asks_what_leaves_no_choice():
    """N20.8: a hand of one kind, and a cost that leaves no choice."""
    for hand in ("P1 B1 B1", "P1 B1 Y2"):
        t = position(hand=hand).play("effect P1")
        assert t.phase == "hand"
        t.play("discard B1")
        assert t.phase == "pick" and t.legal == {"pick copper"}
        assert t.play("pick copper").legal == {"pick crystal"}
        assert t.play("pick crystal").seat == 1 and t.tokens["copper"] == t.tokens["crystal"] == 1


def test_n20_06_partners_begin_a_set():
    """N20.6: equal machines on different positions are different partners; the newest is none."""
    t = position(row="P4", workshop="B3 P3 P2", tokens="2 wood 1 crystal", board=[16]).play("repair 1", "complete 16")
    assert t.phase == "partner" and t.legal == {"partner 1", "partner 2"}
    t.play("partner 2")
    assert t.me["completed"] == [16] and t.me["workshop"] == ["B3"]
    t = position(row="P4", workshop="P2 P2 P3", tokens="2 wood 1 crystal", board=[16]).play("repair 1", "complete 16")
    assert t.legal == {"partner 1", "partner 2"}
    t.play("partner 1")
    assert t.me["workshop"] == ["P2"]
    t = position(row="P4", workshop="P3 P2 P3", tokens="2 wood 1 crystal", board=[16]).play("repair 1", "complete 16")
    assert t.legal == {"partner 1", "partner 2"}
    t.play("partner 1")
    assert t.seat == 1 and t.me["workshop"] == ["P3"]


def test_n20_06_partners_chosen_are_shown_before_the_set_is_complete():
    """N20.6: nothing is scored meanwhile."""
    t = position(row="P4", workshop="P2 P3 P3", tokens="2 wood 1 crystal", board=[16]).play("repair 1", "complete 16")
    assert t.phase == "partner" and t.snap["partners"] == [1] and t.snap["project"] == 16  # position 1 was no question
    assert t.legal == {"partner 2", "partner 3"} and t.me["points"] == 2 and t.snap["projects"][0] == 16


ASKED = ("wild", "pick", "hand", "target", "keep", "partner")


@pytest.mark.parametrize("begin", [new_game, rich_position])
def test_n24_01_n24_02_n24_03_n24_04_n24_05_what_always_holds(begin):
    """N24.1-N24.5: in random games."""
    phases: Counter[str] = Counter()
    for seed in range(3 if JIT_DISABLED else 120):
        t = begin(seed=seed)
        chance = random.Random(seed)
        scores = [0, 0]
        while True:
            snap, moves = t.snap, sorted(t.legal)
            phases[snap["phase"]] += 1
            assert_pieces(snap)
            for seat, before in zip(snap["seats"], scores, strict=True):
                assert sum(seat["hand"].values()) <= 5 and before <= seat["points"] <= 34
            scores = [seat["points"] for seat in snap["seats"]]
            if snap["phase"] == "turn":
                assert len(snap["bric_a_brac"]) <= 9 and scores[snap["seat"]] <= 19
                assert all(len(seat["workshop"]) <= 3 for seat in snap["seats"])
            if not moves:
                assert snap["phase"] == "over"
                break
            secret = snap["phase"] == "hand" or (snap["phase"] == "pick" and snap["effect"] == "P1")  # N20.8
            assert len(moves) > (snap["phase"] != "turn" and not secret)
            good = [move for move in moves if move.startswith(("repair", "complete", "effect"))]
            t.play(chance.choice(good if good and chance.random() < 0.7 else moves))
    if not JIT_DISABLED:
        assert set(phases) >= {"turn", "over", "exchange", "projects", *ASKED}
