"""The compile policy, and the one module that imports Numba.

Rules are plain functions over one record per game. `rule` compiles a function that other compiled code
calls; `driver` compiles a function that Python calls. The machine code of both is kept on disk: of a driver, so
that the next process starts at once, of a rule, so that another driver need not begin with type inference. With
`NUMBA_DISABLE_JIT=1` both return the function unchanged.

Numba's disk cache does not notice an edit to a function in another file, so the cache folder is named by a hash
of every engine source, card file, version and option: an edit means a new folder, never old rules. Where the
package is installed, and when, makes no difference: another virtual environment finds the same files. Rules from
elsewhere, as those of a game outside this package, are compiled by every process that makes a driver of them.
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
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import llvmlite
import numba
import numpy as np
from numba.core import caching, event

F = TypeVar("F", bound=Callable[..., Any])

JIT_DISABLED: bool = bool(numba.config.DISABLE_JIT)
BOUNDSCHECK: bool = bool(numba.config.BOUNDSCHECK)
_OPTIONS = {"nogil": True, "error_model": "numpy"}
_RULE_OPTIONS = {"no_cfunc_wrapper": True}  # a way in from C, which no rule needs
_PACKAGE = Path(__file__).resolve().parents[1]
_STALE_AFTER_DAYS = 30
# No compiled code calls a picture's: to edit one must not cost a minute of compiling.
_PICTURES = "drawing"  # the folder of a game's pictures


def kernel(function: F, *, kept: bool | None = None) -> F:
    """Compile a function that other compiled functions call.

    Args:
        function: what to compile.
        kept: whether its machine code is kept on disk; the caller vouches for its module's name telling what it calls.
            By default it is if its source is part of the name of the cache folder.
    """
    if kept is None:
        source = Path(function.__code__.co_filename).resolve()
        kept = any(source.is_relative_to(folder) for folder in _hashed_folders())
    return _compiled(function, cache=kept, **_RULE_OPTIONS)


def entry_point(function: F) -> F:
    """Compile a function that Python calls, once for this machine: its machine code is kept on disk."""
    return _compiled(function, cache=True)


def _compiled(function: F, *, cache: bool, **options: bool) -> F:
    dispatcher = numba.njit(**options, **_OPTIONS)(function)
    if cache and not JIT_DISABLED:
        with suppress(RuntimeError):  # no place to keep it: it is compiled by each process
            dispatcher._cache = _Cache(function)
            _never_number(dispatcher._cache._cache_file)
    return dispatcher  # type: ignore[no-any-return]


class _Place(caching._SourceFileBackedLocatorMixin, caching._CacheLocator):  # type: ignore[misc]
    """Where the machine code of one function is kept, and what tells that its file has been edited.

    Numba's own way names the folder by the path of the file, and older releases take its time for its contents.
    """

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        self._py_file, self._lineno = file, function.__code__.co_firstlineno
        self._folder = cache_folder() / _folder_name(Path(file).resolve())

    def get_cache_path(self) -> str:
        """See Numba's locators."""
        return str(self._folder)

    def get_source_stamp(self) -> str:
        """A hash of the file's contents."""
        return _file_hash(self._py_file)


class _CacheKind(caching.CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = (_Place,)


class _Cache(caching.FunctionCache):  # type: ignore[misc]
    """Numba's cache of one function, in this module's folder."""

    _impl_class = _CacheKind


def _folder_name(file: Path) -> str:
    """The name of a source's folder: within this package or checkout without the path to it, elsewhere with a hash."""
    roots = [folder.parent for folder in _hashed_folders()]  # the package and, in a checkout, the agents
    for root in roots:
        if file.is_relative_to(root):
            return ".".join(file.relative_to(root.parent).parts[:-1])
    return f"{file.parent.name}_{hashlib.sha256(bytes(file.parent)).hexdigest()[:40]}"


@cache
def _file_hash(file: str) -> str:
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()


def _never_number(cache_file: Any) -> None:
    """Name the files of machine code at random.

    Numba numbers them by signature. Two processes that compile a function for different signatures at the same time
    may then both write number 1, and the one signature is served the other's code.
    """
    pattern = cache_file._data_name_pattern
    cache_file._data_name = lambda number: pattern.format(number=secrets.randbits(48))


def versions() -> dict[str, str]:
    """Names and versions of what decides the machine code."""
    return {
        "python": ".".join(map(str, sys.version_info[:3])),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "llvmlite": llvmlite.__version__,
    }


def source_hash(*folders: Path) -> str:
    """SHA-256 (hex) of the names and contents of all Python and card files below the folders, but for the pictures'."""
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted([*folder.rglob("*.py"), *folder.rglob("*.toml")]):
            if _PICTURES in path.relative_to(folder).parts:
                continue
            digest.update(path.relative_to(folder).as_posix().encode() + b"\0")
            digest.update(path.read_bytes())
    return digest.hexdigest()


@cache
def _hashed_folders() -> tuple[Path, ...]:
    """The folders of all rules: engine, games and, in a checkout or a wheel, their compiled players."""
    heuristics = [_PACKAGE / "agents" / "heuristics", _PACKAGE.parent / "agents" / "heuristics"]
    return (_PACKAGE / "engine", _PACKAGE / "games", *[folder.resolve() for folder in heuristics if folder.is_dir()][:1])


@cache
def cache_folder() -> Path:
    """The folder of the compiled rules, below `BDGAME_ENV_CACHE_DIR` or in the user's cache folder.

    Where neither can be written it is below the temporary folder, open to this user only.
    """
    name = hashlib.sha256()
    name.update(source_hash(*_hashed_folders()).encode())
    name.update(repr((sorted(versions().items()), BOUNDSCHECK, sorted(_OPTIONS.items()))).encode())
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
    if base.is_absolute():  # what is relative would be another folder for each folder that one works in
        yield base / "bdgame_env"
    shared = Path(tempfile.gettempdir()) / f"bdgame_env-{os.getuid() if hasattr(os, 'getuid') else 'user'}"
    if _made_private(shared):
        yield shared


def _home() -> Path:
    """The user's home folder, or a relative path where there is none, as for an unknown user in a container."""
    try:
        return Path.home()
    except (RuntimeError, KeyError, OSError):
        return Path()


def _made_private(folder: Path) -> bool:
    """Make a folder in a place where anybody may write, and say whether nobody else can have written to it.

    Machine code is loaded from it, so a folder that another user made, a link, or one that others may write to is no
    place for it.
    """
    try:
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
        if not hasattr(os, "getuid"):  # the temporary folder of Windows is the user's own
            return folder.is_dir()
        told = folder.lstat()
        if not stat.S_ISDIR(told.st_mode) or told.st_uid != os.getuid() or told.st_mode & 0o022:
            return False
        folder.chmod(0o700)
    except OSError:
        return False
    return True


def _remove_stale(root: Path) -> None:
    """Remove folders of other versions that no process has opened for a month."""
    limit = time.time() - _STALE_AFTER_DAYS * 86400
    for folder in root.iterdir():
        if folder.is_dir() and len(folder.name) == 20 and folder.stat().st_mtime < limit:
            shutil.rmtree(folder, ignore_errors=True)


class _CompileNotice(event.Listener):  # type: ignore[misc]
    """Tells on stderr that compiled rules are being made, how far it is, and that it happens once."""

    def __init__(self) -> None:
        self.depth = 0
        self.functions = 0
        self.started = 0.0
        self.shown = 0.0

    def on_start(self, details: Any) -> None:
        if not details.data["dispatcher"].py_func.__module__.startswith(_OUR_MODULES):
            return
        if self.depth == 0:
            self.started, self.functions, self.shown = time.monotonic(), 0, 0.0
        self.depth += 1

    def on_end(self, details: Any) -> None:
        if not details.data["dispatcher"].py_func.__module__.startswith(_OUR_MODULES):
            return
        self.depth -= 1
        self.functions += 1
        elapsed = time.monotonic() - self.started
        terminal = sys.stderr.isatty()
        if elapsed > 0.7 and (self.shown == 0.0 or (terminal and elapsed - self.shown > 0.2)):
            self._say(f"compiling for this machine (only once): {self.functions} functions", terminal)
            self.shown = elapsed
        if self.depth == 0 and self.shown:
            self._say(f"compiled {self.functions} functions in {elapsed:.0f} s", False, after=terminal)

    def _say(self, text: str, stay: bool, after: bool = False) -> None:
        before, behind = "\r" if stay or after else "", "" if stay else "\n"
        sys.stderr.write(f"{before}bdgame_env: {text}{behind}")
        sys.stderr.flush()


_OUR_MODULES = ("bdgame_env.", "tests.")
if not JIT_DISABLED:
    event.register("numba:compile", _CompileNotice())
