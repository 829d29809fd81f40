"""Components and setup (P1-P15)."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.games.pixel_pusher.positions import COPIES, DECKS, PIXELS, REMOVED, dealt, new_game, position, total
from tests.support import splitmix
from tests.support.position import both_backends, engine_only

pytestmark = both_backends

DEAL = 77


class Numbers:
    """The numbers that a game draws, again."""

    def __init__(self, start: int) -> None:
        self.start, self.drawn = start, 0

    def below(self, n: int) -> int:
        number = splitmix.output(self.start, self.drawn)
        self.drawn += 1
        return ((number >> 32) * n) >> 32

    def shuffled(self, row: list) -> list:
        row = list(row)
        for last in range(len(row) - 1, 0, -1):
            other = self.below(last + 1)
            row[last], row[other] = row[other], row[last]
        return row

    def pixel(self, bag: dict[str, int]) -> str:
        k = self.below(sum(bag.values()))
        color = next(color for color in "RGB" if k < sum(bag[c] for c in "RGB"[: "RGB".index(color) + 1]))
        bag[color] -= 1
        return color


def test_p01_clockwise_is_the_next_seat():
    """P1: after the last seat comes seat 0; turns of Score from seat 2 of 3."""
    t = position("score", players=3, seat=2, leaders=(0, 0, 2), pixels=dict.fromkeys(range(3), "RGB"), images={0: 5})
    order = []
    while t.phase == "score":
        order.append(t.seat)
        t.play("pass")
    assert order == [2, 0, 1]


@pytest.mark.parametrize("players", [1, 5])
def test_p01_two_to_four_players(players: int):
    """P1: no game is dealt to fewer or more."""
    with pytest.raises(ValueError, match="2 to 4"):
        new_game(players)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_p10_p11_p12_p13_p15_p18_the_setup_draws_these_numbers(players: int):
    """P10-P13, P15, P18: the deal of a number, worked out again from the section on chance."""
    snap, rng = dealt(players, DEAL).snap, Numbers(DEAL)
    images = rng.shuffled(range(1, 21))
    assert [image["image"] for image in snap["images"]] == images[:6] and snap["image_deck"] == images[6:]
    machines = rng.shuffled(sorted(Counter(COPIES).elements()))
    assert snap["removed"] == sorted(machines[: REMOVED[players]])
    deck = machines[REMOVED[players] :]
    assert snap["machine_deck"] == deck[3 * players :]
    bag = {"R": 20, "G": 20, "B": 20}
    for segment, count in zip(snap["conveyor"], (6, 5, 4, 3, 2, 1), strict=True):
        drawn = Counter(rng.pixel(bag) for _ in range(count))
        assert segment == {color: drawn[color] for color in "RGB"}
    assert snap["supply"] == bag | {"C": 10, "M": 10, "Y": 10, "W": 10}
    assert set(snap["leaders"].values()) == {rng.below(players)}
    abilities = rng.shuffled(["first_build", "first_collect", "first_score", "prism"])
    for seat, one in enumerate(snap["seats"]):
        assert one["hand"] == [*sorted(deck[3 * seat : 3 * seat + 3]), abilities[seat]]
    assert splitmix.output(int(snap["rng"]), 0) == splitmix.output(DEAL, rng.drawn)


def test_p03_what_is_paid_is_in_the_supply_at_once():
    """P3: a primary in the bag, another on its pile."""
    t = position("convert", pixels={0: "YBRR"}, slots={0: {1: ("convert", [21, 2])}})
    before = t.supply
    t.play("activate YB>W")
    assert {c: t.supply[c] - before[c] for c in "YBW"} == {"Y": 1, "B": 1, "W": -1}


def test_p04_p13_the_conveyor_has_six_segments():
    """P4, P13: 6, 5, 4, 3, 2, 1 primaries."""
    t = new_game()
    assert [len(t.segment(k)) for k in range(1, 7)] == [6, 5, 4, 3, 2, 1]
    assert set("".join(t.segment(k) for k in range(1, 7))) <= set("RGB")


def test_p05_a_board_has_six_slots_and_room_for_five():
    """P5: slot k works on segment k."""
    t = position("build", drafted={0: [1], 1: [9]}, conveyor=["G", "G", "R"])
    assert {move for move in t.legal if "collect" in move} == {f"install 0 collect slot {k}" for k in range(1, 7)}
    t.play("install 0 collect slot 3", "discard 0")
    assert t.pixels(0) == "R" and t.segment(3) == ""


def test_p07_four_ability_cards_one_in_each_hand():
    """P7: with four players all are dealt."""
    hands = [one["hand"] for one in new_game(4).snap["seats"]]
    assert {hand[-1] for hand in hands} == {"first_build", "first_collect", "first_score", "prism"}


def test_p09_points_have_no_limit():
    """P9: far beyond what any track shows."""
    t = position("score", points={0: 990}, pixels={0: "WWWWW"}, images={0: 10})
    assert t.play("fill 0 line 4").points(0) == 1012


@engine_only  # the reference observes nothing
def test_p09_observed_points_stop_at_127():
    """P9: in the one entry that all can see."""
    t = position("score", points={0: 990}, pixels={0: "BB", 1: "BB"}, images={0: 7})
    assert t.seen("points", 0)[0] == 127 and t.seen("points", 1)[1] == 127


@pytest.mark.parametrize("players", [2, 3, 4])
def test_p10_six_images(players: int):
    """P10: whatever the number of players; the deck has 14."""
    snap = new_game(players).snap
    assert len(snap["images"]) == 6 and len(snap["image_deck"]) == 14 and snap["finished"] == []


def test_p11_piles_are_full():
    """P11: and 21 of the 60 primaries lie on the conveyor."""
    snap = new_game().snap
    supply = snap["supply"]
    assert [supply[color] for color in "CMYW"] == [10] * 4 and sum(supply[color] for color in "RGB") == 39


@pytest.mark.parametrize("players", [2, 3, 4])
def test_p12_cards_removed(players: int):
    """P12: 20, 10, none; every card is somewhere."""
    snap = new_game(players).snap
    assert len(snap["removed"]) == REMOVED[players] and len(snap["machine_deck"]) == DECKS[players][0]
    cards = [*snap["removed"], *snap["machine_deck"], *(c for one in snap["seats"] for c in one["hand"][:3])]
    assert Counter(cards) == COPIES


@pytest.mark.parametrize("players", [2, 3, 4])
def test_p14_empty_boards(players: int):
    """P14."""
    for one in new_game(players).snap["seats"]:
        assert one["points"] == 0 and not any(one["pixels"].values())
        assert one["slots"] == [{"type": None, "cards": []}] * 6
    assert total(new_game(players)) == PIXELS


def test_p15_the_starting_seat_is_drawn():
    """P15: each seat in some deal; it leads all three phases before round 1."""
    starts = set()
    for seed in range(40):
        leaders = new_game(4, seed).snap["leaders"]
        assert len(set(leaders.values())) == 1
        starts |= set(leaders.values())
    assert starts == {0, 1, 2, 3}
