"""Training: a tiny run end to end, resumed after it was stopped, and its policy as a plain network."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import bdgame_env
from agents import UnknownAgent, make_agent
from agents.networks import Policy, load_policy, plan_inputs
from experiments import train
from experiments.config import Imitation, SelfPlay, TrainConfig, read_config
from experiments.errors import BadInput

TINY = TrainConfig(
    game="bdgame-v1",
    options={"max_rounds": 2},
    hidden=(16, 8),
    threads=1,
    imitation=Imitation(rounds=2, samples=64, games=8, epochs=1, batch_size=32),
    self_play=SelfPlay(
        steps=96,
        num_envs=4,
        rollout=8,
        epochs=1,
        batch_size=16,
        evaluate_every=32,
        evaluation_games=2,
        evaluate_against=("random",),
        snapshots=2,
    ),
)


def curve_of(out: Path) -> list[int]:
    with (out / "learning_curve.csv").open(encoding="utf-8") as file:
        return [int(row["steps"]) for row in csv.DictReader(file)]


def test_a_run_ends_with_policy_curve_and_plot(tmp_path: Path) -> None:
    """Imitation, self-play, evaluation and export in one go; the policy plays as an agent."""
    policy = train.run(TINY, tmp_path)
    assert curve_of(tmp_path) == [0, 32, 64, 96]
    assert (tmp_path / "learning_curve.png").stat().st_size > 1000
    game = bdgame_env.get_game("bdgame-v1")
    box = game.box(max_rounds=2)
    agent = make_agent(str(policy), game, box, seed=1)
    table = bdgame_env.make_table("bdgame-v1", seed=3, max_rounds=2)
    while not table.over:
        table.play(int(agent.act(table.observe()[None], table.mask()[None])[0]))


def test_a_stopped_run_goes_on_from_its_last_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped in the middle of its third evaluation, the run goes on after the second, and nothing is doubled."""
    true_milestone = train._Run._milestone
    calls = []

    def stop_at_third(self: Any, model: Any) -> None:
        calls.append(model.num_timesteps)
        if len(calls) == 3:
            raise KeyboardInterrupt
        true_milestone(self, model)

    monkeypatch.setattr(train._Run, "_milestone", stop_at_third)
    with pytest.raises(KeyboardInterrupt):
        train.run(TINY, tmp_path)
    monkeypatch.setattr(train._Run, "_milestone", true_milestone)
    assert not (tmp_path / "policy.npz").exists()
    (tmp_path / ".checkpoint-new").mkdir(exist_ok=True)  # a half-written checkpoint is never loaded
    (tmp_path / ".checkpoint-new" / "model.zip").write_bytes(b"half")
    train.run(TINY, tmp_path)
    assert curve_of(tmp_path) == [0, 32, 64, 96]
    assert load_policy(tmp_path / "policy.npz", bdgame_env.get_game("bdgame-v1"), 271).meta["steps"] == 96


def test_a_folder_with_other_settings_is_refused(tmp_path: Path) -> None:
    """One line that names the settings that differ; nothing is changed."""
    train._check_folder(TINY, tmp_path)
    before = (tmp_path / "run.json").read_bytes()
    with pytest.raises(BadInput, match="other settings \\(seed\\)"):
        train._check_folder(replace(TINY, seed=1), tmp_path)
    assert (tmp_path / "run.json").read_bytes() == before


def test_the_exported_policy_equals_the_torch_policy() -> None:
    """Logits of both, on positions of real games, up to rounding."""
    from experiments.model import export_policy, new_model

    game = bdgame_env.get_game("bdgame-v1")
    env = bdgame_env.make_sb3_vec("bdgame-v1", 2, opponents="random", seed=0)
    model = new_model(TINY, game, env)
    policy = export_policy(model, game, game.box(), {})
    batch = bdgame_env.make_batch("bdgame-v1", 16, seed=5)
    for _ in range(40):
        batch.step(np.array([np.flatnonzero(mask)[-1] for mask in batch.mask]))
    with torch.no_grad():
        features = model.policy.extract_features(torch.as_tensor(batch.obs.copy()).float())
        logits = model.policy.action_net(model.policy.mlp_extractor.forward_actor(features))
    np.testing.assert_allclose(policy.logits(batch.obs), logits.numpy(), atol=1e-5)
    assert policy.inputs.width == plan_inputs(game, [2]).width


def test_bad_policy_files_are_refused_in_one_line(tmp_path: Path) -> None:
    """Missing, damaged, cut off, for other options: the message names the file and what is wrong."""
    game = bdgame_env.get_game("bdgame-v1")
    missing, broken, cut = tmp_path / "no.npz", tmp_path / "broken.npz", tmp_path / "cut.npz"
    broken.write_bytes(b"not a policy")
    layers = ((np.zeros((1, 271), np.float32), np.zeros(271, np.float32)),)
    meta = {"game": game.id, "observation_size": game.obs.itemsize, "num_actions": 271}
    whole = Policy(plan_inputs(game, [2]), layers, meta).to_bytes()
    cut.write_bytes(whole[: len(whole) // 2])
    for path, reason in ((missing, "no such policy file"), (broken, "not a policy file"), (cut, "not a policy file")):
        with pytest.raises(UnknownAgent, match=reason):
            make_agent(f"ppo:path={path}", game, game.box())
    (tmp_path / "good.npz").write_bytes(whole)
    with pytest.raises(UnknownAgent, match="271 actions"):
        make_agent(f"ppo:path={tmp_path / 'good.npz'}", game, game.box(selling=True))


def test_settings_files_are_checked(tmp_path: Path) -> None:
    """Both files that come with the project are read; an unknown setting and a wrong type are refused with the name."""
    assert read_config(train.CONFIGS / "demo.toml").players == 2
    assert read_config(train.CONFIGS / "bdgame.toml").imitation.teacher == "greedy"
    path = tmp_path / "x.toml"
    for text, reason in (
        ("players = 2", "'game' is missing"),
        ('game = "bdgame-v1"\nplayer = 2', "unknown setting 'player'"),
        ('game = "bdgame-v1"\n[self_play]\nsteps = "many"', "steps is 'many', must be of type int"),
        ("game = ", "x.toml"),
    ):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(BadInput, match=reason):
            read_config(path)
