"""`bench --page`: measures all games and writes the page of benchmarks; repeated, it resumes where it stopped."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bdgame_env import get_game, list_games

from ..errors import BadInput
from ..files import provenance, write_json, write_text
from .figures import Bench, Figure, machine
from .page import Measured
from .sections import measure

KEPT = Path("runs/bench/figures.json")  # what is measured so far

Section = Callable[[Bench], list[Figure]]


def write_page(
    page: Path,
    sections: Mapping[str, Section],
    peers: Mapping[str, Section],
    changed: Callable[[Bench], Bench],
    command: str,
) -> Measured:
    """Measure every section of every game, and other packages once; then write the page and, beside it, its figures.

    Args:
        page: a Markdown file; the figures go to a file of the same name that ends in .json.
        sections: what is measured of each game.
        peers: what is measured of other packages.
        changed: the plan of a game, from the usual one.
        command: what the page says that it is written by.

    Raises:
        BadInput: the page's name does not end in .md.
    """
    if page.suffix != ".md":
        raise BadInput(f"--page {page}: the page is a Markdown file, NAME.md")
    games = {name: get_game(name) for name in list_games()}
    benches = {name: changed(Bench(game, game.config())) for name, game in games.items()}
    first = next(iter(benches.values()))
    data = _kept({"repetitions": first.repetitions, "growth": list(first.growth)})
    for section, measured_by in sections.items():  # so that what is quick to measure stands early
        for name, bench in benches.items():
            _measure(data, data["games"].setdefault(name, {}), {section: measured_by}, bench, name)
    _measure(data, data["peers"], peers, first, "other packages")
    measured, figures = Measured(data), page.with_suffix(".json")
    write_json(figures, data)
    write_text(page, measured.page(command, figures.name))
    return measured


def _kept(plan: Mapping[str, Any]) -> dict[str, Any]:
    """What an earlier run of the same sources, versions and plan has measured; else nothing yet."""
    run = provenance()
    if KEPT.is_file() and not run["modified"]:
        data: dict[str, Any] = json.loads(KEPT.read_text(encoding="utf-8"))
        same = all(data["run"][key] == run[key] for key in ("commit", "modified", "versions"))
        if same and all(data[key] == value for key, value in plan.items()):
            return data
    return {"machine": machine(), "run": run, **plan, "games": {}, "peers": {}}


def _measure(
    data: Mapping[str, Any], kept: dict[str, Any], sections: Mapping[str, Section], bench: Bench, about: str
) -> None:
    """Measure the sections that are not kept yet."""
    for name, section in sections.items():
        if name in kept:
            continue
        print(f"{about}: {name}", flush=True)
        figures, skipped = measure(bench, {name: section})
        for line in skipped:
            print(line)
        kept[name] = {"figures": [asdict(figure) for figure in figures], "skipped": skipped}
        write_json(KEPT, data)
