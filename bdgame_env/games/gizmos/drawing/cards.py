"""Draws the cards of Gizmos, and says what they do in words and marbles."""

from __future__ import annotations

from ....render import widgets
from ....render.svg import Canvas, text_width
from ..cards import (
    ADDS,
    AMOUNT,
    ANY,
    BANNED,
    BANS,
    BUILD_CARD,
    COLOR,
    COLORS,
    CONVERTER,
    CONVERTER_CARD,
    CONVERTER_TYPES,
    COST,
    CREDIT,
    CREDITS,
    DISCOUNTS,
    FILE_CARD,
    KIND,
    LEVEL,
    LIMITS,
    NUM_COLORS,
    ON_BUILD,
    ON_BUILD_FROM_ARCHIVE,
    ON_BUILD_LEVEL_2,
    ON_PICK,
    POINTS,
    SCOPES,
    SCORERS,
    SCORES,
    WHEN,
)

LETTERS = ("R", "B", "K", "Y")  # red, blue, black, yellow
FILLS = (widgets.RED, widgets.BLUE, widgets.BLACK, widgets.YELLOW)
GENERIC = "#8d8577"
TILE = (180.0, 98.0)
_BAND = 16

# A line on a card: words, and numbers of colors for marbles.
Words = list[str | int]

_GIVES = {
    "draw": "draw {}",
    "pick": "pick {}",
    "points": "+{} point{s}",
    "file": "file a card",
    "free_build": "build level 1 free",
    "research": "research",
}
_SCOPE_WORDS = {"level2": "for level 2", "archive": "from archive", "research": "from research"}
_BAN_WORDS = {"file": "no more filing", "research": "no more research"}
_SCORER_WORDS = {"ring": "1 point a marble", "tokens": "tokens twice"}


def says(card: int) -> list[Words]:
    """What a card does, in one or two lines (three for the largest upgrade)."""
    if KIND[card] == CONVERTER_CARD:
        return [_converts(half) for half in CONVERTER_TYPES[CONVERTER[card]].split("+")]
    if WHEN[card]:
        return [_condition(card), ["→ ", _gift(card)]]
    lines: list[Words] = [[f"{name} +{more}"] for name, more in zip(LIMITS, ADDS[card], strict=True) if more]
    for scope, there in zip(SCOPES, DISCOUNTS[card], strict=True):
        lines += [["1 energy less"], [_SCOPE_WORDS[scope]]] if there else []
    for ban, there in zip(BANS, BANNED[card], strict=True):
        lines += [[_BAN_WORDS[ban]]] if there else []
    for scorer, there in zip(SCORERS, SCORES[card], strict=True):
        lines += [["at the end:"], [_SCORER_WORDS[scorer]]] if there else []
    return lines


def _condition(card: int) -> Words:
    bits = int(WHEN[card])
    if KIND[card] == FILE_CARD:
        return ["file"]
    if bits & ON_BUILD_FROM_ARCHIVE:
        return ["build from archive"]
    if bits & ON_BUILD_LEVEL_2:
        return ["build level 2"]
    first = ON_BUILD if KIND[card] == BUILD_CARD else ON_PICK
    return ["build " if KIND[card] == BUILD_CARD else "pick ", *(k for k in range(NUM_COLORS) if bits & first << k)]


def _gift(card: int) -> str:
    amount = int(AMOUNT[card])
    return _GIVES[CREDITS[CREDIT[card]]].format(amount, s="" if amount == 1 else "s")


def _converts(half: str) -> Words:
    """One half of a converter in the notation of `convert TYPE`."""
    take, _, give = half.partition("-")
    twice, take = take.startswith("2"), take.removeprefix("2")
    if take == "any":
        return ["any → any"]
    color = COLORS.index(take)
    if give == "any":
        return [color, " → any", " twice" if twice else ""]
    return [color, " → ", color, color]


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
