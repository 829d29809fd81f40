"""The search for a better deck: racing children of the best decks, generation by generation. Knows no game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from bdgame_env.engine.designing import Deck

from ..balance.tally import Tally
from ..errors import BadInput
from .aims import Aim, loss
from .judge import Judge
from .space import Space
from .worth import repriced

RUNGS = (24, 72, 216)  # games of a deck that stays in that long
EXPLORED = 400  # games from exploring starts, for new prices
_KEPT = 3  # one deck in so many goes on to the next rung
_ELITE = 6  # parents
_OTHERS = 3  # games of more players take longer, so there is one of them for so many
_ATTEMPTS = 40  # for each child wanted, until it is legal and without faults
_CROSSED = 0.15  # share of the children that have tables of two parents


@dataclass
class Candidate:
    """A deck and its games.

    Attributes:
        deck: its data.
        origin: where it comes from, in a few words.
        tallies: its games by the number of players.
        loss: its faults, see `aims.loss`.
    """

    deck: Deck
    origin: str
    tallies: dict[int, Tally] = field(default_factory=dict)
    loss: float = float("inf")

    def games(self, players: int) -> int:
        """Games played with so many players."""
        return self.tallies[players].games if players in self.tallies else 0


@dataclass(frozen=True)
class Progress:
    """Where a search stands after a generation.

    Attributes:
        generation: its number, from 0.
        tried: decks played so far.
        best: the best deck.
        elite: the best decks, with the most games.
    """

    generation: int
    tried: int
    best: Candidate
    elite: Sequence[Candidate]


class Search:
    """A search, which the same arguments repeat exactly.

    Args:
        judge: plays the games.
        space: which decks there are.
        aims: what they are to be like.
        players: numbers of players; the first rungs are played with the first of them.
        seed: of the steps.
        say: is told what is being done.
    """

    def __init__(
        self,
        judge: Judge,
        space: Space,
        aims: list[Aim],
        players: Sequence[int],
        seed: int,
        say: Callable[[str], None],
    ) -> None:
        self.judge, self.space, self.aims, self.players, self.say = judge, space, aims, tuple(players), say
        self._seed = seed
        self.elite: list[Candidate] = []
        self.tried: dict[str, Candidate] = {}

    def run(self, starts: Sequence[tuple[Deck, str]], generations: int, children: int) -> Iterator[Progress]:
        """Generation 0 races the decks to start from, later ones children of the best.

        Raises:
            BadInput: no deck to start from is legal and without faults.
        """
        found = self._sound(starts)
        if not found:
            reasons = [reason for deck, _ in starts for reason in self.judge.faults(self.space.within(deck))]
            raise BadInput(f"no deck to start from is sound: {reasons[0] if reasons else 'there is none'}")
        for generation in range(generations + 1):
            rng = np.random.default_rng([self._seed, generation])
            if generation:
                found = [*self._repriced(generation), *self._children(children, rng)]
            self._race(found, generation)
            yield Progress(generation, len(self.tried), self.elite[0], tuple(self.elite))

    def _sound(self, decks: Sequence[tuple[Deck, str]]) -> list[Candidate]:
        candidates = {}
        for deck, origin in decks:
            brought = self.space.within(deck)
            if not self.judge.faults(brought):
                candidates[self.judge.name_of(brought)] = Candidate(brought, origin)
        return list(candidates.values())

    def _repriced(self, generation: int) -> list[Candidate]:
        """A child of one of the best decks, whose prices follow worth."""
        parent = self.elite[(generation - 1) % len(self.elite)]
        self.say(f"generation {generation}: the worth of cards")
        deck = repriced(self.judge, self.space, parent.deck, self.players[0], EXPLORED)
        if self.judge.name_of(deck) in self.tried or self.judge.faults(deck):
            return []
        return [Candidate(deck, f"{self.judge.name_of(parent.deck)} repriced")]

    def _children(self, wanted: int, rng: np.random.Generator) -> list[Candidate]:
        found: dict[str, Candidate] = {}
        for _ in range(wanted * _ATTEMPTS):
            if len(found) == wanted:
                break
            weights = 1 / (1 + np.arange(len(self.elite)))
            one, other = (self.elite[int(rng.choice(len(self.elite), p=weights / weights.sum()))] for _ in range(2))
            deck, origin = one.deck, f"from {self.judge.name_of(one.deck)}"
            if one is not other and rng.random() < _CROSSED:
                deck = self.space.crossed(deck, other.deck, rng)
                origin += f" and {self.judge.name_of(other.deck)}"
            deck = self.space.child(deck, rng)
            name = self.judge.name_of(deck)
            if name not in self.tried and name not in found and not self.judge.faults(deck):
                found[name] = Candidate(deck, origin)
        return list(found.values())

    def _race(self, candidates: list[Candidate], generation: int) -> None:
        """Play more games of the decks that stay in; those of the last rung meet the elite."""
        for rung, games in enumerate(RUNGS):
            players = self.players if rung == len(RUNGS) - 1 else self.players[:1]
            for number, candidate in enumerate(candidates):
                self.say(f"generation {generation}, {games} games: deck {number + 1} of {len(candidates)}")
                self.play(candidate, players, games)
                self.tried[self.judge.name_of(candidate.deck)] = candidate
            candidates = sorted(candidates, key=lambda candidate: candidate.loss)
            if rung < len(RUNGS) - 1:
                candidates = candidates[: max(1, len(candidates) // _KEPT)]
        for candidate in self.elite:  # the best so far may have been lucky: more games
            if candidate.games(self.players[0]) < 4 * RUNGS[-1]:
                self.say(f"generation {generation}: more games of the best decks")
                self.play(candidate, self.players, candidate.games(self.players[0]) + RUNGS[-1] // 2)
        self.elite = sorted([*self.elite, *candidates], key=lambda candidate: candidate.loss)[:_ELITE]

    def play(self, candidate: Candidate, players: Sequence[int], games: int) -> None:
        """Play a deck up to a number of games, and a part of it for other numbers of players than the first."""
        for number in players:
            self.play_all(candidate, number, games if number == self.players[0] else max(1, games // _OTHERS))

    def play_all(self, candidate: Candidate, number: int, games: int) -> None:
        """Play a deck up to a number of games with so many players, and find its loss."""
        before = candidate.games(number)
        if before < games:
            more = self.judge.tally(candidate.deck, number, games - before, before)
            candidate.tallies[number] = candidate.tallies[number] + more if before else more
        figures = {number: self.judge.figures(tally) for number, tally in candidate.tallies.items()}
        candidate.loss = loss(self.aims, figures)
