"""Pixel Pusher as text: images, conveyor and supply, then each player."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ....render.scene import Line, Scene
from ..cards import AMOUNT, CARDS, COLORS, CONVERTER, LINE_POINTS, NUM_PRIMARIES
from .cards import card_words
from .words import NAMES, converter, image_name

PHASES = {
    "draft": "drafts",
    "build": "builds",
    "pay": "pays for an end",
    "convert": "converts",
    "store": "stores pixels",
    "score": "scores",
}
_INKS = dict(zip(COLORS, ("red", "green", "blue", "cyan", "magenta", "yellow", "bold"), strict=True))


def subtitle(scene: Scene) -> str:
    """The round, and who decides what."""
    position = scene.snapshot
    told = f"round {position['round']}"
    if position["phase"] == "over":
        return f"{told}: the game is over"
    if position["seat"] is None:  # P59, P60
        return f"{told}: all seats {'draft' if position['phase'] == 'draft' else 'convert'} at once"
    return f"{told}: seat {position['seat']} {PHASES[position['phase']]}"


def lines(scene: Scene) -> list[Line]:
    """The position, for terminals and logs."""
    position = scene.snapshot
    leaders = ", ".join(f"{name} {seat}" for name, seat in position["leaders"].items())
    found: list[Line] = [[(f"{scene.game.title}, {subtitle(scene)}", "bold"), f"  leaders: {leaders}"]]
    supply = list(position["supply"].items())
    bag, piles = dict(supply[:NUM_PRIMARIES]), dict(supply[NUM_PRIMARIES:])
    letters = ", ".join(f"{letter} {name}" for letter, name in NAMES.items())
    found.append(["letters ", f"{letters}, _ empty; lines of images with the points that they score"])
    found.append(["bag    ", *_pixels(bag), "  piles ", *_pixels(piles)])
    belt: Line = ["belt   "]
    for number, segment in enumerate(position["conveyor"], 1):
        belt += [f" {number}: ", *_pixels(segment)]
    found.append(belt)
    sizes = [f"{entry} {_size(position[entry])}" for entry in ("machine_deck", "image_deck", "set_aside")]
    found.append([", ".join([*sizes, f"discarded {len(position['discarded'])}"])])
    for place, there in enumerate(position["images"]):
        found.append([f"place {place}: ", *(_image(scene, there) if there else ["-"])])
    for seat in range(scene.players):
        found += _seat(scene, seat)
    return found


def _image(scene: Scene, there: Mapping[str, Any]) -> Line:
    """An image's number, name and lines with their points; filled lines in brackets."""
    image = there["image"]
    told: Line = [f"image {image}, {image_name(image)} "]
    for line, cells in enumerate(CARDS.image_lines[image - 1]):
        if there["filled"][line]:
            told.append((f" ({cells})", "dim"))
        else:
            told.append(f" {cells} for {int(LINE_POINTS[scene.config.record[0].printing, image, line])},")
    return told


def _seat(scene: Scene, seat: int) -> list[Line]:
    position = scene.snapshot
    facts = position["seats"][seat]
    name = f"seat {seat}" + (" (you)" if seat == scene.seat else "") + (" *" if scene.decides(seat) else "")
    found: list[Line] = [
        [(name, "bold"), f"  {facts['points']} points  ", *(_pixels(facts["pixels"]) or ["no pixels"])]
    ]
    slots = [f"{number}: {_slot(slot)}" for number, slot in enumerate(facts["slots"], 1) if slot["type"] is not None]
    found.append([f"  slots {', '.join(slots) or 'empty'}"])
    if facts["abilities"]:
        used = f"  used {', '.join(facts['used_abilities'])}" if facts["used_abilities"] else ""
        found.append([f"  abilities {', '.join(facts['abilities'])}{used}"])
    if facts["used"]:
        found.append([f"  used {', '.join(facts['used'])}"])
    for entry in ("hand", "drafted"):
        cards = facts[entry]
        if isinstance(cards, int):
            found += [[f"  {entry} {cards} cards"]] if cards else []
        else:
            chosen = facts["choice"] if entry == "hand" else None
            marks = [" (chosen)" if number == chosen else "" for number in range(len(cards))]
            found += [
                [f"  {entry} {number}: {card} ({card_words(card)}){mark}"]
                for number, (card, mark) in enumerate(zip(cards, marks, strict=True))
            ]
    return found


def _slot(slot: Mapping[str, Any]) -> str:
    """What the ends in a slot do, and the machines that they belong to."""
    cards: Sequence[int] = slot["cards"]
    machines = " ".join(str(card) for card in cards)
    if slot["type"] != "convert":
        return f"takes {sum(int(AMOUNT[card]) for card in cards)}{slot['type']} ({machines})"
    return f"converts {'; '.join(sorted(converter(int(CONVERTER[card])) for card in cards))} ({machines})"


def _pixels(counts: Mapping[str, int]) -> Line:
    line: Line = []
    for color, count in counts.items():
        if count:
            line += [" " if line else "", (f"{count}{color}", _INKS[color])]
    return line


def _size(deck: Any) -> int:
    return deck if isinstance(deck, int) else len(deck)
