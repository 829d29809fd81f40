"""A slow and plain implementation of Nicodemus, written to be compared with a faster one.

Paragraph numbers (N1, N2, ...) are those of the game's rules. Machines and projects are in nicodemus_cards, the
choices that are found by trying everything in nicodemus_choices.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from tests.support.reference.game import ReferenceGame
from tests.support.reference.nicodemus_cards import KINDS, MACHINES, PROJECTS, RESOURCES, START, SUPPLY, TOKENS, Tokens
from tests.support.reference.nicodemus_choices import (
    fee,
    partner_sets,
    pick_sequences,
    reductions_needed,
    wild_sequences,
)

HAND = 5  # N2.2, N5.1
SPACES = 10  # N1.5
ROW = 5  # N1.5
PLACES = 6  # N2.3
FULL_WORKSHOP = 4  # N8.1
GOAL = 20  # N15.1
EXCHANGES = 3  # N10.4
TILES = 2  # N12.1
THINNED = 2  # N11.3
REACH = {"P2": 3, "P3": 2}  # N10.2, N10.3: how many machines back may be discarded
PICKS = {"P1": 2, "P2": 1, "P3": 1, "P5": 2}  # N10.1-N10.5: resources gained from the discarded machine's cost
QUIET = ("wild", "pick", "target", "keep", "partner")  # N20.2: a single legal action is taken at once, but for N20.8


def listed(cards: Counter[str]) -> dict[str, int]:
    """Kinds and their numbers, in the order of the card table; kinds without a card are not listed."""
    return {kind: cards[kind] for kind in KINDS if cards[kind]}


@dataclass
class Spot:
    """A machine on the bric-a-brac and the charcoalium lying on it (N13)."""

    kind: str
    charcoalium: int = 0


@dataclass
class Repair:
    """A repair that is being paid (N21): the space, the fee, and what is still to be paid of each resource."""

    space: int
    fee: int
    need: Tokens


@dataclass
class Turn:
    """N16.7: what both remember of a turn."""

    use: str
    kind: str | None = None
    effect: str | None = None


@dataclass
class Seat:
    """What one player has."""

    points: int = 0
    tokens: Tokens = field(default_factory=lambda: dict.fromkeys(TOKENS, 0))
    hand: Counter[str] = field(default_factory=Counter)
    workshop: list[str] = field(default_factory=list)  # oldest first
    reserved: list[int] = field(default_factory=list)
    completed: list[int] = field(default_factory=list)
    rejected: list[int] = field(default_factory=list)  # N12.1: tiles drawn and returned to the config
    lost: Counter[str] = field(default_factory=Counter)  # N16.4: machines discarded from the hand
    known: Counter[str] = field(default_factory=Counter)  # N16.6: machines in the hand of the other seat
    doubtful: Counter[str] = field(default_factory=Counter)  # N16.6: machines there, or lost from there
    last: Turn | None = None

    @property
    def resources(self) -> int:
        """N15.4: wood, copper and crystal together."""
        return sum(self.tokens[r] for r in RESOURCES)


class Reference(ReferenceGame):
    """One game of Nicodemus. Make it with `new` or `from_snapshot`."""

    def __init__(self, max_rounds: int = 100, end_by_deck: str = "lack") -> None:
        self.max_rounds = max_rounds
        self.end_by_deck = end_by_deck
        self.round = 1
        self.seat = 0
        self.phase = "turn"
        self.ending = False
        self.truncated = False
        self.rng = 0
        self.game_seed: int | None = None  # of a new game: the counter at its beginning
        self.reserve: Tokens = dict(SUPPLY)
        self.bric_a_brac: list[Spot] = []  # row order: there is never a gap (N13.3)
        self.deck: list[str] = []  # top first
        self.projects: list[int | None] = []
        self.project_deck: list[int] = []  # top first
        self.removed: Counter[str] = Counter()
        self.seats = [Seat(), Seat()]
        self._forget()

    def _forget(self) -> None:
        """A new turn knows nothing of the decisions of the one before."""
        self.played: str | None = None
        self.effect: str | None = None
        self.discarded: str | None = None
        self.left = 0
        self.previous: str | None = None
        self.repair: Repair | None = None
        self.offer: list[int] = []
        self.project: int | None = None
        self.latest: int | None = None
        self.partners: list[int] = []
        self.used: list[int] = []

    # ---- setup --------------------------------------------------------------------------------------

    @classmethod
    def new(cls, rng: int, max_rounds: int = 100, end_by_deck: str = "lack") -> Reference:
        """N2: the beginning of the game that this counter of the generator gives."""
        game = cls(max_rounds, end_by_deck)
        game.rng = game.game_seed = rng
        machines = game._shuffled([kind for kind in KINDS for _ in range(MACHINES[kind].copies)])
        game.bric_a_brac = [Spot(machines.pop(0))]  # N2.2
        for seat in game.seats:
            seat.hand.update(machines[:HAND])
            del machines[:HAND]
        game.deck = machines
        tiles = game._shuffled(list(range(len(PROJECTS))))  # N2.3
        game.projects, game.project_deck = list(tiles[:PLACES]), tiles[PLACES:]
        for seat, start in zip(game.seats, START, strict=True):  # N2.4
            for token in TOKENS:
                seat.tokens[token] = start[token]
                game.reserve[token] -= start[token]
        return game

    # ---- chance (N18.2) -------------------------------------------------------------------------------

    def _lose_at_random(self, seat: Seat) -> str:
        """N11.6: take a machine out of a hand, each card being as likely as any other."""
        cards = [kind for kind in KINDS for _ in range(seat.hand[kind])]
        kind = cards[self._below(len(cards))]
        seat.hand[kind] -= 1
        return kind

    # ---- snapshot -----------------------------------------------------------------------------------

    def snapshot(self, omniscient: bool = False, *, seat: int | None = None) -> dict[str, Any]:
        """The position as plain data, whole if omniscient; else what is hidden is a number, or null (N16).

        With a seat, what that seat alone sees and what both know of each other's hands are told as well.
        """
        sees = [omniscient or number == seat for number in range(2)]
        movers = sees[self.seat]
        repair = self.repair
        data = {
            "game": "nicodemus",
            "players": 2,
            "options": {"max_rounds": self.max_rounds, "end_by_deck": self.end_by_deck},
            "round": self.round,
            "seat": self.seat,
            "phase": self.phase,
            "ending": self.ending,
            "truncated": self.truncated,
            "rng": str(self.rng),
            "reserve": dict(self.reserve),
            "bric_a_brac": [{"kind": spot.kind, "charcoalium": spot.charcoalium} for spot in self.bric_a_brac],
            "deck": list(self.deck) if omniscient else len(self.deck),
            "projects": list(self.projects),
            "project_deck": list(self.project_deck) if omniscient else len(self.project_deck),
            "removed": listed(self.removed),
            "played": self.played,
            "effect": self.effect,
            "discarded": self.discarded if movers or self.effect != "P1" else None,
            "left": self.left,
            "previous": self.previous,
            "repair": repair and {"space": repair.space, "fee": repair.fee, "need": dict(repair.need)},
            "offer": list(self.offer) if movers else len(self.offer),
            "project": self.project,
            "latest": self.latest,
            "partners": list(self.partners),
            "used": list(self.used),
            "seats": [
                {
                    "points": player.points,
                    "tokens": dict(player.tokens),
                    "hand": listed(player.hand) if open_to else player.hand.total(),
                    "workshop": list(player.workshop),
                    "reserved": list(player.reserved),
                    "completed": list(player.completed),
                    "rejected": list(player.rejected) if open_to else len(player.rejected),
                    "lost": listed(player.lost) if open_to else player.lost.total(),
                    "known": listed(player.known) if any(sees) else None,  # N16.6.5
                    "doubtful": listed(player.doubtful) if any(sees) else None,
                    "last": player.last and asdict(player.last),
                }
                for player, open_to in zip(self.seats, sees, strict=True)
            ],
        }
        if not omniscient:
            del data["rng"]
        return data

    @classmethod
    def from_snapshot(cls, data: dict[str, Any]) -> Reference:
        """The game in the position of an omniscient snapshot."""
        if "rng" not in data:
            raise ValueError("a snapshot without chance and hidden cards cannot be played on")
        game = cls(**data["options"])
        for name in (
            *("round", "seat", "phase", "ending", "truncated"),
            *("played", "effect", "discarded", "left", "previous", "project", "latest"),
        ):
            setattr(game, name, data[name])
        for name in ("deck", "projects", "project_deck", "offer", "partners", "used"):
            setattr(game, name, list(data[name]))
        game.rng = int(data["rng"])
        game.reserve = {token: data["reserve"][token] for token in TOKENS}
        game.bric_a_brac = [Spot(item["kind"], item["charcoalium"]) for item in data["bric_a_brac"]]
        game.removed = Counter(data["removed"])
        if data["repair"] is not None:
            repair = data["repair"]
            game.repair = Repair(repair["space"], repair["fee"], {r: repair["need"][r] for r in RESOURCES})
        for seat, item in zip(game.seats, data["seats"], strict=True):
            seat.points = item["points"]
            seat.tokens = {token: item["tokens"][token] for token in TOKENS}
            seat.hand, seat.lost = Counter(item["hand"]), Counter(item["lost"])
            for name in ("workshop", "reserved", "completed", "rejected"):
                setattr(seat, name, list(item[name]))
            seat.known, seat.doubtful = Counter(item["known"]), Counter(item["doubtful"])
            seat.last = item["last"] and Turn(**item["last"])
        return game

    # ---- the outcome (N15) --------------------------------------------------------------------------

    def points(self) -> list[int]:
        """The scores."""
        return [seat.points for seat in self.seats]

    def ranks(self) -> list[int]:
        """N15.4: the place of each seat; an even game gives both the first."""
        order = [(seat.points, seat.tokens["charcoalium"], seat.resources) for seat in self.seats]
        return [1 + sum(other > mine for other in order) for mine in order]

    # ---- what is legal (N19, N20) -------------------------------------------------------------------

    @property
    def _me(self) -> Seat:
        return self.seats[self.seat]

    @property
    def _opponent(self) -> Seat:
        return self.seats[1 - self.seat]

    def _moves_in_turn(self) -> list[str]:
        """N20.1."""
        moves = []
        for kind in listed(self._me.hand):
            moves += [f"charcoalium {kind}", f"produce {kind}"]
            if self._effect_open(kind):
                moves.append(f"effect {kind}")
        moves += [f"repair {space}" for space in range(1, len(self.bric_a_brac) + 1) if self._payable(space)]
        return moves or ["pass"]  # N3.3

    def _moves_in_wild(self) -> list[str]:
        assert self.repair is not None
        found = wild_sequences(self.repair.need, self._me.tokens, self.left, self.previous)
        return [f"wild {r}" for r in dict.fromkeys(sequence[0] for sequence in found)]

    def _moves_in_pick(self) -> list[str]:
        found = pick_sequences(self._available(), self.left, self.previous)
        return [f"pick {r}" for r in dict.fromkeys(sequence[0] for sequence in found)]

    def _moves_in_hand(self) -> list[str]:
        return [f"discard {kind}" for kind in listed(self._me.hand)]

    def _moves_in_target(self) -> list[str]:
        assert self.effect is not None
        return [f"target {space}" for space in self._targets(self.effect)]

    def _moves_in_exchange(self) -> list[str]:
        return [*(f"exchange {given}-{gained}" for given, gained in self._exchanges()), "done"]  # N10.4.1

    def _moves_in_keep(self) -> list[str]:
        return [f"keep {tile}" for tile in self.offer]

    def _moves_in_projects(self) -> list[str]:
        return [*(f"complete {tile}" for tile in self._completable()), "done"]  # N7.1

    def _moves_in_partner(self) -> list[str]:
        """N20.6: positions with which the ones named so far still grow to a set."""
        assert self.project is not None
        named = len(self.partners)
        found = [
            partners
            for partners in partner_sets(self._me.workshop, self.project)
            if list(partners[:named]) == self.partners
        ]
        return [f"partner {position}" for position in dict.fromkeys(partners[named] for partners in found)]

    def _effect_open(self, kind: str) -> bool:
        """N4.6 for a machine in hand: judged with the machine on the bric-a-brac and out of the hand."""
        self._lay_down(kind)
        possible = self._effect_possible(kind)
        self.bric_a_brac.pop()
        self._me.hand[kind] += 1
        return possible

    def _effect_possible(self, kind: str) -> bool:
        """N4.6, with the machine just played as the last of the bric-a-brac."""
        if kind == "P1":
            return self._me.hand.total() > 0
        if kind in ("P2", "P3", "P5"):
            return len(self.bric_a_brac) > 1
        if kind == "P4":
            return bool(self._exchanges())
        if kind == "Y1":
            return bool(self.project_deck)
        if kind == "Y2":
            return bool(self._targets("Y2"))
        return True

    def _targets(self, effect: str) -> list[int]:
        """N10.2, N10.3, N12.2.2: the spaces that the effect of the last machine may name."""
        before = range(1, len(self.bric_a_brac))
        if effect in REACH:
            return list(before)[-REACH[effect] :]
        kinds = {space: self.bric_a_brac[space - 1].kind for space in before}
        return [space for space in before if kinds[space] != "Y2" and self._effect_possible(kinds[space])]

    def _exchanges(self) -> list[tuple[str, str]]:
        """N10.4.3: pairs of a token that can be given and a token that can be gained for it."""
        pairs = [("charcoalium", r) for r in RESOURCES] + [(r, "charcoalium") for r in RESOURCES]
        return [
            (given, gained)
            for given, gained in pairs
            if self._me.tokens[given] and (self.reserve[gained] or self._opponent.tokens[gained])
        ]

    def _available(self) -> Tokens:
        """N20.5: what may be picked."""
        if self.effect in ("R2", "R4"):
            return self._opponent.tokens
        if self.discarded is not None:
            cost = list(MACHINES[self.discarded].cost)
            if self.previous is not None:  # never more than two picks
                cost.remove(self.previous)
            return {r: cost.count(r) for r in RESOURCES}
        return dict.fromkeys(RESOURCES, 1)

    def _payable(self, space: int) -> bool:
        """N6.1: can the fee be paid, and the resources with some full use of the wild reductions (N6.4)?"""
        me = self._me
        need, wild = reductions_needed(me.workshop, self.bric_a_brac[space - 1].kind)
        if fee(me.workshop, len(self.bric_a_brac) - space) > me.tokens["charcoalium"]:
            return False
        return bool(wild_sequences(need, me.tokens, min(wild, sum(need.values()))))

    def _completable(self) -> list[int]:
        """N7.1: projects on the board and own reserved ones for which there is a set; N20.7: in rising order."""
        tiles = [*(tile for tile in self.projects if tile is not None), *self._me.reserved]
        later = [tile for tile in tiles if self.latest is None or tile > self.latest]
        return [tile for tile in later if partner_sets(self._me.workshop, tile)]

    # ---- moves --------------------------------------------------------------------------------------

    def play(self, move: str) -> None:
        """Play a legal move, and whatever then has only one legal action (N20.2)."""
        if move not in self.legal_moves():
            raise ValueError(f"{move!r} is not legal now")
        self._act(move)
        while self.phase in QUIET and len(self.legal_moves()) == 1 and not self._secret():
            self._act(self.legal_moves()[0])

    def _secret(self) -> bool:
        """N20.8: is it about the machine that P1 discards? (Its question in the hand is never quiet.)"""
        return self.phase == "pick" and self.effect == "P1"

    def _act(self, move: str) -> None:
        verb, *rest = move.split()
        getattr(self, "_do_" + verb)(*rest)

    def _do_charcoalium(self, kind: str) -> None:
        """N4.3."""
        self._put_in_play(kind, "charcoalium")
        self._gain("charcoalium", MACHINES[kind].points)
        self._end_turn(refill=True)

    def _do_produce(self, kind: str) -> None:
        """N4.4."""
        self._put_in_play(kind, "produce")
        symbol = MACHINES[kind].symbol
        if symbol == "wild":
            self._ask_picks(1)
        else:
            self._gain(symbol, 1)
            self._end_turn(refill=True)

    def _do_effect(self, kind: str) -> None:
        """N4.5."""
        self._put_in_play(kind, "effect")
        self._start_effect(kind)

    def _do_repair(self, space: str) -> None:
        """N6, N21.1."""
        me, number = self._me, int(space)
        me.last = Turn("repair", self.bric_a_brac[number - 1].kind)
        need, wild = reductions_needed(me.workshop, self.bric_a_brac[number - 1].kind)
        self.repair = Repair(number, fee(me.workshop, len(self.bric_a_brac) - number), need)
        self.left = min(wild, sum(need.values()))
        if self.left:
            self.phase = "wild"
        else:
            self._pay()

    def _do_wild(self, resource: str) -> None:
        """N21.2."""
        assert self.repair is not None
        self.repair.need[resource] -= 1
        self.left -= 1
        self.previous = resource
        if not self.left:
            self._pay()

    def _do_pick(self, resource: str) -> None:
        """N20.5: each pick acts at once."""
        if self.effect == "B5":  # N9.5
            self._gain(resource, self._showing("wild"))
        elif self.effect == "R2":  # N11.2
            self._opponent.tokens[resource] -= 1
            self._me.tokens[resource] += 1
        elif self.effect == "R4":  # N11.4
            self._opponent.tokens[resource] -= 1
            self.reserve[resource] += 1
        else:  # N4.4, N10
            self._gain(resource, 1)
        self.left -= 1
        first, self.previous = self.previous, resource
        if not self.left:
            if self.effect == "R2":
                self._steal_machine()
            elif self.effect == "P1":  # N16.6.4
                gains = Counter([first, resource])
                self._doubt(self._opponent, [kind for kind in KINDS if gains <= Counter(MACHINES[kind].cost)])
            self._end_turn(refill=True)

    def _do_discard(self, kind: str) -> None:
        """N10.1."""
        self._me.hand[kind] -= 1
        self._me.lost[kind] += 1
        self._pick_from_cost(kind)

    def _do_target(self, space: str) -> None:
        """N10.2, N10.3, N12.2."""
        number = int(space)
        if self.effect == "Y2":
            self._start_effect(self.bric_a_brac[number - 1].kind)
        else:
            self._discard_and_earn(number)

    def _do_exchange(self, pair: str) -> None:
        """N10.4.2: give first, then gain."""
        given, gained = pair.split("-")
        self._return(self._me, given, 1)
        self._gain(gained, 1)
        self.left -= 1
        if not self.left or not self._exchanges():  # N20.3
            self._end_turn(refill=True)

    def _do_keep(self, tile: str) -> None:
        """N12.1."""
        kept = int(tile)
        self._me.reserved = sorted([*self._me.reserved, kept])
        self._me.rejected = sorted([*self._me.rejected, *(other for other in self.offer if other != kept)])
        self._end_turn(refill=True)

    def _do_complete(self, tile: str) -> None:
        """N7.2; the partners are named one by one, and every set has at least one."""
        self.project = int(tile)
        self.phase = "partner"

    def _do_partner(self, position: str) -> None:
        """N7.5, N7.6."""
        assert self.project is not None
        self.partners.append(int(position))
        if len(self.partners) < PROJECTS[self.project].machines - 1:
            return
        me, tile = self._me, self.project
        if tile in me.reserved:
            me.reserved.remove(tile)
        else:
            self.projects[self.projects.index(tile)] = None
        me.completed = sorted([*me.completed, tile])
        self.latest = tile
        self._score(PROJECTS[tile].points)
        self.used = sorted({*self.used, *self.partners, len(me.workshop)})
        self.project, self.partners = None, []
        self._offer_projects()

    def _do_done(self) -> None:
        """N10.4.1, N7.1."""
        if self.phase == "exchange":
            self._end_turn(refill=True)
        else:
            self._finish_projects()

    def _do_pass(self) -> None:
        """N3.3."""
        self._me.last = Turn("pass")
        self._end_turn(refill=True)

    # ---- playing a machine --------------------------------------------------------------------------

    def _lay_down(self, kind: str) -> None:
        """N4.1, N13.1: from hand to the first empty space, which is the one after the last machine."""
        assert len(self.bric_a_brac) < SPACES
        self._me.hand[kind] -= 1
        self.bric_a_brac.append(Spot(kind))

    def _put_in_play(self, kind: str, use: str) -> None:
        self._lay_down(kind)
        self._see_leave(self._opponent, kind)
        self.played = kind
        self._me.last = Turn(use, kind)

    def _start_effect(self, kind: str) -> None:
        """N9-N12: the effect of the machine played, or of the one that it copies."""
        self.effect = kind
        assert self._me.last is not None
        self._me.last.effect = kind
        if kind in ("B1", "B2", "B3", "B4"):  # N9.1-N9.4
            symbol = MACHINES[kind].symbol
            self._gain(symbol, self._showing(symbol))
            self._end_turn(refill=True)
        elif kind == "B5":
            self._ask_picks(1)
        elif kind == "P1":
            self.phase = "hand"
        elif kind in ("P2", "P3", "Y2"):
            self.phase = "target"
        elif kind == "P4":
            self.phase, self.left = "exchange", EXCHANGES
        elif kind == "P5":  # N10.5
            self._discard_and_earn(len(self.bric_a_brac) - 1)
        elif kind == "R1":  # N11.1
            self._steal("charcoalium")
            self._steal_machine()
            self._end_turn(refill=True)
        elif kind == "R2":  # N11.2
            if self._opponent.resources:
                self._ask_picks(1)
            else:
                self._steal_machine()
                self._end_turn(refill=True)
        elif kind == "R3":
            self._thin_out()
            self._end_turn(refill=True)
        elif kind == "R4":  # N11.4
            if self._opponent.resources:
                self._ask_picks(min(2, self._opponent.resources))
            else:
                self._end_turn(refill=True)
        else:
            assert kind == "Y1"  # N12.1, N12.1.1
            self.offer = sorted(self.project_deck[:TILES])
            del self.project_deck[:TILES]
            self.phase = "keep"

    def _showing(self, symbol: str) -> int:
        """N9: how many machines of the bric-a-brac show this symbol."""
        return sum(MACHINES[spot.kind].symbol == symbol for spot in self.bric_a_brac)

    def _ask_picks(self, number: int) -> None:
        self.phase, self.left, self.previous = "pick", number, None

    def _discard_and_earn(self, space: int) -> None:
        """N10.7: first the discard, then the gain (of P3 the charcoalium first)."""
        kind = self.bric_a_brac[space - 1].kind
        self._clear_space(space)
        if self.effect == "P3":
            self._gain("charcoalium", 1)
        self._pick_from_cost(kind)

    def _pick_from_cost(self, kind: str) -> None:
        """N10.6."""
        assert self.effect is not None
        self.discarded = kind
        self._ask_picks(PICKS[self.effect])

    def _steal(self, token: str) -> None:
        if self._opponent.tokens[token]:
            self._opponent.tokens[token] -= 1
            self._me.tokens[token] += 1

    def _steal_machine(self) -> None:
        """N11.1, N11.2, N11.5."""
        if self._opponent.hand.total():
            kind = self._lose_at_random(self._opponent)
            self._me.hand[kind] += 1
            self._see_leave(self._me, kind)
            self._opponent.known[kind] += 1  # N16.6.1

    def _see_leave(self, observer: Seat, kind: str) -> None:
        """N16.6.2: a machine leaves the hand of the other seat in sight."""
        for remembered in (observer.known, observer.doubtful):
            if remembered[kind]:
                remembered[kind] -= 1
                return

    def _doubt(self, observer: Seat, kinds: Iterable[str]) -> None:
        """N16.6.3, N16.6.4: one known machine of each of these kinds may have gone."""
        for kind in kinds:
            if observer.known[kind]:
                observer.known[kind] -= 1
                observer.doubtful[kind] += 1

    def _thin_out(self) -> None:
        """N11.3."""
        opponent = self._opponent
        while opponent.hand.total() > THINNED:
            opponent.lost[self._lose_at_random(opponent)] += 1
            self._doubt(self._me, KINDS)
        self._return(opponent, "charcoalium", min(2, opponent.tokens["charcoalium"]))

    # ---- tokens and the bric-a-brac -----------------------------------------------------------------

    def _gain(self, token: str, number: int) -> None:
        """N14.1: unit by unit from the reserve, else from the opponent, else not at all."""
        for _ in range(number):
            for source in (self.reserve, self._opponent.tokens):
                if source[token]:
                    source[token] -= 1
                    self._me.tokens[token] += 1
                    break

    def _return(self, seat: Seat, token: str, number: int) -> None:
        assert seat.tokens[token] >= number
        seat.tokens[token] -= number
        self.reserve[token] += number

    def _clear_space(self, space: int) -> None:
        """N13.2, N13.3: a machine leaves the game, the charcoalium on it goes to the reserve, the gap closes."""
        spot = self.bric_a_brac.pop(space - 1)
        self.reserve["charcoalium"] += spot.charcoalium
        self.removed[spot.kind] += 1

    # ---- repairing and projects ---------------------------------------------------------------------

    def _pay(self) -> None:
        """N6.7-N6.12."""
        me, repair = self._me, self.repair
        assert repair is not None
        for r in RESOURCES:  # N6.7
            self._return(me, r, repair.need[r])
        for step in range(1, repair.fee + 1):  # N6.8
            me.tokens["charcoalium"] -= 1
            self.bric_a_brac[repair.space - 1 + step].charcoalium += 1
        spot = self.bric_a_brac.pop(repair.space - 1)  # N6.9, N6.11
        me.workshop.append(spot.kind)
        me.tokens["charcoalium"] += spot.charcoalium
        self._score(MACHINES[spot.kind].points)  # N6.10
        self.repair, self.left, self.previous = None, 0, None
        self._offer_projects()

    def _score(self, points: int) -> None:
        """N15.1, N15.3."""
        self._me.points += points
        if self._me.points >= GOAL:
            self.ending = True

    def _offer_projects(self) -> None:
        """N20.3: enter PROJECTS only if something can be completed."""
        self.phase = "projects"
        if not self._completable():
            self._finish_projects()

    def _finish_projects(self) -> None:
        """N7.6."""
        me = self._me
        for position in sorted(self.used, reverse=True):
            self.removed[me.workshop.pop(position - 1)] += 1
        self._end_turn(refill=False)

    # ---- the end of a turn (N3.4) -------------------------------------------------------------------

    def _end_turn(self, refill: bool) -> None:
        if refill:
            self._refill()
        if len(self._me.workshop) == FULL_WORKSHOP:  # N8.1
            self.removed.update(self._me.workshop[:-1])
            del self._me.workshop[:-1]
        if len(self.bric_a_brac) == SPACES:  # N13.4
            for _ in range(ROW):
                self._clear_space(1)
        self._forget()
        if self.seat == 0:
            self.phase, self.seat = "turn", 1
        elif self.ending:  # N15.2
            self.phase = "over"
        elif self.round == self.max_rounds:
            self.phase, self.truncated = "over", True
        else:
            self.phase, self.seat, self.round = "turn", 0, self.round + 1

    def _refill(self) -> None:
        """N5.1, N5.2."""
        hand = self._me.hand
        missing = max(0, HAND - hand.total())
        last_drawn = missing > 0 and missing == len(self.deck) and self.end_by_deck == "last_card"  # N15.5
        if missing > len(self.deck) or last_drawn:
            self.ending = True
        hand.update(self.deck[:missing])
        del self.deck[:missing]
