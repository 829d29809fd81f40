"""What a release is made of agrees: version, changelog, citation, pinned tools."""

from __future__ import annotations

import re
import tomllib
from datetime import date
from pathlib import Path
from typing import Any

import pytest

import bdgame_env

from .support.mutants import Mutant, mutants

ROOT = Path(__file__).resolve().parents[1]
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
KINDS = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]  # of Keep a Changelog
GITHUB = sorted((ROOT / ".github").rglob("*.yml"))  # not in the sdist


def loaded(path: Path) -> Any:
    return pytest.importorskip("yaml").safe_load(path.read_text(encoding="utf-8"))


def test_the_newest_version_is_the_packages() -> None:
    """A release begins with these; pyproject.toml reads the version from the package."""
    versions = re.findall(r"^## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d\d-\d\d)$", CHANGELOG, re.MULTILINE)
    assert re.findall(r"^## (.*)$", CHANGELOG, re.MULTILINE)[0] == "[Unreleased]"
    assert len(re.findall(r"^## ", CHANGELOG, re.MULTILINE)) == 1 + len(versions)
    assert versions == sorted(versions, key=lambda found: [*map(int, found[0].split("."))], reverse=True)
    version, released = versions[0]
    assert version == bdgame_env.__version__ and date.fromisoformat(released)
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {version}\n" in citation and f'\ndate-released: "{released}"\n' in citation
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["dynamic"] == ["version"] and f"name: {project['authors'][0]['name']}\n" in citation


def test_changes_are_short_and_of_a_kind() -> None:
    assert set(re.findall(r"^### (.*)$", CHANGELOG, re.MULTILINE)) <= set(KINDS)
    changes = re.findall(r"^- (?:.*\n)(?:  .*\n)*", CHANGELOG, re.MULTILINE)
    assert len(changes) > 50
    assert [change for change in changes if change.count("\n") > 2] == []
    assert [line for line in CHANGELOG.splitlines() if len(line) > 120] == []


def test_the_citation_has_what_the_format_asks_for() -> None:
    """https://github.com/citation-file-format/citation-file-format, version 1.2.0"""
    found = loaded(ROOT / "CITATION.cff")
    assert found["cff-version"] == "1.2.0" and {"message", "title", "authors"} <= set(found)
    assert all(set(author) == {"name"} for author in found["authors"])  # an entity, not a person


@pytest.mark.skipif(not GITHUB, reason="an sdist has no .github")
@pytest.mark.parametrize("path", GITHUB, ids=lambda path: path.name)
def test_files_of_github_can_be_read(path: Path) -> None:
    found = loaded(path)
    if path.parent.name == "workflows":
        assert {"name", "jobs", "permissions"} <= set(found)
        for job in found["jobs"].values():
            assert "uses" in job or {"runs-on", "timeout-minutes", "steps"} <= set(job)
            local = [step["uses"] for step in job.get("steps", []) if step.get("uses", "").startswith("./")]
            assert all((ROOT / name / "action.yml").is_file() for name in local)
            assert "uses" not in job or (ROOT / job["uses"]).is_file()
    elif path.parent.name == "ISSUE_TEMPLATE" and path.name != "config.yml":
        assert {"name", "description", "body"} <= set(found)
        fields = [part for part in found["body"] if part["type"] != "markdown"]
        assert len({part["id"] for part in fields}) == len(fields)


@pytest.mark.skipif(not GITHUB, reason="an sdist has no .github")
def test_the_tests_of_all_systems_are_those_of_make_smoke() -> None:
    """Written out there, as Windows has no make."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8").replace("\\\n", " ")
    smoke = re.search(r"^SMOKE_TESTS := (.*)$", makefile, re.MULTILINE)
    steps = loaded(ROOT / ".github" / "workflows" / "test.yml")["jobs"]["platforms"]["steps"]
    (command,) = (step["run"] for step in steps if "plain Python" in step.get("name", ""))
    assert smoke is not None and smoke[1].split() == command[command.index("tests/games") :].split()


@pytest.mark.skipif(not GITHUB, reason="an sdist has no .github")
def test_pre_commit_takes_the_pinned_tools() -> None:
    pins = dict(re.findall(r"^(\S+)==(\S+)$", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.MULTILINE))
    text = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    named = re.findall(r"\b([\w-]+)==([\w.]+)", text)
    assert named and [(tool, version) for tool, version in named if pins.get(tool) != version] == []


@pytest.mark.parametrize("mutant", mutants(), ids=lambda mutant: f"{mutant.part}, {mutant.rule}")
def test_every_mutant_can_be_made(mutant: Mutant) -> None:
    """`make mutants` takes long, so a change of the rules must not wait for it to learn that it moved a text."""
    path = ROOT / mutant.path
    assert mutant.applied_to(path.read_text(encoding="utf-8")) != path.read_text(encoding="utf-8")
