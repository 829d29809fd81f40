"""Acquiring cubes, orders and cards: Collect, Accept, Buy and Clear (B22-B27); selling (B49)."""

from __future__ import annotations

from ...engine.arrays import Ints
from ...engine.jit import kernel
from .actions import BUY_SLOT, PAY, SELL
from .cards import HOPPER, NUM_BASIC, NUM_KINDS, PACKER, VALUE, YELLOW
from .state import BUY, MAX_SALES, NONE, OPEN_BUY, OPEN_NOTHING, QUEUE, ROW, Config, Seat, State, Workshop
from .workshop import fits

_STARTING_PAIR = 2


@kernel
def mover(s: State) -> Seat:
    """The record of the seat to decide."""
    return s.seats[s.seat]


@kernel
def open_action(s: State, opened: int, phase: int) -> None:
    """B52: opening an action spends it; inside the open action this only sets the phase."""
    if s.opened == OPEN_NOTHING:
        s.actions_left -= 1
        s.opened = opened
    s.phase = phase


@kernel
def collect(s: State) -> None:
    """B22: 2 Yellow, or the last one, go from the bank to storage."""
    taken = min(2, int(s.bank[YELLOW]))
    s.bank[YELLOW] -= taken
    mover(s).storage[YELLOW] += taken


@kernel
def accept(s: State, slot: int) -> None:
    """B23: the order joins the queue; its slot is refilled at once."""
    queue = mover(s).queue
    queue[orders_in_queue(queue)] = s.orders_row[slot]
    s.orders_row[slot] = NONE
    fill_orders_row(s)


@kernel
def orders_in_queue(queue: Ints) -> int:
    """Number of unfulfilled orders in a queue."""
    count = 0
    while count < QUEUE and queue[count] != NONE:
        count += 1
    return count


@kernel
def fill_orders_row(s: State) -> None:
    """B7, B23: every empty slot gets the top card of the order deck, if there is one."""
    for slot in range(ROW):
        if s.orders_row[slot] == NONE and s.orders_left > 0:
            s.orders_row[slot] = _draw_top(s.orders_deck, int(s.orders_left))
            s.orders_left -= 1
            s.orders_in_deck[s.orders_row[slot]] = 0


@kernel
def fill_parts_row(s: State) -> None:
    """B8, B26: every empty special slot, slot 0 first, gets the top card of the special deck, if there is one."""
    for slot in range(ROW):
        if s.parts_row[slot] == NONE and s.parts_left > 0:
            s.parts_row[slot] = _draw_top(s.parts_deck, int(s.parts_left))
            s.parts_left -= 1
            s.parts_in_deck[s.parts_row[slot]] -= 1
    s.known = min(int(s.known), int(s.parts_left))


@kernel
def _draw_top(deck: Ints, count: int) -> int:
    """Take the top card off a deck and move the others up."""
    top = deck[0]
    for place in range(count - 1):
        deck[place] = deck[place + 1]
    deck[count - 1] = NONE
    return top


@kernel
def put_under_parts_deck(s: State, kind: int) -> None:
    """B27, B49: a special card goes to the bottom of the special deck, in sight of all (B51)."""
    s.parts_deck[s.parts_left] = kind
    s.parts_left += 1
    s.parts_in_deck[kind] += 1
    s.known += 1


@kernel
def clear_row(s: State) -> None:
    """B27: put the special row under the deck, slot 0 first, and deal new cards."""
    for slot in range(ROW):
        if s.parts_row[slot] != NONE:
            put_under_parts_deck(s, s.parts_row[slot])
            s.parts_row[slot] = NONE
    fill_parts_row(s)


@kernel
def row_has_card(row: Ints) -> bool:
    """Whether any slot of a row holds a card."""
    for slot in range(ROW):
        if row[slot] != NONE:
            return True
    return False


@kernel
def pay(s: State, color: int) -> None:
    """B24, B24a: pay one cube to the bank for its value in credit; the first cube opens the Buy."""
    open_action(s, OPEN_BUY, BUY)
    mover(s).storage[color] -= 1
    s.bank[color] += 1
    s.credit += VALUE[color]


@kernel
def buy_slot(s: State, config: Config, slot: int) -> None:
    """B24-B26: buy a special card; its slot stays empty until the action ends."""
    _buy(s, config, int(s.parts_row[slot]))
    s.parts_row[slot] = NONE


@kernel
def buy_basic(s: State, config: Config, kind: int) -> None:
    """B24-B26: buy the top card of a basic pile."""
    _buy(s, config, kind)
    s.piles[kind] -= 1


@kernel
def _buy(s: State, config: Config, kind: int) -> None:
    """B25: a bought card is set apart until the action closes."""
    s.credit -= config.cost[kind]
    s.bought[kind] += 1
    s.purchases += 1


@kernel
def close_buy(s: State) -> None:
    """B24-B26: unused credit is lost, bought cards go to the hand, the special row is refilled."""
    me = mover(s)
    for kind in range(NUM_KINDS):
        me.hand[kind] += s.bought[kind]
        s.bought[kind] = 0
    s.credit = 0
    s.purchases = 0
    s.sold = 0
    fill_parts_row(s)


@kernel
def on_sale(s: State, kind_or_slot: int) -> int:
    """The kind on sale at a place of the shop: slots 0-3, then the basic piles; NONE if there is none."""
    if kind_or_slot < ROW:
        return int(s.parts_row[kind_or_slot])
    kind = kind_or_slot - ROW
    return kind if s.piles[kind] > 0 else NONE


@kernel
def price_between(s: State, config: Config, least: int, most: int) -> bool:
    """Whether a card on sale costs at least `least` and at most `most`."""
    for place in range(ROW + NUM_BASIC):
        kind = on_sale(s, place)
        if kind != NONE and least <= int(config.cost[kind]) <= most:
            return True
    return False


@kernel
def storage_value(storage: Ints) -> int:
    """B24: the value of all cubes in storage."""
    value = 0
    for color in range(3):
        value += VALUE[color] * int(storage[color])
    return value


@kernel
def more_credit_helps(s: State, config: Config) -> bool:
    """B52: whether a card costs more than the credit, but no more than paying and selling could still bring it to."""
    reach = int(s.credit) + storage_value(mover(s).storage)
    if config.selling:
        reach += sales_left(s, mover(s))
    return price_between(s, config, int(s.credit) + 1, reach)


@kernel
def may_sell(s: State, me: Seat, kind: int) -> int:
    """B49: how many cards of a kind from the hand may be sold: 2 hoppers and 2 packers must be kept."""
    cards = int(me.hand[kind])
    if cards and (kind == HOPPER or kind == PACKER):  # noqa: SIM109  (compiled, `in` a tuple is slower)
        cards = max(0, min(cards, cards + cards_in_play(me.workshop, kind) - _STARTING_PAIR))
    return cards


@kernel
def sales_left(s: State, me: Seat) -> int:
    """B49: the credit that `sell` could still bring in this Buy, 1 per card."""
    cards = 0
    for kind in range(NUM_KINDS):
        cards += may_sell(s, me, kind)
    return min(cards, MAX_SALES - int(s.sold))


@kernel
def cards_in_play(workshop: Workshop, kind: int) -> int:
    """How many cards of a kind lie in a workshop."""
    count = 0
    for x in range(workshop.kinds.shape[0]):
        for y in range(workshop.kinds.shape[1]):
            if workshop.kinds[x, y] == kind:
                count += 1
    return count


@kernel
def sell(s: State, kind: int) -> None:
    """B49: a card from hand goes back to the shop for 1 credit."""
    open_action(s, OPEN_BUY, BUY)
    mover(s).hand[kind] -= 1
    if kind < NUM_BASIC:
        s.piles[kind] += 1
    else:
        put_under_parts_deck(s, kind)
    s.credit += 1
    s.sold += 1


@kernel
def legal_in_shop(s: State, config: Config, mask: Ints) -> None:
    """B52: `buy` what the credit covers, inside a Buy; `pay` and `sell` while more credit helps."""
    me = mover(s)
    if s.opened == OPEN_BUY:
        for place in range(ROW + NUM_BASIC):
            kind = on_sale(s, place)
            if kind != NONE and config.cost[kind] <= s.credit:
                mask[BUY_SLOT + place] = 1
    if more_credit_helps(s, config):
        for color in range(3):
            if me.storage[color] > 0:
                mask[PAY + color] = 1
        if config.selling and s.sold < MAX_SALES:
            for kind in range(NUM_KINDS):
                if may_sell(s, me, kind) > 0:
                    mask[SELL + kind] = 1


@kernel
def can_buy_on(s: State, config: Config) -> bool:
    """B52: whether the open Buy allows anything but `end`."""
    if price_between(s, config, 0, int(s.credit)):
        return True
    if more_credit_helps(s, config) and (
        storage_value(mover(s).storage) > 0 or (config.selling and sales_left(s, mover(s)) > 0)
    ):
        return True
    return can_place_bought(s, config)


@kernel
def can_place_bought(s: State, config: Config) -> bool:
    """B25: whether a card bought in this action can be placed into a Device in play."""
    for kind in range(NUM_KINDS):
        if s.bought[kind] > 0 and fits(mover(s).workshop, config.shapes[kind], False):
            return True
    return False
