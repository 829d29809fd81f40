"""What seats know of hidden cards (G17.5-G17.8), for the slow reference: lists of small objects, top card first."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(eq=False)
class Place:
    """Where a hidden card lies, as one seat thinks of it; None: nothing is known, no part."""

    batch: set[int] | None = None
    part: object | None = None


@dataclass
class Memory:
    """What one seat knows of one level: of the deck, and of the cards of it in another's hand."""

    deck: list[Place]
    hand: list[Place] = field(default_factory=list)

    @property
    def ranks(self) -> list[Place]:
        return self.hand + self.deck

    def parts(self) -> list[list[Place]]:
        """The places of each part, the part of the lowest place first."""
        found: dict[int, list[Place]] = {}
        for place in reversed(self.ranks):
            if place.part is not None:
                found.setdefault(id(place.part), []).append(place)
        return list(found.values())

    def _swap_to(self, place: Place, card: int) -> None:
        """It turns out which card had this place: in a part, the batch of another place may have been its own."""
        mine = next((each.batch for each in self.ranks if each.batch and card in each.batch), None)
        if mine is place.batch:
            return
        assert place.part is not None, "a card that cannot have been there"
        other = next(each for each in self.ranks if each.part is place.part and each.batch is mine)
        other.batch, place.batch = place.batch, other.batch

    def _left(self, place: Place, card: int) -> None:
        if place.batch is not None:
            place.batch.remove(card)
        self._settle()

    def top_seen(self, card: int) -> None:
        """G17.6: the top card of the deck leaves it before the seat's eyes."""
        place = self.deck[0]
        self._swap_to(place, card)
        del self.deck[0]
        self._left(place, card)

    def shown_from_hand(self, card: int) -> None:
        """G17.6: a card of another's hand is filed, or chosen to be built."""
        place = self.hand[0]
        self._swap_to(place, card)
        del self.hand[0]
        self._left(place, card)

    def taken_by_another(self, number: int) -> None:
        """G17.7: so many cards go from the top into another's hand."""
        self.hand, self.deck = self.deck[:number], self.deck[number:]
        if len({(id(place.batch), id(place.part)) for place in self.hand}) == 1 and self.hand[0].part is None:
            return
        mixed = object()
        touched = {id(place.part) for place in self.hand if place.part is not None}
        for place in self.ranks:
            if place in self.hand or id(place.part) in touched:
                place.part = mixed
        self._settle()

    def put_under_by_another(self) -> None:
        """G17.7: the hand goes under the deck."""
        self.deck += self.hand
        self.hand = []

    def put_under(self, cards: list[int], in_order: bool) -> None:
        """G17.5: the seat puts its own cards there."""
        together = set(cards)
        self.deck += [Place({card} if in_order else together) for card in cards]

    def _settle(self) -> None:
        """G17.7: batches that one part holds wholly are one; a part of one batch is none."""
        for part in self.parts():
            inside = {id(place) for place in part}
            batches = {id(place.batch): place.batch for place in part if place.batch is not None}
            whole = [
                batch
                for key, batch in batches.items()
                if all(id(place) in inside for place in self.ranks if id(place.batch) == key)
            ]
            joined = set().union(*whole)
            for place in part:
                if any(place.batch is batch for batch in whole):
                    place.batch = joined
            if len({id(place.batch) for place in part}) == 1:
                for place in part:
                    place.part = None

    def data(self) -> dict[str, Any] | None:
        """As the snapshot has it."""
        batches = {id(place.batch): sorted(place.batch) for place in self.ranks if place.batch}
        if not batches:
            return None
        labels = {id(place): min(place.batch) if place.batch else 0 for place in self.ranks}
        numbers = dict.fromkeys(labels, 0)
        for number, part in enumerate(self.parts(), 1):
            rising = sorted(labels[id(place)] for place in part)
            for place, label in zip(part, rising, strict=True):
                labels[id(place)], numbers[id(place)] = label, number
        return {
            "batches": sorted(batches.values()),
            "labels": [labels[id(place)] for place in self.ranks],
            "parts": [numbers[id(place)] for place in self.ranks],
        }

    @classmethod
    def of(cls, data: dict[str, Any] | None, deck: int, hand: int) -> Memory:
        """From a snapshot; how many cards the deck and the hidden hand have."""
        if data is None:
            return cls([Place() for _ in range(deck)], [Place() for _ in range(hand)])
        batches = {batch[0]: set(batch) for batch in data["batches"]}
        parts: dict[int, object] = {number: object() for number in data["parts"] if number}
        places = [
            Place(batches.get(label), parts.get(part))
            for label, part in zip(data["labels"], data["parts"], strict=True)
        ]
        return cls(places[hand:], places[:hand])


@dataclass
class Stack:
    """G17.8: cards that went under a deck together; those that nobody is known to know are stacks of none, too."""

    cards: int
    known_to: set[int] = field(default_factory=set)
    order_known_to: int | None = None


@dataclass
class Stacks:
    """The stacks of one deck, top first, and who is known to know the hand that is out of it."""

    stacks: list[Stack]
    hand: set[int] = field(default_factory=set)

    def top_leaves(self) -> None:
        """A card leaves the deck."""
        self.stacks[0].cards -= 1
        if not self.stacks[0].cards:
            del self.stacks[0]

    def taken(self, seat: int, number: int, players: int) -> None:
        """G17.8: a seat takes so many cards; who knows all of them?"""
        self.hand = set(range(players))
        while number:
            stack = self.stacks[0]
            if stack.cards <= number:
                number -= stack.cards
                self.hand &= stack.known_to
                del self.stacks[0]
                continue
            stack.cards -= number
            number = 0
            self.hand &= stack.known_to & {stack.order_known_to}
            stack.known_to &= {seat, stack.order_known_to}
        self.hand -= {seat}

    def put_back(self, seat: int, number: int, in_order: bool) -> None:
        """G17.8: a new stack."""
        if number:
            self.stacks.append(Stack(number, self.hand | {seat}, seat if in_order else None))
        self.hand = set()

    def data(self) -> list[dict[str, Any]]:
        """As the snapshot has it."""
        return [
            {"cards": stack.cards, "known_to": sorted(stack.known_to), "order_known_to": stack.order_known_to}
            for stack in self.stacks
            if stack.known_to
        ]

    @classmethod
    def of(cls, data: list[dict[str, Any]], deck: int, hand: list[int]) -> Stacks:
        """From a snapshot; stacks that are known to nobody lie on top only."""
        stacks = [Stack(one["cards"], set(one["known_to"]), one["order_known_to"]) for one in data]
        rest = deck - sum(stack.cards for stack in stacks)
        return cls([*([Stack(rest)] if rest else []), *stacks], set(hand))
