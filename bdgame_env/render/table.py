"""A position in parts, for pages that lay them out: the common part of the table, and each seat's.

Parts keep their size for a whole game, so that nothing on a page moves. What may become longer scrolls in its part.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from .scene import Scene
from .svg import Canvas

LEAST_TEXT, LEAST_TARGET = 12.0, 44.0  # what an eye needs, and what a finger needs, in CSS pixels
NO_TEXT = 99.0  # stands for an infinite size, which JSON cannot express

COMMON, STATUS, OWN, OTHER, BRIEF = "common", "status", "own", "other", "brief"


@dataclass(frozen=True)
class Part:
    """A piece of the table, an SVG document of its own.

    Attributes:
        name: unique among the parts of a position, and the same from position to position.
        zone: COMMON, STATUS (what is being decided), OWN (the viewer's), OTHER (another seat's), or BRIEF (another
            seat's in a line or two).
        seat: whose it is; None if nobody's.
        column: in which column of its zone it is where there is room for several.
        canvas: the drawing.
        width: of its place on the page, in CSS pixels at the smallest size; the same for a whole game.
        height: likewise.
        scale: CSS pixels for a unit of the drawing, at the smallest size.
        headed: whether the name of the seat stands above this part.
        target: the smallest side of anything in it that can be clicked, in units; 0 if nothing can be.
        first: whether phones show it above the others of its zone.
    """

    name: str
    zone: str
    seat: int | None
    column: int
    canvas: Canvas
    width: float
    height: float
    scale: float
    headed: bool
    target: float
    first: bool

    @property
    def least_text(self) -> float:
        """The smallest text in CSS pixels, at the smallest size; infinite if there is none."""
        return self.canvas.least_text * self.scale

    @property
    def touch(self) -> float:
        """How much larger than at its smallest size this part must be where fingers touch it."""
        needs = [1.0, LEAST_TEXT / self.least_text]
        if self.target:
            needs.append(LEAST_TARGET / (self.target * self.scale))
        return max(needs)

    def to_json(self) -> dict[str, Any]:
        """The part as plain JSON data."""
        return {
            "name": self.name,
            "zone": self.zone,
            "seat": self.seat,
            "column": self.column,
            "headed": self.headed,
            "first": self.first,
            "width": round(self.width, 1),
            "height": round(self.height, 1),
            "drawn": [round(side * self.scale, 1) for side in self.canvas.size],
            "touch": round(self.touch + 0.005, 2),
            "text": round(min(self.least_text, NO_TEXT), 2),
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
        scale: float = 1,
        headed: bool = False,
        target: float = 0,
        first: bool = False,
    ) -> Canvas:
        """A new part to draw into, from (0, 0) to (width, height) in units, each `scale` CSS pixels at the least."""
        canvas = Canvas.sheet(width, height, self._ids)
        size = width * scale, height * scale
        self.parts.append(Part(name, zone, seat, column, canvas, *size, scale, headed, target, first))
        return canvas

    def grow(self, width: float, height: float) -> None:
        """Say how large the newest part is drawn, in units: what is beyond its place on the page scrolls there."""
        part = self.parts[-1]
        size = max(width, part.width / part.scale), max(height, part.height / part.scale)
        self.parts[-1] = replace(part, canvas=part.canvas.resized(*size))

    def add_seats(self, scene: Scene, own: DrawSeat, other: DrawSeat, brief: DrawSeat) -> None:
        """Add the viewer's area, if it has a seat, and the others as they sit around it, the next in turn first."""
        if scene.seat is not None:
            own(self, scene, scene.seat)
        first = 0 if scene.seat is None else scene.seat + 1
        for seat in ((first + place) % scene.players for place in range(scene.players)):
            if seat != scene.seat:
                brief(self, scene, seat)
                other(self, scene, seat)


def block(canvas: Canvas, x: float, y: float, width: float, height: float, *, fill: bool = False) -> Canvas:
    """A group within a part that phones place anew, below or beside the others of the part; `fill`: as wide as that."""
    return canvas.group(x, y, data_block=f"{width:.4g} {height:.4g}{' 1' if fill else ''}")


DrawSeat = Callable[[Table, Scene, int], None]
