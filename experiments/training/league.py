"""Snapshots of the network as opponents, drawn by prioritized fictitious self-play."""

from __future__ import annotations

import numpy as np

from bdgame_env.agents.networks.network import Floats

_WINDOW = 2000.0  # games that count in a score


class League:
    """The snapshots of a run, and how the learner fares against each.

    A snapshot is drawn with weight (1 - p)^2, where p is the share of games that the learner wins against it (Vinyals
    et al. 2019, Nature 575; `f_hard` with exponent 2). One that it has not met yet counts as equal.

    Args:
        most: how many are kept: the first `lasting`, and of the others the newest.
        lasting: how many stay for good, as far as that leaves room for two others.

    Attributes:
        weights: of each snapshot. scores: games won, ties counting half, and games, of each.
        rival: the number of the snapshot that plays now.
    """

    def __init__(self, most: int, lasting: int = 1) -> None:
        self.most, self.lasting, self.rival = most, lasting, 0
        self.weights: list[Floats] = []
        self.scores: list[list[float]] = []

    def add(self, weights: Floats) -> None:
        """Add a snapshot."""
        if len(self.weights) >= self.most:
            drop = max(0, min(self.lasting, self.most - 2))
            del self.weights[drop], self.scores[drop]
        self.weights.append(weights.copy())
        self.scores.append([0.0, 0.0])

    def count(self, won: float, games: float) -> None:
        """Count games against the rival; in an empty league, there is none."""
        if self.weights and games:
            fade = max(0.0, 1.0 - games / _WINDOW)
            score = self.scores[self.rival]
            score[0], score[1] = fade * score[0] + won, fade * score[1] + games

    def draw(self, number: float) -> None:
        """Draw the next rival, given a number from [0, 1)."""
        if self.weights:
            odds = np.array([(1.0 - (won + 1.0) / (games + 2.0)) ** 2 for won, games in self.scores])
            self.rival = int(np.searchsorted(np.cumsum(odds / odds.sum()), number, side="right").clip(0, len(odds) - 1))
