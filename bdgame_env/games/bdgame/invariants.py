"""What holds in every position of a game; `restore` refuses a snapshot that breaks it (section 11).

Each check takes the record and the config, relies on the checks before it in CHECKS, and yields what is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...engine.conservation import miscounts, tally
from ...engine.game import GameConfig
from .cards import (
    COLORS,
    CUBES_OF_A_COLOR,
    HOPPER,
    INLETS,
    NUM_BASIC,
    NUM_KINDS,
    NUM_ORDERS,
    OUTLETS,
    PACKER,
    SPECIAL_COPIES,
    VALUE,
)
from .devices import least_up, most_up
from .ending import nobody_can_score
from .state import (
    ACT,
    ACTIONS_PER_TURN,
    ACTIVATE,
    ASK_HOLD,
    ASK_NOTHING,
    ASK_SPLIT,
    BUILD,
    BUY,
    COLUMNS,
    CUBE_LIMIT,
    DISCARD,
    DISMANTLE,
    FRESH,
    FULFIL,
    HOLD,
    HOPPERS,
    JUNCTIONS,
    LOAD,
    NONE,
    OFFER,
    OPEN_BUILD,
    OPEN_BUY,
    OPEN_COLLECT,
    OPEN_DISMANTLE,
    OPEN_LOAD,
    OPEN_NOTHING,
    OPENS,
    PHASES,
    PLACE,
    RESPOND,
    ROWS,
    SPLIT,
    WINNING_POINTS,
)
from .turn import cubes_held, something_to_decide
from .workshop import card_with_port, device_of_slot, finished

_OPENS_OF_PHASE = {
    BUY: (OPEN_BUY,),
    PLACE: (OPEN_BUY, OPEN_BUILD),
    BUILD: (OPEN_BUILD,),
    DISMANTLE: (OPEN_DISMANTLE,),
    LOAD: (OPEN_LOAD,),
    DISCARD: (OPEN_NOTHING, OPEN_COLLECT),
}
_ACTION_NOT_OPEN = (ACT, OFFER, RESPOND)
_ACTIVATING = (ACTIVATE, SPLIT, HOLD)
_STARTING_CARDS = 2
_COLLECTED = 2


def copies(players: int) -> list[int]:
    """B3, B4, B5: how many cards of each kind there are in a game with this many players."""
    basic = [players + 1 + _STARTING_CARDS * players * (kind in (HOPPER, PACKER)) for kind in range(NUM_BASIC)]
    return basic + [SPECIAL_COPIES] * (NUM_KINDS - NUM_BASIC)


def _turn(s: Any) -> int:
    """The seat whose turn it is (B50a: another seat decides while its offer is answered)."""
    return int(s.offer_from if s.phase == RESPOND else s.seat)


# Pieces


def _check_cubes(s: Any, config: GameConfig) -> Iterator[str]:
    """B1: no cube is lost or created."""
    workshops = s.seats["workshop"]
    held = workshops["held"][workshops["held"] > 0] - 1
    lying = [s.bank, s.made, s.flow.arrived, s.flow.cubes.sum((0, 1)), s.seats["storage"].sum(0)]
    lying += [workshops["loaded"].sum((0, 1)), tally([held % FRESH], len(COLORS))]
    yield from miscounts("cubes of color", COLORS, np.sum(lying, axis=0), CUBES_OF_A_COLOR, "B1")


def _check_orders(s: Any, config: GameConfig) -> Iterator[str]:
    """B2: every order is in one place."""
    found = tally([s.orders_row, s.orders_deck, s.seats["queue"]], NUM_ORDERS) + (s.fulfilled_by != NONE)
    yield from miscounts("orders", config.cards.orders, found, 1, "B2")


def _check_cards(s: Any, config: GameConfig) -> Iterator[str]:
    """B3, B4: no card is lost or created."""
    found = s.bought + s.seats["hand"].sum(0)
    found += tally([s.parts_row, s.parts_deck, s.seats["workshop"]["kinds"]], NUM_KINDS)
    found[:NUM_BASIC] += s.piles
    yield from miscounts("cards of kind", config.cards.kinds, found, copies(config.players), "B3, B4")


# Fields that must go together


def _check_phase(s: Any, config: GameConfig) -> Iterator[str]:
    """B52: what is open, selected, asked, offered, and how many actions are left."""
    phase, opened = PHASES[s.phase], OPENS[s.opened]
    if s.opened not in _OPENS_OF_PHASE.get(int(s.phase), (OPEN_NOTHING,)):
        yield f"phase {phase!r} does not go with open {opened!r}"
    if (s.phase == PLACE) != (s.selected != NONE):
        yield f"a card is selected in the phase place, and only there; phase is {phase!r}"
    if (s.phase in (SPLIT, HOLD)) != (s.flow.ask != ASK_NOTHING) or (s.flow.ask == ASK_SPLIT) != (s.phase == SPLIT):
        yield f"phase {phase!r} does not go with what is pending"
    if (s.phase in (OFFER, RESPOND)) != (s.offer_from != NONE):
        yield f"phase {phase!r} does not go with the offer"
    if s.opened != OPEN_BUY and (s.credit or s.sold or s.purchases or s.bought.any()):
        yield "credit, sold, purchases and bought belong to an open Buy action"
    if s.phase in _ACTION_NOT_OPEN:
        least, most = 1, ACTIONS_PER_TURN
    elif s.opened != OPEN_NOTHING:
        least, most = 0, ACTIONS_PER_TURN - 1
    else:
        least, most = 0, 0
    if not least <= s.actions_left <= most:
        allowed = f"{least} to {most}" if most else "0"
        yield f"phase {phase!r} with actions_left {s.actions_left}, must be {allowed} (B21)"
    if s.made.any() and s.phase not in (*_ACTIVATING, FULFIL):
        yield f"made cubes in phase {phase!r}: the pool goes to storage after fulfilling (B41)"


def _check_scores(s: Any, config: GameConfig) -> Iterator[str]:
    """B40, B45-B48: points come from orders; points and the orders left decide when the game ends."""
    for seat in range(config.players):
        earned = int(config.record[0].points[s.fulfilled_by == seat].sum())
        if s.seats[seat].points != earned:
            yield f"seats[{seat}].points is {s.seats[seat].points}, but its fulfilled orders give {earned} (B40)"
    done = [seat for seat in range(config.players) if s.seats[seat].points >= WINNING_POINTS]
    if bool(s.last_round) != bool(done):
        yield f"last_round is {bool(s.last_round)}, but {len(done)} seats have {WINNING_POINTS} points (B45)"
    if done and done[-1] > _turn(s):
        yield f"seat {done[-1]} had {WINNING_POINTS} points before this round, which the game does not outlast (B45)"
    if not s.over:
        if s.truncated:
            yield f"truncated in phase {PHASES[s.phase]!r}: only a game that is over is (B48)"
        return
    if s.seat != config.players - 1:
        yield f"the game is over with seat {s.seat}, must be {config.players - 1}: rounds are played to their end (B45)"
    ended = bool(s.last_round or nobody_can_score(s, config.record[0]))
    if not ended and s.round_number < config.options["max_rounds"]:
        yield "the game is over, but nobody has 30 points, orders are left, and so are rounds (B45, B47, B48)"
    if bool(s.truncated) == ended:
        yield f"truncated is {bool(s.truncated)}, but the game {'did' if ended else 'did not'} end by B45 or B47 (B48)"


def _check_options(s: Any, config: GameConfig) -> Iterator[str]:
    """B49, B50: no trace of an optional rule that is off."""
    if s.sold and not config.options["selling"]:
        yield f"sold is {s.sold}, must be 0 without selling (B49)"
    if (s.offers or s.offer_from != NONE) and not config.options["trading"]:
        yield "offers belong to trading, which is off (B50)"


def _check_offer(s: Any, config: GameConfig) -> Iterator[str]:
    """B50a: both cards are in the hands that would give them, and the steps of the offer came in order."""
    if s.offer_from == NONE:
        return
    kinds, giver, taker = config.cards.kinds, int(s.offer_from), int(s.offer_to)
    if not s.offers:
        yield "an offer is under way, but offers is 0 (B50)"
    if s.seats[giver].hand[s.offer_card] < 1:
        yield f"offer.card is {kinds[s.offer_card]!r}, which seat {giver} has not in hand (B50a)"
    if taker == giver:
        yield f"offer.to is {taker}, the seat that offers (B50a)"
    if s.phase == OFFER:
        if giver != s.seat:
            yield f"offer.from is {giver}, must be {s.seat}, the seat to decide (B50a)"
        if s.offer_want != NONE:
            yield "offer.want is known, but the phase is 'offer' (B50a)"
        return
    if taker != s.seat or s.offer_want == NONE:
        yield f"in phase 'respond' the offer names a wanted card and, in offer.to, the seat to decide: {s.seat} (B50a)"
    elif s.offer_want == s.offer_card:
        yield f"offer.want is {kinds[s.offer_want]!r}, the kind that is offered (B50a)"
    elif s.seats[taker].hand[s.offer_want] < 1:
        yield f"offer.want is {kinds[s.offer_want]!r}, which seat {taker} has not in hand (B50a)"


def _check_rows(s: Any, config: GameConfig) -> Iterator[str]:
    """B23, B26: empty slots are refilled while the deck lasts; slots for special cards only once the Buy is over."""
    if s.orders_left and (s.orders_row == NONE).any():
        yield "an empty slot in orders_row, but the deck has cards (B23)"
    # Cards sold in this Buy may be in a deck that was empty before.
    if s.parts_left > s.sold and (s.parts_row == NONE).sum() > s.purchases:
        yield "an empty slot in parts_row, but the deck has cards (B26)"


def _check_buy(s: Any, config: GameConfig) -> Iterator[str]:
    """B24, B24a, B25: what the open Buy was paid is spent or still credit; cards bought are placed or set apart."""
    if s.phase == PLACE:
        cards = s.bought if s.opened == OPEN_BUY else s.seats[s.seat].hand
        if cards[s.selected] < 1:
            place = "bought" if s.opened == OPEN_BUY else "in hand"
            yield f"selected is {config.cards.kinds[s.selected]!r}, but no card of this kind is {place} (B25, B30)"
    if s.opened != OPEN_BUY:
        return
    apart, cost = int(s.bought.sum()), config.record[0].cost
    placed = int(s.purchases) - apart
    if placed < 0:
        yield f"bought holds {apart} cards, but purchases is {s.purchases} (B25)"
    spent = int((s.bought * cost).sum()) + placed * int(cost.min())
    most = max(VALUE) * (CUBE_LIMIT - int(cubes_held(s.seats[s.seat]))) + int(s.sold)
    if int(s.credit) + spent > most:
        yield f"credit {s.credit} and purchases of {spent} at least: more than {most} cannot have been paid (B24, B44)"
    if not s.credit and not s.purchases:
        yield "a Buy is open, but nothing was paid (B24)"
    if not s.purchases and s.sold > s.credit:
        yield f"sold is {s.sold}, but credit {s.credit} and nothing was bought (B49)"


def _check_limit(s: Any, config: GameConfig) -> Iterator[str]:
    """B44: nobody has more than 10 cubes, except a seat that is discarding; nobody ever has more on hoppers."""
    for seat in range(config.players):
        count = int(cubes_held(s.seats[seat]))
        if count > CUBE_LIMIT and (seat != s.seat or s.phase != DISCARD):
            yield f"seats[{seat}] holds {count} cubes, at most {CUBE_LIMIT} (B44)"
        if count > CUBE_LIMIT + _COLLECTED and s.opened == OPEN_COLLECT:
            yield f"seats[{seat}] holds {count} cubes after a Collect, at most {CUBE_LIMIT + _COLLECTED} (B22)"
        loaded = int(s.seats[seat].workshop.loaded.sum())
        if loaded > CUBE_LIMIT:
            yield f"seats[{seat}] has {loaded} cubes on hoppers, at most {CUBE_LIMIT} (B44)"


def _check_held(s: Any, config: GameConfig) -> Iterator[str]:
    """B37, B38: cubes were held in an activation of this turn, or in an earlier turn of the same seat."""
    after_actions = s.phase in (*_ACTIVATING, FULFIL) or (s.phase == DISCARD and s.opened == OPEN_NOTHING)
    for seat in range(config.players):
        workshop = s.seats[seat].workshop
        for x, y in np.argwhere(workshop.held > FRESH).tolist():
            if seat != _turn(s) or not after_actions:
                yield f"seats[{seat}].workshop: the cube at ({x}, {y}) is fresh, but no Device was activated (B37)"
            elif _cubes_on_hoppers(workshop, int(workshop.devices[x, y])):
                yield f"seats[{seat}].workshop: the Device at ({x}, {y}) was activated, but has loaded hoppers (B31)"


def _check_flow(s: Any, config: GameConfig) -> Iterator[str]:
    """B31-B37, B53: an activation asks at one card; all cards before it are settled, none after it is."""
    flow, shapes = s.flow, config.record[0].shapes
    if flow.ask == ASK_NOTHING:
        return
    workshop, asks = s.seats[s.seat].workshop, (int(flow.x), int(flow.y))
    where = f"pending at {asks}"
    if not finished(workshop, shapes, flow.running):
        yield f"{where}: the Device is not finished (B31)"
    if _cubes_on_hoppers(workshop, int(flow.running)):
        yield f"{where}: the Device has cubes on its hoppers still (B32)"
    if not flow.arrived.any():
        yield f"{where}: nothing has arrived, so nothing is asked (B53)"
    for x, y in np.argwhere((workshop.held > 0) & (workshop.devices == flow.running)).tolist():
        if (workshop.held[x, y] > FRESH) != ((x, y) < asks) or (x, y) == asks:
            yield f"{where}: the cube at ({x}, {y}) is not held since the time that it would be (B37)"
    if flow.ask == ASK_SPLIT:
        yield from _check_split(flow, where)
    for x in range(COLUMNS):
        for j in range(JUNCTIONS):
            if flow.cubes[x, j].any() and not _may_wait(workshop, shapes, flow, x, j):
                yield f"{where}: no cubes can wait at junction {j} left of column {x} now (B32)"


def _may_wait(workshop: Any, shapes: Any, flow: Any, x: int, j: int) -> bool:
    """B32: whether cubes can be on their way to a card of the running Device from a hopper or a settled card."""
    asks = int(flow.x), int(flow.y)
    to = int(card_with_port(workshop, shapes, INLETS, x, j))
    by = int(card_with_port(workshop, shapes, OUTLETS, x - 1, j)) if x else NONE
    if to == NONE or by == NONE or workshop.devices[x, to % ROWS] != flow.running or divmod(to, ROWS) <= asks:
        return False
    if divmod(by, ROWS) == asks:  # B37: the cube that the pause card held earlier has moved on
        return bool(flow.ask == ASK_HOLD and flow.cubes[x, j].sum() == 1)
    return bool(workshop.kinds[x - 1, by % ROWS] == HOPPER or divmod(by, ROWS) < asks)


def _check_split(flow: Any, where: str) -> Iterator[str]:
    """B35, B53: earlier colors were answered or forced, later ones were not, and this one leaves a choice."""
    color, answers = int(flow.color), flow.up.copy()
    if answers[color:].any():
        yield f"{where}: up has colors that were not asked yet (B53)"
    step = flow.copy()
    step.up[:] = 0
    for before in range(color):
        step.color = before
        if not (least_up(step) if step.arrived[before] else 0) <= answers[before] <= most_up(step):
            yield f"{where}: up.{COLORS[before]} is {answers[before]}, which B35 does not allow"
        step.up[before] = answers[before]
    step.color = color
    if not step.arrived[color] or least_up(step) == most_up(step):
        yield f"{where}: there is one answer for {COLORS[color]} only, so it is not asked (B53)"


def _cubes_on_hoppers(workshop: Any, device: int) -> bool:
    """Whether any hopper of the Device has a cube."""
    slots = [slot for slot in range(HOPPERS) if workshop.hopper_cell[slot] != NONE]
    return any(workshop.loaded[slot].any() for slot in slots if device_of_slot(workshop, slot) == device)


def _check_settled(s: Any, config: GameConfig) -> Iterator[str]:
    """B52: an action or a phase in which only `end` is left closes by itself."""
    if not something_to_decide(s, config.record[0]):
        yield f"phase {PHASES[s.phase]!r} has nothing to decide, so it would have closed (B52)"


CHECKS = (
    *(_check_phase, _check_options, _check_cubes, _check_orders, _check_cards, _check_scores),
    *(_check_offer, _check_rows, _check_buy, _check_limit, _check_held, _check_flow, _check_settled),
)
