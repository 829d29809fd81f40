"""Pixel Pusher in plain words: cards, moves, what is to be decided, where points come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ....engine.game import GameConfig
from ....render.scene import Scene
from ....render.wording import listed_words, phase_of, points_words
from ..cards import AMOUNT, CARDS, COLLECT_TYPE, CONVERTER, LINE_POINTS, LINES, NUM_KINDS, SLOT_TYPES
from ..state import ROUNDS, STORAGE
from .cards import recipes_of

NAMES = {
    "R": "red",
    "G": "green",
    "B": "blue",
    "C": "cyan",
    "M": "magenta",
    "Y": "yellow",
    "W": "white",
    "?": "random",
}
_CONVERTERS = {
    "triple": "3 matching primaries into 1 pixel of any other color",
    "recolor": "1 primary into another primary",
    "prism": "1 primary into a secondary that contains it",
}
_ENDS = {"convert": "convert", "collect": "take"}
_NO_COLORS = {"2VP": "2 points", "?": "a random pixel"}


def side(letters: str) -> str:
    """One side of a recipe in words, such as "red and green" or "2 blue"."""
    if letters in _NO_COLORS:
        return _NO_COLORS[letters]
    counts = {letter: letters.count(letter) for letter in letters}
    return listed_words(NAMES[c] if n == 1 else f"{n} {NAMES[c]}" for c, n in counts.items())


def recipe(notation: str) -> str:
    """A recipe in words, such as "red and green into yellow"."""
    pays, _, gains = notation.partition(">")
    return f"{side(pays)} into {side(gains)}"


def converter(number: int) -> str:
    """What a converter does."""
    if told := _CONVERTERS.get(CARDS.converters[number]):
        return told
    first, *others = recipes_of(number)  # which all pay the same
    return " or ".join([recipe(first), *(side(each.partition(">")[2]) for each in others)])


def collects(card: int) -> str:
    """What the collect end of a machine takes."""
    return side(SLOT_TYPES[COLLECT_TYPE[card]] * int(AMOUNT[card]))


def card_name(card: int | str | None) -> str:
    """A card by what its ends do."""
    if card is None:
        return "a card"
    if isinstance(card, str):
        return f"the ability card {CARDS.ability_titles[CARDS.abilities.index(card)]}"
    takes = collects(card).removeprefix("a ").replace(" pixel", "-pixel").replace("2 ", "double ")
    return f"the {takes} machine ({converter(int(CONVERTER[card]))})"


def image_name(image: int) -> str:
    """An image's name, capitalized: pages draw words for colors as pixels."""
    return CARDS.image_names[image - 1].capitalize()


def cards(config: GameConfig) -> dict[str, str]:
    """Every machine, ability card and image, explained."""
    found = {}
    for card in range(1, NUM_KINDS + 1):
        amount, kind = int(AMOUNT[card]), SLOT_TYPES[COLLECT_TYPE[card]]
        cost = ""
        if kind == "?":
            cost = " Installing this end costs any one pixel."
        elif amount == 2:
            cost = f" Installing this end costs one {NAMES[kind]} pixel."
        found[str(card)] = (
            f"Machine. Either its collect end takes {collects(card)} from the conveyor each round.{cost} "
            f"Or its convert end turns {converter(int(CONVERTER[card]))} once a round."
        )
    for number, name in enumerate(CARDS.abilities):
        uses = converter(int(CONVERTER[len(CONVERTER) - len(CARDS.abilities) + number]))
        leads = "You lead that phase this round. " if name != "prism" else ""
        found[name] = f"{CARDS.ability_titles[number]}. {leads}Turns {uses} once this round."
    points = LINE_POINTS[config.record[0].printing]
    for image in range(1, len(CARDS.image_names) + 1):
        worth = [f"{CARDS.image_lines[image - 1][line]} for {int(points[image, line])}" for line in range(LINES)]
        found[f"image {image}"] = (
            f"Image: {image_name(image)}. Fill a line with exactly its pixels: {', '.join(worth)} points."
        )
    return found


_PHASES = {
    "draft": "Draft",
    "build": "Build",
    "pay": "Build",
    "collect": "Collect",
    "convert": "Convert",
    "store": "Convert",
    "score": "Score",
}


def stage(scene: Scene) -> str:
    """The round and its phase (P16, P48)."""
    position = scene.snapshot
    phase = _PHASES.get(position["phase"])
    told = f"round {position['round']} of {int(ROUNDS[scene.players])}"
    return f"{told}, {phase}" if phase else told


_PARTS = {
    "Draft": ("draft",),
    "Build": ("build", "pay"),
    "Collect": ("collect",),
    "Convert": ("convert", "store"),
    "Score": ("score",),
}


def phases(scene: Scene) -> tuple[Sequence[str], int]:
    """The parts of a round, and which it is."""
    return phase_of(scene, _PARTS)


def turn(scene: Scene) -> str:
    """What has to be decided."""
    position = scene.snapshot
    held = sum(position["seats"][position["seat"]]["pixels"].values()) if position["seat"] is not None else 0
    return {
        "draft": "Draft a card and pass the rest to the left",
        "build": "Play each drafted card: install one end, or discard it for a pixel",
        "pay": "Pay a pixel for the random end",
        "convert": "Convert pixels, or finish",
        "store": f"You can keep {STORAGE} pixels: give back {held - STORAGE}",
        "score": "Fill one line of an image, or pass",
    }.get(position["phase"], "")


def move(scene: Scene, notation: str) -> str:
    """A move in words."""
    verb, _, rest = notation.partition(" ")
    words = rest.split()
    position = scene.snapshot
    if verb in ("draft", "install", "discard"):
        card = card_of(position, verb, int(words[0]), position["seat"])
        what = card_name(card)
        if verb == "install":
            return f"Install {what}: {_ENDS[words[1]]} in slot {words[3]}{_at_a_price(card, words[1])}"
        return f"Draft {what}" if verb == "draft" else f"Discard {what} for a pixel from the bag"
    if verb == "activate":
        return f"Convert {recipe(rest)}" if not rest.endswith("VP") else f"Sell {side(rest[0])} for 2 points"
    if verb == "give":
        return f"{'Pay' if position['phase'] == 'pay' else 'Give back'} a {NAMES[rest]} pixel"
    if verb == "fill":
        return _fill(scene, int(words[0]), int(words[2]))
    return {"finish": "Finish converting", "pass": "Pass"}.get(verb, notation)


def installed(card: int | str | None, end: str) -> str:
    """What the end of a card does once it is installed."""
    if not isinstance(card, int):
        return f"a {end} end"
    if end == "convert":
        return f"convert {converter(int(CONVERTER[card]))}"
    return f"take {collects(card)}{_at_a_price(card, end)}"


def _at_a_price(card: int | str | None, end: str) -> str:
    price = price_of(card, end)
    return f" ({price})" if price else ""


def price_of(card: int | str | None, end: str) -> str:
    """What it costs to install the end of a card, such as "costs a red pixel"; empty if it is free or not known."""
    if not isinstance(card, int) or end == "convert":
        return ""
    kind = SLOT_TYPES[COLLECT_TYPE[card]]
    return "costs any pixel" if kind == "?" else f"costs a {NAMES[kind]} pixel" if AMOUNT[card] == 2 else ""


def card_of(position: Mapping[str, Any], verb: str, number: int, seat: int | None) -> int | str | None:
    """The card of a seat's move: at a place of the hand that the reader sees, or the kind that the reader was told."""
    facts = position["seats"][seat] if seat is not None else {}
    there = facts.get("hand" if verb == "draft" else "drafted")
    if isinstance(there, list):
        return there[number] if number < len(there) else None
    return number if verb != "draft" else None


def _fill(scene: Scene, place: int, line: int) -> str:
    there = scene.snapshot["images"][place]
    if not there:
        return f"Fill line {line + 1} of image {place + 1}"
    image = there["image"]
    cells = CARDS.image_lines[image - 1][line]
    points = int(LINE_POINTS[scene.config.record[0].printing, image, line])
    return f"Fill line {line + 1} of the {image_name(image)} ({cells}) for {points_words(points)}"


def sources(scene: Scene, seat: int, gains: Mapping[str, int]) -> dict[str, int]:
    """Filled lines and sold pixels."""
    found = {"filled lines": gains.get("fill", 0), "sold pixels": gains.get("activate", 0)}
    return {label: points for label, points in found.items() if points}
