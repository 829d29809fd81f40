"""Positions to begin training games from: random Devices ready to run, and random parts in hand.

Players who buy only what they know never learn what else would do. Cards come from where play would take them, so that
the position is one that play could reach: special cards from the deck, packers from their pile.
"""

from __future__ import annotations

from ...engine.jit import kernel
from ...engine.rng import Stream, below
from .cards import COLORS, HOPPER, JOINER, MID, PACKER, SPLITTER, STRAIGHT, UP
from .rules import deck_of
from .state import NONE, Config, Decks, Seat, State
from .workshop import put_card, take_card

_MOST_IN_HAND = 3
_X, _Y = 1, 2  # of the packer of the upper starting Device (B10)
_LOWER = 6  # y of the lower one


@kernel
def explore(s: State, decks: Decks, rng: Stream) -> None:
    """Change the position right after setting up: for one seat or for all, a Device or parts in hand."""
    config = deck_of(s, decks)
    only = int(below(rng, 2 * config.players))  # a seat; from the number of players on, all
    for seat in range(config.players):
        if only == seat or only >= config.players:
            if below(rng, 3) == 0:
                part = _draw_special(s, rng)
                s.seats[seat].hand[part] += 1
                for _ in range(int(below(rng, _MOST_IN_HAND))):
                    part = _draw_next(s, config, part, rng)
                    s.seats[seat].hand[part] += 1
                if below(rng, 2) == 0:
                    _take_from_pile(s, s.seats[seat], PACKER)
            else:
                build_device(s, config, seat, rng)


@kernel
def build_device(s: State, config: Config, seat: int, rng: Stream) -> None:
    """Put one or two random special parts into the seat's upper starting Device; what does not fit goes to its hand."""
    me = s.seats[seat]
    first = _draw_special(s, rng)
    second = _draw_next(s, config, first, rng) if below(rng, 2) == 0 else -1
    shape = int(config.shapes[first])
    then = int(config.shapes[second]) if second >= 0 else -1
    needed = 0  # packers more than the one that the Device has
    if shape == SPLITTER and then != JOINER:
        needed += 1
    if shape != JOINER and then == SPLITTER:
        needed += 1
    if needed > s.piles[PACKER]:
        me.hand[first] += 1
        if second >= 0:
            me.hand[second] += 1
        return
    for _ in range(needed):
        _take_from_pile(s, me, PACKER)
    take_card(me.workshop, config.shapes, _X, _Y)
    me.hand[PACKER] += 1
    if second >= 0:
        me.hand[second] += 1
    if shape == JOINER:
        _feed_joiner(me, config)
        put_card(me.workshop, config.shapes, first, _X, _Y + 1)
        _pack(me, config, _X + 1, _Y + 1)
        return
    put_card(me.workshop, config.shapes, first, _X, _Y)
    if shape == STRAIGHT:
        _go_on(me, config, second, then, _X + 1, _Y)
    elif then == JOINER:  # fed by both outlets
        _place(me, config, second, _X + 1, _Y)
        _pack(me, config, _X + 2, _Y)
    else:
        _go_on(me, config, second, then, _X + 1, _Y - 1)
        _pack(me, config, _X + 1, _Y + 1)


@kernel
def _go_on(me: Seat, config: Config, kind: int, shape: int, x: int, y: int) -> None:
    """Behind an outlet at (x, y): the second part and its packers; a packer alone if there is none, or a joiner."""
    if shape == STRAIGHT:
        _place(me, config, kind, x, y)
        _pack(me, config, x + 1, y)
    elif shape == SPLITTER:
        _place(me, config, kind, x, y)
        _pack(me, config, x + 1, y - 1)
        _pack(me, config, x + 1, y + 1)
    else:
        _pack(me, config, x, y)


@kernel
def _feed_joiner(me: Seat, config: Config) -> None:
    """Move the lower hopper up to the joiner's second inlet; its packer goes to the hand."""
    take_card(me.workshop, config.shapes, _X, _LOWER)
    take_card(me.workshop, config.shapes, 0, _LOWER)
    me.hand[PACKER] += 1
    put_card(me.workshop, config.shapes, HOPPER, 0, _Y + 2)


@kernel
def _pack(me: Seat, config: Config, x: int, y: int) -> None:
    """Place a packer from the hand."""
    _place(me, config, PACKER, x, y)


@kernel
def _place(me: Seat, config: Config, kind: int, x: int, y: int) -> None:
    """Place a card from the hand, where it is legal."""
    me.hand[kind] -= 1
    put_card(me.workshop, config.shapes, kind, x, y)


@kernel
def _draw_special(s: State, rng: Stream) -> int:
    """Draw a random card from the special deck, which has one."""
    return _draw(s, int(below(rng, int(s.parts_left))))


@kernel
def _draw_next(s: State, config: Config, before: int, rng: Stream) -> int:
    """Draw a special card, mostly one that works on what the part before gives, since few pairs of random parts do.

    After a splitter that is a joiner in half of the games, if the deck has one that fits: few do, and with chance alone
    nobody would learn what they make together.
    """
    for wanted in (JOINER, NONE):
        start = int(below(rng, int(s.parts_left)))
        if below(rng, 2) == 0:
            for i in range(int(s.parts_left)):
                place = (start + i) % int(s.parts_left)
                kind = int(s.parts_deck[place])
                if (wanted == NONE or config.shapes[kind] == wanted) and _feeds(config, before, kind):
                    return _draw(s, place)
    return _draw_special(s, rng)


@kernel
def _feeds(config: Config, kind: int, then: int) -> bool:
    """Whether each inlet of a part is fed every color that it takes by the outlets of the part before."""
    shape, next_shape = config.shapes[kind], config.shapes[then]
    if next_shape == JOINER and shape != SPLITTER:
        return False
    for inlet in range(3):
        outlet = inlet if next_shape == JOINER else UP if shape == SPLITTER else MID
        for color in range(len(COLORS)):
            if config.takes[then, inlet, color] > 0 and config.gives[kind, outlet, color] == 0:
                return False
    return True


@kernel
def _draw(s: State, place: int) -> int:
    """Draw the card at this place of the special deck; the last card takes its place."""
    kind = int(s.parts_deck[place])
    s.parts_left -= 1
    s.parts_deck[place] = s.parts_deck[s.parts_left]
    s.parts_deck[s.parts_left] = NONE
    return kind


@kernel
def _take_from_pile(s: State, me: Seat, kind: int) -> None:
    """Take a basic card from its pile to the hand, if there is one."""
    if s.piles[kind] > 0:
        s.piles[kind] -= 1
        me.hand[kind] += 1
