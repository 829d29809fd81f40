"""Scripts as users write them, for type checkers: one that is right, and one with a mistake in every line of calls."""

from __future__ import annotations

RIGHT = """
from typing import Any

from bdgame_env import bdgame_v3, gizmos_v3, nicodemus_v2, pixel_pusher_v2
from bdgame_env import list_games, make_aec, make_batch, make_gym, make_match, make_parallel, make_sb3_vec, make_vector

players: int = 3
env = bdgame_v3.env(players=players, reward="win", observation="dict", illegal="raise", selling=True)
moves: list[str] = env.legal_moves()
raw = gizmos_v3.raw_env(rules="printed", max_cycles=None)
seat: int = raw.match.seat
nicodemus_v2.from_snapshot({}, max_rounds=9)
together = pixel_pusher_v2.parallel_env(triple="any", render_mode="ansi")
name: str = together.game.id
learner = make_gym("gizmos-v3", seat=0, opponents=["heuristic"], rules="printed")
lineup: tuple[str, ...] = learner.lineup
own: dict[str, Any] = {"depth": 3}
for game in list_games():
    make_aec(game, players=2, illegal="raise").legal_moves()
    make_parallel(game, max_rounds=3, **own).possible_agents
    points: list[int] = make_match(game, seed=1, selling=True).points()
    waiting = make_batch(game, 4, seed=1, observe=False, threads=1).seat
    width: int = make_vector(game, 4, opponents="random", observation="float", threads=2).num_envs
    make_sb3_vec(game, 4, seat="random", bootstrap=True, observation="entities", triple="any").action_masks()
"""
WRONG = """
from bdgame_env import bdgame_v3, gizmos_v3, nicodemus_v2, pixel_pusher_v2
from bdgame_env import make_aec, make_batch, make_gym, make_match, make_parallel, make_sb3_vec, make_vector

bdgame_v3.env(plyers=3)
bdgame_v3.env(players="three")
gizmos_v3.raw_env(illegal="end")
gizmos_v3.env(rules="home")
nicodemus_v2.env(trading=True)
pixel_pusher_v2.parallel_env(observaton="dict")
make_aec("bdgame-v3", plyers=3)
make_parallel("gizmos-v3", rules="home")
make_match("gizmos-v3", opponents="random")
make_batch("gizmos-v3", "many")
make_gym("gizmos-v3", plyers=3)
make_vector("gizmos-v3", 4, opponent="random")
make_sb3_vec("gizmos-v3", 4, render_mode="ansi")
"""
MISTAKES = range(5, 18)  # the lines of WRONG that are to be refused, from 1
