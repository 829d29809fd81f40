"""Decks as plain data: the paths of their entries, and their text as a card file. Knows no game."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from copy import deepcopy
from fnmatch import fnmatchcase
from typing import Any

from bdgame_env.engine.designing import Deck

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def entries(data: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """All entries with their paths: numbers and texts, and tables around them.

    Keys are joined by dots; the key of a table in a list is the first text in it, or its number if there is none.
    """
    if path:
        yield path, data
    if isinstance(data, dict):
        keys: list[Any] = list(data)
    elif isinstance(data, list):
        keys = list(range(len(data)))
    else:
        return
    for key in keys:
        yield from entries(data[key], f"{path}.{_key(data, key)}" if path else _key(data, key))


def _key(data: Any, key: Any) -> str:
    if isinstance(data, list) and isinstance(data[key], dict):
        return next((value for value in data[key].values() if isinstance(value, str)), str(key))
    return str(key)


def matches(path: str, pattern: str) -> bool:
    """Whether a path fits a pattern such as "special.*.cost", in which * stands for any key."""
    keys, patterns = path.split("."), pattern.split(".")
    return len(keys) == len(patterns) and all(map(fnmatchcase, keys, patterns))


def value_at(deck: Deck, path: str) -> Any:
    """The entry at a path.

    Raises:
        KeyError: there is none.
    """
    found: Any = deck
    for key in path.split("."):
        found = found[_place(found, key)]
    return found


def changed(deck: Deck, path: str, value: object) -> Deck:
    """A copy with another value at a path."""
    copy = deepcopy(deck)
    *outer, last = path.split(".")
    inside: Any = copy
    for key in outer:
        inside = inside[_place(inside, key)]
    inside[_place(inside, last)] = deepcopy(value)
    return copy


def _place(data: Any, key: str) -> Any:
    if isinstance(data, list):
        for place in range(len(data)):
            if _key(data, place) == key:
                return place
    elif isinstance(data, dict) and key in data:
        return key
    raise KeyError(key)


def text_of(deck: Deck, title: str = "") -> str:
    """A deck as the text of a card file in TOML; `title` becomes its first line, a comment."""
    lines = [f"# {title}"] if title else []
    lines += [f"{_name(key)} = {_value(value)}" for key, value in deck.items() if not _is_table(value)]
    for key, value in deck.items():
        for table in value if isinstance(value, list) and _is_table(value) else [value] if _is_table(value) else []:
            head = f"[[{_name(key)}]]" if isinstance(value, list) else f"[{_name(key)}]"
            lines += ["", head, *(f"{_name(name)} = {_value(inner)}" for name, inner in table.items())]
    return "\n".join(lines).lstrip() + "\n"


def _is_table(value: object) -> bool:
    return isinstance(value, dict) or (
        isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)
    )


def _name(key: str) -> str:
    return key if _BARE.fullmatch(key) else json.dumps(key)


def _value(value: object) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_name(key)} = {_value(inner)}" for key, inner in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    return json.dumps(value)  # numbers, texts and truths read the same in both
