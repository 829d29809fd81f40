"""The speed of playing: batches, playouts, the heuristic agent, PettingZoo's loop, and memory.

Batches are timed by replaying recorded decisions. First, games are played for about one game's length, and a position
of each is kept from a random time; a batch of any size starts from those positions, determinized anew. Then players'
decisions are recorded. Only the calls of `Batch.step` with those decisions are timed, back to back: no player, no reset
of the batch, no copying. A lane whose game ends starts a new one inside the step, as in normal use; the share of time
that this takes is a separate figure.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.adapters.aec import RawAEC, make_aec
from bdgame_env.agents.heuristics.compiled_players import HeuristicAgent
from bdgame_env.engine.batch import Batch
from bdgame_env.engine.jit import entry_point
from bdgame_env.engine.loop_builder import loops_of
from bdgame_env.engine.players import AGENT_RNG
from bdgame_env.engine.threads import ROWS_PER_THREAD, run_ranges, usable_threads

from .figures import BYTES, PERCENT, Bench, Figure, clock, exactly

RANDOM, HEURISTIC = "random play", "heuristic play"
COPYING = "np.copyto of observation and mask, N = 1024, per game"
_LONGEST_WAIT = 20_000  # steps until the first games must have ended

Actions = npt.NDArray[np.int32]
Player = Callable[[Batch], Actions]


def step_name(play: str, n: int, looks: bool = True, threads: int = 1) -> str:
    """The name of the figure for steps of a batch."""
    written = "with observation and mask" if looks else "without"
    return f"decisions, {play}, N = {n}, {written}, {threads} thread{'s' if threads > 1 else ''}"


# Batches


def batch_figures(bench: Bench, play: str) -> list[Figure]:
    """Decisions per second of batches, and the share of time that starting new games takes.

    Raises:
        UnknownAgent: the game has no heuristic player.
    """
    player = _heuristic_player(bench) if play == HEURISTIC else random_player(bench)
    positions, length = positions_of(bench, player)
    figures = []
    for n in bench.sizes:
        start, actions = recorded(bench, player, positions, n)
        for threads in [1] if n < 2 * ROWS_PER_THREAD else sorted({1, usable_threads(None)}):
            for looks in (True, False):
                work = replay(bench, start, actions, looks, threads)
                figures.append(bench.rate(step_name(play, n, looks, threads), work))
    deal = bench.nanoseconds(f"dealing a new game, {play}", _deals(bench))
    n = 1024 if 1024 in bench.sizes else max(bench.sizes)
    step = next(1e9 / figure.median for figure in figures if figure.name == step_name(play, n))
    share = f"new games' share of the time of steps, {play}, N = {n}, with observation and mask"
    return [
        *figures,
        exactly(f"decisions per game, {play}", "decisions", length),
        deal,
        exactly(share, PERCENT, 100 * deal.median / (step * length)),
    ]


def random_player(bench: Bench) -> Player:
    """Chooses uniformly."""
    rng = _rng(max(*bench.sizes, *bench.growth, bench.positions))

    def choose(batch: Batch) -> Actions:
        actions = np.zeros(batch.num_games, np.int32)
        loops_of(bench.game).random_actions(batch.mask.copy(), rng, actions, 0, batch.num_games)
        return actions

    return choose


def _heuristic_player(bench: Bench) -> Player:
    agent = HeuristicAgent(bench.game, bench.config)
    return lambda batch: agent.act(batch.obs, batch.mask.copy(), batch.states.copy())


def _rng(n: int) -> npt.NDArray[np.void]:
    rng = np.zeros(n, AGENT_RNG)
    rng["rng"] = np.random.default_rng(1).integers(0, 2**64, n, np.uint64)
    return rng


def _batch(bench: Bench, n: int, looks: bool = True, threads: int = 1) -> Batch:
    return Batch(bench.game, n, seed=0, observe=looks, threads=threads, **bench.config.options)


def positions_of(bench: Bench, player: Player) -> tuple[npt.NDArray[np.void], float]:
    """Positions at random times of different games, and the mean length of the games that ended meanwhile."""
    rng = np.random.default_rng(2)
    batch = _batch(bench, bench.positions)
    kept = batch.states.copy()
    lengths: list[int] = []
    for played in range(1, _LONGEST_WAIT):
        batch.step(player(batch))
        lengths += batch.finals[batch.done != 0, -1].tolist()
        chosen = np.flatnonzero(rng.random(bench.positions) < 1 / played)  # so each time is equally likely
        kept[chosen] = batch.states[chosen]
        if len(lengths) >= bench.positions:
            break
    return kept, float(np.mean(lengths or [played]))


def recorded(
    bench: Bench, player: Player, positions: npt.NDArray[np.void], n: int
) -> tuple[dict[str, Any], list[Actions]]:
    """The state at the beginning of a batch of n games, and the actions of the steps from there."""
    game, config, batch = bench.game, bench.config.record, _batch(bench, n)
    games = np.resize(positions, n)
    game_seeds = np.random.default_rng(3).integers(0, 2**64, n, np.uint64)
    loops_of(game).determinize_games(games, config, game_seeds, games["seat"].copy(), 0, n)
    start = batch.get_state()
    start["_games"][:], start["_seat"][:] = games, games["seat"]
    loops_of(game).look_games(games, config, start["_obs_bytes"].view(game.obs)[:, 0], start["_mask"], 0, n)
    batch._take(start)
    start = batch.get_state()
    actions = []
    for _ in range(max(4, bench.decisions // max(n, 3))):  # a batch of one is slow to record
        actions.append(player(batch))
        batch.step(actions[-1])
    return start, actions


def replay(
    bench: Bench, start: dict[str, Any], actions: list[Actions], looks: bool, threads: int
) -> Callable[[], tuple[float, float]]:
    """The `Work` of playing recorded actions again; `looks` says whether observation and mask are written."""
    n, now = len(actions[0]), clock(threads)
    batch = _batch(bench, n, looks, threads)

    def work() -> tuple[float, float]:
        batch.set_state(start)
        step = batch.step
        began = now()
        for chosen in actions:
            step(chosen)
        return n * len(actions), now() - began

    return work


def _deals(bench: Bench) -> Callable[[], tuple[float, float]]:
    n = bench.positions
    games = np.zeros(n, bench.game.state)
    game_seeds = np.random.default_rng(4).integers(0, 2**64, n, np.uint64)
    return timed(lambda: loops_of(bench.game).reset_games(games, bench.config.record, game_seeds, 0, n), n)


def timed(call: Callable[[], Any], amount: float, threads: int = 1) -> Callable[[], tuple[float, float]]:
    """The `Work` of a call that does this amount."""
    now = clock(threads)

    def work() -> tuple[float, float]:
        began = now()
        call()
        return amount, now() - began

    return work


# Players


def playout_figures(bench: Bench) -> list[Figure]:
    """Random games played by one compiled loop, including the choices and new games."""
    n, count = 1024, max(1, bench.decisions // 1024)
    batch = _batch(bench, n)
    games, mask, rng = batch.states.copy(), batch.mask.copy(), _rng(n)

    def play(threads: int) -> None:
        run_ranges(
            lambda _, lo, hi: loops_of(bench.game).play_random(games, bench.config.record, mask, rng, count, lo, hi),
            n,
            threads,
        )

    for _ in range(8):
        play(1)  # past the first decisions of the games
    return [
        bench.rate(
            f"compiled random playouts, decisions, {threads} thread{'s' if threads > 1 else ''}",
            timed(lambda threads=threads: play(threads), n * count, threads),  # type: ignore[misc]
        )
        for threads in sorted({1, usable_threads(None)})
    ]


def heuristic_figures(bench: Bench) -> list[Figure]:
    """The heuristic agent's choices, with arguments prepared in advance.

    Raises:
        UnknownAgent: the game has no heuristic player.
    """
    agent = HeuristicAgent(bench.game, bench.config)
    states, _ = positions_of(bench, _heuristic_player(bench))
    n = len(states)
    observation = np.zeros((n, bench.game.obs.itemsize), np.int8)
    mask = np.zeros((n, bench.config.num_actions), np.int8)
    records = observation.view(bench.game.obs)[:, 0]
    loops_of(bench.game).look_games(states, bench.config.record, records, mask, 0, n)
    return [bench.rate("heuristic agent, decisions, 1 thread", timed(lambda: agent.act(observation, mask, states), n))]


def aec_figures(bench: Bench) -> list[Figure]:
    """PettingZoo's loop with random legal play: `agent_iter`, `last`, the choice, `step`; nothing is subtracted.

    The last, empty steps of a game are timed but not counted; `reset` is neither.
    """
    return [
        bench.rate("AEC loop, decisions, raw", aec_games(RawAEC(bench.game, **bench.config.options))),
        bench.rate("AEC loop, decisions, wrapped", aec_games(make_aec(bench.game, **bench.config.options))),
    ]


def aec_games(env: Any) -> Callable[[], tuple[float, float]]:
    """The `Work` of one game of a PettingZoo AEC environment with random legal play."""
    draw, now = random.Random(0).random, clock()
    env.reset(seed=0)

    def work() -> tuple[float, float]:
        env.reset()
        decisions = 0
        began = now()
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            legal = observation["action_mask"].nonzero()[0]
            env.step(legal[int(draw() * len(legal))])
            decisions += 1
        return decisions, now() - began

    return work


# Memory


def memory_figures(bench: Bench) -> list[Figure]:
    """The size of a game, and the time to copy as many bytes."""
    game, n = bench.game, 1024
    sizes = {"state": game.state.itemsize, "observation": game.obs.itemsize, "mask": bench.config.num_actions}
    figures = [exactly(f"size of one {name}", BYTES, size) for name, size in sizes.items()]
    looks = sizes["observation"] + sizes["mask"]
    for name, size in (("observation and mask", looks), ("state, observation and mask", looks + sizes["state"])):
        source, target = np.ones(n * size, np.int8), np.zeros(n * size, np.int8)
        work = timed(lambda source=source, target=target: np.copyto(target, source), n)  # type: ignore[misc]
        figures.append(bench.nanoseconds(f"np.copyto of {name}, N = {n}, per game", work))
    few = 128  # both copies stay in the processor's cache
    games, copies = np.zeros(few, game.state), np.zeros(few, game.state)
    figures.append(
        bench.nanoseconds("copying one state in compiled code", timed(lambda: _copy_games(games, copies), few))
    )
    return figures


@entry_point
def _copy_games(games: npt.NDArray[np.void], copies: npt.NDArray[np.void]) -> None:
    for i in range(len(games)):
        copies[i] = games[i]
