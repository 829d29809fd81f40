"""Chapter 10: decisions, one at a time (B52-B54)."""

from __future__ import annotations

import random

import pytest

from tests.games.bdgame.positions import BASICS, activating, cubes, new_game, position
from tests.support.position import both_backends, engine_only

pytestmark = both_backends

DEAR = ("c_1Y_1R", "c_1Y_2Y", "s_4Y_1B1R", "s_1R_1R1Y")  # prices 7, 6, 6, 5
NOTHING_FOR_ONE = dict.fromkeys(("hopper", "packer", "straight", "bend_up", "bend_down"), 0)
ACCEPT = {f"accept {slot}" for slot in range(4)}


def test_b52_all_that_is_legal_between_two_actions():
    """B52: each action family with just the moves that are possible now."""
    t = position(storage="1Y 1R", hand=["hopper", "straight"], parts_row=DEAR)
    assert t.legal == {
        *("end", "collect", "clear", "pay Y", "pay R", "select hopper", "remove 1,2", "remove 1,6"),
        *("load Y@0", "load Y@1", "load R@0", "load R@1"),
        *ACCEPT,
    }


@engine_only  # the reference sorts its moves by name
def test_b52_legal_moves_come_family_by_family():
    """B52: in the order of the table of families; slots, colors and places in ascending order."""
    t = position(storage="1Y 1R 1B", hand=["hopper"], workshop=[("hopper", 0, 2), ("hopper", 0, 6)], parts_row=DEAR)
    assert t.match.legal_moves() == [
        *(
            "end",
            "collect",
            "clear",
            "accept 0",
            "accept 1",
            "accept 2",
            "accept 3",
            "pay Y",
            "pay R",
            "pay B",
        ),
        *("select hopper", "remove 0,2", "remove 0,6"),
        *(move for move in t.match.legal_moves() if move.startswith("load ")),
    ]


def test_b52_the_act_phase_asks_even_if_only_end_is_left():
    """B52: nothing to collect, accept, pay, build, remove or load: the seat still decides to end."""
    t = position(
        players=4,
        workshop=[],
        queue=["o28", "o32", "o27"],
        bank={"Y": 0},
        parts_row=[None] * 4,
        parts_deck=[],
    )
    assert t.legal == {"end"} and t.phase == "act"


def test_b52_end_gives_the_other_actions_away():
    """B52: after `end` with two actions left the next seat plays."""
    t = position(actions_left=2).play("end")
    assert t.seat == 1 and t.snap["actions_left"] == 3


def test_b52_opening_an_action_spends_it():
    """B52: the first cube of a Load, the first card of a Build: the count does not hold the open action."""
    t = position(storage="2Y", hand=["hopper", "packer"], actions_left=2).play("load Y@0")
    assert (t.phase, t.snap["open"], t.snap["actions_left"]) == ("load", "load", 1)
    t.play("end", "select hopper")
    assert (t.phase, t.snap["open"], t.snap["actions_left"]) == ("place", "build", 0)


def test_b52_after_the_third_action_has_closed_the_phase_is_over():
    """B52: the last action may go on as long as it is open; then the Devices follow."""
    t = position(storage="3Y", actions_left=1).play("load Y@0", "load Y@0")
    assert t.phase == "load"
    assert t.play("load Y@0").legal == {"end", "activate 0"}


def test_b52_a_cube_is_paid_only_if_a_card_can_be_afforded():
    """B52: nothing for 1 on sale: one Yellow opens no Buy, two Yellow or a Red do."""
    position(storage="1Y", parts_row=DEAR, piles=NOTHING_FOR_ONE).refuses("pay Y")
    assert position(storage="2Y", parts_row=DEAR, piles=NOTHING_FOR_ONE).family("pay") == {"Y"}
    assert position(storage="1Y 1R", parts_row=DEAR, piles=NOTHING_FOR_ONE).family("pay") == {"Y", "R"}


def test_b52_with_nothing_on_sale_nothing_is_paid():
    """B52: an empty shop takes no cubes."""
    t = position(storage="9B", parts_row=[None] * 4, parts_deck=[], piles=dict.fromkeys(BASICS, 0))
    assert t.family("pay") == set()


def test_b52_what_the_credit_covers_can_be_bought():
    """B52: with credit 1 all cards of price 1, with 2 also those of price 2."""
    t = position(storage="2Y", parts_row=["c_2Y_1R", "s_1B_2Y2R", "j_2Y2R_3B", "c_3Y_1B"]).play("pay Y")
    ones = {"0", "hopper", "packer", "straight", "bend_up", "bend_down"}
    assert t.family("buy") == ones
    assert t.legal == {f"buy {card}" for card in ones} | {"pay Y"}
    assert t.play("pay Y").family("buy") == ones | {"1", "splitter", "joiner", "pause"}


def test_b52_a_cube_is_paid_on_only_if_it_can_help():
    """B52: with credit 2 and 1 Yellow left a card of price 3 is in reach; one of price 4 is not."""
    reach = position(storage="1Y 1R", parts_row=["j_2Y2R_3B", *DEAR[:3]]).play("pay R")
    assert reach.family("pay") == {"Y"}
    beyond = position(storage="1Y 1R", parts_row=["c_3Y_1B", *DEAR[:3]]).play("pay R")
    assert beyond.family("pay") == set()
    beyond.refuses("pay Y")


def test_b52_all_of_storage_counts_for_the_next_payment():
    """B52: a price of 7 with credit 1: Yellow may be paid, since 2 Yellow and a Blue are left."""
    t = position(storage="3Y 1B", parts_row=DEAR).play("pay Y")
    assert t.family("pay") == {"Y", "B"}


def test_b52_a_buy_ends_only_after_a_card_was_bought():
    """B52: after paying `end` is not legal, after buying it is."""
    t = position(storage="1B", parts_row=DEAR).play("pay B")
    t.refuses("end", "collect", "accept 0", "select hopper")
    assert "end" in t.play("buy straight").legal


def test_b52_a_buy_closes_when_only_end_is_left():
    """B52: no credit, no cube and nothing to place: the next action follows."""
    t = position(storage="1Y", parts_row=DEAR).play("pay Y", "buy straight")
    assert (t.phase, t.snap["open"], t.snap["credit"]) == ("act", None, 0)


def test_b52_a_buy_stays_open_while_a_bought_card_fits():
    """B52: the straight card could go behind the hopper, so that the player is asked."""
    t = position(storage="1Y", workshop=[("hopper", 0, 2)], parts_row=DEAR).play("pay Y", "buy straight")
    assert t.legal == {"end", "select straight"}


def test_b52_placing_returns_to_the_buy():
    """B52: after the bought card was placed, the credit left can be spent."""
    t = position(storage="1R", workshop=[("hopper", 0, 2)], parts_row=DEAR)
    t.play("pay R", "buy straight", "select straight", "place 1,2")
    assert (t.phase, t.snap["open"], t.snap["credit"], t.snap["purchases"]) == ("buy", "buy", 1, 1)
    assert t.legal == {
        "end",
        *(f"buy {kind}" for kind in ("hopper", "packer", "straight", "bend_up", "bend_down")),
    }


def test_b52_placing_returns_to_the_build():
    """B52: the Build goes on while another card in hand fits."""
    t = position(hand=["straight", "packer"], workshop=[("hopper", 0, 2)]).play("select straight", "place 1,2")
    assert (t.phase, t.snap["selected"]) == ("build", None)
    assert t.legal == {"end", "select packer"}


def test_b52_a_build_closes_when_nothing_fits():
    """B52: after the packer nothing of the hand can be placed any more."""
    t = position(hand=["straight", "packer"], workshop=[("hopper", 0, 2)]).play("select packer", "place 1,2")
    assert t.phase == "act" and t.hand == {"straight": 1}


def test_b52_choosing_a_card_moves_nothing():
    """B52: choosing a card moves nothing yet; placing it does."""
    t = position(hand=["straight"], workshop=[("hopper", 0, 2)]).play("select straight")
    assert t.hand == {"straight": 1} and t.snap["selected"] == "straight"
    assert t.play("place 1,2").hand == {}


def test_b52_a_card_that_fits_nowhere_is_not_selected():
    """B52: the joiner has no outlet to join, the hopper has free places."""
    assert position(hand=["joiner", "hopper"]).family("select") == {"hopper"}


def test_b52_loading_is_all_that_an_open_load_allows():
    """B52: the open action offers its own moves and `end`."""
    t = position(storage="2Y 1R", hand=["hopper"]).play("load Y@1")
    assert t.legal == {"end", "load Y@0", "load Y@1", "load R@0", "load R@1"}
    t.refuses("collect", "pay Y", "select hopper", "remove 1,2")


def test_b52_removing_is_all_that_an_open_dismantle_allows():
    """B52: one packer gone: its hopper and the other packer may follow."""
    t = position(storage="2Y").play("remove 1,6")
    assert t.legal == {"end", "remove 0,6", "remove 1,2"}


def test_b52_only_discards_are_legal_above_ten():
    """B52: no other move, no `end`, until ten are left."""
    t = position(storage="9R").play("collect")
    assert t.legal == {"discard Y", "discard R"}
    t.refuses("end", "collect", "discard B")


def test_b52_phases_that_offer_only_end_are_skipped():
    """B52: no Device to activate, no order to fulfil, nothing to discard: the next seat is asked at once."""
    t = position(queue=["o28"]).play("end")
    assert (t.seat, t.phase) == (1, "act")


def test_b52_activating_ends_by_itself_after_the_last_device():
    """B52: after the only Device the orders follow without an `end`."""
    t = position(workshop=[("hopper", 0, 2, "1B"), ("packer", 1, 2)], queue=["o11"]).play("end", "activate 0")
    assert t.legal == {"end", "fulfil 0"}


def test_b52_fulfilling_ends_by_itself_after_the_last_covered_order():
    """B52: what is left covers nothing: it is stored and the turn passes on."""
    t = position(phase="fulfil", made="1B 1R", queue=["o11", "o12"]).play("fulfil 0")
    assert t.seat == 1 and t.storage == cubes("1R")


def split_phase(load: str):
    """A grey splitter: what goes up is made, what goes down is lost unless 3 Red are among it."""
    return activating(
        [("hopper", 0, 2, load), ("splitter", 1, 2), ("packer", 2, 1), ("c_3R_2B", 2, 3), ("packer", 3, 3)]
    ).play("activate 0")


def test_b53_colors_are_asked_in_order():
    """B53: Yellow, then Red, then Blue."""
    t = split_phase("2Y 2R 2B")
    asked = []
    for n in (1, 1, 1):
        asked.append(t.snap["pending"]["color"])
        t.play(f"split {n}")
    assert asked == ["Y", "R", "B"] and t.made == cubes("1Y 1R 1B")


def test_b53_a_color_that_did_not_arrive_is_not_asked():
    """B53: Yellow and Blue arrived: after Yellow comes Blue."""
    t = split_phase("2Y 2B").play("split 1")
    assert t.snap["pending"]["color"] == "B"


def test_b53_one_color_alone_leaves_one_for_each_outlet():
    """B53: of 6 Red at least one goes each way."""
    assert split_phase("6R").family("split") == {"1", "2", "3", "4", "5"}


def test_b53_a_later_color_can_still_supply_an_outlet():
    """B53: all 3 Yellow may go one way as long as the Red can go the other."""
    t = split_phase("3Y 1R")
    assert t.family("split") == {"0", "1", "2", "3"}
    up = t.copy().play("split 3")  # Red is forced down
    assert up.phase == "activate" and up.made == cubes("3Y")
    down = t.copy().play("split 0")  # Red is forced up
    assert down.phase == "activate" and down.made == cubes("1R")


def test_b53_the_last_color_fills_the_outlet_still_empty():
    """B53: no Yellow and no Red up: the Blue must go up and is not asked."""
    t = split_phase("1Y 1R 2B").play("split 0", "split 0")
    assert t.family("split") == {"1", "2"}
    assert t.play("split 2").made == cubes("2B")


def test_b53_a_single_last_cube_is_forced():
    """B53: 1 Yellow and 1 Red down: the one Blue goes up without a question."""
    assert split_phase("1Y 1R 1B").play("split 0", "split 0").made == cubes("1B")


def test_b53_with_both_outlets_supplied_the_last_color_is_free():
    """B53: Yellow up, Red down: all, some or none of the Blue may go up."""
    t = split_phase("1Y 1R 2B").play("split 1", "split 0")
    assert t.family("split") == {"0", "1", "2"}


def test_b53_the_question_names_what_arrived_and_what_was_decided():
    """B53: while Red is asked, the Yellow going up are known, the other branch waits at the joiner."""
    device = [
        ("hopper", 0, 0, "2B"),
        ("bend_up", 1, 0),  # 1 to 0
        ("hopper", 0, 2, "3Y 1R"),
        ("splitter", 1, 2),  # outlets at 2 and 4
        ("joiner", 2, 0),
        ("packer", 2, 3),
        ("packer", 3, 0),
    ]
    t = activating(device).play("activate 0")
    question = {
        "ask": "split",
        "x": 1,
        "y": 2,
        "color": "Y",
        "arrived": cubes("3Y 1R"),
        "up": cubes(),
        "flow": [{"x": 2, "y": 0, "port": "up", "cubes": cubes("2B")}],
    }
    assert t.snap["pending"] == question
    t.play("split 1")
    assert t.snap["pending"] == {**question, "color": "R", "up": cubes("1Y")}
    t.play("split 1")
    assert t.snap["pending"] is None and t.made == cubes("3Y 1R 2B")


def test_b53_the_pause_card_asks_for_what_arrived_now():
    """B53: the old Yellow has left; the question shows the 2 Blue and the Red, and offers these or none."""
    t = activating([("hopper", 0, 2, "1R 2B"), ("pause", 1, 2, "Y"), ("packer", 2, 2)]).play("activate 0")
    pending = t.snap["pending"]
    assert (pending["ask"], pending["x"], pending["y"], pending["arrived"]) == ("hold", 1, 2, cubes("1R 2B"))
    assert t.legal == {"hold R", "hold B", "hold none"}
    assert t.card(1, 2)["held"] is None


def test_b53_a_pause_card_that_received_nothing_is_not_asked():
    """B53: both Red arrive by the other branch."""
    device = [
        ("hopper", 0, 0),
        ("pause", 1, 0),
        ("hopper", 0, 2, "2R"),
        ("straight", 1, 2),
        ("joiner", 2, 1),
        ("packer", 3, 1),
    ]
    t = activating(device).play("activate 1")
    assert t.phase == "activate" and t.made == cubes("2R")


def test_b53_questions_come_from_left_to_right_and_from_above():
    """B53: the splitter in column 1, then the upper and the lower pause card of column 2."""
    device = [
        ("hopper", 0, 3, "4Y"),
        ("splitter", 1, 3),
        ("pause", 2, 2),
        ("pause", 2, 4),
        ("joiner", 3, 3),
        ("packer", 4, 3),
    ]
    t = activating(device).play("activate 0")
    asked = []
    for move in ("split 1", "hold Y", "hold none"):
        asked.append((t.snap["pending"]["ask"], t.snap["pending"]["x"], t.snap["pending"]["y"]))
        t.play(move)
    assert asked == [("split", 1, 3), ("hold", 2, 2), ("hold", 2, 4)]
    assert t.made == cubes("3Y")


def test_b53_nothing_else_is_legal_while_a_question_is_open():
    """B53: neither another Device nor the end of the phase."""
    t = split_phase("4Y")
    assert t.legal == {"split 1", "split 2", "split 3"}
    t.refuses("activate 5", "end", "hold Y")


def test_b53_the_result_is_in_the_pool_after_the_last_question():
    """B53: the phase goes on with the next Device."""
    t = split_phase("4Y").play("split 3")
    assert t.phase == "activate" and t.made == cubes("3Y") and t.legal == {"end", "activate 5"}


@pytest.mark.parametrize("move", ["", "fly", "collect 2", "pay G", "accept 4", "place 9,9", "split 25", "END", "end "])
def test_b54_what_is_no_move_at_all_is_refused(move):
    """B54: only moves of the notation are played; anything else changes nothing."""
    position(storage="2Y").refuses(move)


@pytest.mark.parametrize("move", ["place 1,1", "load Y@5", "fulfil 0", "split 1", "hold none", "discard Y", "agree"])
def test_b54_what_is_not_legal_now_is_refused(move):
    """B54: a move of the notation that this phase or this workshop does not allow changes nothing either."""
    position(storage="2Y").refuses(move)


@engine_only  # the reference explains less
def test_b54_a_refusal_names_the_move_the_rule_and_the_legal_moves():
    """B54: what was tried, which paragraph speaks against it, what may be played."""
    from bdgame_env import IllegalAction

    t = position(workshop=[("hopper", 0, 2)], queue=["o28", "o27", "o32"])
    with pytest.raises(IllegalAction) as refusal:
        t.match.play("accept 1")
    message = str(refusal.value)
    assert "accept 1" in message and "B23" in message
    assert "collect" in message and "remove 0,2" in message


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("optional", [False, True])
def test_b54_random_play_never_gets_stuck(seed, optional):
    """B54: random play always has a move until the game is over, and a turn is finite."""
    t = new_game(2 + seed, seed=seed, selling=optional, trading=optional, max_rounds=5)
    rng = random.Random(seed)
    for _ in range(3000):
        moves = sorted(t.legal)
        assert bool(moves) is not t.over
        if t.over:
            break
        t.play(rng.choice(moves))
    assert t.over and t.snap["round"] == 5
