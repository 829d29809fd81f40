"""Compiled players: what a game's package of players declares, for opponents and search alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from .arrays import Ints
from .jit import kernel
from .struct import GameState, Settings, Struct, plain

NO_OPINION = -1  # the answer of a plan that does not apply


class AgentStream(Struct):
    """The generator of a player, apart from the game's.

    The first field keeps Numba from taking it for the beginning of a state record.
    """

    spare: int = plain(np.uint64)
    rng: int = plain(np.uint64)


AGENT_RNG = AgentStream.dtype


@dataclass(frozen=True)
class CompiledPlayers:
    """A game's compiled players, and what search may use of them.

    Attributes:
        module: where `choose` is defined; a hash of its sources is part of the compiled code's name.
        names: the policies 1, 2, ... by name; policy 0 is always "random".
        choose: the kernel `(policy, s, config, mask, rng, scratch) -> action`; it must neither write `s` nor use what
            is hidden from the seat to decide.
        scratch: dtype of the record that `choose` and `evaluate` use as work space.
        plans: further policies that `choose` knows. Each is a way to spend a turn, for search to try; it answers
            NO_OPINION where it does not apply.
        evaluate: the kernel `(s, config, seat, scratch) -> float`: how far the seat will get, in the unit of the game's
            `progress`, for search to judge positions by. None means `progress` itself.
        horizon: how many decisions search should play on before it judges a position.
        strongest: the name of the one that networks learn from; "" for the first.
    """

    module: str
    names: tuple[str, ...]
    choose: Callable[..., int]
    scratch: np.dtype[Any]
    plans: tuple[int, ...] = ()
    evaluate: Callable[..., float] | None = None
    horizon: int = 60
    strongest: str = ""

    @property
    def teacher(self) -> int:
        """The number of the strongest."""
        return 1 + self.names.index(self.strongest or self.names[0])

    def __reduce__(self) -> tuple[Any, ...]:
        return _declared_players, (self.module, self.names)

    def __deepcopy__(self, memo: dict[int, Any]) -> CompiledPlayers:
        return self


def _declared_players(module: str, names: tuple[str, ...]) -> CompiledPlayers:
    """The players that a module declares, for unpickling."""
    for declared in vars(import_module(module)).values():
        if isinstance(declared, CompiledPlayers) and declared.names == names:
            return declared
    raise ImportError(f"{module} declares no compiled players {names}")


@kernel
def no_choice(policy: int, s: GameState, config: Settings, mask: Ints, rng: AgentStream, scratch: Any) -> int:
    """Stands in for `choose` where a game has no compiled players; never called."""
    return 0


@kernel
def no_judge(s: GameState, config: Settings, seat: int, scratch: Any) -> float:
    """Stands in for `evaluate` where a game has none; never called."""
    return 0.0
