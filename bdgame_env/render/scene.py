"""What a game's `drawing` module provides, and the scene it draws."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..engine.game import Game, GameConfig
    from .gallery import Shelf
    from .svg import Canvas
    from .table import Part
    from .wording import Wording

# A line of text: pieces, each plain or with the name of its color (see `text_picture`).
Line = list[str | tuple[str, str]]


class Scene:
    """A position to draw, and its viewer.

    Args:
        game: the declaration of the game.
        snapshot: the position: public, of a seat, or omniscient.
        config: cards and options; None for those of the snapshot's options.
        seat: the viewer's seat; None for a spectator.
        legal: legal moves in notation, to outline.
        last: the latest moves as text, newest last.
        names: what the players are called; empty to call them by their seats.

    Attributes:
        game, snapshot, seat, legal, last, names: as given.
        cards: the game's card data.
        players: number of seats in play.
    """

    def __init__(
        self,
        game: Game,
        snapshot: Mapping[str, Any],
        *,
        config: GameConfig | None = None,
        seat: int | None = None,
        legal: Iterable[str] = (),
        last: Iterable[str] = (),
        names: Sequence[str] = (),
    ) -> None:
        config = config or game.config(**game.position.options_of_snapshot(snapshot))
        self.game, self.snapshot, self.seat, self.config = game, snapshot, seat, config
        self.cards, self.players = config.cards, config.players
        self.legal, self.last, self.names = tuple(legal), tuple(last), tuple(names)
        self._legal = frozenset(self.legal)
        self._shown: set[str] = set()

    def called(self, seat: int) -> str:
        """What the player of a seat is called."""
        return self.names[seat] if self.names else f"seat {seat}"

    def decides(self, seat: int) -> bool:
        """Whether a seat is to decide."""
        return bool(seat == self.snapshot["seat"] and self.snapshot["phase"] != "over")

    def at(self, snapshot: Mapping[str, Any], last: Iterable[str] = ()) -> Scene:
        """Another position of the game for the same viewer, with no move to outline."""
        return Scene(self.game, snapshot, config=self.config, seat=self.seat, last=last, names=self.names)

    def seen_from(self, seat: int) -> Scene:
        """The same snapshot with another seat's area as the viewer's; nothing more is shown than is in it."""
        return Scene(self.game, self.snapshot, config=self.config, seat=seat, last=self.last, names=self.names)

    def without_moves(self) -> Scene:
        """The same position and viewer with no move to outline."""
        return self.at(self.snapshot, self.last)

    def moves(self, *candidates: str) -> list[str]:
        """The legal ones of the candidates; they count as shown."""
        found = [move for move in candidates if move in self._legal]
        self._shown.update(found)
        return found

    def moves_starting(self, start: str) -> list[str]:
        """The legal moves that start this way; they count as shown."""
        return self.moves(*(move for move in self.legal if move.startswith(start)))

    def other_moves(self) -> list[str]:
        """The legal moves that no element has shown yet."""
        return [move for move in self.legal if move not in self._shown]


@dataclass(frozen=True)
class Look:
    """What a page of a game looks like around its pictures.

    Attributes:
        band: a dark color such as "#2f3a4a": of the header, and a little of it of the table.
        backdrop: a tile of the pattern on the table, in gray and nearly transparent, for light and dark pages; or None.
        common: what lies between the players, in a word.
    """

    band: str = "#2f3a4a"
    backdrop: Canvas | None = None
    common: str = "market"

    def to_json(self) -> dict[str, str]:
        """As pages get it: the pattern is an SVG document that fills its place, empty if there is none."""
        filled = "" if self.backdrop is None else self.backdrop.repeated(f"backdrop-{self.band[1:]}")
        return {"band": self.band, "backdrop": filled, "common": self.common}


def _no_cards(config: GameConfig) -> Sequence[Shelf]:
    """A game without pictures of its cards."""
    return ()


@dataclass(frozen=True)
class Drawing:
    """How a game is drawn.

    Attributes:
        picture: the whole picture of a scene.
        text: the same position as lines of text.
        steps: `(scene before, move, snapshot after) -> snapshots` of the effects of the move, one per step;
            None if the position shows them well enough.
        steps_of_all: whether the steps are about everyone, not only about the seat that moved.
        table: the same position in parts, which a page lays out; None if there is one picture only.
        wording: the game in plain words; None if there is only the notation.
        emblem: `(config) -> small picture` that stands for the game in a list of games; None if there is none.
        gallery: `(config) -> shelves` with a picture of every card.
        look: of the pages around it.
    """

    picture: Callable[[Scene], Canvas]
    text: Callable[[Scene], list[Line]]
    steps: Callable[[Scene, str, Mapping[str, Any]], Sequence[Mapping[str, Any]]] | None = None
    steps_of_all: bool = False
    table: Callable[[Scene], list[Part]] | None = None
    wording: Wording | None = None
    emblem: Callable[[GameConfig], Canvas] | None = None
    gallery: Callable[[GameConfig], Sequence[Shelf]] = _no_cards
    look: Look = Look()
