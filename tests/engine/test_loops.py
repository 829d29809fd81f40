"""`engine.loops`: each game has compiled loops of its own."""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType

import pytest

from bdgame_env.engine.loops import instantiate
from bdgame_env.engine.match import Match
from tests.support.broken_games import ENDLESS
from tests.support.toy_game import GAME


def test_two_games_of_one_name_do_not_share_rules():
    """A variant under the same id and version, as in a study of one rule, plays by its own rules."""
    variant = replace(GAME, apply=ENDLESS.apply)
    assert variant.id == GAME.id and variant.loops.__name__ != GAME.loops.__name__
    ends, goes_on = Match(GAME, seed=3), Match(variant, seed=3)
    for _ in range(GAME.config().max_decisions + 1):
        if not ends.over:
            ends.play(ends.legal_actions()[0])
        goes_on.play(goes_on.legal_actions()[0])
    assert ends.over and not goes_on.over


@pytest.fixture
def template(tmp_path):
    """Makes a module of a file's text."""
    path = tmp_path / "some_template.py"

    def read(text: str) -> ModuleType:
        path.write_text(text)
        module = ModuleType("some_template")
        module.__file__ = str(path)
        exec(compile(text, path, "exec"), module.__dict__)
        return module

    return read


def test_an_edited_template_never_meets_old_machine_code(template):
    """Other templates call its functions by their module's name, so that name tells what they do."""
    before = instantiate(template("def raised(x):\n    return x + 1\n"), GAME, {}, ["raised"])
    after = instantiate(template("def raised(x):\n    return x + 2\n"), GAME, {}, ["raised"])
    again = instantiate(template("def raised(x):\n    return x + 1\n"), GAME, {}, ["raised"])
    assert before.__name__ == again.__name__ != after.__name__
    caller = "def call(x):\n    return raised(x)\n"
    results = [instantiate(template(caller), GAME, {"raised": module.raised}, []).call(1) for module in (before, after)]
    assert results == [2, 3]
