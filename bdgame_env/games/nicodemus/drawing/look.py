"""What the pages of Nicodemus look like: an alchemist's shelf."""

from __future__ import annotations

from ....render.ornaments import FAINT_LINE
from ....render.scene import Look
from ....render.svg import Canvas
from .cards import DEVICES, SHAPES, STROKES


def _backdrop() -> Canvas:
    canvas = Canvas.sheet(200, 160, set())
    for course, (x, y) in zip(DEVICES[1::2], ((14, 12), (116, 88)), strict=True):
        canvas.group(x, y).path(course, **FAINT_LINE)
    for number, (x, y) in enumerate(((100, 34), (164, 42), (44, 116), (88, 92))):
        place = canvas.group(x, y, scale=1.3)
        for course in (SHAPES[number], STROKES[number]):
            place.path(course, **FAINT_LINE)
    return canvas


LOOK = Look(band="#44295a", backdrop=_backdrop(), common="row")
