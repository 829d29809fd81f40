"""A game from an omniscient snapshot (section 11): written, then checked by counting and by reading it back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...core.game import BadSnapshot, Box
from .cards import (
    BASIC,
    COLORS,
    CUBES_OF_A_COLOR,
    HOPPER,
    NUM_BASIC,
    PACKER,
    PORTS,
    SPECIAL_COPIES,
)
from .layout import read_workshop
from .setup import empty_table
from .snapshot import snapshot
from .state import (
    ACT,
    ACTIONS_PER_TURN,
    ASK_HOLD,
    ASK_SPLIT,
    BUILD,
    BUY,
    DISCARD,
    DISMANTLE,
    FRESH,
    HOLD,
    LOAD,
    MAX_OFFERS,
    MAX_SALES,
    NONE,
    OFFER,
    OPEN_BUILD,
    OPEN_BUY,
    OPEN_COLLECT,
    OPEN_DISMANTLE,
    OPEN_LOAD,
    OPEN_NOTHING,
    OPENS,
    OVER,
    PARTS_DECK,
    PHASES,
    PLACE,
    QUEUE,
    RESPOND,
    SPLIT,
)

_OPENS_OF_PHASE = {
    BUY: (OPEN_BUY,),
    PLACE: (OPEN_BUY, OPEN_BUILD),
    BUILD: (OPEN_BUILD,),
    DISMANTLE: (OPEN_DISMANTLE,),
    LOAD: (OPEN_LOAD,),
    DISCARD: (OPEN_NOTHING, OPEN_COLLECT),
}
_STARTING_CARDS = 2


def box_of_snapshot(data: Mapping[str, Any]) -> dict[str, Any]:
    """The options a snapshot was made with.

    Raises:
        BadSnapshot: they are not there.
    """
    if data.get("game") != "bdgame":
        raise BadSnapshot(f"snapshot: game is {data.get('game')!r}, must be 'bdgame'")
    options = data.get("options")
    if not isinstance(options, Mapping) or "players" not in data:
        raise BadSnapshot("snapshot: 'players' or 'options' is missing")
    return {"players": data["players"], **options}


def restore(data: Mapping[str, Any], box: Box, s: Any) -> None:
    """Write the position into `s`, a zeroed record.

    Raises:
        BadSnapshot: in one line, where and why the data is no position of the game.
    """
    if not isinstance(data.get("orders_deck"), Sequence) or not isinstance(data.get("parts_deck"), Sequence):
        raise BadSnapshot("snapshot: the decks are hidden; only omniscient snapshots can be restored")
    try:
        _Writer(data, box, s).write()
    except BadSnapshot:
        raise
    except (KeyError, IndexError, ValueError, TypeError, AttributeError, OverflowError) as error:
        raise BadSnapshot(f"snapshot: not of the documented form: {type(error).__name__}: {error}") from None
    _check_ranges(s, box)
    _check_phase(s)
    _check_counts(s, box)
    difference = _first_difference("snapshot", dict(data), snapshot(s, box, True))
    if difference:
        raise BadSnapshot(difference)


class _Writer:
    """Writes one snapshot into one record."""

    def __init__(self, data: Mapping[str, Any], box: Box, s: Any) -> None:
        self.data, self.box, self.s = data, box, s
        self.kinds = {name: kind for kind, name in enumerate(box.cards.kinds)}
        self.orders = {name: order for order, name in enumerate(box.cards.orders)}

    def write(self) -> None:
        s, data = self.s, self.data
        empty_table(s)
        s.round_number, s.seat = data["round"], data["seat"]
        if not 0 <= int(s.seat) < self.box.players:
            raise BadSnapshot(f"snapshot: seat is {s.seat}, must be 0 to {self.box.players - 1}")
        s.phase = self.number(PHASES, data["phase"], "phase")
        s.opened = OPEN_NOTHING if data["open"] is None else self.number(OPENS, data["open"], "open")
        s.over = s.phase == OVER
        for name in ("actions_left", "credit", "sold", "purchases", "offers"):
            s[name] = data[name]
        s.last_round, s.truncated = data["last_round"], data["truncated"]
        s.bank[:], s.made[:] = self.cubes(data["bank"]), self.cubes(data["made"])
        s.orders_row[:] = [self.order(name) for name in data["orders_row"]]
        s.parts_row[:] = [self.kind(name) for name in data["parts_row"]]
        s.orders_left, s.parts_left = len(data["orders_deck"]), len(data["parts_deck"])
        s.orders_deck[: s.orders_left] = [self.order(name) for name in data["orders_deck"]]
        s.parts_deck[: s.parts_left] = [self.kind(name) for name in data["parts_deck"]]
        s.piles[:] = [data["piles"][kind] for kind in BASIC]
        self.cards(data["bought"], s.bought)
        s.selected = self.kind(data["selected"])
        if len(data["seats"]) != self.box.players:
            raise BadSnapshot(f"snapshot: {len(data['seats'])} seats, but players is {self.box.players}")
        for number, seat in enumerate(data["seats"]):
            self.seat(number, seat)
        self.pending(data["pending"])
        if data["offer"] is not None:
            offer = data["offer"]
            s.offer_from, s.offer_card = offer["from"], self.kind(offer["card"])
            s.offer_to = NONE if offer["to"] is None else offer["to"]
            s.offer_want = self.kind(offer["want"])

    def number(self, names: Sequence[str], name: str, what: str) -> int:
        if name not in names:
            raise BadSnapshot(f"snapshot: {what} is {name!r}; known: {', '.join(names)}")
        return names.index(name)

    def kind(self, name: str | None) -> int:
        if name is not None and name not in self.kinds:
            raise BadSnapshot(f"snapshot: unknown card kind {name!r}")
        return NONE if name is None else self.kinds[name]

    def order(self, name: str | None) -> int:
        if name is not None and name not in self.orders:
            raise BadSnapshot(f"snapshot: unknown order {name!r}")
        return NONE if name is None else self.orders[name]

    def cubes(self, counts: Mapping[str, int]) -> list[int]:
        return [counts[color] for color in COLORS]

    def cards(self, counts: Mapping[str, int], into: Any) -> None:
        for name, count in counts.items():
            into[self.kind(name)] = count

    def seat(self, number: int, data: Mapping[str, Any]) -> None:
        seat = self.s.seats[number]
        seat.points = data["points"]
        seat.storage[:] = self.cubes(data["storage"])
        self.cards(data["hand"], seat.hand)
        if len(data["orders"]) > QUEUE:
            raise BadSnapshot(f"snapshot: seat {number} has {len(data['orders'])} orders in its queue, at most {QUEUE}")
        seat.queue[: len(data["orders"])] = [self.order(name) for name in data["orders"]]
        for rank, name in enumerate(data["fulfilled"], 1):
            self.s.fulfilled_by[self.order(name)] = number
            self.s.fulfilled_as[self.order(name)] = rank
        try:
            workshop = read_workshop(data["workshop"], self.box.cards, f"snapshot: seat {number}")
        except ValueError as error:
            raise BadSnapshot(str(error)) from None
        seat.workshop = workshop[0]

    def pending(self, pending: Mapping[str, Any] | None) -> None:
        if pending is None:
            return
        s = self.s
        flow, workshop = s.flow, s.seats[s.seat].workshop
        flow.ask = ASK_SPLIT if pending["ask"] == "split" else ASK_HOLD
        x, y = pending["x"], pending["y"]
        flow.x, flow.y = x, y
        flow.running = workshop.devices[x, y]
        flow.arrived[:] = self.cubes(pending["arrived"])
        if flow.ask == ASK_SPLIT:
            flow.color = COLORS.index(pending["color"])
            flow.up[:] = self.cubes(pending["up"])
        expected = "splitter" if flow.ask == ASK_SPLIT else "pause"
        if workshop.kinds[x, y] != BASIC.index(expected):
            raise BadSnapshot(f"snapshot: pending asks at ({x}, {y}), where no {expected} lies")
        for entry in pending["flow"]:
            flow.cubes[entry["x"], entry["y"] + PORTS.index(entry["port"])] = self.cubes(entry["cubes"])


def _check_ranges(s: Any, box: Box) -> None:
    """Numbers that the rules bound."""
    players, rounds = box.players, int(box.options["max_rounds"])
    bounds = [("round", s.round_number, 1, rounds)]
    bounds += [("actions_left", s.actions_left, 0, ACTIONS_PER_TURN), ("offers", s.offers, 0, MAX_OFFERS)]
    bounds += [("sold", s.sold, 0, MAX_SALES), ("credit", s.credit, 0, 2**15 - 1)]
    for name in ("offer_from", "offer_to"):
        bounds.append((name.replace("_", "."), s[name], NONE, players - 1))
    for name, value, least, most in bounds:
        if not least <= int(value) <= most:
            raise BadSnapshot(f"snapshot: {name} is {int(value)}, must be {least} to {most}")


def _check_phase(s: Any) -> None:
    """Fields that must go together."""
    phase, opened = PHASES[s.phase], OPENS[s.opened]
    if s.opened not in _OPENS_OF_PHASE.get(int(s.phase), (OPEN_NOTHING,)):
        raise BadSnapshot(f"snapshot: phase {phase!r} does not go with open {opened!r}")
    if (s.phase == PLACE) != (s.selected != NONE):
        raise BadSnapshot(f"snapshot: a card is selected in the phase place, and only there; phase is {phase!r}")
    if (s.phase in (SPLIT, HOLD)) != (s.flow.ask != 0) or (s.flow.ask == ASK_SPLIT) != (s.phase == SPLIT):
        raise BadSnapshot(f"snapshot: phase {phase!r} does not go with what is pending")
    if (s.phase in (OFFER, RESPOND)) != (s.offer_from != NONE):
        raise BadSnapshot(f"snapshot: phase {phase!r} does not go with the offer")
    if s.phase == ACT and not 1 <= s.actions_left <= 3:
        raise BadSnapshot(f"snapshot: phase 'act' with actions_left {s.actions_left}, must be 1 to 3")
    if s.opened != OPEN_BUY and (s.credit or s.sold or s.purchases or s.bought.any()):
        raise BadSnapshot("snapshot: credit, sold, purchases and bought belong to an open Buy action")


def _check_counts(s: Any, box: Box) -> None:
    """B1-B4: no cube and no card is lost or made."""
    seats = [s.seats[number] for number in range(box.players)]
    counts = [s.bank, s.made, s.piles, s.bought, s.flow.cubes, s.flow.arrived, s.flow.up]
    for seat in seats:
        counts += [seat.storage, seat.hand, seat.workshop.loaded]
    if any((np.asarray(count) < 0).any() for count in counts):
        raise BadSnapshot("snapshot: a count is below 0")
    for color, name in enumerate(COLORS):
        cubes = int(s.bank[color]) + int(s.made[color]) + int(s.flow.arrived[color])
        cubes += int(s.flow.cubes[:, :, color].sum())
        for seat in seats:
            held = np.asarray(seat.workshop.held)
            cubes += int(seat.storage[color]) + int(seat.workshop.loaded[:, color].sum())
            cubes += int(((held == color + 1) | (held == color + 1 + FRESH)).sum())
        if cubes != CUBES_OF_A_COLOR:
            raise BadSnapshot(f"snapshot: {cubes} cubes of color {name}, must be {CUBES_OF_A_COLOR} (B1)")
    orders = Counter(int(order) for row in (s.orders_row, s.orders_deck) for order in row if order != NONE)
    orders.update(int(order) for seat in seats for order in seat.queue if order != NONE)
    orders.update(int(order) for order, by in enumerate(s.fulfilled_by) if by != NONE)
    for order, name in enumerate(box.cards.orders):
        if orders[order] != 1:
            raise BadSnapshot(f"snapshot: order {name} is there {orders[order]} times, must be once (B2)")
    for kind, name in enumerate(box.cards.kinds):
        cards = int(s.bought[kind]) + sum(int(seat.hand[kind]) for seat in seats)
        cards += sum(int((np.asarray(seat.workshop.kinds) == kind).sum()) for seat in seats)
        cards += int((s.parts_row == kind).sum()) + int((s.parts_deck[:PARTS_DECK] == kind).sum())
        wanted = SPECIAL_COPIES
        if kind < NUM_BASIC:
            cards += int(s.piles[kind])
            wanted = box.players + 1
            wanted += _STARTING_CARDS * box.players if kind in (HOPPER, PACKER) else 0
        if cards != wanted:
            raise BadSnapshot(f"snapshot: {cards} cards of kind {name}, must be {wanted} (B3, B4)")


def _first_difference(path: str, given: Any, read: Any) -> str:
    """Where the data given differs from the position it was read as; "" if nowhere."""
    if isinstance(read, dict) and isinstance(given, Mapping):
        for key in [*read, *(key for key in given if key not in read)]:
            if key not in given or key not in read:
                return f"{path}: the entry {key!r} is {'missing' if key not in given else 'unknown here'}"
            if found := _first_difference(f"{path}.{key}", given[key], read[key]):
                return found
        return ""
    if isinstance(read, list) and isinstance(given, Sequence) and not isinstance(given, str):
        if len(read) != len(given):
            return f"{path}: {len(given)} entries, of which {len(read)} can be read"
        for index, (one, other) in enumerate(zip(given, read, strict=True)):
            if found := _first_difference(f"{path}[{index}]", one, other):
                return found
        return ""
    return "" if given == read and type(given) is type(read) else f"{path} is {given!r}, but reads as {read!r}"
