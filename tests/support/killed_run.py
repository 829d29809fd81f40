"""A tiny training run, killed by SIGKILL and resumed, each time in a new process.

`python -m tests.support.killed_run FOLDER POINT ...` trains once without interruption in FOLDER/whole, then in
FOLDER/killed: for every point, a process is started and killed there; the last one trains to the end. A point is
FUNCTION@N: the process is killed when the function, named by module and attribute, is called for the Nth time.
"""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Callable
from functools import partial, wraps
from importlib import import_module
from pathlib import Path
from typing import Any

from bdgame_env.experiments.training import train
from bdgame_env.experiments.training.config import ExpertIteration, Imitation, SelfPlay, TrainConfig
from bdgame_env.registry import GAMES, register_game

GAME = "toy-v1"
CONFIG = TrainConfig(
    game=GAME,
    players=(2, 3),
    options={"max_rounds": 4},
    hidden=(16, 8),
    network="plain",
    advice=False,
    threads=1,
    imitation=Imitation(
        teacher="random", rounds=3, samples=48, buffer_rounds=1, games=4, epochs=2, batch_size=16, epsilon=0.2
    ),
    self_play=SelfPlay(
        steps=128,
        num_envs=8,
        rollout=4,
        epochs=2,
        batch_size=16,
        learning_rate=1e-2,
        opponents={"random": 0.2, "az:path=start.npz,sims=3": 0.2},
        self_weight=0.6,
        snapshots=1,
        evaluate_every=32,
        evaluation_games=1,
        evaluate_against=("random",),
    ),
    expert_iteration=ExpertIteration(
        expert="az:sims=3,noise=0.2", rounds=3, samples=16, buffer_rounds=2, games=4, batch_size=8
    ),
)


def main(folder: Path, points: list[str]) -> None:
    """Train as the points say, in forks of this process, so that everything is imported only once."""
    os.chdir(folder)
    import torch._dynamo  # noqa: F401  (the first optimizer imports it, which takes seconds)

    import bdgame_env.experiments.training.run  # noqa: F401
    from tests.support.policies import plain_policy

    if GAME not in GAMES:
        register_game(GAME, "tests.support.toy_game:GAME")
    from bdgame_env import get_game

    game = get_game(GAME)
    Path("start.npz").write_bytes(plain_policy(game, game.config(players=3, **CONFIG.options), scale=0.1).to_bytes())
    print("whole", in_a_process(partial(train.run, CONFIG, folder / "whole")))
    for point in points:
        print(point, in_a_process(partial(killed_at, point, folder / "killed")))
    print("the rest", in_a_process(partial(train.run, CONFIG, folder / "killed")))


def killed_at(point: str, out: Path) -> None:
    """Train until a function is called for the Nth time."""
    where, _, number = point.partition("@")
    *names, attribute = where.split(".")
    owner: Any = import_module(".".join(name for name in names if name.islower()))
    for name in names:
        owner = owner if name.islower() else getattr(owner, name)
    true, calls = getattr(owner, attribute), 0

    @wraps(true)
    def counted(*arguments: Any, **settings: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == int(number):
            os.kill(os.getpid(), signal.SIGKILL)
        return true(*arguments, **settings)

    setattr(owner, attribute, counted)
    train.run(CONFIG, out)


def in_a_process(act: Callable[[], object]) -> int:
    """Run a function in a fork of this process; returns its exit status, or minus the signal that ended it."""
    sys.stdout.flush()
    child = os.fork()
    if not child:
        status = 1
        try:
            act()
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
