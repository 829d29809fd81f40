"""Draft: dealing stacks, choosing cards simultaneously, turning up ability cards (P18-P24, P59)."""

from __future__ import annotations

from ...engine.jit import kernel
from ...engine.rng import shuffle
from .cards import FIRST_ABILITY, LEADERS, NUM_ABILITIES
from .hands import draw_machine, insert, take_out
from .knowledge import remember
from .state import BUILDING, DRAFTING, NONE, STACK, Config, Seat, State

_NUM_LEADERS = len(LEADERS)


@kernel
def begin_draft(s: State, config: Config) -> None:
    """P18-P20: deal every seat an ability card and the same number of machine cards."""
    players = int(config.players)
    _deal_abilities(s, players)
    stack = min(STACK, int(s.deck_size) // players)
    for seat in range(players):
        me = s.seats[seat]
        for _ in range(stack):
            insert(me.hand, me.hand_size, draw_machine(s))
            me.hand_size += 1
    if s.deck_size < players:
        _set_aside(s)
    s.phase = DRAFTING
    s.seat = 0


@kernel
def _deal_abilities(s: State, players: int) -> None:
    """P18: shuffle the four ability cards; stack i gets the i-th, the others stay unseen for this round."""
    for ability in range(NUM_ABILITIES):
        s.stacks[ability] = FIRST_ABILITY + ability
    shuffle(s, s.stacks, NUM_ABILITIES)
    for seat in range(players):
        s.seats[seat].hand[0] = s.stacks[seat]
        s.seats[seat].hand_size = 1
    s.stacks[:] = 0


@kernel
def _set_aside(s: State) -> None:
    """P19.1: if too few cards are left for another deal, they leave the game unseen, and the deck is empty."""
    while s.deck_size > 0:
        insert(s.set_aside, s.set_aside_size, draw_machine(s))
        s.set_aside_size += 1


@kernel
def lock(s: State, config: Config, place: int) -> bool:
    """P59: lock a secret choice. Once all have chosen, cards are laid down; True if none is left to pick (P21)."""
    s.seats[s.seat].choice = place
    for seat in range(config.players):
        if s.seats[seat].choice == NONE:
            s.seat = seat
            return False
    for seat in range(config.players):
        _lay_down(s.seats[seat])
    s.seat = 0
    if s.seats[0].hand_size == 0:
        return True
    _pass_left(s, int(config.players))
    remember(s, config)
    return False


@kernel
def _lay_down(me: Seat) -> None:
    """P21: lay the chosen card face down with those drafted before."""
    me.drafted[me.drafted_size] = take_out(me.hand, me.hand_size, int(me.choice))
    me.hand_size -= 1
    me.drafted_size += 1
    me.choice = NONE


@kernel
def _pass_left(s: State, players: int) -> None:
    """P21, P1: pass every hand to the next seat; all hands have the same size."""
    for place in range(s.seats[0].hand_size):
        card = s.seats[players - 1].hand[place]
        for seat in range(players - 1, 0, -1):
            s.seats[seat].hand[place] = s.seats[seat - 1].hand[place]
        s.seats[0].hand[place] = card


@kernel
def turn_up_abilities(s: State, config: Config) -> None:
    """P22: turn up the ability cards; the machine cards, still secret, become a hand in order of kind (P56).

    Who took which card at which pick is kept until all are played: players remember what they saw (P66).
    """
    for seat in range(config.players):
        me = s.seats[seat]
        for place in range(me.laid.shape[0]):
            me.laid[place] = me.drafted[place]
    s.phase = BUILDING
    remember(s, config)
    for seat in range(config.players):
        me = s.seats[seat]
        count = int(me.drafted_size)
        machines = 0
        for place in range(count):
            card = int(me.drafted[place])
            me.drafted[place] = 0
            if card >= FIRST_ABILITY:
                me.abilities[card - FIRST_ABILITY] = 1
            else:
                insert(me.drafted, machines, card)
                machines += 1
        me.drafted_size = machines
    _choose_leaders(s, config)


@kernel
def _choose_leaders(s: State, config: Config) -> None:
    """P23, P24: the owner of an ability card leads its phase; if nobody has it, the seat left of the last leader does.

    In round 1 that is the starting seat itself, which is set as the leader already (P15).
    """
    for phase in range(_NUM_LEADERS):
        owner = NONE
        for seat in range(config.players):
            if s.seats[seat].abilities[phase] != 0:
                owner = seat
        if owner != NONE:
            s.leaders[phase] = owner
        elif s.round_number > 1:
            s.leaders[phase] = (int(s.leaders[phase]) + 1) % int(config.players)
