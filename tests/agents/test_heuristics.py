"""What the heuristic players of all games have in common; test_leaks.py shows that they are blind to what is hidden,
test_planner.py that they play legally."""

from __future__ import annotations

import numpy as np
import pytest

from bdgame_env import get_game
from bdgame_env.agents import UnknownAgent, make_agent
from bdgame_env.engine.batch import Batch
from bdgame_env.experiments.arena.matches import play_batch
from bdgame_env.experiments.arena.seating import seatings
from tests.support import toy_game as toy

BDGAME = get_game("bdgame-v3")


@pytest.mark.slow
@pytest.mark.parametrize(("game_id", "share"), [("gizmos-v3", 0.9), ("nicodemus-v2", 0.95), ("pixel-pusher-v2", 0.98)])
def test_it_beats_chance(game_id: str, share: float) -> None:
    """In paired games of the fewest and the most players. (Against chance, greedy's games of Bdgame take long.)"""
    game = get_game(game_id)
    for players in sorted({*game.seats}):
        config = game.config(players=players)
        agents = [make_agent("heuristic", game, config), make_agent("random", game, config, seed=3)]
        results = play_batch(game, config, agents, seatings(2, players, {2: 60, 4: 10}[players], 1), seed=2)
        won = sum(result.agents[result.ranks.index(1)] == 0 for result in results)
        assert won >= share * len(results) > 0, players


def test_the_first_compiled_player_of_any_game_is_called_heuristic() -> None:
    """Whatever its own name; a game without any has none."""
    config = BDGAME.config(players=2)
    batch = Batch(BDGAME, 8, seed=1, players=2)
    ours = make_agent("heuristic", BDGAME, config).act(batch.obs, batch.mask.copy(), batch.states.copy())
    greedy = make_agent("greedy", BDGAME, config).act(batch.obs, batch.mask.copy(), batch.states.copy())
    np.testing.assert_array_equal(ours, greedy)
    assert make_agent("heuristic", BDGAME, config).name == "heuristic"
    with pytest.raises(UnknownAgent, match="agent 'heuristic': toy-v1 has no such player"):
        make_agent("heuristic", toy.GAME, toy.GAME.config())
