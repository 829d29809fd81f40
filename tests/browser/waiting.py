"""How long people wait at a table: `python -m tests.browser.waiting GAME OPPONENT`, one line of JSON.

A game is set up in the lobby and played in a window of 1280x800: seconds until the table is open, the opponent's first
turn and the first hint; milliseconds of the first click and, of at most 60 more, the median and the 90th percentile.
A click counts from the request to the drawn position. `BDGAME_ENV_CACHE_DIR=/tmp/empty` shows it before anything is
compiled, `BDGAME_ENV_SHIPPED_CODE=0` besides without the machine code of the wheel.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.browser.conftest import ARGUMENTS, NAMES
from tests.support.served import TOKEN, lobby

SECONDS = 900.0
CLICKS = 60
CLICK = """() => {
  const number = view.number, begun = performance.now();
  window.took = null;
  const look = () => {
    if (view.number > number && settled()) window.took = performance.now() - begun;
    else requestAnimationFrame(look);
  };
  send({ do: "move", move: view.legal[Math.floor(view.legal.length * 0.37)], number });
  look();
}"""


def wait(page: Page, expression: str) -> float:
    """The seconds until an expression is true on a page."""
    begun = time.monotonic()
    while not page.evaluate(expression):
        if time.monotonic() > begun + SECONDS:
            raise TimeoutError(expression)
        page.wait_for_timeout(5)
    return time.monotonic() - begun


def click(page: Page) -> float:
    """Make a move; the milliseconds until it is drawn."""
    page.evaluate(CLICK)
    wait(page, "window.took !== null")
    return float(page.evaluate("window.took"))


def measured(page: Page, game: str, opponent: str, port: int) -> dict[str, object]:
    """Set up a game, play it, and measure."""
    page.goto(f"http://127.0.0.1:{port}/lobby/{TOKEN}")
    wait(page, "lobby !== null")
    page.evaluate("localStorage.setItem('speed', '0')")
    page.locator(f"#{game}").check()
    page.get_by_label("player 2", exact=True).select_option(opponent)
    begun = time.monotonic()
    page.locator("#start").click(no_wait_after=True)
    page.wait_for_url("**/play/*", timeout=1000 * SECONDS)
    wait(page, "typeof view !== 'undefined' && view !== null && settled()")
    opened = time.monotonic() - begun
    mine = "view.legal.length > 0 || view.ending !== null"
    wait(page, mine)
    first = click(page)
    turns = [wait(page, mine)] if not page.evaluate(mine) else []
    page.evaluate("byId('advice').hidden = true")
    page.evaluate("askHint()")
    hint = wait(page, "!byId('advice').hidden")
    clicks: list[float] = []
    while len(clicks) < CLICKS and not page.evaluate("view.ending"):
        clicks.append(click(page))
        if not page.evaluate(mine):
            turns.append(wait(page, mine))
    return {
        "game": game,
        "opponent": opponent,
        "table_s": round(opened, 1),
        "first_click_ms": round(first),
        "first_turn_s": round(turns[0], 2) if turns else None,
        "first_hint_s": round(hint, 2),
        "median_ms": round(statistics.median(clicks)),
        "p90_ms": round(statistics.quantiles(clicks, n=10)[-1]),
    }


def main(game: str, opponent: str) -> None:
    """Measure one game."""
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder, lobby(Path(folder), hint="") as port:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
        print(json.dumps(measured(page, game, opponent, port)))
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
