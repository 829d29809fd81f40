"""The figures of two games of nim, worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bdgame_env.experiments.arena.outcome import Outcome
from bdgame_env.experiments.arena.settings import Settings
from bdgame_env.experiments.arena.standings import standings
from bdgame_env.experiments.balance.analysis import AGENT, ALL, SAME, SEAT, Balance, Row, analyze
from bdgame_env.experiments.errors import BadInput
from tests.experiments.balance.test_counting import played
from tests.support.nim_game import GAME

CONFIG = GAME.config(heap=5)
# In the first game agent 0 begins and wins, in the second agent 1 begins and agent 0 wins.
GAMES = [
    played(GAME, CONFIG, ["take 1", "take 3", "take 1"], 0),
    replace(played(GAME, CONFIG, ["take 3", "take 2"], 1), agents=(1, 0)),
]
SETTINGS = Settings(GAME.id, dict(CONFIG.options), ["one", "other"], 1)


@pytest.fixture(scope="module")
def found() -> Balance:
    return analyze(Outcome(SETTINGS, {}, standings(SETTINGS.names, GAMES), GAMES, []), GAME, CONFIG)


def row_of(found: Balance, label: str, group: str, member: str = "") -> Row:
    (row,) = (row for row in found.rows if (row.item.label, row.group, row.member) == (label, group, member))
    return row


def test_figures_of_the_games(found: Balance) -> None:
    assert found.games == 2 and found.decisions.mean == 2.5 and found.margin.mean == 1.0
    assert found.lead_changes.mean == 0.0 and found.truncated == 0.0 and found.rounds is None


def test_counts_of_all_seats(found: Balance) -> None:
    row = row_of(found, "take 3", ALL)
    assert (row.seats, row.available, row.taken, row.could, row.took) == (4, 3, 2, 0.75, 0.5)
    assert row_of(found, "take", ALL).taken == 5


def test_uplifts(found: Balance) -> None:
    """Whoever took 3 lost; of the others, who won, one took 1 and one took 2."""
    values = {name: difference.value for name, difference in row_of(found, "take 3", ALL).uplifts.items()}
    assert values == {"reward": -2.0, "win": -1.0, "margin": -2.0}
    assert row_of(found, "take 1", ALL).uplifts["reward"].value == pytest.approx(1 + 1 / 3)
    assert row_of(found, "take 2", AGENT, "one").uplifts["reward"].value == 0.0
    assert row_of(found, "take 3", AGENT, "one").uplifts["reward"].value is None
    assert row_of(found, "take 3", SEAT, "0").uplifts["reward"].value == -2.0
    same = row_of(found, "take 3", SAME)
    assert same.taken == 2 and same.uplifts["reward"].value is None  # every seating was played once


def test_forfeits_are_left_out() -> None:
    lost = replace(GAMES[1], forfeit=0, reason="raised")
    rated = standings(SETTINGS.names, [GAMES[0], lost])
    assert analyze(Outcome(SETTINGS, {}, rated, [GAMES[0], lost], []), GAME, CONFIG).games == 1
    with pytest.raises(BadInput, match="all 1 were lost by forfeit"):
        analyze(Outcome(SETTINGS, {}, rated, [lost], []), GAME, CONFIG)
