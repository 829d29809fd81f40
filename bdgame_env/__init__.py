"""Machine-building board games for reinforcement learning: one fast engine, many environments."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from .engine.game import BadOption, BadSnapshot, IllegalAction
from .engine.match import Match
from .engine.quoting import listed, shown
from .registration import make_batch, make_gym, make_sb3_vec, make_vector, register_gymnasium, register_pettingzoo
from .registry import UnknownGame, get_game, list_games

if TYPE_CHECKING:
    from .adapters.aec_wrapper import CheckedAEC
    from .adapters.parallel import RawParallel
    from .registration import AECKeywords
    from .registry import Options

__version__ = "0.2.0"

# A wheel carries `agents` and `experiments` inside this package. In a checkout they lie beside it, and are found there
# under the same names: `bdgame_env.agents`, `bdgame_env.experiments`.
_CHECKOUT = Path(__file__).resolve().parents[1]
if (_CHECKOUT / "pyproject.toml").is_file() and not (Path(__file__).parent / "agents").is_dir():
    __path__.append(str(_CHECKOUT))

__all__ = [
    "BadOption",
    "BadSnapshot",
    "IllegalAction",
    "Match",
    "UnknownGame",
    "get_game",
    "list_games",
    "make_aec",
    "make_batch",
    "make_gym",
    "make_match",
    "make_parallel",
    "make_sb3_vec",
    "make_vector",
    "match_from_snapshot",
]


def make_aec(game: str, **settings: Unpack[AECKeywords]) -> CheckedAEC:
    """A PettingZoo AEC environment, wrapped by PettingZoo's conventions.

    Args:
        game: an id such as "bdgame-v3".
        settings: see `adapters.aec.make_aec`: `players`, `reward`, `observation`, `illegal` and the game's own options.

    Raises:
        UnknownGame, BadOption: in one line, what is wrong and what is allowed.
    """
    from .adapters.aec import make_aec as make

    return make(get_game(game), **settings)


def make_parallel(game: str, **settings: Unpack[AECKeywords]) -> RawParallel:
    """A PettingZoo Parallel environment; where players take turns, all but one wait.

    Args:
        game: an id such as "pixel-pusher-v2".
        settings: as in `make_aec`.

    Raises:
        UnknownGame, BadOption: in one line, what is wrong and what is allowed.
    """
    from .adapters.parallel import RawParallel

    return RawParallel(get_game(game), **settings)


def make_match(game: str, *, seed: int | None = None, **options: Unpack[Options]) -> Match:
    """A match: one game, without any framework.

    Args:
        game: an id such as "bdgame-v3".
        seed: None for fresh entropy, a number for a reproducible game.
        options: `players` and the game's own options.

    Raises:
        UnknownGame, BadOption: in one line, what is wrong and what is allowed.
    """
    return Match(get_game(game), seed=seed, **options)


def match_from_snapshot(data: Mapping[str, Any], **options: Unpack[Options]) -> Match:
    """The match whose `snapshot(omniscient=True)` this is.

    Raises:
        BadSnapshot: in one line, what is wrong with the data.
    """
    name = data.get("game") if isinstance(data, Mapping) else None
    for game_id in list_games():
        if game_id.rsplit("-v", 1)[0].replace("-", "_") == name:
            return Match.from_snapshot(get_game(game_id), data, **options)
    raise BadSnapshot(f"snapshot: unknown game {shown(name)}; known: {listed(list_games())}")


register_gymnasium()
register_pettingzoo()
