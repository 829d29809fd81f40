"""A slow and plain implementation of Bdgame, written to be compared with a faster one.

Paragraph numbers (B1, B2, ...) are those of the game's rules. The workshop is in bdgame_workshop, the
activation of a Device in bdgame_flow, the cards in bdgame_cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.support.reference.bdgame_cards import (
    BANK,
    BASIC_KINDS,
    COLORS,
    DECKS,
    PARTS,
    VALUE,
    Cubes,
    add,
    covers,
    no_cubes,
    take,
    total,
    worth,
)
from tests.support.reference.bdgame_flow import Activation
from tests.support.reference.bdgame_workshop import Card, Workshop
from tests.support.reference.game import ReferenceGame

ACTIONS = 3  # B21
QUEUE = 3  # B23
LIMIT = 10  # B44
GOAL = 30  # B45
SALES = 4  # B49
OFFERS = 3  # B50
KEEP = 2  # B49: hoppers, and packers, that selling must leave
OPEN_ACTIONS = ("buy", "build", "dismantle", "load")

Hand = dict[str, int]


def gain(cards: Hand, kind: str) -> None:
    """Put one card into a hand."""
    cards[kind] = cards.get(kind, 0) + 1


def lose(cards: Hand, kind: str) -> None:
    """Take one card out of a hand; kinds without a card are not listed."""
    cards[kind] -= 1
    if not cards[kind]:
        del cards[kind]


def listed(cards: Hand) -> Hand:
    """The hand in the order of the card file."""
    return {kind: cards[kind] for kind in PARTS if kind in cards}


@dataclass
class Seat:
    """What one player has."""

    points: int = 0
    storage: Cubes = field(default_factory=no_cubes)
    hand: Hand = field(default_factory=dict)
    orders: list[str] = field(default_factory=list)  # the queue, oldest first (B40)
    fulfilled: list[str] = field(default_factory=list)
    workshop: Workshop = field(default_factory=Workshop)

    def cubes_owned(self) -> int:
        """B44: the cubes in storage and on hoppers; B38: held ones do not count."""
        return total(self.storage) + sum(total(card.cubes) for card in self.workshop.hoppers().values())


@dataclass
class Offer:
    """B50a: a trade in the making."""

    giver: int
    card: str
    to: int | None = None
    want: str | None = None


class Reference(ReferenceGame):
    """One game of Bdgame. Make it with `new` or `from_snapshot`."""

    def __init__(self, players: int, selling: bool, trading: bool, max_rounds: int, deck: str | None = None) -> None:
        if players not in (2, 3, 4):
            raise ValueError(f"2 to 4 players, not {players}")
        self.players = players
        self.selling = selling
        self.trading = trading
        self.max_rounds = max_rounds
        self.deck = deck
        self.costs = {kind: part.cost for kind, part in DECKS[deck].parts.items()}
        self.orders = DECKS[deck].orders
        self.round = 1
        self.turn = 0  # whose turn it is
        self.phase = "act"
        self.open: str | None = None
        self.actions_left = ACTIONS
        self.last_round = False
        self.truncated = False
        self.bank: Cubes = dict(BANK)
        self.orders_row: list[str | None] = []
        self.orders_deck: list[str] = []
        self.parts_row: list[str | None] = []
        self.parts_deck: list[str] = []
        self.known: list[str] = []  # B51: the lowest cards of parts_deck, as far as all have seen them go there
        self.piles: dict[str, int] = {}
        self.credit = 0
        self.sold = 0
        self.bought: Hand = {}
        self.purchases = 0
        self.selected: str | None = None
        self.made: Cubes = no_cubes()
        self.activation: Activation | None = None
        self.offers = 0
        self.offer: Offer | None = None
        self.seats = [Seat() for _ in range(players)]

    # ---- setup --------------------------------------------------------------------------------------

    @classmethod
    def new(
        cls,
        players: int,
        orders_deck: Sequence[str],
        parts_deck: Sequence[str],
        *,
        selling: bool = False,
        trading: bool = False,
        max_rounds: int = 60,
        deck: str | None = None,
    ) -> Reference:
        """B7-B11: the beginning of a game with decks already shuffled, top card first."""
        game = cls(players, selling, trading, max_rounds, deck)
        game.orders_row, game.orders_deck = list(orders_deck[:4]), list(orders_deck[4:])
        game.parts_row, game.parts_deck = list(parts_deck[:4]), list(parts_deck[4:])
        game.piles = dict.fromkeys(BASIC_KINDS, players + 1)
        for seat in game.seats:
            seat.storage = dict.fromkeys(COLORS, 1)
            take(game.bank, seat.storage)
            for kind, x, y in (("hopper", 0, 2), ("packer", 1, 2), ("hopper", 0, 6), ("packer", 1, 6)):
                seat.workshop.place(kind, x, y)
        return game

    # ---- snapshot -----------------------------------------------------------------------------------

    def snapshot(self, omniscient: bool = True) -> dict[str, Any]:
        """The whole position as plain data; without omniscience the decks are numbers of cards (B51)."""
        offer = self.offer
        options = {"selling": self.selling, "trading": self.trading, "max_rounds": self.max_rounds}
        return {
            "game": "bdgame",
            "players": self.players,
            "options": options | ({"deck": self.deck} if self.deck else {}),
            "round": self.round,
            "seat": self.seat,
            "phase": self.phase,
            "open": self.open,
            "actions_left": self.actions_left,
            "last_round": self.last_round,
            "truncated": self.truncated,
            "bank": dict(self.bank),
            "orders_row": list(self.orders_row),
            "orders_deck": list(self.orders_deck) if omniscient else len(self.orders_deck),
            "parts_row": list(self.parts_row),
            "parts_deck": list(self.parts_deck) if omniscient else len(self.parts_deck),
            "known": list(self.known),
            "piles": dict(self.piles),
            "credit": self.credit,
            "sold": self.sold,
            "bought": listed(self.bought),
            "purchases": self.purchases,
            "selected": self.selected,
            "made": dict(self.made),
            "pending": self.activation.pending() if self.activation else None,
            "offers": self.offers,
            "offer": offer and {"from": offer.giver, "card": offer.card, "to": offer.to, "want": offer.want},
            "seats": [
                {
                    "points": seat.points,
                    "storage": dict(seat.storage),
                    "hand": listed(seat.hand),
                    "orders": list(seat.orders),
                    "fulfilled": list(seat.fulfilled),
                    "workshop": [self._card_data(card) for card in seat.workshop.in_order()],
                }
                for seat in self.seats
            ],
        }

    @staticmethod
    def _card_data(card: Card) -> dict[str, Any]:
        data: dict[str, Any] = {"x": card.x, "y": card.y, "kind": card.kind}
        if card.kind == "hopper":
            data |= {"slot": card.slot, "cubes": dict(card.cubes)}
        if card.kind == "pause":
            data |= {"held": card.held, "fresh": card.fresh}
        return data

    @classmethod
    def from_snapshot(cls, data: dict[str, Any]) -> Reference:
        """The game in the position of an omniscient snapshot."""
        if any(isinstance(data[deck], int) for deck in ("orders_deck", "parts_deck")):
            raise ValueError("a snapshot without the order of the decks cannot be played on")
        options = data["options"]
        game = cls(data["players"], options["selling"], options["trading"], options["max_rounds"], options.get("deck"))
        for name in (
            *("round", "phase", "open", "actions_left", "last_round", "truncated"),
            *("credit", "sold", "purchases", "selected", "offers"),
        ):
            setattr(game, name, data[name])
        for name in ("orders_row", "orders_deck", "parts_row", "parts_deck", "known"):
            setattr(game, name, list(data[name]))
        game.piles, game.bought = dict(data["piles"]), dict(data["bought"])
        game.bank, game.made = no_cubes() | data["bank"], no_cubes() | data["made"]
        for seat, item in zip(game.seats, data["seats"], strict=True):
            seat.points = item["points"]
            seat.storage = no_cubes() | item["storage"]
            seat.hand = dict(item["hand"])
            seat.orders, seat.fulfilled = list(item["orders"]), list(item["fulfilled"])
            for entry in item["workshop"]:
                seat.workshop.put(Card(**(entry | {"cubes": dict(entry["cubes"])} if "cubes" in entry else entry)))
        game.turn = data["seat"]
        if data["offer"] is not None:
            offer = data["offer"]
            game.offer = Offer(offer["from"], offer["card"], offer["to"], offer["want"])
            game.turn = offer["from"]
        if data["pending"] is not None:
            workshop = game.seats[game.turn].workshop
            game.activation = Activation.restore(workshop, game.bank, game.made, data["pending"])
        return game

    # ---- the outcome --------------------------------------------------------------------------------

    @property
    def seat(self) -> int:
        """The seat to decide now: the one whose turn it is, or the one asked to trade."""
        if self.phase == "respond" and self.offer is not None and self.offer.to is not None:
            return self.offer.to
        return self.turn

    @property
    def device_sizes(self) -> list[int]:
        """B46: for each seat the number of cards in its largest Device."""
        return [seat.workshop.largest_device() for seat in self.seats]

    def points(self) -> list[int]:
        """The points of each seat."""
        return [seat.points for seat in self.seats]

    def ranks(self) -> list[int]:
        """B46: the place of each seat, by points, then by the largest Device; ties share the place."""
        scores = [(seat.points, size) for seat, size in zip(self.seats, self.device_sizes, strict=True)]
        return [1 + sum(other > score for other in scores) for score in scores]

    # ---- what is legal (B52) ------------------------------------------------------------------------

    def _me(self) -> Seat:
        return self.seats[self.turn]

    def _moves_in_act(self) -> list[str]:
        """B21-B30, B50: what may be done with an action, and `end`."""
        moves = ["end"]
        if self.bank["Y"]:  # B22
            moves.append("collect")
        if any(self.parts_row):  # B27
            moves.append("clear")
        if len(self._me().orders) < QUEUE:  # B23
            moves += [f"accept {slot}" for slot, name in enumerate(self.orders_row) if name]
        moves += self._payments() + self._selections() + self._removals() + self._loads()
        if self.trading and self.offers < OFFERS:  # B50, B50a
            moves += [f"offer {kind}" for kind in self._me().hand if self._partners(kind)]
        return moves

    def _moves_in_buy(self) -> list[str]:
        """B24-B26, B49: inside a Buy action."""
        moves = self._payments()
        for slot, kind in enumerate(self.parts_row):
            if kind and self.costs[kind] <= self.credit:
                moves.append(f"buy {slot}")
        moves += [f"buy {kind}" for kind, n in self.piles.items() if n and self.costs[kind] <= self.credit]
        moves += self._selections()
        if self.purchases:
            moves.append("end")
        return moves

    def _moves_in_build(self) -> list[str]:
        """B30: more cards from hand, or `end`."""
        return [*self._selections(), "end"]

    def _moves_in_place(self) -> list[str]:
        """B17, B25: the cells for the selected card."""
        assert self.selected is not None
        cells = self._me().workshop.places_for(self.selected, self.open == "buy")
        return [f"place {x},{y}" for x, y in cells]

    def _moves_in_dismantle(self) -> list[str]:
        """B28: more cards to take back, or `end`."""
        return [*self._removals(), "end"]

    def _moves_in_load(self) -> list[str]:
        """B29: more cubes to load, or `end`."""
        return [*self._loads(), "end"]

    def _moves_in_discard(self) -> list[str]:
        """B44: cubes from storage or from hoppers."""
        seat = self._me()
        moves = [f"discard {color}" for color in COLORS if seat.storage[color]]
        for slot, card in seat.workshop.hoppers().items():
            moves += [f"discard {color}@{slot}" for color in COLORS if card.cubes[color]]
        return moves

    def _moves_in_offer(self) -> list[str]:
        """B50a: first the opponent, then the card wanted."""
        assert self.offer is not None
        if self.offer.to is None:
            return [f"seat {number}" for number in self._partners(self.offer.card)]
        return [f"want {kind}" for kind in self.seats[self.offer.to].hand if kind != self.offer.card]

    def _moves_in_respond(self) -> list[str]:
        """B50a: the opponent's answer."""
        return ["agree", "refuse"]

    def _moves_in_activate(self) -> list[str]:
        """B31: Devices that can be activated, or `end`."""
        return [f"activate {slot}" for slot in self._me().workshop.ready()] + ["end"]

    def _moves_in_split(self) -> list[str]:
        """B35, B53: the answers at a splitter."""
        assert self.activation is not None
        return [f"split {n}" for n in self.activation.split_answers()]

    def _moves_in_hold(self) -> list[str]:
        """B37, B53: the answers at a pause card."""
        assert self.activation is not None
        return [f"hold {answer}" for answer in self.activation.hold_answers()]

    def _moves_in_fulfil(self) -> list[str]:
        """B40: accepted orders that the made cubes cover, or `end`."""
        queue = self._me().orders
        covered = [place for place, name in enumerate(queue) if covers(self.made, self.orders[name].needs)]
        return [f"fulfil {place}" for place in covered] + ["end"]

    def _payments(self) -> list[str]:
        """B24, B49, B52: `pay` and `sell`, in act or in buy, while they can lead to a purchase."""
        seat = self._me()
        for_sale = self._for_sale()
        reach = self.credit + worth(seat.storage) + min(sum(for_sale.values()), SALES - self.sold)
        costs = [self.costs[kind] for kind in self.parts_row if kind]
        costs += [self.costs[kind] for kind, number in self.piles.items() if number]
        if not any(self.credit < cost <= reach for cost in costs):  # outside a Buy the credit is 0
            return []
        moves = [f"pay {color}" for color in COLORS if seat.storage[color]]
        if self.sold < SALES:
            moves += [f"sell {kind}" for kind in for_sale]
        return moves

    def _for_sale(self) -> Hand:
        """B49: the cards from hand that may be sold; cards bought in this action lie apart (B25)."""
        if not self.selling:
            return {}
        seat = self._me()
        found: Hand = {}
        for kind, number in seat.hand.items():
            if kind in ("hopper", "packer"):
                number = min(number, number + seat.workshop.count(kind) - KEEP)
            if number > 0:
                found[kind] = number
        return found

    def _selections(self) -> list[str]:
        """B25, B30: kinds that can be put into play: bought ones in a Buy action, else those in hand."""
        buying = self.phase == "buy"
        cards = self.bought if buying else self._me().hand
        workshop = self._me().workshop
        return [f"select {kind}" for kind in cards if workshop.fits_somewhere(kind, buying)]

    def _removals(self) -> list[str]:
        """B28: the cards that can be taken back."""
        return [f"remove {card.x},{card.y}" for card in self._me().workshop.removable()]

    def _loads(self) -> list[str]:
        """B29: cubes from storage onto hoppers in play."""
        seat = self._me()
        colors = [color for color in COLORS if seat.storage[color]]
        return [f"load {color}@{slot}" for color in colors for slot in seat.workshop.hoppers()]

    def _partners(self, kind: str) -> list[int]:
        """B50: the opponents who hold a card of another kind."""
        return [
            number
            for number, seat in enumerate(self.seats)
            if number != self.turn and any(other != kind for other in seat.hand)
        ]

    # ---- playing a move -----------------------------------------------------------------------------

    def play(self, move: str) -> None:
        """Play one move; an illegal one raises ValueError and changes nothing."""
        if move not in self.legal_moves():
            raise ValueError(f"illegal move {move!r}: {self._reason(move)}")
        verb, _, argument = move.partition(" ")
        getattr(self, "_" + verb)(*([argument] if argument else []))
        self._settle()

    def _reason(self, move: str) -> str:
        """Why a move is illegal."""
        if self.over:
            return "the game is over"
        verb, _, argument = move.partition(" ")
        if self.phase == "place" and verb == "place" and self.selected is not None:
            x, _, y = argument.partition(",")
            if x.isdecimal() and y.isdecimal():
                objection = self._me().workshop.objection(self.selected, int(x), int(y), self.open == "buy")
                return str(objection or "not in the notation of the game")
        return f"in phase {self.phase} seat {self.seat} may play {', '.join(self.legal_moves())}"

    def _open_action(self, action: str) -> None:
        """B52: an action is spent when it is opened."""
        if self.phase == "act":
            self.actions_left -= 1
            self.open = action
        self.phase = action

    def _close_action(self) -> None:
        """Close what is open. B25, B26: after a Buy the cards go to the hand and the row is refilled."""
        if self.open == "buy":
            for kind, number in self.bought.items():
                self._me().hand[kind] = self._me().hand.get(kind, 0) + number
            self.bought = {}
            self.credit = self.sold = self.purchases = 0
            self._refill_parts()
        self.open = None
        self.phase = "act"

    @staticmethod
    def _refill(row: list[str | None], deck: list[str]) -> None:
        """B23, B26: fill every empty slot from the top of the deck, slot 0 first."""
        for slot, name in enumerate(row):
            if name is None and deck:
                row[slot] = deck.pop(0)

    def _put_under(self, kind: str) -> None:
        """B27, B49: a special card goes under its deck; B51: all see which."""
        self.parts_deck.append(kind)
        self.known.append(kind)

    def _refill_parts(self) -> None:
        """B26; B51: a known card that is drawn lies open."""
        self._refill(self.parts_row, self.parts_deck)
        while len(self.known) > len(self.parts_deck):
            self.known.pop(0)

    def _end(self) -> None:
        """`end`: close the open action, the action phase, activating or fulfilling."""
        if self.phase in OPEN_ACTIONS:
            self._close_action()
        elif self.phase == "act":
            self.actions_left = 0
        elif self.phase == "activate":
            self.phase = "fulfil"
        else:
            self._store()

    def _collect(self) -> None:
        """B22: up to 2 Yellow from the bank; then the limit holds."""
        self.actions_left -= 1
        cubes = no_cubes() | {"Y": min(2, self.bank["Y"])}
        take(self.bank, cubes)
        add(self._me().storage, cubes)
        self.open = "collect"
        self.phase = "discard"

    def _clear(self) -> None:
        """B27: the special row goes below the deck, and four new cards are dealt."""
        self.actions_left -= 1
        for kind in self.parts_row:
            if kind:
                self._put_under(kind)
        self.parts_row = [None] * len(self.parts_row)
        self._refill_parts()

    def _accept(self, slot: str) -> None:
        """B23: an order goes into the queue, its slot is refilled at once."""
        self.actions_left -= 1
        name = self.orders_row[int(slot)]
        assert name is not None
        self._me().orders.append(name)
        self.orders_row[int(slot)] = None
        self._refill(self.orders_row, self.orders_deck)

    def _pay(self, color: str) -> None:
        """B24: a cube becomes credit."""
        self._open_action("buy")
        cube = no_cubes() | {color: 1}
        take(self._me().storage, cube)
        add(self.bank, cube)
        self.credit += VALUE[color]

    def _sell(self, kind: str) -> None:
        """B49: a card becomes a credit of 1; it goes below the special deck, or to its pile."""
        self._open_action("buy")
        lose(self._me().hand, kind)
        if PARTS[kind].special:
            self._put_under(kind)
        else:
            self.piles[kind] += 1
        self.credit += 1
        self.sold += 1

    def _buy(self, what: str) -> None:
        """B24, B26: a card from a slot or a pile, for credit; the slot stays empty for now."""
        if what.isdecimal():
            kind = self.parts_row[int(what)]
            assert kind is not None
            self.parts_row[int(what)] = None
        else:
            kind = what
            self.piles[kind] -= 1
        self.credit -= self.costs[kind]
        self.purchases += 1
        gain(self.bought, kind)

    def _select(self, kind: str) -> None:
        """B25, B30: choose a card to put into play."""
        if self.phase == "act":
            self._open_action("build")
        self.selected = kind
        self.phase = "place"

    def _place(self, cell: str) -> None:
        """B17: the selected card comes into play."""
        assert self.selected is not None and self.open is not None
        x, y = cell.split(",")
        self._me().workshop.place(self.selected, int(x), int(y))
        lose(self.bought if self.open == "buy" else self._me().hand, self.selected)
        self.selected = None
        self.phase = self.open

    def _remove(self, cell: str) -> None:
        """B28: a card goes back to the hand, cubes on it to the bank."""
        self._open_action("dismantle")
        x, y = cell.split(",")
        card = self._me().workshop.remove(int(x), int(y))
        add(self.bank, card.cubes)
        if card.held:
            self.bank[card.held] += 1
        gain(self._me().hand, card.kind)

    def _load(self, what: str) -> None:
        """B29: a cube from storage onto a hopper."""
        self._open_action("load")
        color, slot = what.split("@")
        cube = no_cubes() | {color: 1}
        take(self._me().storage, cube)
        add(self._me().workshop.hoppers()[int(slot)].cubes, cube)

    def _discard(self, what: str) -> None:
        """B44: a cube from storage or a hopper to the bank."""
        color, _, slot = what.partition("@")
        cube = no_cubes() | {color: 1}
        take(self._me().workshop.hoppers()[int(slot)].cubes if slot else self._me().storage, cube)
        add(self.bank, cube)

    # ---- trading (B50, B50a) ------------------------------------------------------------------------

    def _offer(self, kind: str) -> None:
        """B50: an offer counts when it is begun."""
        self.offers += 1
        self.offer = Offer(self.turn, kind)
        self.phase = "offer"

    def _seat(self, number: str) -> None:
        assert self.offer is not None
        self.offer.to = int(number)

    def _want(self, kind: str) -> None:
        assert self.offer is not None
        self.offer.want = kind
        self.phase = "respond"

    def _agree(self) -> None:
        """B50a: the two cards change hands."""
        offer = self.offer
        assert offer is not None and offer.to is not None and offer.want is not None
        giver, taker = self.seats[offer.giver].hand, self.seats[offer.to].hand
        lose(giver, offer.card)
        lose(taker, offer.want)
        gain(giver, offer.want)
        gain(taker, offer.card)
        self._refuse()

    def _refuse(self) -> None:
        """The action phase goes on."""
        self.offer = None
        self.phase = "act"

    # ---- activating, fulfilling, storing ------------------------------------------------------------

    def _activate(self, slot: str) -> None:
        """B31, B32: a Device works."""
        workshop = self._me().workshop
        self.activation = Activation(workshop, workshop.ready()[int(slot)], self.bank, self.made)
        self.activation.start()
        self._after_flow()

    def _split(self, n: str) -> None:
        assert self.activation is not None
        self.activation.split(int(n))
        self._after_flow()

    def _hold(self, answer: str) -> None:
        assert self.activation is not None
        self.activation.hold(answer)
        self._after_flow()

    def _after_flow(self) -> None:
        """B53: the next question, or the activation is done."""
        assert self.activation is not None
        question = self.activation.question
        self.phase = question.ask if question else "activate"
        if question is None:
            self.activation = None

    def _fulfil(self, place: str) -> None:
        """B40, B45: cubes to the bank, points to the player."""
        seat = self._me()
        name = seat.orders.pop(int(place))
        take(self.made, self.orders[name].needs)
        add(self.bank, self.orders[name].needs)
        seat.points += self.orders[name].points
        seat.fulfilled.append(name)
        if seat.points >= GOAL:
            self.last_round = True

    def _store(self) -> None:
        """B41: made cubes left over go to storage."""
        add(self._me().storage, self.made)
        self.made = no_cubes()
        self.phase = "discard"

    # ---- what happens by itself ---------------------------------------------------------------------

    def _settle(self) -> None:
        """B52: close actions and skip phases that leave no choice, up to the next decision."""
        while not self.over:
            if self.phase == "act":
                if self.actions_left:
                    return
                self.phase = "activate"
            elif self.phase == "discard":
                if self._me().cubes_owned() > LIMIT:
                    return
                if self.open == "collect":
                    self._close_action()
                else:
                    self._end_turn()
            elif self.phase in (*OPEN_ACTIONS, "activate", "fulfil") and self.legal_moves() == ["end"]:
                self._end()
            else:
                return

    def _end_turn(self) -> None:
        """B38: cubes held too long go to the bank. B11: the next seat, or the end of the round."""
        for card in self._me().workshop.in_order():
            if card.held and not card.fresh:
                self.bank[card.held] += 1
                card.held = None
            card.fresh = False
        if self.turn == self.players - 1 and self._ends_now():
            self.phase = "over"
            return
        self.turn = (self.turn + 1) % self.players
        if self.turn == 0:
            self.round += 1
        self.actions_left = ACTIONS
        self.offers = 0
        self.phase = "act"

    def _ends_now(self) -> bool:
        """B45, B47, B48: after a round, is the game over? Only the limit of rounds truncates it."""
        orders_left = any(self.orders_row) or self.orders_deck or any(seat.orders for seat in self.seats)
        if self.last_round or not orders_left:
            return True
        self.truncated = self.round >= self.max_rounds
        return self.truncated
