"""What a player sees, as OpenSpiel's observers."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import numpy.typing as npt
import pyspiel

from ...engine.game import Game
from ..observations import array_shape


def observer_of(game: Game, kind: Any = None) -> SeatObserver | PublicObserver | None:
    """The observer of a `pyspiel.IIGObservationType`, or None if there is none of that type.

    There is one of what a player sees now (without perfect recall; also for None), one of all that it learned (with
    perfect recall), and one of what everybody sees now (without private information).
    """
    if kind is None:
        return SeatObserver(game)
    if not kind.public_info or kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
        return None
    if kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER:
        return RecallObserver(game) if kind.perfect_recall else SeatObserver(game)
    return None if kind.perfect_recall else PublicObserver()


class SeatObserver:
    """What a player sees now.

    The string holds the fields of the observation that are not all zero, as JSON.

    Args:
        game: the declaration of the game.

    Attributes:
        tensor: the observation that the other frameworks give, as float32, shape (size,).
        dict: its fields by name, views of it.
    """

    tensor: npt.NDArray[np.float32] | None
    dict: dict[str, npt.NDArray[np.float32]]

    def __init__(self, game: Game) -> None:
        self._schema = game.schema
        self.tensor = tensor = np.zeros(game.obs.itemsize, np.float32)
        self.dict = {field.name: tensor[field.slice].reshape(array_shape(field)) for field in game.schema}

    def set_from(self, state: Any, player: int) -> None:
        """Write what a player sees to `tensor`; zeros while chance deals."""
        if self.tensor is not None:
            self.tensor[:] = 0 if state.position is None else state.position.match.observe(player)

    def string_from(self, state: Any, player: int) -> str:
        """What a player sees."""
        if state.position is None:
            return _text({"player": player, "dealt": False})
        vector = state.position.match.observe(player)
        seen = {f.name: vector[f.slice].reshape(f.shape).tolist() for f in self._schema if vector[f.slice].any()}
        return _text({"player": player, **seen})


class RecallObserver(SeatObserver):
    """All that a player learned: what it sees now, and a digest of what it did, was told and saw before. No tensor."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.tensor, self.dict = None, {}

    def string_from(self, state: Any, player: int) -> str:
        """What a player sees now, and the digest."""
        seen = super().string_from(state, player)
        return seen if state.position is None else f"{seen} {state.position.learned_by(player).hex()}"


class PublicObserver:
    """What everybody sees now, as JSON. No tensor."""

    tensor = None

    def __init__(self) -> None:
        self.dict: dict[str, npt.NDArray[np.float32]] = {}

    def set_from(self, state: Any, player: int) -> None:
        """There is no tensor to write to."""

    def string_from(self, state: Any, player: int) -> str:
        """What everybody sees, the same for all players."""
        return _text({"dealt": False} if state.position is None else state.position.match.snapshot())


def _text(data: Any) -> str:
    return json.dumps(data, separators=(",", ":"))
