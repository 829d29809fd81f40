"""Plays random games and sends their positions through JSON and back."""

from __future__ import annotations

import random
from collections.abc import Callable

from bdgame_env.engine.match import Match
from tests.support.conformance import restored


def restored_phases(
    match: Match, seed: int, *, every: int, always: Callable[[str], bool], liked: Callable[[str], bool], liking: float
) -> set[str]:
    """Play a random game from here, restore positions on the way, and return the phases of those restored exactly.

    Exactly means with the same snapshot, legal moves and record, including the generator.

    Args:
        match: the match, which is played to its end.
        seed: the seed of the choices.
        every: how many decisions to play between two positions to restore.
        always: whether to restore every position of a phase.
        liked: whether a move leads to rare phases.
        liking: how often such a move is chosen where there is one.
    """
    phases, chance, number = set(), random.Random(seed), 0
    while True:
        legal, snap = match.legal_moves(), match.snapshot(omniscient=True)
        number += 1
        if number % every == 0 or always(snap["phase"]):
            phases.add(snap["phase"])
            again = restored(match, f"decision {number}")
            assert again.state.rng == match.state.rng
        if not legal:
            return phases
        favorites = [move for move in legal if liked(move)]
        match.play(chance.choice(favorites if favorites and chance.random() < liking else legal))
