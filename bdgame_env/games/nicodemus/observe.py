"""What a seat may see (N16, N23) and would remember (N23.10), as one int8 vector with a schema.

Seats are numbered from the observer: 0 is the observer, 1 the other. The same memory can be read as a flat vector, by
named fields, or as records of the class Obs. The legal actions (N23.9) are not part of it: every interface has them.
"""

from __future__ import annotations

from ...engine.arrays import Ints, Ints2, Ints3
from ...engine.game import GameConfig, Seats
from ...engine.jit import clear_record, copy_row, kernel, subtract_row
from ...engine.observing import CardsShown, Observation, field, same
from . import cards
from . import state as st
from .bric_a_brac import count_of, symbols_of
from .prospects import MOST_LACKED, MOST_PRODUCED, look_at_production, look_at_row, look_at_tokens
from .seen import Seen
from .sets import MOST_WORTH
from .state import Config, Seat, State

_S, _W = Seats(st.NUM_SEATS), st.MOST_IN_WORKSHOP
_FACE = ", ".join(cards.FEATURES)
_SHOWN: CardsShown = {"cards": "face", "features": cards.FEATURES}
_BY_TOKEN, _BY_KIND = ", ".join(cards.TOKENS), ", ".join(cards.KINDS)

# N23.5: where a project can be, as the observer sees it.
PLACES = (
    "face up",
    *("reserved by me", "reserved by the other"),
    *("completed by me", "completed by the other"),
    *("rejected by me", "offered to me"),
)
_FACE_UP, _RESERVED, _COMPLETED, _REJECTED, _ON_OFFER = 0, 1, 3, 5, 6


class Obs(Observation, deck="machine"):
    """What a seat sees."""

    to_move: Ints = field(0, 1, "whose turn it is", _S)
    first_player: Ints = field(0, 1, "who goes first in a round (N15.2)", _S)
    round_number: int = field(0, 127, "round, from 1; 127 stands for more")
    rounds_left: int = field(0, 127, "rounds until truncation; 127 stands for more")
    ending: int = same(State.ending, "the end is triggered (N15.1)")
    over: int = field(0, 1, "the game is over")
    phase: Ints = field(0, 1, "one of " + ", ".join(st.PHASES), len(st.PHASES))
    points: Ints = same(Seat.points, "scores", _S)
    tokens: Ints2 = same(Seat.tokens, "in the workshops: " + _BY_TOKEN, _S)
    reserve: Ints = same(State.reserve, "in the reserve: " + _BY_TOKEN)
    hand_size: Ints = field(0, st.HAND_SIZE, "machines in the hands", _S)
    lost: Ints = field(0, cards.NUM_MACHINES, "machines discarded from the hands (N16.4)", _S)
    own_lost: Ints = field(
        0, 4, "those discarded from the observer's hand by kind: " + _BY_KIND, cards.NUM_KINDS, cards="count"
    )
    known: Ints2 = same(
        Seat.known, "what each seat knows to be in the other hand, by kind (N16.6): " + _BY_KIND, _S, cards="count"
    )
    doubtful: Ints2 = same(
        Seat.doubtful, "what each seat knows to be there or lost from there, by kind: " + _BY_KIND, _S, cards="count"
    )
    deck_size: int = field(0, cards.NUM_MACHINES, "machines in the deck")
    project_deck_size: int = field(0, cards.NUM_PROJECTS, "tiles in the project deck")
    hand: Ints = field(0, 4, "the observer's hand by kind: " + _BY_KIND, cards.NUM_KINDS, cards="count")
    unseen: Ints = field(
        0, 4, "machines in deck, other hand, or lost from it, by kind (N23.6)", cards.NUM_KINDS, cards="count"
    )
    machines: int = field(0, st.SPACES, "machines on the bric-a-brac")
    bric_a_brac: Ints2 = field(
        0, cards.NUM_KINDS, "a row for each space: " + _FACE, (st.SPACES, cards.NUM_FEATURES), **_SHOWN
    )
    charcoalium: Ints = field(0, cards.SUPPLY[0], "on the machines there", st.SPACES)
    workshop_size: Ints = field(0, _W, "machines in the workshops", _S)
    workshop: Ints3 = field(
        0, cards.NUM_KINDS, "oldest first, a row for each place: " + _FACE, (_S, _W, cards.NUM_FEATURES), **_SHOWN
    )
    newest: Ints2 = field(0, 1, "the newest machine of the workshop", (_S, _W))
    symbols: Ints2 = field(
        0, _W, "machines of the workshop by symbol: " + ", ".join(cards.SYMBOLS), (_S, cards.NUM_SYMBOLS)
    )
    projects: Ints2 = field(
        0, 1, "where each project is, if seen: " + ", ".join(PLACES), (cards.NUM_PROJECTS, len(PLACES))
    )
    board: Ints = field(
        0, st.BOARD, "place of each project on the board, from 1; 0: it is not there", cards.NUM_PROJECTS
    )
    last_use: Ints2 = field(
        0, 1, "the latest turns, including the current one (N16.7): " + ", ".join(st.USES), (_S, len(st.USES))
    )
    last_kind: Ints2 = field(
        0, 1, "the kinds played or repaired in them: " + _BY_KIND, (_S, cards.NUM_KINDS), cards="count"
    )
    last_effect: Ints2 = field(
        0, 1, "the kinds whose effects were used in them: " + _BY_KIND, (_S, cards.NUM_KINDS), cards="count"
    )
    played: Ints = field(0, 1, "the kind played in this turn: " + _BY_KIND, cards.NUM_KINDS, cards="count")
    effect: Ints = field(
        0, 1, "the kind whose effect runs (the copied one, once chosen): " + _BY_KIND, cards.NUM_KINDS, cards="count"
    )
    discarded: Ints = field(
        0, 1, "the kind whose cost is picked from (N23.8): " + _BY_KIND, cards.NUM_KINDS, cards="count"
    )
    left: int = same(State.left, "picks, exchanges or wild reductions still due")
    previous: Ints = field(
        0, 1, "resource named before in this chain: " + ", ".join(cards.RESOURCES), cards.NUM_RESOURCES
    )
    repair_space: Ints = field(0, 1, "space of the machine that is being paid for", st.SPACES)
    fee: int = same(State.fee, "charcoalium to pay for it")
    need: Ints = same(State.need, "resources to pay for it: " + ", ".join(cards.RESOURCES))
    latest: Ints = field(0, 1, "the greatest project completed in this turn (N20.7)", cards.NUM_PROJECTS)
    completing: Ints = field(0, 1, "the project being completed", cards.NUM_PROJECTS)
    partners: Ints = field(0, 1, "positions of the workshop chosen for it", _W)
    used: Ints = field(0, 1, "positions of the workshop used by projects of this turn", _W)
    row_lacks: Ints2 = field(
        0, 1 + MOST_LACKED, "1 + the tokens lacking to repair what lies there (N23.12)", (_S, st.SPACES)
    )
    row_worth: Ints2 = field(
        0, MOST_WORTH, "the points it would bring with projects; 20 stands for more", (_S, st.SPACES)
    )
    one_more: Ints = field(
        0, MOST_WORTH, "the most points that one more token pays for: " + ", ".join(cards.SYMBOLS), cards.NUM_SYMBOLS
    )
    produced: Ints = field(
        0, MOST_PRODUCED, "tokens that effects of blue machines would gain: " + _BY_KIND, cards.NUM_KINDS
    )


def card_names(config: GameConfig) -> dict[str, tuple[str, ...]]:
    """By field, the names of the machines it shows."""
    return dict.fromkeys(("bric_a_brac", "workshop", "hand"), cards.KINDS)


SEEN = Seen.dtype
_MOST = 127


@kernel
def observe(s: State, config: Config, seat: int, out: Obs) -> None:
    """N23, N23.11: write every field of `out` as `seat` sees the game, whoever is to move."""
    _observe_position(s, config, seat, out)
    _observe_prospects(s, s.seats[seat], s.seats[1 - seat], out)


@kernel
def refresh(s: State, config: Config, seat: int, out: Obs, seen: Seen) -> None:
    """The same, or without prospects."""
    _observe_position(s, config, seat, out)
    if seen.bare == 0:
        _observe_prospects(s, s.seats[seat], s.seats[1 - seat], out)


@kernel
def _observe_position(s: State, config: Config, seat: int, out: Obs) -> None:
    """Everything but prospects, which are zeros then."""
    clear_record(out)
    _observe_turn(s, config, seat, out)
    _observe_machines(s, seat, out)
    _observe_projects(s, seat, out)
    _observe_decision(s, seat, out)
    for relative in range(st.NUM_SEATS):
        _observe_seat(s.seats[seat if relative == 0 else 1 - seat], relative, out)


@kernel
def _observe_turn(s: State, config: Config, seat: int, out: Obs) -> None:
    """N23.3, N23.4: reserve, round, end, who is first, who is to move; deck sizes (N23.1)."""
    if s.over == 0:
        out.to_move[0 if s.seat == seat else 1] = 1
    out.first_player[0 if seat == 0 else 1] = 1
    out.round_number = min(_MOST, int(s.round_number))
    out.rounds_left = min(_MOST, int(config.max_rounds) - int(s.round_number))
    out.ending = s.ending
    out.over = s.over
    out.phase[s.phase] = 1
    copy_row(out.reserve, s.reserve)
    out.deck_size = s.deck_size
    out.project_deck_size = s.project_deck_size


@kernel
def _observe_machines(s: State, seat: int, out: Obs) -> None:
    """N23.1, N23.2, N23.6: the observer's hand, the bric-a-brac, and how many of each kind it has not seen."""
    me = s.seats[seat]
    copy_row(out.hand, me.hand)
    copy_row(out.own_lost, me.lost)
    copy_row(out.unseen, cards.COPIES)
    subtract_row(out.unseen, me.hand)
    subtract_row(out.unseen, me.lost)
    subtract_row(out.unseen, s.shown)
    out.machines = s.machines
    copy_row(out.charcoalium, s.coal)
    for space in range(s.machines):
        copy_row(out.bric_a_brac[space], cards.FACES[int(s.kinds[space]) + 1])


@kernel
def _observe_projects(s: State, seat: int, out: Obs) -> None:
    """N23.5, N23.8, N16.5: the projects, without those that the other seat rejected or may choose from."""
    for place in range(st.BOARD):
        project = int(s.board[place])
        if project != st.NONE:
            out.projects[project, _FACE_UP] = 1
            out.board[project] = place + 1
    for relative in range(st.NUM_SEATS):
        owner = s.seats[seat if relative == 0 else 1 - seat]
        for place in range(st.MOST_RESERVED):
            if owner.reserved[place] == st.NONE:
                break
            out.projects[owner.reserved[place], _RESERVED + relative] = 1
        for place in range(cards.NUM_PROJECTS):
            if owner.completed[place] == st.NONE:
                break
            out.projects[owner.completed[place], _COMPLETED + relative] = 1
    for place in range(st.MOST_RESERVED):
        if s.seats[seat].rejected[place] == st.NONE:
            break
        out.projects[s.seats[seat].rejected[place], _REJECTED] = 1
    if s.phase == st.KEEP and s.seat == seat:
        for place in range(st.OFFERED):
            if s.offer[place] != st.NONE:
                out.projects[s.offer[place], _ON_OFFER] = 1


@kernel
def _observe_decision(s: State, seat: int, out: Obs) -> None:
    """N23.7: the progress of the turn, without the kind that the other seat's P1 discarded (N23.8)."""
    _mark(out.played, s.played)
    _mark(out.effect, s.effect)
    if s.effect != cards.P1 or s.seat == seat:
        _mark(out.discarded, s.discarded)
    _mark(out.previous, s.previous)
    _mark(out.repair_space, s.space)
    _mark(out.latest, s.latest)
    _mark(out.completing, s.project)
    out.left = s.left
    out.fee = s.fee
    copy_row(out.need, s.need)
    for position in range(st.MOST_IN_WORKSHOP):
        out.partners[position] = int(s.partners) >> position & 1
        out.used[position] = int(s.used) >> position & 1


@kernel
def _mark(row: Ints, number: int) -> None:
    """Write 1 at this place of a row of zeros, unless it is NONE."""
    if number != st.NONE:
        row[number] = 1


@kernel
def _observe_seat(seat: Seat, to: int, out: Obs) -> None:
    """N23.1, N23.3, N23.4, N23.10: a seat's score, tokens, workshop, numbers of hidden cards, knowledge, last turn."""
    out.points[to] = seat.points
    copy_row(out.tokens[to], seat.tokens)
    out.hand_size[to] = seat.hand_size
    lost = 0
    for kind in range(cards.NUM_KINDS):
        lost += int(seat.lost[kind])
    out.lost[to] = lost
    copy_row(out.known[to], seat.known)
    copy_row(out.doubtful[to], seat.doubtful)
    if seat.last_use != st.NO_USE:
        out.last_use[to, seat.last_use - 1] = 1
    _mark(out.last_kind[to], seat.last_kind)
    _mark(out.last_effect[to], seat.last_effect)
    out.workshop_size[to] = seat.machines
    symbols = symbols_of(seat.workshop)
    for symbol in range(cards.NUM_SYMBOLS):
        out.symbols[to, symbol] = count_of(symbols, symbol)
    for position in range(seat.machines):
        copy_row(out.workshop[to, position], cards.FACES[int(seat.workshop[position]) + 1])
    if seat.machines > 0:
        out.newest[to, seat.machines - 1] = 1


@kernel
def _observe_prospects(s: State, me: Seat, other: Seat, out: Obs) -> None:
    """N23.12: what repairs lack and bring, what one more token pays for, what effects would produce."""
    look_at_row(s, me, out.row_lacks[0], out.row_worth[0])
    look_at_row(s, other, out.row_lacks[1], out.row_worth[1])
    look_at_tokens(s, me, out.row_lacks[0], out.row_worth[0], out.one_more)
    look_at_production(s, me, other, out.produced)
