"""What is counted in games of Bdgame, for those who design its decks."""

from __future__ import annotations

from ...engine.arrays import Ints, Ints2, Rows
from ...engine.designing import GAME, GAMES, SEAT, SHARE, Figure, Statistics
from ...engine.jit import kernel
from .actions import ACTIVATE_HOPPER, DISCARD_CUBE, HOLD_COLOR, HOLD_NONE, SPLIT_UP
from .cards import JOINER, NUM_BASIC, NUM_KINDS, SPLITTER
from .devices import advance, answer, clear_log, start
from .rules import deck_of
from .state import COLUMNS, ROWS, Config, Decks, State
from .workshop import device_of_slot, largest_device

COUNTS = ("activations", "branching", "splitters", "joiners", "splits", "holds", "largest", "orders", "branched")
ACTIVATIONS, BRANCHING, SPLITTERS, JOINERS, SPLITS, HOLDS, LARGEST, ORDERS, BRANCHED = range(len(COUNTS))


@kernel
def count(s: State, decks: Decks, action: int, counts: Ints2, room: Rows[State]) -> None:
    """Count activations in which special splitters or joiners work, and the answers to questions."""
    if not ACTIVATE_HOPPER <= action < DISCARD_CUBE:
        return
    mine = counts[s.seat]
    if action < SPLIT_UP:
        mine[ACTIVATIONS] += 1
        mine[BRANCHED] = 0  # whether the activation under way has been counted
    elif action < HOLD_COLOR:
        mine[SPLITS] += 1
    elif action < HOLD_NONE:
        mine[HOLDS] += 1
    elif action > HOLD_NONE:
        return
    config = deck_of(s, decks)
    if _has_branches(s, config):
        _run(s, config, action, mine, room)


@kernel
def _has_branches(s: State, config: Config) -> bool:
    """Whether the mover has a special splitter or joiner in play."""
    workshop = s.seats[s.seat].workshop
    for x in range(COLUMNS):
        for y in range(ROWS):
            if workshop.kinds[x, y] >= NUM_BASIC and config.shapes[workshop.kinds[x, y]] >= SPLITTER:
                return True
    return False


@kernel
def _run(s: State, config: Config, action: int, mine: Ints, room: Rows[State]) -> None:
    """Run a copy of the Device up to the next question, and look which parts work."""
    room[0] = s
    trial = room[0]
    workshop = trial.seats[trial.seat].workshop
    if action < SPLIT_UP:
        start(workshop, trial.flow, device_of_slot(workshop, action - ACTIVATE_HOPPER))
    else:
        answer(workshop, trial.flow, action - SPLIT_UP if action < HOLD_COLOR else action - HOLD_COLOR)
    clear_log(trial.flow)
    advance(workshop, trial.flow, trial.bank, trial.made, config)
    splits, joins = 0, 0
    for x in range(COLUMNS):
        for y in range(ROWS):
            if trial.flow.workings[x, y] > 0:
                shape = config.shapes[workshop.kinds[x, y]]
                splits += int(shape == SPLITTER)
                joins += int(shape == JOINER)
    mine[SPLITTERS] += int(splits > 0)
    mine[JOINERS] += int(joins > 0)
    if splits + joins > 0 and mine[BRANCHED] == 0:
        mine[BRANCHED] = 1
        mine[BRANCHING] += 1


@kernel
def finish(s: State, decks: Decks, counts: Ints2) -> None:
    """Count the cards of the largest Devices, and the orders fulfilled."""
    for seat in range(deck_of(s, decks).players):
        counts[seat, LARGEST] = largest_device(s.seats[seat].workshop)
        counts[seat, ORDERS] = s.seats[seat].num_fulfilled


STATISTICS = Statistics(
    counts=COUNTS,
    count=count,
    finish=finish,
    figures=(
        Figure("branching", "activations with a special splitter or joiner at work", "branching", SHARE, "activations"),
        Figure("splitters", "games in which a special splitter works", "splitters", GAMES),
        Figure("joiners", "games in which a special joiner works", "joiners", GAMES),
        Figure("splits", "split questions a game", "splits", GAME),
        Figure("holds", "cubes held a game", "holds", GAME),
        Figure("largest", "cards in the largest Device of a seat at the end", "largest", SEAT),
        Figure("orders", "orders that a seat fulfils", "orders", SEAT),
    ),
)


@kernel
def cards_of(s: State, decks: Decks, seat: int, out: Ints) -> None:
    """How many cards of each kind a seat has in hand, then in play."""
    me = s.seats[seat]
    for kind in range(NUM_KINDS):
        out[kind] = me.hand[kind]
        out[NUM_KINDS + kind] = 0
    for x in range(COLUMNS):
        for y in range(ROWS):
            if me.workshop.kinds[x, y] >= 0:
                out[NUM_KINDS + me.workshop.kinds[x, y]] += 1
