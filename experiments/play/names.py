"""What players are called on pages, and the names that they may give themselves."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bdgame_env.engine.quoting import one_line

from .session import HUMAN, Refused, name_of

LONGEST_NAME = 20  # letters
_AGENTS = {
    "heuristic": "rules of thumb",
    "strong-planner": "strong planner",
    "network-planner": "planner with a neural network",
    "mcts": "tree search",
    "ppo": "neural network",
    "az": "tree search with a neural network",
}


def names_of(seats: Sequence[str]) -> list[str]:
    """What pages call the players of seats: people by their names, agents without their settings; no two alike.

    Args:
        seats: as in `Session`, or the names of a record.
    """
    plain = [_plain(seat, number) for number, seat in enumerate(seats, 1)]
    alike = [plain[:place].count(name) for place, name in enumerate(plain)]
    return [
        name if plain.count(name) == 1 else _told_apart(name, number) for name, number in zip(plain, alike, strict=True)
    ]


def _told_apart(name: str, number: int) -> str:
    """A name that several have: short for bots, "bot 3a", as phones have little room for it."""
    return f"{name}{'abcd'[number]}" if re.fullmatch(r"bot \d+", name) else f"{name} ({number + 1})"


def _plain(seat: str, number: int) -> str:
    name = name_of(seat)
    if seat.partition(":")[0] == HUMAN:
        return f"Player {number}" if name == HUMAN else name
    kind, _, settings = name.partition(":")
    return f"bot {settings}" if kind == "level" else kind if "=" in settings else name


def agent_words(spec: str) -> str:
    """What an agent is, for people: "strong planner, 0.5 s per move"."""
    kind, _, settings = spec.partition(":")
    time = re.search(r"\btime=([\d.]+)", settings)
    return _AGENTS.get(kind, _plain(spec, 0)) + (f", {time[1]} s per move" if time else "")


def person(given: object) -> str:
    """The seat of a person who gives a name, or none: "human:NAME" or "human".

    Raises:
        Refused: it cannot be a name.
    """
    if (
        not isinstance(given, str)
        or given != given.strip()
        or given != one_line(given)
        or "\N{ZERO WIDTH SPACE}" in given
    ):
        raise Refused("a name must be one line of visible characters")
    if len(given) > LONGEST_NAME:
        raise Refused(f"a name can have at most {LONGEST_NAME} characters; this one has {len(given)}")
    return f"{HUMAN}:{given}" if given else HUMAN
