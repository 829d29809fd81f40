"""The compiled loops of one game, made from a template.

A template is a module such as `match_loops`: its functions are written once, for every game, and call rules that it
does not define. For each game its source is executed again as a new module, in which the names of the rules stand for
that game's rules. Numba can keep the functions of a module on disk, but no closures over the rules.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Mapping
from functools import cache, wraps
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from threading import RLock
from types import CodeType, ModuleType
from typing import Any, TypeVar, cast

import numpy as np

from . import match_loops
from .forks import hold_at_forks
from .game import Game
from .jit import digest_of_sources, keep_module
from .players import CompiledPlayers, no_choice, no_judge

_RULES = ("reset", "legal", "apply", "observe", "ranks", "points", "progress")

F = TypeVar("F", bound=Callable[..., Any])

_building = RLock()
hold_at_forks(_building)


def built_once(make: F) -> F:
    """`functools.cache` for functions that make loops, one thread at a time: two threads would make two modules."""
    cached = cache(make)

    @wraps(make)
    def once(*args: Any, **kwargs: Any) -> Any:
        with _building:
            return cached(*args, **kwargs)

    return cast(F, once)


@built_once
def loops_of(game: Game) -> ModuleType:
    """The compiled loops over many matches of a game: its own copy of `match_loops`."""
    rules = {**_rules(game), "resample": game.resample}
    if game.simultaneous is not None:
        rules["simultaneous"] = game.simultaneous
    return instantiate(match_loops, game, rules)


def rules_of(game: Game, players: CompiledPlayers | None = None) -> dict[str, Any]:
    """The names that a template may call, for other templates than `match_loops`.

    These are the game's rules, and `choose` and `evaluate` of its compiled players. `determinize` stands in for the
    game's own `resample`: loops have no other way to sample what a seat does not know.
    """
    return {
        **_rules(game),
        "determinize": loops_of(game).determinize,
        "choose": players.choose if players else no_choice,
        "evaluate": players.evaluate if players and players.evaluate else no_judge,
    }


def _rules(game: Game) -> dict[str, Any]:
    return {name: getattr(game, name) for name in _RULES}


def instantiate(template: ModuleType, game: Game, names: Mapping[str, Any]) -> ModuleType:
    """A new module from the source of a template, for one game.

    Args:
        template: a module of functions under `@kernel` or `@entry_point` that call names it does not define.
        game: the game whose rules they are.
        names: the kernels that these names mean. BLANK, a state of zeros of shape (1,), is added.

    Returns:
        A module in `sys.modules`, the same for games with the same rules. Its name holds a hash of all sources on which
        its code depends and of what the names mean, and so do the names of its functions for Numba: stale machine code
        is never found.
    """
    file = template.__file__ or ""
    modules = sorted({game.module, *(kernel.__module__ for kernel in names.values())} - {""})
    meanings = [f"{name}={kernel.__module__}.{kernel.__qualname__}" for name, kernel in sorted(names.items())]
    source = Path(file).read_text(encoding="utf-8")
    digest = hashlib.sha256("\n".join([*map(digest_of_sources, modules), source, *meanings]).encode()).hexdigest()
    name = f"{template.__name__}__{game.name}_v{game.version}_{digest[:12]}"
    made = sys.modules.get(name)
    if made is not None and made.BLANK.dtype == game.state and all(vars(made)[n] is names[n] for n in names):
        return made  # for a game with the same rules, which differs in other things
    spec = spec_from_file_location(name, file)
    assert spec is not None
    module = module_from_spec(spec)
    vars(module).update(names, BLANK=np.zeros(1, game.state))
    keep_module(name, digest)
    sys.modules[name] = module
    exec(_code(source, file), vars(module))  # the source that was hashed; a loader might run older bytecode
    return module


@cache
def _code(source: str, file: str) -> CodeType:
    return compile(source, file, "exec")
