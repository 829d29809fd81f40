"""PettingZoo's Parallel environment over any game; made for those whose seats choose at the same time.

Every agent acts in every step. Where seats choose at once (`rules.simultaneous`), each of them plays on a copy of the
game, in which it decides as if it were first; then their choices are played in the game itself, in order of seats. All
seats know the number of steps of such a phase when it begins (`Game.simultaneous_steps`): a seat that is done waits,
and learns nothing from how long it waits. Where players take turns, and for seats that are done, the only legal action
is to wait.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from pettingzoo.utils.env import ParallelEnv
from pettingzoo.utils.env_logger import EnvLogger

from ..engine.arguments import ILLEGAL, action_id, check_keywords, check_seat, choice
from ..engine.game import Game, IllegalAction
from ..engine.match import Match
from ..engine.quoting import listed, shown
from .aec import RawAEC, final_info, forfeit
from .observations import AgentSpaces, check_form, in_form, state_of
from .settings import AECSettings

WAIT = "wait"


class RawParallel(AgentSpaces, ParallelEnv):  # type: ignore[misc]
    """A game as a PettingZoo Parallel environment.

    The agents are "player_0", "player_1", ... An observation is a dict of "observation" (in the chosen form) and
    "action_mask" (int8 of shape (num_actions + 1,)). The last action is to wait. For an agent that is not asked it
    is the only legal action, and the agent may be left out of the dict given to `step`; an agent that is asked may not
    wait. `infos` has the mask too, and at the end each agent's "rank" and "points", and "illegal" as in `RawAEC`.

    Games, rewards and options are those of `RawAEC`; the rewards of a step are summed over its decisions.

    Args:
        game: the declaration of the game. One whose players always take turns asks one agent in each step.
        observation: "flat" (int8 vector), "float" (the same as float32), "dict" (int8 arrays by field) or
            "entities" (int8 tables of seats and cards, see `entities`).
        illegal: what an illegal action does: "end" ends the game with reward -1 for the agents that chose one and 0 for
            the others, as in `make_aec`; "raise" raises IllegalAction and changes nothing. A number that is no action
            always raises.
        settings: what `RawAEC` takes.

    Attributes:
        game: the declaration of the game.

    Raises:
        BadOption: an option is unknown or out of its range, in one line that says what is allowed.
    """

    def __init__(self, game: Game, *, observation: str = "flat", illegal: str = "end", **settings: Any) -> None:
        check_keywords(game, settings, AECSettings.__annotations__)
        self.game = game
        self._raises = choice("illegal", illegal, ILLEGAL, of=game.id) == "raise"
        self._form = check_form(game, observation)
        self._aec = RawAEC(game, **settings)
        self.metadata = {**self._aec.metadata, "is_parallelizable": True}
        self.render_mode = self._aec.render_mode
        self.possible_agents = list(self._aec.possible_agents)
        self.agents: list[str] = []
        self._fouls: list[str] = []  # agents whose illegal actions ended the game
        self._wait = self.match.config.num_actions
        self._num_actions = self._wait + 1
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._begin_phase()

    # Playing

    @property
    def match(self) -> Match:
        """The game itself; simultaneous choices appear in it once all have been made."""
        return self._aec.match

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Deal a new game; `seed` and `options` as in `RawAEC.reset`. Returns observations and infos."""
        self._aec.reset(seed, options)
        self.agents = list(self.possible_agents)
        self._fouls = []
        self._begin_phase()
        return self._observations(), self._infos()

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """One action for each agent; agents that are not asked wait.

        Returns:
            Observations, rewards, terminations, truncations and infos of the agents that were there before.

        Raises:
            IllegalAction: with illegal="raise", an action is illegal, or missing for an agent that is asked; or,
                always, there is no such action. Nothing was changed.
            TypeError: an action is not a whole number. Nothing was changed.
            AssertionError: `reset` has not been called, as PettingZoo's OrderEnforcingWrapper tells it.
        """
        if not self.agents and not self._ended:
            EnvLogger.error_step_before_reset()
        if not isinstance(actions, Mapping):
            raise TypeError(f"{self.game.id}: actions are a mapping of agents to their actions, not {shown(actions)}")
        chosen = {agent: action_id(self.game.id, actions.get(agent, self._wait)) for agent in self.agents}
        rewards = dict.fromkeys(self.agents, 0.0)
        fouls = [agent for agent, action in chosen.items() if not self._may(agent, action)]
        if fouls:
            self._punish(fouls, chosen, rewards)
        elif self._copies:
            for agent, action in chosen.items():
                if action != self._wait:
                    self._choose(self._seats[agent], action)
            self._steps_left -= 1
            if self._steps_left <= 0 and not self._asked:
                self._play_choices(rewards)
        else:
            for action in chosen.values():
                if action != self._wait:
                    self._play(action, rewards)
                    self._begin_phase()
        observations, infos = self._observations(), self._infos()
        terminations, truncations = ({agent: done[agent] for agent in self.agents} for done in self._flags())
        if self._ended:
            self.agents = []
        return observations, rewards, terminations, truncations, infos

    def _flags(self) -> tuple[dict[str, bool], dict[str, bool]]:
        """Terminations and truncations."""
        if self._fouls:
            return dict.fromkeys(self.possible_agents, True), dict.fromkeys(self.possible_agents, False)
        return self._aec.terminations, self._aec.truncations

    @property
    def _ended(self) -> bool:
        return any(any(flags.values()) for flags in self._flags())

    def _may(self, agent: str, action: int) -> bool:
        return 0 <= action <= self._wait and bool(self._mask(self._seats[agent])[action])

    def _punish(self, fouls: list[str], chosen: Mapping[str, int], rewards: dict[str, float]) -> None:
        strangers = [agent for agent in fouls if not 0 <= chosen[agent] <= self._wait]
        if self._raises or strangers:
            fouls = strangers or fouls
            agent, action = fouls[0], chosen[fouls[0]]
            legal = listed(self._name(int(other)) for other in np.flatnonzero(self._mask(self._seats[agent])))
            raise IllegalAction(
                f"{self.game.id}: {self._name(action)} of {agent} is not legal now; legal moves: {legal}"
            )
        self._fouls = fouls
        rewards.update(dict.fromkeys(fouls, -1.0))

    def _name(self, action: int) -> str:
        if not 0 <= action <= self._wait:
            return f"action {shown(action)}"
        return WAIT if action == self._wait else self.match.action_to_string(action)

    # In a simultaneous phase, `_copies` has the game of each choosing seat, `_choices` its choices so far, `_asked` the
    # seats still choosing, and `_steps_left` the steps left. Otherwise `_copies` is empty, and only the seat to decide
    # is asked.

    def _begin_phase(self) -> None:
        """Give every seat that chooses in this phase a copy of the game to choose in."""
        self._number, seats = self.match.choosing() if not self._ended else (0, [])
        self._copies: dict[int, Match] = {}
        self._choices: dict[int, list[int]] = {}
        self._asked: list[int] = []
        self._steps_left = self._steps_of_phase() if seats else 0
        for seat in seats:
            copy = self.match.clone()
            if seat != copy.seat:
                if self.game.ask is None:
                    copy.states["seat"] = seat
                else:
                    self.game.ask(copy.state, copy.config, seat)
            self._copies[seat], self._choices[seat] = copy, []
            self._asked.append(seat)

    def _steps_of_phase(self) -> int:
        """How many steps the phase takes, from what all can see."""
        steps = self.game.simultaneous_steps
        return 1 if steps is None else int(steps(self.match.state, self.match.config))

    def _choose(self, seat: int, action: int) -> None:
        """Play a choice in the seat's copy, except its last one, which may end the phase."""
        copy = self._copies[seat]
        after = copy.clone()
        after.play(action)
        self._choices[seat].append(action)
        number, seats = after.choosing()
        if number == self._number and after.seat == seat and seat in seats:
            self._copies[seat] = after
        else:
            self._asked.remove(seat)

    def _play_choices(self, rewards: dict[str, float]) -> None:
        """All seats have chosen: play their choices, up to the next phase."""
        while not self._ended and self.match.choosing()[0] == self._number:
            self._play(self._choices[self.match.seat].pop(0), rewards)
        self._begin_phase()

    def _play(self, action: int, rewards: dict[str, float]) -> None:
        self._aec.advance(action)
        for agent in rewards:
            rewards[agent] += self._aec.rewards[agent]

    # Looking

    def _mask(self, seat: int) -> npt.NDArray[np.int8]:
        """The legal actions of a seat; the last one is to wait."""
        mask = np.zeros(self._num_actions, np.int8)
        if not self._ended and seat in self._asked:
            mask[: self._wait] = self._copies[seat].mask()
        elif not self._ended and not self._copies and seat == self.match.seat:
            mask[: self._wait] = self.match.mask()
        else:
            mask[self._wait] = 1
        return mask

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees; after its last choice, what it saw when it made that choice."""
        seat = self._seats[agent]
        return {"observation": in_form(self.game, self._form, self._vector(seat)), "action_mask": self._mask(seat)}

    def _vector(self, seat: int) -> npt.NDArray[np.int8]:
        return (self._copies.get(seat) or self.match).observe(seat)

    def state(self) -> npt.NDArray[Any]:
        """What all agents see, one after the other, as `RawAEC.state`; for a centralized critic, never for an agent."""
        return state_of(self._form, [self._vector(seat) for seat in range(self.match.players)])

    def _observations(self) -> dict[str, Any]:
        return {agent: self.observe(agent) for agent in self.agents}

    def _infos(self) -> dict[str, dict[str, Any]]:
        finals: dict[str, dict[str, Any]] = self._aec.infos if self._ended else {}
        if self._fouls:
            result = forfeit(self.match, [self._seats[agent] for agent in self._fouls])
            finals = {agent: final_info(result, seat, self.match.players) for agent, seat in self._seats.items()}
        return {
            agent: {**finals.get(agent, {}), "action_mask": self._mask(self._seats[agent])} for agent in self.agents
        }

    def snapshot(self, omniscient: bool = False, *, seat: int | None = None) -> dict[str, Any]:
        """The position as `RawAEC.snapshot`; simultaneous choices appear in it once all have been made."""
        return self._aec.snapshot(omniscient, seat=seat)

    def render(self, seat: int | None = None) -> Any:
        """The position, as `RawAEC.render`.

        Args:
            seat: whose knowledge is shown, including its choices so far; None for what all may see.

        Raises:
            ValueError: no such seat.
        """
        if seat is not None:
            seat = check_seat(self.game.id, seat, self.match.players)
        copy = None if seat is None else self._copies.get(seat)
        return self._aec.render_match(copy or self.match, seat)

    def close(self) -> None:
        """Close the window, if there is one."""
        self._aec.close()
