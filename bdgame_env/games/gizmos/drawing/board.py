"""Draws the board of Gizmos: display and marbles, open decision, players. It knows the cards but no rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....render import widgets
from ....render.ornaments import gear
from ....render.scene import Scene
from ....render.svg import Canvas, text_width
from ....render.table import block
from ..cards import COLORS
from ..state import ROW
from .cards import FILLS, LETTERS, TILE, strip, strip_height, strip_width, tile
from .effects import gift
from .seat import TALL, WIDE, draw_seat, lay, lay_strips
from .text import subtitle

DECK, _GAP = 78, 9
_TOP = widgets.HEADER + 8
_ROW = 20 + TILE[1] + 8
_STATUS_TOP = _TOP + 2 * _ROW
STATUS = 84
_BAR_TOP = _STATUS_TOP + STATUS + 6
_CHANNEL = 50.0
_STEEL, _DARK = "#717a88", "#3d434d"
_SEATS_TOP = _BAR_TOP + widgets.MOVES
# For each level: left and top of its row, and its places in the display.
LEVELS = ((1, 0, _ROW, (0, 1, 2, 3)), (2, DECK + 2 * TILE[0] + 56, 0, (4, 5, 6)), (3, 0, 0, (7, 8)))


def draw(scene: Scene) -> Canvas:
    """Draw the whole board."""
    places = widgets.panels_of(scene.players, _SEATS_TOP, WIDE, TALL)
    height = widgets.bottom_of(places) + widgets.MARGIN + widgets.FOOTER
    canvas = widgets.page(scene, height, subtitle(scene))
    for level, x, y, display in LEVELS:
        draw_level(canvas.group(widgets.MARGIN + x, _TOP + y), scene, level, display)
    left = widgets.MARGIN + DECK + 4 * (TILE[0] + _GAP) + 32
    draw_marbles(canvas.group(left, _TOP + _ROW), scene, widgets.WIDTH - widgets.MARGIN - left)
    draw_status(canvas.group(widgets.MARGIN, _STATUS_TOP), scene)
    for seat, (x, y, width, tall) in enumerate(places):
        draw_seat(canvas, scene, seat, x, y, width, tall)
    widgets.moves_bar(canvas, scene, _BAR_TOP)
    widgets.footer(canvas, scene, height)
    return canvas


def draw_level(canvas: Canvas, scene: Scene, level: int, display: tuple[int, ...]) -> None:
    """Draw a level: its deck and its places in the display, from (0, 0)."""
    widgets.label(canvas, 0, 8, f"LEVEL {level}")
    deck = scene.snapshot["decks"][level - 1]
    count = deck if isinstance(deck, int) else len(deck)
    moves = scene.moves(f"research {level}")
    row = canvas.group(0, 20, data_flow=f"0 {TILE[1] + _GAP}")
    pile = row.group(0, 0, id=f"deck-{level}", data_wide=DECK, data_count=count, moves=moves)
    widgets.pile(pile, DECK, TILE[1], count, f"level {level}")
    if moves:
        widgets.outline(pile, 0, 0, DECK - 2, TILE[1])
    for number, place in enumerate(display):
        card = scene.snapshot["display"][place]
        moves = scene.moves(f"file {place}", f"build {place}")
        left = DECK + _GAP + number * (TILE[0] + _GAP)
        shown = "" if card is None else card
        area = row.group(left, 0, id=f"display-{place}", data_wide=TILE[0], moves=moves, data_card=shown)
        if card is None:
            widgets.empty_place(area, *TILE)
        else:
            tile(area, card)
        if moves:  # what can only be filed, for lack of marbles, is dashed
            widgets.outline(area, 0, 0, *TILE, dashed=not scene.moves(f"build {place}"))


def draw_marbles(canvas: Canvas, scene: Scene, width: float) -> None:
    """Draw the marbles of the row in their channel, and below it the dispenser, from (0, 0)."""
    row, dispenser = scene.snapshot["row"], scene.snapshot["dispenser"]
    widgets.label(canvas, 0, 8, "MARBLES IN THE ROW", width=width)
    each, x = width / ROW, 0.0
    channel = canvas.group(0, 20)
    channel.rect(0, 0, width, _CHANNEL, radius=_CHANNEL / 2, fill=_STEEL, stroke=_DARK, stroke_width=2)
    size = 0.84 * min(each, _CHANNEL)
    for socket in range(ROW):
        channel.circle((socket + 0.5) * each, _CHANNEL / 2, 0.52 * size, fill=_DARK, fill_opacity=0.6)
    for number, color in enumerate(COLORS):
        count, moves = row[color], scene.moves(f"pick {color}")
        place = canvas.group(x, 20, id=f"row-{color}", moves=moves, data_count=count, data_left=dispenser[color])
        for marble in range(count):
            widgets.marble(place, (marble + 0.5) * each, _CHANNEL / 2, size, FILLS[number], LETTERS[number])
        if moves:
            widgets.outline(place, 1, 1, count * each - 2, _CHANNEL - 2, radius=_CHANNEL / 2)
        x += count * each
    _dispenser(canvas.group(0, 20 + _CHANNEL + 4), dispenser, width, TILE[1] - _CHANNEL - 4)


def _dispenser(canvas: Canvas, dispenser: Mapping[str, int], width: float, height: float) -> None:
    """Draw how many marbles of each color are in the dispenser, from (0, 0)."""
    canvas.rect(0, 0, width, height, radius=10, fill=widgets.PANEL, stroke=widgets.LINE, stroke_width=1.5)
    for x, y, size, teeth in ((22.0, 0.45 * height, 17.0, 9), (45.0, 0.85 * height, 11.0, 7)):
        canvas.path(gear(width - x, y, size, teeth), fill=_STEEL, fill_opacity=0.15)
    canvas.text(12, 10, "in the dispenser", 14, fill=widgets.FAINT)
    for number, color in enumerate(COLORS):
        place = canvas.group(
            12 + number * (width - 16) / len(COLORS), 0, id=f"dispenser-{color}", data_count=dispenser[color]
        )
        shown = place.group(opacity=1 if dispenser[color] else 0.35)
        widgets.marble(shown, 9, height - 13, 19.5, FILLS[number], LETTERS[number])
        shown.text(24, height - 13, str(dispenser[color]), 17, bold=True)


def draw_turn(canvas: Canvas, scene: Scene, width: float) -> float:
    """Draw in lines what `draw_status` draws, from (0, 0); returns the height."""
    position, y = scene.snapshot, 0.0
    if (payment := position["payment"]) is not None:
        size = strip_width(payment["card"]), strip_height(1)
        strip(block(canvas, 0, y, *size).group(id="payment", data_card=payment["card"]), payment["card"])
        room = width - size[0] - 8
        told = block(canvas, width - room, y, room, size[1])
        text = "; ".join(_paying(payment))
        told.text(0, size[1] / 2, text, 13, width=room, least=12)
        y += strip_height(1) + 4
    elif (hand := position["hand"]) is not None:  # while one of them is paid for, the others do not matter
        level, cards = hand["level"], hand["cards"]
        count = cards if isinstance(cards, int) else len(cards)
        area = block(canvas, 0, y, width, 22).group(id="hand", data_count=count)
        if isinstance(cards, int):
            area.text(0, 9, f"{cards} cards of level {level} being researched", 13)
            y += 22
        else:
            moves = [scene.moves(f"file hand {n}", f"build hand {n}", f"under {n}") for n in range(count)]
            y += lay_strips(area, cards, [f"hand-{number}" for number in range(count)], moves, width)
    credits = [gift(credit, number).words for credit, number in position["credits"].items() if number]
    if credits and not (scene.seat == position["seat"] and position["phase"] == "chain"):  # the prompt says it
        text = f"Still to use: {', '.join(credits)}"
        told = block(canvas, 0, y, min(width, text_width(text, 13)), 22).group(id="credits")
        told.text(0, 10, text, 13, width=width, least=12)
        y += 22
    return y


def draw_status(canvas: Canvas, scene: Scene) -> float:
    """Draw the credits of the turn, the card being paid for and the researched cards.

    Returns the width, 0 if there are none.
    """
    position = scene.snapshot
    status = canvas.group(id="status")
    x = 0.0
    payment = position["payment"]
    if payment is not None:
        place = status.group(0, 0, scale=0.85, id="payment", data_card=payment["card"])
        tile(place, payment["card"])
        x += 0.85 * TILE[0] + 14
        asked = [f"how many {COLORS[len(payment['paid'])]}?"] if position["phase"] == "pay" else []  # D4.3
        for row, text in enumerate(_paying(payment) + asked):
            status.text(x, 16 + 26 * row, text, 18, bold=row == 0, width=220)
        x += 230
    hand = position["hand"]
    if hand is not None:
        x += _hand(status.group(x, 0), scene, hand, widgets.WIDTH - 2 * widgets.MARGIN - x - 250) + 14
    credits = [f"{name.replace('_', ' ')} {count}" for name, count in position["credits"].items() if count]
    if credits:
        told = status.group(x, 0, id="credits")
        told.text(0, 16, "Triggered, still to use:", 18, bold=True)
        told.text(0, 44, ", ".join(credits), 18, width=widgets.WIDTH - widgets.MARGIN - x - 20)
        x += max(230.0, text_width(", ".join(credits), 18) + 8)
    return min(x, widgets.WIDTH - 2 * widgets.MARGIN)


def _paying(payment: dict[str, Any]) -> list[str]:
    """The payment in lines, without what is asked for: pages have it in the prompt."""
    least, most = payment["least"], payment["most"]
    told = [f"Paying {most}" if least == most else f"Paying {least} to {most}"]
    paid = [f"{count}{letter}" for count, letter in zip(payment["paid"], LETTERS, strict=False) if count]
    told.append(f"so far {' '.join(paid)}" if paid else "nothing so far")
    if payment["converters"]:
        told.append("by " + ", ".join(payment["converters"]))
    return told


def _hand(canvas: Canvas, scene: Scene, hand: dict[str, Any], room: float) -> float:
    """Draw the researched cards, or their backs; returns the width."""
    level, cards = hand["level"], hand["cards"]
    under = scene.snapshot["under"]
    named = under if isinstance(under, int) else len(under)
    if isinstance(cards, int):
        pile = canvas.group(id="hand", data_count=cards)
        widgets.pile(pile, 1.3 * DECK, STATUS - 4, cards, f"looked at, {level}")
        return 1.3 * DECK
    if named:
        canvas.text(0, 10, f"{named} under the deck so far", 14, fill=widgets.FAINT)
    area = canvas.group(0, 18 if named else 0, id="hand", data_count=len(cards))
    moves = [scene.moves(f"file hand {n}", f"build hand {n}", f"under {n}") for n in range(len(cards))]
    lay(area, cards, [f"hand-{number}" for number in range(len(cards))], moves, room, STATUS - (18 if named else 0))
    return min(room, 0.8 * len(cards) * (TILE[0] + 10))
