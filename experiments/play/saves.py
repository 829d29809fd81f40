"""Writes files that a player names: only new ones, below one folder."""

from __future__ import annotations

from pathlib import Path

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
        NotSaved: the file lies elsewhere, even if a link leads there, or exists; nothing was written.
        OSError, ValueError: the file cannot be written.
    """
    path = folder / name
    if ".." in path.parts or not path.resolve().is_relative_to(folder.resolve()):
        raise NotSaved("it is outside the folder for saves (set by --saves)")
    if path.exists() or path.is_symlink():
        raise NotSaved("it exists already; only new files are written")
    write_bytes(path, text.encode(), new=True)  # `new` refuses a file or link created meanwhile
