"""The effects of machines (N9-N12), from start to finish, with their decisions.

Functions named `..._choices` return what is legal in a phase: bit i stands for the i-th action of its family (N19).
"""

from __future__ import annotations

from ...engine.arrays import Ints
from ...engine.jit import kernel
from . import cards
from .bric_a_brac import discard_from_row, with_symbol
from .hands import draw_project, lose_from_hand, steal_machine, thin_hand
from .knowledge import doubt_fitting
from .sets import weigh
from .state import END, EXCHANGE, EXCHANGES, HAND, KEEP, NONE, OFFERED, PICK, TARGET, State
from .tokens import gain, give_back, mover, opponent, resources, steal_token, to_be_had

_LEFT_BY_R3, _COAL_OF_R3, _RESOURCES_OF_R4 = 2, 2, 2


@kernel
def begin_effect(s: State, kind: int) -> None:
    """Apply the effect of `kind` for the machine just played, the last one in the row (N12.2.1).

    Ends in the phase of its first decision, or in END.
    """
    s.phase = END
    if kind in (cards.B1, cards.B2, cards.B3, cards.B4):
        _produce(s, kind)
    elif kind == cards.B5:
        _begin_picks(s, 1)
    elif kind == cards.P1:
        s.phase = HAND
    elif kind == cards.P4:
        s.left = EXCHANGES
        s.phase = EXCHANGE
    elif kind == cards.P5:
        _discard_previous(s, int(s.machines) - 2)
    elif kind == cards.R1:
        steal_token(s, cards.CHARCOALIUM)
        steal_machine(s)
    elif kind == cards.R2:
        _begin_steal(s)
    elif kind == cards.R3:
        _thin_hand(s)
    elif kind == cards.R4:
        _begin_picks(s, min(_RESOURCES_OF_R4, resources(opponent(s))))
    elif kind == cards.Y1:
        _draw_offer(s)
    else:  # P2, P3 and Y2
        s.phase = TARGET


# N9, production


@kernel
def _produce(s: State, kind: int) -> None:
    """N9.1-N9.4: one token for each machine of the bric-a-brac, itself included, that shows this machine's symbol."""
    gain(s, cards.SYMBOL[kind], with_symbol(s, int(cards.SYMBOL[kind])))


# Picking resources (N20.4, N20.5)


@kernel
def _begin_picks(s: State, number: int) -> None:
    """Start a chain of this many picks; with 0 the phase is skipped."""
    s.left = number
    if number > 0:
        s.phase = PICK


@kernel
def available(s: State, resource: int) -> int:
    """N20.5: how many of a resource can be picked."""
    if s.discarded != NONE:  # N10.6: picks come from the printed cost
        return int(cards.COST[s.discarded, resource]) - int(s.previous == resource)
    if s.effect == cards.R2 or s.effect == cards.R4:
        return int(opponent(s).tokens[resource + 1])
    return 1  # production of a wild machine and B5: always possible, whatever is left to gain (N14.3)


@kernel
def pick_choices(s: State) -> int:
    """N20.4: the picks of a chain ascend; a resource is legal if it is available and enough is left from it onwards."""
    choices, from_here = 0, 0
    for resource in range(cards.NUM_RESOURCES - 1, max(0, int(s.previous)) - 1, -1):
        number = available(s, resource)
        from_here += number
        if number > 0 and from_here >= s.left:
            choices |= 1 << resource
    return choices


@kernel
def pick(s: State, resource: int) -> None:
    """Pick a resource; this takes effect at once."""
    token = resource + 1
    if s.effect == cards.B5:  # N9.5
        gain(s, token, with_symbol(s, cards.WILD_SYMBOL))
    elif s.effect == cards.R2:
        steal_token(s, token)
    elif s.effect == cards.R4:  # N11.4
        give_back(s, opponent(s), token, 1)
    else:  # N4.4, N10.1-N10.3, N10.5
        gain(s, token, 1)
    before = int(s.previous)
    s.previous = resource
    s.left -= 1
    if s.left == 0:
        s.phase = END
        if s.effect == cards.R2:
            steal_machine(s)
        elif s.effect == cards.P1:  # N16.6.4: its gains have now been seen
            doubt_fitting(opponent(s), before, resource)


# N10, transformation


@kernel
def hand_choices(s: State) -> int:
    """N10.1: the kinds in the mover's hand."""
    me = mover(s)
    choices = 0
    for kind in range(cards.NUM_KINDS):
        if me.hand[kind] > 0:
            choices |= 1 << kind
    return choices


@kernel
def discard_for_cost(s: State, kind: int) -> None:
    """N10.1: P1 discards a machine from the mover's hand and gains two resources of its cost."""
    lose_from_hand(mover(s), kind)
    s.discarded = kind
    _begin_picks(s, 2)


@kernel
def previous_choices(s: State) -> int:
    """N10.2, N10.3: the previous 3 machines for P2, the previous 2 for P3, or as many as there are."""
    last = int(s.machines) - 1
    reach = 3 if s.effect == cards.P2 else 2
    choices = 0
    for space in range(max(0, last - reach), last):
        choices |= 1 << space
    return choices


@kernel
def _discard_previous(s: State, space: int) -> None:
    """N10.2, N10.3, N10.5, N10.7: the discard comes first, then the gain."""
    s.discarded = discard_from_row(s, space)
    if s.effect == cards.P3:
        gain(s, cards.CHARCOALIUM, 1)
    _begin_picks(s, 2 if s.effect == cards.P5 else 1)


@kernel
def discard_target(s: State, space: int) -> None:
    """N10.2, N10.3: P2 and P3 discard the chosen machine."""
    _discard_previous(s, space)


@kernel
def exchange_choices(s: State) -> int:
    """N10.4.3: bit r for exchanging charcoalium for resource r, bit 3 + r for the reverse."""
    me = mover(s)
    choices = 0
    for resource in range(cards.NUM_RESOURCES):
        if me.tokens[cards.CHARCOALIUM] > 0 and to_be_had(s, resource + 1):
            choices |= 1 << resource
        if me.tokens[resource + 1] > 0 and to_be_had(s, cards.CHARCOALIUM):
            choices |= 1 << cards.NUM_RESOURCES + resource
    return choices


@kernel
def exchange(s: State, choice: int) -> None:
    """N10.4, N10.4.2: return one token to the reserve, then gain the other."""
    if choice < cards.NUM_RESOURCES:
        given, gained = cards.CHARCOALIUM, choice + 1
    else:
        given, gained = choice - cards.NUM_RESOURCES + 1, cards.CHARCOALIUM
    give_back(s, mover(s), given, 1)
    gain(s, gained, 1)
    s.left -= 1
    if s.left == 0:  # N20.3
        s.phase = END


# N11, attack


@kernel
def _begin_steal(s: State) -> None:
    """N11.2, N20.5: R2 steals a chosen resource and then a machine; if there is no resource, only the machine."""
    if resources(opponent(s)) > 0:
        _begin_picks(s, 1)
    else:
        steal_machine(s)


@kernel
def _thin_hand(s: State) -> None:
    """N11.3: R3: the opponent discards machines down to 2, then returns 2 charcoalium, or all it has."""
    thin_hand(s, _LEFT_BY_R3)
    other = opponent(s)
    give_back(s, other, cards.CHARCOALIUM, min(_COAL_OF_R3, int(other.tokens[cards.CHARCOALIUM])))


# N12, special


@kernel
def _draw_offer(s: State) -> None:
    """N12.1, N12.1.1, N16.5: Y1 draws the top two tiles of the project deck, or the last one."""
    for _ in range(min(OFFERED, int(s.project_deck_size))):
        insert(s.offer, draw_project(s))
    s.phase = KEEP


@kernel
def keep_choices(s: State) -> int:
    """N12.1: the tiles on offer."""
    choices = 0
    for place in range(OFFERED):
        if s.offer[place] != NONE:
            choices |= 1 << int(s.offer[place])
    return choices


@kernel
def keep_project(s: State, project: int) -> None:
    """N12.1, N12.1.2: reserve this tile; the other one returns to the box."""
    me = mover(s)
    for place in range(OFFERED):
        if s.offer[place] == project:
            insert(me.reserved, project)
        elif s.offer[place] != NONE:
            insert(me.rejected, int(s.offer[place]))
        s.offer[place] = NONE
    weigh(s, me)
    s.phase = END


@kernel
def insert(row: Ints, number: int) -> None:
    """Insert a number into an ascending row with an empty place."""
    moving = int(number)
    place = 0
    while place < row.shape[0] - 1 and row[place] != NONE:
        there = int(row[place])
        if there > moving:
            row[place] = moving
            moving = there
        place += 1
    row[place] = moving
