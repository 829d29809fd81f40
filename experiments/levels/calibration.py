"""Chooses levels from a family of agents by play, so that each beats the one below equally often. Knows no game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .duels import Score

TARGET = 0.64  # how often a level is to rank above the one below
_SURE = 0.99  # of an interval that does not hold the target, before a member is passed over early
_CLOSE = 0.01  # to the target: close enough after all deals, or half the width of the interval where that is wider

Enough = Callable[[Score], bool]
Duel = Callable[[str, str, Enough], Score]
OnProbe = Callable[[str, str, Score], None]


@dataclass(frozen=True)
class Chosen:
    """A level.

    Attributes:
        level: its number, 1 for the lowest.
        agent: the spec.
        probed: how often it ranked above the level below while that was chosen; None for the lowest.
    """

    level: int
    agent: str
    probed: Score | None = None


def calibrate(
    family: Sequence[str], levels: int, duel: Duel, target: float = TARGET, on_probe: OnProbe | None = None
) -> list[Chosen]:
    """Levels from the lowest up; fewer than asked for if the family ends before.

    The highest level is the strongest of the family. Below each, bisection looks for the member above which it ranks as
    often as the target says: a member is passed over as soon as it is clear that it is too strong or too weak, and
    chosen if its share is close to the target after all deals. If there is none, the closer one of the last two
    neighbors is chosen, whichever that is.

    Args:
        family: specs, the strongest first.
        levels: how many.
        duel: plays the first agent against the second one until it has had enough.
        target: the share.
        on_probe: told of each duel when it has ended.
    """
    places, scores = [0], list[Score]()
    while len(places) < levels:
        found = _below(family, places[-1], duel, target, on_probe)
        if found is None:
            break
        places.append(found[0])
        scores.append(found[1])
    count = len(places)
    probed = [*scores, None]
    return [Chosen(count - k, family[places[k]], probed[k]) for k in reversed(range(count))]


def _below(
    family: Sequence[str], above: int, duel: Duel, target: float, on_probe: OnProbe | None
) -> tuple[int, Score] | None:
    """The place of the member below `above`, and the score against it; None if even the weakest is too strong."""

    def enough(score: Score) -> bool:
        low, high = score.interval_at(_SURE)
        return not low <= target <= high

    def close(score: Score) -> float:
        if enough(score):
            return 0.0
        low, high = score.interval
        return max(_CLOSE, (high - low) / 4)

    strong, weak = above, len(family)  # known to be too strong, and too weak
    tried: dict[int, Score] = {}
    while weak - strong > 1:
        place = (strong + weak) // 2
        score = tried[place] = duel(family[above], family[place], enough)
        if on_probe is not None:
            on_probe(family[above], family[place], score)
        if abs(score.share - target) <= close(score):
            return place, score
        if score.share < target:
            strong = place
        else:
            weak = place
    ends = [place for place in (strong, weak) if place in tried]
    if weak == len(family) or not ends:
        return None
    best = min(ends, key=lambda place: abs(tried[place].share - target))
    return best, tried[best]
