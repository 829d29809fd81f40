"""Upgrades, the end, score and ties (G13-G16)."""

from __future__ import annotations

import pytest

from bdgame_env.games.gizmos.cards import ADDS, CARDS
from bdgame_env.games.gizmos.ending import progress
from tests.games.gizmos.positions import marbles, position
from tests.support.position import both_backends, engine_only

pytestmark = both_backends

SIXTEEN = [*range(4, 18)]  # with the starting card 15: one more starts the last round


def test_g13_01_upgrades_always_hold():
    """G13.1: in each turn, for each Build."""
    t = position(ring="2 red", built=[102], display={4: 40, 5: 52})
    t.play("build 4", "pay 1", "pick red")
    assert t.snap["used"] == t.snap["spent"] == [] and t.ring == marbles("1 red")


def check_limits(built, ring, archive, research):
    """With these cards a seat may hold, file and look at so many, and no more."""
    filed = [card for card in range(20, 32) if card not in built]
    for fewer in (0, 1):
        marbles_held = f"{min(ring - fewer, 8)} red {max(ring - fewer - 8, 0)} blue"
        t = position(built=built, ring=marbles_held, archive=filed[: archive - fewer])
        assert (bool(t.family("pick")), bool(t.family("file"))) == (bool(fewer), bool(fewer))
    assert len(t.play("research 2").snap["hand"]["cards"]) == research


def test_g13_02_limits_add_up():
    """G13.2: of three cards."""
    check_limits([32, 72, 96], 5 + 1 + 2 + 4, 1 + 1 + 1, 3 + 2)
    check_limits([36, 37, 73, 97], 5 + 1 + 1 + 2 + 4, 1 + 1, 3 + 1 + 1 + 2)


@engine_only  # its table of all cards
def test_g13_02_the_largest_limits():
    """G13.2: 29, 9 and 15."""
    assert ADDS.sum(axis=0).tolist() == [29 - 5, 9 - 1, 15 - 3]


@pytest.mark.parametrize("card", [*range(32, 40), *range(72, 76), 96, 97])
def test_g13_02_each_upgrade_of_limits(card):
    """G13.2: ring, archive and research of each card."""
    wanted = {1: (1, card < 36, card >= 36), 2: (2, 1, 2), 3: (4, 0, 0)}[int(CARDS.level[card])]
    check_limits([card], 5 + wanted[0], 1 + wanted[1], 3 + wanted[2])


@pytest.mark.parametrize(
    ("card", "free"),
    [(102, "build 4"), (103, "build 4"), (104, "archive"), (105, "archive"), (106, "hand"), (107, "hand")],
)
def test_g13_03_each_discount(card, free):
    """G13.3: a card of cost 1 more than the ring pays, where the discount holds, and only there."""
    t = position(ring="1 red", built=[card], display={4: 40}, archive=[44], tops={1: [20], 2: [45]})
    payable = {"build 4": "build 4" in t.legal, "archive": "build archive 0" in t.legal}
    t.play("research 2")
    payable["hand"] = f"build hand {t.snap['hand']['cards'].index(45)}" in t.legal
    level_2 = card in (102, 103)
    assert payable == {where: where == free or level_2 for where in payable}


def test_g13_03_the_discount_of_level_2_is_for_no_other_level():
    """G13.3: with one marble less than it costs a red card of level 2 can be built, of level 1 and 3 none."""
    for ring, place, card, legal in (("", 0, 16, False), ("2 red", 4, 52, True), ("3 red", 7, 76, False)):
        t = position(ring=ring, built=[102, 103], display={place: card})
        assert (f"build {place}" in t.legal) == legal


@pytest.mark.parametrize("card", [98, 99])
def test_g13_04_no_file(card):
    """G13.4: not from the display, not in a Research, not as an effect; the archive can still be built."""
    t = position(ring="1 red 1 blue", built=[card, 84, 32], archive=[16], display={0: 17})
    assert not t.family("file") and "build archive 0" in t.legal
    assert not t.copy().play("research 1").family("file hand")
    assert t.play("build 0").seat == 1


@pytest.mark.parametrize("card", [100, 101])
def test_g13_04_no_research(card):
    """G13.4: not as the turn's action, not as an effect."""
    t = position(ring="1 red", built=[card, 91], display={0: 16})
    assert not t.family("research")
    assert t.play("build 0").seat == 1


@pytest.mark.parametrize(("built", "points"), [([108], 4), ([109], 4), ([108, 109], 8), ([110], 7), ([110, 111], 14)])
def test_g13_05_scorers(built, points):
    """G13.5: marbles in the ring, or tokens once more; two of a kind both count."""
    t = position(ring="3 red 1 blue", tokens=7, built=built)
    assert t.score == 7 + points


def test_g14_01_a_sixteenth_card_or_a_fourth_of_level_3():
    """G14.1: the round is played to its end; the last seat has the last turn."""
    t = position(players=3, ring="1 red", built=SIXTEEN, display={0: 20}).play("build 0")
    assert t.snap["last_round"]
    finish(t, seat=1)
    t = position(players=3, seat=1, ring="5 red", built=[92, 90, 76, 72], display={7: 82}).play("build 7")
    assert t.snap["last_round"]
    finish(t, seat=2)
    t = position(ring="5 red", built=[92, 90, 72], display={7: 82}).play("build 7")
    assert not t.snap["last_round"]


def finish(t, seat: int) -> None:
    """End what is open; from this seat on each has one turn more."""
    while t.seat != seat:
        t.play("end")
    for number in range(seat, 3):
        assert t.seat == number and not t.over
        t.play(min(t.family("pick")))
    assert t.over and not t.snap["truncated"] and t.seat == 2


def test_g14_02_the_last_seat_ends_the_game_with_its_turn():
    """G14.2."""
    t = position(seat=1, ring="1 red", built=SIXTEEN, display={0: 20}).play("build 0")
    while not t.over and t.seat == 1:
        t.play("end")
    assert t.over and t.phase == "over" and t.legal == set()


def test_g14_03_twenty_cards_at_most():
    """G14.3: the turn's own Build, two free builds and two Researches; two of these cards are built in it."""
    t = position(
        rules="quick",
        ring="6 yellow 1 red 2 blue",
        built=[88, 90, 91, 72, 73, *range(4, 13)],
        display={0: 18, 1: 17, 2: 22, 3: 23},
        archive=[89],
        tops={1: [39, 38, 37, 36, 35, 34, 33, 32, 31, 30]},
        others={1: {"built": [76, 77]}},
    )
    assert len(t.me["built"]) == 15
    t.play("build archive 0")  # yellow: the free build of 88, the Research of 91
    assert t.credits["free_build"] == 1 and t.credits["research"] == 1
    t.play("build 0")  # black: 89 and 90
    assert t.credits["free_build"] == 1 and t.credits["research"] == 2
    t.play("build 1", "research 1")
    t.play(min(t.family("build hand")))
    t.play("research 1")
    t.play(min(t.family("build hand")))
    assert len(t.me["built"]) == 20 and t.points[0] > 30


def test_g15_01_printed_points_tokens_and_scorers():
    """G15.1: the archive gives nothing."""
    t = position(ring="2 red", tokens=3, built=[16, 52, 91, 100, 108], archive=[90])
    assert t.score == 1 + 3 + 7 + 8 + 2 + 3


@engine_only  # rewards
def test_g15_01_progress_follows_the_score():
    """G15.1: shaping rewards points, of which a winner has 40 as a rule."""
    t = position(ring="1 red", tokens=7, built=[22], display={0: 16})
    assert progress(t.match.state, None, 0) == 8 / 40 and progress(t.match.state, None, 1) == 0


@pytest.mark.parametrize(
    ("one", "other", "winner"),
    [
        ({"tokens": 4}, {"tokens": 3, "built": [16], "ring": "5 red"}, 1),  # points equal: built cards
        ({"tokens": 3, "built": [16], "ring": "1 red"}, {"tokens": 4, "ring": "5 red"}, 0),  # whatever marbles say
        ({"tokens": 5}, {"tokens": 3, "built": [16], "ring": "5 red"}, 0),
        ({"tokens": 3, "ring": "3 blue"}, {"tokens": 3, "ring": "2 red"}, 0),
        ({"tokens": 3, "ring": "2 blue"}, {"tokens": 3, "ring": "2 red"}, 1),
    ],
)
def test_g16_01_ties(one, other, winner):
    """G16.1: points, built cards, marbles, the later seat."""
    t = position(**one, others={1: other})
    assert t.ranks == ([1, 2] if winner == 0 else [2, 1])


def test_g16_01_a_full_ranking_of_four():
    """G16.1: equals stand in reverse turn order."""
    t = position(players=4, others={2: {"tokens": 1}})
    assert t.ranks == [4, 3, 1, 2]
