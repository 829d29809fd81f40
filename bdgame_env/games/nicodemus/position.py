"""How positions of Nicodemus are written and read (the section on snapshots), and what holds in each of them (N24).

The checks count the pieces and see to what the rules rely on. They do not prove that a game can reach the position.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...engine.bits import several
from ...engine.conservation import miscounts, tally
from ...engine.game import GameConfig
from ...engine.struct import NONE
from ...records.snapshots import Position
from . import cards
from . import state as st
from .bric_a_brac import symbols_of
from .legal_and_apply import always_asked, choices
from .options import OPTIONS
from .repairing import fee_of, need_of
from .sets import weigh

_MOST_IN_DECK, _MOST_PROJECTS_IN_DECK = 45, 11  # N2.2, N2.3
_DISCARDERS = (cards.P1, cards.P2, cards.P3, cards.P5)
# N20: the kinds whose effects lead to a phase.
_EFFECTS = {
    st.PICK: (cards.B5, *_DISCARDERS, cards.R2, cards.R4),
    st.HAND: (cards.P1,),
    st.TARGET: (cards.P2, cards.P3, cards.Y2),
    st.EXCHANGE: (cards.P4,),
    st.KEEP: (cards.Y1,),
}
_COUNTED = (st.WILD, st.PICK, st.EXCHANGE)


def _derive(s: st.State, config: GameConfig) -> None:
    s.over = s.phase == st.OVER
    s.shown[:] = s.removed + tally([s.kinds, s.seats["workshop"]], cards.NUM_KINDS)
    for seat in s.seats:
        seat.hand_size = seat.hand.sum()
        weigh(s, seat)


def _check_pieces(s: st.State, config: GameConfig) -> Iterator[str]:
    """N24.1, N24.2: no token, machine or project is missing or too many."""
    tokens = s.reserve + s.seats["tokens"].sum(0)
    tokens[0] += s.coal.sum()
    yield from miscounts("tokens of", cards.TOKENS, tokens, cards.SUPPLY, "N1.3")
    machines = s.removed + s.seats["hand"].sum(0) + s.seats["lost"].sum(0)
    machines += tally([s.deck, s.kinds, s.seats["workshop"]], cards.NUM_KINDS)
    yield from miscounts("machines of kind", cards.KINDS, machines, cards.COPIES, "N1.1")
    rows = [s.board, s.project_deck, s.offer, *(s.seats[name] for name in ("reserved", "completed", "rejected"))]
    yield from miscounts("projects of number", range(cards.NUM_PROJECTS), tally(rows, cards.NUM_PROJECTS), 1, "N1.4")


def _check_sizes(s: st.State, config: GameConfig) -> Iterator[str]:
    """N4.1, N8.1, N13.5, N24.3: nothing holds more than there is room for when something is added next."""
    me = s.seats[s.seat]
    lent = int(s.played != NONE) + int(s.effect == cards.P1 and s.phase == st.PICK)  # from the mover's hand
    repaired = s.phase in (st.PROJECTS, st.PARTNER)
    for place, seat in enumerate(s.seats):
        most = st.HAND_SIZE - (lent if place == s.seat else 0)
        if seat.hand_size > most:
            yield f"{seat.hand_size} machines in seats[{place}].hand, at most {most} (N4.1)"
        most = 4 if repaired and place == s.seat else 3
        if seat.machines > most:
            yield f"{seat.machines} machines in workshop {place}, at most {most} (N8.1)"
    if repaired and not me.machines:
        yield f"phase {st.PHASES[s.phase]!r}, but the workshop is empty (N7.2)"
    most = st.SPACES if s.played != NONE else st.SPACES - 1
    if s.machines > most:
        yield f"{s.machines} machines on the bric-a-brac, at most {most} (N13.5)"
    if s.deck_size > _MOST_IN_DECK:
        yield f"{s.deck_size} machines in the deck, at most {_MOST_IN_DECK} (N2.2)"
    if s.project_deck_size > _MOST_PROJECTS_IN_DECK:
        yield f"{s.project_deck_size} tiles in the project deck, at most {_MOST_PROJECTS_IN_DECK} (N2.3)"


def _check_end(s: st.State, config: GameConfig) -> Iterator[str]:
    """N15, N24.4: nobody has 20 points before a turn begins, and only a game that is over is truncated."""
    reached = [bool(seat.points >= st.WINNING_POINTS) for seat in s.seats]
    scoring = s.phase in (st.PROJECTS, st.PARTNER)
    if any(reached) and not s.ending:
        yield "20 points are reached, but ending is false (N15.1)"
    if not s.over and reached[s.seat] and not scoring:
        yield "the seat to move has 20 points already (N15.2)"
    if s.truncated and (not s.over or s.ending):
        yield "truncated, but not by the round limit (N22.1)"


def _check_turn(s: st.State, config: GameConfig) -> Iterator[str]:
    """N20: fields that belong to a decision are set in its phase, and only there."""
    phase, name, effect = s.phase, st.PHASES[s.phase], s.effect
    last = s.kinds[s.machines - 1] if s.machines else NONE
    if (s.played != NONE) != (phase in _EFFECTS) or (s.played != NONE and s.played != last):
        yield f"phase {name!r} does not go with played, which lies last in the row (N4.1)"
    if effect != NONE and effect != s.played and (s.played != cards.Y2 or effect == cards.Y2):
        yield f"effect {cards.KINDS[effect]} cannot be that of {cards.KINDS[s.played]} (N12.2)"
    production = phase == st.PICK and effect == NONE and cards.SYMBOL[s.played] == cards.WILD_SYMBOL
    if effect not in _EFFECTS.get(phase, (NONE,)) and not production:
        yield f"phase {name!r} does not go with effect (N20)"
    if (s.discarded != NONE) != (phase == st.PICK and effect in _DISCARDERS):
        yield "discarded does not go with phase and effect (N20.5)"
    if s.discarded != NONE and (s.seats[s.seat].lost if effect == cards.P1 else s.removed)[s.discarded] == 0:
        yield f"discarded {cards.KINDS[s.discarded]} is not among those that left the game (N10.7, N16.4)"
    if (s.left > 0) != (phase in _COUNTED) or (s.previous != NONE and phase not in _COUNTED):
        yield f"phase {name!r} does not go with left or previous (N20.4)"
    if (s.offer[st.OFFERED - 1] != NONE) != (phase == st.KEEP) or (phase != st.KEEP and s.offer[0] != NONE):
        yield f"phase {name!r} does not go with offer (N12.1)"
    yield from _check_project(s)
    yield from _check_repair(s)


def _check_repair(s: st.State) -> Iterator[str]:
    """N6.3-N6.6: the fee follows from the position; the need is at most the printed cost less the reductions."""
    if (s.space != NONE) != (s.phase == st.WILD) or s.space >= s.machines:
        yield f"phase {st.PHASES[s.phase]!r} does not go with repair"
    elif s.phase == st.WILD:
        me = s.seats[s.seat]
        symbols = symbols_of(me.workshop)
        fee = fee_of(s, s.space, symbols)
        if s.fee != fee or fee > me.tokens[0]:
            yield f"repair.fee is {s.fee}, must be {fee}, of {me.tokens[0]} charcoalium (N6.5)"
        most = [need_of(s.kinds[s.space], resource, symbols) for resource in range(cards.NUM_RESOURCES)]
        if any(need > limit for need, limit in zip(s.need, most, strict=True)):
            yield f"repair.need is more than {most} (N6.3)"


def _check_project(s: st.State) -> Iterator[str]:
    """N7: the project is available, and its partners are older machines of the workshop."""
    me = s.seats[s.seat]
    if (s.project != NONE) != (s.phase == st.PARTNER) or (s.partners and s.phase != st.PARTNER):
        yield f"phase {st.PHASES[s.phase]!r} does not go with project or partners (N20)"
    if s.project != NONE and s.project not in [*s.board, *me.reserved]:
        yield f"project {s.project} is not there for the seat to complete (N7.1)"
    if int(s.partners).bit_length() >= max(1, me.machines):
        yield "partners must be older machines of the workshop (N7.2)"
    if s.phase not in (st.PROJECTS, st.PARTNER) and (s.used or s.latest != NONE):
        yield f"phase {st.PHASES[s.phase]!r} does not go with used or latest (N7.6)"
    if int(s.used).bit_length() > me.machines:
        yield "used must be machines of the workshop (N7.6)"


def _check_known(s: st.State, config: GameConfig) -> Iterator[str]:
    """N16.6, N24.6: known machines are where they are known to be."""
    for place, seat in enumerate(s.seats):
        other = s.seats[1 - place]
        held, lost = other.hand.astype(int), other.lost.astype(int)
        there = held + lost
        if s.phase == st.PICK and s.effect == cards.P1 and s.seat != place:
            held[s.discarded] += 1  # it counts as held until its gains have been seen
        for kind in range(cards.NUM_KINDS):
            if seat.known[kind] > held[kind]:
                name = cards.KINDS[kind]
                yield f"seats[{place}].known has {seat.known[kind]} {name}, of {held[kind]} in hand (N16.6)"
            if seat.known[kind] + seat.doubtful[kind] > there[kind]:
                yield f"seats[{place}]: too many {cards.KINDS[kind]} are known: {there[kind]} in hand or lost (N16.6)"


def _ask(s: st.State, config: GameConfig) -> Iterator[str]:
    """N20.2, N20.8: derive the open question, which must leave a choice."""
    if s.phase not in (st.TURN, st.OVER):
        s.choices = choices(s)
        if s.choices == 0 or not (several(s.choices) or always_asked(s)):
            yield f"phase {st.PHASES[s.phase]!r} has nothing to ask (N20.2)"


POSITION = Position(
    "nicodemus",
    st.State,
    options=OPTIONS,
    derive=_derive,
    checks=(_check_pieces, _check_sizes, _check_end, _check_turn, _ask, _check_known),
)
