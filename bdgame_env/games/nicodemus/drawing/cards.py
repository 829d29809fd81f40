"""Draws machines, projects and tokens of Nicodemus, and says what they do in words and tokens."""

from __future__ import annotations

from ....render import widgets
from ....render.svg import Canvas, text_width
from ..cards import (
    ASKED,
    COLOR,
    COLORS,
    COST,
    KINDS,
    POINTS,
    PROJECT_POINTS,
    RESOURCES,
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
MACHINE = (146.0, 98.0)
TILE = (124.0, 98.0)
_BAND = 14

# A line on a card: words, and numbers for tokens.
Words = list[str | int]
_COAL, _WOOD, _COPPER, _CRYSTAL, _WILD = range(5)
SAYS: dict[str, list[Words]] = {
    "B1": [[_WOOD, " for each ", _WOOD], ["in the row"]],
    "B2": [[_COAL, " for each ", _COAL], ["in the row"]],
    "B3": [[_COPPER, " for each ", _COPPER], ["in the row"]],
    "B4": [[_CRYSTAL, " for each ", _CRYSTAL], ["in the row"]],
    "B5": [["1 resource for"], ["each ", _WILD, " in the row"]],
    "P1": [["discard from hand,"], ["gain 2 of its cost"]],
    "P2": [["discard 1 of last 3,"], ["gain 1 of its cost"]],
    "P3": [["discard 1 of last 2,"], ["gain ", _COAL, " and 1 of cost"]],
    "P4": [["exchange ", _COAL, " and a"], ["resource, up to 3x"]],
    "P5": [["discard the last,"], ["gain 2 of its cost"]],
    "R1": [["steal ", _COAL, " and"], ["a card in hand"]],
    "R2": [["steal a resource"], ["and a card in hand"]],
    "R3": [["other: 2 cards left,"], [_COAL, " ", _COAL, " returned"]],
    "R4": [["other: 2 resources"], ["returned"]],
    "Y1": [["reserve 1 of"], ["2 projects"]],
    "Y2": [["copy an effect"], ["in the row"]],
}


def token(canvas: Canvas, x: float, y: float, size: float, number: int) -> None:
    """Draw a token, or the wild symbol, around (x, y)."""
    widgets.marble(canvas, x, y, size, FILLS[number], LETTERS[number])


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
    canvas.rect(1.5, 1.5, width - 3, height - 3, radius=7, fill=widgets.CARD, stroke="#6f6a60", stroke_width=2)
    canvas.rect(3, 3, _BAND, height - 6, radius=5, fill=fill)
    canvas.text(_BAND + 9, 18, name, 21, bold=True)
    token(canvas, _BAND + 61, 19, 27, int(SYMBOL[kind]))
    widgets.badge(canvas, width - 20, 19, str(int(POINTS[kind])), fill=widgets.POINTS, size=18)
    canvas.text(_BAND + 9, 46, "costs", 13, fill=widgets.FAINT)
    x = _BAND + 60.0
    for resource, count in enumerate(COST[kind]):
        for _ in range(int(count)):
            token(canvas, x, 46, 18, resource + 1)
            x += 19
    for row, words in enumerate(SAYS[name]):
        _words(canvas.group(_BAND + 9, 67 + 17 * row), words, 13.5, width - _BAND - 16)


def project(canvas: Canvas, number: int) -> None:
    """Draw a project of size TILE: what it asks for, and its points."""
    width, height = TILE
    canvas.rect(1.5, 1.5, width - 3, height - 3, radius=7, fill="#fdf3d7", stroke="#8a7434", stroke_width=2)
    canvas.text(9, 16, f"#{number}", 14, fill=widgets.FAINT)
    widgets.badge(canvas, width - 20, 20, str(int(PROJECT_POINTS[number])), fill=widgets.POINTS, size=18)
    pieces = [(trait, count) for count, trait in needs(number)]
    signs = [trait for trait, count in pieces for _ in range(count)]
    if pieces[0][0] == "twins" or pieces[0][0].startswith("value"):
        text = "twins" if pieces[0][0] == "twins" else f"2 of value {pieces[0][0][-1]}"
        canvas.text(width / 2, 62, text, 18, anchor="middle", bold=True, width=width - 14)
        return
    step = min(32.0, (width - 12) / len(signs))
    left = width / 2 - step * (len(signs) - 1) / 2
    for place, trait in enumerate(signs):
        if trait in COLORS:
            fill, letter = COLOR_FILLS[COLORS.index(trait)], trait[0].upper()
            widgets.cube(canvas, left + place * step, 62, step - 4, fill, letter)
        else:
            token(canvas, left + place * step, 62, step - 3, TOKENS.index(trait))


def project_words(number: int) -> str:
    """A project in words: its number, what it asks for, and its points."""
    asked = " ".join(trait if count == 1 else f"{count} {trait}" for count, trait in needs(number))
    return f"#{number} {asked} = {int(PROJECT_POINTS[number])}p"


def machine_words(name: str) -> str:
    """A machine in words: kind, points, symbol, cost."""
    kind = KINDS.index(name)
    return f"{name} {int(POINTS[kind])}p {SYMBOLS[SYMBOL[kind]]} costs {cost_words(kind)}"


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
            token(canvas, x + 0.6 * size, 0, 1.2 * size, word)
            x += 1.3 * size


def resource_of(name: str) -> int:
    """A resource's number among the tokens."""
    return RESOURCES.index(name) + 1
