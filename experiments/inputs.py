"""Parses what the user typed into games, configs and time limits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from bdgame_env import get_game
from bdgame_env.agents.specs import whole_files
from bdgame_env.engine.game import Game, GameConfig
from bdgame_env.engine.quoting import cut, listed, shown
from bdgame_env.engine.values import whole_in

from .errors import BadInput

SUITE_SEEDS = 2**62  # seeds from here on are those of suites, on whose deals nothing is trained, tuned or tried
LEAST_SECONDS, MOST_SECONDS = 0.001, 86400
_SETTING = re.compile(r"[A-Za-z_]\w*=")
_YES, _NO = ("true", "yes", "on", "1"), ("false", "no", "off", "0")


def open_game(game_id: str, options: Iterable[str] = (), players: int | None = None) -> tuple[Game, GameConfig]:
    """A game and its config.

    Args:
        game_id: e.g. "bdgame-v3".
        options: options of the game, each as "KEY=VALUE".
        players: number of seats; None for the game's fewest.

    Raises:
        BadInput, UnknownGame, BadOption: one line that says what is wrong and what is allowed.
    """
    game = get_game(game_id)
    chosen = read_options(game, options)
    if players is not None:
        chosen["players"] = players
    try:
        return game, game.config(**chosen)
    except ValueError as error:  # such as a mistake in the user's card file
        raise BadInput(str(error)) from error


def read_options(game: Game, pairs: Iterable[str]) -> dict[str, Any]:
    """Options of a game from "KEY=VALUE", converted to the type of the default; the config checks names and ranges.

    Raises:
        BadInput: an option is not KEY=VALUE, is given twice, or has a value of another type.
    """
    options: dict[str, Any] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals or not name:
            raise BadInput(f"option {shown(pair)} is not KEY=VALUE")
        if name == "players":
            raise BadInput("the number of players is set by --players N, not by --option")
        if name in options:
            raise BadInput(f"option {shown(name)} is given twice")
        declared = game.options.get(name)
        options[name] = _value(name, text, None if declared is None else declared.default)
    return options


def _value(name: str, text: str, default: Any) -> Any:
    if isinstance(default, bool):
        if text.lower() in _YES + _NO:
            return text.lower() in _YES
        raise BadInput(f"option {cut(name)}={shown(text)} is not true or false")
    if isinstance(default, int):
        whole = whole_in(text)
        if whole is None:
            raise BadInput(f"option {cut(name)}={shown(text)} is not a whole number")
        return whole
    return text


def own_seed(seed: int) -> int:
    """A seed that is not for suites.

    Raises:
        BadInput: it is.
    """
    if seed >= SUITE_SEEDS:
        raise BadInput(f"--seed {seed}: must be below {SUITE_SEEDS}; the others are those of the benchmark's deals")
    return seed


def split_specs(together: str) -> list[str]:
    """The specs of agents in a list such as "mcts:sims=200,c=1,greedy", where "c=1" belongs to mcts.

    What together is the name of a file is one spec.
    """
    specs: list[str] = []
    for part in whole_files(together.split(",")):
        if _SETTING.match(part) and specs and ":" in specs[-1]:
            specs[-1] += f",{part}"
        else:
            specs.append(part.strip())
    return specs


def read_numbers(option: str, text: str) -> list[int]:
    """Numbers from "2" or "2,3,4".

    Raises:
        BadInput: the text holds something else; names the option.
    """
    numbers = [whole_in(part) for part in text.split(",")]
    if None in numbers:
        raise BadInput(f"{option} {shown(text)}, must be numbers such as 2 or 2,3,4")
    return [number for number in numbers if number is not None]


def read_time_limits(texts: Iterable[str], agents: Sequence[str]) -> list[float | None]:
    """Seconds per decision by agent, from "SECONDS" (for all agents) and "AGENT=SECONDS"; empty if there are no limits.

    AGENT is a spec or its name without settings, and applies to every agent it matches. It overrides a limit for all.

    Raises:
        BadInput: not a number of seconds, or no such agent.
    """
    for_all: float | None = None
    by_agent: dict[int, float] = {}
    for text in texts:
        name, equals, number = text.rpartition("=")
        seconds = _seconds(text, number)
        if not equals:
            for_all = seconds
            continue
        fits = [index for index, spec in enumerate(agents) if name in (spec, spec.partition(":")[0])]
        if not fits:
            raise BadInput(f"--time {cut(text)}: no agent {shown(name)}; agents: {listed(agents)}")
        by_agent.update(dict.fromkeys(fits, seconds))
    if for_all is None and not by_agent:
        return []
    return [by_agent.get(index, for_all) for index in range(len(agents))]


def _seconds(text: str, number: str) -> float:
    try:
        seconds = float(number)
    except ValueError:
        seconds = 0.0
    if not LEAST_SECONDS <= seconds <= MOST_SECONDS:
        raise BadInput(f"--time {cut(text)}: must be [AGENT=]SECONDS with {LEAST_SECONDS} to {MOST_SECONDS} seconds")
    return seconds
