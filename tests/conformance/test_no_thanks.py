"""The checks of games hold for one that is in no registry, with hidden chips and a deck: `no_thanks_game`."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from bdgame_env.engine.game import BadSnapshot
from bdgame_env.engine.match import Match
from tests.support import conformance, secrecy
from tests.support import no_thanks_game as no_thanks

pytestmark = pytest.mark.plain  # games that are compiled are tried in test_games.py
CHECKS = conformance.CHECKS | secrecy.CHECKS


@pytest.mark.parametrize("check", [name for name in CHECKS if name not in conformance.COMPILED_ONLY])
def test_every_check(check: str) -> None:
    for options in conformance.option_sets(no_thanks.GAME):
        CHECKS[check](no_thanks.GAME, options)


def ended(*cards: tuple[int, ...], chips: tuple[int, ...]) -> Any:
    """A game that is over, with these cards and chips of each seat."""
    match = Match(no_thanks.GAME, seed=1, players=3)
    data = match.snapshot(omniscient=True)
    taken = [card for held in cards for card in held]
    data["deck"] = [card for card in range(no_thanks.LOWEST, no_thanks.HIGHEST + 1) if card not in taken]
    data["card"] = None
    for seat, held, count in zip(data["seats"], cards, chips, strict=True):
        seat["cards"], seat["chips"] = list(held), count
    return Match.from_snapshot(no_thanks.GAME, data)


def test_s6_runs_cost_their_lowest_card() -> None:
    rest = tuple(range(13, 33))
    match = ended((3, 4, 5, 12), rest, (), chips=(10, 12, 11))
    assert match.over and match.points() == [10 - 3 - 12, 12 - 13, 11] and match.ranks() == [3, 2, 1]


def test_s7_what_others_hold_is_sampled_and_nothing_else() -> None:
    """All splits of the chips that fit come up, and the own ones stay."""
    match = Match(no_thanks.GAME, seed=3, players=3)
    for move in ("pay", "take", "pay", "take", "take"):
        match.play(move)
    own = match.snapshot(omniscient=True)["seats"][0]["chips"]
    splits = Counter()
    for seed in range(60):
        seats = match.clone(determinize=0, seed=seed).snapshot(omniscient=True)["seats"]
        assert seats[0]["chips"] == own
        splits[seats[1]["chips"]] += 1
    assert len(splits) > 5


def test_lost_pieces_are_refused() -> None:
    data = Match(no_thanks.GAME, seed=1, players=3).snapshot(omniscient=True)
    data["seats"][0]["chips"] = 10
    with pytest.raises(BadSnapshot, match="32 chips in seats and pot, must be 33"):
        Match.from_snapshot(no_thanks.GAME, data)
