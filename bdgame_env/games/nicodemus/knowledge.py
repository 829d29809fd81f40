"""What a seat knows about the other seat's hand (N16.6): machines by kind, updated at every event.

`known` counts machines that are in the other hand; `doubtful` counts machines that it knew of and that are still there
or have been lost since (N16.4). N16.6.5: both seats can follow all of this, so each knows what the other knows.
"""

from __future__ import annotations

from ...engine.jit import kernel
from .cards import COST, NUM_KINDS
from .state import Seat


@kernel
def learn(observer: Seat, kind: int) -> None:
    """N16.3, N16.6.1: a machine of this kind went from the observer's hand into the other one."""
    observer.known[kind] += 1


@kernel
def see_leave(observer: Seat, kind: int) -> None:
    """N16.6.2: the observer sees the other hand lose a machine of this kind: a known one, if there is any."""
    if observer.known[kind] > 0:
        observer.known[kind] -= 1
    elif observer.doubtful[kind] > 0:
        observer.doubtful[kind] -= 1


@kernel
def doubt_all(observer: Seat) -> None:
    """N16.4, N16.6.3: the other hand loses a machine unseen, which may be of any known kind."""
    for kind in range(NUM_KINDS):
        _doubt(observer, kind)


@kernel
def doubt_fitting(observer: Seat, first: int, second: int) -> None:
    """N16.4, N16.6.4: the same, but P1 has gained these two resources of the lost machine's cost."""
    for kind in range(NUM_KINDS):
        if COST[kind, first] > int(first == second) and COST[kind, second] > 0:
            _doubt(observer, kind)


@kernel
def _doubt(observer: Seat, kind: int) -> None:
    """If a machine of the kind is known, one of them may be lost."""
    if observer.known[kind] > 0:
        observer.known[kind] -= 1
        observer.doubtful[kind] += 1
