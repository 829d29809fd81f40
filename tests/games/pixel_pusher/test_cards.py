"""The card file (P2, P6-P8, P25, P41), and how a broken one is refused."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from bdgame_env.games.pixel_pusher.cards import (
    AMOUNT,
    CARD_FILE,
    CARDS,
    COLLECT_TYPE,
    COLORS,
    CONVERTER,
    COPIES,
    FACES,
    FEATURES,
    GAIN,
    LINE_POINTS,
    NEED,
    PAY,
    RECIPE_POINTS,
    SLOT_TYPES,
    BadCards,
    Cards,
)
from bdgame_env.games.pixel_pusher.state import PIXELS

pytestmark = pytest.mark.plain  # cards and pictures do not depend on the JIT

TEXT = CARD_FILE.read_text(encoding="utf-8")
KINDS = range(1, 42)


def family(kind: int) -> str:
    """mixC -> mix."""
    return CARDS.converters[CONVERTER[kind]].rstrip("CMY")


def test_p02_pixels():
    """P2: 100, of seven colors."""
    assert dict(zip(COLORS, PIXELS.tolist(), strict=True)) == dict.fromkeys("RGB", 20) | dict.fromkeys("CMYW", 10)


def test_p06_60_cards_of_41_kinds():
    """P6: no two kinds are equal, with both ends."""
    assert COPIES.sum() == 60 and (COPIES[1:] > 0).all() and len(COPIES) == 42
    assert len({(COLLECT_TYPE[kind], AMOUNT[kind], CONVERTER[kind]) for kind in KINDS}) == 41


def test_p06_1_collect_ends():
    """P6.1."""
    found: Counter[str] = Counter()
    for kind in KINDS:
        found[SLOT_TYPES[COLLECT_TYPE[kind]] * int(AMOUNT[kind])] += int(COPIES[kind])
    assert found == {"R": 14, "G": 14, "B": 14, "RR": 4, "GG": 4, "BB": 4, "?": 6}


def test_p06_2_convert_ends():
    """P6.2."""
    found: Counter[str] = Counter()
    for kind in KINDS:
        found[family(kind)] += int(COPIES[kind])
    assert found == {"mix": 30, "white": 10, "top": 6, "split": 3, "sell": 6, "triple": 5}


def test_p06_3_the_commonest_kinds():
    """P6.3: four cards each, a color with the mix of the other two."""
    found = {
        kind: (SLOT_TYPES[COLLECT_TYPE[kind]], CARDS.converters[CONVERTER[kind]]) for kind in KINDS if COPIES[kind] == 4
    }
    assert found == {1: ("R", "mixC"), 9: ("G", "mixM"), 17: ("B", "mixY")}


def test_p07_p25_ability_cards():
    """P7, P25: three that recolor, and Prism."""
    assert CARDS.ability_titles == ["1st to Build", "1st to Collect", "1st to Score", "Prism"]
    assert [CARDS.converters[CONVERTER[card]] for card in range(42, 46)] == ["recolor"] * 3 + ["prism"]


def test_p08_20_images_of_five_lines():
    """P8: each line asks for something, five pixels at most; names differ."""
    assert NEED.shape == (21, 5, 7) and not NEED[0].any() and len(set(CARDS.image_names)) == 20
    assert (NEED[1:].sum(axis=2) >= 1).all() and (NEED[1:].sum(axis=2) <= 5).all()


def test_p08_1_points_of_a_line():
    """P8.1: by color, and 2 more for five pixels; on the sheet of May 2018, 5 for W and 1 more for five pixels."""
    for printing, (white, full) in enumerate(((4, 2), (5, 1))):
        worth = {"R": 1, "G": 1, "B": 1, "C": 3, "M": 3, "Y": 3, "W": white}
        for image in range(1, 21):
            for line in range(5):
                need = NEED[image, line].tolist()
                points = sum(worth[color] * count for color, count in zip(COLORS, need, strict=True))
                assert LINE_POINTS[printing, image, line] == points + full * (sum(need) == 5)
    assert int(LINE_POINTS[0].sum()) == 780 and LINE_POINTS[0].max() == 22 and LINE_POINTS[1].max() == 26


def test_p08_2_each_image_can_be_finished():
    """P8.2: with the pixels of the config."""
    assert (NEED.sum(axis=1) <= PIXELS).all()


def test_p41_recipes():
    """P41: 46, and 24 more for any triple, each of one converter; the id says what it does."""
    assert len(CARDS.recipes) == 70 and CARDS.recipes[0] == "RG>Y" and CARDS.recipes[45] == "BBB>W"
    others = {f"{color * 3}>{gain}" for color in "CMYW" for gain in COLORS if gain != color}
    assert set(CARDS.recipes[46:]) == others and (CARDS.converter_of[46:] == CARDS.converters.index("triple")).all()
    for recipe, name in enumerate(CARDS.recipes):
        pay, gain = name.split(">")
        assert "".join(color * int(count) for color, count in zip(COLORS, PAY[recipe], strict=True)) == "".join(
            sorted(pay, key=COLORS.index)
        )
        if gain == "2VP":
            assert RECIPE_POINTS[recipe] == 2 and not GAIN[recipe].any()
        else:
            assert "".join(color * int(count) for color, count in zip(COLORS, GAIN[recipe], strict=True)) == gain
            assert RECIPE_POINTS[recipe] == 0
    sizes = {
        name: int(end - first)
        for name, first, end in zip(CARDS.converters, CARDS.first_recipe, CARDS.end_recipe, strict=True)
    }
    many = {"splitC": 2, "splitM": 2, "splitY": 2, "triple": 18, "recolor": 6, "prism": 6}
    assert sizes == {name: many.get(name, 1) for name in CARDS.converters}


def test_what_a_card_shows():
    """One row of features each; the empty place shows nothing."""
    assert FACES.shape == (46, len(FEATURES)) and not FACES[0].any() and FACES[:, 0].tolist() == list(range(46))

    def shown(card: int) -> dict[str, int]:
        return {name: int(value) for name, value in zip(FEATURES[1:], FACES[card, 1:], strict=True) if value}

    assert shown(1) == {"collects R": 1, "converts: mixC": 1}
    assert shown(33) == {"collects B": 2, "the collect end costs a pixel": 1, "converts: sellY": 1}
    assert shown(37) == {"collects ?": 1, "the collect end costs a pixel": 1, "converts: triple": 1}
    assert shown(45) == {"ability: prism": 1}
    assert len({tuple(row) for row in FACES.tolist()}) == 46


FAULTS = [
    ('1 = { collect = "R"', '1 = { collect = "RRR"', "machine 1: no end collects 'RRR'"),
    ('1 = { collect = "R"', '1 = { collect = "C"', "machine 1: "),
    ('convert = "mixC", copies = 4', 'convert = "mixK", copies = 4', "machine 1: 'mixK'"),
    ('convert = "mixC", copies = 4', 'convert = "prism", copies = 4', "an ability card"),
    ('convert = "mixC", copies = 4', 'convert = "mixC", copies = 3', "59 machine cards, must be 60"),
    ('41 = { collect = "?", convert = "mixC", copies = 1 }\n', "", "'machines': 40"),
    ('"W___W", "W_G_W"', '"W___", "W_G_W"', "image 1: 5 lines of 5 cells"),
    ('"W___W", "W_G_W"', '"W___K", "W_G_W"', "image 1: 'K'"),
    ('"RG>Y", "RB>M"', '"RGY", "RB>M"', "recipe 0"),
    ('"RG>Y", "RB>M"', '"RG>K", "RB>M"', "recipe 0"),
    ('"RG>Y", "RB>M"', '"RB>M", "RB>M"', "converter 0|twice"),
    ('mixM = ["RB>M"]', 'mixM = ["RG>Y"]', "each recipe belongs to one converter"),
    ('splitC = ["C>BB", "C>GG"]', 'splitC = ["C>GG", "C>BB"]', "must follow one another"),
    ('leads = "build"', 'leads = "score"', "ability 0"),
    ('converter = "prism"', 'converter = "recolor"', "ability 3"),
    ("[images]", "[pictures]", "the entries are"),
    ("W = 5, full_line = 1", "W = 5", "printing 1: 'may_2018' is not 'may_2018' with R, G"),
    ("W = 5, full_line = 1", "W = 5, full_line = 99", "printing 1: points are 0 to 20"),
    ("newest = {", "latest = {", "printing 0: 'latest' is not 'newest'"),
    ('"CCC>R"', '"CCM>R"', "does not pay three equal pixels"),
]


@pytest.mark.parametrize(("old", "new", "reason"), FAULTS)
def test_a_broken_card_file_is_refused(tmp_path: Path, old: str, new: str, reason: str):
    """In one line that says where."""
    assert old in TEXT
    path = tmp_path / "cards.toml"
    path.write_text(TEXT.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(BadCards, match=reason) as refused:
        Cards(path)
    assert "\n" not in str(refused.value)
