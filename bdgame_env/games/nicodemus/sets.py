"""Which machine completes which set for a project (N7.2-N7.4), as a table: observations ask for every machine."""

from __future__ import annotations

from itertools import product

import numpy as np
import numpy.typing as npt

from ...engine.jit import kernel
from . import cards
from .projects import completed_by
from .state import NONE, Seat


def _tables() -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """For each project the place of its part of the table, and the table: bit k if kind k completes a set.

    The part of a project with n partners has 16 ** n entries; the kinds of the partners are the digits of the place.
    """
    starts: list[int] = []
    table: list[int] = []
    for project in range(cards.NUM_PROJECTS):
        starts.append(len(table))
        for partners in product(range(cards.NUM_KINDS), repeat=int(cards.PROJECT_MACHINES[project]) - 1):
            traits = sum(int(cards.TRAITS_OF[kind]) for kind in partners)
            alike = partners[0] if len(set(partners)) == 1 else NONE
            fits = [completed_by(kind, project, traits, alike) for kind in range(cards.NUM_KINDS)]
            table.append(sum(1 << kind for kind, fit in enumerate(fits) if fit))
    return np.array(starts, np.int32), np.array(table, np.int32)


_START, _FITS = _tables()
_START.setflags(write=False)
_FITS.setflags(write=False)


@kernel
def completing(me: Seat, project: int) -> int:
    """Bit k if repairing a machine of kind k completes the project, with machines that the workshop has now."""
    start, partners, machines = int(_START[project]), int(cards.PROJECT_MACHINES[project]) - 1, int(me.machines)
    kinds = 0
    for first in range(machines):
        one = int(me.workshop[first])
        if partners == 1:
            kinds |= int(_FITS[start + one])
            continue
        for second in range(first):
            two = one * cards.NUM_KINDS + int(me.workshop[second])
            if partners == 2:
                kinds |= int(_FITS[start + two])
                continue
            for third in range(second):
                kinds |= int(_FITS[start + two * cards.NUM_KINDS + int(me.workshop[third])])
    return kinds
