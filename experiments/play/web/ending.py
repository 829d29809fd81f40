"""How a game ended, in words."""

from __future__ import annotations

from typing import Any

from bdgame_env.records.game_record import FORFEITED, OVER, TRUNCATED
from bdgame_env.render.wording import listed_words, points_words

from ..session import Session

_HOW = {FORFEITED: "forfeited", TRUNCATED: "the game is over (round limit)"}


def ending_json(session: Session) -> dict[str, Any]:
    """The end of a game that is over, for a page."""
    end, names = session.ending, session.names
    order = sorted(range(len(names)), key=lambda seat: end.ranks[seat])
    places = ", ".join(f"{end.ranks[seat]}. {names[seat]}: {end.points[seat]}" for seat in order)
    shown = {"how": end.how, "ranks": list(end.ranks), "loser": end.loser, "reason": end.reason}
    return {**shown, "told": f"{_how(session)} — {places}", "winner": _winner(session)}


def ending_prompt(session: Session) -> str:
    """The end of a game that is over, in a line or two."""
    how = _how(session)
    return f"{how[0].upper()}{how[1:]} — {_winner(session)}"


def _how(session: Session) -> str:
    """How the game ended, and who ended it before its time."""
    end = session.ending
    why = "" if end.loser is None else f": {session.names[end.loser]} {end.reason}"
    return f"{_HOW.get(end.how, 'the game is over')}{why}"


def _winner(session: Session) -> str:
    """Who won, and by how much."""
    end = session.ending
    first = [seat for seat, rank in enumerate(end.ranks) if rank == 1]
    name = listed_words(session.names[seat] for seat in first)
    if len(first) > 1:
        return f"{name} share first place"
    ahead = end.points[first[0]] - max(points for seat, points in enumerate(end.points) if seat != first[0])
    if end.how != OVER or ahead < 0:
        return f"{name} wins"
    return f"{name} wins the tiebreak" if ahead == 0 else f"{name} wins by {points_words(ahead)}"
