"""Bdgame as text: the shop in four lines, a few lines for each player, workshops as grids."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....render.scene import Line, Scene
from ....render.wording import points_words
from ..cards import BASIC, COLORS, NUM_BASIC
from .workshop import Links

INKS = {"Y": "yellow", "R": "red", "B": "blue"}
_WIDE = 12

PHASES = {
    "act": "chooses an action",
    "buy": "buys",
    "place": "places a card",
    "build": "builds",
    "dismantle": "dismantles",
    "load": "loads cubes",
    "discard": "returns cubes",
    "activate": "activates Devices",
    "split": "splits cubes",
    "hold": "may hold a cube",
    "fulfil": "fulfils orders",
    "offer": "makes an offer",
    "respond": "answers an offer",
}


def subtitle(scene: Scene) -> str:
    """The round, and who decides what."""
    position = scene.snapshot
    told = f"round {position['round']}"
    if position["last_round"]:
        told += ", the last"
    if position["phase"] == "over":
        return f"{told}: the game is over" + (" (round limit)" if position["truncated"] else "")
    runs = position["pending"] is not None and position["pending"]["ask"] is None
    told += f": seat {position['seat']} {'runs a Device' if runs else PHASES[position['phase']]}"
    left = position["actions_left"]
    return f"{told}, {left} action{'' if left == 1 else 's'} left" if left else told


def lines(scene: Scene) -> list[Line]:
    """The position, for terminals and logs."""
    position, cards = scene.snapshot, scene.cards
    orders: Line = ["orders "]
    for slot, name in enumerate(position["orders_row"]):
        orders += [f" {slot}: ", *(_order(scene, name) if name else ["-"]), " "]
    parts: Line = ["parts  "]
    for slot, kind in enumerate(position["parts_row"]):
        price = f" for {cards.cost[cards.kinds.index(kind)]}" if kind else ""
        parts.append(f" {slot}: {kind or '-'}{price} ")
    piles = [f"{kind} {position['piles'][kind]}" for kind in BASIC]
    found: list[Line] = [
        [(f"{scene.game.title}, {subtitle(scene)}", "bold")],
        ["letters ", "Y Yellow (worth 1), R Red (2), B Blue (4); c_ converters, s_ splitters, j_ joiners: takes_gives"],
        ["bank    ", *_cubes(position["bank"], every=True)],
        [*orders, f" deck {_size(position['orders_deck'])}"],
        [*parts, f" deck {_size(position['parts_deck'])}"],
        ["piles   ", ", ".join(piles)],
    ]
    found += _open(scene)
    for seat in range(scene.players):
        found += _seat(scene, seat)
    return found


def _open(scene: Scene) -> list[Line]:
    """A line for whatever is open; no line if nothing is."""
    position = scene.snapshot
    told: Line = []
    if position["open"] == "buy":
        told.append(f"credit {position['credit']}  ")
    if position["bought"]:
        told.append(f"bought {_hand(position['bought'])}  ")
    if position["selected"] is not None:
        told.append(f"to place {position['selected']}  ")
    if any(position["made"].values()):
        told += ["made ", *_cubes(position["made"]), "  "]
    pending = position["pending"]
    if pending is not None and pending["ask"]:
        asked = f"{pending['ask']} {pending.get('color', '')}".strip()
        told += [f"{asked} at {pending['x']},{pending['y']}, arrived ", *_cubes(pending["arrived"])]
    offer = position["offer"]
    if offer is not None:
        to = "" if offer["to"] is None else f" to seat {offer['to']}"
        want = "" if offer["want"] is None else f" for {offer['want']}"
        told.append(f"seat {offer['from']} offers {offer['card']}{to}{want}")
    return [["open    ", *told]] if told else []


def _seat(scene: Scene, seat: int) -> list[Line]:
    facts = scene.snapshot["seats"][seat]
    decides = scene.decides(seat)
    name = f"seat {seat}" + (" (you)" if seat == scene.seat else "")
    head: Line = [(f"{name}{' *' if decides else ''}", "bold"), f"  {facts['points']} points  storage "]
    head += [*_cubes(facts["storage"], every=True), "  orders"]
    for place, order in enumerate(facts["orders"]):
        head += [f" {place}: ", *_order(scene, order)]
    head += ["" if facts["orders"] else " none", f"  fulfilled {len(facts['fulfilled'])}"]
    found: list[Line] = [head, [f"  hand: {_hand(facts['hand']) or 'none'}"]]
    return found + _workshop(scene, facts["workshop"])


def _workshop(scene: Scene, cards: list[Mapping[str, Any]]) -> list[Line]:
    """A line for each row y. A card covers two: its name in the first, its cubes in the second. o is an open outlet."""
    if not cards:
        return [["  workshop: empty"]]
    open_outlets = {place for place, _, inlet in Links(scene.cards, cards).open_ports if not inlet}
    columns = range(max(card["x"] for card in cards) + 1)
    upper = {(card["x"], card["y"]): card for card in cards}
    found: list[Line] = [["     ", ("".join(f"{x:<{_WIDE}}" for x in columns), "dim")]]
    for y in range(min(card["y"] for card in cards), max(card["y"] for card in cards) + 2):
        line: Line = [(f"  {y if y < 9 else ' '}  ", "dim")]
        for x in columns:
            line += _cell(scene, upper, open_outlets, x, y)
        found.append(line)
    return found


def _cell(scene: Scene, upper: Mapping[tuple[int, int], Any], unconnected: set[Any], x: int, y: int) -> Line:
    card = upper.get((x, y))
    if card is not None:
        name = f"{card['kind']} {card['slot']}" if "slot" in card else card["kind"]
        ink = "magenta" if scene.cards.kinds.index(card["kind"]) >= NUM_BASIC else "cyan"
        return [(f"{name[: _WIDE - 1]:<{_WIDE}}", ink)]
    card = upper.get((x, y - 1))
    if card is None:
        return [" " * _WIDE]
    held = card.get("cubes") or ({card["held"]: 1} if card.get("held") else {})
    cubes = _cubes(held)
    length = sum(len(piece if isinstance(piece, str) else piece[0]) for piece in cubes)
    mark = "" if card["kind"] == "packer" else "o" if (x, y - 1) in unconnected else ">"
    return [" ", *cubes, f"{mark:>{max(1, _WIDE - 2 - length)}}", " "]


def _cubes(counts: Mapping[str, int], *, every: bool = False) -> Line:
    """Cubes such as 2Y 1R; with `every`, colors without cubes are listed as well."""
    line: Line = []
    for color in COLORS:
        if counts.get(color) or every:
            line += [" " if line else "", (f"{counts[color]}{color}", INKS[color])]
    return line


def _order(scene: Scene, name: str) -> Line:
    number = scene.cards.orders.index(name)
    needs = dict(zip(COLORS, map(int, scene.cards.needs[number]), strict=True))
    return [*_cubes(needs), (f" for {points_words(int(scene.cards.points[number]))}", "green")]


def _hand(cards: Mapping[str, int]) -> str:
    return ", ".join(kind if count == 1 else f"{kind} x{count}" for kind, count in cards.items())


def _size(deck: Any) -> int:
    return deck if isinstance(deck, int) else len(deck)
