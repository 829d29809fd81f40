"""The Python examples of README.md, CONTRIBUTING.md and docs/ run as they stand; links and pictures are right."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs" / "frameworks").glob("*.md")),
]
EXAMPLES = [
    pytest.param(code, id=f"{page.name}-{number}")
    for page in PAGES
    for number, code in enumerate(re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL))
]


@pytest.mark.parametrize("code", EXAMPLES)
def test_an_example_runs(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each Python block, on its own, prints something and raises nothing."""
    exec(compile(code, "example", "exec"), {"__name__": "__example__"})
    assert capsys.readouterr().out


def test_the_resolvers_example_prints_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    """E2: 2 Blue through the splitter are 4 Yellow and 4 Red."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (code,) = (code for code in re.findall(r"```python\n(.*?)```", readme, re.DOTALL) if "planning.resolve" in code)
    exec(compile(code, "README.md", "exec"), {"__name__": "__example__"})
    assert capsys.readouterr().out.startswith("[[4 4 0]]")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files_that_exist(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    missing = [target for target in targets if "://" not in target and not (page.parent / target).exists()]
    assert not missing


def test_the_readme_stays_short() -> None:
    """Figures, tables of strength and details belong in docs/."""
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 150


def test_the_picture_of_the_architecture_shows_the_imports(tmp_path: Path) -> None:
    """`python docs/draw_architecture.py`"""
    runpy.run_path(str(ROOT / "docs" / "draw_architecture.py"))["main"](tmp_path / "architecture.svg")
    drawn = (tmp_path / "architecture.svg").read_text("utf-8")
    assert drawn == (ROOT / "docs" / "architecture.svg").read_text("utf-8"), "draw it again and commit it"


def test_an_import_upwards_is_no_picture() -> None:
    script = runpy.run_path(str(ROOT / "docs" / "draw_architecture.py"))
    found = {room: set() for floor in script["FLOORS"].values() for room in floor}
    found["engine"].add("games")
    with pytest.raises(ValueError, match="engine imports games"):
        script["without_shortcuts"](found)
