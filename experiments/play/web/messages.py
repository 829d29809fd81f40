"""The messages to a page: the game as its link may see it, and no more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..session import Played, Session
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
    """

    played: list[Played] = field(default_factory=list)
    viewer: int | None = None
    over: bool = False
    begun: bool = False
    shown: dict[str, Any] | None = None


def page_news(session: Session, link: Link, seen: Seen) -> dict[str, Any] | None:
    """`page_view`, or None if it is unchanged: a message would reveal that somebody has chosen in secret."""
    lines = seen.played
    view = page_view(session, link, seen)
    shown = {**view, "log_from": 0, "log": [], "frames": view["frames"][-1:]}
    same = shown == seen.shown and lines == seen.played
    seen.shown = shown
    return None if same else view


def page_view(session: Session, link: Link, seen: Seen) -> dict[str, Any]:
    """The message for a page; updates `seen`.

    Decisions are numbered as the viewer knows them, without those it does not see. `log` holds the decisions from
    `log_from` on; those before are unchanged. `frames` are pictures to show in order; the last is the current position.
    """
    viewer = link.viewer()
    numbers = session.known(viewer)
    played = [session.played[number - 1] for number in numbers]
    known = _common(seen.played, played)
    frames = _frames(session, numbers, _shown(session, numbers, seen), viewer)
    if viewer != seen.viewer or session.over != seen.over:
        known = 0
    seat = link.seat_to_move(session)
    match, to_move = session.match, link.seat_in_turn(session)
    end = session.ending
    view = {
        "type": "view",
        "game": match.game.id,
        "title": match.game.title,
        "names": [session.name(each) for each in range(match.players)],
        "humans": session.humans,
        "mine": list(link.seats),
        "seat": viewer,
        "covered": link.covered,
        "number": len(numbers),
        "to_move": to_move,
        "legal": [] if seat is None else match.legal_moves(),
        "undo": seat is not None and session.can_undo(seat),
        "points": list(end.points if session.over else session.points),
        "ending": {"how": end.how, "ranks": list(end.ranks), "loser": end.loser, "reason": end.reason}
        if session.over
        else None,
        "log_from": known,
        "log": [_line(session, number, viewer) for number in numbers[known:]],
        "frames": frames,
    }
    seen.played, seen.viewer, seen.over, seen.begun = played, viewer, session.over, True
    return view


def _shown(session: Session, numbers: Sequence[int], seen: Seen) -> int:
    """How many of the decisions in `numbers` have been shown; all of them on a new page."""
    lines = {id(one) for one in seen.played}
    last = [count for count, number in enumerate(numbers, 1) if id(session.played[number - 1]) in lines]
    return (last[-1] if last else 0) if seen.begun else len(numbers)


def _frames(session: Session, numbers: Sequence[int], shown: int, viewer: int | None) -> list[dict[str, Any]]:
    """Pictures of the decisions in `numbers` after the first `shown`, and of the current position."""
    frames: list[dict[str, Any]] = []
    for count, number in enumerate(numbers[shown:], shown + 1):
        frames += [{"number": count, "step": True, "picture": svg} for svg in session.steps(number, viewer)]
        if count < len(numbers):
            frames.append({"number": count, "picture": session.picture(number, viewer)})
    frames.append({"number": len(numbers), "picture": session.picture(session.number, viewer)})
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
