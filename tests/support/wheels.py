"""Builds the wheels of a release into `dist`, from a checkout: `make wheels`.

Besides the pure wheel, which runs everywhere, that is a wheel for this Python on Linux with the machine code of all
games. Where it fits and was made with the Numba that is installed, nothing has to be compiled.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from hatchling.builders.wheel import WheelBuilder

from bdgame_env import list_games
from tests.support import machine_code
from tests.support.wheel_check import install, run

ROOT = Path(__file__).resolve().parents[2]
MACHINE_CODE = ROOT / "build" / "wheels" / "machine_code"
DIST = ROOT / "dist"
# Of glibc the code needs what it has had since long before 2.17 (`machine_code.KNOWN`).
PLATFORM = "manylinux_2_17_x86_64.manylinux2014_x86_64"

FIRST = """
import sys
import bdgame_env
from bdgame_env.engine.compile_listener import compiling
match = bdgame_env.make_match(sys.argv[1])
match.play(match.legal_actions()[0])
if sys.argv[2] == "search":
    from bdgame_env.agents import make_agent
    agent = make_agent("az:sims=64", match.game, match.config)
    agent.act(match.observe()[None], match.mask()[None], match.states.copy())
print(compiling().functions, "functions compiled")
"""


def platform_tag() -> str:
    """The tag of a wheel for the Python that runs this.

    Raises:
        SystemExit: no machine code is made for such a platform.
    """
    if not machine_code.can_be_made():
        raise SystemExit("wheels: machine code is only made for CPython on Linux on x86-64")
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}{sys.abiflags}-{PLATFORM}"


class _PlatformWheel(WheelBuilder):
    """Builds the wheel that holds the machine code."""

    def get_default_build_data(self) -> dict[str, Any]:
        """See hatchling."""
        files = {str(MACHINE_CODE): "bdgame_env/machine_code"}
        return {**super().get_default_build_data(), "pure_python": False, "tag": platform_tag(), "force_include": files}


def build(directory: Path, builder: type[WheelBuilder]) -> Path:
    """Build a wheel; returns it."""
    (made,) = builder(str(ROOT)).build(directory=str(directory), versions=["standard"])
    return Path(made)


def check(wheel: Path, games: list[str]) -> None:
    """Use a wheel in a new virtual environment, with an empty cache, and say how long it takes.

    Raises:
        SystemExit: something had to be compiled.
    """
    with tempfile.TemporaryDirectory() as name:
        work = Path(name).resolve()
        programs = install(wheel, work / "installed")
        run([str(programs / "python"), "-I", "-m", "compileall", "-q", str(work / "installed")], work)  # as pip does
        variables = {"NUMBA_DISABLE_JIT": "0", "PYTHONWARNINGS": "", "BDGAME_ENV_CACHE_DIR": str(work / "cache")}

        def seconds(command: list[str], wanted: str) -> float:
            began = time.monotonic()
            said = "".join(run(command, work, **variables))
            if wanted not in said:
                raise SystemExit(f"{' '.join(command[-2:])}: printed {said!r}, wanted {wanted!r}")
            return time.monotonic() - began

        for game in games:
            first = [str(programs / "python"), "-I", "-c", FIRST, game]
            move, search = (seconds([*first, what], "0 functions compiled") for what in ("move", "search"))
            warmup = seconds([str(programs / "bdgame"), "warmup", game], "nothing to compile")
            print(f"{game}: first move {move:.1f} s, first search {search:.1f} s, bdgame warmup {warmup:.1f} s")


def main() -> None:
    """Compile all games, build both wheels, try the one with machine code, and print sizes and times."""
    platform_tag()
    games = sys.argv[1:] or list_games()
    began = time.monotonic()
    command = [sys.executable, "-m", "tests.support.machine_code", str(MACHINE_CODE), *games]
    if subprocess.run(command, cwd=ROOT, env=machine_code.variables(MACHINE_CODE), check=False).returncode:
        raise SystemExit("wheels: the machine code was not made")
    sizes = [file.stat().st_size for file in MACHINE_CODE.iterdir()]
    print(f"machine code: {len(sizes)} files, {sum(sizes) / 1e6:.1f} MB, {time.monotonic() - began:.0f} s")
    for builder in (WheelBuilder, _PlatformWheel):
        wheel = build(DIST, builder)
        print(f"{wheel.relative_to(ROOT)}: {wheel.stat().st_size / 1e6:.1f} MB", flush=True)
    check(wheel, games)


if __name__ == "__main__":
    main()
