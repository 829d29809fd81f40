"""What the reference games have in common: chance, the end, and moves by the phase."""

from __future__ import annotations

from typing import TypeVar

from tests.support import splitmix

T = TypeVar("T")


class ReferenceGame:
    """A slow, plain twin of a game.

    Attributes:
        phase: what is to be decided; "over" at the end. `_moves_in_<phase>()` gives the legal moves.
        rng: the counter of the generator.
    """

    phase: str
    rng: int = 0

    @property
    def over(self) -> bool:
        """Is the game over?"""
        return self.phase == "over"

    def legal_moves(self) -> list[str]:
        """All legal moves, sorted."""
        return [] if self.over else sorted(getattr(self, f"_moves_in_{self.phase}")())

    def _below(self, number: int) -> int:
        """A random number 0..number-1."""
        self.rng = splitmix.advance(self.rng)
        drawn: int = ((splitmix.mix(self.rng) >> 32) * number) >> 32
        return drawn

    def _shuffled(self, cards: list[T]) -> list[T]:
        """The cards in random order: the last place is settled first."""
        cards = list(cards)
        for last in range(len(cards) - 1, 0, -1):
            other = self._below(last + 1)
            cards[last], cards[other] = cards[other], cards[last]
        return cards
