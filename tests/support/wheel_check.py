"""Builds the sdist, builds the wheel from it, and uses the installed wheel without the checkout: `make wheel-check`."""

from __future__ import annotations

import json
import os
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
    *("bdgame_env", "agents", "experiments", "tests", "docs", "examples"),
    *("README.md", "CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "LICENSE"),
    *("Makefile", "constraints.txt", "pyproject.toml"),
    *(".gitignore", "PKG-INFO"),
}
IMPORT_ALL = """
import importlib, importlib.util, pkgutil, sys
import bdgame_env
from bdgame_env.agents import make_agent  # as README shows it
installed = sys.argv[1]
found = [module.name for module in pkgutil.walk_packages(bdgame_env.__path__, "bdgame_env.")]
names = [name for name in found if not name.endswith("__main__")]
for name in names:
    try:
        assert importlib.import_module(name).__file__.startswith(installed), name
    except ModuleNotFoundError as error:
        assert "pip install 'bdgame_env[" in str(error), f"{name}: {error}"  # an extra that is not installed here
for name in ("agents", "experiments"):
    assert importlib.util.find_spec(name) is None, f"a top-level package `{name}`"
print(f"wheel: {len(names)} modules import alone; games {', '.join(bdgame_env.list_games())}")
"""
SERVER = "starlette"  # what `bdgame play` needs of the extra `play`
TOURNAMENT = "tournament nicodemus-v2 random random --games 1 --workers 1 --out results"
# Arguments of the console script `bdgame`, its exit code, and what it prints.
COMMANDS = (
    ("--help", 0, "Usage: bdgame "),
    ("games", 0, "nicodemus-v2: "),
    (TOURNAMENT, 0, "2 games on 1 deals"),
    ("tournament --help", 0, "Usage: bdgame tournament "),
    ("tournament chess a b", 2, "error: unknown game 'chess'"),
)
NO_SERVER = "error: play needs the extra 'play': pip install 'bdgame_env[play]'\n"


def build(target: str, source: Path, into: Path) -> Path:
    """Build with the installed hatchling; returns the archive."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(into)]
    done = subprocess.run(command, cwd=source, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{target}: {done.stdout}{done.stderr}")
    (made,) = into.iterdir()
    return made


def differences(found: set[str], wanted: set[str]) -> list[str]:
    """A line for each file that is missing or should not be there."""
    return [f"missing: {name}" for name in sorted(wanted - found)] + [
        f"unwanted: {name}" for name in sorted(found - wanted)
    ]


def wheel_files() -> set[str]:
    """The files that the wheel must contain, besides its metadata."""
    wanted = set()
    for folder, place in SHIPPED.items():
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                wanted.add(f"{place}/{path.relative_to(ROOT / folder).as_posix()}")
    return wanted


def install(wheel: Path, folder: Path) -> Path:
    """Install a wheel, without dependencies, in a new virtual environment; returns its folder of programs.

    Dependencies come from the environment that runs this check, but its `.pth` files (its editable install) are not
    read.
    """
    python = [sys.executable, "-I", "-m"]
    run([*python, "venv", "--without-pip", str(folder)], folder.parent)
    pip = [*python, "pip", "--python", str(folder), "--disable-pip-version-check"]
    run(
        [*pip, "install", "-q", "--no-deps", "--no-index", "--no-compile", str(wheel)], folder.parent, PYTHONWARNINGS=""
    )
    (packages,) = folder.glob("**/site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return folder / ("Scripts" if sys.platform == "win32" else "bin")


def run(command: list[str], folder: Path, expected: int = 0, **variables: str) -> tuple[str, str]:
    """Run a program in a folder, without the JIT; returns what it printed on stdout and stderr.

    Raises:
        SystemExit: its exit code is not the expected one.
    """
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONWARNINGS": "error", **variables}
    environment.pop("PYTHONPATH", None)
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != expected:
        raise SystemExit(f"{' '.join(command)[:200]}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout, done.stderr


def check_commands(programs: Path, folder: Path) -> None:
    """Use the console script as a user would.

    Raises:
        SystemExit: a command failed, or printed something else.
    """
    for arguments, code, wanted in COMMANDS:
        shown = "".join(run([str(programs / "bdgame"), *arguments.split()], folder, code, COLUMNS="100"))
        if wanted not in shown:
            raise SystemExit(f"bdgame {arguments}: printed {shown!r}, wanted {wanted!r}")
    result = json.loads((folder / "results" / "result.json").read_text(encoding="utf-8"))
    made = result["run"]["command"], result["run"]["commit"]
    if made != (f"bdgame {TOURNAMENT}", None):
        raise SystemExit(f"the result's command and commit are {made}")
    (packages,) = programs.parent.glob("**/site-packages")
    (packages / SERVER).mkdir()  # shadows the real one and cannot be imported, as if the extra were not installed
    missing = f"raise ModuleNotFoundError('No module named {SERVER}', name={SERVER!r})\n"
    (packages / SERVER / "__init__.py").write_text(missing, encoding="utf-8")
    seats = ["--seats", "human,random", "--no-open"]
    said = run([str(programs / "bdgame"), "play", "nicodemus-v2", "--hint", "random", *seats], folder, 2)
    if said != ("", NO_SERVER):
        raise SystemExit(f"bdgame play without its extra: {said}")


def main() -> None:
    """Build, compare the lists of files, install the wheel, import every module, and run the command."""
    with tempfile.TemporaryDirectory() as name:
        work = Path(name).resolve()
        sdist = build("sdist", ROOT, work / "sdist")
        with tarfile.open(sdist) as archive:
            archive.extractall(work / "source", filter="data")
        (source,) = (work / "source").iterdir()
        wrong = [f"sdist: unwanted: {path.name}" for path in source.iterdir() if path.name not in IN_SDIST]

        wheel = build("wheel", source, work / "wheel")
        with zipfile.ZipFile(wheel) as archive:
            files = {path for path in archive.namelist() if ".dist-info/" not in path}
        wrong += [f"wheel: {line}" for line in differences(files, wheel_files())]
        if wrong:
            raise SystemExit("\n".join(wrong))

        programs = install(wheel, work / "installed")
        here = work / "elsewhere"
        here.mkdir()
        said, _ = run([str(programs / "python"), "-I", "-c", IMPORT_ALL, str(work / "installed")], here)
        print(said, end="")
        check_commands(programs, here)
        print(f"wheel: `bdgame` runs: {'; '.join(arguments for arguments, _, _ in COMMANDS)}; play without its extra")


if __name__ == "__main__":
    main()
