"""What a cluster costs, and how many workers one driver feeds: `python -m experiments.benchmarks.cluster GAME`.

Times of this process are processor time, so that other programs on the machine do not count; times of workers are not.
For each number of workers, games and windows of play are measured in turn, several times, and medians are printed.
"""

from __future__ import annotations

import pickle
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from statistics import median
from typing import Annotated

import numpy as np
import typer

from bdgame_env import get_game
from bdgame_env.agents.networks.network import fresh

from ..arena.batch_runner import BatchRunner, Job
from ..arena.cluster_pool import ClusterPool
from ..arena.matches import BATCH
from ..arena.seating import seatings
from ..arena.store import Store
from ..arena.stored_batches import unpacked
from ..cluster.connection import connect
from ..inputs import read_numbers
from ..training.cluster_rollouts import ClusterRollouts
from ..training.config import TrainConfig
from ..training.lessons import Stage, learn_window
from ..training.matches import PLAY, Matches
from ..training.rollouts import Order, WindowPlayer
from ..training.samples import new_window
from ..training.updates import Learner

Rows = dict[str, list[float]]


def main(
    game: Annotated[str, typer.Argument(metavar="GAME")] = "gizmos-v3",
    on: Annotated[str, typer.Option(help="ray or ray://HOST:PORT")] = "ray",
    workers: Annotated[str, typer.Option(help="numbers of workers")] = "1,2,4",
    repetitions: Annotated[int, typer.Option(min=1)] = 3,
    deals: Annotated[int, typer.Option(min=64, help="deals of a tournament, heuristic against random")] = 2000,
    windows: Annotated[int, typer.Option(min=1, help="windows of 256 matches")] = 4,
) -> None:
    """Measure games and decisions per second, and what they cost the driver."""
    counts = read_numbers("--workers", workers)
    connect(on, max(counts))
    found: dict[int, Rows] = {count: defaultdict(list) for count in counts}
    for _ in range(repetitions):
        for count in counts:
            _measure_games(game, on, count, deals, found[count])
            _measure_windows(game, on, count, windows, found[count])
    for name in found[counts[0]]:
        values = [median(found[count][name]) for count in counts]
        ratios = ", ".join(f"{value / values[0]:.2f}" for value in values)
        print(f"{name:<52}" + "".join(f"{value:>12.4g}" for value in values) + f"   ratios {ratios}")


def _measure_games(game_id: str, on: str, count: int, deals: int, rows: Rows) -> None:
    game = get_game(game_id)
    config = game.config(players=2)
    job = Job(game, dict(config.options), ["heuristic", "random"], 0, [None, None])
    BatchRunner(job).load_agents()
    games = seatings(2, 2, deals, 0)
    batches = [games[k : k + BATCH // 4] for k in range(0, len(games), BATCH // 4)]
    with closing(ClusterPool(job, on, count)) as pool, tempfile.TemporaryDirectory() as folder:
        list(pool.play(batches[: 2 * count], lambda _: None))  # starts the workers
        with closing(Store(Path(folder) / "results.sqlite", {}, {})) as store:
            begun, used, worked = time.perf_counter(), time.process_time(), pool.crew.worked
            parcels, played = [], 0
            for part in pool.play(batches[2 * count :], lambda _: None):
                store.add(part)
                parcels.append(part)
                played += sum(batch.size for batch in part)
            seconds, used = time.perf_counter() - begun, time.process_time() - used
    sent = [pickle.dumps(part) for part in parcels]
    rows["games per second"].append(played / seconds)
    rows["games per second and worker, while it works"].append(played / (pool.crew.worked - worked))
    rows["bytes per game"].append(sum(map(len, sent)) / played)
    rows["driver, microseconds per game"].append(1e6 * used / played)
    rows["driver, share of its time (games)"].append(used / seconds)
    rows["driver, microseconds to unpack and store a game"].append(1e6 * _storing_seconds(sent) / played)
    used = time.process_time()
    for part in parcels:
        list(map(unpacked, part))
    rows["driver, microseconds to read a game in the end"].append(1e6 * (time.process_time() - used) / played)


def _storing_seconds(parcels: Sequence[bytes]) -> float:
    """Processor time to unpack some parcels and store their games, written together."""
    with tempfile.TemporaryDirectory() as folder, closing(Store(Path(folder) / "results.sqlite", {}, {})) as store:
        used = time.process_time()
        store.add([batch for parcel in parcels for batch in pickle.loads(parcel)])
        return time.process_time() - used


def _measure_windows(game_id: str, on: str, count: int, windows: int, rows: Rows) -> None:
    config = TrainConfig(game=game_id, matches=256, threads=1, imitation=0.0, batch_size=4096)
    player = WindowPlayer(get_game(game_id), config, threads=1)
    matches = Matches(player.game, player.configs[0], config.matches, 0, 1)
    window = new_window(player.plan, config.matches * config.steps)
    learner = Learner(player.plan, config.width, config.layers, fresh(player.plan, config.width, config.layers, 0), 1)
    order = Order(np.zeros(1, PLAY), learner.weights, None, 0, False)
    order.play["temperature"] = 1.0
    with closing(ClusterRollouts(config, on, count)) as rollouts:
        rollouts.fill(window, [matches], order)  # starts the workers
        begun, used, worked = time.perf_counter(), time.process_time(), rollouts.crew.worked
        sent = [rollouts.fill(window, [matches], order).figures["cluster/bytes_per_decision"] for _ in range(windows)]
        seconds, used = time.perf_counter() - begun, time.process_time() - used
    played = windows * len(window.next)
    rows["decisions played per second"].append(played / seconds)
    rows["decisions per second and worker, while it works"].append(played / (rollouts.crew.worked - worked))
    rows["bytes per decision"].append(median(sent))
    rows["driver, microseconds per decision played"].append(1e6 * used / played)
    rows["driver, share of its time (decisions)"].append(used / seconds)
    used = time.process_time()
    learned = learn_window(learner, window, config, Stage(False, 0.0), np.random.default_rng(0))
    rows["learner, microseconds per decision learned"].append(1e6 * (time.process_time() - used) / learned.decisions)


if __name__ == "__main__":
    typer.run(main)
