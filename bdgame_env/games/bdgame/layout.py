"""Workshops built from data, not by play: checked by B12, B14, B16 and B19, but not by the order of placement."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ...engine.jit import entry_point
from ...engine.quoting import listed, shown
from .cards import COLORS, HOPPER, INLETS, OUTLETS, PAUSE, Deck
from .state import COLUMNS, FRESH, HOPPERS, NONE, ROWS, WORKSHOP
from .workshop import empty_workshop, put_card


def read_workshop(cards: Iterable[Mapping[str, Any]], deck: Deck, caller: str) -> npt.NDArray[Any]:
    """The workshop that a snapshot lists (section 11), as WORKSHOP records of shape (1,).

    Args:
        cards: entries with x, y, kind; also slot and cubes for a hopper, held and fresh for a pause card.
        deck: names and ports of the kinds.
        caller: the first word of error messages.

    Raises:
        ValueError: in one line, which card cannot be placed, and why.
        KeyError, TypeError: an entry does not have that form.
    """
    workshops = empty_workshop_array()
    slots = np.full(HOPPERS, NONE, np.int8)
    for card in cards:
        x, y = card["x"], card["y"]
        kind = lay(workshops, deck, caller, card["kind"], x, y)
        if kind == HOPPER:
            if card["slot"] not in range(HOPPERS) or slots[card["slot"]] != NONE:
                raise ValueError(f"{caller}: slot {shown(card['slot'])} of the hopper at ({x}, {y}) is not free (B19)")
            slots[card["slot"]] = x * ROWS + y
            workshops["loaded"][0, card["slot"]] = [card["cubes"][color] for color in COLORS]
        elif kind == PAUSE and card["held"] is not None:
            workshops["held"][0, x, y] = COLORS.index(card["held"]) + 1 + FRESH * bool(card["fresh"])
    workshops["hopper_cell"][0] = slots
    return workshops


def empty_workshop_array() -> npt.NDArray[Any]:
    """A workshop without cards, WORKSHOP records of shape (1,)."""
    workshops = np.zeros(1, WORKSHOP)
    empty_workshops(workshops)
    return workshops


def is_cell(x: Any, y: Any) -> bool:
    """Whether (x, y) is a cell of the workshop (B12)."""
    whole = isinstance(x, int | np.integer) and isinstance(y, int | np.integer)
    return whole and 0 <= x < COLUMNS and 0 <= y < ROWS


def lay(workshops: npt.NDArray[Any], deck: Deck, caller: str, name: Any, x: Any, y: Any) -> int:
    """Place one card after checking B12, B14 and B16; returns its kind."""
    if not isinstance(name, str) or name not in deck.kinds:
        raise ValueError(f"{caller}: unknown card kind {shown(name)}; known: {listed(deck.kinds)}")
    where = f"{caller}: {name} at ({shown(x)}, {shown(y)})"
    if not is_cell(x, y):
        raise ValueError(f"{where} lies outside the workshop of {COLUMNS} columns and {ROWS} places in each (B12)")
    kind = deck.kinds.index(name)
    inlets, outlets = int(INLETS[deck.shapes[kind]]), int(OUTLETS[deck.shapes[kind]])
    laid = workshops[0]
    taken = int(laid["columns"][x])
    if (taken | taken << 1 | taken >> 1) >> y & 1:
        raise ValueError(f"{where} overlaps another card (B12)")
    if (inlets and x == 0) or (outlets and x == COLUMNS - 1):
        raise ValueError(f"{where} points out of the workshop (B16)")
    if inlets << y & int(laid["inlets"][x]) or outlets << y & int(laid["outlets"][x + 1]):
        raise ValueError(f"{where} shares a junction with a port of the same side (B14)")
    lay_card(workshops, deck.shapes, kind, x, y)
    return kind


@entry_point
def empty_workshops(workshops: Any) -> None:
    """Make every record an empty workshop."""
    for i in range(workshops.shape[0]):
        empty_workshop(workshops[i])


@entry_point
def lay_card(workshops: Any, shapes: Any, kind: Any, x: Any, y: Any) -> None:
    """Put a card that is known to fit into the first workshop."""
    put_card(workshops[0], shapes, kind, x, y)
