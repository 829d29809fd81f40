"""What a network remembers of the network that its training began with, in the meta data of its policy file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bdgame_env.agents.networks import Policy


def origin_of(policy: Policy) -> dict[str, Any]:
    """What to remember of a policy that another one begins with: "decisions", "command", and what it began with."""
    run = policy.meta.get("run")
    command = run.get("command") if isinstance(run, dict) else None
    return {"decisions": policy.meta.get("decisions"), "command": command, "start": policy.meta.get("start")}


def earlier_runs(policy: Policy) -> Iterator[str]:
    """A line for each network that led to this one, the latest first."""
    origin = policy.meta.get("start")
    while isinstance(origin, dict):
        decisions = origin.get("decisions")
        count = f"{decisions:,}" if isinstance(decisions, int) else "an unknown number of"
        yield f"`{origin.get('command') or 'an unknown command'}`, {count} decisions"
        origin = origin.get("start")
