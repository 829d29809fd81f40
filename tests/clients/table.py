"""What was seen, as a page: a table of clients, games and numbers of players."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import indent
from typing import Any

RUNS, FAILS, UNKNOWN = "✓", "✗", "?"
Size = tuple[str, int]
HEAD = """# Clients

The first examples of other libraries' guides, run with every game and number of players. `make test-clients` installs
each library into its own virtual environment, runs the scripts in `tests/clients`, and writes the results to this page.

- ✓: the example runs unchanged, apart from the id of the game.
- +4: it runs with 4 more lines, which are [below](#glue).
- ✗: it fails, for the reason given [below](#reasons).
- ?: not tried.
"""


@dataclass
class Seen:
    """What was seen of a client.

    Attributes:
        client: its name.
        about: the first line of its results; {} if there are none.
        errors: by check, game and number of players, "" or what went wrong.
    """

    client: str
    about: Mapping[str, Any] = field(default_factory=dict)
    errors: Mapping[tuple[int, str, int], str] = field(default_factory=dict)

    @classmethod
    def read(cls, client: str, results: Path) -> Seen:
        """What a client's script has written so far."""
        if not results.is_file():
            return cls(client)
        about, *rows = map(json.loads, results.read_text("utf-8").splitlines())
        return cls(client, about, {(row["check"], row["game"], row["players"]): row["error"] for row in rows})

    def surprises(self, sizes: Sequence[Size]) -> list[str]:
        """What went otherwise than the script says, a line each."""
        if not self.about:
            return [f"{self.client}: not tried"]
        found = []
        for number, check in enumerate(self.about["checks"]):
            for game, players in sizes:
                error, expected = self.errors.get((number, game, players)), game in check["fails"]
                if error is None:
                    found.append(self._told(check, game, players, "the process ended"))
                elif error and not expected:
                    found.append(self._told(check, game, players, error))
                elif expected and not error:
                    found.append(self._told(check, game, players, "runs, though the script says that it fails"))
        return found

    def _told(self, check: Mapping[str, Any], game: str, players: int, what: str) -> str:
        return f"{self.client}: {check['title']}: {game} {players}: {what}"


def page(seen: Sequence[Seen], games: Mapping[str, str], sizes: Sequence[Size]) -> str:
    """The page.

    Args:
        seen: of each client.
        games: the games' titles by id.
        sizes: each game and number of players.
    """
    reasons: dict[str, int] = {}
    head = [
        f"{games[game]} {players}" if game not in {g for g, _ in sizes[:i]} else str(players)
        for i, (game, players) in enumerate(sizes)
    ]
    rows = [["client", "first lines", *head], ["---", "---", *[":-:"] * len(sizes)]]
    glue = []
    for one in seen:
        versions = " ".join(f"{name} {number}" for name, number in one.about.get("versions", {}).items())
        for number, check in enumerate(one.about.get("checks", [])):
            cells = [
                _cell(one.errors.get((number, game, players)), check["fails"].get(game, ""), check["glue"], reasons)
                for game, players in sizes
            ]
            rows.append([versions, check["title"], *cells])
            if check["glue"]:
                glue.append(f"{one.client}: {check['title']}\n\n{indent(check['glue'], '    ')}")
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    pythons = sorted({one.about["python"] for one in seen if one.about})
    parts = [HEAD, f"Seen with Python {', '.join(pythons)}.", table, "## Glue", *(glue or ["None."]), "## Reasons"]
    parts += [f"{number}. {reason}" for reason, number in reasons.items()] or ["None fails."]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _cell(error: str | None, known: str, glue: str, reasons: dict[str, int]) -> str:
    if error is None:
        return UNKNOWN
    if error:
        return f"{FAILS} [{reasons.setdefault(known or error, len(reasons) + 1)}]"
    return f"+{len(glue.splitlines())}" if glue else RUNS
