"""The outcome of a tournament: settings, standings, results and verdicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ..tables import percent
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
        """A line of text for each verdict, and in a race for each pair of neighbors."""
        lines = [_verdict_line(verdict, self.settings) for verdict in self.verdicts]
        return lines if self.settings.half_width is None else [*lines, *_neighbors(self.standings, self.settings)]

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


def _neighbors(standings: Standings, settings: Settings) -> Iterable[str]:
    rows = zip(standings.agents, standings.agents[1:], strict=False)
    for place, (one, other) in enumerate(rows):
        share, ends = standings.win_matrix[place][place + 1], standings.win_matrix_intervals[place][place + 1]
        if share is None or ends is None:
            yield f"{one.agent} and {other.agent} have not met on two deals"
            continue
        wide = ends[1] - ends[0] > 2 * (settings.half_width or 0.0)
        more = f" (not known to within {100 * (settings.half_width or 0.0):g} %)" if wide else ""
        yield f"{one.agent} ranks above {other.agent} in {percent(share, ends)} of their meetings{more}"


def _verdict_line(verdict: Verdict, settings: Settings) -> str:
    one, other = settings.names[verdict.one], settings.names[verdict.other]
    score = f"{100 * verdict.score:.1f} % on {verdict.deals} deals"
    if verdict.outcome == "open":
        return f"{one} against {other}: {score}; not settled within {settings.games} deals"
    delta = f"{100 * (settings.delta or 0):g} %"
    relation = {"above": "better than", "below": "worse than", "equal": f"as good, to {delta}, as"}[verdict.outcome]
    return f"{one} is {relation} {other}: {score}; settled after {verdict.settled_after}"
