"""A slow and plain implementation of Gizmos, written to be compared with a faster one.

Paragraph numbers (G1.1, D2.1, ...) are those of the game's rules. The cards are in gizmos_cards, payments in
gizmos_payment.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.support.reference.game import ReferenceGame
from tests.support.reference.gizmos_cards import (
    ARCHIVE,
    CARDS,
    COLORS,
    DISPLAY,
    END_CARDS,
    END_LEVEL_3,
    LEVEL_3_IN_PLAY,
    MARBLES,
    RESEARCH,
    RING,
    ROW,
    Card,
)
from tests.support.reference.gizmos_memory import Memory, Stacks
from tests.support.reference.gizmos_payment import amounts, payable, smallest_sets

TYPES = [  # D2.3
    *(f"{color}-any" for color in COLORS),
    *(f"2{color}-any" for color in COLORS),
    *(f"{color}-2{color}" for color in COLORS),
    *("any-any", "red-2red+black-2black", "blue-2blue+yellow-2yellow"),
]
CREDITS = ("draw", "pick", "file", "free_build", "research", "points")  # D3.1

Marbles = dict[str, int]


def no_marbles() -> Marbles:
    """An empty multiset of marbles, all four colors listed."""
    return dict.fromkeys(COLORS, 0)


def total(marbles: Marbles) -> int:
    """How many marbles these are."""
    return sum(marbles.values())


@dataclass
class Seat:
    """What one player has."""

    ring: Marbles = field(default_factory=no_marbles)
    archive: list[int] = field(default_factory=list)  # ascending, as built (D2.4)
    built: list[int] = field(default_factory=list)
    spent: set[int] = field(default_factory=set)  # D3.1: cards triggered this turn
    used: set[int] = field(default_factory=set)  # G10.2: converters used this turn
    tokens: int = 0

    def effects(self, name: str) -> list[list[str]]:
        """What follows the name in the effects of the built cards: "limits 1 1 0" gives ["1", "1", "0"]."""
        texts = [CARDS[number].effect.split() for number in self.built]
        return [words[1:] for words in texts if words[0] == name]

    def limit(self, which: int) -> int:
        """G13.2: the limit of the ring (0), the archive (1) or research (2)."""
        return (RING, ARCHIVE, RESEARCH)[which] + sum(int(numbers[which]) for numbers in self.effects("limits"))

    def forbidden(self, action: str) -> bool:
        """G13.4: does a built card forbid this action?"""
        return [action] in self.effects("forbid")

    def discount(self, card: Card, source: str) -> int:
        """G13.3: by how much the number to pay may be lowered."""
        scopes = self.effects("discount")
        lowered = 0
        if card.level == 2:
            lowered += scopes.count(["level2"])
        if source == "archive":
            lowered += scopes.count(["archive"])
        if source == "hand":
            lowered += scopes.count(["research"])
        return lowered

    def can_file(self) -> bool:
        """G6.2: is there room in the archive, and is no File forbidden?"""
        return len(self.archive) < self.limit(1) and not self.forbidden("file")

    def has_room(self) -> bool:
        """G4.6: is the ring below its limit?"""
        return total(self.ring) < self.limit(0)

    def ring_pool(self) -> tuple[int, ...]:
        """The ring's marbles by color."""
        return tuple(self.ring[color] for color in COLORS)

    def converters(self) -> list[Card]:
        """G10.2: the converters that can still be used this turn, in order of number."""
        return [CARDS[n] for n in self.built if CARDS[n].kind == "convert" and n not in self.used]

    def converter_types(self) -> list[str]:
        """D2.3: their types."""
        return [card.type_name for card in self.converters()]

    def level_3_built(self) -> int:
        """G14.1: how many level-3 cards are built."""
        return sum(CARDS[number].level == 3 for number in self.built)

    def score(self) -> int:
        """G15.1, G13.5: points of built cards, tokens, scorers."""
        points = sum(CARDS[number].points for number in self.built) + self.tokens
        points += self.effects("score").count(["ring"]) * total(self.ring)
        points += self.effects("score").count(["tokens"]) * self.tokens
        return points


@dataclass
class Hand:
    """G9.1: the cards looked at in a Research, ascending."""

    level: int
    cards: list[int]


@dataclass
class Payment:
    """D4: a Build that is being paid for; the amounts go by color, in the order of COLORS."""

    card: int
    source: str  # display, archive or hand
    place: int
    least: int
    most: int
    paid: list[int] = field(default_factory=list)
    converters: list[str] = field(default_factory=list)  # types named so far


class Reference(ReferenceGame):
    """One game of Gizmos. Make it with `new` or `from_snapshot`."""

    def __init__(self, players: int, max_rounds: int, rules: str = "printed") -> None:
        if players not in (2, 3, 4):
            raise ValueError(f"2 to 4 players, not {players}")
        if rules not in ("printed", "quick"):
            raise ValueError(f'rules is "printed" or "quick", not {rules!r}')
        self.players = players
        self.quick = rules == "quick"  # D3.5, D3.6
        self.max_rounds = max_rounds  # D6.1
        self.rules = rules  # D3.7
        self.round = 1
        self.seat = 0  # whose turn it is; no one else ever decides (G11.11)
        self.phase = "main"
        self.last_round = False
        self.truncated = False
        self.passes = 0
        self.rng = 0
        self.row: Marbles = no_marbles()
        self.dispenser: Marbles = no_marbles()
        self.display: list[int | None] = []
        self.decks: list[list[int]] = [[], [], []]  # top card first
        self.removed: list[int] = []
        self.credits = dict.fromkeys(CREDITS, 0)
        self.hand: Hand | None = None
        self.kept: str | None = None  # what was done with a researched card: "file", "build" or nothing
        self.kept_card = -1
        self.memories: list[list[Memory]] = []  # by seat and level
        self.stacks: list[Stacks] = []
        self.under: list[int] = []
        self.payment: Payment | None = None
        self.seats = [Seat() for _ in range(players)]

    # ---- setup --------------------------------------------------------------------------------------

    @classmethod
    def new(
        cls,
        players: int,
        decks: Sequence[Sequence[int]],
        rng: int,
        *,
        rules: str = "printed",
        max_rounds: int = 100,
    ) -> Reference:
        """G2: the beginning of a game with three decks of 36 cards, already shuffled, top card first."""
        game = cls(players, max_rounds, rules)
        game.rng = rng
        game.decks = [list(deck) for deck in decks]
        game.decks[2], game.removed = game.decks[2][:LEVEL_3_IN_PLAY], sorted(game.decks[2][LEVEL_3_IN_PLAY:])  # G2.3
        game.display = [game.decks[level - 1].pop(0) for level in DISPLAY]  # G2.4
        game.dispenser = dict.fromkeys(COLORS, MARBLES)
        game._fill_row()  # G2.5
        for number, seat in enumerate(game.seats):
            seat.built = [number]  # G2.2
        sizes = [len(deck) for deck in game.decks]
        game.memories = [[Memory.of(None, size, 0) for size in sizes] for _ in range(players)]
        game.stacks = [Stacks.of([], size, []) for size in sizes]
        return game

    # ---- snapshot -----------------------------------------------------------------------------------

    def snapshot(self, omniscient: bool = True) -> dict[str, Any]:
        """The whole position as plain data; without omniscience, without what G17.3 and G17.4 hide."""
        data: dict[str, Any] = {
            "game": "gizmos",
            "players": self.players,
            "options": {"rules": self.rules, "max_rounds": self.max_rounds},
            "round": self.round,
            "seat": self.seat,
            "phase": self.phase,
            "last_round": self.last_round,
            "truncated": self.truncated,
            "passes": self.passes,
        }
        if omniscient:
            data["rng"] = str(self.rng)
        data["row"] = dict(self.row)
        data["dispenser"] = dict(self.dispenser)
        data["display"] = list(self.display)
        data["decks"] = [list(deck) if omniscient else len(deck) for deck in self.decks]
        data["stacks"] = [stacks.data() for stacks in self.stacks]
        data["removed"] = list(self.removed) if omniscient else len(self.removed)
        data["known"] = [[memory.data() for memory in memories] if omniscient else None for memories in self.memories]
        data["credits"] = dict(self.credits)
        data["hand"] = self._hand_data(omniscient)
        data["under"] = list(self.under) if omniscient else len(self.under)
        data["kept"] = self.kept and {"as": self.kept, "card": self.kept_card}
        data["payment"] = None
        if self.payment is not None:
            pay = self.payment
            data["payment"] = {
                "card": pay.card,
                "source": pay.source,
                "place": pay.place if omniscient or pay.source != "hand" else None,
                "least": pay.least,
                "most": pay.most,
                "paid": list(pay.paid),
                "converters": list(pay.converters),
            }
        me = self.seats[self.seat]
        data["spent"] = [number for number in me.built if number in me.spent]
        data["used"] = [number for number in me.built if number in me.used]
        data["seats"] = [
            {
                "ring": dict(seat.ring),
                "archive": list(seat.archive),
                "built": list(seat.built),
                "tokens": seat.tokens,
            }
            for seat in self.seats
        ]
        return data

    def _hand_data(self, omniscient: bool) -> dict[str, Any] | None:
        if self.hand is None:
            return None
        cards = self.hand.cards
        known_to = sorted(self.stacks[self.hand.level - 1].hand) if self._hidden_in_hand() else []
        return {"level": self.hand.level, "cards": list(cards) if omniscient else len(cards), "known_to": known_to}

    def _hidden_in_hand(self) -> int:
        """G17.4: how many researched cards only the researcher sees."""
        assert self.hand is not None
        open_card = self.payment is not None and self.payment.source == "hand"
        return len(self.hand.cards) + len(self.under) - open_card

    @classmethod
    def from_snapshot(cls, data: dict[str, Any]) -> Reference:
        """The game in the position of an omniscient snapshot."""
        if any(isinstance(deck, int) for deck in data["decks"]) or "rng" not in data:
            raise ValueError("a snapshot without the order of the decks cannot be played on")
        options = data["options"]
        game = cls(data["players"], **options)
        for name in ("round", "seat", "phase", "last_round", "truncated", "passes"):
            setattr(game, name, data[name])
        game.rng = int(data["rng"])
        game.row, game.dispenser = no_marbles() | data["row"], no_marbles() | data["dispenser"]
        game.display = list(data["display"])
        game.decks = [list(deck) for deck in data["decks"]]
        game.removed, game.under = list(data["removed"]), list(data["under"])
        game.credits = dict.fromkeys(CREDITS, 0) | data["credits"]
        if data["hand"] is not None:
            game.hand = Hand(data["hand"]["level"], list(data["hand"]["cards"]))
        if data["kept"] is not None:
            game.kept, game.kept_card = data["kept"]["as"], data["kept"]["card"]
        if data["payment"] is not None:
            item = data["payment"]
            game.payment = Payment(**(item | {"paid": list(item["paid"]), "converters": list(item["converters"])}))
        for level in (1, 2, 3):
            here = game.hand is not None and game.hand.level == level
            hand = game._hidden_in_hand() if here else 0
            size = len(game.decks[level - 1])
            game.stacks.append(Stacks.of(data["stacks"][level - 1], size, data["hand"]["known_to"] if here else []))
            for seat in range(game.players):
                game.memories.append([]) if level == 1 else None
                known = data["known"][seat][level - 1]
                game.memories[seat].append(Memory.of(known, size, hand if seat != game.seat else 0))
        for seat, item in zip(game.seats, data["seats"], strict=True):
            seat.ring = no_marbles() | item["ring"]
            seat.archive, seat.built = list(item["archive"]), list(item["built"])
            seat.tokens = item["tokens"]
        me = game.seats[game.seat]
        me.spent, me.used = set(data["spent"]), set(data["used"])
        return game

    # ---- the outcome --------------------------------------------------------------------------------

    def points(self) -> list[int]:
        """G15: the score of each seat, as it stands."""
        return [seat.score() for seat in self.seats]

    def ranks(self) -> list[int]:
        """G16.1: the place of each seat; points, built cards, marbles, the later in turn order. No ties are left."""
        scores = [(seat.score(), len(seat.built), total(seat.ring), turn) for turn, seat in enumerate(self.seats)]
        return [1 + sum(other > score for other in scores) for score in scores]

    # ---- chance ---------------------------------------------------------------------------------------

    def _random_marble(self) -> str:
        """G4.2: a marble rolls out of the dispenser, each equally likely."""
        number = self._below(total(self.dispenser))
        for color in COLORS:
            if number < self.dispenser[color]:
                self.dispenser[color] -= 1
                return color
            number -= self.dispenser[color]
        raise AssertionError("more marbles counted than there are")

    def _fill_row(self) -> None:
        """G4.1, G4.4: marbles roll out until six lie in the row or none is left."""
        while total(self.row) < ROW and total(self.dispenser):
            self.row[self._random_marble()] += 1

    # ---- what is legal (D2) -------------------------------------------------------------------------

    def _me(self) -> Seat:
        return self.seats[self.seat]

    def _moves_in_main(self) -> list[str]:
        """G5.1: one of the four actions; G5.3: a pass if there is none."""
        moves = self._files() + self._picks() + self._researches()
        for source, place, number in self._open_cards():
            if self._payable(number, source):
                moves.append(self._build_text(source, place))
        return moves or ["end"]

    def _moves_in_chain(self) -> list[str]:
        """G11, G12: what the credits allow, and `end`."""
        moves = ["end"]
        me = self._me()
        if self.credits["file"]:  # G12.4
            moves += self._files()
        if self.credits["pick"]:  # G12.2
            moves += self._picks()
        if self.credits["research"]:  # G12.6
            moves += self._researches()
        if self.credits["free_build"]:  # G12.5
            level_1 = [(source, place) for source, place, number in self._open_cards() if CARDS[number].level == 1]
            moves += [self._build_text(source, place) for source, place in level_1]
        if self.credits["draw"] and me.has_room() and total(self.dispenser):  # G12.1, G4.5
            moves.append("draw")
        if self.credits["points"]:  # G12.3, D3.5
            moves.append("take points")
        return moves

    def _moves_in_hand(self) -> list[str]:
        """G9.3: file one of the cards, build one of them, or nothing."""
        assert self.hand is not None
        moves = ["keep none"]
        for place, number in enumerate(self.hand.cards):
            if self._me().can_file():
                moves.append(f"file hand {place}")
            if self._payable(number, "hand"):
                moves.append(f"build hand {place}")
        return moves

    def _moves_in_pay(self) -> list[str]:
        """D4.3: the numbers of marbles of the color asked for."""
        assert self.payment is not None
        pay, me = self.payment, self._me()
        color = CARDS[pay.card].color
        numbers = amounts(me.ring_pool(), me.converter_types(), color, pay.least, pay.most, pay.paid)
        return [f"pay {number}" for number in numbers]

    def _moves_in_convert(self) -> list[str]:
        """D4.6: the converter types that can be named next."""
        assert self.payment is not None
        named = Counter(self.payment.converters)
        types = set(self._me().converter_types())
        sets = self._converter_sets()
        return [f"convert {name}" for name in types if any(named + Counter([name]) <= choice for choice in sets)]

    def _moves_in_under(self) -> list[str]:
        """G9.4: the card that goes under the deck next."""
        assert self.hand is not None
        return [f"under {place}" for place in range(len(self.hand.cards))]

    def _files(self) -> list[str]:
        """G6: the cards of the display, if one can be filed."""
        if not self._me().can_file():
            return []
        return [f"file {place}" for place, number in enumerate(self.display) if number is not None]

    def _picks(self) -> list[str]:
        """G7: the colors in the row, if the ring has room."""
        if not self._me().has_room():
            return []
        return [f"pick {color}" for color in COLORS if self.row[color]]

    def _researches(self) -> list[str]:
        """G9.1, G9.2: the decks with cards, if Research is not forbidden."""
        if self._me().forbidden("research"):
            return []
        return [f"research {level}" for level in (1, 2, 3) if self.decks[level - 1]]

    def _open_cards(self) -> list[tuple[str, int, int]]:
        """G8.1: the cards that can be built without Research: source, place, card."""
        found = [("display", place, number) for place, number in enumerate(self.display) if number is not None]
        return found + [("archive", place, number) for place, number in enumerate(self._me().archive)]

    @staticmethod
    def _build_text(source: str, place: int) -> str:
        return f"build {place}" if source == "display" else f"build {source} {place}"

    def _bounds(self, number: int, source: str) -> tuple[int, int]:
        """G8.3, G8.4: the least and the most energy that may be paid."""
        card = CARDS[number]
        return max(0, card.cost - self._me().discount(card, source)), card.cost

    def _payable(self, number: int, source: str) -> bool:
        """D4.2: can the card be paid for?"""
        least, most = self._bounds(number, source)
        me = self._me()
        return payable(me.ring_pool(), me.converter_types(), CARDS[number].color, least, most)

    # ---- playing a move -----------------------------------------------------------------------------

    def play(self, move: str) -> None:
        """Play one move; an illegal one raises ValueError and changes nothing."""
        if move not in self.legal_moves():
            raise ValueError(f"illegal move {move!r}: {self._reason(move)}")
        self._carry_out(move)
        self._settle()

    def _reason(self, move: str) -> str:
        """Why a move is illegal."""
        if self.over:
            return "the game is over"
        return f"in phase {self.phase} seat {self.seat} may play {', '.join(self.legal_moves())}"

    def _carry_out(self, move: str) -> None:
        verb, *words = move.split()
        getattr(self, "_" + verb)(*words)

    def _begin(self, effect: str) -> None:
        """G5.1, D3.1: an action is the turn's own, or consumes a credit."""
        if self.phase == "chain":
            self.credits[effect] -= 1
        else:
            self.passes = 0  # G5.4: this turn is no pass

    def _file(self, *where: str) -> None:
        """G6.1, G9.3: a card goes to the archive."""
        me = self._me()
        if where[0] == "hand":
            assert self.hand is not None
            self.kept, self.kept_card = "file", self.hand.cards.pop(int(where[1]))
            self._show_from_hand(self.kept_card)
            me.archive = sorted([*me.archive, self.kept_card])
            self._return_hand()
        else:
            self._begin("file")
            me.archive = sorted([*me.archive, self._take_from_display(int(where[0]))])
            self._trigger_file()

    def _pick(self, color: str) -> None:
        """G7.1: a marble of the row; the row is refilled before any trigger."""
        self._begin("pick")
        self.row[color] -= 1
        self._me().ring[color] += 1
        self._fill_row()
        self._trigger_pick(color)

    def _build(self, *where: str) -> None:
        """G8.1: choose a card; unless it is free, the payment comes next."""
        source, place = ("display", int(where[0])) if len(where) == 1 else (where[0], int(where[1]))
        number = self._card_at(source, place)
        if self.phase == "chain":  # G12.5
            self._begin("free_build")
            self._complete_build(number, source, place, no_marbles())
            return
        if self.phase == "main":
            self._begin("build")
        if source == "hand":
            self._show_from_hand(number)
        least, most = self._bounds(number, source)
        self.payment = Payment(number, source, place, least, most)
        self.phase = "pay"

    def _research(self, level: str) -> None:
        """G9.1: look at the top cards of a deck."""
        self._begin("research")
        deck = self.decks[int(level) - 1]
        number = min(self._me().limit(2), len(deck))
        self.stacks[int(level) - 1].taken(self.seat, number, self.players)
        for seat, memories in enumerate(self.memories):
            if seat != self.seat:
                memories[int(level) - 1].taken_by_another(number)
                continue
            for card in deck[:number]:
                memories[int(level) - 1].top_seen(card)
        self.hand = Hand(int(level), sorted(deck[:number]))
        del deck[:number]
        self.phase = "hand"

    def _keep(self, none: str) -> None:
        """G9.3, G11.10: nothing is kept, nothing is triggered."""
        self.kept = None
        self._return_hand()

    def _draw(self) -> None:
        """G12.1: a random marble; G7.3: this triggers nothing."""
        self._begin("draw")
        self._me().ring[self._random_marble()] += 1

    def _take(self, points: str) -> None:
        """D3.5: all pending points."""
        self._me().tokens += self.credits["points"]
        self.credits["points"] = 0

    def _end(self) -> None:
        """G11.7: no more effects are used; G5.3: or a pass."""
        if self.phase == "main":
            self.passes += 1
        self._end_turn()

    def _pay(self, number: str) -> None:
        """D4.3: this many marbles of the color asked for; after the last color the payment is settled."""
        pay, me = self.payment, self._me()
        assert pay is not None
        pay.paid.append(int(number))
        if len(pay.paid) < len(COLORS):
            return
        if not self._converters_matter():
            self._complete_payment([])
            return
        sets = self._converter_sets()
        if len(sets) == 1:
            self._complete_payment(self._cards_of(sets[0], me))
        else:
            self.phase = "convert"

    def _convert(self, name: str) -> None:
        """D4.6: a converter is named; when the named ones are enough the payment is complete."""
        pay = self.payment
        assert pay is not None
        pay.converters = sorted([*pay.converters, name], key=TYPES.index)
        named = Counter(pay.converters)
        if named in self._converter_sets():
            self._complete_payment(self._cards_of(named, self._me()))

    def _under(self, place: str) -> None:
        """G9.4: a card goes under the deck, after those before it."""
        assert self.hand is not None
        self.under.append(self.hand.cards.pop(int(place)))

    # ---- payment ------------------------------------------------------------------------------------

    def _converters_matter(self) -> bool:
        """D4.5: can another payment follow in this turn?"""
        me, pay = self._me(), self.payment
        assert pay is not None
        if me.forbidden("research"):
            return False
        may_research = [number for number in (*me.built, pay.card) if CARDS[number].effect.startswith("research")]
        return self.credits["research"] > 0 or any(number not in me.spent for number in may_research)

    def _converter_sets(self) -> list[Counter[str]]:
        """D4.6: the smallest sets of converters that turn the marbles chosen into a payment."""
        pay = self.payment
        assert pay is not None
        color = CARDS[pay.card].color
        return smallest_sets(tuple(pay.paid), self._me().converter_types(), color, pay.least, pay.most)

    @staticmethod
    def _cards_of(types: Counter[str], me: Seat) -> list[int]:
        """The converters of these types, of each type those with the lowest numbers."""
        cards: list[int] = []
        for name, number in types.items():
            cards += [card.number for card in me.converters() if card.type_name == name][:number]
        return cards

    def _complete_payment(self, converters: list[int]) -> None:
        """G10.2: mark the converters used; then the card is built."""
        pay = self.payment
        assert pay is not None
        self._me().used |= set(converters)
        self.payment = None
        self._complete_build(pay.card, pay.source, pay.place, dict(zip(COLORS, pay.paid, strict=True)))

    def _complete_build(self, number: int, source: str, place: int, marbles: Marbles) -> None:
        """D4.8: marbles to the dispenser, row, card built, its place closed or refilled, triggers."""
        me = self._me()
        for color in COLORS:  # G8.6
            me.ring[color] -= marbles[color]
            self.dispenser[color] += marbles[color]
        self._fill_row()  # G4.4
        me.built = sorted([*me.built, number])
        if len(me.built) >= END_CARDS or me.level_3_built() >= END_LEVEL_3:  # G14.1
            self.last_round = True
        if source == "hand":
            assert self.hand is not None
            del self.hand.cards[place]
            self.kept, self.kept_card = "build", number
            self._return_hand()
            return
        if source == "archive":
            del me.archive[place]
        else:
            self._take_from_display(place)
        self._trigger_build(number, source)

    # ---- cards on the move --------------------------------------------------------------------------

    def _card_at(self, source: str, place: int) -> int:
        """The card that lies there."""
        if source == "archive":
            return self._me().archive[place]
        if source == "hand":
            assert self.hand is not None
            return self.hand.cards[place]
        number = self.display[place]
        assert number is not None
        return number

    def _take_from_display(self, place: int) -> int:
        """G3.1, G3.2: the card leaves, the top card of its deck takes its place."""
        number = self.display[place]
        assert number is not None
        deck = self.decks[CARDS[number].level - 1]
        self.display[place] = deck.pop(0) if deck else None
        card = self.display[place]
        if card is not None:
            level = CARDS[card].level
            self.stacks[level - 1].top_leaves()
            for memories in self.memories:
                memories[level - 1].top_seen(card)
        return number

    def _show_from_hand(self, card: int) -> None:
        """G17.4, G17.6: a researched card is open from now on."""
        assert self.hand is not None
        for seat, memories in enumerate(self.memories):
            if seat != self.seat:
                memories[self.hand.level - 1].shown_from_hand(card)

    def _return_hand(self) -> None:
        """G9.4, D3.6: the other cards go under the deck, as the player says or, in the quick variant, at random."""
        assert self.hand is not None
        self.phase = "under"
        if self.quick:
            self.under, self.hand.cards = self._shuffled(self.hand.cards), []

    def _close_hand(self) -> None:
        """G9.5: the cards are back under the deck; then comes what the kept card triggers (G9.6)."""
        assert self.hand is not None
        level, in_order = self.hand.level, not self.quick
        self.decks[level - 1] += self.under
        self.stacks[level - 1].put_back(self.seat, len(self.under), in_order)
        for seat, memories in enumerate(self.memories):
            if seat == self.seat:
                memories[level - 1].put_under(self.under, in_order)
            else:
                memories[level - 1].put_under_by_another()
        kept, card = self.kept, self.kept_card
        self.hand, self.kept, self.kept_card, self.under = None, None, -1, []
        if kept == "file":
            self._trigger_file()
        elif kept == "build":
            self._trigger_build(card, "hand")
        else:
            self.phase = "chain"

    # ---- triggers (G11, D3) -------------------------------------------------------------------------

    def _trigger_file(self) -> None:
        """G11.2: any File."""
        self._trigger("file", {"any"}, None)

    def _trigger_pick(self, color: str) -> None:
        """G11.2: a marble of this color was picked."""
        self._trigger("pick", {color}, None)

    def _trigger_build(self, number: int, source: str) -> None:
        """G11.2, G11.3: a card was built; G11.4: from the archive, paid or free."""
        card = CARDS[number]
        conditions = {*card.colors, f"level {card.level}"}
        if source == "archive":
            conditions.add("archive")
        self._trigger("build", conditions, number)

    def _trigger(self, kind: str, conditions: set[str], itself: int | None) -> None:
        """G11.1, G11.5, G11.8, D3.1: each card not yet spent whose condition holds, but not the card just built."""
        me = self._me()
        for number in me.built:
            card = CARDS[number]
            if card.kind != kind or number in me.spent or number == itself:
                continue
            named = {card.when} if card.when.startswith("level") else set(card.when.split())
            if named & conditions:
                me.spent.add(number)
                effect, times = card.effect.split()
                if effect == "points" and self.quick:  # D3.5
                    me.tokens += int(times)
                else:
                    self.credits[effect] += int(times)
        self.phase = "chain"

    # ---- what happens by itself ---------------------------------------------------------------------

    def _settle(self) -> None:
        """D3.4, D4.7: steps that leave no choice, up to the next decision."""
        while True:
            if self.phase == "under":
                assert self.hand is not None
                if len(self.hand.cards) > 1:
                    return
                self.under += self.hand.cards
                self._close_hand()
                continue
            if self.phase not in ("pay", "convert", "chain"):
                return
            moves = self.legal_moves()
            if len(moves) > 1:
                return
            self._carry_out(moves[0])

    def _end_turn(self) -> None:
        """G5.5: marks and unused effects lapse. Then the game is over, or the next seat begins."""
        me = self._me()
        me.spent, me.used = set(), set()
        self.credits = dict.fromkeys(CREDITS, 0)
        round_is_over = self.seat == self.players - 1
        if self.passes == self.players or (round_is_over and self.last_round):  # G5.4, G14.1, G14.2
            self.phase = "over"
        elif round_is_over and self.round >= self.max_rounds:  # D6.1
            self.phase = "over"
            self.truncated = True
        else:
            self.phase = "main"
            self.seat = (self.seat + 1) % self.players
            if self.seat == 0:
                self.round += 1
