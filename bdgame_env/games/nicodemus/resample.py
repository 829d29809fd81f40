"""Sampling what a seat cannot see (N16.8), for search and to test that observations hide it.

Hidden pieces are first sorted into an order that does not depend on where they were. So the outcome is a function of
what the seat knows and of the random numbers alone.
"""

from __future__ import annotations

from ...engine.jit import kernel
from ...engine.rng import below, shuffle
from .cards import COST, NUM_KINDS, NUM_MACHINES, NUM_PROJECTS, NUM_RESOURCES, P1
from .effects import insert
from .hands import add_to_hand, draw_machine, draw_project
from .legal_and_apply import choices
from .state import KEEP, MOST_RESERVED, NONE, OFFERED, PICK, Config, Seat, State


@kernel
def resample(s: State, config: Config, seat: int) -> None:
    """N16.2, N16.4, N16.5: resample both decks and the other seat's hand, lost machines and rejected tiles.

    In the middle of the other seat's turn, also the tiles on offer and the kind that P1 discarded. N16.6, N16.8: known
    machines stay where the seat knows them to be; all arrangements of the others are equally likely.
    """
    asked = s.seat != seat
    _resample_machines(s, s.seats[seat], s.seats[1 - seat], asked and s.phase == PICK and s.effect == P1)
    _resample_projects(s, s.seats[1 - seat], asked and s.phase == KEEP)
    if asked:
        s.choices = choices(s)


# Machines


@kernel
def _resample_machines(s: State, me: Seat, other: Seat, discarding: int) -> None:
    """N16.2, N16.4: hand, lost machines and deck; `discarding` is whether the other seat's P1 is picking."""
    held, lost = int(other.hand_size), 0
    for kind in range(NUM_KINDS):
        lost += int(other.lost[kind])
    _collect(s, me, other)
    doubted = NONE  # the kind discarded, if it was a doubtful one
    if discarding:
        doubted = _resample_discarded(s, me, other, held, lost)
        lost -= 1
    size = int(s.deck_size)
    shuffle(s, s.deck[NUM_MACHINES - size :], size)
    hidden = lost
    for kind in range(NUM_KINDS):
        for _ in range(int(me.doubtful[kind]) - int(kind == doubted)):
            free = held - int(other.hand_size)
            if below(s, free + hidden) < free:
                add_to_hand(other, kind)
            else:
                other.lost[kind] += 1
                hidden -= 1
    while other.hand_size < held:
        add_to_hand(other, draw_machine(s))
    for _ in range(hidden):
        other.lost[draw_machine(s)] += 1
    if discarding:
        other.lost[s.discarded] += 1


@kernel
def _collect(s: State, me: Seat, other: Seat) -> None:
    """Put all hidden machines on the deck, in order of kind; those that `me` knows of go into the hand, or aside.

    Set aside are those that may have been lost.
    """
    for place in range(NUM_MACHINES - int(s.deck_size), NUM_MACHINES):
        other.lost[s.deck[place]] += 1
    s.deck[:] = NONE
    s.deck_size = 0
    other.hand_size = 0
    for kind in range(NUM_KINDS - 1, -1, -1):
        known = int(me.known[kind])
        free = int(other.lost[kind]) + int(other.hand[kind]) - known - int(me.doubtful[kind])
        for _ in range(free):
            s.deck_size += 1
            s.deck[NUM_MACHINES - int(s.deck_size)] = kind
        other.hand[kind] = known
        other.hand_size += known
        other.lost[kind] = 0


@kernel
def _resample_discarded(s: State, me: Seat, other: Seat, held: int, lost: int) -> int:
    """N16.4: sample the machine that P1 discarded, given what was picked from its cost and what is still asked.

    Its kind is written to `s.discarded`, and it leaves the hand or the deck. Each machine is weighted by the number of
    ways to deal all others: known ones are in the hand, doubtful ones there or among the lost.

    Returns:
        Its kind if it is one of the doubtful machines, otherwise NONE.
    """
    known, doubtful = int(other.hand_size), 0
    for kind in range(NUM_KINDS):
        doubtful += int(me.doubtful[kind])
    # the weight of one machine of each sort, without common factors
    room, places, free = held - known + 1, held + lost - known, max(1, int(s.deck_size))
    for_known, for_doubtful, for_free = free, 0, room
    if doubtful > 0:
        for_known, for_doubtful, for_free = places * free, room * free, room * (places - doubtful)
    total = 0
    for kind in range(NUM_KINDS):
        if _fits(s, kind):
            total += int(other.hand[kind]) * for_known + int(me.doubtful[kind]) * for_doubtful
            total += _on_deck(s, kind) * for_free
    chosen = below(s, total)
    for kind in range(NUM_KINDS):
        if _fits(s, kind):
            chosen -= int(other.hand[kind]) * for_known
            if chosen < 0:
                other.hand[kind] -= 1
                other.hand_size -= 1
                s.discarded = kind
                return NONE
            chosen -= int(me.doubtful[kind]) * for_doubtful
            if chosen < 0:
                s.discarded = kind
                return kind
            chosen -= _on_deck(s, kind) * for_free
            if chosen < 0:
                _take_from_deck(s, kind)
                s.discarded = kind
                return NONE
    return NONE


@kernel
def _fits(s: State, kind: int) -> bool:
    """N20.4: whether P1 could be at this point with a machine of this kind."""
    if s.previous == NONE:
        return True
    cost = 0
    for resource in range(int(s.previous), NUM_RESOURCES):
        cost += int(COST[kind, resource])
    return COST[kind, s.previous] > 0 and cost > 1


@kernel
def _on_deck(s: State, kind: int) -> int:
    """How many machines of a kind are in the deck."""
    count = 0
    for place in range(NUM_MACHINES - int(s.deck_size), NUM_MACHINES):
        count += int(s.deck[place] == kind)
    return count


@kernel
def _take_from_deck(s: State, kind: int) -> None:
    """Take a machine of this kind out of the deck; the top one moves to its place."""
    place = NUM_MACHINES - int(s.deck_size)
    while place < NUM_MACHINES - 1 and s.deck[place] != kind:
        place += 1
    s.deck[place] = s.deck[NUM_MACHINES - int(s.deck_size)]
    draw_machine(s)


# Projects


@kernel
def _resample_projects(s: State, other: Seat, offered: int) -> None:
    """N16.2, N16.5: the project deck and the tiles that the other seat rejected or, if `offered`, chooses from."""
    hidden = 0  # bit q: project q is one of them
    for place in range(NUM_PROJECTS):
        if s.project_deck[place] != NONE:
            hidden |= 1 << int(s.project_deck[place])
    rejected = 0
    for place in range(MOST_RESERVED):
        if other.rejected[place] != NONE:
            hidden |= 1 << int(other.rejected[place])
            other.rejected[place] = NONE
            rejected += 1
    offers = 0
    if offered:
        for place in range(OFFERED):
            if s.offer[place] != NONE:
                hidden |= 1 << int(s.offer[place])
                s.offer[place] = NONE
                offers += 1
    s.project_deck[:] = NONE
    s.project_deck_size = 0
    for project in range(NUM_PROJECTS - 1, -1, -1):
        if hidden >> project & 1:
            s.project_deck_size += 1
            s.project_deck[NUM_PROJECTS - int(s.project_deck_size)] = project
    size = int(s.project_deck_size)
    shuffle(s, s.project_deck[NUM_PROJECTS - size :], size)
    for _ in range(offers):
        insert(s.offer, draw_project(s))
    for _ in range(rejected):
        insert(other.rejected, draw_project(s))
