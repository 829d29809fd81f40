"""Reads the specs of agents: `NAME`, `NAME:KEY=VALUE,...` and the path of a policy file."""

from __future__ import annotations

import re
from collections.abc import Collection
from os import PathLike, fspath
from typing import Any

from bdgame_env.engine.quoting import shown
from bdgame_env.engine.user_files import KeptFile, NotRead, is_file, keep
from bdgame_env.engine.values import whole_in

from .base import UnknownAgent
from .external import PROGRAM

Spec = str | PathLike[str]

POLICY_FILE, MODEL_FILE = ".npz", ".zip"
PATH = "path"  # the setting that names a policy file
_SETTING = re.compile(r"\s*[A-Za-z_]\w*=")


class KeptSpec(str):
    """A spec, together with the policy file that it names, so that it means the same in other folders and later.

    Attributes:
        file: the policy file.
    """

    file: KeptFile

    def __new__(cls, spec: str, file: KeptFile) -> KeptSpec:
        kept = super().__new__(cls, spec)
        kept.file = file
        return kept

    def __getnewargs__(self) -> tuple[str, KeptFile]:  # type: ignore[override]
        return str(self), self.file


def names_policy_file(spec: Spec, names: Collection[str]) -> bool:
    """Whether a spec is nothing but the path of a policy or model; a file that exists comes before every other reading.

    Args:
        spec: any spec. Nothing but an agent's name is that agent, also beside a file of that name.
        names: of all agents.
    """
    if not isinstance(spec, str):
        return True
    if spec in names:
        return False
    head = spec.partition(":")[0]
    other = head in names or spec.startswith(PROGRAM) or "=" in spec.removeprefix(head)
    bare = spec.endswith((POLICY_FILE, MODEL_FILE)) and (head == spec or not other)
    return bare or is_file(spec) or (isinstance(spec, KeptSpec) and spec == spec.file)


def kept_spec(spec: Spec, names: Collection[str]) -> str:
    """A spec with the policy file that it names; one that names none, or one that cannot be read, as text.

    Args:
        spec: any spec.
        names: of the agents whose setting `path` is a policy file.
    """
    if isinstance(spec, KeptSpec):
        return spec
    text = fspath(spec)
    path: Any = text
    if not names_policy_file(spec, names):
        head, _, rest = text.partition(":")
        if head not in names:
            return text
        try:
            path = read_settings(text, rest).get(PATH)
        except UnknownAgent:  # `make_agent` will say so
            return text
    try:
        return KeptSpec(text, keep(path)) if path and is_file(path) else text
    except NotRead:
        return text


def read_settings(spec: str, text: str) -> dict[str, Any]:
    """The settings in a spec; numbers are read as such.

    A path may hold commas and "=": `path=` takes all that follows if that is a file, otherwise as much as is one, and
    if none is, what comes before the next KEY=.

    Args:
        spec: for messages.
        text: KEY=VALUE,...

    Raises:
        UnknownAgent: a part is not KEY=VALUE, or a key is given twice.
    """
    settings: dict[str, Any] = {}
    parts = text.split(",")
    while parts:
        key, equals, value = (part := parts.pop(0)).partition("=")
        if not part:
            continue
        if not equals:
            raise UnknownAgent(f"agent {shown(str(spec))}: {shown(part)} is not KEY=VALUE")
        if key in settings:
            raise UnknownAgent(f"agent {shown(str(spec))}: {shown(key)} is given twice")
        if key == PATH:
            count = _parts_of_path(value, parts, spec)
            settings[key], parts = ",".join([value, *parts[:count]]), parts[count:]
            if isinstance(spec, KeptSpec) and settings[key] == spec.file:
                settings[key] = spec.file
        else:
            settings[key] = _value(value)
    return settings


def _parts_of_path(value: str, parts: list[str], spec: str) -> int:
    """How many of the parts after "path=VALUE" still belong to the path."""
    kept = str(spec.file) if isinstance(spec, KeptSpec) else None
    for count in range(len(parts), -1, -1):
        path = ",".join([value, *parts[:count]])
        if path == kept or (kept is None and is_file(path)):
            return count
    return next((count for count, part in enumerate(parts) if _SETTING.match(part)), len(parts))


def _value(text: str) -> int | float | str:
    whole = whole_in(text)
    if whole is not None:
        return whole
    try:
        return float(text)
    except ValueError:
        return text


def whole_files(parts: list[str], separator: str = ",") -> list[str]:
    """Parts of a list, in which those that together are the name of a file are one part again."""
    found: list[str] = []
    while parts:
        counts = range(len(parts), 0, -1)
        count = next((count for count in counts if is_file(separator.join(parts[:count]).strip())), 1)
        found.append(separator.join(parts[:count]))
        parts = parts[count:]
    return found
