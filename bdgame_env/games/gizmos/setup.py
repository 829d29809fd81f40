"""Setting up a game (G2)."""

from __future__ import annotations

from ...engine.jit import kernel
from ...engine.rng import shuffle
from . import state as st
from .cards import CARDS_OF_A_LEVEL, NUM_COLORS, NUM_STARTING
from .marbles import fill_row
from .market import add_built, draw_top, insert_card
from .state import Config, Seat, State


@kernel
def reset(s: State, config: Config) -> None:
    """G2: shuffle and deal (D7.8); seat 0 begins round 1 (G2.1). `s` is empty on entry, except for `rng`.

    Each seat has one starting card (G2.2); nothing else depends on the number of players (G2.6).
    """
    for deck in range(3):
        for place in range(CARDS_OF_A_LEVEL):
            s.decks[deck, place] = NUM_STARTING + CARDS_OF_A_LEVEL * deck + place
        s.deck_sizes[deck] = CARDS_OF_A_LEVEL
        shuffle(s, s.decks[deck], CARDS_OF_A_LEVEL)
    _remove(s)
    for place in range(st.DISPLAY):
        s.display[place] = draw_top(s, int(st.DISPLAY_LEVEL[place]))
    for color in range(NUM_COLORS):
        s.dispenser[color] = st.MARBLES_OF_A_COLOR
    fill_row(s)
    for seat in range(config.players):
        begin_seat(s.seats[seat])
        add_built(s.seats[seat], seat)
    s.round_number = 1
    s.phase = st.MAIN


@kernel
def begin_seat(seat: Seat) -> None:
    """G2.7: the limits of a seat without built cards."""
    seat.ring_limit = st.FIRST_RING
    seat.archive_limit = st.FIRST_ARCHIVE
    seat.research = st.FIRST_RESEARCH


@kernel
def _remove(s: State) -> None:
    """G2.3: remove the top 20 cards of the shuffled level-3 deck from the game; they are kept in order of number."""
    for taken in range(st.REMOVED):
        insert_card(s.removed, taken, draw_top(s, 3))
