"""What a hint says of its move: the points it brings, and what it makes possible."""

from __future__ import annotations

import re

from bdgame_env import get_game
from bdgame_env.agents import make_agent
from bdgame_env.engine.match import Match
from bdgame_env.experiments.play.leads import because, leads_to, without_doubtful_values
from bdgame_env.render.drawings import words_of_moves
from bdgame_env.render.picture import scene_of
from tests.support import nim_game as nim


def test_what_a_move_leads_to_comes_true() -> None:
    """In a game of Bdgame: Devices that make an order's cubes lead to fulfilling it, and that brings its points."""
    match = Match(get_game("bdgame-v3"), seed=3, players=2)
    agent = make_agent("greedy", match.game, match.config)
    promised = brought = 0
    while not match.over and min(promised, brought) < 2:
        move = match.action_to_string(int(agent.act(match.observe()[None], match.mask()[None], match.states)[0]))
        seat, points, before = match.seat, match.points(), match.get_state()
        told = leads_to(match, move)
        assert match.get_state() == before
        match.play(move)
        gained = re.search(r"This move scores (\d+) point", told)
        assert match.points()[seat] - points[seat] == (int(gained[1]) if gained else 0)
        possible = words_of_moves(scene_of(match, seat=seat), match.legal_moves()).values()
        assert set(re.findall("“(.*?)”", told)) <= set(possible)
        promised, brought = promised + ("After it, you can play “Fulfil" in told), brought + bool(gained)
    assert min(promised, brought) == 2


def test_a_game_without_words_leads_nowhere() -> None:
    match = Match(nim.GAME, seed=1)
    assert leads_to(match, match.legal_moves()[0]) == ""


def test_reasons_name_the_next_best_move_only_if_it_looks_worse() -> None:
    words = {"a": "Move A", "b": "Move B"}
    told = because("a", {"values": {"a": 0.2, "b": 0.0}, "visits": {"a": 9, "b": 3}}, words, 2)
    assert told == "With this, your chance to win is 60%. Next best: “Move B”, 50%."
    told = because("a", {"values": {"a": 0.2, "b": 0.3}, "visits": {"a": 9, "b": 3}}, words, 2)
    assert told == "With this, your chance to win is 60%."
    assert because("a", {"value": -0.5}, words, 4) == "With this, your chance to finish ahead of an opponent is 25%."
    told = because("a", {"values": {"a": -0.9, "b": -1.0}, "visits": {"a": 9, "b": 3}}, words, 2)
    assert told == "With this, your chance to win is 5%.", "the next best does not matter"
    told = because("a", {"value": -0.9}, words, 2, fell_back=True)  # where a search finds no hope
    assert told.startswith("With this, your chance to win is 5%. No move changes that much")


def test_what_looks_better_by_few_tries_has_no_value_in_a_hint() -> None:
    remarks = {"value": 0.2, "values": {"a": 0.2, "b": 0.3, "c": 0.1}, "visits": {"a": 9, "b": 1, "c": 2}}
    assert without_doubtful_values("a", remarks) == {**remarks, "values": {"a": 0.2, "c": 0.1}}
    assert list(without_doubtful_values("a", remarks)["visits"]) == ["a", "c", "b"]
    assert without_doubtful_values("a", {"visits": {"a": 1}}) == {"visits": {"a": 1}}
