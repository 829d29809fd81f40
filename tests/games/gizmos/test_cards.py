"""The card file (C1-C7), and how a broken one is refused."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from bdgame_env.games.gizmos.cards import CARD_FILE, CARDS, COLORS, CREDITS, FACES, FEATURES, KINDS, BadCards, Cards

pytestmark = pytest.mark.plain  # cards and pictures do not depend on the JIT

TEXT = CARD_FILE.read_text(encoding="utf-8")
LEVELS = {0: range(4), 1: range(4, 40), 2: range(40, 76), 3: range(76, 112)}
ANY = 4


def kinds(level: int) -> dict[str, int]:
    return dict(Counter(KINDS[CARDS.kind[card]] for card in LEVELS[level]))


def face(card: int) -> tuple[int, ...]:
    """What a card shows, without its number."""
    return tuple(FACES[card + 1, 1:].tolist())


def named(card: int) -> set[int]:
    """The colors that a pick or build card or a converter names, by what it shows."""
    shown = dict(zip(FEATURES, FACES[card + 1].tolist(), strict=True))
    words = ("by a Pick of {}", "by a Build of {}", "converts {} to any, times", "doubles {}")
    return {k for k, color in enumerate(COLORS) if any(shown[word.format(color)] for word in words)}


def gives(card: int) -> str:
    credit = int(CARDS.credit[card])
    return f"{CREDITS[credit]} {CARDS.amount[card]}" if credit >= 0 else ""


def test_c01_a_line_for_each_card():
    """C1: and one row of features, of as many as have names."""
    assert len(CARDS.level) == 112 and FACES.shape == (113, len(FEATURES)) and not FACES[0].any()
    assert [int(row[0]) for row in FACES] == list(range(113))


def test_c02_which_cards_are_alike():
    """C2: 107 different cards; the starting cards and the scorers are alike."""
    assert len({face(card) for card in range(112)}) == 107
    assert len({face(card) for card in range(4)}) == 1
    assert face(108) == face(109) != face(110) == face(111)


def test_c03_levels_and_colors():
    """C3: 9 of each color in levels 1 and 2, 8 and 4 generic in level 3."""
    assert Counter(CARDS.level.tolist()) == {0: 4, 1: 36, 2: 36, 3: 36}
    for level, number in ((1, 9), (2, 9), (3, 8)):
        colors = Counter(int(CARDS.color[card]) for card in LEVELS[level])
        assert [colors[k] for k in range(4)] == [number] * 4 and colors[ANY] == 36 - 4 * number


def test_c04_level_1():
    """C4."""
    cards = LEVELS[1]
    assert kinds(1) == {"file": 4, "pick": 8, "build": 8, "convert": 8, "upgrade": 8}
    assert all(CARDS.cost[card] == CARDS.points[card] == 1 for card in cards)
    assert_named(cards, {"pick draw 1": 2, "build pick 1": 1, "build points 1": 1, "convert ": 2})


def test_c05_level_2():
    """C5."""
    cards = LEVELS[2]
    assert kinds(2) == {"pick": 4, "build": 16, "convert": 12, "upgrade": 4}
    assert all(CARDS.cost[card] == CARDS.points[card] for card in cards)
    assert Counter(CARDS.cost[card] for card in cards) == {2: 16, 3: 20}
    assert energy(2) == [23, 23, 23, 23, 0]
    assert_named(cards, {"pick draw 1": 2, "build pick 1": 4, "build points 1": 2, "convert ": 3})
    assert Counter(int(CARDS.converter[card]) for card in cards if CARDS.converter[card] >= 0) == {
        **dict.fromkeys(range(4, 8), 1),
        **dict.fromkeys(range(8, 12), 2),
    }


def assert_named(cards, wanted: dict[str, int]) -> None:
    """Each color is named by so many cards of a kind with an effect."""
    for what, number in wanted.items():
        found = Counter(
            color for card in cards if f"{KINDS[CARDS.kind[card]]} {gives(card)}" == what for color in named(card)
        )
        assert found == dict.fromkeys(range(4), number), what


def energy(level: int) -> list[int]:
    return [sum(int(CARDS.cost[card]) for card in LEVELS[level] if CARDS.color[card] == k) for k in range(5)]


def test_c06_level_3():
    """C6."""
    cards = LEVELS[3]
    assert kinds(3) == {"file": 4, "build": 12, "convert": 4, "upgrade": 16}
    assert Counter(CARDS.cost[card] for card in cards) == {4: 12, 5: 12, 6: 6, 7: 6}
    assert energy(3) == [40, 40, 39, 39, 28]
    for card in cards:
        points = {**dict.fromkeys((98, 99), 7), **dict.fromkeys((100, 101), 8), **dict.fromkeys(range(108, 112), 0)}
        assert CARDS.points[card] == points.get(card, CARDS.cost[card])
    assert CARDS.bans.sum(axis=0).tolist() == [2, 2] and CARDS.scorers.sum(axis=0).tolist() == [2, 2]
    assert CARDS.discounts.sum(axis=0).tolist() == [2, 2, 2] and CARDS.discounts[:102].sum() == 0


def test_c07_no_card_is_triggered_by_its_own_color():
    """C7: and pairs of level 3 name all colors."""
    for card in range(4, 112):
        if KINDS[CARDS.kind[card]] in ("pick", "build"):
            assert int(CARDS.color[card]) not in named(card)
    pairs = {}
    for card in LEVELS[3]:
        if KINDS[CARDS.kind[card]] == "build" and named(card):
            pairs.setdefault(gives(card), []).append(named(card))
    assert set(pairs) == {"points 2", "file 1", "free_build 1", "research 1"}
    assert all(len(pair) == 2 and pair[0] | pair[1] == {0, 1, 2, 3} for pair in pairs.values())


@pytest.mark.parametrize(
    ("printed", "changed", "reason"),
    [
        ("4 = {", "200 = {", "numbered 0 to 111"),
        ("[level2]", "[level4]", "the tables are"),
        ('color = "red", cost = 1', 'color = "pink", cost = 1', "card 4: "),
        ('gives = "draw 1"', 'gives = "money 1"', "card 0: "),
        ('converts = "blue-any"', 'converts = "blue-all"', "card 24: "),
        ('upgrade = "no file"', 'ban = "file"', "card 98: .*is wanted, not"),
    ],
)
def test_c01_a_broken_card_file_is_refused(tmp_path: Path, printed: str, changed: str, reason: str):
    """C1: with the card and what is wrong with it."""
    assert printed in TEXT
    file = tmp_path / "cards.toml"
    file.write_text(TEXT.replace(printed, changed, 1), encoding="utf-8")
    with pytest.raises(BadCards, match=reason):
        Cards(file)
