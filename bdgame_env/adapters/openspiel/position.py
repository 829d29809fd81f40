"""A position of a game and what each seat has learned on the way to it."""

from __future__ import annotations

from functools import cached_property
from hashlib import blake2b
from inspect import unwrap
from typing import Any

import numpy as np
import numpy.typing as npt

from ...engine.match import Match
from ...engine.rewards import RANK, rank_reward

_rank_reward = unwrap(rank_reward)  # a few numbers once per game: compiling it for Python would take longer


class Position:
    """A position. It never changes, so that copies of a state share it.

    Args:
        match: the game at this position; it is never played on.
        learned: by seat, a digest of what it learned up to here. Of a position with a `before`, it is found when it is
            asked for.
        before: the position before the last action, or None at the beginning.
        action: the last action.
    """

    def __init__(
        self, match: Match, learned: dict[int, bytes], before: Position | None = None, action: int = -1
    ) -> None:
        self.match, self.before, self.action = match, before, action
        self._learned = learned

    @cached_property
    def legal(self) -> list[int]:
        """The legal actions of the seat to decide, ascending; none when the game is over."""
        return self.match.legal_actions()

    @cached_property
    def returns(self) -> list[float]:
        """The rewards by rank of a finished game, by seat; 0 before."""
        match = self.match
        if not match.over:
            return [0.0] * match.players
        ranks = np.array(match.ranks(), np.int8)
        return [float(_rank_reward(ranks, match.players, seat, RANK)) for seat in range(match.players)]

    def after(self, action: int) -> Position:
        """The position after an action.

        Raises:
            IllegalAction: the action is not legal; names the move, the rule and the legal moves.
        """
        match = self.match.clone()
        match.play(action)
        return Position(match, {}, self, action)

    def learned_by(self, seat: int) -> bytes:
        """A digest of what a seat did, was told and saw up to here: equal for two games that it cannot tell apart."""
        steps, at = [], self
        while seat not in at._learned:
            assert at.before is not None  # the first position has the digests of all seats
            steps.append(at)
            at = at.before
        digest = at._learned[seat]
        for step in reversed(steps):
            digest = step._learned[seat] = step._learn(seat, digest)
        return digest

    def _learn(self, seat: int, digest: bytes) -> bytes:
        """The digest after the last action; the same as before if the seat could not notice the action."""
        assert self.before is not None
        match = self.before.match
        told, seen = match.told(self.action, seat), self.match.observe(seat)
        if not told and np.array_equal(seen, match.observe(seat)):
            return digest
        mover = match.seat_known_to(seat) if told else None
        return _digest(digest, f"{mover} {told}\n".encode(), seen)

    def resampled(self, seat: int, seed: int) -> Position:
        """A position that the seat cannot tell from this one; everything it does not know is sampled.

        It has no past. What the other seats have learned is made up from what they see in the sample, so that it says
        nothing of the truth, and two samples in which a seat sees the same are the same to that seat.
        """
        match = self.match.clone(determinize=seat, seed=seed)
        own = self.learned_by(seat)
        learned = {other: _digest(own, b"sampled\n", match.observe(other)) for other in range(match.players)}
        return Position(match, {**learned, seat: own})

    def __deepcopy__(self, memo: dict[int, Any]) -> Position:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        actions, at = [], self
        while at.before is not None:
            actions.append(at.action)
            at = at.before
        return _replayed, (at.match, at._learned, actions[::-1])


def _replayed(match: Match, learned: dict[int, bytes], actions: list[int]) -> Position:
    position = Position(match, learned)
    for action in actions:
        position = position.after(action)
    return position


def _digest(before: bytes, told: bytes, seen: npt.NDArray[np.int8]) -> bytes:
    return blake2b(before + told + seen.tobytes(), digest_size=16).digest()
