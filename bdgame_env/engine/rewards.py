"""What a finished game pays each seat."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from .game import BadOption, Game
from .jit import kernel
from .shown import shown

PLACE, WIN, POINTS = 0, 1, 2  # as plain numbers for compiled code


class RewardScheme(IntEnum):
    """How a game pays: by place, to the winner, or by place with shaping on the point lead."""

    RANK = PLACE
    WIN = WIN
    POINTS = POINTS

    @classmethod
    def of(cls, name: str, game: Game) -> RewardScheme:
        """The scheme of a name.

        Raises:
            BadOption: there is none; lists those that are.
        """
        try:
            return cls[name.upper()]
        except (KeyError, AttributeError, TypeError):
            known = ", ".join(repr(scheme.name.lower()) for scheme in cls)
            raise BadOption(f"{game.id}: reward={shown(name)}, must be one of {known}") from None


@kernel
def rank_reward(ranks: Any, players: Any, seat: Any, scheme: Any) -> Any:
    """The zero-sum reward of a seat's final place: seats that tie share the mean of their ranks' rewards.

    Args:
        ranks: final ranks by seat, 1 is the best, ties share.
        players: number of seats.
        seat: whose reward.
        scheme: WIN pays 1 to the winner, who takes it from the others in equal parts; any other pays from 1 for the
            first place to -1 for the last in equal steps.
    """
    place = int(ranks[seat])
    sharing = 0
    for other in range(players):
        if ranks[other] == place:
            sharing += 1
    total = 0.0
    for taken in range(place, place + sharing):
        if scheme == WIN:
            total += 1.0 if taken == 1 else -1.0 / (players - 1)
        else:
            total += 1.0 - 2.0 * (taken - 1) / (players - 1)
    return total / sharing
