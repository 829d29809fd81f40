"""Tables as text, Markdown and HTML, and how figures with intervals read in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as Grid

Interval = tuple[float, float]


def percent(share: float, ends: Interval | None = None, digits: int = 1) -> str:
    """A share in percent, and its interval with so many digits."""
    return f"{100 * share:.1f} %{interval(ends, digits, 100)}"


def interval(ends: Interval | None, digits: int = 1, scale: int = 1) -> str:
    """An interval in brackets, to follow a figure; "" if there is none. A dash would look like a minus before one."""
    if ends is None:
        return ""
    low, high = (f"{scale * end:.{digits}f}" for end in ends)
    return f" ({low}{' to ' if '-' in low + high else '-'}{high})"


@dataclass(frozen=True)
class Sortable:
    """A cell of an HTML table that a script sorts.

    Attributes:
        text: what it says.
        value: what it is sorted by.
        strong: whether it stands out.
    """

    text: str
    value: object
    strong: bool = False


@dataclass(frozen=True)
class Table:
    """Rows of text under headings.

    Attributes:
        title: what the table is about.
        columns: the headings.
        rows: as many cells in each as there are headings.
        note: a sentence that belongs to it.
    """

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str | Sortable]]
    note: str = ""

    def print(self, width: int) -> None:
        """Print it on stdout, at least `width` columns wide where that is no terminal; on a narrow one cells fold."""
        console = Console(markup=False, emoji=False, highlight=False)  # names are no tags
        if not console.is_terminal:
            console.width = max(console.width, width)
        grid = Grid(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, collapse_padding=True)
        for place, name in enumerate(self.columns):
            grid.add_column(name, overflow="fold", justify="right" if place else "left")
        for row in self.rows:
            grid.add_row(*map(_text, row))
        console.print(grid)

    def markdown(self) -> str:
        """The table in Markdown, without its title."""
        rows = [self.columns, ("---",) * len(self.columns), *self.rows]
        lines = ["| " + " | ".join(_text(cell).replace("|", "\\|") for cell in row) + " |" for row in rows]
        return "\n".join([*([self.note, ""] if self.note else []), *lines])

    def html(self, kind: str = "") -> str:
        """The table as an element of an HTML page, without its title; `kind` is its class."""
        head = "".join(f"<th>{escape(name)}</th>" for name in self.columns)
        rows = ["".join(map(_cell, row)) for row in self.rows]
        lines = "\n".join(f"<tr>{cells}</tr>" for cells in (head, *rows))
        note = f"\n<p><small>{escape(self.note)}</small></p>" if self.note else ""
        opened = f'<table class="{kind}">' if kind else "<table>"
        return f"{opened}\n{lines}\n</table>{note}"


def _text(cell: str | Sortable) -> str:
    return cell.text if isinstance(cell, Sortable) else cell


def _cell(cell: str | Sortable) -> str:
    if isinstance(cell, str):
        return f"<td>{escape(cell)}</td>"
    strong = ' class="strong"' if cell.strong else ""
    return f'<td{strong} data-v="{escape(str(cell.value))}">{escape(cell.text)}</td>'
