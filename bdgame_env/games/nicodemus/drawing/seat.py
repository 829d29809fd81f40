"""Draws a player of Nicodemus: score, tokens, workshop, hand and projects."""

from __future__ import annotations

from collections.abc import Sequence

from ....render import widgets
from ....render.scene import Scene
from ....render.svg import Canvas, fit_grid
from ..cards import PROJECT_POINTS, RESOURCES, TOKENS
from .cards import CHIP, MACHINE, PLAN, TILE, chip, machine, plan, project, token
from .text import known_words
from .words import MOST_KEPT

_PAD, _LABEL, _SPACE, _GAP = 12, 20, 8, 6
_BLOCK = 200
_MACHINES = 4
HEIGHT = _PAD + 2 * (_LABEL + MACHINE[1]) + _SPACE + _PAD


def draw_seat(canvas: Canvas, scene: Scene, seat: int, x: float, y: float, width: float, height: float) -> None:
    """Draw the area of one player."""
    decides = scene.decides(seat)
    area = widgets.panel(canvas, x, y, width, height, active=decides, id=f"seat-{seat}")
    _facts(area.group(_PAD, _PAD), scene, seat)
    left, lower = 2 * _PAD + _BLOCK, _PAD + _LABEL + MACHINE[1] + _SPACE
    draw_workshop(area.group(left, _PAD), scene, seat, decides)
    draw_hand(area.group(left, lower), scene, seat, decides)
    beside = left + _MACHINES * (MACHINE[0] + _GAP) + 12
    draw_reserved(area.group(beside, _PAD), scene, seat, decides, width - beside - _PAD)
    below = left + 5 * (MACHINE[0] + _GAP) + 12
    draw_completed(area.group(below, lower), scene, seat, width - below - _PAD)


def _facts(canvas: Canvas, scene: Scene, seat: int) -> None:
    facts = scene.snapshot["seats"][seat]
    canvas.text(0, 14, f"Seat {seat}" + (" (you)" if seat == scene.seat else ""), 24, bold=True, width=_BLOCK - 60)
    points = canvas.group(_BLOCK - 26, 18, id=f"seat-{seat}-points", data_points=facts["points"])
    widgets.badge(points, 0, 0, str(facts["points"]), fill=widgets.POINTS, size=28)
    draw_tokens(canvas.group(0, 50), scene, seat)
    draw_losses(canvas.group(0, 172), scene, seat)


def draw_tokens(canvas: Canvas, scene: Scene, seat: int) -> None:
    """Draw the tokens of a seat, from (0, 0)."""
    each = _BLOCK / 2
    for number, name in enumerate(TOKENS):
        count = scene.snapshot["seats"][seat]["tokens"][name]
        at, moves = (number % 2 * each, number // 2 * 54), _given(scene, seat, name)
        place = canvas.group(*at, id=f"seat-{seat}-{name}", title=name, data_count=count, moves=moves)
        _token(place, number, count, each - 6)
        if moves:
            widgets.outline(place, 0, 0, each - 6, 48)


def _given(scene: Scene, seat: int, name: str) -> list[str]:
    """The legal moves that give away a token for charcoalium (N10.4)."""
    return scene.moves(f"exchange {name}-charcoalium") if scene.decides(seat) else []


def draw_tokens_to_lose(canvas: Canvas, scene: Scene) -> float:
    """Draw the other seat's resources, one of which is to be chosen, from (0, 0); returns the width."""
    tokens = scene.snapshot["seats"][1 - scene.snapshot["seat"]]["tokens"]
    for number, name in enumerate(RESOURCES):
        moves = scene.moves(f"pick {name}")
        place = canvas.group(number * 80, 0, id=f"lose-{name}", title=name, data_count=tokens[name], moves=moves)
        _token(place, number + 1, tokens[name], 74)
        if moves:
            widgets.outline(place, 0, 0, 74, 48)
    return 80 * len(RESOURCES)


def loses(scene: Scene) -> bool:
    """Whether the seat to decide chooses a resource that the other one loses (effects R2 and R4)."""
    return scene.snapshot["phase"] == "pick" and scene.snapshot["effect"] in ("R2", "R4")


def _token(canvas: Canvas, number: int, count: int, width: float) -> None:
    """Draw a token and how many there are of it."""
    canvas.rect(0, 0, width, 48, radius=7, fill="#ffffff", stroke=widgets.LINE, stroke_width=1.5)
    shown = canvas.group(opacity=1 if count else 0.35)
    token(shown, 26, 24, 34, number)
    shown.text(width - 22, 24, str(count), 26, anchor="middle", bold=True)


def draw_losses(canvas: Canvas, scene: Scene, seat: int) -> None:
    """Draw the machines discarded from the hand and the projects rejected, if any, in lines around (0, 0) and below."""
    facts = scene.snapshot["seats"][seat]
    lost, rejected = facts["lost"], facts["rejected"]
    if not isinstance(lost, int):
        lost = " ".join(kind for kind, count in lost.items() for _ in range(count))
    if not isinstance(rejected, int):
        rejected = " ".join(f"#{number}" for number in rejected)
    told = [("discarded from hand", lost), ("projects not taken", rejected)]
    for line, (what, which) in enumerate(one for one in told if one[1]):
        canvas.text(0, 22 * line, f"{what}: {which}", 15, fill=widgets.FAINT, width=_BLOCK, least=12)


def draw_workshop(canvas: Canvas, scene: Scene, seat: int, decides: bool, places: int = _MACHINES) -> None:
    """Draw the repaired machines, from (0, 0), with so many places."""
    machines = scene.snapshot["seats"][seat]["workshop"]
    widgets.label(canvas, 0, 8, f"WORKSHOP: {len(machines)}")
    marked = {*scene.snapshot["used"], *scene.snapshot["partners"]} if decides else set()
    row = canvas.group(0, _LABEL, data_flow=f"{MACHINE[0] + _GAP} {MACHINE[1] + _GAP}")
    for position in range(places):
        there = position < len(machines)
        moves = scene.moves(f"partner {position + 1}") if decides and there else []
        place = row.group(
            *(position * (MACHINE[0] + _GAP), 0),
            id=f"seat-{seat}-workshop-{position + 1}",
            moves=moves,
            data_card=machines[position] if there else "",
        )
        if there:
            machine(place.group(opacity=0.55 if position + 1 in marked else 1), machines[position])
        elif position < MOST_KEPT:
            widgets.empty_place(place, *MACHINE)
        if position + 1 in marked:
            widgets.badge(place, MACHINE[0] - 26, 43, "used", fill=widgets.BACK, size=14)
        if moves:
            widgets.outline(place, 0, 0, *MACHINE)


def draw_hand(canvas: Canvas, scene: Scene, seat: int, decides: bool) -> None:
    """Draw the hand, or the backs of its cards, from (0, 0)."""
    hand = scene.snapshot["seats"][seat]["hand"]
    count = hand if isinstance(hand, int) else sum(hand.values())
    known = known_words(scene.snapshot, seat)
    widgets.label(canvas, 0, 8, f"HAND: {count}" + (f" ({known})" if known else ""), width=5 * (MACHINE[0] + _GAP))
    if isinstance(hand, int):
        backs = canvas.group(0, _LABEL, id=f"seat-{seat}-hand", data_count=hand)
        for number in range(hand):
            place = backs.group(number * (MACHINE[0] + _GAP), 0)
            place.rect(2, 2, MACHINE[0] - 4, MACHINE[1] - 4, radius=7, fill=widgets.BACK, stroke="#ffffff")
            place.text(MACHINE[0] / 2, MACHINE[1] / 2, "?", 34, anchor="middle", bold=True, fill="#c8d0dc")
        return
    row = canvas.group(0, _LABEL, data_flow=f"{MACHINE[0] + _GAP} {MACHINE[1] + _GAP}")
    for number, (kind, copies) in enumerate(hand.items()):
        verbs = ("charcoalium", "produce", "effect", "discard")
        moves = scene.moves(*(f"{verb} {kind}" for verb in verbs)) if decides else []
        place = row.group(
            *(number * (MACHINE[0] + _GAP), 0),
            id=f"seat-{seat}-hand-{kind}",
            moves=moves,
            data_card=kind,
            data_count=copies,
        )
        machine(place, kind)
        if moves:
            widgets.outline(place, 0, 0, *MACHINE)
        if copies > 1:
            widgets.badge(place, MACHINE[0] - 20, 43, f"{widgets.TIMES}{copies}", fill=widgets.BACK, size=14)


def draw_hand_in_brief(canvas: Canvas, scene: Scene, seat: int, width: float) -> None:
    """Draw how many cards a hidden hand has, in a line from (0, 0), and what is known of them."""
    hand, known = scene.snapshot["seats"][seat]["hand"], known_words(scene.snapshot, seat)
    told = f"{hand} card{'' if hand == 1 else 's'} in hand" + (f" ({known})" if known else "")
    line = canvas.group(id=f"seat-{seat}-hand", data_count=hand)
    for number in range(hand):
        line.rect(number * 18, 2, 15, 22, radius=3, fill=widgets.BACK)
    line.text(hand * 18 + 6, 13, told, 17, width=width - hand * 18 - 6, least=12)


def draw_workshop_chips(canvas: Canvas, scene: Scene, seat: int, decides: bool) -> None:
    """Draw the repaired machines in brief, from (0, 0)."""
    machines = scene.snapshot["seats"][seat]["workshop"]
    widgets.label(canvas, 0, 8, f"WORKSHOP: {len(machines)}")
    marked = {*scene.snapshot["used"], *scene.snapshot["partners"]} if decides else set()
    row = canvas.group(0, _LABEL, data_flow=f"{CHIP[0] + 5} {CHIP[1] + 3}")
    for position in range(max(MOST_KEPT, len(machines))):  # four while a repair goes on
        there = position < len(machines)
        moves = scene.moves(f"partner {position + 1}") if decides and there else []
        place = row.group(
            *(position * (CHIP[0] + 5), 0),
            id=f"seat-{seat}-workshop-{position + 1}",
            moves=moves,
            data_card=machines[position] if there else "",
        )
        if there:
            chip(place.group(opacity=0.45 if position + 1 in marked else 1), machines[position])
        else:
            widgets.empty_place(place, *CHIP)
        if moves:
            widgets.outline(place, 1, 1, CHIP[0] - 2, CHIP[1] - 2)


def draw_plans(canvas: Canvas, scene: Scene, seat: int, decides: bool, width: float) -> float:
    """Draw the reserved projects, then the completed ones, from (0, 0); returns the width."""
    facts = scene.snapshot["seats"][seat]
    reserved, completed = facts["reserved"], facts["completed"]
    points = sum(int(PROJECT_POINTS[number]) for number in completed)
    told = f"PROJECTS: {len(reserved)} reserved, {len(completed)} done = {points}"
    widgets.label(canvas, 0, 8, told, width=min(width, 264))
    ids = [f"seat-{seat}-reserved-{number}" for number in reserved]
    ids += [f"seat-{seat}-completed-{number}" for number in completed]
    row = canvas.group(0, _LABEL, data_flow=f"{PLAN[0] + 5} {PLAN[1] + 3}")
    for place_number, (number, id) in enumerate(zip([*reserved, *completed], ids, strict=True)):
        moves = scene.moves(f"complete {number}") if decides and place_number < len(reserved) else []
        area = row.group(place_number * (PLAN[0] + 5), 0, id=id, moves=moves, data_card=number)
        plan(area.group(opacity=1 if place_number < len(reserved) else 0.6), number)
        if moves:
            widgets.outline(area, 1, 1, PLAN[0] - 2, PLAN[1] - 2)
    return float((len(reserved) + len(completed)) * (PLAN[0] + 5))


def draw_purse(canvas: Canvas, scene: Scene, seat: int, each: float) -> None:
    """Draw the tokens of a seat in a line, from (0, 0)."""
    for number, name in enumerate(TOKENS):
        count = scene.snapshot["seats"][seat]["tokens"][name]
        moves = _given(scene, seat, name)
        place = canvas.group(number * each, 0, id=f"seat-{seat}-{name}", title=name, data_count=count, moves=moves)
        place.rect(0, 0, each - 5, 34, radius=7, fill="#ffffff", stroke=widgets.LINE, stroke_width=1.5)
        shown = place.group(opacity=1 if count else 0.35)
        token(shown, 20, 17, 24, number)
        shown.text(each - 22, 17, str(count), 19, anchor="middle", bold=True)
        if moves:
            widgets.outline(place, 0, 0, each - 5, 34)


def draw_brief(canvas: Canvas, scene: Scene, seat: int) -> None:
    """Draw in two lines from (0, 0) what a player has."""
    facts = scene.snapshot["seats"][seat]
    for number, name in enumerate(TOKENS):
        place = canvas.group(number * 52, 0, id=f"seat-{seat}-brief-{name}", data_count=facts["tokens"][name])
        token(place, 10, 10, 19, number)
        place.text(24, 10, str(facts["tokens"][name]), 15, bold=True)
    for number, kind in enumerate(facts["workshop"]):
        place = canvas.group(316 + number * (CHIP[0] + 4), 2, id=f"seat-{seat}-brief-{number}", data_card=kind)
        chip(place, kind)
    hand = facts["hand"]
    count, known = hand if isinstance(hand, int) else sum(hand.values()), known_words(scene.snapshot, seat)
    told = f"{count} in hand" + (f" ({known})" if known else "")
    told += f"; projects {len(facts['reserved'])} reserved, {len(facts['completed'])} done"
    canvas.text(0, 31, told, 13, fill=widgets.FAINT, width=310, least=12)


def draw_reserved(canvas: Canvas, scene: Scene, seat: int, decides: bool, width: float) -> float:
    """Draw the reserved projects, from (0, 0); returns the height of one."""
    reserved = scene.snapshot["seats"][seat]["reserved"]
    widgets.label(canvas, 0, 8, f"RESERVED: {len(reserved)}")
    moves = [scene.moves(f"complete {number}") if decides else [] for number in reserved]
    return _tiles(
        canvas.group(0, _LABEL), reserved, [f"seat-{seat}-reserved-{number}" for number in reserved], moves, width
    )


def draw_completed(canvas: Canvas, scene: Scene, seat: int, width: float) -> None:
    """Draw the completed projects, from (0, 0)."""
    completed = scene.snapshot["seats"][seat]["completed"]
    points = sum(int(PROJECT_POINTS[number]) for number in completed)
    widgets.label(canvas, 0, 8, f"DONE: {len(completed)} = {points}", width=width)
    ids = [f"seat-{seat}-completed-{number}" for number in completed]
    _tiles(canvas.group(0, _LABEL), completed, ids, [[] for _ in completed], width)


def _tiles(
    canvas: Canvas, numbers: Sequence[int], ids: Sequence[str], moves: Sequence[list[str]], width: float
) -> float:
    wide, high = TILE[0] + _GAP, TILE[1] + _GAP
    columns, scale = fit_grid(len(numbers), width + 6, MACHINE[1] + 6, (wide, high), most=0.9)
    row = canvas.group(data_flow=f"{0.9 * wide:.4g} {0.9 * high:.4g} 0.9")
    for place_number, (number, id, legal) in enumerate(zip(numbers, ids, moves, strict=True)):
        x, y = place_number % columns * wide * scale, place_number // columns * high * scale
        place = row.group(x, y, scale=scale, id=id, moves=legal, data_card=number)
        project(place, number)
        if legal:
            widgets.outline(place, 0, 0, *TILE)
    return TILE[1] * scale
