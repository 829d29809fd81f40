"""The bric-a-brac (N13), a row of machines with charcoalium on them."""

from __future__ import annotations

import numpy as np

from ...engine.arrays import Ints
from ...engine.jit import kernel
from .cards import CHARCOALIUM, SYMBOL
from .state import NONE, ROW_SPACES, SPACES, State

# By kind + 1 one occurrence of its symbol as `symbols_of` counts it; nothing for no machine.
_SYMBOLS = np.array([0, *(1 << 4 * int(symbol) for symbol in SYMBOL)], np.int32)
_SYMBOLS.setflags(write=False)


@kernel
def put_down(s: State, kind: int) -> None:
    """N4.1, N13.1: put a machine on the first empty space, without charcoalium."""
    s.kinds[s.machines] = kind
    s.machines += 1
    s.shown[kind] += 1


@kernel
def take_away(s: State, space: int) -> None:
    """N13.3: remove a machine and the charcoalium on it; those after it move up."""
    for place in range(space, int(s.machines) - 1):
        s.kinds[place] = s.kinds[place + 1]
        s.coal[place] = s.coal[place + 1]
    s.machines -= 1
    s.kinds[s.machines] = NONE
    s.coal[s.machines] = 0


@kernel
def discard_from_row(s: State, space: int) -> int:
    """N10.7, N13.2: remove a machine from the game and return its charcoalium to the reserve; returns its kind."""
    kind = int(s.kinds[space])
    s.reserve[CHARCOALIUM] += s.coal[space]
    s.removed[kind] += 1
    take_away(s, space)
    return kind


@kernel
def clear_top_row(s: State) -> None:
    """N13.4, N13.5: when all ten spaces are full, the first five machines leave the game."""
    if s.machines == SPACES:
        for _ in range(ROW_SPACES):
            discard_from_row(s, 0)


@kernel
def with_symbol(s: State, symbol: int) -> int:
    """N9: how many machines of the bric-a-brac show a symbol; a wild symbol counts only as wild."""
    return count_of(symbols_of(s.kinds), symbol)


@kernel
def symbols_of(row: Ints) -> int:
    """How often each symbol occurs on the machines of a row: four bits each, read by `count_of`."""
    word = 0
    for place in range(row.shape[0]):
        word += int(_SYMBOLS[int(row[place]) + 1])
    return word


@kernel
def count_of(word: int, symbol: int) -> int:
    """The count of one symbol in a word of `symbols_of`."""
    return word >> 4 * symbol & 15
