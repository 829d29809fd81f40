"""Games of training have a short form where a game declares one; games that measure never do."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bdgame_env import get_game, list_games
from bdgame_env.engine.game import GameConfig
from bdgame_env.experiments.training import training_run
from bdgame_env.experiments.training.config import TrainConfig
from bdgame_env.experiments.training.evaluation import play_deals
from bdgame_env.experiments.training.rollouts import WindowPlayer
from bdgame_env.experiments.training.show import showing
from bdgame_env.experiments.training.training_run import TrainingRun

pytestmark = pytest.mark.slow

GAME = get_game(next(name for name in list_games() if name.startswith("bdgame-")))
USUAL = GAME.options["max_rounds"].default
TINY = TrainConfig(GAME.id, teacher="", width=8, matches=8, steps=8, batch_size=32, decisions=60, evaluation_deals=1)


def rounds(configs: list[GameConfig]) -> list[int]:
    return [config.options["max_rounds"] for config in configs]


@pytest.mark.parametrize("game_id", list_games())
def test_a_short_form_is_of_the_same_game(game_id: str) -> None:
    game = get_game(game_id)
    for players in range(game.seats[0], game.seats[1] + 1):
        usual, short = game.config(players=players), game.config(**{"players": players, **game.short})
        assert short.num_actions == usual.num_actions and short.max_decisions <= usual.max_decisions


def test_what_the_user_names_counts() -> None:
    assert 10 < GAME.short["max_rounds"] < USUAL
    for changes, expected in (
        ({}, [GAME.short["max_rounds"]]),
        ({"players": (2, 4)}, [GAME.short["max_rounds"]] * 2),
        ({"short_games": False}, [USUAL]),
        ({"start": "network.npz"}, [USUAL]),
        ({"start": "network.npz", "short_games": True}, [GAME.short["max_rounds"]]),
        ({"options": {"max_rounds": 40}}, [40]),
        ({"variants": ({}, {"max_rounds": 50})}, [GAME.short["max_rounds"], 50]),
    ):
        assert rounds(WindowPlayer(GAME, replace(TINY, **changes), 1).game_configs) == expected


@pytest.mark.parametrize("measured", [(), ({"max_rounds": 30},)])
def test_games_that_measure_are_whole(
    measured: tuple[dict[str, Any], ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[GameConfig] = []

    def watched(policy: Any, game: Any, config: GameConfig, *rest: Any) -> Any:
        seen.append(config)
        return play_deals(policy, game, config, *rest)

    monkeypatch.setattr(training_run, "play_deals", watched)
    with showing() as show:
        run = TrainingRun(replace(TINY, measured=measured), tmp_path, show)
        run.evaluate()
    assert rounds([matches.game_config for matches in run.matches]) == [GAME.short["max_rounds"]]
    assert set(rounds(seen)) == {measured[0]["max_rounds"] if measured else USUAL}
    assert run.policy.meta["options"] == {}
