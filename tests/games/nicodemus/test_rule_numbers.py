"""The numbers of RULES.md: each is cited where it is carried out, each has a test, and none is made up."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

import bdgame_env.games.nicodemus as game

pytestmark = pytest.mark.plain

SOURCES = sorted(Path(game.__file__).parent.glob("*.py"))
TESTS = sorted(Path(__file__).parent.glob("test_*.py"))
TEXT = Path(game.__file__).with_name("RULES.md").read_text("utf-8")
BODY, _, REASONS = TEXT.partition("## Rulings")
NUMBERS = re.findall(r"^ *- \*\*(N\d+(?:\.\d+)+)\*\*", BODY, re.M)
SECTIONS = [*re.findall(r"^### (N\d+) ", TEXT, re.M), "N25"]
# N17 repeats other paragraphs, N22.4 is a measurement, N25 are examples.
TO_BE_CITED = [number for number in NUMBERS if not number.startswith(("N17.", "N25.")) and number != "N22.4"]
_CITED = re.compile(r"\bN\d+(?:\.\d+)*\b")


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
    """The numbers in a text; of a range, `N6.3-N6.5`, all. Codes after `noqa` are ruff's."""
    text = re.sub(r"# noqa:.*", "", text)
    found = set(_CITED.findall(text))
    for begin, first, last in re.findall(r"\b(N\d+(?:\.\d+)?)\.(\d+)-\1\.(\d+)\b(?!\.)", text):
        found |= {f"{begin}.{number}" for number in range(int(first), int(last) + 1)}
    return found


def named(path: Path) -> set[str]:
    """The numbers in the names of a file's tests: test_n10_04_01_... is about N10.4.1."""
    numbers = set()
    for name in re.findall(r"^def test_((?:n\d\d(?:_\d\d)+_)+)", path.read_text(encoding="utf-8"), re.M):
        for part in re.findall(r"n(\d\d(?:_\d\d)+)_", name):
            numbers.add("N" + ".".join(str(int(digits)) for digits in part.split("_")))
    return numbers


def test_the_paragraphs_are_numbered_in_order():
    assert [f"N{number}" for number in range(1, 26)] == SECTIONS
    begins = {number.rpartition(".")[0] for number in NUMBERS}
    assert begins == {*SECTIONS, "N7.3", "N10.4", "N12.1", "N12.2", "N16.6"}
    for begin in begins:
        found = [number for number in NUMBERS if number.rpartition(".")[0] == begin]
        assert found == [f"{begin}.{number}" for number in range(1, len(found) + 1)]


def test_every_ruling_has_its_reason():
    """What is marked as a ruling in a paragraph is named in the section on rulings, and the other way round."""
    marked = set()
    for paragraph in re.split(r"^ *- \*\*(?=N)", BODY, flags=re.M)[1:]:
        if "*(ruling" in paragraph.partition("\n\n")[0]:
            marked.add(paragraph.partition("*")[0])
    assert marked == set(re.findall(r"(?<!To )\*\*(N[\d.]+)\*\*", REASONS))


def test_what_is_easily_read_otherwise_names_its_paragraph():
    """N17 adds nothing of its own."""
    for line in re.split(r"^- \*\*(?=N17)", BODY, flags=re.M)[1:]:
        assert cited(line.partition("\n\n")[0].partition("**")[2]) & {*NUMBERS, *SECTIONS}, line


def test_every_paragraph_is_cited_in_the_source():
    missing = set(TO_BE_CITED) - cited("\n".join(text for path in SOURCES for text in prose(path)))
    assert not missing, f"no docstring or comment of {SOURCES[0].parent} cites {sorted(missing)}"


def test_every_number_has_a_test():
    missing = set(NUMBERS) - set().union(*(named(path) for path in TESTS))
    missing -= {"N7.3"}  # a list of its parts
    assert not missing, f"no test is named after {sorted(missing)}"


@pytest.mark.parametrize("path", [*SOURCES, *TESTS], ids=lambda path: path.name)
def test_no_unknown_number_is_cited(path):
    found = cited("\n".join(prose(path))) | named(path)
    unknown = found - set(NUMBERS) - set(SECTIONS)
    assert not unknown, f"{path} cites {sorted(unknown)}, which RULES.md does not have"
