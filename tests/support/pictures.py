"""Reads pictures: elements by id, with their data and text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from xml.etree import ElementTree

from bdgame_env.engine.match import Match
from bdgame_env.render.picture import picture
from bdgame_env.render.scene import Scene


class Shown:
    """A picture of a match as a seat sees it (by default the one to decide), with its legal moves marked."""

    def __init__(self, match: Match, seat: int | None = None) -> None:
        self.seat = match.seat if seat is None else seat
        self.snapshot, legal = match.snapshot(seat=self.seat), match.legal_moves()
        self.scene = Scene(match.game, self.snapshot, config=match.config, seat=self.seat, legal=legal)
        self.read(picture(self.scene))

    def read(self, svg: str) -> None:
        """Parse a picture and index its elements by id."""
        root = ElementTree.fromstring(svg)
        self.by_id = {element.attrib["id"]: element for element in root.iter() if "id" in element.attrib}

    @classmethod
    def of(cls, svg: str) -> Shown:
        """Wrap an existing picture."""
        shown = cls.__new__(cls)
        shown.read(svg)
        return shown

    def data(self, id: str, name: str) -> str:
        """An attribute `data-...` of an element."""
        return self.by_id[id].attrib[f"data-{name}"]

    def count(self, id: str, name: str = "count") -> int:
        """The same attribute as a number."""
        return int(self.data(id, name))

    def ids(self, start: str) -> list[str]:
        """The ids with this prefix, in order."""
        return [id for id in self.by_id if id.startswith(start)]

    def cubes(self, id: str) -> dict[str, int]:
        """The cubes drawn in an element, by color."""
        found: dict[str, int] = {}
        for element in self.by_id[id].iter():
            if "data-cube" in element.attrib:
                color = element.attrib["data-cube"]
                found[color] = found.get(color, 0) + int(element.attrib["data-count"])
        return found

    def text(self, id: str) -> str:
        """All text in an element."""
        return " ".join(text for text in self.by_id[id].itertext() if text.strip())

    def moves(self) -> dict[str, list[str]]:
        """The legal moves, by the id of the element they are marked on."""
        return {
            id: json.loads(element.attrib["data-moves"])
            for id, element in self.by_id.items()
            if "data-moves" in element.attrib
        }


def positions(match: Match, every: int, most: int) -> Iterator[Match]:
    """Every `every`-th position of a random game in which moves that end something are rare."""
    number = 0
    for decision in range(most):
        moves = match.legal_moves()
        if decision % every == 0 or not moves:
            yield match
        if not moves:
            return
        eager = [move for move in moves if not move.startswith(("end", "remove", "refuse", "keep"))] or moves
        number = (number * 6364136223846793005 + 1442695040888963407) % 2**64
        chosen = eager if (number >> 40) % 8 else moves
        match.play(chosen[(number >> 33) % len(chosen)])
