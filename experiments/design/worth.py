"""What cards are worth to those who begin with them: least squares on the margin of exploring games. Knows no game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.designing import Deck, Holdings

from ..arena.share_intervals import LEVEL, student
from ..balance.tally import Value
from .deck_data import changed, value_at
from .judge import Judge
from .space import Space

_LEAST = 20  # seats that begin with a card, for a worth
_RIDGE = 2.0
_CLEAR = 0.5  # half widths of the interval from which a price is changed


@dataclass(frozen=True)
class Worth:
    """What a card is worth to a seat that begins with it.

    Attributes:
        name: of the card and where it lies, see `Holdings.names`.
        price: of the card.
        seats: how many began with more of it than the others.
        points: what it adds to the margin.
    """

    name: str
    price: int
    seats: int
    points: Value


def worths(judge: Judge, deck: Deck, players: int, games: int) -> list[Worth]:
    """The worth of all that seats begin with, from so many games; empty if the game does not say what that is."""
    holdings = judge.design.holdings
    if holdings is None or judge.game.explore is None:
        return []

    def measure() -> list[Any]:
        return [astuple(worth) for worth in _measured(judge, holdings, deck, players, games)]

    rows = judge.keep(f"{judge.name_of(deck)}, {players} players, {games} exploring games", measure)
    return [Worth(name, price, seats, Value(*points)) for name, price, seats, points in rows]


def _measured(judge: Judge, holdings: Holdings, deck: Deck, players: int, games: int) -> list[Worth]:
    counted, held = judge.explore(deck, players, games)
    points = counted.points.astype(np.float64)
    others = (points.sum(1, keepdims=True) - points) / (players - 1)
    ahead = held - (held.sum(1, keepdims=True) - held) / (players - 1)
    margin, more = (points - others).ravel(), ahead.reshape(-1, held.shape[2]).astype(np.float64)
    seats = np.tile(np.eye(players), (len(points), 1))
    found = fit(more, margin, seats)
    return [
        Worth(name, int(value_at(deck, name.split(" ")[0])), int((more[:, column] > 0).sum()), found[column])
        for column, name in enumerate(holdings.names(deck))
        if (more[:, column] > 0).sum() >= _LEAST
    ]


def fit(more: npt.NDArray[np.float64], margin: npt.NDArray[np.float64], seats: npt.NDArray[np.float64]) -> list[Value]:
    """The coefficients of `more` in a least-squares fit of the margin, with a little ridge, and 95 % intervals.

    Args:
        more: how many more of each card a row begins with, shape (rows, cards).
        margin: shape (rows,).
        seats: other columns, such as which seat it is, shape (rows, seats).
    """
    x = np.concatenate([more, seats], axis=1)
    inverse = np.linalg.inv(x.T @ x + _RIDGE * np.eye(x.shape[1]))
    solution = inverse @ (x.T @ margin)
    freedom = max(1.0, len(margin) / seats.shape[1] - x.shape[1])  # the seats of a game are not independent
    spread = np.diag(inverse) * ((margin - x @ solution) ** 2).sum() / len(margin) * seats.shape[1]
    half = student(LEVEL, np.array([freedom])) * np.sqrt(spread)
    return [
        Value(float(value), float(value - end), float(value + end))
        for value, end in zip(solution[: more.shape[1]], half, strict=False)
    ]


def repriced(judge: Judge, space: Space, deck: Deck, players: int, games: int) -> Deck:
    """The deck with prices that follow worth: one or two up where a card is clearly worth more than its price, or down.

    Of a card that lies in several places at the start, the place counts where most seats have it.
    """
    by_path: dict[str, Worth] = {}
    found = worths(judge, deck, players, games)
    for worth in found:
        path = worth.name.split(" ")[0]
        if path not in by_path or worth.seats > by_path[path].seats:
            by_path[path] = worth
    start, slope = prices_of(list(by_path.values()))
    may = {path for paths in space.places(deck).values() for path in paths}
    for path, worth in by_path.items():
        above = (worth.points.value - start - slope * worth.price) / max(0.1, worth.points.high - worth.points.value)
        step = int(np.sign(above)) * (abs(above) > _CLEAR) + int(np.sign(above)) * (abs(above) > 3 * _CLEAR)
        if path in may and step:
            deck = changed(deck, path, max(1, worth.price + step))
    return space.within(deck)


def prices_of(found: Sequence[Worth]) -> tuple[float, float]:
    """The line through worth by price, weighted by certainty: worth at price 0, and more worth for each price."""
    if len(found) < 2:
        return 0.0, 0.0
    weights = np.array([1 / max(0.1, worth.points.high - worth.points.low) for worth in found])
    prices = np.array([worth.price for worth in found], np.float64)
    values = np.array([worth.points.value for worth in found])
    if np.ptp(prices) == 0:
        return float(np.average(values, weights=weights**2)), 0.0
    slope, start = np.polyfit(prices, values, 1, w=weights)
    return float(start), float(slope)
