"""Which machines complete sets for projects (N7.2-N7.4), and what that makes a repair worth (N23.12)."""

from __future__ import annotations

from itertools import product

import numpy as np
import numpy.typing as npt

from ...engine.jit import kernel
from . import cards
from .state import BOARD, MOST_RESERVED, NONE, Seat, State

MOST_WORTH = 20  # more points are written as 20


@kernel
def completed_by(kind: int, project: int, traits: int, alike: int) -> bool:
    """Whether a machine of this kind completes a set, of as many partners as the project asks for.

    Every requirement is a number of machines with a trait (N7.3.1, N7.3.2, N7.3.4, N7.3.5), except twins (N7.3.3).
    `traits`: the sum of the partners' traits; `alike`: their kind, or NONE if they differ.
    """
    return (traits + cards.TRAITS_OF[kind]) & cards.ASKED[project] == cards.WANTED[project] and (
        cards.TWINS[project] == 0 or alike == kind
    )


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
def _completing(me: Seat, project: int) -> int:
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


@kernel
def weigh(s: State, me: Seat) -> None:
    """N23.12: write the points that repairing each kind would bring a seat, with all projects completed by it (N7).

    To be called whenever the board, its workshop or its reserved projects have changed.
    """
    for kind in range(cards.NUM_KINDS):
        me.worth[kind + 1] = cards.POINTS[kind]
    if me.machines == 0:
        return
    for place in range(BOARD):
        _add_project(me, int(s.board[place]))
    for place in range(MOST_RESERVED):
        _add_project(me, int(me.reserved[place]))


@kernel
def _add_project(me: Seat, project: int) -> None:
    """N7.6, N20.7: projects completed in one turn take nothing from each other."""
    if project == NONE:
        return
    kinds, points = _completing(me, project), int(cards.PROJECT_POINTS[project])
    for kind in range(cards.NUM_KINDS):
        if kinds >> kind & 1:
            me.worth[kind + 1] = min(MOST_WORTH, int(me.worth[kind + 1]) + points)
