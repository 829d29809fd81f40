"""How a turn can go on after a hint, whatever is hidden."""

from __future__ import annotations

import pytest

from bdgame_env import get_game, list_games
from bdgame_env.agents import make_agent
from bdgame_env.agents.base import Agent
from bdgame_env.engine.match import Match
from bdgame_env.experiments.play.opinions import Question, ask
from bdgame_env.experiments.play.turn_plan import planned_steps, turn_plan
from bdgame_env.render.drawings import events_of
from bdgame_env.render.picture import scene_of
from bdgame_env.render.wording import Step
from tests.support import nim_game as nim


def chosen(match: Match, agent: Agent) -> str:
    return match.action_names[ask(agent, Question.at(match, 0), match.action_names).action]


@pytest.mark.parametrize(("game_id", "players"), [*((game_id, 2) for game_id in list_games()), ("gizmos-v3", 4)])
def test_a_plan_can_be_played_whatever_is_hidden(game_id: str, players: int) -> None:
    """It comes true in the match itself, in words, also if it shows another card there."""
    game = get_game(game_id)
    match = Match(game, seed=4, players=players)
    agent = make_agent("heuristic", game, match.config)
    planned = 0
    while not match.over and planned < 6:
        seat, move, before = match.seat, chosen(match, agent), match.get_state()
        steps, told = planned_steps(match, move, agent), turn_plan(match, move, agent)
        assert match.get_state() == before
        twin, played = match.clone(), list[Step]()
        for step in steps:
            scene = scene_of(twin, seat=seat)
            twin.play(step.move)
            played.append(Step(scene, scene_of(twin, seat=seat), seat, step.move))
        assert [step.move for step in steps[:1]] in ([], [move])
        if len(steps) > 1:
            words = "; ".join(text for who, text in events_of(played) if who == seat)
            assert told == f"The log may then read: “{words}”."
            planned += 1
        else:
            assert told == ""
        match.play(move)
    assert planned == 6


def test_what_chance_decides_is_not_told() -> None:
    match = Match(get_game("gizmos-v3"), seed=1, players=2)
    agent = make_agent("random", match.game, match.config, seed=1)
    drawn = 0
    while not match.over and drawn < 4:
        move = chosen(match, agent)
        if move.startswith("draw"):
            assert planned_steps(match, move, agent) == []
            drawn += 1
        match.play(move)
    assert drawn == 4


def test_a_game_without_words_has_no_plan() -> None:
    match = Match(nim.GAME, seed=1)
    assert turn_plan(match, match.legal_moves()[0], make_agent("random", match.game, match.config, seed=1)) == ""
