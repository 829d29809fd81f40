"""Playing a machine from the hand (N4)."""

from __future__ import annotations

from ...engine.jit import kernel
from . import cards
from .bric_a_brac import put_down
from .effects import begin_effect, exchange_choices
from .hands import take_from_hand
from .knowledge import see_leave
from .state import END, PICK, State
from .tokens import gain, mover, opponent

# N4.6: blue and red effects may always be applied.
_ALWAYS = (
    1 << cards.B1
    | 1 << cards.B2
    | 1 << cards.B3
    | 1 << cards.B4
    | 1 << cards.B5
    | 1 << cards.R1
    | 1 << cards.R2
    | 1 << cards.R3
    | 1 << cards.R4
)
_DISCARD_PREVIOUS = 1 << cards.P2 | 1 << cards.P3 | 1 << cards.P5


@kernel
def applicable(s: State, hand_size: int, before: int) -> int:
    """N4.6: bit k is set if a machine just played may apply the effect of kind k.

    Args:
        s: the game.
        hand_size: machines in the hand, without the one played.
        before: machines on the bric-a-brac before the one played.
    """
    kinds = _ALWAYS
    if hand_size > 0:
        kinds |= 1 << cards.P1
    if before > 0:
        kinds |= _DISCARD_PREVIOUS
    if exchange_choices(s) != 0:
        kinds |= 1 << cards.P4
    if s.project_deck_size > 0:
        kinds |= 1 << cards.Y1
    if copyable(s, kinds, before) != 0:
        kinds |= 1 << cards.Y2
    return kinds


@kernel
def copyable(s: State, kinds: int, before: int) -> int:
    """N12.2.2: bit i is set if a Y2 may copy the machine on space i before it; `kinds` are the applicable kinds."""
    spaces = 0
    for space in range(before):
        kind = int(s.kinds[space])
        if kind != cards.Y2:
            spaces |= (kinds >> kind & 1) << space
    return spaces


@kernel
def play_machine(s: State, kind: int) -> None:
    """N4.1: move a machine from the hand to the first empty space, before its use is carried out."""
    take_from_hand(mover(s), kind)
    see_leave(opponent(s), kind)
    put_down(s, kind)
    s.played = kind


@kernel
def use_for_charcoalium(s: State, kind: int) -> None:
    """N4.3: gain as many charcoalium as its points."""
    gain(s, cards.CHARCOALIUM, cards.POINTS[kind])
    s.phase = END


@kernel
def use_for_production(s: State, kind: int) -> None:
    """N4.4: gain one token of its symbol; for a wild symbol, a resource is picked (N20.5)."""
    if cards.SYMBOL[kind] == cards.WILD_SYMBOL:
        s.left = 1
        s.phase = PICK
    else:
        gain(s, cards.SYMBOL[kind], 1)
        s.phase = END


@kernel
def use_for_effect(s: State, kind: int) -> None:
    """N4.5: apply its effect once."""
    s.effect = kind
    mover(s).last_effect = kind
    begin_effect(s, kind)
