"""What a tournament came to, and the files that say so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from .matches import BATCH, GameResult
from .ratings import Standings
from .schedule import ROUND_ROBIN, Plan
from .sequential import Verdict


@dataclass(frozen=True)
class Settings:
    """What decides the games of a tournament, and with the same code their results.

    Attributes:
        game: id with version.
        options: of the game, every one with its value, `players` included.
        agents: specs, by index.
        games: deals for each line-up, each played in every seat order.
        seed: of the deals and of the agents' own randomness.
        batch: games played side by side; it decides which of its random numbers an agent uses where.
        time_limits: seconds per decision by agent, None for no limit; empty if nobody has one.
        format: see `schedule.Plan`.
        rounds: of Swiss, else None.
        delta: stop when pairs are settled to this, or None.
    """

    game: str
    options: dict[str, Any]
    agents: list[str]
    games: int
    seed: int = 0
    batch: int = BATCH
    time_limits: list[float | None] = field(default_factory=list)
    format: str = ROUND_ROBIN
    rounds: int | None = None
    delta: float | None = None

    @property
    def plan(self) -> Plan:
        """The part that decides who plays whom."""
        players = int(self.options["players"])
        return Plan(
            len(self.agents), players, self.games, self.seed, format=self.format, rounds=self.rounds, delta=self.delta
        )

    @property
    def names(self) -> list[str]:
        """A name for each agent, numbered from the second of equal specs: random, random (2)."""
        return [
            spec if spec not in self.agents[:place] else f"{spec} ({self.agents[:place].count(spec) + 1})"
            for place, spec in enumerate(self.agents)
        ]


@dataclass(frozen=True)
class Outcome:
    """A tournament that has ended.

    Attributes:
        settings: which.
        run: provenance of its first start; empty if nothing was written.
        standings: of all agents.
        results: of all games, by number.
        verdicts: on the pairs, if it had a `delta`.
        continued: provenance of later starts that ran other code, see `store.Store`.
    """

    settings: Settings
    run: Mapping[str, Any]
    standings: Standings
    results: Sequence[GameResult]
    verdicts: Sequence[Verdict]
    continued: Sequence[Mapping[str, Any]] = ()

    @property
    def forfeits(self) -> list[tuple[str, str, int]]:
        """Agent, reason and number of games, the most frequent first."""
        names = self.settings.names
        lost = Counter(
            (names[result.agents[result.forfeit]], result.reason)
            for result in self.results
            if result.forfeit is not None
        )
        return [(name, reason, count) for (name, reason), count in lost.most_common()]

    @property
    def told_verdicts(self) -> list[str]:
        """A line for each pair."""
        return [_told(verdict, self.settings) for verdict in self.verdicts]

    def to_json(self) -> dict[str, Any]:
        """Plain JSON data, without the single games."""
        names = self.settings.names
        return {
            "settings": asdict(self.settings),
            "run": self.run,
            "continued": list(self.continued),
            "standings": self.standings.to_json(),
            "verdicts": [
                {**verdict.to_json(), "one": names[verdict.one], "other": names[verdict.other]}
                for verdict in self.verdicts
            ],
        }


def _told(verdict: Verdict, settings: Settings) -> str:
    one, other = settings.names[verdict.one], settings.names[verdict.other]
    score = f"{100 * verdict.score:.1f} % on {verdict.deals} deals"
    if verdict.outcome == "open":
        return f"{one} against {other}: {score}; not settled within {settings.games} deals"
    delta = f"{100 * (settings.delta or 0):g} %"
    relation = {"above": "better than", "below": "worse than", "equal": f"as good, to {delta}, as"}[verdict.outcome]
    return f"{one} is {relation} {other}: {score}; settled after {verdict.settled_after}"
