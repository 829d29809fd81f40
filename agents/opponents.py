"""Opponents by name: turns specs such as "greedy" into players for the seats around a learner."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from numbers import Real
from os import PathLike
from typing import Any, TypeGuard

import numpy.typing as npt

from bdgame_env.engine.game import BadOption, Game, GameConfig
from bdgame_env.engine.learner import Opponent
from bdgame_env.engine.players import CompiledPlayers
from bdgame_env.engine.quoting import shown

from .base import Actions, Agent, Masks, Observations
from .heuristics.compiled_players import compiled_players, compiled_policy
from .registry import keep_spec, make_agent


@dataclass(frozen=True)
class _Chooser:
    """Adapts a function of observation and mask to the interface of opponents."""

    function: Callable[[Observations, Masks], Actions]

    def __call__(self, observation: Observations, mask: Masks, states: npt.NDArray[Any] | None = None) -> Actions:
        return self.function(observation, mask)


def resolve_opponents(game: Game, config: GameConfig, specs: Any) -> tuple[list[Opponent], CompiledPlayers | None]:
    """Turn specs into a pool of opponents; also returns the game's compiled players, or None.

    Args:
        game: the declaration of the game.
        config: its cards and options.
        specs: one spec or several. A spec is a name ("random", "greedy", or any other agent that `make_agent` knows,
            such as "runs/demo/policy.npz"), the path of a policy file, an `Agent`, an `Opponent`, a function
            `(observation (n, size), mask (n, actions)) -> actions (n,)`, or a pair of one of these and its weight.
            "random" and the game's compiled players run compiled; others are called from Python for many games at once.
            Of several functions with one name, such as lambdas, all but the first have a number behind it.

    Raises:
        BadOption: a spec is none of these, or no spec is given.
        UnknownAgent: no such agent or setting; the message says what there is.
    """
    players = compiled_players(game)
    single = isinstance(specs, (str, PathLike, Agent, Opponent)) or callable(specs) or _is_pair(specs)
    if not single and not isinstance(specs, Iterable):
        raise BadOption(f"{game.id}: opponents={shown(specs)}, must be a name, an agent, or a list of them")
    pool = _told_apart([_opponent(game, config, players, spec) for spec in ([specs] if single else specs)])
    if not pool:
        raise BadOption(f"{game.id}: opponents={shown(specs)}, at least one is needed")
    return pool, players


def keep_opponents(specs: object) -> Any:
    """Specs as `resolve_opponents` takes them, which hold the contents of the policy files that they name."""
    if isinstance(specs, (str, PathLike)):
        return keep_spec(specs)
    if isinstance(specs, (tuple, list)):
        return type(specs)(map(keep_opponents, specs))
    return specs


def _told_apart(pool: list[Opponent]) -> list[Opponent]:
    """The same opponents, of which functions that differ have names that differ, whatever Python calls them."""
    called: dict[str, list[Any]] = {}
    found = []
    for opponent in pool:
        if isinstance(opponent.act, _Chooser):
            alike = called.setdefault(opponent.name, [])
            if opponent.act not in alike:
                alike.append(opponent.act)
            if number := alike.index(opponent.act):
                opponent = replace(opponent, name=f"{opponent.name} {number + 1}")
        found.append(opponent)
    return found


def _is_pair(spec: object) -> TypeGuard[tuple[Any, Any]]:
    return isinstance(spec, tuple) and len(spec) == 2 and isinstance(spec[1], Real)


def _opponent(game: Game, config: GameConfig, players: CompiledPlayers | None, spec: object) -> Opponent:
    if _is_pair(spec):
        return replace(_opponent(game, config, players, spec[0]), weight=float(spec[1]))
    if isinstance(spec, Opponent):
        return spec
    if isinstance(spec, (str, PathLike)):
        policy = compiled_policy(players, spec) if isinstance(spec, str) else None
        if policy is not None:
            return Opponent(str(spec), policy=policy)
        spec = make_agent(spec, game, config)
    if isinstance(spec, Agent):
        return Opponent(spec.name, act=spec.act, needs_states=spec.needs_states, seed=spec.seed)
    if callable(spec) and not isinstance(spec, type):
        return Opponent(getattr(spec, "__name__", type(spec).__name__), act=_Chooser(spec))
    raise BadOption(
        f"{game.id}: opponent {shown(spec)} is no name, agent, function or pair of one of these and its weight"
    )
