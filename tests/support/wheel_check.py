"""Builds the sdist, from it the wheel, and uses the wheel alone, without the checkout: `make wheel-check`."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# in the checkout -> in the wheel
SHIPPED = {"bdgame_env": "bdgame_env", "agents": "bdgame_env/agents", "experiments": "bdgame_env/experiments"}
IN_SDIST = {
    *("bdgame_env", "agents", "experiments", "tests", "docs"),
    *("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Makefile", "constraints.txt", "pyproject.toml"),
    *(".gitignore", "PKG-INFO"),
}
USE_ALL = """
import importlib, importlib.util, pkgutil, sys
wheel, site_packages = sys.argv[1:]
sys.path[:] = [wheel, *sys.path, site_packages]
import bdgame_env
found = [module.name for module in pkgutil.walk_packages(bdgame_env.__path__, "bdgame_env.")]
names = [name for name in found if not name.endswith("__main__")]
for name in names:
    assert importlib.import_module(name).__file__.startswith(wheel), name
for name in ("agents", "experiments"):
    assert importlib.util.find_spec(name) is None, f"a top-level package `{name}`"
from bdgame_env import registry
games = [registry.get_game(game_id).id for game_id in registry.list_games()]
print(f"wheel: {len(names)} modules import alone; games {', '.join(games)}")
"""


def build(target: str, source: Path, into: Path) -> Path:
    """Build with the hatchling that is installed, and return what came out."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(into)]
    done = subprocess.run(command, cwd=source, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{target}: {done.stdout}{done.stderr}")
    (made,) = into.iterdir()
    return made


def differences(found: set[str], wanted: set[str]) -> list[str]:
    """What is too little or too much."""
    return [f"missing: {name}" for name in sorted(wanted - found)] + [
        f"unwanted: {name}" for name in sorted(found - wanted)
    ]


def wheel_files() -> set[str]:
    """The files that the wheel must hold, beside its metadata."""
    wanted = set()
    for folder, place in SHIPPED.items():
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                wanted.add(f"{place}/{path.relative_to(ROOT / folder).as_posix()}")
    return wanted


def main() -> None:
    """Build, compare the lists of files, import everything."""
    with tempfile.TemporaryDirectory() as name:
        work = Path(name).resolve()
        sdist = build("sdist", ROOT, work / "sdist")
        with tarfile.open(sdist) as archive:
            archive.extractall(work / "source", filter="data")
        (source,) = (work / "source").iterdir()
        wrong = [f"sdist: unwanted: {path.name}" for path in source.iterdir() if path.name not in IN_SDIST]

        wheel = build("wheel", source, work / "wheel")
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(work / "installed")
            files = {path for path in archive.namelist() if ".dist-info/" not in path}
        wrong += [f"wheel: {line}" for line in differences(files, wheel_files())]
        if wrong:
            raise SystemExit("\n".join(wrong))

        paths = [str(work / "installed"), sysconfig.get_path("purelib")]
        alone = [sys.executable, "-I", "-S", "-W", "error", "-c", USE_ALL, *paths]  # -S: no editable install
        raise SystemExit(subprocess.run(alone, cwd=work, check=False).returncode)


if __name__ == "__main__":
    main()
