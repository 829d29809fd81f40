"""How long a phase can take in which all choose at once (P21, P59, P60)."""

from __future__ import annotations

from typing import Any

from .cards import END_RECIPE, FIRST_RECIPE, GAIN, NUM_MACHINE_CONVERTERS, PAY
from .ending import in_secret
from .state import DRAFTING, STORAGE

_SPLITS = [
    max(0, int((GAIN[first:end].sum(axis=1) - PAY[first:end].sum(axis=1)).max()))
    for first, end in zip(FIRST_RECIPE[:NUM_MACHINE_CONVERTERS], END_RECIPE[:NUM_MACHINE_CONVERTERS], strict=True)
]  # by converter, how many pixels more there are after one activation


def simultaneous_steps(s: Any, box: Any) -> int:
    """As many decisions as any seat can have in the phase in which all choose at once, by what all can see.

    In Draft that is the one card of this pick. In a secret Convert and Store a seat has at most one decision for each
    converter and ability card (P40), one to finish, and one for each pixel that it has to give back (P43): a pixel that
    it had when the phase began, or one that a split adds. 0 where players take turns.
    """
    if s.phase == DRAFTING:
        return 1
    return max(_most_decisions(seat) for seat in s.seats[: box.players]) if in_secret(s) else 0


def _most_decisions(seat: Any) -> int:
    """Those of one seat in a secret Convert and Store."""
    converters = seat.converters.tolist()
    pixels = int(seat.shown_pixels.sum()) + sum(more * count for more, count in zip(_SPLITS, converters, strict=True))
    return sum(converters) + int(seat.abilities.sum()) + 1 + max(0, pixels - STORAGE)
