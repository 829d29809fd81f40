"""A virtual environment for each client, in `.clients` (ignored by git), filled by plain pip."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HOMES = ROOT / ".clients"
SCRIPTS = Path(__file__).parent


def clients() -> list[str]:
    """The names of all clients: the scripts in this folder that say what they need."""
    return [script.stem for script in sorted(SCRIPTS.glob("*.py")) if needs(script.stem)]


def programs() -> list[str]:
    """The names of the scripts that are run on their own and tell by their exit status whether all is well."""
    return [script.stem for script in sorted(SCRIPTS.glob("*.py")) if needs(script.stem, "PROGRAM_NEEDS")]


def needs(client: str, name: str = "NEEDS") -> list[str]:
    """What to install: a list of the client's script, which cannot be imported before; [] if it has none."""
    for statement in ast.parse((SCRIPTS / f"{client}.py").read_text("utf-8")).body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == name:
            found: list[str] = ast.literal_eval(statement.value)
            return found
    return []


def install(client: str) -> Path:
    """Make the client's environment if it is not there yet, or if its needs have changed.

    Returns:
        The environment's Python.

    Raises:
        subprocess.CalledProcessError: pip failed.
    """
    home = HOMES / client
    python, stamp = home / "bin" / "python", home / "installed.txt"
    wanted = needs(client) or needs(client, "PROGRAM_NEEDS")
    if stamp.is_file() and stamp.read_text("utf-8").split("\n") == wanted:
        return python
    print(f"{client}: installing {' '.join(wanted)}", flush=True)
    subprocess.run([sys.executable, "-m", "venv", "--clear", home], check=True)
    own = [part for need in wanted for part in (("-e", need) if need.startswith(".") else (need,))]
    torch = home / "constraints.txt"  # the newest torch can be gigabytes larger; everything else is the newest
    tested = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    torch.write_text("\n".join(line for line in tested if line.startswith("torch==")), "utf-8")
    pip = [python, "-m", "pip", "install", "-qq", "--no-compile", "--disable-pip-version-check", "-c", torch]
    subprocess.run([*pip, *own], cwd=ROOT, check=True)
    stamp.write_text("\n".join(wanted), "utf-8")
    return python
