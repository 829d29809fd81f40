"""Bdgame in plain words: cards, moves, what is to be decided, where points come from."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

from ....engine.game import GameConfig
from ....render.scene import Scene
from ....render.wording import choices, listed_words, phase_of, round_words
from ..cards import COLORS, NUM_BASIC, VALUE, Deck, ports_of
from ..device_steps import cubes_made, made_in_the_end
from ..state import CUBE_LIMIT, WINNING_POINTS
from .cards import form_of
from .workshop import Links

NAMES = {"Y": "Yellow", "R": "Red", "B": "Blue"}
_BASIC_NAMES = {
    "straight": "straight pipe",
    "bend_up": "upward bend",
    "bend_down": "downward bend",
    "splitter": "grey splitter",
    "joiner": "grey joiner",
    "pause": "pause part",
}
_BASIC_TEXTS = {
    "hopper": "Cubes are loaded here and set off from here.",
    "packer": "Cubes that arrive here are made, and can fulfil orders this turn.",
    "straight": "Passes everything on, straight ahead.",
    "bend_up": "Passes everything on, half a lane up.",
    "bend_down": "Passes everything on, half a lane down.",
    "splitter": "You decide, color by color, how many cubes go up; the others go down.",
    "joiner": "Passes on what arrives at either of its two inlets.",
    "pause": "Can hold one cube back until the next time the Device runs.",
}


def cubes(counts: Mapping[str, int] | Sequence[int]) -> str:
    """Cubes such as "2 Yellow, 1 Red and 1 Blue"; "nothing" for none."""
    pairs = counts.items() if isinstance(counts, Mapping) else zip(COLORS, counts, strict=True)
    told = [f"{int(count)} {NAMES[color]}" for color, count in pairs if count]
    return listed_words(told or ["nothing"])


def part_form(deck: Deck, kind: str) -> str:
    """A part's name without what it does, such as "splitter" or "upward bend"."""
    return _BASIC_NAMES.get(kind) or form_of(deck, kind)


def part_name(deck: Deck, kind: str) -> str:
    """A part's name with what it does, such as "splitter (1 Blue into 2 Yellow & 2 Red)"."""
    number = deck.kinds.index(kind)
    if number < NUM_BASIC:
        return part_form(deck, kind)
    inlets, outlets = ports_of(deck, kind)
    takes = " & ".join(cubes(deck.takes[number][port]) for port in inlets)
    gives = " & ".join(cubes(deck.gives[number][port]) for port in outlets)
    return f"{part_form(deck, kind)} ({takes} into {gives})"


def order_name(deck: Deck, name: str) -> str:
    """An order in words: what it wants and what it brings."""
    number = deck.orders.index(name)
    points = int(deck.points[number])
    return f"order for {cubes(deck.needs[number])} ({points} point{'' if points == 1 else 's'})"


def cards(config: GameConfig) -> dict[str, str]:
    """Every part and every order, explained."""
    deck: Deck = config.cards
    found = {}
    for number, kind in enumerate(deck.kinds):
        price = f"Costs {int(deck.cost[number])}."
        name = part_form(deck, kind)
        text = _BASIC_TEXTS[kind] if number < NUM_BASIC else _recipe(deck, number)
        found[kind] = f"{name[0].upper()}{name[1:]}. {text} {price}"
    for name in deck.orders:
        told = order_name(deck, name)
        found[name] = f"{told[0].upper()}{told[1:]}. Once accepted, make all these cubes in one turn."
    return found


def _recipe(deck: Deck, number: int) -> str:
    inlets, outlets = ports_of(deck, deck.kinds[number])
    places = {0: "upper", 1: "", 2: "lower"}

    def side(ports: Sequence[int], amounts: Any, word: str) -> str:
        told = [cubes(amounts[port]) + (f" at the {places[port]} {word}" if places[port] else "") for port in ports]
        return " and ".join(told)

    takes, gives = side(inlets, deck.takes[number], "inlet"), side(outlets, deck.gives[number], "outlet")
    return f"Turns {takes} into {gives}, as often as it can; leftovers go to the bank."


def stage(scene: Scene) -> str:
    """The round, and what ends the game (B45)."""
    ends = "the last one" if scene.snapshot["last_round"] else f"game ends at {WINNING_POINTS} points"
    return f"{round_words(scene)}, {ends}"


_ACTIONS = ("act", "buy", "place", "build", "dismantle", "load", "discard", "offer", "respond")
_PARTS = {"Actions": _ACTIONS, "Devices": ("activate", "split", "hold"), "Orders": ("fulfil",)}


def phases(scene: Scene) -> tuple[Sequence[str], int]:
    """The parts of a turn, and which it is."""
    return phase_of(scene, _PARTS)


_ACTS = {
    "collect": "collect",
    "accept": "accept",
    "pay": "buy",
    "select": "build",
    "remove": "dismantle",
    "load": "load",
    "clear": "clear",
}
_BUYING = {"buy": "buy a part", "pay": "pay more", "sell": "sell", "select": "place a part", "end": "finish"}


def turn(scene: Scene) -> str:
    """What has to be decided."""
    position = scene.snapshot
    left = position["actions_left"]
    phase, pending = position["phase"], position["pending"]
    if phase == "split":
        asked = f"How many of the {pending['arrived'][pending['color']]} {NAMES[pending['color']]} go up?"
        if rest := {color: n for color, n in pending["arrived"].items() if n and color != pending["color"]}:
            asked += f" With them came {cubes(rest)}."
        return f"{asked} Each outlet gets one or more." if scene.legal and "split 0" not in scene.legal else asked
    told = {
        "act": f"{left} action{'' if left == 1 else 's'} left: {choices(scene, _ACTS)}",
        "buy": f"{position['credit']} to spend: {choices(scene, _BUYING)}",
        "place": "Place the part in your workshop",
        "build": "Build more parts from your hand, or finish",
        "dismantle": "Dismantle more parts, or finish",
        "load": "Load more cubes, or finish",
        "discard": f"You can keep {CUBE_LIMIT} cubes: return {_held(position) - CUBE_LIMIT}",
        "activate": "Activate your finished Devices",
        "hold": "Pause part: hold a cube back?",
        "fulfil": "Fulfil orders with the cubes you made",
        "offer": "Make your offer",
        "respond": "Answer the offer",
    }
    return told.get(phase, "")


def _held(position: Mapping[str, Any]) -> int:
    """The cubes of the seat to decide that count against its limit (B44)."""
    facts = position["seats"][position["seat"]]
    loaded = [card["cubes"] for card in facts["workshop"] if card["kind"] == "hopper"]
    return sum(sum(cubes.values()) for cubes in (facts["storage"], *loaded))


def move(scene: Scene, notation: str) -> str:
    """A move in words."""
    verb, _, rest = notation.partition(" ")
    position, deck = scene.snapshot, scene.cards
    if verb in ("select", "sell", "offer", "want"):
        name = part_name(deck, rest)
        if verb == "select":
            return f"Build the {name} {'just bought' if position['open'] == 'buy' else 'from hand'}"
        return {"sell": f"Sell the {name} for 1", "offer": f"Offer the {name}", "want": f"Ask for the {name}"}[verb]
    if verb == "buy":
        kind = position["parts_row"][int(rest)] if rest.isdecimal() else rest
        return f"Buy the {part_name(deck, kind)} for {int(deck.cost[deck.kinds.index(kind)])}" if kind else notation
    if verb == "accept":
        name = position["orders_row"][int(rest)]
        return f"Accept the {order_name(deck, name)}" if name else notation
    if verb == "fulfil":
        queue = position["seats"][position["seat"]]["orders"]
        return f"Fulfil the {order_name(deck, queue[int(rest)])}" if int(rest) < len(queue) else notation
    if verb == "place":
        x, y = rest.split(",")
        what = "it" if position["selected"] is None else f"the {part_name(deck, position['selected'])}"
        return f"Place {what} in column {x}, lane {y}"
    if verb == "remove":
        x, y = rest.split(",")
        workshop = position["seats"][position["seat"]]["workshop"]
        kinds = [card["kind"] for card in workshop if (card["x"], card["y"]) == (int(x), int(y))]
        name = part_name(deck, kinds[0]) if kinds else "part"
        return f"Dismantle the {name} in column {x}, lane {y}"
    if verb in ("load", "discard"):
        color, _, hopper = rest.partition("@")
        if verb == "load":
            made = preview(scene, int(hopper), color) if scene.legal else ""
            made += " yet" if made == cubes({}) else ""
            return f"Load a {NAMES[color]} cube onto hopper H{hopper}" + (f" (would make {made})" if made else "")
        return f"Return a {NAMES[color]} cube" + (f" from hopper H{hopper}" if hopper else " from storage")
    if verb == "split":
        return _split(scene, int(rest))
    if verb == "pay":
        return f"Pay a {NAMES[rest]} cube (worth {VALUE[COLORS.index(rest)]})"
    if verb == "activate":
        made = preview(scene, int(rest))
        return f"Activate hopper H{rest}'s Device" + (f": makes {made}" if made else "")
    if verb == "hold":
        return "Hold nothing back" if rest == "none" else f"Hold back a {NAMES[rest]} cube"
    if verb == "seat":
        return f"Offer it to {scene.called(int(rest))}"
    return _single(position, verb)


def preview(scene: Scene, slot: int, more: str = "") -> str:
    """What the Device of a hopper of the seat to decide would make, in words; "" if it is unfinished or depends.

    Args:
        scene: the position.
        slot: the hopper's slot.
        more: the color of a cube to be loaded on it first; "" for none.
    """
    position = scene.snapshot
    cards = position["seats"][position["seat"]]["workshop"]
    hopper = next((card for card in cards if card.get("slot") == slot), None)
    if hopper is None or position["pending"] is not None:
        return ""
    if (hopper["x"], hopper["y"]) not in Links(scene.cards, cards).finished:
        return ""
    if more:
        position = copy.deepcopy(dict(position))
        for card in position["seats"][position["seat"]]["workshop"]:
            if card.get("slot") == slot:
                card["cubes"][more] = card["cubes"].get(more, 0) + 1
    made = cubes_made(position, slot, scene.config)
    return "" if made is None else cubes(made)


def forgoes(scene: Scene, notation: str) -> str:
    """Loaded Devices that could still run before orders are fulfilled (B31, B40)."""
    if notation != "end" or scene.snapshot["phase"] != "activate":
        return ""
    slots = [int(move.split()[1]) for move in scene.legal if move.startswith("activate")]
    idle = [f"hopper H{slot}'s Device" for slot in slots if preview(scene, slot) != cubes({})]
    return f"You can still activate {listed_words(idle)}" if idle else ""


def _single(position: Mapping[str, Any], verb: str) -> str:
    if verb == "end":
        phase = position["open"] or position["phase"]
        left = position["actions_left"]
        return {
            "buy": "Finish buying",
            "build": "Finish building",
            "dismantle": "Finish dismantling",
            "load": "Finish loading",
            "act": "Skip the last action" if left == 1 else f"Skip {left} actions",
            "activate": "Finish activating",
            "fulfil": "Finish fulfilling",
        }.get(phase, "Finish")
    yellow = min(2, position["bank"]["Y"])
    return {
        "collect": f"Collect {yellow} Yellow",
        "clear": "Clear the special parts",
        "agree": "Agree to the trade",
        "refuse": "Refuse the trade",
    }.get(verb, verb)


def _split(scene: Scene, up: int) -> str:
    pending = scene.snapshot["pending"]
    if not pending or pending["ask"] != "split":
        return f"Send {up} up"
    color = pending["color"]
    made = made_in_the_end(scene.snapshot, f"split {up}", scene.config) if scene.legal else None
    told = "" if made is None else f" (makes {cubes(made)})"
    return f"{up} {NAMES[color]} up, {pending['arrived'][color] - up} down{told}"


_COLORS_WORDS = ("free orders", "1-color orders", "2-color orders", "3-color orders")


def sources(scene: Scene, seat: int, gains: Mapping[str, int]) -> dict[str, int]:
    """The orders that a seat fulfilled, by how many colors they ask for."""
    deck = scene.cards
    found: dict[str, int] = {}
    for name in scene.snapshot["seats"][seat]["fulfilled"]:
        number = deck.orders.index(name)
        colors = sum(1 for need in deck.needs[number] if need)
        label = _COLORS_WORDS[colors]
        found[label] = found.get(label, 0) + int(deck.points[number])
    return found
