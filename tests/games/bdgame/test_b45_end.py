"""Chapter 7: the end of the game (B45-B48)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bdgame_env.games.bdgame.decks import CLASSIC_DECK
from tests.games.bdgame.positions import ORDERS, Position, position
from tests.support.position import both_backends

pytestmark = both_backends

BARE = [("hopper", 0, 2)]
TWO = [("hopper", 0, 2), ("packer", 1, 2)]
THREE = [("hopper", 0, 2), ("straight", 1, 2), ("packer", 2, 2)]


def scoring(order: str, **rest) -> Position:
    """The mover can fulfil that order, or not."""
    return position(phase="fulfil", made=ORDERS[order][0], queue=[order], **rest)


def test_b45_with_30_points_the_round_is_completed():
    """B45: seat 0 of 3 reaches 30; the other two still have their turn, then the game is over."""
    t = scoring("o14", players=3, points=28, round=7).play("fulfil 0")
    assert t.me["points"] == 30 and t.snap["last_round"] is True
    assert (t.over, t.seat) == (False, 1)
    t.play("end")
    assert (t.over, t.seat) == (False, 2)
    t.play("end")
    assert t.over and t.legal == set() and t.phase == "over"
    assert t.ranks == [1, 2, 2]


def test_b45_the_last_seat_ends_the_game_with_its_turn():
    """B45: reached by the last seat, 30 points end the game after this turn."""
    t = scoring("o14", players=2, seat=1, points=28).play("fulfil 0")
    assert t.over and t.ranks == [2, 1] and t.snap["truncated"] is False


def test_b45_29_points_are_not_enough():
    """B45: with 29 points after the last seat's turn the next round begins."""
    t = scoring("o14", players=2, seat=1, points=27).play("fulfil 0")
    assert t.me["points"] == 29 and t.snap["last_round"] is False
    assert not t.over and t.seat == 0 and t.snap["round"] == 3


def test_b45_more_than_30_points_count():
    """B45: the last orders may lead beyond 30."""
    t = scoring("o28", players=2, points=29).play("fulfil 0")
    assert t.me["points"] == 37 and t.snap["last_round"] is True


def test_b45_a_later_seat_may_overtake_in_the_last_round():
    """B45: all have the same number of turns: the second seat scores 31 against 30 and wins."""
    t = scoring("o12", seat=1, points=27, others={0: {"points": 30}}).play("fulfil 0")
    assert t.over and t.ranks == [2, 1]


def test_b45_when_over_seat_and_round_stay():
    """B45: the final position names the last turn played and has no action left."""
    t = position(players=2, seat=1, round=9, others={0: {"points": 30}}).play("end")
    snap = t.snap
    assert (snap["phase"], snap["round"], snap["seat"], snap["actions_left"]) == ("over", 9, 1, 0)
    t.refuses("end", "collect")


@pytest.mark.parametrize(
    ("points", "ranks"),
    [
        ((5, 9, 30, 7), [4, 2, 1, 3]),
        ((30, 31, 32, 8), [3, 2, 1, 4]),
        ((30, 8, 8, 2), [1, 2, 2, 4]),
        ((31, 31, 8, 31), [1, 1, 4, 1]),
        ((0, 31, 31, 0), [3, 1, 1, 3]),
    ],
)
def test_b46_most_points_win(points, ranks):
    """B46: more points, better place; equal seats share a place and as many ranks are skipped."""
    others = {seat: {"points": points[seat]} for seat in range(3)}
    t = position(players=4, seat=3, points=points[3], others=others).play("end")
    assert t.over and t.ranks == ranks


def test_b46_a_tie_is_broken_by_the_largest_device():
    """B46: 31 points each; three cards in one Device beat two."""
    t = position(seat=1, points=31, workshop=THREE, others={0: {"points": 31, "workshop": TWO}}).play("end")
    assert t.ranks == [2, 1]


def test_b46_the_largest_device_counts_not_all_cards():
    """B46: one Device of three cards beats two Devices of two."""
    four = [*TWO, ("hopper", 0, 6), ("packer", 1, 6)]
    t = position(seat=1, points=31, workshop=four, others={0: {"points": 31, "workshop": THREE}}).play("end")
    assert t.ranks == [1, 2]


def test_b46_an_unfinished_device_counts():
    """B46: a hopper with two straight cards and an open end is larger than a finished Device of two."""
    loose = [("hopper", 0, 2), ("straight", 1, 2), ("straight", 2, 2)]
    t = position(seat=1, points=31, workshop=TWO, others={0: {"points": 31, "workshop": loose}}).play("end")
    assert t.ranks == [1, 2]


def test_b46_an_empty_workshop_has_the_smallest_device():
    """B46: a hopper alone beats no card at all."""
    t = position(seat=1, points=31, workshop=BARE, others={0: {"points": 31, "workshop": []}}).play("end")
    assert t.ranks == [2, 1]


def test_b46_the_device_does_not_beat_points():
    """B46: it only breaks ties."""
    t = position(seat=1, points=30, workshop=THREE, others={0: {"points": 31, "workshop": BARE}}).play("end")
    assert t.ranks == [1, 2]


def test_b46_lower_places_are_ordered_in_the_same_way():
    """B46: behind the winner two tied seats are told apart by their Devices, the third is still tied."""
    t = position(
        players=4,
        seat=3,
        points=4,
        workshop=TWO,
        others={
            0: {"points": 30, "workshop": BARE},
            1: {"points": 4, "workshop": TWO},
            2: {"points": 4, "workshop": THREE},
        },
    ).play("end")
    assert t.ranks == [1, 3, 2, 3]


def test_b46_without_points_and_devices_all_share_the_first_place():
    """B46: still tied, still sharing: ranks 1 and 1."""
    t = position(seat=1, round=60).play("end")
    assert t.over and t.ranks == [1, 1]


@pytest.fixture
def low_scores(tmp_path: Path) -> Path:
    """Cards on which every order gives 1 point.

    With the standard ones somebody has 30 points before the last order is gone.
    """
    file = tmp_path / "deck.toml"
    file.write_text(re.sub(r"points = \d+", "points = 1", CLASSIC_DECK.read_text("utf-8")), "utf-8")
    return file


def test_b47_the_game_ends_when_no_order_is_left(low_scores):
    """B47: row, deck and all queues are empty: the round is completed, then the game is over."""
    none = {"queue": []}
    t = position(
        players=4,
        seat=2,
        orders_row=[None] * 4,
        orders_deck=[],
        others={0: none, 1: none, 3: none},
        round=8,
        deck=low_scores,
    )
    t.play("end")
    assert not t.over and t.seat == 3
    t.play("end")
    assert t.over and t.snap["truncated"] is False and t.snap["last_round"] is False
    assert max(seat["points"] for seat in t.snap["seats"]) < 30 and min(t.ranks) == 1


def test_b47_without_orders_the_last_round_is_not_truncated(low_scores):
    """B47, B48: the game ends for want of orders in the very round that is the last one."""
    none = {"queue": []}
    others = dict.fromkeys(range(3), none)
    t = position(
        players=4, seat=3, orders_row=[None] * 4, orders_deck=[], others=others, round=60, deck=low_scores
    ).play("end")
    assert t.over and t.snap["truncated"] is False


def test_b47_the_game_goes_on_while_someone_has_an_order(low_scores):
    """B47: row and deck are empty, but one order in a queue can still be fulfilled."""
    none = {"queue": []}
    t = position(
        players=4,
        seat=3,
        orders_row=[None] * 4,
        orders_deck=[],
        others={0: none, 1: {"queue": ["o01"]}, 2: none},
        deck=low_scores,
    )
    t.play("end")
    assert not t.over and t.seat == 0


def test_b47_the_game_goes_on_while_an_order_lies_in_the_row(low_scores):
    """B47: one face-up order is enough, with an empty deck and empty queues."""
    none = {"queue": []}
    t = position(
        players=4,
        seat=3,
        orders_row=[None, None, "o28", None],
        orders_deck=[],
        others={0: none, 1: none, 2: none},
        deck=low_scores,
    )
    t.play("end")
    assert not t.over and t.seat == 0


def test_b48_the_game_is_truncated_after_the_last_round():
    """B48: after 60 rounds without a winner."""
    t = position(seat=1, round=60, others={0: {"points": 12}}).play("end")
    assert t.over and t.snap["truncated"] is True and t.ranks == [1, 2]


def test_b48_the_last_round_is_played_to_its_end():
    """B48: in round 60 every seat has its turn."""
    t = position(players=3, seat=0, round=60).play("end", "end")
    assert not t.over and t.seat == 2 and t.snap["truncated"] is False
    assert t.play("end").over


def test_b48_round_59_is_followed_by_round_60():
    """B48: one round less is no reason to stop."""
    t = position(seat=1, round=59).play("end")
    assert not t.over and t.snap["round"] == 60


def test_b48_another_number_of_rounds_may_be_set():
    """B48: with max_rounds=5 the fifth round is the last one."""
    assert not position(seat=1, round=4, max_rounds=5).play("end").over
    t = position(seat=1, round=5, max_rounds=5).play("end")
    assert t.over and t.snap["truncated"] is True


def test_b48_a_game_won_in_the_last_round_is_not_truncated():
    """B48: 30 points in round 60 are an ordinary end."""
    t = position(seat=1, round=60, points=30).play("end")
    assert t.over and t.snap["truncated"] is False
