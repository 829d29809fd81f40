"""The games' names, types and parameters in OpenSpiel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyspiel

from ...engine.game import Game
from ...registry import get_game, list_games
from .game import BoardGame

_OURS: list[str] = []  # the names that were registered here


def spiel_name(game: Game) -> str:
    """The name of a game in OpenSpiel, which asks for "python_" before the names of games in Python."""
    return f"python_{game.name}"


def register_openspiel() -> None:
    """Register every game with pyspiel; importing this package does so.

    Games that are already registered stay as they are; call it again after `register_game`.
    """
    registered = set(pyspiel.registered_names())
    for game in map(get_game, list_games()):
        if spiel_name(game) not in registered:
            pyspiel.register_game(_type_of(game), _Maker(game))
            _OURS.append(spiel_name(game))


def is_ours(state: Any) -> bool:
    """Whether a state is of one of these games, or of one that OpenSpiel makes of them, such as `misere(game=...)`."""
    played = str(state.get_game())
    return any(f"{name}(" in played for name in _OURS)


class _Maker:
    """Makes a game with the parameters that OpenSpiel has read.

    It holds itself: OpenSpiel lets go of it when the process ends, after Python, when an object cannot be freed any
    more without a crash.
    """

    def __init__(self, game: Game) -> None:
        self._game, self._self = game, self

    def __call__(self, params: Mapping[str, Any]) -> BoardGame:
        return BoardGame(self._game, _type_of(self._game), params)


def _type_of(game: Game) -> Any:
    least, most = game.seats
    return pyspiel.GameType(
        short_name=spiel_name(game),
        long_name=game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=most,
        min_num_players=least,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=BoardGame.defaults(game),
    )
