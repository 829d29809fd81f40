"""Restores a game from an omniscient snapshot, then checks it by counting and by reading it back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from ...engine.conservation import miscounts, tally
from ...engine.game import GameConfig
from ...records.restoring import read_options, restore_position
from ...records.snapshot_reader import Entry
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
    SCORE,
    SLOT_TYPES,
)
from .converting import is_asked, must_give
from .ending import in_secret
from .knowledge import remember
from .legal_and_apply import legal
from .pixels import held
from .setup import empty_boards
from .shortage import may_run_short
from .snapshot import snapshot
from .state import (
    BUILDING,
    CONVERTING,
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
_MOST_ASKED = 127


def _write(snap: Entry, config: GameConfig, s: Any) -> None:
    players = config.players
    empty_boards(s)
    snap["machine_deck"].entries()  # read first: a snapshot that hides it may hide the seat too
    s.round_number = snap["round"].whole(1, int(ROUNDS[players]))
    s.phase = snap["phase"].place_in(PHASES)
    s.over = s.phase == OVER
    s.leaders[:] = snap["leaders"].counts(LEADERS, players - 1)
    # nobody decides when the game is over; the record keeps the seat of the last turn in Score (P45)
    s.seat = (int(s.leaders[SCORE]) - 1) % players if s.over else snap["seat"].whole(0, players - 1)
    _write_supply(snap, s.supply)
    for segment, counts in zip(s.conveyor, snap["conveyor"].entries(exactly=SEGMENTS), strict=True):
        segment[:] = counts.counts(COLORS[:NUM_PRIMARIES], PIXELS[:NUM_PRIMARIES])

    s.deck_size = snap["machine_deck"].fill(s.machine_deck, _kind, backwards=True)
    snap["removed"].fill(s.removed, _kind)
    s.set_aside_size = snap["set_aside"].fill(s.set_aside, _kind)
    discarded = [_kind(card) for card in snap["discarded"].entries(most=NUM_MACHINES)]
    s.discarded[:] = tally([discarded], len(s.discarded))
    s.image_deck_size = snap["image_deck"].fill(s.image_deck, _image, backwards=True)
    for place, image in enumerate(snap["images"].entries(exactly=PLACES)):
        if not image.is_null:
            s.images[place] = _image(image["image"])
            s.filled[place] = [line.flag() for line in image["filled"].entries(exactly=LINES)]
    for image in snap["finished"].entries(most=NUM_IMAGES):
        s.finished[_image(image)] = 1
    s.open_convert = snap["open_convert"].flag()
    s.rng = snap["rng"].rng()
    for place, seat in enumerate(snap["seats"].entries(exactly=players)):
        _write_seat(seat, s.seats[place])
    if not snap["shown"].is_null:
        _write_shown(snap["shown"], s, players)
    if s.phase in (DRAFTING, BUILDING, PAYING):
        remember(s, config.record[0])  # P66: compared with the snapshot's when it is read back


def _kind(card: Entry) -> int:
    return card.whole(1, NUM_KINDS)


def _image(image: Entry) -> int:
    return image.whole(1, NUM_IMAGES)


def _card(card: Entry) -> int:
    """A machine card by its kind, or an ability card by its id."""
    return FIRST_ABILITY + card.place_in(CARDS.abilities) if isinstance(card.value, str) else _kind(card)


def _write_supply(data: Entry, into: Any) -> None:
    into[:NUM_PRIMARIES] = data["bag"].counts(COLORS[:NUM_PRIMARIES], PIXELS[:NUM_PRIMARIES])
    into[NUM_PRIMARIES:] = data["piles"].counts(COLORS[NUM_PRIMARIES:], PIXELS[NUM_PRIMARIES:])


def _write_seat(data: Entry, seat: Any) -> None:
    seat.points = data["points"].whole(0, _MOST_POINTS)
    seat.pixels[:] = data["pixels"].counts(COLORS, PIXELS)
    for slot, ends in enumerate(data["slots"].entries(exactly=SLOTS)):
        if not ends["type"].is_null:
            _write_slot(ends, seat, slot)
    seat.hand_size = data["hand"].fill(seat.hand, _card)
    seat.drafted_size = data["drafted"].fill(seat.drafted, _card)
    data["laid"].fill(seat.laid, _card)
    seat.asked = data["asked"].whole(0, _MOST_ASKED)
    seat.choice = data["choice"].whole(0, int(seat.hand_size) - 1, null=NONE)
    converters = CARDS.converters[: len(seat.used)]
    for name, names in (("abilities", CARDS.abilities), ("used", converters), ("used_abilities", CARDS.abilities)):
        seat[name] = tally([[one.place_in(names) for one in data[name].entries(most=NUM_CARDS)]], len(names))


def _write_slot(data: Entry, seat: Any, slot: int) -> None:
    kind = data["type"].place_in(SLOT_TYPES)
    end = CONVERT_END if kind == CONVERT_TYPE else COLLECT_END
    for card in data["cards"].entries():
        if end_type(_kind(card), end) != kind:
            raise card.refusal(f"of type {SLOT_TYPES[kind]!r} (P28)")
        if seat.slot_cards.sum() == len(seat.installed):
            raise card.refusal(f"one of at most {len(seat.installed)} cards installed by the seat")
        put_in_slot(seat, card.value, end, slot)


def _write_shown(data: Entry, s: Any, players: int) -> None:
    if not in_secret(s):
        raise data.refusal(f"null in phase {PHASES[s.phase]!r} (P60)")
    _write_supply(data, s.shown_supply)
    for place, seen in enumerate(data["seats"].entries(exactly=players)):
        s.seats[place].shown_points = seen["points"].whole(0, _MOST_POINTS)
        s.seats[place].shown_pixels[:] = seen["pixels"].counts(COLORS, PIXELS)


def deal_of_round(round_number: int, players: int) -> tuple[int, int, int]:
    """P12, P19: the machine cards of a stack in that round, then those left in the deck, and those set aside."""
    deck, stack, aside = NUM_MACHINES - int(REMOVED[players]), 0, 0
    for _ in range(round_number):
        stack = min(STACK, deck // players)
        deck -= stack * players
        if deck < players:
            deck, aside = 0, deck
    return stack, deck, aside


def _check_machines(s: Any, config: GameConfig) -> Iterator[str]:
    """P6, P12, P19: every card is in one place, and the deck has the right size for the round."""
    players = config.players
    seats = s.seats[:players]
    rows = [s.machine_deck, s.removed, s.set_aside, *(seats[name] for name in ("hand", "drafted", "installed"))]
    found = tally(rows, NUM_KINDS + 1) + s.discarded
    yield from miscounts("machine cards of kind", range(1, NUM_KINDS + 1), found[1:], COPIES[1:], "P6")
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


def _check_abilities(s: Any, config: GameConfig) -> Iterator[str]:
    """P18, P22, P40: one ability card per stack, turned up after Draft; used ones are owned."""
    players = config.players
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


def _check_laid(s: Any, config: GameConfig) -> Iterator[str]:
    """P18, P21, P22, P61: `laid` has the cards of this round in Build, by pick; each is left to play or played."""
    players = config.players
    seats = s.seats[:players]
    if s.phase not in (BUILDING, PAYING):
        if seats["laid"].any():
            yield f"seats[].laid is not empty in phase {PHASES[s.phase]!r} (P66)"
        return
    count = deal_of_round(int(s.round_number), players)[0] + 1
    on_table = s.discarded.astype(np.int64)
    for place, seat in enumerate(seats):
        if np.count_nonzero(seat.laid) != count:
            yield f"seats[{place}].laid has {np.count_nonzero(seat.laid)} cards, must have {count} in this round (P19)"
        laid = tally([seat.laid], NUM_CARDS + 1)
        if (laid[FIRST_ABILITY:] != seat.abilities).any():
            yield f"seats[{place}].laid has other ability cards than are turned up (P22)"
        played = laid[: NUM_KINDS + 1] - tally([seat.drafted], NUM_KINDS + 1)
        played[0] = 0
        if (played < 0).any():
            yield f"seats[{place}].drafted has a card that is not in its laid (P21)"
        on_table -= np.maximum(played - tally([seat.installed], NUM_KINDS + 1), 0)
    if (on_table < 0).any():
        kind = int(np.flatnonzero(on_table < 0)[0])
        yield f"cards of kind {kind} that were played in this round are neither installed nor discarded (P27)"
    for stack in range(players):
        taken = [seats[(stack + pick) % players].laid[pick] for pick in range(count)]
        if sum(card >= FIRST_ABILITY for card in taken) != 1:
            yield f"the stack dealt to seat {stack} must have one ability card (P18)"


def _check_images(s: Any, config: GameConfig) -> Iterator[str]:
    """P10, P47: every image is in one place, no place is empty while the deck has images, finished images are gone."""
    found = tally([s.images, s.image_deck], NUM_IMAGES + 1) + s.finished
    yield from miscounts("images of number", range(1, NUM_IMAGES + 1), found[1:], 1, "P8")
    for place in range(PLACES):
        if s.images[place] == 0 and s.image_deck_size > 0:
            yield f"images[{place}] is null, but the image deck is not empty (P47)"
        if s.filled[place].sum() == LINES and s.phase != SCORING:
            yield f"images[{place}] is finished in phase {PHASES[s.phase]!r} (P47)"


def _check_pixels(s: Any, config: GameConfig) -> Iterator[str]:
    """P51: no pixel is lost or created. P43: a seat that has stored has at most five."""
    players = config.players
    seats = s.seats[:players]
    elsewhere = np.zeros(NUM_COLORS, np.int64)
    elsewhere[:NUM_PRIMARIES] = s.conveyor.sum(axis=0, dtype=np.int64)
    for place in range(PLACES):
        elsewhere += (NEED[s.images[place]] * s.filled[place][:, None]).sum(axis=0, dtype=np.int64)
    views = {"": s.supply + seats["pixels"].sum(0)}
    if in_secret(s):
        views[" shown"] = s.shown_supply + seats["shown_pixels"].sum(0)
    for view, counts in views.items():
        yield from miscounts(f"pixels{view} of color", COLORS, counts + elsewhere, PIXELS, "P51")
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


def _check_turns(s: Any, config: GameConfig) -> Iterator[str]:
    """P26, P45, P48, P59: who has chosen or played, and when the game is over."""
    players = config.players
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


def _check_secrets(s: Any, config: GameConfig) -> Iterator[str]:
    """P44, P60: a seat does nothing before it is asked, and is asked only with a choice; no color may run short."""
    players = config.players
    converting = s.phase in (CONVERTING, STORING)
    if s.open_convert and not converting:
        yield f"open_convert is true in phase {PHASES[s.phase]!r} (P44)"
    if not in_secret(s) and s.seats[:players]["asked"].any():
        yield "seats[].asked counts decisions of a secret Convert and Store only (P60)"
    if not converting:
        return
    turn, order = _turn(s, COLLECT, players), _in_order(s, COLLECT, players)
    for place in order[turn + 1 :]:
        if s.seats[place].used.any() or s.seats[place].used_abilities.any():
            yield f"seats[{place}] has converted before its turn in Collect order (P44)"
    if not in_secret(s):
        return
    begun = s.copy()
    begun.supply[:] = s.shown_supply
    for seat in begun.seats[:players]:
        seat.points, seat.pixels[:], seat.used[:], seat.used_abilities[:] = seat.shown_points, seat.shown_pixels, 0, 0
    if may_run_short(begun, config.record[0]):
        yield "open_convert is false, but a color may run short (P44)"
    for number, place in enumerate(order):
        seat, before = s.seats[place], begun.seats[place]
        had_choice = bool(is_asked(begun, config.record[0], before))
        if (seat.asked > 0) != (number < turn and had_choice) and number != turn:
            yield f"seats[{place}].asked is {seat.asked}, though it had {'a' if had_choice else 'no'} choice (P55, P60)"
        if number < turn:
            for color in range(NUM_COLORS):  # P43: what was carried out for a seat without a choice
                while not had_choice and must_give(before) and before.pixels[color]:
                    before.pixels[color] -= 1
        same = seat.points == before.points and (seat.pixels == before.pixels).all()
        same = same and not seat.used.any() and not seat.used_abilities.any()
        if seat.asked == 0 and not same:
            yield f"seats[{place}] has converted without having been asked (P60)"


def _check_choice(s: Any, config: GameConfig) -> Iterator[str]:
    """P55: a seat that is asked in Build, or in secret, has a choice: others can rely on that (P60, P66)."""
    if s.phase == BUILDING or in_secret(s):
        mask = np.zeros(config.num_actions, np.int8)
        legal(s, config.record[0], mask)
        if mask.sum() < 2:
            yield f"seat {s.seat} has no choice in phase {PHASES[s.phase]!r} (P55)"


_CHECKS = (
    *(_check_machines, _check_abilities, _check_laid, _check_images, _check_pixels, _check_turns, _check_secrets),
    _check_choice,
)
options_of_snapshot = partial(read_options, game="pixel_pusher")
restore = partial(restore_position, write=_write, checks=_CHECKS, snapshot=snapshot)
