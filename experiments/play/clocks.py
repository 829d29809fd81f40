"""Clocks for people: so many minutes for the whole game, and some seconds more after each turn (Fischer's clock)."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from bdgame_env.engine.quoting import shown

_TEXT = re.compile(r"(?P<minutes>\d{1,4}(\.\d{1,4})?)\+(?P<seconds>\d{1,4})")
_LONGEST = 24 * 60  # minutes
_MOST_LEFT = 1e7  # seconds; a record may say anything


@dataclass(frozen=True)
class TimeControl:
    """What each person has.

    Attributes:
        seconds: for the whole game.
        increment: seconds added after each turn.
    """

    seconds: float
    increment: float

    @classmethod
    def read(cls, text: str) -> TimeControl:
        """A time control such as "15+10": 15 minutes, and 10 seconds more after each turn.

        Raises:
            ValueError: it is none.
        """
        parts = _TEXT.fullmatch(text)
        if parts is None or not 0 < float(parts["minutes"]) <= _LONGEST or int(parts["seconds"]) > 3600:
            raise ValueError(f"{shown(text)}, must be minutes for the game + seconds after each turn, e.g. 15+10")
        return cls(60 * float(parts["minutes"]), float(parts["seconds"]))


class Clocks:
    """The clocks of a game. At most one runs. A seat's first turn is not timed: people take their time to arrive.

    Args:
        control: what each seat has.
        seats: those with a clock.
        now: the time in seconds.

    Attributes:
        running: the seat whose clock runs, or None.
    """

    def __init__(self, control: TimeControl, seats: Iterable[int], now: Callable[[], float] = time.monotonic) -> None:
        self.running: int | None = None
        self._control, self._now = control, now
        self._left = dict.fromkeys(seats, control.seconds)
        self._turn: int | None = None
        self._begun: set[int] = set()  # seats that have had a turn
        self._since = 0.0

    def turn_to(self, seat: int | None) -> None:
        """It is a seat's turn, or nobody's; nothing happens if it was already."""
        if seat == self._turn:
            return
        if self.running is not None:
            self._left[self.running] = self.left(self.running) + self._control.increment
        if self._turn is not None:
            self._begun.add(self._turn)
        self._turn, self._since = seat, self._now()
        self.running = seat if seat in self._left and seat in self._begun else None

    def stop(self) -> None:
        """Stop all clocks for good."""
        if self.running is not None:
            self._left[self.running] = self.left(self.running)
        self.running = self._turn = None

    def elapsed(self) -> float:
        """Seconds since the running clock began to run; 0 if none runs."""
        return 0.0 if self.running is None else self._now() - self._since

    def before(self, seat: int) -> float | None:
        """Seconds that a seat had at the beginning of its turn, or has while it waits; None if it has no clock."""
        return self._left.get(seat)

    def left(self, seat: int) -> float:
        """Seconds that a seat with a clock has now, 0 at least."""
        return max(0.0, self._left[seat] - (self.elapsed() if seat == self.running else 0.0))

    def set_left(self, seat: int, seconds: float) -> None:
        """Set a seat's clock, before it runs; nothing happens if it has none."""
        if seat in self._left:
            self._left[seat] = float(min(max(0, seconds), _MOST_LEFT))
