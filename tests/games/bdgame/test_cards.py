"""The card file: what the standard one holds, playing with another one, and how a broken one is refused (B2-B6)."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import bdgame_env
from bdgame_env.engine.match import Match
from bdgame_env.games.bdgame.cards import (
    BASIC,
    JOINER,
    NUM_BASIC,
    SPLITTER,
    STRAIGHT,
    BadDeck,
    read_deck,
    standard_deck,
)
from bdgame_env.games.bdgame.decks import CLASSIC_DECK
from bdgame_env.games.bdgame.game import GAME

pytestmark = pytest.mark.plain  # cards and pictures do not depend on the JIT

SECOND_DECK = Path(__file__).parents[3] / "docs" / "second_deck.toml"
TEXT = CLASSIC_DECK.read_text(encoding="utf-8")
PORTS = {STRAIGHT: ("1", "1"), SPLITTER: ("1", "02"), JOINER: ("02", "1")}  # inlets and outlets: up 0, mid 1, down 2


def deck_file(folder: Path, text: str) -> Path:
    file = folder / "deck.toml"
    file.write_text(text, encoding="utf-8")
    return file


def line_of(text: str, wanted: str) -> int:
    """The line in which this text stands first."""
    return text[: text.index(wanted)].count("\n") + 1


def test_b03_b04_the_standard_deck_has_28_kinds_each_with_a_name_of_its_own():
    """B3, B4: 8 basic kinds, 20 special ones."""
    deck = standard_deck()
    assert deck.kinds[:NUM_BASIC] == BASIC
    assert len(deck.kinds) == len(set(deck.kinds)) == 28
    assert deck.cost.min() >= 1 and len(deck.cost) == 28


def test_b02_the_standard_deck_has_32_orders():
    """B2: each has a name of its own, asks for a cube and is worth a point; no two ask for the same."""
    deck = standard_deck()
    assert len(deck.orders) == len(set(deck.orders)) == 32
    assert deck.needs.sum(axis=1).min() >= 1 and deck.points.min() >= 1
    assert len({tuple(needs) for needs in deck.needs.tolist()}) == 32


def test_the_second_deck_is_the_classic_one_with_two_other_prices():
    """docs/balance.md says why; all else is as it is printed."""
    second, classic = read_deck(SECOND_DECK), read_deck(CLASSIC_DECK)
    costs = zip(classic.kinds, classic.cost.tolist(), second.cost.tolist(), strict=True)
    assert {kind: (old, new) for kind, old, new in costs if old != new} == {"packer": (1, 4), "s_4Y_1B1R": (6, 4)}
    for name, values in vars(classic).items():
        if name not in ("cost", "path"):
            assert np.array_equal(values, getattr(second, name)), name


@pytest.mark.parametrize("kind", standard_deck().kinds[NUM_BASIC:])
def test_b06_the_name_of_a_special_card_spells_its_recipe(kind):
    """B6: the letter is the shape, then come the cubes taken, then those given, from the upper port down."""
    deck = standard_deck()
    number = deck.kinds.index(kind)
    letter, taken, given = kind.split("_")
    assert letter == {STRAIGHT: "c", SPLITTER: "s", JOINER: "j"}[int(deck.shapes[number])]
    for spelled, recipe, ports in zip(
        (taken, given), (deck.takes[number], deck.gives[number]), PORTS[int(deck.shapes[number])], strict=True
    ):
        cubes = [(port, color) for port in range(3) for color in range(3) if recipe[port, color]]
        assert spelled == "".join(f"{recipe[cube]}{'YRB'[cube[1]]}" for cube in cubes)
        assert {str(port) for port, _ in cubes} == set(ports)


def test_b06_prices_come_from_the_card_file(tmp_path):
    """B6: a packer for 3 takes 3 of a Blue's 4 credits, so no second one can be bought."""
    text = TEXT.replace('kind = "packer"\ncost = 1', 'kind = "packer"\ncost = 3')
    match = bdgame_env.make_match("bdgame-v3", players=2, seed=1, deck=deck_file(tmp_path, text))
    for move in ("pay B", "buy packer"):
        match.play(move)
    assert match.snapshot()["credit"] == 1
    assert "buy packer" not in match.legal_moves() and "buy hopper" in match.legal_moves()


def test_b06_orders_come_from_the_card_file(tmp_path):
    """B6: where every order asks for a Yellow and is worth 30 points, one fulfilled order starts the last round."""
    text = re.sub(r'needs = "[^"]+", points = \d+', 'needs = "1Y", points = 30', TEXT)
    file = deck_file(tmp_path, text)
    match = bdgame_env.make_match("bdgame-v3", players=2, seed=1, deck=file)
    for move in ("accept 0", "load Y@0", "end", "end", "activate 0", "fulfil 0"):
        match.play(move)
    snap = match.snapshot(omniscient=True)
    assert snap["seats"][0]["points"] == 30 and snap["last_round"]
    again = bdgame_env.match_from_snapshot(snap, deck=file)
    assert again.snapshot(omniscient=True) == snap and again.legal_moves() == match.legal_moves()


FREE = ('kind = "c_1Y_1R"\ncost = 7', 'kind = "c_1Y_1R"\ncost = 0')
NOT_SPELLED = ('kind = "c_2Y_1R"', 'kind = "c_2Y_2R"')
PORT = ('out.up = "2Y"', 'out.mid = "2Y"')
NO_POINTS = ('o07 = { needs = "2R", points = 2 }', 'o07 = { needs = "2R" }')
LAST_SPECIAL = TEXT[TEXT.rindex("[[special]]") : TEXT.index("# ---- orders")]


@pytest.mark.parametrize(
    ("printed", "changed", "at", "reason"),
    [
        pytest.param("R = 24\n", "", "[bank]", "bank R = None, must be 24", id="no Red in the bank"),
        pytest.param("B = 24\n", "B = 25\n", "B = 25", "bank B = 25, must be 24", id="a Blue too many"),
        pytest.param(LAST_SPECIAL, "\n", '[[special]]\nkind = "j_1Y1B_1R2B"', "19 special kinds", id="19 specials"),
        pytest.param(
            'kind = "pause"', 'kind = "wait"', '[[basic]]\nkind = "wait"', "'wait' is unknown", id="basic kind"
        ),
        pytest.param(
            'kind = "pause"', 'kind = "joiner"', '[[basic]]\nkind = "joiner"\ncost = 2\n\n', "twice", id="twice"
        ),
        pytest.param(*FREE, "cost = 0", "the cost of c_1Y_1R is 0", id="price 0"),
        pytest.param("cost = 7", 'cost = "7"', 'cost = "7"', "the cost of c_1Y_1R is '7'", id="price in quotes"),
        pytest.param(*PORT, "[[special]]            # splitters", "ports of no special row of B13", id="wrong port"),
        pytest.param('out.up = "2Y"', 'out.top = "2Y"', 'out.top = "2Y"', "unknown port 'top'", id="unknown port"),
        pytest.param(*NOT_SPELLED, "[[special]]            # conv", "its recipe spells 'c_2Y_1R'", id="wrong name"),
        pytest.param('in.mid = "3Y"', 'in.mid = "3G"', 'in.mid = "3G"', "'3G' is not cubes", id="unknown color"),
        pytest.param(*NO_POINTS, "o07 = ", "order o07 must have 'needs' and 'points'", id="order without points"),
        pytest.param(
            'o32 = { needs = "1Y 1R 2B", points = 7 }', "", "[orders]", "31 orders, must be 32", id="31 orders"
        ),
        pytest.param('kind = "bend_up"\n', 'kind = "bend_up\n', 'kind = "bend_up\n', "column", id="no TOML"),
        pytest.param("[orders]", "[extra]\n[orders]", "[extra]", "unknown table 'extra'", id="unknown table"),
    ],
)
def test_b06_a_broken_card_file_is_refused_with_line_and_reason(tmp_path, printed, changed, at, reason):
    """B6: one line that names file, line and what is wrong with it."""
    assert printed in TEXT
    text = TEXT.replace(printed, changed, 1)
    file = deck_file(tmp_path, text)
    with pytest.raises(BadDeck, match=rf"line {line_of(text, at)}\b") as refusal:
        read_deck(file)
    assert reason in str(refusal.value) and str(file) in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("table", ["basic", "special"])
def test_b06_a_file_without_cards_of_a_sort_is_refused(tmp_path, table):
    kept = re.sub(rf"(?m)^\[\[{table}\]\].*\n(?:(?!\[).*\n)*", "", TEXT)
    with pytest.raises(BadDeck, match=rf"line \d+: 0 {table} kinds, must be"):
        read_deck(deck_file(tmp_path, kept))


def test_b06_a_broken_card_file_makes_no_match(tmp_path):
    """B6: the refusal reaches whoever asks for a table; so does that of a file that is not there."""
    with pytest.raises(BadDeck, match="cost of c_1Y_1R"):
        bdgame_env.make_match("bdgame-v3", deck=deck_file(tmp_path, TEXT.replace(*FREE)))
    with pytest.raises(BadDeck, match="cannot be read"):
        bdgame_env.make_match("bdgame-v3", deck=tmp_path / "missing.toml")


def test_b06_an_edited_card_file_is_read_again(tmp_path):
    """In the same process, under the same name."""
    file = deck_file(tmp_path, TEXT)
    before = GAME.config(deck=file)
    assert GAME.config(deck=file) is before
    deck_file(tmp_path, TEXT + "\n[")
    with pytest.raises(BadDeck, match=r"deck\.toml"):
        GAME.config(deck=file)
    assert GAME.config(**before.options) is before, "what was made from the old file keeps its cards"
    Path(file).unlink()
    with pytest.raises(BadDeck, match="cannot be read"):
        GAME.config(deck=file)


HOSTILE = {
    "5,000 brackets": "x = " + "[" * 5000,
    "5,000 closed brackets": "x = " + "[" * 5000 + "]" * 5000,
    "5,000 matches": "x = " + "{a = " * 5000 + "1" + "}" * 5000,
    "a deep key": "a." * 8_000 + "b = 1",
    "30,000 digits": "[bank]\nY = " + "9" * 30_000,
    "4,000 digits": "[bank]\nY = " + "9" * 4000,
    "30,000 hexadecimal digits": "[bank]\nY = 0x" + "f" * 30_000,
    "a price of hexadecimal digits": TEXT.replace("cost = 2", "cost = 0x" + "f" * 30_000, 1),
    "a kind that is a number": TEXT.replace('kind = "pause"', "kind = 0x" + "f" * 30_000),
    "a kind that is a list": TEXT.replace('kind = "pause"', 'kind = ["pause"]'),
    "a name of two lines": TEXT.replace("o07 =", '"o\\n07" =').replace("points = ", "pints = "),
    "a long name": TEXT.replace("[bank]", "[" + "b" * 100_000 + "]\n[bank]"),
    "a long text": TEXT.replace('in.mid = "3Y"', 'in.mid = "' + "3Y " * 30_000 + '"'),
    "30 MB": "#" * 30_000_000,
    "200,000 digits": "x = " + "9" * 200_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_b06_a_hostile_card_file_is_refused_in_one_line(tmp_path, text):
    """Neither a traceback of the parser's nor a message of megabytes."""
    file = deck_file(tmp_path, text)
    with pytest.raises(BadDeck, match=r"deck\.toml") as refusal:
        read_deck(file)
    told = str(refusal.value)
    assert "\n" not in told and len(told) < 500


@pytest.mark.parametrize("deck", ["", ".", "a\0b", "/dev/zero", "x" * 5000, "\ud800", "\x1b[2J", "\u202ea\nb"])
def test_b06_what_is_no_card_file_is_refused(deck):
    """Folders, devices that never end and names that no file has."""
    with pytest.raises(BadDeck) as refusal:
        GAME.config(deck=deck)
    assert str(refusal.value).isprintable() and len(str(refusal.value)) < 500


@pytest.mark.parametrize("path", [None, SECOND_DECK])
def test_observations_say_what_every_card_does(path: Path | None) -> None:
    """B2, B3, B4: ports, price and recipe of all kinds, cubes and points of all orders; the rows agree with them."""
    deck = standard_deck() if path is None else read_deck(path)
    match = Match(GAME, seed=1, players=3, deck=path)
    for seat in range(3):
        seen = match.observe(seat).view(GAME.obs)[0]
        assert seen.order_faces.tolist() == [
            [*needs, points] for needs, points in zip(deck.needs, deck.points, strict=True)
        ]
        for kind, face in enumerate(seen.part_faces.tolist()):
            assert face[:2] == [deck.shapes[kind] + 1, deck.cost[kind]]
            assert face[2:] == [*deck.takes[kind].ravel(), *deck.gives[kind].ravel()]
        for order, *face in seen.orders_row.tolist():
            assert face == seen.order_faces[order - 1].tolist()
        for part, *face in seen.parts_row.tolist():
            assert face == seen.part_faces[part - 1, 1:].tolist()
