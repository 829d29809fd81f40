"""Chapter 8: trading cards, an optional rule (B50, B50a)."""

from __future__ import annotations

from typing import Any

from tests.games.bdgame.positions import Position, position
from tests.support.position import both_backends

pytestmark = both_backends


def trading(hand: list[str], *others: list[str], **rest: Any) -> Position:
    """Seat 0 moves; the hands of the other seats follow."""
    seats = {seat: {"hand": cards} for seat, cards in enumerate(others, start=1)}
    return position(players=len(others) + 1, hand=hand, others=seats, trading=True, **rest)


def hands(t: Position) -> list[dict[str, int]]:
    return [seat["hand"] for seat in t.snap["seats"]]


def test_b50_trading_is_off_by_default():
    """B50: without the option nothing is offered."""
    position(hand=["straight"], others={1: {"hand": ["pause"]}}).refuses("offer straight")


def test_b50_two_cards_change_hands():
    """B50: the opponent agrees: one card each way; it counts as an offer and spends no action."""
    t = trading(["straight", "straight"], ["pause", "joiner"])
    t.play("offer straight", "seat 1", "want joiner", "agree")
    assert hands(t) == [{"straight": 1, "joiner": 1}, {"pause": 1, "straight": 1}]
    assert (t.phase, t.seat, t.snap["actions_left"], t.snap["offer"]) == ("act", 0, 3, None)
    assert t.snap["offers"] == 1


def test_b50_a_refused_offer_changes_nothing_but_the_count():
    """B50: hands stay as they were; the offer counts."""
    t = trading(["straight"], ["pause"])
    before = hands(t)
    t.play("offer straight", "seat 1", "want pause", "refuse")
    assert hands(t) == before and t.snap["offers"] == 1 and t.snap["actions_left"] == 3


def test_b50_three_offers_a_turn():
    """B50: agreed or refused, after the third there is no other."""
    t = trading(["straight"], ["pause"])
    for count in (1, 2, 3):
        t.play("offer straight", "seat 1", "want pause", "refuse")
        assert t.snap["offers"] == count
    t.refuses("offer straight")


def test_b50_beginning_an_offer_uses_one_up():
    """B50: choosing the card makes it an offer, and it cannot be taken back."""
    t = trading(["straight"], ["pause"]).play("offer straight")
    assert t.snap["offers"] == 1
    t.refuses("end", "offer straight", "collect")


def test_b50_the_next_turn_has_three_offers_again():
    """B50: the count starts at zero in each turn."""
    t = trading(["straight"], ["pause"], offers=3)
    t.refuses("offer straight")
    t.play("end")
    assert t.seat == 1 and t.snap["offers"] == 0
    assert t.family("offer") == {"pause"}


def test_b50_no_offer_without_an_action_left():
    """B50: the third action ends the phase, so that no offer follows it."""
    t = trading(["straight"], ["pause"], actions_left=1)
    assert t.family("offer") == {"straight"}
    assert t.play("collect").seat == 1


def test_b50_no_offer_while_an_action_is_open():
    """B50: within a Load nothing is offered, after it again."""
    t = trading(["straight"], ["pause"], storage="2Y").play("load Y@0")
    t.refuses("offer straight")
    assert t.play("end").family("offer") == {"straight"}


def test_b50_no_offer_while_devices_are_activated():
    """B50: offers belong to the action phase."""
    t = trading(["straight"], ["pause"], workshop=[("hopper", 0, 2, "1Y"), ("packer", 1, 2)])
    t.play("end").refuses("offer straight")


def test_b50_a_traded_card_can_be_built_at_once():
    """B50: the card that came in is in hand like any other."""
    t = trading(["pause"], ["straight"], workshop=[("hopper", 0, 2)])
    t.play("offer pause", "seat 1", "want straight", "agree", "select straight", "place 1,2")
    assert t.card(1, 2)["kind"] == "straight"


def test_b50a_one_decision_after_another():
    """B50a: card, seat, wish; then the other seat decides; then the first one goes on."""
    t = trading(["straight", "c_2R_1B"], ["pause", "joiner"], ["bend_up"])
    assert t.family("offer") == {"straight", "c_2R_1B"}
    t.play("offer c_2R_1B")
    assert (t.phase, t.seat) == ("offer", 0) and t.legal == {"seat 1", "seat 2"}
    assert t.snap["offer"] == {"from": 0, "card": "c_2R_1B", "to": None, "want": None}
    t.play("seat 1")
    assert (t.phase, t.seat) == ("offer", 0) and t.legal == {"want pause", "want joiner"}
    assert t.snap["offer"] == {"from": 0, "card": "c_2R_1B", "to": 1, "want": None}
    t.play("want pause")
    assert (t.phase, t.seat) == ("respond", 1) and t.legal == {"agree", "refuse"}
    assert t.snap["offer"] == {"from": 0, "card": "c_2R_1B", "to": 1, "want": "pause"}
    t.refuses("end", "collect", "want joiner")
    t.play("refuse")
    assert (t.phase, t.seat) == ("act", 0)


def test_b50a_the_other_card_is_of_another_kind():
    """B50a: the kind offered is not to be had in return."""
    t = trading(["straight"], ["straight", "pause"]).play("offer straight", "seat 1")
    assert t.legal == {"want pause"}


def test_b50a_an_opponent_with_the_same_kind_only_is_not_asked():
    """B50a: seat 1 holds straight cards only, seat 2 another kind, seat 3 nothing."""
    t = trading(["straight"], ["straight"], ["pause"], []).play("offer straight")
    assert t.legal == {"seat 2"}
    t.refuses("seat 0", "seat 1", "seat 3")


def test_b50a_without_another_kind_in_an_opponents_hand_there_is_no_offer():
    """B50a: a card cannot be offered for its own kind, other cards can."""
    t = trading(["straight", "pause"], ["straight", "straight"])
    assert t.family("offer") == {"pause"}
    t.refuses("offer straight")


def test_b50a_only_cards_in_hand_are_offered():
    """B50a: cards in play and kinds not in hand are not."""
    t = trading([], ["pause"])
    assert t.family("offer") == set()
    t.refuses("offer hopper", "offer pause")


def test_b50a_seat_numbers_are_those_of_the_snapshot():
    """B50a: with seat 2 to move, seats 0 and 1 are asked by their own numbers."""
    t = position(
        players=3,
        seat=2,
        hand=["joiner"],
        others={0: {"hand": ["pause"]}, 1: {"hand": ["bend_up"]}},
        trading=True,
    ).play("offer joiner")
    assert t.legal == {"seat 0", "seat 1"}
    t.play("seat 0", "want pause")
    assert t.seat == 0
    t.play("agree")
    assert t.seat == 2 and hands(t) == [{"joiner": 1}, {"bend_up": 1}, {"pause": 1}]
