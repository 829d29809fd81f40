"""Draws machines, projects and tokens of Nicodemus, and says what they do in words and tokens."""

from __future__ import annotations

from typing import Any

from ....render import widgets
from ....render.ornaments import gear
from ....render.svg import Canvas, text_width
from ....render.wording import points_words
from ..cards import (
    ASKED,
    COLOR,
    COLORS,
    COST,
    KINDS,
    POINTS,
    PROJECT_POINTS,
    SYMBOL,
    SYMBOLS,
    TOKENS,
    TRAITS,
    TWINS,
    WANTED,
)

# Letters and color of each token, then of the wild symbol.
LETTERS = ("Ch", "Wo", "Co", "Cr", "?")
FILLS = (widgets.BLACK, "#7a5230", "#e07b39", "#7cc4ec", "#ffffff")
COLOR_FILLS = (widgets.BLUE, "#7b3f98", widgets.RED, widgets.YELLOW)
MACHINE = (133.0, 98.0)
CHIP, PLAN = (90.0, 36.0), (122.0, 36.0)
TILE = (96.0, 98.0)
_HEAD = 31.0

# The outline of each token and the lines on it, around (0, 0) in a square of side 20.
SHAPES = (
    "M-8 3 L-6 -4 L-1 -8 L5 -6 L9 0 L6 7 L-2 9 Z",
    "M-5 -6 H6 A3.4 6 0 0 1 6 6 H-5 A3.4 6 0 0 1 -5 -6 Z",
    "M-5 -6 H5 L9 6 H-9 Z",
    "M-5 -8 H5 L9 -2 L0 9 L-9 -2 Z",
)
STROKES = (
    "M-1 -8 L0 -1 L9 0 M0 -1 L-2 9",
    "M6 -6 A3.4 6 0 0 0 6 6 M-3 -2 H1 M-2 2 H2",
    "M-5.5 -1 H5.5",
    "M-9 -2 H9 M-4 -2 L0 9 L4 -2",
)
# What machines of a color look like, within a square of 60: a mill, a retort, a cannon, a flask.
DEVICES = (
    gear(30, 30, 27, 10),
    "M8 14q14-12 26 3l22 28-8 5-22-26q5 14-8 22a15 15 0 1 1-16-24q0-6 6-8Z",
    "M6 22L40 8q12-2 14 8q0 8-8 11L16 40q-10 2-12-6q-2-8 2-12ZM22 38a9 9 0 1 0 .01 0Z",
    "M24 4H36V20L54 48q2 8-8 8H14q-10 0-8-8L24 20Z",
)
_LIGHT = ("#8f8f8f", "#d9b28a", "#ffd9b8", "#1d6f9c")
# A line on a card: words, and numbers for tokens.
Words = list[str | int]
_COAL, _WOOD, _COPPER, _CRYSTAL, _WILD = range(5)
SAYS: dict[str, list[Words]] = {
    "B1": [[_WOOD, " for each ", _WOOD], ["in the row"]],
    "B2": [[_COAL, " for each ", _COAL], ["in the row"]],
    "B3": [[_COPPER, " for each ", _COPPER], ["in the row"]],
    "B4": [[_CRYSTAL, " for each ", _CRYSTAL], ["in the row"]],
    "B5": [["1 resource for"], ["each ? in row"]],
    "P1": [["discard 1 from"], ["hand, gain 2 of"], ["its cost"]],
    "P2": [["discard 1 of the"], ["last 3, gain 1"], ["of its cost"]],
    "P3": [["discard 1 of the"], ["last 2, gain ", _COAL], ["and 1 of its cost"]],
    "P4": [["exchange ", _COAL], ["and a resource,"], ["up to 3 times"]],
    "P5": [["discard the last,"], ["gain 2 of its"], ["cost"]],
    "R1": [["steal ", _COAL, " and"], ["a card in hand"]],
    "R2": [["steal a resource"], ["and a card in"], ["hand"]],
    "R3": [["opponent keeps"], ["2 cards, returns"], [_COAL, " ", _COAL]],
    "R4": [["opponent loses"], ["2 resources"]],
    "Y1": [["reserve 1 of"], ["2 projects"]],
    "Y2": [["copy an effect"], ["in the row"]],
}


def token(canvas: Canvas, x: float, y: float, size: float, number: int) -> None:
    """Draw a token, or the wild symbol, around (x, y): a lump, a log, an ingot, a gem."""
    if number == _WILD:
        widgets.marble(canvas, x, y, size, FILLS[number], LETTERS[number])
        return
    place = canvas.group(x, y, scale=size / 20)
    look = {"stroke": "#222222", "stroke_width": 1.2, "stroke_linejoin": "round", "class": "token"}
    place.path(SHAPES[number], fill=FILLS[number], **look)
    place.path(STROKES[number], fill="none", stroke=_LIGHT[number], stroke_width=1.3, stroke_linecap="round")


def symbol(canvas: Canvas, x: float, y: float, size: float, number: int) -> None:
    """Draw the symbol of a machine around (x, y): a token on a disc."""
    if number != _WILD:
        canvas.circle(x, y, 0.6 * size, fill="#fbf9f4", stroke=widgets.LINE, stroke_width=1.2)
    token(canvas, x, y, size if number == _WILD else 0.9 * size, number)


def cost_words(kind: int) -> str:
    """The cost in letters, such as 2Co 1Cr."""
    return " ".join(f"{int(n)}{LETTERS[number + 1]}" for number, n in enumerate(COST[kind]) if n)


def needs(project: int) -> list[tuple[int, str]]:
    """What a project asks for: pairs of a number and a trait (a color, value or symbol, or twins)."""
    if TWINS[project]:
        return [(2, "twins")]
    found = []
    for place, trait in enumerate(TRAITS):
        if int(ASKED[project]) >> 4 * place & 15:
            found.append((int(WANTED[project]) >> 4 * place & 15, trait))
    return found


def machine(canvas: Canvas, name: str) -> None:
    """Draw a machine of size MACHINE: color, kind, symbol, points, cost, effect."""
    kind = KINDS.index(name)
    width, height = MACHINE
    fill = COLOR_FILLS[COLOR[kind]]
    widgets.color_card(canvas, width, height, _HEAD, fill)
    canvas.group(width - 62, height - 62).path(DEVICES[COLOR[kind]], fill=fill, fill_opacity=0.16)
    ink: dict[str, Any] = {"fill": widgets.ink_on(fill), "class": "on"}
    canvas.text(8, _HEAD / 2 + 1, name, 21, bold=True, **ink)
    symbol(canvas, 58, _HEAD / 2 + 1, 23, int(SYMBOL[kind]))
    widgets.badge(canvas, width - 20, _HEAD / 2 + 1, str(int(POINTS[kind])), fill=widgets.POINTS, size=18)
    x = 16.0
    for resource, count in enumerate(COST[kind]):
        for _ in range(int(count)):
            token(canvas, x, 42, 17, resource + 1)
            x += 19
    lines = SAYS[name]
    for row, words in enumerate(lines):
        _words(canvas.group(8, 52 + 41 * (row + 0.5) / len(lines)), words, 13.9, width - 14)


def chip(canvas: Canvas, name: str) -> None:
    """Draw a machine of the size CHIP: color, kind, symbol, points."""
    kind = KINDS.index(name)
    width, height = CHIP
    fill = COLOR_FILLS[COLOR[kind]]
    widgets.tinted_card(canvas, width, height, fill, thick=1.5)
    canvas.rect(2, 2, 10, height - 4, radius=4, fill=fill)
    canvas.text(15, height / 2, name, 16, bold=True)
    symbol(canvas, 52, height / 2, 20, int(SYMBOL[kind]))
    widgets.badge(canvas, width - 14, height / 2, str(int(POINTS[kind])), fill=widgets.POINTS, size=14)


def project(canvas: Canvas, number: int) -> None:
    """Draw a project of size TILE: what it asks for, and its points."""
    width, height = TILE
    widgets.card(canvas, width, height, fill="#fdf3d7", edge="#8a7434")
    canvas.text(8, 16, f"#{number}", 15, fill=widgets.FAINT)
    widgets.badge(canvas, width - 20, 18, str(int(PROJECT_POINTS[number])), fill=widgets.POINTS, size=18)
    pieces = [(trait, count) for count, trait in needs(number)]
    signs = [trait for trait, count in pieces for _ in range(count)]
    if pieces[0][0] == "twins" or pieces[0][0].startswith("value"):
        lines = ["twins"] if pieces[0][0] == "twins" else ["2 of", f"value {pieces[0][0][-1]}"]
        for row, text in enumerate(lines):
            y = 62 + 20 * (row - (len(lines) - 1) / 2)
            canvas.text(width / 2, y, text, 17, anchor="middle", bold=True, width=width - 10)
        return
    step = min(32.0, (width - 12) / len(signs))
    left = width / 2 - step * (len(signs) - 1) / 2
    for place, trait in enumerate(signs):
        if trait in COLORS:
            fill, letter = COLOR_FILLS[COLORS.index(trait)], trait[0].upper()
            widgets.cube(canvas, left + place * step, 62, step - 4, fill, letter)
        else:
            token(canvas, left + place * step, 62, step - 3, TOKENS.index(trait))


def plan(canvas: Canvas, number: int) -> None:
    """Draw a project of size PLAN: what it asks for, and its points."""
    width, height = PLAN
    widgets.card(canvas, width, height, fill="#fdf3d7", edge="#8a7434", thick=1.5)
    widgets.badge(canvas, width - 14, height / 2, str(int(PROJECT_POINTS[number])), fill=widgets.POINTS, size=14)
    pieces = [(trait, count) for count, trait in needs(number)]
    if pieces[0][0] == "twins" or pieces[0][0].startswith("value"):
        text = "twins" if pieces[0][0] == "twins" else f"2x value {pieces[0][0][-1]}"
        canvas.text(8, height / 2, text, 14, bold=True, width=width - 34, least=13)
        return
    signs = [trait for trait, count in pieces for _ in range(count)]
    step = min(22.0, (width - 34) / len(signs))
    for place, trait in enumerate(signs):
        if trait in COLORS:
            fill, letter = COLOR_FILLS[COLORS.index(trait)], trait[0].upper()
            widgets.cube(canvas, 16 + place * step, height / 2, step - 3, fill, letter)
        else:
            token(canvas, 16 + place * step, height / 2, step - 2, TOKENS.index(trait))


def project_words(number: int) -> str:
    """A project in words: its number, what it asks for, and its points."""
    asked = " ".join(trait if count == 1 else f"{count} {trait}" for count, trait in needs(number))
    return f"#{number} {asked} = {points_words(int(PROJECT_POINTS[number]))}"


def machine_words(name: str) -> str:
    """A machine in words: kind, points, symbol, cost."""
    kind = KINDS.index(name)
    return f"{name} {points_words(int(POINTS[kind]))}, symbol {SYMBOLS[SYMBOL[kind]]}, costs {cost_words(kind)}"


def _words(canvas: Canvas, words: Words, size: float, room: float) -> None:
    wide = sum(text_width(word, size) if isinstance(word, str) else 1.3 * size for word in words)
    size *= min(1.0, room / wide)
    x = 0.0
    for word in words:
        if isinstance(word, str):
            ahead = text_width(word[: len(word) - len(word.lstrip())], size)
            canvas.text(x + ahead, 0, word, size)
            x += text_width(word, size)
        else:
            token(canvas, x + 0.65 * size, 0, (1.2 if word == _WILD else 1.05) * size, word)
            x += 1.3 * size


def resource(number: int, canvas: Canvas, size: float) -> None:
    """Draw a token that fills a square of this size, from (0, 0)."""
    token(canvas, size / 2, size / 2, size, number)
