"""The messages to a page: the game as its link may see it, and no more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

from bdgame_env.engine.user_files import KeptFile
from bdgame_env.render.drawings import drawing_of, words_of_moves
from bdgame_env.render.picture import table
from bdgame_env.render.scene import Scene

from ..following import Following
from ..replay_page import length_of_common_start
from ..session import Played, Refused, Session
from .ending import ending_json, ending_prompt
from .guide import gallery_html, guide_html
from .links import Link

MOST_FRAMES = 24  # most pictures in one message; of more, the last ones


@dataclass
class Seen:
    """What a page has been sent already.

    Attributes:
        played: the decisions in its log.
        viewer: the seat whose view it has; None for the spectators' view.
        over: whether the game was over.
        begun: whether it has been sent anything.
        shown: the last message without new log lines.
        drawn: by name, the parts of the table as last sent.
    """

    played: list[Played] = field(default_factory=list)
    viewer: int | None = None
    over: bool = False
    begun: bool = False
    shown: dict[str, Any] | None = None
    drawn: dict[str, str] = field(default_factory=dict)


def page_news(session: Session, link: Link, seen: Seen) -> dict[str, Any] | None:
    """`page_view`, or None if it is unchanged: a message would reveal that somebody has chosen in secret."""
    lines, drawn = seen.played, seen.drawn
    view = page_view(session, link, seen)
    shown = {**view, "log_from": 0, "log": [], "frames": [], "elapsed": 0.0}
    same = shown == seen.shown and lines == seen.played and drawn == seen.drawn
    seen.shown = shown
    return None if same else view


def page_view(session: Session, link: Link, seen: Seen) -> dict[str, Any]:
    """The message for a page; updates `seen`.

    Decisions are numbered as the viewer knows them, without those it does not see. `log` holds the decisions from
    `log_from` on; those before are unchanged; `late` is what happened after them. `frames` are tables to show in
    order; the last is the current position. A part of a table whose `svg` is None is as it was sent last. `clocks` are
    the seconds that seats had at the beginning of the turn; those of the seat `running` have gone on for `elapsed`
    seconds.
    """
    viewer = link.viewer()
    numbers = session.known(viewer)
    played = [session.played[number - 1] for number in numbers]
    known = length_of_common_start(seen.played, played)
    frames = _frames(session, numbers, _shown(session, numbers, seen), viewer)
    drawn = _leave_out_known(frames, seen.drawn)
    if viewer != seen.viewer or session.over != seen.over:
        known = 0
    seat = link.seat_to_move(session)
    match, to_move = session.match, link.seat_in_turn(session)
    end, clocks = session.ending, session.clocks
    running = clocks.running if clocks is not None and clocks.running == to_move else None
    legal = [] if seat is None else match.legal_moves()
    scene, wording = session.scene(session.number, viewer), drawing_of(match.game).wording
    prompt = "" if seat is None or wording is None else wording.turn(scene)
    view = {
        "type": "view",
        "game": match.game.id,
        "title": match.game.title,
        "names": list(session.names),
        "humans": session.humans,
        "mine": list(link.seats),
        "seat": viewer,
        "covered": link.covered,
        "number": len(numbers),
        "to_move": to_move,
        "legal": legal,
        "words": words_of_moves(scene, legal),
        **(Following([], [], {}, 0, {}) if seat is None else session.following())._asdict(),
        "stops": [] if wording is None else [move for move in legal if move.partition(" ")[0] in wording.stops],
        "forgoes": {} if wording is None else {each: told for each in legal if (told := wording.forgoes(scene, each))},
        "rest": None if seat is None or wording is None else wording.rest(scene),
        "others": [] if seat is None else session.table(session.number, seat)[1],
        "prompt": ending_prompt(session) if session.over else prompt,
        "undo": 0 if seat is None else session.undoable(seat),
        "clocks": session.clocks_seen_by(viewer),
        "running": running,
        "elapsed": 0.0 if clocks is None or running is None else round(clocks.elapsed(), 1),
        "points": list(end.points if session.over else session.points),
        "ending": ending_json(session) if session.over else None,
        "log_from": known,
        "log": [line.to_json() for line in session.log(viewer)[known:]],
        "late": session.since_known(viewer),
        "frames": frames,
    }
    seen.played, seen.viewer, seen.over, seen.begun, seen.drawn = played, viewer, session.over, True, drawn
    return view


def _table(session: Session, at: int, viewer: int | None) -> dict[str, Any]:
    """What is shown after `at` decisions: the parts of the table, points, the round or what ends the game, phases."""
    scene = session.scene(at, viewer)
    points = session.ending.points if session.over and at == session.number else session.points_at(at)
    return {
        "points": list(points),
        "round": int(scene.snapshot.get("round") or 0),
        **_stage(scene),
        "parts": session.table(at, viewer)[0],
    }


def _stage(scene: Scene) -> dict[str, Any]:
    """How far the game is, the phases of a round, and which it is: -1 for none of them."""
    wording = drawing_of(scene.game).wording
    names, now = ((), -1) if wording is None else wording.phases(scene)
    stage = "" if wording is None else wording.stage(scene)
    return {"stage": stage, "phases": {"names": list(names), "now": now}}


def _shown(session: Session, numbers: Sequence[int], seen: Seen) -> int:
    """How many of the decisions in `numbers` have been shown; all of them on a new page."""
    lines = {id(one) for one in seen.played}
    last = [count for count, number in enumerate(numbers, 1) if id(session.played[number - 1]) in lines]
    return (last[-1] if last else 0) if seen.begun else len(numbers)


def _frames(session: Session, numbers: Sequence[int], shown: int, viewer: int | None) -> list[dict[str, Any]]:
    """Tables after the decisions in `numbers` from the first not `shown`, and of the current position."""
    frames: list[dict[str, Any]] = []
    for count, number in enumerate(numbers[shown:][-MOST_FRAMES:], max(shown, len(numbers) - MOST_FRAMES) + 1):
        steps = session.steps(number, viewer)
        before = _table(session, numbers[count - 2] if count > 1 else 0, viewer) if steps else {}
        whose = {"number": count, "step": "all" if drawing_of(session.match.game).steps_of_all else "mover"}
        frames += [{**before, **whose, **_stage(one), "parts": table(one)[0]} for one in steps]
        if count < len(numbers):
            frames.append({"number": count, **_table(session, number, viewer)})
    frames.append({"number": len(numbers), **_table(session, session.number, viewer)})
    return frames[-MOST_FRAMES:]


def _leave_out_known(frames: list[dict[str, Any]], known: Mapping[str, str]) -> dict[str, str]:
    """Leave out parts that are as they were before, in place; returns the parts as they are in the end."""
    for frame in frames:
        parts = frame["parts"]
        frame["parts"] = [{**part, "svg": None} if known.get(part["name"]) == part["svg"] else part for part in parts]
        known = {part["name"]: part["svg"] for part in parts}
    return dict(known)


def game_message(session: Session) -> dict[str, Any]:
    """What a page has to know of the game itself, the same for everybody."""
    game, config = session.match.game, session.match.config
    wording, shelves = drawing_of(game).wording, drawing_of(game).gallery(config)
    words = {} if wording is None else dict(wording.cards(config))
    files = {name for name, value in config.options.items() if value is None or isinstance(value, KeptFile)}
    options = {name: value for name, value in config.options.items() if name not in {"players", *files}}
    return {
        "type": "game",
        "game": game.id,
        "title": game.title,
        "look": drawing_of(game).look.to_json(),
        "options": options,
        "guide": "" if wording is None else guide_html(wording.guide, shelves, words),
        "cards": words,
        "letters": {} if wording is None else dict(wording.letters),
        "icons": {} if wording is None else wording.icons_svg(),
    }


def cards_message(session: Session) -> dict[str, Any]:
    """All cards of the game, as pictures and in words."""
    config, drawing = session.match.config, drawing_of(session.match.game)
    words = {} if drawing.wording is None else drawing.wording.cards(config)
    return {"type": "cards", "html": gallery_html(drawing.gallery(config), words)}


def look_message(session: Session, viewer: int | None, number: int) -> dict[str, Any]:
    """The table, and what is told beside it, after the first `number` decisions that a viewer knows of.

    Raises:
        Refused: there is no such position.
    """
    numbers = [0, *session.known(viewer)]
    if not 0 <= number < len(numbers):
        raise Refused(f"there is no position {number}; positions are 0 to {len(numbers) - 1}")
    return {"type": "look", "number": number, **_table(session, numbers[number], viewer)}


def why_message(session: Session, link: Link, id: str) -> dict[str, Any]:
    """Why an element on a link's table cannot be used now; nothing of one that is not there."""
    viewer = link.viewer()
    scene = session.scene(session.number, viewer)
    answer = {"type": "why", "id": id, "text": "", "paragraph": "", "moves": [], "offer": ""}
    if session.over:
        return {**answer, "text": "The game is over."}
    if link.seat_to_move(session) is None:
        turn = link.seat_in_turn(session)
        who = "the others are choosing" if turn is None else f"it is {session.names[turn]}'s turn"
        return {**answer, "text": f"Not now: {who}."}
    there = any(f'id="{escape(id)}"' in part["svg"] for part in session.table(session.number, viewer)[0])
    wording = drawing_of(scene.game).wording
    reason = wording.why_not(scene, id) if there and wording is not None else None
    if wording is None or reason is None:
        return answer
    told = {"text": reason.text, "paragraph": wording.paragraph_for_players(reason.rule)}
    return {**answer, **told, "moves": reason.moves, "offer": reason.offer}
