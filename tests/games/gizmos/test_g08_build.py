"""Build and converters (G8, G10)."""

from __future__ import annotations

from tests.games.gizmos.positions import marbles, position
from tests.support.position import both_backends

pytestmark = both_backends


def test_g08_01_a_card_of_display_or_archive_is_paid_and_put_in_play():
    """G8.1: a display card is replaced, the archive closes up."""
    t = position(ring="1 red 1 blue", display={2: 16}, archive=[20, 21], built=[32], tops={1: [39]})
    assert t.family("build", "build archive") >= {"build 2", "build archive 0", "build archive 1"}
    shown = t.copy().play("build 2")
    assert shown.me["built"] == [0, 16, 32] and shown.snap["display"][2] == 39 and shown.ring == marbles("1 blue")
    filed = t.copy().play("build archive 0")
    assert filed.me["built"] == [0, 20, 32] and filed.me["archive"] == [21] and filed.ring == marbles("1 blue")


def test_g08_01_not_what_cannot_be_paid():
    """G8.1: an empty place of the archive, a card of another color."""
    position(ring="1 blue", display={2: 16}, archive=[20]).refuses("build 2", "build archive 0", "build archive 1")


def test_g08_02_the_cost_is_of_the_color_of_the_card():
    """G8.2: 2 red for a red card of cost 2; 1 red and 1 blue do not pay it; a generic card takes them all."""
    assert "build 4" in position(ring="2 red", display={4: 40}).legal
    assert "build 4" not in position(ring="1 red 4 blue", display={4: 40}).legal
    t = position(ring="3 red 2 blue 2 yellow", built=[72], display={7: 109}).play("build 7")
    assert t.held == 0


def test_g08_03_g13_03_discounts_add_up_but_not_below_zero():
    """G8.3, G13.3: two discounts on a level-2 card of cost 3, two more from the archive, and it is free."""
    t = position(ring="1 red", built=[102, 103], display={4: 52, 5: 53})
    assert "build 4" in t.legal and "build 5" not in t.legal
    t = position(built=[102, 103, 104], archive=[52])
    assert 52 in t.play("build archive 0").me["built"]
    t = position(built=[104, 105], archive=[16])
    assert "build archive 0" in t.legal
    t = position(ring="1 red", built=[104, 105], archive=[16]).play("build archive 0")
    assert (t.snap["payment"]["least"], t.snap["payment"]["most"], t.legal) == (0, 1, {"pay 0", "pay 1"})


def test_g08_04_a_discount_may_be_used_or_not():
    """G8.4: each number from the lowered to the printed cost."""
    t = position(ring="4 red", built=[102, 103], display={4: 52}).play("build 4")
    assert t.phase == "pay" and t.legal == {"pay 1", "pay 2", "pay 3"}
    assert t.copy().play("pay 1").ring == marbles("3 red")
    assert t.play("pay 3").ring == marbles("1 red")


def test_g08_05_exactly_the_amount():
    """G8.5: no more marbles than the cost, and none of another color."""
    t = position(ring="5 red", display={4: 40}).play("build 4")
    assert t.held == 3  # paid without a question
    t = position(ring="1 red 1 blue", built=[24], display={0: 16}).play("build 0")
    assert t.legal == {"pay 0", "pay 1"}
    assert t.copy().play("pay 1").ring == marbles("1 blue")
    assert t.play("pay 0").ring == marbles("1 red")


def test_g08_05_doubled_energy_must_not_be_left_over():
    """G8.5: one red through a doubler does not pay a cost of 1 with 2; it pays without it."""
    t = position(ring="1 red", built=[66], display={0: 16}).play("build 0")
    assert t.held == 0 and 16 in t.me["built"]
    position(ring="1 red", built=[66], display={0: 17}).refuses("build 0")


def test_g08_07_a_new_card_holds_before_triggers_of_its_build():
    """G8.7: an upgrade built with a full archive makes room for the File that its Build triggers; a ban prevents it."""
    full = {"archive": [20], "built": [84], "ring": "4 blue"}
    t = position(**full, display={0: 33}).play("build 0")  # blue: archive + 1
    assert t.credits["file"] == 1 and t.family("file")
    t = position(archive=[20], built=[84, 32], ring="4 blue", display={7: 99}).play("build 7")  # blue: no File
    assert t.seat == 1  # the credit could not be used


def test_g08_08_built_cards_are_not_limited():
    """G8.8: a 17th and 18th in the turn of the 16th."""
    built = [*range(5, 16), 88, 89, 17]
    t = position(ring="1 red 1 blue", built=built, display={0: 16, 1: 18, 2: 20, 3: 4})
    assert len(t.me["built"]) == 15
    t.play("build 0")
    assert t.snap["last_round"] and t.credits["free_build"] == 1
    t.play("build 1")
    assert t.credits["free_build"] == 1 and len(t.me["built"]) == 17
    assert len(t.play("build 2").me["built"]) == 18


def test_g10_01_converters_work_while_paying_only_and_as_one_likes():
    """G10.1: no move converts otherwise; a marble may be paid as it is though a converter could take it."""
    t = position(ring="2 blue", built=[24, 64])
    assert not t.family("convert")
    t = position(ring="1 red 1 blue", built=[24], display={0: 16}).play("build 0")
    assert t.legal == {"pay 0", "pay 1"}


def test_g10_01_what_one_gives_another_may_take():
    """G10.1: blue to red, red doubled."""
    t = position(ring="1 blue", built=[24, 66], display={4: 40}).play("build 4")
    assert 40 in t.me["built"] and t.held == 0


def test_g10_02_a_converter_serves_one_payment_of_a_turn():
    """G10.2: used for the first payment it is missing in the second."""
    t = position(built=[91, 27], ring="2 yellow", display={0: 16}, tops={1: [39, 20, 22, 19]})
    t.play("build 0")
    assert t.snap["used"] == [27] and t.credits["research"] == 1
    t.play("research 1")
    assert t.family("build hand") == {"build hand 0"}  # 19 is yellow; 20 is red, 22 black
    t = position(built=[91, 27], ring="1 red 2 yellow", display={0: 16}, tops={1: [39, 20, 22, 19]})
    t.play("build 0", "pay 1")
    assert t.snap["used"] == []
    assert t.play("research 1").family("build hand") == {"build hand 0", "build hand 1", "build hand 2"}


def test_g10_02_g05_05_a_used_converter_is_ready_for_the_next_turn():
    """G5.5, G10.2: the mark is gone when the turn is over."""
    t = position(built=[91, 27], ring="2 yellow", display={0: 16}).play("build 0")
    assert t.snap["used"] == [27]
    t.play("end")
    assert t.seat == 1 and t.snap["used"] == []


def test_g10_03_every_converter_does_what_it_shows():
    """G10.3 (a)-(e): the longest cost of each color that two marbles of one color reach."""
    for color, cards in {"red": (26, 28), "blue": (24, 30), "black": (25, 31), "yellow": (27, 29)}.items():
        for card in cards:  # (a): one of the two becomes anything
            assert reached(color, [card]) == {**dict.fromkeys(marbles(), 1), color: 2}
    for color, card in {"yellow": 60, "black": 61, "blue": 62, "red": 63}.items():  # (b)
        assert reached(color, [card]) == dict.fromkeys(marbles(), 2)
    doublers = {"blue": (64, 70), "black": (65, 71), "red": (66, 68), "yellow": (67, 69)}
    for color, cards in doublers.items():  # (c)
        for card in cards:
            assert reached(color, [card]) == {**marbles(), color: 3}
    for card in (92, 93):  # (d)
        for color in marbles():
            assert reached(color, [card]) == {**dict.fromkeys(marbles(), 1), color: 2}
    for card, colors in {94: ("red", "black"), 95: ("blue", "yellow")}.items():  # (e)
        for color in marbles():
            assert reached(color, [card]) == {**marbles(), color: 3 if color in colors else 2}


COST_1 = {"red": 16, "blue": 17, "black": 18, "yellow": 19}
COST_2 = {"red": 40, "blue": 41, "black": 42, "yellow": 43}
COST_3 = {"red": 52, "blue": 53, "black": 54, "yellow": 55}


def reached(color: str, built: list[int]) -> dict[str, int]:
    """For each color the highest cost from 1 to 3 that 2 marbles of one color pay with these converters."""
    most = {}
    for wanted in marbles():
        costs = [0]
        for cost, cards in ((1, COST_1), (2, COST_2), (3, COST_3)):
            t = position(ring=f"2 {color}", built=built, archive=[cards[wanted]])
            if "build archive 0" in t.legal:
                costs.append(cost)
        most[wanted] = max(costs)
    return most


def test_g10_04_halves_may_be_used_apart_and_one_uses_up_the_card():
    """G10.4: one half of a twice-to-any in the first payment, none is left for the second."""
    t = position(built=[91, 60], ring="2 yellow", display={0: 16}, tops={1: [39, 20, 22, 19]}).play("build 0")
    assert t.snap["used"] == [60] and t.ring == marbles("1 yellow")
    assert t.play("research 1").family("build hand") == {"build hand 0"}


def test_g10_04_each_half_once():
    """G10.4: a double doubler makes 4 of 1 red and 1 black, not 4 of 2 red."""
    assert "build 7" in position(ring="3 red 2 black", built=[72, 94], display={7: 108}).legal
    assert "build 7" not in position(ring="5 red", built=[72, 94], display={7: 108}).legal


def test_g10_05_another_converter_between_two_halves():
    """G10.5: red is doubled, one red becomes black, black is doubled: 5 marbles pay 7."""
    ring = "5 red"
    assert "build 7" in position(ring=ring, built=[72, 94, 26], display={7: 108}).legal


def test_g10_06_the_marbles_themselves_return():
    """G10.6: a doubled blue that pays for red returns as one blue."""
    t = position(ring="1 blue", built=[24, 66], display={4: 40})
    before = t.snap["dispenser"]
    t.play("build 4")
    assert t.snap["dispenser"] == {**before, "blue": before["blue"] + 1}


def test_g10_07_a_converter_without_use_is_not_used():
    """G10.7: with two payments to come a plain payment marks none."""
    t = position(built=[91, 26], ring="1 red", display={0: 16}).play("build 0")
    assert t.snap["used"] == [] and t.held == 0


def test_g10_08_a_converter_built_this_turn_serves_a_later_payment():
    """G10.8: built as a red card it triggers the Research and pays for its card."""
    t = position(built=[91], ring="1 red 1 blue", display={0: 24}, tops={1: [39, 20, 22, 19]}).play("build 0")
    t.play("research 1")
    assert t.family("build hand") == {"build hand 0", "build hand 1", "build hand 2"}
    t.play("build hand 2")
    assert 22 in t.me["built"] and t.held == 0
