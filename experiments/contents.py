"""What names stand for: digests of the files behind agents and options, kept with results, compared on resuming."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from bdgame_env.agents.identity import contents_of, contents_of_options
from bdgame_env.engine.game import Game, GameConfig

Contents = Mapping[str, Mapping[str, str]]


def contents_by_name(agents: Iterable[str], game: Game, config: GameConfig) -> dict[str, dict[str, str]]:
    """Digests of files by what names them: "agent ppo" or "option deck", then the file.

    Args:
        agents: specs.
        game: the game they play.
        config: its cards and options.

    Raises:
        UnknownAgent: no such agent.
    """
    found = {f"agent {spec}": contents_of(spec, game, config) for spec in agents}
    found |= _of_options(config)
    return {name: digests for name, digests in found.items() if digests}


def options_changed(theirs: Any, config: GameConfig) -> str:
    """As `what_changed`, of the options alone; "" if nothing was stored."""
    return what_changed(theirs, _of_options(config), whole=False) if theirs else ""


def _of_options(config: GameConfig) -> dict[str, dict[str, str]]:
    return {f"option {name}": {"file": digest} for name, digest in contents_of_options(config).items()}


def what_changed(theirs: Any, mine: Contents, *, whole: bool = True) -> str:
    """The first file that differs, in one line; "" if none does.

    Args:
        theirs: what was stored; whatever it is, if that is no contents, it differs.
        mine: what there is now.
        whole: whether that is all that may be stored.
    """
    for name, digests in mine.items():
        stored = theirs.get(name) if isinstance(theirs, Mapping) else None
        for file, digest in digests.items():
            if (before := stored.get(file) if isinstance(stored, Mapping) else None) != digest:
                return f"{name}: {file} changed, {before or 'not told'} there, {digest} here"
    return "" if theirs == mine or not whole else "the files behind agents and options changed"
