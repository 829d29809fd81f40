"""Samples for the network to learn from: collected from a teacher's games, kept in a replay buffer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.agents import Agent
from bdgame_env.agents.heuristics.advice import Advisers
from bdgame_env.engine.batch import Batch
from bdgame_env.engine.game import MAX_SEATS, Game, GameConfig
from bdgame_env.engine.loop_builder import loops_of

from ..errors import BadInput
from ..files import clear_unfinished, write_bytes
from .checkpoints import Arrays, as_plain, from_bytes, joined, like, part_of, to_bytes
from .config import TrainConfig

CHOICES = 8  # the number of preferred actions that a sample keeps


@dataclass
class Samples:
    """Positions labeled by a teacher.

    Attributes:
        observations: int8 (n, size).
        masks: uint8 (n, ceil(actions / 8)), packed bits.
        advice: int16 (n, advisers).
        actions: int16 (n, CHOICES), the teacher's preferred actions, padded with -1; the first is its choice.
        weights: float32 (n, CHOICES), the teacher's preferences among them; they sum to 1.
        returns: float32 (n, MAX_SEATS), the final rewards of all seats from the seat that decided on; NaN if the game
            was not finished, and for seats not in play.
    """

    observations: npt.NDArray[np.int8]
    masks: npt.NDArray[np.uint8]
    advice: npt.NDArray[np.int16]
    actions: npt.NDArray[np.int16]
    weights: npt.NDArray[np.float32]
    returns: npt.NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.observations)

    def mask_of(self, rows: npt.NDArray[np.intp], num_actions: int) -> npt.NDArray[np.bool_]:
        """Masks of some samples, bool (k, actions)."""
        return np.unpackbits(self.masks[rows], axis=1, count=num_actions).astype(bool)

    def to_arrays(self) -> Arrays:
        """The arrays by name."""
        return {part.name: getattr(self, part.name) for part in fields(self)}

    @classmethod
    def together(cls, parts: Sequence[Samples]) -> Samples:
        """The samples of several parts in one."""
        if len(parts) == 1:
            return parts[0]
        names = [part.name for part in fields(cls)]
        return cls(**{name: np.concatenate([getattr(part, name) for part in parts]) for name in names})


class ReplayBuffer:
    """The samples of the newest rounds, in memory and in files, so that a resumed run need not collect them again.

    The file of a round also holds the collectors' state after it, so that a resumed run collects the same samples.

    Args:
        folder: folder of the files.
        rounds: how many rounds are kept, at least 1.
    """

    def __init__(self, folder: Path, rounds: int) -> None:
        self._folder, self._kept = folder, rounds
        self._rounds: dict[int, Samples] = {}

    def has(self, number: int) -> bool:
        """Whether the samples of a round are there; loads them and those of earlier rounds from their files."""
        for k in range(max(0, number - self._kept + 1), number + 1):
            if k not in self._rounds and self._path(k).exists():
                arrays = self._read(k)
                self._rounds[k] = Samples(**{part.name: arrays[part.name] for part in fields(Samples)})
        return number in self._rounds

    def add(self, number: int, samples: Samples, collectors: Mapping[int, Collector]) -> None:
        """Add the samples of a round, and drop those of rounds that are too old."""
        states = joined({_collector(players): collector.get_state() for players, collector in collectors.items()})
        write_bytes(self._path(number), to_bytes({**samples.to_arrays(), **states}))
        self._rounds[number] = samples
        for k in [k for k in self._rounds if k <= number - self._kept]:
            del self._rounds[k]
            self._path(k).unlink(missing_ok=True)

    def resume(self, number: int, collectors: Mapping[int, Collector]) -> None:
        """Restore the collectors' state after a round.

        Raises:
            BadInput: the round's file is missing or damaged.
        """
        arrays = self._read(number)
        try:
            for players, collector in collectors.items():
                collector.set_state(part_of(arrays, _collector(players)))
        except (KeyError, ValueError) as error:
            raise self._unusable(number, error) from None

    def _read(self, number: int) -> Arrays:
        try:
            arrays = from_bytes(self._path(number).read_bytes())
            if missing := [part.name for part in fields(Samples) if part.name not in arrays]:
                raise ValueError(f"no {', '.join(missing)}")
        except Exception as error:  # a damaged file can make NumPy raise anything
            raise self._unusable(number, error) from None
        return arrays

    def _unusable(self, number: int, error: Exception) -> BadInput:
        line = " ".join(str(error).split())
        return BadInput(f"{self._path(number)} holds no samples of this run ({line}): choose another --out")

    def newest(self) -> Samples:
        """The samples of the last round."""
        return self._rounds[max(self._rounds)]

    def all(self) -> Samples:
        """All samples in the buffer."""
        return Samples.together([self._rounds[k] for k in sorted(self._rounds)])

    def clear(self) -> None:
        """Remove everything, including the files."""
        self._rounds = {}
        for path in self._folder.glob("round-*.npz"):
            path.unlink()
        clear_unfinished(self._folder)

    def _path(self, number: int) -> Path:
        return self._folder / f"round-{number:04d}.npz"


def _collector(players: int) -> str:
    """The name of a collector's part in a round's file."""
    return f"collector.{players}"


def favorites(
    actions: npt.NDArray[np.int32], preferences: npt.NDArray[np.float32] | None
) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.float32]]:
    """An agent's preferred actions, int16 (n, CHOICES), and their weights, float32 (n, CHOICES).

    Args:
        actions: its choices, (n,).
        preferences: float32 (n, actions), or None if it has none.
    """
    n = len(actions)
    if preferences is None:
        best, weights = np.full((n, CHOICES), -1, np.int16), np.zeros((n, CHOICES), np.float32)
        best[:, 0], weights[:, 0] = actions, 1.0
        return best, weights
    ranked = preferences.copy()
    ranked[np.arange(n), actions] += 1.0  # its choice comes first
    if ranked.shape[1] < CHOICES:  # a game with few actions
        missing = ((0, 0), (0, CHOICES - ranked.shape[1]))
        ranked, preferences = np.pad(ranked, missing, constant_values=-1.0), np.pad(preferences, missing)
    liked = np.argpartition(-ranked, CHOICES - 1, axis=1)[:, :CHOICES]
    order = np.argsort(-np.take_along_axis(ranked, liked, 1), axis=1, kind="stable")
    liked = np.take_along_axis(liked, order, 1)
    weights = np.take_along_axis(preferences, liked, 1)
    weights /= np.maximum(weights.sum(1, keepdims=True), 1e-9)
    return np.where(weights > 0, liked, -1).astype(np.int16), weights.astype(np.float32)


class Collector:
    """A batch of games for one number of players, played by a teacher and the learner.

    Args:
        config: the run's settings.
        game: the declaration of the game.
        game_config: its cards and options.
        games: games side by side, over all numbers of players.
        teacher: the agent that labels every decision.
    """

    def __init__(self, config: TrainConfig, game: Game, game_config: GameConfig, games: int, teacher: Agent) -> None:
        share = max(1, games // len(config.players))
        self._batch = Batch(game, share, seed=config.seed + game_config.players, **game_config.options)
        self._advisers = Advisers(game, game_config) if config.advice else None
        self._teacher = teacher
        self._rng = np.random.default_rng(config.seed)

    def get_state(self) -> Arrays:
        """Everything that later games depend on, except for random numbers, which `seed` fixes."""
        state = self._batch.get_state()
        digest = np.frombuffer(state.pop("digest"), np.uint8)
        return {"digest": digest, **{name: as_plain(values) for name, values in state.items()}}

    def set_state(self, state: Arrays) -> None:
        """Restore the `get_state` of a collector of the same game, options and size.

        Raises:
            KeyError, ValueError: it is the state of another one.
        """
        own = self._batch.get_state()
        own.pop("digest")
        arrays = {name: like(state[name], values) for name, values in own.items()}
        self._batch.set_state({**arrays, "digest": state["digest"].tobytes()})

    def seed(self, seed: int) -> None:
        """Seed the teacher and the random actions."""
        self._teacher.seed(seed)
        self._rng = np.random.default_rng(seed)

    def collect(
        self,
        samples: int,
        progress: Callable[[int], None],
        *,
        learner: Agent | None = None,
        learner_share: float = 0.0,
        epsilon: float = 0.0,
        stride: int = 1,
    ) -> Samples:
        """Collect decisions, labeled by the teacher; games continue from call to call.

        Args:
            samples: how many to collect.
            progress: called with the number collected so far.
            learner: plays in some of the games; None if the teacher plays in all.
            learner_share: the share of those games.
            epsilon: probability of a random action.
            stride: on average one decision in this many becomes a sample. Decisions of one game are much alike; fewer
                from each of more games say more about final rewards.
        """
        batch = self._batch
        lanes, players = batch.num_games, batch.players
        own = round(learner_share * lanes) if learner is not None else 0
        found = _blank(samples, batch, len(self._advisers) if self._advisers else 0)
        seats = np.zeros(samples, np.int8)
        samples_of: list[list[int]] = [[] for _ in range(lanes)]  # by lane, of the game being played there
        n = 0
        while n < samples:
            actions = self._teacher.act(batch.obs, batch.mask, self._shown())
            kept = np.flatnonzero(self._rng.integers(stride, size=lanes) == 0)[: samples - n]
            rows = slice(n, n + len(kept))
            self._write(found, rows, kept, actions)
            seats[rows] = batch.seat[kept]
            for row, lane in enumerate(kept.tolist(), n):
                samples_of[lane].append(row)
            n += len(kept)
            if learner is not None and own:
                shown = self._shown()[:own] if learner.needs_states else None
                actions[:own] = learner.act(batch.obs[:own], batch.mask[:own], shown)
            for lane in np.flatnonzero(self._rng.random(lanes) < epsilon):
                actions[lane] = self._rng.choice(np.flatnonzero(batch.mask[lane]))
            batch.step(actions)
            for lane in np.flatnonzero(batch.done):
                played = samples_of[lane]
                for seat in range(players):
                    found.returns[played, seat] = batch.rewards[lane][(seats[played] + seat) % players]
                samples_of[lane] = []
            progress(n)
        return found

    def _shown(self) -> npt.NDArray[Any]:
        """The positions, determinized for the seats to decide."""
        states = self._batch.states.copy()
        numbers = self._rng.integers(0, 2**64, len(states), np.uint64)
        batch = self._batch
        loops_of(batch.game).determinize_games(
            states, batch.config.record, numbers, states["seat"].astype(np.int8), 0, len(states)
        )
        return states

    def _write(self, samples: Samples, rows: slice, kept: npt.NDArray[np.intp], actions: npt.NDArray[np.int32]) -> None:
        batch, preferences = self._batch, self._teacher.preferences
        samples.observations[rows] = batch.obs[kept]
        samples.masks[rows] = np.packbits(batch.mask[kept], axis=1)
        if self._advisers:
            samples.advice[rows] = self._advisers.ask(batch.states[kept], batch.mask[kept])
        liked = favorites(actions[kept], preferences[kept] if preferences is not None else None)
        samples.actions[rows], samples.weights[rows] = liked


def _blank(n: int, batch: Batch, advisers: int) -> Samples:
    return Samples(
        observations=np.zeros((n, batch.obs.shape[1]), np.int8),
        masks=np.zeros((n, -(-batch.config.num_actions // 8)), np.uint8),
        advice=np.full((n, advisers), -1, np.int16),
        actions=np.zeros((n, CHOICES), np.int16),
        weights=np.zeros((n, CHOICES), np.float32),
        returns=np.full((n, MAX_SEATS), np.nan, np.float32),
    )
