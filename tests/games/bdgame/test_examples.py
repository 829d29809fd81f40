"""Chapter 13: the worked examples, one test or more for each (E1-E13)."""

from __future__ import annotations

from tests.games.bdgame.positions import activating, cubes, position
from tests.support.position import both_backends

pytestmark = both_backends


def test_e01_three_yellow_become_three_red():
    """E1 (B33): hopper, 1Y>1R, packer."""
    t = activating([("hopper", 0, 2, "3Y"), ("c_1Y_1R", 1, 2), ("packer", 2, 2)]).play("activate 0")
    assert t.made == cubes("3R")


def test_e02_where_packers_fit_behind_the_splitter():
    """E2 (B13): the outlets of 1B>2Y,2R at (1, 2) are met by packers at (2, 1) and (2, 3), nowhere else."""
    t = position(workshop=[("hopper", 0, 2), ("s_1B_2Y2R", 1, 2)], hand=["packer", "packer"])
    t.play("select packer")
    assert t.legal == {"place 2,1", "place 2,3"}
    t.play("place 2,3", "select packer")
    assert t.legal == {"place 2,1"}


def test_e02_two_blue_become_four_yellow_and_four_red():
    """E2 (B33): the splitter works twice."""
    t = activating([("hopper", 0, 2, "2B"), ("s_1B_2Y2R", 1, 2), ("packer", 2, 1), ("packer", 2, 3)])
    assert t.play("activate 0").made == cubes("4Y 4R")


def test_e03_the_fifth_yellow_is_purged():
    """E3 (B33): 2Y>1R works twice with five."""
    t = activating([("hopper", 0, 2, "5Y"), ("c_2Y_1R", 1, 2), ("packer", 2, 2)]).play("activate 0")
    assert t.made == cubes("2R") and t.bank == cubes("23Y 22R 24B")


def test_e04_red_does_not_feed_a_yellow_converter():
    """E4 (B33): three Red are purged."""
    t = activating([("hopper", 0, 2, "3R"), ("c_2Y_1R", 1, 2), ("packer", 2, 2)])
    assert t.bank["R"] == 21
    t.play("activate 0")
    assert t.made == cubes() and t.bank["R"] == 24


def test_e05_the_splitter_and_the_straight_card():
    """E5 (B15): whichever of the two lies there first, the other is refused."""
    feed = [("hopper", 0, 0), ("straight", 1, 0), ("hopper", 0, 2)]
    splitter = position(workshop=[*feed, ("straight", 2, 0)], hand=["s_1B_2Y2R"]).play("select s_1B_2Y2R")
    splitter.refuses("place 1,2")
    straight = position(workshop=[*feed, ("s_1B_2Y2R", 1, 2)], hand=["straight"]).play("select straight")
    straight.refuses("place 2,0")


def splitter_with_two_yellow_and_a_blue():
    """What goes up is made; what goes down is lost in 3R>2B."""
    return activating(
        [("hopper", 0, 2, "2Y 1B"), ("splitter", 1, 2), ("packer", 2, 1), ("c_3R_2B", 2, 3), ("packer", 3, 3)]
    ).play("activate 0")


def test_e06_no_yellow_up_forces_the_blue_up():
    """E6 (B53): the Blue is not asked."""
    t = splitter_with_two_yellow_and_a_blue()
    assert t.legal == {"split 0", "split 1", "split 2"}
    assert t.play("split 0").made == cubes("1B")


def test_e06_both_yellow_up_force_the_blue_down():
    """E6 (B53): the Blue is not asked."""
    assert splitter_with_two_yellow_and_a_blue().play("split 2").made == cubes("2Y")


def test_e06_one_yellow_each_way_leaves_the_blue_free():
    """E6 (B53): the Blue is asked and may go either way."""
    t = splitter_with_two_yellow_and_a_blue().play("split 1")
    assert t.phase == "split" and t.legal == {"split 0", "split 1"}
    assert t.copy().play("split 0").made == cubes("1Y")
    assert t.copy().play("split 1").made == cubes("1Y 1B")


def test_e07_ten_red_and_twenty_yellow_in_the_bank():
    """E7 (B36): 1R>3Y works six times; 18 Yellow are made and all Red are back in the bank."""
    t = position(
        phase="activate",
        workshop=[("hopper", 0, 2, "10R"), ("c_1R_3Y", 1, 2), ("packer", 2, 2)],
        queue=["o01"],
        bank={"Y": 20},
    ).play("activate 0")
    assert t.phase == "fulfil"  # the order of 3 Yellow keeps the pool together
    assert t.made == cubes("18Y") and t.bank == cubes("2Y 24R 24B")


def test_e08_the_joiner_works_as_often_as_the_scarcer_side_allows():
    """E8 (B33): 2 Yellow above and 5 Red below make 2 Blue; 3 Red are purged."""
    t = activating([("hopper", 0, 0, "2Y"), ("hopper", 0, 2, "5R"), ("j_1Y1R_1B", 1, 1), ("packer", 2, 1)])
    t.play("activate 0")
    assert t.made == cubes("2B") and t.bank == cubes("23Y 24R 22B")


def test_e09_a_packer_moves_in_two_actions():
    """E9 (B28, B30): taken to hand in one action, put down elsewhere in another."""
    t = position(workshop=[("hopper", 0, 2), ("splitter", 1, 2), ("packer", 2, 1)])
    t.play("remove 2,1").refuses("select packer", "place 2,3")
    t.play("end", "select packer", "place 2,3")
    assert t.card(2, 3)["kind"] == "packer" and t.snap["actions_left"] == 1


def test_e10_a_cube_held_back_comes_with_the_next_turn():
    """E10 (B37): 1 Yellow made first; then, with 1 Red, the other Yellow."""
    line = [("hopper", 0, 2), ("pause", 1, 2), ("packer", 2, 2)]
    t = position(storage="2Y 1R", workshop=line, queue=["o28"])
    t.play("load Y@0", "load Y@0", "end", "end", "activate 0", "hold Y")
    assert t.storage == cubes("1Y 1R") and t.seat == 1
    t.play("end", "load R@0", "end", "end", "activate 0", "hold none")
    assert t.storage == cubes("2Y 1R") and t.card(1, 2)["held"] is None


def test_e10_without_an_activation_the_held_cube_is_lost():
    """E10 (B38): at the end of the second turn the Yellow goes to the bank."""
    line = [("hopper", 0, 2), ("pause", 1, 2), ("packer", 2, 2)]
    t = position(storage="2Y", workshop=line)
    t.play("load Y@0", "load Y@0", "end", "activate 0", "hold Y")
    t.play("end")
    assert t.card(1, 2)["held"] == "Y" and t.bank["Y"] == 22
    t.play("end")
    assert t.card(1, 2)["held"] is None and t.bank["Y"] == 23


def test_e11_a_joiner_is_taken_out_and_put_back():
    """E11 (B15a): built in the order of the example, removed, and only the joiner fits again at (2, 4)."""
    t = position(
        workshop=[("hopper", 0, 1), ("bend_down", 1, 1), ("hopper", 0, 3), ("straight", 1, 3)],
        hand=["joiner", "straight", "packer"],
    )
    t.play("select joiner", "place 2,4", "select straight", "place 2,2", "end")
    t.play("remove 2,4", "end")
    t.copy().play("select packer").refuses("place 2,4")
    t.play("select joiner")
    assert "place 2,4" in t.legal
    assert t.play("place 2,4").card(2, 4)["kind"] == "joiner"


E12 = {"storage": "1Y 1B", "parts_row": ("c_1Y_1R", "c_1Y_2Y", "j_2Y2R_3B", "s_1R_1R1Y")}  # slot 2 costs 3


def test_e12_a_blue_buys_two_cards():
    """E12 (B24, B52): credit 4, 3 and 0; then the Yellow may be paid, or the Buy ended."""
    t = position(**E12)
    assert t.play("pay B").snap["credit"] == 4
    assert t.play("buy packer").snap["credit"] == 3
    assert t.play("buy 2").snap["credit"] == 0
    assert t.legal == {"end", "pay Y"}


def test_e12_bought_cards_that_fit_may_be_selected():
    """E12 (B25, B52): behind an open hopper both bought cards have a place."""
    t = position(workshop=[("hopper", 0, 2)], **E12).play("pay B", "buy packer", "buy 2")
    assert t.legal == {"end", "pay Y", "select packer", "select j_2Y2R_3B"}


def test_e12_without_the_yellow_the_action_closes():
    """E12 (B52): nothing to pay with and nothing that fits: both cards are in hand."""
    t = position(**{**E12, "storage": "1B"}).play("pay B", "buy packer", "buy 2")
    assert (t.phase, t.snap["actions_left"]) == ("act", 2)
    assert t.hand == {"packer": 1, "j_2Y2R_3B": 1}


def test_e13_eighteen_yellow_at_a_grey_splitter():
    """E13 (B35): 6 Red into 1R>3Y give 18 Yellow; 1 to 17 of them may go up."""
    t = activating(
        [("hopper", 0, 2, "6R"), ("c_1R_3Y", 1, 2), ("splitter", 2, 2), ("packer", 3, 1), ("packer", 3, 3)]
    ).play("activate 0")
    assert t.family("split") == {str(n) for n in range(1, 18)}
    assert t.play("split 17").made == cubes("18Y")
