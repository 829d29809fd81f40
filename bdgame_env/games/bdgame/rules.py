"""The rules of Bdgame, a file per chapter.

- setup.py: setting up, and sampling what a seat does not know (B7-B11, B51)
- workshop.py: where cards may lie, and what a Device is (B12-B19)
- turn.py: the course of a turn (B20, B31-B44)
- market.py: Collect, Accept, Buy, Clear, and selling (B22-B27, B49)
- building.py: Build, Dismantle, Load (B28-B30)
- devices.py: how cubes flow (B31-B39)
- ending.py: rounds, the end and the ranks (B45-B48)
- trading.py: an optional rule (B50)
- observe.py: what a seat sees (section 12)
- actions.py: the notation of actions (section 10)
- legal_and_apply.py: what is legal, phase by phase, and what a decision does (B52)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...engine.arrays import Ints
from ...engine.jit import kernel
from ...engine.rng import nth
from . import legal_and_apply, setup
from . import observe as observing
from .ending import ranks
from .legal_and_apply import points, progress
from .setup import resample
from .state import Config, Decks, State

__all__ = ["apply", "legal", "observe", "points", "progress", "ranks", "resample", "reset"]

_FAR = np.uint64(1 << 40)  # the output of a game's generator that chooses its deck; a game draws a few hundred


@kernel
def deck_of(s: State, decks: Decks) -> Config:
    """The deck of a game, and the options."""
    return decks.of[s.deck - decks.first]


@kernel
def reset(s: State, decks: Decks) -> None:
    """B7-B11: deal. The deck does not move the generator: with it alone, the same seed deals the same game."""
    s.deck = decks.first
    if decks.count > 1:
        s.deck += int(((nth(s.rng, _FAR) >> np.uint64(32)) * np.uint64(decks.count)) >> np.uint64(32))
    setup.reset(s, deck_of(s, decks))


@kernel
def legal(s: State, decks: Decks, mask: Ints) -> None:
    """B52: set mask[a] = 1 for every legal action of the seat to decide."""
    legal_and_apply.legal(s, deck_of(s, decks), mask)


@kernel
def apply(s: State, decks: Decks, action: int) -> None:
    """Carry out a legal action and its automatic consequences, up to the next decision."""
    legal_and_apply.apply(s, deck_of(s, decks), action)


@kernel
def observe(s: State, decks: Decks, seat: int, out: Any) -> None:
    """Section 12: write every field of `out` as `seat` sees the game."""
    observing.observe(s, deck_of(s, decks), seat, out)
