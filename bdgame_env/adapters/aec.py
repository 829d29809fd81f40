"""PettingZoo's turn-based (AEC) environment over any game."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import logger
from pettingzoo.utils.env import AECEnv, AECIterable

from ..engine.arguments import action_id, check_keywords, check_seat, check_seed, number, whole
from ..engine.codes import NO_LIMIT, REFUSED, WAS_CUT
from ..engine.forks import Origin
from ..engine.game import BadOption, BadSnapshot, Game, IllegalAction
from ..engine.loop_builder import loops_of
from ..engine.loop_records import PlaySettings
from ..engine.match import Match
from ..engine.quoting import listed, shown
from ..engine.rewards import RewardScheme
from ..engine.rng import game_seed
from ..engine.saved_states import mark_of, seal, unseal_more
from .aec_wrapper import CheckedAEC
from .observations import AgentSpaces, check_form, in_form, state_of
from .rendering import RENDER_FPS, RENDER_MODES, Renderer
from .settings import AECSettings, RawAECSettings

_NOBODY = -1


class _Course:
    """What changes in play besides the match: PettingZoo's attributes, and where the sequence of games stands.

    `get_state` saves all of it, and every copy has its own.
    """

    agents: list[str]
    agent_selection: str
    rewards: dict[str, float]
    _cumulative_rewards: dict[str, float]
    terminations: dict[str, bool]
    truncations: dict[str, bool]
    _skip_agent_selection: str | None
    _result: list[int] | None
    _seed: int
    _deals: int

    def _course(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in _Course.__annotations__}


class _Buffers:
    """Arrays that the loops of a game read and write, and the calls that do so; one set for each environment."""

    def __init__(self, match: Match, settings: npt.NDArray[Any]) -> None:
        game, games, config = match.game, match.states, match.offered
        loops = loops_of(game)
        self.actions = settings["action"]
        self.vector = np.zeros(game.obs.itemsize, np.int8)
        masks = np.zeros((1, config.num_actions), np.int8)
        self.mask = masks[0]
        self.payments = np.zeros((1, match.players))
        self.finals = np.zeros((1, 2 * match.players + 1), np.int32)
        lent = (games, config.record, self.vector.view(game.obs), masks)
        self.look: Callable[[], None] = partial(loops.look_games, *lent, 0, 1)
        self.play: Callable[[], int] = partial(loops.play_match, *lent, self.payments, self.finals, settings)


def final_info(result: Sequence[int], seat: int, players: int) -> dict[str, Any]:
    """What a seat learns of a result: points and ranks by seat, and who is an offender if `forfeit` made it."""
    points, rank, *illegal = result[seat::players]
    return {"points": points, "rank": rank, **({"illegal": bool(illegal[0])} if illegal else {})}


def forfeit(match: Match, offenders: Sequence[int]) -> list[int]:
    """The result of a game that illegal actions of these seats ended: points, ranks, who is an offender, by seat."""
    illegal = [int(seat in offenders) for seat in range(match.players)]
    last = match.players - len(offenders) + 1
    return [*match.points(), *(last if one else 1 for one in illegal), *illegal]


class RawAEC(_Course, AgentSpaces, AECEnv):  # type: ignore[misc]
    """A game as a PettingZoo AEC environment, without PettingZoo's wrappers; `make_aec` adds those.

    The agents are "player_0", "player_1", ... An observation is a dict of "observation" (in the chosen form) and
    "action_mask" (int8 of shape (num_actions,), all zero for seats that are not to decide). `infos` has the mask too,
    and at the end each seat's "rank" and "points". If an illegal action ended the game, they also have "illegal", True
    for the seat that chose it; that seat is last, and the others share the first rank. Observations and infos are fresh
    arrays at every decision.

    The first game takes fresh entropy. After `reset(seed=s)`, game k (from 0) is that of `Match(seed=s, match=k)`,
    whatever was played before.

    Args:
        game: the declaration of the game.
        render_mode: "ansi" (`render` returns a text), "rgb_array" (it returns pixels), "human" (a window shows every
            decision) or None.
        reward: "rank" (zero-sum by rank at the end), "win", or "points" (rank plus shaping on the point lead).
        shaping: size of the potential for "points".
        shaping_gamma: discount of the potential, per decision of whichever seat.
        max_cycles: number of decisions after which the game is truncated and the seats are paid by their current
            ranks; None for no limit.
        observation: "flat" (int8 vector), "float" (the same as float32), "dict" (int8 arrays by field) or
            "entities" (int8 tables of seats and cards, see `entities`).
        options: `players` and the game's own options.

    Attributes:
        game: the declaration of the game.
        match: the game itself; read it, but play through the environment.

    Raises:
        BadOption: an option is unknown or out of its range, in one line that says what is allowed.
        ModuleNotFoundError: render_mode="human" needs the extra `render`, which is not installed.
    """

    def __init__(
        self,
        game: Game,
        *,
        render_mode: str | None = None,
        reward: str = "rank",
        shaping: float = 1.0,
        shaping_gamma: float = 1.0,
        max_cycles: int | None = None,
        observation: str = "flat",
        **options: Any,
    ) -> None:
        super().__init__()
        check_keywords(game, options, RawAECSettings.__annotations__)
        self.game = game
        self.match = Match(game, seed=0, **options)
        self.metadata = {
            "name": f"{game.name}_v{game.version}",
            "render_modes": list(RENDER_MODES),
            "render_fps": RENDER_FPS,
            "is_parallelizable": False,
        }
        self._renderer = None if render_mode is None else Renderer(game, render_mode)
        self.render_mode = render_mode
        self.max_cycles = None if max_cycles is None else whole("max_cycles", max_cycles, 1, 2**31 - 1, of=game.id)
        scheme = RewardScheme.of(reward, game)
        self._shaped = scheme == RewardScheme.POINTS
        self._settings = np.zeros(1, PlaySettings.dtype)
        settings = self._settings[0]
        settings.scheme, settings.shaping = scheme, number("shaping", shaping, of=game.id)
        settings.gamma = number("shaping_gamma", shaping_gamma, 0, 1, of=game.id)
        self._form = check_form(game, observation)
        self.possible_agents = [f"player_{seat}" for seat in range(self.match.players)]
        self._num_actions = self.match.config.num_actions
        self._sequence(None)
        self._shown = False  # whether the window follows the game: from the first reset on that is asked for
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._no_moves = np.zeros(self._num_actions, np.int8)
        self._buffers = _Buffers(self.match, self._settings)
        self.reset()
        self._shown = render_mode == "human"

    # Starting

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Deal a new game.

        Args:
            seed: starts a new sequence of games; None deals the next game of the sequence. In the child of a fork a
                sequence that began with fresh entropy begins anew.
            options: {"game_seed": number} deals the game of that seed (`match.game_seed`); other keys are ignored.

        Raises:
            BadOption: the seed or the game seed is not valid; nothing was changed.
        """
        seed = check_seed(seed, of=self.game.id)
        if not isinstance(options, (Mapping, type(None))):
            raise BadOption(f"{self.game.id}: options={shown(options)}, must be None or a mapping")
        chosen = (options or {}).get("game_seed")
        if chosen is not None:
            chosen = whole("game_seed", chosen, 0, 2**64 - 1, of=self.game.id)
        if seed is not None or self._origin.is_parents():
            self._sequence(seed)
        self.match.deal(game_seed(self._seed, self._deals) if chosen is None else chosen)
        self._deals += 1
        self._begin()

    def _sequence(self, seed: int | None) -> None:
        """Begin a sequence of games."""
        self._seed = int(np.random.SeedSequence(seed).entropy)  # type: ignore[arg-type]
        self._origin, self._deals = Origin(seed), 0

    def from_snapshot(self, data: Mapping[str, Any]) -> None:
        """Load the position of an omniscient snapshot of a game with the same options; rewards start at 0.

        Raises:
            BadSnapshot: in one line, what is wrong with the data, or which option differs.
        """
        own = self.match.offered.options
        wanted = self.game.position.options_of_snapshot(data) if isinstance(data, Mapping) else {}
        for name, value in wanted.items():
            if own.get(name) != value:
                told = f"{shown(value)}, but this environment has {shown(own.get(name))}"
                raise BadSnapshot(f"snapshot: {name} is {told}")
        self.match.states[0] = Match.from_snapshot(self.game, data, **own).states[0]
        self._begin()

    def _begin(self) -> None:
        """Start counting and paying at the match's position."""
        agents = self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self._skip_agent_selection = None
        self._settings[0].decisions_left = self.max_cycles or NO_LIMIT
        self._result = None
        self.agent_selection = agents[self.match.seat]
        if self.match.over:
            self._end(self.match.points() + self.match.ranks(), self.match.truncated)
        self._refresh()
        if self._renderer is not None:
            self._renderer.begin()
        if self._shown:
            self.render()

    def _refresh(self) -> None:
        """Update everything that follows from the position and the flags: mask, observation, seat, infos."""
        self._buffers.look()
        self.infos: dict[str, dict[str, Any]] = {}
        if not self.agents or not self._seat_in_turn():
            self._nobody_moves()
            return
        self._seat = self.match.seat
        for agent in self.agents:
            self.infos[agent] = {"action_mask": self._no_moves.copy()}
        self.infos[self.agent_selection] = {"action_mask": self._buffers.mask.copy()}

    # Playing

    def step(self, action: Any) -> None:
        """Carry out a decision of `agent_selection`, or remove a seat that is done (action None).

        Raises:
            IllegalAction: the action is not legal; names the move, the rule and the legal moves. Nothing was changed.
            TypeError: the action is not a whole number.
            ValueError: an action other than None for a seat that is done.
        """
        if not self.agents:
            raise IllegalAction(f"{self.game.id}: the game is over; reset() deals a new one")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
        elif not self.advance(action):
            name = self.action_to_string(action)
            rule, legal = self.game.actions.rule_of(name), listed(self.legal_moves())
            raise IllegalAction(f"{self.game.id}: {name!r} is not legal now ({rule}); legal moves: {legal}")

    def advance(self, action: Any) -> bool:
        """Carry out a decision of `agent_selection` if it is legal, and say whether it was.

        Raises:
            TypeError: the action is not a whole number.
        """
        chosen = action if type(action) is int else action_id(self.game.id, action)
        buffers = self._buffers
        if not 0 <= chosen < len(buffers.mask):
            return False
        buffers.actions[0] = chosen
        told = self.match.told_to_all(chosen) if self._renderer is not None and buffers.mask[chosen] else {}
        mover, seat = self._seat, buffers.play()
        if seat == REFUSED:
            return False
        agent = self.agent_selection
        self._cumulative_rewards[agent] = 0.0
        if seat >= 0:
            if self._shaped:
                self._pay()
            if seat != self._seat:
                self.infos[agent] = {"action_mask": self._no_moves.copy()}
                self._seat = seat
                self.agent_selection = agent = self.agents[seat]
            self.infos[agent] = {"action_mask": buffers.mask.copy()}
        else:
            self._pay()
            self._end(buffers.finals[0].tolist()[:-1], seat == WAS_CUT)
        if self._renderer is not None:
            self._renderer.note(mover, told)
            if self._shown:
                self.render()
        return True

    def refuses(self, action: int) -> bool:
        """Whether this is an action that `agent_selection`, which is to decide, may not take now."""
        mask = self._buffers.mask
        return self.awaits_action and 0 <= action < len(mask) and not mask[action]

    @property
    def awaits_action(self) -> bool:
        """Whether a seat is to decide, rather than one that is done and waits to be removed."""
        return self._seat != _NOBODY

    def _pay(self) -> None:
        cumulative = self._cumulative_rewards
        for agent, reward in zip(self.agents, self._buffers.payments[0].tolist(), strict=True):
            self.rewards[agent] = reward
            cumulative[agent] += reward

    def _end(self, result: list[int], truncated: bool) -> None:
        """End the game for all seats; `result` holds points and ranks."""
        self._result = result
        flags = self.truncations if truncated else self.terminations
        flags.update(dict.fromkeys(self.agents, True))
        self._deads_step_first()

    def _deads_step_first(self) -> str:
        """Select the seats that are done first; PettingZoo's TerminateIllegalWrapper calls this too."""
        if self._result is None:
            self._result = forfeit(self.match, [self._seats[self.agent_selection]])
        self._nobody_moves()
        agent: str = super()._deads_step_first()
        return agent

    def _seat_in_turn(self) -> bool:
        """Whether a seat is to decide, rather than one that is done and waits to be removed."""
        return not (any(self.terminations.values()) or any(self.truncations.values()))

    def _nobody_moves(self) -> None:
        self._seat = _NOBODY
        self._buffers.mask[:] = 0
        self.infos = {agent: self._final_info(agent) for agent in self.agents}

    def _final_info(self, agent: str) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": self._no_moves.copy()}
        if self._result is not None:
            info |= final_info(self._result, self._seats[agent], self.match.players)
        return info

    def play(self, move: str | int) -> None:
        """Play a move of `agent_selection`, in notation or by id.

        Raises:
            IllegalAction: it is not legal; names the move, the rule and the legal moves. Nothing was changed.
        """
        if self._seat == _NOBODY:
            raise IllegalAction(f"{self.game.id}: {shown(move)} is not legal now: the game is over")
        self.step(self.string_to_action(move) if isinstance(move, str) else move)

    # Looking

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees: "observation" in the form chosen, and "action_mask", all zero if it is not to decide.

        Raises:
            KeyError: no such agent.
        """
        seat = self._seats[agent]
        if seat == self._seat:
            vector, mask = self._buffers.vector.copy(), self._buffers.mask.copy()
        else:
            vector, mask = self.match.observe(seat), self._no_moves.copy()
        if self._form == "flat":
            return {"observation": vector, "action_mask": mask}
        return {"observation": in_form(self.game, self._form, vector), "action_mask": mask}

    def state(self) -> npt.NDArray[Any]:
        """What all seats see, one after the other: for a centralized critic, not for an agent, as it tells all hands.

        Returns:
            The vectors of the form "flat" (int8), or of "float" (float32) in that form, in order of seats: shape
            (players * size,).
        """
        return state_of(self._form, [self.match.observe(seat) for seat in range(self.match.players)])

    def last(self, observe: bool = True) -> tuple[dict[str, Any] | None, float, bool, bool, dict[str, Any]]:
        """Observation, reward since its last decision, terminated, truncated and info of `agent_selection`."""
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def agent_iter(self, max_iter: int = 2**63) -> AECIterable:
        """The agents in the order in which they decide; the loop must step each of them."""
        return _Turns(self, max_iter)

    def legal_moves(self) -> list[str]:
        """The legal moves of `agent_selection` in notation, by id; none when the game is over."""
        names = self.match.action_names
        return [names[action] for action in self._buffers.mask.nonzero()[0].tolist()]

    def action_to_string(self, action: int) -> str:
        """The notation of an action id.

        Raises:
            IllegalAction: there is no such id.
        """
        return self.match.action_to_string(action)

    def string_to_action(self, move: str) -> int:
        """The id of a move in notation.

        Raises:
            IllegalAction: it is not in the notation of this game and its options.
        """
        return self.match.string_to_action(move)

    def snapshot(self, omniscient: bool = False, *, seat: int | None = None) -> dict[str, Any]:
        """The position as plain JSON data; without `omniscient` only what all may see, or what the seat may see.

        Raises:
            ValueError: no such seat.
        """
        return self.match.snapshot(omniscient, seat=seat)

    def render(self, seat: int | None = None) -> Any:
        """The position: text for "ansi", pixels (uint8, shape (height, width, 3)) for "rgb_array"; "human" shows it.

        Args:
            seat: whose knowledge is shown; None for what all may see.

        Raises:
            ValueError: no such seat.
            ModuleNotFoundError: pixels need the extra `render`, which is not installed.
        """
        return self.render_match(self.match, seat)

    def render_match(self, match: Match, seat: int | None) -> Any:
        """`render` of another match in place of the game's, such as a copy in which a seat has already chosen."""
        if self._renderer is None:
            logger.warn("render() does nothing: the environment was made without a render_mode.")
            return None
        return self._renderer.render(match, seat)

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._renderer is not None:
            self._renderer.close()

    # Exact copies

    def get_state(self) -> bytes:
        """Everything that determines how play continues, including the sequence of games, sealed (`saved_states`)."""
        course = {**self._course(), "decisions_left": int(self._settings[0].decisions_left)}
        told = json.dumps(course, default=_plain).encode()
        return seal(self.game, mark_of(self.game, self.match.offered), self.match.states.tobytes(), told)

    def set_state(self, state: bytes) -> None:
        """Continue exactly from `get_state` of an environment of the same game and options.

        Raises:
            ValueError: in one line: the state is of another game or of other options, or it was changed. The
                environment is left as it was.
        """
        record, told = unseal_more(self.game, mark_of(self.game, self.match.offered), state)
        course = json.loads(told)
        self.match.states[:] = np.frombuffer(record, self.game.state)
        self._settings[0].decisions_left = course.pop("decisions_left")
        self.__dict__.update(course)
        self._origin = Origin(self._seed)
        self._refresh()
        if self._renderer is not None:
            self._renderer.begin()

    def clone(self, *, determinize: int | None = None, seed: int | None = None) -> RawAEC:
        """An independent copy that plays on in the same way, with its own spaces.

        Args:
            determinize: a seat; the copy samples everything that it does not know and all future chance, and the log
                shown by `render` keeps what that seat learned.
            seed: for the sample; None takes fresh entropy.

        Raises:
            BadOption: no such seat, or the seed is not valid.
        """
        seed = check_seed(seed, of=self.game.id)
        if determinize is not None:
            determinize = check_seat(self.game.id, determinize, self.match.players)
        twin = type(self).__new__(type(self))
        cached = vars(AgentSpaces)  # spaces, which no two environments share
        twin.__dict__.update({name: value for name, value in vars(self).items() if name not in cached})
        twin.__dict__.update({name: copy(value) for name, value in self._course().items()})
        twin.match = self.match.clone(determinize=determinize, seed=seed)
        twin._renderer, twin._settings = copy(self._renderer), self._settings.copy()
        if determinize is not None:
            twin._sequence(seed)  # the true one would give away what is hidden
            twin._deals = 1
            if twin._renderer is not None:
                twin._renderer.forget_others(determinize)
            if twin.agents and not twin.match.over and twin._seat_in_turn():
                twin.agent_selection = twin.agents[twin.match.seat]
        twin._buffers = _Buffers(twin.match, twin._settings)
        twin._refresh()
        return twin

    def __copy__(self) -> RawAEC:
        return self.clone()

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_buffers": None}  # pickled views would no longer be views

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._buffers = _Buffers(self.match, self._settings)
        self._refresh()


class _Turns(AECIterable):  # type: ignore[misc]
    """A faster AECIterable."""

    def __iter__(self) -> Iterator[str]:
        env, left = self.env, self.max_iter
        while left > 0 and env.agents:
            left -= 1
            yield env.agent_selection


def _plain(value: Any) -> Any:
    """A number of NumPy's, which a wrapper may have put among rewards and flags, as Python's."""
    return value.item()


def make_aec(game: Game, *, illegal: str = "end", **kwargs: Any) -> CheckedAEC:
    """A game as a PettingZoo AEC environment in PettingZoo's usual wrappers.

    Args:
        game: the declaration of the game.
        illegal: what an illegal action does: "end" ends the game with reward -1 for the seat that chose it and 0 for
            the others, as in PettingZoo's own board games; "raise" raises IllegalAction and changes nothing.
        kwargs: what `RawAEC` takes: `render_mode`, `reward`, `shaping`, `shaping_gamma`, `max_cycles`,
            `observation`, `players` and the game's own options.

    Raises:
        BadOption: in one line, what is wrong and what is allowed.
    """
    check_keywords(game, kwargs, AECSettings.__annotations__)
    return CheckedAEC(RawAEC(game, **kwargs), illegal=illegal)


def aec_from_snapshot(game: Game, data: Mapping[str, Any], **kwargs: Any) -> CheckedAEC:
    """`make_aec` at the position of an omniscient snapshot, with the options the snapshot was made with.

    Args:
        game: the game the snapshot is of.
        data: what `snapshot(omniscient=True)` gave.
        kwargs: as for `make_aec`, and options that a snapshot does not carry, such as a card file of your own.

    Raises:
        BadSnapshot, BadOption: in one line, what is wrong with the data.
    """
    options = game.position.options_of_snapshot(data) if isinstance(data, Mapping) else {}
    env = make_aec(game, **{**options, **kwargs})
    env.from_snapshot(data)
    return env
