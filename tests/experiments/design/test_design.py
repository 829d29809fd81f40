"""The command `design`: it finds the known price of a small game, resumes, and tells mistakes in one line."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from bdgame_env.experiments.design.deck_data import text_of
from bdgame_env.registry import GAMES, register_game
from tests.experiments.conftest import Run
from tests.support.price_game import STANDARD

SHORT = ("--players", "2", "--games", "300", "--children", "6", "--seed", "3")


@pytest.fixture(autouse=True)
def price_game() -> Iterator[None]:
    register_game("price-v1", "tests.support.price_game:GAME")
    yield
    del GAMES["price-v1"]


def test_the_known_price_is_found(run: Run, tmp_path: Path) -> None:
    code, out, err = run("design", "price-v1", *SHORT, "--generations", "5", "--aim", "margin<=2", "--out", tmp_path)
    assert code == 0, err
    best = tomllib.loads((tmp_path / "best.toml").read_text())
    assert best["cards"][0] == {**STANDARD["cards"][0], "price": 6}, "a gift worth 6 is fair at the price of 6"
    assert best["cards"][1] == STANDARD["cards"][1], "what is not in the space does not change"
    assert "generation 5" in out and "first_seat: games that the first seat wins" in out and "✓" in out
    page = (tmp_path / "report.html").read_text()
    assert "cards.gift.price" in page and "rolls of a seat" in page and "<svg" in page
    assert "http" not in page.replace("http://www.w3.org", "")


def test_a_search_goes_on_where_it_stopped(run: Run, tmp_path: Path) -> None:
    run("design", "price-v1", *SHORT, "--generations", "4", "--out", tmp_path / "whole")
    stopped = tmp_path / "stopped"
    run("design", "price-v1", *SHORT, "--generations", "1", "--out", stopped)
    with (stopped / "games.jsonl").open("a") as file:
        file.write('{"key": "cut o')
    (stopped / "games.jsonl").write_text((stopped / "games.jsonl").read_text() + "\n")
    code, _, err = run("design", "price-v1", *SHORT, "--generations", "4", "--out", stopped)
    assert code == 0, err
    assert (stopped / "best.toml").read_text() == (tmp_path / "whole" / "best.toml").read_text()
    code, out, _ = run("design", "price-v1", *SHORT, "--generations", "4", "--out", stopped)
    assert code == 0 and " 0 games in" in out


def test_a_deck_names_its_game(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text_of({"cards": [{"name": "gift", "worth": 3, "price": 2}]}))
    code, out, err = run("design", path, *SHORT, "--generations", "3")
    assert code == 0, err
    assert "price = 3" in out


def test_another_agent_measures_the_best_deck(run: Run) -> None:
    code, out, err = run(
        *("design", "price-v1", "--players", "2", "--games", "8", "--children", "1", "--generations", "0"),
        *("--judge", "tests.support.bots:First", "--explore", "0"),
    )
    assert code == 0, err
    assert "best, tests.support.bots:First (8 games)" in out


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["nim-v1"], "unknown game 'nim-v1'"),
        (["cards.toml"], "cards.toml does not exist"),
        (["nicodemus-v2"], "nicodemus-v2 takes no other cards"),
        (["price-v1", "--deck", "missing.toml"], "missing.toml"),
        (["price-v1", "--aim", "first_seat=0.5"], "must be FIGURE<=NUMBER or FIGURE>=NUMBER"),
        (["price-v1", "--aim", "beauty>=1"], "no figure 'beauty'; figures: first_seat, "),
        (["price-v1", "--aim", "margin>=3", "--aim", "margin<=2"], "contradicts itself: at least 3 and at most 2"),
        (["price-v1", "--players", "2,7"], "--players 2,7: must be different numbers, 2 to 3"),
        (["price-v1", "--option", "deck=x.toml"], "set by --deck"),
        (["price-v1", "--player", "chessmaster"], "unknown agent 'chessmaster'"),
    ],
)
def test_a_mistake_is_told_in_one_line(run: Run, arguments: list[str], line: str) -> None:
    told(run("design", *arguments), line)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[space]\n", "nothing may change"),
        ('[space]\n"cards.*.color" = [1, 2]\n', "no entry 'cards.*.color'"),
        ('[space]\n"cards.*.price" = [5, 2]\n', "is empty: the least is above the most"),
        ('[space]\n"cards.*.price" = 5\n', "must be [LEAST, MOST]"),
        ('[space]\n"cards.*.name" = [1, 2]\n', "is no whole number"),
        ('[space]\n"cards.*" = "any"\n', "knows no alternatives"),
        ('[space]\n"cards.gift.price" = [13, 13]\n', "no deck to start from is sound: a gift is no gift at 13"),
        ('[space]\n"cards.gift.price" = [30, 40]\n', "no deck to start from is sound: the deck: a card has"),
        ("[aims]\nmargin = { most = 1, least = 2 }\n", "contradicts itself"),
        ("[aims]\nmargin = { most = 1, scale = 0 }\n", "scale that is not above 0"),
        ("[aims]\nmargin = { scale = 1 }\n", "neither 'least' nor 'most'"),
        ("[aims]\nmargin = 3\n", "must be such as"),
        ("[goals]\n", "unknown entry 'goals'"),
        ("[space", "space.toml"),
    ],
)
def test_a_faulty_space_is_told_in_one_line(run: Run, tmp_path: Path, text: str, line: str) -> None:
    path = tmp_path / "space.toml"
    path.write_text(text)
    told(run("design", "price-v1", "--games", "5", "--space", path, "--out", tmp_path / "out"), line)
    assert not (tmp_path / "out" / "best.toml").exists()


def test_a_folder_has_one_search(run: Run, tmp_path: Path) -> None:
    first = ("design", "price-v1", "--games", "5", "--generations", "0", "--out", tmp_path)
    assert run(*first)[0] == 0
    told(run(*first, "--seed", "4"), "has a search with another seed")
    told(run(*first, "--aim", "margin<=3"), "has a search with another aims")


def told(answer: tuple[int, str, str], line: str) -> None:
    code, out, err = answer
    assert code == 2 and out == "", err
    assert err.startswith("error: ") and err.count("\n") == 1 and line in err
