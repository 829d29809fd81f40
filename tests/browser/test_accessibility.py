"""The pages by the rules of WCAG, as far as axe-core can tell: no serious findings, in light and in dark."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

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
        ours = "typeof showTheme !== 'undefined' && document.documentElement.classList.contains('dark')"
        until(page, f"({ours}) === {str(theme == 'dark').lower()} || typeof showTheme === 'undefined'")
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


def spoken(page: Page) -> list[tuple[str, str]]:
    """Roles and names of what a screen reader meets on the table, from Chromium's accessibility tree."""
    client = page.context.new_cdp_session(page)
    client.send("Accessibility.enable")
    nodes = {node["nodeId"]: node for node in client.send("Accessibility.getFullAXTree")["nodes"]}
    client.detach()
    found: list[tuple[str, str]] = []

    def walk(node: dict[str, Any], inside: bool) -> None:
        role, name = (node.get(key, {}).get("value", "") for key in ("role", "name"))
        if inside and not node["ignored"]:
            found.append((role, name))
        for child in node.get("childIds", ()):
            walk(nodes[child], inside or (role == "region" and name == "the table"))

    walk(next(node for node in nodes.values() if "parentId" not in node), False)
    return found


@pytest.mark.parametrize("game_id", list_games())
def test_everything_on_the_table_has_a_sentence(page: Page, game_id: str) -> None:
    session = played(game_id, 30)
    with served(session) as there:
        for seat in (session.match.seat, session.match.players):  # one who plays, and a spectator
            page.goto(there.url(seat) + "?fast")
            until(page, "view !== null && settled() && document.querySelector('#table svg') !== null")
            told = spoken(page)
            drawn = [name for role, name in told if role in ("image", "img", "button", "group", "SvgRoot") and name]
            assert len(drawn) > 20 and sum(name.endswith(".") for name in drawn) > 20, told[:20]
            assert not [name for role, name in told if role in ("image", "group") and not name.endswith(".")]
            texts = "[...document.querySelectorAll('#board svg text')]"
            shown = page.evaluate(f"{texts}.map((text) => text.textContent.trim())")
            loose = {name for role, name in told if role in ("StaticText", "InlineTextBox")}
            assert not loose & {text for text in shown if len(text) < 3}, "no fragments"


SMALLEST = """() => Math.min(...[...document.querySelectorAll('#board .zone:not([hidden]) svg text')]
  .filter((text) => text.textContent.trim() && text.getBoundingClientRect().width)
  .map((text) => text.getScreenCTM().a * parseFloat(text.getAttribute('font-size'))))"""


@pytest.mark.parametrize("game_id", list_games())
def test_spectators_can_read_everything(page: Page, game_id: str) -> None:
    session = played(game_id, 30)
    with served(session) as there:
        page.set_viewport_size({"width": 1280, "height": 720})
        page.goto(there.url(session.match.players) + "?fast")
        until(page, "view !== null && settled() && document.querySelector('#table svg') !== null")
        assert page.evaluate(SMALLEST) >= 11.99


COLORS = """() => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const numbers = (color) => {
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const told = (where, color) => [...document.querySelectorAll(where)].filter((one) => one.checkVisibility())
    .map((one) => numbers(getComputedStyle(one)[color]));
  return {
    band: numbers(getComputedStyle(document.documentElement).getPropertyValue("--band")),
    header: told("header > :not(.tools), header > :not(.tools) *", "color"),
    table: numbers(getComputedStyle(document.body).backgroundColor),
    labels: told("#common text[font-weight]", "fill").slice(0, 1),
  };
}"""


def contrast(one: Sequence[int], other: Sequence[int]) -> float:
    """The contrast ratio of two colors (WCAG 2.2)."""

    def luminance(color: Sequence[int]) -> float:
        shares = [part / 255 for part in color]
        linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("game_id", list_games())
def test_text_stands_out_from_the_colors_of_a_game(page: Page, game_id: str, scheme: Literal["light", "dark"]) -> None:
    page.emulate_media(color_scheme=scheme)
    session = played(game_id, 30)
    with served(session) as there:
        page.goto(there.url(0) + "?fast")
        until(page, "view !== null && settled() && document.querySelector('#table svg') !== null")
        colors = page.evaluate(COLORS)
    lightest = [0.93 * part + 0.07 * 255 for part in colors["band"]]  # the header is a little lighter above
    assert len(colors["header"]) > 5 and min(contrast(each, lightest) for each in colors["header"]) >= 4.5, colors
    assert len(colors["labels"]) == 1 and contrast(colors["labels"][0], colors["table"]) >= 4.5, colors
    page.emulate_media(color_scheme="light")


def test_the_lobby(page: Page, tmp_path: Path) -> None:
    with lobby(tmp_path) as port:
        page.goto(f"http://127.0.0.1:{port}/lobby/{TOKEN}")
        page.locator(".tile").nth(3).wait_for()
        assert not (found := findings(page)), "\n".join(found)


def test_a_fault_would_be_found(page: Page) -> None:
    page.set_content("<main><h1>A page</h1><img src='data:,'><button></button></main>")
    assert any("button-name" in line for line in findings(page))
