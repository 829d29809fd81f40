"""What pages consist of is sent without indentation and comments, and nothing else is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from bdgame_env.experiments.play import assets

FILES = sorted((Path(assets.__file__).parent / "web" / "static").iterdir())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_only_indentation_and_comments_are_left_out(path: Path) -> None:
    source, sent = path.read_text("utf-8").splitlines(), assets.asset(path.name).splitlines()
    assert sent == [line.strip() for line in source if line.strip() and not line.strip().startswith("//")]
    for line in source:
        assert line.count("`") % 2 == 0 and ("/*" in line) == ("*/" in line), (
            "nothing spans lines, so that this is safe"
        )
    assert "pre" not in [part.strip("<>") for part in " ".join(sent).split()], "no text whose indentation is seen"
