"""Ornaments: what adorns tables and cards and says nothing. They know no game."""

from __future__ import annotations

import math
from typing import Any

# Lines and areas of a pattern, hardly to be seen on light and on dark tables.
FAINT_LINE: dict[str, Any] = {
    "fill": "none",
    "stroke": "#808080",
    "stroke_opacity": 0.14,
    "stroke_width": 2,
    "stroke_linejoin": "round",
}
FAINT_AREA: dict[str, Any] = {"fill": "#808080", "fill_opacity": 0.09}


def gear(x: float, y: float, radius: float, teeth: int, turn: float = 0.0) -> str:
    """The course of a gear around (x, y), with a hole; it is turned by a share of a tooth."""
    inner, hole, step = 0.8 * radius, 0.36 * radius, 2 * math.pi / teeth
    corners = [
        (reach * math.cos((tooth + share + turn) * step), reach * math.sin((tooth + share + turn) * step))
        for tooth in range(teeth)
        for share, reach in ((0.0, inner), (0.14, radius), (0.46, radius), (0.6, inner))
    ]
    outside = " L".join(f"{x + right:.4g} {y + down:.4g}" for right, down in corners)
    half = f"a{hole:.4g} {hole:.4g} 0 1 0"
    return f"M{outside}Z M{x - hole:.4g} {y:.4g}{half} {2 * hole:.4g} 0{half} {-2 * hole:.4g} 0Z"


def disc(x: float, y: float, radius: float) -> str:
    """The course of a circle around (x, y)."""
    half = f"a{radius:.4g} {radius:.4g} 0 1 0"
    return f"M{x - radius:.4g} {y:.4g}{half} {2 * radius:.4g} 0{half} {-2 * radius:.4g} 0Z"
