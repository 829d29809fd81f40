"""All cards of Nicodemus as pictures."""

from __future__ import annotations

from ....engine.game import GameConfig
from ....render.gallery import CardPicture, Shelf
from ....render.svg import Canvas
from ..cards import COPIES, KINDS, NUM_PROJECTS
from .cards import MACHINE, TILE, machine, project


def gallery(config: GameConfig) -> list[Shelf]:
    """Machines by color, and projects."""
    machines = []
    for kind, name in enumerate(KINDS):
        canvas = Canvas.sheet(*MACHINE, set())
        machine(canvas, name)
        machines.append(CardPicture(name, canvas, int(COPIES[kind])))
    projects = []
    for number in range(NUM_PROJECTS):
        canvas = Canvas.sheet(*TILE, set())
        project(canvas, number)
        projects.append(CardPicture(str(number), canvas))
    return [Shelf("Machines", machines), Shelf("Projects", projects)]
