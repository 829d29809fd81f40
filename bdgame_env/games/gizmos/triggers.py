"""Triggered cards become credits (G11, D3)."""

from __future__ import annotations

from ...engine.jit import kernel
from . import cards
from .marbles import mover
from .state import FROM_ARCHIVE, NONE, Config, State


@kernel
def filed(s: State, config: Config) -> None:
    """G11.1, G11.2: a File triggers all File cards."""
    _trigger(s, config, cards.ON_FILE, NONE)


@kernel
def picked(s: State, config: Config, color: int) -> None:
    """G11.2: a Pick triggers the Pick cards that name the color."""
    _trigger(s, config, cards.ON_PICK << color, NONE)


@kernel
def built(s: State, config: Config, card: int, source: int) -> None:
    """G11.2-G11.4, G11.8: the Build of this card triggers others, by its colors, its level and where it came from."""
    events = int(cards.BUILT_EVENTS[card])
    if source == FROM_ARCHIVE:
        events |= cards.ON_BUILD_FROM_ARCHIVE
    _trigger(s, config, events, card)


@kernel
def _trigger(s: State, config: Config, events: int, itself: int) -> None:
    """D3.1, G11.5: spend the built cards that are triggered for the first time this turn, except `itself`, for credits.

    Credits do not remember which card granted them (D3.2). In the quick variant points are taken at once (D3.5, G12.3),
    no matter how many tokens are left (G1.3).
    """
    me = mover(s)
    for place in range(me.cards):
        card = me.built[place]
        if cards.WHEN[card] & events and card != itself and not int(s.spent) >> place & 1:
            s.spent |= 1 << place
            credit, amount = cards.CREDIT[card], cards.AMOUNT[card]
            if credit == cards.POINTS_CREDIT and config.quick:
                me.tokens += amount
            else:
                s.credits[credit] += amount
