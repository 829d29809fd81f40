"""What a deck is to be like: bounds of figures, and how far a deck is from them. Knows no game."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bdgame_env.engine.quoting import listed, shown

from ..balance.tally import Value
from ..errors import BadInput

_ENTRIES = ("least", "most", "scale", "players")


@dataclass(frozen=True)
class Aim:
    """Bounds of a figure.

    Attributes:
        figure: its name.
        least, most: bounds, -inf and inf for none.
        scale: a figure that is off by this much is one fault.
        players: the numbers of players that it is about; empty for all.
    """

    figure: str
    least: float = -math.inf
    most: float = math.inf
    scale: float = 1.0
    players: tuple[int, ...] = ()

    def counts(self, players: int) -> bool:
        """Whether the aim is about games of so many players."""
        return not self.players or players in self.players

    def faults(self, value: float) -> float:
        """How far a value is from the bounds, in units of the scale."""
        return max(0.0, self.least - value, value - self.most) / self.scale

    @property
    def words(self) -> str:
        """The bounds."""
        if self.least == self.most:
            return f"{self.least:g}"
        if self.least == -math.inf:
            return f"at most {self.most:g}"
        return f"at least {self.least:g}" if self.most == math.inf else f"{self.least:g} to {self.most:g}"


def read_aims(table: Mapping[str, Any], where: str) -> list[Aim]:
    """Aims from a table such as `Design.aims`; `where` it comes from, for messages.

    Raises:
        BadInput: an aim is not of that form, or its bounds contradict each other.
    """
    return [_read(name, entry, where) for name, entry in table.items()]


def _read(name: str, entry: Any, where: str) -> Aim:
    def fail(reason: str) -> BadInput:
        return BadInput(f"{where}: the aim {shown(name)} {reason}")

    if not isinstance(entry, Mapping):
        raise fail("must be such as { most = 0.56, scale = 0.05 }")
    for key in entry:
        if key not in _ENTRIES:
            raise fail(f"has an unknown entry {shown(key)}; known: {', '.join(_ENTRIES)}")
    numbers = {"least": -math.inf, "most": math.inf, "scale": 1.0}
    for key in numbers:
        value = entry.get(key, numbers[key])
        if isinstance(value, bool) or not isinstance(value, (int, float)) or math.isnan(value):
            raise fail(f"has {key} = {shown(value)}, must be a number")
        numbers[key] = float(value)
    players = entry.get("players", [])
    if not isinstance(players, (list, tuple)) or not all(type(n) is int for n in players):
        raise fail(f"has players = {shown(players)}, must be numbers such as [3, 4]")
    if numbers["scale"] <= 0:
        raise fail("has a scale that is not above 0")
    if numbers["least"] > numbers["most"]:
        raise fail(f"contradicts itself: at least {numbers['least']:g} and at most {numbers['most']:g}")
    if math.isinf(numbers["least"]) and math.isinf(numbers["most"]):
        raise fail("has neither 'least' nor 'most'")
    return Aim(name, **numbers, players=tuple(players))


def parse_aim(text: str, known: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """An aim from "FIGURE<=NUMBER" or "FIGURE>=NUMBER", with scale and players of the aim known by that name.

    Raises:
        BadInput: it is neither.
    """
    for mark, key in (("<=", "most"), (">=", "least")):
        name, found, number = text.partition(mark)
        if found:
            try:
                bound = float(number)
            except ValueError:
                break
            before = {k: v for k, v in dict(known.get(name.strip(), {})).items() if k in ("scale", "players")}
            return name.strip(), {**before, key: bound}
    raise BadInput(f"--aim {shown(text)}, must be FIGURE<=NUMBER or FIGURE>=NUMBER")


def check_figures(aims: list[Aim], figures: Mapping[str, Any], where: str) -> None:
    """Check that all figures of aims exist.

    Raises:
        BadInput: one does not; lists those that do.
    """
    for aim in aims:
        if aim.figure not in figures:
            raise BadInput(f"{where}: no figure {shown(aim.figure)}; figures: {listed(figures)}")


def loss(aims: list[Aim], figures: Mapping[int, Mapping[str, Value]]) -> float:
    """The faults of a deck: of each aim the mean over the numbers of players that it is about, summed up.

    Args:
        aims: the aims.
        figures: by the number of players.
    """
    total = 0.0
    for aim in aims:
        faults = [aim.faults(some[aim.figure].value) for players, some in figures.items() if aim.counts(players)]
        total += sum(faults) / max(1, len(faults))
    return total
