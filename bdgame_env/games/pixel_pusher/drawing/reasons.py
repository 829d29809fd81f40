"""Why an element of the table of Pixel Pusher stands for no legal move now."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from ....render.scene import Scene
from ....render.wording import Reason
from ..cards import CARDS, COLLECT_TYPE, CONVERTER, SLOT_TYPES
from .cards import recipes_of
from .words import NAMES, converter, price_of, side

FOREIGN = Reason("This belongs to another player.", "P26")
# Moves that belong to certain phases.
ONLY = {
    "draft": (("draft",), Reason("Cards are drafted at the start of a round.", "P21")),
    "install": (("build",), Reason("Cards are installed in Build.", "P28")),
    "discard": (("build",), Reason("Cards are discarded in Build.", "P31")),
    "activate": (("convert",), Reason("Pixels are converted in Convert, after Collect.", "P40")),
    "finish": (("convert",), Reason("You are not converting.", "P39")),
    "give": (("pay", "store"), Reason("You have no pixel to pay or give back now.", "P43")),
    "fill": (("score",), Reason("Lines are filled at the end of the round, in Score.", "P45")),
    "pass": (("score",), Reason("You can pass only in Score, at the end of the round.", "P45")),
}
# Moves about what is not there.
ABSENT = {
    "draft": Reason("You have no such card in hand.", "P21"),
    "install": Reason("You have no such card, that end does not fit there, or you cannot pay for it.", "P28"),
    "discard": Reason("You have no such card.", "P31"),
    "activate": Reason("You have no such converter, it was used this round, or you lack the pixels.", "P40"),
    "give": Reason("You have no such pixel.", "P43"),
    "fill": Reason("There is no such line.", "P46"),
}
_NOW = {
    "draft": ("Everyone is drafting: choose a card from your hand.", "P21"),
    "build": ("You are building: play the cards you drafted.", "P26"),
    "pay": ("First pay a pixel for the random end you installed.", "P30"),
    "convert": ("You are converting pixels now.", "P39"),
    "store": ("You have more than five pixels: give some back.", "P43"),
    "score": ("You are scoring: fill one line of an image, or pass.", "P45"),
}


def reason(scene: Scene, kind: str, own: bool) -> Reason | None:
    """See `Wording.reason`."""
    position = scene.snapshot
    seat, phase = position["seat"], position["phase"]
    mine = position["seats"][seat]
    if line := re.fullmatch(r"image-(\d)-line-(\d)", kind):
        return _line(position, mine, phase, int(line[1]), int(line[2]))
    if kind.startswith(("segment", "supply")):
        return Reason("Machines take pixels from the conveyor automatically, after Build.", "P34")
    if slot := re.fullmatch(r"slot-(\d)", kind):
        if phase == "convert":
            return _idle(mine["slots"][int(slot[1]) - 1], mine)
        return _slot(mine["slots"][int(slot[1]) - 1], phase)
    if (card := re.fullmatch(r"drafted-(\d+)-(collect|convert)", kind)) and phase == "build":
        return _end(mine["drafted"][int(card[1])], card[2], mine)
    if kind.startswith("drafted") and phase == "build":
        return Reason("That end does not fit there, or you cannot pay for it.", "P28")
    if kind.startswith("ability") and phase == "convert":
        used = kind.removeprefix("ability-") in mine["used_abilities"]
        return Reason("You have used it this round." if used else "You lack the pixels that it converts.", "P40")
    if kind.startswith("image") and phase == "score":
        return Reason("Fill one of its lines: those for which you have the pixels have a green frame.", "P46")
    return Reason(*_NOW[phase]) if phase in _NOW else None


def _end(card: int, end: str, mine: Mapping[str, Any]) -> Reason:
    """Why an end of a drafted card cannot be installed."""
    price, color = price_of(card, end), SLOT_TYPES[COLLECT_TYPE[card]]
    if price and not (sum(mine["pixels"].values()) if color == "?" else mine["pixels"][color]):
        return Reason(f"This end {price}, and you have none.", "P30")
    return Reason("No slot fits this end: all have cards of other types.", "P28")


def _idle(slot: Mapping[str, Any], mine: Mapping[str, Any]) -> Reason:
    """Why a slot converts nothing now."""
    if slot["type"] != "convert":
        return Reason("This slot converts nothing.", "P40")
    everywhere = [int(CONVERTER[card]) for each in mine["slots"] if each["type"] == "convert" for card in each["cards"]]
    told = []
    for kind in sorted({int(CONVERTER[card]) for card in slot["cards"]}):
        used = mine["used"].count(CARDS.converters[kind]) >= everywhere.count(kind)
        told.append(f"{converter(kind)}: {'used this round' if used else _lacking(kind, mine['pixels'])}")
    return Reason(f"{'; '.join(told).capitalize()}.", "P40")


def _lacking(kind: int, pixels: Mapping[str, int]) -> str:
    """What a converter takes that a player lacks, if it lacks nothing that the piles lack what it gives."""
    recipes = recipes_of(kind)
    if len({recipe.partition(">")[0] for recipe in recipes}) > 1:
        return "you lack the pixels"
    missing = Counter(recipes[0].partition(">")[0]) - Counter(pixels)
    return f"you lack {side(''.join(missing.elements()))}" if missing else "what it gives has run out"


def _slot(slot: Mapping[str, Any], phase: str) -> Reason:
    if phase != "build":
        return Reason("You choose a slot along with the card you install there, in Build.", "P28")
    if not slot["cards"]:
        return Reason("You cannot pay for any end of your cards.", "P30")
    takes = {"convert": "converts", "?": "takes pixels of a random color"}
    does = takes.get(slot["type"]) or f"takes {NAMES[slot['type']]}"
    return Reason(f"This slot {does}: only ends that do the same fit here, if you can pay for them.", "P28")


def _line(position: Mapping[str, Any], mine: Mapping[str, Any], phase: str, place: int, line: int) -> Reason | None:
    there = position["images"][place]
    if not there:
        return None
    if there["filled"][line]:
        return Reason("This line is already filled.", "P46")
    if phase != "score":
        return Reason("Lines are filled at the end of the round, in Score.", "P45")
    cells = CARDS.image_lines[there["image"] - 1][line].replace("_", "")
    lacking = "".join(color * max(0, cells.count(color) - mine["pixels"][color]) for color in NAMES if color in cells)
    return Reason(f"For this line you lack {side(lacking)}.", "P46") if lacking else Reason(*_NOW[phase])
