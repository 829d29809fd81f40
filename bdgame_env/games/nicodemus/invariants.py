"""What holds in every position (N20, N24); `restore` refuses a snapshot that breaks it.

Each check names the faults that it finds, and relies on the checks before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...engine.conservation import miscounts, tally
from ...engine.game import GameConfig
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
    POINTS,
    PROJECT_POINTS,
    R1,
    R2,
    R4,
    SUPPLY,
    SYMBOL,
    TOKENS,
    WILD_SYMBOL,
    Y1,
    Y2,
)
from .legal_and_apply import always_asked, choices, several
from .projects import fulfils
from .repairing import fee_of, need_of
from .state import (
    EXCHANGE,
    HAND,
    HAND_SIZE,
    KEEP,
    NO_USE,
    NONE,
    OFFERED,
    OVER,
    PARTNER,
    PHASES,
    PICK,
    PROJECTS,
    SPACES,
    TARGET,
    TURN,
    USE_EFFECT,
    USE_PASS,
    USE_PRODUCE,
    USE_REPAIR,
    WILD,
    WINNING_POINTS,
)

_MOST_IN_DECK, _MOST_PROJECTS_IN_DECK = 45, 11  # N2.2, N2.3
_DISCARDERS = (P1, P2, P3, P5)
# N20: the kinds whose effects lead to a phase.
_EFFECTS = {
    PICK: (B5, *_DISCARDERS, R2, R4),
    HAND: (P1,),
    TARGET: (P2, P3, Y2),
    EXCHANGE: (P4,),
    KEEP: (Y1,),
}
_MOST_PICKS = {P1: 2, P5: 2, R4: 2}  # N20.5; otherwise one


def _check_pieces(s: Any, config: GameConfig) -> Iterator[str]:
    """N24.1, N24.2, N12.1.2: no token, machine or project is missing or too many."""
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
    drawn = _MOST_PROJECTS_IN_DECK - s.project_deck_size - (s.offer != NONE).sum()
    for name, most in (("reserved", (drawn + 1) // 2), ("rejected", drawn // 2)):
        if (s.seats[name] != NONE).sum() > most:
            yield f"{(s.seats[name] != NONE).sum()} projects {name}, at most {most} with {drawn} drawn (N12.1)"
    rows = [s.board, s.project_deck, s.offer, *(s.seats[name] for name in ("reserved", "completed", "rejected"))]
    yield from miscounts("projects of number", range(NUM_PROJECTS), tally(rows, NUM_PROJECTS), 1, "N1.4")


def _check_sizes(s: Any, config: GameConfig) -> Iterator[str]:
    """N8.1, N13.5, N24.3: between turns, no workshop holds four machines and the bric-a-brac is not full.

    The mover's hand lacks the machine played and the one that P1 discarded.
    """
    most = HAND_SIZE - int(s.played != NONE) - int(s.effect == P1 and s.phase == PICK)
    if s.seats[s.seat].hand_size > most:
        yield f"{s.seats[s.seat].hand_size} machines in the hand of the seat to move, at most {most} (N4.1)"
    repaired = s.phase in (PROJECTS, PARTNER)
    for place, seat in enumerate(s.seats):
        most = 4 if repaired and place == s.seat else 3
        if seat.machines > most:
            yield f"{seat.machines} machines in workshop {place}, at most {most} (N8.1)"
    most = SPACES if s.played != NONE else SPACES - 1
    if s.machines > most:
        yield f"{s.machines} machines on the bric-a-brac, at most {most} (N13.5)"


def _check_end(s: Any, config: GameConfig) -> Iterator[str]:
    """N15, N24.4: whether the end is triggered, by what, and whether the game is over."""
    reached = [bool(seat.points >= WINNING_POINTS) for seat in s.seats]
    if any(reached) and not s.ending:
        yield "20 points are reached, but ending is false (N15.1)"
    if s.ending and not any(reached) and s.deck_size:
        yield "ending is true, but nothing has triggered it (N15.1)"
    if not s.ending and not s.deck_size and config.record[0].last_card_ends:
        yield "the deck is empty, but ending is false (N15.5)"
    scoring = s.phase in (PROJECTS, PARTNER)
    if not s.over and reached[s.seat] and not scoring:
        yield "the seat to move has 20 points already (N15.2)"
    if not s.over and s.seat == 0 and s.ending and not (scoring and reached[0] and not reached[1]):
        yield "the round is over and the end triggered, but the game goes on (N15.2)"
    if scoring and s.seats[s.seat].points - _scored_now(s) >= WINNING_POINTS:
        yield f"{s.seats[s.seat].points} points are more than a turn begun with 19 can have brought (N24.4)"
    at_limit = s.over and not s.ending and s.round_number == config.options["max_rounds"]
    if bool(s.truncated) != bool(at_limit):
        yield "truncated, but not by the round limit, or the other way round"
    if s.over and (s.seat == 0 or not (s.ending or s.truncated)):
        yield "phase 'over', but nothing has ended the game (N15.2)"


def _scored_now(s: Any) -> int:
    """The most points that the current turn can have brought: the repair, and projects with the machines used."""
    me = s.seats[s.seat]
    if not me.machines:
        return 0
    done = [int(q) for q in me.completed if q != NONE and q <= s.latest and _within(me, int(q), int(s.used))]
    return int(POINTS[me.workshop[me.machines - 1]]) + sum(int(PROJECT_POINTS[project]) for project in done)


def _within(me: Any, project: int, used: int) -> bool:
    """Whether these positions, with the newest machine, contain a set for the project."""
    older = used & ~(1 << int(me.machines) - 1)
    return any(some & ~older == 0 and fulfils(me, project, some) for some in range(older + 1))


def _check_turn(s: Any, config: GameConfig) -> Iterator[str]:
    """N20: fields that belong to a decision are set in its phase, and only there."""
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
    """N10.7, N16.4: the machine whose cost is picked from has just left the game."""
    if (s.discarded != NONE) != (phase == PICK and effect in _DISCARDERS):
        yield "discarded does not go with phase and effect (N20.5)"
    if s.discarded != NONE:
        gone = s.seats[s.seat].lost if effect == P1 else s.removed
        if gone[s.discarded] == 0:
            yield f"discarded {KINDS[s.discarded]} is not among those that left the game"


def _check_left(s: Any, phase: int, name: str, effect: int) -> Iterator[str]:
    """N20.4, N20.5: how many picks, exchanges or reductions remain, and what was named before."""
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
    """N6.3-N6.6, N20.4: need and fee follow from the position and the reductions taken, in ascending order."""
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
    """N7: the project is available, and the positions exist in the workshop."""
    me = s.seats[s.seat]
    if (s.project != NONE) != (phase == PARTNER) or (s.partners and phase != PARTNER):
        yield f"phase {name!r} does not go with project or partners (N20)"
    if s.project != NONE and s.project not in [*s.board, *me.reserved]:
        yield f"project {s.project} is not there for the seat to complete (N7.1)"
    if phase not in (PROJECTS, PARTNER):
        if s.used or s.latest != NONE:
            yield f"phase {name!r} does not go with used or latest (N7.6)"
        return
    if s.used and (int(s.used).bit_length() != me.machines or several(s.used) != (s.used != 0)):
        yield "used must hold the newest machine and others of the workshop (N7.2)"
    if (s.used == 0) != (s.latest == NONE):
        yield "used does not go with latest (N7.6)"
    if s.latest != NONE and not (s.latest in me.completed and _within(me, int(s.latest), int(s.used))):
        yield f"latest is {s.latest}, which is not completed with machines used (N7.6)"
    if s.project != NONE and s.project <= s.latest:
        yield f"project {s.project} does not come after {s.latest} (N20.7)"
    if int(s.partners).bit_length() >= max(1, int(me.machines)):
        yield "partners must be older machines of the workshop (N7.2)"


def _check_known(s: Any, config: GameConfig) -> Iterator[str]:
    """N16.6, N24.6: known machines are where they are known to be, and each of them was stolen."""
    for place, seat in enumerate(s.seats):
        other = s.seats[1 - place]
        held, lost = other.hand.astype(int), other.lost.astype(int)
        there = held + lost
        if s.phase == PICK and s.effect == P1 and s.seat != place:
            held[s.discarded] += 1  # it counts as held until its gains have been seen
        for kind in range(NUM_KINDS):
            if seat.known[kind] > held[kind]:
                yield f"known[{place}].hand has {seat.known[kind]} {KINDS[kind]}, of {held[kind]} in hand (N16.6)"
            if seat.known[kind] + seat.doubtful[kind] > there[kind]:
                yield f"known[{place}] has too many {KINDS[kind]}: {there[kind]} in hand or lost (N16.6)"
    known = int(s.seats["known"].sum() + s.seats["doubtful"].sum())
    if known > sum(_seen(s)[[R1, R2, Y2]]):
        yield f"{known} machines are known, more than were stolen (N16.3)"


def _seen(s: Any) -> Any:
    """How many machines of each kind have been played, including the one of N2.2."""
    return s.removed + tally([s.kinds, s.seats["workshop"]], NUM_KINDS)


def _check_last(s: Any, config: GameConfig) -> Iterator[str]:
    """N16.7: latest turns are set once there was one, and the current turn agrees with the decision."""
    for place, seat in enumerate(s.seats):
        running = bool(s.seat == place and s.phase not in (TURN, OVER))
        begun = s.round_number > 1 or s.over or place < s.seat or running
        use, kind, effect = int(seat.last_use), int(seat.last_kind), int(seat.last_effect)
        where = f"seats[{place}].last"
        if (use != NO_USE) != begun:
            yield f"{where} does not go with round and seat (N16.7)"
        if (kind != NONE) != (use not in (NO_USE, USE_PASS)) or (effect != NONE) != (use == USE_EFFECT):
            yield f"{where} does not go with its use (N16.7)"
        if kind != NONE and _seen(s)[kind] == 0:
            yield f"{where}: no {KINDS[kind]} has been played (N16.7)"
        if (effect not in (NONE, kind) and kind != Y2) or (effect == Y2 and not (running and s.phase == TARGET)):
            yield f"{where}: effect {KINDS[effect]} cannot be that of {KINDS[kind]} (N12.2)"
        if running and (use, kind, effect) != _running(s):
            yield f"{where} is not the turn under way (N16.7)"


def _running(s: Any) -> tuple[int, int, int]:
    """Use, kind and effect of the current turn."""
    me = s.seats[s.seat]
    if s.phase == WILD:
        return USE_REPAIR, int(s.kinds[s.space]), NONE
    if s.phase in (PROJECTS, PARTNER):
        return USE_REPAIR, int(me.workshop[me.machines - 1]), NONE
    return USE_PRODUCE if s.effect == NONE else USE_EFFECT, int(s.played), int(s.effect)


def _restore_choices(s: Any, config: GameConfig) -> Iterator[str]:
    """N20.2, N20.8: derive the open question, which must leave a choice."""
    if s.phase in (TURN, OVER):
        return
    s.choices = choices(s)
    if s.choices == 0 or not (several(s.choices) or always_asked(s)):
        yield f"phase {PHASES[s.phase]!r} has nothing to ask (N20.2)"


CHECKS = (
    _check_pieces,
    _check_sizes,
    _check_end,
    _check_turn,
    _restore_choices,
    _check_known,
    _check_last,
)
