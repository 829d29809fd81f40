"""A window that shows one picture after another, by pygame."""

from __future__ import annotations

import os
from typing import Any

from ..engine.forks import forks
from .pixels import pixels

LIBRARIES = ("pygame",)
_PART_OF_SCREEN = 0.9
_display: int | None = None  # which process, by its forks, opened the connection to the screen


class Window:
    """A window that opens with its first picture, as large as the screen allows.

    Closed with the mouse, it stays closed until `close` is called.

    Args:
        title: of the window.
        fps: the maximum number of pictures per second.

    Raises:
        ModuleNotFoundError: the extra `render` is not installed.
    """

    def __init__(self, title: str, fps: float) -> None:
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
        import pygame

        self._pygame: Any = pygame
        self._title, self._fps = title, fps
        self._surface: Any = None
        self._size = (0, 0)
        self._closed = False

    def show(self, svg: str, size: tuple[int, int]) -> None:
        """Show an SVG document of this width and height, and wait until the next one is due.

        Raises:
            RuntimeError: this process was forked from one that had opened a window.
        """
        if self._closed:
            return
        if not _is_ours():  # both would read the screen's answers from one connection
            raise RuntimeError("no window: this process was forked from one that had opened a window; use spawn")
        pygame = self._pygame
        if self._surface is None or self._size != size:
            self._open(size)
        wide, high = self._surface.get_size()
        image = pixels(svg, width=wide)[:high]
        self._surface.blit(pygame.surfarray.make_surface(image.swapaxes(0, 1)), (0, 0))
        pygame.display.flip()
        self._clock.tick(self._fps)
        if any(event.type == pygame.QUIT for event in pygame.event.get()):
            self.close()
            self._closed = True

    def _open(self, size: tuple[int, int]) -> None:
        global _display
        pygame, _display = self._pygame, forks()
        pygame.display.init()
        wide, high = pygame.display.get_desktop_sizes()[0]
        scale = min(1.0, _PART_OF_SCREEN * wide / size[0], _PART_OF_SCREEN * high / size[1])
        self._surface = pygame.display.set_mode((round(scale * size[0]), round(scale * size[1])))
        pygame.display.set_caption(self._title)
        self._size, self._clock = size, pygame.time.Clock()

    def close(self) -> None:
        """Close it; the next picture opens it again."""
        if self._surface is not None and _is_ours():
            self._pygame.display.quit()
        self._surface, self._closed = None, False


def _is_ours() -> bool:
    return _display in (None, forks())
