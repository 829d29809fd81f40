"""Why an element of the table of Gizmos stands for no legal move now."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ....render.scene import Scene
from ....render.wording import Reason
from ..cards import AMOUNT, BANNED, BANS, CREDIT, CREDITS, LEVEL
from .effects import gift
from .seat import done, limits, waiting
from .words import name, price

FOREIGN = Reason("This belongs to another player.", "G11.11")
# Moves that belong to certain phases.
ONLY = {
    "research": (("main", "chain"), Reason("Research is an action, or triggered by a card.", "G9.1")),
    "keep": (("hand",), Reason("You have not researched any cards.", "G9.3")),
    "draw": (("chain",), Reason("No draw was triggered.", "G12.1")),
    "take": (("chain",), Reason("No points were triggered.", "G11.6")),
    "end": (("main", "chain"), Reason("You have to decide this first.", "G5.1")),
    "pay": (("pay",), Reason("There is nothing to pay: first choose a card to build.", "G8.5")),
    "convert": (("convert",), Reason("There is no converter to choose now.", "G10.1")),
    "under": (("under",), Reason("There are no cards to put under a deck.", "G9.4")),
}
# Moves about what is not there.
ABSENT = {
    "file": Reason("There is no such card to file.", "G6.1"),
    "build": Reason("There is no such card to build.", "G8.1"),
    "draw": Reason("No draw was triggered, or your ring is full.", "G12.1"),
    "take": Reason("No points were triggered.", "G11.6"),
    "end": Reason("You can still act, so you cannot pass.", "G5.3"),
    "pay": Reason("That number would not pay for the card exactly.", "G8.5"),
    "convert": Reason("You have no such converter left, or it does not help here.", "G10.1"),
    "under": Reason("There is no such card to put under the deck.", "G9.4"),
}
_BUSY = {
    "pay": ("You are paying: first choose the marbles.", "G8.5"),
    "convert": ("You are paying: choose a converter.", "G10.1"),
    "hand": ("You have researched: keep one of the cards, or none.", "G9.3"),
    "under": ("Put the cards under the deck first.", "G9.4"),
}


def reason(scene: Scene, kind: str, own: bool) -> Reason | None:
    """See `Wording.reason`."""
    position = scene.snapshot
    seat, phase = position["seat"], position["phase"]
    mine = position["seats"][seat]
    if phase in _BUSY and (phase != "hand" or not kind.startswith("hand")):
        return Reason(*_BUSY[phase])
    if place := re.fullmatch(r"display-(\d)", kind):
        return _display(position, mine, int(place[1]))
    if level := re.fullmatch(r"deck-(\d)", kind):
        return _deck(position, mine, int(level[1]))
    if color := re.fullmatch(r"row-(\w+)", kind):
        return _marble(position, mine, color[1])
    if place := re.fullmatch(r"archive-(\d+)", kind):
        return _archived(position, mine["archive"][int(place[1])])
    if built := re.fullmatch(r"built-(\d+)", kind):
        card = int(built[1])
        if card in waiting(scene):
            use = gift(CREDITS[CREDIT[card]], int(AMOUNT[card])).words
            return Reason(f"This card was triggered: you may {use} this turn.", "G11.1")
        if card in done(scene):
            return Reason("You have used this card this turn.", "G11.1")
        return Reason("Built cards work on their own: when they are triggered, or while you pay.", "G11.1")
    if kind.startswith("dispenser"):
        return Reason("Only triggered cards draw from the dispenser, at random.", "G12.1")
    if kind.startswith("ring"):
        return Reason("Marbles leave your ring only as payment for a card.", "G4.7")
    if kind == "credits":
        return Reason("Your cards have triggered this: use it this turn or let it go.", "G5.2")
    if kind.startswith("hand"):
        return Reason("You can neither pay for this card nor file it.", "G9.3")
    return None


def _banned(mine: Mapping[str, Any], ban: str) -> bool:
    return bool(BANNED[mine["built"]][:, BANS.index(ban)].any())


def _display(position: Mapping[str, Any], mine: Mapping[str, Any], place: int) -> Reason:
    card = position["display"][place]
    if card is None:
        return Reason("The deck of this level is empty, so the place stays empty.", "G3.2")
    if done := _done(position, card):
        return done
    full = "" if len(mine["archive"]) < limits(mine)[1] else " Your archive is full, so you cannot file it either."
    if _banned(mine, "file"):
        full = " One of your cards forbids filing."
    return Reason(_unaffordable(card) + full, "G8.2")


def _archived(position: Mapping[str, Any], card: int) -> Reason:
    return _done(position, card) or Reason(
        f"{_unaffordable(card)} It stays in your archive until you build it.", "G8.2"
    )


def _done(position: Mapping[str, Any], card: int) -> Reason | None:
    """Why a card cannot be built after the action; None before that."""
    if position["phase"] != "chain":
        return None
    if position["credits"].get("free_build") and LEVEL[card] != 1:
        return Reason("The free build is for level-1 cards only.", "G12.5")
    return Reason("Your action is done; now you can only use what it triggered.", "G5.2")


def _unaffordable(card: int) -> str:
    return f"You cannot pay {price(card)} for the {name(card)} with your marbles and converters."


def _deck(position: Mapping[str, Any], mine: Mapping[str, Any], level: int) -> Reason:
    deck = position["decks"][level - 1]
    if not (deck if isinstance(deck, int) else len(deck)):
        return Reason("This deck is empty.", "G9.2")
    if _banned(mine, "research"):
        return Reason("One of your cards forbids researching.", "G13.4")
    return Reason("Your action is done, and no Research was triggered.", "G5.2")


def _marble(position: Mapping[str, Any], mine: Mapping[str, Any], color: str) -> Reason:
    if not position["row"].get(color):
        return Reason(f"There is no {color} marble in the row.", "G7.1")
    most = limits(mine)[0]
    if sum(mine["ring"].values()) >= most:
        return Reason(f"Your ring is full: it holds {most} marbles.", "G7.2")
    return Reason("Your action is done, and no Pick was triggered.", "G5.2")
