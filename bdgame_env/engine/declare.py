"""Declaring a game out of its modules: whatever `Game` asks for is found in them by its name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from types import ModuleType
from typing import Any

from .game import Game, GameConfig, Option

_KEPT_CONFIGS = 64
_FUNCTIONS = (
    *("reset", "legal", "apply", "observe", "ranks", "points", "progress", "resample"),
    *("snapshot", "restore", "options_of_snapshot"),
)
_OPTIONAL = ("told", "shown_points", "simultaneous", "simultaneous_steps", "ask", "card_names")


def declare(
    module: str,
    parts: Sequence[ModuleType],
    *,
    title: str,
    version: int,
    seats: tuple[int, int],
    options: Mapping[str, Option],
    make_config: Callable[[Mapping[str, Any]], GameConfig],
) -> Game:
    """The game of a package that has a module `drawing` and, in its parts, all the rest of what a `Game` needs.

    Args:
        module: the `__name__` of the module that declares the game; the game is called after its package.
        parts: the modules in which to find STATE, OBS, SCHEMA, an ACTIONS table, the functions of `Game` from `reset`
            to `resample`, `snapshot`, `restore` and `options_of_snapshot`; also `told`, `shown_points`, `simultaneous`,
            `simultaneous_steps`, `ask` and `card_names`, if the game has them.
        title: the name printed on the box.
        version: moves when play changes.
        seats: fewest and most players.
        options: what may be chosen besides `players`.
        make_config: `(options) -> GameConfig`, for checked options. Configs are kept and shared.

    Raises:
        ValueError: something is in none of the parts, or two of them mean different things by one name.
    """
    package = module.rpartition(".")[0]
    table = _find("ACTIONS", parts)
    schema = _find("SCHEMA", parts)
    optional = {name: _find(name, parts) for name in _OPTIONAL if any(name in vars(part) for part in parts)}
    return Game(
        name=package.rpartition(".")[2],
        version=version,
        title=title,
        seats=seats,
        state=_find("STATE", parts),
        obs=_find("OBS", parts),
        options=options,
        make_config=_keeping(make_config),
        action_names=table.names,
        rule_of=table.rule_of,
        card_places=partial(table.card_places, schema=schema),
        outcome_places=partial(table.outcome_places, schema=schema),
        verbs=table.verbs,
        schema=schema,
        module=module,
        drawing=f"{package}.drawing",
        **{name: _find(name, parts) for name in _FUNCTIONS},
        **optional,
    )


def _find(name: str, parts: Sequence[ModuleType]) -> Any:
    """What the parts call by this name."""
    found = [vars(part)[name] for part in parts if name in vars(part)]
    if not found:
        raise ValueError(f"{name} is in none of {', '.join(part.__name__ for part in parts)}")
    if any(other is not found[0] for other in found):
        raise ValueError(f"{name} means different things in {', '.join(part.__name__ for part in parts)}")
    return found[0]


def _keeping(make_config: Callable[[Mapping[str, Any]], GameConfig]) -> Callable[[Mapping[str, Any]], GameConfig]:
    """`make_config`, which gives the same config for the same options; files count by their contents."""

    @lru_cache(maxsize=_KEPT_CONFIGS)
    def make(items: tuple[tuple[str, type, Any], ...]) -> GameConfig:
        return make_config({name: value for name, _, value in items})

    # Types too: the name of a file alone, which equals the name with contents, was given for want of a file.
    return lambda options: make(tuple((name, type(options[name]), options[name]) for name in sorted(options)))
