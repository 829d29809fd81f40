"""Draws the board of Bdgame: shop, open decision, players. It knows the printed cards but no rules."""

from __future__ import annotations

from typing import Any

from ....render import widgets
from ....render.scene import Scene
from ....render.svg import Canvas, text_width
from ..cards import BASIC, COLORS
from .cards import LETTER_FILL, cubes_in_a_row, order, tile
from .seat import TALL, WIDE, draw_seat
from .text import subtitle

_CARD = (116, 82)
_PILE = (98, 74)
_BANK = 86
_DECK = 66
_GAP = 6
_ROWS_TOP = widgets.HEADER + 8
_PILES_TOP = _ROWS_TOP + 22 + _CARD[1] + 12
_BAR_TOP = _PILES_TOP + 24 + _PILE[1] + 10
STATUS = 40
_SEATS_TOP = _BAR_TOP + STATUS + widgets.MOVES


def draw(scene: Scene) -> Canvas:
    """Draw the whole board."""
    places = widgets.panels_of(scene.players, _SEATS_TOP, WIDE, TALL)
    height = widgets.bottom_of(places) + widgets.MARGIN + widgets.FOOTER
    canvas = widgets.page(scene, height, subtitle(scene))
    draw_orders_row(canvas.group(widgets.MARGIN, _ROWS_TOP), scene)
    draw_parts_row(canvas.group(widgets.WIDTH / 2 + 2, _ROWS_TOP), scene)
    draw_piles(canvas.group(widgets.MARGIN, _PILES_TOP), scene)
    draw_bank(canvas.group(widgets.WIDTH - widgets.MARGIN - 3 * _BANK, _PILES_TOP), scene)
    draw_status(canvas.group(widgets.MARGIN, _BAR_TOP), scene)
    for seat, (x, y, width, tall) in enumerate(places):
        draw_seat(canvas, scene, seat, x, y, width, tall)
    widgets.moves_bar(canvas, scene, _BAR_TOP + STATUS)
    widgets.footer(canvas, scene, height)
    return canvas


def draw_orders_row(canvas: Canvas, scene: Scene, *, plain: bool = False) -> None:
    """Draw the face-up orders and their deck, from (0, 0); `plain` leaves out their names."""
    widgets.label(canvas, 0, 8, "ORDERS")
    row = canvas.group(0, 20, data_flow=f"{_CARD[0] + _GAP} {_CARD[1] + _GAP}")
    for slot, name in enumerate(scene.snapshot["orders_row"]):
        moves = scene.moves(f"accept {slot}")
        place = row.group(slot * (_CARD[0] + _GAP), 0, id=f"order-{slot}", moves=moves, data_card=name or "")
        if name is None:
            widgets.empty_place(place, *_CARD)
        else:
            order(place, scene.cards, name, *_CARD, plain=plain)
        if moves:
            widgets.outline(place, 0, 0, *_CARD)
    deck = scene.snapshot["orders_deck"]
    count = deck if isinstance(deck, int) else len(deck)
    place = row.group(4 * (_CARD[0] + _GAP), 0, id="orders-deck", data_count=count)
    widgets.pile(place, _DECK, _CARD[1], count, "orders")


def draw_parts_row(canvas: Canvas, scene: Scene, *, plain: bool = False) -> None:
    """Draw the special parts on sale and their deck, from (0, 0); `plain` writes words for kinds."""
    widgets.label(canvas, 0, 8, "SPECIAL PARTS")
    row = canvas.group(0, 20, data_flow=f"{_CARD[0] + _GAP} {_CARD[1] + _GAP}")
    for slot, kind in enumerate(scene.snapshot["parts_row"]):
        moves = scene.moves(f"buy {slot}")
        place = row.group(slot * (_CARD[0] + _GAP), 0, id=f"market-{slot}", moves=moves, data_card=kind or "")
        if kind is None:
            widgets.empty_place(place, *_CARD)
        else:
            tile(place, scene.cards, kind, *_CARD, price=True, name=True, plain=plain)
        if moves:
            widgets.outline(place, 0, 0, *_CARD)
    deck = scene.snapshot["parts_deck"]
    count = deck if isinstance(deck, int) else len(deck)
    moves = scene.moves("clear")
    place = row.group(4 * (_CARD[0] + _GAP), 0, id="parts-deck", data_count=count, moves=moves)
    widgets.pile(place, _DECK, _CARD[1], count, "clear" if moves else "parts")
    if moves:
        widgets.outline(place, 0, 0, _DECK - 2, _CARD[1])


def draw_piles(canvas: Canvas, scene: Scene, *, plain: bool = False) -> None:
    """Draw the piles of basic parts, from (0, 0); `plain` leaves out their names."""
    widgets.label(canvas, 0, 6, "BASIC PARTS")
    row = canvas.group(0, 24, data_flow=f"{_PILE[0] + _GAP} {_PILE[1] + _GAP}")
    for number, kind in enumerate(BASIC):
        count = scene.snapshot["piles"][kind]
        moves = scene.moves(f"buy {kind}")
        left = number * (_PILE[0] + _GAP)
        place = row.group(left, 0, id=f"pile-{kind}", moves=moves, data_says=kind, data_count=count)
        shown = place.group(opacity=1 if count else 0.35)
        tile(shown, scene.cards, kind, *_PILE, price=True, name=not plain, plain=plain)
        if plain:
            shown.text(8, _PILE[1] - 14, f"{widgets.TIMES}{count}", 16, bold=True)
        if moves:
            widgets.outline(place, 0, 0, *_PILE)
        if not plain:
            widgets.badge(place, _PILE[0] / 2, 2, f"{widgets.TIMES}{count}", fill=widgets.BACK, size=16)


def draw_bank(canvas: Canvas, scene: Scene) -> None:
    """Draw the cubes of the bank, from (0, 0)."""
    widgets.label(canvas, 0, 6, "BANK")
    for number, color in enumerate(COLORS):
        count = scene.snapshot["bank"][color]
        moves = scene.moves("collect") if color == "Y" else []
        place = canvas.group(number * _BANK, 24, id=f"bank-{color}", moves=moves, data_count=count)
        place.rect(0, 0, _BANK - 6, _PILE[1], radius=8, fill=widgets.PANEL, stroke=widgets.LINE, stroke_width=1.5)
        widgets.cube(place, 22, _PILE[1] / 2, 30, LETTER_FILL[color], color)
        place.text(_BANK - 28, _PILE[1] / 2, str(count), 24, anchor="middle", bold=True)
        if moves:
            widgets.outline(place, 0, 0, _BANK - 6, _PILE[1])


def draw_status(canvas: Canvas, scene: Scene, *, prompted: bool = False) -> float:
    """Draw what is open: credit and bought cards, the card to place, a card's question, cubes made, the offer.

    Returns the width, 0 if nothing is open; `prompted` without what the prompt of the turn says (`words.turn`).
    """
    position, x, y = scene.snapshot, 0.0, STATUS / 2
    bar = canvas.group(id="status")

    def tell(text: str, x: float) -> float:
        bar.text(x, y, text, 19, bold=True, fill=widgets.INK)
        return x + text_width(text, 19, bold=True) + 10

    if position["open"] == "buy" and not prompted:
        x = tell(f"Credit {position['credit']}", x) + 10
    if position["open"] == "buy" and position["sold"]:
        x = tell(f"sold {position['sold']}", x) + 10
    if position["selected"] is not None:
        x = _card(bar, scene, tell("to place", x), position["selected"], "selected", []) + 14
    if position["bought"]:
        x = tell("bought", x)
        for kind, count in position["bought"].items():
            moves = scene.moves(f"select {kind}")
            x = _card(bar, scene, x, kind, f"bought-{kind}", moves, count)
        x += 14
    pending = position["pending"]
    if pending is not None and not (prompted and pending["ask"] == "split"):
        x = _question(bar, pending, x, tell)
    if any(position["made"].values()):
        x = tell("made", x)
        made = bar.group(x, y, id="made", data_count=sum(position["made"].values()))
        x += cubes_in_a_row(made, position["made"], 26) + 14
    offer = position["offer"]
    if offer is not None:
        x = _card(bar, scene, tell(f"{scene.called(offer['from'])} offers", x), offer["card"], "offered", [])
        if offer["to"] is not None:
            x = tell(f"to {scene.called(offer['to'])}", x)
        if offer["want"] is not None:
            x = _card(bar, scene, tell("for", x), offer["want"], "wanted", [])
    return x


def _question(bar: Canvas, pending: Any, x: float, tell: Any) -> float:
    y = STATUS / 2
    if pending["ask"] == "split":
        widgets.cube(bar, x + 13, y, 26, LETTER_FILL[pending["color"]], pending["color"])
        x = tell("up? arrived", x + 34)
    elif pending["ask"] == "hold":
        x = tell("hold one of", x)
    else:
        return x
    arrived = bar.group(x, y, id="arrived", data_count=sum(pending["arrived"].values()))
    return x + cubes_in_a_row(arrived, pending["arrived"], 26) + 14


def _card(bar: Canvas, scene: Scene, x: float, kind: str, id: str, moves: list[str], count: int = 1) -> float:
    place = bar.group(x, 1, id=id, moves=moves, data_card=kind, data_count=count)
    tile(place, scene.cards, kind, 60, STATUS - 4)
    if moves:
        widgets.outline(place, 0, 0, 60, STATUS - 4, radius=5)
    if count > 1:
        place.text(64, STATUS / 2, f"{widgets.TIMES}{count}", 16, bold=True)
    return x + (94 if count > 1 else 66)
