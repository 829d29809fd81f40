"""How positions of Pixel Pusher are written and read (the section on snapshots).

The checks count the pieces and see to what the rules rely on. They do not prove that a game can reach the position.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from ...engine.arrays import Ints
from ...engine.conservation import miscounts, tally
from ...engine.game import GameConfig
from ...records.snapshot_reader import Entry
from ...records.snapshots import Position
from . import state as st
from .building import COLLECT_END, CONVERT_END, end_type
from .cards import (
    AMOUNT,
    BUILD,
    COLLECT,
    COLORS,
    CONVERT_TYPE,
    CONVERTER,
    COPIES,
    FIRST_ABILITY,
    LINES,
    NEED,
    NUM_CARDS,
    NUM_COLORS,
    NUM_IMAGES,
    NUM_KINDS,
    NUM_PRIMARIES,
    SLOT_TYPES,
)
from .converting import is_asked, must_give
from .ending import in_secret, sees_own_board
from .knowledge import card_of_stack, cards_of_round, remember
from .legal_and_apply import legal
from .lines import note_lines
from .options import OPTIONS
from .pixels import held
from .shortage import may_run_short
from .steps import decisions_left, most_decisions, most_gained

_CHANGED = ("points", "pixels", "used", "used_abilities")  # by converting
_REMEMBERED = (st.DRAFTING, st.BUILDING, st.PAYING)  # P66


def _seen(s: st.State, config: GameConfig, viewer: int | None) -> None:
    """P60: in a secret phase supply and boards as they were at its start, but for the viewer's own once it is asked."""
    if not in_secret(s):
        return
    for place, seat in enumerate(s.seats[: config.players]):
        if place != viewer or not sees_own_board(s, place):
            _begin_again(seat)
    s.supply[:] = s.shown_supply
    if viewer != s.seat:
        s.phase = st.CONVERTING


def _begin_again(seat: st.Seat) -> None:
    seat.points, seat.pixels[:], seat.used[:], seat.used_abilities[:] = seat.shown_points, seat.shown_pixels, 0, 0


def _more(s: st.State, config: GameConfig, viewer: int | None, omniscient: bool) -> dict[str, Any]:
    """P61, P66: the machine cards that each seat has played in this Build, and what seats know of hands passed on."""
    observers = range(config.players) if omniscient else (viewer,)
    known = [None if observer is None else _known(s, config.players, observer) for observer in observers]
    return {
        "played": [[int(card) for card in seat.played if card] for seat in s.seats[: config.players]],
        "known": known if omniscient else known[0],
    }


def _known(s: st.State, players: int, observer: int) -> list[list[int | str | None]]:
    if s.phase not in _REMEMBERED:
        return []
    return [[st.CARD_NAMES[card] for card in row[: cards_of_round(s)]] for row in s.known[observer, :players]]


def deal_of_round(round_number: int, players: int) -> tuple[int, int, int]:
    """P12, P19: the machine cards of a stack in that round, then those left in the deck, and those set aside."""
    deck, stack, aside = int(COPIES.sum() - st.REMOVED[players]), 0, 0
    for _ in range(round_number):
        stack = min(st.STACK, deck // players)
        deck -= stack * players
        if deck < players:
            deck, aside = 0, deck
    return stack, deck, aside


def _check_slots(s: st.State, config: GameConfig) -> Iterator[str]:
    """P28, P29: the cards of a slot have an end of its type, in order of kind; derive what these ends do."""
    for place, seat in enumerate(s.seats[: config.players]):
        begin = 0
        for slot, kind in enumerate(seat.slot_type):
            cards = seat.installed[begin : begin + seat.slot_cards[slot]].tolist()
            begin += len(cards)
            end = CONVERT_END if kind == CONVERT_TYPE else COLLECT_END
            if any(end_type(card, end) != kind for card in cards) or cards != sorted(cards):
                yield f"seats[{place}].slots[{slot}].cards are {cards}, must be of its type, in order of kind (P28)"
            elif kind != st.NONE and not cards:
                yield f"seats[{place}].slots[{slot}] has a type, but no card (P28)"
            elif end == CONVERT_END:
                np.add.at(seat.converters, CONVERTER[cards], 1)
            else:
                seat.slot_amount[slot] = AMOUNT[cards].sum()


def _check_machines(s: st.State, config: GameConfig) -> Iterator[str]:
    """P6, P12, P19: every card is in one place, and deck and stacks have the sizes of the round.

    Slots and hands have room for all the cards that a seat can still draft.
    """
    players, seats, drafting = config.players, s.seats[: config.players], s.phase == st.DRAFTING
    rows = [s.machine_deck, s.removed, s.set_aside, *(seats[name] for name in ("hand", "drafted", "installed"))]
    found = tally(rows, NUM_KINDS + 1) + s.discarded
    yield from miscounts("machine cards of kind", range(1, NUM_KINDS + 1), found[1:], COPIES[1:], "P6")
    stack, deck, aside = deal_of_round(int(s.round_number), players)
    if s.deck_size != deck or s.set_aside_size != aside or np.count_nonzero(s.removed) != st.REMOVED[players]:
        yield f"{s.deck_size} cards in the machine deck, {s.set_aside_size} set aside, must be {deck} and {aside} (P19)"
    rounds = range(int(s.round_number) + (not drafting), int(st.ROUNDS[players]) + 1)
    most = st.MOST_INSTALLED - sum(deal_of_round(number, players)[0] + 1 for number in rounds)
    for place, seat in enumerate(seats):
        if drafting and (seat.hand_size + seat.drafted_size != stack + 1 or seat.hand_size != seats[0].hand_size):
            yield f"seats[{place}] must have {stack + 1} cards in Draft, and as many in the hand as others (P19)"
        if seat.hand_size and not drafting:
            yield f"seats[{place}].hand is not empty in phase {st.PHASES[s.phase]!r} (P22)"
        if np.count_nonzero(seat.laid) != (stack + 1 if s.phase in (st.BUILDING, st.PAYING) else 0):
            yield f"seats[{place}].laid must have {stack + 1} cards in Build, else none (P19)"
        machines = int(seat.slot_cards.sum()) + (0 if drafting else int(seat.drafted_size))
        if machines > most:
            yield f"seats[{place}] has {machines} machine cards, of which {most} leave room for later ones (P21)"


def _check_abilities(s: st.State, config: GameConfig) -> Iterator[str]:
    """P18, P22: in Draft and Build there is one ability card in each stack; it is turned up after Draft."""
    seats, drafting = s.seats[: config.players], s.phase == st.DRAFTING
    if tally([seats["hand"], seats["drafted"], seats["laid"]], NUM_CARDS + 1)[FIRST_ABILITY:].max() > 1:
        yield "an ability card is there twice (P7)"
    for place, seat in enumerate(seats):
        if drafting and seat.abilities.any():
            yield f"seats[{place}].abilities are turned up in Draft (P22)"
        if not drafting and (seat.drafted >= FIRST_ABILITY).any():
            yield f"seats[{place}] has a face-down ability card after Draft (P22)"
        stack = [card_of_stack(s, config.players, place, each) for each in range(cards_of_round(s))]
        if s.phase in _REMEMBERED and sum(card >= FIRST_ABILITY for card in stack) != 1:
            yield f"the stack dealt to seat {place} must have one ability card (P18)"


def _check_laid(s: st.State, config: GameConfig) -> Iterator[str]:
    """P21, P22, P27: of the cards laid down abilities are turned up, others left to play, installed or discarded."""
    if s.phase not in (st.BUILDING, st.PAYING):
        return
    on_table = s.discarded.astype(np.int64)
    for place, seat in enumerate(s.seats[: config.players]):
        laid = tally([seat.laid], NUM_CARDS + 1)
        if (laid[FIRST_ABILITY:] != seat.abilities).any():
            yield f"seats[{place}].laid has other ability cards than are turned up (P22)"
        played = (laid - tally([seat.drafted], NUM_CARDS + 1))[1:FIRST_ABILITY]
        if (played < 0).any():
            yield f"seats[{place}].drafted has a card that is not in its laid (P21)"
        on_table[1:] -= np.maximum(played - tally([seat.installed], NUM_KINDS + 1)[1:], 0)
    for kind in np.flatnonzero(on_table < 0):
        yield f"cards of kind {kind} that were played in this round are neither installed nor discarded (P27)"


def _check_images(s: st.State, config: GameConfig) -> Iterator[str]:
    """P8, P47: every image is in one place."""
    found = tally([s.images, s.image_deck], NUM_IMAGES + 1) + s.finished
    yield from miscounts("images of number", range(1, NUM_IMAGES + 1), found[1:], 1, "P8")


def _check_pixels(s: st.State, config: GameConfig) -> Iterator[str]:
    """P51: no pixel is lost or created, also of those shown."""
    seats, elsewhere = s.seats[: config.players], np.zeros(NUM_COLORS, np.int64)
    elsewhere[:NUM_PRIMARIES] = s.conveyor.sum(axis=0, dtype=np.int64)
    elsewhere += (NEED[s.images] * s.filled[:, :, None]).sum(axis=(0, 1), dtype=np.int64)
    views: dict[str, Ints] = {"": s.supply + seats["pixels"].sum(0)}
    if in_secret(s):
        views[" shown"] = s.shown_supply + seats["shown_pixels"].sum(0)
    elif s.shown_supply.any() or any(seats[name].any() for name in ("shown_points", "shown_pixels", "asked")):
        yield f"shown and asked belong to a secret Convert and Store, not to phase {st.PHASES[s.phase]!r} (P60)"
    for view, counts in views.items():
        yield from miscounts(f"pixels{view} of color", COLORS, counts + elsewhere, st.PIXELS, "P51")


def _before(s: st.State, leader: int, players: int) -> list[int]:
    """P23: the seats that had their turn before the one that decides, clockwise from the leader."""
    return [(leader + turn) % players for turn in range((int(s.seat) - leader) % players)]


def _check_turns(s: st.State, config: GameConfig) -> Iterator[str]:
    """P26, P40, P58, P59: who has chosen or played; the seat that decides can do something."""
    players, me, phase = config.players, s.seats[s.seat], st.PHASES[s.phase]
    done = _before(s, int(s.leaders[BUILD]), players)
    for place, seat in enumerate(s.seats[:players]):
        if (seat.choice != st.NONE) != (s.phase == st.DRAFTING and place < s.seat) or seat.choice >= seat.hand_size > 0:
            yield f"seats[{place}].choice does not go with phase {phase!r}, seat {s.seat} and the hand (P59)"
        if seat.drafted_size and (s.phase > st.PAYING or (s.phase != st.DRAFTING and place in done)):
            yield f"seats[{place}] has machine cards left, though it has had its turn in Build (P26)"
        if (seat.used > seat.converters).any() or (seat.used_abilities > seat.abilities).any():
            yield f"seats[{place}] has used a converter more often than it has it (P40)"
        if s.phase in _REMEMBERED and (seat.used.any() or seat.used_abilities.any()):
            yield f"seats[{place}] has used converters in phase {phase!r} (P40)"
    if s.phase == st.DRAFTING and not me.hand_size:
        yield "hands are empty in Draft (P58)"
    if s.phase == st.BUILDING and not me.drafted_size:
        yield "the seat that decides in Build has no card to play (P27)"
    if s.phase == st.PAYING and not held(me):
        yield "the seat that pays has no pixel (P57)"
    if s.phase == st.STORING and not must_give(me):
        yield "the seat that stores has no pixel too many (P43)"


def _check_secrets(s: st.State, config: GameConfig) -> Iterator[str]:
    """P44, P60: a seat does nothing before it is asked, and is asked only with a choice; no color may run short."""
    if not in_secret(s):
        return
    begun, record, done = s.copy(), config.record[0], _before(s, int(s.leaders[COLLECT]), config.players)
    begun.supply[:] = s.shown_supply
    for seat in begun.seats[: config.players]:
        _begin_again(seat)
    if may_run_short(begun, record):
        yield "open_convert is false, but a color may run short (P44)"
    for place, seat in enumerate(s.seats[: config.players]):
        before = begun.seats[place]
        has_choice = bool(is_asked(begun, record, before))
        asked = place in done and has_choice
        if place == s.seat and not has_choice:
            yield f"seats[{place}] is asked, but had no choice when the phase began (P55)"
        if place != s.seat and (seat.asked > 0) != asked:
            yield f"seats[{place}].asked is {seat.asked}, must be {'more than ' if asked else ''}0 (P55, P60)"
        if place != s.seat and not asked and (seat.used.any() or seat.used_abilities.any()):
            yield f"seats[{place}] has used converters without having been asked (P60)"
        if held(seat) > held(before) + most_gained(seat.used):
            yield f"seats[{place}] has {held(seat)} pixels, more than it can have made of {held(before)} (P38)"
        if int(seat.asked) + (decisions_left(s, seat) if place == s.seat else 0) > most_decisions(seat):
            yield f"seats[{place}].asked is {seat.asked}, more than it has done (P60)"
        if place != s.seat and place not in done and any((seat[name] != before[name]).any() for name in _CHANGED):
            yield f"seats[{place}] has converted without having been asked (P60)"


def _check_choice(s: st.State, config: GameConfig) -> Iterator[str]:
    """P55: a seat that is asked in Build, or in secret, has a choice: others can rely on that (P60, P66)."""
    if s.phase == st.BUILDING or in_secret(s):
        mask: Any = np.zeros(config.num_actions, np.int8)
        legal(s, config.record[0], mask)
        if mask.sum() < 2:
            yield f"seat {s.seat} has no choice in phase {st.PHASES[s.phase]!r} (P55)"


def _remember(s: st.State, config: GameConfig) -> Iterator[str]:
    """P26, P66: derive which cards seats have played, and what they know of hands that they have passed on."""
    if s.phase in (st.BUILDING, st.PAYING):
        for seat in s.seats[: config.players]:
            machines = Counter(seat.laid[(seat.laid > 0) & (seat.laid < FIRST_ABILITY)].tolist())
            played = sorted((machines - Counter(seat.drafted.tolist())).elements())
            seat.played[: len(played)] = played
    if s.phase in _REMEMBERED:
        remember(s, config.record[0])
    yield from ()


def _derive(s: st.State, config: GameConfig) -> None:
    s.over = s.phase == st.OVER
    note_lines(s, config.record[0])


_CHECKS = (_check_slots, _check_machines, _check_abilities, _check_laid, _check_images, _check_pixels, _check_turns)


def _seat(s: st.State, number: int | None) -> st.Seat:
    assert number is not None
    return s.seats[number]


def _write_slots(s: st.State, config: GameConfig, number: int | None) -> list[dict[str, Any]]:
    """P28, P29: slot by slot its type, null while it is empty, and the kinds of its cards."""
    seat = _seat(s, number)
    ends = np.cumsum(seat.slot_cards).tolist()
    return [
        {"type": None if kind == st.NONE else SLOT_TYPES[kind], "cards": seat.installed[end - count : end].tolist()}
        for kind, count, end in zip(seat.slot_type, seat.slot_cards, ends, strict=True)
    ]


def _read_slots(entry: Entry, s: st.State, config: GameConfig, number: int | None) -> None:
    seat, count = _seat(s, number), 0
    for slot, each in enumerate(entry.entries(exactly=st.SLOTS)):
        seat.slot_type[slot] = each["type"].place_in(SLOT_TYPES, null=st.NONE)
        for card in each["cards"].entries():
            if count == st.MOST_INSTALLED:
                raise card.refusal(f"one of at most {st.MOST_INSTALLED} cards installed by the seat")
            seat.installed[count] = card.whole(1, NUM_KINDS)
            seat.slot_cards[slot] += 1
            count += 1


def _write_images(s: st.State, config: GameConfig, number: int | None) -> list[dict[str, Any] | None]:
    """P10, P46: place by place the image and whether each of its lines is filled; null for an empty place."""
    places = zip(s.images.tolist(), s.filled.astype(bool).tolist(), strict=True)
    return [{"image": image, "filled": filled} if image else None for image, filled in places]


def _read_images(entry: Entry, s: st.State, config: GameConfig, number: int | None) -> None:
    for place, each in enumerate(entry.entries(exactly=st.PLACES)):
        if not each.is_null:
            s.images[place] = each["image"].whole(1, NUM_IMAGES)
            s.filled[place] = [line.flag() for line in each["filled"].entries(exactly=LINES)]


POSITION = Position(
    "pixel_pusher",
    st.State,
    options=OPTIONS,
    derive=_derive,
    checks=(*_CHECKS, _check_secrets, _check_choice, _remember),
    seen=_seen,
    more=_more,
    custom={"slot_type": (_write_slots, _read_slots), "images": (_write_images, _read_images)},
)
