"""Draws a workshop of Bdgame: cards on a grid, connected ports as pipes, open ports as rings, and the flow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ....render import widgets
from ....render.scene import Scene
from ....render.svg import Canvas
from ..cards import COLORS, PORTS, Deck, ports_of
from .cards import IDLE_PIPE, LETTER_FILL, PIPE, cubes_in_a_row, tile, token_width

COLUMNS, HALF_LANES = 8, 10
_COLUMN, _HALF_LANE = 108, 36
_LEFT, _TOP = 24, 20
WIDTH, HEIGHT = _LEFT + COLUMNS * _COLUMN + 6, _TOP + HALF_LANES * _HALF_LANE + 4

Place = tuple[int, int]


def least_target(scene: Scene) -> float:
    """The height of what can be clicked now: cells to place a card in are half as high as cards."""
    places = any(move.startswith("place ") for move in scene.legal)
    return _HALF_LANE if places else 2 * _HALF_LANE


def width_in_use(cards: Sequence[Mapping[str, Any]]) -> float:
    """The width of a workshop up to the last column with a card, but at least half of it."""
    columns = max([COLUMNS // 2, *(int(card["x"]) + 2 for card in cards)])
    return float(_LEFT + min(COLUMNS, columns) * _COLUMN + 6)


def draw_workshop(canvas: Canvas, scene: Scene, seat: int) -> None:
    """Draw the workshop of a seat, from (0, 0)."""
    _grid(canvas)
    field = canvas.group(_LEFT, _TOP, id=f"seat-{seat}-workshop")
    field.rect(0, 0, COLUMNS * _COLUMN, HALF_LANES * _HALF_LANE, fill="none", pointer_events="all")
    cards = scene.snapshot["seats"][seat]["workshop"]
    links = Links(scene.cards, cards)
    decides = scene.decides(seat)
    for card in cards:
        _card(field, scene, seat, card, decides, links)
    for x, y in links.joints:
        done = links.ends[x, y] in links.finished
        joint = {"fill": PIPE if done else IDLE_PIPE, "stroke": "#ffffff", "stroke_width": 1.5}
        field.rect(x * _COLUMN - 5, y * _HALF_LANE - 10, 10, 20, radius=3, **joint)
    for place, port, inlet in links.open_ports:
        _open_port(field, seat, place, port, inlet)
    if decides:
        _cells_to_place(field, scene, seat)
        _flow(field, scene, seat)


class Links:
    """The connections in a workshop: an outlet and an inlet at the same junction (B14)."""

    def __init__(self, deck: Deck, cards: Sequence[Mapping[str, Any]]) -> None:
        self.open_ports: list[tuple[Place, int, bool]] = []
        inlets: dict[Place, Place] = {}
        outlets: dict[Place, Place] = {}
        for card in cards:
            x, y = place = (card["x"], card["y"])
            into, out = ports_of(deck, card["kind"])
            inlets.update({(x, y + port): place for port in into})
            outlets.update({(x + 1, y + port): place for port in out})
        device = {(card["x"], card["y"]): number for number, card in enumerate(cards)}
        self.ends, self.joints = inlets, sorted(inlets.keys() & outlets.keys())
        for junction in self.joints:
            one, other = device[inlets[junction]], device[outlets[junction]]
            device = {place: one if number == other else number for place, number in device.items()}
        for junction, place in sorted(inlets.items()):
            if junction not in outlets:
                self.open_ports.append((place, junction[1] - place[1], True))
        for junction, place in sorted(outlets.items()):
            if junction not in inlets:
                self.open_ports.append((place, junction[1] - place[1], False))
        unfinished = {device[place] for place, _, _ in self.open_ports}
        self.finished = {place for place, number in device.items() if number not in unfinished}


def _grid(canvas: Canvas) -> None:
    wide, high = COLUMNS * _COLUMN, HALF_LANES * _HALF_LANE
    canvas.rect(_LEFT, _TOP, wide, high, fill="#f6f3ec", stroke=widgets.LINE)
    for lane in range(1, HALF_LANES):
        y = _TOP + lane * _HALF_LANE
        canvas.line(_LEFT, y, _LEFT + wide, y, stroke="#e6e0d3")
    for lane in range(HALF_LANES - 1):
        canvas.text(_LEFT - 6, _TOP + (lane + 1) * _HALF_LANE, str(lane), 19, anchor="end", fill=widgets.FAINT)
    for column in range(COLUMNS):
        x = _LEFT + column * _COLUMN
        canvas.line(x, _TOP, x, _TOP + high, stroke="#d8d0c0")
        canvas.text(x + _COLUMN / 2, _TOP - 10, str(column), 19, anchor="middle", fill=widgets.FAINT)


def _card(field: Canvas, scene: Scene, seat: int, card: Mapping[str, Any], decides: bool, links: Links) -> None:
    x, y, kind = card["x"], card["y"], card["kind"]
    wide, high = _COLUMN, 2 * _HALF_LANE
    name, moves = f"seat-{seat}-card-{x}-{y}", []
    if "slot" in card:
        name = f"seat-{seat}-hopper-{card['slot']}"
    if decides:
        moves = scene.moves(f"remove {x},{y}")
        if "slot" in card:
            slot = card["slot"]
            actions = [f"{verb} {color}@{slot}" for verb in ("load", "discard") for color in COLORS]
            moves += scene.moves(f"activate {slot}", *actions)
    finished = (x, y) in links.finished
    place = field.group(
        *(x * wide, y * _HALF_LANE),
        id=name,
        moves=moves,
        title=f"{kind} at {x},{y}",
        data_card=kind,
        data_place=f"{x},{y}",
        data_finished=str(finished).lower(),
    )
    tile(place, scene.cards, kind, wide, high, pipe=PIPE if finished else IDLE_PIPE, joined=True)
    if "slot" in card:
        place.text(6, high - 12, f"H{card['slot']}", 19, bold=True, fill=widgets.FAINT)
        _cubes(place, card["cubes"], wide / 2 - 4, 0.4 * high)
    if card.get("held"):
        widgets.cube(place, wide / 2, high / 2, 34, LETTER_FILL[card["held"]], card["held"])
    asks = scene.snapshot["pending"]
    if decides and asks is not None and asks["ask"] and (asks["x"], asks["y"]) == (x, y):
        place.rect(0, 0, wide, high, radius=7, fill="none", stroke=widgets.TO_MOVE, stroke_width=6)
    if moves:
        widgets.outline(place, 1, 1, wide - 2, high - 2)


def _cubes(canvas: Canvas, counts: Mapping[str, int], x: float, y: float) -> None:
    """Draw cubes around a point, on a white plate."""
    there = [count for count in counts.values() if count]
    if not there:
        return
    size, room = 26.0, _COLUMN - 12.0
    rows = [counts]
    wide = sum(token_width(size, count) for count in there) + 0.2 * size * (len(there) - 1)
    if wide > room:  # a row for each color, so that they can be read
        size, rows = 22.8, [{color: count} for color, count in counts.items() if count]
        wide = max(token_width(size, count) for count in there)
    left, high = x - wide / 2, (size + 1) * len(rows)
    top = max(-y + 2, -high / 2) if y else -high / 2
    canvas.rect(left - 4, y + top - 3, wide + 8, high + 6, radius=6, fill="#ffffff", stroke="#444444", stroke_width=1.2)
    for number, row in enumerate(rows):
        cubes_in_a_row(canvas.group(left, y + top + (number + 0.5) * (size + 1)), row, size)


def _open_port(field: Canvas, seat: int, place: Place, port: int, inlet: bool) -> None:
    x, y = place
    side = "in" if inlet else "out"
    at_x, at_y = (x if inlet else x + 1) * _COLUMN, (y + port) * _HALF_LANE
    mark = field.group(at_x, at_y, id=f"seat-{seat}-open-{x}-{y}-{side}-{PORTS[port]}", data_open=side)
    mark.circle(0, 0, 8, fill="#ffffff", stroke="#8f1d5c", stroke_width=3.5)


def _cells_to_place(field: Canvas, scene: Scene, seat: int) -> None:
    for move in scene.moves_starting("place "):
        x, y = (int(number) for number in move.removeprefix("place ").split(","))
        left, middle = x * _COLUMN, (y + 1) * _HALF_LANE
        cell = field.group(left, middle, id=f"seat-{seat}-cell-{x}-{y}", moves=[move])
        cell.rect(0, -_HALF_LANE / 2, _COLUMN, _HALF_LANE, fill="none", pointer_events="all")
        cell.rect(10, -14, _COLUMN - 20, 28, radius=8, fill="#d9f2e6", stroke=widgets.LEGAL, stroke_width=3)
        cell.text(_COLUMN / 2, 0, "+", 24, anchor="middle", bold=True, fill="#00513b")
        if (kind := scene.snapshot["selected"]) is not None:  # shown by a page while the cell is pointed at
            hidden: dict[str, Any] = {"class": "ghost", "visibility": "hidden", "pointer-events": "none"}
            ghost = cell.group(0, -_HALF_LANE, **hidden)
            tile(ghost, scene.cards, kind, _COLUMN, 2 * _HALF_LANE, joined=True)


def _flow(field: Canvas, scene: Scene, seat: int) -> None:
    """Draw the cubes that wait at inlets while a Device runs."""
    pending = scene.snapshot["pending"]
    for waiting in pending["flow"] if pending else ():
        x, y = waiting["x"], waiting["y"]
        port = PORTS.index(waiting["port"])
        counts = waiting["cubes"]
        place = field.group(
            *(x * _COLUMN, (y + port) * _HALF_LANE),
            id=f"seat-{seat}-flow-{x}-{y}-{waiting['port']}",
            data_count=sum(counts.values()),
        )
        _cubes(place, counts, 0, 0)
