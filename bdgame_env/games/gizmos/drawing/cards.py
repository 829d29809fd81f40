"""Draws the cards of Gizmos."""

from __future__ import annotations

from typing import Any

from ....render import widgets
from ....render.ornaments import gear
from ....render.svg import Canvas, text_width
from ..cards import ANY, COLOR, COST, LEVEL, NUM_COLORS, POINTS, SCORES
from .effects import Words, says
from .signs import Sign, sign

LETTERS = ("R", "B", "K", "Y")  # red, blue, black, yellow
FILLS = (widgets.RED, widgets.BLUE, widgets.BLACK, widgets.YELLOW)
GENERIC = "#8d8577"
TILE = (180.0, 98.0)
_HEAD = 36.0
_STRIP_LEFT = 31.0  # room for the cost
_STRIP_ROWS = {1: (0.0, 13, 19), 2: (17.5, 13, 17), 3: (12.2, 12, 13)}  # by rows: their distance, letters, marbles
_GEARS = ((148.0, 66.0, 26.0, 8), (104.0, 74.0, 17.0, 7))  # behind the text: on level 1 the first of them alone


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
    (width, height), left = TILE, 12.0
    fill, color = fill_of(card), int(COLOR[card])
    widgets.color_card(canvas, width, height, _HEAD, fill)
    for x, y, size, teeth in _GEARS[: int(LEVEL[card])]:
        canvas.path(gear(x, y, size, teeth), fill=fill, fill_opacity=0.16)
    ink: dict[str, Any] = {"fill": widgets.ink_on(fill), "class": "on", "bold": True}
    top = _HEAD / 2 + 1
    if color >= 0:
        canvas.text(left, top, str(int(COST[card])), 26, **ink)
        at = left + text_width(str(int(COST[card])), 26, bold=True) + 16
        if color == ANY:
            canvas.text(at - 8, top, "any", 20, **ink)
        else:
            canvas.circle(at, top, 14.5, fill="#ffffff", **{"class": "token"})
            widgets.marble(canvas, at, top, 26, fill, LETTERS[color])
        widgets.badge(canvas, width - 24, top, printed_points(card), fill=widgets.POINTS, size=21)
    canvas.text(width - 70, top, "I" * int(LEVEL[card]), 18, anchor="middle", **ink)
    lines, room = says(card), width - left - 8
    each = min(27.0, (height - _HEAD - 8) / len(lines))
    first = _HEAD + 1 + (height - _HEAD - 6 - each * len(lines)) / 2 + each / 2
    for row, words in enumerate(lines):
        _words(canvas.group(left, first + row * each), words, min(19.0 if len(lines) > 1 else 22.0, each), room)


def _rows_of(card: int, rows: int) -> list[Words]:
    """The effect of a card in at most so many rows."""
    told: list[Words] = []
    for number, line in enumerate(says(card)):
        if number < rows:
            told.append(list(line))
        else:
            told[-1] += [" ", *line]
    return told


def _row_width(card: int, rows: int) -> float:
    lines = _rows_of(card, rows)
    return max(sum(_wide(word, 13, 19) for word in line) for line in lines)


def strip_width(card: int, rows: int = 1) -> float:
    """The width of a card drawn as a strip with so many rows."""
    return _STRIP_LEFT + _row_width(card, rows) + _strip_right(card)


def _strip_right(card: int) -> float:
    return 32 if COLOR[card] >= 0 else 6


def strip(canvas: Canvas, card: int, *, rows: int = 1, column: float = 0) -> None:
    """Draw a card as a strip at (0, 0): cost on its color, effect in so many rows, points.

    Its height is `strip_height`; its width that of a column or, without one, `strip_width`. In a column three lines
    that are too long for two rows are three.
    """
    fill, color, high = fill_of(card), int(COLOR[card]), strip_height(rows)
    width = column or strip_width(card, rows)
    room = width - _STRIP_LEFT - _strip_right(card)
    if room < _row_width(card, rows) and len(says(card)) > rows > 1:
        rows += 1
    widgets.tinted_card(canvas, width, high, fill, thick=1.5)
    if column:
        canvas.path(gear(width - 52, high / 2, 15, 7), fill=fill, fill_opacity=0.16)
    canvas.rect(2, 2, 24, high - 4, radius=5, fill=fill, **{"class": "token"})
    if color >= 0:
        ink: dict[str, Any] = {"fill": widgets.ink_on(fill), "class": "on"}
        canvas.text(14, high / 2, str(int(COST[card])), 15, anchor="middle", bold=True, **ink)
        widgets.badge(canvas, width - 16, high / 2, printed_points(card), fill=widgets.POINTS, size=13)
    told, (distance, size, marble) = _rows_of(card, rows), _STRIP_ROWS[rows]
    for number, line in enumerate(told):
        middle = high / 2 + distance * (number + 0.5 - len(told) / 2)
        _words(canvas.group(_STRIP_LEFT, middle), line, size, room + 1, marble=marble)


def strip_height(rows: int) -> float:
    """The height of a card drawn as a strip with so many rows."""
    return 27.0 if rows == 1 else 40.0


def _words(canvas: Canvas, words: Words, size: float, room: float, *, marble: float = 0) -> None:
    if not marble:  # there may be room to spell out what a sign means
        spelled = [part for word in words for part in ((word, word.text) if isinstance(word, Sign) else (word,))]
        words = spelled if sum(_wide(word, size, 1.2 * size) for word in spelled) <= room else words
    size *= min(1.0, room / sum(_wide(word, size, marble or 1.2 * size) for word in words))
    marble = marble or 1.2 * size
    x = 0.0
    for word in words:
        if isinstance(word, str):
            ahead = text_width(word[: len(word) - len(word.lstrip())], size)
            if word.strip():
                canvas.text(x + ahead, 0, word, size)
            x += text_width(word, size)
        elif isinstance(word, Sign):
            wide = _wide(word, size, marble)
            sign(canvas, x + (wide - 3) / 2, 0, wide - 3, word.kind)
            x += wide
        else:
            widgets.marble(canvas, x + marble / 2, 0, marble, FILLS[word], LETTERS[word])
            x += marble + 2


def _wide(word: str | int | Sign, size: float, marble: float) -> float:
    """The width of one of the words of a line."""
    if isinstance(word, Sign):
        return 1.12 * marble + 3
    return text_width(word, size) if isinstance(word, str) else marble + 2


def marble(number: int, canvas: Canvas, size: float) -> None:
    """Draw a marble that fills a square of this size, from (0, 0)."""
    widgets.marble(canvas, size / 2, size / 2, size - 1, FILLS[number], LETTERS[number])
