"""Gizmos as text: display and marbles, then a few lines for each player."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....render.scene import Line, Scene
from ....render.wording import points_words
from ..cards import COLOR, COLORS, LEVEL, NUM_COLORS
from .cards import LETTERS, cost_words, printed_points
from .effects import says
from .signs import Sign

PHASES = {
    "main": "chooses an action",
    "hand": "has researched",
    "pay": "pays",
    "convert": "converts",
    "under": "puts cards under the deck",
    "chain": "uses triggered cards",
}
_BUILT_IN_A_LINE = 3
_PLACES = {3: (7, 8), 2: (4, 5, 6), 1: (0, 1, 2, 3)}


def subtitle(scene: Scene) -> str:
    """The round, and who decides what."""
    position = scene.snapshot
    told = f"round {position['round']}"
    if position["last_round"]:
        told += ", the last"
    if position["phase"] == "over":
        return f"{told}: the game is over" + (" (round limit)" if position["truncated"] else "")
    return f"{told}: seat {position['seat']} {PHASES[position['phase']]}"


def lines(scene: Scene) -> list[Line]:
    """The position, for terminals and logs."""
    position = scene.snapshot
    found: list[Line] = [[(f"{scene.game.title}, {subtitle(scene)}", "bold")]]
    found.append(["letters ", ", ".join(f"{letter} {color}" for color, letter in zip(COLORS, LETTERS, strict=True))])
    found.append(
        ["row     ", *_marbles(position["row"]), "  dispenser ", *_marbles(position["dispenser"])],
    )
    for level, places in _PLACES.items():
        deck = position["decks"][level - 1]
        found.append([f"level {level}  deck {deck if isinstance(deck, int) else len(deck)}"])
        for place in places:
            card = position["display"][place]
            found.append([f"  {place}: ", *(_card(card) if card is not None else ["-"])])
    found += _open(position)
    for seat in range(scene.players):
        found += _seat(scene, seat)
    return found


def _open(position: Mapping[str, Any]) -> list[Line]:
    """Lines for credits, payment and researched cards, if any."""
    found: list[Line] = []
    credits = [f"{name.replace('_', ' ')} {count}" for name, count in position["credits"].items() if count]
    if credits:
        found.append(["to use  ", ", ".join(credits)])
    payment = position["payment"]
    if payment is not None:
        paid = " ".join(f"{count}{letter}" for count, letter in zip(payment["paid"], LETTERS, strict=False))
        by = f", by {', '.join(payment['converters'])}" if payment["converters"] else ""
        price = f"{payment['least']} to {payment['most']}: {paid or 'nothing'} so far{by}"
        if position["phase"] == "pay":
            price += f"; how many {COLORS[len(payment['paid'])]}?"
        found.append(["paying  ", *_card(payment["card"]), f"  {price}"])
    hand = position["hand"]
    if hand is not None:
        cards = hand["cards"]
        count = cards if isinstance(cards, int) else len(cards)
        found.append([f"looked at {count} of level {hand['level']}"])
        if not isinstance(cards, int):
            found += [[f"  hand {number}: ", *_card(card)] for number, card in enumerate(cards)]
    return found


def _seat(scene: Scene, seat: int) -> list[Line]:
    from .seat import done, limits, points, waiting

    position = scene.snapshot
    facts = position["seats"][seat]
    decides = scene.decides(seat)
    name = f"seat {seat}" + (" (you)" if seat == scene.seat else "")
    ring, archive, research = limits(facts)
    head: Line = [
        (f"{name}{' *' if decides else ''}", "bold"),
        f"  {points(facts)} points, {facts['tokens']} in tokens",
    ]
    head += ["  ring ", *_marbles(facts["ring"]), f" of {ring}  archive {len(facts['archive'])} of {archive}"]
    head.append(f"  research {research}")
    found = [head]
    found += [[f"  archive {number}: ", *_card(card)] for number, card in enumerate(facts["archive"])]
    marks: dict[int, Any] = dict.fromkeys(done(scene), (" (used)", "dim")) | dict.fromkeys(waiting(scene), " (waits)")
    cards = [[*_card(card), marks.get(card, "")] for card in facts["built"]]
    for start in range(0, len(cards), _BUILT_IN_A_LINE):
        line: Line = ["  built "]
        for card in cards[start : start + _BUILT_IN_A_LINE]:
            line += [*card, " | "]
        found.append(line[:-1])
    return found


def _card(card: int) -> Line:
    told = ", ".join("".join(_letters(word) for word in line) for line in says(card))
    told = told.replace(", →", " →").replace("→", "->")
    color = int(COLOR[card])
    ink = COLORS[color] if 0 <= color < NUM_COLORS else "bold"
    worth = printed_points(card)
    points = "variable points" if worth == "*" else points_words(int(worth))
    head = f"level {int(LEVEL[card])}, costs {cost_words(card)}, {points}:" if color >= 0 else "start:"
    return [f"#{card} ", (head, ink), f" {told}"]


def _letters(word: str | int | Sign) -> str:
    if isinstance(word, Sign):
        return word.text
    return word if isinstance(word, str) else LETTERS[word]


def _marbles(counts: Mapping[str, int]) -> Line:
    line: Line = []
    for color, letter in zip(COLORS, LETTERS, strict=True):
        line += [" " if line else "", (f"{counts[color]}{letter}", color)]
    return line
