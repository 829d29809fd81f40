"""The work space of a search: arrays for each thread, which copies of the search make anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class WorkSpace:
    """Holds the work space of a search.

    Copies and pickles make their own: some of its arrays are views of others, which a copy of each would no longer be.

    Attributes:
        threads: how many there are.
    """

    threads: int

    def _set_up_work(self, make: Callable[[], Any], threads: int) -> None:
        """Make the work space of each thread by `make`, which is pickled with the search."""
        self.threads, self._make_work = threads, make
        self._work = [make() for _ in range(threads)]

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_work"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._set_up_work(self._make_work, self.threads)
