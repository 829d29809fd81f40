"""All cards of Pixel Pusher as pictures."""

from __future__ import annotations

from ....engine.game import GameConfig
from ....render import widgets
from ....render.gallery import CardPicture, Shelf
from ....render.svg import Canvas
from ..cards import CARDS, COPIES, LINE_POINTS, LINES, NUM_KINDS
from .cards import IMAGE, TILE, card_tile, image_line, line_height


def gallery(config: GameConfig) -> list[Shelf]:
    """Machines, ability cards, images."""
    machines = [_card(kind, int(COPIES[kind])) for kind in range(1, NUM_KINDS + 1)]
    points = LINE_POINTS[config.record[0].printing]
    images = []
    for image in range(1, len(CARDS.image_names) + 1):
        canvas = Canvas.sheet(*IMAGE, set())
        widgets.card(canvas, *IMAGE)
        for line in range(LINES):
            row = canvas.group(5, 3 + line * line_height())
            image_line(row, image, line, False, int(points[image, line]))
        images.append(CardPicture(f"image {image}", canvas))
    abilities = [_card(name) for name in CARDS.abilities]
    return [Shelf("Machines", machines), Shelf("Ability cards", abilities), Shelf("Images", images)]


def _card(card: int | str, copies: int = 1) -> CardPicture:
    canvas = Canvas.sheet(*TILE, set())
    card_tile(canvas, card)
    return CardPicture(str(card), canvas, copies)
