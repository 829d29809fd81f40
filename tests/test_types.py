"""The types that users meet: strict mypy finds a misspelt option in their scripts, and nothing in correct ones."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any, get_type_hints

from bdgame_env.registry import get_game, list_games
from tests.support.typed_scripts import MISTAKES, RIGHT, WRONG

ROOT = Path(__file__).resolve().parents[1]
# What users' code does not see of the libraries is skipped, which makes it seconds instead of minutes.
SETTINGS = """
[mypy]
strict = true
mypy_path = {root}
cache_dir = {cache}
[mypy-bdgame_env.*]
follow_imports = silent
[mypy-numba.*,llvmlite.*,numpy.*,gymnasium.*,pettingzoo.*,stable_baselines3.*,torch.*,matplotlib.*]
follow_imports = skip
"""


def test_mypy_knows_the_options(tmp_path: Path) -> None:
    for name, text in (
        ("mypy.ini", SETTINGS.format(root=ROOT, cache=tmp_path)),
        ("right.py", RIGHT),
        ("wrong.py", WRONG),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--config-file", "mypy.ini", "right.py", "wrong.py"]
    told = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False).stdout
    errors = [line for line in told.splitlines() if ": error: " in line]
    assert [line.split(": ")[0] for line in errors] == [f"wrong.py:{number}" for number in MISTAKES], told
    assert 'Unexpected keyword argument "plyers"' in errors[0] and 'incompatible type "str"' in errors[1]


def test_an_option_has_one_type_in_all_games() -> None:
    """So that `make_gym` can take the options of all games; each is declared once, with its type."""
    types: dict[str, Any] = {}
    for game_id in list_games():
        game = get_game(game_id)
        declared = get_type_hints(import_module(game.module.removesuffix("game") + "options").Options)
        assert declared.keys() == game.options.keys()
        for name, kind in declared.items():
            assert types.setdefault(name, kind) == kind, f"{game_id}: {name}"
