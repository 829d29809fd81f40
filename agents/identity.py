"""What an agent plays by, besides this package's code: digests of files, so that another file is another agent.

| agent | what counts |
|---|---|
| a network, shipped or from a file | the policy file |
| `level:N` | the file of the levels, and the policy file |
| `module:Class`, and what `register_agent` was given | the source of the class, and the file of its setting `path` |
| `program:COMMAND` | the executable, and the first word after it that is a file: the script |

What a class imports or a program loads does not count, nor do other files that settings and words name: an agent may
write there.
"""

from __future__ import annotations

import inspect
import shlex
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from bdgame_env.engine.game import Game, GameConfig
from bdgame_env.engine.user_files import KeptFile, NotRead, digest_of, is_file, keep

from .base import Agent
from .external import PROGRAM
from .levels import LEVEL, levels_file
from .networks.weights import shipped
from .program_agent import MEMORY
from .registry import read_spec
from .search.planner_agent import SHIPPED
from .specs import PATH, Spec


def contents_of(spec: Spec, game: Game, config: GameConfig) -> dict[str, str]:
    """Digests of what the agent of a spec plays by, by what it is; empty if this package's code is all there is.

    The spec is one that `make_agent` accepts.

    Raises:
        UnknownAgent: no such agent.
    """
    found = {f"{what} {Path(path).name}": file_digest(path) for what, path in _files(spec, game, config)}
    return {file: digest for file, digest in found.items() if digest}


def file_digest(path: str) -> str:
    """The digest of a file; "" if it cannot be read."""
    with suppress(NotRead):
        return digest_of(keep(path).data)
    return ""


def contents_of_options(config: GameConfig) -> dict[str, str]:
    """Digests of the files among the options, by option."""
    return {name: digest_of(value.data) for name, value in config.options.items() if isinstance(value, KeptFile)}


def _files(spec: Spec, game: Game, config: GameConfig) -> Iterator[tuple[str, str]]:
    if isinstance(spec, str) and spec.startswith(PROGRAM):
        words = shlex.split(spec.removeprefix(PROGRAM))
        words = [word for number, word in enumerate(words) if number or not word.startswith(MEMORY)]
        yield from (("program", shutil.which(word) or word) for word in words[:1])
        yield from [("script", word) for word in words[1:] if is_file(word)][:1]
        return
    factory, settings = read_spec(spec, game)
    if isinstance(spec, str) and spec.partition(":")[0] == LEVEL:
        yield "levels", str(levels_file(game.id))
    made = _class_of(factory)
    if not made.__module__.startswith(f"{__package__}."):
        with suppress(TypeError, OSError):
            yield "source", inspect.getsourcefile(made) or ""
        if PATH in settings:
            yield "file", settings[PATH]
        return
    path = settings.get(PATH, _default_path(made))
    if path == SHIPPED:
        yield "policy", str(shipped(made.name, game, config))
    elif path:
        yield "policy", path


def _class_of(factory: Callable[..., Agent]) -> Any:
    """The class or function that makes the agent."""
    while isinstance(factory, partial):
        factory = factory.args[-1] if factory.args and callable(factory.args[-1]) else factory.func
    return factory


def _default_path(made: Any) -> Any:
    """Which policy an agent of this package takes if its spec names none; "" if none."""
    setting = inspect.signature(made).parameters.get(PATH)
    return "" if setting is None else SHIPPED if setting.default is None else setting.default
