"""Draws a player of Pixel Pusher: points, pixels, abilities, slots and cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ....render import widgets
from ....render.ornaments import gear
from ....render.scene import Scene
from ....render.svg import Canvas, fit_grid, text_width
from ..cards import AMOUNT, CARDS, COLORS, CONVERTER, NUM_RECIPES, TRIPLE
from ..state import ROUNDS
from .cards import (
    CHIP,
    FILLS,
    MIDDLE,
    TILE,
    ability_chip,
    card_tile,
    converter_says,
    counted,
    pixel,
    recipe,
    recipes_of,
)

_PAD, _LABEL, _SPACE, _GAP = 12, 20, 8, 8
_NAME, _PIXELS, _SLOT = 190, 46, 104
_SLOTS = 6
_LINE = 20.0
_CARDS_WIDE, _CARDS_TALL = TILE[1], 48
_ABILITIES_TALL = 34
WIDE = _PAD + _PIXELS + _SPACE + _LABEL + _SLOT + _SPACE + _LABEL + _CARDS_WIDE + _PAD
TALL = WIDE + _ABILITIES_TALL + _SPACE + _CARDS_TALL - _CARDS_WIDE
ENDS = ("collect", "convert")
_STEEL = "#5d6b7d"
_GEARS = ((30.0, 74.0, 20.0, 8), (62.0, 84.0, 13.0, 7))  # behind the recipes, from the right
_GRIPPER = {"fill": "none", "stroke": _STEEL, "stroke_width": 4, "stroke_linecap": "round", "stroke_linejoin": "round"}


def _flow(width: float, height: float, scale: float) -> str:
    """How far apart things of this size are where they are laid out in rows, at this scale."""
    return f"{width * scale:.4g} {height * scale:.4g} {scale}"


def draw_seat(canvas: Canvas, scene: Scene, seat: int, x: float, y: float, width: float, height: float) -> None:
    """Draw the area of one player."""
    decides = scene.decides(seat)
    area = widgets.panel(canvas, x, y, width, height, active=decides, id=f"seat-{seat}")
    inner, wide = width - 2 * _PAD, width > 800
    _name(area.group(_PAD, _PAD), scene, seat)
    if wide:
        pixels_y = _PAD
        draw_pixels(area.group(2 * _PAD + _NAME, _PAD), scene, seat, decides, 7 * 66)
        abilities_x = 3 * _PAD + _NAME + 7 * 66
        draw_abilities(area.group(abilities_x, _PAD), scene, seat, decides, width - abilities_x - _PAD, _PIXELS)
    else:
        pixels_y = _PAD + _ABILITIES_TALL + _SPACE
        draw_abilities(area.group(2 * _PAD + _NAME, _PAD), scene, seat, decides, inner - _NAME - _PAD, _ABILITIES_TALL)
        draw_pixels(area.group(_PAD, pixels_y), scene, seat, decides, inner)
    slots_y = pixels_y + _PIXELS + _SPACE
    draw_slots(area.group(_PAD, slots_y), scene, seat, decides, inner)
    cards_y, half = slots_y + _LABEL + _SLOT + _SPACE, (inner - _PAD) / 2
    high = _CARDS_WIDE if wide else _CARDS_TALL
    draw_hand(area.group(_PAD, cards_y), scene, seat, decides, half, high)
    draw_drafted(area.group(2 * _PAD + half, cards_y), scene, seat, decides, half, high)


def _name(canvas: Canvas, scene: Scene, seat: int) -> None:
    facts = scene.snapshot["seats"][seat]
    canvas.text(0, 16, f"Seat {seat}" + (" (you)" if seat == scene.seat else ""), 24, bold=True, width=_NAME - 50)
    points = canvas.group(_NAME - 24, 16, id=f"seat-{seat}-points", data_points=facts["points"])
    widgets.badge(points, 0, 0, str(facts["points"]), fill=widgets.POINTS, size=22)


def draw_pixels(canvas: Canvas, scene: Scene, seat: int, decides: bool, width: float, height: float = _PIXELS) -> None:
    """Draw the pixels of a seat, from (0, 0)."""
    each = width / len(COLORS)
    row = canvas.group(data_flow=_flow(each, height + 3, 1))
    for number, color in enumerate(COLORS):
        count = scene.snapshot["seats"][seat]["pixels"][color]
        moves = scene.moves(f"give {color}") if decides else []
        place = row.group(number * each, 0, id=f"seat-{seat}-pixels-{color}", moves=moves, data_count=count)
        place.rect(0, 0, each - 5, height, radius=7, fill="#ffffff", stroke=widgets.LINE, stroke_width=1.5)
        shown = place.group(opacity=1 if count else 0.35)
        pixel(shown, 17 if each > 50 else 13, height / 2, 24 if each > 50 else 19, color)
        shown.text(
            each - (19 if each > 50 else 13),
            height / 2,
            str(count),
            21 if each > 50 else 17,
            anchor="middle",
            bold=True,
        )
        if moves:
            widgets.outline(place, 0, 0, each - 5, height)


def draw_abilities(canvas: Canvas, scene: Scene, seat: int, decides: bool, width: float, height: float) -> None:
    """Draw the ability cards of a seat, from (0, 0)."""
    facts = scene.snapshot["seats"][seat]
    there = facts["abilities"]
    columns, scale = fit_grid(len(there), width + 6, height + 6, (TILE[0] + _GAP, TILE[1] + _GAP))
    row = canvas.group(data_flow=_flow(TILE[0] + _GAP, TILE[1] + _GAP, 0.97))
    for number, name in enumerate(there):
        converter = int(CONVERTER[len(CONVERTER) - len(CARDS.abilities) + CARDS.abilities.index(name)])
        moves = _activations(scene, converter) if decides else []
        x, y = number % columns * (TILE[0] + _GAP) * scale, number // columns * (TILE[1] + _GAP) * scale
        used = name in facts["used_abilities"]
        place = row.group(x, y, scale=scale, id=f"seat-{seat}-ability-{name}", moves=moves, data_card=name)
        card_tile(place.group(opacity=0.45 if used else 1), name, ", used" if used else "")
        if moves:
            widgets.outline(place, 0, 0, *TILE)


def draw_ability_chips(canvas: Canvas, scene: Scene, seat: int, decides: bool) -> None:
    """Draw the ability cards of a seat in a line, from (0, 0)."""
    facts = scene.snapshot["seats"][seat]
    row = canvas.group(data_flow=f"{CHIP[0] + 3} {CHIP[1] + 3}")
    for number, name in enumerate(facts["abilities"]):
        converter = int(CONVERTER[len(CONVERTER) - len(CARDS.abilities) + CARDS.abilities.index(name)])
        moves = _activations(scene, converter) if decides else []
        place = row.group(number * (CHIP[0] + 3), 0, id=f"seat-{seat}-ability-{name}", moves=moves, data_card=name)
        ability_chip(place.group(opacity=0.45 if name in facts["used_abilities"] else 1), name)
        if moves:
            widgets.outline(place, 1, 1, CHIP[0] - 2, CHIP[1] - 2)


def _activations(scene: Scene, converter: int) -> list[str]:
    recipes = [*recipes_of(converter), *(CARDS.recipes[NUM_RECIPES:] if converter == TRIPLE else ())]
    return scene.moves(*(f"activate {recipe}" for recipe in recipes))


def draw_slots(
    canvas: Canvas,
    scene: Scene,
    seat: int,
    decides: bool,
    width: float,
    *,
    line: float = 0,
    rows: int = 1,
    segments: Sequence[Mapping[str, int]] = (),
) -> float:
    """Draw the six slots in rows, from (0, 0), with lines that fit or of a fixed height; returns the height.

    Where `segments` of the conveyor are given, slots that convert nothing show what lies there.
    """
    facts = scene.snapshot["seats"][seat]
    if not line:
        widgets.label(canvas, 0, 8, "MACHINES IN THE SLOTS")
    columns, top = _SLOTS // rows, 2 if line else _LABEL  # room for the mark of what can be clicked
    each = width / columns
    left = {name: facts["used"].count(name) for name in facts["used"]}
    installs = scene.moves_starting("install ") if decides else []
    kinds = [
        len({int(CONVERTER[card]) for card in slot["cards"]}) for slot in facts["slots"] if slot["type"] == "convert"
    ]
    high = max(94, 32 + line * max(kinds, default=0)) if line else _SLOT
    slots = canvas.group(0, top, data_flow=_flow(each, high + 4, 1))
    for number, slot in enumerate(facts["slots"]):
        convert = slot["type"] == "convert"
        moves = [move for move in installs if move.endswith(f" slot {number + 1}")]
        if convert and decides:
            for converter in sorted({int(CONVERTER[card]) for card in slot["cards"]}):
                moves += _activations(scene, converter)
        place = slots.group(
            *(number % columns * each, number // columns * (high + 4)),
            id=f"seat-{seat}-slot-{number + 1}",
            moves=moves,
            data_type=slot["type"] or "",
            data_says=_says(slot),
            data_count=len(slot["cards"]),
        )
        if slot["type"] is None:
            widgets.empty_place(place, each - 6, high)
            place.text((each - 6) / 2, high / 2, str(number + 1), 26, anchor="middle", fill=widgets.LINE)
            if segments:
                counted(place.group(8, high - 13), segments[number], 15.5, each - 20, moves=False)
            if moves:
                widgets.outline(place, 0, 0, each - 6, high)
            continue
        widgets.tinted_card(place, each - 6, high, _STEEL if convert else FILLS.get(slot["type"], _STEEL))
        place.text(12, 14, str(number + 1), 17, anchor="middle", bold=True, fill=widgets.FAINT)
        if convert:
            _converters(place, slot["cards"], each - 6, left, line)
        else:
            _collectors(place.group(0, -4) if segments else place, slot, each - 6)
            if segments:
                counted(place.group(8, high - 13), segments[number], 15.5, each - 20, moves=False)
        if moves:
            widgets.outline(place, 0, 0, each - 6, high)
    return top + rows * (high + 4) - 2


def _says(slot: Mapping[str, Any]) -> str:
    """The machines that are installed in a slot, as `words.cards` calls them."""
    return ", ".join(str(card) for card in dict.fromkeys(slot["cards"]))


def _collectors(canvas: Canvas, slot: Mapping[str, Any], width: float) -> None:
    amount = sum(int(AMOUNT[card]) for card in slot["cards"])
    canvas.path(f"M{width / 2 + 18:.4g} 24v12m-19 18v-8a10 10 0 0 1 10-10h18a10 10 0 0 1 10 10v8", **_GRIPPER)
    canvas.text(width / 2 + 6, 14, "takes", 14, anchor="middle", fill=widgets.FAINT)
    canvas.text(width / 2 - 16, 60, str(amount), 30, anchor="middle", bold=True)
    pixel(canvas, width / 2 + 18, 60, 34, slot["type"])


def _converters(canvas: Canvas, cards: Sequence[int], width: float, used: dict[str, int], fixed: float) -> None:
    """Draw a line for each kind of converter: its recipe, how many there are, and how many of them are used up."""
    for x, y, size, teeth in _GEARS:
        canvas.path(gear(width - x, y, size, teeth), fill=_STEEL, fill_opacity=0.13)
    kinds: dict[int, int] = {}
    for card in cards:
        kinds[int(CONVERTER[card])] = kinds.get(int(CONVERTER[card]), 0) + 1
    high = fixed or min(22.0, (_SLOT - 32) / max(1, len(kinds)))
    canvas.text(width / 2 + 6, 14, "converts", 14, anchor="middle", fill=widgets.FAINT, width=width - 30)
    for row, (converter, count) in enumerate(sorted(kinds.items())):
        name = CARDS.converters[converter]
        spent = min(count, used.get(name, 0))
        used[name] = used.get(name, 0) - spent
        size, x = 0.82 * high, 8.0
        line = canvas.group(0, 26 + high * (row + 0.5), opacity=0.4 if spent == count else 1, title=name)
        times = f"{count}{widgets.TIMES}" if count > 1 else ""
        room = width - x - 8
        if 0 < spent < count:
            small = max(12.0, 0.7 * size) if fixed else 0.7 * size
            used_width = text_width("9 used", small) + 6
            if room - text_width(times, size, bold=True) - 4 - used_width > 3 * size:
                line.text(width - 8, 0, f"{spent} used", small, anchor="end", fill=widgets.FAINT)
                room -= used_width
            else:
                times = f"{count - spent}/{times}"
        if times:
            line.text(x, 0, times, size, bold=True)
            x += text_width(times, size, bold=True) + 4
            room -= text_width(times, size, bold=True) + 4
        recipe(line.group(x, 0), converter_says(converter), size, room, least=15.1 if fixed else 0)


def draw_hand(canvas: Canvas, scene: Scene, seat: int, decides: bool, width: float, height: float) -> None:
    """Draw the hand, or the backs of its cards, from (0, 0)."""
    facts = scene.snapshot["seats"][seat]
    hand = facts["hand"]
    count = hand if isinstance(hand, int) else len(hand)
    widgets.label(canvas, 0, 8, f"HAND: {count}")
    moves = [scene.moves(f"draft {number}") if decides else [] for number in range(count)]
    _cards(canvas.group(0, _LABEL), hand, f"seat-{seat}-hand", moves, width, height, facts["choice"])


def draw_cards(canvas: Canvas, scene: Scene, seat: int, decides: bool, width: float) -> None:
    """Draw the hand and then the drafted cards in a row, from (0, 0): together they are as many all through a round."""
    facts = scene.snapshot["seats"][seat]
    told = [f"{entry.upper()}: {len(facts[entry])}" for entry in ("hand", "drafted") if facts[entry]]
    told += ["ONE CHOSEN"] if facts["choice"] is not None and facts["hand"] else []
    none = "NO CARDS LEFT" if scene.snapshot["round"] == ROUNDS[scene.players] else "NO CARDS UNTIL THE NEXT DRAFT"
    widgets.label(canvas, 0, 8, "  ·  ".join(told) or none, width=width)
    row = canvas.group(0, _LABEL, data_flow=f"{TILE[0] + _GAP} {TILE[1] + _GAP}")
    at = 0
    for entry in ("hand", "drafted"):
        for number, card in enumerate(facts[entry]):
            moves = scene.moves(f"draft {number}") if decides and entry == "hand" else []
            name = f"seat-{seat}-{entry}-{number}"
            place = row.group(at * (TILE[0] + _GAP), 0, id=name, moves=moves, data_card=card)
            kept = entry == "drafted" and facts["hand"]
            card_tile(place.group(opacity=0.75 if kept else 1), card)
            if kept:
                place.circle(TILE[0] - 10, TILE[1] - 9, 7, fill=widgets.BACK)
                place.path(f"M{TILE[0] - 13} {TILE[1] - 9}l2.5 2.5l4 -5", fill="none", stroke="#ffffff", stroke_width=2)
            if entry == "hand" and facts["choice"] == number:
                _chosen(place)
            if moves:
                widgets.outline(place, 0, 0, *TILE)
            if decides and entry == "drafted":
                _ends(place, scene, number, name)
            at += 1


def _ends(card: Canvas, scene: Scene, number: int, id: str) -> None:
    """Mark the ends of a drafted card that can be installed; if none can, a click anywhere discards it."""
    discard = scene.moves(f"discard {number}")
    installs = {end: scene.moves(*(f"install {number} {end} slot {k}" for k in range(1, _SLOTS + 1))) for end in ENDS}
    for end, left, right in zip(ENDS, (0.0, MIDDLE), (MIDDLE, TILE[0]), strict=True):
        moves = [*installs[end], *discard] if installs[end] or not any(installs.values()) else []
        half = card.group(left, 0, id=f"{id}-{end}", moves=moves)
        half.rect(0, 0, right - left, TILE[1], fill="none", pointer_events="all")  # a click has a reason at least
        if moves:
            widgets.outline(half, 0, 0, right - left, TILE[1])


def _chosen(card: Canvas) -> None:
    """Mark a card that is to be drafted."""
    card.rect(3, 3, TILE[0] - 6, TILE[1] - 6, radius=6, fill="none", stroke=widgets.TO_MOVE, stroke_width=5)


def draw_machines(canvas: Canvas, scene: Scene, seat: int, decides: bool, width: float, *, rows: int = 1) -> float:
    """Draw the six slots with text of one size, from (0, 0); the viewer's with what their segments hold.

    Returns the height.
    """
    segments = scene.snapshot["conveyor"] if seat == scene.seat else ()
    return draw_slots(canvas, scene, seat, decides, width, line=_LINE, rows=rows, segments=segments)


def draw_brief(canvas: Canvas, scene: Scene, seat: int) -> None:
    """Draw in two lines from (0, 0) what a player has."""
    facts = scene.snapshot["seats"][seat]
    for number, color in enumerate(COLORS):
        count = facts["pixels"][color]
        place = canvas.group(number * 42, 0, id=f"seat-{seat}-brief-{color}", data_count=count)
        shown = place.group(opacity=1 if count else 0.35)
        pixel(shown, 9, 10, 18, color)
        shown.text(21, 10, str(count), 15, bold=True)
    for number, slot in enumerate(facts["slots"]):
        place, wide = canvas.group(number * 50, 21, data_says=_says(slot), data_count=len(slot["cards"])), 46.0
        if slot["type"] is None:
            place.rect(0, 0, wide, 20, radius=4, fill="none", stroke=widgets.LINE, stroke_dasharray="4 3")
            place.text(wide / 2, 10, str(number + 1), 13, anchor="middle", fill=widgets.LINE)
            continue
        place.rect(0, 0, wide, 20, radius=4, fill=widgets.CARD, stroke=widgets.EDGE)
        convert = slot["type"] == "convert"
        amount = len(slot["cards"]) if convert else sum(int(AMOUNT[card]) for card in slot["cards"])
        place.text(wide / 2 - 9, 10, str(amount), 14, anchor="middle", bold=True)
        if convert:
            place.text(wide / 2 + 8, 10, "\u21c4", 15, anchor="middle", bold=True)
        else:
            pixel(place, wide / 2 + 9, 10, 16, slot["type"])


def draw_drafted(canvas: Canvas, scene: Scene, seat: int, decides: bool, width: float, height: float) -> None:
    """Draw the cards still to be played, or their backs, from (0, 0)."""
    drafted = scene.snapshot["seats"][seat]["drafted"]
    count = drafted if isinstance(drafted, int) else len(drafted)
    widgets.label(canvas, 0, 8, f"DRAFTED, TO BE PLAYED: {count}", width=width)
    moves: list[list[str]] = []
    for number in range(count):
        installs = [f"install {number} {end} slot {slot}" for end in ENDS for slot in range(1, _SLOTS + 1)]
        moves.append(scene.moves(*installs, f"discard {number}") if decides else [])
    _cards(canvas.group(0, _LABEL), drafted, f"seat-{seat}-drafted", moves, width, height, None)


def _cards(
    canvas: Canvas,
    cards: int | Sequence[int | str],
    id: str,
    moves: Sequence[list[str]],
    width: float,
    height: float,
    choice: int | None,
) -> None:
    """Draw cards, or their backs."""
    count = cards if isinstance(cards, int) else len(cards)
    columns, scale = fit_grid(count, width + 6, height + 6, (TILE[0] + _GAP, TILE[1] + _GAP))
    row = canvas.group(id=id, data_count=count, data_flow=_flow(TILE[0] + _GAP, TILE[1] + _GAP, 0.97))
    for number in range(count):
        x, y = number % columns * (TILE[0] + _GAP) * scale, number // columns * (TILE[1] + _GAP) * scale
        if isinstance(cards, int):
            place = row.group(x, y, scale=scale)
            place.rect(2, 2, TILE[0] - 4, TILE[1] - 4, radius=6, fill=widgets.BACK, stroke="#ffffff")
            place.text(TILE[0] / 2, TILE[1] / 2, "?", 26, anchor="middle", bold=True, fill="#c8d0dc")
            continue
        place = row.group(x, y, scale=scale, id=f"{id}-{number}", moves=moves[number], data_card=cards[number])
        card_tile(place, cards[number])
        if choice == number:
            _chosen(place)
        if moves[number]:
            widgets.outline(place, 0, 0, *TILE)
