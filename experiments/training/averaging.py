"""Several learners whose weights are averaged after each window: what is learned from never travels.

Each learner plays its own matches and learns from them, as a run with one learner does; then the changes that they made
to the weights and to Adam's averages are averaged, and all go on from there (local SGD: Stich 2019). A learner keeps
nothing between windows, so any worker can be any learner, and the run does not depend on who was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.agents.networks.network import Floats
from bdgame_env.engine.game import Game

from ..errors import BadInput
from .codes import COUNTS, RIVAL_GAMES, RIVAL_WINS
from .config import TrainConfig
from .gradients import LOSSES
from .lessons import Learned, Stage, learn_window
from .matches import Matches, pack_states, unpack_states
from .rollouts import Filled, Order, Rival, WindowPlayer, search_unit
from .samples import new_window
from .updates import Diverged, Learner

_STATES = ("weights", "means", "squares")


@dataclass(eq=False)
class Share:
    """The matches of one learner: of each number of players those from lo to hi - 1."""

    number: int
    matches: list[tuple[Matches, int, int]]

    def __str__(self) -> str:
        return f"the window of learner {self.number}"


Ask = Callable[[Sequence[Share], tuple[Any, ...], Callable[[Share], tuple[Any, ...]]], Iterable[tuple[Share, Any]]]


class AveragedLearners:
    """`config.learners` learners.

    Args:
        config: the settings of the run.
        ask: has shares learned, given what all are sent alike and what each is sent; yields the results in any order.
    """

    def __init__(self, config: TrainConfig, ask: Ask) -> None:
        self._config, self._ask = config, ask
        self._shares: list[Share] = []

    def update(
        self, learner: Learner, matches: Sequence[Matches], order: Order, stage: Stage
    ) -> tuple[Filled, Learned]:
        """Play a window with all matches, learn from it, and change the learner."""
        if not self._shares:
            self._shares = _split(matches, self._config)
        rival = None if order.rival is None else (order.rival.weights, order.rival.width, order.rival.layers)
        same = (
            *(np.stack([getattr(learner, name) for name in _STATES]), learner.steps),
            *(rival, order.play, order.updates, stage),
        )
        counts, learned = np.zeros(COUNTS), Learned(0, np.zeros(LOSSES), 0)
        changes: dict[int, npt.NDArray[np.uint16]] = {}
        sent = 0
        for share, (change, states, counted, what) in self._ask(self._shares, same, _own):
            for (some, lo, hi), packed in zip(share.matches, states, strict=True):
                unpack_states(packed, some.games[lo:hi], some.rng[lo:hi])
                sent += len(packed)
            changes[share.number] = change
            sent += change.nbytes
            counts += counted
            learned.decisions += what.decisions
            learned.losses += what.losses
            learned.steps += what.steps
        count = np.float32(len(self._shares))
        total = np.zeros((len(_STATES), len(learner.weights)), np.float32)
        for number in sorted(changes):  # in this order, whoever was first: sums of floats depend on it
            total += _widened(changes[number])
        for name, change in zip(_STATES, total / count, strict=True):
            getattr(learner, name)[:] += change
        np.maximum(learner.squares, 0.0, out=learner.squares)  # rounding may have taken more than there was
        learner.steps += learned.steps // len(self._shares)
        figures = {"learners/bytes_per_decision": sent / max(1, learned.decisions)}
        return Filled(counts, [(order.rival, counts[RIVAL_GAMES], counts[RIVAL_WINS])], figures), learned


class ShareLearner:
    """The work of one learner, in this process or on a worker.

    Args:
        game: the game of the run.
        config: its settings.
        threads: that share the work; results depend on their number.
    """

    def __init__(self, game: Game, config: TrainConfig, threads: int) -> None:
        self._player = WindowPlayer(game, config, threads)
        self._learner: Learner | None = None
        self._config, self._threads = config, threads

    def work(
        self,
        states: npt.NDArray[np.float32],
        steps: int,
        rival: Any,
        play: Any,
        updates: int,
        stage: Stage,
        number: int,
        parts: Sequence[tuple[int, int, int, bytes, npt.NDArray[np.int8]]],
    ) -> tuple[npt.NDArray[np.uint16], list[bytes], npt.NDArray[np.float64], Learned]:
        """Play and learn; returns the changes to weights and averages, states of matches, counts, what was learned.

        Args:
            states: weights and Adam's averages, float32 (3, size).
            steps: of Adam so far.
            rival: weights and shape of the network that is met, or None.
            play: see `rollouts.Order`.
            updates: likewise.
            stage: where the run is.
            number: of the learner.
            parts: by number of players: this, the number of its first match, of how many, their states and line-ups.

        Raises:
            BadInput: what was learned is no longer a finite number.
        """
        config, player = self._config, self._player
        learner = self._learner_with(states[0])
        for name, values in zip(_STATES, states, strict=True):
            getattr(learner, name)[:] = values
        learner.steps = steps
        met = None if rival is None else Rival(np.array(rival[0]), *rival[1:])
        order = Order(np.array(play), learner.weights, met, updates, stage.teach)
        samples = config.steps * sum(len(lineups) for *_, lineups in parts)
        window = new_window(player.plan, samples, searches=config.search_every > 0)
        counts: Any = 0.0
        at, after = 0, []
        for players, first, of, packed, lineups in parts:
            matches = player.matches(players, len(lineups))
            unpack_states(packed, matches.games, matches.rng)
            matches.lineups[:] = lineups
            end = at + len(lineups) * config.steps
            counts = counts + player.play(window.part(at, end), matches, order, first, of)
            after.append(pack_states(matches.games, matches.rng))
            at = end
        try:
            rng = np.random.default_rng([config.seed, updates, number, 2])
            learned = learn_window(learner, window, config, stage, rng)
        except Diverged as error:
            raise BadInput(f"learner {number}: {error}: choose lower rates and another --out") from None
        changed = np.stack([getattr(learner, name) for name in _STATES]) - states
        return _narrowed(changed), after, counts, learned

    def close(self) -> None:
        """Nothing is left to stop."""

    def _learner_with(self, weights: Floats) -> Learner:
        if self._learner is None:
            config = self._config
            self._learner = Learner(self._player.plan, config.width, config.layers, weights, self._threads)
        return self._learner


def learners_here(worker: ShareLearner) -> Ask:
    """Has shares learned in this process, one after the other."""

    def ask(shares: Sequence[Share], same: tuple[Any, ...], own: Callable[[Share], tuple[Any, ...]]) -> Any:
        for share in shares:
            yield share, worker.work(*same, *own(share))

    return ask


def _own(share: Share) -> tuple[Any, ...]:
    parts = [
        (some.config.players, lo, some.count, pack_states(some.games[lo:hi], some.rng[lo:hi]), some.lineups[lo:hi])
        for some, lo, hi in share.matches
    ]
    return share.number, parts


def _split(matches: Sequence[Matches], config: TrainConfig) -> list[Share]:
    """The matches of each learner.

    Raises:
        BadInput: there are too few matches.
    """
    unit = search_unit(config)
    shares = [Share(number, []) for number in range(config.learners)]
    for some in matches:
        bounds = [some.count * number // config.learners // unit * unit for number in range(config.learners)]
        for share, lo, hi in zip(shares, bounds, [*bounds[1:], some.count], strict=True):
            if lo == hi:
                raise BadInput(f"learners={config.learners}: {some.count} matches are too few for so many")
            share.matches.append((some, lo, hi))
    return shares


def _narrowed(values: npt.NDArray[np.float32]) -> npt.NDArray[np.uint16]:
    """The upper halves of floats, rounded: their range, and three digits."""
    whole = np.ascontiguousarray(values).view(np.uint32)
    return ((whole + np.uint32(0x8000)) >> np.uint32(16)).astype(np.uint16)


def _widened(values: npt.NDArray[np.uint16]) -> npt.NDArray[np.float32]:
    """The inverse of `_narrowed`."""
    return (values.astype(np.uint32) << np.uint32(16)).view(np.float32)
