"""What may be chosen in Pixel Pusher besides the players."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from ...engine.game import Option, options_of
from .cards import PRINTINGS


class Options(TypedDict, total=False):
    """The options with their types; `bdgame games` says what they mean."""

    line_points: Annotated[
        Literal["newest", "may_2018"],
        Option("newest", PRINTINGS, "points of the lines: of the newest printing, or of May 2018 (P8.1)"),
    ]
    triple: Annotated[
        Literal["primary", "any"],
        Option(
            "primary",
            ("primary", "any"),
            "what an exchange takes: three matching primaries, or three matching pixels of any color (P41.6)",
        ),
    ]


OPTIONS = options_of(Options)
