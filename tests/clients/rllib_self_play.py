"""RLlib with every game and number of players: `python -m tests.clients rllib_self_play`, in `make test-clients`.

The environment gives what the game gives, PPO trains on it, a masked module never plays an illegal action, a checkpoint
plays on, the example learns, and wrong settings are refused.
"""

from __future__ import annotations

import logging
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import ray
import torch
from ray.rllib.algorithms.algorithm import Algorithm
from ray.rllib.core.columns import Columns

from bdgame_env import BadOption, Match, get_game, list_games, make_gym, make_vector
from bdgame_env.adapters.rllib import MaskedPPOModule, ModulePolicy, RLlibEnv, self_play_config
from bdgame_env.adapters.self_play import SnapshotOpponents

PROGRAM_NEEDS = [".[rllib]"]
ROOT = Path(__file__).resolve().parents[2]

SIZES = [
    (game, players) for game in list_games() for low, high in [get_game(game).seats] for players in range(low, high + 1)
]
LEARNED = 0.1  # by how much the example's share of wins against random play must rise
LITTLE = {"train_batch_size_per_learner": 64, "minibatch_size": 32, "num_epochs": 1}


def check_environment(game_id: str, players: int) -> None:
    """It plays the games of `Match` from the same seed, asks the seat to decide, and ends with results for all."""
    env = RLlibEnv({"game": get_game(game_id), "players": players})
    assert env.possible_agents == [f"player_{seat}" for seat in range(players)]
    rng, match = np.random.default_rng(1), Match(get_game(game_id), seed=7, players=players)
    seen, infos = env.reset(seed=7)
    total = dict.fromkeys(env.possible_agents, 0.0)
    over = False
    while not over:
        (agent,) = seen
        assert agent == f"player_{match.seat}" and infos == {}
        assert env.observation_spaces[agent].contains(seen[agent])
        assert (seen[agent]["observation"] == match.observe()).all() and (
            seen[agent]["action_mask"] == match.mask()
        ).all()
        action = int(rng.choice(np.flatnonzero(seen[agent]["action_mask"])))
        match.play(action)
        seen, rewards, terminations, truncations, infos = env.step({agent: action})
        total = {agent: total[agent] + rewards[agent] for agent in total}
        over = terminations["__all__"]
        assert not truncations["__all__"] and over == match.over
    assert set(seen) == set(infos) == set(env.possible_agents)
    assert [infos[f"player_{seat}"]["rank"] for seat in range(players)] == list(match.ranks())
    assert abs(sum(total.values())) < 1e-6 and not any(one["action_mask"].any() for one in seen.values())
    env.reset()
    mover = env._env.agent_selection
    mask = env._env.observe(mover)["action_mask"]
    _, rewards, terminations, _, _ = env.step({mover: int(mask.argmin())})
    assert terminations["__all__"] and rewards[mover] == -1, "an illegal action loses"


def check_training(game_id: str, players: int) -> Any:
    """PPO trains on every seat's decisions; what its module plays is legal, in our environments too."""
    game = get_game(game_id)
    short = {"max_rounds": 2} if "max_rounds" in game.options else {}
    config = self_play_config(game, players=players, illegal="raise", **short).training(**LITTLE)
    algorithm = config.debugging(seed=1).build_algo()
    before = [weight.clone() for weight in algorithm.get_module("learner").parameters()]
    result = algorithm.train()
    assert result["num_env_steps_sampled_lifetime"] >= 64 and np.isfinite(result["learners"]["learner"]["total_loss"])
    module = algorithm.get_module("learner")
    assert isinstance(module, MaskedPPOModule)
    assert any((one != other).any() for one, other in zip(before, module.parameters(), strict=True))
    envs = make_vector(game_id, 8, players=players, seed=2, illegal="raise")
    snapshots = SnapshotOpponents()
    snapshots.add(ModulePolicy(module, seed=1))
    envs.set_opponents(snapshots.pool())
    seen, info = envs.reset(seed=2)
    learner = algorithm.learner_group._learner.module["learner"]  # with its critic
    check_probabilities(learner, seen, info["action_mask"])
    policy = ModulePolicy(module, seed=3)
    for _ in range(30):
        seen, _, _, _, info = envs.step(policy(seen, info["action_mask"]))
    return algorithm


def check_probabilities(module: MaskedPPOModule, seen: Any, masks: Any) -> None:
    """Illegal actions have the probability 0, in playing and in training, and legal ones do not."""
    batch = {Columns.OBS: {"observation": torch.as_tensor(seen), "action_mask": torch.as_tensor(masks)}}
    for forward in (module.forward_inference, module.forward_exploration, module.forward_train):
        chances = torch.softmax(forward(batch)[Columns.ACTION_DIST_INPUTS], dim=1).detach().numpy()
        assert (chances[masks == 0] == 0).all() and (chances[masks == 1] > 0).all()
    assert set(batch[Columns.OBS]) == {"observation", "action_mask"}, "the batch stays as it was"
    values = module.compute_values(batch)
    assert values.shape == (len(masks),) and torch.isfinite(values).all()


def check_checkpoint(algorithm: Any) -> None:
    """A checkpoint holds the network, and trains on."""
    with tempfile.TemporaryDirectory() as folder:
        algorithm.save_to_path(folder)
        again = Algorithm.from_checkpoint(folder)
        ours, theirs = algorithm.get_module("learner").state_dict(), again.get_module("learner").state_dict()
        assert all((ours[name] == theirs[name]).all() for name in ours)
        assert again.train()["num_env_steps_sampled_lifetime"] >= 128
        again.stop()


def check_refusals() -> None:
    """Bad input is one line."""
    nicodemus = get_game("nicodemus-v2")
    env = RLlibEnv({"game": nicodemus})
    env.reset(seed=1)
    for wrong in (
        lambda: RLlibEnv({}),
        lambda: RLlibEnv({"game": "nicodemus-v2"}),
        lambda: RLlibEnv({"game": nicodemus, "plyers": 2}),
        lambda: self_play_config(nicodemus, players=5),
        lambda: env.step({"player_9": 0}),
        lambda: MaskedPPOModule(observation_space=make_gym("nicodemus-v2").observation_space),
    ):
        told = None
        try:
            wrong()
        except BadOption as error:
            told = str(error)
        assert told is not None and "\n" not in told, told


def check_example() -> str:
    """`examples/rllib_self_play.py` learns: its share of wins against random play, on deals of their own, rises."""
    command = [sys.executable, str(ROOT / "examples" / "rllib_self_play.py"), "nicodemus-v2", "--iterations", "4"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    line = done.stdout.strip().rpartition("\n")[2]
    found = re.fullmatch(r"wins against random play: (.*)% before, (.*)% after", line)
    if done.returncode or found is None:
        raise SystemExit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    before, after = (float(share) / 100 for share in found.groups())
    assert after > before + LEARNED, line
    return line


def main() -> None:
    """Run all checks; each prints a line."""
    begun = time.perf_counter()
    ray.init(
        num_cpus=1,
        include_dashboard=False,
        object_store_memory=100 * 2**20,
        _node_ip_address="127.0.0.1",
        log_to_driver=False,
        logging_level=logging.ERROR,
    )
    for game_id, players in SIZES:
        check_environment(game_id, players)
        algorithm = check_training(game_id, players)
        if players == 2:
            check_checkpoint(algorithm)
        algorithm.stop()
        print(
            f"rllib: {game_id}, {players} players: plays, trains, masks ({time.perf_counter() - begun:.0f} s)",
            flush=True,
        )
    check_refusals()
    ray.shutdown()
    print(f"rllib: {check_example()} ({time.perf_counter() - begun:.0f} s)")


if __name__ == "__main__":
    main()
