"""Checks that engine and rules work with only NumPy, Numba and Gymnasium installed: `make minimal-install`.

A fresh process, in which neither the extras nor PettingZoo can be imported, plays a game and a batch.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BLOCKED = (
    *("torch", "stable_baselines3", "sb3_contrib", "tensorboard", "pettingzoo"),
    *("matplotlib", "pydantic", "rich", "typer", "pyspiel", "pytest", "hypothesis"),
    *("resvg_py", "PIL", "pygame"),
)
PLAY = """
import sys
from importlib.abc import MetaPathFinder


class Blocker(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name.partition(".")[0] in blocked:
            raise ModuleNotFoundError(f"No module named {name!r} (blocked)", name=name)
        return None


blocked = set(sys.argv[1:])
sys.meta_path.insert(0, Blocker())
for name in blocked:
    try:
        __import__(name)
    except ModuleNotFoundError:
        continue
    raise SystemExit(f"{name} is not blocked")

import bdgame_env

for game in bdgame_env.list_games():
    short = {"max_rounds": 3} if "max_rounds" in bdgame_env.get_game(game).options else {}
    match = bdgame_env.make_match(game, seed=1, players=2, **short)
    decisions = 0
    while not match.over:
        moves = match.legal_moves()
        match.play(moves[decisions * 7919 % len(moves)])
        decisions += 1
    assert sorted(match.ranks())[0] == 1
    twin = bdgame_env.match_from_snapshot(match.snapshot(omniscient=True))
    assert twin.over and twin.points() == match.points()
    batch = bdgame_env.make_batch(game, 16, seed=1)
    for _ in range(50):
        batch.step(batch.mask.argmax(axis=1))
    assert batch.obs.any()
    try:
        bdgame_env.make_aec(game)
    except ImportError as missing:
        assert "pettingzoo" in str(missing).lower(), missing
    else:
        raise SystemExit("make_aec works without PettingZoo?")
print(f"minimal install: OK, {decisions} decisions in a match, 800 in a batch; blocked: {' '.join(sorted(blocked))}")
"""


def main() -> None:
    """Play in a fresh process, with warnings as errors."""
    command = [sys.executable, "-W", "error", "-c", PLAY, *BLOCKED]
    raise SystemExit(subprocess.run(command, cwd=ROOT, check=False).returncode)


if __name__ == "__main__":
    main()
