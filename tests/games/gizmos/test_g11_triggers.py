"""Triggers, chains and effects (G11, G12)."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import bdgame_env.games.gizmos as game
from tests.games.gizmos.positions import COLORS, CREDITS, position
from tests.support.position import both_backends

pytestmark = both_backends

DATA = tomllib.loads(Path(game.__file__).with_name("cards.toml").read_text("utf-8"))
CARDS = {int(card): row for level in DATA.values() for card, row in level.items()}
TRIGGER_CARDS = sorted(card for card in CARDS if "when" in CARDS[card] and card > 3)
BUILDS = {  # cards to be built, by color and level, that are triggered by nothing themselves
    1: {"red": 32, "blue": 33, "black": 34, "yellow": 35},
    2: {"red": 72, "blue": 73, "black": 74, "yellow": 75},
}
NO_POINTS = dict.fromkeys(CREDITS, 0)


def gained(t, before) -> dict[str, int]:
    """Credits, with points taken since."""
    return {**t.credits, "points": t.me["tokens"] - before}


def expected(card: int, happened: set[str]) -> dict[str, int]:
    """What a card grants, by its text, when these things happened."""
    event, *condition = CARDS[card]["when"].split()
    wanted = {event} if not condition else {f"{event} {word}" for word in condition}
    if condition in (["from", "archive"], ["level", "2"]):
        wanted = {" ".join([event, *condition])}
    what, number = CARDS[card]["gives"].split()
    return {**NO_POINTS, what: int(number)} if wanted & happened else NO_POINTS


@pytest.mark.parametrize("card", TRIGGER_CARDS)
def test_g11_02_each_card_answers_its_condition_and_no_other(card):
    """G11.2, G12: a File, Picks and Builds of four colors, Builds of level 2 and from the archive, one by one."""

    def table(**rest):
        return position(rules="quick", built=[card, 96], **rest)

    t = table()
    t.play("file 0")
    credits = gained(t, 0)
    credits["draw"] -= 1  # of the starting card
    assert credits == expected(card, {"file"})
    for color in COLORS:
        t = table().play(f"pick {color}")
        assert gained(t, 0) == expected(card, {f"pick {color}"}), color
        built = BUILDS[1][color]
        t = table(ring=f"1 {color}", display={0: built}).play("build 0")
        assert gained(t, 0) == expected(card, {f"build {color}"}), color
        t = table(ring=f"1 {color}", archive=[built]).play("build archive 0")
        assert gained(t, 0) == expected(card, {f"build {color}", "build from archive"}), color
    t = table(ring="3 red", display={4: 72 if card != 72 else 52}).play("build 4")
    assert gained(t, 0) == expected(card, {"build red", "build level 2"})


def test_g11_01_an_effect_is_an_action_with_triggers_of_its_own():
    """G11.1: a File triggers a Pick, that Pick a draw."""
    t = position(built=[4, 8]).play("file 0")
    assert t.credits == {**NO_POINTS, "draw": 1, "pick": 1}
    t.play("pick blue")
    assert t.credits == {**NO_POINTS, "draw": 2}
    assert t.play("draw", "draw").seat == 1 and t.held == 3


def test_g11_03_a_generic_card_counts_as_all_colors():
    """G11.3: it triggers the Build cards of each color."""
    t = position(rules="quick", ring="5 red 2 blue", built=[72, 20, 21, 22, 23], display={7: 110}).play("build 7")
    assert t.me["tokens"] == 4 and t.seat == 1


def test_g11_04_a_free_build_from_the_archive_is_from_the_archive():
    """G11.4: as a paid one is."""
    t = position(ring="1 red", built=[88, 56], display={0: 16}, archive=[33]).play("build 0", "build archive 0")
    assert t.credits["pick"] == 2 and t.me["archive"] == []


def test_g11_05_a_card_is_used_once_a_turn():
    """G11.5: a second Pick of its colors grants nothing, be it of one or of two."""
    t = position(built=[40, 4, 5], row="3 blue 3 black").play("file 0", "pick blue")
    assert t.credits["draw"] == 2
    t.play("pick black" if t.snap["row"]["black"] else "pick blue")
    assert t.credits["draw"] == 2 and t.snap["spent"] == [0, 4, 5, 40]


def test_g11_06_triggered_cards_are_used_in_any_order():
    """G11.6: the draw before the Pick or after it, though both were triggered at once."""
    t = position(built=[4]).play("file 0")
    assert {"draw", "pick red", "end"} <= t.legal
    assert t.copy().play("draw", "pick red").held == 2
    assert t.copy().play("pick red", "draw").held == 2


def test_g11_07_nobody_must_use_a_triggered_card():
    """G11.7: `end` declines what is left."""
    t = position(built=[4]).play("file 0", "pick red", "end")
    assert t.seat == 1 and t.held == 1


def test_g11_08_a_card_is_not_triggered_by_its_own_build():
    """G11.8: but by a later Build of the turn."""
    t = position(rules="quick", ring="3 blue", archive=[57]).play("build archive 0")
    assert t.seat == 1 and t.snap["spent"] == []
    t = position(rules="quick", ring="5 red 1 blue", built=[88, 72], archive=[33, 82]).play("build archive 1")
    assert 82 in t.me["built"] and t.me["tokens"] == 0 and t.credits["free_build"] == 1
    t.play("build archive 0")
    assert t.me["tokens"] == 2


def test_g11_09_an_effect_may_wait_until_it_is_possible():
    """G11.9: a File with the archive full, until a free Build has made room."""
    t = position(ring="1 black", built=[84, 85, 89], archive=[20], display={0: 34, 1: 35}).play("build 0")
    # black: 85 grants a File, 89 a free Build; the upgrade already makes room for one card
    assert t.credits["file"] == 1 and t.family("file")
    t.play("file 5")
    t = position(ring="1 black", built=[85, 89], archive=[20], display={0: 18, 1: 35}).play("build 0")
    assert t.credits["file"] == 1 and t.credits["free_build"] == 1
    assert not t.family("file")
    t.play("build 1")
    assert t.family("file")


def test_g11_11_only_the_seat_on_turn_uses_cards():
    """G11.11: what another does triggers nothing of mine."""
    t = position(others={1: {"built": [8, 9, 40]}}, row="6 blue").play("pick blue")
    assert t.seat == 1 and t.snap["spent"] == [] and not any(t.credits.values())


def test_g12_01_draw_3_marble_by_marble():
    """G12.1: each may be declined."""
    t = position(built=[78]).play("file 0")
    assert t.credits["draw"] == 4
    t.play("draw", "draw")
    assert t.held == 2 and t.credits["draw"] == 2
    assert t.play("end").held == 2 and t.seat == 1


def test_g12_02_pick_2_is_two_picks():
    """G12.2: each triggers what it triggers; the second may be declined."""
    t = position(ring="3 red", built=[56, 8, 9], archive=[52], row="3 red 3 blue").play("build archive 0")
    assert t.credits == {**NO_POINTS, "pick": 2}
    t.play("pick blue")
    assert t.credits == {**NO_POINTS, "pick": 1, "draw": 1}
    assert t.copy().play("end").held == 1
    t.play("pick red")
    assert t.credits == {**NO_POINTS, "draw": 2}


def test_g12_03_points_go_to_the_tokens():
    """G12.3: 1 and 2."""
    t = position(rules="quick", ring="1 red", built=[22, 81], display={0: 16}).play("build 0")
    assert t.me["tokens"] == 3 and t.score == 3 + 1 + 1 + 5


def test_g12_04_the_effect_file_takes_a_display_card():
    """G12.4: and triggers File cards."""
    t = position(ring="1 blue", built=[84], display={0: 17}).play("build 0")
    assert t.legal == {*(f"file {place}" for place in range(9)), "end"}
    t.play("file 7")
    assert len(t.me["archive"]) == 1 and t.credits["draw"] == 1


def test_g12_05_a_free_build_is_of_level_1_from_display_or_archive():
    """G12.5: no payment, full Build; no card of another level."""
    t = position(rules="quick", ring="1 red", built=[88, 72, 21], display={0: 16, 1: 18}, archive=[19, 44]).play(
        "build 0"
    )
    assert t.family("build", "build archive") == {"build 0", "build 1", "build 2", "build 3", "build archive 0"}
    t.play("build 1")
    assert t.held == 0 and {16, 18} <= {*t.me["built"]} and t.me["tokens"] == 1


def test_g12_05_a_free_build_needs_a_card_of_level_1():
    """G12.5: one of the archive will do; without any the credit cannot be used."""
    for archive, seat in (([44, 19], 0), ([44], 1), ([], 1)):
        t = position(ring="1 red", built=[88, 72], display={0: 16}, archive=archive)
        t.lay(decks={1: []}, display={1: None, 2: None, 3: None})
        t.play("build 0")
        assert t.seat == seat
        if seat == 0:
            assert t.legal == {"build archive 0", "end"} and 19 in t.play("build archive 0").me["built"]


def test_g12_04_without_a_display_card_there_is_no_file():
    """G12.4, G3.2."""
    t = position(ring="1 blue", built=[84], archive=[17])
    t.lay(display=dict.fromkeys(range(9)))
    assert not t.family("file")
    assert t.play("build archive 0").seat == 1


def test_g12_06_the_effect_research_is_a_research_that_is_paid_for():
    """G12.6."""
    t = position(rules="quick", ring="1 red", built=[91], display={0: 16}, tops={1: [39, 17, 18, 19]}).play("build 0")
    assert t.legal == {"research 1", "research 2", "research 3", "end"}
    t.play("research 1")
    assert t.legal == {"file hand 0", "file hand 1", "file hand 2", "keep none"}
    assert t.play("keep none").seat == 1


def test_g12_07_other_cards_between_two_picks_or_draws():
    """G12.7: a draw between two Picks; a Pick between two draws."""
    t = position(ring="3 red", built=[56, 8], archive=[52], row="6 blue").play("build archive 0", "pick blue", "draw")
    assert t.credits == {**NO_POINTS, "pick": 1} and t.held == 2
    t = position(built=[79, 4]).play("file 0", "draw", "pick red", "draw", "draw")
    assert t.held == 4 and t.credits["draw"] == 1
