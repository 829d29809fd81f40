"""Snapshots of the network as opponents, drawn by prioritized fictitious self-play."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bdgame_env.agents.networks.network import Floats, Network

_WINDOW = 2000.0  # games that count in a score


class League:
    """The opponents of a run, networks of earlier ones and snapshots, and how the learner fares against each.

    One is drawn with weight (1 - p)^2, where p is the share of games that the learner wins against it (Vinyals et al.
    2019, Nature 575; `f_hard` with exponent 2). One that it has not met yet counts as equal.

    Args:
        most: how many are kept at the same time: all rivals, or else the first snapshot, and the newest snapshots, at
            least two of them if there are rivals.
        rivals: the networks of earlier runs, of any width.

    Attributes:
        weights: of each snapshot.
        scores: games won, ties counting half, and games, against each rival, then against each snapshot.
        drawn: the number of the score of who plays now.
    """

    def __init__(self, most: int, rivals: Sequence[Network] = ()) -> None:
        self.rivals, self.drawn = tuple(rivals), 0
        self.room = max(2, most - len(rivals)) if rivals else most
        self.weights: list[Floats] = []
        self.scores: list[list[float]] = [[0.0, 0.0] for _ in rivals]

    def add(self, weights: Floats) -> None:
        """Add a snapshot."""
        if len(self.weights) >= self.room:
            drop = 0 if self.rivals else max(0, min(1, self.room - 2))
            del self.weights[drop], self.scores[len(self.rivals) + drop]
        self.weights.append(weights.copy())
        self.scores.append([0.0, 0.0])

    def count(self, won: float, games: float) -> None:
        """Count games against who was drawn; in an empty league, there is nobody."""
        if self.scores and games:
            fade = max(0.0, 1.0 - games / _WINDOW)
            score = self.scores[self.drawn]
            score[0], score[1] = fade * score[0] + won, fade * score[1] + games

    def draw(self, number: float) -> None:
        """Draw who plays next, given a number from [0, 1)."""
        if self.scores:
            odds = np.array([(1.0 - (won + 1.0) / (games + 2.0)) ** 2 for won, games in self.scores])
            self.drawn = int(np.searchsorted(np.cumsum(odds / odds.sum()), number, side="right").clip(0, len(odds) - 1))
