"""The files that pages consist of, as they are sent: without what only readers of the files need, a tenth of them."""

from __future__ import annotations

import re
from pathlib import Path

_FOLDER = Path(__file__).parent / "web" / "static"
_COMMENTS = {".js": re.compile(r"(^|\s+)// .*"), ".css": re.compile(r"\s*/\* .*? \*/")}
_SPACES = re.compile(r"\s*(?:;\s*(?=\})|([{};]))\s*|(?<=[:,])\s+")  # mean nothing in style sheets

_TEXT = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`)""")
_NESTED = re.compile(r"\$\{[^}]*`")  # a template in another
_MARKS = re.compile(r" ?(=>|[!=]==|&&|\|\||[{}();,?:<>=+*]) ?")
_GOES_ON = re.compile(r"(?<=[{};,(])\n")


def asset(name: str) -> str:
    """The text of a style sheet, script or page, without indentation and comments, the first two without idle spaces.

    In none of them a text or a template spans lines, and no text of a style sheet has spaces beside its marks.
    Statements of scripts end with semicolons or blocks.
    """
    lines = (_FOLDER / name).read_text(encoding="utf-8").splitlines()
    if comments := _COMMENTS.get(Path(name).suffix):
        lines = [comments.sub("", line) for line in lines]
    if name.endswith(".js"):
        lines = list(map(_without_spaces, lines))
    text = "".join(f"{line}\n" for line in map(str.strip, lines) if line)
    if name.endswith(".js"):
        return _GOES_ON.sub("", text)
    return _SPACES.sub(lambda found: found[1] or "", text) if name.endswith(".css") else text


def _without_spaces(line: str) -> str:
    """A line of a script without idle spaces; texts, which are every second piece, stay as they are.

    So does the whole line if it has a pattern, or a template in another.
    """
    pieces = _TEXT.split(line)
    if _NESTED.search(line) or any("/" in piece for piece in pieces[::2]):
        return line
    pieces[::2] = [_MARKS.sub(r"\1", piece) for piece in pieces[::2]]
    return "".join(pieces)
