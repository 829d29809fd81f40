"""How one process plays batches of a tournament: the `Job` it is given, and the `BatchRunner` that plays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.agents import Agent, make_agent
from bdgame_env.agents.base import Actions, Masks, Observations
from bdgame_env.agents.program_agent import ProgramAgent
from bdgame_env.engine.game import Game

from .matches import BATCH, GameResult, lost_at_once, play_batch, warm_up
from .seating import Seating

Seatings = Sequence[Seating]
OnStep = Callable[[int], None]

WARM_UP_SECONDS = 60.0  # for an agent with a time limit to load and compile what it needs
_GRACE_SECONDS = 60.0


@dataclass(frozen=True)
class Job:
    """Everything a process needs to play any game of a tournament; can be pickled.

    Attributes:
        game: the game.
        options: the options of its config.
        agents: specs, by index.
        seed: for the agents' random numbers.
        time_limits: seconds per decision by agent, None for no limit.
        memory: bytes that a worker process may allocate; None for no limit.
    """

    game: Game
    options: Mapping[str, Any]
    agents: Sequence[str]
    seed: int
    time_limits: Sequence[float | None]
    memory: int | None = None

    def patience(self, games: int) -> float | None:
        """Seconds without a message after which a process counts as hung; None if an agent has no time limit."""
        limits = [limit for limit in self.time_limits if limit is not None]
        if len(limits) < len(self.time_limits):
            return None
        return 2 * sum(limits) * games + WARM_UP_SECONDS * len(limits) + _GRACE_SECONDS


class BatchRunner:
    """Plays batches in this process."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._config = job.game.config(**job.options)
        self.agents: list[Agent] = []
        try:
            for index in range(len(job.agents)):
                self.agents.append(self._make(index))
        except BaseException:
            self.close()
            raise
        self._warm: set[int] = set()

    def load(self) -> None:
        """Compile the engine's kernels, or load them from the cache, by playing one game."""
        seating = Seating(0, 0, 0, (0,) * self._config.players)
        play_batch(self._job.game, self._config, [_FirstMoves()], [seating])

    def load_agents(self) -> None:
        """As `load`, and this project's own agents too, so that new processes find everything compiled in the cache."""
        self.load()
        for index, agent in enumerate(self.agents):
            if _is_own(agent):
                warm_up(self._job.game, self._config, agent, WARM_UP_SECONDS)
                self._warm.add(index)

    def play(
        self,
        seatings: Seatings,
        on_step: OnStep | None = None,
        on_question: Callable[[GameResult], None] | None = None,
    ) -> tuple[list[GameResult], bool]:
        """The results of one batch, and whether an agent ran out of time and may have left a thread running."""
        seated = {index for seating in seatings for index in seating.agents}
        for index in sorted(seated - self._warm):
            if self._job.time_limits[index] is None:
                continue
            if on_question is not None:
                on_question(lost_at_once(seatings[0], index))
            warm_up(self._job.game, self._config, self.agents[index], WARM_UP_SECONDS)
            self._warm.add(index)
        before = list(self.agents)
        results = play_batch(
            self._job.game,
            self._config,
            self.agents,
            seatings,
            seed=self._job.seed,
            time_limits=self._job.time_limits,
            remake=self._make,
            on_step=on_step,
            on_question=on_question,
        )
        return results, any(one is not other for one, other in zip(before, self.agents, strict=True))

    def close(self) -> None:
        """Close the agents."""
        for agent in self.agents:
            with suppress(Exception):  # there is no game left for it to lose
                agent.close()

    def _make(self, index: int) -> Agent:
        return make_agent(self._job.agents[index], self._job.game, self._config)


class _FirstMoves(Agent):
    needs_states = True

    def act(self, observation: Observations, mask: Masks, states: npt.NDArray[Any] | None = None) -> Actions:
        first: Actions = mask.argmax(1).astype(np.int32)
        return first


def may_play_here(agents: Sequence[Agent]) -> bool:
    """Whether all agents are fast and this project's own, so that games may be played in the main process."""
    return all(_is_own(agent) and agent.games_at_once >= BATCH for agent in agents)


def _is_own(agent: Agent) -> bool:
    """Whether an agent is this project's code, not an outside class or program."""
    own = type(agent).__module__.startswith(Agent.__module__.rpartition(".")[0] + ".")
    return own and not isinstance(agent, ProgramAgent)
