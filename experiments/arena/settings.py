"""The settings of a tournament: everything its games depend on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from bdgame_env.engine.quoting import one_line

from .matches import BATCH
from .schedule import ROUND_ROBIN, Plan


@dataclass(frozen=True)
class Settings:
    """The settings of a tournament; with the same code they determine all games and results.

    Attributes:
        game: id with version.
        options: all options of the game with their values, `players` included.
        agents: specs, by index.
        games: deals per line-up, each played in every seat order.
        seed: for the deals and the agents' random numbers.
        batch: games played side by side. Results depend on it, because agents are seeded once per batch.
        time_limits: seconds per decision by agent, None for no limit; empty if no agent has one.
        format: see `schedule.Plan`.
        rounds: number of rounds in Swiss, else None.
        delta: see `schedule.Plan`.
        precision: see `schedule.Plan`.
        half_width: see `schedule.Plan`.
        seconds: see `schedule.Plan`.
        contents: digests of the files that the agents and the options stand for, see `contents.contents_by_name`; empty
            until the tournament is played.
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
    precision: float | None = None
    half_width: float | None = None
    seconds: float | None = None
    contents: dict[str, dict[str, str]] = field(default_factory=dict)

    @property
    def plan(self) -> Plan:
        """The settings that decide who plays whom."""
        players = int(self.options["players"])
        return Plan(
            len(self.agents),
            players,
            self.games,
            self.seed,
            format=self.format,
            rounds=self.rounds,
            delta=self.delta,
            precision=self.precision,
            half_width=self.half_width,
            seconds=self.seconds,
        )

    @property
    def names(self) -> list[str]:
        """A name for each agent, numbered from the second of equal specs: random, random (2)."""
        return [
            one_line(spec if spec not in self.agents[:k] else f"{spec} ({self.agents[:k].count(spec) + 1})")
            for k, spec in enumerate(self.agents)
        ]
