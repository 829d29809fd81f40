"""The examples of the README run as they stand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

README = Path(__file__).resolve().parents[1] / "README.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("code", EXAMPLES, ids=lambda code: code.splitlines()[0])
def test_an_example_runs(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each python block, by itself, prints something and raises nothing."""
    exec(compile(code, str(README), "exec"), {"__name__": "__example__"})
    assert capsys.readouterr().out


def test_the_resolvers_example_prints_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    """E2: 2 Blue through the splitter are 4 Yellow and 4 Red."""
    (code,) = (code for code in EXAMPLES if "planning.resolve" in code)
    exec(compile(code, str(README), "exec"), {"__name__": "__example__"})
    assert capsys.readouterr().out.startswith("[[4 4 0]]")
