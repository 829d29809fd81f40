"""The numbers of RULES.md: each is cited where it is carried out, each has a test, and none is made up."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

import bdgame_env.games.pixel_pusher as game

pytestmark = pytest.mark.plain

SOURCES = sorted(Path(game.__file__).parent.glob("*.py"))
TESTS = sorted(Path(__file__).parent.glob("test_*.py"))
TEXT = Path(game.__file__).with_name("RULES.md").read_text("utf-8")
BODY, _, REASONS = TEXT.partition("## Rulings")
NUMBERS = re.findall(r"^ *- \*\*(P\d+(?:\.\d)?)\*\*", BODY, re.M)
NOT_CARRIED_OUT = {"P6.3", "P8.2", "P61", "P69", "P70"}  # what follows, what is not there, what was measured
_CITED = re.compile(r"\bP\d+(?:\.\d)?\b")


def prose(path: Path) -> Iterator[str]:
    """The comments and docstrings of a file."""
    text = path.read_text(encoding="utf-8")
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.string
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            yield ast.get_docstring(node) or ""


def cited(text: str) -> set[str]:
    """The numbers in a text; of a range, `P8-P10` or `P41.1-P41.6`, all. Codes after `noqa` are ruff's."""
    text = re.sub(r"# noqa:.*", "", text)
    found = set(_CITED.findall(text))
    for first, last in re.findall(r"\bP(\d+)-P(\d+)\b", text):
        found |= {f"P{number}" for number in range(int(first), int(last) + 1)}
    for whole, first, last in re.findall(r"\bP(\d+)\.(\d)-P\1\.(\d)\b", text):
        found |= {f"P{whole}.{number}" for number in range(int(first), int(last) + 1)}
    return found


def named(path: Path) -> set[str]:
    """The numbers in the names of a file's tests: test_p08_... is about P8, test_p08_1_... about P8.1."""
    numbers = set()
    for name in re.findall(r"^def test_((?:p\d\d_(?:\d_)?)+)", path.read_text(encoding="utf-8"), re.M):
        for whole, part in re.findall(r"p(\d\d)_(?:(\d)_)?", name):
            numbers.add(f"P{int(whole)}.{part}" if part else f"P{int(whole)}")
    return numbers


def test_the_paragraphs_are_numbered_in_order():
    assert [number for number in NUMBERS if "." not in number] == [f"P{number}" for number in range(1, 71)]
    for before, number in zip(["", *NUMBERS], NUMBERS, strict=False):
        whole, _, part = number.partition(".")
        assert not part or before == (whole if part == "1" else f"{whole}.{int(part) - 1}")


def test_every_ruling_has_its_reason():
    """What is marked as a ruling in a paragraph is named in the section on rulings."""
    for paragraph in re.split(r"^ *- \*\*(?=P)", BODY, flags=re.M)[1:]:
        if "*(ruling" in paragraph.partition("\n\n")[0]:
            assert f"**{paragraph.partition('*')[0]}**" in REASONS, paragraph


def with_parts(number: str) -> set[str]:
    """A paragraph that is cited as a whole is cited with its parts, and the other way round."""
    return {number, number.partition(".")[0], *(other for other in NUMBERS if other.startswith(f"{number}."))}


def test_every_paragraph_is_cited_in_the_source():
    found = cited("\n".join(text for path in SOURCES for text in prose(path)))
    missing = {number for number in NUMBERS if not with_parts(number) & found} - NOT_CARRIED_OUT
    assert not missing, f"no docstring or comment of {SOURCES[0].parent} cites {sorted(missing)}"


def test_every_number_has_a_test():
    found = set().union(*(named(path) for path in TESTS))
    headings = {number for number in NUMBERS if any(other.startswith(f"{number}.") for other in found)}
    missing = set(NUMBERS) - found - headings
    assert not missing, f"no test is named after {sorted(missing)}"


@pytest.mark.parametrize("path", [*SOURCES, *TESTS], ids=lambda path: path.name)
def test_no_unknown_number_is_cited(path):
    found = cited("\n".join(prose(path))) | named(path)
    unknown = found - set(NUMBERS)
    assert not unknown, f"{path} cites {sorted(unknown)}, which RULES.md does not have"
