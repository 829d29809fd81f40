"""A slow and plain implementation of Pixel Pusher, written to be compared with a faster one.

Paragraph numbers (P1, P2, ...) are those of the game's rules. The matches of cards are in pixel_pusher_cards,
what a player has in pixel_pusher_board.
"""

from __future__ import annotations

import copy
from typing import Any

from tests.support.reference.game import ReferenceGame
from tests.support.reference.pixel_pusher_board import Pixels, Seat, Slot, in_hand_order, pixels_from, spread
from tests.support.reference.pixel_pusher_cards import (
    ABILITIES,
    ALL_MOVES,
    FIRST_PIXELS,
    IMAGES,
    LEADER_CARDS,
    LINES,
    MACHINES,
    MOVES_WITH_ANY_TRIPLE,
    OPTIONS,
    OTHERS,
    PLACES,
    PRIMARY,
    RECIPES,
    REFILL,
    REMOVED,
    SEGMENTS,
    STACK,
    STOCK,
    STORAGE,
)

PHASES = {  # in which phases a family of moves is asked for (P55)
    "draft": ("draft",),
    "install": ("build",),
    "discard": ("build",),
    "activate": ("convert",),
    "finish": ("convert",),
    "give": ("pay", "store"),
    "fill": ("score",),
    "pass": ("score",),
}


class Display:
    """P10: a face-up image and which of its lines are filled."""

    def __init__(self, image: int, filled: list[bool] | None = None) -> None:
        self.image = image
        self.filled = [False] * LINES if filled is None else list(filled)


def _all(some: dict[str, int]) -> Pixels:
    """The pixels of all colors, of which only those that are there were written."""
    return {color: some.get(color, 0) for color in STOCK}


class Reference(ReferenceGame):
    """One game of Pixel Pusher. Make it with `new` or `from_snapshot`."""

    def __init__(self, players: int, rng: int, **options: str) -> None:
        if players not in REMOVED:
            raise ValueError(f"2 to 4 players, not {players}")
        self.options = {name: values[0] for name, values in OPTIONS.items()} | options
        for name, value in self.options.items():
            if value not in OPTIONS.get(name, ()):
                raise ValueError(f"there is no option {name}={value!r}")
        self.moves = MOVES_WITH_ANY_TRIPLE if self.options["triple"] == "any" else ALL_MOVES
        self.players = players
        self.rng = rng
        self.round = 1
        self.phase = "draft"
        self.turn = 0  # the seat that decides
        self.leaders = dict.fromkeys(LEADER_CARDS, 0)
        self.bag: Pixels = {color: STOCK[color] for color in PRIMARY}  # P11
        self.piles: Pixels = {color: STOCK[color] for color in OTHERS}
        self.conveyor: list[Pixels] = [pixels_from("", PRIMARY) for _ in range(SEGMENTS)]
        self.machine_deck: list[int] = []
        self.removed: list[int] = []
        self.set_aside: list[int] = []
        self.discarded: list[int] = []
        self.image_deck: list[int] = []
        self.images: list[Display | None] = [None] * PLACES
        self.finished: list[int] = []
        self.shown: dict[str, Any] | None = None  # P60: what the others see while players convert
        self.open_convert = False  # P44: everybody sees everything, one after the other
        self.seats = [Seat() for _ in range(players)]

    # ---- chance (P62) -------------------------------------------------------------------------------

    def _draw(self, pixels: Pixels) -> str:
        """Take one pixel at random out of these, which are not empty."""
        row = spread(pixels)
        color = row[self._below(len(row))]
        pixels[color] -= 1
        return color

    # ---- setup --------------------------------------------------------------------------------------

    @classmethod
    def new(cls, players: int, rng: int, **options: str) -> Reference:
        """P10-P15: the beginning of a game; all its chance comes from the counter `rng`."""
        game = cls(players, rng, **options)
        images = game._shuffled(sorted(IMAGES))
        game.images = [Display(image) for image in images[:PLACES]]
        game.image_deck = images[PLACES:]
        machines = game._shuffled([kind for kind in sorted(MACHINES) for _ in range(MACHINES[kind].copies)])
        game.removed = sorted(machines[: REMOVED[players]])
        game.machine_deck = machines[REMOVED[players] :]
        for segment, number in zip(game.conveyor, FIRST_PIXELS, strict=True):
            for _ in range(number):
                segment[game._draw(game.bag)] += 1
        game.leaders = dict.fromkeys(LEADER_CARDS, game._below(players))
        game._begin_draft()
        game._play_forced()
        return game

    # ---- snapshot -----------------------------------------------------------------------------------

    def snapshot(self, omniscient: bool = True) -> dict[str, Any]:
        """The whole position as plain data; without omniscience what all may see (P64)."""
        shown = self.shown or {"supply": {}, "seats": [{"points": 0, "pixels": {}}] * self.players}
        data = {
            "game": "pixel_pusher",
            "players": self.players,
            "options": dict(self.options),
            "open_convert": self.open_convert,
            "known": [self._known(observer) for observer in range(self.players)],
            "round": self.round,
            "seat": self.seat,
            "phase": self.phase,
            "rng": str(self.rng),
            "leaders": dict(self.leaders),
            "supply": {**self.bag, **self.piles},
            "shown_supply": {color: count for color, count in shown["supply"].items() if count},
            "conveyor": [dict(segment) for segment in self.conveyor],
            "machine_deck": list(self.machine_deck),
            "removed": list(self.removed),
            "set_aside": list(self.set_aside),
            "discarded": list(self.discarded),
            "image_deck": list(self.image_deck),
            "images": [item and {"image": item.image, "filled": list(item.filled)} for item in self.images],
            "finished": list(self.finished),
            "played": [list(seat.played) for seat in self.seats],
            "seats": [
                {
                    "points": seat.points,
                    "pixels": dict(seat.pixels),
                    "shown": {"points": before["points"], "pixels": {c: n for c, n in before["pixels"].items() if n}},
                    "slots": [{"type": slot.type, "cards": list(slot.cards)} for slot in seat.slots],
                    "hand": list(seat.hand),
                    "choice": seat.choice,
                    "drafted": list(seat.drafted),
                    "laid": list(seat.laid),
                    "asked": seat.asked,
                    "abilities": list(seat.abilities),
                    "used": list(seat.used),
                    "used_abilities": list(seat.used_abilities),
                }
                for seat, before in zip(self.seats, shown["seats"], strict=True)
            ],
        }
        return data if omniscient else self._public(data)

    def _public(self, data: dict[str, Any]) -> dict[str, Any]:
        """P60, P64, P67: the same data without what is hidden."""
        del data["rng"]
        data["known"] = None
        if data["phase"] == "draft":  # P59
            data["seat"] = None
        data["shown_supply"] = None
        for name in ("machine_deck", "removed", "set_aside", "image_deck"):
            data[name] = len(data[name])
        for seat in data["seats"]:
            seat |= {"hand": len(seat["hand"]), "choice": None, "drafted": len(seat["drafted"])}
            seat |= {"laid": len(seat["laid"]), "asked": None, "shown": None}
        if self.shown is not None:
            data |= {"seat": None, "phase": "convert", "supply": dict(self.shown["supply"])}
            for seat, before in zip(data["seats"], copy.deepcopy(self.shown["seats"]), strict=True):
                seat |= before | {"used": [], "used_abilities": []}
        return data

    @classmethod
    def from_snapshot(cls, data: dict[str, Any]) -> Reference:
        """The game in the position of an omniscient snapshot."""
        if "rng" not in data:
            raise ValueError("a snapshot without what is hidden cannot be played on")
        data = copy.deepcopy(data)
        game = cls(data["players"], int(data["rng"]), **data["options"])
        for name in (
            *("round", "phase", "leaders", "conveyor", "machine_deck", "removed", "set_aside"),
            *("discarded", "image_deck", "finished", "open_convert"),
        ):
            setattr(game, name, data[name])
        game.bag = {color: data["supply"][color] for color in PRIMARY}
        game.piles = {color: data["supply"][color] for color in OTHERS}
        if game.phase in ("convert", "store") and not game.open_convert:
            shown = [
                {"points": item["shown"]["points"], "pixels": _all(item["shown"]["pixels"])} for item in data["seats"]
            ]
            game.shown = {"supply": _all(data["shown_supply"]), "seats": shown}
        game.turn = data["seat"]
        game.images = [item and Display(item["image"], item["filled"]) for item in data["images"]]
        for seat, item, played in zip(game.seats, data["seats"], data["played"], strict=True):
            del item["shown"]
            seat.played = played
            for name, value in item.items():
                setattr(seat, name, value)
            seat.slots = [Slot(slot["type"], slot["cards"]) for slot in item["slots"]]
        return game

    def _known(self, observer: int) -> list[list[Any]]:
        """P66: by stack and place the cards the observer saw there that others took or hold; null for all others."""
        if self.phase not in ("draft", "build", "pay"):
            return []
        picks = [seat.drafted if self.phase == "draft" else seat.laid for seat in self.seats]
        made, size = len(picks[0]), len(picks[0]) + len(self.seats[0].hand)
        rows = []
        for stack in range(self.players):
            row: list[Any] = [None] * size
            lying = [picks[(stack + pick) % self.players][pick] for pick in range(made)]
            lying += self.seats[(stack + made) % self.players].hand
            for sight in range((observer - stack) % self.players, min(made, size), self.players):
                back = sight + self.players
                places = range(sight + 1, min(back, size) if back <= made else size)
                for place, card in zip(places, in_hand_order([lying[place] for place in places]), strict=True):
                    row[place] = card
            rows.append(row)
        return rows

    # ---- the outcome --------------------------------------------------------------------------------

    @property
    def seat(self) -> int:
        """The seat to decide now."""
        return self.turn

    def points(self) -> list[int]:
        """The points of each seat."""
        return [seat.points for seat in self.seats]

    def ranks(self) -> list[int]:
        """P49: the place of each seat, by points, then by pixels on the board; ties share the place."""
        scores = [(seat.points, seat.count()) for seat in self.seats]
        return [1 + sum(other > score for other in scores) for score in scores]

    # ---- what is legal (P55) ------------------------------------------------------------------------

    def legal_moves(self) -> list[str]:
        """All legal moves, sorted: those without an objection."""
        return sorted(move for move in self.moves if self.objection(move) is None)

    def objection(self, move: str) -> str | None:
        """Why this move is not legal now, or nothing."""
        if move not in self.moves:
            return "there is no such move (P55)"
        family, *words = move.split()
        if self.phase not in PHASES[family]:
            return f"the phase is {self.phase} (P55)"
        me = self.seats[self.turn]
        if family == "draft" and int(words[0]) >= len(me.hand):
            return "no such card in the hand (P56)"
        if family in ("install", "discard") and int(words[0]) >= len(me.drafted):
            return "no such card to play (P56)"
        if family == "install":
            kind = me.drafted[int(words[0])]
            assert isinstance(kind, int)
            return me.objection_to_install(kind, words[1], me.slots[int(words[3]) - 1])
        if family == "give" and not me.pixels[words[0]]:
            return f"there is no {words[0]} (P57)"
        if family == "activate":
            return self._objection_to_recipe(words[0])
        if family == "fill":
            return self._objection_to_line(int(words[0]), int(words[2]))
        return None

    def _objection_to_recipe(self, name: str) -> str | None:
        """P40, P42."""
        me, recipe = self.seats[self.turn], RECIPES[name]
        if recipe.converter not in me.ready():
            return f"no {recipe.converter} ready (P40)"
        if not me.covers(recipe.pay):
            return "the pixels to pay are not there (P40)"
        for color in recipe.gain:
            if self._supply(color)[color] + recipe.pay.count(color) < recipe.gain.count(color):
                return f"too few {color} in the supply (P42)"
        return None

    def _objection_to_line(self, place: int, line: int) -> str | None:
        """P46."""
        shown = self.images[place]
        if shown is None:
            return "no image there (P47)"
        if shown.filled[line]:
            return "the line is filled (P46)"
        if not self.seats[self.turn].covers(IMAGES[shown.image].needs(line)):
            return "the pixels are not there (P46)"
        return None

    # ---- playing ------------------------------------------------------------------------------------

    def play(self, move: str) -> None:
        """Play a legal move, and after it whatever needs no decision (P55)."""
        objection = self.objection(move)
        if objection is not None:
            raise ValueError(f"illegal move {move!r}: {objection}")
        if self.shown is not None:
            self.seats[self.turn].asked += 1
        self._carry_out(move)
        self._play_forced()

    def _play_forced(self) -> None:
        """P55: a decision with one legal action is not asked."""
        while not self.over:
            moves = self.legal_moves()
            assert moves, "P58: no dead ends"
            if len(moves) > 1:
                return
            self._carry_out(moves[0])

    def _carry_out(self, move: str) -> None:
        family, *words = move.split()
        if family == "draft":
            self._choose(int(words[0]))
        elif family == "install":
            self._install(int(words[0]), words[1], int(words[3]))
        elif family == "discard":
            self._discard(int(words[0]))
        elif family == "activate":
            self._activate(words[0])
        elif family == "finish":
            self._go_to_store()
        elif family == "give":
            self._give(words[0])
        elif family == "fill":
            self._fill(int(words[0]), int(words[2]))
        else:
            self._after_score_turn()

    # ---- where pixels go ----------------------------------------------------------------------------

    def _supply(self, color: str) -> Pixels:
        """P3: the bag or the piles, whichever has this color."""
        return self.bag if color in PRIMARY else self.piles

    def _pay(self, color: str) -> None:
        """P3: one pixel of the deciding player goes to its supply."""
        assert self.seats[self.turn].pixels[color] > 0
        self.seats[self.turn].pixels[color] -= 1
        self._supply(color)[color] += 1

    def _gain(self, color: str) -> None:
        """One pixel comes from its supply to the deciding player."""
        assert self._supply(color)[color] > 0
        self._supply(color)[color] -= 1
        self.seats[self.turn].pixels[color] += 1

    # ---- order of play ------------------------------------------------------------------------------

    def _order(self, phase: str) -> list[int]:
        """P23: all seats, the leader of the phase first, then clockwise."""
        return [(self.leaders[phase] + step) % self.players for step in range(self.players)]

    def _next_seat(self, phase: str) -> int | None:
        """Who comes after the deciding seat in the order of this phase, if anybody."""
        order = self._order(phase)
        later = order[order.index(self.turn) + 1 :]
        return later[0] if later else None

    # ---- Generate (P17) -----------------------------------------------------------------------------

    def _generate(self) -> None:
        for color, number in self.conveyor[-1].items():
            self.bag[color] += number
        self.conveyor = [pixels_from("", PRIMARY), *self.conveyor[:-1]]
        for _ in range(REFILL):
            if sum(self.bag.values()):
                self.conveyor[0][self._draw(self.bag)] += 1

    # ---- Draft (P18-P24) ----------------------------------------------------------------------------

    def _begin_draft(self) -> None:
        abilities = self._shuffled(list(ABILITIES))
        number = min(STACK, len(self.machine_deck) // self.players)  # P19
        for seat, ability in zip(self.seats, abilities, strict=False):
            stack, self.machine_deck = self.machine_deck[:number], self.machine_deck[number:]
            seat.hand = in_hand_order([*stack, ability])
            seat.abilities, seat.used, seat.used_abilities = [], [], []
        if len(self.machine_deck) < self.players:  # P19.1
            self.set_aside, self.machine_deck = sorted(self.set_aside + self.machine_deck), []
        self.phase, self.turn = "draft", 0

    def _choose(self, position: int) -> None:
        """P59: lock a choice; the last seat's choice lets all lay down and pass on."""
        self.seats[self.turn].choice = position
        if self.turn < self.players - 1:
            self.turn += 1
            return
        rests = []
        for seat in self.seats:
            assert seat.choice is not None
            seat.drafted.append(seat.hand.pop(seat.choice))
            seat.choice = None
            rests.append(seat.hand)
        for number, rest in enumerate(rests):
            self.seats[(number + 1) % self.players].hand = rest
        self.turn = 0
        if not rests[0]:
            self._turn_up_abilities()

    def _turn_up_abilities(self) -> None:
        """P22-P24: abilities are turned up and decide who leads; then Build begins."""
        for seat in self.seats:
            seat.laid = list(seat.drafted)
            seat.abilities = [ability for ability in ABILITIES if ability in seat.drafted]
            seat.drafted = in_hand_order([card for card in seat.drafted if card not in ABILITIES])
        for phase, ability in LEADER_CARDS.items():
            owners = [number for number, seat in enumerate(self.seats) if ability in seat.abilities]
            if owners:
                self.leaders[phase] = owners[0]
            elif self.round > 1:
                self.leaders[phase] = (self.leaders[phase] + 1) % self.players
        self.phase, self.turn = "build", self.leaders["build"]
        self._find_builder()

    # ---- Build (P26-P33) ----------------------------------------------------------------------------

    def _find_builder(self) -> None:
        """P26: whoever has cards to play, from the present seat on; if nobody has, Collect."""
        self.phase = "build"
        while not self.seats[self.turn].drafted:
            following = self._next_seat("build")
            if following is None:
                self._collect()
                return
            self.turn = following

    def _install(self, position: int, end: str, number: int) -> None:
        """P28-P30: the card goes into the slot, then its cost is paid."""
        me = self.seats[self.turn]
        kind = me.drafted.pop(position)
        assert isinstance(kind, int)
        me.played = sorted([*me.played, kind])
        machine, slot = MACHINES[kind], me.slots[number - 1]
        slot.type = machine.collect if end == "collect" else "convert"
        slot.cards = sorted([*slot.cards, kind])
        if end == "collect" and machine.cost == "?":
            self.phase = "pay"
            return
        if end == "collect" and machine.cost:
            self._pay(machine.cost)
        self._find_builder()

    def _discard(self, position: int) -> None:
        """P31."""
        kind = self.seats[self.turn].drafted.pop(position)
        assert isinstance(kind, int)
        self.discarded = sorted([*self.discarded, kind])
        self.seats[self.turn].played = sorted([*self.seats[self.turn].played, kind])
        if sum(self.bag.values()):
            self.seats[self.turn].pixels[self._draw(self.bag)] += 1
        self._find_builder()

    def _give(self, color: str) -> None:
        """P57: pay for a random collect end, or give back what cannot be stored."""
        self._pay(color)
        if self.phase == "pay":
            self._find_builder()
        else:
            self._go_to_store()

    # ---- Collect (P34-P37) --------------------------------------------------------------------------

    def _may_run_short(self) -> bool:
        """P44.2: a color that concerns two players, of which they could want more than there is."""
        most = [seat.most_gains(self.options["triple"] == "any") for seat in self.seats]
        for color in STOCK:
            concerned = [bool(seat.pixels[color] or gains[color]) for seat, gains in zip(self.seats, most, strict=True)]
            if sum(concerned) > 1 and sum(gains[color] for gains in most) > self._supply(color)[color]:
                return True
        return False

    def _collect(self) -> None:
        for seat in self.seats:
            seat.laid, seat.played = [], []
        for number, segment in enumerate(self.conveyor):
            for who in self._order("collect"):
                seat, slot = self.seats[who], self.seats[who].slots[number]
                if slot.type in segment and segment[slot.type] >= slot.amount():
                    segment[slot.type] -= slot.amount()
                    seat.pixels[slot.type] += slot.amount()
            for who in self._order("collect"):
                seat, slot = self.seats[who], self.seats[who].slots[number]
                if slot.type == "?" and len(spread(segment)) >= slot.amount():
                    for _ in range(slot.amount()):
                        seat.pixels[self._draw(segment)] += 1
        self.open_convert = self._may_run_short()
        if not self.open_convert:
            self.shown = {
                "supply": {**self.bag, **self.piles},
                "seats": [{"points": seat.points, "pixels": dict(seat.pixels)} for seat in self.seats],
            }
        self.phase, self.turn = "convert", self.leaders["collect"]

    # ---- Convert and Store (P38-P44, P60) -----------------------------------------------------------

    def _activate(self, name: str) -> None:
        """P40: pay first, then gain."""
        me, recipe = self.seats[self.turn], RECIPES[name]
        me.mark_used(name)
        for color in recipe.pay:
            self._pay(color)
        for color in recipe.gain:
            self._gain(color)
        me.points += recipe.points

    def _go_to_store(self) -> None:
        """P43: too many pixels must be given back; otherwise the next seat converts, or Score begins."""
        if self.seats[self.turn].count() > STORAGE:
            self.phase = "store"
            return
        following = self._next_seat("collect")
        if following is None:
            self.shown, self.open_convert = None, False
            for seat in self.seats:
                seat.asked = 0
            self.phase, self.turn = "score", self.leaders["score"]
        else:
            self.phase, self.turn = "convert", following

    # ---- Score (P45-P48) ----------------------------------------------------------------------------

    def _fill(self, place: int, line: int) -> None:
        """P46."""
        me, display = self.seats[self.turn], self.images[place]
        assert display is not None
        for color in IMAGES[display.image].needs(line):
            me.pixels[color] -= 1
        display.filled[line] = True
        me.points += IMAGES[display.image].worth(line, self.options["line_points"])
        self._after_score_turn()

    def _after_score_turn(self) -> None:
        """P45: the next seat's turn, or the end of the round."""
        following = self._next_seat("score")
        if following is not None:
            self.turn = following
            return
        for place, display in enumerate(self.images):
            if display is not None and all(display.filled):
                self._take_off(place, display)
        if not self.machine_deck:  # P48
            self.phase = "over"
            return
        self.round += 1
        self._generate()
        self._begin_draft()

    def _take_off(self, place: int, display: Display) -> None:
        """P47: a finished image makes room for the next."""
        for line in range(LINES):
            for color in IMAGES[display.image].needs(line):
                self._supply(color)[color] += 1
        self.finished = sorted([*self.finished, display.image])
        self.images[place] = Display(self.image_deck.pop(0)) if self.image_deck else None
