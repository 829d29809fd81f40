"""Chapter 5: activating Devices (B31-B39). The numbers in the comments are junctions."""

from __future__ import annotations

import pytest

from tests.games.bdgame.positions import SPECIALS, activating, cubes, position
from tests.support.position import both_backends, engine_only

pytestmark = both_backends


def line(*kinds: str, load: str = "", x: int = 0, y: int = 2) -> list[tuple]:
    """A hopper with its cubes, the kinds one after the other at the same height, and a packer."""
    cards = [("hopper", x, y, load)] if load else [("hopper", x, y)]
    cards += [(kind, x + n, y) for n, kind in enumerate(kinds, start=1)]
    return [*cards, ("packer", x + len(kinds) + 1, y)]


def fork(load: str) -> list[tuple]:
    """A grey splitter: what goes up is made, what goes down is lost (fewer than 3 Red in 3R>2B)."""
    return [
        ("hopper", 0, 2, load),
        ("splitter", 1, 2),
        ("packer", 2, 1),
        ("c_3R_2B", 2, 3),
        ("packer", 3, 3),
    ]


def test_b31_devices_are_activated_in_any_order_each_once():
    """B31: of three loaded Devices the middle one first; none is offered twice."""
    t = position(
        workshop=[
            ("hopper", 0, 0, "1Y"),
            ("packer", 1, 0),
            ("hopper", 0, 3, "1R"),
            ("packer", 1, 3),
            ("hopper", 0, 6, "1B"),
            ("packer", 1, 6),
        ]
    ).play("end")
    assert t.family("activate") == {"0", "1", "2"}
    assert t.play("activate 1").family("activate") == {"0", "2"}
    t.refuses("activate 1")
    assert t.play("activate 2").family("activate") == {"0"}


def test_b31_a_player_may_leave_devices_alone():
    """B31: `end` passes; the cubes stay on the hopper."""
    t = position(workshop=line(load="2Y")).play("end", "end")
    assert t.seat == 1 and t.hopper(0) == cubes("2Y")


def test_b31_a_device_without_cubes_is_not_activated():
    """B31: only the loaded one of two finished Devices is offered."""
    t = position(workshop=[*line(), *line(load="1R", y=6)]).play("end")
    assert t.legal == {"end", "activate 1"}
    t.refuses("activate 0")


def test_b31_a_held_cube_alone_does_not_start_a_device():
    """B31: with a cube on the pause card and an empty hopper there is nothing to activate."""
    t = position(workshop=[("hopper", 0, 2), ("pause", 1, 2, "Y"), ("packer", 2, 2)])
    assert t.play("end").seat == 1


def test_b31_an_unfinished_device_is_not_activated():
    """B31: the loaded hopper without a packer is not offered, the finished Device is."""
    t = position(workshop=[("hopper", 0, 2, "1Y"), ("straight", 1, 2), *line(load="1R", y=6)]).play("end")
    assert t.family("activate") == {"1"}


def test_b31_a_device_is_named_by_its_lowest_loaded_slot():
    """B31: of a Device with hoppers 0 and 1 only the second one is loaded: it is activated as 1."""
    t = activating([("hopper", 0, 0), ("hopper", 0, 2, "2R"), ("joiner", 1, 1), ("packer", 2, 1)])
    assert t.family("activate") == {"1", "5"}
    t.refuses("activate 0")


def test_b32_all_hoppers_of_a_device_empty_at_once():
    """B32: two hoppers, one activation, both empty; the other Device keeps its cube."""
    t = activating([("hopper", 0, 0, "2Y"), ("hopper", 0, 2, "1R 1B"), ("joiner", 1, 1), ("packer", 2, 1)])
    assert t.family("activate") == {"0", "5"}
    t.play("activate 0")
    assert t.hopper(0) == t.hopper(1) == cubes() and t.hopper(5) == cubes("1Y")
    assert t.made == cubes("2Y 1R 1B")


def test_b32_a_hopper_in_a_later_column_joins_in():
    """B32: a hopper in column 1 feeds the joiner in column 2 together with the line from column 0."""
    t = activating(
        [
            ("hopper", 0, 2, "1Y"),
            ("straight", 1, 2),
            ("hopper", 1, 4, "1B"),
            ("joiner", 2, 3),
            ("packer", 3, 3),
        ]
    )
    assert t.play("activate 0").made == cubes("1Y 1B")


def test_b32_the_left_column_takes_from_the_bank_first():
    """B32: 3 Red in the bank: 1B>3R in column 1 takes them all, 1Y>1R above it in column 2 gets none."""
    t = activating(
        [
            ("hopper", 0, 0, "1Y"),
            ("straight", 1, 0),
            ("c_1Y_1R", 2, 0),
            ("hopper", 0, 2, "1B"),
            ("c_1B_3R", 1, 2),
            ("straight", 2, 2),
            ("joiner", 3, 1),
            ("packer", 4, 1),
        ],
        players=4,
        bank={"R": 3},
    )
    t.play("activate 0")
    assert t.made == cubes("3R") and t.bank["R"] == 0


def test_b32_the_upper_card_of_a_column_takes_from_the_bank_first():
    """B32: 3 Yellow in the bank: 1R>3Y at y = 1 takes them, the splitter at y = 5 gets none."""
    t = activating(
        [
            ("hopper", 0, 3, "2R"),
            ("splitter", 1, 3),  # one Red each way, not asked
            ("bend_up", 2, 2),  # 3 to 2
            ("bend_down", 2, 4),  # 5 to 6
            ("c_1R_3Y", 3, 1),
            ("s_1R_1R1Y", 3, 5),  # outlets at 5 and 7
            ("packer", 4, 1),
            ("packer", 4, 4),
            ("packer", 4, 6),
        ],
        players=4,
        bank={"Y": 3},
    )
    t.play("activate 0")
    assert t.made == cubes("3Y") and t.bank["Y"] == 0


def test_b32_with_one_more_yellow_both_cards_of_the_column_work():
    """B32: with 4 Yellow in the bank the upper card takes three, the lower one the fourth."""
    t = activating(
        [
            ("hopper", 0, 3, "2R"),
            ("splitter", 1, 3),
            ("bend_up", 2, 2),
            ("bend_down", 2, 4),
            ("c_1R_3Y", 3, 1),
            ("s_1R_1R1Y", 3, 5),
            ("packer", 4, 1),
            ("packer", 4, 4),
            ("packer", 4, 6),
        ],
        players=4,
        bank={"Y": 4},
    )
    assert t.play("activate 0").made == cubes("4Y 1R")


CONVERTERS = {
    "c_2Y_1R": ("2Y", "1R"),
    "c_1Y_1R": ("1Y", "1R"),
    "c_3Y_1B": ("3Y", "1B"),
    "c_2R_1B": ("2R", "1B"),
    "c_3R_2B": ("3R", "2B"),
    "c_1R_3Y": ("1R", "3Y"),
    "c_1B_3R": ("1B", "3R"),
    "c_1Y_2Y": ("1Y", "2Y"),
}
SPLITTERS = {
    "s_1B_2Y2R": ("1B", "2Y", "2R"),
    "s_1R_1R1Y": ("1R", "1R", "1Y"),
    "s_2Y_1Y1R": ("2Y", "1Y", "1R"),
    "s_1B_1B1R": ("1B", "1B", "1R"),
    "s_2R_1R1B": ("2R", "1R", "1B"),
    "s_4Y_1B1R": ("4Y", "1B", "1R"),
}
JOINERS = {
    "j_2Y2R_3B": ("2Y", "2R", "3B"),
    "j_1Y1R_1B": ("1Y", "1R", "1B"),
    "j_1Y1Y_1Y1R": ("1Y", "1Y", "1Y 1R"),
    "j_1R1R_1Y1B": ("1R", "1R", "1Y 1B"),
    "j_1Y1B_1R2B": ("1Y", "1B", "1R 2B"),
    "j_1Y1R_3R": ("1Y", "1R", "3R"),
}


@engine_only  # it plays nothing
def test_b33_every_special_kind_is_tried_here():
    """B33: the three matches of this file are all kinds there are."""
    assert sorted([*CONVERTERS, *SPLITTERS, *JOINERS]) == sorted(SPECIALS)


@pytest.mark.parametrize("kind", CONVERTERS)
def test_b33_a_converter_turns_its_inputs_into_its_outputs(kind):
    """B33: exactly one set of inputs gives exactly one set of outputs."""
    takes, gives = CONVERTERS[kind]
    assert activating(line(kind, load=takes)).play("activate 0").made == cubes(gives)


@pytest.mark.parametrize("kind", SPLITTERS)
def test_b33_a_special_splitter_gives_each_color_at_its_outlet(kind):
    """B33: the upper outlet ends in a packer, the lower one in a pause card, which shows what came there."""
    takes, up, down = SPLITTERS[kind]
    t = activating([("hopper", 0, 2, takes), (kind, 1, 2), ("packer", 2, 1), ("pause", 2, 3), ("packer", 3, 3)])
    t.play("activate 0")
    assert t.made == cubes(up)
    assert t.snap["pending"]["arrived"] == cubes(down)


@pytest.mark.parametrize("kind", JOINERS)
def test_b33_a_special_joiner_needs_each_input_at_its_inlet(kind):
    """B33: fed as printed it works; fed the other way round it works only if both inlets ask for the same."""
    up, down, gives = JOINERS[kind]

    def fed(above: str, below: str) -> dict[str, int]:
        device = [("hopper", 0, 0, above), ("hopper", 0, 2, below), (kind, 1, 1), ("packer", 2, 1)]
        return activating(device).play("activate 0").made

    assert fed(up, down) == cubes(gives)
    assert fed(down, up) == (cubes(gives) if up == down else cubes())


def test_b33_a_part_works_as_often_as_it_can():
    """B33: 7 Yellow into 2Y>1R: three times, one Yellow is purged."""
    t = activating(line("c_2Y_1R", load="7Y")).play("activate 0")
    assert t.made == cubes("3R") and t.bank == cubes("23Y 21R 24B")


def test_b33_a_wrong_color_is_purged():
    """B33: Red and Blue do not pass a Yellow converter."""
    t = activating(line("c_3Y_1B", load="3Y 2R 1B")).play("activate 0")
    assert t.made == cubes("1B") and t.bank == cubes("23Y 24R 23B")


def test_b33_the_scarcer_input_counts():
    """B33: 5 Yellow above and 3 Red below into 2Y+2R>3B: once; 3 Yellow and 1 Red are purged."""
    device = [("hopper", 0, 0, "5Y"), ("hopper", 0, 2, "3R"), ("j_2Y2R_3B", 1, 1), ("packer", 2, 1)]
    t = activating(device).play("activate 0")
    assert t.made == cubes("3B") and t.bank == cubes("23Y 24R 21B")


def test_b33_a_special_joiner_fed_from_one_side_makes_nothing():
    """B33: with the lower hopper empty all that came from above is purged."""
    device = [("hopper", 0, 0, "3Y 2R"), ("hopper", 0, 2), ("j_1Y1R_1B", 1, 1), ("packer", 2, 1)]
    t = activating(device).play("activate 0")
    assert t.made == cubes() and t.bank == cubes("23Y 24R 24B")


def test_b33_cubes_of_one_inlet_do_not_help_the_other():
    """B33: Yellow at both inlets of 1Y+1R>3R: the Red of the upper inlet does not count for the lower one."""
    device = [("hopper", 0, 0, "2Y 2R"), ("hopper", 0, 2, "2Y 1R"), ("j_1Y1R_3R", 1, 1), ("packer", 2, 1)]
    assert activating(device).play("activate 0").made == cubes("3R")


def test_b33_converters_in_a_row():
    """B33: 2B > 6R > three times 2R: 3 Red above, 3 Blue below, joined again."""
    device = [
        ("hopper", 0, 3, "2B"),
        ("c_1B_3R", 1, 3),
        ("s_2R_1R1B", 2, 3),
        ("joiner", 3, 3),
        ("packer", 4, 3),
    ]
    assert activating(device).play("activate 0").made == cubes("3R 3B")


def test_b33_a_special_splitter_feeds_a_special_joiner():
    """B33: 5 Yellow into 2Y>1Y,1R: twice; 2 Yellow above and 2 Red below make 6 Red."""
    device = [("hopper", 0, 3, "5Y"), ("s_2Y_1Y1R", 1, 3), ("j_1Y1R_3R", 2, 3), ("packer", 3, 3)]
    t = activating(device).play("activate 0")
    assert t.made == cubes("6R") and t.bank == cubes("23Y 18R 24B")


@pytest.mark.parametrize("kind", ["straight", "bend_up", "bend_down"])
def test_b34_straights_and_bends_pass_everything(kind):
    """B34: colors and numbers stay as they are."""
    end = {"straight": 2, "bend_up": 1, "bend_down": 3}[kind]
    t = activating([("hopper", 0, 2, "3Y 2R 1B"), (kind, 1, 2), ("packer", 2, end)])
    assert t.play("activate 0").made == cubes("3Y 2R 1B")


def test_b34_a_joiner_passes_all_of_both_inlets():
    """B34: what comes from above and from below leaves together."""
    device = [("hopper", 0, 0, "3Y 1R"), ("hopper", 0, 2, "2R 1B"), ("joiner", 1, 1), ("packer", 2, 1)]
    assert activating(device).play("activate 0").made == cubes("3Y 3R 1B")


@pytest.mark.parametrize(("above", "below", "slot"), [("2R 1B", "", 0), ("", "2R 1B", 1)])
def test_b34_a_joiner_fed_from_one_side_passes_it(above, below, slot):
    """B34: a grey joiner does not wait for its other inlet."""
    device = [("hopper", 0, 0, above), ("hopper", 0, 2, below), ("joiner", 1, 1), ("packer", 2, 1)]
    assert activating(device).play(f"activate {slot}").made == cubes("2R 1B")


def test_b34_bends_lead_around():
    """B34: down, along and up again: 4 Blue arrive unchanged."""
    device = [
        ("hopper", 0, 2, "4B"),
        ("bend_down", 1, 2),  # 3 to 4
        ("bend_down", 2, 3),  # 4 to 5
        ("straight", 3, 4),
        ("bend_up", 4, 4),  # 5 to 4
        ("packer", 5, 3),
    ]
    assert activating(device).play("activate 0").made == cubes("4B")


def test_b35_the_player_chooses_how_many_go_up():
    """B35: of 5 Yellow three go up and are made, two go down."""
    t = activating(fork("5Y")).play("activate 0")
    assert t.family("split") == {"1", "2", "3", "4"}
    t.refuses("split 0", "split 5", "end", "activate 5")
    assert t.play("split 3").made == cubes("3Y")


@pytest.mark.parametrize(("n", "made"), [(0, ""), (1, "1B")])
def test_b35_a_single_cube_goes_either_way(n, made):
    """B35: one Blue may go down, where it is lost, or up."""
    t = activating(fork("1B")).play("activate 0")
    assert t.family("split") == {"0", "1"}
    assert t.play(f"split {n}").made == cubes(made)


def test_b35_two_cubes_of_a_color_go_one_each_way():
    """B35: there is nothing to choose, so that nothing is asked."""
    assert activating(fork("2Y")).play("activate 0").made == cubes("1Y")


def test_b35_the_halves_of_a_split_are_joined_again():
    """B35: 3 Yellow and 2 Red split and joined: nothing is lost, whatever was chosen."""
    device = [("hopper", 0, 3, "3Y 2R"), ("splitter", 1, 3), ("joiner", 2, 3), ("packer", 3, 3)]
    t = activating(device).play("activate 0", "split 2")
    assert t.family("split") == {"0", "1", "2"}
    assert t.play("split 0").made == cubes("3Y 2R")


def test_b35_the_split_decides_what_each_branch_makes():
    """B35: 2Y 1R up into 2Y>1R, 1Y 1R down into 1R>3Y: 1 Red and 3 Yellow; 1 Red and 1 Yellow are purged."""
    device = [
        ("hopper", 0, 3, "3Y 2R"),
        ("splitter", 1, 3),
        ("c_2Y_1R", 2, 2),
        ("c_1R_3Y", 2, 4),
        ("joiner", 3, 3),
        ("packer", 4, 3),
    ]
    t = activating(device).play("activate 0", "split 2", "split 1")
    assert t.made == cubes("3Y 1R") and t.bank == cubes("20Y 23R 24B")


def test_b35_another_split_makes_more():
    """B35: the same cubes, 3Y up and 2R down: 1 Red and 6 Yellow."""
    device = [
        ("hopper", 0, 3, "3Y 2R"),
        ("splitter", 1, 3),
        ("c_2Y_1R", 2, 2),
        ("c_1R_3Y", 2, 4),
        ("joiner", 3, 3),
        ("packer", 4, 3),
    ]
    assert activating(device).play("activate 0", "split 3", "split 0").made == cubes("6Y 1R")


def test_b35_two_splitters_are_asked_one_after_the_other():
    """B35: 4 Yellow: 3 up to a second splitter; of these 1 up, 2 down: the lower packer gets 1."""
    device = [
        ("hopper", 0, 4, "4Y"),
        ("splitter", 1, 4),  # outlets at 4 and 6
        ("splitter", 2, 3),  # outlets at 3 and 5
        ("bend_down", 2, 5),  # 6 to 7
        ("c_2Y_1R", 3, 2),
        ("c_1Y_1R", 3, 4),
        ("packer", 3, 6),
        ("packer", 4, 2),
        ("packer", 4, 4),
    ]
    t = activating(device).play("activate 0")
    assert (t.snap["pending"]["x"], t.family("split")) == (1, {"1", "2", "3"})
    t.play("split 3")
    assert (t.snap["pending"]["x"], t.family("split")) == (2, {"1", "2"})
    t.play("split 1")
    assert t.made == cubes("1Y 2R")  # 1Y into 2Y>1R is purged, 2Y into 1Y>1R


def test_b36_a_short_bank_limits_the_workings():
    """B36: 4 Blue into 1B>3R with 7 Red in the bank: twice; all Blue are back in the bank."""
    t = activating(line("c_1B_3R", load="4B"), players=3, bank={"R": 7}).play("activate 0")
    assert t.made == cubes("6R") and t.bank == cubes("23Y 1R 24B")


def test_b36_the_scarcest_of_two_products_counts():
    """B36: 3 Blue into 1B>2Y,2R with 15 Yellow and 3 Red in the bank: once."""
    device = [("hopper", 0, 2, "3B"), ("s_1B_2Y2R", 1, 2), ("packer", 2, 1), ("packer", 2, 3)]
    t = activating(device, players=4, bank={"Y": 15, "R": 3}).play("activate 0")
    assert t.made == cubes("2Y 2R") and t.bank == cubes("13Y 1R 24B")


def test_b36_a_part_whose_product_is_missing_makes_nothing():
    """B36: 1 Red in the bank is too little for 1B>2Y,2R: no Yellow either, the Blue is purged."""
    device = [("hopper", 0, 2, "1B"), ("s_1B_2Y2R", 1, 2), ("packer", 2, 1), ("packer", 2, 3)]
    t = activating(device, players=4, bank={"R": 1}).play("activate 0")
    assert t.made == cubes() and t.bank == cubes("23Y 1R 24B")


def test_b36_consumed_cubes_are_in_the_bank_before_products_are_taken():
    """B36: 3 Yellow into 1Y>2Y with no Yellow in the bank: the three returned give one working."""
    t = activating(line("c_1Y_2Y", load="3Y"), players=4, bank={"Y": 0}).play("activate 0")
    assert t.made == cubes("2Y") and t.bank["Y"] == 1


def test_b36_purged_cubes_are_in_the_bank_before_products_are_taken():
    """B36: no Blue in the bank, but a purged one supplies the joiner's product."""
    device = [("hopper", 0, 0, "1Y 1B"), ("hopper", 0, 2, "1R"), ("j_1Y1R_1B", 1, 1), ("packer", 2, 1)]
    t = activating(device, players=4, bank={"B": 0}).play("activate 0")
    assert t.made == cubes("1B") and t.bank["B"] == 0


def test_b36_made_cubes_do_not_come_back_to_the_bank():
    """B36: what lies in the pool cannot supply a second Device: 3 Red once, then none."""
    device = [*line("c_1B_3R", load="1B"), *line("c_1B_3R", load="1B", y=5)]
    t = activating(device, players=4, bank={"R": 4}).play("activate 0")
    assert t.made == cubes("3R")
    assert t.play("activate 1").made == cubes("3R") and t.bank["R"] == 1


def test_b37_one_arrived_cube_may_be_held():
    """B37: of 2 Yellow and 1 Blue one Blue is held, the others are made."""
    t = activating(line("pause", load="2Y 1B")).play("activate 0")
    assert t.phase == "hold" and t.legal == {"hold Y", "hold B", "hold none"}
    t.refuses("hold R", "end")
    t.play("hold B")
    assert t.made == cubes("2Y")
    assert t.card(1, 2) == {"x": 1, "y": 2, "kind": "pause", "held": "B", "fresh": True}


def test_b37_nothing_need_be_held():
    """B37: with `hold none` all pass."""
    t = activating(line("pause", load="2Y 1B")).play("activate 0", "hold none")
    assert t.made == cubes("2Y 1B") and t.card(1, 2)["held"] is None


def test_b37_a_single_cube_may_be_held():
    """B37: the only cube that arrived may stay; then nothing is made."""
    t = activating(line("pause", load="1R")).play("activate 0", "hold R")
    assert t.made == cubes() and t.card(1, 2)["held"] == "R" and t.bank["R"] == 23


def test_b37_an_old_cube_leaves_first_and_cannot_be_held_again():
    """B37: a Yellow held from before leaves; only the Red that arrived now may be held."""
    t = activating([("hopper", 0, 2, "1R"), ("pause", 1, 2, "Y"), ("packer", 2, 2)]).play("activate 0")
    assert t.legal == {"hold R", "hold none"}
    t.play("hold R")
    assert t.made == cubes("1Y") and t.card(1, 2)["held"] == "R" and t.card(1, 2)["fresh"]


def test_b37_an_old_cube_leaves_even_if_no_other_arrives():
    """B37: the flow comes through the other branch only: the held Blue is made, nothing is asked."""
    device = [
        ("hopper", 0, 0),
        ("pause", 1, 0, "B"),
        ("hopper", 0, 2, "1R"),
        ("straight", 1, 2),
        ("joiner", 2, 1),
        ("packer", 3, 1),
    ]
    t = activating(device).play("activate 1")
    assert t.made == cubes("1R 1B") and t.card(1, 0)["held"] is None


def test_b37_a_released_cube_works_with_those_that_arrive():
    """B37: 1 Yellow held and 1 Yellow loaded give 2Y>1R its pair."""
    device = [("hopper", 0, 2, "1Y"), ("pause", 1, 2, "Y"), ("c_2Y_1R", 2, 2), ("packer", 3, 2)]
    assert activating(device).play("activate 0", "hold none").made == cubes("1R")


def test_b37_a_held_cube_is_missed_behind_the_pause_card():
    """B37: of 2 Yellow one is held: the other alone does not work in 2Y>1R and is purged."""
    device = [("hopper", 0, 2, "2Y"), ("pause", 1, 2), ("c_2Y_1R", 2, 2), ("packer", 3, 2)]
    t = activating(device).play("activate 0", "hold Y")
    assert t.made == cubes() and t.bank["Y"] == 22


def test_b37_two_pause_cards_hold_one_cube_each():
    """B37: of 3 Yellow the first card holds one, the second another, one is made."""
    t = activating(line("pause", "pause", load="3Y")).play("activate 0", "hold Y", "hold Y")
    assert t.made == cubes("1Y")
    assert (t.card(1, 2)["held"], t.card(2, 2)["held"]) == ("Y", "Y")


def test_b37_a_cube_released_by_one_pause_card_may_be_held_by_the_next():
    """B37: for the second card the old Blue of the first one has just arrived; its own old Yellow leaves."""
    device = [("hopper", 0, 2, "1R"), ("pause", 1, 2, "B"), ("pause", 2, 2, "Y"), ("packer", 3, 2)]
    t = activating(device).play("activate 0", "hold R")
    assert t.snap["pending"]["x"] == 2 and t.legal == {"hold B", "hold none"}
    assert t.play("hold B").made == cubes("1Y")


def test_b37_a_cube_is_held_over_turn_after_turn():
    """B37: three turns of one line: each turn releases what the one before held back."""
    t = position(storage="2Y 1R", workshop=line("pause"))
    t.play("load Y@0", "end", "end", "activate 0", "hold Y", "end")
    assert t.storage == cubes("1Y 1R") and t.card(1, 2)["held"] == "Y" and not t.card(1, 2)["fresh"]
    t.play("load R@0", "end", "end", "activate 0", "hold R", "end")
    assert t.storage == cubes("2Y") and t.card(1, 2)["held"] == "R"
    t.play("load Y@0", "end", "end", "activate 0", "hold none")
    assert t.storage == cubes("2Y 1R") and t.card(1, 2)["held"] is None


def test_b38_a_held_cube_is_lost_if_its_device_rests():
    """B38: not activated in the turn after it was held, the Device loses the cube to the bank."""
    t = position(workshop=[("hopper", 0, 2), ("pause", 1, 2, "R"), ("packer", 2, 2)])
    assert t.bank["R"] == 23
    t.play("end")
    assert t.bank["R"] == 24 and t.card(1, 2)["held"] is None


def test_b38_a_cube_held_in_this_turn_stays():
    """B38: it lies through the other players' turns, and is not fresh any more."""
    t = position(players=3, workshop=line("pause", load="1B")).play("end", "activate 0", "hold B")
    assert t.seat == 1
    assert t.card(1, 2)["held"] == "B" and t.card(1, 2)["fresh"] is False
    t.play("end", "end")
    assert t.seat == 0 and t.card(1, 2)["held"] == "B"


def test_b38_a_loaded_device_that_rests_loses_its_held_cube_only():
    """B38: the cube on the hopper stays, the held one goes."""
    t = position(workshop=[("hopper", 0, 2, "1Y"), ("pause", 1, 2, "R"), ("packer", 2, 2)]).play("end", "end")
    assert t.hopper(0) == cubes("1Y") and t.card(1, 2)["held"] is None and t.bank["R"] == 24


def test_b38_each_pause_card_is_judged_by_its_own_device():
    """B38: one Device works and holds a new cube, the other rests and loses its old one."""
    t = position(workshop=[*line("pause", load="2Y"), ("hopper", 0, 5), ("pause", 1, 5, "R"), ("packer", 2, 5)]).play(
        "end", "activate 0", "hold Y"
    )
    assert t.card(1, 2)["held"] == "Y" and t.card(1, 5)["held"] is None


def test_b38_a_held_cube_does_not_count_towards_the_limit():
    """B38: ten cubes in storage and one held: nothing is discarded."""
    t = position(storage="8Y", workshop=[("hopper", 0, 2), ("pause", 1, 2, "R"), ("packer", 2, 2)])
    assert t.play("collect").phase == "act" and t.storage == cubes("10Y")


def test_b38_the_cube_goes_after_storing_and_discarding():
    """B38: while the player discards after storing, the held cube still lies on its card."""
    t = position(
        storage="8Y",
        workshop=[*line("c_1R_3Y", load="2R"), ("hopper", 0, 5), ("pause", 1, 5, "B"), ("packer", 2, 5)],
    ).play("end", "activate 0")
    assert t.phase == "discard" and t.storage == cubes("14Y") and t.card(1, 5)["held"] == "B"
    t.play("discard Y", "discard Y", "discard Y", "discard Y")
    assert t.card(1, 5)["held"] is None and t.bank["B"] == 24 and t.seat == 1


def test_b39_cubes_at_a_packer_are_made():
    """B39: what reached a packer lies in the pool, not in storage."""
    t = activating(line(load="2Y 1R")).play("activate 0")
    assert t.made == cubes("2Y 1R") and t.storage == cubes()


def test_b39_all_devices_of_a_turn_fill_one_pool():
    """B39: what several Devices make adds up."""
    t = activating([*line("c_2Y_1R", load="4Y"), *line(load="1R 1B", y=5)]).play("activate 0")
    assert t.made == cubes("2R")
    assert t.play("activate 1").made == cubes("3R 1B")


def test_b39_a_packer_makes_its_cubes_at_once():
    """B39: the upper packer has made its cubes before the pause card below is asked."""
    device = [
        ("hopper", 0, 2, "2B"),
        ("splitter", 1, 2),
        ("packer", 2, 1),
        ("pause", 2, 3),
        ("packer", 3, 3),
    ]
    t = activating(device).play("activate 0")
    assert t.phase == "hold" and t.made == cubes("1B")


def test_b39_all_packers_of_a_device_make_cubes():
    """B39: a splitter's two packers fill the same pool."""
    device = [("hopper", 0, 2, "1Y 2R"), ("splitter", 1, 2), ("packer", 2, 1), ("packer", 2, 3)]
    t = activating(device).play("activate 0", "split 0", "split 1")
    assert t.made == cubes("1Y 2R")
