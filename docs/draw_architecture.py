"""Draws docs/architecture.svg, the packages and who imports whom: `python docs/draw_architecture.py [OUT]`.

A *room* is a package or a part of one, and a *floor* a layer of the code. The arrows come from the imports themselves,
read by grimp, which comes with import-linter. Like import-linter, the script needs the links `bdgame_env/agents` and
`bdgame_env/experiments` that `make venv` sets.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

import grimp

from bdgame_env.experiments.files import write_text
from bdgame_env.render import widgets
from bdgame_env.render.svg import Canvas

PACKAGE = "bdgame_env"
OUTER = ("agents", "experiments")  # folders whose own folders are rooms too
# Each floor's rooms, with what they hold and where they stand (from 0, left, to 1, right). A room imports only rooms
# that come after it here. "X: front" and "X: base" hold the modules directly in folder X, above or below its rooms.
Room = tuple[str, float, float]
FLOORS: Mapping[str, Mapping[str, Room]] = {
    "commands": {
        "experiments: front": ("cli, demo, games", 0.0, 0.113),
        "experiments/benchmarks": ("speed", 0.127, 0.24),
        "experiments/training": ("settings to weights", 0.254, 0.367),
        "experiments/play": ("people, records", 0.381, 0.494),
        "experiments/balance": ("worth of cards", 0.508, 0.621),
        "experiments/arena": ("tournaments", 0.635, 0.748),
        "experiments/cluster": ("workers elsewhere", 0.762, 0.875),
        "experiments: base": ("files, errors, plots", 0.889, 1.0),
    },
    "public names": {
        "bdgame_env": ("make_match, bdgame_v3, ...", 0.56, 0.77),
        "registration": ("make_gym, make_batch, ...", 0.79, 1.0),
    },
    "agents": {
        "agents: front": ("opponents by name", 0.62, 0.755),
        "agents/search": ("trees, planner", 0.0, 0.135),
        "agents/networks": ("networks, compiled", 0.155, 0.29),
        "agents/heuristics": ("compiled players", 0.31, 0.445),
        "agents: base": ("Agent, make_agent", 0.465, 0.6),
    },
    "games": {
        "adapters": ("PettingZoo, Gymnasium, ...", 0.56, 0.78),
        "registry": ("id to Game", 0.82, 1.0),
        "games": ("rules, a folder per game", 0.12, 0.47),
    },
    "output": {
        "render": ("SVG, text, pixels, window", 0.56, 0.78),
        "records": ("snapshots, game records", 0.12, 0.34),
    },
    "engine": {"engine": ("jit, loops, rng, Match, Batch, LearnerBatch", 0.0, 1.0)},
}
WIDTH, LABEL, MARGIN = 1200, 130, 14
HEIGHT, ROW_GAP = 58, 36
DOWN, ALONG = "#8a8172", "#0a6ebd"  # arrows from floor to floor, and on one floor
Box = tuple[float, float, float]  # left, top, width


def room_of(module: str, fronts: frozenset[str] = frozenset()) -> str:
    """The room that a module belongs to.

    Args:
        module: its full name.
        fronts: modules directly in an outer folder that import a room of that folder.
    """
    parts = module.split(".")[1:]
    if not parts or re.search(r"_v\d+$", parts[0]):
        return PACKAGE
    if parts[0] not in OUTER:
        return parts[0]
    inner = f"{parts[0]}/{parts[1]}" if len(parts) > 1 else ""
    if any(inner in rooms for rooms in FLOORS.values()):
        return inner
    return f"{parts[0]}: {'front' if module in fronts else 'base'}"


def imports() -> dict[str, set[str]]:
    """For each room, the rooms that its modules import.

    Raises:
        SystemExit: the links are missing, or there is a folder that `FLOORS` does not name.
    """
    graph = grimp.build_graph(PACKAGE, exclude_type_checking_imports=True, cache_dir=None)
    if not graph.modules >= {f"{PACKAGE}.{folder}" for folder in OUTER}:
        raise SystemExit("bdgame_env/agents and bdgame_env/experiments are missing: run `make venv` first")
    fronts = frozenset(
        module
        for module in graph.modules
        for folder in OUTER
        if room_of(module) == f"{folder}: base"
        and any(room_of(other).startswith(f"{folder}/") for other in graph.find_upstream_modules(module))
    )
    rooms = {module: room_of(module, fronts) for module in graph.modules}
    known = {room for floor in FLOORS.values() for room in floor}
    if unknown := set(rooms.values()) - known:
        raise SystemExit(f"FLOORS has no {', '.join(sorted(unknown))}")
    found: dict[str, set[str]] = {room: set() for room in known}
    for module, room in rooms.items():
        found[room] |= {rooms[other] for other in graph.find_modules_directly_imported_by(module)} - {room}
    return found


def without_shortcuts(found: Mapping[str, set[str]]) -> list[tuple[str, str]]:
    """The imports that no chain of other imports implies, in the order of `FLOORS`.

    Raises:
        ValueError: an import runs upwards or to the left.
    """
    order = [room for floor in FLOORS.values() for room in floor]
    reached: dict[str, set[str]] = {}
    for room in reversed(order):
        if upwards := [other for other in found[room] if other not in reached]:
            raise ValueError(f"{room} imports {', '.join(sorted(upwards))}, which FLOORS puts above it")
        reached[room] = found[room].union(*(reached[other] for other in found[room]))
    return [
        (room, other)
        for room in order
        for other in order
        if other in found[room] and not any(other in reached[between] for between in found[room])
    ]


def boxes() -> dict[str, Box]:
    """The position of each room."""
    room_width = WIDTH - LABEL - 2 * MARGIN
    return {
        room: (LABEL + MARGIN + start * room_width, MARGIN + number * (HEIGHT + ROW_GAP), (end - start) * room_width)
        for number, rooms in enumerate(FLOORS.values())
        for room, (_, start, end) in rooms.items()
    }


def picture(arrows: Iterable[tuple[str, str]]) -> Canvas:
    """Draw the floors, the rooms and an arrow for each import."""
    placed = boxes()
    height = 2 * MARGIN + len(FLOORS) * (HEIGHT + ROW_GAP) - ROW_GAP
    canvas = Canvas.document(WIDTH, height, "The rooms of bdgame_env and their imports", widgets.PANEL)
    for number, (name, rooms) in enumerate(FLOORS.items()):
        top = MARGIN + number * (HEIGHT + ROW_GAP)
        canvas.rect(0, top - 9, WIDTH, HEIGHT + 18, fill=widgets.PAPER)
        canvas.text(MARGIN, top + HEIGHT / 2, name, 17, bold=True, fill=widgets.FAINT, width=LABEL)
        for room, (what, _, _) in rooms.items():
            _room(canvas, placed[room], room, what)
    for importer, imported in arrows:
        if placed[importer][1] == placed[imported][1]:
            _arrow_along(canvas, placed[importer], placed[imported])
        else:
            _arrow_down(canvas, placed[importer], placed[imported])
    return canvas


def _room(canvas: Canvas, box: Box, name: str, what: str) -> None:
    left, top, width = box
    stage = canvas.group(left, top, id=name.replace("/", "-").replace(": ", "-"), title=f"{name}: {what}")
    stage.rect(0, 0, width, HEIGHT, radius=8, fill=widgets.CARD, stroke=widgets.LINE, stroke_width=1.5)
    folder, _, inner = name.partition("/")
    stage.text(width / 2, 21, inner or folder.partition(":")[0], 18, anchor="middle", bold=True, width=width - 12)
    stage.text(width / 2, 43, what, 14, anchor="middle", fill=widgets.FAINT, width=width - 10)


def _arrow_along(canvas: Canvas, importer: Box, imported: Box) -> None:
    """Draw an arrow to the next room on the same floor, or in an arc over those between."""
    (left, top, width), (to_left, _, to_width) = importer, imported
    gap = to_left - left - width
    if 0 < gap < 40:
        y = top + HEIGHT / 2
        canvas.line(left + width, y, to_left - 8, y, stroke=ALONG, stroke_width=2)
        canvas.path(f"M {to_left - 9:.1f} {y - 5:.1f} l 9 5 l -9 5 Z", fill=ALONG)
        return
    x, to_x = left + width / 2, to_left + to_width / 2
    bow = f"M {x:.1f} {top:.1f} C {x:.1f} {top - 18:.1f} {to_x:.1f} {top - 18:.1f} {to_x:.1f} {top - 8:.1f}"
    canvas.path(bow, fill="none", stroke=ALONG, stroke_width=2)
    canvas.path(f"M {to_x - 5:.1f} {top - 9:.1f} l 5 9 l 5 -9 Z", fill=ALONG)


def _arrow_down(canvas: Canvas, importer: Box, imported: Box) -> None:
    """Draw an arrow from below the importer to above the imported room, as straight as their widths allow."""
    (left, top, width), (to_left, to_y, to_width) = importer, imported
    x = _nearest(to_left + to_width / 2, left, width)
    to_x = _nearest(x, to_left, to_width)
    x = _nearest(to_x, left, width)
    y = top + HEIGHT
    middle = (y + to_y) / 2
    course = f"M {x:.1f} {y:.1f} C {x:.1f} {middle:.1f} {to_x:.1f} {middle:.1f} {to_x:.1f} {to_y - 8:.1f}"
    canvas.path(course, fill="none", stroke=DOWN, stroke_width=2)
    canvas.path(f"M {to_x - 5:.1f} {to_y - 9:.1f} l 5 9 l 5 -9 Z", fill=DOWN)


def _nearest(wanted: float, left: float, width: float) -> float:
    """The x on a room's edge that is nearest to the one wanted, away from its corners."""
    inset = min(30.0, width / 4)
    return max(left + inset, min(left + width - inset, wanted))


def main(out: Path) -> None:
    """Write the picture."""
    write_text(out, f"{picture(without_shortcuts(imports()))}\n")
    print(f"wrote {out}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("architecture.svg"))
