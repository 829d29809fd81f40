"""Result files: whole or not there at all, and with what is needed to make them again."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

import bdgame_env
from bdgame_env.core.jit import versions as compiler_versions

_ROOT = Path(__file__).resolve().parents[1]
_PACKAGES = ("gymnasium", "pettingzoo", "openskill", "torch", "stable-baselines3", "sb3-contrib", "open-spiel")


@contextmanager
def replacing(path: Path | str) -> Iterator[Path]:
    """A temporary name in the folder of `path`; what is written there replaces `path` when the block ends well.

    Readers see the old file or the new one, never half of one, whenever the program or the machine stops.

    Raises:
        OSError: the folder cannot be made or written.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.stem}-", suffix=path.suffix, dir=path.parent)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        _flush(temporary)
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _flush(path.parent)


def write_text(path: Path | str, text: str) -> None:
    """Write a text file whole."""
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


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


def _flush(path: Path) -> None:
    """Have the disk hold what was written; folders too, where the system can do that."""
    if path.is_dir() and os.name == "nt":
        return
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
