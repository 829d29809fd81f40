"""A game as OpenSpiel's `Game`."""

from __future__ import annotations

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from typing import Any

import pyspiel

from ...engine.game import LARGEST_FILE, BadOption, Game
from ...engine.match import Match
from ...engine.quoting import shown
from ...engine.user_files import KeptFile
from .observer import observer_of
from .position import Position
from .state import DEAL_BYTES, BoardState

_PACKED = ";contents;"  # between the name of a file and its contents, in a parameter


class BoardGame(pyspiel.Game):  # type: ignore[misc]
    """A game as OpenSpiel's `Game`; `pyspiel.load_game` makes it.

    All seats take turns, also where they choose at the same time: then no choice shows before all are made. Chance
    comes first: it deals the 64-bit game seed in eight bytes, and everything else follows from it. Returns are the
    rewards by rank, 1 for the first to -1 for the last; a game that its round limit ends pays by rank as well.

    Args:
        game: the declaration of the game.
        kind: its `pyspiel.GameType`.
        params: the parameters by name: `players` and the game's own options. An option that is a path is "" for none;
            the game's own parameters then hold the file's contents too, so that its pickles do.

    Attributes:
        board: the declaration of the game.
        config: cards and options.

    Raises:
        BadOption: a parameter is out of its range, in one line that says what is allowed.
    """

    def __init__(self, game: Game, kind: Any, params: Mapping[str, Any] | None = None) -> None:
        defaults = self.defaults(game)
        # OpenSpiel fills in all defaults; one that was not chosen must not contradict an option that sets it.
        chosen = {name: value for name, value in (params or {}).items() if value != defaults[name]}
        for name, value in chosen.items():
            if isinstance(value, str) and set("(),=") & set(value):  # OpenSpiel could not read the game's name again
                raise BadOption(f"{game.id}: option {name}={shown(value)}, must have none of '(', ')', ',' and '='")
        self.board, self.config = game, game.config(**{name: _unpacked(value) for name, value in chosen.items()})
        chosen |= {name: _packed(self.config.options[name]) for name in chosen if isinstance(chosen[name], str)}
        info = pyspiel.GameInfo(
            num_distinct_actions=self.config.num_actions,
            max_chance_outcomes=256,
            num_players=self.config.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.config.max_decisions,
        )
        super().__init__(kind, info, chosen)

    @staticmethod
    def defaults(game: Game) -> dict[str, Any]:
        """The parameters of a game and their default values."""
        options = {name: "" if option.allowed is None else option.default for name, option in game.options.items()}
        return {"players": game.seats[0], **options}

    def new_initial_state(self) -> BoardState:
        """The state in which chance is to deal the first byte of the game seed."""
        return BoardState(self)

    def max_chance_nodes_in_history(self) -> int:
        """The bytes of the deal."""
        return DEAL_BYTES

    def make_py_observer(self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None) -> Any:
        """An observer of what a player sees, or None if there is none of this type; see `observer_of`.

        Raises:
            BadOption: there are parameters.
        """
        if params:
            raise BadOption(f"{self.board.id}: observers take no parameters, not {shown(dict(params))}")
        return observer_of(self.board, iig_obs_type)

    def deal(self, game_seed: int) -> Position:
        """The first position of the game with this seed, that of `Match.deal`."""
        match = Match(self.board, seed=0, **self.config.options)
        match.deal(game_seed)
        return Position(match, dict.fromkeys(range(match.players), b""))


def _packed(value: str) -> str:
    """An option as a parameter. OpenSpiel pickles a game as its name with parameters, so a file goes into them."""
    if not isinstance(value, KeptFile):
        return value
    return f"{value}{_PACKED}{urlsafe_b64encode(zlib.compress(value.data)).decode().rstrip('=')}"


def _unpacked(value: Any) -> Any:
    """The inverse of `_packed`."""
    name, mark, packed = value.rpartition(_PACKED) if isinstance(value, str) else ("", "", "")
    if not mark:
        return value
    try:
        data = urlsafe_b64decode(packed + "=" * (-len(packed) % 4))
        return KeptFile(name, zlib.decompressobj().decompress(data, LARGEST_FILE))
    except (ValueError, zlib.error):
        raise BadOption(f"{shown(value)}: what follows {_PACKED!r} is no packed file") from None
