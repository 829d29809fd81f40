"""Why an element of the table of Bdgame stands for no legal move now."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

from ....render.scene import Scene
from ....render.wording import Reason
from ..cards import COLORS, VALUE
from ..state import QUEUE
from .words import NAMES, cubes, order_name, part_name

FOREIGN = Reason("This belongs to another player.", "B21")
# Moves that belong to certain phases.
ONLY = {
    "place": (("place",), Reason("First select the part to place.", "B30")),
    "activate": (("activate",), Reason("Devices run after your actions.", "B31")),
    "split": (("split",), Reason("No splitter is waiting for an answer.", "B35")),
    "hold": (("hold",), Reason("No pause part is waiting for an answer.", "B37")),
    "discard": (("discard",), Reason("You return cubes only when you have more than 10.", "B44")),
    "offer": (("act", "offer"), Reason("You can make offers only as part of your actions.", "B50")),
    "seat": (("offer",), Reason("First offer a card.", "B50a")),
    "want": (("offer",), Reason("First offer a card.", "B50a")),
    "agree": (("respond",), Reason("Nobody has made you an offer.", "B50a")),
    "refuse": (("respond",), Reason("Nobody has made you an offer.", "B50a")),
}
# Moves about what is not there.
ABSENT = {
    "end": Reason("You have to decide this first.", "B20"),
    "select": Reason("You have no such part in hand.", "B30"),
    "place": Reason("The part does not fit there.", "B17"),
    "remove": Reason("None of your parts starts there.", "B28"),
    "load": Reason("You have no such hopper.", "B29"),
    "activate": Reason("You have no such hopper.", "B31"),
    "split": Reason("Not that many cubes have arrived.", "B35"),
    "hold": Reason("No cube of that color has arrived.", "B37"),
    "discard": Reason("You have no such cube.", "B44"),
    "sell": Reason("You have no such part in hand.", "B49"),
    "offer": Reason("You have no such part in hand.", "B50"),
    "want": Reason("That seat has no such part in hand.", "B50a"),
    "seat": Reason("You cannot offer it to that seat.", "B50a"),
}
_BUSY = {
    "buy": ("Finish buying first.", "B24"),
    "build": ("Finish building first.", "B30"),
    "dismantle": ("Finish dismantling first.", "B28"),
    "load": ("Finish loading first.", "B29"),
    "place": ("First place the part you selected.", "B30"),
    "discard": ("You have more than 10 cubes: return some first.", "B44"),
    "activate": ("Your actions are over; now activate your Devices.", "B20"),
    "split": ("A splitter is waiting for your answer.", "B35"),
    "hold": ("A pause part is waiting for your answer.", "B37"),
    "fulfil": ("Your actions are over; now fulfil your orders.", "B40"),
    "offer": ("Finish your offer first.", "B50a"),
    "respond": ("An offer is waiting for your answer.", "B50a"),
}


def reason(scene: Scene, kind: str, own: bool) -> Reason | None:
    """See `Wording.reason`."""
    position = scene.snapshot
    seat, phase = position["seat"], position["phase"]
    for start, why in (_OWN if own else _COMMON).items():
        if kind.startswith(start):
            return why(scene, kind.removeprefix(start).lstrip("-"), phase, position["seats"][seat])
    return None


def _busy(phase: str, but: str = "act") -> Reason | None:
    return Reason(*_BUSY[phase]) if phase not in ("act", but) and phase in _BUSY else None


def _order(scene: Scene, rest: str, phase: str, mine: Mapping[str, Any]) -> Reason | None:
    if rest.isdecimal() and scene.snapshot["orders_row"][int(rest)] is None:
        return Reason("There is no order here: the deck is empty.", "B23")
    if phase == "act" and len(mine["orders"]) >= QUEUE:
        return Reason(f"You already have {QUEUE} orders, the most you can hold. Fulfil one first.", "B23")
    return _busy(phase)


def _own_order(scene: Scene, rest: str, phase: str, mine: Mapping[str, Any]) -> Reason | None:
    if int(rest) >= len(mine["orders"]):
        return Reason("No order here yet: accept one from the row above.", "B23")
    name = mine["orders"][int(rest)]
    if phase in ("fulfil", "activate"):
        made = scene.snapshot["made"]
        return Reason(f"The {order_name(scene.cards, name)} needs more than you made ({cubes(made)}).", "B40")
    return Reason("You fulfil orders after your Devices have run, with the cubes made this turn.", "B40")


def _market(scene: Scene, rest: str, phase: str, mine: Mapping[str, Any]) -> Reason | None:
    kind = scene.snapshot["parts_row"][int(rest)] if rest.isdecimal() else rest
    if kind is None:
        return Reason("No part here: empty places are refilled when a Buy ends.", "B26")
    return _price(scene, kind, f"buy {rest}", phase, mine)


def _pile(scene: Scene, rest: str, phase: str, mine: Mapping[str, Any]) -> Reason | None:
    if rest in scene.snapshot["piles"] and not scene.snapshot["piles"][rest]:
        return Reason(f"No {part_name(scene.cards, rest)} is left; basic piles are not refilled.", "B26")
    return _price(scene, rest, f"buy {rest}", phase, mine)


def _price(scene: Scene, kind: str, buy: str, phase: str, mine: Mapping[str, Any]) -> Reason | None:
    if busy := _busy(phase, "buy"):
        return busy
    cost, credit = int(scene.cards.cost[scene.cards.kinds.index(kind)]), scene.snapshot["credit"]
    stored = sum(VALUE[k] * mine["storage"][color] for k, color in enumerate(COLORS))
    name = part_name(scene.cards, kind)
    if cost > credit + stored:
        return Reason(f"The {name} costs {cost}; all your cubes are worth only {credit + stored}.", "B24")
    paid = payment(mine["storage"], cost - credit)
    moves = [f"pay {color}" for color, count in paid.items() for _ in range(count)]
    possible = moves and moves[0] in scene.legal  # nothing is left to pay where another seat buys
    way = ((*moves, buy), f"Pay {cubes(paid)} and buy it") if possible else ()
    return Reason(f"The {name} costs {cost}: first pay cubes from your storage.", "B24", *way)


def payment(storage: Mapping[str, int], price: int) -> dict[str, int]:
    """The cubes that pay a price with the least lost (B24), and of these ways the one with the most cheap cubes."""
    ways = product(*(range(storage[color] + 1) for color in COLORS))
    worths = ((sum(n * value for n, value in zip(way, VALUE, strict=True)), way) for way in ways)
    _, best = min((worth, tuple(-n for n in way)) for worth, way in worths if worth >= price)
    return {color: -n for color, n in zip(COLORS, best, strict=True) if n}


def _clear(scene: Scene, rest: str, phase: str, mine: Mapping[str, Any]) -> Reason | None:
    return _busy(phase) or Reason("You can clear the row only with a card in it and an action left.", "B27")


def _bank(scene: Scene, rest: str, phase: str, mine: Mapping[str, Any]) -> Reason | None:
    if rest != "Y":
        return Reason(f"You can collect only Yellow; {NAMES.get(rest, 'this')} is made by Devices.", "B22")
    return _busy(phase) or Reason("The bank has no Yellow.", "B22")


def _storage(scene: Scene, rest: str, phase: str, mine: Mapping[str, Any]) -> Reason | None:
    if busy := _busy(phase, "buy"):
        return busy
    if not mine["storage"].get(rest):
        return Reason(f"You have no {NAMES[rest]} in storage.", "B24")
    if phase == "buy":
        return Reason("Your credit already covers every card you could still afford.", "B24")
    return Reason("All your cubes together are worth less than the cheapest card on sale.", "B24")


def _hand(scene: Scene, rest: str, phase: str, mine: Mapping[str, Any]) -> Reason | None:
    if phase == "buy":
        return Reason("Finish buying first: cards of your hand are placed with a Build action.", "B25")
    if busy := _busy(phase, "build"):
        return busy
    name = part_name(scene.cards, rest) if rest in scene.cards.kinds else "part"
    return Reason(f"The {name} fits nowhere: it must connect to a card in play without touching others.", "B17")


def _bought(scene: Scene, rest: str, phase: str, mine: Mapping[str, Any]) -> Reason | None:
    name = part_name(scene.cards, rest) if rest in scene.cards.kinds else "part"
    return _busy(phase, "buy") or Reason(f"The {name} fits none of your Devices; you can build it later.", "B25")


def _hopper(scene: Scene, rest: str, phase: str, mine: Mapping[str, Any]) -> Reason | None:
    if phase == "activate":
        text = "Only a finished Device with a cube on a hopper can run, and only once a turn."
        return Reason(text, "B31")
    if phase in ("act", "load") and not any(mine["storage"].values()):
        return Reason("You have no cubes in storage to load.", "B29")
    return _busy(phase, "load")


def _workshop(scene: Scene, rest: str, phase: str, mine: Mapping[str, Any]) -> Reason | None:
    if phase == "place":
        name = part_name(scene.cards, scene.snapshot["selected"])
        return Reason(f"The {name} does not fit here; the spots where it does are marked.", "B17")
    return _busy(phase, "build") or Reason("Parts go here: select one from your hand, or one you just bought.", "B30")


def _open_end(scene: Scene, rest: str, phase: str, mine: Mapping[str, Any]) -> Reason | None:
    return Reason("This port is open: until it is connected, the Device cannot run.", "B18")


def _flow(scene: Scene, rest: str, phase: str, mine: Mapping[str, Any]) -> Reason | None:
    return Reason("These cubes are on their way: they move on once you answer.", "B35")


def _deck(scene: Scene, rest: str, phase: str, mine: Mapping[str, Any]) -> Reason | None:
    return Reason("You can accept only face-up orders; the deck refills their row.", "B23")


def _made(scene: Scene, rest: str, phase: str, mine: Mapping[str, Any]) -> Reason | None:
    return Reason("You made these cubes this turn: they fulfil orders, and the rest go to storage.", "B39")


def _selected(scene: Scene, rest: str, phase: str, mine: Mapping[str, Any]) -> Reason | None:
    return Reason("This is the part you are placing: choose one of the marked spots.", "B30")


def _card(scene: Scene, rest: str, phase: str, mine: Mapping[str, Any]) -> Reason | None:
    if phase in ("act", "dismantle"):
        return Reason("You can take it back only when nothing is connected to its outlets.", "B28")
    return _busy(phase, "dismantle")


# By the beginning of an element's name: the first that fits, so "orders-deck" stands before "order".
_COMMON = {
    "orders-deck": _deck,
    "order": _order,
    "market": _market,
    "parts-deck": _clear,
    "pile": _pile,
    "bank": _bank,
    "bought": _bought,
    "selected": _selected,
    "made": _made,
}
_OWN = {
    "order": _own_order,
    "storage": _storage,
    "hand": _hand,
    "hopper": _hopper,
    "card": _card,
    "open": _open_end,
    "flow": _flow,
    "workshop": _workshop,
}
