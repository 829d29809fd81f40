"""A tiny training run, killed by SIGKILL and resumed, each time in a new process.

`python -m tests.support.killed_run FOLDER THREADS POINT ...` trains once without interruption in FOLDER/whole, then in
FOLDER/killed: for every point, a process is started and killed there; the last one trains to the end. A point is
FUNCTION@N: the process is killed when the function, named by module and attribute, is called for the Nth time.
"""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import partial, wraps
from importlib import import_module
from pathlib import Path
from typing import Any

from bdgame_env.experiments.training import train, training_run
from bdgame_env.experiments.training.config import TrainConfig
from bdgame_env.registry import GAMES, register_game

GAME = "toy-v1"


def config(threads: int) -> TrainConfig:
    """A run of imitation and self-play with two numbers of players and a league, over in a few seconds."""
    return TrainConfig(
        game=GAME,
        players=(2, 3),
        options={"max_rounds": 4},
        decisions=1200,
        threads=threads,
        width=8,
        matches=8,
        steps=6,
        batch_size=16,
        imitation=0.3,
        teacher_matches=0.25,
        snapshot_share=0.5,
        snapshots=2,
        averaged_updates=3,
        search_every=3,
        search_sims=4,
        search_turns=1,
        evaluations=3,
        evaluation_deals=3,
        planner_deals=0,
    )


def main(folder: Path, threads: int, points: list[str]) -> None:
    """Train as the points say, in forks of this process, so that everything is imported only once."""
    with suppress(ImportError):
        import_module("torch.utils.tensorboard")  # else each fork imports it by itself, for longer than it trains
    os.chdir(folder)
    if GAME not in GAMES:
        register_game(GAME, "tests.support.toy_game:GAME")
    training_run.CHECKPOINT_SECONDS = 0.0  # after every update
    training_run.FINAL_DEALS = 5
    print("whole", in_a_process(partial(train.run, config(threads), folder / "whole")))
    for point in points:
        print(point, in_a_process(partial(killed_at, point, folder / "killed", threads)))
    print("the rest", in_a_process(partial(train.run, config(threads), folder / "killed")))


def killed_at(point: str, out: Path, threads: int) -> None:
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
    train.run(config(threads), out)


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
    main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
