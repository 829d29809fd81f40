"""The command `ship`: weights with a card, or a refusal that leaves everything as it was."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bdgame_env.agents import UnknownAgent, make_agent
from bdgame_env.agents.networks import load_policy
from bdgame_env.agents.networks.weights import shipped
from bdgame_env.experiments.training import ship, train
from bdgame_env.registry import get_game
from tests.support.policies import to_eight_bits
from tests.support.tiny_training import TOY, command, files_of, tiny, tiny_runs, weights_of


@pytest.fixture(autouse=True)
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder that the weights ship in."""
    folder = tmp_path / "weights"
    monkeypatch.setattr("bdgame_env.experiments.training.ship.FOLDER", folder)
    monkeypatch.setattr("bdgame_env.agents.networks.weights.FOLDER", folder)
    with tiny_runs():
        yield folder


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("finished")
    with tiny_runs():
        train.run(tiny(decisions=100, players=(2, 3)), folder)
    return folder


@pytest.fixture
def run(tmp_path: Path, finished: Path) -> Path:
    """The folder of a finished run."""
    shutil.copytree(finished, tmp_path / "run")
    return tmp_path / "run"


def test_a_policy_ships_with_a_card(run: Path, shelf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Rounded to eight significant bits, measured for each number of players; then the agent's bare name plays it."""
    assert command("ship", run, "--against", "random", "--deals", 2, "--search-scale", 0.25) == 0
    weights, card = shelf / "ppo_toy-v1_all.npz", shelf / "ppo_toy-v1_all.md"
    assert capsys.readouterr().out == f"written: {weights}, {card}\n" and set(shelf.iterdir()) == {weights, card}
    game = get_game(TOY)
    for players in (2, 3):
        assert shipped("ppo", game, game.config(players=players)) == weights
        assert make_agent("ppo", game, game.config(players=players)).name == "ppo"
    for name, values in weights_of(run / "policy.npz").items():
        rounded = weights_of(weights)[name]
        assert rounded.dtype == (np.int32 if name == "first_rows" else np.float16)
        expected = values if name == "first_rows" else to_eight_bits(values)
        np.testing.assert_array_equal(rounded, expected)
    decisions = load_policy(weights, game, game.config()).meta["decisions"]
    lines = card.read_text(encoding="utf-8").splitlines()
    assert load_policy(weights, game, game.config()).meta["search_scale"] == 0.25
    assert "- `az` searches with value_scale=0.25." in lines
    assert lines[0] == "# ppo_toy-v1_all.npz" and any(f"{decisions} decisions, seed 0." in line for line in lines)
    table = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    assert table[0] == ["players", "against", "games", "", "truncated"]
    assert [(row[0], row[1], row[2]) for row in table[2:]] == [("2", "random", "4"), ("3", "random", "12")]
    for row in table[2:]:
        share, truncated = (float(row[place].split()[0]) for place in (3, 4))
        assert 0 <= share <= 100 and 0 <= truncated <= 100
    assert any(float(row[4].split()[0]) > 0 for row in table[2:])  # four rounds are few


def test_settings_of_searches_stay_unless_others_are_named(run: Path, shelf: Path) -> None:
    """Each by itself, also after a network for observations that are no longer the game's; the card names both."""
    shipped, game = shelf / "ppo_toy-v1_all.npz", get_game(TOY)

    def settings(*more: object) -> tuple[Any, Any]:
        assert command("ship", run, *more) == 0
        meta = load_policy(shipped, game, game.config()).meta
        return meta.get("search_scale"), meta.get("search_turns")

    assert settings() == (None, None)
    assert settings("--search-turns", 3) == (None, 3) == settings()
    assert settings("--search-scale", 0.5) == (0.5, 3)
    assert "- `az` searches with value_scale=0.5, rollout_turns=3.\n" in shipped.with_suffix(".md").read_text("utf-8")
    assert settings("--search-turns", 0, "--search-scale", 0) == (0, 0) == settings()
    with np.load(shipped) as file:
        arrays = {**file, "meta": np.array(json.dumps({"plan": "another", "search_scale": 0.5}))}
    np.savez(shipped, **arrays)
    assert settings() == (0.5, None)
    np.savez(shipped, **{**arrays, "meta": np.array(json.dumps({"search_scale": "much"}))})
    for damaged in (shipped.read_bytes(), shipped.read_bytes()[:100], b"no archive"):
        shipped.write_bytes(damaged)
        assert settings() == (None, None)


def test_a_card_tells_of_earlier_runs(run: Path, shelf: Path) -> None:
    game = get_game(TOY)
    policy = load_policy(run / "policy.npz", game, game.config())
    first = {"command": 5, "start": "nonsense", "teachers": "nobody"}
    policy.meta["start"] = {"decisions": 1234, "command": "one", "start": first, "teachers": [{"command": "two"}, 7]}
    policy.meta["teachers"] = [{"decisions": 5678, "command": "three", "start": first}]
    (run / "policy.npz").write_bytes(policy.to_bytes())
    assert command("ship", run) == 0
    lines = (shelf / "ppo_toy-v1_all.md").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if "the network of" in line] == [
        "- Taught by the network of `three`, 5,678 decisions.",
        "- Began with the network of `one`, 1,234 decisions.",
        "- Taught by the network of `two`, an unknown number of decisions.",
        "- Taught by the network of `an unknown command`, an unknown number of decisions.",
        "- Began with the network of `5`, an unknown number of decisions.",
    ]


def test_a_policy_for_one_number_of_players_ships_for_it_alone(tmp_path: Path, shelf: Path) -> None:
    train.run(tiny(decisions=50), tmp_path / "run")
    assert command("ship", tmp_path / "run") == 0
    assert {path.name for path in shelf.iterdir()} == {"ppo_toy-v1_2p.npz", "ppo_toy-v1_2p.md"}
    game = get_game(TOY)
    with pytest.raises(UnknownAgent, match="no weights ship for toy-v1 with 3 players"):
        make_agent("ppo", game, game.config(players=3))


def test_what_does_not_ship(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line each, and nothing is written."""
    facts = json.loads((run / "run.json").read_text())
    facts["config"]["speed"] = 3
    whole = {name: (run / name).read_bytes() for name in ("policy.npz", "run.json")}
    for name, data, arguments, line in (
        ("policy.npz", b"PK", (), "policy.npz: not a policy file"),
        ("policy.npz", None, (), "policy.npz: no such policy file"),
        ("run.json", b'{"config": {}, "run": {}}', (), "the setting 'game' is missing"),
        ("run.json", json.dumps(facts).encode(), (), "unknown setting 'speed'"),
        ("run.json", None, (), "does not exist"),
        ("run.json", whole["run.json"], ("--agent", "chess"), "unknown agent 'chess'"),
        ("run.json", whole["run.json"], ("--against", "chess"), "unknown agent 'chess'"),
        ("run.json", whole["run.json"], ("--deals", "0"), "--deals"),
    ):
        for file, content in whole.items():
            (run / file).write_bytes(content)
        (run / name).unlink() if data is None else (run / name).write_bytes(data)
        _refused(tmp_path, capsys, line, "ship", run, *arguments)
    monkeypatch.setattr(ship, "_LARGEST", 1000)
    _refused(tmp_path, capsys, "bytes, must be at most 1,000", "ship", run)


def _refused(folder: Path, capsys: pytest.CaptureFixture[str], line: str, *arguments: object) -> None:
    files = files_of(folder)
    capsys.readouterr()
    assert command(*arguments) == 2
    told = capsys.readouterr().err
    assert told.startswith("error: ") and told.count("\n") == 1 and line in told
    assert files_of(folder) == files


def test_weights_too_large_for_half_precision(run: Path, shelf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What nobody could read is not written."""
    policy = load_policy(run / "policy.npz", get_game(TOY), get_game(TOY).config())
    for large in (65_400.0, 1e30):
        policy.network.head_bias[0] = large
        (run / "policy.npz").write_bytes(policy.to_bytes())
        assert command("ship", run) == 2
        told = capsys.readouterr().err.splitlines()
        path = run / "policy.npz"
        assert told == [f"error: {path}, in half precision: head_bias holds numbers that are not finite"]
        assert not shelf.exists()
    policy.network.head_bias[0] = 65_280.0
    (run / "policy.npz").write_bytes(policy.to_bytes())
    assert command("ship", run) == 0
