"""The outcome of a tournament: settings, standings, results and verdicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from .matches import GameResult
from .sequential_test import Verdict
from .settings import Settings
from .standings import Standings


@dataclass(frozen=True)
class Outcome:
    """A tournament that has ended.

    Attributes:
        settings: of the tournament.
        run: provenance of its first start; empty if nothing was written.
        standings: of all agents.
        results: of all games, by number.
        verdicts: on pairs of agents, if the tournament had a `delta`.
        continued: provenance of later starts with other code, see `store.Store`.
    """

    settings: Settings
    run: Mapping[str, Any]
    standings: Standings
    results: Sequence[GameResult]
    verdicts: Sequence[Verdict]
    continued: Sequence[Mapping[str, Any]] = ()

    @property
    def forfeits(self) -> list[tuple[str, str, int]]:
        """Agent, reason and number of games; the most frequent first."""
        names = self.settings.names
        lost = Counter(
            (names[result.agents[result.forfeit]], result.reason)
            for result in self.results
            if result.forfeit is not None
        )
        return [(name, reason, count) for (name, reason), count in lost.most_common()]

    @property
    def verdict_lines(self) -> list[str]:
        """A line of text for each verdict."""
        return [_verdict_line(verdict, self.settings) for verdict in self.verdicts]

    def to_json(self) -> dict[str, Any]:
        """Plain JSON data, without the individual games."""
        names = self.settings.names
        return {
            "settings": asdict(self.settings),
            "run": self.run,
            "continued": list(self.continued),
            "standings": asdict(self.standings),
            "verdicts": [
                {**asdict(verdict), "one": names[verdict.one], "other": names[verdict.other]}
                for verdict in self.verdicts
            ],
        }


def _verdict_line(verdict: Verdict, settings: Settings) -> str:
    one, other = settings.names[verdict.one], settings.names[verdict.other]
    score = f"{100 * verdict.score:.1f} % on {verdict.deals} deals"
    if verdict.outcome == "open":
        return f"{one} against {other}: {score}; not settled within {settings.games} deals"
    delta = f"{100 * (settings.delta or 0):g} %"
    relation = {"above": "better than", "below": "worse than", "equal": f"as good, to {delta}, as"}[verdict.outcome]
    return f"{one} is {relation} {other}: {score}; settled after {verdict.settled_after}"
