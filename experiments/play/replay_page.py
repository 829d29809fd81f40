"""A recorded game as one self-contained HTML page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from itertools import takewhile
from pathlib import Path
from typing import Any

from bdgame_env.engine.quoting import json_text
from bdgame_env.render.picture import picture, steps

from .game_records import Replay, ending_line
from .session import Log

STATIC = Path(__file__).parent / "web" / "static"


def replay_page(played: Replay, title: str = "") -> str:
    """The page: a picture for each decision, the list of moves, and graphs of points and agents' evaluations."""
    game, record, names = played.match.game, played.record, played.match.action_names
    scenes = [played.scene(number) for number in range(len(played.states))]
    pictures: list[str] = []
    shown: list[int] = []
    for number, scene in enumerate(scenes):
        if number and played.moves[number - 1].move in names:
            pictures += steps(scenes[number - 1], played.moves[number - 1].move, scene.snapshot)
        shown.append(len(pictures))
        pictures.append(picture(scene))
    log = Log(names)
    for move, before, after in zip(played.moves, scenes, scenes[1:], strict=False):
        log.add(move, before, after)
    data = {
        "title": f"{game.title}: {title}" if title else game.title,
        "game": record.game,
        "seats": record.seats,
        "moves": [line.to_json() for line in log.lines],
        "points": played.points,
        "pictures": pack(pictures),
        "shown": shown,
        "ending": ending_line(record.ending) if record.ending is not None and played.whole else "",
        "note": played.problem,
    }
    texts = {
        "TITLE": escape(str(data["title"])),
        "CSS": _static("page.css"),
        "DATA": _json(data),
        "SCRIPT": _static("common.js") + _static("replay.js"),
    }
    return re.sub(r"@([A-Z]+)@", lambda mark: texts[mark[1]], _static("replay.html"))


def pack(pictures: Sequence[str]) -> dict[str, Any]:
    """Compress similar pictures: `parts` are the distinct pieces, `frames` are lists of numbers of parts.

    A frame is the number of parts it shares with the frame before at the front and at the end, and the parts between.
    """
    number_of: dict[str, int] = {}
    frames: list[list[int]] = []
    before: list[int] = []
    for text in pictures:
        numbers = [number_of.setdefault(part, len(number_of)) for part in re.split(r"(?=<)", text) if part]
        front = length_of_common_start(before, numbers)
        end = length_of_common_start(before[front:][::-1], numbers[front:][::-1])
        frames.append([front, end, *numbers[front : len(numbers) - end]])
        before = numbers
    return {"parts": list(number_of), "frames": frames}


def length_of_common_start(one: Iterable[Any], other: Iterable[Any]) -> int:
    """How many items two sequences have in common at the beginning."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _json(data: Any) -> str:
    """JSON that may stand inside a script element."""
    text = json_text(data, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _static(name: str) -> str:
    return (STATIC / name).read_text(encoding="utf-8")
