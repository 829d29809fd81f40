"""Where machine code is kept on disk, so that the next process need not compile.

Numba's disk cache does not notice an edit to a function in another file, so each cache folder is named by a hash of all
sources that its code may depend on, and of versions and options: an edit leads to a new folder and never to old rules.
Where and when the package was installed makes no difference: another virtual environment finds the same files.

Only the code of packages that call `keep` is kept, since only they say which sources count. The loops that
`engine.loop_builder` makes for a game are always kept, also for a game outside this package.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np

BOUNDSCHECK: bool = bool(numba.config.BOUNDSCHECK)
OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}  # of all our functions
_FORM = 2  # of the files: code of other packages' games is named by their sources alone, so it must move with the form
_ENGINE = __name__.rpartition(".")[0]
_STALE_AFTER_DAYS = 30


@dataclass(frozen=True)
class _Kept:
    """A package whose machine code is kept on disk: the other packages that it calls, and folders that do not count."""

    calls: tuple[str, ...] = ()
    without: tuple[str, ...] = ()


_kept: dict[str, _Kept | str] = {}  # by dotted name; for a single module the hash of what its code depends on


def keep(package: str, *, calls: Sequence[str] = (), without: Sequence[str] = ()) -> None:
    """Keep the machine code of a package and all below it on disk. To be called in the package's `__init__`.

    Args:
        package: its dotted name.
        calls: other packages with `keep` whose kernels it calls or whose constants it uses, the engine aside.
        without: names of folders in it whose sources no compiled function depends on, so that an edit there compiles
            nothing again.
    """
    _kept[package] = _Kept(tuple(calls), tuple(without))


def keep_module(module: str, digest: str) -> None:
    """Keep the machine code of one module on disk.

    Args:
        module: its dotted name.
        digest: a hash of everything that decides what its functions do.
    """
    _kept[module] = digest


def digest_of_sources(module: str) -> str:
    """A hash (hex) of all sources on which the compiled functions of a module may depend.

    These are the package with `keep` that holds the module, the packages that it calls, and the engine; without such a
    package, the module's folder and the engine; without a file, as in an interactive session, a new hash every time.
    """
    holder = holder_of(module)
    if holder is not None:
        return _digest(holder)
    file = getattr(sys.modules.get(module), "__file__", None)
    return _joined(_folder_hash(Path(file).parent), _digest(_ENGINE)) if file else secrets.token_hex()


def holder_of(module: str) -> str | None:
    """The longest name in `_kept` that is the module's or that of a package around it."""
    while module and module not in _kept:
        module = module.rpartition(".")[0]
    return module or None


@cache
def _digest(holder: str) -> str:
    kept = _kept[holder]
    if isinstance(kept, str):
        return kept
    own = source_hash(Path(import_module(holder).__path__[0]), without=kept.without)
    if holder == _ENGINE:
        return own
    for package in kept.calls:
        import_module(package)  # which calls `keep`
    return _joined(own, *(_digest(package) for package in (_ENGINE, *kept.calls)))


def _joined(*hashes: str) -> str:
    return hashlib.sha256("\n".join(hashes).encode()).hexdigest()


def versions() -> dict[str, str]:
    """Versions of everything besides the sources that determines the machine code."""
    return {
        "python": ".".join(map(str, sys.version_info[:3])),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "llvmlite": llvmlite.__version__,
    }


def source_hash(folder: Path, *, without: Sequence[str] = ()) -> str:
    """SHA-256 (hex) of the names and contents of all Python and card files below a folder.

    Args:
        folder: an existing folder.
        without: names of folders below it that do not count.
    """
    digest = hashlib.sha256()
    for path in sorted([*folder.rglob("*.py"), *folder.rglob("*.toml")]):
        name = path.relative_to(folder)
        if not set(without).intersection(name.parts):
            digest.update(name.as_posix().encode() + b"\0")
            digest.update(path.read_bytes())
    return digest.hexdigest()


_folder_hash = cache(source_hash)


def folder_of(module: str) -> Path | None:
    """The folder in which the machine code of a module's functions is kept; None if it is not kept."""
    holder = holder_of(module)
    return None if holder is None else cache_folder(_digest(holder))


@cache
def cache_folder(digest: str) -> Path:
    """The folder for machine code made from the sources of this hash, below `BDGAME_ENV_CACHE_DIR` or the user's cache.

    If neither can be written, it is below the temporary folder and private to this user.
    """
    name = hashlib.sha256(digest.encode())
    name.update(repr((_FORM, sorted(versions().items()), BOUNDSCHECK, sorted(OPTIONS.items()))).encode())
    for root in _cache_roots():
        folder = root / name.hexdigest()[:20]
        try:
            folder.mkdir(parents=True, exist_ok=True)
            os.utime(folder)
        except OSError:
            continue
        _remove_stale(root)
        return folder
    return Path(tempfile.mkdtemp(prefix="bdgame_env-"))


def _cache_roots() -> Iterator[Path]:
    if chosen := os.environ.get("BDGAME_ENV_CACHE_DIR"):
        yield Path(chosen)
    home = _home()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = home / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache")
    if base.is_absolute():  # a relative path would mean another folder for every working directory
        yield base / "bdgame_env"
    shared = Path(tempfile.gettempdir()) / f"bdgame_env-{os.getuid() if hasattr(os, 'getuid') else 'user'}"
    if _made_private(shared):
        yield shared


def _home() -> Path:
    """The user's home folder, or a relative path if the user has none, as in some containers."""
    try:
        return Path.home()
    except (RuntimeError, KeyError, OSError):
        return Path()


def _made_private(folder: Path) -> bool:
    """Make a folder where anybody may write, and return whether nobody else can have written to it.

    Machine code is loaded from it, so another user's folder, a link, or a folder that others may write to is refused.
    """
    try:
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
        if not hasattr(os, "getuid"):  # on Windows the temporary folder belongs to the user
            return folder.is_dir()
        status = folder.lstat()
        if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid() or status.st_mode & 0o022:
            return False
        folder.chmod(0o700)
    except OSError:
        return False
    return True


def _remove_stale(root: Path) -> None:
    """Remove folders that no process has opened for a month."""
    limit = time.time() - _STALE_AFTER_DAYS * 86400
    for folder in root.iterdir():
        if folder.is_dir() and len(folder.name) == 20 and folder.stat().st_mtime < limit:
            shutil.rmtree(folder, ignore_errors=True)


keep(_ENGINE)
