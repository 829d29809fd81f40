"""Whether a move reveals something hidden, and which seats share a view. Knows no game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from bdgame_env.engine.game import IllegalAction
from bdgame_env.engine.match import Match

DETERMINIZATIONS = 16  # copies with other hidden cards; a fair coin falls the same way in all once in 65,536 times


def reveals(before: Match, action: int, after: Match, seats: Iterable[int]) -> bool:
    """Whether one of these seats learns something from a move that it could not have known before.

    It does if, with other hidden cards, the same move would have led to another view for this seat.
    """
    for seat in seats:
        seen = after.snapshot(seat=seat)
        twins = (before.clone(determinize=seat, seed=number) for number in range(DETERMINIZATIONS))
        if any(shows_otherwise(twin, action, seat, seen) for twin in twins):
            return True
    return False


def shows_otherwise(twin: Match, action: int, seat: int, seen: Mapping[str, Any]) -> bool:
    """Play an action in a copy; whether a seat then sees something else than `seen`, or it was not even legal."""
    try:
        twin.play(action)
    except IllegalAction:  # so its being legal reveals something
        return True
    return twin.snapshot(seat=seat) != seen


def same_views(match: Match, seat: int) -> frozenset[int | None]:
    """The seats that see exactly what `seat` sees, including itself, and None if spectators do too."""
    seen = match.snapshot(seat=seat)
    views: list[int | None] = [other for other in range(match.players) if match.snapshot(seat=other) == seen]
    return frozenset(views if match.snapshot() != seen else [None, *views])
