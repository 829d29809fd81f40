"""A position in parts, for pages that lay them out: the common part of the table, and each seat's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from .scene import Scene
from .svg import Canvas

LEAST_TEXT, LEAST_TARGET = 12.0, 44.0  # what a finger and an eye need on a phone, in CSS pixels

COMMON, STATUS, OWN, OTHER = "common", "status", "own", "other"


@dataclass(frozen=True)
class Part:
    """A piece of the table, an SVG document of its own.

    Attributes:
        name: unique among the parts of a position, and the same from position to position.
        zone: COMMON, STATUS (what is being decided), OWN (the viewer's) or OTHER (another seat's, in brief).
        seat: whose it is; None if nobody's.
        column: in which column of its zone it is where there is room for several.
        title: a heading.
        canvas: the drawing.
        width: in units.
        height: in units.
        target: the smallest side of anything in it that can be clicked, in units; 0 if nothing can be.
    """

    name: str
    zone: str
    seat: int | None
    column: int
    title: str
    canvas: Canvas
    width: float
    height: float
    target: float

    @property
    def touch(self) -> float:
        """Pixels per unit that this part needs where fingers touch it."""
        needs = [1.0, LEAST_TEXT / self.canvas.least_text]
        if self.target:
            needs.append(LEAST_TARGET / self.target)
        return max(needs)

    def to_json(self) -> dict[str, Any]:
        """The part as plain JSON data."""
        return {
            "name": self.name,
            "zone": self.zone,
            "seat": self.seat,
            "column": self.column,
            "title": self.title,
            "width": round(self.width, 1),
            "height": round(self.height, 1),
            "touch": round(self.touch + 0.005, 2),
            "svg": str(self.canvas),
        }


class Table:
    """Collects the parts of a position."""

    def __init__(self) -> None:
        self.parts: list[Part] = []
        self._ids: set[str] = set()

    def add(
        self,
        name: str,
        width: float,
        height: float,
        *,
        zone: str = COMMON,
        seat: int | None = None,
        column: int = 0,
        title: str = "",
        target: float = 0,
    ) -> Canvas:
        """A new part to draw into, from (0, 0) to (width, height)."""
        canvas = Canvas.sheet(width, height, self._ids)
        self.parts.append(Part(name, zone, seat, column, title, canvas, width, height, target))
        return canvas

    def resize(self, width: float) -> None:
        """Set the width of the newest part, once it is drawn; without any it is dropped."""
        part = self.parts.pop()
        if width:
            self.parts.append(replace(part, width=width, canvas=part.canvas.resized(width, part.height)))

    def retarget(self, target: float) -> None:
        """Set the smallest side of what can be clicked in the newest part, once it is drawn."""
        self.parts.append(replace(self.parts.pop(), target=target))

    def add_seats(self, scene: Scene, own: DrawSeat, other: DrawSeat) -> None:
        """Add the viewer's area, if it has a seat, and the others as they sit around it, the next in turn first."""
        if scene.seat is not None:
            own(self, scene, scene.seat)
        first = 0 if scene.seat is None else scene.seat + 1
        for seat in ((first + place) % scene.players for place in range(scene.players)):
            if seat != scene.seat:
                other(self, scene, seat)


DrawSeat = Callable[[Table, Scene, int], None]
