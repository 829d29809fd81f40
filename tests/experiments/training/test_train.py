"""Training: a tiny run from end to end, resuming a stopped run, and its policy as a plain network."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from bdgame_env.agents.heuristics.advice import Advisers
from bdgame_env.experiments.training.environment import training_env
from bdgame_env.experiments.training.model import export_policy, network_of, new_model, new_network

import bdgame_env
from bdgame_env.agents import UnknownAgent, make_agent
from bdgame_env.agents.networks import load_policy
from bdgame_env.experiments.errors import BadInput
from bdgame_env.experiments.play.game_records import play_through, read_record
from bdgame_env.experiments.training import train
from bdgame_env.experiments.training.config import ExpertIteration, Imitation, SelfPlay, TrainConfig, read_config
from bdgame_env.experiments.training.run import TrainingRun, check_folder, claim_folder
from bdgame_env.experiments.training.ship import ship
from tests.support.policies import plain_policy

TINY = TrainConfig(
    game="bdgame-v2",
    options={"max_rounds": 2},
    hidden=(16, 8),
    threads=1,
    imitation=Imitation(rounds=2, samples=64, buffer_rounds=2, games=8, epochs=1, batch_size=32),
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
    expert_iteration=ExpertIteration(expert="az:sims=3", rounds=2, samples=32, games=4, batch_size=16),
)
ALL = [128, 160, 192, 224, 288]  # decisions before each evaluation: after imitation, three in self-play, the last


GAME = bdgame_env.get_game("bdgame-v2")


def curve_of(out: Path) -> list[int]:
    with (out / "learning_curve.csv").open(encoding="utf-8") as file:
        return [int(row["steps"]) for row in csv.DictReader(file)]


def test_a_run_ends_with_policy_curve_and_plot(tmp_path: Path) -> None:
    """Imitation, self-play, expert iteration and export in one go; the policy plays as two agents."""
    policy = train.run(TINY, tmp_path)
    assert curve_of(tmp_path) == ALL
    assert (tmp_path / "learning_curve.png").stat().st_size > 1000
    assert not list(tmp_path.glob("*/round-*"))  # samples are deleted after the run
    records = [read_record(path) for path in sorted((tmp_path / "games").iterdir())]
    assert len(records) == 2 * len(ALL) and {record.seats for record in records} == {
        ("learner", "random"),
        ("random", "learner"),
    }
    assert all(play_through(record).problem == "" for record in records)
    game = bdgame_env.get_game("bdgame-v2")
    game_config = game.config(max_rounds=2)
    for spec in (str(policy), f"az:path={policy},sims=3"):
        agent = make_agent(spec, game, game_config, seed=1)
        match = bdgame_env.make_match("bdgame-v2", seed=3, max_rounds=2)
        while not match.over:
            states = match.clone(determinize=match.seat).states
            match.play(int(agent.act(match.observe()[None], match.mask()[None], states)[0]))


@pytest.mark.parametrize("stop", [1, 3, 5])
def test_a_stopped_run_goes_on_from_its_last_checkpoint(
    stop: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped in an evaluation of any stage, the run resumes after the previous one, and nothing is duplicated."""
    true_milestone = TrainingRun.milestone
    calls = []

    def stop_at(self: TrainingRun) -> None:
        calls.append(self.steps)
        if len(calls) == stop:
            raise KeyboardInterrupt
        true_milestone(self)

    monkeypatch.setattr(TrainingRun, "milestone", stop_at)
    with pytest.raises(KeyboardInterrupt):
        train.run(TINY, tmp_path)
    monkeypatch.setattr(TrainingRun, "milestone", true_milestone)
    assert not (tmp_path / "policy.npz").exists()
    (tmp_path / ".checkpoint-new").mkdir(exist_ok=True)  # a partially written checkpoint is never loaded
    (tmp_path / ".checkpoint-new" / "model.zip").write_bytes(b"half")
    train.run(TINY, tmp_path)
    assert curve_of(tmp_path) == ALL
    assert load_policy(tmp_path / "policy.npz", bdgame_env.get_game("bdgame-v2"), 271).meta["steps"] in ALL


def test_one_policy_learns_for_several_numbers_of_players(tmp_path: Path) -> None:
    """There is a curve for each, and the policy plays with all these numbers of players."""
    play = replace(TINY.self_play, evaluate_every=96, steps=24, num_envs=6)
    config = replace(
        TINY, players=(2, 3, 4), self_play=play, expert_iteration=ExpertIteration(), hidden=(8,), network="plain"
    )
    policy = train.run(config, tmp_path)
    with (tmp_path / "learning_curve.csv").open(encoding="utf-8") as file:
        labels = {row["label"] for row in csv.DictReader(file)}
    assert labels == {f"random, {players} players" for players in (2, 3, 4)}
    game = bdgame_env.get_game("bdgame-v2")
    assert load_policy(policy, game, 271).players == (2, 3, 4)


def test_a_folder_with_other_settings_is_refused(tmp_path: Path) -> None:
    """One line that names the settings that differ; nothing is changed."""
    check_folder(TINY, tmp_path)
    claim_folder(TINY, tmp_path)
    check_folder(TINY, tmp_path)
    before = (tmp_path / "run.json").read_bytes()
    with pytest.raises(BadInput, match="other settings \\(seed\\)"):
        check_folder(replace(TINY, seed=1), tmp_path)
    assert (tmp_path / "run.json").read_bytes() == before


@pytest.mark.parametrize("network", ["plain", "structured"])
@pytest.mark.parametrize("advice", [True, False])
@pytest.mark.parametrize("players", [2, 4])
def test_the_exported_policy_equals_the_torch_policy(network: str, advice: bool, players: int) -> None:
    """Both give equal logits and values up to rounding, for positions of real games and weights that are not small."""
    game = bdgame_env.get_game("bdgame-v2")
    config = TrainConfig("bdgame-v2", (players,), hidden=(24, 16), network=network, advice=advice)
    batch = bdgame_env.make_batch("bdgame-v2", 16, seed=5, players=players)
    for _ in range(40):
        batch.step(np.array([np.flatnonzero(mask)[-1] for mask in batch.mask]))
    told = Advisers(game, batch.config).ask(batch.states, batch.mask) if advice else np.zeros((16, 0), np.int16)
    torch.manual_seed(1)
    learned = new_network(config, game, batch.config.num_actions, told.shape[1])
    with torch.no_grad():
        for weights in learned.parameters():
            weights += 0.2 * torch.randn_like(weights)
        logits, values = learned(torch.as_tensor(batch.obs.copy()).float(), torch.as_tensor(told.astype(np.int64)))
    policy = export_policy(learned, config, game, batch.config.num_actions, {})
    np.testing.assert_allclose(policy.logits(batch.obs, told), logits.numpy(), rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(policy.values(batch.obs), values.numpy(), rtol=1e-4, atol=1e-4)


def test_the_learner_of_self_play_is_the_network() -> None:
    """MaskablePPO samples from, and bootstraps with, exactly what is exported."""
    game = bdgame_env.get_game("bdgame-v2")
    env = training_env(TINY, game)
    model = new_model(TINY, game, env)
    seen = env.reset()
    policy = export_policy(network_of(model), TINY, game, 271, {})
    told = seen[:, game.obs.itemsize :]
    with torch.no_grad():
        shown = torch.as_tensor(seen)
        chances = model.policy.get_distribution(shown, env.action_masks()).distribution.probs
        values = model.policy.predict_values(shown)
    logits = np.where(env.action_masks(), policy.logits(seen[:, : game.obs.itemsize].astype(np.int8), told), -np.inf)
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    np.testing.assert_allclose(chances.numpy(), raised / raised.sum(axis=1, keepdims=True), atol=1e-5)
    np.testing.assert_allclose(
        values.numpy()[:, 0], policy.values(seen[:, : game.obs.itemsize].astype(np.int8))[:, 0], atol=1e-5
    )


def test_shaping_that_fades_still_adds_up_to_nothing() -> None:
    """Its scale changes at every decision, but its sum over a game is still the reward for the rank, less the
    potential of the position in which the learner began.
    """
    play = replace(TINY.self_play, opponents={"greedy": 1.0}, gamma=1.0, num_envs=8)
    env = training_env(replace(TINY, advice=False, options={"max_rounds": 12}, self_play=play), GAME)
    env.reset()
    rng, greedy = np.random.default_rng(0), make_agent("greedy", GAME, env.parts[0].batch.config)
    batch = env.parts[0].batch
    total, shaped, ended, first = np.zeros(8), 0.0, 0, batch.rows["potential"].copy()
    while ended < 8:
        env.set_shaping(rng.random())
        _, rewards, dones, infos = env.step(greedy.act(batch.obs, batch.mask, batch.states.copy()))
        total += rewards
        shaped += abs(rewards[~dones]).sum()
        for row in np.flatnonzero(dones):
            ranks, seat = infos[row]["final"]["ranks"], infos[row]["final"]["seat"]
            assert total[row] + first[row] == pytest.approx(np.sign(ranks[1 - seat] - ranks[seat]), abs=1e-4)
            ended += 1
        total[dones], first[dones] = 0.0, batch.rows["potential"][dones]
    assert shaped > 1.0


def test_bad_policy_files_are_refused_in_one_line(tmp_path: Path) -> None:
    """Missing, damaged, truncated, or for other options: the message names the file and what is wrong."""
    game = bdgame_env.get_game("bdgame-v2")
    missing, broken, cut = tmp_path / "no.npz", tmp_path / "broken.npz", tmp_path / "cut.npz"
    broken.write_bytes(b"not a policy")
    whole = plain_policy(game, game.config()).to_bytes()
    cut.write_bytes(whole[: len(whole) // 2])
    for path, reason in ((missing, "no such policy file"), (broken, "not a policy file"), (cut, "not a policy file")):
        with pytest.raises(UnknownAgent, match=reason):
            make_agent(f"ppo:path={path}", game, game.config())
    (tmp_path / "good.npz").write_bytes(whole)
    with pytest.raises(UnknownAgent, match="271 actions"):
        make_agent(f"ppo:path={tmp_path / 'good.npz'}", game, game.config(selling=True))


def test_settings_files_are_checked(tmp_path: Path) -> None:
    """The project's own files are read; an unknown setting and a forbidden value are refused by name."""
    assert read_config(train.CONFIGS / "demo.toml").players == (2,)
    assert read_config(train.CONFIGS / "bdgame_all.toml").players == (2, 3, 4)
    assert train.settings_for("bdgame-v2") == train.settings_for("bdgame")
    with pytest.raises(BadInput, match=r"no settings 'chess': must be a \.toml file or one of .*bdgame_all"):
        train.settings_for("chess")
    path = tmp_path / "x.toml"
    for text, reason in (
        ("players = 2", "'game' is missing"),
        ('game = "bdgame-v2"\nplayer = 2', "unknown setting 'player'"),
        ('game = "bdgame-v2"\n[self_play]\nsteps = "many"', "self_play.steps is 'many', must be a valid integer"),
        ('game = "bdgame-v2"\n[imitation]\nbuffer_rounds = 0', "imitation.buffer_rounds is 0, must be greater than 0"),
        ('game = "bdgame-v2"\nplayers = []', r"players is \[\], must have at least 1 item"),
        ('game = "bdgame-v2"\nnetwork = "big"', "network is 'big', must be 'structured' or 'plain'"),
        ("game = ", "x.toml"),
    ):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(BadInput, match=reason):
            read_config(path)


def test_a_run_starts_from_a_policy_of_the_same_kind(tmp_path: Path) -> None:
    """The first evaluation is of that policy; a policy of another shape is refused in one line."""
    short = replace(TINY, expert_iteration=ExpertIteration(), imitation=replace(TINY.imitation, teacher=""))
    short = replace(short, self_play=replace(TINY.self_play, steps=0))
    first = load_policy(train.run(short, tmp_path / "one"), GAME, 271)
    twin = replace(short, seed=5, start=str(tmp_path / "one" / "policy.npz"))
    second = load_policy(train.run(twin, tmp_path / "two"), GAME, 271)
    for name, weights in first.weights.items():
        np.testing.assert_array_equal(weights, second.weights[name])
    with pytest.raises(BadInput, match=r"start=.*policy\.npz") as told:
        train.run(replace(twin, hidden=(5,)), tmp_path / "three")
    assert "\n" not in str(told.value)


def test_a_policy_ships_with_a_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It ships for its game and players, with its measurements; then the agent's bare name plays it."""
    config = replace(TINY, options={}, expert_iteration=ExpertIteration(), self_play=replace(TINY.self_play, steps=0))
    train.run(replace(config, imitation=replace(TINY.imitation, rounds=1)), tmp_path / "run")
    shelf = tmp_path / "weights"
    monkeypatch.setattr("bdgame_env.experiments.training.ship.FOLDER", shelf)
    monkeypatch.setattr("bdgame_env.agents.networks.weights.FOLDER", shelf)
    ship(tmp_path / "run", "ppo", ["random"], deals=1)
    assert sorted(path.name for path in shelf.iterdir()) == ["ppo_bdgame-v2_2p.md", "ppo_bdgame-v2_2p.npz"]
    told = (shelf / "ppo_bdgame-v2_2p.md").read_text(encoding="utf-8")
    assert "| 2 | random | 2 |" in told and "64 decisions" in told
    assert make_agent("ppo", GAME, GAME.config()).name == "ppo"
    with pytest.raises(UnknownAgent, match="no weights ship for bdgame-v2 with 3 players"):
        make_agent("ppo", GAME, GAME.config(players=3))
    (tmp_path / "run" / "run.json").write_text("{", encoding="utf-8")
    with pytest.raises(BadInput, match="not that of a training run"):
        ship(tmp_path / "run", "ppo", [], deals=1)
