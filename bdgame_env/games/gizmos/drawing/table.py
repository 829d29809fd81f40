"""The table of Gizmos in parts: display and marbles, open decision, the own cards, and the others."""

from __future__ import annotations

from ....render.scene import Scene
from ....render.table import BRIEF, OTHER, OWN, STATUS, Part, Table, block
from . import seat
from .board import DECK, LEVELS, draw_level, draw_marbles, draw_turn
from .cards import TILE, strip_height

_SCALE = 0.87
_LABEL, _GAP = 20.0, 9.0
_ROW = _LABEL + TILE[1] + 2
_MARBLES = 270.0
_RING, _OTHER_RING = (252.0, 40.0), 238.0
_STATUS = (560.0, 83.0)
_ARCHIVE, _BUILT = (252.0, 146.0), (690.0, 172.0)
_OTHER = (464.0, 132.0)


def table(scene: Scene) -> list[Part]:
    """The parts of a position."""
    made = Table()
    for level, _, _, display in LEVELS[::-1]:
        width = DECK + len(display) * (TILE[0] + _GAP) + 2
        draw_level(made.add(f"level-{level}", width, _ROW, scale=_SCALE, target=DECK), scene, level, display)
    draw_marbles(made.add("marbles", _MARBLES, _ROW, scale=_SCALE, target=43, first=True), scene, _MARBLES)
    status = made.add("status", *_STATUS, zone=STATUS, target=strip_height(2))
    made.grow(0, draw_turn(status, scene, _STATUS[0] - 16))
    made.add_seats(scene, _own, _other, _brief)
    return made.parts


def _own(made: Table, scene: Scene, mine: int) -> None:
    ring = made.add("own-ring", *_RING, zone=OWN, seat=mine, headed=True)
    seat.draw_ring_line(ring, scene, mine, _RING[0])
    archive = made.add("own-archive", *_ARCHIVE, zone=OWN, seat=mine, target=strip_height(2))
    made.grow(0, seat.draw_archive_strips(archive, scene, mine, _ARCHIVE[0]))
    built = made.add("own-built", *_BUILT, zone=OWN, seat=mine, column=1)
    made.grow(0, seat.draw_strips(built, scene, mine, _BUILT[0]))


def _other(made: Table, scene: Scene, other: int) -> None:
    width, height = _OTHER
    canvas = made.add(f"seat-{other}", width, height, zone=OTHER, seat=other)
    seat.draw_ring_line(block(canvas, 0, 0, _OTHER_RING, _RING[1]), scene, other, _OTHER_RING)
    beside = _OTHER_RING + 6
    room = width - beside
    archived = seat.draw_archive_strips(block(canvas, beside, 0, room, _LABEL), scene, other, room)
    top = max(_RING[1], archived) + 4
    made.grow(0, top + seat.draw_strips(block(canvas, 0, top, width, _LABEL), scene, other, width))


def _brief(made: Table, scene: Scene, other: int) -> None:
    seat.draw_brief(made.add(f"brief-{other}", 296, 40, zone=BRIEF, seat=other), scene, other)
