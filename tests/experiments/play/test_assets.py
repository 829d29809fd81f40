"""What pages consist of is sent without indentation, comments and idle spaces, and nothing else is lost."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bdgame_env.experiments.play import assets

FILES = sorted((Path(assets.__file__).parent / "web" / "static").iterdir())


def whole(line: str, suffix: str) -> str | None:
    """A line without what follows two slashes outside texts, or lies between the marks of CSS; None if that is all."""
    if suffix == ".css" and "/*" in line:
        front, _, rest = line.partition("/*")
        line = front.rstrip() + rest.partition("*/")[2]
    quote, place = "", 0
    while suffix == ".js" and place < len(line):
        each = line[place]
        if quote:
            place += each == "\\"
            quote = "" if each == quote else quote
        elif each in "\"'`":
            quote = each
        elif line.startswith("// ", place):
            line = line[:place].rstrip()
        place += 1
    return line.strip() or None


def pieces(lines: list[str], suffix: str) -> list[str]:
    """The lines; of a style sheet what lies between its marks, without spaces around it or last semicolons."""
    if suffix != ".css":
        return lines
    found = [piece.strip() for piece in re.split(r"([{};:,])", " ".join(lines))]
    found = [piece for piece in found if piece]
    return [piece for piece, after in zip(found, [*found[1:], ""], strict=True) if (piece, after) != (";", "}")]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_only_indentation_and_comments_are_left_out(path: Path) -> None:
    source, sent = path.read_text("utf-8").splitlines(), assets.asset(path.name).splitlines()
    kept = [whole(line, path.suffix) for line in filter(None, map(str.strip, source))]
    lines = [line for line in kept if line is not None]
    if path.suffix == ".js":
        script, whole_script = "\n".join(sent), "\n".join(lines)
        for kind in (r"[\w$]+", r"\S"):  # no two words become one, and no mark is lost
            assert re.findall(kind, script) == re.findall(kind, whole_script)
        text_or_template = r"\"[^\"]*\"|'[^']*'|`[^`]*`"
        patterns = [line for line in lines if "/" in re.sub(text_or_template, "", line)]
        assert all(line in script for line in patterns), "patterns stay as they are"
        texts = [text for line in lines for text in re.findall(text_or_template, line)]
        assert all(text in script for text in texts), "texts and templates stay as they are"
        assert "+ +" not in whole_script and "++ +" not in whole_script, (
            "pluses without spaces would mean another thing"
        )
    else:
        assert pieces(sent, path.suffix) == pieces(lines, path.suffix)
    for line in source:
        assert line.count("`") % 2 == 0 and ("/*" in line) == ("*/" in line), (
            "nothing spans lines, so that this is safe"
        )
    assert "pre" not in [part.strip("<>") for part in " ".join(sent).split()], "no text whose indentation is seen"
