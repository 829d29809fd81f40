"""A game from an omniscient snapshot: written, then checked by counting and by reading it back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ...core.game import BadSnapshot, Box
from .building import COLLECT_END, CONVERT_END, end_type, put_in_slot
from .cards import (
    BUILD,
    CARDS,
    COLLECT,
    COLORS,
    CONVERT_TYPE,
    COPIES,
    FIRST_ABILITY,
    LEADERS,
    LINES,
    NEED,
    NUM_CARDS,
    NUM_COLORS,
    NUM_IMAGES,
    NUM_KINDS,
    NUM_MACHINES,
    NUM_PRIMARIES,
    RANDOM_TYPE,
    SLOT_TYPES,
)
from .converting import must_give
from .ending import in_secret
from .pixels import held
from .setup import empty_boards
from .snapshot import snapshot
from .state import (
    BUILDING,
    DRAFTING,
    NONE,
    OVER,
    PAYING,
    PHASES,
    PIXELS,
    PLACES,
    REMOVED,
    ROUNDS,
    SCORING,
    SEGMENTS,
    SLOTS,
    STACK,
    STORING,
)

_MOST_POINTS = 10_000


def box_of_snapshot(data: Mapping[str, Any]) -> dict[str, Any]:
    """The options a snapshot was made with.

    Raises:
        BadSnapshot: they are not there.
    """
    if data.get("game") != "pixel_pusher":
        raise BadSnapshot(f"snapshot: game is {data.get('game')!r}, must be 'pixel_pusher'")
    options = data.get("options")
    if not isinstance(options, Mapping) or "players" not in data:
        raise BadSnapshot("snapshot: 'players' or 'options' is missing")
    return {"players": data["players"], **options}


def restore(data: Mapping[str, Any], box: Box, s: Any) -> None:
    """Write the position into `s`, a zeroed record.

    Raises:
        BadSnapshot: in one line, where and why the data is no position of the game.
    """
    if "luck" not in data or "shown" not in data:
        raise BadSnapshot("snapshot: cards are hidden; only omniscient snapshots can be restored")
    try:
        _Writer(data, box, s).write()
    except BadSnapshot:
        raise
    except (KeyError, IndexError, ValueError, TypeError, AttributeError, OverflowError) as error:
        raise BadSnapshot(f"snapshot: not of the documented form: {type(error).__name__}: {error}") from None
    for check in (_check_machines, _check_abilities, _check_images, _check_pixels, _check_turns, _check_secrets):
        for fault in check(s, box.players):
            raise BadSnapshot(f"snapshot: {fault}")
    difference = _first_difference("snapshot", dict(data), snapshot(s, box, True))
    if difference:
        raise BadSnapshot(difference)


class _Writer:
    """Writes one snapshot into one record."""

    def __init__(self, data: Mapping[str, Any], box: Box, s: Any) -> None:
        self.data, self.box, self.s = data, box, s

    def write(self) -> None:
        s, data, players = self.s, self.data, self.box.players
        empty_boards(s)
        s.rng = np.uint64(int(data["luck"]))
        s.round_number = within("round", data["round"], 1, int(ROUNDS[players]))
        s.phase = number(PHASES, data["phase"], "phase")
        s.over = s.phase == OVER
        if not s.over:
            s.seat = within("seat", data["seat"], 0, players - 1)
        else:
            self.last_seat()
        for phase, name in enumerate(LEADERS):
            s.leaders[phase] = within(f"leaders.{name}", data["leaders"][name], 0, players - 1)
        self.supply("", data, s.supply)
        for segment in range(SEGMENTS):
            self.pixels(f"conveyor[{segment}]", data["conveyor"][segment], s.conveyor[segment])
        s.deck_size = self.row("machine_deck", data["machine_deck"][::-1], s.machine_deck, NUM_KINDS)
        self.row("removed", data["removed"], s.removed, NUM_KINDS)
        s.set_aside_size = self.row("set_aside", data["set_aside"], s.set_aside, NUM_KINDS)
        for kind in data["discarded"]:
            s.discarded[within("discarded", kind, 1, NUM_KINDS)] += 1
        s.image_deck_size = self.row("image_deck", data["image_deck"][::-1], s.image_deck, NUM_IMAGES)
        for place, image in enumerate(data["images"]):
            if image is not None:
                s.images[place] = within(f"images[{place}].image", image["image"], 1, NUM_IMAGES)
                for line, filled in zip(range(LINES), image["filled"], strict=True):
                    s.filled[place, line] = filled
        for image in data["finished"]:
            s.finished[within("finished", image, 1, NUM_IMAGES)] = 1
        if len(data["seats"]) != players:
            raise BadSnapshot(f"snapshot: {len(data['seats'])} seats, but players is {players}")
        for place, seat in enumerate(data["seats"]):
            self.seat(f"seats[{place}]", s.seats[place], seat)
        if data["shown"] is not None:
            self.shown(data["shown"])

    def last_seat(self) -> None:
        """When the game is over nobody decides; the record keeps the seat that had the last turn to score (P45)."""
        self.s.seat = (self.data["leaders"]["score"] - 1) % self.box.players

    def pixels(self, where: str, counts: Mapping[str, int], into: Any, colors: str = COLORS) -> None:
        for place in range(len(into)):
            into[place] = within(f"{where}.{colors[place]}", counts[colors[place]], 0, 20)

    def supply(self, where: str, data: Mapping[str, Any], into: Any) -> None:
        self.pixels(f"{where}bag", data["bag"], into[:NUM_PRIMARIES])
        self.pixels(f"{where}piles", data["piles"], into[NUM_PRIMARIES:], COLORS[NUM_PRIMARIES:])

    def row(self, where: str, cards: Sequence[int | str], into: Any, most: int) -> int:
        """Write cards into places that are 0; their number."""
        if len(cards) > len(into):
            raise BadSnapshot(f"snapshot: {len(cards)} cards in {where}, at most {len(into)}")
        for place, card in enumerate(cards):
            if isinstance(card, str) and most == NUM_CARDS:
                into[place] = FIRST_ABILITY + number(CARDS.abilities, card, where)
            else:
                into[place] = within(where, card, 1, min(most, NUM_KINDS))
        return len(cards)

    def seat(self, where: str, seat: Any, data: Mapping[str, Any]) -> None:
        seat.points = within(f"{where}.points", data["points"], 0, _MOST_POINTS)
        self.pixels(f"{where}.pixels", data["pixels"], seat.pixels)
        for slot in range(SLOTS):
            self.slot(f"{where}.slots[{slot}]", seat, slot, data["slots"][slot])
        seat.hand_size = self.row(f"{where}.hand", data["hand"], seat.hand, NUM_CARDS)
        seat.drafted_size = self.row(f"{where}.drafted", data["drafted"], seat.drafted, NUM_CARDS)
        if data["choice"] is not None:
            seat.choice = within(f"{where}.choice", data["choice"], 0, int(seat.hand_size) - 1)
        for name in data["abilities"]:
            seat.abilities[number(CARDS.abilities, name, f"{where}.abilities")] += 1
        for name in data["used"]:
            seat.used[number(CARDS.converters[: len(seat.used)], name, f"{where}.used")] += 1
        for name in data["used_abilities"]:
            seat.used_abilities[number(CARDS.abilities, name, f"{where}.used_abilities")] += 1

    def slot(self, where: str, seat: Any, slot: int, data: Mapping[str, Any]) -> None:
        if data["type"] is None:
            return
        kind = number(SLOT_TYPES, data["type"], f"{where}.type")
        end = CONVERT_END if kind == CONVERT_TYPE else COLLECT_END
        for card in data["cards"]:
            if end_type(within(f"{where}.cards", card, 1, NUM_KINDS), end) != kind:
                raise BadSnapshot(f"snapshot: {where} is of type {data['type']!r}, which card {card} is not (P28)")
            if seat.slot_cards.sum() == len(seat.installed):
                raise BadSnapshot(f"snapshot: more than {len(seat.installed)} cards are installed in {where[:8]}")
            put_in_slot(seat, card, end, slot)

    def shown(self, data: Mapping[str, Any]) -> None:
        if not in_secret(self.s):
            raise BadSnapshot(f"snapshot: phase {PHASES[self.s.phase]!r} does not go with shown (P60)")
        self.supply("shown.", data, self.s.shown_supply)
        if len(data["seats"]) != self.box.players:
            raise BadSnapshot(f"snapshot: {len(data['seats'])} seats in shown, but players is {self.box.players}")
        for place, seen in enumerate(data["seats"]):
            seat, where = self.s.seats[place], f"shown.seats[{place}]"
            seat.shown_points = within(f"{where}.points", seen["points"], 0, _MOST_POINTS)
            self.pixels(f"{where}.pixels", seen["pixels"], seat.shown_pixels)


def within(where: str, value: Any, least: int, most: int) -> int:
    """The value, if it is a whole number of the range.

    Raises:
        BadSnapshot: it is not.
    """
    if type(value) is not int or not least <= value <= most:
        raise BadSnapshot(f"snapshot: {where} is {value!r}, must be {least} to {most}")
    return value


def number(names: Sequence[str], name: Any, what: str) -> int:
    """The place of a name in a list.

    Raises:
        BadSnapshot: it is not there.
    """
    if name not in names:
        raise BadSnapshot(f"snapshot: {what} has {name!r}; known: {', '.join(names)}")
    return names.index(name)


def deal_of_round(round_number: int, players: int) -> tuple[int, int, int]:
    """P12, P19: the machine cards of a stack in that round, then those left in the deck, and those set aside."""
    deck, stack, aside = NUM_MACHINES - int(REMOVED[players]), 0, 0
    for _ in range(round_number):
        stack = min(STACK, deck // players)
        deck -= stack * players
        if deck < players:
            deck, aside = 0, deck
    return stack, deck, aside


def _check_machines(s: Any, players: int) -> Iterator[str]:
    """P6, P12, P19: every card is in one place, and the deck has as many as it must have in that round."""
    seats = s.seats[:players]
    rows = [s.machine_deck, s.removed, s.set_aside]
    rows += [row for seat in seats for row in (seat.hand, seat.drafted, seat.installed)]
    found = Counter(int(card) for row in rows for card in row)
    for kind in range(1, NUM_KINDS + 1):
        count = found[kind] + int(s.discarded[kind])
        if count != COPIES[kind]:
            yield f"{count} machine cards of kind {kind}, must be {COPIES[kind]} (P6)"
    stack, deck, aside = deal_of_round(int(s.round_number), players)
    if s.deck_size != deck or s.set_aside_size != aside or np.count_nonzero(s.removed) != REMOVED[players]:
        yield f"{s.deck_size} cards in the machine deck, {s.set_aside_size} set aside, must be {deck} and {aside} (P19)"
    sorted_rows = {"removed": s.removed, "set_aside": s.set_aside}
    sorted_rows |= {f"seats[{place}].hand": seat.hand for place, seat in enumerate(seats)}
    if s.phase != DRAFTING:
        sorted_rows |= {f"seats[{place}].drafted": seat.drafted for place, seat in enumerate(seats)}
    for name, row in sorted_rows.items():
        cards = [int(card) for card in row if card]
        if cards != sorted(cards):
            yield f"{name} is not in order of kind (P56)"
    for place, seat in enumerate(seats):
        cards_drafted = int(seat.hand_size + seat.drafted_size)
        if s.phase == DRAFTING and (cards_drafted != stack + 1 or seat.hand_size != seats[0].hand_size):
            yield f"seats[{place}] must have {stack + 1} cards in Draft, and as many in the hand as others (P19)"
        if s.phase != DRAFTING and cards_drafted + int(seat.abilities.sum()) > stack + 1:
            yield f"seats[{place}] has more than {stack + 1} cards of this round (P19)"
        machines = int(seat.slot_cards.sum()) + (0 if s.phase == DRAFTING else int(seat.drafted_size))
        rounds = int(s.round_number) - int(s.phase == DRAFTING)
        most = sum(deal_of_round(number, players)[0] + 1 for number in range(1, rounds + 1))
        if machines > most:
            yield f"seats[{place}] has {machines} machine cards, can have drafted {most} by then (P21)"


def _check_abilities(s: Any, players: int) -> Iterator[str]:
    """P18, P22, P40: one ability card for each stack; turned up after Draft; used ones are owned."""
    seats = s.seats[:players]
    owned = np.array([seat.abilities for seat in seats], np.int64)
    if s.phase == DRAFTING:
        hidden = Counter(int(card) for seat in seats for card in (*seat.hand, *seat.drafted) if card >= FIRST_ABILITY)
        pick = int(seats[0].drafted_size)
        for stack in range(players):
            cards = [*seats[(stack + pick) % players].hand]
            cards += [seats[(stack + taken) % players].drafted[taken] for taken in range(pick)]
            if sum(card >= FIRST_ABILITY for card in cards) != 1:
                yield f"the stack dealt to seat {stack} must have one ability card (P18)"
        if max(hidden.values()) > 1 or owned.any():
            yield "in Draft each ability card is in one hand at most, and none is turned up (P22)"
    elif owned.sum() != players or owned.sum(axis=0).max() > 1:
        yield f"{owned.sum()} ability cards are turned up, must be {players} different ones (P22)"
    for place, seat in enumerate(seats):
        if s.phase != DRAFTING and (seat.hand_size or (seat.drafted >= FIRST_ABILITY).any()):
            yield f"seats[{place}] has a hand or a face-down ability card after Draft (P22)"
        if (seat.used > seat.converters).any() or (seat.used_abilities > seat.abilities).any():
            yield f"seats[{place}] has used a converter more often than it has it (P40)"
        if s.phase in (DRAFTING, BUILDING, PAYING) and (seat.used.any() or seat.used_abilities.any()):
            yield f"seats[{place}] has used converters in phase {PHASES[s.phase]!r} (P40)"


def _check_images(s: Any, players: int) -> Iterator[str]:
    """P10, P47: every image is in one place, no place is empty without need, finished images are gone."""
    found = Counter(int(image) for row in (s.images, s.image_deck) for image in row)
    for image in range(1, NUM_IMAGES + 1):
        count = found[image] + int(s.finished[image])
        if count != 1:
            yield f"image {image} is there {count} times, must be once (P8)"
    for place in range(PLACES):
        if s.images[place] == 0 and s.image_deck_size > 0:
            yield f"images[{place}] is null, but the image deck is not empty (P47)"
        if s.filled[place].sum() == LINES and s.phase != SCORING:
            yield f"images[{place}] is finished in phase {PHASES[s.phase]!r} (P47)"


def _check_pixels(s: Any, players: int) -> Iterator[str]:
    """P51: no pixel is lost or made. P43: whoever has stored has five at most."""
    seats = s.seats[:players]
    elsewhere = np.zeros(NUM_COLORS, np.int64)
    elsewhere[:NUM_PRIMARIES] = s.conveyor.sum(axis=0, dtype=np.int64)
    for place in range(PLACES):
        elsewhere += (NEED[s.images[place]] * s.filled[place][:, None]).sum(axis=0, dtype=np.int64)
    views = {"": s.supply + sum(seat.pixels.astype(np.int64) for seat in seats)}
    if in_secret(s):
        views[" shown"] = s.shown_supply + sum(seat.shown_pixels.astype(np.int64) for seat in seats)
    for view, counts in views.items():
        for color, name in enumerate(COLORS):
            count = int(counts[color] + elsewhere[color])
            if count != PIXELS[color]:
                yield f"{count} pixels{view} of color {name}, must be {PIXELS[color]} (P51)"
    stored = [*range(players)] if s.phase in (DRAFTING, SCORING, OVER) else []
    if in_secret(s):
        stored = _in_order(s, COLLECT, players)[: _turn(s, COLLECT, players)]
    for place in stored:
        if must_give(seats[place]):
            yield f"seats[{place}] has {held(seats[place])} pixels, at most 5 can be stored (P43)"


def _in_order(s: Any, phase: int, players: int) -> list[int]:
    return [(int(s.leaders[phase]) + turn) % players for turn in range(players)]


def _turn(s: Any, phase: int, players: int) -> int:
    return (int(s.seat) - int(s.leaders[phase])) % players


def _check_turns(s: Any, players: int) -> Iterator[str]:
    """P26, P45, P48, P59: who has chosen or played, and when the game is over."""
    me, seats, phase = s.seats[s.seat], s.seats[:players], PHASES[s.phase]
    for place, seat in enumerate(seats):
        if (seat.choice != NONE) != (s.phase == DRAFTING and place < s.seat):
            yield f"seats[{place}].choice does not go with phase {phase!r} and seat {s.seat} (P59)"
    builders = [place for place in range(players) if seats[place].drafted_size]
    if s.phase in (BUILDING, PAYING):
        done = _in_order(s, BUILD, players)[: _turn(s, BUILD, players)]
        if any(place in builders for place in done):
            yield "a seat that has had its turn in Build has cards left (P26)"
        if s.phase == BUILDING and me.drafted_size == 0:
            yield "the seat that decides in Build has no card to play (P27)"
        if s.phase == PAYING and (held(me) == 0 or RANDOM_TYPE not in me.slot_type):
            yield "the seat that pays has no pixel, or no random end (P57)"
    elif s.phase != DRAFTING and builders:
        yield f"seats[{builders[0]}] has machine cards left in phase {phase!r} (P27)"
    if s.phase == DRAFTING and me.hand_size == 0:
        yield "hands are empty in Draft (P58)"
    if s.phase == STORING and not must_give(me):
        yield "the seat that stores has no pixel too many (P43)"
    if s.over and s.deck_size > 0:
        yield "phase 'over', but the machine deck is not empty (P48)"


def _check_secrets(s: Any, players: int) -> Iterator[str]:
    """P60: in Convert and Store `shown` is there, and who has not begun has done nothing."""
    if not in_secret(s):
        return
    for place in _in_order(s, COLLECT, players)[_turn(s, COLLECT, players) + 1 :]:
        seat = s.seats[place]
        same = seat.points == seat.shown_points and (seat.pixels == seat.shown_pixels).all()
        if not same or seat.used.any() or seat.used_abilities.any():
            yield f"seats[{place}] has converted before its turn in Collect order (P44)"


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
