"""The depths of games as a page: a table, and a picture of the strength gained by each doubling."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from bdgame_env.engine.user_files import NotRead, read_text

from ..tables import Table, interval, percent

Result = Mapping[str, Any]

_HEAD = """# The depth of a game

How much stronger does an agent get when it searches twice as long? If the gain is small, what there is to find is found
early: by the network alone, or by anyone. If it is large, there is more to learn. Below, `az` (tree search by the
network that comes with the game) plays itself with half as many simulations per decision, on the same deals in all
orders of the seats. A share of 50 % is no gain at all. Elo points are
400 log<sub>10</sub>(share / (1 - share)), and intervals are 95 %, over deals.

This is the *skill ladder* of R. D. Gaina et al. 2020 (TAG, the Tabletop Games framework), in which each agent has
twice the budget of the one before. Three differences matter when you compare figures. TAG's ladders use MCTS with
random playouts; `--searcher mcts` plays that. Their budgets are iterations or milliseconds; here they are simulations,
so that the figures do not depend on the machine. And here a network has learned the game before the search begins.
Search does not find again what the network has learned, so a small gain means that the network's judgment and the
search agree, or that luck decides, not that the game is simple. Between games, you can compare the sum of the gains and
the budget at which they end.
"""


def results_in(folder: Path) -> list[dict[str, Any]]:
    """The results in a folder, by title; other files are passed over."""
    found = []
    for path in sorted(folder.glob("*.json")):
        with suppress(NotRead, ValueError, TypeError):
            facts = json.loads(read_text(path))
            if isinstance(facts, dict) and facts.get("depth") == 1:
                found.append(facts)
    return sorted(found, key=lambda facts: str(facts["title"]))


def line_of(step: Mapping[str, Any]) -> str:
    """A step in a line of text."""
    share = percent(step["share"], tuple(step["interval"]))
    return f"{step['more']} against {step['fewer']}: {share}, Elo {_elo(step)}, {step['games']} games"


def depth_table(results: Sequence[Result]) -> Table:
    """A row for each game: the Elo gained by each step, and in all."""
    steps = list(dict.fromkeys((step["fewer"], step["more"]) for result in results for step in result["steps"]))
    rows = []
    for result in results:
        by_step = {(step["fewer"], step["more"]): step for step in result["steps"]}
        gains = [_elo(by_step[step]) if step in by_step else "not played" for step in steps]
        longest = result["steps"][-1]["seconds_per_decision"] * 1000
        games = "-".join(map(str, sorted({min(_games(result)), max(_games(result))})))
        rows.append((result["title"], *gains, _elo(result), games, f"{longest:.2g}"))
    names = [f"{fewer} to {more}" for fewer, more in steps]
    return Table("", ("Elo gained", *names, "in all", "games a step", "ms/decision at most"), rows)


def _games(result: Result) -> list[int]:
    return [step["games"] for step in result["steps"]]


def _elo(facts: Mapping[str, Any]) -> str:
    low, high = facts["elo_interval"]
    return f"{facts['elo']:+.0f} ({low:+.0f} to {high:+.0f})"


def depth_page(results: Sequence[Result], picture: Path) -> str:
    """The page."""
    shares = [
        Table(
            "",
            ("", "share above", "Elo", "games"),
            [
                (
                    f"{step['more']} against {step['fewer']}",
                    f"{100 * step['share']:.1f} %{interval(tuple(step['interval']), 1, 100)}",
                    _elo(step),
                    str(step["games"]),
                )
                for step in result["steps"]
            ],
        ).markdown()
        for result in results
    ]
    commands = "\n".join(str(result["command"]) for result in results)
    sections = [f"\n## {result['title']}\n\n{table}" for result, table in zip(results, shares, strict=True)]
    commits = sorted({str(result["run"].get("commit"))[:12] for result in results})
    return "\n".join(
        [
            _HEAD,
            depth_table(results).markdown(),
            f"\n![Elo gained by each doubling of the budget, by game]({picture.name})\n",
            f"```sh\n{commands}\n```\n",
            f"Written at commit {', '.join(f'`{commit}`' for commit in commits)}.",
            *sections,
            "",
        ]
    )


def draw_depth(results: Sequence[Result], path: Path) -> None:
    """Draw strength against budget for each game: the gains of all steps so far, with the interval of each step."""
    from ..plots import new_figure, save  # imports matplotlib

    figure = new_figure(7.5, 4.5)
    axes = figure.add_subplot()
    for number, result in enumerate(results):
        budgets = [result["steps"][0]["fewer"], *(step["more"] for step in result["steps"])]
        strength = [0.0]
        for step in result["steps"]:
            strength.append(strength[-1] + step["elo"])
        shift = 1.02 ** (number - len(results) / 2)  # so that bars do not hide each other
        bars = [[0.0, *(abs(step["elo"] - step["elo_interval"][end]) for step in result["steps"])] for end in (0, 1)]
        axes.errorbar([x * shift for x in budgets], strength, yerr=bars, marker=".", capsize=2, label=result["title"])
    axes.set_xscale("log", base=2)
    ticks = sorted({step[end] for result in results for step in result["steps"] for end in ("fewer", "more")})
    axes.set_xticks(ticks, [str(tick) for tick in ticks])
    axes.set_xlabel("simulations a decision")
    axes.set_ylabel("Elo above the fewest")
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)
    save(figure, path)
