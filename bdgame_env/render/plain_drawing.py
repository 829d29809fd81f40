"""The drawing of games without their own: the snapshot as a table."""

from __future__ import annotations

import json
from textwrap import wrap

from . import widgets
from .scene import Drawing, Line, Scene
from .svg import Canvas

_LINE = 26
_LINES = 40
_LETTERS = 92


def draw(scene: Scene) -> Canvas:
    """Every entry of the snapshot in one or more lines, and the moves as buttons."""
    height = widgets.HEADER + _LINES * _LINE + widgets.MOVES + widgets.FOOTER
    canvas = widgets.page(scene, height, _who_decides(scene))
    y = widgets.HEADER
    rows = [(name, line) for name, value in scene.snapshot.items() for line in _lines(name, value)]
    for number, (name, line) in enumerate(rows[:_LINES]):
        text = "…" if number == _LINES - 1 and len(rows) > _LINES else line
        row = canvas.group(widgets.MARGIN, y + number * _LINE, id=f"line-{number}", data_entry=name)
        row.text(0, _LINE / 2, text, 18, width=widgets.WIDTH - 2 * widgets.MARGIN)
    widgets.moves_bar(canvas, scene, y + _LINES * _LINE)
    widgets.footer(canvas, scene, height)
    return canvas


def text(scene: Scene) -> list[Line]:
    """Every entry of the snapshot on a line."""
    lines: list[Line] = [[(f"{scene.game.title}: {_who_decides(scene)}", "bold")]]
    return lines + [[f"{name}: {json.dumps(value)}"] for name, value in scene.snapshot.items()]


def _who_decides(scene: Scene) -> str:
    seat = scene.snapshot.get("seat")
    over = scene.snapshot.get("over") or scene.snapshot.get("phase") == "over"
    return "the game is over" if over else f"seat {seat} decides" if isinstance(seat, int) else ""


def _lines(name: str, value: object) -> list[str]:
    whole = json.dumps(value)
    if len(whole) > _LETTERS and isinstance(value, list):
        return [line for place, one in enumerate(value) for line in _lines(f"{name} {place}", one)]
    return [f"{name}: {line}" if not number else f"    {line}" for number, line in enumerate(wrap(whole, _LETTERS))]


DRAW = Drawing(picture=draw, text=text)
