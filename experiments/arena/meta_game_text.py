"""Nash averaging, alpha-rank and cycles as a table and a line, for pages of results."""

from __future__ import annotations

from ..tables import Table, percent
from .standings import Standings

_NOTE = (
    "Nash average: how often the agent ranks above the Nash mix, a weighting of agents that no agent beats. Neither"
    " changes if an agent takes part twice, whereas ratings do. alpha-rank: the share of time for which an evolving"
    " population would play it."
)


def meta_game_table(rated: Standings) -> Table | None:
    """A row for each agent, best rating first; None where there is nothing to tell, see `standings.Standing.nash`."""
    rows = [
        (
            one.agent,
            percent(one.nash_average, one.nash_average_interval),
            percent(one.nash, digits=0),
            percent(one.alpha_rank, digits=0),
        )
        for one in rated.agents
        if one.nash is not None and one.nash_average is not None and one.alpha_rank is not None
    ]
    return (
        Table("Beyond ratings", ("agent", "Nash average", "in the Nash mix", "alpha-rank"), rows, _NOTE)
        if rows
        else None
    )


def cycles_line(rated: Standings) -> str:
    """The cycles of three, or that there is none to be sure of."""
    if not rated.cycles:
        return "There is no cycle of three agents in which the intervals of all three shares lie above one half."
    return "; ".join(f"{one} beats {two}, {two} beats {three}, {three} beats {one}" for one, two, three in rated.cycles)
