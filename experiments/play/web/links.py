"""Links: secret addresses, each of which plays for some seats or only watches."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..seats import is_human
from ..session import Session


@dataclass
class Link:
    """One secret address.

    Attributes:
        token: the secret part of the address.
        seats: the seats that it plays for; empty for spectators.
        shown: the seat whose view it shows; None for the spectators' view.
        covered: whether the view is hidden because another of its seats is to move, until that person is ready.
    """

    token: str
    seats: tuple[int, ...]
    shown: int | None = None
    covered: bool = False

    @property
    def path(self) -> str:
        """The path of its page."""
        return f"/play/{self.token}"

    def begin(self, session: Session) -> None:
        """Show the game as it stands."""
        self.shown = self.seats[0] if len(self.seats) == 1 else None
        self.follow(session)

    def follow(self, session: Session) -> None:
        """Show the seat to move, if it is one of this link's.

        If its seats have different views, the next person must confirm first (`uncover`).
        """
        self.covered = False
        seat = session.to_move
        if seat not in self.seats or seat == self.shown:
            return
        if len(self.seats) == 1 or self._alike(session):
            self.shown = seat
        else:
            self.covered = True

    def uncover(self, session: Session) -> None:
        """Show the view of the seat to move."""
        if self.covered:
            self.shown, self.covered = session.to_move, False

    def seat_to_move(self, session: Session) -> int | None:
        """The seat that may act over this link now, or None."""
        seat = session.to_move
        return seat if seat in self.seats and not self.covered else None

    def seat_in_turn(self, session: Session) -> int | None:
        """The seat to decide, as far as the page may know it."""
        seat = session.to_move
        return seat if seat is None or seat in self.seats else session.match.seat_known_to(self.viewer())

    def viewer(self) -> int | None:
        """The seat whose view the page shows; None for the spectators' view."""
        return None if self.covered else self.shown

    def _alike(self, session: Session) -> bool:
        views = [_without_nothing(session.match.snapshot(seat=seat)) for seat in self.seats]
        return all(view == views[0] for view in views)


def _without_nothing(entry: Any) -> Any:
    """An entry of a snapshot, in which what says the same has one form.

    To know nothing is to see null, so what holds nothing but None is None. Of hidden cards others see the number, so
    what is empty is 0.
    """
    if not isinstance(entry, (dict, list)):
        return entry
    pairs = entry.items() if isinstance(entry, dict) else enumerate(entry)
    said = {key: found for key, each in pairs if (found := _without_nothing(each)) is not None}
    return said or (None if entry else 0)


def links_for(seats: Sequence[str], separate: bool) -> list[Link]:
    """One link for all people, or one for each if `separate`; the last link is for spectators. See `Link.begin`."""
    humans = [seat for seat, spec in enumerate(seats) if is_human(spec)]
    groups = [(seat,) for seat in humans] if separate else [tuple(humans)] if humans else []
    return [Link(secrets.token_urlsafe(16), group) for group in [*groups, ()]]
