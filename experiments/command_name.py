"""How the command line is called here: it differs between an installed wheel and a checkout."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

_PARENT = Path(__file__).resolve().parents[1]
CHECKOUT = _PARENT if (_PARENT / "pyproject.toml").is_file() else None  # None in an installed wheel


def command_name() -> str:
    """What a user types in front of a command's name: "bdgame", or "python -m experiments" in a checkout."""
    called = Path(sys.argv[0])
    if called.stem == "bdgame" or (CHECKOUT is None and called.name != "__main__.py"):
        return "bdgame"
    return "python -m experiments" if CHECKOUT else "python -m bdgame_env.experiments"


def this_command() -> str:
    """The command that is running, as one could type it again."""
    return f"{command_name()} {shlex.join(sys.argv[1:])}"


def install_command(extra: str) -> str:
    """The pip command that installs an extra."""
    return f"pip install -e '.[{extra}]'" if CHECKOUT else f"pip install 'bdgame_env[{extra}]'"
