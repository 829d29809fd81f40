"""What `bench` measures of a game, section by section."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rich.console import Console

from bdgame_env.agents import UnknownAgent

from ..errors import missing_extra
from . import play
from .figures import Bench, Figure
from .growth import growth_figures
from .learning import network_figures
from .search import search_figures
from .start import start_figures


class NotHere(Exception):
    """A section does not apply; the message says why."""


def measure(
    plan: Bench,
    sections: Mapping[str, Callable[[Bench], list[Figure]]],
    keep: Callable[[list[Figure], list[str]], None] = lambda figures, skipped: None,
) -> tuple[list[Figure], list[str]]:
    """The figures of some sections, and a line for each section that was skipped.

    `keep` is called with both after every section, so that an interrupted run keeps its figures.
    """
    figures: list[Figure] = []
    skipped: list[str] = []
    with Console(stderr=True).status("") as status:
        for name, section in sections.items():
            status.update(f"measuring: {name}")
            try:
                figures += section(plan)
            except (NotHere, UnknownAgent) as error:
                skipped.append(f"skipped: {name}: {error}")
            except ModuleNotFoundError as error:
                line = missing_extra(error, name)
                if line is None:
                    raise
                skipped.append(f"skipped: {line}")
            keep(figures, skipped)
    return figures, skipped


def _resolver(plan: Bench) -> list[Figure]:
    from bdgame_env.games.bdgame import planning

    from .device_problems import sample_problems

    if plan.game.module.rpartition(".")[0] != planning.__package__:
        raise NotHere(f"{plan.game.id} has no such module")
    problems: dict[str, Any] = dict(sample_problems(4096, 0))
    work = play.timed(lambda: planning.resolve(**problems, threads=1), 4096)
    return [plan.rate("planning.resolve, activations, 1 thread", work)]


def _sb3(opponents: str) -> Callable[[Bench], list[Figure]]:
    def section(plan: Bench) -> list[Figure]:
        from .sb3 import sb3_figures

        return sb3_figures(plan, opponents)

    return section


SECTIONS: dict[str, Callable[[Bench], list[Figure]]] = {
    "memory": play.memory_figures,
    "batches, random play": lambda plan: play.batch_figures(plan, play.RANDOM),
    "growth": growth_figures,
    "random playouts": play.playout_figures,
    "PettingZoo's loop": play.aec_figures,
    "batches, heuristic play": lambda plan: play.batch_figures(plan, play.HEURISTIC),
    "the heuristic agent": play.heuristic_figures,
    "planning": _resolver,
    "starting": start_figures,
    "search": search_figures,
    "networks": network_figures,
    "training against random": _sb3("random"),
    "training against heuristic": _sb3("heuristic"),
}
