"""Result files: whole or not there at all, and with what is needed to make them again."""

from __future__ import annotations

import json
import os
import secrets
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

import bdgame_env
from bdgame_env.engine.jit import versions as compiler_versions

_ROOT = Path(__file__).resolve().parents[1]
_PACKAGES = ("gymnasium", "pettingzoo", "openskill", "torch", "stable-baselines3", "sb3-contrib", "open-spiel")
_FRESH = ".unfinished-"


class NotWritten(OSError):
    """A file or folder that could not be written; what was there before is still there."""

    def __str__(self) -> str:
        return f"{self.filename} cannot be written: {self.strerror}"


def write_bytes(path: Path | str, data: bytes, *, new: bool = False) -> None:
    """Write a file whole.

    The data goes to a new file beside it, which is renamed once the disk holds it. So readers see the old file or the
    new one, never half of one and never none, whenever the program or the machine stops.

    Args:
        path: the file; its folder is made too.
        data: all of it.
        new: refuse to replace a file or a link that is there.

    Raises:
        NotWritten: the disk is full, the file or its folder may not be written, or it is there already and must not be.
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
    """Write a text file whole, in UTF-8; see `write_bytes`."""
    write_bytes(path, text.encode())


@contextmanager
def replacing_folder(path: Path | str) -> Iterator[Path]:
    """A new folder that replaces `path`, with all that is in it, when the block ends well.

    Whenever the program or the machine stops, `recover_folder` leaves the old folder or the new one. Files must be
    written by `write_bytes`, so that the disk holds them.

    Raises:
        NotWritten: the disk is full, or the folder may not be written.
    """
    path = Path(path)
    fresh, old = _beside(path)
    with _telling(path):
        _make_folder(path.parent)
        recover_folder(path)
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir()
    yield fresh
    with _telling(path):
        _flush(fresh)
        if path.exists():
            shutil.rmtree(old, ignore_errors=True)  # `path` is whole, so no state is lost here
            path.rename(old)
        fresh.rename(path)
        _flush(path.parent)
        shutil.rmtree(old, ignore_errors=True)


def recover_folder(path: Path | str) -> None:
    """Put back the old folder if `replacing_folder` was stopped between its two renames."""
    path = Path(path)
    old = _beside(path)[1]
    if not path.exists() and old.exists():
        with _telling(path):
            old.rename(path)
            _flush(path.parent)


def clear_unfinished(folder: Path) -> None:
    """Remove what `write_bytes` left in a folder when the program was killed; nobody else may be writing there."""
    for path in folder.glob(f"{_FRESH}*"):
        path.unlink()


def write_json(path: Path | str, data: Any) -> None:
    """Write a JSON file whole.

    Raises:
        ValueError: the data holds NaN or an infinity, which JSON does not know.
    """
    write_text(path, json.dumps(data, indent=2, allow_nan=False) + "\n")


def provenance() -> dict[str, Any]:
    """Where a result comes from: command line, commit if in a git checkout, versions of packages, date (UTC)."""
    found = {}
    for name in _PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return {
        "command": shlex.join(["python", "-m", "experiments", *sys.argv[1:]]),
        **_commit(),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": {"bdgame_env": bdgame_env.__version__, **compiler_versions(), **found},
    }


def _commit() -> Mapping[str, Any]:
    """The commit of the sources, and whether they were changed since; None where git does not know."""
    try:
        head, changes = (
            subprocess.run(["git", "-C", str(_ROOT), *command], capture_output=True, text=True, check=True).stdout
            for command in (["rev-parse", "HEAD"], ["status", "--porcelain", "--untracked-files=no"])
        )
    except (OSError, subprocess.CalledProcessError):
        return {"commit": None, "modified": None}
    return {"commit": head.strip(), "modified": bool(changes.strip())}


@contextmanager
def _telling(path: Path) -> Iterator[None]:
    """Errors of the system name what was to be written, not the file beside it."""
    try:
        yield
    except OSError as error:
        raise NotWritten(error.errno, error.strerror or str(error), str(path)) from None


def _beside(path: Path) -> tuple[Path, Path]:
    """Names for the new and the old folder while one replaces the other."""
    return path.with_name(f".{path.name}-new"), path.with_name(f".{path.name}-old")


def _make_folder(path: Path) -> None:
    """Make a folder and those above it, and have the disk hold their names."""
    if not path.is_dir():
        _make_folder(path.parent)
        path.mkdir(exist_ok=True)
        _flush(path.parent)


def _write_new(path: Path, data: bytes) -> None:
    """Write a file that is not there yet, and have the disk hold it."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        left = memoryview(data)
        while left:
            left = left[os.write(handle, left) :]
        os.fsync(handle)
    finally:
        os.close(handle)


def _flush(folder: Path) -> None:
    """Have the disk hold the names in a folder, where the system can do that."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
