"""What the pictures of all games have in common: page, header, buttons, panels, piles, counters; and the colors.

Color-blind people can tell the colors apart, since they differ in lightness as well; counters carry a letter.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from .ornaments import gear
from .scene import Scene
from .svg import Canvas, text_width

WIDTH = 1200
MARGIN = 12
HEADER = 52
MOVES = 72
FOOTER = 36

PAPER = "#ece7dc"
PANEL = "#fbf9f4"
CARD = "#ffffff"
EDGE = "#6f6a60"  # of cards
LINE = "#b9b1a1"
INK = "#222222"
FAINT = "#6d675c"
EMPTY = "#ddd6c8"
BACK = "#4a5568"
POINTS = "#1f5f4a"
PRICE = "#5b4a8a"
LEGAL = "#009e73"
TO_MOVE = "#e07b00"
YELLOW, RED, BLUE, BLACK = "#f5c518", "#d0402b", "#0a6ebd", "#2b2b2b"

# Marks what keeps its colors on a dark page.
_TOKEN: dict[str, Any] = {"class": "token"}
_ON_TOKEN: dict[str, Any] = {"class": "on"}
# Marks text that lies on the table itself, if it is part of what all share.
ON_TABLE: dict[str, Any] = {"class": "label"}

TIMES = "\u00d7"
ON_LIGHT, ON_DARK = "#222222", "#ffffff"


def page(scene: Scene, height: float, subtitle: str) -> Canvas:
    """A document with the game's title and a subtitle that says who decides what."""
    canvas = Canvas.document(WIDTH, even(height), f"{scene.game.title}: {subtitle}", PAPER)
    header = canvas.group(0, 0, id="header")
    header.rect(0, 0, WIDTH, HEADER, fill="#2f3a4a")
    header.text(MARGIN + 6, HEADER / 2, scene.game.title, 28, bold=True, fill="#ffffff")
    start = MARGIN + 30 + text_width(scene.game.title, 28, bold=True)
    room = WIDTH - MARGIN - start - 6
    header.text(start, HEADER / 2, subtitle, 22, fill="#f3ead7", width=room, least=12)
    return canvas


def even(height: float) -> int:
    """Round up to an even number: video needs even heights."""
    return 2 * -(-int(-(-height // 1)) // 2)


def footer(canvas: Canvas, scene: Scene, height: float) -> None:
    """The latest moves, at the bottom of a page of this height; the newest are kept if room is short."""
    foot = canvas.group(0, even(height) - FOOTER, id="last-moves")
    foot.rect(0, 0, WIDTH, FOOTER, fill="#2f3a4a")
    told, room = "", WIDTH - 2 * MARGIN - 12
    for move in reversed(scene.last):
        longer = f"{move}  ·  {told}" if told else move
        if told and text_width(longer, 18) > room:
            break
        told = longer
    foot.text(MARGIN + 6, FOOTER / 2, told or "no moves yet", 18, fill="#f3ead7", width=room)


def moves_bar(canvas: Canvas, scene: Scene, y: float, *, x: float = MARGIN, width: float = 0) -> None:
    """Buttons for the legal moves that no other element shows, below y, at most MOVES high."""
    moves, width = scene.other_moves(), width or WIDTH - x - MARGIN
    bar = canvas.group(x, y, id="other-moves", data_count=len(moves))
    places: list[tuple[float, float, float]] = []
    size = 20.0
    for size in (20, 17, 14, 12, 10, 8, 6):
        places = _flow([text_width(move, size) + size for move in moves], width, 1.8 * size, 0.4 * size)
        if not places or places[-1][1] + 1.8 * size <= MOVES - 8:
            break
    for move, (left, top, wide) in zip(moves, places, strict=True):
        button = bar.group(left, top + 2, id=f"move-{move.replace(' ', '-')}", moves=[move])
        button.rect(0, 0, wide, 1.8 * size, radius=0.4 * size, fill="#ffffff", stroke=LEGAL, stroke_width=2.5)
        button.text(wide / 2, 0.9 * size, move, size, anchor="middle")


def _flow(widths: Sequence[float], room: float, height: float, gap: float) -> list[tuple[float, float, float]]:
    """Left, top and width of boxes laid out in lines, one after the other."""
    places, x, y = [], 0.0, 0.0
    for wide in widths:
        if x and x + wide > room:
            x, y = 0.0, y + height + gap
        places.append((x, y, wide))
        x += wide + gap
    return places


def panel(canvas: Canvas, x: float, y: float, width: float, height: float, *, active: bool, id: str) -> Canvas:
    """A player's area; `active` marks the seat to decide."""
    area = canvas.group(x, y, id=id, data_active="true" if active else None)
    edge, thickness = (TO_MOVE, 5) if active else (LINE, 1.5)
    area.rect(0, 0, width, height, radius=10, fill=PANEL, stroke=edge, stroke_width=thickness)
    return area


def label(canvas: Canvas, x: float, y: float, text: str, *, width: float = 0) -> None:
    """A heading in small type."""
    canvas.text(x, y, text, 15, bold=True, fill=FAINT, width=width, **ON_TABLE)


def badge(canvas: Canvas, x: float, y: float, text: str, *, fill: str, size: float = 18) -> None:
    """A short text on a colored disc around (x, y)."""
    wide = max(1.5 * size, text_width(text, size, bold=True) + 0.7 * size)
    canvas.rect(x - wide / 2, y - 0.75 * size, wide, 1.5 * size, radius=0.75 * size, fill=fill)
    canvas.text(x, y, text, size, anchor="middle", bold=True, fill="#ffffff")


def cube(canvas: Canvas, x: float, y: float, size: float, fill: str, letter: str) -> None:
    """A cube with its letter, around (x, y)."""
    half = size / 2
    look = {"fill": fill, "stroke": "#222222", "stroke_width": 0.06 * size, **_TOKEN}
    canvas.rect(x - half, y - half, size, size, radius=0.2 * size, **look)
    _shine(canvas, f"M{x - 0.4 * size:.4g} {y - 0.36 * size:.4g}h{0.8 * size:.4g}", 0.12 * size)
    canvas.text(x, y, letter, 0.82 * size, anchor="middle", bold=True, fill=ink_on(fill), **_ON_TOKEN)


def marble(canvas: Canvas, x: float, y: float, size: float, fill: str, letter: str) -> None:
    """A marble with its letter or two, around (x, y)."""
    letters = (0.72 if len(letter) == 1 else 0.46) * size
    canvas.circle(x, y, size / 2, fill=fill, stroke="#222222", stroke_width=0.06 * size, **_TOKEN)
    bow = f"M{x - 0.34 * size:.4g} {y - 0.08 * size:.4g}a{0.36 * size:.4g} {0.36 * size:.4g} 0 0 1 "
    _shine(canvas, bow + f"{0.3 * size:.4g} {-0.28 * size:.4g}", 0.11 * size)
    canvas.text(x, y, letter, letters, anchor="middle", bold=True, fill=ink_on(fill), **_ON_TOKEN)


def _shine(canvas: Canvas, course: str, thick: float) -> None:
    """Light on a token, along a line."""
    look = {"fill": "none", "stroke": "#ffffff", "stroke_opacity": 0.5, "stroke_linecap": "round"}
    canvas.path(course, stroke_width=thick, **look)


def card(canvas: Canvas, width: float, height: float, *, fill: str = CARD, edge: str = EDGE, thick: float = 2) -> None:
    """A card of this size that lies on the table, without what is printed on it."""
    canvas.rect(2.5, 4, width - 4, height - 4, radius=8, fill="#000000", fill_opacity=0.2)
    inset = thick / 2 + 0.5
    look = {"fill": fill, "stroke": edge, "stroke_width": thick}
    canvas.rect(inset, inset, width - 2 * inset, height - 2 * inset - 1, radius=7, **look)


def tinted_card(canvas: Canvas, width: float, height: float, fill: str, *, thick: float = 2) -> None:
    """A card with a touch of a color."""
    card(canvas, width, height, thick=thick)
    canvas.rect(thick, thick, width - 2 * thick, height - 2 * thick - 1, radius=6, fill=fill, fill_opacity=0.1)


def color_card(canvas: Canvas, width: float, height: float, head: float, fill: str) -> None:
    """A card with a touch of a color, and a head of this height in full color."""
    tinted_card(canvas, width, height, fill)
    right, bottom = width - 8, head + 2
    canvas.path(f"M2 {bottom:.4g}V8a6 6 0 0 1 6-6H{right:.4g}a6 6 0 0 1 6 6V{bottom:.4g}Z", fill=fill)
    light = {"stroke": "#ffffff", "stroke_opacity": 0.16, "stroke_width": head / 3}
    canvas.path(f"M5 {3 + head / 6:.4g}H{width - 5:.4g}", **light)
    edge = {"stroke": "#000000", "stroke_opacity": 0.4, "stroke_width": 1}
    canvas.path(f"M2 {bottom:.4g}H{width - 2:.4g}", **edge)


def ink_on(fill: str) -> str:
    """The color of letters that can be read on a color such as "#f5c518"."""
    red, green, blue = (int(fill[place : place + 2], 16) for place in (1, 3, 5))
    return ON_LIGHT if 0.3 * red + 0.59 * green + 0.11 * blue > 150 else ON_DARK


def pile(canvas: Canvas, width: float, height: float, count: int, text: str, fill: str = BACK) -> None:
    """The back of a pile of cards, with its number; an outline if it is empty."""
    if not count:
        empty_place(canvas, width, height)
    else:
        for shift in (6, 3, 0):
            canvas.rect(shift, shift, width - 6, height - 6, radius=6, fill=fill, stroke="#ffffff", stroke_width=1.5)
        frame = {"fill": "none", "stroke": "#8794aa", "stroke_width": 1.2}
        canvas.rect(4, 4, width - 14, height - 14, radius=4, **frame)
        course = gear(width / 2 - 3, height / 2 - 3, min(width, height) / 2 - 12, 12)
        canvas.path(course, fill="#ffffff", fill_opacity=0.1)
    dark = "#ffffff" if count else FAINT
    canvas.text(width / 2 - 3, height / 2 - 12, str(count), 24, anchor="middle", bold=True, fill=dark)
    canvas.text(width / 2 - 3, height / 2 + 14, text, 15, anchor="middle", fill=dark, width=width - 14)


def empty_place(canvas: Canvas, width: float, height: float) -> None:
    """Where a card could lie."""
    canvas.rect(0, 0, width, height, radius=6, fill="none", stroke=LINE, stroke_width=1.5, stroke_dasharray="6 5")


def outline(
    canvas: Canvas, x: float, y: float, width: float, height: float, *, radius: float = 8, dashed: bool = False
) -> None:
    """The mark of an element that legal moves are about; its whole area takes clicks, also between shapes."""
    edge: dict[str, Any] = {"stroke": LEGAL, "stroke_width": 4, "pointer_events": "all"}
    if dashed:
        edge["stroke_dasharray"] = "12 7"
    canvas.rect(x, y, width, height, radius=radius, fill="none", **edge)


def panels_of(players: int, top: float, wide: float, tall: float) -> list[tuple[float, float, float, float]]:
    """Where the players' areas lie, as (x, y, width, height): two below each other at full width, or in two columns.

    A third one has the full width below two columns.

    Args:
        players: how many.
        top: where the first begins.
        wide: height of one at full width.
        tall: height of one in two columns.
    """
    full = WIDTH - 2 * MARGIN
    if players <= 2:
        return [(MARGIN, top + seat * (wide + MARGIN), full, wide) for seat in range(players)]
    half = (full - MARGIN) / 2
    places = [
        (MARGIN + seat % 2 * (half + MARGIN), top + seat // 2 * (tall + MARGIN), half, tall) for seat in range(players)
    ]
    if players % 2:
        x, y, _, _ = places.pop()
        places.append((x, y, full, wide))
    return places


def bottom_of(places: Iterable[tuple[float, float, float, float]]) -> float:
    """Where the lowest of these areas ends."""
    return max(y + height for _, y, _, height in places)
