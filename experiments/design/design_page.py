"""The report of a search as one self-contained HTML page. Knows no game."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from ..balance.tally import taken_share
from ..html_page import page
from ..plots import svg
from ..tables import Table, percent
from .aims import Aim
from .judge import Judge
from .pictures import front_figure, short, worth_figure
from .search import RUNGS, Candidate
from .wording import figures_table
from .worth import Worth, prices_of

_MOST_FRONTS = 4


def design_page(
    judge: Judge,
    aims: Sequence[Aim],
    columns: Sequence[tuple[str, Candidate]],
    tried: Sequence[Candidate],
    found: Sequence[Worth],
    changes: Sequence[tuple[str, str, str]],
    provenance: dict[str, Any],
) -> str:
    """The page: aims before and after, what changed, the front, worth and price, who takes what, and the command.

    Args:
        judge: that played the games.
        aims: what decks are to be like.
        columns: decks by name, the best one last.
        tried: all decks that were played.
        found: worths of cards of the best deck.
        changes: of the best deck: path, before, after.
        provenance: see `files.provenance`.
    """
    best, statistics = columns[-1][1], judge.design.statistics
    players = sorted(best.tallies)
    parts = ["<h2>Aims</h2>"]
    parts += [figures_table(columns, number, aims, statistics).html() for number in players]
    parts += ["<h2>What decks give up for what</h2>", *_fronts(judge, aims, tried, best, players[0])]
    if found:
        start, slope = prices_of(found)
        rows = [
            (
                short(worth.name),
                str(worth.price),
                f"{worth.points.value:+.1f} ({worth.points.low:+.1f} to {worth.points.high:+.1f})",
                f"{worth.points.value - start - slope * worth.price:+.1f}",
                str(worth.seats),
            )
            for worth in sorted(found, key=lambda worth: -worth.points.value)
        ]
        note = "Of seats that begin with it, less those that do not, in points of margin; least squares."
        titles = ("begins with", "price", "worth", "above the line", "seats")
        parts += ["<h2>Worth and price</h2>", svg(worth_figure(found), "worth"), Table("", titles, rows, note).html()]
    taken = best.tallies[players[0]].taken
    if taken:
        shares = {card: taken_share(best.tallies[players[0]], card) for card in taken}
        often = sorted(shares.items(), key=lambda pair: -pair[1].value)
        cells = [(card, percent(share.value, share.ends)) for card, share in often]
        parts += ["<h2>Who takes what</h2>", Table("", ("card", "seats that took it"), cells).html()]
    if changes:
        parts += ["<h2>Changes</h2>", Table("", ("entry", columns[0][0], "best deck"), changes).html()]
    facts = [(name, str(value)) for name, value in provenance.items()]
    parts += ["<h2>Provenance</h2>", Table("", ("", ""), facts).html("code")]
    return page(f"{judge.game.id}: a deck found in {len(tried)}", parts)


def _fronts(judge: Judge, aims: Sequence[Aim], tried: Sequence[Candidate], best: Candidate, players: int) -> list[str]:
    """The pictures of the pairs of aims that decks with enough games miss most."""
    known = [candidate for candidate in tried if candidate.games(players) >= RUNGS[1]]
    bounds = {aim.figure: aim for aim in aims if aim.counts(players)}

    def faults(candidate: Candidate) -> dict[str, float]:
        figures = judge.figures(candidate.tallies[players])
        return {name: aim.faults(figures[name].value) for name, aim in bounds.items()}

    points = [faults(candidate) for candidate in known]
    missed = sorted(bounds, key=lambda name: -sum(min(1.0, point[name]) for point in points))
    varied = [name for name in missed if len({point[name] for point in points}) > 1]
    if len(varied) < 2:
        return ["<p>Too few decks or aims for a picture.</p>"]
    pairs = list(combinations(varied[:4], 2))[:_MOST_FRONTS]
    caption = f"<p>{len(points)} decks with {RUNGS[1]} games or more; a fault is one scale off the aim.</p>"
    return [caption, *(svg(front_figure(points, *pair, faults(best)), f"front-{k}") for k, pair in enumerate(pairs))]
