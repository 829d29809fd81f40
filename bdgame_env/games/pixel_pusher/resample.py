"""Sampling what a seat cannot see (P60, P65-P67), consistently with what it knows.

The result depends only on the seat's knowledge and on chance: hidden cards are sorted before they are shuffled, and
what others have done in secret is undone before it is replaced. Cards in Draft and Build are sampled in
resample_draft.py and resample_build.py, conversions in resample_convert.py; the order of both decks and the cards
removed and set aside are sampled in every phase.
"""

from __future__ import annotations

from ...engine.jit import kernel
from .cards import NUM_KINDS, SCORE
from .ending import in_secret
from .resample_build import resample_build
from .resample_convert import resample_conversions
from .resample_decks import leave_out, shuffle_unseen, take_back
from .resample_draft import resample_draft
from .rounds import turn_of
from .state import BUILDING, DRAFTING, NONE, OVER, PAYING, SCORING, Config, State


@kernel
def resample(s: State, config: Config, seat: int) -> None:
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
def _decisions_seen(s: State, config: Config) -> int:
    """The number of decisions that can be counted in public, so that the true number reveals no secret ones (P60).

    These are picks, cards played and turns to score; those of Convert and Store only while it is in progress.
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
def _machines_drafted(s: State, config: Config, machines: int) -> int:
    """P21: the choices made in drafts so far. A stack's last card is no choice, so there is one per machine card."""
    for seat in range(config.players):
        machines += int(s.seats[seat].drafted_size)
    return machines
