"""A recorded game as one self-contained HTML page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import takewhile, zip_longest
from pathlib import Path
from typing import Any

from bdgame_env.engine.quoting import json_text
from bdgame_env.render.drawings import drawing_of
from bdgame_env.render.picture import positions_between, table
from bdgame_env.render.scene import Scene

from .game_records import Replay, ending_line
from .names import names_of
from .session import Log

STATIC = Path(__file__).parent / "web" / "static"


def replay_page(played: Replay, title: str = "", seat: int = 0) -> str:
    """The page: the table after each decision, the log of turns, and curves of points and agents' evaluations.

    Args:
        played: the game.
        title: said beside the name of the game.
        seat: whose area is at the bottom, if the replay is not limited to what one seat saw.
    """
    game, record, config = played.match.game, played.record, played.match.config
    seat = seat if played.viewer is None else played.viewer
    names = names_of(record.seats)
    scenes = [played.scene(number, names).seen_from(seat) for number in range(len(played.states))]
    log, frames, shown = Log(played.match.action_names), _Frames(), []
    for number, scene in enumerate(scenes):
        if number:
            move, before = played.moves[number - 1], scenes[number - 1]
            log.add(move, before, scene)
            if move.move in played.match.action_names:
                for between in positions_between(before, move.move, scene.snapshot):
                    frames.add(before.at(between))
        shown.append(len(frames.found))
        frames.add(scene)
    wording = drawing_of(game).wording
    data = {
        "title": f"{game.title}: {title}" if title else game.title,
        "game": record.game,
        "seats": names,
        "seat": seat,
        "cards": {} if wording is None else dict(wording.cards(config)),
        "letters": {} if wording is None else dict(wording.letters),
        "icons": {} if wording is None else wording.icons_svg(),
        "stages": ["" if wording is None else wording.stage(scene) for scene in scenes],
        "moves": list(_lines(log)),
        "points": played.points,
        **frames.to_json(),
        "shown": shown,
        "ending": ending_line(record.ending) if record.ending is not None and played.whole else "",
        "note": played.problem,
    }
    texts = {
        "TITLE": escape(str(data["title"])),
        "CSS": _static("page.css") + _static("table.css"),
        "DATA": _json(data),
        "SCRIPT": "".join(map(_static, ("common.js", "table.js", "motion.js", "log.js", "curves.js", "replay.js"))),
    }
    return re.sub(r"@([A-Z]+)@", lambda mark: texts[mark[1]], _static("replay.html"))


def _lines(log: Log) -> Iterator[dict[str, Any]]:
    """The lines of the log; what happened in a turn is said at its last one only."""
    for line, after in zip_longest(log.lines, log.lines[1:]):
        yield {**line.to_json(), **({} if after is None or after.first else {"events": []})}


class _Frames:
    """Tables to show, each a list of parts; drawings are kept once."""

    def __init__(self) -> None:
        self.found: list[list[tuple[int, str]]] = []  # for each table its parts: number of the part without its drawing
        self._parts: dict[str, int] = {}
        self._drawings: dict[str, list[str]] = {}  # by name of the part, in order

    def add(self, scene: Scene) -> None:
        """Add the table of a scene."""
        frame = []
        for part in table(scene)[0]:
            svg = part.pop("svg")
            frame.append((self._parts.setdefault(json_text(part), len(self._parts)), svg))
            drawn = self._drawings.setdefault(part["name"], [])
            if not drawn or drawn[-1] != svg:
                drawn.append(svg)
        self.found.append(frame)

    def to_json(self) -> dict[str, Any]:
        """Parts, drawings (see `pack`), and for each table pairs of numbers of both."""
        drawings = list(dict.fromkeys(svg for drawn in self._drawings.values() for svg in drawn))
        number_of = {svg: number for number, svg in enumerate(drawings)}
        return {
            "parts": [json.loads(part) for part in self._parts],
            "pictures": pack(drawings),
            "frames": [[[part, number_of[svg]] for part, svg in frame] for frame in self.found],
        }


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
