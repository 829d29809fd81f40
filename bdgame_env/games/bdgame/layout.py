"""Workshops as lists of cards, and built from them, not by play.

They are checked by B12, B14, B16 and B19, but not by the order of placement.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...engine.arrays import Ints, Rows
from ...engine.game import BadSnapshot
from ...engine.jit import entry_point
from ...engine.quoting import listed, shown
from ...records.snapshot_reader import Entry
from .cards import COLORS, CUBES_OF_A_COLOR, HOPPER, INLETS, OUTLETS, PAUSE, Deck
from .state import COLUMNS, FRESH, HOPPERS, NONE, ROWS, Workshop
from .workshop import put_card


def write_workshop(workshop: Workshop, deck: Deck) -> list[dict[str, Any]]:
    """The cards as a snapshot lists them (section 11), by x, then y."""
    kinds, held, loaded = workshop.kinds, workshop.held, workshop.loaded
    cells = workshop.hopper_cell.tolist()
    cards = []
    for x, y in np.argwhere(kinds != NONE).tolist():
        kind = int(kinds[x, y])
        card: dict[str, Any] = {"x": x, "y": y, "kind": deck.kinds[kind]}
        if kind == HOPPER:
            slot = cells.index(x * ROWS + y)
            card |= {"slot": slot, "cubes": dict(zip(COLORS, loaded[slot].tolist(), strict=True))}
        if kind == PAUSE:
            holds = int(held[x, y])
            card |= {"held": COLORS[(holds - 1) % FRESH] if holds else None, "fresh": holds > FRESH}
        cards.append(card)
    return cards


def read_workshop(cards: Entry, deck: Deck) -> Any:
    """The workshop that a snapshot lists, as WORKSHOP records of shape (1,).

    Raises:
        BadSnapshot: in one line, which entry has another form, or which card cannot lie there, and why.
    """
    workshops: Any = Workshop.blank.copy()
    workshop = workshops[0]
    slots = np.full(HOPPERS, NONE, np.int8)
    for card in cards.entries():
        x, y = card["x"].whole(0, COLUMNS - 1), card["y"].whole(0, ROWS - 1)
        kind = card["kind"].place_in(deck.kinds)
        try:
            lay(workshops, deck, f"snapshot: {cards.where}", deck.kinds[kind], x, y)
        except ValueError as error:
            raise BadSnapshot(str(error)) from None
        if kind == HOPPER:
            slot = card["slot"].whole(0, HOPPERS - 1)
            if slots[slot] != NONE:
                raise BadSnapshot(f"snapshot: {cards.where}: slot {slot} of the hopper at ({x}, {y}) is not free (B19)")
            slots[slot] = x * ROWS + y
            workshop["loaded"][slot] = card["cubes"].counts(COLORS, CUBES_OF_A_COLOR)
        elif kind == PAUSE:
            held, fresh = card["held"].place_in(COLORS, null=NONE), card["fresh"].flag()
            workshop["held"][x, y] = 0 if held == NONE else held + 1 + FRESH * fresh
    workshop["hopper_cell"][:] = slots
    return workshops


def is_cell(x: Any, y: Any) -> bool:
    """Whether (x, y) is a cell of the workshop (B12)."""
    whole = isinstance(x, int | np.integer) and isinstance(y, int | np.integer)
    return whole and 0 <= x < COLUMNS and 0 <= y < ROWS


def lay(workshops: Any, deck: Deck, caller: str, name: Any, x: Any, y: Any) -> int:
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
    shapes: Any = deck.shapes
    lay_card(workshops, shapes, kind, x, y)
    return kind


@entry_point
def lay_card(workshops: Rows[Workshop], shapes: Ints, kind: int, x: int, y: int) -> None:
    """Put a card that is known to fit into the first workshop."""
    put_card(workshops[0], shapes, kind, x, y)
