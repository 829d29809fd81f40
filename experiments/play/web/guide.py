"""The guides of the games, which are Markdown, as HTML."""

from __future__ import annotations

from markdown_it import MarkdownIt

_MARKDOWN = MarkdownIt("commonmark", {"html": False})  # HTML in a guide is text


def guide_html(text: str) -> str:
    """A guide as HTML."""
    html: str = _MARKDOWN.render(text)
    return html
