"""Plays many games between agents side by side: `play_batch` one batch, `play_batches` several. Knows no game."""

from __future__ import annotations

import time
from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping, MutableSequence, Sequence
from concurrent.futures import wait
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.agents.base import Actions, Agent, AgentFault
from bdgame_env.engine.game import Game, GameConfig
from bdgame_env.engine.layout import as_bytes
from bdgame_env.engine.loop_builder import loops_of
from bdgame_env.engine.quoting import shown

from ..daemon_threads import in_daemon_thread
from .seating import Seating

BATCH = Agent.games_at_once
ACTION = np.dtype("<u2")
_FIRST_ROOM = 256  # decisions per game to begin with; doubled when a game needs more

Rows = npt.NDArray[np.intp]


@dataclass(frozen=True)
class GameResult(Seating):
    """A game that was played, and how it ended.

    Attributes:
        points: of every seat, at the end or when a seat forfeited.
        ranks: of every seat; 1 is the best, and tied seats share a rank. See `ranks_after_forfeit`.
        decisions: how many were taken.
        truncated: whether the round limit ended the game.
        forfeit: the seat that forfeited, or None.
        reason: why that seat forfeited, or "".
        actions: ids of all actions taken, two bytes each (`ACTION`), so that the game can be replayed.
        decided: how many decisions each seat took; empty in results of version 0.2.
        seconds: how long each seat thought in all; a call for many games counts in equal parts.
    """

    points: tuple[int, ...]
    ranks: tuple[int, ...]
    decisions: int
    truncated: bool
    forfeit: int | None = None
    reason: str = ""
    actions: bytes = b""
    decided: tuple[int, ...] = field(default=(), compare=False)
    seconds: tuple[float, ...] = field(default=(), compare=False)

    @property
    def action_ids(self) -> list[int]:
        """The actions as a list of ids."""
        ids: list[int] = np.frombuffer(self.actions, ACTION).tolist()
        return ids


@dataclass(frozen=True)
class Recording:
    """What an agent did in a batch that was played before.

    Attributes:
        agent: its index.
        results: of the batch, in the order of its games.
        needs_states: whether the agent was given states, for which random numbers were drawn.
    """

    agent: int
    results: Sequence[GameResult]
    needs_states: bool


def play_batches(
    game: Game,
    config: GameConfig,
    agents: MutableSequence[Agent],
    seatings: Sequence[Seating],
    *,
    batch: int = BATCH,
    seed: int = 0,
) -> Iterator[list[GameResult]]:
    """Play games `batch` at a time; yields the results of each batch. Arguments as for `play_batch`."""
    for start in range(0, len(seatings), batch):
        yield play_batch(game, config, agents, seatings[start : start + batch], seed=seed)


def play_batch(
    game: Game,
    config: GameConfig,
    agents: MutableSequence[Agent],
    seatings: Sequence[Seating],
    *,
    seed: int = 0,
    time_limits: Sequence[float | None] = (),
    remake: Callable[[int], Agent] | None = None,
    on_step: Callable[[int], None] | None = None,
    on_question: Callable[[GameResult], None] | None = None,
    recording: Recording | None = None,
) -> list[GameResult]:
    """Play games to the end, side by side: at each step, one call per agent covers all games in which it is to move.

    An agent that raises, answers with anything but one legal action per game, or takes too long loses that game; the
    other games go on. When a call for many games fails, the agent is asked again game by game, so that it loses only
    the games in which it fails.

    The same games in the same batch with the same seed give the same results: for every batch, each agent is seeded
    from `seed`, the number of the batch's first game and the agent's index. With another batch size the deals are the
    same, but agents draw other random numbers. A time limit makes results depend on the machine.

    Args:
        game: any game.
        config: its cards and options.
        agents: by the indices in `seatings`. An agent that runs out of time is replaced in this list.
        seatings: the games of this batch.
        seed: for the agents' random numbers.
        time_limits: seconds per decision by index, averaged over a call; empty for no limits. A call that exceeds it
            loses all its games, since nothing tells which of them took the time. An agent's first calls may have to
            compile or load something: see `warm_up`.
        remake: makes a new agent for an index, because the thread of a hanging agent cannot be stopped. Required with
            a time limit.
        on_step: called after each step with the number of games that have ended.
        on_question: for a batch of one game. Called before an agent is seeded or asked, with the result that the game
            has if that call takes the process down; the reason is still to be filled in.
        recording: of an agent that is not asked, but does again what it did. Where nobody forfeited, the other agents
            then do what they did too, and the results are the same.

    Returns:
        The results in the order of `seatings`.

    Raises:
        ValueError: a seating or the time limits do not fit; there is a limit without `remake`; `on_question` is given
            with several games.
        RuntimeError: a game took more than `config.max_decisions` decisions.
    """
    for seating in seatings:
        if len(seating.agents) != config.players or not all(0 <= index < len(agents) for index in seating.agents):
            raise ValueError(
                f"game {seating.number}: {seating.agents} does not fit {config.players} seats and {len(agents)} agents"
            )
    limits = time_limits or [None] * len(agents)
    if len(limits) != len(agents):
        raise ValueError(f"{len(limits)} time limits for {len(agents)} agents")
    if remake is None and any(limit is not None for limit in limits):
        raise ValueError("a time limit needs `remake`")
    if on_question is not None and len(seatings) > 1:
        raise ValueError(f"`on_question` is for one game, not {len(seatings)}")
    if not seatings:
        return []
    first = seatings[0].number
    broken: dict[int, str] = {}
    for index in sorted({index for seating in seatings for index in seating.agents}):
        if on_question is not None:
            on_question(lost_at_once(seatings[0], index))
        try:
            agents[index].seed(_agent_seed(seed, first, index))
        except (Exception, SystemExit) as error:
            broken[index] = str(AgentFault.of(error))
    running = _Games(game, config, seatings, np.random.default_rng(_sequence(seed, first, len(agents))))
    steps = 0
    while running.size:
        if steps == config.max_decisions:
            raise RuntimeError(f"{game.id}: a game is not over after max_decisions={config.max_decisions} decisions")
        running.look()
        actions = np.zeros(running.size, np.int32)
        lost: dict[int, str] = {}
        to_move = running.agents_to_move()
        for index in np.unique(to_move).tolist():
            rows = np.flatnonzero(to_move == index)
            if on_question is not None:
                on_question(running.results_of(rows, ["?"])[0])
            if index in broken:
                lost.update(dict.fromkeys(rows.tolist(), broken[index]))
                continue
            started = time.perf_counter()
            try:
                if recording is not None and index == recording.agent:
                    actions[rows], faults = running.repeated(rows, recording)
                else:
                    actions[rows], faults = _ask(running, agents[index], rows, limits[index])
            except _OutOfTime:
                assert remake is not None
                faults = dict.fromkeys(rows.tolist(), f"took more than {limits[index]:g} s per decision")
                with suppress(Exception):
                    agents[index].close()
                agents[index] = remake(index)
                agents[index].seed(_agent_seed(seed, first, index))
            running.count(rows, time.perf_counter() - started)
            lost.update(faults)
        steps += 1
        running.step(actions, lost)
        if on_step is not None:
            on_step(len(running.results))
    return [running.results[number] for number in range(len(seatings))]


def ranks_after_forfeit(players: int, loser: int) -> tuple[int, ...]:
    """A seat that forfeits is last, the others share rank 1."""
    return tuple(players if seat == loser else 1 for seat in range(players))


def lost_at_once(seating: Seating, index: int, reason: str = "?") -> GameResult:
    """The result of a game that an agent loses before the first move."""
    loser, players = seating.agents.index(index), len(seating.agents)
    lost = ranks_after_forfeit(players, loser)
    nothing = (0,) * players
    return GameResult(
        **vars(seating),
        points=nothing,
        ranks=lost,
        decisions=0,
        truncated=False,
        forfeit=loser,
        reason=reason,
        decided=nothing,
        seconds=(0.0,) * players,
    )


def warm_up(game: Game, config: GameConfig, agent: Agent, seconds: float) -> None:
    """Ask an agent for the first move of a game that does not count, so that loading and compiling cost it no game.

    Its mistakes are ignored here, since they will show in its games; after `seconds` nobody waits for it any longer.
    """
    trial = _Games(game, config, [Seating(0, 0, 0, (0,) * config.players)], np.random.default_rng(0))
    trial.look()
    with suppress(_OutOfTime):
        _ask(trial, agent, np.zeros(1, np.intp), seconds)


class _Games:
    """The games of a batch that are still running, and the results of those that have ended."""

    def __init__(self, game: Game, config: GameConfig, seatings: Sequence[Seating], rng: np.random.Generator) -> None:
        self.game, self.config, self.seatings = game, config, seatings
        self.results: dict[int, GameResult] = {}
        self._loops, self._rng = loops_of(game), rng
        n = len(seatings)
        self._games = np.zeros(n, game.state)
        self._numbers = np.arange(n)  # row -> index in `seatings`
        self._agents = np.array([seating.agents for seating in seatings])
        game_seeds = np.array([seating.game_seed for seating in seatings], np.uint64)
        self._loops.reset_games(self._games, config.record, game_seeds, 0, n)
        self._observations = np.zeros((n, game.obs.itemsize), np.int8)
        self._masks = np.zeros((n, config.num_actions), np.int8)
        if config.num_actions > np.iinfo(ACTION).max:
            raise ValueError(f"{game.id}: {config.num_actions} actions, more than can be stored")
        self._played = np.zeros((n, _FIRST_ROOM), ACTION)  # actions taken, by index in `seatings` and decision
        self._decided, self._seconds = np.zeros((n, config.players), np.int32), np.zeros((n, config.players))

    @property
    def size(self) -> int:
        """Number of games still running."""
        return len(self._games)

    def look(self) -> None:
        """Write the observation and mask of the seat to decide in each game."""
        n = self.size
        records = self._observations[:n].view(self.game.obs).reshape(n)
        self._loops.look_games(self._games, self.config.record, records, self._masks, 0, n)

    def agents_to_move(self) -> Rows:
        """Index of the agent to decide in each game."""
        to_move: Rows = self._agents[np.arange(self.size), self._games["seat"]]
        return to_move

    def question(self, rows: Rows, with_states: bool) -> tuple[Any, ...]:
        """What an agent is shown of some games: copies, so that nothing it does to them reaches the games."""
        observation, mask = self._observations.take(rows, 0), self._masks.take(rows, 0)
        return (observation, mask, self._determinized(rows) if with_states else None)

    def count(self, rows: Rows, seconds: float) -> None:
        """Count a decision in some games, on which an agent has thought so long in all."""
        where = self._numbers[rows], self._games["seat"][rows]
        self._decided[where] += 1
        self._seconds[where] += seconds / len(rows)

    def repeated(self, rows: Rows, recording: Recording) -> tuple[Actions, dict[int, str]]:
        """As `_ask`, for an agent that does what it did."""
        self.question(rows, recording.needs_states)  # draws the numbers that were drawn
        numbers, decisions = self._numbers[rows].tolist(), self._games["decisions"][rows].tolist()
        pairs = zip(numbers, decisions, strict=True)
        taken = [np.frombuffer(recording.results[number].actions, ACTION)[at : at + 1] for number, at in pairs]
        return self.checked(rows, np.array([int(one[0]) if len(one) else -1 for one in taken]))

    def checked(self, rows: Rows, actions: npt.NDArray[Any]) -> tuple[Actions, dict[int, str]]:
        """Actions, 0 where they are not legal, and the faults of these by row."""
        accepted = self.accepted(rows, actions)
        faults = {int(rows[k]): self.fault(int(rows[k]), int(actions[k])) for k in np.flatnonzero(~accepted)}
        return np.where(accepted, actions, 0).astype(np.int32), faults

    def fault(self, row: int, action: int) -> str:
        """Why an action was rejected."""
        if not 0 <= action < self.config.num_actions:
            return f"chose action {action}; ids are 0 to {self.config.num_actions - 1}"
        return f"chose {shown(self.game.notation(self.config)[0][action])}, which was not legal"

    def accepted(self, rows: Rows, actions: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
        """Which actions are legal."""
        inside = (actions >= 0) & (actions < self.config.num_actions)
        legal: npt.NDArray[np.bool_] = self._masks[rows, np.where(inside, actions, 0)] != 0
        return inside & legal

    def step(self, actions: Actions, lost: Mapping[int, str]) -> None:
        """End the games that were lost, apply the actions in the others, and remove the games that are over."""
        if lost:
            gone = np.array(sorted(lost), np.intp)
            self._record(gone, [lost[int(row)] for row in gone])
            going = np.ones(self.size, np.bool_)
            going[gone] = False
            actions = actions[going]
            self._keep(going)
        self._store_actions(actions)
        self._loops.apply_games(self._games, self.config.record, actions, 0, self.size)
        over = self._games["over"] != 0
        if over.any():
            rows = np.flatnonzero(over)
            self._record(rows, [""] * len(rows))
            self._keep(~over)

    def _store_actions(self, actions: Actions) -> None:
        """Store the actions that are about to be applied."""
        decisions = self._games["decisions"]
        if self.size and decisions.max() >= self._played.shape[1]:
            self._played = np.concatenate([self._played, np.zeros_like(self._played)], axis=1)
        self._played[self._numbers, decisions] = actions

    def _copies(self, rows: Rows) -> npt.NDArray[Any]:
        return as_bytes(self._games).take(rows, 0).view(self.game.state).reshape(len(rows))

    def _determinized(self, rows: Rows) -> npt.NDArray[Any]:
        """Copies of the records, determinized for the seat to decide."""
        games = self._copies(rows)
        numbers = self._rng.integers(0, 2**64, len(rows), np.uint64)
        self._loops.determinize_games(games, self.config.record, numbers, games["seat"].astype(np.int8), 0, len(rows))
        return games

    def results_of(self, rows: Rows, reasons: Sequence[str]) -> list[GameResult]:
        """The results of games that are over, or that the seat to decide forfeits for a reason."""
        players = self.config.players
        games = self._copies(rows)
        finals = np.zeros((len(rows), 2 * players + 1), np.int32)
        self._loops.finals_games(games, self.config.record, finals, 0, len(rows))
        results = []
        for row, state, final, reason in zip(rows, games, finals.tolist(), reasons, strict=True):
            seating = self.seatings[self._numbers[row]]
            loser = int(state["seat"]) if reason else None
            ranks = tuple(final[players:-1]) if loser is None else ranks_after_forfeit(players, loser)
            result = GameResult(
                **vars(seating),
                points=tuple(final[:players]),
                ranks=ranks,
                decisions=final[-1],
                truncated=bool(state["truncated"]),
                forfeit=loser,
                reason=reason,
                actions=self._played[self._numbers[row], : final[-1]].tobytes(),
                decided=tuple(self._decided[self._numbers[row]].tolist()),
                seconds=tuple(self._seconds[self._numbers[row]].round(6).tolist()),  # as it is stored
            )
            results.append(result)
        return results

    def _record(self, rows: Rows, reasons: Sequence[str]) -> None:
        results = self.results_of(rows, reasons)
        self.results.update(zip(self._numbers[rows].tolist(), results, strict=True))

    def _keep(self, going: npt.NDArray[np.bool_]) -> None:
        rows = np.flatnonzero(going)
        self._games = self._copies(rows)
        self._numbers, self._agents = self._numbers[rows], self._agents[rows]


class _OutOfTime(Exception):
    """A call took longer than the limit; its thread may still be running."""


def _ask(running: _Games, agent: Agent, rows: Rows, time_limit: float | None) -> tuple[Actions, dict[int, str]]:
    """The agent's actions in some games, 0 where it is at fault, and the reasons by row where it is.

    Raises:
        _OutOfTime: the call took too long.
    """
    seconds = None if time_limit is None else time_limit * len(rows)
    question = running.question(rows, agent.needs_states)
    try:
        actions = action_ids(_within(seconds, lambda: agent.act(*question)), len(rows))
    except _OutOfTime:
        raise
    except (Exception, SystemExit) as error:
        if len(rows) == 1:
            return np.zeros(1, np.int32), {int(rows[0]): str(AgentFault.of(error))}
        parts = [_ask(running, agent, rows[k : k + 1], time_limit) for k in range(len(rows))]
        return np.concatenate([part for part, _ in parts]), dict(ChainMap(*(faults for _, faults in parts)))
    return running.checked(rows, actions)


def action_ids(answer: Any, n: int) -> npt.NDArray[Any]:
    """An agent's answer in n games, if it is that.

    Raises:
        AgentFault: it is not.
    """
    actions = np.asarray(answer)
    if actions.shape != (n,) or actions.dtype.kind not in "iu":
        raise AgentFault(f"answered with shape {actions.shape} of {actions.dtype}, not ({n},) of int32")
    return actions


def _within(seconds: float | None, call: Callable[[], Any]) -> Any:
    """What the call returns.

    Raises:
        _OutOfTime: it took longer. Python cannot stop the thread, so it is left running.
    """
    if seconds is None:
        return call()
    future = in_daemon_thread(call)
    if not wait([future], seconds).done:
        raise _OutOfTime
    return future.result()


def _sequence(seed: int, first: int, index: int) -> np.random.SeedSequence:
    """Independent of the sequences behind game seeds, whose spawn keys have length 1."""
    return np.random.SeedSequence(seed, spawn_key=(first, index))


def _agent_seed(seed: int, first: int, index: int) -> int:
    return int(_sequence(seed, first, index).generate_state(1, np.uint64)[0])
