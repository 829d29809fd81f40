"""`engine.game`: options, configs, declarations."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bdgame_env.engine.game import BadOption, Option
from bdgame_env.engine.layout import record
from tests.support.toy_game import GAME, State

NAMES = ("draw", "pass", "take keep", "take swap", "roll")


def test_options_have_their_defaults():
    """They are the fewest players, and what the declaration says."""
    assert dict(GAME.config().options) == {"players": 2, "rolling": False, "target": 12, "max_rounds": 20}
    assert GAME.config(players=4, target=30).options["target"] == 30 and GAME.config(players=4).players == 4


WRONG = [
    ({"colour": 1}, "toy-v1: unknown option 'colour'; options: players, rolling, target, max_rounds"),
    ({"players": 5}, "toy-v1: option players=5 is not allowed; allowed: 2 to 4"),
    ({"players": 1}, "toy-v1: option players=1 is not allowed; allowed: 2 to 4"),
    ({"players": True}, "toy-v1: option players=True is not allowed; allowed: 2 to 4"),
    ({"players": 2.0}, "toy-v1: option players=2.0 is not allowed; allowed: 2 to 4"),
    ({"players": "3"}, "toy-v1: option players='3' is not allowed; allowed: 2 to 4"),
    ({"players": None}, "toy-v1: option players=None is not allowed; allowed: 2 to 4"),
    ({"target": 101}, "toy-v1: option target=101 is not allowed; allowed: 5 to 100"),
    ({"target": -1}, "toy-v1: option target=-1 is not allowed; allowed: 5 to 100"),
    ({"rolling": 1}, "toy-v1: option rolling=1 is not allowed; allowed: False, True"),
    ({"rolling": "yes"}, "toy-v1: option rolling='yes' is not allowed; allowed: False, True"),
    ({"rolling": None}, "toy-v1: option rolling=None is not allowed; allowed: False, True"),
    ({"max_rounds": [3]}, "toy-v1: option max_rounds=[3] is not allowed; allowed: 1 to 1000"),
]


@pytest.mark.parametrize(("options", "message"), WRONG, ids=[str(options) for options, _ in WRONG])
def test_a_wrong_option_is_refused_in_one_line(options, message):
    """The message says what is wrong and what is allowed."""
    with pytest.raises(BadOption) as refused:
        GAME.config(**options)
    assert str(refused.value) == message


def test_numbers_of_numpy_are_numbers():
    """An option taken from an array becomes a plain integer, in range or not."""
    config = GAME.config(players=np.int64(3), target=np.int8(9))
    assert type(config.options["players"]) is int and config.options["target"] == 9
    with pytest.raises(BadOption, match="players="):
        GAME.config(players=np.int64(9))


def test_an_option_may_be_a_path():
    """`allowed=None` leaves checking the file to the game, as for a card file."""
    option = Option(None, None, "a path")
    for path in (None, "cards.toml", Path("cards.toml")):
        assert option.check("toy-v1", "deck", path) == path
    for value in (3, True, b"cards.toml", ["cards.toml"], 10**5000):
        with pytest.raises(BadOption, match=r"option deck=.* is not allowed; allowed: None or a path") as refused:
            option.check("toy-v1", "deck", value)
        assert "\n" not in str(refused.value) and len(str(refused.value)) < 200


def test_notation_belongs_to_the_config():
    """Configs with other options have other actions, each with a unique name."""
    small, large = GAME.config(), GAME.config(rolling=True)
    assert GAME.notation(small)[0] == NAMES[:4] and GAME.notation(large)[0] == NAMES
    assert GAME.notation(large)[1] == {name: action for action, name in enumerate(NAMES)}
    assert GAME.notation(small) is not GAME.notation(large)
    assert GAME.notation(small)[0] is GAME.notation(small)[0]


def test_a_state_without_the_engines_fields_is_refused():
    """On import, not in the first game."""
    kept = [(name, State.dtype[name]) for name in State.dtype.names if name not in ("game_seed", "over")]
    with pytest.raises(ValueError, match=r"toy-v1: the state lacks the fields \['game_seed', 'over'\]"):
        replace(GAME, state=record(kept))


def test_a_schema_that_does_not_cover_the_observation_is_refused():
    """On import, not in the first training run."""
    with pytest.raises(ValueError, match="does not cover"):
        replace(GAME, schema=GAME.schema[:-1])


def test_a_game_is_pickled_by_name():
    """Compiled loops cannot be pickled: the other process loads the declaration."""
    assert pickle.loads(pickle.dumps(GAME)) is GAME


def test_a_schema_field_is_a_slice():
    """`observation[field.slice]` is the field."""
    field = next(field for field in GAME.schema if field.name == "to_move")
    assert field.slice == slice(2, 6) and field.shape == (4,)


def test_notations_of_many_configs_are_not_all_kept():
    """A search over options must not fill memory; notations kept are right, and a config in use keeps its own."""
    first = GAME.config(rolling=True)
    names = GAME.notation(first)[0]
    for target in range(5, 101):
        config = GAME.config(target=target)
        assert GAME.notation(config)[0] == NAMES[:4] and GAME.notation(config)[1]["pass"] == 1
        assert GAME.notation(first)[0] is names
    assert len(GAME._notations) <= 16
    for target in range(5, 101):
        assert GAME.notation(GAME.config(target=target, rolling=bool(target % 2)))[0] == NAMES[: 4 + target % 2]
    assert GAME.notation(first) == (names, {name: action for action, name in enumerate(NAMES)})
