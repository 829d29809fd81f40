"""Markdown as GitHub reads it, rewritten so that Python-Markdown, which MkDocs uses, reads it in the same way."""

from __future__ import annotations

import re

_ITEM = re.compile(r"(?P<indent> *)(?P<mark>[-*+]|\d+[.)]) +\S")
_FENCE = re.compile(r" *(```|~~~)")
_TAB = 4  # Python-Markdown: what belongs to a list item is indented by so many


def for_python_markdown(text: str) -> str:
    """The same page: lists and tables begin after an empty line, and nested lists are indented by four."""
    found: list[str] = []
    open_items: list[int] = []  # of each open list item, where its text begins
    fenced, blank = False, True
    for line in text.splitlines():
        indent = len(line) - len(line.lstrip())
        if _FENCE.match(line):
            fenced = not fenced
        item = None if fenced else _ITEM.match(line)
        if not line.strip():
            found.append("")
            blank = True
            continue
        if item:
            while open_items and indent < open_items[-1]:
                open_items.pop()
            if not blank and not (found and _ITEM.match(found[-1])) and not open_items and not _continues(found):
                found.append("")
            depth = len(open_items)
            open_items.append(item.end() - 1)
            found.append(" " * (_TAB * depth) + line.strip())
        else:
            while open_items and indent < open_items[-1] and (blank or indent == 0):
                open_items.pop()
            inside = open_items[-1] if open_items else 0
            shift = _TAB * len(open_items) - inside if open_items and indent >= inside else 0
            if line.lstrip().startswith("|") and not blank and found and not found[-1].lstrip().startswith("|"):
                found.append("")
            found.append(" " * (indent + shift) + line.lstrip())
        blank = False
    return "\n".join(found) + "\n"


def _continues(found: list[str]) -> bool:
    """Whether the line before belongs to a list, so that an item may follow at once."""
    for line in reversed(found):
        if not line:
            return False
        if _ITEM.match(line):
            return True
    return False
