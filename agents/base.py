"""The interface of agents."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.quoting import SENTENCE, cut, listed, shown
from bdgame_env.engine.values import as_number, as_whole

Observations = npt.NDArray[np.int8]
Masks = npt.NDArray[np.int8]
Actions = npt.NDArray[np.int32]


class UnknownAgent(ValueError):
    """An agent name or setting that does not exist; the message says what does."""


def check_choice(agent: str, name: str, value: object, allowed: Sequence[str]) -> None:
    """Check that a setting is one of the allowed words.

    Raises:
        UnknownAgent: it is not; the message lists them.
    """
    if value not in allowed:
        raise UnknownAgent(f"agent {shown(agent)}: {name}={shown(value)}, must be one of {listed(allowed)}")


def check_range(agent: str, name: str, value: object, low: float, high: float) -> None:
    """Check that a setting is a number in its range.

    Raises:
        UnknownAgent: it is not; the message gives the range.
    """
    found = as_number(value)
    if found is None or not low <= found <= high:
        raise UnknownAgent(f"agent {shown(agent)}: {name}={shown(value)}, must be a number from {low:g} to {high:g}")


def check_whole(agent: str, name: str, value: object, low: int, high: int) -> None:
    """Check that a setting is a whole number in its range; errors as in `check_range`."""
    found = as_whole(value)
    if found is None or not low <= found <= high:
        told = f"{name}={shown(value)}, must be a whole number from {low} to {high}"
        raise UnknownAgent(f"agent {shown(agent)}: {told}")


class Agent(ABC):
    """Chooses one action for each of n games at once; a single game is n = 1.

    Attributes:
        name: its name in results, e.g. "greedy" or "ppo:path=runs/x/policy.npz".
        needs_states: whether `act` needs copies of the games' records, determinized for the seat to decide.
        games_at_once: how many games a tournament lets it play side by side: many for an agent that answers for all in
            one call, few for one that searches game by game, so that games end, are saved and are shared among
            processes sooner.
        preferences: after `act`, the agent's preferences among the actions, float32 (n, actions), each row summing to
            1; None if it has none. Networks learn from them.
        values: after `act`, the outcome that the agent expects of each action for the seat that decides, -1 to 1,
            float32 (n, actions), NaN for actions that it did not try; None if it expects nothing.
    """

    name: str = "agent"
    needs_states: bool = False
    games_at_once: int = 256
    preferences: npt.NDArray[np.float32] | None = None
    values: npt.NDArray[np.float32] | None = None

    @abstractmethod
    def act(self, observation: Observations, mask: Masks, states: npt.NDArray[Any] | None = None) -> Actions:
        """Choose an action in each of n games.

        Args:
            observation: int8, shape (n, observation size), each from the view of the seat to decide.
            mask: int8, shape (n, num_actions), 1 for legal.
            states: records, shape (n,), if `needs_states`; the agent may change them.

        Returns:
            int32, shape (n,), each legal.
        """

    def seed(self, seed: int) -> None:
        """Seed the agent's random generator, which is independent of the games'."""
        del seed

    def close(self) -> None:  # noqa: B027  (most agents hold nothing)
        """Release resources such as a process; the agent is not used afterwards."""


class AgentFault(Exception):
    """An agent's mistake, described for a reader of the results in one short line; it loses the game."""

    def __init__(self, why: str) -> None:
        super().__init__(cut(why, SENTENCE) or "gave no reason")

    @classmethod
    def of(cls, error: BaseException, doing: str = "raised") -> AgentFault:
        """The fault of an agent that failed with this error."""
        if isinstance(error, cls):
            return error
        try:
            told = str(error)
        except Exception:  # which is also the agent's
            told = ""
        return cls(f"{doing} {type(error).__name__}: {told}".split("\n", 1)[0])
