"""Environments in processes that are spawned, from `python -c`: the examples of the pages."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGES = Path(__file__).parents[2] / "docs/frameworks"


@pytest.mark.slow
@pytest.mark.parametrize("page", ["gymnasium.md", "stable_baselines3.md"])
def test_the_id_with_its_package_is_found_in_other_processes(page: str, tmp_path: Path) -> None:
    blocks = re.findall(r"```py\n(.*?)```", (PAGES / page).read_text("utf-8"), re.DOTALL)
    (code,) = (block for block in blocks if "bdgame_env:bdgame_env/" in block)
    assert "spawn" in code and "import bdgame_env" not in code
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0 and re.fullmatch(r"\(2, \d+\)\n", done.stdout), done.stderr
