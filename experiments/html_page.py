"""What the HTML pages of results share: one file without links, and its style."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62em; margin: 2em auto; padding: 0 1em; color: #222 }
h1 { font-size: 1.6em } h2 { font-size: 1.2em; margin-top: 2em }
table { border-collapse: collapse; display: block; overflow-x: auto }
th, td { padding: .25em .8em; border-bottom: 1px solid #ddd; text-align: right; vertical-align: top }
th:first-child, td:first-child { text-align: left; min-width: 7em; overflow-wrap: break-word }
.code td:last-child { font-family: monospace; overflow-wrap: anywhere }
svg { max-width: 100%; height: auto } small { color: #666 }
"""


def page(title: str, parts: Iterable[str], *, style: str = "", script: str = "") -> str:
    """A whole page.

    Args:
        title: plain text; also the heading.
        parts: HTML, one after another.
        style: CSS after that of all pages.
        script: JavaScript to run at the end.
    """
    body = "\n".join([f"<h1>{escape(title)}</h1>", *parts])
    program = f"\n<script>{script}</script>" if script else ""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}{style}</style>\n</head>\n<body>\n{body}{program}\n</body>\n</html>\n"
    )
