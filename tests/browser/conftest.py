"""A headless Chromium for the tests of the pages: the system's, no other."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, WebSocketRoute, expect, sync_playwright

ARGUMENTS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")  # the first is the fastest
SECONDS = 90.0  # a busy machine may compile a game's rules meanwhile
expect.set_options(timeout=1000 * SECONDS)


def until(page: Page, expression: str, held: list[Callable[[], object]] | None = None) -> None:
    """Wait until an expression is true on a page, which meanwhile gets what was `held_back`.

    (Playwright's own waiting needs `eval`, which the pages forbid.)
    """
    end = time.monotonic() + SECONDS
    while not page.evaluate(expression):
        assert time.monotonic() < end, f"never came true: {expression}"
        while held:
            held.pop(0)()
        page.wait_for_timeout(20)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The browser; a machine without one fails, as nothing would be tested there (`make browser` installs one)."""
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    assert path, f"no browser: `make browser` installs one; looked for {', '.join(NAMES)}"
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=path, args=ARGUMENTS, ignore_default_args=["--hide-scrollbars"]
        )
        yield chromium
        chromium.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A desktop window's worth of browser, with nothing stored."""
    context = browser.new_context(viewport={"width": 1280, "height": 860})
    context.set_default_timeout(1000 * SECONDS)
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page that fails the test if its scripts do, or if it asks another machine for anything."""
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(f"script: {error}"))
    page.on("console", lambda line: wrong.append(f"console: {line.text}") if line.type == "error" else None)
    page.on("request", lambda asked: None if _is_here(asked.url) else wrong.append(f"request: {asked.url}"))
    yield page
    assert wrong == []


def held_back(page: Page) -> list[Callable[[], object]]:
    """What sends the server's messages on: the page, which is to be opened after this, gets none by itself."""
    held: list[Callable[[], object]] = []

    def hold(route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        server.on_message(lambda message: held.append(lambda: route.send(message)))

    page.route_web_socket("**/socket", hold)
    return held


def _is_here(url: str) -> bool:
    return url.startswith(("http://127.0.0.1:", "file:///", "data:", "blob:"))
