"""A position under test, of any game; each game's tests subclass it to add their own queries.

A module marked `both_backends` runs each of its tests twice: with positions played by the engine, then by the game's
slow reference. Tests marked `engine_only` run once. Everywhere else, the engine plays.
"""

from __future__ import annotations

import re
from typing import Any, Literal, Self

import pytest

active_backend: Literal["engine", "reference"] = "engine"  # set for one test by the fixture `backend`
both_backends = pytest.mark.usefixtures("backend")
engine_only = pytest.mark.parametrize("backend", ["engine"], indirect=True)


def reference_plays() -> bool:
    """Whether the positions of this test are played by the reference."""
    return active_backend == "reference"


class MatchPosition:
    """Plays moves in notation, and answers queries from the snapshot."""

    def __init__(self, match: Any) -> None:
        self.match = match
        self.mover = int(match.seat)

    def play(self, *moves: str) -> Self:
        """Play the moves one after the other; each must be legal."""
        for move in moves:
            self.match.play(move)
        return self

    def refuses(self, *moves: str) -> Self:
        """Assert that each move is illegal here: not listed, refused when played, and without effect."""
        for move in moves:
            before = self.snap
            assert move not in self.legal, f"{move!r} is listed as legal"
            with pytest.raises(ValueError, match=re.escape(repr(move))):
                self.match.play(move)
            assert self.snap == before, f"{move!r} was refused, but it changed the position"
        return self

    @property
    def over(self) -> bool:
        return bool(self.match.over)

    @property
    def ranks(self) -> list[int]:
        return [int(rank) for rank in self.match.ranks()]

    @property
    def legal(self) -> set[str]:
        return set(self.match.legal_moves())

    @property
    def snap(self) -> dict[str, Any]:
        return self.match.snapshot(omniscient=True)

    @property
    def public(self) -> dict[str, Any]:
        """The snapshot without what is hidden."""
        return self.match.snapshot(omniscient=False)

    @property
    def me(self) -> dict[str, Any]:
        """The snapshot's entry of the seat that was to move when the position was built."""
        return self.snap["seats"][self.mover]

    @property
    def phase(self) -> str:
        return self.snap["phase"]

    @property
    def seat(self) -> int:
        return int(self.match.seat)

    def seen(self, name: str, seat: int | None = None) -> Any:
        """A field of a seat's observation; by default of the seat that was to move when the position was built."""
        field = next(field for field in self.match.game.schema if field.name == name)
        return self.match.observe(self.mover if seat is None else seat)[field.slice].reshape(field.shape)
