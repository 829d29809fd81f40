"""A position as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .game import Game
from .picture import _rows


def text_picture(
    game: Game,
    snapshot: Mapping[str, Any],
    *,
    seat: int | None = None,
    legal: Sequence[str] = (),
    last: Sequence[str] = (),
    color: bool = False,
) -> str:
    """The snapshot as lines."""
    return "\n".join(f"{name.strip('.'):24} {value}" for name, value in _rows("", snapshot))
