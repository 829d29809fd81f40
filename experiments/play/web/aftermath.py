"""A finished game looked at again: where points came from, what mattered, what an agent would have played."""

from __future__ import annotations

from dataclasses import replace
from statistics import fmean
from typing import Any

from bdgame_env.agents import Agent
from bdgame_env.engine.match import Match
from bdgame_env.render.drawings import drawing_of, words_of

from ..opinions import Answer, Question, ask, is_number
from ..session import Refused, Session

_MOMENTS = 5
_GUESSES = 2  # at hidden cards, for the position after a move


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


def judge(agent: Agent, match: Match, played: str, names: tuple[str, ...]) -> Answer:
    """An agent's answer in a position, with what it expects of the move that was played there.

    Searches look at few moves for long. What they expect of another is known from the decision after it, which with two
    players, or in the same turn, says how the seat stands; else it stays unknown.

    Raises:
        AgentFault: the agent failed.
    """
    answer = ask(agent, Question.at(match, 0), names)
    own = answer.remarks.get("value")
    if played == names[answer.action] or played in answer.values or not is_number(own):
        return answer
    seat, found = match.seat, list[float]()
    for guess in range(_GUESSES):
        twin = match.clone(determinize=seat, seed=guess)
        twin.play(played)
        if twin.over or (twin.seat != seat and twin.players > 2):
            return answer
        after = ask(agent, Question.at(twin, 0), names).remarks.get("value")
        if not is_number(after):
            return answer
        found.append(after if twin.seat == seat else -after)
    return replace(answer, values={**answer.values, names[answer.action]: own, played: fmean(found)})


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
