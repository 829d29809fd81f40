"""Files that settings name, such as networks and card files: read here, written on the workers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from ..errors import BadInput
from ..files import write_bytes

LARGEST = 200_000_000  # bytes, of all files together
_PATH = re.compile(r"[^,:=]+")


def files_named(texts: Iterable[str]) -> dict[str, bytes]:
    """The contents of the files that texts such as "ppo:path=runs/x/policy.npz" name, by the name given there.

    Raises:
        BadInput: they are too large together.
        OSError: a file cannot be read.
    """
    files = {}
    for text in texts:
        for name in _PATH.findall(text):
            if Path(name).is_file():
                files[name] = Path(name).read_bytes()
    size = sum(map(len, files.values()))
    if size > LARGEST:
        raise BadInput(f"the files {', '.join(files)} take {size:,} bytes, must be at most {LARGEST:,} for a cluster")
    return files


def unpack(files: Mapping[str, bytes], folder: Path) -> dict[str, str]:
    """Write the files to a folder; returns their new names by the old ones."""
    names = {}
    for number, (name, data) in enumerate(files.items()):
        path = folder / str(number) / Path(name).name
        write_bytes(path, data)
        names[name] = str(path)
    return names


def renamed(text: str, names: Mapping[str, str]) -> str:
    """A text with the new names of the files."""
    return _PATH.sub(lambda match: names.get(match[0], match[0]), text)
