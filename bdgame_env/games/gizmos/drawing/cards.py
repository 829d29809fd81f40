"""Draws the cards of Gizmos."""

from __future__ import annotations

from ....render import widgets
from ....render.svg import Canvas, text_width
from ..cards import ANY, COLOR, COST, LEVEL, NUM_COLORS, POINTS, SCORES
from .effects import Words, says

LETTERS = ("R", "B", "K", "Y")  # red, blue, black, yellow
FILLS = (widgets.RED, widgets.BLUE, widgets.BLACK, widgets.YELLOW)
GENERIC = "#8d8577"
TILE = (180.0, 98.0)
_BAND = 16


def printed_points(card: int) -> str:
    """The points as printed; an asterisk if the card scores by counting something."""
    return "*" if SCORES[card].any() else str(int(POINTS[card]))


def fill_of(card: int) -> str:
    """The color of a card."""
    color = int(COLOR[card])
    return FILLS[color] if 0 <= color < NUM_COLORS else GENERIC


def cost_words(card: int) -> str:
    """The cost in letters, such as 3R or 7 any; empty for a starting card."""
    color = int(COLOR[card])
    if color == ANY:
        return f"{int(COST[card])} any"
    return f"{int(COST[card])}{LETTERS[color]}" if color >= 0 else ""


def tile(canvas: Canvas, card: int) -> None:
    """Draw a card of size TILE at (0, 0): color, cost, points, text."""
    width, height = TILE
    fill, color = fill_of(card), int(COLOR[card])
    canvas.rect(1.5, 1.5, width - 3, height - 3, radius=8, fill=widgets.CARD, stroke="#6f6a60", stroke_width=2)
    canvas.rect(3, 3, _BAND, height - 6, radius=5, fill=fill)
    top = 22
    if color >= 0:
        canvas.text(_BAND + 12, top, str(int(COST[card])), 25, bold=True)
        at = _BAND + 12 + text_width(str(int(COST[card])), 25, bold=True) + 15
        if color == ANY:
            canvas.text(at - 8, top, "any", 20, bold=True)
        else:
            widgets.marble(canvas, at, top, 26, fill, LETTERS[color])
    canvas.text(width - 64, top, "I" * int(LEVEL[card]), 18, anchor="middle", bold=True, fill=widgets.FAINT)
    if color >= 0:
        widgets.badge(canvas, width - 24, top, printed_points(card), fill=widgets.POINTS, size=22)
    lines, room = says(card), width - _BAND - 20
    each = min(27.0, (height - 46) / len(lines))
    first = 40 + (height - 46 - each * len(lines)) / 2 + each / 2
    for row, words in enumerate(lines):
        _words(canvas.group(_BAND + 12, first + row * each), words, min(19.0 if len(lines) > 1 else 22.0, each), room)


def _words(canvas: Canvas, words: Words, size: float, room: float) -> None:
    marble = 1.2 * size
    wide = sum(text_width(word, size) if isinstance(word, str) else marble + 2 for word in words)
    size *= min(1.0, room / wide)
    marble = 1.2 * size
    x = 0.0
    for word in words:
        if isinstance(word, str):
            ahead = text_width(word[: len(word) - len(word.lstrip())], size)
            canvas.text(x + ahead, 0, word, size)
            x += text_width(word, size)
        else:
            widgets.marble(canvas, x + marble / 2, 0, marble, FILLS[word], LETTERS[word])
            x += marble + 2
