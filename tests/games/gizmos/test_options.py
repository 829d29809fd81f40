"""The options of the game, and the preset that stands for several of them (D3.7)."""

from __future__ import annotations

from typing import Any

import pytest

import bdgame_env
from bdgame_env.engine.game import BadOption
from tests.games.gizmos.positions import new_game
from tests.support.position import both_backends, engine_only

pytestmark = both_backends

PRINTED = {"auto_points": False, "order_under": "player"}


def options_of(**options: Any) -> dict[str, Any]:
    config = bdgame_env.get_game("gizmos-v2").config(**options)
    return {name: value for name, value in config.options.items() if name not in ("players", "max_rounds")}


@engine_only  # its config
def test_d03_07_the_preset_sets_the_other_options():
    """D3.7: by default nothing is set; printed rules set both, but no bound on rounds."""
    assert options_of() == {"rules": "default", "auto_points": True, "order_under": "random"}
    assert options_of(rules="printed") == {"rules": "printed", **PRINTED}
    assert bdgame_env.get_game("gizmos-v2").config(rules="printed").options["max_rounds"] == 100
    assert bdgame_env.get_game("gizmos-v2").config(rules="printed", max_rounds=7).options["max_rounds"] == 7


@engine_only  # its config
def test_d03_07_options_that_agree_may_be_given():
    """D3.7: beside the preset; and each alone without it."""
    assert options_of(rules="printed", **PRINTED) == {"rules": "printed", **PRINTED}
    assert options_of(order_under="player") == {"rules": "default", "auto_points": True, "order_under": "player"}


@engine_only  # error texts
@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"auto_points": True}, "auto_points=True contradicts rules='printed', which sets auto_points=False"),
        (
            {"order_under": "random"},
            "order_under='random' contradicts rules='printed', which sets order_under='player'",
        ),
    ],
)
def test_d03_07_options_that_contradict_are_refused(options: dict[str, Any], text: str):
    """D3.7: in one line."""
    with pytest.raises(BadOption, match=text) as refused:
        options_of(rules="printed", **options)
    assert "\n" not in str(refused.value)
    with pytest.raises(BadOption, match="rules='own' is not allowed; allowed: 'default', 'printed'"):
        options_of(rules="own")


@pytest.mark.parametrize("option", [{"auto_points": True}, {"order_under": "random"}], ids=str)
def test_d03_07_no_game_begins_with_options_that_contradict(option: dict[str, Any]):
    """D3.7: both are refused, and so is a preset that is none."""
    with pytest.raises(ValueError, match="printed"):
        new_game(rules="printed", **option)
    with pytest.raises(ValueError, match="own"):
        new_game(rules="own")


def test_d03_07_printed_rules_are_the_two_options():
    """D3.7: the same deal and the same moves, but for the name of the rules."""
    games = [new_game(3, seed=5, **options) for options in ({"rules": "printed"}, PRINTED)]
    for _ in range(60):
        assert games[0].legal == games[1].legal
        move = sorted(games[0].legal)[len(games[0].legal) // 2]
        for t in games:
            t.play(move)
    one, other = (t.snap for t in games)
    assert one["options"].pop("rules") == "printed" and other["options"].pop("rules") == "default"
    assert one == other
