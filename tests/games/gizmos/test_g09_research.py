"""Research (G9)."""

from __future__ import annotations

import pytest

from tests.games.gizmos.positions import marbles, position
from tests.support.position import both_backends

pytestmark = both_backends

TOPS = {1: [16, 17, 18, 19], 2: [46, 47, 49, 50], 3: [80, 81, 84, 85]}


@pytest.mark.parametrize("level", [1, 2, 3])
def test_g09_01_the_top_cards_of_one_deck(level):
    """G9.1: as many as the research amount, in order of number."""
    t = position(tops=TOPS).play(f"research {level}")
    assert t.phase == "hand" and t.snap["hand"] == {"level": level, "cards": TOPS[level][:3], "known_to": []}
    t = position(tops=TOPS, built=[36]).play(f"research {level}")
    assert t.snap["hand"]["cards"] == TOPS[level][:4]


def test_g09_01_all_cards_of_a_small_deck():
    """G9.1: with two left the researcher looks at two."""
    t = position().lay(decks={1: [17, 16]}).play("research 1")
    assert t.snap["hand"]["cards"] == [16, 17] and t.snap["decks"][0] == []


def test_g09_02_an_empty_deck_cannot_be_chosen():
    """G9.2: nor any, if all are empty or Research is forbidden."""
    t = position().lose_deck(2)
    assert t.family("research") == {"research 1", "research 3"}
    assert not t.lose_deck(1).lose_deck(3).family("research")
    assert not position(built=[100]).family("research")


def test_g09_03_file_one_build_one_or_keep_none():
    """G9.3: file needs room, build its price; the other two are gone from the hand."""
    t = position(rules="quick", tops=TOPS, ring="1 blue").play("research 1")
    assert t.legal == {"file hand 0", "file hand 1", "file hand 2", "build hand 1", "keep none"}
    assert t.copy().play("file hand 2").me["archive"] == [18]
    assert t.copy().play("build hand 1").me["built"] == [0, 17]
    kept = t.copy().play("keep none")
    assert kept.me["archive"] == [] and kept.me["built"] == [0] and kept.snap["hand"] is None
    t = position(rules="quick", tops=TOPS, archive=[23], ring="1 blue").play("research 2")
    assert t.legal == {"keep none"}


def test_g09_03_g13_03_the_research_discount():
    """G9.3, G13.3: with two of them a card of cost 2 is free, and only out of a Research."""
    t = position(tops=TOPS, built=[106, 107], display={4: 48})
    assert "build 4" not in t.legal
    t.play("research 2")
    assert "build hand 0" in t.legal
    assert 46 in t.play("build hand 0").me["built"]


@pytest.mark.parametrize("rules", ["printed", "quick"])
def test_g09_04_the_others_go_under_the_same_deck(rules):
    """G9.4: below all that was there before."""
    t = position(tops=TOPS, rules=rules)
    deck = t.snap["decks"][0][3:]
    t.play("research 1", "file hand 0")
    if rules == "printed":
        t.play("under 1")
    after = t.snap["decks"][0]
    assert after[:-2] == deck and sorted(after[-2:]) == [17, 18]


def test_g09_04_the_first_named_is_drawn_first():
    """G9.4, D3.6: the researcher chooses the order."""
    t = position(tops=TOPS).play("research 1", "keep none", "under 1", "under 1")
    assert t.snap["decks"][0][-3:] == [17, 18, 16] and t.seat == 1


def test_g09_05_they_are_back_before_triggers():
    """G9.5: while the draw of the File waits, the hand is empty."""
    t = position(tops=TOPS, rules="quick").play("research 1", "file hand 0")
    assert t.credits["draw"] == 1 and t.snap["hand"] is None and len(t.snap["decks"][0]) == 31
    t = position(tops=TOPS).play("research 1", "file hand 0")
    assert t.phase == "under" and t.credits["draw"] == 0
    t.play("under 0")
    assert t.phase == "chain" and t.credits["draw"] == 1


def test_g09_06_a_file_or_build_in_a_research_is_a_full_one():
    """G9.6: it triggers File and Build cards, but not those that want a card from the archive."""
    t = position(rules="quick", tops=TOPS, built=[4]).play("research 1", "file hand 0")
    assert t.credits["draw"] == 1 and t.credits["pick"] == 1
    t = position(rules="quick", tops=TOPS, ring="1 blue", built=[44, 58]).play("research 1", "build hand 1")
    assert t.credits["pick"] == 1 and t.snap["spent"] == [44]
    t = position(rules="quick", tops=TOPS, ring="2 blue", built=[82, 86]).play(
        "research 2", "build hand 0"
    )  # 46 is of level 2
    assert t.credits["pick"] == 2 and t.snap["spent"] == [86] and t.me["tokens"] == 0


def test_g09_06_a_build_in_a_research_with_the_player_ordering():
    """G9.6, D4.8: the card is built, then the others go under, then it triggers cards."""
    t = position(tops=TOPS, ring="1 blue", built=[44]).play("research 1", "build hand 1")
    assert (
        t.phase == "under"
        and 17 in t.me["built"]
        and t.credits["pick"] == 0
        and t.snap["kept"] == {"as": "build", "card": 17}
    )
    t.play("under 1")
    assert t.credits["pick"] == 1 and t.snap["decks"][0][-2:] == [18, 16]


def test_g09_07_g11_10_research_itself_triggers_nothing():
    """G9.7, G11.10: keeping none ends the turn."""
    t = position(rules="quick", tops=TOPS, built=[4, 20, 8, 78], ring="1 red").play("research 1", "keep none")
    assert t.seat == 1 and t.ring == marbles("1 red")
