"""The numbers in each game's RULES.md: cited where the game carries them out, each with a test, and none made up."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import bdgame_env.games

pytestmark = pytest.mark.plain

GAMES = Path(bdgame_env.games.__file__).parent
HERE = Path(__file__).parent


@dataclass(frozen=True)
class Numbering:
    """How the paragraphs of one game are numbered.

    Args:
        game: folder of the game.
        number: pattern of a number at the head of its paragraph.
        cited: pattern of a number in prose; a heading may be cited too.
        ranges: patterns of a range in prose, with groups for what its numbers begin with, the first and the last.
        named: pattern of the numbers at the beginning of a test's name.
        numbers_of: the numbers in what `named` has matched.
        sections: headings, which may be cited but need no test.
        not_cited: numbers that no source carries out.
        not_tested: numbers that need no test.
        paragraph: letters of the numbers that are paragraphs; the others are examples or measurements.
    """

    game: str
    number: str
    cited: str
    ranges: tuple[str, ...]
    named: str
    numbers_of: Callable[[str], set[str]]
    paragraph: str
    sections: str = ""
    more_sections: tuple[str, ...] = ()
    not_cited: Callable[[str], bool] = lambda number: False
    not_tested: frozenset[str] = frozenset()
    parts_count: bool = False  # a number cited or tested as a whole, or in one of its parts, is so altogether

    @cached_property
    def text(self) -> str:
        """RULES.md."""
        return (GAMES / self.game / "RULES.md").read_text("utf-8")

    @property
    def body(self) -> str:
        """The text before the reasons of the rulings."""
        return self.text.partition("## Rulings")[0]

    @property
    def reasons(self) -> str:
        """The section on rulings."""
        return self.text.partition("## Rulings")[2]

    @cached_property
    def numbers(self) -> list[str]:
        """All numbers, in the order of the text."""
        return re.findall(rf"^ *- \*\*({self.number})\*\*", self.body, re.M)

    @property
    def headings(self) -> list[str]:
        """The numbers of the sections."""
        return [*(re.findall(self.sections, self.text, re.M) if self.sections else ()), *self.more_sections]

    @property
    def sources(self) -> list[Path]:
        """The game's modules."""
        return sorted((GAMES / self.game).glob("*.py"))

    @property
    def tests(self) -> list[Path]:
        """The game's tests."""
        return sorted((HERE / self.game).glob("test_*.py"))

    def paragraphs(self) -> Iterator[tuple[str, str]]:
        """Each numbered paragraph: its number and its text."""
        for text in re.split(rf"^ *- \*\*(?=[{self.paragraph}])", self.body, flags=re.M)[1:]:
            yield text.partition("*")[0], text.partition("\n\n")[0]

    def cited_in(self, text: str) -> set[str]:
        """The numbers in a text, of a range all of them. Codes after `noqa` are ruff's."""
        text = re.sub(r"# noqa:.*", "", text)
        found = set(re.findall(self.cited, text))
        for pattern in self.ranges:
            for begin, first, last in re.findall(pattern, text):
                found |= {f"{begin}{number}" for number in range(int(first), int(last) + 1)}
        return found

    def named_in(self, path: Path) -> set[str]:
        """The numbers in the names of a file's tests."""
        names = re.findall(rf"^def test_((?:{self.named})+)", path.read_text("utf-8"), re.M)
        return set().union(*map(self.numbers_of, names))


def prose(path: Path) -> Iterator[str]:
    """The comments and docstrings of a file."""
    text = path.read_text(encoding="utf-8")
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.string
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            yield ast.get_docstring(node) or ""


def bdgame_numbers(name: str) -> set[str]:
    """`b33_b36_` holds two numbers, `b20_to_b23_` four."""
    numbers = set()
    for first, last in re.findall(r"b(\d+)_to_b(\d+)_", name):
        numbers |= {f"B{number}" for number in range(int(first), int(last) + 1)}
    return numbers | {f"{c.upper()}{int(digits)}{a}" for c, digits, a in re.findall(r"([be])(\d+)(a?)_", name)}


def gizmos_numbers(name: str) -> set[str]:
    """`g08_04_` is G8.4, `e01_` is E1."""
    numbers = {f"{c.upper()}{int(a)}.{int(b)}" for c, a, b in re.findall(r"([gd])(\d\d)_(\d\d)_", name)}
    return numbers | {f"{c.upper()}{int(a)}" for c, a in re.findall(r"([ec])(\d\d)_", name)}


def nicodemus_numbers(name: str) -> set[str]:
    """`n10_04_01_` is N10.4.1."""
    parts = re.findall(r"n(\d\d(?:_\d\d)+)_", name)
    return {"N" + ".".join(str(int(digits)) for digits in part.split("_")) for part in parts}


def pixel_pusher_numbers(name: str) -> set[str]:
    """`p08_` is P8, `p08_1_` is P8.1."""
    return {f"P{int(a)}" + (f".{b}" if b else "") for a, b in re.findall(r"p(\d\d)_(?:(\d)_)?", name)}


BDGAME = Numbering(
    "bdgame",
    number=r"B\d+a?|E\d+",
    cited=r"\b(?:B\d+a?|E\d+)\b",
    ranges=(),
    named=r"(?:to_)?[be]\d+a?_",
    numbers_of=bdgame_numbers,
    paragraph="B",
    not_cited=lambda number: number[0] == "E",
)
GIZMOS = Numbering(
    "gizmos",
    number=r"[GD]\d+\.\d+|[CE]\d+",
    cited=r"\b[GD]\d+\.\d+\b|\b[EC]\d+\b|\b[GD]\d+\b(?!\.)",
    ranges=(r"\b([GD]\d+\.)(\d+)-\1(\d+)\b", r"\b([EC])(\d+)-\1(\d+)\b"),
    named=r"[gd]\d\d_\d\d_|[ec]\d\d_",
    numbers_of=gizmos_numbers,
    paragraph="GD",
    sections=r"^### ([GD]\d+) ",
    not_cited=lambda number: number[0] in "CE",
)
NICODEMUS = Numbering(
    "nicodemus",
    number=r"N\d+(?:\.\d+)+",
    cited=r"\bN\d+(?:\.\d+)*\b",
    ranges=(r"\b(N\d+(?:\.\d+)?\.)(\d+)-\1(\d+)\b(?!\.)",),
    named=r"n\d\d(?:_\d\d)+_",
    numbers_of=nicodemus_numbers,
    paragraph="N",
    sections=r"^### (N\d+) ",
    more_sections=("N25",),
    # N17 repeats other paragraphs, N22.4 is a measurement, N25 are examples.
    not_cited=lambda number: number.startswith(("N17.", "N25.")) or number == "N22.4",
    not_tested=frozenset({"N7.3"}),  # a list of its parts
)
PIXEL_PUSHER = Numbering(
    "pixel_pusher",
    number=r"P\d+(?:\.\d)?",
    cited=r"\bP\d+(?:\.\d)?\b",
    ranges=(r"\b(P)(\d+)-P(\d+)\b", r"\b(P\d+\.)(\d)-\1(\d)\b"),
    named=r"p\d\d_(?:\d_)?",
    numbers_of=pixel_pusher_numbers,
    paragraph="P",
    not_cited=lambda number: number in ("P6.3", "P8.2", "P61", "P69", "P70"),  # conclusions, absences, measurements
    parts_count=True,
)
NUMBERINGS = (BDGAME, GIZMOS, NICODEMUS, PIXEL_PUSHER)
each_game = pytest.mark.parametrize("of", NUMBERINGS, ids=lambda of: of.game)


def count_up(begin: str, numbers: list[str]) -> bool:
    """Whether these numbers are `begin` with 1, 2, 3 and so on."""
    return bool(numbers) and numbers == [f"{begin}{k}" for k in range(1, len(numbers) + 1)]


def test_every_game_is_here() -> None:
    """A game without a table entry would go unchecked."""
    assert {of.game for of in NUMBERINGS} == {path.parent.name for path in GAMES.glob("*/RULES.md")}


def test_bdgame_is_numbered_in_order() -> None:
    """Some paragraphs came later, with an `a`."""
    order = [f"B{number}" for number in range(1, 55)]
    for number in ("B15", "B24", "B50"):
        order.insert(order.index(number) + 1, number + "a")
    assert [number for number in BDGAME.numbers if number[0] == "B"] == order
    assert [number for number in BDGAME.numbers if number[0] == "E"] == [f"E{number}" for number in range(1, 14)]


def test_gizmos_is_numbered_in_order() -> None:
    assert GIZMOS.headings == [*(f"G{number}" for number in range(1, 18)), *(f"D{number}" for number in range(1, 8))]
    for begin in (*(f"{section}." for section in GIZMOS.headings), "E", "C"):
        assert count_up(begin, [each for each in GIZMOS.numbers if re.fullmatch(rf"{re.escape(begin)}\d+", each)])


def test_nicodemus_is_numbered_in_order() -> None:
    assert count_up("N", NICODEMUS.headings) and len(NICODEMUS.headings) == 25
    begins = {number.rpartition(".")[0] for number in NICODEMUS.numbers}
    assert begins == {*NICODEMUS.headings, "N7.3", "N10.4", "N12.1", "N12.2", "N16.6"}
    for begin in begins:
        assert count_up(f"{begin}.", [each for each in NICODEMUS.numbers if each.rpartition(".")[0] == begin])


def test_pixel_pusher_is_numbered_in_order() -> None:
    wholes = [number for number in PIXEL_PUSHER.numbers if "." not in number]
    assert count_up("P", wholes) and len(wholes) == 70
    for before, number in pairwise(["", *PIXEL_PUSHER.numbers]):
        whole, _, part = number.partition(".")
        assert not part or before == (whole if part == "1" else f"{whole}.{int(part) - 1}")


def test_every_paragraph_of_bdgame_says_where_it_comes_from() -> None:
    for paragraph in re.split(r"^- \*\*(?=B)", BDGAME.text.split("## 11.")[0], flags=re.M)[1:]:
        assert re.search(r"\((rulebook|ruling)", paragraph), paragraph


@pytest.mark.parametrize("of", NUMBERINGS[1:], ids=lambda of: of.game)
def test_every_ruling_has_its_reason(of: Numbering) -> None:
    """What a paragraph marks as a ruling is named in the section on rulings."""
    for number, paragraph in of.paragraphs():
        assert "*(ruling" not in paragraph or f"**{number}**" in of.reasons, paragraph


def test_every_reason_of_nicodemus_has_its_ruling() -> None:
    """And the other way round."""
    marked = {number for number, paragraph in NICODEMUS.paragraphs() if "*(ruling" in paragraph}
    assert marked == set(re.findall(r"(?<!To )\*\*(N[\d.]+)\*\*", NICODEMUS.reasons))


def test_what_is_easily_read_otherwise_names_its_paragraph() -> None:
    """N17 only repeats."""
    known = {*NICODEMUS.numbers, *NICODEMUS.headings}
    for number, paragraph in NICODEMUS.paragraphs():
        if number.startswith("N17."):
            assert NICODEMUS.cited_in(paragraph.partition("**")[2]) & known, paragraph


@each_game
def test_every_paragraph_is_cited_in_the_source(of: Numbering) -> None:
    found = of.cited_in("\n".join(text for path in of.sources for text in prose(path)))
    missing = {number for number in of.numbers if not family(of, number) & found and not of.not_cited(number)}
    assert not missing, f"no docstring or comment in {of.game} cites {sorted(missing)}"


def family(of: Numbering, number: str) -> set[str]:
    """The numbers whose citation is one of this number."""
    if not of.parts_count:
        return {number}
    parts = {other for other in of.numbers if other.startswith(f"{number}.")}
    return {number, number.partition(".")[0], *parts}


@each_game
def test_every_number_has_a_test(of: Numbering) -> None:
    """The tests of the reference do not count: they prove nothing about the engine."""
    found = set().union(*(of.named_in(path) for path in of.tests if path.name != "test_reference.py"))
    missing = set(of.numbers) - found - of.not_tested
    if of.parts_count:
        missing = {number for number in missing if not any(other.startswith(f"{number}.") for other in found)}
    assert not missing, f"no test is named after {sorted(missing)}"


def files() -> list[Any]:
    """All modules and tests of all games."""
    paths = [(of, path) for of in NUMBERINGS for path in (*of.sources, *of.tests)]
    return [pytest.param(of, path, id=f"{of.game}-{path.name}") for of, path in paths]


@pytest.mark.parametrize(("of", "path"), files())
def test_no_unknown_number_is_cited(of: Numbering, path: Path) -> None:
    unknown = (of.cited_in(path.read_text("utf-8")) | of.named_in(path)) - {*of.numbers, *of.headings}
    assert not unknown, f"{path} cites {sorted(unknown)}, which RULES.md does not have"
