"""The table of Nicodemus in parts: machines, projects, open decision, the own cards, and the other."""

from __future__ import annotations

from ....render.scene import Scene
from ....render.table import BRIEF, OTHER, OWN, STATUS, Part, Table, block
from . import board, seat
from .board import draw_bric_a_brac, draw_projects, draw_stock, draw_turn
from .cards import CHIP, MACHINE, TILE

_SCALE = 0.875
_LABEL, _GAP = 20.0, 6.0
_ROWS = _LABEL + 2 * (MACHINE[1] + _GAP)
_STRIP = _LABEL + MACHINE[1] + 2
_STOCK = 950.0
_STATUS = (480.0, 86.0)
_PURSE, _CHIPS, _PLANS = (260.0, 36.0), (4 * (CHIP[0] + 5), _LABEL + CHIP[1] + 2), (500.0, _LABEL + CHIP[1] + 2)
_CHIP = 0.87 * CHIP[1]
_BLOCK, _TOKENS, _HAND = 200.0, 104.0, 328.0


def table(scene: Scene) -> list[Part]:
    """The parts of a position."""
    made = Table()
    machines = made.add("bric-a-brac", 5 * (MACHINE[0] + _GAP), _ROWS, scale=_SCALE, target=MACHINE[1])
    draw_bric_a_brac(machines, scene)
    projects = made.add("projects", 3 * (TILE[0] + _GAP), _ROWS, scale=_SCALE, target=TILE[0])
    draw_projects(projects, scene)
    draw_stock(made.add("supply", _STOCK, board.STOCK + 2, target=board.STOCK), scene, _STOCK)
    status = made.add("status", *_STATUS, zone=STATUS, target=0.86 * TILE[0])
    made.grow(draw_turn(status, scene, _STATUS[0]), 0)
    made.add_seats(scene, _own, _other, _brief)
    return made.parts


def _own(made: Table, scene: Scene, mine: int) -> None:
    decides = scene.decides(mine)
    hand = made.add("own-hand", 5 * (MACHINE[0] + _GAP), _STRIP, zone=OWN, seat=mine, scale=_SCALE, target=MACHINE[1])
    seat.draw_hand(hand, scene, mine, decides)
    purse = made.add("own-tokens", *_PURSE, zone=OWN, seat=mine, column=1, headed=True, target=34)
    seat.draw_purse(purse, scene, mine, _PURSE[0] / 4)
    losses = made.add("own-losses", _BLOCK, 44, zone=OWN, seat=mine, column=1)
    seat.draw_losses(losses.group(0, 11), scene, mine)
    repaired = made.add("own-workshop", *_CHIPS, zone=OWN, seat=mine, column=2, target=_CHIP)
    seat.draw_workshop_chips(repaired, scene, mine, decides)
    plans = made.add("own-projects", *_PLANS, zone=OWN, seat=mine, column=3, target=_CHIP)
    made.grow(seat.draw_plans(plans, scene, mine, decides, _PLANS[0]), 0)


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
    seat.draw_tokens(block(canvas, 0, 0, _BLOCK, _TOKENS), scene, other)
    x = _BLOCK + 12
    seat.draw_workshop(block(canvas, x, 0, machines, _STRIP), scene, other, False, places)
    x += machines + 12
    if "reserved" in tiles:
        seat.draw_reserved(block(canvas, x, 0, tiles["reserved"], _STRIP), scene, other, False, tiles["reserved"])
        x += tiles["reserved"] + 12
    if "completed" in tiles:
        seat.draw_completed(block(canvas, x, 0, tiles["completed"], _STRIP), scene, other, tiles["completed"])
    if hidden:
        seat.draw_hand_in_brief(block(canvas, 0, _STRIP + 2, _HAND, 26), scene, other, _HAND)
    else:
        seat.draw_hand(block(canvas, 0, _STRIP + 4, width, _STRIP), scene, other, False)


def _brief(made: Table, scene: Scene, other: int) -> None:
    seat.draw_brief(made.add(f"brief-{other}", 700, 40, zone=BRIEF, seat=other), scene, other)


def _width_of(tiles: int) -> float:
    """The width of so many projects: of a row of up to three."""
    return max(2, min(tiles, 3)) * (TILE[0] + _GAP)
