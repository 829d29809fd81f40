"""The compile policy. With `kernels`, the one module that imports Numba.

Rules are plain functions over one record per game. `kernel` is for one that other compiled functions call,
`entry_point` for one that Python calls; only the latter becomes machine code. With `NUMBA_DISABLE_JIT=1` both return
the function unchanged.

Machine code is kept on disk, so that the next process need not compile. Numba's disk cache does not notice an edit to
a function in another file, so each cache folder is named by a hash of all sources that its code may depend on, and of
versions and options: an edit leads to a new folder and never to old rules. Where and when the package was installed
makes no difference: another virtual environment finds the same files.

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
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import llvmlite
import numba
import numpy as np
from numba.core import caching, compiler_lock, event

from . import kernels
from .compile_notice import Compiling, TellStderr
from .forks import after_fork, hold_at_forks
from .kernels import EntryPoint, Kernel

F = TypeVar("F", bound=Callable[..., Any])

JIT_DISABLED: bool = bool(numba.config.DISABLE_JIT)
BOUNDSCHECK: bool = bool(numba.config.BOUNDSCHECK)
_OPTIONS = {"nogil": True, "error_model": "numpy"}
_COUNTING, _LEAN = {"_nrt": True}, {"_nrt": False}  # references to arrays; unsaid, it would be as in the caller
_FAST = {"fastmath": {"reassoc", "contract", "nsz"}}  # sums in any order, which is what vector units need
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
    holder = _holder(module)
    if holder is not None:
        return _digest(holder)
    file = getattr(sys.modules.get(module), "__file__", None)
    return _joined(_folder_hash(Path(file).parent), _digest(_ENGINE)) if file else secrets.token_hex()


def _holder(module: str) -> str | None:
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


def kernel(function: F) -> F:
    """Compile a function that other compiled functions call."""
    if JIT_DISABLED:
        return function
    options = _OPTIONS | _COUNTING
    made: F = _prepared(Kernel(function, options, lambda: entry_point(function)), function, _KernelCache)
    return made


def lean_kernel(function: F) -> F:
    """A `kernel` that makes no arrays, nor calls one that returns new ones, so that references need not be counted.

    A count is an atomic operation: threads that share an array, as they share a network, would wait for each other.
    """
    if JIT_DISABLED:
        return function
    options = _OPTIONS | _LEAN
    made: F = _prepared(Kernel(function, options, lambda: entry_point(function)), function, _KernelCache)
    return made


def fast_kernel(function: F) -> F:
    """A `lean_kernel` in which floating-point sums may be taken in another order, so that another processor may round
    differently; on one machine it always gives the same.
    """
    if JIT_DISABLED:
        return function
    options = _OPTIONS | _LEAN | _FAST
    made: F = _prepared(Kernel(function, options, lambda: entry_point(function)), function, _KernelCache)
    return made


def entry_point(function: F) -> F:
    """Compile a function that Python calls."""
    if JIT_DISABLED:
        return function
    made: F = _prepared(EntryPoint(function, _OPTIONS | _COUNTING), function, _Cache)
    return made


def _prepared(dispatcher: Any, function: Callable[..., Any], cache_of: Callable[..., Any]) -> Any:
    dispatcher.is_ours = True  # for `_is_ours`
    if _holder(function.__module__) is not None:
        with suppress(RuntimeError):  # no folder can be written, so each process compiles it
            dispatcher._cache = cache_of(function)
            _never_number(dispatcher._cache._cache_file)
    return dispatcher


class _Locator(caching._SourceFileBackedLocatorMixin, caching._CacheLocator):  # type: ignore[misc]
    """Where the machine code of one function is kept, and what shows that its file has been edited.

    Numba's own locators name the folder by the path of the file, and older releases take the file's time for its
    contents.
    """

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        self._py_file, self._lineno = file, function.__code__.co_firstlineno
        self._folder = folder_of(function.__module__)

    def get_cache_path(self) -> str:
        """See Numba's locators."""
        return str(self._folder)

    def get_source_stamp(self) -> str:
        """A hash of the file's contents."""
        return _file_hash(self._py_file)


class _CacheFiles(caching.CompileResultCacheImpl):  # type: ignore[misc]
    """Numba's cache files of one function, named by its whole module: many modules are made from one template."""

    _locator_classes = (_Locator,)

    def __init__(self, function: Callable[..., Any]) -> None:
        self._name = f"{function.__module__}.{function.__qualname__}"
        super().__init__(function)

    def get_filename_base(self, fullname: str, abiflags: str) -> Any:
        """See Numba's caches."""
        return super().get_filename_base(self._name, abiflags)


class _Cache(caching.FunctionCache):  # type: ignore[misc]
    """Numba's cache of one function, in this module's folder."""

    _impl_class = _CacheFiles


class _KernelFiles(_CacheFiles):
    """The same for a kernel, of which no machine code is kept."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._filename_base += ".kernel"

    def reduce(self, cres: Any) -> Any:
        """See Numba's caches."""
        return kernels.reduced(cres)

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        """See Numba's caches."""
        return kernels.rebuilt(target_context, payload)


class _KernelCache(caching.FunctionCache):  # type: ignore[misc]
    """Numba's cache of one kernel, in this module's folder."""

    _impl_class = _KernelFiles


@cache
def _file_hash(file: str) -> str:
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()


def _never_number(cache_file: Any) -> None:
    """Name the files of machine code at random.

    Numba numbers them in order. Two processes that compile a function for different signatures at the same time could
    both write number 1, and one signature would be served the other's code.
    """
    pattern = cache_file._data_name_pattern
    cache_file._data_name = lambda number: pattern.format(number=secrets.randbits(48))


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
    holder = _holder(module)
    return None if holder is None else cache_folder(_digest(holder))


@cache
def cache_folder(digest: str) -> Path:
    """The folder for machine code made from the sources of this hash, below `BDGAME_ENV_CACHE_DIR` or the user's cache.

    If neither can be written, it is below the temporary folder and private to this user.
    """
    name = hashlib.sha256(digest.encode())
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


class _CompileNotice(event.Listener):  # type: ignore[misc]
    """Counts our functions as they are compiled, and has somebody told."""

    def __init__(self) -> None:
        self.tell: Callable[[Compiling], None] = TellStderr()
        self.forget()

    def forget(self) -> None:
        """Count anew."""
        self._depth = self._functions = 0
        self._began = self._before = 0.0

    def now(self) -> Compiling:
        """The figures of this moment."""
        running = self._depth > 0
        seconds = self._before + (time.monotonic() - self._began if running else 0.0)
        return Compiling(self._functions, seconds, running)

    def on_start(self, details: Any) -> None:
        if _is_ours(details):
            if self._depth == 0:
                self._began = time.monotonic()
            self._depth += 1

    def on_end(self, details: Any) -> None:
        if not _is_ours(details):
            return
        self._functions += 1
        self._depth -= 1
        if self._depth == 0:
            self._before += time.monotonic() - self._began
        with suppress(Exception):  # whatever ails who is told, the function is compiled
            self.tell(self.now())


_notice = _CompileNotice()


def compiling() -> Compiling:
    """How far this process is with compiling."""
    return _notice.now()


def on_compiling(tell: Callable[[Compiling], None]) -> Callable[[Compiling], None]:
    """Have this function told, in place of stderr, whenever one of our functions is compiled.

    Args:
        tell: called with the figures in the thread that compiles; what it raises is dropped.

    Returns:
        The function that was told before.
    """
    before, _notice.tell = _notice.tell, tell
    return before


def _is_ours(details: Any) -> bool:
    """Whether this module made the dispatcher that an event of Numba is about."""
    return getattr(details.data["dispatcher"], "is_ours", False)


keep(_ENGINE)
hold_at_forks(compiler_lock.global_compiler_lock)  # a fork waits for what is being compiled
after_fork(_notice.forget)
if not JIT_DISABLED:
    event.register("numba:compile", _notice)
