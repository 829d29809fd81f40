"""What a finished game pays each seat; the loops of matches (`decide`) and of learners (`finish_row`) pay it."""

from __future__ import annotations

from enum import IntEnum

from .arrays import Floats, Ints
from .game import BadOption, Game
from .jit import kernel
from .quoting import shown

RANK, WIN, POINTS = 0, 1, 2  # as plain numbers for compiled code


class RewardScheme(IntEnum):
    """How a finished game pays: by rank, to the winner only, or by rank with shaping on the point lead."""

    RANK = RANK
    WIN = WIN
    POINTS = POINTS

    @classmethod
    def of(cls, name: str, game: Game) -> RewardScheme:
        """The scheme with this name.

        Raises:
            BadOption: there is no such scheme; lists the names.
        """
        try:
            return cls[name.upper()]
        except (KeyError, AttributeError, TypeError):
            known = ", ".join(repr(scheme.name.lower()) for scheme in cls)
            raise BadOption(f"{game.id}: reward={shown(name)}, must be one of {known}") from None


@kernel
def rank_reward(ranks: Ints, players: int, seat: int, scheme: int) -> float:
    """The zero-sum reward for a seat's final rank; tied seats get the mean of the rewards for the ranks they share.

    Args:
        ranks: final ranks by seat; 1 is the best, tied seats have the same.
        players: number of seats.
        seat: whose reward.
        scheme: WIN pays the winner 1 and takes it from the others in equal parts; any other scheme pays 1 for the
            first rank to -1 for the last in equal steps.
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


@kernel
def utility(reward: float, points: Floats, players: int, seat: int, margin: float) -> float:
    """What networks learn to expect of a finished game: the reward for the rank, mixed with the lead in points.

    Args:
        reward: for the seat's rank, see `rank_reward`.
        points: by seat.
        players: number of seats.
        seat: whose utility.
        margin: 0 to 1, weight of the lead over the best of the others; the lead is relative to both, -1 to 1.
    """
    own = float(points[seat])
    best = -1e9
    for other in range(players):
        if other != seat:
            best = max(best, float(points[other]))
    lead = min(1.0, max(-1.0, 2.0 * (own - best) / max(10.0, abs(own) + abs(best))))
    return (1.0 - margin) * reward + margin * lead
