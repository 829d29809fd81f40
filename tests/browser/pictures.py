"""Makes the pictures of the tables anew: `NUMBA_DISABLE_JIT=1 python -m tests.browser.pictures [GAME ...]`.

For each game docs/table_<game>.webp, a page in the middle of a game, and docs/play_<game>.webp, the decisions that
follow, animated. Agents play from a fixed seed; look at the pictures before they are kept. Takes some minutes.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from bdgame_env import get_game
from bdgame_env.agents import Agent, make_agent
from bdgame_env.engine.match import Match
from bdgame_env.experiments.play.session import Session
from tests.browser.conftest import ARGUMENTS, NAMES, until
from tests.support.served import served

DOCS = Path(__file__).resolve().parents[2] / "docs"
WINDOW, SMALL = (1280, 720), (960, 540)
MOMENTS = (0.35, 0.7)  # of a movement: when it is drawn
MOVING_MS, RESTING_MS = 130, 1000  # how long a drawing of a movement is shown, and one of a position

# Movements stand still, so that they can be drawn at any moment.
FREEZE = """() => {
  const animate = Element.prototype.animate;
  window.moving = [];
  Element.prototype.animate = function (...of) {
    const made = animate.apply(this, of);
    made.pause();
    moving.push(made);
    return made;
  };
}"""
AT = """(moment) => moving.forEach((one) => { one.currentTime = moment * one.effect.getComputedTiming().endTime; })"""
END = "() => { moving.forEach((one) => one.finish()); moving.length = 0; }"


@dataclass(frozen=True)
class Shown:
    """What is shown of a game: who plays, from which seed, and which decisions."""

    game: str
    agent: str
    players: int
    seed: int
    start: int
    decisions: int


SHOWN = (
    Shown("bdgame-v3", "engineer", 2, 3, 198, 16),
    Shown("gizmos-v3", "heuristic", 3, 5, 84, 12),
    Shown("nicodemus-v2", "heuristic", 2, 5, 36, 10),
    Shown("pixel-pusher-v2", "heuristic", 3, 5, 56, 16),
)
PEOPLE = ("Ann", "Ben", "Cleo", "Dan")


def next_move(match: Match, agent: Agent) -> str:
    """The move of an agent whose turn it is."""
    states = match.clone(determinize=match.seat).states if agent.needs_states else None
    action = agent.act(match.observe()[None], match.mask()[None].copy(), states)[0]
    return match.action_to_string(int(action))


def taken(page: Page) -> Image.Image:
    """The page as it is now."""
    return Image.open(BytesIO(page.screenshot())).convert("RGB")


def draw(shown: Shown, browser: Browser) -> None:
    """Play a game and write its two pictures."""
    game = get_game(shown.game)
    match = Match(game, seed=shown.seed, players=shown.players)
    session = Session(match, [f"human:{name}" for name in PEOPLE[: shown.players]])
    agents = [make_agent(shown.agent, game, match.config, seed=seat) for seat in range(shown.players)]
    while len(session.played) < shown.start or match.seat != 0:
        session.play(match.seat, next_move(match, agents[match.seat]))
    frames: list[Image.Image] = []
    times: list[int] = []
    with served(session) as there:
        context = browser.new_context(viewport=dict(zip(("width", "height"), WINDOW, strict=True)))  # type: ignore[arg-type]
        page = context.new_page()
        page.add_init_script(f"({FREEZE})()")
        page.goto(there.url(0))
        until(page, "view !== null && settled()")
        page.evaluate("speed.value = '1300'")
        whole = taken(page)
        whole.save(DOCS / f"table_{game.name}.webp", quality=80, method=6)
        players = [there.page(seat) for seat in range(shown.players)]

        def keep(image: Image.Image, milliseconds: int) -> None:
            small = image.resize(SMALL, Image.Resampling.LANCZOS)
            if frames and small.tobytes() == frames[-1].tobytes():
                times[-1] += milliseconds
                return
            frames.append(small)
            times.append(milliseconds)

        keep(whole, RESTING_MS)
        for _ in range(shown.decisions):
            if session.over:
                break
            seat = match.seat
            players[seat].wait_for(len(session.known(seat)))
            players[seat].play(next_move(match, agents[seat]))
            until(page, f"view.number >= {len(session.known(0))}")
            while True:
                until(page, "moving.length > 0 || settled()")
                for moment in MOMENTS if page.evaluate("moving.length") else ():
                    page.evaluate(AT, moment)
                    keep(taken(page), MOVING_MS)
                page.evaluate(END)
                keep(taken(page), RESTING_MS if page.evaluate("settled()") else 600)
                if page.evaluate("settled() && moving.length === 0"):
                    break
        context.close()
    times[-1] += 1500
    path = DOCS / f"play_{game.name}.webp"
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=times, loop=0, quality=60, method=6)
    print(f"{path.name}: {len(frames)} drawings, {path.stat().st_size} bytes", flush=True)


def main(names: Sequence[str]) -> None:
    """Make the pictures of some games, or of all."""
    asked = {get_game(name).id for name in names}
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        for shown in SHOWN:
            if not asked or shown.game in asked:
                draw(shown, browser)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
