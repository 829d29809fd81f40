"""What is in the box, setup, display and decks (G1-G3)."""

from __future__ import annotations

import pytest

from bdgame_env.games.gizmos.cards import FEATURES
from tests.games.gizmos.positions import COLORS, LEVELS, MARBLES, level_of, marbles, new_game, position
from tests.support.position import both_backends, engine_only

pytestmark = both_backends


def all_cards(snap: dict) -> list[int]:
    rows = [snap["display"], *snap["decks"], snap["removed"]]
    rows += [row for seat in snap["seats"] for row in (seat["built"], seat["archive"])]
    return sorted(card for row in rows for card in row if card is not None)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_g01_01_g02_02_each_seat_has_a_starting_card_and_the_rest_is_laid_out(players):
    """G1.1, G2.2: one starting card for each seat, 36 cards of each level, all else empty."""
    snap = new_game(players).snap
    assert all_cards(snap) == [*range(players), *range(4, 112)]
    for number, seat in enumerate(snap["seats"]):
        assert seat["built"] == [number] and seat["archive"] == [] and seat["tokens"] == 0
        assert seat["ring"] == marbles()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_g01_02_g02_05_thirteen_marbles_of_each_color_six_in_the_row(players):
    """G1.2, G2.5: 52 marbles, 46 of them in the dispenser."""
    snap = new_game(players, seed=players).snap
    assert {color: snap["row"][color] + snap["dispenser"][color] for color in COLORS} == dict.fromkeys(COLORS, MARBLES)
    assert sum(snap["row"].values()) == 6 and sum(snap["dispenser"].values()) == 46


def test_g01_03_tokens_are_never_short():
    """G1.3: with 50 points in tokens more are gained."""
    t = position(rules="quick", built=[22], tokens=50, ring="1 red", display={0: 16}).play("build 0")
    assert t.me["tokens"] == 51


def test_g01_04_every_seat_has_its_own_ring():
    """G1.4: what one picks is no business of the others."""
    t = new_game(4).play("pick " + next(color for color, n in new_game(4).snap["row"].items() if n))
    assert [sum(seat["ring"].values()) for seat in t.snap["seats"]] == [1, 0, 0, 0]


@engine_only  # observations
def test_g01_05_what_cards_show_can_be_observed():
    """G1.5: level, color, cost, points, what triggers a card and what it gives."""
    t = position(display={0: 22, 8: 110})
    shown = dict(zip(FEATURES, t.seen("display")[0].tolist(), strict=True))
    wanted = {"number + 1 (0: no card)": 23, "level": 1, "black": 1, "cost": 1, "points": 1}
    assert {name: value for name, value in shown.items() if value} == {
        **wanted,
        "by a Build of red": 1,
        "gives points": 1,
    }
    shown = dict(zip(FEATURES, t.seen("display")[8].tolist(), strict=True))
    colors = dict.fromkeys(COLORS, 1)
    wanted = {"number + 1 (0: no card)": 111, "level": 3, **colors, "cost": 7, "scores tokens": 1}
    assert {name: value for name, value in shown.items() if value} == wanted


def test_g01_06_the_starting_card_draws_when_its_owner_files():
    """G1.6: a draw credit, and no points for the card."""
    t = position().play("file 3")
    assert t.credits["draw"] == 1 and t.score == 0 and t.snap["spent"] == [0]


def test_g01_07_a_scorer_costs_seven_of_any_colors():
    """G1.7: 7 marbles of four colors build it; 6 do not; another card takes its own color only."""
    t = position(ring="2 red 2 blue 2 black 1 yellow", built=[72], display={7: 108, 8: 91})
    assert "build 7" in t.legal and "build 8" not in t.legal
    assert 108 in t.play("build 7").me["built"]
    position(ring="2 red 2 blue 2 black", built=[72], display={7: 108}).refuses("build 7")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_g02_01_seat_0_begins_round_1(players):
    """G2.1: and turns go round."""
    t = new_game(players, seed=3)
    assert (t.seat, t.snap["round"], t.phase) == (0, 1, "main")
    for seat in range(1, 2 * players):
        t.play(next(move for move in sorted(t.legal) if move.startswith("pick")))
        assert t.seat == seat % players and t.snap["round"] == 1 + seat // players


def test_g02_03_twenty_cards_of_level_3_leave_the_game():
    """G2.3: 20 of 36, others each time."""
    gone = [new_game(seed=seed).snap["removed"] for seed in range(3)]
    assert all(len(set(cards)) == 20 and set(cards) <= set(LEVELS[3]) for cards in gone)
    assert gone[0] != gone[1] != gone[2]


def test_g02_04_nine_cards_are_face_up():
    """G2.4: 4, 3 and 2 of the levels 1, 2, 3; decks of 32, 33 and 14."""
    snap = new_game(seed=5).snap
    assert [level_of(card) for card in snap["display"]] == [1, 1, 1, 1, 2, 2, 2, 3, 3]
    assert [len(deck) for deck in snap["decks"]] == [32, 33, 14]
    assert [sorted({level_of(card) for card in deck}) for deck in snap["decks"]] == [[1], [2], [3]]


def test_g02_06_nothing_else_depends_on_the_number_of_players():
    """G2.6: one deal gives the same match for two, three and four."""
    two, *more = (new_game(players, seed=9).snap for players in (2, 3, 4))
    for other in more:
        assert all(two[key] == other[key] for key in two if key not in ("players", "seats", "known"))


def test_g02_07_limits_to_begin_with():
    """G2.7: 5 marbles, 1 card, 3 researched cards."""
    t = position(ring="4 red").play("pick blue")
    t.play("pick blue")  # seat 1
    assert not t.family("pick") and t.held == 5
    t = position(archive=[20])
    assert not t.family("file")
    t.play("research 2")
    assert len(t.snap["hand"]["cards"]) == 3


def test_g03_01_the_display_is_refilled_before_triggers():
    """G3.1: the top card of the deck lies there while the draw is still to be used."""
    t = position(display={5: 44}, tops={2: [75, 74]}).play("file 5")
    assert t.snap["display"][5] == 75 and t.snap["decks"][1][0] == 74 and t.credits["draw"] == 1
    t = position(ring="1 red", display={1: 16}, tops={1: [39]}, built=[19]).play("build 1")
    assert t.snap["display"][1] == 39 and t.credits["pick"] == 1


def test_g03_02_a_place_stays_empty_without_a_deck():
    """G3.2: nothing can be filed or built from there, and the others keep their places."""
    t = position(ring="1 red", display={0: 16, 1: 17}).lose_deck(1)
    before = t.snap["display"]
    t.play("build 0")
    assert t.snap["display"] == [None, *before[1:]]
    t.refuses("file 0", "build 0")
    assert "file 1" in t.legal


def test_g03_03_a_researched_card_leaves_the_display_alone():
    """G3.3."""
    t = position(ring="1 red", tops={1: [16, 17, 18]})
    before = t.snap["display"]
    assert t.copy().play("research 1", "build hand 0").snap["display"] == before
    assert t.copy().play("research 1", "file hand 2").snap["display"] == before


def test_g03_04_nothing_clears_the_display():
    """G3.4: a Pick changes no card."""
    t = position()
    before = t.snap
    t.play("pick red", "pick blue")
    assert t.snap["display"] == before["display"] and t.snap["decks"] == before["decks"]
