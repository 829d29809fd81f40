"""A finished game looked at again: where points came from, what mattered, what an agent would have played."""

from __future__ import annotations

from typing import Any

from bdgame_env.render.drawings import drawing_of, words_of

from ..opinions import Answer, is_number
from ..session import Refused, Session

_MOMENTS = 5


def finish_message(session: Session) -> dict[str, Any]:
    """Points by source and by decision, agents' evaluations by seat, and the largest swings of those.

    Raises:
        Refused: the game goes on.
    """
    if not session.over:
        raise Refused("the game is not over")
    points = [list(session.position(number).points()) for number in range(session.number + 1)]
    gains: list[dict[str, int]] = [{} for _ in range(session.match.players)]
    for number, one in enumerate(session.played):
        verb, seat = one.move.move.partition(" ")[0], one.move.seat
        gained = points[number + 1][seat] - points[number][seat]
        gains[seat][verb] = gains[seat].get(verb, 0) + gained
    wording, scene = drawing_of(session.match.game).wording, session.scene(session.number, None)
    sources = [dict(wording.sources(scene, seat, own)) if wording else {} for seat, own in enumerate(gains)]
    return {
        "type": "finish",
        "points": points,
        "sources": sources,
        "moments": moments(session),
        "values": [
            [
                [number, value]
                for number, one in enumerate(session.played, 1)
                if one.move.seat == seat and is_number(value := one.move.remarks.get("value"))
            ]
            for seat in range(session.match.players)
        ],
    }


def moments(session: Session) -> list[dict[str, Any]]:
    """The decisions before which a seat's own evaluation changed most since its last one."""
    last: dict[int, float] = {}
    swings = []
    for number, one in enumerate(session.played, 1):
        value, seat = one.move.remarks.get("value"), one.move.seat
        if not is_number(value):
            continue
        if seat in last and value != last[seat]:
            swings.append({"number": number, "swing": round(value - last[seat], 3)})
        last[seat] = value
    swings.sort(key=lambda moment: -abs(moment["swing"]))
    return swings[:_MOMENTS]


def judged(session: Session, number: int, answer: Answer, names: tuple[str, ...]) -> dict[str, Any]:
    """How decision `number` compares to an agent's answer in the same position.

    `loss` is how much worse the agent thought of the move that was played; None if that is not known.
    `value` is what it expected of its own move; None if it does not say.
    """
    played, best = session.played[number - 1].move.move, names[answer.action]
    values = answer.values
    loss = max(0.0, values[best] - values[played]) if played in values and best in values else None
    words = words_of(session.scene(number - 1, session.played[number - 1].move.seat), best)
    return {
        "number": number,
        "move": best,
        "words": words,
        "same": played == best,
        "loss": 0.0 if played == best else loss,
        "value": answer.remarks.get("value"),
    }
