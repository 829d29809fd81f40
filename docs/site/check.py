"""Looks at every link of the built site: each leads somewhere, and nothing is loaded from the internet."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

_LOADED = {("script", "src"), ("link", "href"), ("img", "src"), ("iframe", "src"), ("source", "src")}


class _Page(HTMLParser):
    """Collects the ids and links of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[tuple[str, bool]] = []  # and whether it is loaded with the page

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """See `HTMLParser`."""
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.ids.add(value)
            elif name in ("href", "src") and value is not None:
                self.links.append((value, (tag, name) in _LOADED))


def check_site(folder: Path) -> list[str]:
    """A line for each fault."""
    pages = {path.resolve(): _read(path) for path in sorted(folder.rglob("*.html"))}
    found: set[str] = set()
    for path, page in pages.items():
        for link, loaded in page.links:
            parts = urlsplit(link)
            where = f"{path.relative_to(folder.resolve())}: {link}"
            if parts.scheme or parts.netloc:
                if loaded and parts.scheme != "data":
                    found.add(f"{where} is loaded from the internet")
                continue
            if path.name == "404.html":
                continue  # its links are those of a server's root
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.is_file():
                found.add(f"{where} leads nowhere")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].ids | {"__top"}:
                found.add(f"{where}: the page has no such place")
    return sorted(found)


def _read(path: Path) -> _Page:
    page = _Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page
