"""Gymnasium environment over any game: one learner; opponents play the other seats inside the environment."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from ..engine.arguments import action_id, check_seat, check_seed
from ..engine.codes import RUNNING, TERMINATED, TRUNCATED
from ..engine.game import BadOption
from ..engine.learner import LearnerBatch
from ..engine.match import Match
from ..engine.quoting import shown
from .learner_games import LearnerGames, Resolver, in_play
from .remaking import Remade
from .rendering import RENDER_FPS, RENDER_MODES, Renderer, check_mode

LIST = "_list"
LIST_MODES = ("ansi" + LIST, "rgb_array" + LIST)
GYM_MODES = (*RENDER_MODES, *LIST_MODES)


class LegalActions(spaces.Discrete[np.int64]):
    """The actions of a game; `sample()` without a mask draws among those that are legal now.

    A copy, such as the one in a saved policy, is a plain `Discrete`.

    Args:
        mask: int8 of shape (num_actions,), kept up to date by the environment.
    """

    def __init__(self, mask: npt.NDArray[np.int8]) -> None:
        super().__init__(len(mask))
        self._mask = mask

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        """One action; see `Discrete.sample`."""
        if mask is None and probability is None:
            mask = self._mask
        return super().sample(mask, probability)

    def __reduce__(self) -> tuple[Any, ...]:
        return spaces.Discrete, (int(self.n), self._np_random)


class LearnerEnv(Remade, LearnerGames, gymnasium.Env[Any, Any]):
    """One learner's games as a Gymnasium environment; a step lasts until the learner is to decide again.

    Args:
        batch: a batch of one game, without autoreset.
        observation: "flat" (int8, shape (size,)), "float" (the same numbers as float32), "dict" (int8 arrays by field
            of the game's schema, sharing memory, and "action_mask"), or "entities" (int8 tables of seats and cards,
            see `entities`, and "action_mask").
        resolve: turns the argument of `set_opponents` into opponents; None accepts `Opponent` objects only.
        render_mode: "ansi" (`render` returns a text), "rgb_array" (it returns pixels), "ansi_list" or "rgb_array_list"
            (it returns those of the reset and every step since, and forgets them), "human" (a window shows every step)
            or None. It shows what the learner may see, and the learner's own latest moves.

    `info` holds "action_mask" (int8, shape (num_actions,); all zero when the game is over) and, at the end of a game,
    "final": its points and ranks by seat, the learner's seat, the line-up, the number of decisions and whether an
    illegal action ended it (`LearnerBatch.result`). Rewards include what others do after the learner's decision.
    Observations and infos are fresh arrays at every step.

    With a batch of illegal="end", every action of the action space may be taken, as Gymnasium's checks do: one that is
    not legal terminates the game with reward -1. Shaping is taken back, so that the return is -1 as well.

    A game that its round limit ends is `truncated` but still pays by rank: a learner that bootstraps from truncated
    games would count their outcome twice.

    `copy.deepcopy` and `pickle` give environments that play on in the same way.

    Attributes:
        game: the declaration of the game.
        batch: the games; read them, but play through the environment.

    Raises:
        BadOption: `batch` is not of one game without autoreset, or there is no such form of observation or mode.
        ModuleNotFoundError: render_mode="human" needs the extra `render`, which is not installed.
    """

    action_space: spaces.Discrete[np.int64]

    def __init__(
        self,
        batch: LearnerBatch,
        *,
        observation: str = "flat",
        resolve: Resolver | None = None,
        render_mode: str | None = None,
    ) -> None:
        if batch.num_games != 1 or batch.autoreset:
            raise BadOption(f"{batch.game.id}: LearnerEnv needs a batch of one game with autoreset=False")
        self._hold(batch, observation, resolve)
        self.metadata = {"render_modes": list(GYM_MODES), "render_fps": RENDER_FPS}
        check_mode(batch.game, render_mode, GYM_MODES)
        self.render_mode = render_mode
        self._renderer = Renderer(batch.game, render_mode.split(LIST)[0]) if render_mode else None
        self._frames: list[Any] = []
        self._match = Match(batch.game, seed=0, **batch.config.options)
        self.observation_space = self._space()
        self.action_space = LegalActions(batch.mask[0])

    # Gymnasium

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Deal a new game and play up to the learner's first decision.

        Args:
            seed: deals the game of `Match(seed=seed)` and starts a new stream of games; None continues the current
                stream.
            options: None or empty; opponents change by `set_opponents`.

        Raises:
            BadOption: there are options.
        """
        if options:
            raise BadOption(f"{self.game.id}: reset takes no options, not {shown(options)}")
        seed = check_seed(seed, of=self.game.id)
        super().reset(seed=seed)
        if seed is not None:
            self.batch.seed(seed)
        self.batch.reset()
        if self._renderer is not None:
            self._renderer.begin()
            self._frames = []
            self._show()
        return self._observation(), self._info()

    def step(self, action: object) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """The learner's action, then everybody else's, up to the learner's next decision.

        Args:
            action: an action id. If it is not legal, the batch's `illegal` says what happens.

        Returns:
            observation, reward, terminated, truncated, info.

        Raises:
            IllegalAction: with illegal="raise", the action is not legal: names the move, the rule and the legal moves.
                Or, always, there is no such action. Nothing was changed.
            gymnasium.error.ResetNeeded: no game is in progress.
        """
        return self._step(action, self.batch.illegal)

    def _step(self, action: object, illegal: str) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        batch = in_play(self.batch)
        if batch.rows[0].done != RUNNING:
            raise gymnasium.error.ResetNeeded(f"{self.game.id}: the game is over: call reset()")
        chosen = action_id(self.game.id, action)
        known = 0 <= chosen < batch.config.num_actions
        legal = known and batch.mask[0, chosen] != 0
        if not known or (not legal and illegal == "raise"):
            self._copy_of_game().play(chosen)  # raises, with the reason
        seat = self.seat
        batch.step(np.array([chosen]))
        if self._renderer is not None:
            if legal:
                self._renderer.note(seat, {seat: self._copy_of_game().action_names[chosen]})
            self._show()
        row, info = batch.rows[0], self._info()
        if row.done != RUNNING:
            info["final"] = batch.result(0)
        done = int(row.done)
        return self._observation(), float(row.reward), done == TERMINATED, done == TRUNCATED, info

    def render(self) -> Any:
        """The position: text for "ansi", pixels (uint8, shape (height, width, 3)) for "rgb_array"; "human" shows it.

        "ansi_list" and "rgb_array_list" give a list: the positions after the reset and every step that were not yet
        given. It holds what the learner may see.

        Raises:
            gymnasium.error.ResetNeeded: see `in_play`.
            ModuleNotFoundError: pixels need the extra `render`, which is not installed.
        """
        if self._renderer is None:
            gymnasium.logger.warn("render() does nothing: the environment was made without a render_mode.")
            return None
        if self.render_mode in LIST_MODES:
            frames, self._frames = self._frames, []
            return frames
        return self._renderer.render(self._copy_of_game(), self.seat)

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._renderer is not None:
            self._renderer.close()

    def _show(self) -> None:
        """Show the position in the window, or keep its picture, if the mode is such."""
        if self._renderer is not None and self.render_mode in ("human", *LIST_MODES):
            frame = self._renderer.render(self._copy_of_game(), self.seat)
            self._frames += [] if frame is None else [frame]

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The legal actions, bool of shape (num_actions,), as sb3-contrib asks for them."""
        mask: npt.NDArray[np.bool_] = in_play(self.batch).mask[0].astype(np.bool_)
        return mask

    # Moves by name, positions

    @property
    def seat(self) -> int:
        """The learner's seat in the game in progress."""
        return int(in_play(self.batch).rows[0].seat)

    @property
    def lineup(self) -> tuple[str, ...]:
        """Who plays, by seat: names of opponents, and "learner"."""
        return in_play(self.batch).lineup(0)

    def legal_moves(self) -> list[str]:
        """The legal actions in notation, in order of their ids; none when the game is over."""
        names = self._copy_of_game().action_names
        return [names[action] for action in np.flatnonzero(in_play(self.batch).mask[0])]

    def play(self, move: str | int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """`step` with a move in notation, or by id.

        Raises:
            IllegalAction: it is not legal, whatever `illegal` says; names the move, the rule and the legal moves.
                Nothing was changed.
            gymnasium.error.ResetNeeded: no game is in progress.
        """
        return self._step(self.string_to_action(move) if isinstance(move, str) else move, "raise")

    def action_to_string(self, action: int) -> str:
        """The notation of an action id.

        Raises:
            IllegalAction: there is no such id.
        """
        with suppress(gymnasium.error.ResetNeeded):  # before the first game, there are words for any cards
            self._copy_of_game()
        return self._match.action_to_string(action)

    def string_to_action(self, move: str) -> int:
        """The id of a move in notation.

        Raises:
            IllegalAction: it is not in the notation of this game and its options; names the legal moves.
            gymnasium.error.ResetNeeded: likewise, but there is no game.
        """
        ids = self.game.notation(self.batch.config)[1]
        return ids[move] if isinstance(move, str) and move in ids else self._copy_of_game().string_to_action(move)

    def snapshot(self, omniscient: bool = False, *, seat: int | None = None) -> dict[str, Any]:
        """The position as plain JSON data; without `omniscient` only what all may see, or what the seat may see.

        Raises:
            ValueError: no such seat.
        """
        return self._copy_of_game().snapshot(omniscient, seat=seat)

    def match(self) -> Match:
        """A copy of the game as a match, including everything hidden."""
        return self._copy_of_game().clone()

    # Opponents, copies

    def clone(self, *, determinize: int | None = None, seed: int | None = None) -> LearnerEnv:
        """An independent copy that plays on in the same way, opponents included.

        Args:
            determinize: a seat; the copy samples everything that it does not know and all future chance. Opponents in
                Python start afresh, since what they remember depends on their own cards.
            seed: for the sample; None takes fresh entropy.

        Raises:
            BadOption: no such seat, or the seed is not valid.
            gymnasium.error.ResetNeeded: there is nothing to sample in, see `in_play`.
        """
        seed = check_seed(seed, of=self.game.id)
        if determinize is not None:
            determinize = check_seat(self.game.id, determinize, self.batch.config.players)
        twin = copy.deepcopy(self)
        if determinize is not None:
            in_play(twin.batch)
            twin.batch.determinize(determinize, seed)
            twin._copy_of_game()
            twin._np_random = twin._np_random_seed = None  # seeded with the number that the games are dealt from
            if twin._renderer is not None:
                twin._renderer.forget_others(determinize)
            twin._frames = []  # pictures of what the learner knew, which need not be that seat
        return twin

    def get_state(self) -> dict[str, Any]:
        """Everything that determines how play continues, except the randomness of agents in Python."""
        rng = (copy.deepcopy(self._np_random), self._np_random_seed)
        return {"batch": self.batch.get_state(), "rng": rng}

    def set_state(self, state: dict[str, Any]) -> None:
        """Continue from `get_state` of an environment of the same game and options.

        Raises:
            ValueError: in one line: it is the state of another game, or was changed. The environment is left as it was.
        """
        told = f"{self.game.id}: this is no state"
        if not isinstance(state, Mapping) or "batch" not in state:
            raise ValueError(f"{told}: it is {shown(state)}")
        rng = state.get("rng")
        if not (isinstance(rng, tuple) and len(rng) == 2 and isinstance(rng[0], (np.random.Generator, type(None)))):
            raise ValueError(f"{told}: 'rng' is {shown(rng)}")
        self.batch.set_state(state["batch"])
        self._np_random, self._np_random_seed = copy.deepcopy(rng)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        rng = self.action_space._np_random
        self.action_space = LegalActions(self.batch.mask[0])
        self.action_space._np_random = rng

    def _copy_of_game(self) -> Match:
        self._match.states[:] = in_play(self.batch).states
        return self._match

    def _observation(self) -> Any:
        return self._view(self.batch.obs[0], self.batch.mask[0])

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.batch.mask[0].copy()}
