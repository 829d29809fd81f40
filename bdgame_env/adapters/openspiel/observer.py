"""What a player sees, as OpenSpiel's observers."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import numpy.typing as npt
import pyspiel

from ...engine.game import Game
from ...engine.match import Match
from ..observations import array_shape


def observer_of(game: Game, kind: Any = None) -> SeatObserver | TextObserver | None:
    """The observer of a `pyspiel.IIGObservationType`, or None if there is none of that type.

    There is one of what a player sees now (without perfect recall; also for None), one of all that it learned (with
    perfect recall), one of what everybody sees now (without private information), and one of what a player sees now
    and not everybody does (without public information).
    """
    if kind is None:
        return SeatObserver(game)
    one = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
    if kind.perfect_recall:
        return RecallObserver(game) if kind.public_info and one else None
    if kind.public_info and one:
        return SeatObserver(game)
    if kind.public_info and kind.private_info == pyspiel.PrivateInfoType.NONE:
        return PublicObserver()
    return PrivateObserver() if one else None


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


class TextObserver:
    """What is told as JSON only. No tensor."""

    tensor = None

    def __init__(self) -> None:
        self.dict: dict[str, npt.NDArray[np.float32]] = {}

    def set_from(self, state: Any, player: int) -> None:
        """There is no tensor to write to."""

    def string_from(self, state: Any, player: int) -> str:
        """What is told to a player."""
        return _text({"dealt": False} if state.position is None else self.told(state.position.match, player))

    def told(self, match: Match, player: int) -> Any:
        """What is told to a player of a match, as JSON data."""
        raise NotImplementedError


class PublicObserver(TextObserver):
    """What everybody sees now, the same for all players: the snapshot."""

    def told(self, match: Match, player: int) -> Any:
        """What everybody sees."""
        return match.snapshot()


class PrivateObserver(TextObserver):
    """What a player sees now and not everybody does: where the player's snapshot says more than that of all."""

    def told(self, match: Match, player: int) -> Any:
        """What the player sees alone; {} if that is nothing."""
        return _beyond(match.snapshot(seat=player), match.snapshot()) or {}


def _beyond(seen: Any, public: Any) -> Any:
    """What differs from the public data; None for nothing. Of lists of one length, the entries by their number."""
    if isinstance(seen, list) and isinstance(public, list) and len(seen) == len(public):
        seen, public = dict(enumerate(seen)), dict(enumerate(public))
    if not (isinstance(seen, dict) and isinstance(public, dict)):
        return None if seen == public else seen
    found = {name: _beyond(value, public.get(name)) for name, value in seen.items()}
    return {name: value for name, value in found.items() if value is not None} or None


def _text(data: Any) -> str:
    return json.dumps(data, separators=(",", ":"))
