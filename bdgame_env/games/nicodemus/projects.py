"""Completing projects after a repair (N7), and the workshop's limit (N8)."""

from __future__ import annotations

from ...engine.bits import size_of
from ...engine.jit import kernel
from .cards import PROJECT_MACHINES, PROJECT_POINTS, TRAITS_OF
from .effects import insert
from .repairing import score
from .sets import completed_by, weigh
from .state import BOARD, END, MOST_IN_WORKSHOP, MOST_RESERVED, NONE, PARTNER, PROJECTS, Seat, State
from .tokens import mover, opponent


@kernel
def fulfils(me: Seat, project: int, partners: int) -> bool:
    """N7.2-N7.4: whether the newest machine and these partners (bits of positions) form a set for the project."""
    if size_of(partners) + 1 != PROJECT_MACHINES[project]:
        return False
    return completed_by(int(me.workshop[me.machines - 1]), project, traits_of(me, partners), like(me, partners))


@kernel
def traits_of(me: Seat, partners: int) -> int:
    """The sum of the traits of these partners."""
    traits = 0
    for position in range(me.machines):
        if partners >> position & 1:
            traits += TRAITS_OF[me.workshop[position]]
    return traits


@kernel
def like(me: Seat, partners: int) -> int:
    """N7.3.3: the kind of all these partners, or NONE if they differ."""
    kind, found = NONE, False
    for position in range(me.machines):
        if partners >> position & 1:
            if found and me.workshop[position] != kind:
                return NONE
            kind, found = int(me.workshop[position]), True
    return kind


@kernel
def can_be_completed(me: Seat, project: int, chosen: int) -> bool:
    """N20.6: whether some set for the project consists of the partners chosen and others after them."""
    newest = int(me.machines) - 1
    after = 0
    while chosen >> after > 0:
        after += 1
    for others in range(1 << max(0, newest - after)):
        if fulfils(me, project, chosen | others << after):
            return True
    return False


@kernel
def project_choices(s: State) -> int:
    """N7.1, N7.7: the projects that can be completed now, on the board and among the mover's reserved ones (N12.1).

    N20.7: numbers ascend within a turn, so that each combination can be chosen in one order only.
    """
    me = mover(s)
    choices = 0
    for place in range(BOARD):
        project = int(s.board[place])
        if project > s.latest and can_be_completed(me, project, 0):
            choices |= 1 << project
    for place in range(MOST_RESERVED):
        project = int(me.reserved[place])
        if project > s.latest and can_be_completed(me, project, 0):
            choices |= 1 << project
    return choices


@kernel
def begin_project(s: State, project: int) -> None:
    """COMPLETE: begin a project; its partners are chosen next, one by one."""
    s.project = project
    s.phase = PARTNER


@kernel
def partner_choices(s: State) -> int:
    """N20.4, N20.6: positions after those chosen; machines already used can be chosen again (N7.6)."""
    me = mover(s)
    choices = 0
    for position in range(int(me.machines) - 1):
        if 1 << position > s.partners and can_be_completed(me, int(s.project), int(s.partners) | 1 << position):
            choices |= 1 << position
    return choices


@kernel
def choose_partner(s: State, position: int) -> None:
    """Add a machine to the set; a complete set completes the project."""
    s.partners |= 1 << position
    if size_of(int(s.partners)) + 1 == PROJECT_MACHINES[s.project]:
        _complete(s)


@kernel
def _complete(s: State) -> None:
    """N7.5: score the points at once; the tile leaves the board or the reserved tiles."""
    me = mover(s)
    project = int(s.project)
    score(s, me, PROJECT_POINTS[project])
    insert(me.completed, project)
    for place in range(BOARD):
        if s.board[place] == project:
            s.board[place] = NONE
    kept = 0
    for place in range(MOST_RESERVED):
        reserved = me.reserved[place]
        me.reserved[place] = NONE
        if reserved != project:
            me.reserved[kept] = reserved
            kept += 1
    s.used |= s.partners | 1 << int(me.machines) - 1
    weigh(s, me)
    weigh(s, opponent(s))
    s.project, s.partners, s.latest = NONE, 0, project
    s.phase = PROJECTS


@kernel
def stop_completing(s: State) -> None:
    """N7.6: every machine used by a project in this turn leaves the workshop and the game."""
    me = mover(s)
    kept = 0
    for position in range(me.machines):
        kind = me.workshop[position]
        me.workshop[position] = NONE
        if int(s.used) >> position & 1:
            s.removed[kind] += 1
        else:
            me.workshop[kept] = kind
            kept += 1
    me.machines = kept
    if s.used != 0:
        weigh(s, me)
    s.used = 0
    s.phase = END


@kernel
def limit_workshop(s: State) -> None:
    """N8.1, N8.2: of four machines only the newest stays; tokens and reserved projects are not affected."""
    me = mover(s)
    if me.machines < MOST_IN_WORKSHOP:
        return
    for position in range(MOST_IN_WORKSHOP - 1):
        s.removed[me.workshop[position]] += 1
    me.workshop[0] = me.workshop[MOST_IN_WORKSHOP - 1]
    me.workshop[1:] = NONE
    me.machines = 1
    weigh(s, me)
