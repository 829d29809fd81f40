"""Draws docs/device.svg, a Device of Bdgame at work: `python docs/draw_device.py [OUT]`.

It is shown four times: loaded, twice on the way, and when all cubes have been made.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from bdgame_env import make_match
from bdgame_env.experiments.files import write_text
from bdgame_env.games.bdgame import planning
from bdgame_env.games.bdgame.device_steps import run_positions
from bdgame_env.games.bdgame.drawing.cards import cubes_in_a_row
from bdgame_env.games.bdgame.drawing.workshop import draw_workshop
from bdgame_env.render import widgets
from bdgame_env.render.scene import Scene
from bdgame_env.render.svg import Canvas

CARDS = (
    ("hopper", 0, 2),
    ("s_4Y_2Y2R", 1, 2),
    ("j_2Y2R_3R1B", 2, 2),
    ("packer", 3, 2),
)
LOAD, NOTHING = {"Y": 8, "R": 0, "B": 0}, {"Y": 0, "R": 0, "B": 0}
TITLES = ("Loaded, 8 Yellow", "4 Yellow become 2 Yellow, 2 Red", "These become 3 Red, 1 Blue", "Made:")
VIEW = (20, 48, 444, 160)  # of a workshop: four columns, the lanes 1 to 4
WIDTH, EACH_WIDTH, EACH_HEIGHT = 980, 480, 214


def positions() -> list[dict[str, Any]]:
    """The positions to show, in order."""
    match = make_match("bdgame-v3", seed=1, players=4)
    loaded = {**match.snapshot(), "phase": "activate"}
    cards = [{"x": x, "y": y, "kind": kind} for kind, x, y in CARDS]
    loaded["seats"][0]["workshop"] = [{**cards[0], "slot": 0, "cubes": LOAD}, *cards[1:]]
    on_the_way = run_positions(loaded, "activate 0", match.config)[1:]
    made = planning.resolve(planning.workshop(CARDS, loads={0: "8Y"}), slots=0).made[0]
    done = {**on_the_way[-1], "pending": None, "made": dict(zip("YRB", map(int, made), strict=True))}
    return [loaded, *on_the_way, done]


def main(out: Path) -> None:
    """Write the picture."""
    shown = positions()
    rows = -(-len(shown) // 2)
    canvas = Canvas.document(WIDTH, rows * EACH_HEIGHT + 8, "A Device of Bdgame at work", widgets.PANEL)
    match = make_match("bdgame-v3", seed=1, players=len(shown))
    for number, (title, position) in enumerate(zip(TITLES, shown, strict=True)):
        x, y = 12 + number % 2 * EACH_WIDTH, number // 2 * EACH_HEIGHT
        stage = canvas.group(x, y)
        stage.text(8, 26, f"{number + 1}. {title}", 20, bold=True)
        if number == len(shown) - 1:
            cubes_in_a_row(stage.group(110, 26), position["made"], 28)
        seats = [{**position["seats"][0]} for _ in shown]  # each stage as a different seat, so that ids differ
        scene = Scene(match.game, {**position, "seat": number, "seats": seats}, config=match.config)
        draw_workshop(stage.window(8, 48, VIEW[2], VIEW[3], VIEW), scene, number)
    write_text(out, f"{canvas}\n")
    print(f"wrote {out}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("device.svg"))
