"""The guides of the games, which are Markdown, and their cards as HTML."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape

from markdown_it import MarkdownIt

from bdgame_env.render.gallery import CardPicture, Shelf

_MARKDOWN = MarkdownIt("commonmark", {"html": False})  # HTML in a guide is text
_SHOWN = re.compile(r"^<!-- cards: (.*) -->$", re.MULTILINE)


def guide_html(text: str, shelves: Sequence[Shelf] = (), words: Mapping[str, str] | None = None) -> str:
    """A guide as HTML.

    Args:
        text: Markdown. For `<!-- cards: NAME, NAME -->` in a line of its own stand these cards, if the deck has them.
        shelves: all cards of the deck.
        words: of the cards, by name.
    """
    pictures = {card.name: card for shelf in shelves for card in shelf.cards}
    pieces = []
    for number, piece in enumerate(_SHOWN.split(text)):
        if number % 2 == 0:
            pieces.append(_MARKDOWN.render(piece))
        else:
            pieces.append(_figures((pictures[name] for name in piece.split(", ") if name in pictures), words or {}))
    return "".join(pieces)


def gallery_html(shelves: Iterable[Shelf], words: Mapping[str, str]) -> str:
    """All cards of a deck with their words as HTML."""
    return "".join(
        f"<h3>{escape(shelf.title)}: {sum(card.copies for card in shelf.cards)}</h3>{_figures(shelf.cards, words)}"
        for shelf in shelves
    )


def _figures(cards: Iterable[CardPicture], words: Mapping[str, str]) -> str:
    return f'<div class="cards">{"".join(_figure(card, words.get(card.name, "")) for card in cards)}</div>'


def _figure(card: CardPicture, words: str) -> str:
    several = f"{card.copies}\u00d7 " if card.copies > 1 else ""
    picture = f'<div aria-hidden="true">{card.picture}</div>'
    return f"<figure>{picture}<figcaption>{several}{escape(words)}</figcaption></figure>"
