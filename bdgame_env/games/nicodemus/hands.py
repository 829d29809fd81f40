"""Hands and the deck: drawing, refilling (N5), losing machines at random (N11.6)."""

from __future__ import annotations

from ...engine.jit import kernel
from ...engine.rng import below
from .cards import NUM_KINDS, NUM_MACHINES, NUM_PROJECTS
from .knowledge import doubt_all, learn, see_leave
from .state import HAND_SIZE, NONE, Config, Seat, State
from .tokens import mover, opponent


@kernel
def draw_machine(s: State) -> int:
    """Take the top card off the deck, which must not be empty."""
    top = NUM_MACHINES - int(s.deck_size)
    kind = int(s.deck[top])
    s.deck[top] = NONE
    s.deck_size -= 1
    return kind


@kernel
def draw_project(s: State) -> int:
    """Take the top tile off the project deck, which must not be empty."""
    top = NUM_PROJECTS - int(s.project_deck_size)
    project = int(s.project_deck[top])
    s.project_deck[top] = NONE
    s.project_deck_size -= 1
    return project


@kernel
def add_to_hand(seat: Seat, kind: int) -> None:
    """Add a machine to a hand."""
    seat.hand[kind] += 1
    seat.hand_size += 1


@kernel
def take_from_hand(seat: Seat, kind: int) -> None:
    """Take a machine out of a hand."""
    seat.hand[kind] -= 1
    seat.hand_size -= 1


@kernel
def lose_from_hand(seat: Seat, kind: int) -> None:
    """N16.4: a machine discarded from a hand leaves the game; only its owner sees it."""
    take_from_hand(seat, kind)
    seat.lost[kind] += 1


@kernel
def refill(s: State, config: Config) -> None:
    """N5.1, N5.2, N5.4: draw up to five. Needing more cards than the deck has triggers the end (N15.1).

    N15.5: with an option, drawing the last card triggers it too.
    """
    me = mover(s)
    wanted = HAND_SIZE - int(me.hand_size)
    if wanted > s.deck_size or (wanted > 0 and wanted == s.deck_size and config.last_card_ends):
        wanted = int(s.deck_size)
        s.ending = 1
    for _ in range(wanted):
        add_to_hand(me, draw_machine(s))


@kernel
def random_machine(s: State, seat: Seat) -> int:
    """N11.6, N18.2: the kind of a random card in a hand that is not empty; the card stays there."""
    number = below(s, int(seat.hand_size))
    for kind in range(NUM_KINDS):
        number -= int(seat.hand[kind])
        if number < 0:
            return kind
    return NONE


@kernel
def steal_machine(s: State) -> None:
    """N11.1, N11.2, N16.3: take a random machine from the opponent's hand; nothing if it is empty (N11.5)."""
    me, other = mover(s), opponent(s)
    if other.hand_size > 0:
        kind = random_machine(s, other)
        take_from_hand(other, kind)
        see_leave(me, kind)
        add_to_hand(me, kind)
        learn(other, kind)


@kernel
def thin_hand(s: State, size: int) -> None:
    """N11.3, N16.4: the opponent loses random machines, unseen by the mover, until `size` are left."""
    other = opponent(s)
    while other.hand_size > size:
        lose_from_hand(other, random_machine(s, other))
        doubt_all(mover(s))
