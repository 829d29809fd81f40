"""The numbers of RULES.md: each is cited where it is carried out, each has a test, and none is made up."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

import bdgame_env.games.gizmos as game

pytestmark = pytest.mark.plain

SOURCES = sorted(Path(game.__file__).parent.glob("*.py"))
TESTS = sorted(Path(__file__).parent.glob("test_*.py"))
TEXT = Path(game.__file__).with_name("RULES.md").read_text("utf-8")
BODY, _, REASONS = TEXT.partition("## Rulings")
NUMBERS = re.findall(r"^- \*\*([GD]\d+\.\d+|[CE]\d+)\*\*", BODY, re.M)
SECTIONS = re.findall(r"^### ([GD]\d+) ", TEXT, re.M)
TO_BE_CITED = [number for number in NUMBERS if number[0] in "GD"]
_CITED = re.compile(r"\b[GD]\d+\.\d+\b|\b[EC]\d+\b|\b[GD]\d+\b(?!\.)")


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
    """The numbers in a text; of a range within a section, `G8.2-G8.6`, all. Codes after `noqa` are ruff's."""
    text = re.sub(r"# noqa:.*", "", text)
    found = set(_CITED.findall(text))
    for section, first, last in re.findall(r"\b([GD]\d+)\.(\d+)-\1\.(\d+)\b", text):
        found |= {f"{section}.{number}" for number in range(int(first), int(last) + 1)}
    for letter, first, last in re.findall(r"\b([EC])(\d+)-\1(\d+)\b", text):
        found |= {f"{letter}{number}" for number in range(int(first), int(last) + 1)}
    return found


def named(path: Path) -> set[str]:
    """The numbers in the names of a file's tests: test_g08_04_... is about G8.4, test_e01_... about E1."""
    numbers = set()
    pattern = r"^def test_((?:[gd]\d\d_\d\d_|[ec]\d\d_)+)"
    for name in re.findall(pattern, path.read_text(encoding="utf-8"), re.M):
        numbers |= {f"{letter.upper()}{int(a)}.{int(b)}" for letter, a, b in re.findall(r"([gd])(\d\d)_(\d\d)_", name)}
        numbers |= {f"{letter.upper()}{int(a)}" for letter, a in re.findall(r"([ec])(\d\d)_", name)}
    return numbers


def test_the_paragraphs_are_numbered_in_order():
    assert [*(f"G{number}" for number in range(1, 18)), *(f"D{number}" for number in range(1, 8))] == SECTIONS
    for begin in [*(f"{section}." for section in SECTIONS), "E", "C"]:
        found = [number for number in NUMBERS if re.fullmatch(rf"{re.escape(begin)}\d+", number)]
        assert found and found == [f"{begin}{number}" for number in range(1, len(found) + 1)]


def test_every_ruling_has_its_reason():
    """What is marked as a ruling in a paragraph is named in the section on rulings."""
    for paragraph in re.split(r"^- \*\*(?=[GD])", BODY, flags=re.M)[1:]:
        if "*(ruling" in paragraph.partition("\n\n")[0]:
            assert f"**{paragraph.partition('*')[0]}**" in REASONS, paragraph


def test_every_paragraph_is_cited_in_the_source():
    missing = set(TO_BE_CITED) - cited("\n".join(text for path in SOURCES for text in prose(path)))
    assert not missing, f"no docstring or comment of {SOURCES[0].parent} cites {sorted(missing)}"


def test_every_number_has_a_test():
    missing = set(NUMBERS) - set().union(*(named(path) for path in TESTS))
    assert not missing, f"no test is named after {sorted(missing)}"


@pytest.mark.parametrize("path", [*SOURCES, *TESTS], ids=lambda path: path.name)
def test_no_unknown_number_is_cited(path):
    found = cited("\n".join(prose(path))) | named(path)
    unknown = found - set(NUMBERS) - set(SECTIONS)
    assert not unknown, f"{path} cites {sorted(unknown)}, which RULES.md does not have"
