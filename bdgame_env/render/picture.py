"""Pictures of positions: one SVG document each, drawn from a snapshot by the game's own drawing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import widgets
from .drawings import drawing_of
from .scene import Scene
from .table import NO_TEXT, OWN

if TYPE_CHECKING:
    from ..engine.match import Match


def picture(scene: Scene) -> str:
    """A position as an SVG document, 1200 units wide; its height depends on the game and the number of players only.

    Elements that stand for a thing have an `id`. An element that legal moves are about has the class "legal" and, in
    `data-moves`, a JSON list of those moves. Each move that is about nothing drawn has a button.
    """
    return str(drawing_of(scene.game).picture(scene))


def steps(before: Scene, move: str, after: Mapping[str, Any]) -> list[str]:
    """The effects of a move, as one picture per step between two positions; empty if there is nothing to show.

    Args:
        before: the position in which the move is made.
        move: in notation.
        after: the snapshot of the position it leads to, for the same viewer.
    """
    return [picture(before.at(between, last=(move,))) for between in positions_between(before, move, after)]


def positions_between(before: Scene, move: str, after: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """The snapshots that show the effects of a move step by step; empty if there is nothing to show."""
    draw = drawing_of(before.game)
    return [] if draw.steps is None else draw.steps(before, move, after)


def scene_of(match: Match, *, seat: int | None = None, last: Iterable[str] = ()) -> Scene:
    """What may be shown of a match to a seat, or with None to everyone.

    Only the seat to decide gets the legal moves: they can reveal what that seat alone knows.

    Raises:
        ValueError: no such seat.
    """
    legal = match.legal_moves() if seat == match.seat else ()
    return Scene(match.game, match.snapshot(seat=seat), config=match.config, seat=seat, legal=legal, last=last)


def picture_of(match: Match, *, seat: int | None = None, last: Iterable[str] = ()) -> str:
    """`picture` of a match as the seat may see it; see `scene_of`.

    Raises:
        ValueError: no such seat.
    """
    return picture(scene_of(match, seat=seat, last=last))


def table(scene: Scene) -> tuple[list[dict[str, Any]], list[str]]:
    """A position in parts as plain JSON data (see `Part`), and the legal moves that are about nothing drawn in them.

    A game without a table of its own has one part, its picture.
    """
    draw = drawing_of(scene.game)
    if draw.table is not None:
        parts = [part.to_json() for part in draw.table(scene)]
        return parts, scene.other_moves()
    svg = str(draw.picture(scene))
    width, height = widgets.WIDTH, float(re.search(r'height="([\d.]+)"', svg)[1])  # type: ignore[index]
    plain = {"headed": False, "first": False}
    size = {"width": width, "height": height, "drawn": [width, height], "touch": 1.0, "text": NO_TEXT}
    return [{"name": "board", "zone": OWN, "seat": scene.seat, "column": 0, **plain, **size, "svg": svg}], []
