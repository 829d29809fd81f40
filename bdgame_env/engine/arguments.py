"""What callers pass besides a game's own options, checked. An error says in one line what is wrong."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from operator import index
from typing import Any

import numpy as np

from .game import BadOption, Game, UnknownOption
from .quoting import shown

ILLEGAL = ("raise", "end")  # what an illegal action does
LARGEST_SEED = 2**128 - 1  # fresh entropy has as many bits


def whole(name: str, value: Any, least: int, most: int, *, of: str = "") -> int:
    """A whole number within a range.

    Args:
        name: the argument's name.
        value: what was passed; Python's and NumPy's integers are whole numbers, truth values and floats are not.
        least: lower bound, inclusive.
        most: upper bound, inclusive.
        of: the game's id for the message, or "".

    Raises:
        BadOption: it is not a whole number or out of range.
    """
    if not is_whole(value) or not least <= value <= most:
        raise _refusal(of, name, value, f"a whole number, {_range(least, most)}")
    return int(value)


def number(name: str, value: Any, least: float = -math.inf, most: float = math.inf, *, of: str = "") -> float:
    """A finite number within a range. Arguments and errors as for `whole`."""
    try:
        fits = (
            isinstance(value, (int, float, np.integer, np.floating))
            and not isinstance(value, bool)
            and math.isfinite(value)
            and least <= value <= most
        )
    except OverflowError:  # a whole number that no float can hold
        fits = False
    if not fits:
        finite = math.isfinite(least) and math.isfinite(most)
        raise _refusal(of, name, value, f"a number from {least:g} to {most:g}" if finite else "a number")
    return float(value)


def switch(name: str, value: Any, *, of: str = "") -> bool:
    """True or False. Arguments and errors as for `whole`."""
    if not isinstance(value, (bool, np.bool_)):
        raise _refusal(of, name, value, "True or False")
    return bool(value)


def check_seed(seed: Any, *, of: str = "") -> None:
    """Check that a seed is None or a whole number from 0 to `LARGEST_SEED`.

    Raises:
        BadOption: it is neither.
    """
    if seed is not None and not (is_whole(seed) and 0 <= seed <= LARGEST_SEED):
        raise _refusal(of, "seed", seed, "None or a whole number, 0 to 2**128 - 1")


def choice(name: str, value: Any, allowed: Sequence[str], *, of: str = "") -> str:
    """One of the allowed words. Arguments and errors as for `whole`."""
    if not isinstance(value, str) or value not in allowed:
        raise _refusal(of, name, value, f"one of {', '.join(map(repr, allowed))}")
    return value


def check_keywords(game: Game, keywords: Iterable[str], settings: Iterable[str]) -> None:
    """Check that each keyword is a setting or an option of the game.

    Args:
        game: the declaration of the game.
        keywords: what was passed.
        settings: what the maker takes besides the game's options.

    Raises:
        UnknownOption: one is neither; in Python's own words, since TorchRL's `GymEnv` looks for them.
    """
    known = [*settings, "players", *game.options]
    for name in keywords:
        if name not in known:
            raise UnknownOption(f"{game.id}: unexpected keyword argument {shown(name)}; allowed: {', '.join(known)}")


def action_id(game_id: str, action: Any) -> int:
    """An action id as a Python integer.

    Raises:
        TypeError: it is not a whole number, such as 1.5, True or None.
    """
    try:
        if not isinstance(action, bool):
            return index(action)
    except TypeError:
        pass
    raise TypeError(f"{game_id}: an action is a whole number, not {shown(action)}")


def is_whole(value: Any) -> bool:
    """Whether a value is an integer of Python or NumPy, but not a boolean."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _range(least: int, most: int) -> str:
    return f"{least} or more" if most >= 2**31 - 1 else f"{least} to {most}"


def _refusal(game_id: str, name: str, value: Any, wanted: str) -> BadOption:
    prefix = f"{game_id}: " if game_id else ""
    return BadOption(f"{prefix}{name}={shown(value)}, must be {wanted}")
