"""How figures and steps of a search read, in text and on the page. Knows no game."""

from __future__ import annotations

from collections.abc import Sequence

from bdgame_env.engine.designing import Statistics

from ..balance.tally import figure_text, figures_of, meanings
from ..tables import Table
from .aims import Aim
from .search import Candidate


def figures_table(
    columns: Sequence[tuple[str, Candidate]], players: int, aims: Sequence[Aim], statistics: Statistics | None
) -> Table:
    """The figures of some decks for one number of players, with the aims."""
    known = meanings(statistics)
    decks = [(name, candidate) for name, candidate in columns if players in candidate.tallies]
    found = [figures_of(candidate.tallies[players], statistics) for _, candidate in decks]
    bounds = {aim.figure: aim for aim in aims if aim.counts(players)}
    names = [name for name in known if found and name in found[0]]
    rows = []
    for name in sorted(names, key=lambda name: (name not in bounds, names.index(name))):
        texts = [figure_text(name, some[name], statistics) for some in found]
        if name in bounds:
            met = [bounds[name].faults(some[name].value) == 0 for some in found]
            texts = [f"{text} {'✓' if kept else '✗'}" for text, kept in zip(texts, met, strict=True)]
        words = bounds[name].words if name in bounds else ""
        rows.append((f"{name}: {known[name]}", words, *texts))
    titles = [f"{name} ({candidate.tallies[players].games} games)" for name, candidate in decks]
    return Table(f"{players} players", (f"{players} players", "aim", *titles), rows)
