"""Setting up a game (N2)."""

from __future__ import annotations

from ...engine.jit import kernel
from ...engine.rng import shuffle
from .bric_a_brac import put_down
from .cards import CHARCOALIUM, COPIES, NUM_KINDS, NUM_MACHINES, NUM_PROJECTS, NUM_TOKENS, SUPPLY
from .hands import add_to_hand, draw_machine, draw_project
from .sets import weigh
from .state import BOARD, HAND_SIZE, NUM_SEATS, TURN, Config, State

_WOOD = CHARCOALIUM + 1


@kernel
def reset(s: State, config: Config) -> None:
    """N2: shuffle and deal; seat 0 begins round 1 (N2.1). `s` is empty on entry (N2.5), except for `rng`."""
    for token in range(NUM_TOKENS):
        s.reserve[token] = SUPPLY[token]
    place = 0
    for kind in range(NUM_KINDS):
        for _ in range(COPIES[kind]):
            s.deck[place] = kind
            place += 1
    s.deck_size = NUM_MACHINES
    shuffle(s, s.deck, NUM_MACHINES)
    put_down(s, draw_machine(s))  # N2.2
    for seat in range(NUM_SEATS):
        for _ in range(HAND_SIZE):
            add_to_hand(s.seats[seat], draw_machine(s))
    for project in range(NUM_PROJECTS):
        s.project_deck[project] = project
    s.project_deck_size = NUM_PROJECTS
    shuffle(s, s.project_deck, NUM_PROJECTS)
    for place in range(BOARD):  # N2.3
        s.board[place] = draw_project(s)
    for seat in range(NUM_SEATS):
        weigh(s, s.seats[seat])
    _give(s, 0, CHARCOALIUM, 2)  # N2.4
    _give(s, 1, CHARCOALIUM, 1)
    _give(s, 1, _WOOD, 1)
    s.round_number = 1
    s.phase = TURN


@kernel
def _give(s: State, seat: int, token: int, number: int) -> None:
    s.reserve[token] -= number
    s.seats[seat].tokens[token] += number
