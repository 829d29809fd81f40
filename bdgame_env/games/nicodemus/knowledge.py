"""What a seat knows about the other hand (N16.6): machines by kind, updated at every event.

`known` are machines that lie in the other hand; `doubtful` are those it knew of that lie there or were lost from there
since (N16.4). N16.6.5: both seats follow all of it, so each knows what the other knows.
"""

from __future__ import annotations

from typing import Any

from ...engine.jit import kernel
from .cards import COST, NUM_KINDS


@kernel
def learn(observer: Any, kind: Any) -> None:
    """N16.3, N16.6.1: this kind went from the observer's hand into the other one."""
    observer.known[kind] += 1


@kernel
def see_leave(observer: Any, kind: Any) -> None:
    """N16.6.2: the other hand loses this kind in sight of the observer: a known one, if there is any."""
    if observer.known[kind] > 0:
        observer.known[kind] -= 1
    elif observer.doubtful[kind] > 0:
        observer.doubtful[kind] -= 1


@kernel
def doubt_all(observer: Any) -> None:
    """N16.4, N16.6.3: the other hand loses a machine unseen; it may be any kind known of."""
    for kind in range(NUM_KINDS):
        _doubt(observer, kind)


@kernel
def doubt_fitting(observer: Any, first: Any, second: Any) -> None:
    """N16.4, N16.6.4: the same, but P1 has gained these two resources of its cost by it."""
    for kind in range(NUM_KINDS):
        if COST[kind, first] > int(first == second) and COST[kind, second] > 0:
            _doubt(observer, kind)


@kernel
def _doubt(observer: Any, kind: Any) -> None:
    """One machine of the kind, if one is known, may be lost."""
    if observer.known[kind] > 0:
        observer.known[kind] -= 1
        observer.doubtful[kind] += 1
