"""The files that pages consist of, as they are sent: without indentation and comments, which are a tenth of them."""

from __future__ import annotations

from pathlib import Path

_FOLDER = Path(__file__).parent / "web" / "static"


def asset(name: str) -> str:
    """The text of a style sheet, script or page; in none of them a text or a template spans lines."""
    lines = map(str.strip, (_FOLDER / name).read_text(encoding="utf-8").splitlines())
    return "".join(f"{line}\n" for line in lines if line and not line.startswith("//"))
