"""Every test runs in `make test`: what only the run without the JIT takes lies in the folders of that run."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_plain_tests_lie_where_the_run_without_the_jit_looks() -> None:
    rule_tests = re.search(r"^RULE_TESTS := (.*)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert rule_tests is not None
    folders = [ROOT / name for name in rule_tests[1].split()]
    plain = [path for path in (ROOT / "tests").rglob("*.py") if "mark." + "plain" in path.read_text("utf-8")]
    assert len(plain) > 10
    assert [path for path in plain if not any(path.is_relative_to(folder) for folder in folders)] == []
