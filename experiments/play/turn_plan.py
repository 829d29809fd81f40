"""How a turn can go on after a hint: what an agent would play next, as far as hidden cards do not matter.

Knows no game.
"""

from __future__ import annotations

from bdgame_env.agents import Agent
from bdgame_env.engine.match import Match
from bdgame_env.render.drawings import drawing_of, events_of
from bdgame_env.render.picture import scene_of
from bdgame_env.render.wording import Step

from .opinions import Question, ask

_GUESSES = 6  # at hidden cards; what happens differs in one of them or is told
_MOST_MOVES = 20


def turn_plan(match: Match, move: str, agent: Agent) -> str:
    """A sentence on a move and what an agent would do after it in the same turn, as a log has it.

    Empty if nothing of that is sure, or if there are no words. For the arguments see `planned_steps`.
    """
    steps = planned_steps(match, move, agent) if drawing_of(match.game).wording is not None else []
    if len(steps) < 2:
        return ""
    return f"The log may then read: “{'; '.join(told for who, told in events_of(steps) if who == match.seat)}”."


def planned_steps(match: Match, move: str, agent: Agent) -> list[Step]:
    """A move, and what an agent would do after it in the same turn.

    Whatever is hidden, these moves are legal and have the same results in words. What else they show, such as the next
    card of a deck, may differ.

    Args:
        match: the match, which is not changed.
        move: a legal move of the seat to decide.
        agent: who plays on; it sees what this seat sees.

    Raises:
        AgentFault: the agent failed.
    """
    seat, names, sure = match.seat, match.action_names, 0
    guesses = [match.clone(determinize=seat, seed=number) for number in range(_GUESSES)]
    played = [list[Step]() for _ in guesses]
    while sure < _MOST_MOVES and all(move in guess.legal_moves() for guess in guesses):
        for guess, steps in zip(guesses, played, strict=True):
            before = steps[-1].after if steps else scene_of(guess, seat=seat)
            guess.play(move)
            steps.append(Step(before, scene_of(guess, seat=seat), seat, move))
        if any(events_of(steps) != events_of(played[0]) for steps in played):
            break
        sure += 1
        if any(guess.over or guess.seat != seat for guess in guesses):
            break
        move = names[ask(agent, Question.at(guesses[0], 0), names).action]
    return played[0][:sure]
