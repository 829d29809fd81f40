"""What all environments share of rendering: the modes, the latest moves, pictures as text, pixels or in a window."""

from __future__ import annotations

import re
from collections import deque
from importlib.util import find_spec
from typing import Any

from ..core.drawing import drawing_of
from ..core.game import BadOption, Game
from ..core.picture import picture_of
from ..core.table import Table
from ..core.text_picture import text_of
from . import pixels, window

RENDER_MODES = ("ansi", "rgb_array", "human")
RENDER_FPS = 4
_LATEST = 8
_NEEDS = {"rgb_array": pixels.LIBRARIES, "human": (*pixels.LIBRARIES, *window.LIBRARIES)}


class Renderer:
    """Renders one environment.

    Copies and pickles have no window yet.

    Args:
        game: the declaration of the game.
        mode: "ansi" (`render` returns text), "rgb_array" (it returns pixels) or "human" (it shows a window).

    Raises:
        BadOption: there is no such mode.
        ModuleNotFoundError: the extra `render` is wanted and not installed; in one line.
    """

    def __init__(self, game: Game, mode: str) -> None:
        if mode not in RENDER_MODES:
            known = ", ".join(map(repr, RENDER_MODES))
            raise BadOption(f"{game.id}: render_mode={mode!r}, must be None or one of {known}")
        for name in _NEEDS.get(mode, ()):
            if find_spec(name) is None:
                told = f"{game.id}: render_mode={mode!r} needs {name}: pip install 'bdgame_env[render]'"
                raise ModuleNotFoundError(told, name=name)
        self.game, self.mode = game, mode
        self._moves: deque[tuple[int, str]] = deque(maxlen=_LATEST)
        self._window: window.Window | None = None

    def begin(self) -> None:
        """Another game begins."""
        self._moves.clear()

    def note(self, seat: int, move: str) -> None:
        """A seat has made a move."""
        self._moves.append((seat, move))

    def render(self, table: Table, seat: int | None) -> Any:
        """The table as text, as pixels (uint8, shape (height, width, 3)), or, with None returned, in the window.

        Args:
            table: the game.
            seat: who looks; None for what all may see.

        Raises:
            ValueError: no such seat.
        """
        told = drawing_of(self.game).told
        moves = [(mover, move if mover == seat else told(move)) for mover, move in self._moves]
        last = [f"{mover}: {move}" for mover, move in moves if move]
        if self.mode == "ansi":
            return text_of(table, seat=seat, last=last)
        svg = picture_of(table, seat=seat, last=last)
        if self.mode == "rgb_array":
            return pixels.pixels(svg)
        if self._window is None:
            self._window = window.Window(self.game.title, RENDER_FPS)
        wide, high = re.findall(r'(?:width|height)="(\d+)"', svg[:400])[:2]
        self._window.show(svg, (int(wide), int(high)))
        return None

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()

    def __getstate__(self) -> dict[str, Any]:
        return {"game": self.game, "mode": self.mode, "_moves": self._moves.copy(), "_window": None}


def renderer(game: Game, mode: str | None) -> Renderer | None:
    """The renderer for a mode; none for None.

    Raises:
        BadOption, ModuleNotFoundError: see `Renderer`.
    """
    return None if mode is None else Renderer(game, mode)
