"""Many games at once, every seat's decisions visible to the caller; no framework."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from .arguments import number, switch, whole
from .codes import ALL_LEGAL
from .game import BadOption, Game, GameConfig, IllegalAction, NoAction
from .layout import as_bytes
from .loop_builder import loops_of
from .loop_records import PlaySettings
from .quoting import listed, shown
from .rewards import RewardScheme
from .rng import game_seed
from .saved_states import check_arrays, digest_of, mark_of
from .threads import run_ranges, usable_threads
from .values import as_wholes


def take_actions(game: Game, config: GameConfig, actions: npt.ArrayLike, out: npt.NDArray[np.int32]) -> None:
    """Copy the actions into `out` if every one is an action id.

    Raises:
        NoAction: they are not whole numbers of the right shape.
        IllegalAction: one is no action id.
    """
    given = as_wholes(actions, len(out))
    if given is None:
        raise NoAction(f"{game.id}: actions are whole numbers, shape {out.shape}, not {shown(actions)}")
    if len(given) and not (given.min() >= 0 and given.max() < config.num_actions):
        row = int(np.flatnonzero((given < 0) | (given >= config.num_actions))[0])
        told = f"no action {shown(int(given[row]))}; ids are 0 to {config.num_actions - 1}"
        raise IllegalAction(f"{game.id}: row {row}: {told}")
    out[:] = given


def illegal_action(game: Game, config: GameConfig, row: int, action: int, mask: npt.NDArray[np.int8]) -> IllegalAction:
    """The error for an action id that is not legal in its row."""
    names = game.notation(config)[0]
    name, legal = names[action], listed(names[other] for other in np.flatnonzero(mask))
    return IllegalAction(
        f"{game.id}: row {row}: {name!r} is not legal ({game.actions.rule_of(name)}); legal moves: {legal}"
    )


def check_actions(
    game: Game,
    config: GameConfig,
    actions: npt.ArrayLike,
    masks: npt.NDArray[np.int8],
    out: npt.NDArray[np.int32],
) -> None:
    """Copy the actions into `out` if every one is legal in its row.

    Raises:
        IllegalAction: names the first row and action that are not.
    """
    take_actions(game, config, actions, out)
    row = loops_of(game).first_illegal(out, masks, 0, len(out))
    if row != ALL_LEGAL:
        raise illegal_action(game, config, row, int(out[row]), masks[row])


class Batch:
    """n games of the same options, all stepped by one call, with auto-reset.

    After `reset` and `step`, `obs[i]` and `mask[i]` belong to `seat[i]`, the seat to decide in match i. If a game ended
    in the last step, `done[i]` is 1 (terminated) or 2 (truncated), `rewards[i]` and `finals[i]` are those of that game,
    and a new game has begun. The arrays are allocated once, overwritten by the next call and read-only.

    Args:
        game: the declaration of the game.
        num_games: number of matches.
        seed: None takes fresh entropy; match i begins with the same game as `Match(seed=seed, match=i)`.
        reward: "rank", "win" or "points".
        shaping: size of the potential for "points".
        shaping_gamma: discount of the potential, per decision of any seat.
        observe: "position" leaves prospects at 0: fields that only work out what follows from the others, which takes
            time (`docs/observations.md` names them). False leaves `obs` unwritten, for callers that read `states`.
            Actions are still checked: `step` first writes to `mask` what is legal.
        threads: None for one per core; batches below 512 matches use one.
        options: `players` and the game's own options.

    Attributes:
        obs: int8 (n, observation size). mask: int8 (n, num_actions). seat: int8 (n,).
        rewards: float32 (n, players), of the last decision. done: int8 (n,).
        finals: int32 (n, 2 * players + 1): points, ranks and decisions of the game that ended last.

    Raises:
        BadOption: an option is unknown or out of its range.
    """

    def __init__(
        self,
        game: Game,
        num_games: int,
        *,
        seed: int | None = None,
        reward: str = "rank",
        shaping: float = 1.0,
        shaping_gamma: float = 1.0,
        observe: bool | Literal["position"] = True,
        threads: int | None = None,
        **options: Any,
    ) -> None:
        num_games = whole("num_games", num_games, 1, 2**31 - 1, of=game.id)
        self.game, self.config, self.num_games = game, game.config(**options), num_games
        self.threads = usable_threads(threads)
        shaping = number("shaping", shaping, of=game.id)
        shaping_gamma = number("shaping_gamma", shaping_gamma, 0, 1, of=game.id)
        self._observe: bool | Literal["position"] = _checked(game, observe)
        self._settings = np.zeros(1, PlaySettings.dtype)
        settings = self._settings[0]
        settings.scheme, settings.shaping, settings.gamma = RewardScheme.of(reward, game), shaping, shaping_gamma
        settings.watching = self._observe is not False
        self._bare = self._observe == "position" and game.seen is not None
        players = self.config.players
        self._games = np.zeros(num_games, game.state)
        self._actions = np.zeros(num_games, np.int32)
        self._obs_bytes = np.zeros((num_games, game.obs.itemsize), np.int8)
        self._obs = self._obs_bytes.view(game.obs)[:, 0]
        self._seen = np.zeros(num_games, game.seen or np.int8)  # what `_obs` shows, or zero
        self._mask = np.zeros((num_games, self.config.num_actions), np.int8)
        self._seat = np.zeros(num_games, np.int8)
        self._rewards = np.zeros((num_games, players), np.float32)
        self._done = np.zeros(num_games, np.int8)
        self._finals = np.zeros((num_games, 2 * players + 1), np.int32)
        self.obs, self.mask = _read_only(self._obs_bytes), _read_only(self._mask)
        self.seat, self.rewards = _read_only(self._seat), _read_only(self._rewards)
        self.done, self.finals = _read_only(self._done), _read_only(self._finals)
        self.reset(seed=seed)

    def reset(self, *, seed: int | None = None) -> None:
        """Start a new game in every match; `seed` as for the class."""
        if seed is None:
            seed = game_seed(None)
        deals = np.array([game_seed(seed, match) for match in range(self.num_games)], np.uint64)
        loops, config = loops_of(self.game), self.config.record

        def begin(part: int, lo: int, hi: int) -> None:
            loops.reset_games(self._games, config, deals, lo, hi)
            self._seat[lo:hi] = self._games["seat"][lo:hi]
            if self._bare:
                loops.legal_games(self._games, config, self._mask, lo, hi)
                loops.refresh_games(self._games, config, self._seat, self._obs, self._seen, lo, hi)
            else:
                loops.look_games(self._games, config, self._obs, self._mask, lo, hi)

        self._forget()
        run_ranges(begin, self.num_games, self.threads)
        self._forget()
        self._rewards[:] = 0
        self._done[:] = 0
        self._finals[:] = 0

    def step(self, actions: npt.ArrayLike) -> None:
        """Play one decision in every match.

        Args:
            actions: integers, shape (n,).

        Raises:
            IllegalAction: an action is not legal; the message names match and action, and no match was changed.
        """
        loops, config = loops_of(self.game), self.config.record

        def find_legal(part: int, lo: int, hi: int) -> None:
            loops.legal_games(self._games, config, self._mask, lo, hi)

        if self._observe is False:
            run_ranges(find_legal, self.num_games, self.threads)
        check_actions(self.game, self.config, actions, self._mask, self._actions)

        def play(part: int, lo: int, hi: int) -> None:
            loops.step_games(
                *(self._games, config, self._actions, self._obs, self._seen, self._mask, self._seat),
                *(self._rewards, self._done, self._finals, self._settings, lo, hi),
            )

        run_ranges(play, self.num_games, self.threads)

    @property
    def states(self) -> npt.NDArray[Any]:
        """The games' records, everything hidden included; read-only."""
        return _read_only(self._games)

    @property
    def players(self) -> int:
        """Number of seats in each match."""
        return self.config.players

    # Exact copies

    def get_state(self) -> dict[str, Any]:
        """Everything that decides how the batch goes on."""
        arrays = {name: array.copy() for name, array in self._arrays().items()}
        return {**arrays, "digest": digest_of(mark_of(self.game, self.config), arrays.values())}

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Continue from `get_state` of a batch of the same game, options and size.

        Raises:
            ValueError: it is not such a state, or was changed; says so in one line. The batch stays as it was.
        """
        check_arrays(self.game.id, mark_of(self.game, self.config), state, self._arrays())
        self._take(state)

    def _take(self, state: Mapping[str, Any]) -> None:
        """`set_state` without checks, for arrays that the caller has assembled."""
        for name, array in self._arrays().items():
            array[...] = state[name]
        self._forget()

    def _arrays(self) -> dict[str, npt.NDArray[Any]]:
        """What decides how the batch goes on."""
        return {
            "_games": self._games,
            "_obs_bytes": self._obs_bytes,
            "_mask": self._mask,
            "_seat": self._seat,
            "_rewards": self._rewards,
            "_done": self._done,
            "_finals": self._finals,
        }

    def _forget(self) -> None:
        """The next step writes all of `obs`: it was not written by a step."""
        as_bytes(self._seen)[:] = 0
        if self._bare:
            self._seen["bare"] = 1

    def clone(self) -> Batch:
        """An independent copy that plays on in the same way."""
        return copy.deepcopy(self)

    def __reduce__(self) -> tuple[Any, ...]:
        settings = {
            "reward": RewardScheme(int(self._settings[0].scheme)).name.lower(),
            "shaping": float(self._settings[0].shaping),
            "shaping_gamma": float(self._settings[0].gamma),
            "observe": self._observe,
            "threads": self.threads,
            **self.config.options,
        }
        return _restore_batch, (self.game, self.num_games, settings, self.get_state())


def _checked(game: Game, observe: bool | str) -> bool | Literal["position"]:
    """The setting `observe`."""
    if isinstance(observe, str):
        if observe != "position":
            raise BadOption(f"{game.id}: observe={shown(observe)}, must be True, False or 'position'")
        return "position"
    return switch("observe", observe, of=game.id)


def _restore_batch(game: Game, num_games: int, settings: dict[str, Any], state: dict[str, Any]) -> Batch:
    batch = Batch(game, num_games, seed=0, **settings)
    batch.set_state(state)
    return batch


def _read_only(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    view = array.view()
    view.setflags(write=False)
    return view
