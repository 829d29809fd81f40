"""The pages of the site: Markdown files of the repository and generated ones, with links that lead to each other."""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePosixPath

from commonmark import for_python_markdown

_LINK = re.compile(r"(?P<before>!?\[(?:[^\]\[]|\[[^\]]*\])*\]\()(?P<target>[^)\s#]+)(?P<anchor>#[^)\s]*)?\)")
_FENCED = re.compile(r"(^ *```.*?^ *```|`[^`\n]+`)", re.MULTILINE | re.DOTALL)
_PICTURES = (".svg", ".png", ".jpg", ".gif", ".webp")
_LEXERS = {".py": "python", ".toml": "toml", ".sh": "sh", ".ipynb": "json"}


class Pages:
    """Collects pages, then writes them.

    Args:
        root: of the repository.
        out: folder to write to.
    """

    def __init__(self, root: Path, out: Path) -> None:
        self.root, self.out = root, out
        self._places: dict[Path, str] = {}  # files of the repository -> pages or pictures of the site
        self._files: dict[str, Path] = {}
        self._texts: dict[str, str] = {}
        self._pictures: dict[str, bytes] = {}

    def add_file(self, source: Path, page: str) -> None:
        """Add a Markdown file of the repository."""
        self._places[source] = page
        self._files[page] = source

    def also(self, source: Path, page: str) -> None:
        """Lead links to a file of the repository to this page."""
        self._places[source] = page

    def add(self, page: str, text: str) -> None:
        """Add a page by its text; its links are those of the site."""
        self._texts[page] = text

    def picture(self, path: str, contents: str) -> None:
        """Add a picture."""
        self._pictures[path] = contents.encode()

    def picture_file(self, source: Path) -> str:
        """Add a picture of the repository; returns its place on the site."""
        place = f"pictures/{source.name}"
        self._pictures[place] = source.read_bytes()
        return place

    def source_page(self, source: Path) -> str:
        """The page that shows a file of the repository; it is added at the first call."""
        page = f"source/{source.relative_to(self.root).as_posix().replace('/', '-')}.md"
        if source not in self._places:
            self._places[source] = page
            text = source.read_text(encoding="utf-8")
            fence = "````" if "```" in text else "```"
            name = source.relative_to(self.root).as_posix()
            self._texts[page] = f"# {name}\n\n{fence}{_LEXERS.get(source.suffix, 'text')}\n{text}{fence}\n"
        return page

    def entry(self, page: str) -> dict[str, str]:
        """The entry of a page in the navigation: its title and path."""
        return {self.title(page): page}

    def title(self, page: str) -> str:
        """The first heading of a page."""
        text = self._texts.get(page) or self._files[page].read_text(encoding="utf-8")
        heading = next(line for line in text.splitlines() if line.startswith("# "))
        return heading[2:].replace("`", "")

    def section(self, source: Path) -> str:
        """The text of a file of the repository between its title and its first heading."""
        text = source.read_text(encoding="utf-8").partition("\n")[2]
        return text.partition("\n## ")[0].strip()

    def write_all(self) -> None:
        """Write every page and picture.

        Raises:
            SystemExit: a link leads to no file.
        """
        for page, source in list(self._files.items()):
            self._texts[page] = self._relinked(source.read_text(encoding="utf-8"), source, page)
        for page, text in self._texts.items():
            path = self.out / page
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(for_python_markdown(text), encoding="utf-8")
        for name, contents in self._pictures.items():
            path = self.out / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(contents)

    def _relinked(self, text: str, source: Path, page: str) -> str:
        """The text of a file with its links to other files of the repository turned into links of the site."""

        def lead(match: re.Match[str]) -> str:
            target = match["target"]
            if "://" in target or target.startswith("mailto:"):
                return match[0]
            place = self._place((source.parent / target).resolve(), source)
            return f"{match['before']}{relative(place, page)}{match['anchor'] or ''})"

        parts = _FENCED.split(text)
        return "".join(part if number % 2 else _LINK.sub(lead, part) for number, part in enumerate(parts))

    def _place(self, target: Path, source: Path) -> str:
        if not target.is_file():
            raise SystemExit(f"{source.relative_to(self.root)}: a link leads to {target}, which is no file")
        if target.suffix in _PICTURES:
            return self.picture_file(target)
        return self._places.get(target) or self.source_page(target)


def relative(place: str, page: str) -> str:
    """A path of the site as a link on one of its pages."""
    return PurePosixPath(os.path.relpath(place, PurePosixPath(page).parent.as_posix())).as_posix()
