"""Players for every game: `make_agent("greedy", game, config)` gives one by name. Imported as `bdgame_env.agents`."""

from __future__ import annotations

from .base import Agent, UnknownAgent
from .registry import agent_names, make_agent, register_agent

__all__ = ["Agent", "UnknownAgent", "agent_names", "make_agent", "register_agent"]
