"""The table of Nicodemus in parts: machines and projects, open decision, the own cards, and the other in brief."""

from __future__ import annotations

from ....render.scene import Scene
from ....render.table import OTHER, OWN, STATUS, Part, Table
from . import board, seat
from .board import draw_bric_a_brac, draw_projects, draw_status, draw_supply
from .cards import MACHINE, TILE

_LABEL, _GAP = 20.0, 8.0
_ROWS = _LABEL + 2 * (MACHINE[1] + _GAP)
_STRIP = _LABEL + MACHINE[1] + 2
_BLOCK = 200.0
_TILES, _DONE = 300.0, 180.0


def table(scene: Scene) -> list[Part]:
    """The parts of a position."""
    made = Table()
    machines = made.add("bric-a-brac", 5 * (MACHINE[0] + _GAP), _ROWS, target=MACHINE[1])
    draw_bric_a_brac(machines, scene)
    draw_projects(made.add("projects", 3 * (TILE[0] + _GAP), _ROWS, target=TILE[1]), scene)
    draw_supply(made.add("supply", 1176, _LABEL + board.SUPPLY + 2, target=board.SUPPLY), scene)
    status = made.add("status", 1, board.STATUS + 2, zone=STATUS, target=board.STATUS)
    made.resize(draw_status(status, scene))
    made.add_seats(scene, _own, _other)
    return made.parts


def _own(made: Table, scene: Scene, mine: int) -> None:
    decides = scene.decides(mine)
    hand = made.add("own-hand", 5 * (MACHINE[0] + _GAP), _STRIP, zone=OWN, seat=mine, column=1, target=MACHINE[1])
    seat.draw_hand(hand, scene, mine, decides)
    tokens = made.add("own-tokens", _BLOCK, 104, zone=OWN, seat=mine)
    seat.draw_tokens(tokens, scene, mine)
    losses = made.add("own-losses", _BLOCK, 44, zone=OWN, seat=mine)
    seat.draw_losses(losses.group(0, 11), scene, mine)
    facts = scene.snapshot["seats"][mine]
    if facts["completed"]:
        completed = made.add("own-completed", _DONE, _STRIP, zone=OWN, seat=mine, column=1)
        seat.draw_completed(completed, scene, mine, _DONE)
    repaired = made.add("own-workshop", 4 * (MACHINE[0] + _GAP), _STRIP, zone=OWN, seat=mine, column=1, target=98)
    seat.draw_workshop(repaired, scene, mine, decides)
    if facts["reserved"]:
        reserved = made.add("own-reserved", _TILES, _STRIP, zone=OWN, seat=mine, column=1)
        made.retarget(seat.draw_reserved(reserved, scene, mine, decides, _TILES))


def _other(made: Table, scene: Scene, other: int) -> None:
    facts = scene.snapshot["seats"][other]
    hidden = isinstance(facts["hand"], int)
    places = max(3, len(facts["workshop"]))  # four while a repair goes on
    machines = places * (MACHINE[0] + _GAP)
    tiles = {part: _width_of(len(facts[part])) for part in ("reserved", "completed") if facts[part]}
    width = _BLOCK + 12 + machines + sum(wide + 12 for wide in tiles.values())
    if not hidden:
        width = max(width, 5 * (MACHINE[0] + _GAP))
    height = _STRIP + (28 if hidden else _STRIP + 4)
    canvas = made.add(f"seat-{other}", width, height, zone=OTHER, seat=other)
    seat.draw_tokens(canvas, scene, other)
    x = _BLOCK + 12
    seat.draw_workshop(canvas.group(x, 0), scene, other, False, places)
    x += machines + 12
    if "reserved" in tiles:
        seat.draw_reserved(canvas.group(x, 0), scene, other, False, tiles["reserved"])
        x += tiles["reserved"] + 12
    if "completed" in tiles:
        seat.draw_completed(canvas.group(x, 0), scene, other, tiles["completed"])
    if hidden:
        seat.draw_hand_in_brief(canvas.group(0, _STRIP + 2), scene, other, width)
    else:
        seat.draw_hand(canvas.group(0, _STRIP + 4), scene, other, False)


def _width_of(tiles: int) -> float:
    """The width of so many projects: of a row of up to three."""
    return max(2, min(tiles, 3)) * (TILE[0] + _GAP)
