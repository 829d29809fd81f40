"""What the record keeps beside the position is, after every decision, what follows from the cards."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from bdgame_env.engine.jit import JIT_DISABLED
from bdgame_env.engine.match import Match
from bdgame_env.games.pixel_pusher.cards import FIRST_ABILITY
from bdgame_env.games.pixel_pusher.game import GAME

DECISIONS = 60 if JIT_DISABLED else 600


def check(match: Match) -> None:
    for seat in match.state.seats:
        laid = Counter(card for card in seat.laid.tolist() if 0 < card < FIRST_ABILITY)
        left = Counter(card for card in seat.drafted.tolist() if card) if laid else Counter()
        played = sorted((laid - left).elements())
        assert left <= laid and seat.played.tolist() == played + [0] * (len(seat.played) - len(played))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_p26_what_is_kept_is_what_follows_from_the_cards(players: int) -> None:
    """P26: the machine cards played in a Build, also in copies, in samples and in restored positions."""
    match, chance = Match(GAME, seed=players, players=players), random.Random(players)
    for number in range(DECISIONS):
        check(match)
        if number % 5 == 0 or match.over:
            check(match.clone())
            check(match.clone(determinize=chance.randrange(players), seed=number))
            check(Match.from_snapshot(GAME, match.snapshot(omniscient=True)))
        if match.over:
            return
        match.play(chance.choice(match.legal_moves()))
