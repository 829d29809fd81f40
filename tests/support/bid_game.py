"""A small, complete game for the tests of secret choices, unrelated to any real game.

Bids: everybody holds the cards 1 to 5. In each of five rounds a prize of 1 to 5 points is face up, all choose one of
their cards in secret, and the cards are revealed together: the highest bid that nobody else made takes the prize.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from bdgame_env.engine.actions import ActionTable
from bdgame_env.engine.arrays import Ints, Ints2
from bdgame_env.engine.game import MAX_SEATS, Game, GameConfig, Option
from bdgame_env.engine.jit import kernel
from bdgame_env.engine.observing import Observation, field
from bdgame_env.engine.rng import below, shuffle
from bdgame_env.engine.struct import (
    NOBODY,
    OWNER,
    GameState,
    Settings,
    copies,
    flag,
    listing,
    number,
    plain,
    size_of,
)
from bdgame_env.records.snapshots import Position

CARDS = 5
_NUMBERS = range(1, CARDS + 1)
_MOST_POINTS = sum(_NUMBERS)

OPTIONS = {"rounds": Option(CARDS, _NUMBERS, "rounds")}

ACTIONS = ActionTable(rule="T1")
ACTIONS.add("bid", _NUMBERS, rule="T1")


class Config(Settings):
    """Options for compiled code."""

    rounds: int = plain(np.int8)


def _sees_seat(s: State, viewer: int | None) -> bool:
    return viewer == s.seat and not s.over


class State(GameState):
    """One game."""

    seat: int = number(np.int8, 0, lambda config: config.players - 1, visible_to=_sees_seat)
    over: int = flag()
    turn: int = number(np.int8, 0, CARDS)  # round, from 0
    prize: int = number(np.int8, 0, CARDS)  # the open one, 0 when the game is over
    prizes: Ints = listing(CARDS, 1, CARDS, empty=0, at_end=True, visible_to=NOBODY)  # those to come
    left: int = size_of("prizes")
    gone: Ints = copies(CARDS, 1, names=_NUMBERS)  # 1 for each prize of a round that is over
    points: Ints = number(np.int16, 0, _MOST_POINTS, MAX_SEATS, by_seat=True)
    hands: Ints2 = copies((MAX_SEATS, CARDS), 1, names=_NUMBERS, by_seat=True)  # 1 for each card still held
    choice: Ints = number(np.int8, 0, CARDS, MAX_SEATS, by_seat=True, visible_to=OWNER)  # in this round, 0: none yet


class Obs(Observation):
    """What a seat sees."""

    players: int = field(2, MAX_SEATS, "seats in play")
    own_seat: int = field(0, MAX_SEATS - 1, "the seat that looks")
    rounds: int = field(1, CARDS, "rounds in all")
    turn: int = field(0, CARDS, "round, from 0")
    over: int = field(0, 1, "the game is over")
    truncated: int = field(0, 1, "it ended before all prizes were won")
    asked: int = field(0, 1, "the observer is to choose")
    prize: int = field(0, CARDS, "the open prize")
    gone: Ints = field(0, 1, "prizes of rounds that are over", CARDS)
    own_choice: int = field(0, CARDS, "the card the observer has chosen, 0 for none")
    hands: Ints2 = field(
        0, 1, "cards left, from the observer's seat on; a chosen card counts until revealed", (MAX_SEATS, CARDS)
    )
    points: Ints = field(0, 127, "points, from the observer's seat on", MAX_SEATS)


@kernel
def open_prize(s: State) -> None:
    """Turn up the next prize."""
    place = CARDS - s.left
    s.prize = s.prizes[place]
    s.prizes[place] = 0
    s.left -= 1


@kernel
def reset(s: State, config: Config) -> None:
    """Shuffle the prizes; everybody has all cards."""
    for place in range(CARDS):
        s.prizes[place] = place + 1
    s.left = CARDS
    shuffle(s, s.prizes, CARDS)
    open_prize(s)
    for seat in range(config.players):
        s.hands[seat, :] = 1


@kernel
def legal(s: State, config: Config, mask: Ints) -> None:
    """Any card that is left."""
    for card in range(CARDS):
        mask[card] = s.hands[s.seat, card]


@kernel
def apply(s: State, config: Config, action: int) -> None:
    """Choose a card; the last choice reveals all cards."""
    s.choice[s.seat] = action + 1
    if s.seat + 1 < config.players:
        s.seat += 1
        return
    winner, best = -1, 0
    for seat in range(config.players):
        alone = 1
        for other in range(config.players):
            if other != seat and s.choice[other] == s.choice[seat]:
                alone = 0
        if alone and s.choice[seat] > best:
            best = int(s.choice[seat])
            winner = seat
    if winner >= 0:
        s.points[winner] += s.prize
    for seat in range(config.players):
        s.hands[seat, s.choice[seat] - 1] = 0
        s.choice[seat] = 0
    s.gone[s.prize - 1] = 1
    s.prize = 0
    s.turn += 1
    s.seat = 0
    if s.turn < config.rounds:
        open_prize(s)
    else:
        s.over = 1
        s.truncated = 1 if s.turn < CARDS else 0


@kernel
def observe(s: State, config: Config, seat: int, out: Obs) -> None:
    """Everything `seat` sees: not what others have chosen, nor which of them is asked, nor the prizes to come."""
    out.players = config.players
    out.own_seat = seat
    out.rounds = config.rounds
    out.turn = s.turn
    out.over = s.over
    out.truncated = s.truncated
    out.asked = 1 if s.seat == seat and s.over == 0 else 0
    out.prize = s.prize
    out.gone[:] = s.gone
    out.own_choice = s.choice[seat]
    out.hands[:] = 0
    out.points[:] = 0
    for relative in range(config.players):
        other = (seat + relative) % config.players
        out.hands[relative, :] = s.hands[other, :]
        out.points[relative] = s.points[other]


@kernel
def points(s: State, config: Config, seat: int) -> int:
    """Points of a seat."""
    return int(s.points[seat])


@kernel
def progress(s: State, config: Config, seat: int) -> float:
    """The fraction of all prizes that a seat has."""
    return s.points[seat] / _MOST_POINTS


@kernel
def ranks(s: State, config: Config, out: Ints) -> None:
    """By points; ties share a rank."""
    for seat in range(config.players):
        place = 1
        for other in range(config.players):
            if s.points[other] > s.points[seat]:
                place += 1
        out[seat] = place


@kernel
def resample(s: State, config: Config, seat: int) -> None:
    """Sample the order of the prizes to come, what others have chosen and, for a seat not asked, how many have."""
    if s.over != 0:
        _mix_prizes(s)
        return
    if s.seat != seat:
        s.decisions -= s.seat
        if s.choice[seat] != 0:
            s.seat = seat + 1 + below(s, int(config.players) - 1 - seat)
        else:
            s.seat = below(s, seat)
        s.decisions += s.seat
    for other in range(config.players):
        if other != seat:
            s.choice[other] = 0
            if other < s.seat:
                s.choice[other] = _any_card(s, s.hands[other])
    _mix_prizes(s)


@kernel
def _mix_prizes(s: State) -> None:
    """Those to come, from an order that does not depend on the true one."""
    place = CARDS - int(s.left)
    for prize in range(1, CARDS + 1):
        if prize != s.prize and s.gone[prize - 1] == 0:
            s.prizes[place] = prize
            place += 1
    shuffle(s, s.prizes[CARDS - s.left :], int(s.left))


@kernel
def _any_card(s: State, hand: Ints) -> int:
    """A random card of a hand, from 1."""
    count = 0
    for card in range(CARDS):
        count += hand[card]
    left = below(s, count)
    for card in range(CARDS):
        if hand[card] != 0:
            if left == 0:
                return card + 1
            left -= 1
    return 0


@kernel
def simultaneous(s: State, config: Config, out: Ints) -> int:
    """In every round all choose at once."""
    out[:] = 0
    for seat in range(config.players):
        out[seat] = 1 if s.choice[seat] == 0 else 0
    return int(s.turn) + 1


def told(s: State, config: GameConfig, action: int, viewer: int | None) -> str:
    """Nobody is told what another seat chooses; the last choice of a round reveals all."""
    return ""


def make_config(options: Mapping[str, Any]) -> GameConfig:
    """The config for checked options."""
    config = np.zeros(1, Config.dtype)
    for name, value in options.items():
        config[name] = value
    config.setflags(write=False)
    decisions = options["players"] * options["rounds"]
    return GameConfig(record=config, options=options, cards=None, num_actions=CARDS, max_decisions=decisions)


def check_choices(s: State, config: GameConfig) -> Iterator[str]:
    """Seats choose in order, from cards that they hold; all hold the same number."""
    for seat in range(config.players):
        card = int(s.choice[seat])
        if (card != 0) != (seat < s.seat):
            yield f"choice[{seat}] does not fit: seat {s.seat} is asked"
        if card and not s.hands[seat, card - 1]:
            yield f"choice[{seat}] is {card}, which is not in that hand"
        if int(s.hands[seat].sum()) != CARDS - int(s.turn):
            yield f"hands[{seat}] must have {CARDS - int(s.turn)} cards"


def check_prizes(s: State, config: GameConfig) -> Iterator[str]:
    """Every prize occurs once, and the game ends with its last round."""
    gone = [prize for prize in _NUMBERS if s.gone[prize - 1]]
    opened = [] if s.over else [int(s.prize)]
    if sorted([*gone, *opened, *s.prizes[CARDS - s.left :]]) != list(_NUMBERS) or len(gone) != s.turn:
        yield "prizes must name each once, and one is gone for each round"
    if int(s.points.sum()) > sum(gone):
        yield "points are more than the prizes that are gone"
    if (s.turn == config.options["rounds"]) != bool(s.over) or bool(s.truncated) != (s.over and s.turn < CARDS):
        yield "over or truncated does not fit the round"


POSITION = Position("bid", State, options=OPTIONS, checks=[check_choices, check_prizes])

GAME = Game(
    name="bid",
    version=1,
    title="Bids",
    seats=(2, 4),
    rules=sys.modules[__name__],
    state=State.dtype,
    obs=Obs.dtype,
    schema=Obs.schema,
    options=OPTIONS,
    make_config=make_config,
    actions=ACTIONS,
    position=POSITION,
    told=told,
    module=__name__,
)
