"""The table of Gizmos in parts: display and marbles, open decision, the own cards, and the others in brief."""

from __future__ import annotations

from ....render.scene import Scene
from ....render.table import OTHER, OWN, STATUS, Part, Table
from . import board, seat
from .board import DECK, LEVELS, draw_level, draw_marbles, draw_status
from .cards import TILE

_LABEL, _GAP = 20.0, 9.0
_ROW = _LABEL + TILE[1] + 2
_MARBLES = 310.0
_RING, _BLOCK = 66.0, 252.0
_ARCHIVE = 116.0
_BUILT = (880.0, 200.0)
_BRIEF = (570.0, 232.0)


def table(scene: Scene) -> list[Part]:
    """The parts of a position."""
    made = Table()
    for level, _, _, display in LEVELS[::-1]:
        width = DECK + len(display) * (TILE[0] + _GAP) + 2
        draw_level(made.add(f"level-{level}", width, _ROW, target=DECK), scene, level, display)
    draw_marbles(made.add("marbles", _MARBLES, _ROW, target=76), scene, _MARBLES)
    status = made.add("status", 1, board.STATUS, zone=STATUS, target=44)
    made.resize(draw_status(status, scene))
    made.add_seats(scene, _own, _other)
    return made.parts


def _own(made: Table, scene: Scene, mine: int) -> None:
    ring = made.add("own-ring", _BLOCK, _RING, zone=OWN, seat=mine)
    seat.draw_ring(ring, scene, mine, _BLOCK)
    archive = made.add("own-archive", _BLOCK, _ARCHIVE, zone=OWN, seat=mine)
    made.retarget(seat.draw_archive(archive, scene, mine, _BLOCK, _ARCHIVE - _LABEL))
    built = made.add("own-built", *_BUILT, zone=OWN, seat=mine, column=1)
    seat.draw_built(built, scene, mine, _BUILT[0], _BUILT[1] - _LABEL)


def _other(made: Table, scene: Scene, other: int) -> None:
    width, height = _BRIEF
    canvas = made.add(f"seat-{other}", width, height, zone=OTHER, seat=other)
    seat.draw_ring(canvas, scene, other, _BLOCK)
    seat.draw_archive(canvas.group(_BLOCK + 12, 0), scene, other, width - _BLOCK - 12, _RING - _LABEL)
    seat.draw_built(canvas.group(0, _RING + 4), scene, other, width, height - _RING - 4 - _LABEL)
