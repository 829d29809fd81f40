"""What is legal, phase by phase (D2), and what a decision does. Each chapter of the rules has its own file:

setup.py G2, market.py G3, G6 and G13, marbles.py G4 and G7, turn.py G5, building.py G8 and D4, research.py G9,
payment.py G10, triggers.py G11 and D3, ending.py G14-G16, observe.py G17 and D7.
"""

from __future__ import annotations

from ...engine.arrays import Ints
from ...engine.jit import kernel
from . import actions as act
from . import state as st
from .building import begin_build, name_type, pay_amount, put_card_in_play
from .cards import DRAW, FILE, FREE_BUILD, NUM_TYPES, PICK, RESEARCH
from .marbles import draw_one, mover, pick
from .market import put_into_archive, take_from_display
from .research import after_hand, file_from_hand, put_under, research
from .state import Config, State
from .triggers import filed, picked
from .turn import end_turn, legal_in_chain, legal_in_hand, legal_in_main, pass_turn, settle, take_points


@kernel
def legal(s: State, config: Config, mask: Ints) -> None:
    """D2, D1.4: set mask[a] = 1 for every legal action of the seat on turn; there is always one (D5.1)."""
    phase = int(s.phase)
    if phase == st.MAIN:
        legal_in_main(s, mask)
    elif phase == st.CHAIN:
        legal_in_chain(s, mask)
    elif phase == st.HAND:
        legal_in_hand(s, mask)
    elif phase == st.PAY:
        for amount in range(st.MOST_COST + 1):
            mask[act.PAY_AMOUNT + amount] = int(s.payment.choices) >> amount & 1
    elif phase == st.CONVERT:
        for kind in range(NUM_TYPES):
            mask[act.CONVERT_TYPE + kind] = int(s.payment.choices) >> kind & 1
    elif phase == st.UNDER:
        for place in range(s.hand_size):
            mask[act.PUT_UNDER + place] = 1


@kernel
def apply(s: State, config: Config, action: int) -> None:
    """Carry out a legal action and its automatic consequences, up to the next decision (D4.7)."""
    family = int(act.FAMILY[action])
    choice = int(action) - family
    if family == act.END:
        _end(s, config)
        return
    if s.phase == st.MAIN:
        s.passes = 0
    if family == act.FILE_DISPLAY:
        _file(s, config, choice)
    elif family == act.BUILD_DISPLAY:
        _build(s, config, int(s.display[choice]), st.FROM_DISPLAY, choice)
    elif family == act.BUILD_ARCHIVED:
        _build(s, config, int(mover(s).archive[choice]), st.FROM_ARCHIVE, choice)
    elif family == act.PICK_COLOR:
        _pick(s, config, choice)
    elif family == act.RESEARCH_LEVEL:
        _spend(s, RESEARCH)
        research(s, config, choice + 1)
    elif family == act.FILE_HAND:
        file_from_hand(s, config, choice)
    elif family == act.BUILD_HAND:
        begin_build(s, config, int(s.hand[choice]), st.FROM_HAND, choice)
    elif family == act.KEEP_NONE:
        after_hand(s, config, st.KEPT_NOTHING, st.NONE)
    elif family == act.DRAW_ONE:
        _spend(s, DRAW)
        draw_one(s)
    elif family == act.TAKE_POINTS:
        take_points(s)
    elif family == act.PAY_AMOUNT:
        pay_amount(s, config, choice)
    elif family == act.CONVERT_TYPE:
        name_type(s, config, choice)
    else:  # PUT_UNDER
        put_under(s, config, choice)
    settle(s, config)


@kernel
def _spend(s: State, credit: int) -> None:
    """D3.3: in a chain, an action costs a credit; the main action of the turn is free and opens the chain (G5.2)."""
    if s.phase == st.CHAIN:
        s.credits[credit] -= 1
    s.phase = st.CHAIN


@kernel
def _end(s: State, config: Config) -> None:
    """G5.3, G11.7: pass, or end the turn and decline the remaining credits."""
    if s.phase == st.MAIN:
        pass_turn(s, config)
    else:
        end_turn(s, config)


@kernel
def _file(s: State, config: Config, place: int) -> None:
    """G6.1, G12.4: move a display card into the archive and refill its place; then trigger cards (G3.1)."""
    _spend(s, FILE)
    put_into_archive(mover(s), take_from_display(s, place))
    filed(s, config)


@kernel
def _pick(s: State, config: Config, color: int) -> None:
    """G7.1, G12.2: take a marble from the row and refill the row; then trigger cards (G4.1)."""
    _spend(s, PICK)
    pick(s, color)
    picked(s, config, color)


@kernel
def _build(s: State, config: Config, card: int, source: int, place: int) -> None:
    """G8.1: build a card: in a chain without paying (G12.5), otherwise after a payment."""
    if s.phase == st.CHAIN:
        _spend(s, FREE_BUILD)
        put_card_in_play(s, config, card, source, place)
    else:
        begin_build(s, config, card, source, place)
