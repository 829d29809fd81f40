"""Which machines complete sets for projects (N7.2-N7.4), and what that makes a repair worth (N23.12)."""

from __future__ import annotations

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
    `completed_by` for all of them, in arrays: calling compiled code here would make the import take a second.
    """
    kinds = np.arange(cards.NUM_KINDS)
    starts, table = [0], []
    for project, machines in enumerate(cards.PROJECT_MACHINES.tolist()):
        partners = np.indices((cards.NUM_KINDS,) * (machines - 1)).reshape(machines - 1, -1)
        traits = cards.TRAITS_OF[partners].sum(axis=0)[:, None] + cards.TRAITS_OF
        fits = traits & cards.ASKED[project] == cards.WANTED[project]
        if cards.TWINS[project]:
            fits &= np.all(partners[:, :, None] == kinds, axis=0)
        table.append(fits @ (1 << kinds))
        starts.append(starts[-1] + len(table[-1]))
    return np.array(starts[:-1], np.int32), np.concatenate(table).astype(np.int32)


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
