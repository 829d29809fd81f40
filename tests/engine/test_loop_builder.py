"""`engine.loop_builder`: each game has its own compiled loops, made from templates."""

from __future__ import annotations

import sys
from dataclasses import replace
from types import ModuleType

import pytest

from bdgame_env.engine import match_loops
from bdgame_env.engine.cache import folder_of
from bdgame_env.engine.jit import JIT_DISABLED
from bdgame_env.engine.loop_builder import instantiate, loops_of
from bdgame_env.engine.match import Match
from tests.support.broken_games import ENDLESS
from tests.support.toy_game import GAME
from tests.support.variants import variant

HEAD = "from bdgame_env.engine.jit import entry_point, kernel\n\n\n"


def test_two_games_of_one_name_do_not_share_rules():
    """A variant with the same id and version, as in a study of one rule, plays by its own rules."""
    other = variant(GAME, apply=ENDLESS.rules.apply)
    assert other.id == GAME.id and loops_of(other).__name__ != loops_of(GAME).__name__
    ends, goes_on = Match(GAME, seed=3), Match(other, seed=3)
    for _ in range(GAME.config().max_decisions + 1):
        if not ends.over:
            ends.play(ends.legal_actions()[0])
        goes_on.play(goes_on.legal_actions()[0])
    assert ends.over and not goes_on.over


def test_a_game_has_one_copy_of_the_loops():
    """It is made on first use, and found by its name, as pickle and Numba look it up."""
    loops = loops_of(GAME)
    assert loops_of(GAME) is loops is loops_of(replace(GAME, title="Another")) and sys.modules[loops.__name__] is loops
    assert loops.__name__.startswith("bdgame_env.engine.match_loops__toy_v1_")
    assert loops.reset_games.__module__ == loops.__name__ and loops.rules is GAME.rules
    assert not hasattr(match_loops, "rules")


def test_a_games_loops_have_a_cache_folder_apart():
    """An edit of its rules leads to another folder, so that old files are never among new ones."""
    folders = {folder_of(loops_of(game).__name__) for game in (GAME, ENDLESS)}
    assert len(folders) == 2 and folder_of("bdgame_env.engine.match_loops") not in folders


@pytest.fixture
def template(tmp_path):
    """Makes a module from the text of a file."""
    path = tmp_path / "some_template.py"

    def read(text: str) -> ModuleType:
        path.write_text(HEAD + text)
        module = ModuleType("some_template")
        module.__file__ = str(path)
        return module

    return read


def test_an_edited_template_never_meets_old_machine_code(template):
    """Other templates call its functions by the module's name, so the name depends on the source."""
    before = instantiate(template("@kernel\ndef raised(x):\n    return x + 1\n"), GAME, {})
    after = instantiate(template("@kernel\ndef raised(x):\n    return x + 2\n"), GAME, {})
    again = instantiate(template("@kernel\ndef raised(x):\n    return x + 1\n"), GAME, {})
    assert before.__name__ == again.__name__ != after.__name__
    caller = "@entry_point\ndef call(x):\n    return other.raised(x)\n"
    results = [instantiate(template(caller), GAME, {"other": module}).call(1) for module in (before, after)]
    assert results == [2, 3]


def test_a_template_may_name_what_it_lacks(template):
    """Only calling what a game lacks fails, such as `simultaneous` where players take turns."""
    made = instantiate(template("@entry_point\ndef call(x):\n    return missing(x)\n"), GAME, {})
    with pytest.raises(Exception if not JIT_DISABLED else NameError, match="missing"):
        made.call(1)
