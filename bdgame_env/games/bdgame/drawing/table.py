"""The table of Bdgame in parts: shop, open decision, the own workshop, and the others."""

from __future__ import annotations

from ....render.scene import Scene
from ....render.table import BRIEF, OTHER, OWN, STATUS, Part, Table, block
from . import seat, workshop
from .board import draw_bank, draw_orders_row, draw_parts_row, draw_piles, draw_status

_SCALE, _WORKSHOP = 0.86, 0.7
_CUBES, _ORDERS_WIDE = 336.0, 349.0
_ROW, _PILES, _BANK = (554.0, 104.0), (826.0, 100.0), (258.0, 100.0)
_STATUS, _STATUS_SCALE = (400.0, 42.0), 1.2
_STORAGE, _ORDERS, _LABEL = 46.0, 82.0, 18.0
_HAND, _HAND_TILE = (300.0, 124.0), 0.65
_BLOCK = 246.0  # width of another seat's facts
_OTHER = 198.0  # height of another seat's part
_BRIEF = (296.0, 40.0)
_GAP = 10.0


def table(scene: Scene) -> list[Part]:
    """The parts of a position."""
    made = Table()
    draw_orders_row(made.add("orders", *_ROW, scale=_SCALE, target=72), scene, plain=True)
    draw_parts_row(made.add("special-parts", *_ROW, scale=_SCALE, target=72), scene, plain=True)
    draw_piles(made.add("basic-parts", *_PILES, scale=_SCALE, target=72), scene, plain=True)
    draw_bank(made.add("bank", *_BANK, scale=_SCALE, target=72), scene)
    status = made.add("status", *_STATUS, scale=_STATUS_SCALE, zone=STATUS, target=36)
    prompted = scene.seat is not None and scene.decides(scene.seat)
    made.grow(draw_status(status.group(0, 1), scene, prompted=prompted), 0)
    made.add_seats(scene, _own, _other, _brief)
    return made.parts


def _own(made: Table, scene: Scene, mine: int) -> None:
    decides = scene.decides(mine)
    storage = made.add("own-storage", _CUBES, _STORAGE, zone=OWN, seat=mine, scale=_SCALE, target=_STORAGE, headed=True)
    seat.draw_storage(storage, scene, mine, decides, _CUBES)
    orders = made.add("own-orders", _ORDERS_WIDE, _ORDERS, zone=OWN, seat=mine, scale=_SCALE, target=62)
    seat.draw_orders(orders, scene, mine, decides, _ORDERS_WIDE, plain=True)
    hand = made.add("own-hand", *_HAND, zone=OWN, seat=mine, target=_HAND_TILE * seat.TILE[1])
    height = seat.draw_hand(hand, scene, mine, decides, *_HAND, fixed=_HAND_TILE)
    made.grow(0, height)
    size = workshop.WIDTH, workshop.HEIGHT
    target = workshop.least_target(scene)
    field = made.add("own-workshop", *size, zone=OWN, seat=mine, column=1, scale=_WORKSHOP, target=target)
    workshop.draw_workshop(field, scene, mine)


def _other(made: Table, scene: Scene, other: int) -> None:
    cards = scene.snapshot["seats"][other]["workshop"]
    used = workshop.width_in_use(cards)
    shown = used * _OTHER / workshop.HEIGHT
    canvas = made.add(f"seat-{other}", _BLOCK + _GAP + shown, _OTHER, zone=OTHER, seat=other)
    seat.draw_storage(block(canvas, 0, 0, _BLOCK, _STORAGE), scene, other, False, _BLOCK)
    orders = block(canvas, 0, _STORAGE + 4, _BLOCK, _ORDERS)
    seat.draw_orders(orders, scene, other, False, _BLOCK, plain=True)
    hand_y = _STORAGE + 4 + _ORDERS + 4
    hand = block(canvas, 0, hand_y, _BLOCK, _LABEL)
    seat.draw_hand(hand, scene, other, False, _BLOCK, _OTHER - hand_y - 20)
    field = block(canvas, _BLOCK + _GAP, 0, shown, _OTHER, fill=True)
    view = (0.0, 0.0, used, float(workshop.HEIGHT))
    workshop.draw_workshop(field.window(0, 0, shown, _OTHER, view), scene, other)


def _brief(made: Table, scene: Scene, other: int) -> None:
    seat.draw_brief(made.add(f"brief-{other}", *_BRIEF, zone=BRIEF, seat=other), scene, other, *_BRIEF)
