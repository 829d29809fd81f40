"""Duels: two agents play each other on the same deals in balanced seats, kept in a file per pair, which resumes."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.agents import make_agent
from bdgame_env.agents.registry import keep_spec
from bdgame_env.engine.game import Game, GameConfig
from bdgame_env.engine.user_files import NotRead, read_text

from ..arena.matches import GameResult, play_batch
from ..arena.seating import line_ups, seat_orders, seatings_of
from ..arena.share_intervals import LEVEL, share_intervals
from ..arena.standings import Interval, scores_by_deal
from ..contents import contents_by_name
from ..errors import BadInput
from ..files import provenance, write_json

CHUNK = 32  # deals from one writing of the file to the next
_VERSION = 1

OnProgress = Callable[[int, int, int], None]


@dataclass(frozen=True)
class Score:
    """How often one agent ranked above another, ties half.

    Attributes:
        above: by deal, the sum over its meetings, shape (deals,).
        meetings: by deal, shape (deals,).
        games: how many were played.
        decisions: how many each of the two agents took. seconds: how long it thought in all.
    """

    above: npt.NDArray[np.float64]
    meetings: npt.NDArray[np.float64]
    games: int
    decisions: tuple[int, int]
    seconds: tuple[float, float]

    @property
    def deals(self) -> int:
        return len(self.above)

    @property
    def share(self) -> float:
        return float(self.above.sum() / self.meetings.sum())

    @property
    def interval(self) -> Interval:
        """The 95 % interval of the share, over deals."""
        return self.interval_at(LEVEL)

    def interval_at(self, level: float) -> Interval:
        low, high = share_intervals(self.above[:, None], self.meetings[:, None], level)
        return (0.0, 1.0) if np.isnan(low[0]) else (float(low[0]), float(high[0]))

    @property
    def seconds_per_decision(self) -> tuple[float, float]:
        one, other = (spent / max(1, count) for spent, count in zip(self.seconds, self.decisions, strict=True))
        return one, other


class Duels:
    """Plays pairs of agents in one game, in this process.

    Args:
        game: any game.
        config: its cards and options.
        folder: of a file for each pair; games that are there are not played again.
        seed: of the deals and of the agents' random numbers.
    """

    def __init__(self, game: Game, config: GameConfig, folder: Path, seed: int) -> None:
        self.game, self.config, self.folder, self.seed = game, config, folder, seed
        self._run = provenance()

    def play(
        self,
        one: str,
        other: str,
        deals: int,
        *,
        enough: Callable[[Score], bool] | None = None,
        on_progress: OnProgress | None = None,
    ) -> Score:
        """The score of `one` against `other`.

        Every deal is played in all orders of the seats: with two players 2 games, with three 6 (each agent takes two
        seats in half of them), with four 6 (two seats each).

        Args:
            one: spec of an agent.
            other: spec of another agent.
            deals: the most deals; all are played unless `enough`.
            enough: asked after each `CHUNK` of deals whether to stop.
            on_progress: called with the greatest number of games, those found in the file, and those that have ended.

        Raises:
            BadInput, UnknownAgent, OSError: one line that says what is wrong.
        """
        agents = [keep_spec(one), keep_spec(other)]
        path = self.folder / _file_name(one, other)
        facts = {
            "duel": _VERSION,
            "game": self.game.id,
            "options": dict(self.config.options),
            "agents": [one, other],
            "seed": self.seed,
            "contents": contents_by_name(agents, self.game, self.config),
        }
        chunks = _stored(path, json.loads(json.dumps(facts, default=str)))

        def keep() -> None:
            write_json(path, {**facts, "options": _plain(facts["options"]), "chunks": chunks})

        before = sum(chunk["games"] for chunk in chunks)
        most = deals * sum(len(seat_orders(row)) for row in line_ups(2, self.config.players))
        first = 0
        players: list[Any] = []
        try:
            for number in range(-(-deals // CHUNK)):
                if number == len(chunks):
                    players = players or [make_agent(spec, self.game, self.config) for spec in agents]
                    if not chunks:
                        keep()  # so that a folder that cannot be written to is told before anything is played
                    part = range(first, min(first + CHUNK, deals))
                    chunks.append({**_played(self.game, self.config, players, part, self.seed), "run": self._run})
                    keep()
                first += len(chunks[number]["above"])
                score = _score(chunks[: number + 1])
                if on_progress is not None:
                    on_progress(most, min(before, score.games), score.games)
                if first >= deals or (enough is not None and enough(score)):
                    return score
        finally:
            for agent in players:
                agent.close()
        return _score(chunks)


def _file_name(one: str, other: str) -> str:
    digest = hashlib.sha256(f"{one}\n{other}".encode()).hexdigest()[:12]
    plain = "_".join("".join(c if c.isalnum() or c in "-." else "-" for c in spec)[:32] for spec in (one, other))
    return f"{plain}_{digest}.json"


def _plain(options: Any) -> Any:
    return json.loads(json.dumps(options, default=str))


def _stored(path: Path, facts: dict[str, Any]) -> list[dict[str, Any]]:
    """The chunks in a file; none if there is no file.

    Raises:
        BadInput: it is of other games, or of agents that have changed.
    """
    if not path.exists():
        return []
    found: Any = None
    with suppress(NotRead, ValueError):
        found = json.loads(read_text(path))
    chunks = found.pop("chunks", None) if isinstance(found, dict) else None
    if not isinstance(chunks, list) or found.get("duel") != _VERSION:
        raise BadInput(f"{path}: not a file of a duel; delete it to play its games again")
    if found != facts:
        what = next((name for name in facts if found.get(name) != facts[name]), "more")
        raise BadInput(f"{path}: holds other games than these ({what} differs): give another --out")
    return chunks


def _played(game: Game, config: GameConfig, agents: list[Any], deals: range, seed: int) -> dict[str, Any]:
    """What a chunk of deals came to, as JSON has it."""
    chosen = line_ups(2, config.players)
    per_deal = sum(len(seat_orders(row)) for row in chosen)
    games = seatings_of(chosen, seed, deals, deals.start * per_deal)
    size = min(agent.games_at_once for agent in agents)
    results: list[GameResult] = []
    began = time.monotonic()
    for start in range(0, len(games), size):
        results += play_batch(game, config, agents, games[start : start + size], seed=seed)
    if lost := next((one for one in results if one.forfeit is not None), None):
        raise BadInput(f"game {lost.number} was lost by forfeit: {lost.reason}")
    above, meetings = scores_by_deal(results, 0)
    decisions, seconds = [0, 0], [0.0, 0.0]
    for result in results:
        for seat, agent in enumerate(result.agents):
            decisions[agent] += result.decided[seat]
            seconds[agent] += result.seconds[seat]
    return {
        "above": above.tolist(),
        "meetings": meetings.tolist(),
        "games": len(results),
        "decisions": decisions,
        "seconds": [round(spent, 3) for spent in seconds],
        "elapsed": round(time.monotonic() - began, 3),
    }


def _score(chunks: list[dict[str, Any]]) -> Score:
    def both(name: str) -> Iterator[Any]:
        return (sum(chunk[name][agent] for chunk in chunks) for agent in (0, 1))

    return Score(
        np.concatenate([chunk["above"] for chunk in chunks]),
        np.concatenate([chunk["meetings"] for chunk in chunks]),
        sum(chunk["games"] for chunk in chunks),
        (*both("decisions"),),
        (*both("seconds"),),
    )
