"""What a seat may see (P60, P64-P67), as one int8 vector with a schema.

Seats are numbered from the observer: 0 is the observer, 1 the next clockwise. Seats that are not in play are zero.
In Draft and in a secret Convert and Store, only the seat itself sees that it decides. In the latter, a seat sees its
own board live from its first decision on; supply and other boards stay as they were when the phase began, and the
phase reads "convert" unless the seat itself is storing.
"""

from __future__ import annotations

from ...engine.arrays import Ints, Ints2, Ints3
from ...engine.bits import lowest, without_lowest
from ...engine.game import GameConfig, Seats
from ...engine.jit import clear_record, copy_row, kernel, subtract_row
from ...engine.observing import Observation, field, same
from . import cards
from . import state as st
from .converting import ready
from .ending import all_choose, in_secret, sees_own_board
from .pixels import packed
from .prospects import PAIRS, look_again, look_at_lines, look_beyond_gifts, look_beyond_recipes
from .seen import Seen
from .state import Config, Seat, State

_S, _C = Seats(st.MAX_SEATS), cards.NUM_COLORS
_OWN = "to the seat itself only: "
_MOST = 127
_MOST_SCORED = 30  # a line of five W with the option `line_points`, and two sales (P41.5)
_ENDS = 2 * st.MOST_INSTALLED
_ALL_LINES = (1 << st.PLACES * cards.LINES) - 1  # as bits, see lines.py
_LEADERS, _SLOT_TYPES = len(cards.LEADERS), len(cards.SLOT_TYPES)
_NUMBERS = f"machine cards 1 to {cards.NUM_KINDS}, ability cards {cards.FIRST_ABILITY} to {cards.NUM_CARDS}, 0 for none"
_CARDS = f"machine cards by kind (1 to {cards.NUM_KINDS}), then ability cards: {', '.join(cards.CARDS.abilities)}"


class Obs(Observation):
    """What a seat sees."""

    players: int = field(2, 4, "number of seats in play")
    to_move: Ints = field(
        0, 1, "whose decision it is; in Draft and a secret Convert and Store only the observer's own (P59, P60)", _S
    )
    round_number: int = field(1, 7, "round")
    rounds_left: int = field(0, 6, "rounds after this one (P48)")
    over: int = field(0, 1, "the game is over")
    phase: Ints = field(0, 1, "one of " + ", ".join(st.PHASES), len(st.PHASES))
    open_convert: int = same(State.open_convert, "an open Convert and Store is in progress (P44)")
    leaders: Ints2 = field(
        0, 1, "a row for each of " + ", ".join(cards.LEADERS) + ": who leads it, or led it last (P24)", (_LEADERS, _S)
    )
    supply: Ints = same(State.supply, "R, G, B in the bag; C, M, Y, W in their piles")
    conveyor: Ints2 = same(State.conveyor, "R, G, B on the segments")
    deck_size: int = field(0, cards.NUM_MACHINES, "machine cards in the deck")
    removed: int = field(0, st.MOST_REMOVED, "machine cards removed in the setup (P12)")
    set_aside: int = field(0, st.MOST_SET_ASIDE, "machine cards set aside (P19.1)")
    discarded: Ints = field(0, 4, "machine cards discarded, by kind", cards.NUM_KINDS)
    image_deck_size: int = field(0, st.MOST_IMAGES_IN_DECK, "images in the deck")
    images: Ints = field(0, cards.NUM_IMAGES, "the images laid out, 0 for none", st.PLACES)
    lines: Ints3 = field(
        0,
        int(cards.LINE_POINTS.max()),
        "lines not filled: pixels asked for by color, then points",
        (st.PLACES, cards.LINES, _C + 1),
    )
    filled: Ints2 = field(0, 1, "lines that are filled", (st.PLACES, cards.LINES))
    finished: Ints = field(0, 1, "images that are finished", cards.NUM_IMAGES)
    hand: Ints2 = field(
        0,
        cards.NUM_CARDS,
        f"{_OWN}the cards that actions name by position: the number, {_NUMBERS}; then what the card shows: "
        + ", ".join(cards.FEATURES[1:]),
        (st.MOST_HAND, cards.NUM_FEATURES),
        cards="face",
        features=cards.FEATURES,
    )
    drafted: Ints = field(0, 4, _OWN + "cards drafted so far in Draft; " + _CARDS, cards.NUM_CARDS, cards="count")
    laid: Ints2 = field(
        0,
        cards.NUM_CARDS,
        f"{_OWN}in Draft and Build the card drafted at each pick, {_NUMBERS}",
        (st.MOST_HAND, 1),
        cards="face",
    )
    choice: Ints = field(0, 1, _OWN + "the hand position locked", st.MOST_HAND)
    ready: Ints = field(
        0,
        st.MOST_INSTALLED,
        _OWN + "converters not used yet: " + ", ".join(cards.CARDS.converters),
        cards.NUM_CONVERTERS,
    )
    asked: int = same(
        Seat.asked, _OWN + "its decisions so far in a secret Convert and Store; not 0 and not to move: it is done (P60)"
    )
    passed: Ints2 = field(
        0,
        4,
        "in Draft, for seats 1 to 3: what was in the hand that this seat now holds when the observer passed it on "
        f"(P66), 0 if it never did; {_CARDS}",
        (_S - 1, cards.NUM_CARDS),
        cards="count",
    )
    known: Ints3 = field(
        0,
        cards.NUM_CARDS,
        "in Draft and Build a row for each stack, the observer's own first, then that dealt to seat 1 etc.: by place "
        f"the cards that the observer saw there and others took or hold (P66), {_NUMBERS}",
        (_S, st.MOST_HAND, 1),
        cards="face",
    )
    points: Ints = field(0, _MOST, "points; 127 stands for 127 or more", _S)
    more_points: Ints2 = field(0, _MOST, "points beyond 127 in base 128: ones, then 128s", (_S, 2))
    pixels: Ints2 = field(0, 127, "pixels on the board by color", (_S, _C))
    slots: Ints3 = field(
        0, _ENDS, "R, G, B, random: what the slot takes; then its convert ends", (_S, st.SLOTS, _SLOT_TYPES)
    )
    slot_cards: Ints2 = field(0, st.MOST_INSTALLED, "cards in the slot", (_S, st.SLOTS))
    installed: Ints3 = field(
        0,
        cards.NUM_KINDS,
        "the kinds of the cards in the slots, slot by slot, in each ascending; then 0",
        (_S, st.MOST_INSTALLED, 1),
        cards="face",
    )
    played: Ints3 = field(
        0,
        cards.NUM_KINDS,
        "in Build the kinds of the cards played in this round, ascending",
        (_S, st.MOST_HAND, 1),
        cards="face",
    )
    converters: Ints2 = field(
        0,
        st.MOST_INSTALLED,
        "convert ends installed: " + ", ".join(cards.CARDS.converters[: cards.NUM_MACHINE_CONVERTERS]),
        (_S, cards.NUM_MACHINE_CONVERTERS),
    )
    used: Ints2 = same(Seat.used, "those of them used in this round", _S)
    abilities: Ints2 = same(Seat.abilities, "ability cards turned up: " + ", ".join(cards.CARDS.abilities), _S)
    used_abilities: Ints2 = same(Seat.used_abilities, "those of them used", _S)
    best_line: int = field(0, _MOST_SCORED, "the most points of a line that the observer's pixels fill (P65.1)")
    one_short: Ints = field(
        0, _MOST_SCORED, "the most points of a line for which the observer lacks a single pixel, by its color", _C
    )
    two_short: Ints = field(
        0, _MOST_SCORED, f"likewise two pixels, by their colors: {PAIRS[0]}, {PAIRS[1]}, ... {PAIRS[-1]}", len(PAIRS)
    )
    after_recipe: Ints = field(
        0,
        _MOST_SCORED,
        _OWN + "in Convert, for each recipe that it can use, 1 + what that scores + the best line then",
        cards.NUM_ALL_RECIPES,
    )
    after_two: Ints = field(
        0, _MOST_SCORED, "the same, less that 1, if one more recipe can be used then", cards.NUM_ALL_RECIPES
    )
    after_giving: Ints = field(0, _MOST_SCORED, _OWN + "for each color that it can give, the best line then", _C)
    hand_size: Ints = field(0, st.MOST_HAND, "cards in the hand, in Draft", _S)
    face_down: Ints = field(0, st.MOST_HAND, "cards drafted and not yet turned up or played", _S)


SEEN = Seen.dtype


def card_names(config: GameConfig) -> dict[str, list[str]]:
    """By field, what the cards it shows are called: nothing is printed on machines, so by their two ends."""
    return {"hand": cards.CARDS.card_names, "images": cards.CARDS.image_names}


@kernel
def observe(s: State, config: Config, seat: int, out: Obs) -> None:
    """P64, P65: write every field of `out` as `seat` sees the game."""
    _observe_position(s, config, seat, out)
    out.best_line = look_at_lines(s, config, packed(out.pixels[0]), out.one_short, out.two_short)
    _observe_choices(s, config, seat, out)


@kernel
def refresh(s: State, config: Config, seat: int, out: Obs, seen: Seen) -> None:
    """The same, or without prospects. Lines are looked at only where pixels or lines are others than before."""
    _observe_position(s, config, seat, out)
    if seen.bare != 0:
        return
    lines = seen.lines[seat]
    look_again(s, config, packed(out.pixels[0]), lines)
    out.best_line = lines.best
    copy_row(out.one_short, lines.one_short)
    copy_row(out.two_short, lines.two_short)
    _observe_choices(s, config, seat, out)


@kernel
def _observe_position(s: State, config: Config, seat: int, out: Obs) -> None:
    """Everything but prospects, which are zeros then."""
    clear_record(out)
    _observe_round(s, config, seat, out)
    _observe_table(s, config, out)
    _observe_images(s, config, out)
    _observe_own(s, seat, out)
    _observe_passed(s, config, seat, out)
    absolute, secret = int(seat), in_secret(s)
    for relative in range(config.players):
        hide = secret and (relative != 0 or not sees_own_board(s, absolute))
        _observe_seat(s, s.seats[absolute], relative, hide, out)
        absolute = absolute + 1 if absolute + 1 < config.players else 0


@kernel
def _observe_round(s: State, config: Config, seat: int, out: Obs) -> None:
    """P64.1: round, phase, whose decision it is, leaders. In secret, others see neither seat nor phase (P60)."""
    players = int(config.players)
    out.players = players
    others = s.seat != seat
    if s.over == 0 and not (others and all_choose(s)):
        out.to_move[_from(seat, s.seat, players)] = 1
    out.round_number = s.round_number
    out.rounds_left = st.ROUNDS[players] - s.round_number
    out.over = s.over
    out.phase[st.CONVERTING if others and in_secret(s) else int(s.phase)] = 1
    out.open_convert = s.open_convert
    for k in range(_LEADERS):
        out.leaders[k, _from(seat, s.leaders[k], players)] = 1


@kernel
def _from(observer: int, seat: int, players: int) -> int:
    """A seat as numbered from the observer; a remainder would take longer."""
    relative = int(seat) - int(observer)
    return relative if relative >= 0 else relative + players


@kernel
def _observe_table(s: State, config: Config, out: Obs) -> None:
    """P64.1, P64.2, P64.5: supply, conveyor, decks and pieces that left the game; never the order of cards (P67)."""
    copy_row(out.supply, s.shown_supply if in_secret(s) else s.supply)
    copy_row(out.conveyor, s.conveyor)
    out.deck_size = s.deck_size
    out.removed = st.REMOVED[config.players]
    out.set_aside = s.set_aside_size
    out.image_deck_size = s.image_deck_size
    copy_row(out.discarded, s.discarded[1:])


@kernel
def _observe_images(s: State, config: Config, out: Obs) -> None:
    """P64.4: what unfilled lines ask for and score."""
    copy_row(out.finished, s.finished[1:])
    copy_row(out.images, s.images)
    copy_row(out.filled, s.filled)
    for place in range(st.PLACES):
        copy_row(out.lines[place], cards.LINE_FACES[config.printing, s.images[place]])
    left = _ALL_LINES & ~int(s.open)
    while left != 0:
        line = lowest(left)
        for k in range(_C + 1):
            out.lines[line // cards.LINES, line % cards.LINES, k] = 0
        left = without_lowest(left)


@kernel
def _observe_own(s: State, seat: int, out: Obs) -> None:
    """P65: the observer's hand in Draft, its cards left to play in Build; cards drafted and locked; converters."""
    me = s.seats[seat]
    drafting = s.phase == st.DRAFTING
    for place in range(st.MOST_HAND):
        card = me.hand[place] if drafting else me.drafted[place]
        copy_row(out.hand[place], cards.FACES[card])
    copy_row(out.laid, me.drafted if drafting else me.laid)
    out.asked = me.asked
    if drafting:
        for place in range(me.drafted_size):
            out.drafted[me.drafted[place] - 1] += 1
        if me.choice != st.NONE:
            out.choice[me.choice] = 1
    copy_row(out.ready[: cards.NUM_MACHINE_CONVERTERS], me.converters)
    subtract_row(out.ready[: cards.NUM_MACHINE_CONVERTERS], me.used)
    for converter in range(cards.NUM_MACHINE_CONVERTERS, cards.NUM_CONVERTERS):
        out.ready[converter] = ready(me, converter)


@kernel
def _observe_passed(s: State, config: Config, seat: int, out: Obs) -> None:
    """P66: cards that others took from or hold in stacks that the observer passed on, by place and by holder."""
    players = int(config.players)
    if s.phase == st.DRAFTING or s.phase == st.BUILDING or s.phase == st.PAYING:
        for stack in range(players):
            copy_row(out.known[stack], s.known[seat, (seat + stack) % players])
    if s.phase != st.DRAFTING:
        return
    pick = int(s.seats[seat].drafted_size)
    for ahead in range(1, players):
        if ahead > pick:
            return
        row = out.passed[ahead - 1]
        stack = (seat + ahead - pick) % players
        for place in range(pick - ahead + 1, st.MOST_HAND):
            card = int(s.known[seat, stack, place])
            if card != 0:
                row[card - 1] += 1


@kernel
def _observe_seat(s: State, seat: Seat, to: int, hide: bool, out: Obs) -> None:
    """P64.3: one seat; if `hide`, as it was when Convert began (P60)."""
    points = int(seat.shown_points) if hide else int(seat.points)
    out.points[to] = min(_MOST, points)
    beyond = max(0, points - _MOST)
    out.more_points[to, 0] = beyond % (_MOST + 1)
    out.more_points[to, 1] = beyond // (_MOST + 1)
    if hide:
        copy_row(out.pixels[to], seat.shown_pixels)
    else:
        copy_row(out.pixels[to], seat.pixels)
        copy_row(out.used_abilities[to], seat.used_abilities)
        copy_row(out.used[to], seat.used)
    copy_row(out.abilities[to], seat.abilities)
    copy_row(out.converters[to], seat.converters)
    copy_row(out.slot_cards[to], seat.slot_cards)
    copy_row(out.installed[to], seat.installed)
    copy_row(out.played[to], seat.played)
    for slot in range(st.SLOTS):
        kind = int(seat.slot_type[slot])  # NONE: there is no card, so 0 is written
        convert_ends = int(seat.slot_cards[slot]) * (kind == cards.CONVERT_TYPE)
        out.slots[to, slot, max(0, kind)] = int(seat.slot_amount[slot]) + convert_ends
    out.hand_size[to] = seat.hand_size
    out.face_down[to] = seat.drafted_size


@kernel
def _observe_choices(s: State, config: Config, seat: int, out: Obs) -> None:
    """P65.1: what follows from the pixels that a decision leaves the observer, for the lines that are open."""
    if s.seat == seat and s.over == 0:
        if s.phase == st.CONVERTING:
            look_beyond_recipes(s, config, s.seats[seat], out.after_recipe, out.after_two)
        elif s.phase == st.PAYING or s.phase == st.STORING:
            look_beyond_gifts(s, s.seats[seat], out.after_giving)
