"""Mistakes of the user, reported in one line."""

from __future__ import annotations

from .command_name import install_command

# top-level module -> the extra that installs it
EXTRAS = {
    **dict.fromkeys(("matplotlib", "pydantic", "rich", "scipy", "typer"), "arena"),
    **dict.fromkeys(("stable_baselines3", "sb3_contrib", "torch", "tensorboard"), "train"),
    **dict.fromkeys(("starlette", "uvicorn", "websockets"), "play"),
    "ray": "cluster",
    **dict.fromkeys(("pyspiel", "open_spiel"), "openspiel"),
    **dict.fromkeys(("jax", "pgx", "pygame", "rlcard"), "peers"),
}


class BadInput(ValueError):
    """A mistake in what the user asked for; the message says in one line what is wrong and what is allowed."""


def missing_extra(error: ModuleNotFoundError, what: str) -> str | None:
    """A line that says which extra `what` needs, or None if the missing module belongs to no extra."""
    extra = EXTRAS.get((error.name or "").partition(".")[0])
    return extra and f"{what} needs the extra {extra!r}: {install_command(extra)}"
