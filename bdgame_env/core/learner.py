"""Many games of one learner among opponents: the loop under the Gymnasium and SB3 environments. No framework here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from . import learner_template
from .batch import IllegalAction, RewardScheme, check_actions
from .drivers import RULES, instantiate
from .game import MAX_SEATS, BadOption, Box, Game
from .jit import rule
from .records import record
from .rng import deal_number
from .threads import run_ranges, usable_threads

_POOL = 64
_TICKETS = 1 << 20
EXTERNAL = -2

ROW = record(
    [
        ("rng", np.uint64),  # the row's own luck: line-ups and compiled opponents, never the deals
        ("reward", np.float32),  # of the learner's last decision
        ("potential", np.float32),  # for shaping, at the learner's last decision
        ("length", np.int32),  # decisions of the game that ended
        ("points", np.int32, MAX_SEATS),  # its final points and places
        ("places", np.int32, MAX_SEATS),
        ("seat", np.int8),  # the learner's seat
        ("lineup", np.int8, MAX_SEATS),  # policy of each seat
        ("final_seat", np.int8),  # seat and line-up of the game that ended
        ("final_lineup", np.int8, MAX_SEATS),
        ("done", np.int8),  # RUNNING, TERMINATED or TRUNCATED
        ("status", np.int8),  # who decides now: the policy of the seat
        ("spare", np.int8, 4),
    ]
)

SETTINGS = record(
    [
        ("shaping", np.float64),
        ("gamma", np.float64),
        ("scheme", np.int32),
        ("seat", np.int32),  # the learner's seat, or -1 for a random one each game
        ("tickets", np.int32),
        ("pool_size", np.int32),
        ("pool_tickets", np.int32, _POOL),
        ("pool_policy", np.int8, _POOL),
    ]
)

Act = Callable[[npt.NDArray[np.int8], npt.NDArray[np.int8], npt.NDArray[Any] | None], npt.NDArray[Any]]


@dataclass(frozen=True)
class CompiledPlayers:
    """A game's own compiled players.

    Attributes:
        module: where `choose` is defined; its name is part of the compiled code's name.
        names: the policies 1, 2, ... by name; policy 0 is always "random".
        choose: the `rule` `(policy, s, box, mask, luck, scratch) -> action`; it must not write `s` nor use what is
            hidden from the seat to decide.
        scratch: number of state records it needs to try things out.
    """

    module: str
    names: tuple[str, ...]
    choose: Callable[..., int]
    scratch: int


@dataclass(frozen=True)
class Opponent:
    """A player for the other seats: a compiled policy (by number), or an agent that Python asks.

    Attributes:
        name: for records.
        policy: number of a compiled policy, or None.
        act: `(observation (n, size), mask (n, actions), states (n,) or None) -> actions (n,)`, if policy is None.
        needs_states: whether `act` wants copies of the records with everything hidden dealt anew.
        weight: how often it is drawn, relative to the others.
    """

    name: str
    policy: int | None = None
    act: Act | None = None
    needs_states: bool = False
    weight: float = 1.0


@cache
def learner_drivers(game: Game, players: CompiledPlayers | None) -> ModuleType:
    """The compiled loops for a game, with its compiled players if it has any."""
    rules: dict[str, Any] = {name: getattr(game, name) for name in RULES}
    rules["choose"] = players.choose if players else _no_players
    inner = (
        *("run_row", "finish_row", "place_reward", "lead", "new_game"),
        *("draw_opponent", "choose_action", "random_legal"),
    )
    return instantiate(learner_template, game, rules, inner, [players.module] if players else [])


@rule
def _no_players(policy: Any, s: Any, box: Any, mask: Any, luck: Any, scratch: Any) -> Any:
    return 0


class LearnerBatch:
    """n games, each of one learner and its opponents, advanced by the learner's decisions.

    After `reset` and `step` the arrays hold, for row i, what the learner sees and may do now; a game that ended in the
    last step has been replaced by a new one. All arrays are allocated once and overwritten by the next call.

    Args:
        game: the declaration of the game.
        box: its cards and options.
        num_games: rows.
        opponents: the pool from which each other seat is drawn anew for every game.
        compiled: the game's compiled players, if opponents use them.
        seat: the learner's seat, or "random".
        reward: "place" (zero-sum by place), "win", or "points" (place plus shaping on the point lead).
        shaping: size of the potential for "points".
        gamma: the learner's discount, for shaping that leaves the best policies unchanged.
        seed: None takes fresh entropy.
        threads: None for one per core.

    Attributes:
        observations: int8 (n, observation size). masks: int8 (n, num_actions).
        rows: ROW records, shape (n,), with rewards, done flags and results.
        final_observations: int8 (n, observation size), the learner's last view of a game that ended.
    """

    def __init__(
        self,
        game: Game,
        box: Box,
        num_games: int,
        opponents: Sequence[Opponent],
        *,
        compiled: CompiledPlayers | None = None,
        seat: int | str = "random",
        reward: str = "place",
        shaping: float = 1.0,
        gamma: float = 1.0,
        seed: int | None = None,
        threads: int | None = None,
    ) -> None:
        if num_games < 1:
            raise BadOption(f"{game.id}: num_games={num_games}, must be 1 or more")
        if seat != "random" and seat not in range(box.players):
            raise BadOption(f"{game.id}: seat={seat!r}, must be 'random' or 0 to {box.players - 1}")
        self.game, self.box, self.num_games = game, box, num_games
        self.threads = usable_threads(threads)
        self._drivers = learner_drivers(game, compiled)
        self._settings = np.zeros(1, SETTINGS)
        settings = self._settings[0]
        settings.scheme, settings.shaping, settings.gamma = RewardScheme.of(reward, game), shaping, gamma
        settings.seat = -1 if seat == "random" else seat
        self._games = np.zeros(num_games, game.state)
        self.rows = np.zeros(num_games, ROW)
        self.observations = np.zeros((num_games, game.obs.itemsize), np.int8)
        self.final_observations = np.zeros_like(self.observations)
        self.masks = np.zeros((num_games, box.num_actions), np.int8)
        self._obs = self.observations.view(game.obs)[:, 0]
        self._final_obs = self.final_observations.view(game.obs)[:, 0]
        self._scratch = [np.zeros(compiled.scratch if compiled else 1, game.state) for _ in range(self.threads)]
        self._actions = np.zeros(num_games, np.int32)
        self.set_opponents(opponents)
        self.seed(seed)

    def seed(self, seed: int | None) -> None:
        """Set the luck of every row: row i is dealt as table i of a batch with this seed."""
        self._base = deal_number(seed) if seed is None else seed
        for i in range(self.num_games):
            self.rows[i].rng = deal_number(self._base, i)

    def set_opponents(self, opponents: Sequence[Opponent]) -> None:
        """Change the pool; games in progress keep their opponents as long as those stay in the pool at their place.

        Raises:
            BadOption: the pool is empty or too large, or an opponent has no way to act.
        """
        if not 1 <= len(opponents) <= _POOL:
            raise BadOption(f"{self.game.id}: {len(opponents)} opponents in the pool, must be 1 to {_POOL}")
        settings = self._settings[0]
        total = sum(opponent.weight for opponent in opponents)
        if not total > 0 or min(opponent.weight for opponent in opponents) < 0:
            raise BadOption(f"{self.game.id}: opponents' weights must be 0 or more, and not all 0")
        self.opponents = tuple(opponents)
        self._external: dict[int, Opponent] = {}
        settings.pool_size = len(opponents)
        settings.tickets = 0
        for k, opponent in enumerate(opponents):
            if opponent.policy is None and opponent.act is None:
                raise BadOption(f"{self.game.id}: opponent {opponent.name!r} has neither a policy nor an act function")
            code = EXTERNAL - k if opponent.policy is None else opponent.policy
            if opponent.policy is None:
                self._external[code] = opponent
            settings.pool_policy[k] = code
            settings.pool_tickets[k] = round(opponent.weight / total * _TICKETS)
            settings.tickets += settings.pool_tickets[k]

    def reset(self) -> None:
        """Deal all games anew and play up to the learner's first decisions."""

        def begin(part: int, lo: int, hi: int) -> None:
            self._drivers.begin_rows(
                *(self._games, self.box.record, self.rows, self._settings, self._scratch[part]),
                *(self._obs, self.masks, self._final_obs, lo, hi),
            )

        run_ranges(begin, self.num_games, self.threads)
        self._ask_agents()

    def step(self, actions: npt.ArrayLike) -> None:
        """The learner's action in every row, then everybody else's, up to the learner's next decisions.

        Args:
            actions: integers, shape (n,).

        Raises:
            IllegalAction: an action is not legal; names row and action, and nothing was changed.
        """
        check_actions(self.game, self.box, actions, self.masks, self._actions)

        def play(part: int, lo: int, hi: int) -> int:
            waiting: int = self._drivers.step_rows(
                *(self._games, self.box.record, self.rows, self._settings, self._scratch[part], self._actions),
                *(self._obs, self.masks, self._final_obs, lo, hi),
            )
            return waiting

        if any(run_ranges(play, self.num_games, self.threads)):
            self._ask_agents()

    def _ask_agents(self) -> None:
        """Let agents in Python decide, each in one batch, until every row waits for the learner."""
        while True:
            status = self.rows["status"]
            waiting = np.flatnonzero(status <= EXTERNAL)
            if not len(waiting):
                return
            for code in np.unique(status[waiting]):
                self._ask(self._external[int(code)], np.flatnonzero(status == code))

    def _ask(self, opponent: Opponent, chosen: npt.NDArray[np.intp]) -> None:
        states = self.states_for(chosen) if opponent.needs_states else None
        assert opponent.act is not None
        masks = self.masks[chosen]
        actions = np.asarray(opponent.act(self.observations[chosen], masks, states), np.int32)
        legal = masks[np.arange(len(chosen)), actions]
        if not legal.all():
            worst = int(np.flatnonzero(legal == 0)[0])
            name = self.game.action_names(self.box)[int(actions[worst])]
            raise IllegalAction(f"{self.game.id}: opponent {opponent.name!r} played {name!r}, which is not legal")
        self._drivers.answer_rows(
            *(self._games, self.box.record, self.rows, self._settings, self._scratch[0], chosen, actions),
            *(self._obs, self.masks, self._final_obs, 0, len(chosen)),
        )

    def states_for(self, chosen: npt.NDArray[np.intp]) -> npt.NDArray[Any]:
        """Copies of the records of some rows, with what is hidden from the seat to decide dealt anew."""
        states = self._games[chosen]
        luck = np.random.SeedSequence([int(self._base) & (2**63 - 1), int(states["decisions"].sum())])
        deals = luck.generate_state(len(chosen), np.uint64)
        self.game.drivers.redeal_games(states, self.box.record, deals, states["seat"].copy(), 0, len(chosen))
        return states

    # Exact copies

    def get_state(self) -> dict[str, Any]:
        """Everything that decides how the batch goes on, but the opponents."""
        arrays = ("_games", "rows", "observations", "final_observations", "masks")
        return {"base": self._base, **{name: getattr(self, name).copy() for name in arrays}}

    def set_state(self, state: dict[str, Any]) -> None:
        """Continue from `get_state` of a batch of the same game, options, size and opponents."""
        self._base = state["base"]
        for name in ("_games", "rows", "observations", "final_observations", "masks"):
            getattr(self, name)[...] = state[name]
