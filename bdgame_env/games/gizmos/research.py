"""Research (G9): look at the top of a deck, keep at most one card, put the others under the deck (D3.6)."""

from __future__ import annotations

from ...engine.arrays import Ints
from ...engine.jit import kernel
from ...engine.rng import shuffle
from . import state as st
from .cards import RESEARCH_BAN
from .knowledge_updates import hidden_in_hand, look_at_top, remember_put_under, show_from_hand
from .marbles import mover
from .market import draw_top, put_into_archive, put_under_deck, sort_cards
from .state import Config, State
from .triggers import built, filed


@kernel
def can_research(s: State) -> bool:
    """G9.2, G13.4: whether some deck has a card and there is no ban."""
    return mover(s).bans[RESEARCH_BAN] == 0 and (s.deck_sizes[0] > 0 or s.deck_sizes[1] > 0 or s.deck_sizes[2] > 0)


@kernel
def research(s: State, config: Config, level: int) -> None:
    """G9.1, G12.6: take top cards of one deck, up to the research amount, into the hand, ascending (D2.4)."""
    number = min(int(mover(s).research), int(s.deck_sizes[level - 1]))
    look_at_top(s, config, level, number)
    s.hand_level = level
    s.hand_size = number
    for place in range(number):
        s.hand[place] = draw_top(s, level)
    sort_cards(s.hand, number)
    s.phase = st.HAND


@kernel
def take_from_hand(s: State, place: int) -> int:
    """Take one of the researched cards; the others close up."""
    card = int(s.hand[place])
    for behind in range(place, s.hand_size - 1):
        s.hand[behind] = s.hand[behind + 1]
    s.hand_size -= 1
    s.hand[s.hand_size] = st.NONE
    return card


@kernel
def file_from_hand(s: State, config: Config, place: int) -> None:
    """G9.3, G9.6: file a researched card."""
    show_from_hand(s, int(s.hand[place]), hidden_in_hand(s))
    card = take_from_hand(s, place)
    put_into_archive(mover(s), card)
    after_hand(s, config, st.KEPT_FILED, card)


@kernel
def after_hand(s: State, config: Config, kept: int, card: int) -> None:
    """G9.4, G9.5, D3.6: the other cards go under their deck, in the player's order or, in the quick variant, at random.

    `kept` says what was done with which card, NONE for nothing.
    """
    s.kept = kept
    s.kept_card = card
    if not config.quick and s.hand_size > 1:
        s.phase = st.UNDER
        return
    shuffle(s, s.hand, int(s.hand_size))
    _put_under(s, config, s.hand, int(s.hand_size))


@kernel
def put_under(s: State, config: Config, place: int) -> None:
    """D3.6: name the card that goes under the deck next; the last one goes automatically (D4.7)."""
    _name_next(s, place)
    if s.hand_size == 1:
        _name_next(s, 0)
        _put_under(s, config, s.under, int(s.under_size))


@kernel
def _put_under(s: State, config: Config, cards: Ints, number: int) -> None:
    """G9.4, G17.5: put cards under the deck, the one to be drawn first at index 0."""
    put_under_deck(s, int(s.hand_level), cards, number)
    remember_put_under(s, config, number)
    _finish(s, config)


@kernel
def _name_next(s: State, place: int) -> None:
    """Name one more researched card to go under the deck."""
    s.under[s.under_size] = take_from_hand(s, place)
    s.under_size += 1


@kernel
def _finish(s: State, config: Config) -> None:
    """G9.5-G9.7, G11.10: end the Research; a File or Build done in it triggers cards, the Research itself does not."""
    kept, card = int(s.kept), int(s.kept_card)
    s.hand[:] = st.NONE
    s.hand_size = 0
    s.hand_level = 0
    s.under[:] = st.NONE
    s.under_size = 0
    s.kept = st.KEPT_NOTHING
    s.kept_card = st.NONE
    s.phase = st.CHAIN
    if kept == st.KEPT_FILED:
        filed(s, config)
    elif kept == st.KEPT_BUILT:
        built(s, config, card, st.FROM_HAND)
