"""A game from an omniscient snapshot: written, then checked by counting and by reading it back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...core.game import Box
from ...core.restoring import options_of_snapshot, restore_position
from ...core.snapshot_reader import Entry
from ...core.tallies import miscounts, tally
from .bric_a_brac import count_of, symbols_of
from .cards import (
    B5,
    COPIES,
    COST,
    KINDS,
    NUM_KINDS,
    NUM_PROJECTS,
    NUM_RESOURCES,
    P1,
    P2,
    P3,
    P4,
    P5,
    R2,
    R4,
    RESOURCES,
    SUPPLY,
    SYMBOL,
    TOKENS,
    WILD_SYMBOL,
    Y1,
    Y2,
)
from .repairing import fee_of, need_of
from .rules import choices, several
from .setup import empty_table
from .snapshot import snapshot
from .state import (
    BOARD,
    EXCHANGE,
    EXCHANGES,
    HAND,
    HAND_SIZE,
    KEEP,
    MOST_POINTS,
    NONE,
    NUM_SEATS,
    OFFERED,
    OVER,
    PARTNER,
    PHASES,
    PICK,
    PROJECTS,
    SPACES,
    TARGET,
    TURN,
    WILD,
    WINNING_POINTS,
)

_MOST_IN_DECK, _MOST_PROJECTS_IN_DECK = 45, 11  # N2.2, N2.3
_MOST_NEEDED = 4  # of a resource to repair a machine
_DISCARDERS = (P1, P2, P3, P5)
# N20: the kinds whose effect leads to a phase.
_EFFECTS = {
    PICK: (B5, *_DISCARDERS, R2, R4),
    HAND: (P1,),
    TARGET: (P2, P3, Y2),
    EXCHANGE: (P4,),
    KEEP: (Y1,),
}
_MOST_PICKS = {P1: 2, P5: 2, R4: 2}  # N20.5; otherwise one


def box_of_snapshot(data: Mapping[str, Any]) -> dict[str, Any]:
    """The options a snapshot was made with; BadSnapshot if they are not there."""
    return options_of_snapshot(data, "nicodemus")


def restore(data: Mapping[str, Any], box: Box, s: Any) -> None:
    """Write the position into `s`, a zeroed record.

    Raises:
        BadSnapshot: in one line, where and why the data is no position of the game.
    """
    checks = (_check_pieces, _check_workshops, _check_end, _check_turn, _restore_choices)
    restore_position(data, box, s, _write, checks, snapshot)


def _write(snap: Entry, box: Box, s: Any) -> None:
    empty_table(s)
    s.round_number = snap["round"].whole(1, int(box.options["max_rounds"]))
    s.seat = snap["seat"].whole(0, NUM_SEATS - 1)
    s.phase = snap["phase"].place_in(PHASES)
    s.over = s.phase == OVER
    s.ending, s.truncated = snap["ending"].flag(), snap["truncated"].flag()
    s.reserve[:] = snap["reserve"].counts(TOKENS, SUPPLY)
    row = snap["bric_a_brac"].entries(most=SPACES)
    s.machines = len(row)
    for space, machine in enumerate(row):
        s.kinds[space] = _kind(machine["kind"])
        s.coal[space] = machine["charcoalium"].whole(0, SUPPLY[0])
    # both decks lie at the end of their rows
    s.deck_size = snap["deck"].fill(s.deck[::-1], _kind, backwards=True)
    s.board[:] = [_project(tile, null=NONE) for tile in snap["projects"].entries(exactly=BOARD)]
    s.project_deck_size = snap["project_deck"].fill(s.project_deck[::-1], _project, backwards=True)
    s.removed[:] = snap["removed"].counts_of_some(KINDS, COPIES)
    s.rng = snap["luck"].luck()
    _write_decision(snap, s)
    for seat, own in zip(snap["seats"].entries(exactly=NUM_SEATS), s.seats, strict=True):
        _write_seat(seat, own)


def _kind(entry: Entry, null: int | None = None) -> int:
    return entry.place_in(KINDS, null=null)


def _project(entry: Entry, null: int | None = None) -> int:
    return entry.whole(0, NUM_PROJECTS - 1, null=null)


def _write_decision(snap: Entry, s: Any) -> None:
    """How far the turn is."""
    for name in ("played", "effect", "discarded"):
        s[name] = _kind(snap[name], null=NONE)
    s.left = snap["left"].whole(0, EXCHANGES)
    s.previous = snap["previous"].place_in(RESOURCES, null=NONE)
    repair = snap["repair"]
    if not repair.is_null:
        s.space = repair["space"].whole(1, int(s.machines)) - 1
        s.fee = repair["fee"].whole(0, SPACES)
        s.need[:] = repair["need"].counts(RESOURCES, _MOST_NEEDED)
    snap["offer"].fill(s.offer, _project)
    s.project = _project(snap["project"], null=NONE)
    s.partners = _bits(snap["partners"], 3)
    s.used = _bits(snap["used"], 4)


def _bits(positions: Entry, most: int) -> int:
    return sum({1 << position.whole(1, most) - 1 for position in positions.entries(most=most)})


def _write_seat(data: Entry, seat: Any) -> None:
    seat.points = data["points"].whole(0, MOST_POINTS)
    seat.tokens[:] = data["tokens"].counts(TOKENS, SUPPLY)
    seat.hand[:] = data["hand"].counts_of_some(KINDS, COPIES)
    seat.hand_size = seat.hand.sum()
    if seat.hand_size > HAND_SIZE:
        raise data["hand"].refusal(f"of at most {HAND_SIZE} machines")
    seat.machines = data["workshop"].fill(seat.workshop, _kind)
    for name in ("reserved", "completed", "rejected"):
        data[name].fill(seat[name], _project)
    seat.lost[:] = data["lost"].counts_of_some(KINDS, COPIES)


def _check_pieces(s: Any, box: Box) -> Iterator[str]:
    """N24.1, N24.2: every token, machine and project is there, and no more of them."""
    tokens = s.reserve + s.seats["tokens"].sum(0)
    tokens[0] += s.coal.sum()
    yield from miscounts("tokens of", TOKENS, tokens, SUPPLY, "N1.3")
    machines = s.removed + s.seats["hand"].sum(0) + s.seats["lost"].sum(0)
    machines += tally([s.deck, s.kinds, s.seats["workshop"]], NUM_KINDS)
    yield from miscounts("machines of kind", KINDS, machines, COPIES, "N1.1")
    if s.deck_size > _MOST_IN_DECK:
        yield f"{s.deck_size} machines in the deck, at most {_MOST_IN_DECK} (N2.2)"
    if s.project_deck_size > _MOST_PROJECTS_IN_DECK:
        yield f"{s.project_deck_size} tiles in the project deck, at most {_MOST_PROJECTS_IN_DECK} (N2.3)"
    rows = [s.board, s.project_deck, s.offer, *(s.seats[name] for name in ("reserved", "completed", "rejected"))]
    yield from miscounts("projects of number", range(NUM_PROJECTS), tally(rows, NUM_PROJECTS), 1, "N1.4")


def _check_workshops(s: Any, box: Box) -> Iterator[str]:
    """N8.1, N13.5, N24.3: between turns no workshop holds four machines, and the bric-a-brac is not full."""
    repaired = s.phase in (PROJECTS, PARTNER)
    for place, seat in enumerate(s.seats):
        most = 4 if repaired and place == s.seat else 3
        if seat.machines > most:
            yield f"{seat.machines} machines in workshop {place}, at most {most} (N8.1)"
    most = SPACES if s.played != NONE else SPACES - 1
    if s.machines > most:
        yield f"{s.machines} machines on the bric-a-brac, at most {most} (N13.5)"


def _check_end(s: Any, box: Box) -> Iterator[str]:
    """N15, N24.4: whether the end is triggered, by what, and whether the game is over."""
    reached = [bool(seat.points >= WINNING_POINTS) for seat in s.seats]
    if any(reached) and not s.ending:
        yield "20 points are reached, but ending is false (N15.1)"
    if s.ending and not any(reached) and s.deck_size:
        yield "ending is true, but nothing has triggered it (N15.1)"
    scoring = s.phase in (PROJECTS, PARTNER)
    if not s.over and reached[s.seat] and not scoring:
        yield "the seat to move has 20 points already (N15.2)"
    if not s.over and s.seat == 0 and s.ending and not (scoring and reached[0] and not reached[1]):
        yield "the round is over and the end triggered, but the game goes on (N15.2)"
    at_limit = s.over and not s.ending and s.round_number == box.options["max_rounds"]
    if bool(s.truncated) != bool(at_limit):
        yield "truncated, but not by the round limit, or the other way round"
    if s.over and (s.seat == 0 or not (s.ending or s.truncated)):
        yield "phase 'over', but nothing has ended the game (N15.2)"


def _check_turn(s: Any, box: Box) -> Iterator[str]:
    """N20: what belongs to a decision is there in its phase, and only there."""
    phase, name = int(s.phase), PHASES[s.phase]
    played, effect = int(s.played), int(s.effect)
    last = int(s.kinds[s.machines - 1]) if s.machines else NONE
    asked_of_play = phase in _EFFECTS
    if (played != NONE) != asked_of_play or (played != NONE and played != last):
        yield f"phase {name!r} does not go with played, which lies last in the row (N4.1)"
    if effect != NONE and effect != played and (played != Y2 or effect == Y2):
        yield f"effect {KINDS[effect]} cannot be that of {KINDS[played]} (N12.2)"
    production = phase == PICK and effect == NONE and SYMBOL[played] == WILD_SYMBOL
    if effect not in _EFFECTS.get(phase, (NONE,)) and not production:
        yield f"phase {name!r} does not go with effect (N20)"
    before = [*s.kinds[: s.machines - 1], s.discarded] if asked_of_play else []
    if effect != played and effect != NONE and effect not in before:
        yield f"effect {KINDS[effect]} is copied from no machine before (N12.2.2)"
    yield from _check_discarded(s, phase, effect)
    yield from _check_left(s, phase, name, effect)
    yield from _check_repair(s, phase)
    if (s.offer[OFFERED - 1] != NONE) != (phase == KEEP) or (phase != KEEP and s.offer[0] != NONE):
        yield f"phase {name!r} does not go with offer (N12.1)"
    yield from _check_project(s, phase, name)


def _check_discarded(s: Any, phase: int, effect: int) -> Iterator[str]:
    """N10.7, N16.4: the machine that is picked from has just gone."""
    if (s.discarded != NONE) != (phase == PICK and effect in _DISCARDERS):
        yield "discarded does not go with phase and effect (N20.5)"
    if s.discarded != NONE:
        gone = s.seats[s.seat].lost if effect == P1 else s.removed
        if gone[s.discarded] == 0:
            yield f"discarded {KINDS[s.discarded]} is not among those that left the game"


def _check_left(s: Any, phase: int, name: str, effect: int) -> Iterator[str]:
    """N20.4, N20.5: how many picks, exchanges or reductions are due, and what was named before."""
    if phase == EXCHANGE:
        fits = s.left > 0 and s.previous == NONE
    elif phase == PICK:
        most = _MOST_PICKS.get(effect, 1)
        fits = 0 < s.left <= most and (s.previous == NONE) == (s.left == most)
        if s.previous != NONE and s.discarded != NONE:
            fits = fits and bool(COST[s.discarded, s.previous])
    elif phase == WILD:
        fits = s.left > 0
    else:
        fits = s.left == 0 and s.previous == NONE
    if not fits:
        yield f"phase {name!r} does not go with left or previous (N20.4)"


def _check_repair(s: Any, phase: int) -> Iterator[str]:
    """N6.3-N6.6, N20.4: need and fee are as they follow, with so many reductions taken, in rising order."""
    if (s.space != NONE) != (phase == WILD):
        yield f"phase {PHASES[phase]!r} does not go with repair"
    if phase != WILD:
        return
    me, space = s.seats[s.seat], int(s.space)
    symbols = symbols_of(me.workshop, int(me.machines))
    fee = fee_of(s, space, symbols)
    if s.fee != fee or fee > me.tokens[0]:
        yield f"repair.fee is {s.fee}, must be {fee}, of {me.tokens[0]} charcoalium (N6.5)"
    full = [need_of(int(s.kinds[space]), resource, symbols) for resource in range(NUM_RESOURCES)]
    taken = [before - int(now) for before, now in zip(full, s.need, strict=True)]
    due = min(count_of(symbols, WILD_SYMBOL), sum(full))
    named = [resource for resource in range(NUM_RESOURCES) if taken[resource]]
    if min(taken) < 0 or sum(taken) + int(s.left) != due or s.previous != max(named, default=NONE):
        yield "repair.need does not go with left and previous (N6.4)"


def _check_project(s: Any, phase: int, name: str) -> Iterator[str]:
    """N7: the project is there, and positions are of the workshop."""
    me = s.seats[s.seat]
    if (s.project != NONE) != (phase == PARTNER) or (s.partners and phase != PARTNER):
        yield f"phase {name!r} does not go with project or partners (N20)"
    if s.project != NONE and s.project not in [*s.board, *me.reserved]:
        yield f"project {s.project} is not there for the seat to complete (N7.1)"
    if phase not in (PROJECTS, PARTNER):
        if s.used:
            yield f"phase {name!r} does not go with used (N7.6)"
        return
    if s.used and (int(s.used).bit_length() != me.machines or several(s.used) != (s.used != 0)):
        yield "used must hold the newest machine and others of the workshop (N7.2)"
    if s.used and me.completed[0] == NONE:
        yield "used, but no project is completed (N7.6)"
    if int(s.partners).bit_length() >= max(1, int(me.machines)):
        yield "partners must be older machines of the workshop (N7.2)"


def _restore_choices(s: Any, box: Box) -> Iterator[str]:
    """N20.2: what is asked follows from the rest, and leaves a choice."""
    if s.phase in (TURN, OVER):
        return
    s.choices = choices(s)
    if s.choices == 0 or not (several(s.choices) or s.phase in (EXCHANGE, PROJECTS)):
        yield f"phase {PHASES[s.phase]!r} has nothing to ask (N20.2)"
