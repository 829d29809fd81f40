"""Numba's cache files, in the folders of `cache`; of entry points also those that were shipped.

Only `jit` uses this module. It builds on parts of Numba that are not documented, as `kernels` does.
"""

from __future__ import annotations

import hashlib
import pickle
import secrets
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from numba.core import caching

from . import kernels, shipped_code
from .cache import digest_of_sources, folder_of


def keep_code(dispatcher: Any, function: Callable[..., Any]) -> None:
    """Have a dispatcher keep its machine code on disk, or of a kernel its intermediate code.

    If no folder can be written, each process compiles the function.
    """
    with suppress(RuntimeError):
        dispatcher._cache = (_KernelCache if isinstance(dispatcher, kernels.Kernel) else _Cache)(function)
        _never_number(dispatcher._cache._cache_file)


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


class _EntryPointFiles(_CacheFiles):
    """The same for an entry point: nothing is kept that only its callers would need."""

    def reduce(self, cres: Any) -> Any:
        """See Numba's caches."""
        return kernels.reduced_entry_point(cres)

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        """See Numba's caches."""
        return kernels.rebuilt_entry_point(target_context, payload)


class _Cache(caching.FunctionCache):  # type: ignore[misc]
    """Numba's cache of one entry point, in its module's folder, and what was shipped of it."""

    _impl_class = _EntryPointFiles

    def _load_overload(self, sig: Any, target_context: Any) -> Any:
        """See Numba's caches."""
        found = super()._load_overload(sig, target_context)
        return self._shipped(sig, target_context) if found is None else found

    def _shipped(self, sig: Any, target_context: Any) -> Any:
        key = self._index_key(sig, target_context.codegen())
        digest = digest_of_sources(self._py_func.__module__)
        data = shipped_code.read(shipped_code.file_name(digest, self._impl.filename_base, key))
        if data is None:
            return None
        try:
            payload = pickle.loads(data)
        except Exception:  # another library than Numba is not what it was
            return None
        return self._impl.rebuild(target_context, payload)


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
