"""`engine.seam`: the modules that templates call."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from bdgame_env import get_game, list_games
from bdgame_env.engine.seam import RefreshingRules, Rules, SimultaneousRules, gathered, kernels_of, with_other
from tests.support import bid_game, toy_game

pytestmark = pytest.mark.plain
NAMES = {name for name in vars(Rules) if not name.startswith("_")}


@pytest.mark.parametrize("game_id", list_games())
def test_every_game_has_a_module_of_rules_with_these_names_and_no_others(game_id):
    """It is a module that Python imports, so that readers, checkers and pickles find the rules in it."""
    game = get_game(game_id)
    assert isinstance(game.rules, ModuleType) and sys.modules[game.rules.__name__] is game.rules
    more: set[str] = set()
    for has, protocol in ((game.has_simultaneous_phases, SimultaneousRules), (game.seen is not None, RefreshingRules)):
        more |= {name for name in vars(protocol) if has and not name.startswith("_")}
    assert set(kernels_of(game.rules)) == NAMES | more


def test_a_variant_differs_in_what_it_replaces_only():
    """The rules that it is made from stay as they are."""
    other = with_other(toy_game.GAME.rules, legal=bid_game.legal)
    assert other.legal is bid_game.legal and other.apply is toy_game.apply and toy_game.GAME.rules is toy_game
    before, after = kernels_of(toy_game), kernels_of(other)
    assert {name for name in before if before[name] is not after[name]} == {"legal"} and before.keys() == after.keys()


def test_a_module_exports_what_it_says_or_what_it_defines():
    """Not what it has imported to define it."""
    one = gathered("one", legal=toy_game.legal)
    assert kernels_of(one) == {"legal": toy_game.legal}
    assert "legal" in kernels_of(toy_game) and "kernel" not in kernels_of(toy_game)
    vars(one)["__all__"] = ()
    assert kernels_of(one) == {}
