"""Builds the site in build/site/html: `make docs`.

First this script writes the pages, some copied from the repository, some made from the games' declarations and from the
docstrings; it runs without compiling anything. Then MkDocs, in a virtual environment of its own (.venv-docs), turns
them into HTML, and `check.py` looks at every link.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import reference
from check import check_site
from game_pages import game_pages, guide_pages, overview
from pages import Pages

from bdgame_env import list_games
from bdgame_env.registry import get_game

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
OUT = ROOT / "build" / "site"
PACKAGES = ("bdgame_env", "agents", "experiments")
# Which pages of docs/ stand under which heading, by the names of their files; all others are guides.
STARTING = ("quickstart", "environments", "observations")
DEVELOPING = ("writing_a_game", "architecture")

Nav = list[dict[str, "str | Nav"]]


def main() -> int:
    """Write the pages and build the site; returns the exit code."""
    shutil.rmtree(OUT, ignore_errors=True)
    pages = Pages(ROOT, OUT / "pages")
    nav = collect(pages)
    pages.write_all()
    shutil.copy(HERE / "site.css", OUT / "pages" / "site.css")
    copy_sources(OUT / "src")
    settings = (HERE / "mkdocs.yml").read_text(encoding="utf-8")
    added = {"docs_dir": "pages", "site_dir": "html", "not_in_nav": "/source/*", "nav": nav}
    lines = [f"{name}: {json.dumps(value)}" for name, value in added.items()]
    (OUT / "mkdocs.yml").write_text("\n".join([settings, *lines, ""]), encoding="utf-8")
    mkdocs = [ROOT / ".venv-docs" / "bin" / "mkdocs", "build", "--quiet", "--config-file", OUT / "mkdocs.yml"]
    done = subprocess.run(mkdocs, check=False, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"})
    if done.returncode:
        return done.returncode
    faults = check_site(OUT / "html")
    print("\n".join(faults) if faults else f"site: {OUT / 'html' / 'index.html'}")
    return 1 if faults else 0


def collect(pages: Pages) -> Nav:
    """Add every page; returns the navigation."""
    for source in (ROOT / "docs").glob("*.md"):
        pages.add_file(source, f"{source.stem}.md")
    frameworks = sorted((ROOT / "docs" / "frameworks").glob("*.md"))
    for source in frameworks:
        pages.add_file(source, f"frameworks/{source.stem}.md")
    pages.add_file(ROOT / "CONTRIBUTING.md", "contributing.md")
    pages.add_file(ROOT / "CHANGELOG.md", "changelog.md")
    pages.also(ROOT / "README.md", "index.md")
    games: Nav = [{"All games": "games/index.md"}]
    for game_id in list_games():
        game = get_game(game_id)
        folder = ROOT / "bdgame_env" / "games" / game.name
        pages.add_file(folder / "RULES.md", f"games/{game_id}-rules.md")
        names = {game.title: "", "How to play": "-guide", "Rules": "-rules"}
        games.append({game.title: [{name: f"games/{game_id}{end}.md"} for name, end in names.items()]})
    for path, text in {**game_pages(pages), **guide_pages()}.items():
        pages.add(path, text)
    pages.add("games/index.md", overview(pages))
    home = (HERE / "index.md").read_text(encoding="utf-8")
    for picture in sorted((ROOT / "docs").glob("play_*.webp")):
        pages.picture_file(picture)
    pages.add("index.md", home.replace("<!-- games -->", overview(pages, cards_only=True)))
    examples = sorted((ROOT / "examples").glob("*.py"))
    for source in examples:
        pages.source_page(source)
    guides = sorted({source.stem for source in (ROOT / "docs").glob("*.md")} - {*STARTING, *DEVELOPING})
    return [
        {"Home": "index.md"},
        {"Get started": [pages.entry(f"{name}.md") for name in STARTING]},
        {"Games": games},
        {"Frameworks": [pages.entry(f"frameworks/{source.stem}.md") for source in frameworks]},
        {"Guides": [pages.entry(f"{name}.md") for name in guides]},
        *([{"Examples": [pages.entry(pages.source_page(source)) for source in examples]}] if examples else []),
        {"Develop": [pages.entry(f"{name}.md") for name in DEVELOPING] + [{"Contributing": "contributing.md"}]},
        {"Reference": reference.add_pages(pages)},
        {"Changelog": "changelog.md"},
    ]


def copy_sources(into: Path) -> None:
    """The package as in a wheel, with agents and experiments in it, for mkdocstrings to read."""
    skip = shutil.ignore_patterns("__pycache__", *PACKAGES[1:])
    shutil.copytree(ROOT / PACKAGES[0], into / PACKAGES[0], ignore=skip)
    for name in PACKAGES[1:]:
        shutil.copytree(ROOT / name, into / PACKAGES[0] / name, ignore=shutil.ignore_patterns("__pycache__"))


if __name__ == "__main__":
    sys.exit(main())
