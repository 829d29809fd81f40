"""Nicodemus as a PettingZoo module: `nicodemus_v2.env(reward="win")`, as in PettingZoo's own packages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Unpack

from .adapters.aec import RawAEC, aec_from_snapshot, make_aec
from .adapters.aec_wrapper import CheckedAEC
from .adapters.parallel import RawParallel
from .adapters.settings import AECSettings, Players, RawAECSettings
from .games.nicodemus.options import Options
from .registry import get_game

__all__ = ["env", "from_snapshot", "parallel_env", "raw_env"]

_GAME = get_game("nicodemus-v2")


class Settings(Options, Players, AECSettings, total=False):
    """What `env`, `parallel_env` and `from_snapshot` take."""


class RawSettings(Options, Players, RawAECSettings, total=False):
    """What `raw_env` takes."""


def env(**settings: Unpack[Settings]) -> CheckedAEC:
    """A PettingZoo AEC environment; settings and errors as for `adapters.aec.make_aec`."""
    return make_aec(_GAME, **settings)


def raw_env(**settings: Unpack[RawSettings]) -> RawAEC:
    """`env` without PettingZoo's wrappers: an illegal action raises. Settings and errors as for `RawAEC`."""
    return RawAEC(_GAME, **settings)


def parallel_env(**settings: Unpack[Settings]) -> RawParallel:
    """A PettingZoo Parallel environment; settings and errors as for `adapters.parallel.RawParallel`."""
    return RawParallel(_GAME, **settings)


def from_snapshot(data: Mapping[str, Any], **settings: Unpack[Settings]) -> CheckedAEC:
    """`env` at the position of an omniscient snapshot; see `adapters.aec.aec_from_snapshot`."""
    return aec_from_snapshot(_GAME, data, **settings)
