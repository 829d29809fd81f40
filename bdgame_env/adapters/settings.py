"""What makers of environments take besides the options of a game, as types: `**settings: Unpack[AECSettings]`."""

from __future__ import annotations

from typing import Any, TypedDict


class Players(TypedDict, total=False):
    """What every game lets choose besides its own options."""

    players: int


class PaySettings(TypedDict, total=False):
    """How play is paid; see `engine.rewards`."""

    reward: str
    shaping: float
    shaping_gamma: float


class RawAECSettings(PaySettings, total=False):
    """The settings of `RawAEC`."""

    observation: str
    render_mode: str | None
    max_cycles: int | None


class AECSettings(RawAECSettings, total=False):
    """The settings of `make_aec` and `parallel_env`."""

    illegal: str


class LearnerSettings(PaySettings, total=False):
    """What the makers of environments of one learner have in common."""

    opponents: Any
    seat: int | str
    illegal: str
    seed: int | None
    threads: int | None
