"""Chapter 8: selling cards, an optional rule (B49)."""

from __future__ import annotations

from tests.games.bdgame.positions import Position, cubes, position
from tests.support.position import both_backends

pytestmark = both_backends

DEAR = ("c_1Y_1R", "c_1Y_2Y", "s_4Y_1B1R", "s_1R_1R1Y")  # prices 7, 6, 6, 5
FOUR = ("s_2Y_1Y1R", "c_1Y_1R", "s_1R_1R1Y", "c_1Y_2Y")  # prices 4, 7, 5, 6
NOTHING_FOR_ONE = dict.fromkeys(("hopper", "packer", "straight", "bend_up", "bend_down"), 0)


def selling(**rest) -> Position:
    return position(selling=True, **{"parts_row": DEAR, **rest})


def test_b49_selling_is_off_by_default():
    """B49: without the option no card is sold."""
    position(hand=["straight"], storage="1Y", parts_row=DEAR).refuses("sell straight")


def test_b49_a_card_from_hand_gives_one_credit():
    """B49: selling opens a Buy action and adds one to its credit; the card is gone."""
    t = selling(hand=["straight", "pause"]).play("sell pause")
    assert (t.phase, t.snap["open"], t.snap["credit"], t.snap["sold"]) == ("buy", "buy", 1, 1)
    assert t.hand == {"straight": 1} and t.snap["actions_left"] == 2


def test_b49_a_sold_card_pays_for_a_bought_one():
    """B49: a splitter for a packer, all in one action."""
    t = selling(hand=["splitter"]).play("sell splitter", "buy packer")
    assert t.hand == {"packer": 1} and t.phase == "act" and t.snap["actions_left"] == 2


def test_b49_a_basic_card_goes_to_its_pile_at_once():
    """B49: the pile has one card more, which may be bought in the same action."""
    t = selling(hand=["bend_up", "bend_up", "bend_up"]).play("sell bend_up")
    assert t.snap["piles"]["bend_up"] == 1
    assert "buy bend_up" in t.legal


def test_b49_a_sold_special_lies_lowest_in_the_deck():
    """B49: it lies lowest in the special deck."""
    t = selling(hand=["j_1Y1B_1R2B"], parts_deck=["c_2Y_1R", "c_3Y_1B"]).play("sell j_1Y1B_1R2B")
    assert t.snap["parts_deck"] == ["c_2Y_1R", "c_3Y_1B", "j_1Y1B_1R2B"]


def test_b49_a_sold_special_may_refill_the_row():
    """B49: with an empty deck the card sold comes into the slot of the card bought when the action ends."""
    t = selling(hand=["j_1Y1B_1R2B"], parts_row=["c_2Y_1R", *DEAR[1:]], parts_deck=[])
    t.play("sell j_1Y1B_1R2B", "buy 0")
    assert t.phase == "act" and t.snap["parts_row"] == ["j_1Y1B_1R2B", *DEAR[1:]] and t.snap["parts_deck"] == []


def test_b49_four_credits_are_the_most():
    """B49: after four cards none can be sold any more, though a cube may still be paid."""
    t = selling(hand=["straight", "straight", "straight", "bend_up", "bend_down"], storage="1Y")
    t.play("sell straight", "sell straight", "sell bend_up", "sell straight")
    assert t.snap["credit"] == 4 and t.snap["sold"] == 4
    assert "pay Y" in t.legal
    t.refuses("sell bend_down")


def test_b49_only_what_may_still_be_sold_counts_for_the_next_sale():
    """B49: with credit 2 and three cards left the price of 5 is out of reach: two more may be sold, not three."""
    t = selling(hand=["straight", "straight", "straight", "bend_up", "bend_down"])
    t.play("sell straight", "sell straight")
    assert t.snap["credit"] == 2
    assert t.family("sell") == set()
    t.refuses("sell straight", "sell bend_up")


def test_b49_the_next_buy_has_four_credits_of_its_own():
    """B49: the bound is for each Buy action."""
    t = selling(hand=["straight", "straight", "straight", "bend_up", "bend_down"], parts_row=FOUR)
    t.play("sell straight", "sell straight", "sell straight", "sell bend_up", "buy 0")
    assert t.phase == "act" and t.snap["sold"] == 0
    t.play("sell bend_down")
    assert t.snap["credit"] == 1


def test_b49_two_hoppers_and_two_packers_are_kept():
    """B49: with two in play a third in hand may be sold, and only that one."""
    t = selling(hand=["hopper", "packer", "packer"], storage="1R", parts_row=FOUR)
    assert t.family("sell") == {"hopper", "packer"}
    t.play("sell hopper", "sell packer", "sell packer")
    assert t.hand == {} and t.snap["credit"] == 3


def test_b49_a_hopper_in_hand_counts_as_kept():
    """B49: one in play and one in hand are the two that stay; packers too."""
    t = selling(hand=["hopper", "packer", "straight"], workshop=[("hopper", 0, 2), ("packer", 1, 2)], storage="1Y")
    assert t.family("sell") == {"straight"}
    t.refuses("sell hopper", "sell packer")


def test_b49_bought_cards_do_not_count_as_kept():
    """B49: a packer bought in this action does not free the one in hand, another card may be sold."""
    t = selling(
        hand=["packer", "straight"],
        workshop=[("hopper", 0, 2), ("packer", 1, 2), ("hopper", 0, 6)],
        storage="1B",
    ).play("pay B", "buy packer", "buy splitter")
    assert t.snap["credit"] == 1
    assert t.family("sell") == {"straight"}  # for a card of price 2


def test_b49_a_bought_card_placed_at_once_counts_as_in_play():
    """B49: placed, it is a card in play like the others; only what lies apart does not count."""
    t = selling(
        hand=["packer", "straight"],
        workshop=[("hopper", 0, 2), ("packer", 1, 2), ("hopper", 0, 6)],
        storage="1B",
    ).play("pay B", "buy packer", "select packer", "place 1,6", "buy splitter")
    assert t.family("sell") == {"packer", "straight"}


def test_b49_bought_cards_cannot_be_sold_in_the_same_action():
    """B49: what was bought lies apart until the action ends."""
    t = selling(storage="1R").play("pay R", "buy straight")
    t.refuses("sell straight")
    assert "sell straight" in t.play("end").legal


def test_b49_cards_in_play_are_not_sold():
    """B49: only cards from hand go."""
    t = selling(workshop=[("hopper", 0, 2), ("straight", 1, 2), ("hopper", 0, 6)], hand=["pause"])
    assert t.family("sell") == {"pause"}


def test_b49_sellable_cards_count_when_a_cube_is_paid():
    """B49: the cheapest card costs 2: one Yellow and one card to sell reach it, the Yellow alone does not."""
    assert "pay Y" in selling(storage="1Y", hand=["pause"], piles=NOTHING_FOR_ONE).legal
    alone = selling(storage="1Y", piles=NOTHING_FOR_ONE)
    alone.refuses("pay Y")
    position(storage="1Y", hand=["pause"], parts_row=DEAR, piles=NOTHING_FOR_ONE).refuses("pay Y")


def test_b49_a_card_is_sold_only_if_something_can_be_bought():
    """B49: a single card to sell and nothing for one credit on sale: selling it is refused."""
    selling(hand=["pause"], piles=NOTHING_FOR_ONE).refuses("sell pause")
    assert selling(hand=["pause", "joiner"], piles=NOTHING_FOR_ONE).family("sell") == {"pause", "joiner"}


def test_b49_no_more_is_sold_than_can_be_of_use():
    """B49: with credit 1 a second card may be sold for a price of 2; then none is left."""
    t = selling(hand=["pause", "pause"]).play("sell pause")
    assert t.family("sell") == {"pause"}
    t.play("sell pause")
    assert t.legal == {f"buy {kind}" for kind in t.snap["piles"]}


def test_b49_a_player_who_sold_must_buy():
    """B49: a Buy opened by selling ends only after a card was bought."""
    t = selling(hand=["pause", "joiner"]).play("sell pause")
    t.refuses("end")


def test_b49_cubes_and_cards_pay_together():
    """B49: two Red and one card for a price of 5."""
    t = selling(hand=["pause"], storage="2R").play("pay R", "sell pause", "pay R", "buy 3")
    assert t.hand == {"s_1R_1R1Y": 1} and t.storage == cubes() and t.bank == cubes("24Y 24R 24B")
