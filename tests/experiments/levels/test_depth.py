"""Duels that resume, and the depth of a game: steps, files, page and picture, and what is refused."""

from __future__ import annotations

import json
from math import isclose
from pathlib import Path

import pytest

from bdgame_env.experiments.errors import BadInput
from bdgame_env.experiments.levels.depth import elo_of, title_of
from bdgame_env.experiments.levels.depth_page import results_in
from bdgame_env.experiments.levels.duels import CHUNK, Duels, Score
from bdgame_env.registry import get_game
from tests.experiments.conftest import Run
from tests.support.toy_game import GAME

FIRST, DREAMS = "tests.support.bots:First", "tests.support.bots:Dreams"
CONFIG = GAME.config(players=2, max_rounds=4)


def duels(folder: Path, seed: int = 0, players: int = 2) -> Duels:
    return Duels(GAME, GAME.config(players=players, max_rounds=4), folder, seed)


@pytest.mark.parametrize(("players", "games"), [(2, 2), (3, 6), (4, 6)])
def test_seats_are_balanced(tmp_path: Path, players: int, games: int) -> None:
    """An agent does not gain by its seats: against itself it has half, exactly."""
    score = duels(tmp_path, players=players).play(FIRST, FIRST, 3)
    assert score.games == 3 * games and score.deals == 3 and score.share == 0.5


def test_what_was_played_is_not_played_again(tmp_path: Path) -> None:
    seen: list[tuple[int, int, int]] = []
    deals = 2 * CHUNK + 5
    one = duels(tmp_path).play(FIRST, "random", CHUNK)
    more = duels(tmp_path).play(FIRST, "random", deals, on_progress=lambda *now: seen.append(now))
    assert (more.above[:CHUNK] == one.above).all() and more.deals == deals and more.games == 2 * deals
    assert seen[-1] == (2 * deals, 2 * CHUNK, 2 * deals)
    whole = duels(tmp_path / "other").play(FIRST, "random", deals)
    assert (whole.above == more.above).all() and whole.interval == more.interval
    again = duels(tmp_path).play(FIRST, "random", deals)
    assert (again.above == more.above).all() and again.seconds == more.seconds


def test_it_stops_when_that_is_enough(tmp_path: Path) -> None:
    def enough(score: Score) -> bool:
        return score.interval[0] > 0.5 or score.interval[1] < 0.5

    score = duels(tmp_path).play(FIRST, "random", 100 * CHUNK, enough=enough)
    assert score.deals < 100 * CHUNK and enough(score)


def test_a_folder_that_cannot_be_written_to_is_told_before_anything_is_played(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    told: list[int] = []
    with pytest.raises(OSError, match="cannot be written"):
        duels(tmp_path / "taken").play("random", "random", 2, on_progress=lambda *counts: told.append(1))
    assert not told


def test_a_file_of_other_games_or_no_file_of_games_is_refused(tmp_path: Path) -> None:
    duels(tmp_path).play(FIRST, "random", 2)
    (path,) = tmp_path.iterdir()
    with pytest.raises(BadInput, match="seed differs"):
        duels(tmp_path, seed=1).play(FIRST, "random", 2)
    for text in ("", "[]", "{}", '{"chunks": 3}'):
        path.write_text(text)
        with pytest.raises(BadInput, match="not a file of a duel"):
            duels(tmp_path).play(FIRST, "random", 2)
        assert path.read_text() == text


def test_elo() -> None:
    assert elo_of(0.5) == 0 and isclose(elo_of(10 / 11), 400) and elo_of(0) == -elo_of(1) == -800
    assert isclose(elo_of(0.64), 99.95, abs_tol=0.01)


def test_titles_name_the_options_that_were_set() -> None:
    game = get_game("bdgame-v3")
    assert title_of(game, game.config(), []) == "Bdgame"
    assert title_of(game, game.config(players=3), ["deck=classic"]) == "Bdgame, 3 players, deck=classic"


@pytest.mark.slow
def test_the_command_writes_steps_a_table_and_a_picture(run: Run, tmp_path: Path) -> None:
    arguments = ("depth", "nicodemus-v2", "--searcher", "mcts", "--budgets", "1,2,4", "--games", 2, "--out", tmp_path)
    page = tmp_path / "pages" / "depth.md"
    code, out, error = run(*arguments, "--page", page)
    assert code == 0, error
    (result,) = results_in(tmp_path)
    assert [(step["fewer"], step["more"], step["games"]) for step in result["steps"]] == [(1, 2, 4), (2, 4, 4)]
    assert isclose(result["elo"], sum(step["elo"] for step in result["steps"]), abs_tol=0.2)
    assert "2 against 1" in out and "1 to 2" in page.read_text() and page.with_suffix(".png").stat().st_size > 5000
    assert "depth nicodemus-v2" in page.read_text()
    (tmp_path / "broken.json").write_text("{")
    (tmp_path / "other.json").write_text(json.dumps({"agents": []}))
    code, again, _ = run(*arguments)
    assert code == 0 and again.splitlines()[0] == out.splitlines()[0] and len(results_in(tmp_path)) == 1


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (("--budgets", "4"), "must be two or more numbers that rise"),
        (("--budgets", "4,4"), "must be two or more numbers that rise"),
        (("--budgets", "4,x"), "--budgets"),
        (("--searcher", "nobody"), "unknown agent 'nobody'"),
        (("--searcher", "ppo"), "ppo:sims=4"),
        (("--option", "deck=nothing"), "nothing"),
        (("--seed", 2**62), "--seed"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(run: Run, tmp_path: Path, more: tuple[object, ...], told: str) -> None:
    code, _, error = run("depth", "bdgame-v3", *more, "--out", tmp_path)
    assert code == 2 and told in error and error.count("\n") == 1, error
    assert not list(tmp_path.iterdir())
