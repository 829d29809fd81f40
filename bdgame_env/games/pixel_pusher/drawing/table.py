"""The table of Pixel Pusher in parts: images and conveyor, the own machines and cards, and the others in brief."""

from __future__ import annotations

from ....render.scene import Scene
from ....render.table import OTHER, OWN, Part, Table
from . import board, seat
from .board import draw_conveyor, draw_facts, draw_images, draw_supply
from .cards import IMAGE, TILE, line_height

_LABEL = 20.0
_WIDE = 1176.0
_PIXELS = (462.0, 46.0)
_SLOTS = _LABEL + 106
_CARDS = (572.0, _LABEL + TILE[1] + 4)
_BRIEF = 582.0


def table(scene: Scene) -> list[Part]:
    """The parts of a position."""
    made = Table()
    draw_images(made.add("images", _WIDE, _LABEL + IMAGE[1] + 2, target=line_height()), scene)
    draw_conveyor(made.add("conveyor", 6 * board.SEGMENT, _LABEL + board.BELT + 2), scene)
    draw_supply(made.add("supply", 7 * board.PILE, _LABEL + board.BELT + 2), scene)
    draw_facts(made.add("facts", _WIDE, board.FACTS), scene)
    made.add_seats(scene, _own, _other)
    return made.parts


def _own(made: Table, scene: Scene, mine: int) -> None:
    decides, facts = scene.decides(mine), scene.snapshot["seats"][mine]
    if facts["hand"]:
        hand = made.add("own-hand", *_CARDS, zone=OWN, seat=mine, target=TILE[1] - 8)
        seat.draw_hand(hand, scene, mine, decides, _CARDS[0], _CARDS[1] - _LABEL)
    drafted = made.add("own-drafted", *_CARDS, zone=OWN, seat=mine, target=TILE[1] - 8)
    seat.draw_drafted(drafted, scene, mine, decides, _CARDS[0], _CARDS[1] - _LABEL)
    pixels = made.add("own-pixels", *_PIXELS, zone=OWN, seat=mine, target=_PIXELS[1])
    seat.draw_pixels(pixels, scene, mine, decides, _PIXELS[0])
    if facts["abilities"]:
        width = 152.0 * len(facts["abilities"])
        abilities = made.add("own-abilities", width, TILE[1] + 2, zone=OWN, seat=mine, target=TILE[1])
        seat.draw_abilities(abilities, scene, mine, decides, width, TILE[1])
    slots = made.add("own-slots", 1152, _SLOTS, zone=OWN, seat=mine, target=104)
    seat.draw_slots(slots, scene, mine, decides, 1152)


def _other(made: Table, scene: Scene, other: int) -> None:
    facts = scene.snapshot["seats"][other]
    half = _BRIEF / 2 - 6
    cards_y = _PIXELS[1] + 6
    slots_y = cards_y + _CARDS[1] + 4
    canvas = made.add(f"seat-{other}", _BRIEF, slots_y + _SLOTS, zone=OTHER, seat=other)
    seat.draw_pixels(canvas, scene, other, False, _BRIEF)
    if facts["hand"]:
        seat.draw_hand(canvas.group(0, cards_y), scene, other, False, half, TILE[1] - 6)
    else:
        seat.draw_abilities(canvas.group(0, cards_y + _LABEL), scene, other, False, half, TILE[1] - 6)
    seat.draw_drafted(canvas.group(half + 12, cards_y), scene, other, False, half, TILE[1] - 6)
    seat.draw_slots(canvas.group(0, slots_y), scene, other, False, _BRIEF)
