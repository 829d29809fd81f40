"""Games in sums: what is kept of the games of a deck, so that more games of it can be added. Knows no game."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

import numpy as np

from bdgame_env.engine.designing import GAME, GAMES, SEAT, SHARE, Statistics

from ..arena.share_intervals import LEVEL
from ..arena.standings import win_shares
from ..tables import Interval, interval, percent
from .counting import Counted
from .items import CARD, Items

IDLE = 0.02  # a card that a smaller share of the seats takes is idle
_Z = NormalDist().inv_cdf((1 + LEVEL) / 2)


@dataclass(frozen=True)
class Value:
    """A figure with its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def ends(self) -> Interval:
        """The interval."""
        return self.low, self.high


@dataclass(frozen=True)
class Tally:
    """Sums over games of one deck.

    Attributes:
        players: seats in a game.
        games: how many.
        sums, squares: by column, the sum over the games and that of squares; of a pair of columns "a*b" the sum of
            products.
        taken: by card, seats that took it at least once.
    """

    players: int
    games: int
    sums: dict[str, float]
    squares: dict[str, float]
    taken: dict[str, int]

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.players,
            self.games + other.games,
            {key: value + other.sums[key] for key, value in self.sums.items()},
            {key: value + other.squares[key] for key, value in self.squares.items()},
            {card: seats + other.taken[card] for card, seats in self.taken.items()},
        )


def tally_of(counted: Counted, items: Items, taken: str, statistics: Statistics | None) -> Tally:
    """The sums of games.

    Args:
        counted: the games.
        items: what was counted there.
        taken: the verb of the actions that take cards.
        statistics: what the game counts of itself.
    """
    games, players = counted.points.shape
    points = np.sort(counted.points, 1)
    columns = {f"won{seat}": share for seat, share in enumerate(win_shares(counted.ranks.astype(np.int64)).T)}
    columns["margin"] = points[:, -1] - points[:, -2]
    columns["lead_changes"], columns["truncated"] = counted.lead_changes, counted.truncated
    columns["decisions"] = counted.decisions.sum(1)
    if counted.rounds is not None:
        columns["rounds"] = counted.rounds
    sums: dict[str, float] = {}
    if statistics is not None:
        for number, name in enumerate(statistics.counts):
            columns[name] = counted.counts[:, :, number].sum(1)
            columns[f"any {name}"] = (counted.counts[:, :, number] > 0).any(1)
        for figure in statistics.figures:
            if figure.how == SHARE:
                sums[f"{figure.count}*{figure.of}"] = float((columns[figure.count] * columns[figure.of]).sum())
    values = {name: np.asarray(column, np.float64) for name, column in columns.items()}
    sums |= {name: float(value.sum()) for name, value in values.items()}
    cards = {
        item.name: int((counted.taken[:, :, number] > 0).sum())
        for number, item in enumerate(items.items)
        if item.kind == CARD and item.family == taken
    }
    return Tally(players, games, sums, {name: float((value**2).sum()) for name, value in values.items()}, cards)


def figures_of(tally: Tally, statistics: Statistics | None) -> dict[str, Value]:
    """All figures of some games by name, see `MEANINGS` and `Statistics.figures`."""
    wins = [_mean(tally, f"won{seat}", share=True) for seat in range(tally.players)]
    best = max(wins, key=lambda value: value.value)
    found = {
        "first_seat": wins[0],
        "best_seat": Value(*(tally.players * each for each in (best.value, best.low, best.high))),
        "margin": _mean(tally, "margin"),
        "lead_changes": _mean(tally, "lead_changes"),
        "decisions": _mean(tally, "decisions"),
        "truncated": _mean(tally, "truncated", share=True),
    }
    if "rounds" in tally.sums:
        found["rounds"] = _mean(tally, "rounds")
    if tally.taken:
        seats = tally.games * tally.players
        shares = [_share(seats, took, took) for took in tally.taken.values()]
        ends = zip(*((share.value, share.high, share.low) for share in shares), strict=True)
        found["idle"] = Value(*(float(sum(share < IDLE for share in some)) for some in ends))
    for figure in statistics.figures if statistics else ():
        if figure.how == GAMES:
            found[figure.name] = _mean(tally, f"any {figure.count}", share=True)
        elif figure.how == GAME:
            found[figure.name] = _mean(tally, figure.count)
        elif figure.how == SEAT:
            found[figure.name] = _mean(tally, figure.count, per=tally.players)
        else:
            found[figure.name] = _ratio(tally, figure.count, figure.of)
    return found


MEANINGS = {
    "first_seat": "games that the first seat wins",
    "best_seat": "games that the most successful seat wins, over the even share",
    "margin": "points between the best seat and the second",
    "lead_changes": "changes of the lead a game",
    "decisions": "decisions a game",
    "truncated": "games that the round limit ends",
    "rounds": "rounds",
    "idle": f"cards that under {IDLE:.0%} of the seats take",
}
_PERCENT = ("first_seat", "truncated")


def meanings(statistics: Statistics | None) -> dict[str, str]:
    """What all figures mean, by name, in one line."""
    own = statistics.figures if statistics else ()
    return {**MEANINGS, **{figure.name: figure.meaning for figure in own}}


def figure_text(name: str, value: Value, statistics: Statistics | None, ends: bool = True) -> str:
    """A figure, with its interval if `ends` are wanted."""
    shown = value.ends if ends else None
    if name == "idle":
        return f"{value.value:g}{interval(shown, 0)}"
    hows = {figure.name: figure.how for figure in (statistics.figures if statistics else ())}
    if name in _PERCENT or hows.get(name) in (GAMES, SHARE):
        return percent(value.value, shown)
    return f"{value.value:.2f}{interval(shown, 2)}"


def taken_share(tally: Tally, card: str) -> Value:
    """The share of seats that took a card."""
    return _share(tally.games * tally.players, tally.taken[card], tally.taken[card])


def _mean(tally: Tally, column: str, *, share: bool = False, per: int = 1) -> Value:
    total, squares, n = tally.sums[column], tally.squares[column], tally.games
    if share:
        return _share(n, total, squares)
    mean = total / n
    half = _Z * sqrt(max(0.0, squares / n - mean**2) / max(1, n - 1)) / per
    return Value(mean / per, mean / per - half, mean / per + half)


def _share(n: int, total: float, squares: float) -> Value:
    """A share and its Wilson interval; halves, as of wins that are shared, vary less than wins and losses."""
    share = total / n
    binomial, seen = share * (1 - share), squares / n - share**2
    size = n * binomial / seen if seen > 0 else n
    z = _Z**2 / size
    middle, half = (share + z / 2) / (1 + z), sqrt(z * (binomial + z / 4)) / (1 + z)
    return Value(share, max(0.0, middle - half), min(1.0, middle + half))


def _ratio(tally: Tally, count: str, of: str) -> Value:
    """The ratio of two sums, with the interval of its linear approximation."""
    n, above, below = tally.games, tally.sums[count], tally.sums[of]
    if below == 0:
        return Value(0.0, 0.0, 1.0)
    ratio = above / below
    spread = tally.squares[count] - 2 * ratio * tally.sums[f"{count}*{of}"] + ratio**2 * tally.squares[of]
    half = _Z * sqrt(max(0.0, spread) * n / max(1, n - 1)) / below
    return Value(ratio, ratio - half, ratio + half)
