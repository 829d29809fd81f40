"""What may be chosen in Pixel Pusher besides the players."""

from __future__ import annotations

from ...engine.game import Option
from .cards import PRINTINGS

OPTIONS = {
    "line_points": Option("newest", PRINTINGS, "which printing the points of lines are of (P8.1)"),
    "triple": Option(
        "primary", ("primary", "any"), "what a triple pays: three equal primaries, or of any color (P41.6)"
    ),
}
