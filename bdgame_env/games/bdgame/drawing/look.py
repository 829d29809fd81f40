"""What the pages of Bdgame look like: steel, pipes and gears."""

from __future__ import annotations

from ....render.ornaments import FAINT_LINE, disc, gear
from ....render.scene import Look
from ....render.svg import Canvas


def _backdrop() -> Canvas:
    canvas = Canvas.sheet(220, 180, set())
    for shift in (0, 12):  # the walls of a pipe that goes on in the next tile
        low, high, near, far = 40 + shift, 140 - shift, 56 - shift, 128 + shift
        down, up = f"q18 0 18 18V{high - 18}q0 18 18 18", f"q18 0 18-18V{low + 18}q0-18 18-18"
        canvas.path(f"M0 {low}H{near}{down}H{far}{up}H220", **FAINT_LINE)
    canvas.path(gear(188, 112, 25, 10), **FAINT_LINE)
    canvas.path(gear(30, 112, 18, 8), **FAINT_LINE)
    canvas.path(disc(110, 60, 14), **FAINT_LINE)
    return canvas


LOOK = Look(band="#2c4059", backdrop=_backdrop())
