"""The baseline of one file: what it exports is what it trained, and plays."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import typer

from bdgame_env import get_game, make_sb3_vec
from bdgame_env.agents import make_agent
from bdgame_env.agents.networks import load_policy
from bdgame_env.agents.networks.network import RANK, UTILITY
from bdgame_env.experiments.training import maskable_ppo
from bdgame_env.experiments.training.maskable_ppo import export, main, new_model

pytestmark = pytest.mark.slow


def observed(env: Any, steps: int = 12) -> tuple[Any, Any]:
    """Observations and masks on the way through random games."""
    rng, seen, masks = np.random.default_rng(0), [env.reset()], [env.action_masks()]
    for _ in range(steps):
        env.step_async((rng.random(masks[-1].shape) * masks[-1]).argmax(axis=1))
        seen.append(env.step_wait()[0])
        masks.append(env.action_masks())
    return np.concatenate(seen), np.concatenate(masks)


@pytest.mark.parametrize("game_id", ["bdgame-v3", "nicodemus-v2"])
def test_exported_networks_compute_what_was_trained(game_id: str, tmp_path: Path) -> None:
    players = get_game(game_id).seats[1]
    env = make_sb3_vec(game_id, 8, players=players, seed=1)
    model = new_model(env, width=16, rollout=16, batch_size=64, seed=0, learning_rate=0.01)
    before = {name: value.clone() for name, value in model.policy.state_dict().items()}
    model.learn(256)
    changed = [name for name, value in model.policy.state_dict().items() if not torch.equal(value, before[name])]
    assert {name.rpartition(".")[0] or name for name in changed} >= {
        "action_net",
        "value_net",
        "features_extractor.dense",
    }
    assert "features_extractor.first_bias" in changed and "features_extractor.first.weight" in changed
    file = tmp_path / "policy.npz"
    file.write_bytes(export(model, env).to_bytes())
    policy = load_policy(file, env.game, env.batch.config)
    assert policy.players == (players,) and policy.meta["decisions"] == 256
    seen, masks = observed(env)
    logits, heads = policy.evaluate(seen, masks.astype(np.int8))
    with torch.no_grad():
        tensor = torch.as_tensor(seen)
        trained = model.policy.get_distribution(tensor, action_masks=masks).distribution.logits.numpy()
        values = model.policy.predict_values(tensor).numpy()[:, 0]
    ours = torch.log_softmax(torch.as_tensor(logits), 1).numpy()
    assert masks.sum() > len(masks), "nothing to choose"
    np.testing.assert_allclose(ours[masks], trained[masks], atol=1e-4)
    np.testing.assert_allclose(heads[:, RANK], values, atol=1e-4)
    assert np.array_equal(heads[:, UTILITY], heads[:, RANK])
    np.testing.assert_allclose(heads[:, RANK : RANK + players].sum(axis=1), 0, atol=1e-4)
    assert not heads[:, RANK + players :].any()


def test_the_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "runs" / "policy.npz"
    words = ["nicodemus-v2", "--steps", "100", "--games", "2", "--players", "2", "--out", str(file)]
    monkeypatch.setattr(sys, "argv", ["maskable_ppo", *words])
    with pytest.raises(SystemExit) as ended:
        typer.run(main)
    shown = capsys.readouterr().out
    assert not ended.value.code and "128 decisions in" in shown and "per second" in shown and str(file) in shown
    env = make_sb3_vec("nicodemus-v2", 4, seed=2)
    agent = make_agent(f"ppo:path={file}", env.game, env.batch.config)
    seen, masks = observed(env)
    actions = agent.act(seen, masks.astype(np.int8))
    assert masks[np.arange(len(actions)), actions].all()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["chess-v2"], "unknown game"),
        (["nicodemus-v2", "--players", "5"], "players=5"),
        (["nicodemus-v2", "--opponents", "nobody"], "nobody"),
    ],
)
def test_mistakes(words: list[str], told: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "argv", ["maskable_ppo", *words, "--out", str(tmp_path / "policy.npz")])
    with pytest.raises(SystemExit, match=told) as ended:
        typer.run(main)
    assert "\n" not in str(ended.value) and not any(tmp_path.iterdir())


def test_a_network_that_diverged_is_not_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    words = ["nicodemus-v2", "--steps", "100", "--games", "2", "--out", str(tmp_path / "policy.npz")]
    monkeypatch.setattr(sys, "argv", ["maskable_ppo", *words])
    monkeypatch.setattr(maskable_ppo, "new_model", partial(new_model, learning_rate=1e30, rollout=16, width=8))
    with pytest.raises(SystemExit, match="not written: the network no longer computes with finite numbers") as ended:
        typer.run(main)
    assert "\n" not in str(ended.value) and not any(tmp_path.iterdir())
