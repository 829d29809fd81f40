"""The table of Bdgame in parts: shop, open decision, the own workshop, and the others in brief."""

from __future__ import annotations

from ....render.scene import Scene
from ....render.table import OTHER, OWN, STATUS, Part, Table
from . import board, seat, workshop
from .board import draw_bank, draw_orders_row, draw_parts_row, draw_piles, draw_status

_FACTS = 246.0
_ROW, _PILES = (580.0, 104.0), (866.0, 100.0)
_STATUS_SCALE = 1.5
_STORAGE, _ORDERS, _HAND = 46.0, 82.0, 168.0
_BRIEF = 198.0  # height of another seat's part
_GAP = 10.0


def table(scene: Scene) -> list[Part]:
    """The parts of a position."""
    made = Table()
    draw_orders_row(made.add("orders", *_ROW, target=72), scene, plain=True)
    draw_parts_row(made.add("special-parts", *_ROW, target=72), scene, plain=True)
    draw_piles(made.add("basic-parts", *_PILES, target=72), scene, plain=True)
    draw_bank(made.add("bank", 294, _PILES[1], target=72), scene)
    _status(made, scene)
    made.add_seats(scene, _own, _other)
    return made.parts


def _status(made: Table, scene: Scene) -> None:
    canvas = made.add("status", 1, board.STATUS * _STATUS_SCALE, zone=STATUS, target=36 * _STATUS_SCALE)
    width = draw_status(canvas.group(scale=_STATUS_SCALE), scene) * _STATUS_SCALE
    made.resize(width)


def _own(made: Table, scene: Scene, mine: int) -> None:
    decides = scene.decides(mine)

    storage = made.add("own-storage", _FACTS, _STORAGE, zone=OWN, seat=mine, target=_STORAGE)
    seat.draw_storage(storage, scene, mine, decides, _FACTS)
    orders = made.add("own-orders", _FACTS, _ORDERS, zone=OWN, seat=mine, target=62)
    seat.draw_orders(orders, scene, mine, decides, _FACTS, plain=True)
    height = _HAND if scene.snapshot["seats"][mine]["hand"] else 20.0
    hand = made.add("own-hand", _FACTS, height, zone=OWN, seat=mine)
    made.retarget(seat.draw_hand(hand, scene, mine, decides, _FACTS, _HAND - 20))
    field = made.add(
        "own-workshop", workshop.WIDTH, workshop.HEIGHT, zone=OWN, seat=mine, column=1, target=workshop.LEAST_TARGET
    )
    workshop.draw_workshop(field, scene, mine)


def _other(made: Table, scene: Scene, other: int) -> None:
    cards = scene.snapshot["seats"][other]["workshop"]
    used = workshop.width_in_use(cards)
    shown = used * _BRIEF / workshop.HEIGHT
    canvas = made.add(f"seat-{other}", _FACTS + _GAP + shown, _BRIEF, zone=OTHER, seat=other)
    seat.draw_storage(canvas, scene, other, False, _FACTS)
    seat.draw_orders(canvas.group(0, _STORAGE + 4), scene, other, False, _FACTS, plain=True)
    hand_y = _STORAGE + 4 + _ORDERS + 4
    seat.draw_hand(canvas.group(0, hand_y), scene, other, False, _FACTS, _BRIEF - hand_y - 20)
    view = (0.0, 0.0, used, float(workshop.HEIGHT))
    workshop.draw_workshop(canvas.window(_FACTS + _GAP, 0, shown, _BRIEF, view), scene, other)
