"""Setting up a game (P10-P15)."""

from __future__ import annotations

from ...engine.jit import kernel
from ...engine.rng import below, shuffle
from .cards import COPIES, NUM_COLORS, NUM_IMAGES, NUM_KINDS, NUM_MACHINES
from .conveyor import fill_conveyor
from .hands import draw_machine, insert, put_on_deck, reverse
from .lines import note_lines
from .state import MAX_SEATS, MOST_IMAGES_IN_DECK, NONE, PIXELS, PLACES, REMOVED, Config, State


@kernel
def set_up(s: State, config: Config) -> None:
    """P10-P15, in the order given in the section on chance. `s` is zero on entry (P14), except for `rng`."""
    empty_boards(s)
    _lay_out_images(s)
    note_lines(s, config)
    for color in range(NUM_COLORS):  # P11
        s.supply[color] = PIXELS[color]
    _shuffle_machines(s, config)
    fill_conveyor(s)
    start = below(s, int(config.players))
    for phase in range(3):  # P15
        s.leaders[phase] = start


@kernel
def empty_boards(s: State) -> None:
    """P14: write NONE wherever a choice or a type could be; counts stay 0."""
    for seat in range(MAX_SEATS):
        s.seats[seat].slot_type[:] = NONE
        s.seats[seat].choice = NONE


@kernel
def _lay_out_images(s: State) -> None:
    """P10: lay out the first six of the shuffled images; the rest is the deck. Uses `finished` as scratch space."""
    row = s.finished
    for image in range(NUM_IMAGES):
        row[image] = image + 1
    shuffle(s, row, NUM_IMAGES)
    for place in range(PLACES):
        s.images[place] = row[place]
    for place in range(PLACES, NUM_IMAGES):
        s.image_deck[NUM_IMAGES - 1 - place] = row[place]
    s.image_deck_size = MOST_IMAGES_IN_DECK
    row[:] = 0


@kernel
def _shuffle_machines(s: State, config: Config) -> None:
    """P12: shuffle 60 cards; the top ones leave the game and are kept in order of kind."""
    for kind in range(1, NUM_KINDS + 1):
        for _ in range(COPIES[kind]):
            put_on_deck(s, kind)
    shuffle(s, s.machine_deck, NUM_MACHINES)
    reverse(s.machine_deck, NUM_MACHINES)
    for taken in range(REMOVED[config.players]):
        insert(s.removed, taken, draw_machine(s))
