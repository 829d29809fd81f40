"""Rendering for all environments: modes, the latest moves, and pictures as text, as pixels or in a window."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any

from ..engine.arguments import check_seat
from ..engine.game import BadOption, Game
from ..engine.match import Match
from ..engine.quoting import shown
from ..render import pixels, window
from ..render.picture import picture_of
from ..render.text_picture import text_of

RENDER_MODES = ("ansi", "rgb_array", "human")
RENDER_FPS = 4
_LATEST = 8
_NEEDS = {"rgb_array": pixels.LIBRARIES, "human": (*pixels.LIBRARIES, *window.LIBRARIES)}


class Renderer:
    """Renders one environment.

    Copies and pickles start without a window. SB3's `make_vec_env` asks for "rgb_array" unasked, so its libraries
    are looked for only at `render`.

    Args:
        game: the declaration of the game.
        mode: "ansi" (`render` returns text), "rgb_array" (it returns pixels) or "human" (it shows a window).

    Raises:
        BadOption: there is no such mode.
        ModuleNotFoundError: "human" needs the extra `render`, which is not installed.
    """

    def __init__(self, game: Game, mode: str) -> None:
        check_mode(game, mode, RENDER_MODES)
        self.game, self.mode = game, mode
        self._needed = _NEEDS.get(mode, ())  # libraries that have not been looked for yet
        if mode == "human":
            self._find_libraries()
        self._logs = _empty_logs()
        self._window: window.Window | None = None

    def _find_libraries(self) -> None:
        for name in self._needed:
            if find_spec(name) is None:
                told = f"{self.game.id}: render_mode={self.mode!r} needs {name}: pip install 'bdgame_env[render]'"
                raise ModuleNotFoundError(told, name=name)
        self._needed = ()

    def begin(self) -> None:
        """Start the log of a new game."""
        self._logs = _empty_logs()

    def note(self, seat: int, told: Mapping[int | None, str]) -> None:
        """Log a move.

        Each viewer has its own log, so a secret move pushes nothing out of the others' lists.

        Args:
            seat: the seat that moved.
            told: by viewer (a seat, or None), what it learns of the move; "" or no entry for nothing.
        """
        for viewer, move in told.items():
            if move:
                self._logs[viewer].append(f"{seat}: {move}")

    def forget_others(self, seat: int) -> None:
        """Keep what this seat and all viewers learned; drop what only other seats learned."""
        self._logs = _empty_logs({viewer: self._logs[viewer] for viewer in (None, seat)})

    def render(self, match: Match, seat: int | None) -> Any:
        """The match as text, as pixels (uint8, shape (height, width, 3)), or, with None returned, in the window.

        Args:
            match: the game.
            seat: who looks; None for what all may see.

        Raises:
            ValueError: no such seat.
            ModuleNotFoundError: the mode needs the extra `render`, which is not installed.
        """
        if seat is not None:
            seat = check_seat(self.game.id, seat, match.players)
        self._find_libraries()
        last = list(self._logs[seat])
        if self.mode == "ansi":
            return text_of(match, seat=seat, last=last)
        svg = picture_of(match, seat=seat, last=last)
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
        return {**vars(self), "_logs": _empty_logs(self._logs), "_window": None}


def _empty_logs(filled: Mapping[int | None, deque[str]] | None = None) -> defaultdict[int | None, deque[str]]:
    """The latest moves by viewer, starting with copies of `filled`."""
    logs: defaultdict[int | None, deque[str]] = defaultdict(_new_log)
    logs.update({viewer: log.copy() for viewer, log in (filled or {}).items()})
    return logs


def _new_log() -> deque[str]:
    return deque(maxlen=_LATEST)


def check_mode(game: Game, mode: str | None, modes: Sequence[str]) -> None:
    """Check that a mode is None or one of these.

    Raises:
        BadOption: it is neither.
    """
    if mode is not None and not (isinstance(mode, str) and mode in modes):
        raise BadOption(f"{game.id}: render_mode={shown(mode)}, must be None or one of {', '.join(map(repr, modes))}")
