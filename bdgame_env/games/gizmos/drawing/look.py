"""What the pages of Gizmos look like: brass, gears and marbles."""

from __future__ import annotations

from ....render.ornaments import FAINT_LINE, disc, gear
from ....render.scene import Look
from ....render.svg import Canvas


def _backdrop() -> Canvas:
    canvas = Canvas.sheet(210, 190, set())
    for course in (gear(56, 58, 46, 14), gear(128, 112, 37, 11, 0.35), gear(46, 150, 26, 9), gear(176, 40, 22, 8)):
        canvas.path(course, **FAINT_LINE)
    for x, y in ((112, 24), (182, 92), (188, 164), (96, 172)):
        canvas.path(disc(x, y, 9), **FAINT_LINE)
    return canvas


LOOK = Look(band="#5b3a1e", backdrop=_backdrop())
