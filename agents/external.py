"""Outside agents: a class or function given by its import path, or a program."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any

from bdgame_env.engine.game import Game, GameConfig
from bdgame_env.engine.quoting import SENTENCE, cut, shown

from .base import Actions, Agent, Masks, Observations, UnknownAgent
from .program_agent import ProgramAgent

Factory = Callable[..., Agent]  # (game, config, **settings)

PROGRAM = "program:"
_NAME = r"[A-Za-z_]\w*"
_OBSERVED = ("observation", "obs")  # the first parameter of a function that chooses actions
_IMPORT_PATH = re.compile(rf"(?P<module>{_NAME}(\.{_NAME})*):(?P<attribute>{_NAME})(:(?P<settings>.*))?")


class _Function(Agent):
    """A function of observations (n, size) and masks (n, actions) that gives the actions (n,)."""

    def __init__(self, function: Callable[..., Any], settings: dict[str, Any]) -> None:
        self._function, self._settings = function, settings

    def act(self, observation: Observations, mask: Masks, states: Any = None) -> Actions:
        actions: Actions = self._function(observation, mask, **self._settings)
        return actions


def external(spec: str) -> tuple[Factory, str] | None:
    """The factory of the agent of a spec, and the text of its settings; None if the spec is of neither kind.

    Args:
        spec: "module:Class", "module:Class:KEY=VALUE,..." or "program:COMMAND ...". A word with "=" right after the
            first colon makes it NAME:KEY=VALUE, which is none of these.

    Raises:
        UnknownAgent: the module cannot be imported, or has no such class.
    """
    if spec.startswith(PROGRAM):
        return partial(ProgramAgent, command=spec.removeprefix(PROGRAM)), ""
    match = _IMPORT_PATH.fullmatch(spec)
    if match is None:
        return None
    module, attribute = match["module"], match["attribute"]
    if (here := str(Path.cwd())) not in sys.path and "" not in sys.path:
        sys.path.append(here)
    try:
        factory = getattr(import_module(module), attribute)
    except AttributeError:
        raise UnknownAgent(f"agent {shown(spec)}: {cut(module)} has no {shown(attribute)}") from None
    except (Exception, SystemExit) as error:
        raise UnknownAgent(f"agent {shown(spec)}: importing {cut(module)}: {_one_line(error)}") from error
    return partial(_made, spec, factory), match["settings"] or ""


def _made(spec: str, factory: Any, game: Game, config: GameConfig, **settings: Any) -> Agent:
    if _chooses(factory):
        return _Function(factory, settings)
    try:
        agent = factory(game, config, **settings)
    except UnknownAgent:
        raise
    except (Exception, SystemExit) as error:
        raise UnknownAgent(f"agent {shown(spec)}: {_one_line(error)}") from error
    if not isinstance(agent, Agent):
        raise UnknownAgent(
            f"agent {shown(spec)}: gives {type(agent).__name__}, not a {Agent.__module__}.{Agent.__name__}"
        )
    return agent


def _chooses(factory: Any) -> bool:
    """Whether it is a function that chooses actions, and not one that makes an agent."""
    if isinstance(factory, type):
        return False
    with suppress(TypeError, ValueError):
        return next(iter(signature(factory).parameters), "") in _OBSERVED
    return False


def _one_line(error: BaseException) -> str:
    return cut(f"{type(error).__name__}: {error}", SENTENCE)
