"""Draws the board of Nicodemus: bric-a-brac, projects, open decision, players. It knows the cards but no rules."""

from __future__ import annotations

from typing import Any

from ....render import widgets
from ....render.scene import Scene
from ....render.svg import Canvas, text_width
from ....render.table import block
from ..cards import RESOURCES, TOKENS
from .cards import CHIP, MACHINE, TILE, chip, machine, project, token
from .seat import HEIGHT, draw_seat, draw_tokens_to_lose, loses
from .text import subtitle

_GAP = 6
_SPACES, _ROW = 10, 5
_TOP = widgets.HEADER + 8
_SUPPLY_TOP = _TOP + 20 + 2 * (MACHINE[1] + _GAP) + 4
SUPPLY = 56
_STATUS_TOP = _SUPPLY_TOP + 20 + SUPPLY + 8
STATUS = 72
STOCK = 36
_BAR_TOP = _STATUS_TOP + STATUS + 4
_SEATS_TOP = _BAR_TOP + widgets.MOVES


def draw(scene: Scene) -> Canvas:
    """Draw the whole board."""
    places = widgets.panels_of(scene.players, _SEATS_TOP, HEIGHT, HEIGHT)
    height = widgets.bottom_of(places) + widgets.MARGIN + widgets.FOOTER
    canvas = widgets.page(scene, height, subtitle(scene))
    draw_bric_a_brac(canvas.group(widgets.MARGIN, _TOP), scene)
    draw_projects(canvas.group(widgets.MARGIN + _ROW * (MACHINE[0] + _GAP) + 8, _TOP), scene)
    draw_supply(canvas.group(widgets.MARGIN, _SUPPLY_TOP), scene)
    draw_status(canvas.group(widgets.MARGIN, _STATUS_TOP), scene)
    for seat, (x, y, width, tall) in enumerate(places):
        draw_seat(canvas, scene, seat, x, y, width, tall)
    widgets.moves_bar(canvas, scene, _BAR_TOP)
    widgets.footer(canvas, scene, height)
    return canvas


def draw_bric_a_brac(canvas: Canvas, scene: Scene) -> None:
    """Draw the row of machines, from (0, 0)."""
    machines = scene.snapshot["bric_a_brac"]
    repair = scene.snapshot["repair"]
    widgets.label(canvas, 0, 8, "BRIC-A-BRAC")
    row = canvas.group(0, 20, data_flow=f"{MACHINE[0] + _GAP} {MACHINE[1] + _GAP}")
    for number in range(_SPACES):
        there = machines[number] if number < len(machines) else None
        moves = scene.moves(f"repair {number + 1}", f"target {number + 1}")
        place = row.group(
            *(number % _ROW * (MACHINE[0] + _GAP), number // _ROW * (MACHINE[1] + _GAP)),
            id=f"space-{number + 1}",
            moves=moves,
            data_card=there["kind"] if there else "",
            data_charcoalium=there["charcoalium"] if there else 0,
        )
        if there is None:
            widgets.empty_place(place, *MACHINE)
            place.text(MACHINE[0] / 2, MACHINE[1] / 2, str(number + 1), 26, anchor="middle", fill=widgets.LINE)
            continue
        machine(place, there["kind"])
        if repair is not None and repair["space"] == number + 1:
            place.rect(0, 0, *MACHINE, radius=8, fill="none", stroke=widgets.TO_MOVE, stroke_width=6)
        if moves:
            widgets.outline(place, 0, 0, *MACHINE)
        if there["charcoalium"]:
            place.rect(105, 31, 37, 22, radius=7, fill="#ffffff", stroke="#222222", stroke_width=1.5)
            place.text(115, 42, str(there["charcoalium"]), 16, anchor="middle", bold=True)
            token(place, 131, 42, 18, 0)


def draw_projects(canvas: Canvas, scene: Scene) -> None:
    """Draw the projects on the board, from (0, 0)."""
    widgets.label(canvas, 0, 8, "PROJECTS")
    for number, tile in enumerate(scene.snapshot["projects"]):
        moves = [] if tile is None else scene.moves(f"complete {tile}")
        place = canvas.group(
            *(number % 3 * (TILE[0] + _GAP), 20 + number // 3 * (TILE[1] + _GAP)),
            id=f"project-{number}",
            moves=moves,
            data_card="" if tile is None else tile,
        )
        if tile is None:
            widgets.empty_place(place, *TILE)
            continue
        project(place, tile)
        if scene.snapshot["project"] == tile:
            place.rect(0, 0, *TILE, radius=8, fill="none", stroke=widgets.TO_MOVE, stroke_width=6)
        if moves:
            widgets.outline(place, 0, 0, *TILE)


def draw_supply(canvas: Canvas, scene: Scene) -> None:
    """Draw the reserve, the decks and what is out of the game, from (0, 0)."""
    position = scene.snapshot
    widgets.label(canvas, 0, 8, "RESERVE")
    for number, name in enumerate(TOKENS):
        count = position["reserve"][name]
        moves = _of_the_reserve(scene, name)
        place = canvas.group(number * 150, 20, id=f"reserve-{name}", moves=moves, data_count=count)
        place.rect(0, 0, 142, SUPPLY, radius=8, fill=widgets.PANEL, stroke=widgets.LINE, stroke_width=1.5)
        token(place, 28, SUPPLY / 2, 36, number)
        place.text(54, 18, name, 14, fill=widgets.FAINT, width=84)
        place.text(54, 40, str(count), 22, bold=True)
        if moves:
            widgets.outline(place, 0, 0, 142, SUPPLY)
    x = 4 * 150 + 20
    for id, text in (("deck", "machines"), ("project_deck", "projects")):
        deck = position[id]
        count = deck if isinstance(deck, int) else len(deck)
        place = canvas.group(x, 12, id=id.replace("_", "-"), data_count=count)
        widgets.pile(place, 96, SUPPLY + 8, count, text)
        x += 106
    gone = position["removed"]
    told = " ".join(kind if count == 1 else f"{count}x{kind}" for kind, count in gone.items()) or "none"
    removed = canvas.group(x + 10, 20, id="removed", data_count=sum(gone.values()))
    removed.text(0, 10, f"Out of the game: {sum(gone.values())}", 16, bold=True)
    room = widgets.WIDTH - 2 * widgets.MARGIN - x - 14
    words, half = told.split(), (len(told.split()) + 1) // 2
    for row, some in enumerate((words[:half], words[half:]) if len(words) > 6 else (words,)):
        removed.text(0, 30 + 18 * row, " ".join(some), 14, fill=widgets.FAINT, width=room)


def draw_stock(canvas: Canvas, scene: Scene, width: float) -> None:
    """Draw what `draw_supply` draws in one line, from (0, 0)."""
    position = scene.snapshot
    row, x = canvas.group(data_flow=f"0 {STOCK + 3}"), 0.0
    widgets.label(row.group(0, 0, data_wide=82), 0, STOCK / 2, "RESERVE")
    x += 86
    for number, name in enumerate(TOKENS):
        moves, count = _of_the_reserve(scene, name), position["reserve"][name]
        place = row.group(x, 0, id=f"reserve-{name}", data_wide=72, moves=moves, data_count=count)
        place.rect(0, 0, 72, STOCK, radius=8, fill=widgets.PANEL, stroke=widgets.LINE, stroke_width=1.5)
        token(place, 22, STOCK / 2, 26, number)
        place.text(50, STOCK / 2, str(count), 20, anchor="middle", bold=True)
        if moves:
            widgets.outline(place, 0, 0, 72, STOCK)
        x += 76
    for id, text in (("deck", "machines"), ("project_deck", "projects")):
        deck = position[id]
        count = deck if isinstance(deck, int) else len(deck)
        place = row.group(x, 0, id=id.replace("_", "-"), data_wide=104, data_count=count)
        place.rect(0, 0, 104, STOCK, radius=6, fill=widgets.BACK, stroke="#ffffff", stroke_width=1.5)
        place.text(52, STOCK / 2, f"{count} {text}", 15, anchor="middle", bold=True, fill="#ffffff", width=100)
        x += 108
    gone = position["removed"]
    told = " ".join(kind if count == 1 else f"{count}{widgets.TIMES}{kind}" for kind, count in gone.items()) or "none"
    removed = row.group(x, 0, id="removed", data_wide=266, data_count=sum(gone.values()))
    words = ["Out", "of", "the", "game:", *told.split()]
    for line, some in enumerate(_two_lines(words)):
        look: dict[str, Any] = {"fill": widgets.FAINT, "width": min(266, width - x), "least": 12, **widgets.ON_TABLE}
        removed.text(0, STOCK * (line + 0.5) / 2, some, 13, **look)


def _two_lines(words: list[str]) -> tuple[str, str]:
    """Words in two lines that are as short as possible, the second one empty for a few."""
    if len(words) < 4:
        return " ".join(words), ""
    cuts = [(" ".join(words[:cut]), " ".join(words[cut:])) for cut in range(1, len(words))]
    return min(cuts, key=lambda lines: max(text_width(line, 13) for line in lines))


def _of_the_reserve(scene: Scene, name: str) -> list[str]:
    if name not in RESOURCES:
        return []
    gained = () if loses(scene) else (f"pick {name}",)
    return scene.moves(f"wild {name}", *gained, f"exchange charcoalium-{name}")


def draw_turn(canvas: Canvas, scene: Scene, width: float) -> float:
    """Draw what `draw_status` draws in lines beside the tiles on offer, from (0, 0); returns the width."""
    position, x, y = scene.snapshot, 0.0, 2.0
    for entry, text in (("played", "played"), ("effect", "effect of"), ("discarded", "discarded")):
        kind = position[entry]
        if kind is not None and not (entry == "effect" and kind == position["played"]):
            line = block(canvas, 0, y, 68 + CHIP[0], CHIP[1])
            line.text(0, CHIP[1] / 2, text, 14, fill=widgets.FAINT)
            chip(line.group(68, 0, id=entry, data_card=kind), kind)
            x, y = 190.0, y + CHIP[1] + 4
    told: list[str] = []
    repair = position["repair"]
    if repair is not None:
        need = ", ".join(f"{count} {name}" for name, count in repair["need"].items() if count)
        told.append(f"Repair of space {repair['space']}, fee: {repair['fee']} charcoalium")
        told.append(f"needs {need or 'nothing'}")
    if told:
        wide = max(text_width(text, 15, bold=True) for text in told)
        lines = block(canvas, x, 0, wide, 2 + 20 * len(told))
        for row, text in enumerate(told):
            lines.text(0, 12 + 20 * row, text, 15, bold=row == 0)
        x += wide + 12
    if loses(scene):
        x += draw_tokens_to_lose(block(canvas, x, 2, 240, 48), scene)
    offer = position["offer"]
    if isinstance(offer, int):
        if offer:
            block(canvas, x, 0, 120, 22).text(0, 12, f"{offer} projects", 15, bold=True)
        return x
    for number in offer:
        moves = scene.moves(f"keep {number}")
        tile = block(canvas, x, 0, 0.86 * TILE[0], 0.86 * TILE[1])
        place = tile.group(scale=0.86, id=f"offer-{number}", moves=moves, data_card=number)
        project(place, number)
        if moves:
            widgets.outline(place, 0, 0, *TILE)
        x += TILE[0] * 0.86 + 8
    return x


def draw_status(canvas: Canvas, scene: Scene) -> float:
    """Draw the state of the turn: the machine played, a repair, the tiles on offer.

    Returns the width, 0 if there is nothing to say.
    """
    position = scene.snapshot
    status = canvas.group(id="status")
    x, scale = 0.0, STATUS / MACHINE[1]
    for entry, text in (("played", "Played"), ("effect", "effect of"), ("discarded", "discarded")):
        kind = position[entry]
        if kind is not None and not (entry == "effect" and kind == position["played"]):
            status.text(x, STATUS / 2, text, 19, bold=True)
            x += text_width(text, 19, bold=True) + 10
            machine(status.group(x, 0, scale=scale, id=entry, data_card=kind), kind)
            x += MACHINE[0] * scale + 14
    told = []
    if position["left"]:
        told.append(f"{position['left']} to go")
    repair = position["repair"]
    if repair is not None:
        need = ", ".join(f"{count} {name}" for name, count in repair["need"].items() if count)
        told.append(f"repair of space {repair['space']}: needs {need or 'nothing'}, fee {repair['fee']} charcoalium")
    if told:
        text = "; ".join(told)
        status.text(x, STATUS / 2, text, 19, bold=True, width=widgets.WIDTH - 2 * widgets.MARGIN - x)
        x += text_width(text, 19, bold=True) + 14
    if loses(scene):
        x += draw_tokens_to_lose(status.group(x, (STATUS - 48) / 2), scene)
    offer = position["offer"]
    if isinstance(offer, int):
        if offer:
            status.text(x, STATUS / 2, f"{offer} projects to choose from", 19, bold=True)
            x += 280
        return x
    for number in offer:
        moves = scene.moves(f"keep {number}")
        place = status.group(x, 0, scale=scale, id=f"offer-{number}", moves=moves, data_card=number)
        project(place, number)
        if moves:
            widgets.outline(place, 0, 0, *TILE)
        x += TILE[0] * scale + 12
    return x
