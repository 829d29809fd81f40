"""Chapter 4: the actions of a turn (B20-B30)."""

from __future__ import annotations

import pytest

from tests.games.bdgame.positions import BASIC_COST, SPECIAL_COST, SPECIALS, cubes, position
from tests.support.position import both_backends

pytestmark = both_backends

DEAR = ("c_1Y_1R", "c_1Y_2Y", "s_4Y_1B1R", "s_1R_1R1Y")  # prices 7, 6, 6, 5


def test_b20_a_turn_goes_from_actions_to_devices_to_orders_to_storing():
    """B20: the four parts of a turn follow each other, then the next seat acts."""
    t = position(workshop=[("hopper", 0, 2, "3Y 1B"), ("packer", 1, 2)], queue=["o01"])
    assert t.phase == "act"
    assert t.play("end").phase == "activate"
    assert t.play("activate 0").phase == "fulfil"
    t.play("fulfil 0")
    assert t.storage == cubes("1B") and (t.seat, t.phase) == (1, "act")


def test_b20_no_action_is_possible_while_devices_are_activated():
    """B20: once activating has begun no action of the first part is left."""
    t = position(storage="3Y", workshop=[("hopper", 0, 2, "1Y"), ("packer", 1, 2)], hand=["hopper"])
    t.play("end").refuses("collect", "clear", "accept 0", "pay Y", "select hopper", "remove 1,2", "load Y@0")


def test_b21_three_actions_and_the_turn_goes_on():
    """B21: each action costs one; after the third the turn passes on by itself."""
    t = position()
    left = []
    for _ in range(3):
        left.append(t.snap["actions_left"])
        t.play("collect")
    assert left == [3, 2, 1] and t.seat == 1 and t.storage == cubes("6Y")


def test_b21_actions_come_in_any_order_and_as_often_as_wanted():
    """B21: Clear, Accept, Clear is as good as any other three."""
    t = position().play("clear", "accept 2", "clear")
    assert t.seat == 1 and len(t.me["orders"]) == 1


def test_b21_a_player_may_stop_early():
    """B21: a turn without any action is possible."""
    t = position().play("end")
    assert t.seat == 1 and t.storage == cubes()


def test_b21_one_action_may_be_repeated_inside():
    """B21: several cubes of one Load are one action."""
    t = position(storage="2Y 1R").play("load Y@0", "load Y@1", "load R@0")
    assert t.snap["actions_left"] == 2 and t.hopper(0) == cubes("1Y 1R") and t.hopper(1) == cubes("1Y")


def test_b22_collect_takes_two_yellow():
    """B22: two Yellow go from the bank to storage."""
    t = position(bank={"Y": 20}).play("collect")
    assert t.storage == cubes("2Y") and t.bank["Y"] == 18


def test_b22_collect_takes_the_last_yellow():
    """B22: with one Yellow in the bank, one is taken."""
    t = position(players=4, bank={"Y": 1}).play("collect")
    assert t.storage == cubes("1Y") and t.bank["Y"] == 0


def test_b22_collect_needs_a_yellow_in_the_bank():
    """B22: not possible without Yellow, whatever else the bank holds."""
    position(players=4, bank={"Y": 0}).refuses("collect")


def test_b22_after_collect_a_player_discards_down_to_ten():
    """B22: from nine cubes to eleven: one cube of the player's choice goes back at once."""
    t = position(storage="6Y 3B").play("collect")
    assert (t.phase, t.snap["open"], t.snap["actions_left"]) == ("discard", "collect", 2)
    assert t.legal == {"discard Y", "discard B"}
    t.play("discard B")
    assert t.storage == cubes("8Y 2B") and t.bank == cubes("16Y 24R 22B") and t.phase == "act"


def test_b22_collect_is_possible_at_ten_cubes():
    """B22: at ten the two Yellow come first, then two cubes go back."""
    t = position(storage="10R").play("collect", "discard R", "discard R")
    assert t.storage == cubes("2Y 8R") and t.phase == "act"


def test_b22_up_to_ten_nothing_is_discarded():
    """B22: eight and two are ten: the next action follows at once."""
    assert position(storage="8R").play("collect").phase == "act"


def test_b23_an_accepted_order_joins_the_queue_and_its_slot_is_refilled():
    """B23: the order of slot 2 goes behind those in the queue, the top of the deck takes its place."""
    t = position(queue=["o20"], orders_row=["o01", "o02", "o03", "o04"], orders_next=["o32", "o31"])
    t.play("accept 2")
    assert t.me["orders"] == ["o20", "o03"]
    assert t.snap["orders_row"] == ["o01", "o02", "o32", "o04"]
    assert t.snap["orders_deck"][0] == "o31"


def test_b23_the_new_order_can_be_accepted_next():
    """B23: the slot is refilled at once, so that the next action may take the new order."""
    t = position(orders_row=["o01", "o02", "o03", "o04"], orders_next=["o32"]).play("accept 0", "accept 0")
    assert t.me["orders"] == ["o01", "o32"]


def test_b23_a_queue_holds_three_orders():
    """B23: with two in the queue one more fits, then no order can be accepted."""
    t = position(queue=["o20", "o21"]).play("accept 0")
    assert len(t.me["orders"]) == 3
    t.refuses("accept 0", "accept 1", "accept 2", "accept 3")


def test_b23_without_a_deck_the_slot_stays_empty():
    """B23: the last orders are not replaced, and an empty slot offers nothing."""
    t = position(players=4, orders_row=["o28", "o32", "o31", "o27"], orders_deck=[]).play("accept 1")
    assert t.snap["orders_row"] == ["o28", None, "o31", "o27"]
    assert t.family("accept") == {"0", "2", "3"}
    t.refuses("accept 1")


@pytest.mark.parametrize("kind", BASIC_COST)
def test_b24_a_basic_card_costs_its_price(kind):
    """B24: with credit 4 a basic card leaves 4 less its price; the pile has one card less."""
    t = position(storage="1B", parts_row=DEAR).play("pay B", f"buy {kind}")
    assert t.snap["credit"] == 4 - BASIC_COST[kind]
    assert t.snap["bought"] == {kind: 1} and t.snap["piles"][kind] == 2


@pytest.mark.parametrize("kind", SPECIALS)
def test_b24_a_special_card_costs_its_price(kind):
    """B24: a card can be bought once the credit reaches its price, not before."""
    price = SPECIAL_COST[kind]
    t = position(storage="10Y", parts_row=[next(k for k in DEAR if k != kind), kind, "c_1Y_1R", "c_1Y_2Y"])
    for _ in range(price - 1):
        t.play("pay Y")
        assert "buy 1" not in t.legal
    t.play("pay Y", "buy 1")
    assert t.snap["credit"] == 0 and t.snap["bought"] == {kind: 1}


def test_b24_paid_cubes_go_to_the_bank():
    """B24: what is paid is in the bank at once."""
    t = position(storage="3Y 1R 1B", parts_row=DEAR).play("pay R", "pay B")
    assert t.storage == cubes("3Y") and t.bank == cubes("21Y 24R 24B")


def test_b24_no_change_is_given():
    """B24: a Blue for a card of price 1: the other three are lost when the action ends."""
    t = position(storage="1B", parts_row=DEAR).play("pay B", "buy straight", "end")
    assert t.storage == cubes() and t.hand == {"straight": 1}
    assert (t.phase, t.snap["credit"], t.snap["actions_left"]) == ("act", 0, 2)


def test_b24_lost_credit_is_not_kept_for_the_next_buy():
    """B24: a second Buy begins with what is paid in it."""
    t = position(storage="1Y 1B", parts_row=DEAR).play("pay B", "buy straight", "end", "pay Y")
    assert t.snap["credit"] == 1


def test_b24_an_empty_pile_sells_nothing():
    """B24: of a basic kind that is sold out no card can be bought."""
    t = position(storage="1R", parts_row=DEAR, piles={"straight": 0}).play("pay R")
    assert t.family("buy") == {"hopper", "packer", "bend_up", "bend_down", "splitter", "joiner", "pause"}
    t.refuses("buy straight")


def test_b24_the_last_card_of_a_pile_can_be_bought_once():
    """B24: a pile with one card sells one."""
    t = position(storage="1R", parts_row=DEAR, piles={"straight": 1}).play("pay R", "buy straight")
    assert t.snap["piles"]["straight"] == 0
    t.refuses("buy straight")


def test_b24_cubes_on_hoppers_do_not_pay():
    """B24: payment comes from storage only."""
    t = position(workshop=[("hopper", 0, 2, "5B"), ("packer", 1, 2)])
    assert t.family("pay") == set()


def test_b24a_one_credit_buys_several_cards():
    """B24a: a Blue buys two cards of price 1 and one of price 2 in one action."""
    t = position(storage="1B", parts_row=DEAR).play("pay B", "buy straight", "buy straight", "buy splitter")
    assert t.hand == {"straight": 2, "splitter": 1}
    assert (t.phase, t.snap["actions_left"]) == ("act", 2)


def test_b24a_cubes_may_be_paid_after_a_card_was_bought():
    """B24a: the credit of the action goes on: 4 paid, 2 spent, 2 more paid, 4 spent."""
    t = position(storage="1B 1R", parts_row=["s_2Y_1Y1R", *DEAR[:3]])
    t.play("pay B", "buy pause", "pay R", "buy 0")
    assert t.hand == {"pause": 1, "s_2Y_1Y1R": 1} and t.snap["actions_left"] == 2


def test_b25_bought_cards_lie_apart_until_the_action_ends():
    """B25: while the Buy is open the cards are not in hand; those not placed go there with `end`."""
    t = position(storage="1B", hand=["pause"], parts_row=DEAR).play("pay B", "buy straight", "buy hopper")
    assert t.hand == {"pause": 1} and t.snap["bought"] == {"straight": 1, "hopper": 1}
    t.play("end")
    assert t.hand == {"pause": 1, "straight": 1, "hopper": 1} and t.snap["bought"] == {}


def test_b25_a_bought_card_may_be_placed_at_once():
    """B25: a packer bought for an open hopper finishes the Device within the Buy, which then closes."""
    t = position(storage="1Y", workshop=[("hopper", 0, 2)], parts_row=DEAR).play("pay Y", "buy packer")
    assert t.legal == {"end", "select packer"}
    t.play("select packer")
    assert (t.phase, t.snap["open"]) == ("place", "buy") and t.legal == {"place 1,2"}
    t.play("place 1,2")
    assert t.card(1, 2)["kind"] == "packer" and t.hand == {}
    assert (t.phase, t.snap["open"], t.snap["actions_left"]) == ("act", None, 2)


def test_b25_a_bought_hopper_does_not_begin_a_device():
    """B25: a bought hopper goes only where its outlet meets an open inlet."""
    workshop = [("hopper", 0, 2), ("joiner", 1, 1)]
    bought = position(storage="1Y", workshop=workshop, parts_row=DEAR).play("pay Y", "buy hopper", "select hopper")
    assert bought.legal == {"place 0,0"}
    built = position(workshop=workshop, hand=["hopper"]).play("select hopper")
    assert built.family("place") == {"0,0", "0,4", "0,5", "0,6", "0,7", "0,8"}


def test_b25_a_bought_hopper_without_an_open_inlet_goes_to_the_hand():
    """B25: there is nothing left to do with it in this action, so that the Buy closes."""
    t = position(storage="1Y", parts_row=DEAR).play("pay Y", "buy hopper")
    assert t.hand == {"hopper": 1} and t.phase == "act"
    assert "select hopper" in t.legal


def test_b25_cards_from_hand_are_not_placed_during_a_buy():
    """B25: what was in hand before waits for a Build."""
    t = position(storage="1R", workshop=[("hopper", 0, 2)], hand=["straight"], parts_row=DEAR)
    t.play("pay R", "buy packer")
    assert t.family("select") == {"packer"}
    t.refuses("select straight")


def test_b25_of_a_kind_in_hand_only_the_bought_card_may_be_placed():
    """B25: with a straight card in hand and one bought, one goes into play; the one in hand stays."""
    t = position(storage="1R", workshop=[("hopper", 0, 2)], hand=["straight"], parts_row=DEAR)
    t.play("pay R", "buy straight", "select straight", "place 1,2")
    assert t.hand == {"straight": 1} and t.snap["bought"] == {}
    t.refuses("select straight")


def test_b26_the_special_row_is_refilled_when_the_buy_ends():
    """B26: slots 3 and 0 stay empty until the end, then slot 0 is refilled first."""
    t = position(
        storage="1B",
        parts_row=["c_2Y_1R", "c_1Y_1R", "c_1Y_2Y", "c_2R_1B"],
        parts_next=["s_1B_2Y2R", "j_1Y1R_1B", "c_3Y_1B"],
    )
    t.play("pay B", "buy 3", "buy 0")
    assert t.snap["parts_row"] == [None, "c_1Y_1R", "c_1Y_2Y", None]
    assert t.family("buy") & {"0", "1", "2", "3"} == set()
    t.play("end")
    assert t.snap["parts_row"] == ["s_1B_2Y2R", "c_1Y_1R", "c_1Y_2Y", "j_1Y1R_1B"]
    assert t.snap["parts_deck"][0] == "c_3Y_1B"


def test_b26_a_short_deck_refills_slot_0_first():
    """B26: with one card in the deck slot 0 gets it; slot 2 stays empty."""
    t = position(
        storage="1B",
        parts_row=["c_2Y_1R", "c_1Y_1R", "c_2R_1B", "c_1Y_2Y"],
        parts_deck=["j_1Y1R_3R"],
    )
    t.play("pay B", "buy 2", "buy 0", "end")
    assert t.snap["parts_row"] == ["j_1Y1R_3R", "c_1Y_1R", None, "c_1Y_2Y"] and t.snap["parts_deck"] == []


def test_b26_an_empty_slot_sells_nothing():
    """B26: in the next Buy the slot that stayed empty cannot be bought."""
    t = position(storage="1R", parts_row=["c_2Y_1R", None, "c_1R_3Y", "c_1Y_2Y"], parts_deck=[]).play("pay R")
    assert t.family("buy") & {"0", "1", "2", "3"} == {"0", "2"}


def test_b26_basic_piles_are_not_refilled():
    """B26: a bought basic card leaves its pile one lower, also after the action."""
    t = position(storage="1Y", parts_row=DEAR).play("pay Y", "buy bend_up")
    assert t.snap["piles"]["bend_up"] == 2 and t.phase == "act"


def test_b27_clear_renews_the_special_row():
    """B27: the four cards go under the deck, slot 0 first; the row is filled from the top."""
    row = ["c_2Y_1R", "c_1Y_1R", "c_3Y_1B", "c_2R_1B"]
    top = ["j_1Y1R_3R", "j_1Y1B_1R2B", "s_4Y_1B1R", "s_2R_1R1B"]
    t = position(parts_row=row, parts_next=top)
    rest = t.snap["parts_deck"][4:]
    t.play("clear")
    assert t.snap["parts_row"] == top
    assert t.snap["parts_deck"] == [*rest, *row]
    assert t.snap["actions_left"] == 2


def test_b27_cleared_cards_come_back_when_the_deck_is_short():
    """B27: with two cards in the deck the row is filled with these and the first two cards cleared."""
    t = position(parts_row=["c_2Y_1R", "c_1Y_1R", "c_3Y_1B", "c_2R_1B"], parts_deck=["j_1Y1R_3R", "s_4Y_1B1R"]).play(
        "clear"
    )
    assert t.snap["parts_row"] == ["j_1Y1R_3R", "s_4Y_1B1R", "c_2Y_1R", "c_1Y_1R"]
    assert t.snap["parts_deck"] == ["c_3Y_1B", "c_2R_1B"]


def test_b27_clear_moves_the_cards_up_in_a_row_with_gaps():
    """B27: without a deck the cards left are dealt out again from slot 0."""
    t = position(parts_row=[None, "c_1Y_1R", None, "c_2R_1B"], parts_deck=[]).play("clear")
    assert t.snap["parts_row"] == ["c_1Y_1R", "c_2R_1B", None, None]


def test_b27_an_empty_row_cannot_be_cleared():
    """B27: at least one card has to lie in the row."""
    position(parts_row=[None] * 4, parts_deck=[]).refuses("clear")


def test_b28_a_card_goes_back_to_hand():
    """B28: the packer of a Device is taken back."""
    t = position().play("remove 1,2")
    assert t.card(1, 2) is None and t.hand == {"packer": 1}
    assert (t.phase, t.snap["open"], t.snap["actions_left"]) == ("dismantle", "dismantle", 2)


def test_b28_a_card_with_a_connected_outlet_stays():
    """B28: of two pass-through Devices only the packers can go first."""
    t = position()
    assert t.family("remove") == {"1,2", "1,6"}
    t.refuses("remove 0,2", "remove 0,6", "remove 5,5")


def test_b28_one_action_takes_back_a_whole_device():
    """B28: packer first, then the hopper whose outlet is free now."""
    t = position().play("remove 1,2", "remove 0,2")
    assert t.hand == {"packer": 1, "hopper": 1} and t.snap["actions_left"] == 2
    assert t.legal == {"end", "remove 1,6"}


def test_b28_a_splitter_stays_while_one_outlet_is_connected():
    """B28: both outlets have to be free."""
    t = position(workshop=[("hopper", 0, 2), ("splitter", 1, 2), ("packer", 2, 1), ("packer", 2, 3)])
    t.play("remove 2,1").refuses("remove 1,2")
    t.play("remove 2,3")
    assert t.family("remove") == {"1,2"}


def test_b28_cubes_on_a_removed_hopper_go_to_the_bank():
    """B28: the loaded cubes are lost, and not in storage."""
    t = position(workshop=[("hopper", 0, 2, "3Y 1R"), ("hopper", 0, 6)])
    t.play("remove 0,2")
    assert t.bank == cubes("24Y 24R 24B") and t.storage == cubes() and t.hand == {"hopper": 1}


def test_b28_a_cube_held_on_a_removed_pause_card_goes_to_the_bank():
    """B28: the held cube is lost with the card."""
    t = position(workshop=[("hopper", 0, 2), ("pause", 1, 2, "B")])
    assert t.bank["B"] == 23
    t.play("remove 1,2")
    assert t.bank["B"] == 24 and t.hand == {"pause": 1}


def test_b28_the_action_closes_when_nothing_is_left_to_remove():
    """B28: after the only card nothing can be taken back any more."""
    t = position(workshop=[("hopper", 0, 2)]).play("remove 0,2")
    assert t.phase == "act" and t.family("remove") == set()


def test_b29_cubes_go_from_storage_to_a_hopper():
    """B29: each cube goes to the hopper named, in one action until it is ended."""
    t = position(storage="2Y 1R 1B").play("load Y@0", "load B@1")
    assert t.hopper(0) == cubes("1Y") and t.hopper(1) == cubes("1B") and t.storage == cubes("1Y 1R")
    assert t.legal == {"end", "load Y@0", "load Y@1", "load R@0", "load R@1"}
    assert t.play("end").snap["actions_left"] == 2


def test_b29_a_hopper_of_an_unfinished_device_can_be_loaded():
    """B29: the Device need not be finished."""
    t = position(storage="1Y", workshop=[("hopper", 0, 2)]).play("load Y@0")
    assert t.hopper(0) == cubes("1Y")


def test_b29_only_cubes_in_storage_and_hoppers_in_play():
    """B29: no color that storage lacks, no slot without a hopper."""
    t = position(storage="1Y", workshop=[("hopper", 0, 2, "1R", 3)])
    assert t.family("load") == {"Y@3"}
    t.refuses("load R@3", "load Y@0")


def test_b29_the_action_closes_with_the_last_cube():
    """B29: an empty storage leaves nothing to load."""
    t = position(storage="1Y").play("load Y@0")
    assert (t.phase, t.snap["open"]) == ("act", None)


def test_b29_nothing_to_load_without_hoppers():
    """B29: a workshop without a hopper takes no cubes."""
    assert position(storage="3Y", workshop=[]).family("load") == set()


def test_b30_cards_are_built_from_hand():
    """B30: a hopper, a special and a packer make a Device in one action, which closes with the last card."""
    t = position(hand=["packer", "hopper", "c_2R_1B"])
    t.play("select hopper", "place 0,4", "select c_2R_1B", "place 1,4")
    assert (t.phase, t.snap["open"], t.snap["actions_left"]) == ("build", "build", 2)
    t.play("select packer", "place 2,4")
    assert [t.card(x, 4)["kind"] for x in range(3)] == ["hopper", "c_2R_1B", "packer"]
    assert t.hand == {} and t.phase == "act"


def test_b30_a_selected_card_must_be_placed():
    """B30: after choosing a card only its places are open."""
    t = position(hand=["hopper"]).play("select hopper")
    assert (t.phase, t.snap["selected"], t.hand) == ("place", "hopper", {"hopper": 1})
    t.refuses("end", "collect", "place 0,2", "place 1,4")


def test_b30_building_may_stop_with_cards_left():
    """B30: `end` keeps the rest in hand."""
    t = position(hand=["hopper", "packer"]).play("select hopper", "place 0,4", "end")
    assert t.hand == {"packer": 1} and t.snap["actions_left"] == 2


def test_b30_only_cards_in_hand_are_built():
    """B30: a kind that is not in hand cannot be selected."""
    position(hand=["packer"], workshop=[("hopper", 0, 2)]).refuses("select straight", "select hopper")
