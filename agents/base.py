"""What every agent offers, whatever the game."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Observations = npt.NDArray[np.int8]
Masks = npt.NDArray[np.int8]
Actions = npt.NDArray[np.int32]


class UnknownAgent(ValueError):
    """An agent name or setting that does not exist; the message says what does."""


def check_choice(agent: str, name: str, value: Any, allowed: Sequence[str]) -> None:
    """See that a setting is one of the words allowed.

    Raises:
        UnknownAgent: it is not; lists them.
    """
    if value not in allowed:
        raise UnknownAgent(f"agent {agent!r}: {name}={value!r}, must be one of {', '.join(allowed)}")


def check_range(agent: str, name: str, value: Any, low: float, high: float) -> None:
    """See that a setting is a number in its range.

    Raises:
        UnknownAgent: it is not; tells the range.
    """
    if not isinstance(value, int | float) or not low <= value <= high:
        raise UnknownAgent(f"agent {agent!r}: {name}={value!r}, must be a number from {low:g} to {high:g}")


class Agent(ABC):
    """Chooses one action for each of n games at once; a single game is n = 1.

    Attributes:
        name: how it is called in matches, e.g. "greedy" or "ppo:path=runs/x/policy.npz".
        needs_states: whether `act` is given copies of the games' records, in which everything that the seat to decide
            cannot see has been dealt anew.
        games_at_once: how many games a tournament lets it play side by side. Many serve one that answers for all in one
            call; few suit one that thinks about each: its games end, are saved and are shared among processes sooner.
        preferences: after `act`, how much the agent liked each action, float32 (n, actions), 1 in all; None if it does
            not tell. Networks learn from it.
    """

    name: str = "agent"
    needs_states: bool = False
    games_at_once: int = 256
    preferences: npt.NDArray[np.float32] | None = None

    @abstractmethod
    def act(self, observation: Observations, mask: Masks, states: npt.NDArray[Any] | None = None) -> Actions:
        """Actions for n games, each for the seat to decide there.

        Args:
            observation: int8, shape (n, observation size), as the seat to decide sees its game.
            mask: int8, shape (n, num_actions), 1 for legal.
            states: records, shape (n,), if `needs_states`; the agent may change them.

        Returns:
            int32, shape (n,), each legal.
        """

    def seed(self, seed: int) -> None:
        """Fix the agent's own randomness, which is apart from the games' rng."""
        del seed

    def close(self) -> None:  # noqa: B027  (most agents hold nothing)
        """Let go of what the agent holds, such as a process; it is not asked again."""


class AgentFault(Exception):
    """What an agent did wrong, in words that a reader of the results understands; it loses the game for that."""
