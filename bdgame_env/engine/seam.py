"""What templates call without defining it: the types of the modules that `loop_builder` puts into their copies.

A template such as `match_loops` imports `rules` from here for type checkers only; in each game's copy of it `rules` is
that game's module of rules.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType, MethodType, ModuleType
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from .arrays import Ints

if TYPE_CHECKING:
    from .arrays import Rows
    from .struct import GameState, Settings

S = TypeVar("S", contravariant=True)
C = TypeVar("C", contravariant=True)


class Rules(Protocol[S, C]):
    """The rules of a game, as a module has them: kernels, which allocate nothing and do the same without the JIT.

    A module that imports them names them in its `__all__`.
    `s` is the record of one game (`Game.state`), `config` that of a `GameConfig`.
    """

    def reset(self, s: S, config: C, /) -> None:
        """Set up the game from `s.rng`; everything else in `s` is as in `Game.blank` before."""

    def legal(self, s: S, config: C, mask: Ints, /) -> None:
        """Set `mask[a] = 1` (int8, all zero before) for each legal action."""

    def apply(self, s: S, config: C, action: int, /) -> None:
        """Carry out a legal action and everything that follows without a decision."""

    def observe(self, s: S, config: C, seat: int, out: Any, /) -> None:
        """Write all of `out`, an observation record, as `seat` sees the game."""

    def ranks(self, s: S, config: C, out: Ints, /) -> None:
        """Write each seat's rank (int8, MAX_SEATS); 1 is the best, tied seats have the same."""

    def points(self, s: S, config: C, seat: int, /) -> int:
        """The points of a seat."""

    def progress(self, s: S, config: C, seat: int, /) -> float:
        """How close a seat is to a winning score, for shaping."""

    def resample(self, s: S, config: C, seat: int, /) -> None:
        """Sample from `s.rng` everything that the seat does not know, each world that fits its knowledge with its true
        probability.

        The result depends on that knowledge and on `s.rng` only: positions that the seat cannot tell apart give the
        same record, to the last byte.
        """


class SimultaneousRules(Rules[S, C], Protocol):
    """The rules of a game with phases in which seats choose simultaneously."""

    def simultaneous(self, s: S, config: C, out: Ints, /) -> int:
        """Set `out[seat]` (int8, MAX_SEATS) to 1 for each seat that still has to choose and to 0 for the others.

        Returns 0 while players take turns, else a number that identifies the phase within the game. Such a phase draws
        no random numbers and reveals no choice before all are made; each seat can be asked as if it were the first,
        since no choice rules out another seat's.
        """


class RefreshingRules(Rules[S, C], Protocol):
    """The rules of a game whose observations are brought up to date where a row has shown the game before."""

    def refresh(self, s: S, config: C, seat: int, out: Any, seen: Any, /) -> None:
        """Do what `observe` does, for an `out` that shows what `seen` (of the dtype `Game.seen`) tells.

        `seen` is zero if nothing is known of `out`, but for its field `bare`, which is 1 if prospects are to be left at
        0: fields that work out what follows from the others. Between calls for the same config nobody else changes
        either; game and seat may be any others. What differs is found by comparing, so that nothing need be told of
        changes.
        """


class Players(Protocol):
    """The compiled players of a game, as loops call them."""

    def choose(self, policy: int, s: Any, config: Any, mask: Ints, rng: Any, scratch: Any, /) -> int:
        """The action of a policy, 1 and up, which may write `scratch`; see `CompiledPlayers`."""

    def evaluate(self, s: Any, config: Any, seat: int, scratch: Any, /) -> float:
        """How far the seat will get, in the unit of `Rules.progress`; see `CompiledPlayers`."""


class Exploring(Protocol):
    """Positions to begin games of training from."""

    def explore(self, s: Any, config: Any, rng: Any, /) -> None:
        """See `Game.explore`."""


class Counting(Protocol):
    """What a game counts of itself."""

    def count(self, s: Any, config: Any, action: int, counts: Any, room: Any, /) -> None:
        """See `designing.Statistics`."""

    def finish(self, s: Any, config: Any, counts: Any, /) -> None:
        """See `designing.Statistics`."""

    def holdings(self, s: Any, config: Any, seat: int, out: Any, /) -> None:
        """See `designing.Holdings`."""


if TYPE_CHECKING:

    class _AllRules(SimultaneousRules[GameState, Settings], RefreshingRules[GameState, Settings], Protocol):
        """Whether they have `simultaneous` and `refresh` is up to the game."""

    rules: _AllRules
    players: Players
    exploring: Exploring
    statistics: Counting
    BLANK: Rows[GameState]  # `Game.blank`
    REFRESHES: bool  # whether the rules have `refresh`


def gathered(name: str, **kernels: Callable[..., Any]) -> Any:
    """A module of this name that holds some kernels."""
    module = ModuleType(name)
    vars(module).update(kernels, __all__=tuple(kernels))
    return module


def with_other(rules: Any, **others: Callable[..., Any]) -> Any:
    """A module like this one, with some of its kernels replaced: the rules of a variant."""
    return gathered(f"{rules.__name__} with other {', '.join(others)}", **kernels_of(rules) | others)


def kernels_of(module: Any) -> dict[str, Callable[..., Any]]:
    """The functions that a module exports (`__all__`), or else all that it defines, compiled or not."""
    held, exported = vars(module), vars(module).get("__all__")
    if exported is None:
        return {name: f for name, f in held.items() if _is_kernel(f) and f.__module__ == module.__name__}
    return {name: held[name] for name in exported if _is_kernel(held[name])}


def _is_kernel(held: Any) -> bool:
    return isinstance(held, (FunctionType, MethodType)) or hasattr(held, "py_func")
