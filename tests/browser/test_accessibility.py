"""The pages by the rules of WCAG, as far as axe-core can tell: no serious findings, in light and in dark."""

from __future__ import annotations

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from bdgame_env import get_game, list_games
from bdgame_env.engine.match import Match
from bdgame_env.experiments.play.game_records import play_through
from bdgame_env.experiments.play.replay_page import replay_page
from bdgame_env.experiments.play.session import Session
from tests.browser.conftest import until
from tests.support.served import TOKEN, lobby, served

pytestmark = pytest.mark.browser
SERIOUS = ("serious", "critical")
THEMES = ("light", "dark")


def findings(page: Page, part: str | None = None) -> list[str]:
    """Serious findings of axe-core in both themes, in the page or a part: the theme, the rule, the first element."""
    found = []
    for theme in THEMES:
        page.emulate_media(color_scheme=theme)
        for violation in Axe().run(page, part).response["violations"]:
            if violation["impact"] in SERIOUS:
                node = violation["nodes"][0]
                found.append(f"{theme}: {violation['id']}: {node['html'][:200]} {node['failureSummary'][:300]}")
    return found


def played(game_id: str, moves: int) -> Session:
    """A game at the largest table: every seat has a color."""
    players = get_game(game_id).seats[1]
    session = Session(Match(get_game(game_id), seed=3, players=players), ("human",) * players)
    for number in range(moves):
        legal = session.match.legal_moves()
        session.play(session.match.seat, legal[number * 7919 % len(legal)])
    return session


@pytest.mark.parametrize("game_id", list_games())
def test_a_game_that_is_played(page: Page, game_id: str) -> None:
    session = played(game_id, 30)
    with served(session) as there:
        page.goto(there.url(session.match.seat) + "?fast")
        until(page, "view !== null && view.legal.length > 0 && settled()")
        assert not (found := findings(page)), "\n".join(found)


@pytest.mark.parametrize("game_id", list_games())
def test_a_recorded_game(page: Page, game_id: str, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(replay_page(play_through(played(game_id, 30).record()), title="a test"), "utf-8")
    page.goto(file.as_uri())
    found = findings(page)
    for number in range(29, 25, -1):  # the line of the position shown has a color of its own, behind that of its seat
        page.locator("#at").fill(str(number))
        page.locator("#at").press("Enter")
        found += findings(page, "#log .now")
    assert not found, "\n".join(found)


def test_the_lobby(page: Page, tmp_path: Path) -> None:
    with lobby(tmp_path) as port:
        page.goto(f"http://127.0.0.1:{port}/lobby/{TOKEN}")
        page.locator("#game option").nth(3).wait_for(state="attached")
        assert not (found := findings(page)), "\n".join(found)


def test_a_fault_would_be_found(page: Page) -> None:
    page.set_content("<main><h1>A page</h1><img src='data:,'><button></button></main>")
    assert any("button-name" in line for line in findings(page))
