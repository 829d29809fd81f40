"""The variants of the game (D3.7)."""

from __future__ import annotations

import pytest

import bdgame_env
from bdgame_env.engine.game import BadOption, UnknownOption
from tests.games.gizmos.positions import new_game
from tests.support.position import both_backends, engine_only

pytestmark = both_backends


@engine_only  # its config
def test_d03_07_the_rulebook_is_the_default():
    """D3.7: nothing has to be asked for, and `rules` is all that chooses."""
    game = bdgame_env.get_game("gizmos-v3")
    assert dict(game.config().options) == {"players": 2, "rules": "printed", "max_rounds": 100}
    assert dict(game.config(rules="quick").options) == {"players": 2, "rules": "quick", "max_rounds": 100}
    with pytest.raises(UnknownOption, match="unknown option 'auto_points'; options: players, rules, max_rounds"):
        game.config(auto_points=True)


@engine_only  # error texts
def test_d03_07_other_rules_are_refused():
    """D3.7: in one line."""
    with pytest.raises(BadOption, match="rules='own' is not allowed; allowed: 'printed', 'quick'"):
        bdgame_env.get_game("gizmos-v3").config(rules="own")


def test_d03_07_no_game_begins_with_other_rules():
    """D3.7: nor does the reference begin one."""
    with pytest.raises(ValueError, match="own"):
        new_game(rules="own")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_d03_07_variants_differ_only_where_they_say(players: int):
    """D3.7: the same deal and the same moves lead to the same position, until points wait or cards go under a deck."""
    games = [new_game(players, seed=5, rules=rules) for rules in ("printed", "quick")]
    decisions = 0
    while games[0].phase != "under" and "take points" not in games[0].legal:
        one, other = (t.snap for t in games)
        assert one["options"].pop("rules") == "printed" and other["options"].pop("rules") == "quick"
        assert one == other
        move = sorted(games[0].legal)[len(games[0].legal) // 2]
        for t in games:
            t.play(move)
        decisions += 1
    assert decisions >= 2
