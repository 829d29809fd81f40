"""What callers pass besides a game's own options, checked. An error says in one line what is wrong."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from .game import BadOption, Game, NoAction, UnknownOption
from .quoting import listed, shown
from .values import as_number, as_switch, as_whole

ILLEGAL = ("raise", "end")  # what an illegal action does
LARGEST_SEED = 2**128 - 1  # fresh entropy has as many bits


def whole(name: str, value: object, least: int, most: int, *, of: str = "") -> int:
    """A whole number within a range.

    Args:
        name: the argument's name.
        value: what was passed; see `values` for what is a whole number.
        least: lower bound, inclusive.
        most: upper bound, inclusive.
        of: the game's id for the message, or "".

    Raises:
        BadOption: it is not a whole number or out of range.
    """
    found = as_whole(value)
    if found is None or not least <= found <= most:
        raise _refusal(of, name, value, f"a whole number, {_range(least, most)}")
    return found


def number(name: str, value: object, least: float = -math.inf, most: float = math.inf, *, of: str = "") -> float:
    """A finite number within a range. Arguments and errors as for `whole`."""
    found = as_number(value)
    try:
        if found is not None and math.isfinite(found) and least <= found <= most:
            return float(found)
    except OverflowError:  # a whole number that no float can hold
        pass
    finite = math.isfinite(least) and math.isfinite(most)
    raise _refusal(of, name, value, f"a number from {least:g} to {most:g}" if finite else "a number")


def switch(name: str, value: object, *, of: str = "") -> bool:
    """True or False. Arguments and errors as for `whole`."""
    found = as_switch(value)
    if found is None:
        raise _refusal(of, name, value, "True or False")
    return found


def check_seed(seed: object, *, of: str = "") -> int | None:
    """A seed: None or a whole number from 0 to `LARGEST_SEED`.

    Raises:
        BadOption: it is neither.
    """
    if seed is None:
        return None
    found = as_whole(seed)
    if found is None or not 0 <= found <= LARGEST_SEED:
        raise _refusal(of, "seed", seed, "None or a whole number, 0 to 2**128 - 1")
    return found


def check_seat(game_id: str, seat: object, players: int) -> int:
    """A seat in play.

    Raises:
        BadOption: there is no such seat.
    """
    found = as_whole(seat)
    if found is None or not 0 <= found < players:
        raise BadOption(f"{game_id}: no seat {shown(seat)}; seats are 0 to {players - 1}")
    return found


def choice(name: str, value: object, allowed: Sequence[str], *, of: str = "") -> str:
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
            raise UnknownOption(f"{game.id}: unexpected keyword argument {shown(name)}; allowed: {listed(known)}")


def action_id(game_id: str, action: object) -> int:
    """An action id as a Python integer.

    Raises:
        NoAction: it is not a whole number, such as 1.5, True or None.
    """
    found = as_whole(action)
    if found is None:
        raise NoAction(f"{game_id}: an action is a whole number, not {shown(action)}")
    return found


def _range(least: int, most: int) -> str:
    return f"{least} or more" if most >= 2**31 - 1 and least > -(2**31) else f"{least} to {most}"


def _refusal(game_id: str, name: str, value: object, wanted: str) -> BadOption:
    prefix = f"{game_id}: " if game_id else ""
    return BadOption(f"{prefix}{name}={shown(value)}, must be {wanted}")
