"""Draws a player of Bdgame: points, storage, orders, hand and workshop."""

from __future__ import annotations

from ....render import widgets
from ....render.scene import Scene
from ....render.svg import Canvas, fit_grid
from ..cards import COLORS
from . import workshop
from .cards import LETTER_FILL, order, tile
from .sketch import draw_sketch

_PAD = 12
_BLOCK = 246  # width of a block of facts at full width
_NAME, _STORAGE, _LABEL, _ORDERS, _SPACE = 42, 46, 18, 62, 8
_HAND = 148  # height of the hand at full width
WIDE = workshop.HEIGHT + 2 * _PAD
_SCALE = 0.632
TALL = _PAD + _STORAGE + _SPACE + _LABEL + _ORDERS + _SPACE + round(workshop.HEIGHT * _SCALE) + _PAD
TILE = (108.0, 72.0)
_QUEUE = 3
_COUNT = 38.0  # room beside a card for how many there are
_SKETCH = 104.0  # width of a workshop in miniature
_SMALL = 0.65  # scale of cards in hand where they are laid out in rows


def draw_seat(canvas: Canvas, scene: Scene, seat: int, x: float, y: float, width: float, height: float) -> None:
    """Draw the area of one player: facts beside the workshop if the area is wide, above it if not."""
    decides = scene.decides(seat)
    area = widgets.panel(canvas, x, y, width, height, active=decides, id=f"seat-{seat}")
    wide = width > 800
    block = _BLOCK if wide else (width - 3 * _PAD) / 2
    if wide:
        left = right = float(_PAD)
        storage_y = _PAD + _NAME + _SPACE
        orders_y = storage_y + _STORAGE + _SPACE
        hand_y, hand_height = orders_y + _LABEL + _ORDERS + _SPACE, _HAND
    else:
        left, right = _PAD, _PAD + block + _PAD
        storage_y = _PAD
        orders_y = hand_y = _PAD + _STORAGE + _SPACE
        hand_height = _ORDERS
    _name(area.group(left, _PAD), scene, seat, block)
    draw_storage(area.group(right, storage_y), scene, seat, decides, block)
    draw_orders(area.group(left, orders_y), scene, seat, decides, block)
    draw_hand(area.group(right, hand_y), scene, seat, decides, block, hand_height)
    if wide:
        workshop.draw_workshop(area.group(2 * _PAD + block, _PAD), scene, seat)
    else:
        top = orders_y + _LABEL + _ORDERS + _SPACE
        workshop.draw_workshop(area.group(_PAD - 6, top, scale=_SCALE), scene, seat)


def _name(canvas: Canvas, scene: Scene, seat: int, width: float) -> None:
    facts = scene.snapshot["seats"][seat]
    name = canvas.group(id=f"seat-{seat}-name", moves=scene.moves(f"seat {seat}"))
    text = f"Seat {seat}" + (" (you)" if seat == scene.seat else "")
    name.text(0, 14, text, 24, bold=True, width=width - 90)
    done = len(facts["fulfilled"])
    fulfilled = canvas.group(id=f"seat-{seat}-fulfilled", title=", ".join(facts["fulfilled"]), data_count=done)
    fulfilled.text(0, 37, f"{done} order{'' if done == 1 else 's'} fulfilled", 15, fill=widgets.FAINT)
    points = canvas.group(width - 38, 20, id=f"seat-{seat}-points", data_points=facts["points"])
    widgets.badge(points, 0, 0, str(facts["points"]), fill=widgets.POINTS, size=28)
    if scene.moves(f"seat {seat}"):
        widgets.outline(name, -6, -4, 150, 36)


def draw_storage(canvas: Canvas, scene: Scene, seat: int, decides: bool, width: float) -> None:
    """Draw the cubes in storage, from (0, 0)."""
    each = width / len(COLORS)
    for number, color in enumerate(COLORS):
        count = scene.snapshot["seats"][seat]["storage"][color]
        moves = scene.moves(f"pay {color}", f"discard {color}") if decides else []
        place = canvas.group(number * each, 0, id=f"seat-{seat}-storage-{color}", moves=moves, data_count=count)
        place.rect(0, 0, each - 6, _STORAGE, radius=7, fill="#ffffff", stroke=widgets.LINE, stroke_width=1.5)
        shown = place.group(opacity=1 if count else 0.35)
        widgets.cube(shown, 24, _STORAGE / 2, 32, LETTER_FILL[color], color)
        shown.text(each - 24, _STORAGE / 2, str(count), 26, anchor="middle", bold=True)
        if moves:
            widgets.outline(place, 0, 0, each - 6, _STORAGE)


def draw_orders(canvas: Canvas, scene: Scene, seat: int, decides: bool, width: float, *, plain: bool = False) -> None:
    """Draw the accepted orders, from (0, 0); `plain` leaves out their names."""
    widgets.label(canvas, 0, 7, "ACCEPTED ORDERS")
    queue = scene.snapshot["seats"][seat]["orders"]
    each = width / _QUEUE
    for place_number in range(_QUEUE):
        name = queue[place_number] if place_number < len(queue) else None
        moves = scene.moves(f"fulfil {place_number}") if decides else []
        place = canvas.group(
            *(place_number * each, _LABEL),
            id=f"seat-{seat}-order-{place_number}",
            moves=moves,
            data_card=name or "",
        )
        if name is None:
            widgets.empty_place(place, each - 6, _ORDERS)
        else:
            order(place, scene.cards, name, each - 6, _ORDERS, plain=plain)
        if moves:
            widgets.outline(place, 0, 0, each - 6, _ORDERS)


def draw_hand(
    canvas: Canvas, scene: Scene, seat: int, decides: bool, width: float, height: float, *, fixed: float = 0
) -> float:
    """Draw the cards in hand, from (0, 0), as large as this area allows or at a fixed scale; returns the height."""
    position = scene.snapshot
    hand, offer = position["seats"][seat]["hand"], position["offer"]
    widgets.label(canvas, 0, 7, f"HAND: {sum(hand.values())}")
    gap = 6 if fixed else 9
    each = TILE[0] + (_COUNT if any(count > 1 for count in hand.values()) else 0) + gap
    scale = fixed or fit_grid(len(hand), width + 6, height + 6, (each, TILE[1] + gap), most=0.74)[1]
    small = fixed or _SMALL
    row = canvas.group(0, _LABEL, data_flow=f"0 {(TILE[1] + gap) * small:.4g} {small}")
    x = y = 0.0
    for kind, count in hand.items():
        moves = []
        if decides:
            moves = scene.moves(f"sell {kind}", f"offer {kind}")
            if position["open"] != "buy":
                moves += scene.moves(f"select {kind}")
        elif offer is not None and offer["to"] == seat:
            moves = scene.moves(f"want {kind}")
        wide = TILE[0] + (_COUNT if count > 1 else 0)
        if x and x + wide * scale > width:
            x, y = 0.0, y + (TILE[1] + gap) * scale
        place = row.group(
            *(x, y),
            scale=scale,
            id=f"seat-{seat}-hand-{kind}",
            moves=moves,
            title=kind,
            data_card=kind,
            data_count=count,
            data_wide=f"{wide * small:.4g}",
        )
        x += (wide + gap) * scale
        tile(place, scene.cards, kind, *TILE)
        if moves:
            widgets.outline(place, 0, 0, *TILE)
        if count > 1:
            place.text(TILE[0] + 4, TILE[1] / 2, f"{widgets.TIMES}{count}", 24, bold=True)
    return _LABEL + y + ((TILE[1] + gap) * scale if hand else 0)


def draw_brief(canvas: Canvas, scene: Scene, seat: int, width: float, height: float) -> None:
    """Draw from (0, 0) what a player has: cubes and cards in two lines, and the workshop in miniature beside them."""
    facts = scene.snapshot["seats"][seat]
    x = 0.0
    for color in COLORS:
        place = canvas.group(x, 0, id=f"seat-{seat}-brief-{color}", data_count=facts["storage"][color])
        widgets.cube(place, 9, 10, 18, LETTER_FILL[color], color)
        place.text(23, 10, str(facts["storage"][color]), 15, bold=True)
        x += 46 if facts["storage"][color] < 10 else 54
    told = f"{len(facts['fulfilled'])} done, {len(facts['orders'])} accepted, {sum(facts['hand'].values())} in hand"
    canvas.text(0, 30, told, 13, fill=widgets.FAINT, width=width - _SKETCH - 4, least=12)
    draw_sketch(canvas.group(width - _SKETCH, 0), scene, seat, _SKETCH, height)
