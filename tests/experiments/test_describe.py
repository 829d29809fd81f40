"""The tables of `bdgame describe`: they say all that a game declares."""

from __future__ import annotations

import re

import pytest

from bdgame_env import get_game, list_games
from bdgame_env.experiments import describe
from bdgame_env.experiments.describe import Table
from tests.support.bid_game import GAME as BID
from tests.support.nim_game import GAME as NIM
from tests.support.tiny_training import command

GAMES = [get_game(game) for game in list_games()]
EVERY = [pytest.param(game, id=game.id) for game in [*GAMES, BID, NIM]]


@pytest.mark.parametrize("game", EVERY)
def test_every_action_is_in_a_row(game) -> None:
    """The ids of the default options follow one another; options add rows of their own."""
    table = describe.actions(game)
    spans = [row[0].split("-") for row in table.rows if not row[0].startswith("with ")]
    ids = [action for span in spans for action in range(int(span[0]), int(span[-1]) + 1)]
    assert ids == list(range(game.config().num_actions))
    assert all(notation.startswith("`") and rule for _, _, notation, rule in table.rows)


def test_actions_of_options_are_marked() -> None:
    rows = [row for row in describe.actions(get_game("bdgame-v3")).rows if "trading" in row[0]]
    assert ("with `trading=True`", "1", "`agree`", "B50a") in rows and len(rows) == 5


@pytest.mark.parametrize("game", EVERY)
def test_every_entry_of_the_observation_is_in_a_row(game) -> None:
    found = [int(number) for row in describe.observation(game).rows for number in row[1].split("-")]
    assert found[0] == 0 and found[-1] == game.obs.itemsize - 1
    assert [row[0] for row in describe.observation(game).rows] == [f"`{f.name}`" for f in game.schema]


@pytest.mark.parametrize("game", EVERY)
def test_every_column_of_the_entities_is_explained(game) -> None:
    for (_, shape, _, columns), array in zip(
        describe.entities(game).rows, describe.entities_of(game).arrays, strict=True
    ):
        assert shape == str(array.shape).replace("np.int64", "")
        last = [int(number) for number in re.findall(r"(?:^|; |-)(\d+): ", columns)][-1]
        assert last == len(array.columns) - 1


def test_a_cell_may_hold_a_bar() -> None:
    assert Table("", ("a",), (("x | y",),), "Note.").markdown() == "Note.\n\n| a |\n| --- |\n| x \\| y |"


def test_the_command_prints_what_was_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert command("describe", "gizmos-v3", "--only", "options,facts") == 0
    printed = capsys.readouterr().out
    assert (
        printed.startswith("## Options\n\n| option |")
        and "\n\n## Facts\n\n" in printed
        and "| Players | 2 to 4 |" in printed
    )
    assert command("describe", "gizmos-v3") == 0
    assert [line for line in capsys.readouterr().out.splitlines() if line.startswith("## ")] == [
        "## Facts",
        "## Options",
        "## Actions",
        "## Fields of the observation",
        "## Entities",
    ]
    assert command("describe", "gizmos-v3", "--only", "rules") == 2
    assert "'rules' is not one of facts, options," in capsys.readouterr().err
