"""The files that pages consist of, as they are sent: without indentation and comments, which are a tenth of them."""

from __future__ import annotations

import re
from pathlib import Path

_FOLDER = Path(__file__).parent / "web" / "static"
_COMMENTS = {".js": re.compile(r"(^|\s+)// .*"), ".css": re.compile(r"\s*/\* .*? \*/")}


def asset(name: str) -> str:
    """The text of a style sheet, script or page; in none of them a text or a template spans lines."""
    lines = (_FOLDER / name).read_text(encoding="utf-8").splitlines()
    if comments := _COMMENTS.get(Path(name).suffix):
        lines = [comments.sub("", line) for line in lines]
    return "".join(f"{line}\n" for line in map(str.strip, lines) if line)
