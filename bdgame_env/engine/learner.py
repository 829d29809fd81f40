"""Many games of one learner among opponents: the loop under the Gymnasium and SB3 environments. No framework here."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from . import learner_loops
from .arguments import ILLEGAL, check_seat, check_seed, choice, number, whole
from .batch import illegal_action, take_actions
from .codes import (
    ALL_LEGAL,
    ANYWHERE,
    EXTERNAL,
    FORFEIT,
    LEARNER,
    NEXT_STEP,
    OVER,
    SAME_STEP,
    STAYS,
    TRUNCATED,
)
from .forks import Origin
from .game import BadOption, Game, GameConfig, IllegalAction, NoAction
from .loop_builder import built_once, instantiate, loops_of, seams_of
from .loop_records import POOL, LearnerSettings, Row
from .players import CompiledPlayers
from .quoting import shown
from .rewards import RewardScheme
from .rng import determinization_seed, game_seed
from .saved_states import check_arrays, digest_of, mark_of
from .threads import run_ranges, usable_threads
from .values import as_switch, as_whole, as_wholes

_TICKETS = 1 << 20
AUTORESETS: dict[bool | str, int] = {
    False: STAYS,
    True: SAME_STEP,
    "next_step": NEXT_STEP,
}

Act = Callable[[npt.NDArray[np.int8], npt.NDArray[np.int8], npt.NDArray[Any] | None], npt.NDArray[Any]]


@dataclass(frozen=True)
class Opponent:
    """A player for the other seats: a compiled policy (by number), or an agent in Python.

    Attributes:
        name: as in line-ups.
        policy: number of a compiled policy, or None.
        act: `(observation (n, size), mask (n, actions), states (n,) or None) -> actions (n,)`, if policy is None.
        needs_states: whether `act` is given copies of the records, determinized for the seat to decide.
        weight: how often it is drawn, relative to the others.
        seed: called with a seed for the agent's own random numbers whenever the games are seeded.
    """

    name: str
    policy: int | None = None
    act: Act | None = None
    needs_states: bool = False
    weight: float = 1.0
    seed: Callable[[int], None] | None = None


def _identity(opponent: Opponent) -> tuple[int, str, bool]:
    """What makes two opponents in Python the same, whatever their weights."""
    return id(opponent.act), opponent.name, opponent.needs_states


@built_once
def learner_loops_of(game: Game, players: CompiledPlayers | None) -> ModuleType:
    """The game's own copy of `learner_loops`, with its compiled players if it has any."""
    return instantiate(learner_loops, game, seams_of(game, players))


class LearnerBatch:
    """n games, each of one learner and its opponents, advanced by the learner's decisions.

    After `reset` and `step` the arrays hold what the learner of each row sees and may do; `autoreset` says when a game
    that ended is replaced by a new one. All arrays are allocated once and overwritten by the next call.

    With compiled opponents, row i plays the same however many rows there are. An agent in Python is asked for many rows
    at once, and its random numbers are shared among them.

    Args:
        game: the declaration of the game.
        config: its cards and options.
        num_games: number of rows.
        opponents: the pool from which each other seat's player is drawn for every game.
        compiled: the game's compiled players, if opponents use them.
        seat: the learner's seat, or "random".
        reward: "rank" (zero-sum by rank), "win", or "points" (by rank, with shaping on the point lead).
        shaping: size of the potential for "points".
        shaping_gamma: the learner's discount; shaping with it leaves the optimal policies unchanged.
        autoreset: True replaces a game within the step that ends it. "next_step" and False leave the row at its
            finished game (no legal actions, the learner's last view): until the next step, which starts a new game
            there whatever the row's action, or until `reset`.
        illegal: what an illegal action of the learner does: "raise" raises IllegalAction and changes nothing; "end"
            ends that row's game, with the last rank and reward -1 for the learner. Anything but an action id raises.
        seed: None takes fresh entropy.
        threads: None for one per core.

    Attributes:
        obs: int8 (n, observation size). mask: int8 (n, num_actions). Zeros before the first `reset`.
        rows: `loop_records.Row` records, shape (n,), with rewards, done flags and results.
        final_obs: int8 (n, observation size), the learner's last view of a game that ended.
        opponents: the pool.

    Raises:
        BadOption: an argument is out of its range, or an opponent has neither a policy nor `act`.
    """

    def __init__(
        self,
        game: Game,
        config: GameConfig,
        num_games: int,
        opponents: Sequence[Opponent],
        *,
        compiled: CompiledPlayers | None = None,
        seat: int | str = "random",
        reward: str = "rank",
        shaping: float = 1.0,
        shaping_gamma: float = 1.0,
        autoreset: bool | str = True,
        illegal: str = "raise",
        seed: int | None = None,
        threads: int | None = None,
    ) -> None:
        num_games = whole("num_games", num_games, 1, 2**31 - 1, of=game.id)
        anywhere = isinstance(seat, str) and seat == "random"
        place = ANYWHERE if anywhere else as_whole(seat)
        if place is None or not (anywhere or 0 <= place < config.players):
            raise BadOption(f"{game.id}: seat={shown(seat)}, must be 'random' or 0 to {config.players - 1}")
        scheme, shaping = RewardScheme.of(reward, game), number("shaping", shaping, of=game.id)
        shaping_gamma = number("shaping_gamma", shaping_gamma, 0, 1, of=game.id)
        mode = autoreset if isinstance(autoreset, str) else as_switch(autoreset)
        if mode not in AUTORESETS:
            raise BadOption(f"{game.id}: autoreset={shown(autoreset)}, must be True, False or 'next_step'")
        self.illegal = choice("illegal", illegal, ILLEGAL, of=game.id)
        seed = check_seed(seed, of=game.id)
        self._allocate(game, config, num_games, compiled, threads)
        settings = self._settings[0]
        settings.scheme, settings.shaping, settings.gamma = scheme, shaping, shaping_gamma
        settings.seat = place
        settings.autoreset = AUTORESETS[mode]
        self.set_opponents(opponents)
        self.seed(seed)

    def _allocate(
        self, game: Game, config: GameConfig, num_games: int, compiled: CompiledPlayers | None, threads: int | None
    ) -> None:
        self.game, self.config, self.num_games, self.compiled = game, config, num_games, compiled
        self.threads = usable_threads(threads)
        self._loops = learner_loops_of(game, compiled)
        self._settings = np.zeros(1, LearnerSettings.dtype)
        self._games = np.zeros(num_games, game.state)
        self.rows = np.zeros(num_games, Row.dtype)
        self.obs = np.zeros((num_games, game.obs.itemsize), np.int8)
        self.final_obs = np.zeros_like(self.obs)
        self.mask = np.zeros((num_games, config.num_actions), np.int8)
        self._obs = self.obs.view(game.obs)[:, 0]
        self._final_obs = self.final_obs.view(game.obs)[:, 0]
        self._scratch = [np.zeros(1, compiled.scratch if compiled else Row.dtype) for _ in range(self.threads)]
        self._actions = np.zeros(num_games, np.int32)
        self.opponents: tuple[Opponent, ...] = ()
        self._external: dict[int, Opponent] = {}
        self._names = {LEARNER: "learner", **dict(enumerate(("random", *(compiled.names if compiled else ()))))}
        self._base: int | None = None
        self._agents_seeded = 0
        self._started = False

    def seed(self, seed: int | None, rows: npt.ArrayLike | None = None) -> None:
        """Seed every row for the next `reset`: row i then plays the games of match i of a batch with this seed.

        A number also seeds the pool's agents in Python; None takes fresh entropy.

        Args:
            seed: a number or None.
            rows: numbers of the rows to seed; None for all.

        Raises:
            BadOption: the seed is neither None nor a whole number of 0 or more.
        """
        seed = check_seed(seed, of=self.game.id)
        self._base, self._origin, self._agents_seeded = seed, Origin(seed), 0
        base = game_seed(None) if seed is None else seed
        for i in self._numbers(rows).tolist():
            sequence = np.random.SeedSequence(base, spawn_key=(i,))
            self.rows[i].game_seed, self.rows[i].rng, self.rows[i].copies = sequence.generate_state(3, np.uint64)
            self.rows[i].fresh = 1
        self._seed_agents(self.opponents)

    def _seed_agents(self, opponents: Sequence[Opponent]) -> None:
        if self._base is None:
            return
        for opponent in opponents:
            if opponent.seed is not None:
                opponent.seed(game_seed(game_seed(self._base), self._agents_seeded) >> 33)
                self._agents_seeded += 1

    def seed_agents(self, seed: int) -> None:
        """Seed all agents in Python, also those that have left the pool but still play.

        `get_state` leaves out what these agents draw; together with this call a state is complete.
        """
        for place, code in enumerate(sorted(self._external, reverse=True)):
            agent = self._external[code]
            if agent.seed is not None:
                agent.seed(game_seed(game_seed(seed), place) >> 33)

    def set_opponents(self, opponents: Sequence[Opponent]) -> None:
        """Change the pool for games that start from now on; games in progress keep their opponents.

        An opponent in Python that plays already, perhaps with another weight, goes on as the same: it is asked for old
        and new games at once, and is not seeded again.

        Raises:
            BadOption: the pool is empty or too large, or an opponent has neither a policy nor `act`. Nothing
                was changed.
        """
        self._check_opponents(opponents)
        playing = {int(code) for code in np.unique([self.rows["lineup"], self.rows["final_lineup"]])}
        codes = {_identity(opponent): code for code, opponent in self._external.items()}
        wanted = {_identity(opponent) for opponent in opponents}
        new = [opponent for opponent in opponents if opponent.policy is None and _identity(opponent) not in codes]
        self._external = {
            code: opponent
            for code, opponent in self._external.items()
            if code in playing or _identity(opponent) in wanted
        }
        settings = self._settings[0]
        total = sum(opponent.weight for opponent in opponents)
        settings.pool_size = len(opponents)
        for k, opponent in enumerate(opponents):
            code = opponent.policy
            if code is None:
                code = codes.get(_identity(opponent))
            if code is None:
                code = codes[_identity(opponent)] = next(
                    free for free in count(EXTERNAL, -1) if free not in self._external
                )
                self._external[code] = opponent
            self._names[code] = opponent.name
            settings.pool_policy[k] = code
            settings.pool_tickets[k] = round(opponent.weight / total * _TICKETS)
        settings.tickets = settings.pool_tickets[: len(opponents)].sum()
        self.opponents = tuple(opponents)
        self._seed_agents(new)

    def _check_opponents(self, opponents: Sequence[Opponent]) -> None:
        if not 1 <= len(opponents) <= POOL:
            raise BadOption(f"{self.game.id}: {len(opponents)} opponents in the pool, must be 1 to {POOL}")
        weights = [opponent.weight for opponent in opponents]
        if not all(math.isfinite(weight) and weight >= 0 for weight in weights) or sum(weights) <= 0:
            raise BadOption(f"{self.game.id}: opponents' weights must be 0 or more, and not all 0")
        most = len(self.compiled.names) if self.compiled else 0
        for opponent in opponents:
            who = f"{self.game.id}: opponent {shown(opponent.name)}"
            if opponent.policy is None and opponent.act is None:
                raise BadOption(f"{who} has neither a policy nor an act function")
            if opponent.policy is not None and opponent.policy not in range(most + 1):
                raise BadOption(f"{who} has policy={shown(opponent.policy)}, must be 0 to {most}")

    def _numbers(self, rows: npt.ArrayLike | None) -> npt.NDArray[np.int64]:
        return np.arange(self.num_games) if rows is None else np.asarray(rows, np.int64)

    def reset(self, rows: npt.ArrayLike | None = None) -> None:
        """Start a new game in every row, or in some, and play up to the learner's first decision.

        In the child of a fork, rows that took fresh entropy take it anew.

        Args:
            rows: numbers of the rows, each once; None for all. The others stay as they are.

        Raises:
            RuntimeError: not all rows are meant, and the others have no game.
        """
        if rows is not None and not self._started:
            raise RuntimeError(f"{self.game.id}: call reset() of all rows first")
        if self._origin.is_parents():
            self.seed(None)
        chosen = self._numbers(rows)

        def begin(part: int, lo: int, hi: int) -> None:
            self._loops.begin_rows(
                *(self._games, self.config.record, self.rows, self._settings, self._scratch[part], chosen),
                *(self._obs, self.mask, self._final_obs, lo, hi),
            )

        self._started = False  # until every row waits for the learner
        run_ranges(begin, len(chosen), self.threads)
        self._ask_agents()

    def step(self, actions: npt.ArrayLike) -> None:
        """Play the learner's action in every row, then the opponents, up to the learner's next decision.

        Args:
            actions: integers, shape (n,).

        Raises:
            IllegalAction: with illegal="raise", an action is not legal; or, always, one is no action id. The message
                names row and action, and nothing was changed. Or an opponent in Python chose an illegal action: then
                the step was interrupted, and `reset` must follow.
            RuntimeError: see `check_started`.
        """
        self.check_started()
        self._take(actions)

        def play(part: int, lo: int, hi: int) -> int:
            waiting: int = self._loops.step_rows(
                *(self._games, self.config.record, self.rows, self._settings, self._scratch[part], self._actions),
                *(self._obs, self.mask, self._final_obs, lo, hi),
            )
            return waiting

        self._started = False
        if any(run_ranges(play, self.num_games, self.threads)):
            self._ask_agents()
        self._started = True

    def _take(self, actions: npt.ArrayLike) -> None:
        """Check the actions of `step` and copy them, with FORFEIT for those that end their game."""
        taken = self._actions
        take_actions(self.game, self.config, actions, taken)
        if loops_of(self.game).first_illegal(taken, self.mask, 0, len(taken)) == ALL_LEGAL:
            return
        wrong = np.flatnonzero(self.mask[np.arange(len(taken)), taken] == 0)
        over = self.rows["status"][wrong] == OVER
        if self._settings[0].autoreset == NEXT_STEP:
            wrong, over = wrong[~over], over[:0]  # a new game starts there, whatever the action
        if len(wrong) and (self.illegal == "raise" or over.any()):  # an ended game cannot be lost again
            row = int(wrong[0])
            raise illegal_action(self.game, self.config, row, int(taken[row]), self.mask[row])
        taken[wrong] = FORFEIT

    def _ask_agents(self) -> None:
        """Let agents in Python decide, each for all its rows at once, until every row waits for the learner."""
        self._started = False
        status = self.rows["status"]
        while len(codes := np.unique(status[status <= EXTERNAL])):
            for code in codes:
                self._ask(self._external[int(code)], np.flatnonzero(status == code))
        self._started = True

    def _ask(self, opponent: Opponent, chosen: npt.NDArray[np.intp]) -> None:
        states = self._states_for(chosen) if opponent.needs_states else None
        assert opponent.act is not None
        answer = opponent.act(self.obs[chosen], self.mask[chosen], states)
        given = as_wholes(answer, len(chosen))
        who = f"{self.game.id}: opponent {shown(opponent.name)}"
        if given is None:
            raise NoAction(f"{who} gave {shown(answer)}, not whole numbers, shape {chosen.shape}")
        actions = np.clip(given, -1, self.config.num_actions).astype(np.int32)
        wrong = loops_of(self.game).first_illegal(actions, self.mask[chosen], 0, len(chosen))
        if wrong != ALL_LEGAL:
            names, action = self.game.notation(self.config)[0], int(given[wrong])
            name = repr(names[action]) if 0 <= action < len(names) else f"action {shown(action)}"
            raise IllegalAction(f"{who} played {name}, which is not legal")

        def play(part: int, lo: int, hi: int) -> None:
            self._loops.answer_rows(
                *(self._games, self.config.record, self.rows, self._settings, self._scratch[part], chosen, actions),
                *(self._obs, self.mask, self._final_obs, lo, hi),
            )

        run_ranges(play, len(chosen), 1)

    def _states_for(self, chosen: npt.NDArray[np.intp]) -> npt.NDArray[Any]:
        """Copies of the records of some rows, determinized for the seat to decide there."""
        states = np.zeros(len(chosen), self.game.state)

        def hide(_: int, lo: int, hi: int) -> None:
            self._loops.hide_states(self._games, self.config.record, self.rows, chosen, states, lo, hi)

        run_ranges(hide, len(chosen), 1)
        return states

    # Looking

    @property
    def started(self) -> bool:
        """Whether games are in progress: after `reset`, until an opponent in Python fails or a call is interrupted."""
        return self._started

    def check_started(self) -> None:
        """Check that there are games.

        Raises:
            RuntimeError: `reset` has not been called, or not since an opponent in Python failed or a call was
                interrupted.
        """
        if not self._started:
            raise RuntimeError(f"{self.game.id}: no game is in progress: call reset()")

    @property
    def agents(self) -> dict[int, Opponent]:
        """The agents in Python by their code in line-ups: those of the pool, and those in games in progress."""
        return dict(self._external)

    @property
    def autoreset(self) -> bool | str:
        """When a game that ends is replaced by a new one: True, "next_step" or False."""
        return next(mode for mode, number in AUTORESETS.items() if number == self._settings[0].autoreset)

    @property
    def states(self) -> npt.NDArray[Any]:
        """The games' records, shape (n,), everything hidden included; read-only. Zeros before the first `reset`."""
        view = self._games.view()
        view.setflags(write=False)
        return view

    def lineup(self, row: int) -> tuple[str, ...]:
        """The players of a row by seat: names of opponents, and "learner".

        Raises:
            RuntimeError: see `check_started`.
        """
        self.check_started()
        return self._named(self.rows[row].lineup)

    def _named(self, codes: npt.NDArray[np.int16]) -> tuple[str, ...]:
        return tuple(self._names[int(code)] for code in codes[: self.config.players])

    def row(self, number: int) -> LearnerBatch:
        """A copy of one row: a batch of one game, without autoreset. Agents in Python are shared."""
        twin = LearnerBatch.__new__(LearnerBatch)
        twin.illegal = self.illegal
        twin._allocate(self.game, self.config, 1, self.compiled, 1)
        for held, own in zip(self._arrays().values(), twin._arrays().values(), strict=True):
            own[...] = held if held is self._settings else held[number]
        vars(twin).update(self._course())
        twin._settings[0].autoreset = STAYS
        return twin

    def result(self, row: int) -> dict[str, Any]:
        """How the last game of a row ended.

        Returns:
            `points` and `ranks` (int32, shape (players,); 1 is the best, tied seats have the same), `seat` (the
            learner's), `lineup` (names by seat, the learner's is "learner"), `decisions` (of all seats), `steps` (the
            learner's decisions), `truncated` (whether the round limit ended it) and `illegal` (whether an illegal
            action of the learner did; then the learner has the last rank, and the others share the first).

        Raises:
            RuntimeError: no game of this row has ended.
        """
        ended, players = self.rows[row], self.config.players
        if ended.final_steps == 0:
            raise RuntimeError(f"{self.game.id}: row {row}: no game has ended")
        return {
            "points": ended.points[:players].copy(),
            "ranks": ended.ranks[:players].copy(),
            "seat": int(ended.final_seat),
            "lineup": self._named(ended.final_lineup),
            "decisions": int(ended.length),
            "steps": int(ended.final_steps),
            "truncated": bool(ended.done == TRUNCATED),
            "illegal": bool(ended.illegal),
        }

    # Exact copies

    def get_state(self) -> dict[str, Any]:
        """Everything that decides how the batch goes on, except what agents in Python draw; see `seed_agents`.

        The state refers to these agents and does not copy them.
        """
        arrays = {name: array.copy() for name, array in self._arrays().items()}
        return {**arrays, **self._course(), "digest": digest_of(mark_of(self.game, self.config), arrays.values())}

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Continue from `get_state` of a batch of the same game, options and size.

        Raises:
            ValueError: it is the state of another game or size, or was changed; says so in one line. The batch stays
                as it was.
        """
        check_arrays(self.game.id, mark_of(self.game, self.config), state, self._arrays())
        self._check_course(state)
        for name, array in self._arrays().items():
            array[...] = state[name]
        vars(self).update({name: copy.copy(state[name]) for name in self._course()})
        self._origin = Origin(self._base)

    def _arrays(self) -> dict[str, npt.NDArray[Any]]:
        """What decides how the batch goes on: the arrays, by row but for the settings."""
        return {
            "_games": self._games,
            "rows": self.rows,
            "obs": self.obs,
            "final_obs": self.final_obs,
            "mask": self.mask,
            "_settings": self._settings,
        }

    def _course(self) -> dict[str, Any]:
        """The rest of it: who plays, and the seeds."""
        return {
            "opponents": self.opponents,
            "_external": dict(self._external),
            "_names": dict(self._names),
            "_base": self._base,
            "_agents_seeded": self._agents_seeded,
            "_started": self._started,
        }

    def _check_course(self, state: Mapping[str, Any]) -> None:
        """Check that a state holds its opponents, and that this batch can ask them."""
        kinds = {"opponents": tuple, "_external": dict, "_names": dict, "_agents_seeded": int, "_started": bool}
        for name, kind in kinds.items():
            if not isinstance(state.get(name), kind):
                raise ValueError(f"{self.game.id}: this is no state: {name!r} is {shown(state.get(name))}")
        check_seed(state.get("_base"), of=self.game.id)
        if not all(isinstance(opponent, Opponent) for opponent in (*state["opponents"], *state["_external"].values())):
            raise ValueError(f"{self.game.id}: this is no state: not all its opponents are `Opponent`s")
        self._check_opponents(state["opponents"])
        rows, settings = state["rows"], state["_settings"][0]
        pool = settings.pool_policy[: settings.pool_size]
        codes = {int(code) for codes in (rows["lineup"], rows["final_lineup"], pool) for code in np.unique(codes)}
        most = len(self.compiled.names) if self.compiled else 0
        if not all(
            code in state["_names"] and (LEARNER <= code <= most or code in state["_external"]) for code in codes
        ):
            raise ValueError(f"{self.game.id}: the state has opponents that this batch does not know")

    def clone(self) -> LearnerBatch:
        """An independent copy that plays on in the same way; agents in Python are copied with it."""
        return copy.deepcopy(self)

    def determinize(self, seat: int, seed: int | None = None) -> None:
        """In every row, sample everything that a seat does not know, and all chance to come.

        Nothing of the true games is left: neither their seeds nor that of the batch, nor what opponents in Python
        remember, nor, if the seat is not the learner's, the learner's last view of a game that ended.

        Args:
            seat: whose knowledge is kept.
            seed: for the sample; None takes fresh entropy.

        Raises:
            BadOption: there is no such seat.
            RuntimeError: see `check_started`.
        """
        self.check_started()
        seat = check_seat(self.game.id, seat, self.config.players)
        numbers = np.zeros(self.num_games, np.uint64)
        self._base, self._origin, self._agents_seeded = determinization_seed(seed), Origin(seed), 0
        for i in range(self.num_games):
            sequence = np.random.SeedSequence(self._base, spawn_key=(i,))
            numbers[i], self.rows[i].rng, self.rows[i].copies = sequence.generate_state(3, np.uint64)
        self.rows["game_seed"] = self.rows["fresh"] = 0
        self.final_obs[self.rows["final_seat"] != seat] = 0
        self._seed_agents(self.opponents)
        loops, config, n = loops_of(self.game), self.config.record, self.num_games
        loops.determinize_games(self._games, config, numbers, np.full(n, seat, np.int8), 0, n)
        loops.observe_games(self._games, config, self.rows["seat"].copy(), self._obs, 0, n)
        loops.legal_games(self._games, config, self.mask, 0, n)
        self.mask[self.rows["status"] == OVER] = 0
        self._loops.resume_rows(
            *(self._games, config, self.rows, self._settings, self._scratch[0]),
            *(self._obs, self.mask, self._final_obs, 0, n),
        )
        self._ask_agents()

    def __getstate__(self) -> dict[str, Any]:
        size = (self.num_games, self.compiled, self.threads)
        made = {"game": self.game, "options": dict(self.config.options), "size": size, "illegal": self.illegal}
        return {**made, "state": self.get_state()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        game: Game = state["game"]
        self.illegal = state["illegal"]
        self._allocate(game, game.config(**state["options"]), *state["size"])
        self.set_state(state["state"])
