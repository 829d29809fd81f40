"""What a network remembers of the networks that it began with or that taught it, in the meta data of its file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bdgame_env.agents.networks import Policy


def origin_of(policy: Policy) -> dict[str, Any]:
    """What to remember of a policy that another one begins with or learns from: "decisions", "command", and what it
    began with and who taught it.
    """
    run, meta = policy.meta.get("run"), policy.meta
    command = run.get("command") if isinstance(run, dict) else None
    origin = {"decisions": meta.get("decisions"), "command": command}
    return origin | {name: meta[name] for name in ("start", "teachers") if name in meta}


def earlier_runs(policy: Policy) -> Iterator[str]:
    """A line for each network that this one began with, the latest first, with those that taught it or them."""
    origin: Any = policy.meta
    while isinstance(origin, dict):
        teachers = origin.get("teachers")
        for teacher in teachers if isinstance(teachers, list) else ():
            yield f"Taught by the network of {_line(teacher)}"
        origin = origin.get("start")
        if isinstance(origin, dict):
            yield f"Began with the network of {_line(origin)}"


def _line(origin: Any) -> str:
    facts = origin if isinstance(origin, dict) else {}
    decisions = facts.get("decisions")
    count = f"{decisions:,}" if isinstance(decisions, int) else "an unknown number of"
    return f"`{facts.get('command') or 'an unknown command'}`, {count} decisions"
