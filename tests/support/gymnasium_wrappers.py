"""All wrappers of Gymnasium around these environments: which run, with which settings, and why others do not.

`table` writes what `docs/frameworks/gymnasium.md` shows of it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import gymnasium
import numpy as np
from gymnasium import wrappers
from gymnasium.error import DependencyNotInstalled
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import vector

from bdgame_env.registration import gymnasium_id

LIBRARIES = (ModuleNotFoundError, DependencyNotInstalled)  # what a wrapper raises that needs a library
ALL = tuple(AutoresetMode)
STAYING = (AutoresetMode.NEXT_STEP, AutoresetMode.DISABLED)
FLOATS, FIELDS, PIXELS = {"observation": "float"}, {"observation": "dict"}, {"render_mode": "rgb_array"}
NO_BOX = "actions are no box"
NO_PICTURE = "observations are no pictures"


@dataclass(frozen=True)
class Use:
    """A wrapper around an environment.

    Attributes:
        wrap: `(env, folder) -> env`.
        settings: what the environment is made with, so that the wrapper runs.
        fails: why it cannot run with any settings, or "".
        note: what else to know.
        modes: of a wrapper of vector environments, the modes of autoreset with which it runs.
    """

    wrap: Callable[[Any, str], Any]
    settings: dict[str, Any] = field(default_factory=dict)
    fails: str = ""
    note: str = ""
    modes: tuple[AutoresetMode, ...] = ALL

    @property
    def told(self) -> str:
        """What the table says of it."""
        if self.fails:
            return f"no: {self.fails}"
        given = ", ".join(f"`{name}={json.dumps(value)}`" for name, value in self.settings.items())
        modes = "" if self.modes == ALL else " or ".join(f"`{mode.value}`" for mode in self.modes)
        return "; ".join(["yes", *(part for part in (given and f"with {given}", modes, self.note) if part)])


def _pictured(env: Any) -> Any:
    return wrappers.AddRenderObservation(env)


def _half(space: gymnasium.spaces.Box) -> gymnasium.spaces.Box:
    return gymnasium.spaces.Box(space.low / 2, space.high / 2, dtype=np.float32)


def _video(wrapper: Any) -> Callable[[Any, str], Any]:
    return lambda env, folder: wrapper(
        env, f"{folder}/videos", episode_trigger=lambda number: number == 0, video_length=2
    )


def _rescaled(wrapper: Any) -> Callable[[Any, str], Any]:
    return lambda env, _: wrapper(env, np.float32(-1), np.float32(1))


def _reshaped(wrapper: Any) -> Callable[[Any, str], Any]:
    return lambda env, _: wrapper(env, (1, *getattr(env, "single_observation_space", env.observation_space).shape))


def _halved(wrapper: Any) -> Callable[[Any, str], Any]:
    names = ("observation_space", "single_observation_space")
    return lambda env, _: wrapper(
        env, lambda seen: seen / 2, **{name: _half(getattr(env, name)) for name in names if hasattr(env, name)}
    )


TWICE = "repeats actions, which are seldom legal twice"
LINEUPS = "at the end of a game, since the line-ups in the infos are no numbers"
SINGLE = {
    "AddRenderObservation": Use(lambda env, _: _pictured(env), PIXELS),
    "AddWhiteNoise": Use(lambda env, _: wrappers.AddWhiteNoise(env, 0.1), PIXELS),
    "ArrayConversion": Use(lambda env, _: wrappers.ArrayConversion(env, env_xp=np, target_xp=np)),
    "AtariPreprocessing": Use(lambda env, _: wrappers.AtariPreprocessing(env), fails="for Atari"),
    "Autoreset": Use(lambda env, _: wrappers.Autoreset(env)),
    "ClipAction": Use(lambda env, _: wrappers.ClipAction(env), fails=NO_BOX),
    "ClipReward": Use(lambda env, _: wrappers.ClipReward(env, -1, 1)),
    "DelayObservation": Use(lambda env, _: wrappers.DelayObservation(env, 1), note="masks are not delayed"),
    "DiscretizeAction": Use(lambda env, _: wrappers.DiscretizeAction(env, 3), fails=NO_BOX),
    "DiscretizeObservation": Use(
        lambda env, _: wrappers.DiscretizeObservation(env, 2), fails="more states than an integer can count"
    ),
    "DtypeObservation": Use(lambda env, _: wrappers.DtypeObservation(env, np.float32)),
    "FilterObservation": Use(lambda env, _: wrappers.FilterObservation(env, ["action_mask"]), FIELDS),
    "FlattenObservation": Use(lambda env, _: wrappers.FlattenObservation(env), FIELDS),
    "FrameStackObservation": Use(lambda env, _: wrappers.FrameStackObservation(env, 2)),
    "GrayscaleObservation": Use(
        lambda env, _: wrappers.GrayscaleObservation(_pictured(env)), PIXELS, note="after `AddRenderObservation`"
    ),
    "HumanRendering": Use(lambda env, _: wrappers.HumanRendering(env), PIXELS),
    "JaxToNumpy": Use(lambda env, _: wrappers.JaxToNumpy(env)),
    "JaxToTorch": Use(lambda env, _: wrappers.JaxToTorch(env)),
    "MaxAndSkipObservation": Use(lambda env, _: wrappers.MaxAndSkipObservation(env, 2), note=TWICE),
    "NormalizeObservation": Use(lambda env, _: wrappers.NormalizeObservation(env)),
    "NormalizeReward": Use(lambda env, _: wrappers.NormalizeReward(env)),
    "NumpyToTorch": Use(lambda env, _: wrappers.NumpyToTorch(env)),
    "ObstructView": Use(lambda env, _: wrappers.ObstructView(env, 0.1, 2), PIXELS),
    "OrderEnforcing": Use(lambda env, _: wrappers.OrderEnforcing(env)),
    "PassiveEnvChecker": Use(lambda env, _: wrappers.PassiveEnvChecker(env)),
    "RecordEpisodeStatistics": Use(lambda env, _: wrappers.RecordEpisodeStatistics(env)),
    "RecordVideo": Use(_video(wrappers.RecordVideo), PIXELS),
    "RenderCollection": Use(lambda env, _: wrappers.RenderCollection(env), PIXELS),
    "RepeatAction": Use(lambda env, _: wrappers.RepeatAction(env, 2), note=TWICE),
    "RescaleAction": Use(lambda env, _: wrappers.RescaleAction(env, 0, 1), fails=NO_BOX),
    "RescaleObservation": Use(_rescaled(wrappers.RescaleObservation), FLOATS),
    "ReshapeObservation": Use(_reshaped(wrappers.ReshapeObservation)),
    "ResizeObservation": Use(
        lambda env, _: wrappers.ResizeObservation(_pictured(env), (32, 32)), PIXELS, note="after `AddRenderObservation`"
    ),
    "StickyAction": Use(lambda env, _: wrappers.StickyAction(env, 0.25), note=TWICE),
    "TimeAwareObservation": Use(lambda env, _: wrappers.TimeAwareObservation(env), {"max_episode_steps": 500}),
    "TimeLimit": Use(lambda env, _: wrappers.TimeLimit(env, 2)),
    "TransformAction": Use(lambda env, _: wrappers.TransformAction(env, int, None)),
    "TransformObservation": Use(_halved(wrappers.TransformObservation), FLOATS),
    "TransformReward": Use(lambda env, _: wrappers.TransformReward(env, lambda reward: 2 * reward)),
}
VECTOR = {
    "ArrayConversion": Use(lambda env, _: vector.ArrayConversion(env, env_xp=np, target_xp=np), fails=LINEUPS),
    "ClipAction": Use(lambda env, _: vector.ClipAction(env), fails=NO_BOX),
    "ClipReward": Use(lambda env, _: vector.ClipReward(env, -1, 1)),
    "DictInfoToList": Use(lambda env, _: vector.DictInfoToList(env)),
    "DtypeObservation": Use(lambda env, _: vector.DtypeObservation(env, np.float32), modes=STAYING),
    "FilterObservation": Use(lambda env, _: vector.FilterObservation(env, ["action_mask"]), FIELDS, modes=STAYING),
    "FlattenObservation": Use(lambda env, _: vector.FlattenObservation(env), FIELDS, modes=STAYING),
    "GrayscaleObservation": Use(lambda env, _: vector.GrayscaleObservation(env), fails=NO_PICTURE),
    "HumanRendering": Use(lambda env, _: vector.HumanRendering(env), PIXELS),
    "JaxToNumpy": Use(lambda env, _: vector.JaxToNumpy(env), fails=LINEUPS),
    "JaxToTorch": Use(lambda env, _: vector.JaxToTorch(env), fails=LINEUPS),
    "NormalizeObservation": Use(lambda env, _: vector.NormalizeObservation(env), modes=STAYING[:1]),
    "NormalizeReward": Use(lambda env, _: vector.NormalizeReward(env)),
    "NumpyToTorch": Use(lambda env, _: vector.NumpyToTorch(env), fails=LINEUPS),
    "RecordEpisodeStatistics": Use(lambda env, _: vector.RecordEpisodeStatistics(env)),
    "RecordVideo": Use(_video(vector.RecordVideo), PIXELS),
    "RescaleAction": Use(lambda env, _: vector.RescaleAction(env, 0, 1), fails=NO_BOX),
    "RescaleObservation": Use(_rescaled(vector.RescaleObservation), FLOATS, modes=STAYING),
    "ReshapeObservation": Use(_reshaped(vector.ReshapeObservation), modes=STAYING),
    "ResizeObservation": Use(lambda env, _: vector.ResizeObservation(env, (32, 32)), fails=NO_PICTURE),
    "TransformAction": Use(lambda env, _: vector.TransformAction(env, lambda actions: actions)),
    "TransformObservation": Use(_halved(vector.TransformObservation), FLOATS, modes=STAYING),
    "TransformReward": Use(lambda env, _: vector.TransformReward(env, lambda reward: 2 * reward)),
    "VectorizeTransformAction": Use(
        lambda env, _: vector.VectorizeTransformAction(env, wrappers.TransformAction, func=int, action_space=None)
    ),
    "VectorizeTransformObservation": Use(
        lambda env, _: vector.VectorizeTransformObservation(env, wrappers.DtypeObservation, dtype=np.float32),
        modes=STAYING,
    ),
    "VectorizeTransformReward": Use(
        lambda env, _: vector.VectorizeTransformReward(env, wrappers.TransformReward, func=lambda reward: 2 * reward)
    ),
}


def play(game: str, use: Use, folder: str, mode: AutoresetMode | None = None, **options: Any) -> None:
    """Make an environment in the wrapper and take a few steps, one of which is illegal and so ends a game.

    Args:
        game: the id of the game.
        use: the wrapper.
        folder: for what it writes.
        mode: None for one game, else for a vector environment with this mode.
        options: of the game.
    """
    name = gymnasium_id(game)
    many = {} if mode is None else {"num_envs": 2, "autoreset_mode": mode}
    base = (gymnasium.make if mode is None else gymnasium.make_vec)(name, **use.settings, **many, **options)
    env = use.wrap(base, folder)
    seen, _ = env.reset(seed=1)
    for end in (True, False):
        _check(env, seen)
        masks = base.unwrapped.batch.mask
        actions = masks.argmax(axis=1)
        if end:
            actions[0] = masks[0].argmin()
        seen, _, terminated, truncated, _ = env.step(actions if mode else int(actions[0]))
        _check(env, seen)
        if (mode is None and (terminated or truncated)) or (mode is AutoresetMode.DISABLED and end):
            seen, _ = env.reset()
    env.close()


def _check(env: Any, seen: Any) -> None:
    assert not isinstance(seen, (dict, np.ndarray)) or seen in env.observation_space, "outside of the space"


def table() -> str:
    """The table of the page."""
    lines = ["| wrapper | `make`, `make_gym` | `make_vec`, `make_vector` |", "|---|---|---|"]
    for name in sorted({*SINGLE, *VECTOR}):
        cells = [uses[name].told if name in uses else "there is none" for uses in (SINGLE, VECTOR)]
        lines.append(f"| `{name}` | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(table(), end="")
