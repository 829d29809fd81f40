"""Why an element of the table of Nicodemus stands for no legal move now."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ....render.scene import Scene
from ....render.wording import Reason
from ..cards import COST, KINDS, RESOURCES, SYMBOL, SYMBOLS
from .cards import needs
from .words import cost, fee, project

FOREIGN = Reason("This belongs to your opponent.", "N3.1")
_TURN = ("turn",)
_PLAYS = Reason("Finish what you have begun first.", "N3.1")
# Moves that belong to certain phases.
ONLY = {
    "charcoalium": (_TURN, _PLAYS),
    "produce": (_TURN, _PLAYS),
    "effect": (_TURN, _PLAYS),
    "repair": (_TURN, _PLAYS),
    "pass": (_TURN, _PLAYS),
    "wild": (("wild",), Reason("There is nothing for a wild symbol to replace now.", "N6.4")),
    "pick": (("pick",), Reason("There is no resource to choose now.", "N9.5")),
    "discard": (("hand",), Reason("No effect asks for a machine from your hand.", "N10.1")),
    "target": (("target",), Reason("No effect asks for a machine in the bric-a-brac.", "N10.2")),
    "exchange": (("exchange",), Reason("You can exchange tokens only with the effect of P4.", "N10.4")),
    "keep": (("keep",), Reason("You have drawn no projects to choose from.", "N12.1")),
    "complete": (("projects",), Reason("You complete projects right after a repair.", "N7.1")),
    "partner": (("partner",), Reason("No project asks for another machine.", "N7.2")),
    "done": (("exchange", "projects"), Reason("There is nothing to stop.", "N7.1")),
}
_NOT_IN_HAND = Reason("You have no such machine in hand.", "N4.1")
# Moves about what is not there.
ABSENT = {
    "charcoalium": _NOT_IN_HAND,
    "produce": _NOT_IN_HAND,
    "effect": Reason("You have no such machine in hand, or its effect would do nothing.", "N4.5"),
    "pass": Reason("You can play or repair, so you cannot pass.", "N3.3"),
    "discard": Reason("You have no such machine in hand that would gain anything.", "N10.1"),
    "exchange": Reason("You do not have that token, or there is none of the other to gain.", "N10.4"),
    "wild": Reason("You have none of this left to pay.", "N6.4"),
    "pick": Reason("This cannot be chosen here.", "N9.5"),
    "keep": Reason("You have not drawn this project.", "N12.1"),
    "complete": Reason("Your machines do not match this project, or it is not on offer.", "N7.2"),
    "partner": Reason("You have no such machine for the project.", "N7.2"),
}
_BUSY = {
    "wild": ("You are repairing: choose what the wild symbol replaces.", "N6.4"),
    "pick": ("Choose one of the marked resources.", "N4.4"),
    "hand": ("Choose a machine from your hand to discard.", "N10.1"),
    "target": ("Choose one of the marked machines in the bric-a-brac.", "N10.2"),
    "exchange": ("Stop exchanging tokens first.", "N10.4"),
    "keep": ("Choose one of the two projects you drew.", "N12.1"),
    "projects": ("You have repaired: complete projects, or stop.", "N7.1"),
    "partner": ("Choose a repaired machine for the project.", "N7.2"),
}

# The effects with which a resource is chosen, and where the rules have them.
_PICKS = {"B5": "N9.5", "P1": "N10.1", "P2": "N10.2", "P3": "N10.3", "P5": "N10.5", "R2": "N11.2", "R4": "N11.4"}


def reason(scene: Scene, kind: str, own: bool) -> Reason | None:
    """See `Wording.reason`."""
    position = scene.snapshot
    seat, phase = position["seat"], position["phase"]
    mine = position["seats"][seat]
    if (tile := re.fullmatch(r"(?:project|reserved)-(\d+)", kind)) and phase in ("projects", "turn"):
        number = int(tile[1]) if kind.startswith("reserved") else position["projects"][int(tile[1])]
        return _project(number, phase)
    if phase in _BUSY:
        text, rule = _BUSY[phase]
        if phase == "pick" and (position["left"] or 0) > 1:
            text = "Choose one of the marked resources first; the order makes no difference."
        return Reason(text, _PICKS.get(position["effect"], rule) if phase == "pick" else rule)
    if space := re.fullmatch(r"space-(\d+)", kind):
        return _repair(position, mine, int(space[1]))
    if kind.startswith("reserve-"):
        return Reason("You gain tokens by playing machines.", "N4.4")
    if kind.startswith("workshop"):
        return Reason("Repaired machines make repairs cheaper, and complete projects after a repair.", "N6.3")
    if kind == "project-deck":
        return Reason("The effect of Y1 draws from these projects; a completed one is not replaced.", "N12.1")
    if kind == "deck":
        return Reason("Your hand refills automatically after you play a machine.", "N5.1")
    if kind == "charcoalium":
        return Reason("Charcoalium pays repair fees: one for each machine after the one repaired.", "N6.5")
    if kind in RESOURCES:
        return Reason(f"Your {kind} pays for repairs: choose a machine in the bric-a-brac.", "N6.6")
    if kind == "removed":
        return Reason("These machines are out of the game.", "N13.4")
    if own and kind.startswith("completed"):
        return Reason("Your completed projects: you have scored their points.", "N7.5")
    return None


def _project(number: int | None, phase: str) -> Reason:
    if number is None:
        return Reason("This project is completed; its place stays empty.", "N7.5")
    if phase == "turn":
        return Reason(f"The {project(number)} can be completed only right after a repair.", "N7.1")
    symbols = any(trait in SYMBOLS for _, trait in needs(number))
    wild = " Wild symbols do not count." if symbols else ""
    text = f"Your repaired machines, with the newest among them, do not match the {project(number)}.{wild}"
    return Reason(text, "N7.3.5" if symbols else "N7.2")


def _repair(position: Mapping[str, Any], mine: Mapping[str, Any], space: int) -> Reason:
    row = position["bric_a_brac"]
    if space > len(row):
        return Reason("There is no machine here. Playing one puts it on the first empty space.", "N4.1")
    kind = KINDS.index(row[space - 1]["kind"])
    symbols = [SYMBOLS[SYMBOL[KINDS.index(each)]] for each in mine["workshop"]]
    due = fee(position, position["seat"], space)
    if due > mine["tokens"]["charcoalium"]:
        after = len(row) - space
        lie = "1 machine comes" if after == 1 else f"{after} machines come"
        text = f"{lie} after it, so the fee is {due} charcoalium; you have "
        return Reason(f"{text}{mine['tokens']['charcoalium']}.", "N6.5")
    lacking = [
        name
        for name, n in zip(RESOURCES, COST[kind], strict=True)
        if int(n) - symbols.count(name) > mine["tokens"][name]
    ]
    return Reason(f"The repair costs {cost(kind)}, and you lack {' and '.join(lacking) or 'resources'}.", "N6.6")
