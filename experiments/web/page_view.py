"""What is sent to a page: the game as the page's link may see it, and no more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from experiments.session import Played, Session

from .links import Link

MOST_FRAMES = 24  # pictures in one message; of a longer run of moves the last


@dataclass
class Seen:
    """What a page has been sent, so that it is sent what is new.

    Attributes:
        played: the decisions whose lines it has.
        viewer: as whom; a seat, or None for everybody.
        over: whether the game was over.
        begun: whether it was sent anything.
    """

    played: list[Played] = field(default_factory=list)
    viewer: int | None = None
    over: bool = False
    begun: bool = False


def page_view(session: Session, link: Link, seen: Seen) -> dict[str, Any]:
    """The message for a page; `seen` is brought up to date.

    `log` are the decisions from `log_from` on, those before are as they were. `frames` are pictures to be shown one
    after the other, the last one is of the position now.
    """
    viewer = link.viewer()
    known = _common(seen.played, session.played)
    news = range(known + 1, session.number + 1) if seen.begun else range(0)
    if viewer != seen.viewer or session.over != seen.over:
        known = 0
    seat = link.seat_to_move(session)
    table, to_move = session.table, session.to_move
    end = session.ending
    view = {
        "type": "view",
        "game": table.game.id,
        "title": table.game.title,
        "names": [session.name(each) for each in range(table.players)],
        "humans": session.humans,
        "mine": list(link.seats),
        "seat": viewer,
        "covered": link.covered,
        "number": session.number,
        "to_move": to_move,
        "legal": [] if seat is None else table.legal_moves(),
        "undo": seat is not None and session.can_undo(seat),
        "points": list(end.points),
        "ending": {"how": end.how, "places": list(end.places), "loser": end.loser, "reason": end.reason}
        if session.over
        else None,
        "log_from": known,
        "log": [_line(session, number, viewer) for number in range(known + 1, session.number + 1)],
        "frames": _frames(session, news, viewer),
    }
    seen.played, seen.viewer, seen.over, seen.begun = list(session.played), viewer, session.over, True
    return view


def _frames(session: Session, news: Sequence[int], viewer: int | None) -> list[dict[str, Any]]:
    frames: list[dict[str, Any]] = []
    for number in news:
        frames += [{"number": number, "step": True, "picture": svg} for svg in session.steps(number, viewer)]
        if number < session.number:
            frames.append({"number": number, "picture": session.picture(number, viewer)})
    frames.append({"number": session.number, "picture": session.picture(session.number, viewer)})
    return frames[-MOST_FRAMES:]


def _line(session: Session, number: int, viewer: int | None) -> dict[str, Any]:
    move = session.known_move(number, viewer)
    return {"seat": move.seat, "move": move.move, "remarks": dict(move.remarks)}


def _common(one: Sequence[Played], other: Sequence[Played]) -> int:
    count = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine is not theirs:
            break
        count += 1
    return count
