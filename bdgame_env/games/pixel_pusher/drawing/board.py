"""Draws the board of Pixel Pusher: images, conveyor, supply, players. It knows the printed cards but no rules."""

from __future__ import annotations

from ....render import widgets
from ....render.scene import Scene
from ....render.svg import Canvas, text_width
from ..cards import CARDS, COLORS, LINE_POINTS, LINES, NUM_PRIMARIES
from .cards import IMAGE, counted, image_line, line_height, pixel
from .seat import TALL, WIDE, draw_seat
from .text import subtitle
from .words import image_name

_TOP = widgets.HEADER + 8
_BELT_TOP = _TOP + 20 + IMAGE[1] + 8
BELT = 58
_FACTS_TOP = _BELT_TOP + 20 + BELT + 8
FACTS = 28
LINE = 36
_BAR_TOP = _FACTS_TOP + FACTS
_SEATS_TOP = _BAR_TOP + widgets.MOVES
SEGMENT, PILE = 112, 64


def draw(scene: Scene) -> Canvas:
    """Draw the whole board."""
    places = widgets.panels_of(scene.players, _SEATS_TOP, WIDE, TALL)
    height = widgets.bottom_of(places) + widgets.MARGIN + widgets.FOOTER
    canvas = widgets.page(scene, height, subtitle(scene))
    draw_images(canvas.group(widgets.MARGIN, _TOP), scene)
    draw_conveyor(canvas.group(widgets.MARGIN, _BELT_TOP), scene)
    draw_supply(canvas.group(widgets.WIDTH - widgets.MARGIN - 7 * PILE, _BELT_TOP), scene)
    draw_facts(canvas.group(widgets.MARGIN, _FACTS_TOP), scene)
    for seat, (x, y, width, tall) in enumerate(places):
        draw_seat(canvas, scene, seat, x, y, width, tall)
    widgets.moves_bar(canvas, scene, _BAR_TOP)
    widgets.footer(canvas, scene, height)
    return canvas


def draw_images(canvas: Canvas, scene: Scene) -> None:
    """Draw the images, from (0, 0)."""
    widgets.label(canvas, 0, 8, "IMAGES")
    points = LINE_POINTS[scene.config.record[0].printing]
    step = (widgets.WIDTH - 2 * widgets.MARGIN + 8) / len(scene.snapshot["images"])
    images = canvas.group(0, 20, data_flow=f"{step:.4g} {IMAGE[1] + 6}")
    for place, there in enumerate(scene.snapshot["images"]):
        image = there["image"] if there else 0
        says = f"image {image}" if image else None
        area = images.group(
            place * step, 0, id=f"image-{place}", data_card=image or "", data_says=says, data_touch="whole"
        )
        if not there:
            widgets.empty_place(area, *IMAGE)
            continue
        area.group(title=image_name(image)).rect(
            0, 0, *IMAGE, radius=7, fill=widgets.CARD, stroke="#6f6a60", stroke_width=2
        )
        for line in range(LINES):
            filled = there["filled"][line]
            moves = scene.moves(f"fill {place} line {line}")
            row = area.group(
                *(5, 3 + line * line_height()),
                id=f"image-{place}-line-{line}",
                moves=moves,
                data_filled=str(filled).lower(),
                data_cells=CARDS.image_lines[image - 1][line],
            )
            image_line(row, image, line, filled, int(points[image, line]))
            if moves:
                widgets.outline(row, -3, 0, IMAGE[0] - 4, line_height(), radius=4)


def draw_belt(canvas: Canvas, scene: Scene, each: float) -> None:
    """Draw the conveyor in a line, from (0, 0), with segments of this width."""
    widgets.label(canvas, 0, 8, "CONVEYOR, SEGMENTS 1 TO 6")
    belt = canvas.group(0, 18, data_flow=f"{each:.4g} {LINE + 4}")
    for number, segment in enumerate(scene.snapshot["conveyor"], 1):
        place = belt.group((number - 1) * each, 0, id=f"segment-{number}", data_count=sum(segment.values()))
        long, half = each - 9, LINE / 2
        place.path(f"M0 0 h{long} l6 {half} l-6 {half} h-{long} l6 -{half} Z", fill="#d4d9e0", stroke="#7c8797")
        counted(place.group(8, half), segment, 15.2, long - 3)


def draw_piles(canvas: Canvas, scene: Scene, each: float) -> None:
    """Draw the bag and the piles in a line, from (0, 0), each of this width."""
    widgets.label(canvas, 0, 8, "BAG")
    widgets.label(canvas, NUM_PRIMARIES * each, 8, "PILES")
    row = canvas.group(0, 18, data_flow=f"{each:.4g} {LINE + 4}")
    for number, color in enumerate(COLORS):
        count = scene.snapshot["supply"][color]
        place = row.group(number * each, 0, id=f"supply-{color}", data_count=count)
        fill = "#e2dac9" if number < NUM_PRIMARIES else widgets.PANEL
        place.rect(0, 0, each - 4, LINE, radius=8, fill=fill, stroke=widgets.LINE, stroke_width=1.5)
        pixel(place, 12.5, LINE / 2, 17, color)
        place.text(each - 15, LINE / 2, str(count), 14.5, anchor="middle", bold=True)


def draw_conveyor(canvas: Canvas, scene: Scene) -> None:
    """Draw the conveyor, from (0, 0)."""
    widgets.label(canvas, 0, 8, "CONVEYOR, SEGMENTS 1 TO 6")
    for number, segment in enumerate(scene.snapshot["conveyor"], 1):
        place = canvas.group((number - 1) * SEGMENT, 20, id=f"segment-{number}", data_count=sum(segment.values()))
        wide = SEGMENT - 6
        place.path(
            f"M0 0 h{wide - 10} l10 {BELT / 2} l-10 {BELT / 2} h-{wide - 10} Z", fill="#d4d9e0", stroke="#7c8797"
        )
        place.text(10, 14, str(number), 14, anchor="middle", fill=widgets.FAINT)
        counted(place.group(10, 0.6 * BELT), segment, 22, wide - 22)


def draw_supply(canvas: Canvas, scene: Scene) -> None:
    """Draw the bag and the piles, from (0, 0)."""
    widgets.label(canvas, 0, 8, "BAG: R G B, AND PILES")
    for number, color in enumerate(COLORS):
        count = scene.snapshot["supply"][color]
        place = canvas.group(number * PILE, 20, id=f"supply-{color}", data_count=count)
        fill = "#e2dac9" if number < NUM_PRIMARIES else widgets.PANEL
        place.rect(0, 0, PILE - 5, BELT, radius=8, fill=fill, stroke=widgets.LINE, stroke_width=1.5)
        pixel(place, 17, BELT / 2, 23, color)
        place.text(PILE - 19, BELT / 2, str(count), 19, anchor="middle", bold=True)


def draw_facts(canvas: Canvas, scene: Scene) -> None:
    """Draw who leads, and the sizes of the decks, from (0, 0)."""
    position = scene.snapshot
    leaders = position["leaders"]
    told = [
        f"first in {phase.title()}: {'you' if leaders[phase] == scene.seat else scene.called(leaders[phase])}"
        for phase in ("build", "collect", "score")
    ]
    for entry, text in (("machine_deck", "machines left"), ("image_deck", "images left"), ("set_aside", "set aside")):
        deck = position[entry]
        told.append(f"{deck if isinstance(deck, int) else len(deck)} {text}")
    told.append(f"{len(position['discarded'])} discarded, {len(position['finished'])} finished")
    facts, x = canvas.group(id="facts").group(data_flow=f"0 {FACTS}"), 0.0
    for text in told:
        wide = text_width(text, 16)
        facts.group(x, 0, data_wide=wide).text(0, FACTS / 2, text, 16, fill=widgets.FAINT, **widgets.ON_TABLE)
        x += wide + 18
