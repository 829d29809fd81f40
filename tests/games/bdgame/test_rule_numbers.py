"""The numbers of RULES.md: each is cited where it is carried out, each has a test, and none is made up."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

import bdgame_env.games.bdgame as game

pytestmark = pytest.mark.plain

SOURCES = sorted(Path(game.__file__).parent.glob("*.py"))
TESTS = sorted(Path(__file__).parent.glob("test_*.py"))
NUMBERS = re.findall(r"^- \*\*(B\d+a?|E\d+)\*\*", Path(game.__file__).with_name("RULES.md").read_text("utf-8"), re.M)
PARAGRAPHS = [number for number in NUMBERS if number[0] == "B"]
EXAMPLES = [number for number in NUMBERS if number[0] == "E"]


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
    """The numbers in a text; of a range its two ends. Codes after `noqa` are ruff's."""
    return set(re.findall(r"\b(?:B\d+a?|E\d+)\b", re.sub(r"# noqa:.*", "", text)))


def named(path: Path) -> set[str]:
    """The numbers in the names of a file's tests: test_b33_b36_... is about two, test_b20_to_b23_... about four."""
    numbers = set()
    for name in re.findall(r"^def test_((?:(?:to_)?[be]\d+a?_)+)", path.read_text(encoding="utf-8"), re.M):
        for first, last in re.findall(r"b(\d+)_to_b(\d+)_", name):
            numbers |= {f"B{number}" for number in range(int(first), int(last) + 1)}
        numbers |= {f"{letter.upper()}{int(digits)}{a}" for letter, digits, a in re.findall(r"([be])(\d+)(a?)_", name)}
    return numbers


def test_the_paragraphs_are_numbered_in_order():
    order = [f"B{number}" for number in range(1, 55)]
    for number in ("B15", "B24", "B50"):
        order.insert(order.index(number) + 1, number + "a")
    assert order == PARAGRAPHS
    assert [f"E{number}" for number in range(1, 14)] == EXAMPLES


def test_every_paragraph_says_where_it_comes_from():
    text = Path(game.__file__).with_name("RULES.md").read_text("utf-8").split("## 11.")[0]
    for paragraph in re.split(r"^- \*\*(?=B)", text, flags=re.M)[1:]:
        assert re.search(r"\((rulebook|ruling)", paragraph), paragraph


def test_every_paragraph_is_cited_in_the_source():
    missing = set(PARAGRAPHS) - cited("\n".join(text for path in SOURCES for text in prose(path)))
    assert not missing, f"no docstring or comment of {SOURCES[0].parent} cites {sorted(missing)}"


def test_every_number_has_a_test():
    """The tests of the reference do not count: they say nothing of the engine."""
    found = set().union(*(named(path) for path in TESTS if path.name != "test_reference.py"))
    missing = set(NUMBERS) - found
    assert not missing, f"no test is named after {sorted(missing)}"


@pytest.mark.parametrize("path", [*SOURCES, *TESTS], ids=lambda path: path.name)
def test_no_unknown_number_is_cited(path):
    unknown = (cited(path.read_text(encoding="utf-8")) | named(path)) - set(NUMBERS)
    assert not unknown, f"{path} cites {sorted(unknown)}, which RULES.md does not have"
