"""What the pool of a cell did among itself: the ratings and scores that an agent's are measured by.

The pools are played once, by `bdgame benchmark --pool`, and their results ship.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bdgame_env.engine.user_files import digest_of

from ..arena.outcome import Outcome
from ..arena.standings import Interval, score_interval, scores_by_deal
from ..contents import contents_by_name, what_changed
from ..errors import BadInput
from ..files import write_json
from . import suite as suites
from .suite import Cell, Suite

WORST = "random"  # which every pool has, and whose score is 0 when scores are normalized


@dataclass(frozen=True)
class Anchors:
    """The pool of a cell.

    Attributes:
        ratings: of the pool's agents, in the order of the suite, see `arena.plackett_luce.ratings`.
        lowest, highest: the scores of `WORST` and of the agent with the highest; see `pool_score`.
        strongest: that agent.
        digest: of the file.
    """

    ratings: list[float]
    lowest: float
    highest: float
    strongest: str
    digest: str

    def normalized(self, score: Any) -> Any:
        """A score, or an array of scores, on the scale on which random play is 0 and the strongest agent 100."""
        return 100 * (score - self.lowest) / (self.highest - self.lowest)


def anchors_file(suite: Suite, cell: Cell) -> Path:
    """Where the results of a pool are."""
    return suites.FOLDER / suite.name / f"{cell.file_name}.json"


def read_anchors(suite: Suite, cell: Cell) -> Anchors:
    """The anchors of a cell.

    Raises:
        BadInput: the pool was not played, or was another one: a policy file of an agent has changed since.
    """
    path, again = anchors_file(suite, cell), f"bdgame benchmark --pool --games {cell.game.id}"
    if suite.name != suites.LATEST:
        again += f" --suite {suite.name}"
    if not path.exists():
        raise BadInput(f"{suite.name} has no results of its pool for {cell}: {again} plays it")
    text = path.read_bytes()
    facts = json.loads(text)
    changed = what_changed(facts["contents"], contents_by_name(suite.pools[cell.game.id], cell.game, cell.config))
    if changed or facts["settings"] != _settings(suite, cell):
        why = changed or "its settings changed"
        raise BadInput(f"{suite.name}: the pool of {cell} is another than that which was measured ({why}): {again}")
    rows = facts["agents"]
    scores = {row["agent"]: row["score"] for row in rows}
    strongest = max(scores, key=lambda name: float(scores[name]))
    ratings = [row["rating"] for row in rows]
    return Anchors(ratings, scores[WORST], scores[strongest], strongest, digest_of(text))


def write_anchors(suite: Suite, cell: Cell, outcome: Outcome) -> None:
    """Write what the pool of a cell did."""
    standings, names = outcome.standings, outcome.settings.names
    places = [next(k for k, row in enumerate(standings.agents) if row.agent == name) for name in names]
    agents = []
    for index, place in enumerate(places):
        row = standings.agents[place]
        score, ends = pool_score(outcome, index)
        above = [standings.win_matrix[place][other] for other in places]
        agents.append(
            {
                "agent": row.agent,
                "rating": round(row.rating, 1),
                "rating_interval": row.rating_interval and [round(end, 1) for end in row.rating_interval],
                "score": round(score, 4),
                "score_interval": [round(end, 4) for end in ends],
                "games": row.games,
                "wins_by_seat": [share and round(share, 4) for share in row.wins_by_seat],
                "above": [share and round(share, 4) for share in above],
            }
        )
    facts = {
        "settings": _settings(suite, cell),
        "contents": outcome.settings.contents,
        "run": outcome.run,
        "games": standings.games,
        "deals": standings.deals,
        "truncated": round(standings.truncated, 4),
        "agents": agents,
    }
    write_json(anchors_file(suite, cell), facts)


def pool_score(outcome: Outcome, agent: int) -> tuple[float, Interval]:
    """How often an agent of the pool ranks above one drawn from the whole pool, and the 95 % interval over deals.

    Ties count half, and so does the agent itself.
    """
    totals, counts = scores_by_deal(outcome.results, agent)
    share, ends = totals.sum() / counts.sum(), score_interval(outcome.results, agent) or (0.0, 1.0)
    others = len(outcome.settings.agents) - 1
    score, low, high = (np.array([share, *ends]) * others + 0.5) / (others + 1)
    return float(score), (float(low), float(high))


def _settings(suite: Suite, cell: Cell) -> Mapping[str, Any]:
    """The settings that a pool's results are of, as JSON has them."""
    settings = asdict(suite.pool_settings(cell))
    kept = ("game", "options", "agents", "games", "seed", "format")
    found: Mapping[str, Any] = json.loads(json.dumps({name: settings[name] for name in kept}))
    return found
