"""The card file (N1.1-N1.4), and how a broken one is refused."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from bdgame_env.games.nicodemus.cards import (
    CARD_FILE,
    CARDS,
    COLORS,
    FACES,
    FEATURES,
    KINDS,
    RESOURCES,
    SYMBOLS,
    BadCards,
    Cards,
)

pytestmark = pytest.mark.plain  # cards and pictures do not depend on the JIT

TEXT = CARD_FILE.read_text(encoding="utf-8")
RULES = CARD_FILE.with_name("RULES.md").read_text(encoding="utf-8")


def cards_by(names: tuple[str, ...], values) -> dict[str, int]:
    """How many of the 56 cards have each value."""
    found = Counter()
    for kind, value in enumerate(values):
        found[names[value]] += int(CARDS.copies[kind])
    return dict(found)


def test_n01_01_machines_of_16_kinds():
    """N1.1."""
    assert len(KINDS) == 16 and CARDS.copies.sum() == 56
    assert cards_by(COLORS, CARDS.color) == {"blue": 20, "purple": 20, "red": 8, "yellow": 8}
    assert all(COLORS[CARDS.color[kind]][0] == name[0].lower() for kind, name in enumerate(KINDS))
    assert all(CARDS.copies[kind] == (2 if name[0] == "R" else 4) for kind, name in enumerate(KINDS))


def test_n01_02_points_symbols_costs_and_effects():
    """N1.2: sums over all cards; each kind names the paragraph of its effect; one row of features for each."""
    assert (CARDS.points * CARDS.copies).sum() == 114
    assert cards_by(SYMBOLS, CARDS.symbol) == dict(zip(SYMBOLS, (14, 14, 10, 10, 8), strict=True))
    sums = (CARDS.cost * CARDS.copies[:, None]).sum(axis=0).tolist()
    assert dict(zip(RESOURCES, sums, strict=True)) == {"wood": 60, "copper": 56, "crystal": 54}
    assert {int(total) for total in CARDS.cost.sum(axis=1)} == {2, 3, 4}
    for kind, name in enumerate(KINDS):
        (text,) = re.findall(rf"^- \*\*{re.escape(CARDS.rule[kind])}\*\* (\S+):", RULES, re.M)
        assert text == name
    assert FACES.shape == (17, len(FEATURES)) and not FACES[0].any()
    assert len({tuple(row) for row in FACES[:, 1:].tolist()}) == 17


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("B1", "blue 1 wood 0 1 1"),
        ("B5", "blue 3 wild 3 1 0"),
        ("P5", "purple 3 charcoalium 1 1 2"),
        ("R4", "red 3 wood 1 3 0"),
        ("Y2", "yellow 3 charcoalium 0 3 1"),
    ],
)
def test_n01_02_some_machines(name: str, shown: str):
    """N1.2."""
    kind = KINDS.index(name)
    cost = " ".join(map(str, CARDS.cost[kind].tolist()))
    assert f"{COLORS[CARDS.color[kind]]} {CARDS.points[kind]} {SYMBOLS[CARDS.symbol[kind]]} {cost}" == shown


def test_n01_04_seventeen_projects():
    """N1.4: all different; their points and sizes."""
    points, sizes = CARDS.project_points, CARDS.project_machines
    assert len(points) == 17 and points.sum() == 39 and sizes.sum() == 37
    assert Counter(sizes.tolist()) == {2: 15, 3: 1, 4: 1}
    assert len({(*map(int, row),) for row in zip(CARDS.asked, CARDS.wanted, CARDS.twins, strict=True)}) == 17
    assert points.tolist() == [5, 1, 1, 3, 3, 2, 3, 2, 1, 2, 2, 2, 2, 2, 2, 3, 3]


@pytest.mark.parametrize(
    ("printed", "changed", "reason"),
    [
        ("B1 = {", "B9 = {", "must have the tables machines"),
        ("[projects]", "[tiles]", "must have the tables machines"),
        (
            'color = "blue",   points = 1, symbol = "wood"',
            'color = "pink", points = 1, symbol = "wood"',
            "machine B1: ",
        ),
        ('symbol = "wild",        cost = "3 wood copper"', 'symbol = "gold", cost = "3 wood"', "machine B5: "),
        ('cost = "3 copper crystal"', 'cost = "4 copper crystal"', "machine Y2: the cost is 5"),
        ("copies = 4, rule", "number = 4, rule", "machine B1: the entries are"),
        ('needs = "2 blue"', 'needs = "2 green"', "project 1: "),
        ('needs = "2 twins"', 'needs = "1 twins"', "project 5: it uses 1 machines"),
        ("16 = { points = 3, needs", "16 = { points = 3, wants", "project 16: the entries"),
    ],
)
def test_n01_02_a_broken_card_file_is_refused(tmp_path: Path, printed: str, changed: str, reason: str):
    """N1.2, N1.4: with the entry and what is wrong with it."""
    assert printed in TEXT
    file = tmp_path / "cards.toml"
    file.write_text(TEXT.replace(printed, changed, 1), encoding="utf-8")
    with pytest.raises(BadCards, match=reason):
        Cards(file)
