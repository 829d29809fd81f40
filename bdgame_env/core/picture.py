"""A position as a picture: one SVG document."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from .game import Game


def picture(
    game: Game,
    snapshot: Mapping[str, Any],
    *,
    seat: int | None = None,
    legal: Sequence[str] = (),
    last: Sequence[str] = (),
) -> str:
    """The snapshot as a readable table."""
    rows = [*_rows("", snapshot), *((f"move {k}", move) for k, move in enumerate(legal))]
    lines = []
    for number, (name, value) in enumerate(rows):
        moves = f' class="legal" data-moves={quoteattr(json.dumps([value]))}' if name.startswith("move ") else ""
        lines.append(
            f'<g id={quoteattr(name.strip("."))}{moves}><text x="10" y="{20 + 16 * number}" font-size="12">'
            f"{escape(name)}</text>"
            f'<text x="220" y="{20 + 16 * number}" font-size="12">{escape(value)}</text></g>'
        )
    height = 30 + 16 * len(rows)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 700 {height}">{"".join(lines)}</svg>'


def _rows(name: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping) and any(isinstance(inner, (Mapping, list)) for inner in value.values()):
        for key, inner in value.items():
            yield from _rows(f"{name}.{key}", inner)
    elif isinstance(value, list) and any(isinstance(inner, Mapping) for inner in value):
        for key, inner in enumerate(value):
            yield from _rows(f"{name}.{key}", inner)
    else:
        yield name, json.dumps(value)


def steps(game: Game, before: Mapping[str, Any], move: str, after: Mapping[str, Any]) -> list[str]:
    """Pictures between two positions; none here."""
    return []
