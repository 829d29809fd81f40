"""Builds the wheels of a release into `dist`, from a checkout: `make wheels`.

Besides the pure wheel, which runs everywhere, that is a wheel for this Python on Linux with the machine code of all
games. Where it fits and was made with the Numba that is installed, nothing has to be compiled.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from hatchling.builders.wheel import WheelBuilder

from tests.support import machine_code

ROOT = Path(__file__).resolve().parents[2]
MACHINE_CODE = ROOT / "build" / "wheels" / "machine_code"
DIST = ROOT / "dist"
# Of glibc the code needs what it has had since long before 2.17 (`machine_code.KNOWN`).
PLATFORM = "manylinux_2_17_x86_64.manylinux2014_x86_64"


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


def main() -> None:
    """Compile all games, build both wheels, and print sizes and times."""
    platform_tag()
    began = time.monotonic()
    command = [sys.executable, "-m", "tests.support.machine_code", str(MACHINE_CODE), *sys.argv[1:]]
    if subprocess.run(command, cwd=ROOT, env=machine_code.variables(MACHINE_CODE), check=False).returncode:
        raise SystemExit("wheels: the machine code was not made")
    sizes = [file.stat().st_size for file in MACHINE_CODE.iterdir()]
    print(f"machine code: {len(sizes)} files, {sum(sizes) / 1e6:.1f} MB, {time.monotonic() - began:.0f} s")
    for builder in (WheelBuilder, _PlatformWheel):
        wheel = build(DIST, builder)
        print(f"{wheel.relative_to(ROOT)}: {wheel.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
