"""What a move tells to whom, found out by dealing anew: for every game, without knowing any."""

from __future__ import annotations

from bdgame_env.core.table import IllegalMove, Table

DEALS = 16  # copies with other hidden cards; a coin that decides what is seen falls the same way in all once in 65536


def reveals(before: Table, action: int, after: Table) -> bool:
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
            twin = before.clone(redeal=seat, seed=number)
            try:
                twin.play(action)
            except IllegalMove:  # so the move itself tells something
                return True
            if twin.snapshot(seat=seat) != seen:
                return True
    return False


def same_views(table: Table, seat: int) -> frozenset[int | None]:
    """The seats that see just what `seat` sees, itself among them, and None if everybody does."""
    seen = table.snapshot(seat=seat)
    views: list[int | None] = [other for other in range(table.players) if table.snapshot(seat=other) == seen]
    return frozenset(views if table.snapshot() != seen else [None, *views])


def unseen_by(before: Table, action: int, after: Table) -> frozenset[int | None]:
    """The seats (and None for who only looks on) that cannot tell which move was played.

    They cannot if another legal move would have led to the same view of theirs, and to another of the mover's.

    Args:
        before: the position in which the move is legal.
        action: the move's id.
        after: the position that it led to.
    """
    mover = before.seat
    everybody: set[int | None] = {None, *range(before.players)}
    if everybody == same_views(before, mover) == same_views(after, mover):
        return frozenset()
    own = after.snapshot(seat=mover)
    views = {seat: after.snapshot(seat=seat) for seat in everybody - {mover}}
    unseen: set[int | None] = set()
    for other in before.legal_actions():
        if other == action:
            continue
        twin = before.clone()
        twin.play(other)
        if twin.snapshot(seat=mover) == own:  # it would have come to the same
            continue
        unseen |= {seat for seat, seen in views.items() if seat not in unseen and twin.snapshot(seat=seat) == seen}
    return frozenset(unseen)
