"""No Thanks! (Thorsten Gimmler 2004): take the card with its chips, or pay one; a small game with hidden pieces.

- S1 3 or 4 players. Cards 3 to 35, each once. Each player begins with 11 chips.
- S2 The cards are shuffled. The last nine of the deck are never turned up, and nobody sees them.
- S3 Seat 0 begins (ruling). The top card is turned up.
- S4 The seat to decide takes the card with all chips on it, or pays a chip onto it, which it must have; then the next
  seat decides.
- S5 Whoever takes turns up the next card and decides first. When none but the nine are left, the game is over.
- S6 Points: each chip is worth 1; cards cost their number, of a run of consecutive numbers only the lowest. The most
  points win, ties are shared (ruling).
- S7 Chips are hidden from the others until the end. Seats do not count the chips of others (ruling); they know only
  what follows from what lies open: the sum, and that whoever has no card yet has at most 11 less what it paid on this
  card. All splits that fit are equally likely (ruling).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from bdgame_env.engine.actions import ActionTable
from bdgame_env.engine.arrays import Ints, Ints2, Rows
from bdgame_env.engine.game import MAX_SEATS, Game, GameConfig, Option, Seats
from bdgame_env.engine.jit import kernel
from bdgame_env.engine.observing import Observation, field
from bdgame_env.engine.rng import below, shuffle
from bdgame_env.engine.struct import (
    NOBODY,
    NONE,
    OWNER,
    GameState,
    Settings,
    Struct,
    copies,
    listing,
    number,
    part,
    size_of,
)
from bdgame_env.records.snapshots import Position

LOWEST, HIGHEST = 3, 35
CARDS = HIGHEST - LOWEST + 1
REMOVED = 9
CHIPS = 11
MOST_CHIPS = CHIPS * MAX_SEATS
WORST = 323.0  # points lost at most: every other card, 3, 5, ... 35

OPTIONS: dict[str, Option] = {}

ACTIONS = ActionTable(rule="S4")
TAKE = ACTIONS.add("take", rule="S4")
PAY = ACTIONS.add("pay", rule="S4")


class Config(Settings):
    """Nothing but the number of players."""


class Seat(Struct):
    """What a seat has."""

    chips: int = number(np.int8, 0, lambda config: CHIPS * config.players, rule="S7", visible_to=OWNER)
    cards: Ints = copies(HIGHEST + 1, 1, low=LOWEST, rule="S4")


class State(GameState):
    """One game; the top of the deck is the last entry, and the first nine entries are never turned up."""

    card: int = number(np.int8, LOWEST, HIGHEST, none=True, rule="S3")
    pot: int = number(np.int8, 0, lambda config: CHIPS * config.players, rule="S4")
    deck: Ints = listing(CARDS, LOWEST, HIGHEST, rule="S2", visible_to=NOBODY)
    deck_size: int = size_of("deck", rule="S2")
    seats: Rows[Seat] = part(Seat, MAX_SEATS, by_seat=True)


class Obs(Observation):
    """What a seat sees."""

    card: Ints = field(0, CARDS, "the card turned up: its number less 2, or 0", 1, cards="face")
    pot: int = field(0, MOST_CHIPS, "chips on it")
    left: int = field(0, CARDS - REMOVED, "cards that will still be turned up")
    own_chips: int = field(0, MOST_CHIPS, "one's own chips")
    turn: int = field(0, MAX_SEATS - 1, "the seat to decide, from the observer on")
    players: int = field(3, MAX_SEATS, "seats in play")
    taken: Ints2 = field(0, 1, "cards taken, from 3 to 35", (Seats(MAX_SEATS), CARDS), cards="count")


@kernel
def turn_up(s: State) -> None:
    """S5: the next card, or the end."""
    if s.deck_size <= REMOVED:
        s.card = NONE
        s.over = 1
    else:
        s.deck_size -= 1
        s.card = s.deck[s.deck_size]
        s.deck[s.deck_size] = NONE


@kernel
def reset(s: State, config: Config) -> None:
    """S1 to S3."""
    for k in range(CARDS):
        s.deck[k] = LOWEST + k
    shuffle(s, s.deck, CARDS)
    s.deck_size = CARDS
    for seat in range(config.players):
        s.seats[seat].chips = CHIPS
    turn_up(s)


@kernel
def legal(s: State, config: Config, mask: Ints) -> None:
    """S4: take, or pay if there is a chip."""
    if s.over == 0:
        mask[TAKE] = 1
        if s.seats[s.seat].chips > 0:
            mask[PAY] = 1


@kernel
def apply(s: State, config: Config, action: int) -> None:
    """S4, S5."""
    me = s.seats[s.seat]
    if action == TAKE:
        me.cards[s.card] = 1
        me.chips += s.pot
        s.pot = 0
        turn_up(s)
    else:
        me.chips -= 1
        s.pot += 1
        s.seat = (s.seat + 1) % config.players


@kernel
def observe(s: State, config: Config, seat: int, out: Obs) -> None:
    """S7: everything but chips of others and what is in the deck."""
    out.card[0] = 0 if s.card == NONE else s.card - LOWEST + 1
    out.pot = s.pot
    out.left = s.deck_size - REMOVED
    out.own_chips = s.seats[seat].chips
    out.turn = (s.seat - seat) % config.players
    out.players = config.players
    out.taken[:] = 0
    for k in range(config.players):
        other = s.seats[(seat + k) % config.players]
        for card in range(LOWEST, HIGHEST + 1):
            out.taken[k, card - LOWEST] = other.cards[card]


@kernel
def cost(seat: Seat) -> int:
    """S6: what the cards of a seat cost."""
    total = 0
    for card in range(LOWEST, HIGHEST + 1):
        if seat.cards[card] != 0 and seat.cards[card - 1] == 0:
            total += card
    return total


@kernel
def points(s: State, config: Config, seat: int) -> int:
    """S6."""
    return int(s.seats[seat].chips) - cost(s.seats[seat])


@kernel
def shown_points(s: State, config: Config, seat: int) -> int:
    """S7: without chips, until the end."""
    return points(s, config, seat) if s.over != 0 else -cost(s.seats[seat])


@kernel
def progress(s: State, config: Config, seat: int) -> float:
    """From what everybody sees, since rewards that are shaped would tell the chips of others."""
    return min(1.0, max(0.0, 1.0 + shown_points(s, config, seat) / WORST))


@kernel
def ranks(s: State, config: Config, out: Ints) -> None:
    """S6: by points."""
    for seat in range(config.players):
        out[seat] = 1
        for other in range(config.players):
            if points(s, config, other) > points(s, config, seat):
                out[seat] += 1


@kernel
def most_chips(s: State, players: int, seat: int) -> int:
    """S7: no seat has more; one without cards has what it began with, less what it paid on this card."""
    for card in range(LOWEST, HIGHEST + 1):
        if s.seats[seat].cards[card] != 0:
            return CHIPS * players
    ago = int(s.seat - seat - 1) % players + 1  # decisions since it paid first of all, counted back
    return CHIPS - (int(s.pot) - ago + players) // players


@kernel
def resample(s: State, config: Config, seat: int) -> None:
    """S2, S7: the deck and the chips of the others; at the end only the deck, since points tell the chips."""
    size = 0
    for card in range(LOWEST, HIGHEST + 1):
        free = s.card != card
        for k in range(config.players):
            free = free and s.seats[k].cards[card] == 0
        if free:
            s.deck[size] = card
            size += 1
    shuffle(s, s.deck, size)
    if s.over == 0:
        resample_chips(s, config.players, seat)


@kernel
def resample_chips(s: State, players: int, seat: int) -> None:
    """S7: count the splits among the others that fit, then take one of them."""
    total = CHIPS * players - int(s.pot) - int(s.seats[seat].chips)
    one, two, three = (seat + 1) % players, (seat + 2) % players, (seat + 3) % players
    most_1, most_2 = most_chips(s, players, one), most_chips(s, players, two)
    most_3 = most_chips(s, players, three) if players > 3 else 0
    chosen = -1
    for attempt in range(2):
        count = 0
        for first in range(min(most_1, total) + 1):
            for second in range(min(most_2, total - first) + 1):
                if total - first - second <= most_3:
                    if count == chosen:
                        s.seats[one].chips = first
                        s.seats[two].chips = second
                        if players > 3:
                            s.seats[three].chips = total - first - second
                    count += 1
        if attempt == 0:
            chosen = below(s, count)


def derive(s: State, config: GameConfig) -> None:
    """S5: over once no card lies open."""
    s.over = s.card == NONE


def check_cards(s: State, config: GameConfig) -> Iterator[str]:
    """S1, S2, S5: each card is somewhere once, and nine stay in the deck."""
    held = s.seats["cards"].sum(0)
    for card in range(LOWEST, HIGHEST + 1):
        found = int(held[card]) + int((s.deck[: s.deck_size] == card).sum()) + int(s.card == card)
        if found != 1:
            yield f"card {card} is there {found} times, must be once (S1)"
    if s.deck_size < REMOVED or (s.card == NONE and s.deck_size > REMOVED):
        yield f"{s.deck_size} cards in deck, but card is {s.card} (S5)"


def check_chips(s: State, config: GameConfig) -> Iterator[str]:
    """S1, S7: no chips are lost, and none is where resampling does not expect it."""
    found, wanted = int(s.seats["chips"].sum()) + int(s.pot), CHIPS * config.players
    if found != wanted:
        yield f"{found} chips in seats and pot, must be {wanted} (S1)"
    if s.card == NONE and s.pot:
        yield f"pot is {s.pot}, but there is no card (S5)"
    for seat in range(config.players):
        if s.seats[seat].chips > most_chips(s, config.players, seat):
            yield f"seats[{seat}].chips is {s.seats[seat].chips}, too many for a seat without cards (S7)"
    if s.truncated:
        yield "truncated is true, but there is no limit (S5)"


def make_config(options: Mapping[str, Any]) -> GameConfig:
    """The config for checked options."""
    config = np.zeros(1, Config.dtype)
    config["players"] = players = options["players"]
    return GameConfig(
        record=config,
        options=options,
        cards=None,
        num_actions=ACTIONS.num_actions(options),
        max_decisions=(CARDS - REMOVED) * (CHIPS * players + 1),
    )


def card_names(config: GameConfig) -> dict[str, list[str]]:
    """The numbers printed on the cards."""
    names = [str(card) for card in range(LOWEST, HIGHEST + 1)]
    return {"card": names, "taken": names}


POSITION = Position("no_thanks", State, options=OPTIONS, derive=derive, checks=[check_cards, check_chips])

GAME = Game(
    name="no_thanks",
    version=1,
    title="No Thanks!",
    seats=(3, MAX_SEATS),
    rules=sys.modules[__name__],
    state=State.dtype,
    obs=Obs.dtype,
    schema=Obs.schema,
    options=OPTIONS,
    make_config=make_config,
    actions=ACTIONS,
    position=POSITION,
    shown_points=shown_points,
    card_names=card_names,
    module=__name__,
)
