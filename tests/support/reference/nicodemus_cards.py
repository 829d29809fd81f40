"""Machines and projects of Nicodemus (N1, N7.3), typed out once more so that no table of the engine is trusted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

RESOURCES = ("wood", "copper", "crystal")
TOKENS = ("charcoalium", *RESOURCES)
SUPPLY = {"charcoalium": 12, "wood": 8, "copper": 8, "crystal": 8}  # N1.3
START = (  # N2.4
    {"charcoalium": 2, "wood": 0, "copper": 0, "crystal": 0},
    {"charcoalium": 1, "wood": 1, "copper": 0, "crystal": 0},
)

Tokens = dict[str, int]


@dataclass(frozen=True)
class Machine:
    """What a machine card shows (N1.2)."""

    kind: str
    color: str
    points: int
    symbol: str
    cost: tuple[str, ...]  # one entry for each resource to pay
    copies: int


# kind, points, symbol, cost in wood, copper, crystal
_MACHINES = """
    B1  1  wood         0 1 1
    B2  1  charcoalium  2 0 0
    B3  2  copper       0 1 2
    B4  2  crystal      0 2 1
    B5  3  wild         3 1 0
    P1  1  wild         1 1 0
    P2  1  crystal      2 0 0
    P3  2  copper       0 2 1
    P4  2  wood         2 0 1
    P5  3  charcoalium  1 1 2
    R1  1  crystal      1 0 1
    R2  2  copper       1 1 1
    R3  3  charcoalium  1 0 3
    R4  3  wood         1 3 0
    Y1  3  wood         2 0 2
    Y2  3  charcoalium  0 3 1
"""
_COLORS = {"B": "blue", "P": "purple", "R": "red", "Y": "yellow"}


def _machine(row: str) -> Machine:
    kind, points, symbol, *amounts = row.split()
    cost = tuple(r for r, n in zip(RESOURCES, amounts, strict=True) for _ in range(int(n)))
    return Machine(kind, _COLORS[kind[0]], int(points), symbol, cost, copies=2 if kind[0] == "R" else 4)  # N1.1


MACHINES = {machine.kind: machine for machine in map(_machine, _MACHINES.strip().splitlines())}
KINDS = tuple(MACHINES)


@dataclass(frozen=True)
class Project:
    """A project tile: its points, and what its machines must show (N7.3)."""

    points: int
    sort: str  # "color", "symbol", "same" or "points"
    shown: tuple[str, ...]  # one entry for each machine of the set

    @property
    def machines(self) -> int:
        """How many machines the project uses (N7.4)."""
        return len(self.shown)

    def fulfilled_by(self, kinds: Sequence[str]) -> bool:
        """N7.3: do exactly these machines make the set?"""
        machines = [MACHINES[kind] for kind in kinds]
        if len(machines) != self.machines:
            return False
        if self.sort == "same":  # N7.3.3
            return len(set(kinds)) == 1
        if self.sort == "color":  # N7.3.1, N7.3.2
            return sorted(machine.color for machine in machines) == sorted(self.shown)
        if self.sort == "points":  # N7.3.4
            return sorted(str(machine.points) for machine in machines) == sorted(self.shown)
        return sorted(machine.symbol for machine in machines) == sorted(self.shown)  # N7.3.5: wild is none of them


# points, sort, what is shown; the place in the list is the project's index
_PROJECTS = """
    5  color   blue purple red yellow
    1  color   blue blue
    1  color   purple purple
    3  color   red red
    3  color   yellow yellow
    2  same    twin twin
    3  points  1 1
    2  points  2 2
    1  points  3 3
    2  symbol  charcoalium wood
    2  symbol  charcoalium copper
    2  symbol  charcoalium crystal
    2  symbol  charcoalium charcoalium
    2  symbol  wood wood
    2  symbol  copper copper
    3  symbol  crystal crystal
    3  symbol  wood copper crystal
"""


def _project(row: str) -> Project:
    points, sort, *shown = row.split()
    return Project(int(points), sort, tuple(shown))


PROJECTS = tuple(map(_project, _PROJECTS.strip().splitlines()))
