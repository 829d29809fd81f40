"""Inputs of networks, derived from a game's observation schema: scaled entries, thresholds, cards, grids."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.game import Game, ObservationField

Floats = npt.NDArray[np.float32]
Entries = npt.NDArray[np.int64]

_FINE_STEPS, _COARSE_STEPS = (1, 2, 3, 4, 5, 6, 8, 10), (1, 2)
_LARGEST_FINE, _LARGEST_STEPPED = 20, 60


@dataclass(frozen=True)
class Inputs:
    """Plain inputs: scaled entries of the observation, and bits for counts that reach thresholds.

    The thresholds (a thermometer code) let a network compare counts, such as cubes available and cubes required.

    Attributes:
        entries: int64 (k,), indices into the observation. scale: float32 (k,), their factors.
        step_entries: int64 (m,). thresholds: int8 (m,): an input is 1 where the entry is at least the threshold.
    """

    entries: Entries
    scale: Floats
    step_entries: Entries
    thresholds: npt.NDArray[np.int8]

    @property
    def width(self) -> int:
        """Number of inputs."""
        return len(self.entries) + len(self.step_entries)

    def read(self, observation: npt.NDArray[np.int8]) -> tuple[Floats, npt.NDArray[np.intp]]:
        """The nonzero inputs of observations int8 (n, size): values float32 (n, m) and input numbers int64 (m,).

        Inputs that are 0 in all rows, as most are, are left out.
        """
        if not len(observation):
            return np.zeros((0, 0), np.float32), np.zeros(0, np.intp)
        lowest, highest = observation.min(axis=0), observation.max(axis=0)
        sized = np.flatnonzero(((highest != 0) | (lowest != 0))[self.entries])
        stepped = np.flatnonzero(highest[self.step_entries] >= self.thresholds)
        k = len(sized)
        values = np.empty((len(observation), k + len(stepped)), np.float32)
        np.multiply(observation[:, self.entries[sized]], self.scale[sized], out=values[:, :k])
        reached = values[:, k:]
        np.greater_equal(
            observation[:, self.step_entries[stepped]], self.thresholds[stepped], out=reached, casting="unsafe"
        )
        return values, np.concatenate([sized, len(self.entries) + stepped])


@dataclass(frozen=True)
class CardInputs:
    """Card inputs: entries that hold card kinds, which share one embedding, and the grid in which cards lie.

    Attributes:
        kinds: number of card kinds; an entry holds kind + 1, or 0 for no card.
        faces: int64 (k,), entries that each hold one card.
        counts: int64 (m, kinds), entries that count cards by kind.
        grid: int64 (seats, columns, rows), entries of the cards in each seat's grid; no seats if there is no grid.
        layers: int64 (seats, columns, rows, c), entries of everything else in the same cells.
        layer_scale: float32 (c,), their factors.
    """

    kinds: int
    faces: Entries
    counts: Entries
    grid: Entries
    layers: Entries
    layer_scale: Floats


def plan_inputs(game: Game, players: Sequence[int], *, cards_apart: bool = False) -> Inputs:
    """The inputs of a plain network.

    Seats that are not in play for any number of players are left out. Entries are divided by their greatest value, but
    by no more than 30. Small fields of counts get thresholds, more of them the smaller the field is.

    Args:
        game: the declaration of the game.
        players: the numbers of players.
        cards_apart: whether to leave out what `plan_card_inputs` reads.
    """
    entries: list[int] = []
    scale: list[float] = []
    step_entries: list[int] = []
    thresholds: list[int] = []
    apart = set(_entries_of_cards(plan_card_inputs(game, players))) if cards_apart else set()
    for field in game.schema:
        used = [entry for entry in _in_play(game, field, players) if entry not in apart]
        width = field.stop - field.start
        own = width // field.shape[0] if _per_seat(game, field) else width
        entries.extend(used)
        scale.extend([_scale(field)] * len(used))
        if field.high > 1 and own <= _LARGEST_STEPPED:
            steps = _FINE_STEPS if own <= _LARGEST_FINE else _COARSE_STEPS
            for entry in used:
                step_entries += [entry] * len(steps)
                thresholds += steps
    return Inputs(
        entries=np.array(entries, np.int64),
        scale=np.array(scale, np.float32),
        step_entries=np.array(step_entries, np.int64),
        thresholds=np.array(thresholds, np.int8),
    )


def plan_card_inputs(game: Game, players: Sequence[int]) -> CardInputs:
    """The card inputs of a structured network, from the attribute `cards` of the schema's fields."""
    seats = max(players)
    kinds = max([field.high for field in game.schema if field.cards == "cell"], default=0)
    kinds = max([kinds, *(field.shape[-1] for field in game.schema if field.cards == "count")])
    faces: list[int] = []
    counts: list[list[int]] = []
    grid = np.zeros((0, 0, 0), np.int64)
    for field in game.schema:
        used = np.array(_in_play(game, field, players), np.int64)
        if field.cards == "face":
            faces.extend(used.reshape(-1, field.shape[-1])[:, 0])
        elif field.cards == "count":
            counts.extend(used.reshape(-1, kinds).tolist())
        elif field.cards == "cell":
            grid = used.reshape(seats, *field.shape[1:])
    layers = [
        (field, np.array(_in_play(game, field, players), np.int64).reshape(grid.shape))
        for field in game.schema
        if len(field.shape) == 3 and field.shape[1:] == grid.shape[1:] and field.cards != "cell"
    ]
    return CardInputs(
        kinds=kinds,
        faces=np.array(faces, np.int64),
        counts=np.array(counts, np.int64).reshape(-1, kinds),
        grid=grid,
        layers=np.stack([entries for _, entries in layers], -1) if layers else np.zeros((*grid.shape, 0), np.int64),
        layer_scale=np.array([_scale(field) for field, _ in layers], np.float32),
    )


def _entries_of_cards(cards: CardInputs) -> list[int]:
    return [*cards.faces.tolist(), *cards.counts.ravel().tolist(), *cards.grid.ravel().tolist()]


def _scale(field: ObservationField) -> float:
    return 1.0 / max(1, min(30, max(abs(field.low), abs(field.high))))


def _per_seat(game: Game, field: ObservationField) -> bool:
    return len(field.shape) > 1 and field.shape[0] == game.seats[1]


def _in_play(game: Game, field: ObservationField, players: Sequence[int]) -> list[int]:
    """The field's entries, without those of seats that are not in play for any number of players."""
    width = field.stop - field.start
    used = width * max(players) // field.shape[0] if _per_seat(game, field) else width
    return list(range(field.start, field.start + used))
