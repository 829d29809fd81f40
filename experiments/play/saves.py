"""Files that a player asks for by name: new ones below one folder, and nothing else."""

from __future__ import annotations

import os
from pathlib import Path

from ..files import write_bytes


class NotSaved(ValueError):
    """A file that may not be written; the message says why in one line."""


def save_new(folder: Path, name: str, text: str) -> None:
    """Write a text as a new file below a folder.

    Args:
        folder: that has been allowed; it may be reached by a link.
        name: of the file, relative to the folder or absolute; folders on the way to it are made.
        text: what is written.

    Raises:
        NotSaved: it would lie elsewhere, behind a link, or in place of a file that is there; nothing was written.
        OSError, ValueError: it cannot be written.
    """
    folder = Path(os.path.abspath(folder))  # noqa: PTH100  (`resolve` would follow links)
    path = folder / name
    if ".." in path.parts or not path.is_relative_to(folder):
        raise NotSaved("only files below the folder for saves can be (play --saves FOLDER names it)")
    way = [path, *path.parents]
    for step in way[: way.index(folder)]:
        if step.is_symlink():
            raise NotSaved(f"{step.name[:40]!r} is a link")
    if path.exists():
        raise NotSaved("it is there already, and only new files are written")
    write_bytes(path, text.encode(), new=True)  # neither a file nor a link may stand there by now
