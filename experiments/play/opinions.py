"""Asks an agent for a move and its opinion, from a copy of the position without anything its seat cannot see."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import Any, TypeGuard

import numpy as np
import numpy.typing as npt

from bdgame_env.agents import Agent
from bdgame_env.agents.base import AgentFault
from bdgame_env.engine.match import Match

from ..arena.matches import action_ids

MOST_MOVES = 8  # in an opinion
_HOPELESS = 8  # percent
_GUESSES = 2  # at hidden cards, for the position after a move


@dataclass(frozen=True)
class Question:
    """A pending decision, as the seat to decide sees it.

    Attributes:
        number: number of decisions before it.
        seat: the seat to decide.
        observation: int8, shape (1, observation size).
        mask: int8, shape (1, num_actions).
        states: the game's record, shape (1,), determinized for the seat.
    """

    number: int
    seat: int
    observation: npt.NDArray[np.int8]
    mask: npt.NDArray[np.int8]
    states: npt.NDArray[Any]

    @classmethod
    def at(cls, match: Match, number: int) -> Question:
        """The pending decision of a match."""
        twin = match.clone(determinize=match.seat)
        return cls(number, match.seat, match.observe()[None], match.mask()[None], twin.states)


@dataclass(frozen=True)
class Answer:
    """An agent's action.

    Attributes:
        action: its id.
        remarks: for the record, as in `RecordedMove`.
        values: what the agent expects of every move that it tried, -1 to 1.
        fell_back: whether another agent chose the action, because this one expects to lose whatever it plays.
    """

    action: int
    remarks: Mapping[str, Any]
    values: Mapping[str, float] = field(default_factory=dict)
    fell_back: bool = False


def ask(agent: Agent, question: Question, names: tuple[str, ...]) -> Answer:
    """The agent's answer. May take long; may be called in any thread.

    Raises:
        AgentFault: the agent failed or chose an illegal action; the message says how.
    """
    try:
        states = question.states.copy() if agent.needs_states else None
        action = int(action_ids(agent.act(question.observation.copy(), question.mask.copy(), states), 1)[0])
    except AgentFault:
        raise
    except (Exception, SystemExit) as error:
        raise AgentFault.of(error) from error
    if not 0 <= action < len(names) or not question.mask[0, action]:
        chosen = repr(names[action]) if 0 <= action < len(names) else f"action {action}"
        raise AgentFault(f"chose {chosen}, which was not legal")
    try:
        return Answer(action, thought(agent, action, names), expectations(agent, names))
    except Exception as error:
        raise AgentFault.of(error, "has an opinion that cannot be read:") from error


def ask_about(agent: Agent, match: Match, played: str, names: tuple[str, ...]) -> Answer:
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


def thought(agent: Agent, action: int, names: tuple[str, ...]) -> dict[str, Any]:
    """An agent's opinion of its last decision: `value`, `values` by move, and `visits` or `preferences` by move."""
    liked: dict[str, float] = {}
    opinion: dict[str, Any] = {}
    report = getattr(agent, "last", None)
    if report is not None and hasattr(report, "visits"):
        liked = opinion["visits"] = {names[k]: int(report.visits[0, k]) for k in _most(report.visits[0])}
    elif agent.preferences is not None and len(agent.preferences) == 1 and len(most := _most(agent.preferences[0])) > 1:
        liked = opinion["preferences"] = {names[k]: round(float(agent.preferences[0, k]), 3) for k in most}
    values = expectations(agent, names)
    if (own := names[action]) in values:
        opinion["value"] = values[own]
        opinion["values"] = {move: values[move] for move in liked if move in values}
    return opinion


def expectations(agent: Agent, names: tuple[str, ...]) -> dict[str, float]:
    """What an agent expects of every move that it tried in its last decision, see `Agent.values`."""
    if agent.values is None or len(agent.values) != 1:
        return {}
    values = agent.values[0]
    return {names[k]: round(float(values[k]), 3) for k in np.flatnonzero(np.isfinite(values))}


def is_number(value: object) -> TypeGuard[float]:
    """Whether a remark, which may come from any record, is a number."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def chance(value: float) -> int:
    """In percent, as pages round it, of an expectation from -1, last, to 1, first, in equal steps."""
    return math.floor(50 * (1 + value) + 0.5)


def is_hopeless(value: object) -> bool:
    """Whether an agent expects to lose whatever it plays."""
    return is_number(value) and chance(value) < _HOPELESS


def named_moves(remarks: Mapping[str, Any], names: Collection[str]) -> set[str]:
    """The moves that remarks, which may come from any record, tell something of."""
    liked = [remarks.get("visits"), remarks.get("preferences")]
    return {move for moves in liked if isinstance(moves, Mapping) for move in moves} & set(names)


def _most(weights: npt.NDArray[Any]) -> list[int]:
    """The indices of the largest positive weights, in descending order."""
    order = np.argsort(-weights, kind="stable")[:MOST_MOVES]
    return [int(k) for k in order if 0 < weights[k] < np.inf]
