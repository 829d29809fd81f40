"""The activation of one Device: cubes flow from its hoppers to its packers (B32-B39, B53)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tests.support.reference.bdgame_cards import COLORS, PARTS, PORTS, Cubes, add, no_cubes, take, total
from tests.support.reference.bdgame_workshop import Card, Workshop


@dataclass
class Question:
    """B53: what a splitter ("split") or a pause card ("hold") asks."""

    ask: str
    x: int
    y: int
    arrived: Cubes
    color: str | None = None  # the color a splitter asks for
    up: Cubes = field(default_factory=no_cubes)  # what goes up of the colors before


class Activation:
    """One Device at work. Bank and made are the game's own and change as the cubes move."""

    def __init__(self, workshop: Workshop, device: list[Card], bank: Cubes, made: Cubes) -> None:
        self.workshop = workshop
        self.device = device
        self.bank = bank
        self.made = made
        self.waiting: dict[tuple[int, int, str], Cubes] = {}  # cubes at inlets, by x, y, port
        self.question: Question | None = None

    # ---- start and restart --------------------------------------------------------------------------

    def start(self) -> None:
        """B32: all cubes leave the hoppers at once; then the cards work as far as the first question."""
        for card in self.device:
            if card.kind == "hopper":
                cubes, card.cubes = card.cubes, no_cubes()
                self.send(card, "mid", cubes)
        self.go_on()

    @classmethod
    def restore(cls, workshop: Workshop, bank: Cubes, made: Cubes, pending: dict[str, Any]) -> Activation:
        """An activation that waits for an answer, from the snapshot's `pending`."""
        x, y = pending["x"], pending["y"]
        activation = cls(workshop, workshop.device_of(workshop.cards[x, y]), bank, made)
        for item in pending["flow"]:
            activation.waiting[item["x"], item["y"], item["port"]] = no_cubes() | item["cubes"]
        question = Question(pending["ask"], x, y, no_cubes() | pending["arrived"])
        if question.ask == "split":
            question.color = pending["color"]
            question.up = no_cubes() | pending["up"]
        activation.question = question
        return activation

    def pending(self) -> dict[str, Any] | None:
        """The snapshot's `pending`."""
        question = self.question
        if question is None:
            return None
        data: dict[str, Any] = {"ask": question.ask, "x": question.x, "y": question.y}
        if question.ask == "split":
            data["color"] = question.color
        data["arrived"] = dict(question.arrived)
        if question.ask == "split":
            data["up"] = dict(question.up)
        spots = sorted(self.waiting, key=lambda spot: (spot[0], spot[1], PORTS.index(spot[2])))
        data["flow"] = [{"x": x, "y": y, "port": port, "cubes": dict(self.waiting[x, y, port])} for x, y, port in spots]
        return data

    # ---- the flow -----------------------------------------------------------------------------------

    def send(self, card: Card, port: str, cubes: Cubes) -> None:
        """B14: cubes that leave by an outlet wait at the inlet connected to it."""
        if total(cubes):
            target, inlet = self.workshop.inlet_at[card.junction("out", port)]
            add(self.waiting.setdefault((target.x, target.y, inlet), no_cubes()), cubes)

    def next_card(self) -> Card | None:
        """B32: the next card to work: leftmost column first, in it from y = 0 downwards.

        A pause card that still holds a cube from an earlier turn works too, even if nothing arrived (B37).
        """
        cells = {(x, y) for x, y, _ in self.waiting}
        cells |= {(card.x, card.y) for card in self.device if card.held and not card.fresh}
        return self.workshop.cards[min(cells)] if cells else None

    def go_on(self) -> None:
        """Let the cards work until one of them asks or none is left."""
        while self.question is None:
            card = self.next_card()
            if card is None:
                return
            self.work(card)

    def work(self, card: Card) -> None:
        """Let one card deal with all that arrived at it."""
        part = PARTS[card.kind]
        arrived = {port: self.waiting.pop((card.x, card.y, port), no_cubes()) for port in part.inlets}
        everything = no_cubes()
        for cubes in arrived.values():
            add(everything, cubes)
        if part.special:
            self.special(card, arrived, everything)
        elif card.kind == "packer":  # B39
            add(self.made, everything)
        elif card.kind == "pause":
            self.pause(card, everything)
        elif card.kind == "splitter":
            self.question = Question("split", card.x, card.y, everything)
            self.ask_for_color(0)
        else:  # B34: straight, bends and joiner have one outlet
            self.send(card, part.outlets[0], everything)

    def special(self, card: Card, arrived: dict[str, Cubes], everything: Cubes) -> None:
        """B33, B36: how often the card works, by what arrived and by what the bank can supply."""
        part = PARTS[card.kind]
        assert part.needs is not None and part.gives is not None
        times = min(
            arrived[port][color] // need for port, needs in part.needs.items() for color, need in needs.items() if need
        )
        add(self.bank, everything)
        for color in COLORS:
            each = sum(gives[color] for gives in part.gives.values())
            if each:
                times = min(times, self.bank[color] // each)
        for port, gives in part.gives.items():
            products = {color: times * gives[color] for color in COLORS}
            take(self.bank, products)
            self.send(card, port, products)

    # ---- pause --------------------------------------------------------------------------------------

    def pause(self, card: Card, arrived: Cubes) -> None:
        """B37: the cube held from an earlier turn leaves; then one of those that arrived may be held."""
        if card.held:
            self.send(card, "mid", no_cubes() | {card.held: 1})
            card.held = None
        if total(arrived):
            self.question = Question("hold", card.x, card.y, arrived)

    def hold_answers(self) -> list[str]:
        """B53: the colors that arrived, or none."""
        assert self.question is not None
        return [color for color in COLORS if self.question.arrived[color]] + ["none"]

    def hold(self, answer: str) -> None:
        """B37: hold back one cube or none; the others pass on."""
        assert self.question is not None
        card, passing = self.workshop.cards[self.question.x, self.question.y], self.question.arrived
        if answer != "none":
            take(passing, no_cubes() | {answer: 1})
            card.held, card.fresh = answer, True
        self.question = None
        self.send(card, "mid", passing)
        self.go_on()

    # ---- splitter -----------------------------------------------------------------------------------

    def split_answers(self) -> list[int]:
        """B35, B53: the numbers of cubes of the color asked for that may go up."""
        question = self.question
        assert question is not None and question.color is not None
        later = COLORS[COLORS.index(question.color) + 1 :]
        number, open_later = total(question.arrived), sum(question.arrived[color] for color in later)
        answers = []
        for n in range(question.arrived[question.color] + 1):
            up = total(question.up) + n
            can_go_up = up + open_later >= 1
            can_go_down = up <= number - 1
            if number == 1 or (can_go_up and can_go_down):
                answers.append(n)
        return answers

    def ask_for_color(self, first: int) -> None:
        """B53: find the next color with a choice, from color number `first` on; settle the forced ones."""
        question = self.question
        assert question is not None
        for color in COLORS[first:]:
            if question.arrived[color]:
                question.color = color
                answers = self.split_answers()
                if len(answers) > 1:
                    return
                question.up[color] = answers[0]
        card = self.workshop.cards[question.x, question.y]
        down = dict(question.arrived)
        take(down, question.up)
        self.question = None
        self.send(card, "up", question.up)
        self.send(card, "down", down)

    def split(self, n: int) -> None:
        """B35: n cubes of the color asked for go up."""
        assert self.question is not None and self.question.color is not None
        self.question.up[self.question.color] = n
        self.ask_for_color(COLORS.index(self.question.color) + 1)
        self.go_on()
