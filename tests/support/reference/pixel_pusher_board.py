"""What one player of Pixel Pusher has: pixels, the machine in six slots, cards in hand."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.support.reference.pixel_pusher_cards import (
    ABILITIES,
    ABILITY_CONVERTERS,
    COLORS,
    CONVERTERS,
    MACHINES,
    RECIPES,
    SLOTS,
)

Card = int | str  # a kind of machine card or the name of an ability card
Pixels = dict[str, int]


def pixels_from(text: str = "", colors: str = COLORS) -> Pixels:
    """Pixels from letters: "RRY"."""
    return {color: text.count(color) for color in colors}


def spread(pixels: Pixels) -> str:
    """Pixels laid out in a row, color by color: "RRGB"."""
    return "".join(color * number for color, number in pixels.items())


def in_hand_order(cards: list[Card]) -> list[Card]:
    """P56: machine cards by kind, then ability cards as the card file lists them."""
    machines = sorted(card for card in cards if isinstance(card, int))
    return [*machines, *(ability for ability in ABILITIES if ability in cards)]


@dataclass
class Slot:
    """P28: one slot of the machine; its type comes from the first card."""

    type: str | None = None
    cards: list[int] = field(default_factory=list)

    def amount(self) -> int:
        """P35: what the collect ends in this slot take together."""
        if self.type in (None, "convert"):
            return 0
        return sum(MACHINES[kind].amount for kind in self.cards)


@dataclass
class Seat:
    """One player."""

    points: int = 0
    pixels: Pixels = field(default_factory=pixels_from)
    slots: list[Slot] = field(default_factory=lambda: [Slot() for _ in range(SLOTS)])
    hand: list[Card] = field(default_factory=list)
    choice: int | None = None
    drafted: list[Card] = field(default_factory=list)
    abilities: list[str] = field(default_factory=list)
    used: list[str] = field(default_factory=list)
    used_abilities: list[str] = field(default_factory=list)
    laid: list[Card] = field(default_factory=list)  # P66: in Build what was drafted at each pick
    played: list[int] = field(default_factory=list)  # P61: in this Build
    asked: int = 0  # P60: own decisions in a secret Convert and Store

    def covers(self, needs: str) -> bool:
        """Are all these pixels here?"""
        return all(self.pixels[color] >= needs.count(color) for color in needs)

    def count(self) -> int:
        """How many pixels there are."""
        return sum(self.pixels.values())

    # ---- install (P28-P30) --------------------------------------------------------------------------

    def objection_to_install(self, kind: int, end: str, slot: Slot) -> str | None:
        """Why this end of the card cannot go into the slot, or nothing."""
        machine = MACHINES[kind]
        if slot.type not in (None, machine.collect if end == "collect" else "convert"):
            return f"the slot has type {slot.type} (P28)"
        if end == "convert" or not machine.cost:
            return None
        if not (self.count() if machine.cost == "?" else self.pixels[machine.cost]):
            return f"no pixel to pay {machine.cost} with (P30)"
        return None

    # ---- what may run short (P44) -------------------------------------------------------------------

    def most_gains(self, any_triple: bool = False) -> dict[str, int]:
        """P44.3: an upper bound of the pixels of each color that this player can gain in Convert and Store."""

        def by_triples(primaries: int) -> int:
            return triples if any_triple else min(triples, primaries // 3)

        ends = self.installed()
        have = self.pixels
        triples, prism = ends.count("triple"), self.abilities.count("prism")
        recolors = len(self.abilities) - prism
        parts = {"C": "GB", "M": "RB", "Y": "RG"}
        splits = {}
        for color in parts:
            splits[color] = min(ends.count(f"split{color}"), have[color] + ends.count(f"mix{color}") + prism + triples)
        total = sum(have[color] for color in "RGB") + 2 * sum(splits.values()) + any_triple * triples
        most = {}
        for color in "RGB":
            from_splits = sum(2 * splits[whole] for whole, made_of in parts.items() if color in made_of)
            most[color] = min(recolors, total) + from_splits + by_triples(total)
        for color, made_of in parts.items():
            by_prism = min(prism, total)
            limits = [
                ends.count(f"mix{color}"),
                (total - by_prism) // 2,
                *(have[part] + most[part] for part in made_of),
            ]
            mixed = min(limits)
            most[color] = by_prism + mixed + by_triples(total - by_prism - 2 * mixed)
        topped = min(total, sum(min(ends.count(f"top{color}"), have[color] + most[color]) for color in parts))
        white = min(ends.count("white"), (total - topped) // 3, *(have[color] + most[color] for color in "RGB"))
        most["W"] = topped + white + by_triples(total - topped - 3 * white)
        return most

    # ---- converters (P40) ---------------------------------------------------------------------------

    def installed(self) -> list[str]:
        """The converters in the machine, one entry for each card."""
        return [MACHINES[kind].converter for slot in self.slots if slot.type == "convert" for kind in slot.cards]

    def ready(self) -> list[str]:
        """The converters, of machine cards and of ability cards, not yet used this round."""
        left = self.installed()
        for converter in self.used:
            left.remove(converter)
        return left + [ABILITY_CONVERTERS[card] for card in self.abilities if card not in self.used_abilities]

    def mark_used(self, recipe: str) -> None:
        """P40: note that a converter with this recipe has been used; it never matters which copy."""
        converter = RECIPES[recipe].converter
        for card in self.abilities:
            if ABILITY_CONVERTERS[card] == converter and card not in self.used_abilities:
                self.used_abilities = [name for name in ABILITIES if name in [*self.used_abilities, card]]
                return
        assert converter in self.ready()
        self.used = sorted([*self.used, converter], key=CONVERTERS.index)
