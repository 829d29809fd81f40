"""The compiled loops of one game, made from a template.

A template is a module such as `match_loops`: its functions are written once, for every game, and call modules that it
does not import, such as `rules` (see `seam`). For each game its source is executed again as a new module, in which
`rules` is that game's module of rules. Numba can keep the functions of a module on disk, but no closures over rules.
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

from . import match_loops
from .cache import digest_of_sources, keep_module
from .forks import hold_at_forks
from .game import Game
from .players import CompiledPlayers, no_choice, no_judge
from .seam import gathered, kernels_of

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
    return instantiate(match_loops, game, {"rules": game.rules})


def seams_of(game: Game, players: CompiledPlayers | None = None) -> dict[str, Any]:
    """The modules that templates call, for other templates than `match_loops`: see `seam`.

    `loops` are the game's `match_loops`. Templates determinize by these, not by the rules' own `resample`.
    """
    return {"rules": game.rules, "loops": loops_of(game), "players": _module_of(players)}


@built_once
def _module_of(players: CompiledPlayers | None) -> Any:
    choose = players.choose if players else no_choice
    evaluate = players.evaluate if players and players.evaluate else no_judge
    return gathered("players", choose=choose, evaluate=evaluate)


def instantiate(template: ModuleType, game: Game, seams: Mapping[str, Any]) -> ModuleType:
    """A new module from the source of a template, for one game.

    Args:
        template: a module of functions under `@kernel` or `@entry_point` that call modules it does not import.
        game: the game that it is for.
        seams: those modules by name. BLANK (`Game.blank`) and REFRESHES are added.

    Returns:
        A module in `sys.modules`, the same for games with the same rules. Its name holds a hash of all sources on which
        its code depends and of what the modules hold, and so do the names of its functions for Numba: stale machine
        code is never found.
    """
    file = template.__file__ or ""
    source = Path(file).read_text(encoding="utf-8")
    digest = _digest(template, game, seams, source)
    name = f"{template.__name__}__{game.name}_v{game.version}_{digest[:12]}"
    made = sys.modules.get(name)
    if made is not None and made.BLANK.dtype == game.state and all(_same(vars(made)[n], seams[n]) for n in seams):
        return made  # for a game with the same rules, which differs in other things
    spec = spec_from_file_location(name, file)
    assert spec is not None
    module = module_from_spec(spec)
    vars(module).update(seams, BLANK=game.blank, REFRESHES=hasattr(game.rules, "refresh"))
    keep_module(name, digest)
    sys.modules[name] = module
    exec(_code(source, file), vars(module))  # the source that was hashed; a loader might run older bytecode
    return module


def _digest(template: ModuleType, game: Game, seams: Mapping[str, Any], source: str) -> str:
    """A hash of the sources and meanings behind a copy of a template."""
    sources, meanings = {game.module}, []
    if _is_imported(template):
        sources.add(template.__name__)
    for name, module in sorted(seams.items()):
        if _is_imported(module):  # not one that was put together
            sources.add(module.__name__)
        for attribute, kernel in sorted(kernels_of(module).items()):
            sources.add(kernel.__module__)
            meanings.append(f"{name}.{attribute}={kernel.__module__}.{kernel.__qualname__}")
    found = map(digest_of_sources, sorted(sources - {""}))
    return hashlib.sha256("\n".join([*found, source, *meanings]).encode()).hexdigest()


def _is_imported(module: ModuleType) -> bool:
    return sys.modules.get(module.__name__) is module


def _same(one: Any, other: Any) -> bool:
    """Whether two modules hold the same kernels."""
    mine, its = kernels_of(one), kernels_of(other)
    return mine.keys() == its.keys() and all(mine[name] is its[name] for name in mine)


@cache
def _code(source: str, file: str) -> CodeType:
    return compile(source, file, "exec")
