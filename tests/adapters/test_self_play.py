"""Self-play: the pool of snapshots, and the callback for Stable-Baselines3, in every game."""

from __future__ import annotations

import copy
import io
import pickle
import sys
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from stable_baselines3 import PPO
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.logger import configure
from stable_baselines3.common.vec_env import VecFrameStack, VecNormalize

from bdgame_env import BadOption, get_game, make_gym, make_sb3_vec, make_vector
from bdgame_env.adapters.sb3_self_play import PolicySnapshot, SelfPlayCallback
from bdgame_env.adapters.self_play import SnapshotOpponents
from bdgame_env.engine.learner import LearnerBatch, Opponent
from bdgame_env.registration import gymnasium_id
from tests.clients.checks import SIZES

LITTLE: dict[str, Any] = {"n_steps": 8, "batch_size": 32, "n_epochs": 1, "policy_kwargs": {"net_arch": [8]}}
LITTLE["device"] = "cpu"


@pytest.fixture(autouse=True)
def _one_thread() -> Any:
    before = torch.get_num_threads()
    torch.set_num_threads(1)  # these networks are too small to share
    yield
    torch.set_num_threads(before)


def first_legal(observations: Any, masks: Any) -> Any:
    return masks.argmax(axis=1)


def little(envs: Any, seed: int = 1, policy: str = "MlpPolicy", **settings: Any) -> MaskablePPO:
    return MaskablePPO(policy, envs, seed=seed, **{**LITTLE, **settings})


# The pool


def test_opponents_are_drawn_anew_for_every_game_by_their_shares() -> None:
    """Every game begins with the next reset, so that all 2,000 rows draw under the same pool."""
    snapshots = SnapshotOpponents([("heuristic", 3), "random"], keep=3, latest=0.5, past=0.3, fixed=0.2)
    for _ in range(5):
        snapshots.add(lambda observations, masks: first_legal(observations, masks))
    assert snapshots.names == ["snapshot-2", "snapshot-3", "snapshot-4"]
    envs = make_vector("nicodemus-v2", 2000, seed=1)
    envs.set_opponents(snapshots.pool())
    envs.reset()
    lineups = [next(name for name in envs.batch.lineup(row) if name != "learner") for row in range(2000)]
    wanted = {"snapshot-4": 0.5, "snapshot-3": 0.15, "snapshot-2": 0.15, "heuristic": 0.15, "random": 0.05}
    for name, share in wanted.items():
        assert lineups.count(name) / 2000 == pytest.approx(share, abs=4 * (share * (1 - share) / 2000) ** 0.5)
    envs.reset()
    again = [next(name for name in envs.batch.lineup(row) if name != "learner") for row in range(2000)]
    assert again != lineups


def test_groups_that_are_empty_are_not_drawn() -> None:
    alone = SnapshotOpponents(latest=0.1, past=0.9)
    alone.add(first_legal, "only")
    assert [(each.name, each.weight) for each in alone.pool()] == [("only", 1.0)]
    alone.add(first_legal)
    assert [(each.name, each.weight) for each in alone.pool()] == [("only", 0.9), ("snapshot-1", 0.1)]
    waiting = SnapshotOpponents("heuristic", fixed=0)
    assert waiting.pool() == [("heuristic", 1.0)]
    waiting.clear()
    with pytest.raises(BadOption, match="no opponent yet"):
        SnapshotOpponents().pool()


@pytest.mark.parametrize(("game", "players"), SIZES)
def test_a_snapshot_is_asked_for_many_games_at_once(game: str, players: int) -> None:
    """In the Gymnasium environments too; what it sees has the game's shape, and only legal actions are marked."""
    asked: list[int] = []

    def act(observations: Any, masks: Any) -> Any:
        assert observations.shape == (len(masks), get_game(game).obs.itemsize) and observations.dtype == np.int8
        assert masks.dtype == np.int8 and masks.any(axis=1).all()
        asked.append(len(masks))
        return first_legal(observations, masks)

    snapshots = SnapshotOpponents()
    snapshots.add(act)
    for envs in (make_vector(game, 32, players=players, seed=1, threads=1), make_gym(game, players=players, seed=1)):
        envs.set_opponents(snapshots.pool())
        _, info = envs.reset(seed=1)
        for _ in range(8):
            mask = info["action_mask"]
            ended = envs.step(mask.argmax(axis=-1))
            info = ended[4]
            if envs.num_envs == 1 if hasattr(envs, "num_envs") else ended[2] or ended[3]:
                _, info = envs.reset()
    assert max(asked) > 8


def test_a_new_weight_makes_no_new_opponent() -> None:
    """Games in progress and new ones are asked in one call, and the generator is not seeded again."""
    seeds: list[int] = []
    asked: list[int] = []

    def act(observations: Any, masks: Any, states: Any) -> Any:
        asked.append(len(masks))
        return masks.argmax(axis=1)

    game = get_game("nicodemus-v2")
    batch = LearnerBatch(game, game.config(max_rounds=1), 32, [Opponent("one", act=act, seed=seeds.append)], seed=1)
    batch.reset()
    for weight in (2.0, 3.0):
        batch.set_opponents([Opponent("one", act=act, seed=seeds.append, weight=weight), Opponent("r", policy=0)])
    assert len(batch.agents) == 1 and len(seeds) == 1
    batch.set_opponents([Opponent("other", act=act)])
    assert len(batch.agents) == 2


# Stable-Baselines3


@pytest.mark.parametrize(("game", "players"), SIZES)
def test_a_model_learns_against_its_snapshots(game: str, players: int) -> None:
    """Twice the same from the same seeds; snapshots are drawn into new games, whichever seat is the learner's."""
    weights = []
    for _ in range(2 if players == 2 else 1):
        envs = make_sb3_vec(game, 4, players=players, seed=3)
        callback = SelfPlayCallback("random", every=32, keep=2, fixed=0.1)
        model = little(envs).learn(96, callback=callback)
        assert callback.snapshots.names == ["snapshot-32", "snapshot-64"]
        assert [opponent.name for opponent in envs.batch.opponents] == ["snapshot-32", "snapshot-64", "random"]
        envs.reset()
        lineups = [envs.batch.lineup(row) for row in range(4)]
        assert all(len(lineup) == players and lineup.count("learner") == 1 for lineup in lineups)
        assert any(name.startswith("snapshot-") for lineup in lineups for name in lineup)
        weights.append(torch.nn.utils.parameters_to_vector(model.policy.parameters()))
    assert (weights[0] == weights[-1]).all()


def test_it_learns(toy: str) -> None:
    """By games against its own snapshots it becomes strong against random play."""
    envs = make_sb3_vec(toy, 64, seed=1)
    test = make_sb3_vec(toy, 256, seed=5, opponents="random")
    settings = {"n_steps": 16, "batch_size": 256, "n_epochs": 4, "learning_rate": 5e-3, "gamma": 1.0, "ent_coef": 0.01}
    model = little(envs, **settings, policy_kwargs={"net_arch": [32]})
    before, _ = evaluate_policy(model, test, 512, deterministic=False)
    model.learn(6000, callback=SelfPlayCallback(every=1000, keep=4))
    after, _ = evaluate_policy(model, test, 512, deterministic=False)
    assert abs(before) < 0.3 and after > before + 0.3, (before, after)


def test_the_log_says_how_it_does_against_each() -> None:
    envs = make_sb3_vec("nicodemus-v2", 8, seed=1, max_rounds=1)
    told: list[dict[str, Any]] = []

    class Reads(SelfPlayCallback):
        def _on_rollout_end(self) -> None:
            told.append(dict(self.logger.name_to_value))

    little(envs).learn(512, callback=Reads(["random"], every=64, keep=2), log_interval=100)
    assert told[-1]["self_play/snapshots"] == 2
    rewards = {name: value for name, value in told[-1].items() if "reward_against" in name}
    assert {name.rpartition("_")[2] for name in rewards} == {"random", "snapshots"}
    assert all(-1 <= value <= 1 for value in rewards.values())


def other_legal(observations: Any, masks: Any) -> Any:
    return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


def called(name: str) -> Opponent:
    return Opponent(name, act=lambda seen, masks, states=None: first_legal(seen, masks))


ALIKE = {
    "lambdas": [lambda seen, masks: first_legal(seen, masks), lambda seen, masks: other_legal(seen, masks)],
    "long, or in letters that logs cannot hold": [
        *map(called, ("mcts:sims=2,playout=random", "mcts:sims=2,playout=heuristic", "snapshots", "runs/a,b.npz")),
        *map(called, ("runs/a,c.npz", "\ud800" * 40, "\ud800" * 41, "\n", "\x00")),
    ],
}


@pytest.mark.parametrize("opponents", ALIKE.values(), ids=list(ALIKE))
def test_each_opponent_has_a_line_of_its_own_in_every_log(
    opponents: list[Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keys: set[str] = set()

    class Reads(SelfPlayCallback):
        def _on_rollout_end(self) -> None:
            keys.update(key for key in self.logger.name_to_value if "reward_against" in key)

    envs = make_sb3_vec("nicodemus-v2", 8, players=2, seed=1, max_rounds=1, opponents=opponents)
    model = little(envs, verbose=1)
    model.set_logger(configure(str(tmp_path), ["stdout", "csv"]))
    model.learn(256, callback=Reads(opponents, every=64, fixed=0.5, latest=0.3, past=0.2, verbose=1))
    model.logger.close()
    header, *rows = (tmp_path / "progress.csv").read_text(encoding="utf-8").splitlines()
    assert all(row.count(",") == header.count(",") for row in rows) and keys <= set(header.split(","))
    names = {key.removeprefix("self_play/reward_against_") for key in keys}
    assert len(names) == len(opponents) + 1 and "snapshots" in names
    assert max(map(len, names)) <= 18
    told = capsys.readouterr().out
    assert all(f"{name} in the log is " in told for name in names if "-" in name)


def test_a_name_in_the_log_is_the_same_in_every_run() -> None:
    named = {"heuristic": "heuristic", "mcts:sims=2,playout=random": "mcts:sims=2-864abc"}
    assert {name: SelfPlayCallback()._key(name) for name in named} == named


@pytest.mark.parametrize("stdout", ["none", "closed"])
def test_the_line_about_a_snapshot_ends_no_training(stdout: str, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    stream.close()
    envs = make_sb3_vec("nicodemus-v2", 2, seed=1, max_rounds=1)
    model = little(envs)
    callback = SelfPlayCallback(every=16, verbose=1)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", stream if stdout == "closed" else None)
        model.learn(32, callback=callback)
    assert callback.snapshots.names == ["snapshot-0", "snapshot-16"]


def test_what_a_snapshot_draws_is_its_own() -> None:
    envs = make_sb3_vec("nicodemus-v2", 16, seed=1)
    envs.reset()
    snapshot = PolicySnapshot(little(envs))
    state = torch.get_rng_state()
    snapshot.seed(4)
    first = [snapshot(envs.batch.obs, envs.batch.mask).tolist() for _ in range(2)]
    snapshot.seed(4)
    assert [snapshot(envs.batch.obs, envs.batch.mask).tolist() for _ in range(2)] == first and first[0] != first[1]
    assert (torch.get_rng_state() == state).all()
    greedy = PolicySnapshot(little(envs), deterministic=True)
    assert (greedy(envs.batch.obs, envs.batch.mask) == greedy(envs.batch.obs, envs.batch.mask)).all()


def test_a_snapshot_stays_as_it_was() -> None:
    envs = make_sb3_vec("nicodemus-v2", 4, seed=1)
    model = little(envs, learning_rate=0.1)
    snapshot = PolicySnapshot(model)
    before = torch.nn.utils.parameters_to_vector(snapshot.policy.parameters()).clone()
    model.learn(32)
    after = torch.nn.utils.parameters_to_vector(snapshot.policy.parameters())
    assert (before == after).all()
    assert (torch.nn.utils.parameters_to_vector(model.policy.parameters()) != after).any()


def test_it_goes_on_from_files(tmp_path: Any) -> None:
    path = tmp_path / "run" / "snapshots.pt"
    envs = VecNormalize(make_sb3_vec("nicodemus-v2", 4, seed=1))
    model = little(envs)
    callback = SelfPlayCallback(every=32, keep=2, path=path)
    model.learn(96, callback=callback)
    assert [file.name for file in path.parent.iterdir()] == ["snapshots.pt"]
    loaded = SelfPlayCallback(every=32, keep=2)
    loaded.load(path, model)
    assert loaded.snapshots.names == callback.snapshots.names == ["snapshot-32", "snapshot-64"]
    raw, masks = envs.unwrapped.batch.obs, envs.unwrapped.batch.mask
    for ours, theirs in zip(callback.snapshots.pool(), loaded.snapshots.pool(), strict=True):
        ours.seed(9), theirs.seed(9)
        assert (ours.act(raw, masks, None) == theirs.act(raw, masks, None)).all()
    model.learn(32, callback=loaded, reset_num_timesteps=False)
    assert loaded.snapshots.names == ["snapshot-64", "snapshot-96"]


def test_files_of_something_else_are_refused(tmp_path: Any) -> None:
    model = little(make_sb3_vec("nicodemus-v2", 4, seed=1))
    callback = SelfPlayCallback(every=32)
    model.learn(32, callback=callback)
    callback.save(tmp_path / "good.pt")
    (tmp_path / "text.pt").write_text("no snapshots", encoding="utf-8")
    torch.save({"format": "another"}, tmp_path / "other.pt")
    torch.save({"format": "bdgame_env snapshots 1", "snapshots": [{"steps": 1}]}, tmp_path / "empty.pt")
    torch.save({"format": "bdgame_env snapshots 1", "snapshots": [5]}, tmp_path / "numbers.pt")
    torch.save({"format": "bdgame_env snapshots 1"}, tmp_path / "nothing.pt")
    for name in ("text", "other", "empty", "numbers", "nothing"):
        with pytest.raises(ValueError, match=r"^[^\n]*snapshot[^\n]*$"):
            callback.load(tmp_path / f"{name}.pt", model)
    wider = little(make_sb3_vec("nicodemus-v2", 4, seed=1), policy_kwargs={"net_arch": [9]})
    with pytest.raises(ValueError, match=r"^nicodemus-v2: a snapshot of another network: [^\n]*$"):
        callback.load(tmp_path / "good.pt", wider)
    with pytest.raises(ValueError, match=r"^gizmos-v3: a snapshot of another game: 'nicodemus-v2'$"):
        callback.load(tmp_path / "good.pt", little(make_sb3_vec("gizmos-v3", 4, seed=1)))
    with pytest.raises(OSError, match=r"missing\.pt"):
        callback.load(tmp_path / "missing.pt", model)
    assert callback.snapshots.names == ["snapshot-0"]


def test_normalized_observations_are_normalized_as_they_were() -> None:
    envs = VecNormalize(make_sb3_vec("nicodemus-v2", 16, seed=1))
    model = little(envs)
    model.learn(128)
    raw, masks = envs.unwrapped.batch.obs.copy(), envs.unwrapped.batch.mask.copy()
    wanted, _ = model.policy.predict(envs.normalize_obs(raw), deterministic=True, action_masks=masks)
    snapshot = PolicySnapshot(model, deterministic=True)
    model.learn(128)
    without = snapshot.policy.predict(raw, deterministic=True, action_masks=masks)[0]
    assert (snapshot(raw, masks) == wanted).all() and (without != wanted).any()


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda envs: pickle.loads(pickle.dumps(envs))])
def test_games_against_snapshots_can_be_copied(copied: Any) -> None:
    envs = make_sb3_vec("nicodemus-v2", 4, seed=1)
    little(envs).learn(64, callback=SelfPlayCallback(every=32))
    twin = copied(envs)
    for _ in range(8):
        actions = envs.batch.mask.argmax(axis=1)
        for ours, theirs in zip(envs.step(actions)[:3], twin.step(actions)[:3], strict=True):
            assert (ours == theirs).all()


def test_fields_instead_of_a_vector_and_games_one_by_one() -> None:
    envs = make_vec_env(gymnasium_id("nicodemus-v2"), n_envs=2, seed=1, env_kwargs={"observation": "dict"})
    callback = SelfPlayCallback(every=16)
    little(envs, policy="MultiInputPolicy", batch_size=16).learn(32, callback=callback)
    assert callback.snapshots.names == ["snapshot-0", "snapshot-16"]
    assert all(env.unwrapped.batch.opponents[-1].name == "snapshot-16" for env in envs.envs)


def test_any_function_of_the_model_can_be_its_snapshot() -> None:
    """Plain PPO, which knows no masks."""
    envs = make_sb3_vec("nicodemus-v2", 4, seed=1)
    model = PPO("MlpPolicy", envs, seed=1, **LITTLE)
    with pytest.raises(BadOption, match=r"^PPO predicts without masks: pass snapshot="):
        model.learn(32, callback=SelfPlayCallback())
    callback = SelfPlayCallback(every=32, snapshot=lambda model: first_legal)
    model.learn(64, callback=callback)
    assert callback.snapshots.names == ["snapshot-0", "snapshot-32"]
    with pytest.raises(BadOption, match="cannot be saved"):
        callback.save("snapshots.pt")


def test_what_does_not_fit_is_refused_when_learning_starts() -> None:
    stacked = VecFrameStack(make_sb3_vec("nicodemus-v2", 4, seed=1), 2)
    with pytest.raises(BadOption, match=r"^nicodemus-v2: a wrapper changes the observations' shape"):
        little(stacked).learn(32, callback=SelfPlayCallback())

    class Foreign(gymnasium.Env[Any, Any]):
        observation_space, action_space = gymnasium.spaces.Discrete(2), gymnasium.spaces.Discrete(2)

        def reset(self, **_: Any) -> Any:
            return 0, {}

        def action_masks(self) -> Any:
            return [True, True]

    with pytest.raises(BadOption, match="self-play needs an environment of bdgame_env"):
        little(make_vec_env(Foreign)).learn(8, callback=SelfPlayCallback())


@pytest.mark.parametrize(
    "wrong",
    [
        {"every": 0},
        {"every": 1.5},
        {"keep": 0},
        {"keep": 65},
        {"keep": 64, "opponents": "random"},
        {"latest": -0.1},
        {"past": "half"},
        {"fixed": 1.1},
        {"latest": 0, "past": 0},
        {"latest": float("nan")},
        {"opponents": [("random", 0)]},
        {"opponents": [("random", -1)]},
        {"deterministic": 1},
        {"path": 5},
        {"snapshot": 5},
        {"snapshot": first_legal, "path": "snapshots.pt"},
    ],
    ids=", ".join,
)
def test_wrong_settings_are_named_in_one_line(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadOption, match=r"^[^\n]+$") as refused:
        SelfPlayCallback(**wrong)
    assert any({"opponents": "weight"}.get(name, name) in str(refused.value) for name in wrong)


def test_what_cannot_be_called_is_no_snapshot() -> None:
    with pytest.raises(BadOption, match="a snapshot is a function"):
        SnapshotOpponents().add(5)  # type: ignore[arg-type]


def test_without_stable_baselines3_one_line_tells_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "bdgame_env.adapters.sb3_self_play")
    for name in [name for name in sys.modules if name.partition(".")[0] == "stable_baselines3"]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, "stable_baselines3.common.callbacks", None)
    with pytest.raises(ModuleNotFoundError, match=r"^SelfPlayCallback needs .*: pip install 'bdgame_env\[train\]'$"):
        import bdgame_env.adapters.sb3_self_play  # noqa: F401
