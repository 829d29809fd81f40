"""What the pages of Pixel Pusher look like: little figures made of pixels."""

from __future__ import annotations

from ....render.ornaments import FAINT_AREA
from ....render.scene import Look
from ....render.svg import Canvas

_FIGURES = (
    ("..#..#..", ".######.", "##.##.##", "########", ".#....#."),
    (".##.##.", "#######", "#######", ".#####.", "..###..", "...#..."),
    ("...#...", "..###..", "#######", ".#####.", ".##.##."),
)
_PLACES = ((12, 14), (112, 54), (30, 98))
_SIDE = 8


def _backdrop() -> Canvas:
    canvas = Canvas.sheet(190, 160, set())
    for figure, (left, top) in zip(_FIGURES, _PLACES, strict=True):
        for row, line in enumerate(figure):
            for column, dot in enumerate(line):
                if dot == "#":
                    canvas.rect(left + column * _SIDE, top + row * _SIDE, _SIDE - 1, _SIDE - 1, **FAINT_AREA)
    return canvas


LOOK = Look(band="#15454b", backdrop=_backdrop(), common="images")
