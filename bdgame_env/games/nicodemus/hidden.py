"""Dealing anew what a seat cannot see (N16), for search and for the proof that observations hide it."""

from __future__ import annotations

from typing import Any

from ...core.jit import rule
from ...core.rng import below, shuffle
from .cards import COST, NUM_KINDS, NUM_MACHINES, NUM_PROJECTS, P1
from .effects import append, pick_choices
from .hands import add_to_hand, draw_machine, draw_project
from .rules import choices, several
from .state import HAND, KEEP, MOST_RESERVED, NONE, OFFERED, PICK


@rule
def redeal(s: Any, box: Any, seat: Any) -> None:
    """N16.2, N16.4, N16.5: the other's hand and what it lost from hand, the other's rejected tiles, both decks.

    In the middle of the other's turn also the tiles on offer and the kind that P1 discarded. What is asked of the
    other stays a question: with one answer only it would not have been asked (N20.2).
    """
    other = s.seats[1 - seat]
    asked = s.seat != seat
    _redeal_machines(s, other, asked)
    _redeal_projects(s, other, asked and s.phase == KEEP)
    if asked:
        s.choices = choices(s)


@rule
def _redeal_machines(s: Any, other: Any, asked: Any) -> None:
    """N16.2, N16.4: hand, machines lost from hand and deck, in one heap."""
    hand, lost = int(other.hand_size), 0
    for kind in range(NUM_KINDS):
        lost += int(other.lost[kind])
        for _ in range(int(other.hand[kind]) + int(other.lost[kind])):
            _put_on_deck(s, kind)
        other.lost[kind] = 0
    other.hand[:] = 0
    other.hand_size = 0
    if asked and s.phase == PICK and s.effect == P1:
        _redeal_discarded(s)
        other.lost[s.discarded] += 1
        lost -= 1
    _deal_hand(s, other, hand)
    while asked and s.phase == HAND and not several(choices(s)):
        for kind in range(NUM_KINDS):
            for _ in range(other.hand[kind]):
                _put_on_deck(s, kind)
        other.hand[:] = 0
        other.hand_size = 0
        _deal_hand(s, other, hand)
    for _ in range(lost):
        other.lost[draw_machine(s)] += 1


@rule
def _deal_hand(s: Any, other: Any, number: Any) -> None:
    size = int(s.deck_size)
    shuffle(s, s.deck[NUM_MACHINES - size :], size)
    for _ in range(number):
        add_to_hand(other, draw_machine(s))


@rule
def _put_on_deck(s: Any, kind: Any) -> None:
    """The reverse of `draw_machine`."""
    s.deck_size += 1
    s.deck[NUM_MACHINES - int(s.deck_size)] = kind


@rule
def _redeal_discarded(s: Any) -> None:
    """N16.4: another machine that P1 may have discarded, given what has been picked from it and is still asked."""
    top = NUM_MACHINES - int(s.deck_size)
    fitting = 0
    for place in range(top, NUM_MACHINES):
        if _could_be_discarded(s, int(s.deck[place])):
            fitting += 1
    chosen = below(s, fitting)
    for place in range(top, NUM_MACHINES):
        kind = int(s.deck[place])
        if _could_be_discarded(s, kind):
            if chosen == 0:
                s.deck[place] = s.deck[top]
                draw_machine(s)
                s.discarded = kind
                return
            chosen -= 1


@rule
def _could_be_discarded(s: Any, kind: Any) -> Any:
    """Whether P1 could be at this point with a machine of this kind."""
    s.discarded = kind
    return (s.previous == NONE or COST[kind, s.previous] > 0) and several(pick_choices(s))


@rule
def _redeal_projects(s: Any, other: Any, offered: Any) -> None:
    """N16.2, N16.5: the tiles that the other rejected or, if `offered`, chooses from, and the project deck."""
    rejected = 0
    for place in range(MOST_RESERVED):
        if other.rejected[place] != NONE:
            _put_on_project_deck(s, other.rejected[place])
            other.rejected[place] = NONE
            rejected += 1
    if offered:
        for place in range(OFFERED):
            _put_on_project_deck(s, s.offer[place])
    size = int(s.project_deck_size)
    shuffle(s, s.project_deck[NUM_PROJECTS - size :], size)
    if offered:
        for place in range(OFFERED):
            s.offer[place] = draw_project(s)
    for _ in range(rejected):
        append(other.rejected, draw_project(s))


@rule
def _put_on_project_deck(s: Any, project: Any) -> None:
    """The reverse of `draw_project`."""
    s.project_deck_size += 1
    s.project_deck[NUM_PROJECTS - int(s.project_deck_size)] = project
