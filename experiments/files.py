"""Writing result files: whole or not at all, and with the facts needed to reproduce them."""

from __future__ import annotations

import csv
import io
import json
import os
import secrets
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

import bdgame_env
from bdgame_env.engine.cache import versions as compiler_versions

from .command_name import CHECKOUT, this_command

_PACKAGES = ("gymnasium", "pettingzoo", "torch", "stable-baselines3", "sb3-contrib", "open-spiel")
_FRESH = ".unfinished-"


class NotWritten(OSError):
    """A file or folder that could not be written; what was there before is still there."""

    def __str__(self) -> str:
        return f"{self.filename} cannot be written: {self.strerror}"


def write_bytes(path: Path | str, data: bytes, *, new: bool = False) -> None:
    """Write a file atomically.

    The data goes to a new file in the same folder, which is renamed once it is on the disk. Whenever the program or the
    machine stops, readers see either the old file or the new one.

    Args:
        path: the file; its folder is created too.
        data: its contents.
        new: refuse to replace an existing file or link.

    Raises:
        NotWritten: the disk is full, permission is missing, or `new` is set and the file exists.
    """
    path = Path(path)
    with _telling(path):
        _make_folder(path.parent)
        fresh = path.with_name(f"{_FRESH}{secrets.token_hex(8)}")
        try:
            _write_new(fresh, data)
            if new:
                os.link(fresh, path)  # unlike renaming, it refuses to replace
                fresh.unlink()
            else:
                fresh.replace(path)
        except BaseException:
            with suppress(OSError):
                fresh.unlink(missing_ok=True)
            raise
        _flush(path.parent)


def write_text(path: Path | str, text: str) -> None:
    """Write a text file atomically, in UTF-8; see `write_bytes`. Halves of characters are written as their escapes."""
    write_bytes(path, text.encode("utf-8", "backslashreplace"))


def write_json(path: Path | str, data: Any) -> None:
    """Write a JSON file atomically.

    Raises:
        ValueError: the data holds NaN or an infinity, which JSON cannot express.
    """
    write_text(path, json.dumps(data, indent=2, allow_nan=False) + "\n")


def append_line(path: Path | str, line: str) -> None:
    """Add a line to a text file in UTF-8; if the program is killed, the last line may be cut short.

    Raises:
        NotWritten: the disk is full or permission is missing.
    """
    path = Path(path)
    with _telling(path):
        _make_folder(path.parent)
        with path.open("a", encoding="utf-8") as file:
            file.write(line + "\n")


def csv_text(rows: Iterable[Sequence[Any]]) -> str:
    """Rows as the text of a CSV file."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def provenance() -> dict[str, Any]:
    """Where a result comes from: command line, commit (in a checkout), versions of packages, date (UTC)."""
    found = {}
    for name in _PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return {
        "command": this_command(),
        **_commit(),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": {"bdgame_env": bdgame_env.__version__, **compiler_versions(), **found},
    }


def _commit() -> Mapping[str, Any]:
    """The commit of the sources and whether they were modified; None in a wheel, and where git does not know."""
    if CHECKOUT is None:
        return {"commit": None, "modified": None}
    try:
        head, changes = (
            subprocess.run(["git", "-C", str(CHECKOUT), *command], capture_output=True, text=True, check=True).stdout
            for command in (["rev-parse", "HEAD"], ["status", "--porcelain", "--untracked-files=no"])
        )
    except (OSError, subprocess.CalledProcessError):
        return {"commit": None, "modified": None}
    return {"commit": head.strip(), "modified": bool(changes.strip())}


@contextmanager
def _telling(path: Path) -> Iterator[None]:
    """Make system errors name the file that was to be written, not the temporary file."""
    try:
        yield
    except OSError as error:
        raise NotWritten(error.errno, error.strerror or str(error), str(path)) from None


def _make_folder(path: Path) -> None:
    """Create a folder and its parents, and wait until their names are on the disk."""
    if not path.is_dir():
        _make_folder(path.parent)
        path.mkdir(exist_ok=True)
        _flush(path.parent)


def _write_new(path: Path, data: bytes) -> None:
    """Create a file with this content, and wait until it is on the disk."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        left = memoryview(data)
        while left:
            left = left[os.write(handle, left) :]
        os.fsync(handle)
    finally:
        os.close(handle)


def _flush(folder: Path) -> None:
    """Wait until the names in a folder are on the disk, where the system supports that."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
