"""Marbles: the row, the dispenser and the rings (G4), Pick (G7), draws (G12.1)."""

from __future__ import annotations

from ...engine.arrays import Ints
from ...engine.jit import kernel
from ...engine.rng import below
from .cards import NUM_COLORS
from .payment import energies_of, packed
from .state import ROW, Seat, State


@kernel
def mover(s: State) -> Seat:
    """The record of the seat on turn, the only one that decides (D1.1, G11.11)."""
    return s.seats[s.seat]


@kernel
def count(marbles: Ints) -> int:
    """The number of marbles of all colors together."""
    return int(marbles[0]) + int(marbles[1]) + int(marbles[2]) + int(marbles[3])


@kernel
def unused_converters(s: State, seat: int) -> int:
    """G10.2, G10.8: a seat's converters not used in this turn, by type, including those built in it."""
    return int(s.seats[seat].converters) - (int(s.used) if s.seat == seat else 0)


@kernel
def reckon(s: State, seat: int) -> None:
    """D4.2: work out what a seat could pay now. Every change of its ring or its unused converters needs that."""
    me = s.seats[seat]
    me.energies = energies_of(packed(me.ring), unused_converters(s, seat))


@kernel
def has_room(seat: Seat) -> bool:
    """G4.6: whether the ring is below its limit."""
    return count(seat.ring) < seat.ring_limit


@kernel
def _roll_out(s: State) -> int:
    """G4.2: a random marble leaves the dispenser, each as likely as any other; returns its color."""
    chosen = below(s, count(s.dispenser))
    color = 0
    while color < NUM_COLORS - 1 and chosen >= s.dispenser[color]:
        chosen -= int(s.dispenser[color])
        color += 1
    s.dispenser[color] -= 1
    return color


@kernel
def fill_row(s: State) -> None:
    """G4.1, G4.4: marbles roll into the row until there are six or the dispenser is empty."""
    for _ in range(min(ROW - count(s.row), count(s.dispenser))):
        s.row[_roll_out(s)] += 1


@kernel
def pick(s: State, color: int) -> None:
    """G7.1: move a marble from the row into the ring, then refill the row."""
    s.row[color] -= 1
    mover(s).ring[color] += 1
    reckon(s, s.seat)
    fill_row(s)


@kernel
def draw_one(s: State) -> None:
    """G12.1: move a random marble from the dispenser into the ring. This is not a Pick (G7.3)."""
    mover(s).ring[_roll_out(s)] += 1
    reckon(s, s.seat)


@kernel
def can_pick(s: State) -> bool:
    """G7.2, G4.5: room in the ring and a marble in the row."""
    return has_room(mover(s)) and count(s.row) > 0


@kernel
def can_draw(s: State) -> bool:
    """G4.5, G4.6: room in the ring and a marble in the dispenser."""
    return has_room(mover(s)) and count(s.dispenser) > 0


@kernel
def pay_marbles(s: State, amounts: Ints) -> None:
    """G8.6, G4.3, G4.4: return marbles from the ring to the dispenser, then top up the row if it is short.

    Marbles leave a ring in no other way (G4.7). A card that is put into play follows, which reckons.
    """
    ring = mover(s).ring
    for color in range(NUM_COLORS):
        ring[color] -= amounts[color]
        s.dispenser[color] += amounts[color]
    fill_row(s)
