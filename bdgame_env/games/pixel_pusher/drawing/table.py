"""The table of Pixel Pusher in parts: images, conveyor, the own machines and cards, and the others."""

from __future__ import annotations

from ....render.scene import Scene
from ....render.table import BRIEF, OTHER, OWN, Part, Table, block
from . import board, seat
from .board import draw_belt, draw_facts, draw_images, draw_piles
from .cards import CHIP, IMAGE, TILE

_LABEL = 20.0
_WIDE = 1176.0
_SCALE = 0.81
_BELT, _PILE = 100.0, 49.0
_PIXELS, _OTHER_PIXELS = (322.0, 40.0), 40.0
_SLOTS, _OTHER_SLOTS = (948.0, 96.0), (486.0, 196.0)
_CARDS = (4 * (TILE[0] + 8), _LABEL + TILE[1] + 4)
_ABILITIES = (4 * (CHIP[0] + 3), CHIP[1] + 2)
_OTHER = 582.0


def table(scene: Scene) -> list[Part]:
    """The parts of a position."""
    made = Table()
    images = made.add("images", _WIDE, _LABEL + IMAGE[1] + 2, scale=_SCALE, target=IMAGE[1])
    draw_images(images, scene)
    draw_belt(made.add("conveyor", 6 * _BELT, 18 + board.LINE + 2), scene, _BELT)
    draw_piles(made.add("supply", 7 * _PILE, 18 + board.LINE + 2), scene, _PILE)
    draw_facts(made.add("facts", _WIDE, board.FACTS, scale=_SCALE), scene)
    made.add_seats(scene, _own, _other, _brief)
    return made.parts


def _own(made: Table, scene: Scene, mine: int) -> None:
    decides = scene.decides(mine)
    pixels = made.add("own-pixels", *_PIXELS, zone=OWN, seat=mine, target=_PIXELS[1])
    seat.draw_pixels(pixels, scene, mine, decides, *_PIXELS)
    abilities = made.add("own-abilities", *_ABILITIES, zone=OWN, seat=mine, column=1, target=CHIP[1])
    seat.draw_ability_chips(abilities, scene, mine, decides)
    cards = made.add("own-cards", *_CARDS, zone=OWN, seat=mine, column=2, scale=0.97, target=TILE[1])
    seat.draw_cards(cards, scene, mine, decides, _CARDS[0])
    slots = made.add("own-slots", *_SLOTS, zone=OWN, seat=mine, column=3, target=104)
    made.grow(0, seat.draw_machines(slots, scene, mine, decides, _SLOTS[0]))


def _other(made: Table, scene: Scene, other: int) -> None:
    facts = scene.snapshot["seats"][other]
    half = _OTHER / 2 - 6
    cards_y = _OTHER_PIXELS + 6
    slots_y = cards_y + _CARDS[1] + 4
    canvas = made.add(f"seat-{other}", _OTHER, slots_y + _OTHER_SLOTS[1], zone=OTHER, seat=other)
    seat.draw_pixels(block(canvas, 0, 0, *_PIXELS), scene, other, False, *_PIXELS)
    if facts["hand"]:
        seat.draw_hand(block(canvas, 0, cards_y, half, _CARDS[1]), scene, other, False, half, TILE[1] - 6)
    else:
        abilities = block(canvas, 0, cards_y + _LABEL, half, TILE[1])
        seat.draw_abilities(abilities, scene, other, False, half, TILE[1] - 6)
    seat.draw_drafted(block(canvas, half + 12, cards_y, half, _LABEL), scene, other, False, half, TILE[1] - 6)
    slots = block(canvas, 0, slots_y, *_OTHER_SLOTS)
    made.grow(0, slots_y + seat.draw_machines(slots, scene, other, False, _OTHER_SLOTS[0], rows=2))


def _brief(made: Table, scene: Scene, other: int) -> None:
    seat.draw_brief(made.add(f"brief-{other}", 300, 42, zone=BRIEF, seat=other), scene, other)
