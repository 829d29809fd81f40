"""Sampling what a seat cannot see (P60, P65-P67), consistently with what it knows.

The result follows from the seat's knowledge and from chance alone: hidden cards are sorted before they are
shuffled, and what others have done in secret is undone before something else is done. Cards: resample_draft.py,
resample_build.py. What others have converted: resample_convert.py. Always: the order of both decks, cards removed and
set aside.
"""

from __future__ import annotations

from typing import Any

from ...engine.jit import kernel
from .cards import NUM_KINDS, SCORE
from .ending import in_secret
from .resample_build import resample_build
from .resample_convert import resample_conversions
from .resample_decks import leave_out, shuffle_unseen, take_back
from .resample_draft import resample_draft
from .rounds import turn_of
from .state import BUILDING, DRAFTING, NONE, OVER, PAYING, SCORING


@kernel
def resample(s: Any, config: Any, seat: Any) -> None:
    """P67: sample what `seat` cannot see; what it observes, and what it may do, stays the same."""
    shuffle_unseen(s, s.image_deck, int(s.image_deck_size))
    take_back(s, config)
    if s.phase == DRAFTING:
        resample_draft(s, config, int(seat))
    elif s.phase == BUILDING or s.phase == PAYING:
        resample_build(s, config, int(seat))
    else:
        shuffle_unseen(s, s.machine_deck, int(s.deck_size))
    leave_out(s, config)
    if in_secret(s):
        resample_conversions(s, config, int(seat))
    s.decisions = _decisions_seen(s, config)


@kernel
def _decisions_seen(s: Any, config: Any) -> Any:
    """As many decisions as can be counted on the board, so that the true number reveals no secret ones (P60).

    Choices of a card, cards played, turns to score; what was decided in Convert and Store only while it goes on.
    """
    players = int(config.players)
    machines = 0
    for seat in range(players):
        for slot in range(len(s.seats[seat].slot_cards)):
            machines += int(s.seats[seat].slot_cards[slot])
    for kind in range(1, NUM_KINDS + 1):
        machines += int(s.discarded[kind])
    found = machines
    if s.phase == DRAFTING:
        found += machines + players * int(s.seats[0].drafted_size)
        for seat in range(players):
            found += s.seats[seat].choice != NONE
    else:
        found += _machines_drafted(s, config, machines)
    found += players * (int(s.round_number) - 1)
    if s.phase == SCORING:
        found += turn_of(s, config, s.leaders[SCORE])
    elif s.phase == OVER:
        found += players
    for seat in range(players):
        found += int(s.seats[seat].asked)
    return found


@kernel
def _machines_drafted(s: Any, config: Any, machines: Any) -> Any:
    """P21: choices in the drafts made so far: a stack's last card is none, so there are as many as machine cards."""
    for seat in range(config.players):
        machines += int(s.seats[seat].drafted_size)
    return machines
