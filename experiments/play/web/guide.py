"""The guides of the games, which are Markdown, as HTML: headings, paragraphs, lists in lists, and bold."""

from __future__ import annotations

import re
from html import escape

_ITEM = re.compile(r"(\s*)(-|\d+\.) (.*)")
_BOLD = re.compile(r"\*\*(.+?)\*\*")


def guide_html(text: str) -> str:
    """A guide as HTML."""
    made: list[str] = []
    lists: list[tuple[int, str]] = []  # indentation and tag of each open list
    open_text: list[str] = []
    closing = ""

    def end_text() -> None:
        nonlocal closing
        made.append(_BOLD.sub(r"<strong>\1</strong>", escape(" ".join(open_text))) + closing)
        closing = ""
        open_text.clear()

    def end_lists(indent: int) -> None:
        while lists and lists[-1][0] > indent:
            made.append(f"</li></{lists.pop()[1]}>")

    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip())
        if item := _ITEM.fullmatch(line):
            end_text()
            end_lists(indent)
            if lists and lists[-1][0] == indent:
                made.append("</li>")
            else:
                lists.append((indent, "ul" if item[2] == "-" else "ol"))
                made.append(f"<{lists[-1][1]}>")
            made.append("<li>")
            open_text.append(item[3])
        elif not line.strip():
            end_text()
        elif open_text:
            open_text.append(line.strip())
        else:
            end_lists(-1 if indent == 0 else indent)
            heading = line.startswith("## ")
            open_text.append(line.removeprefix("## ").strip())
            made.append("<h2>" if heading else "<p>")
            closing = "</h2>" if heading else "</p>"
            if heading:
                end_text()
    end_text()
    end_lists(-1)
    return "".join(made)
