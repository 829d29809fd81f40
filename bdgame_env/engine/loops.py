"""Makes the compiled loops of one game from `match_loops`: real functions with that game's rules as globals.

Numba caches only functions that live in a module, and never closures over compiled functions; so each game gets a
module of its own, whose functions share the template's code.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from . import match_loops, rng
from .jit import entry_point, kernel, source_hash
from .layout import record
from .rewards import rank_reward

if TYPE_CHECKING:
    from .game import Game

_RULES = ("reset", "legal", "apply", "observe", "ranks", "points", "progress")
# Luck of a player, apart from any game's. Laid out so that numba does not take it for the beginning of a state record.
AGENT_RNG = record([("spare", np.uint64), ("rng", np.uint64)])
_INNER = ("decide", "determinize", "deal_again", "write_finals", "add_shaping")


def build_loops(game: Game) -> ModuleType:
    """The module of compiled loops for a game."""
    rules: dict[str, Any] = {name: getattr(game, name) for name in (*_RULES, "resample")}
    if game.simultaneous is not None:
        rules["simultaneous"] = game.simultaneous
    return instantiate(match_loops, game, rules, inner=_INNER)


def rules_of(game: Game) -> dict[str, Any]:
    """The game's rules by name, for loops compiled elsewhere.

    `determinize` stands in for the game's own `resample`: loops have no other way to sample what a seat does not know.
    """
    return {**{name: getattr(game, name) for name in _RULES}, "determinize": game.loops.determinize}


def instantiate(
    template: ModuleType, game: Game, names: Mapping[str, Any], inner: Sequence[str], sources: Sequence[str] = ()
) -> ModuleType:
    """A copy of the template module with other globals, compiled: `inner` functions as rules, others as loops.

    Args:
        template: module of plain functions that call names it does not define; its constants (in capitals) and the
            modules it imports are taken over.
        game: the game whose rules they are.
        names: what the functions' free names mean.
        inner: functions that only the template's own functions call.
        sources: names of modules whose folders, besides the game's, decide what the code does; a hash of all sources
            and of the template is part of the copy's name, so that a stale cache is never met.
    """
    folders = [_folder(module) for module in (game.module, *sources) if module]
    meanings = [f"{key}={value.__module__}.{value.__qualname__}" for key, value in sorted(names.items())]
    template_source = Path(template.__file__ or "").read_text(encoding="utf-8")
    digest = hashlib.sha256("\n".join([source_hash(*folders), template_source, *meanings]).encode()).hexdigest()
    name = f"{template.__name__}__{game.name}_v{game.version}_{digest[:12]}"
    module = ModuleType(name, template.__doc__)
    module.__file__ = template.__file__
    known = {key: value for key, value in vars(template).items() if key.isupper() or isinstance(value, ModuleType)}
    module.__dict__.update(known)
    generic = {name: getattr(rng, name) for name in ("draw", "below", "nth", "random_legal")}
    module.__dict__.update(names, **generic, rank_reward=rank_reward, BLANK=np.zeros(1, game.state))
    sys.modules[name] = module
    for plain in list(vars(template).values()):
        if isinstance(plain, FunctionType) and plain.__module__ == template.__name__:
            own = FunctionType(plain.__code__, module.__dict__, plain.__name__, plain.__defaults__)
            own.__doc__, own.__module__, own.__qualname__ = plain.__doc__, name, f"{name}.{plain.__name__}"
            setattr(module, plain.__name__, kernel(own, kept=True) if plain.__name__ in inner else entry_point(own))
    return module


def _folder(module: str) -> Path:
    return Path(sys.modules[module].__file__ or __file__).parent
