"""Draws the cards of Bdgame: parts with their ports and recipes, and orders."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....render import widgets
from ....render.svg import Canvas, text_width
from ..cards import BASIC, COLORS, HOPPER, NUM_BASIC, PACKER, PAUSE, Deck, ports_of

LETTER_FILL = {"Y": widgets.YELLOW, "R": widgets.RED, "B": widgets.BLUE}
PIPE, IDLE_PIPE = "#55647a", "#b3bac6"
SPECIAL_FILL, BASIC_FILL = "#f1ecfb", "#eef0f2"
_FRAME = "#8a8f98"
_LIGHT = {PIPE: "#a9b7cc", IDLE_PIPE: "#e3e7ed"}  # on pipes of a color
_LABEL = 20


def tile(
    canvas: Canvas,
    cards: Deck,
    kind: str,
    width: float,
    height: float,
    *,
    price: bool = False,
    name: bool = False,
    pipe: str = PIPE,
    joined: bool = False,
    plain: bool = False,
) -> None:
    """Draw a part card: its ports at the edges and what it does with cubes.

    Args:
        canvas: the canvas to draw on, from (0, 0).
        cards: the deck.
        kind: the card's kind.
        width: the card's width.
        height: the card's height.
        price: whether to show the price.
        name: whether to show the name, in a strip at the bottom.
        pipe: the color of the pipes.
        joined: whether ports are placed exactly where they meet those of neighbors; if not, they stay inside the card.
        plain: whether the name is a word for what the part is, instead of its kind.
    """
    number = cards.kinds.index(kind)
    special = number >= NUM_BASIC
    fill = SPECIAL_FILL if special else BASIC_FILL
    widgets.card(canvas, width, height, fill=fill, edge=_FRAME, thick=1.5)
    inner = height - _LABEL if name or price else height
    if special:
        _recipe(canvas, cards, number, width, inner, pipe, joined)
    else:
        _basic(canvas, cards, number, width, inner, pipe, joined)
    if name:
        room = width - (36 if price else 12)
        canvas.text(6, height - 12, form_of(cards, kind) if plain else kind, 14, width=room, least=9)
    if price:
        beside = width - 16 if special or name else 0.62 * width  # of the lower outlet
        widgets.badge(canvas, beside, height - 14, str(cards.cost[number]), fill=widgets.PRICE, size=14)


def form_of(cards: Deck, kind: str) -> str:
    """What a part is, in a word or two."""
    if kind in BASIC:
        return kind.replace("_", " ")
    inlets, outlets = ports_of(cards, kind)
    return "splitter" if len(outlets) > 1 else "joiner" if len(inlets) > 1 else "converter"


def token(canvas: Canvas, x: float, y: float, size: float, color: str, count: int) -> float:
    """Draw a number and a cube, starting at x and centered on y; returns their width."""
    place = canvas.group(x, y, data_cube=color, data_count=count)
    text = str(count)
    wide = text_width(text, 0.85 * size, bold=True)
    place.text(0, 0, text, 0.85 * size, bold=True)
    widgets.cube(place, wide + 0.08 * size + size / 2, 0, size, LETTER_FILL[color], color)
    return wide + 1.2 * size


def token_width(size: float, count: int) -> float:
    """The width of a token, including the gap after it."""
    return text_width(str(count), 0.85 * size, bold=True) + 1.2 * size


def cubes_in_a_row(canvas: Canvas, counts: Mapping[str, int], size: float, *, room: float = 0) -> float:
    """Draw a token for each color that occurs, from (0, 0), smaller if room is short; returns the width."""
    there = [(color, count) for color, count in counts.items() if count]
    wide = sum(token_width(size, count) for _, count in there) + 0.2 * size * max(0, len(there) - 1)
    if room and wide > room:
        size *= room / wide
    x = 0.0
    for color, count in there:
        x += token(canvas, x, 0, size, color, count) + 0.2 * size
    return x


def order(canvas: Canvas, cards: Deck, name: str, width: float, height: float, *, plain: bool = False) -> None:
    """Draw an order card: the cubes it asks for, its points and, if not `plain`, its name."""
    number = cards.orders.index(name)
    widgets.card(canvas, width, height, edge=_FRAME, thick=1.5)
    _slip(canvas, width, height)
    needs = [(color, int(count)) for color, count in zip(COLORS, cards.needs[number], strict=True) if count]
    room, high = width - 12, 0.58 * height
    size, rows = max(_rows_of_tokens(needs, rows, room, high) for rows in (1, 2))
    for row, tokens in enumerate(_split(needs, rows)):
        x = (width - _tokens_width(size, tokens)) / 2
        y = 4 + high * (row + 0.5) / rows
        for color, count in tokens:
            x += token(canvas, x, y, size, color, count) + 0.2 * size
    if not plain:
        canvas.text(8, height - 12, name, min(14.0, 0.2 * height))
    points = str(cards.points[number])
    widgets.badge(canvas, width - 20, height - 0.2 * height, points, fill=widgets.POINTS, size=max(14.5, 0.21 * height))


def _split(tokens: list[tuple[str, int]], rows: int) -> list[list[tuple[str, int]]]:
    each = -(-len(tokens) // rows)
    return [tokens[start : start + each] for start in range(0, len(tokens), each)]


def _tokens_width(size: float, tokens: list[tuple[str, int]]) -> float:
    return sum(token_width(size, count) for _, count in tokens) + 0.2 * size * (len(tokens) - 1)


def _rows_of_tokens(tokens: list[tuple[str, int]], rows: int, width: float, height: float) -> tuple[float, int]:
    """The token size that fits when the tokens are split into this many rows, and those rows."""
    wide = max(_tokens_width(1, row) for row in _split(tokens, rows))
    return min(28.0, width / wide, 0.9 * height / rows), rows


def _port_y(port: int, height: float, joined: bool) -> float:
    return port * height / 2 if joined else (0.12, 0.5, 0.88)[port] * height


def _slip(canvas: Canvas, width: float, height: float) -> None:
    """What makes a card an order: a form with a folded corner, torn off above the points."""
    y = 0.64 * height
    look = {"stroke": widgets.LINE, "stroke_width": 1.2}
    canvas.line(8, y, width - 8, y, stroke_dasharray="3 3", **look)
    fold = 0.15 * height
    canvas.path(f"M{width - 2.5 - fold:.4g} 2.5 v{fold:.4g} h{fold:.4g} Z", fill="#ddd6c8", **look)


def _pipe(canvas: Canvas, course: str, thick: float, pipe: str) -> None:
    """A pipe along a course."""
    canvas.path(course, stroke=pipe, stroke_width=thick, fill="none", stroke_linejoin="round")
    canvas.path(course, stroke=_LIGHT[pipe], stroke_width=0.3 * thick, fill="none")


def _flange(canvas: Canvas, x: float, y: float, width: float, pipe: str) -> None:
    """The collar of a port around (x, y), at an edge of a card of this width."""
    wide, high = 0.045 * width, 0.17 * width
    canvas.rect(min(max(x - wide / 2, 0), width - wide), y - high / 2, wide, high, radius=1.5, fill=pipe)


def _recipe(canvas: Canvas, cards: Deck, number: int, width: float, height: float, pipe: str, joined: bool) -> None:
    """A machine: a drum between what goes in and what comes out, and pipes from the inlets and to the outlets."""
    inlets, outlets = ports_of(cards, cards.kinds[number])
    size, thick, y = min(0.36 * height, 0.21 * width), 0.08 * width, 0.5 * height
    loads = {
        (side, port): [(color, int(count)) for color, count in zip(COLORS, amounts[port], strict=True) if count]
        for side, ports, amounts in ((0, inlets, cards.takes[number]), (1, outlets, cards.gives[number]))
        for port in ports
    }
    wide = {place: max(token_width(size, count) for _, count in load) - 0.12 * size for place, load in loads.items()}
    left = 0.06 * width + max(wide[0, port] for port in inlets)
    right = 0.94 * width - max(wide[1, port] for port in outlets)
    x, drum = (left + right) / 2, min(0.095 * width, (right - left) / 2 + 0.015 * width)
    for side, port in loads:
        middle, edge, inner = (0.27, 0.5, 0.73)[port] * height, side * width, (0.91 if side else 0.09) * width
        at = port * height / 2 if joined else middle
        _pipe(canvas, f"M{edge:.4g} {at:.4g} L{inner:.4g} {middle:.4g} L{x:.4g} {y:.4g}", thick, pipe)
        if not joined:
            _flange(canvas, edge, at, width, pipe)
    for (side, port), load in loads.items():
        spread = 0.42 * height if len(load) > 1 else 0
        start = 0.94 * width - wide[side, port] if side else 0.06 * width
        top = (0.27, 0.5, 0.73)[port] * height - spread / 2
        plate = (start - 2, top - 0.52 * size, wide[side, port] + 4, 1.04 * size + spread)
        canvas.rect(*plate, radius=4, fill=SPECIAL_FILL)
        for row, (color, count) in enumerate(load):
            token(canvas, start, top + spread * row, size, color, count)
    canvas.circle(x, y, drum, fill="#ffffff", stroke=pipe, stroke_width=0.025 * width)
    tip, back, half = x + 0.5 * drum, x - 0.35 * drum, 0.52 * drum
    canvas.path(f"M{back:.4g} {y - half:.4g} L{tip:.4g} {y:.4g} L{back:.4g} {y + half:.4g} Z", fill="#444444")


def _basic(canvas: Canvas, cards: Deck, number: int, width: float, height: float, pipe: str, joined: bool) -> None:
    inlets, outlets = ports_of(cards, BASIC[number])
    thick = 0.1 * width
    middle_x, middle_y = width / 2, height / 2
    for edge, ports in ((0.0, inlets), (width, outlets)):
        for port in ports:
            at = _port_y(port, height, joined)
            _pipe(canvas, _bend(edge, at, middle_x, middle_y), thick, pipe)
            if not joined:
                _flange(canvas, edge, at, width, pipe)
    if len(inlets) + len(outlets) > 2:  # a valve where pipes meet
        canvas.circle(middle_x, middle_y, 0.75 * thick, fill="#ffffff", stroke=pipe, stroke_width=0.3 * thick)
    if number == HOPPER:
        _hopper(canvas, width, height, thick, pipe)
    elif number == PACKER:
        _packer(canvas, width, height)
    elif number == PAUSE:
        canvas.circle(middle_x, middle_y, 0.3 * height, fill="#ffffff", stroke=pipe, stroke_width=0.3 * thick)
        bar = 0.1 * height
        for shift in (-1.5 * bar, 0.5 * bar):
            canvas.path(
                f"M{middle_x + shift:.4g} {middle_y - 1.5 * bar:.4g} h{bar:.4g} v{3 * bar:.4g} h{-bar:.4g} Z",
                fill="#444444",
            )


def _hopper(canvas: Canvas, width: float, height: float, thick: float, pipe: str) -> None:
    """A funnel with a rim, over a spout that leads to the outlet."""
    look = {"fill": "#ffffff", "stroke": pipe, "stroke_width": 0.3 * thick, "stroke_linejoin": "round"}
    left, right, low = 0.36 * width, 0.58 * width, 0.72 * height
    canvas.rect(left, low - 0.1 * height, right - left, 0.2 * height, radius=2, fill=pipe)
    canvas.path(
        f"M{0.13 * width:.4g} {0.2 * height:.4g} H{0.81 * width:.4g} L{right:.4g} {low:.4g} H{left:.4g} Z", **look
    )
    canvas.path(
        f"M{0.25 * width:.4g} {0.28 * height:.4g} L{0.4 * width:.4g} {0.64 * height:.4g}",
        stroke=_LIGHT[pipe],
        stroke_width=0.4 * thick,
    )
    canvas.rect(0.09 * width, 0.1 * height, 0.76 * width, 0.13 * height, radius=3, fill=pipe)


def _packer(canvas: Canvas, width: float, height: float) -> None:
    """A crate with a lid, bands and a label, behind the mouth of the inlet."""
    left, top, wide, high = 0.3 * width, 0.16 * height, 0.52 * width, 0.68 * height
    wood: dict[str, Any] = {"stroke": "#6b5226", "stroke_width": 0.025 * width, "class": "token"}
    canvas.rect(left, top, wide, high, radius=3, fill="#d9b072", **wood)
    canvas.rect(left, top, wide, 0.3 * high, radius=3, fill="#ecd2a1", **wood)
    for part in (0.22, 0.78):
        canvas.path(f"M{left + part * wide:.4g} {top:.4g} v{high:.4g}", stroke="#8b6f3d", stroke_width=0.05 * width)
    canvas.rect(left + 0.34 * wide, top + 0.42 * high, 0.32 * wide, 0.34 * high, radius=1, fill="#fffaf0", **wood)


def _bend(x: float, y: float, to_x: float, to_y: float) -> str:
    """The path of a pipe from a port to the middle of the card."""
    half = (x + to_x) / 2
    return f"M{x:.4g} {y:.4g} C{half:.4g} {y:.4g} {half:.4g} {to_y:.4g} {to_x:.4g} {to_y:.4g}"


def cube(letter: str, canvas: Canvas, size: float) -> None:
    """Draw a cube that fills a square of this size, from (0, 0)."""
    widgets.cube(canvas, size / 2, size / 2, size - 1, LETTER_FILL[letter], letter)
