"""The lobby in a browser: a game is set up, played, and found again."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from bdgame_env.experiments.play.plans import Plan, Prepared
from bdgame_env.experiments.play.web import rooms
from bdgame_env.experiments.play.web.rooms import prepared
from tests.browser.conftest import held_back, until
from tests.support.served import TOKEN, lobby

pytestmark = pytest.mark.browser


def test_a_game_from_the_lobby(browser: Browser, context: BrowserContext, page: Page, tmp_path: Path) -> None:
    with lobby(tmp_path) as port:
        page.goto(f"http://127.0.0.1:{port}/lobby/{TOKEN}")
        expect(page.locator(".tile")).to_have_count(4)
        for game in ("bdgame-v3", "nicodemus-v2", "bdgame-v3"):
            page.locator(f"#{game}").check()
            expect(page.get_by_label("player 2", exact=True)).to_have_value("level:3")
            tile = page.locator(".tile", has=page.locator(f"#{game}"))
            expect(tile.locator(".emblem > svg")).to_be_visible()
            expect(tile.locator("label > span").first).to_have_text(re.compile(r"^[^.]+\. [^.]+\.$"))  # two sentences
            expect(tile.locator(".faint")).to_have_text(re.compile("^2 (to 4 )?players; .* minutes; .*"))
        page.locator("#nicodemus-v2").check()
        expect(page.locator("#about")).to_contain_text("Two players share a row of old machines")
        page.get_by_label("player 1's name").fill("Ann <b>")
        page.get_by_label("player 2", exact=True).select_option("random")
        expect(page.get_by_label("player 2", exact=True)).to_contain_text("random (rating 12)")
        page.locator("#clock").select_option("5+10")
        page.locator("#start").click()
        page.wait_for_url("**/play/*")  # who plays alone is there at once
        table = context.new_page()
        table.goto(f"{page.url}?fast")
        expect(table.locator("#lobby")).to_be_visible()  # this browser knows the way, in any tab
        guest = browser.new_context()
        stranger = guest.new_page()
        stranger.goto(page.url)
        until(stranger, "view !== null")
        expect(stranger.locator("#lobby")).to_be_hidden()  # only the host knows its link
        guest.close()
        page.get_by_role("link", name="lobby").click()
        expect(page.get_by_label("player 1's name")).to_have_value("Ann <b>")  # it is remembered
        expect(page.locator(".room")).to_contain_text("Ann <b>")
        assert page.get_by_role("link", name="play as Ann <b>").get_attribute("href") in table.url
        until(table, "view !== null && view.legal.length > 0 && settled()")
        expect(table.locator("#people")).to_contain_text("Ann <b> (you)")
        expect(table.locator("#clock-0")).to_have_text("5:00")
        expect(table.locator("#clock-1")).to_have_count(0)
        table.locator("#moves button").first.click()
        until(table, "view.number > 0")
        for _ in range(30):  # until the second turn, the first one that is timed
            until(table, "view.legal.length > 0 && settled()")
            if table.evaluate("view.running") == 0:
                break
            number = table.evaluate("view.number")
            table.locator("#moves button").first.click()
            until(table, f"view.number > {number}")
        expect(table.locator("#clock-0")).to_have_text(re.compile("[45]:[0-5][0-9]"))
        until(table, "byId('clock-0').textContent < '5:00'")
        page.set_viewport_size({"width": 390, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_desktop_shows_all_that_a_new_game_needs(page: Page, tmp_path: Path) -> None:
    with lobby(tmp_path) as port:
        page.set_viewport_size({"width": 1280, "height": 800})
        page.goto(f"http://127.0.0.1:{port}/lobby/{TOKEN}")
        expect(page.locator(".tile")).to_have_count(4)
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
        start = page.locator("#start").bounding_box()
        for part in ("#clock", "#options summary", "#seats"):
            above = page.locator(part).bounding_box()
            assert start and above and above["y"] + above["height"] <= start["y"], "nothing is covered"
        for who, between_people in (("human", True), ("random", False)):
            page.get_by_label("player 2", exact=True).select_option(who)
            expect(page.locator("#together")).to_be_visible(visible=between_people)
            expect(page.locator("#hints")).to_be_visible(visible=between_people)


def test_colors_are_the_systems_until_one_chooses(context: BrowserContext, page: Page, tmp_path: Path) -> None:
    """What was chosen holds in all tabs and pages of the browser, the table's drawings included."""
    back = "getComputedStyle(document.querySelector('main .sheet')).backgroundColor"
    light, dark = "rgb(255, 255, 255)", "rgb(38, 41, 47)"
    with lobby(tmp_path) as port:
        page.emulate_media(color_scheme="light")
        page.goto(f"http://127.0.0.1:{port}/lobby/{TOKEN}")
        until(page, "lobby !== null")
        for theme, shown in (("dark", dark), ("light", light)):
            page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
            until(page, f"{back} === '{shown}'")
        page.locator("#theme").select_option("dark")
        assert page.evaluate(back) == dark
        page.get_by_role("button", name="Nicodemus: play against level 3").click()
        page.wait_for_url("**/play/*")
        until(page, "view !== null && settled()")
        assert page.evaluate(back) == dark and page.evaluate("getComputedStyle(document.body).colorScheme") == "dark"
        sheet = "getComputedStyle(document.querySelector('.part rect[fill=\"#fbf9f4\"]:not(.token)')).fill"
        assert page.evaluate(sheet) == "rgb(46, 50, 58)"
        page.locator("#settings summary").click()
        page.locator("#theme").select_option("light")
        assert page.evaluate(back) == light and page.evaluate(sheet) == "rgb(251, 249, 244)"
        page.locator("#theme").select_option("system")
        page.emulate_media(color_scheme="light")
        page.emulate_media(color_scheme="dark")
        until(page, f"{back} === '{dark}'")


@pytest.mark.parametrize("width", [1280, 360])
def test_a_tile_starts_its_game(page: Page, tmp_path: Path, width: int) -> None:
    with lobby(tmp_path) as port:
        page.set_viewport_size({"width": width, "height": 740})
        page.goto(f"http://127.0.0.1:{port}/lobby/{TOKEN}")
        page.get_by_role("button", name="Nicodemus: play against level 3").click()
        page.wait_for_url("**/play/*")
        until(page, "view !== null && view.title === 'Nicodemus'")


def test_the_lobby_keeps_the_opponent_and_says_who_it_is(page: Page, tmp_path: Path) -> None:
    """One that a game does not offer is left out there."""
    with lobby(tmp_path) as port:
        page.goto(f"http://127.0.0.1:{port}/lobby/{TOKEN}")
        until(page, "lobby !== null")
        page.locator("#bdgame-v3").check(force=True)
        for who, elsewhere in (("level:5", "level 5"), ("engineer", "level 3")):
            page.get_by_label("player 2", exact=True).select_option(who)
            for _ in range(2):
                for game, told in (("Bdgame", who.replace(":", " ")), ("Gizmos", elsewhere)):
                    expect(page.get_by_role("button", name=f"{game}: play against {told}")).to_have_count(1)
                page.reload()
                until(page, "lobby !== null")
                page.locator("#bdgame-v3").check(force=True)
        page.locator("#players").select_option("3")
        expect(page.get_by_role("button", name="Bdgame: play with 3 players")).to_have_count(1)


def test_nothing_can_be_started_before_the_lobby_knows_its_games(page: Page, tmp_path: Path) -> None:
    with lobby(tmp_path) as port:
        held = held_back(page)
        page.goto(f"http://127.0.0.1:{port}/lobby/{TOKEN}")
        expect(page.locator("#page-status")).to_be_empty()  # it is connected
        expect(page.locator("#start")).to_be_disabled()
        page.locator("#hints").press("Enter")  # which starts the game where it can be started
        until(page, "lobby !== null", held)
        expect(page.locator("#start")).to_be_enabled()


def test_links_are_shared_or_copied(context: BrowserContext, page: Page, tmp_path: Path) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    with lobby(tmp_path) as port:
        page.goto(f"http://127.0.0.1:{port}/lobby/{TOKEN}")
        page.get_by_label("player 2", exact=True).select_option("human")
        page.get_by_label("player 2's name").fill("Ben")
        page.locator("#start").click()
        page.evaluate("Object.defineProperty(navigator, 'share', { value: undefined, configurable: true })")
        page.get_by_role("button", name="share the link to play as Ben").click()
        expect(page.locator("#toast")).to_have_text("link copied")
        link = page.evaluate("navigator.clipboard.readText()")
        assert link == page.get_by_role("link", name="play as Ben").evaluate("one => one.href")
        page.goto(link)
        until(page, "view !== null")
        page.evaluate(
            "Object.defineProperty(navigator, 'share', { value: async (what) => { window.shared = what.url; } })"
        )
        page.locator("#settings summary").click()
        page.locator("#sharing button").click()
        assert page.evaluate("shared") == link


@pytest.mark.parametrize("width", [1280, 360])
def test_a_table_that_is_not_ready_says_what_happens(
    page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    """At once, with a bar that has a total, and with nothing of an empty table."""
    go_on = threading.Event()

    def slow(plan: Plan, file: Path | None, say: Callable[[str], None]) -> Prepared:
        say("loading the rules")
        assert go_on.wait(60)
        return prepared(plan, file, lambda text: None)  # would say again what was said

    monkeypatch.setattr(rooms, "prepared", slow)
    with lobby(tmp_path) as port:
        page.set_viewport_size({"width": width, "height": 740})
        page.goto(f"http://127.0.0.1:{port}/lobby/{TOKEN}")
        page.locator("#start").click()
        page.wait_for_url("**/play/*")
        expect(page.locator("#doing")).to_have_text("Bdgame: step 1 of 3: loading the rules")
        expect(page.locator("progress")).to_be_visible()
        assert page.locator("progress").evaluate("bar => bar.position >= 0 && bar.max") == 100
        for empty in ("#table", "#jump", "aside"):
            expect(page.locator(empty)).to_be_hidden()
        go_on.set()
        expect(page.locator("#own")).to_be_visible()
        expect(page.locator("#waiting")).to_be_hidden()


def test_a_rematch_from_the_end_of_a_game(page: Page, tmp_path: Path) -> None:
    with lobby(tmp_path) as port:
        page.goto(f"http://127.0.0.1:{port}/lobby/{TOKEN}")
        page.locator("#nicodemus-v2").check()
        page.get_by_label("player 2", exact=True).select_option("random")
        page.locator("#start").click()
        page.wait_for_url("**/play/*")
        first = page.url
        until(page, "view !== null")
        page.evaluate("""() => {
            const play = () => send({ do: "move", move: view.legal[0], number: view.number });
            speed.value = "0";
            setInterval(() => settled() && view.legal.length && play(), 20);
        }""")
        page.locator("#finish").get_by_role("link", name="replay").click(timeout=60_000)
        expect(page.locator("#title")).to_contain_text("Nicodemus")
        page.get_by_role("link", name="lobby").click()
        expect(page.get_by_role("button", name="rematch")).to_have_count(1)
        page.locator(".room").get_by_role("link", name="replay").click()
        page.get_by_role("link", name="result").click()
        expect(page.locator("#finish h2").first).to_contain_text("you ")  # not a spectator's
        expect(page.locator("#analyze")).to_be_visible()
        page.get_by_role("link", name="lobby").click()
        expect(page.get_by_role("button", name="rematch")).to_have_count(1)
        over = page.locator(".room").count()
        page.locator("#nicodemus-v2").check()
        page.get_by_label("player 2", exact=True).select_option("random")
        page.locator("#start").click()
        page.wait_for_url("**/play/*")
        until(page, "view !== null")
        page.locator("#settings summary").click()
        page.locator("#resign").click()
        page.locator("#resign").click()  # the second click counts
        expect(page.locator("#prompt")).to_contain_text("resigned")
        page.get_by_role("link", name="lobby").click()
        page.get_by_role("button", name="delete").first.click()
        page.get_by_role("button", name="delete for good?").click()
        expect(page.locator(".room")).to_have_count(over)
        page.goto(first)
        page.locator("#rematch").click()
        page.wait_for_url(lambda url: "/play/" in url and url != first)
        until(page, "view !== null && view.number === 0")
        expect(page.locator("#people")).to_contain_text("random")
