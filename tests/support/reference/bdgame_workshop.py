"""The workshop of one player: where cards may lie and what is connected (B12-B19, B28)."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.support.reference.bdgame_cards import PARTS, Cubes, no_cubes, total

COLUMNS = 8  # B12: x = 0..7
CELLS = 9  # B12: y = 0..8
MAX_HOPPERS = 6  # B19
DEPTH = {"up": 0, "mid": 1, "down": 2}  # B13: junction of a port, counted from the card's y

Junction = tuple[int, int]  # (boundary, j); boundary x is the left side of column x


@dataclass
class Card:
    """A Part card in play; slot and cubes belong to hoppers, held and fresh to pause cards."""

    x: int
    y: int
    kind: str
    slot: int | None = None
    cubes: Cubes = field(default_factory=no_cubes)
    held: str | None = None
    fresh: bool = False

    def junction(self, side: str, port: str) -> Junction:
        """B13: the junction of a port; side is "in" (left) or "out" (right)."""
        return (self.x if side == "in" else self.x + 1, self.y + DEPTH[port])

    def inlets(self) -> dict[str, Junction]:
        """The inlets and their junctions."""
        return {port: self.junction("in", port) for port in PARTS[self.kind].inlets}

    def outlets(self) -> dict[str, Junction]:
        """The outlets and their junctions."""
        return {port: self.junction("out", port) for port in PARTS[self.kind].outlets}

    def touched_by(self, j: int) -> bool:
        """B15: does a junction of the neighbouring boundary lie on this card's edge, ends included?"""
        return self.y <= j <= self.y + 2


class Workshop:
    """All cards one player has in play."""

    def __init__(self) -> None:
        self.cards: dict[tuple[int, int], Card] = {}
        # B14: every junction has at most one inlet and at most one outlet: (card, port) by junction
        self.inlet_at: dict[Junction, tuple[Card, str]] = {}
        self.outlet_at: dict[Junction, tuple[Card, str]] = {}

    def in_order(self) -> list[Card]:
        """The cards sorted by x, then y."""
        return [self.cards[cell] for cell in sorted(self.cards)]

    def column(self, x: int) -> list[Card]:
        """The cards of a column."""
        return [card for card in self.cards.values() if card.x == x]

    def hoppers(self) -> dict[int, Card]:
        """The hoppers in play by slot."""
        found = {card.slot: card for card in self.cards.values() if card.slot is not None}
        return {slot: found[slot] for slot in sorted(found)}

    def count(self, kind: str) -> int:
        """How many cards of this kind are in play."""
        return sum(card.kind == kind for card in self.cards.values())

    # ---- placing ------------------------------------------------------------------------------------

    def objection(self, kind: str, x: int, y: int, into_device: bool = False) -> str | None:
        """Why the kind cannot be placed at (x, y), or None if it can.

        into_device: B25, the card must join an existing Device, so column 0 alone is no home for a hopper.
        """
        if not (0 <= x < COLUMNS and 0 <= y < CELLS):
            return "B12: outside the workshop"
        new = Card(x, y, kind)
        inlets, outlets = set(new.inlets().values()), set(new.outlets().values())
        if kind == "hopper":  # B17, B19, B25
            start = x == 0 and not into_device
            if not start and not outlets & self.inlet_at.keys():
                return "B17: the hopper's outlet meets no inlet"
            if self.count("hopper") >= MAX_HOPPERS:
                return "B19: six hoppers are in play"
        elif not inlets & self.outlet_at.keys():  # B17
            return "B17: no inlet meets an outlet"
        if (x == 0 and inlets) or (x == COLUMNS - 1 and outlets):
            return "B16: a port points out of the workshop"
        if any(abs(card.y - y) < 2 for card in self.column(x)):
            return "B12: cards overlap"
        if inlets & self.inlet_at.keys() or outlets & self.outlet_at.keys():
            return "B14: two inlets or two outlets at one junction"
        return self._touches(new, inlets, outlets)

    def _touches(self, new: Card, inlets: set[Junction], outlets: set[Junction]) -> str | None:
        """B15, B15a: judge the new card's ports against its neighbours, and theirs against the new card."""
        for left in self.column(new.x - 1):
            for here in inlets - self.outlet_at.keys():
                if left.touched_by(here[1]):
                    return "B15: an open inlet of the card touches its left neighbour"
            for there in left.outlets().values():
                open_end = there not in inlets and there not in self.inlet_at
                if open_end and new.touched_by(there[1]):
                    return "B15: an open outlet of the left neighbour touches the card"
        for right in self.column(new.x + 1):
            for here in outlets - self.inlet_at.keys():
                if right.touched_by(here[1]):
                    return "B15: an open outlet of the card touches its right neighbour"
            for there in right.inlets().values():
                open_end = there not in outlets and there not in self.outlet_at
                if open_end and new.touched_by(there[1]):
                    return "B15: an open inlet of the right neighbour touches the card"
        return None

    def candidates(self, kind: str) -> list[tuple[int, int]]:
        """B17: the cells at which a port of the kind meets what it needs; for a hopper also column 0."""
        part = PARTS[kind]
        if kind == "hopper":
            cells = {(x - 1, j - DEPTH["mid"]) for x, j in self.inlet_at}
            cells |= {(0, y) for y in range(CELLS)}
        else:
            cells = {(x, j - DEPTH[port]) for x, j in self.outlet_at for port in part.inlets}
        return sorted(cells)

    def places_for(self, kind: str, into_device: bool = False) -> list[tuple[int, int]]:
        """All cells at which the kind can be placed."""
        return [(x, y) for x, y in self.candidates(kind) if self.objection(kind, x, y, into_device) is None]

    def fits_somewhere(self, kind: str, into_device: bool = False) -> bool:
        """Can the kind be placed at all?"""
        return any(self.objection(kind, x, y, into_device) is None for x, y in self.candidates(kind))

    def put(self, card: Card) -> None:
        """Put a card into play without judging the place."""
        self.cards[card.x, card.y] = card
        for port, junction in card.inlets().items():
            self.inlet_at[junction] = (card, port)
        for port, junction in card.outlets().items():
            self.outlet_at[junction] = (card, port)

    def place(self, kind: str, x: int, y: int) -> None:
        """Put a new card into play; B19: a hopper takes the lowest free hopper slot."""
        card = Card(x, y, kind)
        if kind == "hopper":
            taken = self.hoppers()
            card.slot = min(slot for slot in range(MAX_HOPPERS) if slot not in taken)
        self.put(card)

    # ---- removing -----------------------------------------------------------------------------------

    def removable(self) -> list[Card]:
        """B28: the cards none of whose outlets is connected."""
        found = []
        for card in self.in_order():
            if not any(spot in self.inlet_at for spot in card.outlets().values()):
                found.append(card)
        return found

    def remove(self, x: int, y: int) -> Card:
        """Take a card out of play (B28)."""
        card = self.cards.pop((x, y))
        for junction in card.inlets().values():
            del self.inlet_at[junction]
        for junction in card.outlets().values():
            del self.outlet_at[junction]
        return card

    # ---- Devices ------------------------------------------------------------------------------------

    def neighbours(self, card: Card) -> list[Card]:
        """The cards connected to this one (B14)."""
        before = [self.outlet_at[spot][0] for spot in card.inlets().values() if spot in self.outlet_at]
        after = [self.inlet_at[spot][0] for spot in card.outlets().values() if spot in self.inlet_at]
        return before + after

    def device_of(self, card: Card) -> list[Card]:
        """B18: the Device this card belongs to, sorted by x, then y."""
        cells = {(card.x, card.y)}
        todo = [card]
        while todo:
            for other in self.neighbours(todo.pop()):
                if (other.x, other.y) not in cells:
                    cells.add((other.x, other.y))
                    todo.append(other)
        return [self.cards[cell] for cell in sorted(cells)]

    def devices(self) -> list[list[Card]]:
        """B18: all Devices, a card alone being one too."""
        found: list[list[Card]] = []
        for card in self.in_order():
            if not any(card in device for device in found):
                found.append(self.device_of(card))
        return found

    def is_finished(self, device: list[Card]) -> bool:
        """B18: no card of the Device has an unconnected port."""
        return all(
            all(spot in self.outlet_at for spot in card.inlets().values())
            and all(spot in self.inlet_at for spot in card.outlets().values())
            for card in device
        )

    def ready(self) -> dict[int, list[Card]]:
        """B31: the Devices that can be activated, by the lowest hopper slot that holds a cube."""
        found: dict[int, list[Card]] = {}
        named: set[int] = set()
        for slot, hopper in self.hoppers().items():
            if total(hopper.cubes) and slot not in named:
                device = self.device_of(hopper)
                named |= {card.slot for card in device if card.slot is not None}
                if self.is_finished(device):
                    found[slot] = device
        return found

    def largest_device(self) -> int:
        """B46: the number of cards in the largest Device, 0 with nothing in play."""
        return max((len(device) for device in self.devices()), default=0)
