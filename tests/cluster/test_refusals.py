"""Workers that cannot or must not play: refused in one line, and no game is played."""

from __future__ import annotations

from pathlib import Path

import pytest

from bdgame_env.experiments.arena.tournament import Place
from bdgame_env.experiments.cluster import crew
from bdgame_env.experiments.errors import BadInput
from tests.cluster.conftest import Nodes
from tests.cluster.test_tournaments import FIRST, ON_RAY, numbers, play, settings
from tests.support import toy_game


def test_another_version_is_refused(nodes: Nodes, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    nodes.have(1)
    monkeypatch.setattr(crew, "fingerprint", lambda: "bdgame_env 0.0.1 (abc)")
    with pytest.raises(BadInput) as told:
        play(settings(FIRST, FIRST), ON_RAY, tmp_path)
    line = str(told.value)
    assert line.startswith("the worker on ") and "\n" not in line
    assert "here is bdgame_env 0.0.1 (abc): install the same version everywhere" in line
    assert numbers(tmp_path) == []


def test_agents_and_games_that_workers_lack_are_told(
    nodes: Nodes, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    nodes.have(1)
    (tmp_path / "only_here.py").write_text(
        "from dataclasses import replace\n"
        "from tests.support.bots import First\n"
        "from tests.support.toy_game import GAME\n"
        "GAME = replace(GAME, module=__name__)\nclass Mine(First): pass\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(BadInput) as told:
        play(settings("only_here:Mine", FIRST), ON_RAY)
    assert "agent 'only_here:Mine': importing only_here: ModuleNotFoundError" in str(told.value)

    import only_here  # type: ignore[import-not-found]

    monkeypatch.setattr("tests.cluster.test_tournaments.GAME", only_here.GAME)
    with pytest.raises(BadInput) as told:
        play(settings(FIRST, FIRST), ON_RAY)
    assert str(told.value).endswith("No module named 'only_here'")
    assert toy_game.GAME is not only_here.GAME


def test_a_game_that_takes_down_every_worker_is_named(nodes: Nodes) -> None:
    """The process that Ray knows, which no agent of a game can reach: an agent that kills its parent."""
    nodes.have(1)
    with pytest.raises(BadInput) as told:
        play(settings("tests.support.bots:KillsItsParent", FIRST, games=1, batch=1), Place(on="ray"))
    assert str(told.value).startswith("game 0 took down 4 workers, last on "), told.value


def test_without_cores_it_waits_until_there_are_some(nodes: Nodes) -> None:
    nodes.have(0)
    shown: list[str] = []

    def come(text: str) -> None:
        shown.append(text)
        if len(shown) == 1:
            nodes.add()

    assert len(play(settings(FIRST, FIRST), ON_RAY, show_workers=come).results) == 8
    assert shown[0].startswith("0 workers on 0 nodes"), shown
