"""Draws the cards of Bdgame: parts with their ports and recipes, and orders."""

from __future__ import annotations

from collections.abc import Mapping

from ....render import widgets
from ....render.svg import Canvas, text_width
from ..cards import BASIC, COLORS, HOPPER, NUM_BASIC, PACKER, PAUSE, Deck, ports_of

LETTER_FILL = {"Y": widgets.YELLOW, "R": widgets.RED, "B": widgets.BLUE}
PIPE, IDLE_PIPE = "#55647a", "#b3bac6"
_SPECIAL, _GREY = "#f1ecfb", "#eef0f2"
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
    fill = _SPECIAL if special else _GREY
    canvas.rect(1.5, 1.5, width - 3, height - 3, radius=6, fill=fill, stroke="#8a8f98", stroke_width=1.5)
    inner = height - _LABEL if name or price else height
    if special:
        _recipe(canvas, cards, number, width, inner, pipe, joined)
    else:
        _basic(canvas, cards, number, width, inner, pipe, joined)
    if name:
        room = width - (36 if price else 12)
        canvas.text(6, height - 12, form_of(cards, kind) if plain else kind, 14, width=room, least=9)
    if price:
        widgets.badge(canvas, width - 16, height - 14, str(cards.cost[number]), fill=widgets.PRICE, size=14)


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
    canvas.rect(1.5, 1.5, width - 3, height - 3, radius=6, fill=widgets.CARD, stroke="#8a8f98", stroke_width=1.5)
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


def _recipe(canvas: Canvas, cards: Deck, number: int, width: float, height: float, pipe: str, joined: bool) -> None:
    inlets, outlets = ports_of(cards, cards.kinds[number])
    size = min(0.36 * height, 0.21 * width)
    for side, ports, amounts in ((0, inlets, cards.takes[number]), (1, outlets, cards.gives[number])):
        for port in ports:
            there = [(color, int(count)) for color, count in zip(COLORS, amounts[port], strict=True) if count]
            spread = 0.42 if len(there) > 1 else 0
            middle = (0.27, 0.5, 0.73)[port] * height
            edge, inner = (0.0, 0.07 * width) if side == 0 else (width, 0.93 * width)
            canvas.path(
                f"M{edge:.4g} {port * height / 2 if joined else middle:.4g} L{inner:.4g} {middle:.4g}",
                stroke=pipe,
                stroke_width=0.08 * width,
            )
            for row, (color, count) in enumerate(there):
                y = middle + spread * (row - (len(there) - 1) / 2) * height
                x = 0.09 * width if side == 0 else 0.91 * width - token_width(size, count) + 0.06 * size
                token(canvas, x, y, size, color, count)
    x, y, long = 0.5 * width, 0.5 * height, 0.04 * width
    canvas.path(
        f"M{x - long:.4g} {y - 1.2 * long:.4g} L{x + long:.4g} {y:.4g} L{x - long:.4g} {y + 1.2 * long:.4g} Z",
        fill="#444444",
    )


def _basic(canvas: Canvas, cards: Deck, number: int, width: float, height: float, pipe: str, joined: bool) -> None:
    inlets, outlets = ports_of(cards, BASIC[number])
    thick = 0.08 * width
    look = {"stroke": pipe, "stroke_width": thick, "fill": "none", "stroke_linejoin": "round"}
    middle_x, middle_y = width / 2, height / 2
    for port in inlets:
        canvas.path(_bend(0, _port_y(port, height, joined), middle_x, middle_y), **look)
    for port in outlets:
        canvas.path(_bend(width, _port_y(port, height, joined), middle_x, middle_y), **look)
    if number == HOPPER:
        canvas.path(
            f"M{0.12 * width:.4g} {0.14 * height:.4g} L{0.82 * width:.4g} {0.14 * height:.4g} "
            f"L{0.6 * width:.4g} {0.74 * height:.4g} L{0.34 * width:.4g} {0.74 * height:.4g} Z",
            **{**look, "fill": "#ffffff", "stroke_width": 0.4 * thick},
        )
    elif number == PACKER:
        left, top, wide, high = 0.3 * width, 0.2 * height, 0.48 * width, 0.6 * height
        canvas.rect(left, top, wide, high, radius=3, fill="#ead9b8", stroke="#8b6f3d", stroke_width=0.3 * thick)
        canvas.path(
            f"M{left:.4g} {top + high / 2:.4g} h{wide:.4g} M{left + wide / 2:.4g} {top:.4g} v{high:.4g}",
            stroke="#8b6f3d",
            stroke_width=0.3 * thick,
        )
    elif number == PAUSE:
        canvas.circle(middle_x, middle_y, 0.3 * height, fill="#ffffff", stroke=pipe, stroke_width=0.35 * thick)
        bar = 0.07 * height
        for shift in (-1.9 * bar, 0.5 * bar):
            canvas.rect(middle_x + shift, middle_y - 0.15 * height, 1.4 * bar, 0.3 * height, fill="#444444")


def _bend(x: float, y: float, to_x: float, to_y: float) -> str:
    """The path of a pipe from a port to the middle of the card."""
    half = (x + to_x) / 2
    return f"M{x:.4g} {y:.4g} C{half:.4g} {y:.4g} {half:.4g} {to_y:.4g} {to_x:.4g} {to_y:.4g}"
