"""Tokens: gaining them from a limited supply (N1.3, N14), returning them, stealing them."""

from __future__ import annotations

from ...engine.jit import kernel
from .cards import CHARCOALIUM, NUM_TOKENS
from .state import Seat, State


@kernel
def mover(s: State) -> Seat:
    """The seat whose turn it is."""
    return s.seats[s.seat]


@kernel
def opponent(s: State) -> Seat:
    """The other seat."""
    return s.seats[1 - s.seat]


@kernel
def gain(s: State, token: int, number: int) -> None:
    """N14.1, N14.2: gain tokens from the reserve, then from the opponent's workshop; the rest is lost."""
    other = opponent(s)
    from_reserve = min(int(number), int(s.reserve[token]))
    from_opponent = min(int(number) - from_reserve, int(other.tokens[token]))
    s.reserve[token] -= from_reserve
    other.tokens[token] -= from_opponent
    mover(s).tokens[token] += from_reserve + from_opponent


@kernel
def to_be_had(s: State, token: int) -> bool:
    """N10.4.3: whether the reserve or the opponent has one; tokens on the bric-a-brac do not count (N13.2)."""
    return s.reserve[token] > 0 or opponent(s).tokens[token] > 0


@kernel
def give_back(s: State, seat: Seat, token: int, number: int) -> None:
    """A seat returns tokens that it has to the reserve."""
    seat.tokens[token] -= number
    s.reserve[token] += number


@kernel
def steal_token(s: State, token: int) -> None:
    """N11.1, N11.2: steal one token from the opponent's workshop, if there is one."""
    other = opponent(s)
    if other.tokens[token] > 0:
        other.tokens[token] -= 1
        mover(s).tokens[token] += 1


@kernel
def resources(seat: Seat) -> int:
    """The number of resources in a workshop: wood, copper and crystal together."""
    total = 0
    for token in range(CHARCOALIUM + 1, NUM_TOKENS):
        total += int(seat.tokens[token])
    return total
