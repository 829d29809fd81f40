"""The card of an agent: the figures of what it did in a suite, made from the results of its games."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from ..arena.matches import GameResult
from ..arena.plackett_luce import ratings, resampled_ratings
from ..arena.share_intervals import LEVEL, intervals_over_deals, share_intervals
from ..arena.standings import meetings, score_interval, scores_by_deal, win_shares
from ..tables import Table, interval, percent
from .anchors import Anchors
from .suite import Cell, Suite

VERSION = 1  # of the form of cards
_RESAMPLES = 1000
_DIGITS = 4

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Played:
    """A cell that was played.

    Attributes:
        cell: of the suite. anchors: of that cell.
        agents: names of the agents; the first one is measured.
        results: by number.
    """

    cell: Cell
    anchors: Anchors
    agents: Sequence[str]
    results: Sequence[GameResult]


def card_of(suite: Suite, played: Sequence[Played]) -> dict[str, Any]:
    """The figures of a card, as plain JSON data: all that depends on the games alone."""
    cells = [_figures(one) for one in played]
    return {
        "card": VERSION,
        "suite": suite.name,
        "seed": suite.seed,
        **_overall(played, cells),
        **_gaps(suite, played),
        "cells": cells,
    }


def costs_of(one: Played) -> dict[str, Any]:
    """What the agent's decisions took in a cell: how many there were, and seconds for one."""
    own = [(result, result.agents.index(0)) for result in one.results]
    decisions = sum(result.decided[seat] for result, seat in own)
    seconds = sum(result.seconds[seat] for result, seat in own)
    return {"decisions": decisions, "seconds_per_decision": float(f"{seconds / max(1, decisions):.3g}")}


def games_digest(results: Sequence[GameResult]) -> str:
    """A digest of games: who played, what was done, and how they ended."""
    found = hashlib.sha256()
    for one in results:
        start = (one.number, one.deal, one.game_seed, one.agents)
        ending = (one.points, one.ranks, one.decisions, one.truncated, one.forfeit, one.reason)
        found.update(repr((start, ending)).encode() + one.actions)
    return found.hexdigest()


def _overall(played: Sequence[Played], cells: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The interquartile mean of the cells' scores: the mean without the lowest and the highest quarter of them.

    That of a single cell is the cell's own figure, so it has the cell's interval.
    """
    score, ends = _over_deals(played, interquartile_mean, np.random.default_rng(0))
    if len(cells) == 1:
        ends = cells[0]["score_interval"]
    return {"score": score, "score_interval": ends, "games": sum(len(one.results) for one in played)}


def _gaps(suite: Suite, played: Sequence[Played]) -> dict[str, Any]:
    """How much higher the score is in one variant of a game than in another; nothing if the suite compares none."""
    if not suite.gaps:
        return {}
    rng, found = np.random.default_rng(0), []
    by_cell = {(one.cell.game.id, one.cell.config.players, one.cell.variant): one for one in played}
    for (game, players), pair in product(dict.fromkeys(cell[:2] for cell in by_cell), suite.gaps):
        both = [by_cell[game, players, variant] for variant in pair if (game, players, variant) in by_cell]
        if len(both) == 2:
            points, ends = _over_deals(both, lambda scores: scores[0] - scores[1], rng)
            gap = {"game": game, "players": players, "between": list(pair), "points": points, "interval": ends}
            found.append(gap)
    return {"gaps": found}


def _over_deals(played: Sequence[Played], figure: Callable[[Floats], Any], rng: np.random.Generator) -> tuple[Any, Any]:
    """A figure of the cells' scores, and its interval; None in its place if a cell has one deal only.

    The interval is a stratified bootstrap: the deals of each cell are drawn with replacement (R. Agarwal et al. 2021,
    "Deep reinforcement learning at the edge of the statistical precipice", NeurIPS 34). rliable computes the same, but
    brings JAX.
    """
    drawn, scores = [], []
    for one in played:
        totals, counts = scores_by_deal(one.results, 0)
        deals = rng.integers(0, len(totals), (_RESAMPLES, len(totals)))
        scores.append(one.anchors.normalized(totals.sum() / counts.sum()))
        drawn.append(one.anchors.normalized(totals[deals].sum(1) / counts[deals].sum(1)))
    several = all(one.results[-1].deal > 0 for one in played)
    ends = np.quantile(figure(np.array(drawn)), [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return _rounded(figure(np.array(scores))), _rounded(ends) if several else None


def interquartile_mean(scores: Floats) -> Any:
    """The mean along the first axis without the lowest and the highest quarter."""
    cut = len(scores) // 4
    return np.sort(scores, axis=0)[cut : len(scores) - cut].mean(0)


def _figures(one: Played) -> dict[str, Any]:
    """The figures of a cell."""
    anchors, results = one.anchors, one.results
    agents, ranks = np.array([result.agents for result in results]), np.array([result.ranks for result in results])
    deals = np.array([result.deal for result in results])
    seats = (agents == 0).argmax(1)
    wins = win_shares(ranks)[np.arange(len(results)), seats]
    above, met = meetings(len(one.agents), agents, ranks, deals)
    against = share_intervals(above[:, 0], met[:, 0]).T
    totals, counts = scores_by_deal(results, 0)
    ends = np.array(score_interval(results, 0) or (np.nan, np.nan))
    known = np.array([np.nan, *anchors.ratings])
    resampled = resampled_ratings(len(known), results, known)
    lost = Counter(
        result.reason for result in results if result.forfeit is not None and result.agents[result.forfeit] == 0
    )
    return {
        "game": one.cell.game.id,
        "players": one.cell.config.players,
        **({"variant": one.cell.variant} if one.cell.variant else {}),
        "options": dict(one.cell.config.options),
        "deals": len(totals),
        "games": len(results),
        "score": _rounded(anchors.normalized(totals.sum() / counts.sum())),
        "score_interval": _rounded(anchors.normalized(ends)),
        "rating": _rounded(ratings(len(known), results, known)[0], 1),
        "rating_interval": None
        if resampled is None
        else _rounded(np.quantile(resampled[:, 0], [(1 - LEVEL) / 2, (1 + LEVEL) / 2]), 1),
        "wins": _rounded(wins.mean()),
        "wins_interval": _rounded(intervals_over_deals(wins, deals)),
        "wins_by_seat": [_rounded(wins[seats == seat].mean()) for seat in range(one.cell.config.players)],
        "above": [
            {
                "opponent": name,
                "meetings": int(met[:, 0, index].sum()),
                "share": _rounded(above[:, 0, index].sum() / met[:, 0, index].sum()),
                "interval": _rounded(against[index]),
            }
            for index, name in enumerate(one.agents)
            if met[:, 0, index].any()
        ],
        "truncated": _rounded(np.mean([result.truncated for result in results])),
        "forfeits": [{"reason": reason, "games": count} for reason, count in lost.most_common()],
        "pool": anchors.digest,
        "results": games_digest(results),
    }


def _rounded(value: Any, digits: int = _DIGITS) -> Any:
    """A number or numbers for JSON, None in place of what is not finite."""
    if np.ndim(value):
        parts = [_rounded(part, digits) for part in value]
        return None if None in parts else parts
    return round(float(value), digits) if np.isfinite(value) else None


def sample_of(card: Mapping[str, Any]) -> str:
    """A few words on how many of the suite's deals were played; "" if all were."""
    fewest = min(cell["deals"] for cell in card["cells"])
    return "" if fewest == card["suite_deals"] else f"a small sample, {fewest} of {card['suite_deals']} deals"


def name_of(cell: Mapping[str, Any]) -> str:
    """What a card calls one of its cells."""
    return ", ".join([cell["game"], f"{cell['players']} players", *filter(None, [cell.get("variant")])])


def gap_line(gap: Mapping[str, Any]) -> str:
    """A gap of a card in a line of text."""
    (one, other), ends = gap["between"], gap["interval"] or ("?", "?")
    text = " to ".join(f"{end:+.1f}" if isinstance(end, float) else end for end in ends)
    return f"{gap['game']}, {gap['players']} players: gap from {one} to {other}: {gap['points']:+.1f} (95 % {text})"


def table_of(card: Mapping[str, Any]) -> Table:
    """The cells of a card."""
    rows = [
        (
            name_of(cell),
            f"{cell['score']:.1f}{interval(cell['score_interval'])}",
            f"{cell['rating']:.0f}{interval(cell['rating_interval'], 0)}",
            percent(cell["wins"], cell["wins_interval"], 0),
            percent(cell["truncated"]),
            str(sum(row["games"] for row in cell["forfeits"])),
            f"{cell['seconds_per_decision']:.2g}",
            str(cell["games"]),
        )
        for cell in card["cells"]
    ]
    titles = ("score (95 %)", "rating (95 %)", "wins (95 %)", "truncated", "forfeits", "s/decision", "games")
    return Table("", ("", *titles), rows, "Score: 0 is random play, 100 the strongest agent of the pool.")
