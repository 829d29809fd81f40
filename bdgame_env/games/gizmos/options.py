"""What may be chosen in Gizmos besides the players (D3.7); by default the rulebook."""

from __future__ import annotations

from ...engine.game import Option

PRINTED, QUICK = "printed", "quick"
OPTIONS = {
    "rules": Option(
        PRINTED,
        (PRINTED, QUICK),
        "quick: points are taken when they are triggered, and cards go under a deck in random order (D3.7)",
    ),
    "max_rounds": Option(100, range(1, 10_001), "rounds after which the game is truncated (D6.1)"),
}
