"""Specs of agents: paths of every kind, and what they stand for."""

from __future__ import annotations

import json
import pickle
import sys
from pathlib import Path
from typing import Any

import pytest

from bdgame_env.agents import UnknownAgent, make_agent
from bdgame_env.agents.identity import contents_of
from bdgame_env.agents.networks import load_policy, weights
from bdgame_env.agents.networks.weights import shipped
from bdgame_env.agents.opponents import resolve_opponents
from bdgame_env.agents.registry import keep_spec
from bdgame_env.engine.game import Game
from bdgame_env.experiments.inputs import split_specs
from bdgame_env.registry import get_game, list_games
from tests.support.policies import plain_policy
from tests.support.toy_game import GAME

CONFIG = GAME.config(players=2, max_rounds=4)
ODD = "lr=0.1,seed=3/policy.npz"
NAMES = (ODD, "C:net.npz", "a b.npz", "ppo:x.npz", "plain", "sims=3,c=1")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, in which every name is a policy of its own."""
    monkeypatch.chdir(tmp_path)
    for number, name in enumerate(NAMES):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_bytes(policy(number))
    return tmp_path


def policy(seed: int) -> bytes:
    return plain_policy(GAME, CONFIG, scale=0.3, seed=seed).to_bytes()


@pytest.mark.parametrize("name", NAMES)
def test_an_existing_file_comes_first(name: str) -> None:
    """As text, as a path, and after `path=`, with other settings before or after it."""
    wanted = load_policy(name, GAME, CONFIG).weights
    specs = [name, Path(name), f"ppo:path={name}", f"ppo:sample=1,path={name}", f"ppo:path={name},sample=1"]
    for spec in specs:
        for given in (spec, keep_spec(spec)):
            agent: Any = make_agent(given, GAME, CONFIG)
            assert (agent.policy.weights == wanted).all(), given
            assert agent.temperature == float("sample" in str(spec)), given
            opponents, _ = resolve_opponents(GAME, CONFIG, given)
            assert [one.name for one in opponents] == [agent.name]
    agent = make_agent("ppo", GAME, CONFIG, path=Path(name))
    assert (agent.policy.weights == wanted).all()


def test_bare_names_of_agents_come_before_files() -> None:
    Path("random").write_bytes(policy(9))
    assert type(make_agent("random", GAME, CONFIG)).__name__ == "RandomAgent"
    assert type(make_agent(Path("random"), GAME, CONFIG)).__name__ == "PPOAgent"


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("gone=1,x/net.npz", "gone=1,x/net.npz: no such policy file"),
        ("D:\\nets\\net.npz", r"D:\nets\net.npz: no such policy file"),
        (Path("gone.npz"), "gone.npz: no such policy file"),
        ("ppo:path=gone.npz,sample=1", "gone.npz: no such policy file"),
        ("ppo:sample=1,sims", "'sims' is not KEY=VALUE"),
        ("nobody", "unknown agent 'nobody'"),
        (3, "agent 3 must be a name or a path"),
    ],
)
def test_what_names_no_file_and_no_agent_is_refused_in_one_line(spec: Any, told: str) -> None:
    with pytest.raises(UnknownAgent) as refused:
        make_agent(spec, GAME, CONFIG)
    assert told in str(refused.value) and "\n" not in str(refused.value)


def test_lists_keep_names_of_files_together() -> None:
    assert split_specs(f"random,{ODD},mcts:sims=2,c=1") == ["random", ODD, "mcts:sims=2,c=1"]
    assert split_specs(f"ppo:path={ODD},random") == [f"ppo:path={ODD}", "random"]


@pytest.mark.parametrize("spec", [ODD, Path("C:net.npz"), "ppo:path=C:net.npz", f"az:path={ODD},sims=2"])
def test_a_kept_spec_outlives_its_file(spec: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = keep_spec(spec)
    assert kept == str(spec) and json.dumps(kept) == json.dumps(str(spec))
    before = contents_of(kept, GAME, CONFIG)
    for name in NAMES:
        Path(name).write_bytes(policy(77))
    assert contents_of(spec, GAME, CONFIG) != before
    (tmp_path / "there").mkdir()
    monkeypatch.chdir(tmp_path / "there")
    for twin in (kept, pickle.loads(pickle.dumps(kept))):
        make_agent(twin, GAME, CONFIG).close()
        assert contents_of(twin, GAME, CONFIG) == before


BOT = "from bdgame_env.agents.random_agent import RandomAgent\nclass Bot(RandomAgent):\n    {0}\n"


@pytest.mark.parametrize(
    ("spec", "file", "before", "after"),
    [
        ("C:net.npz", "C:net.npz", policy(1), policy(2)),
        ("az:path=C:net.npz,sims=2", "C:net.npz", policy(1), policy(2)),
        ("network-planner:path=C:net.npz", "C:net.npz", policy(1), policy(2)),
        ("bots_of_specs:Bot", "bots_of_specs.py", BOT.format("x = 1").encode(), BOT.format("x = 2").encode()),
        (f"program:{sys.executable} bot.py", "bot.py", b"1", b"2"),
        ("program:memory=100 ./bot", "bot", b"#!/bin/sh\n", b"#!/bin/sh\nexit\n"),
    ],
)
def test_an_agent_is_what_its_file_holds(
    spec: str, file: str, before: bytes, after: bytes, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another content is another agent; the same content under another date is the same."""
    monkeypatch.syspath_prepend(str(folder))
    found = []
    for data in (before, after, before):
        Path(file).write_bytes(data)
        Path(file).chmod(0o755)
        found.append(contents_of(spec, GAME, CONFIG))
    sys.modules.pop("bots_of_specs", None)
    assert found[0] == found[2] != found[1] and any(file in name for name in found[0])


def test_a_network_may_be_for_a_word_among_the_options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It comes before networks for all options, whatever their number of players."""
    monkeypatch.setattr(weights, "FOLDER", tmp_path)
    for name in ("2p", "all", "all_classic", "2p_any"):
        (tmp_path / f"ppo_bdgame-v3_{name}.npz").touch()
    game = get_game("bdgame-v3")
    for options, name in (({}, "2p"), ({"players": 3}, "all"), ({"deck": "random:7"}, "2p_any")):
        assert shipped("ppo", game, game.config(**options)).stem == f"ppo_bdgame-v3_{name}"
    for players in (2, 3):
        assert shipped("az", game, game.config(players=players, deck="classic")).stem == "ppo_bdgame-v3_all_classic"


@pytest.mark.parametrize("game_id", list_games())
def test_default_networks_count_and_compiled_players_do_not(game_id: str) -> None:
    game: Game = get_game(game_id)
    config = game.config()
    network = contents_of(shipped("ppo", game, config), game, config)
    assert network and all(contents_of(name, game, config) == network for name in ("ppo", "az", "network-planner"))
    assert not any(contents_of(name, game, config) for name in ("random", "heuristic", "mcts:sims=3", "planner"))
