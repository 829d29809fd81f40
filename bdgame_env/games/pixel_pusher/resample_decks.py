"""Collects the machine cards that nobody has seen, to shuffle and deal them again (P12, P19.1, P67)."""

from __future__ import annotations

from ...engine.arrays import Ints
from ...engine.jit import kernel
from ...engine.rng import shuffle
from .hands import draw_machine, insert, put_on_deck, sort
from .state import REMOVED, Config, State


@kernel
def shuffle_unseen(s: State, row: Ints, count: int) -> None:
    """P67: shuffle cards so that no trace of their earlier order is left."""
    sort(row, count)
    shuffle(s, row, count)


@kernel
def take_back(s: State, config: Config) -> None:
    """Put the cards removed (P12) and set aside (P19.1), which nobody has seen, onto the deck."""
    for k in range(REMOVED[config.players]):
        put_on_deck(s, s.removed[k])
        s.removed[k] = 0
    for k in range(s.set_aside_size):
        put_on_deck(s, s.set_aside[k])
        s.set_aside[k] = 0


@kernel
def leave_out(s: State, config: Config) -> None:
    """The reverse of `take_back`, after shuffling and once players have their cards."""
    for k in range(REMOVED[config.players]):
        insert(s.removed, k, draw_machine(s))
    for k in range(s.set_aside_size):
        insert(s.set_aside, k, draw_machine(s))
