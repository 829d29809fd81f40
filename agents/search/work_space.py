"""The compiled loops and the work space of a search, which copies of the search take anew."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any


class WorkSpace:
    """Holds the loops of a search, and arrays for each thread.

    Copies and pickles take their own: loops are a module, which cannot be pickled, and some arrays are views of others,
    which a copy of each would no longer be.

    Attributes:
        threads: how many there are.
    """

    threads: int
    _loops: ModuleType

    def _set_up_work(self, loops: Callable[[], ModuleType], make: Callable[[], Any], threads: int) -> None:
        """Take the loops, and the work space of each thread; both functions are pickled with the search."""
        self.threads, self._take_loops, self._make_work = threads, loops, make
        self._loops = loops()
        self._work = [make() for _ in range(threads)]

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in ("_loops", "_work")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._set_up_work(self._take_loops, self._make_work, self.threads)
