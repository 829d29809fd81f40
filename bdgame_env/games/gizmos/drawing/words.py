"""Gizmos in plain words: cards, moves, what is to be decided, where points come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ....engine.game import GameConfig
from ....render.scene import Scene
from ....render.wording import choices, listed_words, phase_of, points_words, round_words
from ..cards import (
    ANY,
    COLOR,
    COLORS,
    COST,
    DISCOUNTS,
    LEVEL,
    POINTS,
    RING_SCORER,
    SCOPES,
    SCORES,
    TOKENS_SCORER,
)
from ..state import LAST_ROUND_CARDS, LAST_ROUND_LEVEL_3
from .effects import conversion, gift, sentence
from .paying import converters, marbles_words, paying, payments


def price(card: int, amount: int | None = None) -> str:
    """What a card costs, such as "3 red"; "nothing" for 0."""
    cost, color = int(COST[card]) if amount is None else amount, int(COLOR[card])
    if not cost or color < 0:
        return "nothing"
    return f"{cost} of any color" if color == ANY else f"{cost} {COLORS[color]}"


def name(card: int) -> str:
    """A card by color, level and effect."""
    color = int(COLOR[card])
    if color < 0:
        return "starting card"
    kind = "generic" if color == ANY else COLORS[color]
    return f"{kind} level-{int(LEVEL[card])} card ({sentence(card)})"


def cards(config: GameConfig) -> dict[str, str]:
    """Every card, explained."""
    found = {}
    for card in range(len(LEVEL)):
        told = sentence(card)
        told = f"{told[0].upper()}{told[1:]}."
        color = int(COLOR[card])
        if color < 0:
            found[str(card)] = f"Starting card. {told}"
            continue
        kind = "Generic" if color == ANY else COLORS[color].capitalize()
        points = int(POINTS[card])
        worth = points_words(points) if points else "variable points"
        found[str(card)] = f"{kind} level-{int(LEVEL[card])} card. {told} Costs {price(card)}; {worth}."
    return found


def stage(scene: Scene) -> str:
    """The round, and what ends the game (G14.1)."""
    ends = f"game ends at {LAST_ROUND_CARDS} cards or {LAST_ROUND_LEVEL_3} of level 3"
    return f"{round_words(scene)}, {'the last one' if scene.snapshot['last_round'] else ends}"


_WAYS = 2  # to pay for a card that are named
_PARTS = {"Action": ("main", "hand", "pay", "convert", "under"), "Triggered cards": ("chain",)}


def phases(scene: Scene) -> tuple[Sequence[str], int]:
    """The parts of a turn, and which it is."""
    return phase_of(scene, _PARTS)


_ACTIONS = {"file": "file", "pick": "pick", "build": "build", "research": "research", "end": "pass"}
_KEPT = {"file": "file", "build": "build"}
_USED_BY = {"free_build": "build", "points": "take"}  # the verbs that use credits, where they are named otherwise


def turn(scene: Scene) -> str:
    """What has to be decided."""
    position = scene.snapshot
    phase, payment = position["phase"], position["payment"]
    if phase == "pay" and payment is not None:
        helped = " with converters" if converters(position) else ""
        return f"Pay {_range(payment)}{helped}: which marbles?"
    if phase == "chain":
        credits = {credit: number for credit, number in position["credits"].items() if number}
        uses = {_USED_BY.get(credit, credit): gift(credit, number).words for credit, number in credits.items()}
        return f"You may {choices(scene, {**uses, 'end': 'end your turn'})}"
    return {
        "main": choices(scene, _ACTIONS).capitalize(),
        "hand": "You can keep none of these cards"
        if scene.legal == ("keep none",)
        else f"{choices(scene, _KEPT).capitalize()} one of these cards, or keep none",
        "convert": "Choose a converter for the payment",
        "under": "Choose the next card to go under the deck",
    }.get(phase, "")


def rest(scene: Scene) -> tuple[str, str] | None:
    """Cards go under the deck one by one, though few care in which order (G9.4)."""
    return (scene.legal[0], "All, in this order") if scene.snapshot["phase"] == "under" and scene.legal else None


def forgoes(scene: Scene, notation: str) -> str:
    """Triggered effects that nobody must use (G11.7), when a turn ends."""
    if notation != "end" or scene.snapshot["phase"] != "chain":
        return ""
    verbs = {move.split()[0] for move in scene.legal}
    credits = [(credit, number) for credit, number in scene.snapshot["credits"].items() if number]
    left = [gift(credit, number).words for credit, number in credits if _USED_BY.get(credit, credit) in verbs]
    return f"You can still {listed_words(left)}" if left else ""


def _range(payment: Mapping[str, int]) -> str:
    least, most = payment["least"], payment["most"]
    return str(most) if least == most else f"{least} to {most}"


def move(scene: Scene, notation: str) -> str:
    """A move in words."""
    words = notation.split()
    position = scene.snapshot
    free = position["phase"] == "chain"
    if words[0] in ("file", "build", "under") and len(words) > 1:
        where, card = card_of(scene, words)
        if words[0] == "under":
            return "Put a card under the deck" if card is None else f"Put the {name(card)} under the deck next"
        if card is None:
            return f"{words[0].capitalize()} {where}"
        worth = f"{points_words(int(POINTS[card]))}" if POINTS[card] else "variable points"
        if words[0] == "file":
            return f"File the {name(card)} {where} (costs {price(card)}, {worth})"
        return f"Build the {name(card)} {where} for {'free' if free else _due(scene, card, words)}: {worth}"
    if words[0] == "pick":
        return f"Pick a {words[1]} marble"
    if words[0] == "research":
        return f"Research level {words[1]}"
    if words[0] == "pay":
        return paying(position, int(words[1]))
    if words[0] == "convert":
        return f"Use a converter: {' and '.join(conversion(half).words for half in words[1].split('+'))}"
    return {
        "keep none": "Keep none",
        "draw": "Draw a random marble",
        "take points": "Take the points",
        "end": "End your turn" if free else "Pass",
    }.get(notation, notation)


def _due(scene: Scene, card: int, words: list[str]) -> str:
    """What the seat to decide pays for a card if it has no choice; else its price, less its discounts (G8.3)."""
    position = scene.snapshot
    built = position["seats"][position["seat"]]["built"]
    applies = {"level2": LEVEL[card] == 2, "archive": "archive" in words, "research": "hand" in words}
    less = sum(int(DISCOUNTS[each, number]) for each in built for number, scope in enumerate(SCOPES) if applies[scope])
    due = max(0, int(COST[card]) - less)
    if not due:
        return "free"
    ways = sorted(payments(position, card, due), key=lambda way: (sum(way), [-n for n in way]))
    if not ways or COLOR[card] == ANY or any(sum(way) == way[COLOR[card]] == due for way in ways):
        return price(card, due)
    named = " or ".join([marbles_words(way) for way in ways[:_WAYS]] + ["..."] * (len(ways) > _WAYS))
    return f"{named}, with converters"


def card_of(scene: Scene, words: list[str]) -> tuple[str, int | None]:
    """Where the card of a move lies, in words, and which it is; None if the reader cannot tell."""
    position = scene.snapshot
    if words[-1].endswith(")"):  # as told to others: "file hand (card 30)", "under (hidden)"
        card = words[-1].strip("()")
        return "from Research", int(card) if card.isdecimal() else None
    number = int(words[-1])
    if words[0] == "under" or words[1] == "hand":
        hand = position["hand"]
        there = hand["cards"] if hand is not None else 0
        return "from Research", None if isinstance(there, int) or number >= len(there) else there[number]
    if words[1] == "archive":
        archive = position["seats"][position["seat"]]["archive"]
        return "from the archive", archive[number] if number < len(archive) else None
    return "from the display", position["display"][number]


def sources(scene: Scene, seat: int, gains: Mapping[str, int]) -> dict[str, int]:
    """Printed points by level, tokens, and what scorers count."""
    facts = scene.snapshot["seats"][seat]
    found: dict[str, int] = {}
    for card in facts["built"]:
        label = f"level-{int(LEVEL[card])} cards"
        if POINTS[card]:
            found[label] = found.get(label, 0) + int(POINTS[card])
    found["point tokens"] = int(facts["tokens"])
    scorers = SCORES[facts["built"]].sum(axis=0)
    found["marbles at the end"] = int(scorers[RING_SCORER]) * sum(facts["ring"].values())
    found["tokens at the end"] = int(scorers[TOKENS_SCORER]) * int(facts["tokens"])
    return {label: points for label, points in found.items() if points}
