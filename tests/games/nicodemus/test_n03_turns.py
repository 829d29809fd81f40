"""Turns, playing a machine, refilling the hand (N3-N5)."""

from __future__ import annotations

import pytest

from bdgame_env import make_match
from bdgame_env.games.nicodemus.cards import CARDS, SYMBOLS
from tests.games.nicodemus.positions import KINDS, new_game, position, tokens
from tests.support.position import both_backends, engine_only

pytestmark = both_backends

POINTS = dict(zip(KINDS, CARDS.points.tolist(), strict=True))
SYMBOL = dict(zip(KINDS, (SYMBOLS[symbol] for symbol in CARDS.symbol), strict=True))


def test_n03_01_turns_alternate():
    """N3.1: whatever was done in them."""
    t = position(row="B2", hand="B1 B2", tokens="2 wood", other={"hand": "B3"})
    assert t.copy().play("charcoalium B1").seat == 1
    assert t.copy().play("repair 1").seat == 1
    t.play("charcoalium B1", "charcoalium B3")
    assert t.seat == 0 and t.snap["round"] == 3


def test_n03_02_nobody_may_pass_who_can_do_something():
    """N3.2: with a card in hand, or a machine to repair."""
    position(hand="B1").refuses("pass")
    t = position(row="P1", tokens="1 wood 1 copper").refuses("pass")
    assert t.legal == {"repair 1"}


def test_n03_03_n17_13_a_pass_refills_the_hand():
    """N3.3, N17.13: an empty hand and nothing to repair."""
    t = position(row="P1 Y2", tokens="5 charcoalium", top="R1 R1 B1 B2 B3 B4")
    assert t.legal == {"pass"}
    t.play("pass")
    assert t.me["hand"] == {"B1": 1, "B2": 1, "B3": 1, "R1": 2} and t.seat == 1 and t.row == "P1 Y2"
    assert not t.snap["ending"]
    t = position(row="P1", deck=4).play("pass")
    assert t.held == 4 and t.snap["ending"]


def test_n03_03_a_pass_is_possible_with_an_empty_row_too():
    """N3.3."""
    assert position().legal == {"pass"}


def test_n03_04_the_order_at_the_end_of_a_turn():
    """N3.4: hand, top row, and only then whether the game is over."""
    row = "B1:1 B1 B1 B1 B2:2 B2 B2 B2 B3"
    t = position(row=row, seat=1, hand="B4", deck=3).play("charcoalium B4")
    assert t.snap["phase"] == "over" and t.held == 3 and t.row == "B2 B2 B2 B3 B4"
    assert t.snap["reserve"]["charcoalium"] == 10


def test_n03_04_the_limit_of_the_workshop_comes_after_projects():
    """N3.4, N6.12: while projects are asked for, four machines are there."""
    t = position(row="P1", workshop="B1 B2 P2", tokens="1 wood 1 copper", board=[2]).play("repair 1")
    assert t.phase == "projects" and len(t.me["workshop"]) == 4
    assert t.play("done").me["workshop"] == ["P1"]


def test_n03_05_n17_15_there_is_no_undo():
    """N3.5, N17.15: an effect that was chosen goes on."""
    t = position(hand="P1 B1 B2").play("effect P1")
    assert t.legal == {"discard B1", "discard B2"}


@engine_only  # the reference has no list of actions
def test_n03_05_no_action_takes_anything_back():
    """N3.5."""
    verbs = {name.split(" ")[0] for name in make_match("nicodemus-v2").action_names}
    assert verbs == {
        *("charcoalium", "produce", "effect", "repair", "wild", "pick", "discard", "target"),
        *("exchange", "keep", "complete", "partner", "done", "pass"),
    }


def test_n04_01_the_machine_lies_in_the_row_before_its_use_is_decided():
    """N4.1: on the first empty space, without charcoalium."""
    t = position(row="B1:2 B2", hand="P1 B3 B4").play("effect P1")
    assert t.phase == "hand" and t.row == "B1:2 B2 P1" and t.me["hand"] == {"B3": 1, "B4": 1}
    assert t.snap["played"] == "P1"


@pytest.mark.parametrize("kind", KINDS)
def test_n04_02_three_ways_to_use_a_machine(kind: str):
    """N4.2: exactly one of them in a turn."""
    t = position(row="B1 P3", hand=f"{kind} B5", tokens="1 charcoalium", project_top=[3])
    for use in ("charcoalium", "produce", "effect"):
        assert f"{use} {kind}" in t.legal
    after = t.play(f"charcoalium {kind}")
    assert after.seat == 1 and after.held == 5


@pytest.mark.parametrize("kind", KINDS)
def test_n04_03_charcoalium_by_points(kind: str):
    """N4.3: and always allowed."""
    t = position(hand=kind, tokens="1 wood").play(f"charcoalium {kind}")
    assert t.tokens == tokens(f"1 wood {POINTS[kind]} charcoalium")
    t = position(row="B1:12", hand=kind).play(f"charcoalium {kind}")
    assert t.tokens == tokens() and t.row == f"B1:12 {kind}"


@pytest.mark.parametrize("kind", KINDS)
def test_n04_04_produce(kind: str):
    """N4.4: one of the symbol; of a wild one a resource of choice, even one of which none is left."""
    t = position(hand=kind, other={"tokens": "8 crystal"}).play(f"produce {kind}")
    if SYMBOL[kind] == "wild":
        assert t.phase == "pick" and t.legal == {"pick wood", "pick copper", "pick crystal"}
        assert t.snap["effect"] is None and t.snap["left"] == 1
        t.play("pick copper")
        assert t.tokens == tokens("1 copper")
    else:
        assert t.tokens == tokens(f"1 {SYMBOL[kind]}")
    assert t.seat == 1


def test_n04_05_an_effect_is_applied_as_far_as_possible():
    """N4.5: only 1 wood is left for three machines with the symbol."""
    t = position(row="B1 P4", hand="B1", tokens="7 wood").play("effect B1")
    assert t.tokens == tokens("8 wood")


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind[0] in "BR"])
def test_n04_06_blue_and_red_effects_are_always_allowed(kind: str):
    """N4.6: with nothing to gain or take, too."""
    t = position(hand=kind).play(f"effect {kind}")
    if kind == "B5":
        t.play("pick wood")
    assert t.seat == 1


def test_n04_06_p1_needs_another_machine_in_hand():
    """N4.6."""
    position(hand="P1").refuses("effect P1")
    assert "effect P1" in position(hand="P1 P1").legal


@pytest.mark.parametrize("kind", ["P2", "P3", "P5"])
def test_n04_06_previous_machines_are_needed(kind: str):
    """N4.6."""
    position(hand=kind).refuses(f"effect {kind}")
    assert f"effect {kind}" in position(row="B1", hand=kind).legal


def test_n04_06_n17_07_n17_08_p4_needs_a_possible_exchange():
    """N4.6, N10.4.3, N17.7, N17.8: a token to give, and one to gain."""
    position(hand="P4").refuses("effect P4")
    assert "effect P4" in position(hand="P4", tokens="1 charcoalium").legal
    assert "effect P4" in position(hand="P4", tokens="1 wood").legal
    position(row="B1:12", hand="P4", tokens="1 wood").refuses("effect P4")
    t = position(row="B1:11", hand="P4", tokens="1 wood", other={"tokens": "1 charcoalium"})
    assert "effect P4" in t.legal


def test_n04_06_n17_09_y1_needs_a_tile():
    """N4.6, N17.9."""
    assert "effect Y1" in position(hand="Y1", project_deck=1).legal
    position(hand="Y1", project_deck=0).refuses("effect Y1")


def test_n04_06_y2_needs_a_machine_to_copy():
    """N4.6: none in the row, or only others whose effect cannot be applied."""
    position(hand="Y2").refuses("effect Y2")
    position(row="Y2 P4 P1 Y1", hand="Y2", project_deck=0).refuses("effect Y2")
    for row in ("B1", "R4", "P2", "P5"):
        assert "effect Y2" in position(row=row, hand="Y2").legal


def test_n05_01_a_play_refills_to_five():
    """N5.1: one card as a rule, none after a steal, more for a thinned hand."""
    t = position(hand="B1 B1 B2 B2 B3", top="Y1 Y2").play("charcoalium B3")
    assert t.held == 5 and t.me["hand"]["Y1"] == 1 and t.snap["deck"][0] == "Y2"
    t = position(hand="R1 B1 B1 B2 B2", top="Y1", other={"hand": "B3"}).play("effect R1")
    assert t.held == 5 and t.snap["deck"][0] == "Y1"
    t = position(hand="B1 B2").play("charcoalium B1")
    assert t.held == 5 and len(t.snap["deck"]) == 41


def test_n05_02_n17_01_too_few_cards_trigger_the_end():
    """N5.2, N17.1: exactly enough do not, nor does an empty deck from which nothing is needed."""
    t = position(hand="B1 B1 B2 B2 B3", deck=1).play("charcoalium B3")
    assert t.held == 5 and t.snap["deck"] == [] and not t.snap["ending"]
    t = position(hand="B1 B1 B2 B2", deck=1).play("charcoalium B2")
    assert t.held == 4 and t.snap["deck"] == [] and t.snap["ending"]
    t = position(hand="R1 B1 B1 B2 B2", deck=0, other={"hand": "B3"}).play("effect R1")
    assert t.held == 5 and not t.snap["ending"]


def test_n05_03_a_repair_draws_nothing():
    """N5.3."""
    t = position(row="P1", hand="B1", tokens="1 wood 1 copper").play("repair 1")
    assert t.held == 1 and len(t.snap["deck"]) == 45


def test_n05_04_machines_that_left_do_not_come_back():
    """N5.4: not into an empty deck either."""
    t = position(hand="B1 B2", deck=0).play("charcoalium B1")
    assert t.held == 1 and sum(t.snap["removed"].values()) == 54 and t.snap["deck"] == []
    assert new_game().snap["removed"] == {}
