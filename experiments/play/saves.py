"""Writes files that a player names: only new ones, below one folder."""

from __future__ import annotations

import os
from pathlib import Path

from bdgame_env.engine.quoting import shown

from ..files import write_bytes


class NotSaved(ValueError):
    """A file must not be written; the message says why in one line."""


def save_new(folder: Path, name: str, text: str) -> None:
    """Write a new text file below a folder.

    Args:
        folder: the allowed folder, which may be reached through a link.
        name: name of the file, relative to the folder or absolute; missing folders are created.
        text: its contents.

    Raises:
        NotSaved: the file lies elsewhere or behind a link, or exists; nothing was written.
        OSError, ValueError: the file cannot be written.
    """
    folder = Path(os.path.abspath(folder))  # noqa: PTH100  (`resolve` would follow links)
    path = folder / name
    if ".." in path.parts or not path.is_relative_to(folder):
        raise NotSaved("it is outside the folder for saves (set by --saves)")
    way = [path, *path.parents]
    for step in way[: way.index(folder)]:
        if step.is_symlink():
            raise NotSaved(f"{shown(step.name)} is a link")
    if path.exists():
        raise NotSaved("it exists, and only new files are written")
    write_bytes(path, text.encode(), new=True)  # `new` refuses a file or link created meanwhile
