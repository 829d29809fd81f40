"""Whether a move brings something hidden to light, and who shares whose view: for every game, without knowing any."""

from __future__ import annotations

from bdgame_env.engine.game import IllegalAction
from bdgame_env.engine.match import Match

DEALS = 16  # copies with other hidden cards; a coin that decides what is seen falls the same way in all once in 65536


def reveals(before: Match, action: int, after: Match) -> bool:
    """Whether some seat learns something by a move that it could not have known before.

    It does if the move would have led to another view of its had the cards that it cannot see been others.

    Args:
        before: the position in which the move is legal.
        action: the move's id.
        after: the position that it led to.
    """
    for seat in range(before.players):
        seen = after.snapshot(seat=seat)
        for number in range(DEALS):
            twin = before.clone(determinize=seat, seed=number)
            try:
                twin.play(action)
            except IllegalAction:  # so the move itself tells something
                return True
            if twin.snapshot(seat=seat) != seen:
                return True
    return False


def same_views(match: Match, seat: int) -> frozenset[int | None]:
    """The seats that see just what `seat` sees, itself among them, and None if everybody does."""
    seen = match.snapshot(seat=seat)
    views: list[int | None] = [other for other in range(match.players) if match.snapshot(seat=other) == seen]
    return frozenset(views if match.snapshot() != seen else [None, *views])
