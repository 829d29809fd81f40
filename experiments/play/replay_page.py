"""A recorded game as one self-contained HTML page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import takewhile, zip_longest
from typing import Any

from bdgame_env.engine.quoting import json_text
from bdgame_env.records.game_record import OPEN
from bdgame_env.render.drawings import drawing_of
from bdgame_env.render.picture import positions_between, table
from bdgame_env.render.scene import Scene

from .assets import asset
from .game_records import Replay, ending_line
from .names import names_of
from .session import Log

_FIRST = 8  # tables that are drawn together at first, and twice as many each time after that


def replay_page(played: Replay, title: str = "", seat: int = 0) -> str:
    """The page: the table after each decision, the log of turns, and curves of points and agents' evaluations.

    Args:
        played: the game.
        title: said beside the name of the game.
        seat: whose area is at the bottom, if the replay is not limited to what one seat saw.
    """
    head, page, end = _pieces(played, title)
    told, scenes = _told(played, title, seat)
    return head + _filled(page, {**told, **_drawn(scenes)}) + end


def replay_in_pieces(played: Replay, title: str = "", seat: int = 0) -> Iterator[str]:
    """`replay_page` for whoever waits for it: what can be shown at once comes first, tables as they are drawn."""
    head, page, end = _pieces(played, title)
    yield head
    told, scenes = _told(played, title, seat)
    yield _filled(page, {**told, **_drawn([])})
    begin, count = 0, _FIRST
    while begin < len(scenes):
        yield f"<script>more({_json(_drawn(scenes[begin : begin + count]))})</script>\n"
        begin, count = begin + count, 2 * count
    yield end


def _pieces(played: Replay, title: str) -> tuple[str, str, str]:
    """What comes before the data, the data and scripts to be filled in, and the end."""
    whole = re.split(r'(?=<script type="application/json")|(?=</body>)', asset("replay.html"))
    texts = {"TITLE": escape(_title(played, title)), "CSS": asset("page.css") + asset("table.css")}
    texts["COMMON"] = asset("common.js")  # first, so that nothing is shown in other colors before
    head, page, end = whole
    return re.sub(r"@([A-Z]+)@", lambda mark: texts[mark[1]], head), page, end


def _filled(page: str, data: Mapping[str, Any]) -> str:
    scripts = ("table.js", "motion.js", "log.js", "curves.js", "replay.js")
    texts = {"DATA": _json(data), "SCRIPT": "".join(map(asset, scripts))}
    return re.sub(r"@([A-Z]+)@", lambda mark: texts[mark[1]], page)


def _title(played: Replay, title: str) -> str:
    game = played.match.game
    return f"{game.title}: {title}" if title else game.title


def _told(played: Replay, title: str, seat: int) -> tuple[dict[str, Any], list[Scene]]:
    """All that is told of a game, and the scenes to draw."""
    game, record, config = played.match.game, played.record, played.match.config
    seat = seat if played.viewer is None else played.viewer
    names = names_of(record.seats)
    scenes = [played.scene(number, names).seen_from(seat) for number in range(len(played.states))]
    log, frames, shown = Log(played.match.action_names), list[Scene](), []
    for number, scene in enumerate(scenes):
        if number:
            move, before = played.moves[number - 1], scenes[number - 1]
            log.add(move, before, scene)
            if move.move in played.match.action_names:
                frames += map(before.at, positions_between(before, move.move, scene.snapshot))
        shown.append(len(frames))
        frames.append(scene)
    wording, end = drawing_of(game).wording, record.ending if played.whole else None
    told = {
        "title": _title(played, title),
        "look": drawing_of(game).look.to_json(),
        "game": record.game,
        "seats": names,
        "seat": seat,
        "cards": {} if wording is None else dict(wording.cards(config)),
        "letters": {} if wording is None else dict(wording.letters),
        "icons": {} if wording is None else wording.icons_svg(),
        "stages": ["" if wording is None else wording.stage(scene) for scene in scenes],
        "moves": list(_lines(log)),
        "points": played.points,
        "shown": shown,
        "ranks": [] if end is None or end.how == OPEN else list(end.ranks),
        "ending": "" if end is None else ending_line(end),
        "note": played.problem,
    }
    return told, frames


def _lines(log: Log) -> Iterator[dict[str, Any]]:
    """The lines of the log; what happened in a turn is said at its last one only."""
    for line, after in zip_longest(log.lines, log.lines[1:]):
        yield {**line.to_json(), **({} if after is None or after.first else {"events": []})}


def _drawn(scenes: Sequence[Scene]) -> dict[str, Any]:
    """The tables of scenes: parts, drawings (see `pack`), and for each table pairs of numbers of both."""
    parts: dict[str, int] = {}  # without their drawings
    of_part: dict[str, list[str]] = {}  # drawings by name of the part, in order
    frames = []
    for scene in scenes:
        frame = []
        for part in table(scene)[0]:
            svg = part.pop("svg")
            frame.append((parts.setdefault(json_text(part), len(parts)), svg))
            drawn = of_part.setdefault(part["name"], [])
            if not drawn or drawn[-1] != svg:
                drawn.append(svg)
        frames.append(frame)
    drawings = list(dict.fromkeys(svg for drawn in of_part.values() for svg in drawn))
    number_of = {svg: number for number, svg in enumerate(drawings)}
    return {
        "parts": [json.loads(part) for part in parts],
        "pictures": pack(drawings),
        "frames": [[[part, number_of[svg]] for part, svg in frame] for frame in frames],
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
