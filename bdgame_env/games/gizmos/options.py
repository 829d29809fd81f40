"""What may be chosen in Gizmos besides the players (D3.7); by default the rulebook."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from ...engine.game import Option, options_of

PRINTED, QUICK = "printed", "quick"


class Options(TypedDict, total=False):
    """The options with their types; `bdgame games` says what they mean."""

    rules: Annotated[
        Literal["printed", "quick"],
        Option(
            PRINTED,
            (PRINTED, QUICK),
            "quick: triggered points are taken at once, and cards go under a deck in random order (D3.7)",
        ),
    ]
    max_rounds: Annotated[int, Option(100, range(1, 10_001), "the game stops after this many rounds (D6.1)")]


OPTIONS = options_of(Options)
