"""The worked examples (E1-E10)."""

from __future__ import annotations

from bdgame_env.games.gizmos.cards import ANY, CONVERTER
from bdgame_env.games.gizmos.payment import count_of, energies_of, one_of_type, packed
from tests.games.gizmos.positions import marbles, position
from tests.support.position import both_backends, engine_only

pytestmark = both_backends


def test_e01_a_doubler_makes_three_of_two():
    """E1: 4 black are not reached."""
    t = position(ring="2 black", built=[65], display={7: 77, 4: 54})
    assert "build 7" not in t.legal and "build 4" in t.legal
    position(ring="3 black", built=[65], display={7: 77}).play("build 7")


def test_e02_one_yellow_as_blue_is_not_two():
    """E2: nor are two yellow, with one converter."""
    position(ring="2 yellow", built=[27], display={4: 41}).refuses("build 4")


def test_e03_yellow_as_red_doubled_as_blue():
    """E3: 1 yellow pays 2 blue."""
    t = position(ring="2 yellow", built=[27, 66, 63], display={4: 41}).play("build 4")
    assert 41 in t.me["built"] and t.ring == marbles("1 yellow")


def test_e04_building_from_the_archive():
    """E4: credits pick 1 after the Build, then draw 1 after the Pick of a yellow."""
    t = position(ring="1 red 2 yellow", built=[27, 67, 12, 44], archive=[59]).play("build archive 0")
    assert t.ring == marbles("1 red") and 59 in t.me["built"]
    assert t.credits == {"draw": 0, "pick": 1, "file": 0, "free_build": 0, "research": 0, "points": 0}
    t.play("pick yellow")
    assert t.credits["pick"] == 0 and t.credits["draw"] == 1 and t.legal == {"draw", "end"}


def test_e05_one_point_and_one_pick():
    """E5: the card just built adds nothing."""
    t = position(rules="quick", ring="3 blue", built=[23, 45], archive=[57]).play("build archive 0")
    assert t.me["tokens"] == 1 and t.credits["pick"] == 1 and t.snap["spent"] == [23, 45]


def test_e06_a_discount_is_no_marble():
    """E6: nothing to double in an empty ring; with 1 red the discount does it alone."""
    position(built=[102, 66], display={4: 40}).refuses("build 4")
    t = position(ring="1 red", built=[102, 66, 91], display={4: 40}).play("build 4")
    assert 40 in t.me["built"] and t.held == 0 and t.snap["used"] == []


def test_e07_a_converter_between_the_halves_of_another():
    """E7: black doubled, one black as red, red doubled: 3 energy."""
    built = [94, 25, 72]
    assert "build 7" not in position(ring="1 red 3 black", built=built, display={7: 109}).legal  # 6 at most
    assert "build 7" in position(ring="1 red 4 black", built=built, display={7: 109}).legal
    assert "build archive 0" in position(ring="3 black", built=[94, 25, 104, 105], archive=[108]).legal


@engine_only  # its formula
def test_e07_by_the_formula():
    """E7: 1 black reaches 3 of any colors."""
    types = one_of_type(int(CONVERTER[94])) + one_of_type(int(CONVERTER[25]))
    assert count_of(energies_of(packed((0, 0, 1, 0)), types), ANY) == 3


def test_e08_pay_nothing_or_one():
    """E8: under an archive discount a card of cost 1 is free, and 1 may be paid all the same."""
    t = position(built=[104], archive=[16]).play("build archive 0")
    assert 16 in t.me["built"] and t.seat == 1
    t = position(ring="1 red", built=[104], archive=[16]).play("build archive 0")
    assert t.legal == {"pay 0", "pay 1"}


def test_e09_a_free_build_is_from_the_archive():
    """E9."""
    t = position(rules="quick", ring="1 red", built=[88, 82], display={0: 16}, archive=[17]).play(
        "build 0", "build archive 0"
    )
    assert t.me["tokens"] == 2


def test_e10_the_last_seat_and_the_first():
    """E10: one ends the game with its turn, the other gives everybody one more."""
    built = [*range(16, 30)]
    t = position(seat=1, ring="1 yellow", built=built, display={0: 15})
    t.play("build 0")
    while t.seat == 1 and not t.over:
        t.play("end")
    assert t.over
    t = position(players=3, ring="1 yellow", built=built, display={0: 15}).play("build 0")
    while t.seat == 0:
        t.play("end")
    for seat in (1, 2):
        assert t.seat == seat and not t.over
        t.play("pick blue")
    assert t.over
