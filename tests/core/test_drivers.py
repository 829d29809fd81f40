"""`core.drivers`: each game has compiled loops of its own."""

from __future__ import annotations

from dataclasses import replace

from bdgame_env.core.table import Table
from tests.support.broken_games import ENDLESS
from tests.support.toy_game import GAME


def test_two_games_of_one_name_do_not_share_rules():
    """A variant under the same id and version, as in a study of one rule, plays by its own rules."""
    variant = replace(GAME, apply=ENDLESS.apply)
    assert variant.id == GAME.id and variant.drivers.__name__ != GAME.drivers.__name__
    ends, goes_on = Table(GAME, seed=3), Table(variant, seed=3)
    for _ in range(GAME.box().max_decisions + 1):
        if not ends.over:
            ends.play(ends.legal_actions()[0])
        goes_on.play(goes_on.legal_actions()[0])
    assert ends.over and not goes_on.over
