"""Registers the games with the frameworks' own `make`, and makes batches and learner environments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, Unpack

from .adapters.settings import AECSettings, LearnerSettings, PaySettings
from .engine.arguments import check_keywords, whole
from .engine.batch import Batch
from .engine.game import Game
from .engine.learner import LearnerBatch, Opponent
from .engine.user_files import KeptFile
from .registry import canonical_id, get_game, list_games

if TYPE_CHECKING:
    from gymnasium.vector import AutoresetMode

    from .adapters.gym import LearnerEnv
    from .adapters.sb3_vec import LearnerVecEnv
    from .adapters.vector import LearnerVectorEnv
    from .registry import Options

NAMESPACE = "bdgame_env"


if TYPE_CHECKING:

    class AECKeywords(Options, AECSettings, total=False):
        """Of `make_aec` and `make_parallel`."""

    class BatchKeywords(Options, PaySettings, total=False):
        """Of `make_batch`."""

        seed: int | None
        observe: bool | Literal["position"]
        threads: int | None

    class LearnerKeywords(Options, LearnerSettings, total=False):
        """Of `make_vector` and `make_sb3_vec`."""


def register_pettingzoo() -> None:
    """Register every game for `pettingzoo.make("aec", "bdgame_env/bdgame-v3", players=3)`, and for "parallel".

    "bdgame-v3" alone works as well. Games that are already registered stay as they are; call it again after
    `register_game`. Without PettingZoo, or with a version that has no registry, nothing happens.
    """
    try:
        from pettingzoo import aec_registry, parallel_registry, register
    except ImportError:
        return
    for game_id in list_games():
        for env_id in (f"{NAMESPACE}/{game_id}", game_id):
            for kind, known in (("aec", aec_registry), ("parallel", parallel_registry)):
                if env_id not in known:
                    register(kind, env_id, entry_point=f"{NAMESPACE}:make_{kind}", kwargs={"game": game_id})


def gymnasium_id(game_id: str) -> str:
    """The id of a game in Gymnasium: "bdgame_env/PixelPusher-v2" for "pixel-pusher-v2"."""
    name, _, version = canonical_id(game_id).rpartition("-v")
    return f"{NAMESPACE}/{''.join(part.capitalize() for part in name.split('-'))}-v{version}"


def register_gymnasium() -> None:
    """Register every game for `gymnasium.make("bdgame_env/Bdgame-v3", players=3)` and `gymnasium.make_vec`.

    Games that are already registered stay as they are; call it again after `register_game`. Without Gymnasium,
    nothing happens.
    """
    try:
        from gymnasium.envs.registration import register, registry
    except ImportError:
        return
    for game_id in list_games():
        if gymnasium_id(game_id) not in registry:
            register(
                gymnasium_id(game_id),
                entry_point=f"{__name__}:make_gym",
                vector_entry_point=f"{__name__}:make_vector",
                kwargs={"game": game_id},
            )


def make_batch(game: str, num_games: int, **settings: Unpack[BatchKeywords]) -> Batch:
    """Many games at once; the caller decides for every seat.

    Args:
        game: an id such as "bdgame-v3".
        num_games: how many.
        settings: `seed`, `reward` and more of `Batch`, `players` and the game's own options.

    Raises:
        UnknownGame, BadOption: in one line, what is wrong and what is allowed.
    """
    return Batch(get_game(game), num_games, **settings)


def make_gym(
    game: str,
    *,
    opponents: Any = "random",
    seat: int | str = "random",
    reward: str = "rank",
    shaping: float = 1.0,
    shaping_gamma: float = 1.0,
    observation: str = "flat",
    illegal: str = "end",
    seed: int | None = None,
    render_mode: str | None = None,
    **options: Unpack[Options],
) -> LearnerEnv:
    """A learner's games as a Gymnasium environment; also `gymnasium.make("bdgame_env/Bdgame-v3", ...)`.

    Args:
        game: an id such as "bdgame-v3".
        opponents: who plays the other seats, drawn again for each game: a name ("random", "greedy", a policy file),
            an agent, a function `(observation, mask) -> actions`, or a list of these, each alone or with its weight:
            `[("greedy", 3), "random"]`.
        seat: the learner's seat, or "random".
        reward: "rank" (zero-sum by rank), "win", or "points" (rank plus shaping on the point lead).
        shaping: size of the potential for "points".
        shaping_gamma: the learner's discount, for shaping that leaves the best policies unchanged.
        observation: "flat" (int8 vector), "float" (float32 vector; for wrappers that compute, such as Gymnasium's
            `RescaleObservation`, which cuts off the fractions of int8), "dict" (int8 arrays by field) or "entities"
            (int8 tables of seats and cards).
        illegal: what an illegal action does: "end" ends the game with reward -1; "raise" raises IllegalAction and
            changes nothing.
        seed: of the first game; None takes fresh entropy.
        render_mode: "ansi" (text), "rgb_array" (pixels), "ansi_list" or "rgb_array_list" (those of the reset and every
            step since), "human" (a window) or None, with what the learner may see.
        options: `players` and the game's own options.

    Raises:
        UnknownGame, BadOption, UnknownAgent: in one line, what is wrong and what is allowed.
        ModuleNotFoundError: render_mode="human" needs the extra `render`, which is not installed.
    """
    from .adapters.gym import LearnerEnv

    check_keywords(get_game(game), options, _own_settings(make_gym))
    pay: dict[str, Any] = {"reward": reward, "shaping": shaping, "shaping_gamma": shaping_gamma}
    learner: dict[str, Any] = {"opponents": opponents, "seat": seat, "seed": seed, "illegal": illegal}
    batch, resolve = _learner_games(game, 1, autoreset=False, threads=1, **pay, **learner, **options)
    env = LearnerEnv(batch, observation=observation, resolve=resolve, render_mode=render_mode)
    env.made_from = _made_from(batch, opponents)
    return env


def make_vector(
    game: str,
    num_envs: int = 1,
    *,
    observation: str = "flat",
    render_mode: str | None = None,
    autoreset_mode: AutoresetMode | str = "SameStep",
    **settings: Unpack[LearnerKeywords],
) -> LearnerVectorEnv:
    """Many games of one learner as a Gymnasium vector environment; also `gymnasium.make_vec("bdgame_env/Bdgame-v3")`.

    Args:
        game: an id such as "bdgame-v3".
        num_envs: how many games.
        observation: "flat" (int8 vectors), "float" (float32 vectors), "dict" (int8 arrays by field) or "entities" (int8
            tables of seats and cards).
        render_mode: "ansi" (texts), "rgb_array" (pixels) or None; a frame for each game, with what its learner may see.
        autoreset_mode: when a game that ended is replaced, as a `gymnasium.vector.AutoresetMode` or its value:
            "SameStep", "NextStep" (as Gymnasium's wrappers that look back across steps need it) or "Disabled" (by
            `reset(options={"reset_mask": ...})`). See `LearnerVectorEnv`.
        settings: `opponents`, `seat`, `reward`, `shaping`, `shaping_gamma`, `illegal` and `seed` of `make_gym`;
            `threads` (None for one per core; small batches use one); `players` and the game's own options.

    Raises:
        UnknownGame, BadOption, UnknownAgent: in one line, what is wrong and what is allowed.
    """
    from .adapters.vector import LearnerVectorEnv, autoreset_of

    check_keywords(get_game(game), settings, [*LearnerSettings.__annotations__, *_own_settings(make_vector)])
    autoreset = autoreset_of(get_game(game), autoreset_mode)
    batch, resolve = _learner_games(game, num_envs, autoreset=autoreset, **settings)
    env = LearnerVectorEnv(batch, observation=observation, resolve=resolve, render_mode=render_mode)
    env.made_from = _made_from(batch, settings.get("opponents", "random"))
    return env


def make_sb3_vec(
    game: str,
    num_envs: int = 1,
    *,
    bootstrap: bool = False,
    observation: str = "flat",
    **settings: Unpack[LearnerKeywords],
) -> LearnerVecEnv:
    """Many games of one learner for Stable-Baselines3, e.g. to train `MaskablePPO`.

    Args:
        game: an id such as "bdgame-v3".
        num_envs: how many games.
        bootstrap: whether SB3 adds the value of the last position when the round limit ended a game; see
            `LearnerVecEnv`.
        observation: as in `make_vector`; "dict" and "entities" are for MultiInputPolicy.
        settings: as in `make_vector`.

    Raises:
        UnknownGame, BadOption, UnknownAgent: in one line, what is wrong and what is allowed.
        ModuleNotFoundError: Stable-Baselines3 is not installed.
    """
    try:
        from .adapters.sb3_vec import LearnerVecEnv, RawLearnerVecEnv
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("stable_baselines3", "torch"):
            raise
        told = f"make_sb3_vec needs {error.name}: pip install 'bdgame_env[train]'"
        raise ModuleNotFoundError(told, name=error.name) from None

    check_keywords(get_game(game), settings, [*LearnerSettings.__annotations__, *_own_settings(make_sb3_vec)])
    batch, resolve = _learner_games(game, num_envs, **settings)
    return LearnerVecEnv(RawLearnerVecEnv(batch, resolve=resolve, bootstrap=bootstrap, observation=observation))


def _own_settings(maker: Callable[..., Any]) -> list[str]:
    """The settings that a maker has by name."""
    return list(maker.__kwdefaults__ or ())


def _learner_games(
    game_id: str, num_envs: int, *, opponents: Any = "random", illegal: str = "end", **settings: Any
) -> tuple[LearnerBatch, partial[Sequence[Opponent]]]:
    """A batch with the settings of `LearnerBatch` and the game's options, and what resolves other opponents for it."""
    from .agents.opponents import resolve_opponents

    game = get_game(game_id)
    config = game.config(**{name: settings.pop(name) for name in ("players", *game.options) if name in settings})
    num_envs = whole("num_envs", num_envs, 1, 2**31 - 1, of=game.id)
    pool, players = resolve_opponents(game, config, opponents)
    batch = LearnerBatch(game, config, num_envs, pool, compiled=players, illegal=illegal, **settings)
    return batch, partial(opponents_of, game, dict(config.options))


def _made_from(batch: LearnerBatch, opponents: Any) -> dict[str, Any]:
    """The settings of an environment that name files, with the files' contents."""
    from .agents.opponents import keep_opponents

    kept = {name: value for name, value in batch.config.options.items() if isinstance(value, KeptFile)}
    return {**kept, "opponents": keep_opponents(opponents)}


def opponents_of(game: Game, options: Mapping[str, Any], specs: Any) -> Sequence[Opponent]:
    """The opponents of a pool, by name; see `make_gym`."""
    from .agents.opponents import resolve_opponents

    return resolve_opponents(game, game.config(**options), specs)[0]
