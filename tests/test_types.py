"""The types that users meet: strict mypy finds a misspelt option in their scripts, and nothing in correct ones."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import get_type_hints

import pytest

from bdgame_env import bdgame_v3, get_game, gizmos_v3, nicodemus_v2, pixel_pusher_v2, registration
from bdgame_env.registry import list_games
from tests.support.typed_scripts import MISTAKES, RIGHT, WRONG

ROOT = Path(__file__).resolve().parents[1]
MODULES = [bdgame_v3, gizmos_v3, nicodemus_v2, pixel_pusher_v2]
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


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_the_types_have_all_options(module: ModuleType) -> None:
    game = get_game(module.__name__.rpartition(".")[2].replace("_v", "-v"))
    assert set(get_type_hints(module.Options)) == {"players", *game.options}


def test_the_makers_have_the_options_of_all_games() -> None:
    """With the types that the modules give them."""
    together = get_type_hints(registration.Options)
    assert set(together) == {"players", *(name for game in list_games() for name in get_game(game).options)}
    for module in MODULES:
        assert get_type_hints(module.Options).items() <= together.items()
