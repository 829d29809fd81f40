"""A small, complete game for the tests of the engine, unrelated to any real game.

Draw: cards 1 to 5, four of each. Each seat holds one secret card. In a turn a seat passes, rolls for 0 to 3 points
(option `rolling`), or draws. A card drawn is face up; it is kept for its points, or swapped for the secret card, which
then scores instead, and everybody has seen the new secret card. The game ends with the round in which a seat reaches
`target` points or the deck runs out; `max_rounds` truncates it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from bdgame_env.engine.actions import ActionTable
from bdgame_env.engine.arrays import Ints
from bdgame_env.engine.conservation import tally
from bdgame_env.engine.game import MAX_SEATS, Game, GameConfig, Option
from bdgame_env.engine.jit import kernel
from bdgame_env.engine.observing import Observation, field
from bdgame_env.engine.rng import below, shuffle
from bdgame_env.engine.struct import NOBODY, OWNER, GameState, Settings, flag, listing, number, plain, size_of
from bdgame_env.records.snapshots import Position

HIGHEST, COPIES = 5, 4
CARDS = HIGHEST * COPIES

OPTIONS = {
    "rolling": Option(False, (False, True), "chance during play"),
    "target": Option(12, range(5, 101), "points that end the game"),
    "max_rounds": Option(20, range(1, 1001), "rounds after which the game is truncated"),
}

ACTIONS = ActionTable(rule="T1")
DRAW, PASS = ACTIONS.add("draw", rule="T1"), ACTIONS.add("pass", rule="T1")
KEEP = ACTIONS.add("take", ("keep", "swap"), rule="T1")
SWAP = KEEP + 1
ROLL = ACTIONS.add("roll", rule="T1", option=("rolling", True))


class Config(Settings):
    """Options for compiled code."""

    max_rounds: int = plain(np.int16)
    target: int = plain(np.int16)
    rolling: int = plain(np.int8)


class State(GameState):
    """One game."""

    over: int = flag()
    round_number: int = number(np.int16, 1, lambda config: config.options["max_rounds"], key="round")
    points: Ints = number(np.int16, 0, 127, MAX_SEATS, by_seat=True)
    secret: Ints = number(np.int8, 1, HIGHEST, MAX_SEATS, by_seat=True, visible_to=OWNER)
    known: Ints = number(np.int8, 0, HIGHEST, MAX_SEATS, by_seat=True)  # the secret card if all have seen it, else 0
    deck: Ints = listing(CARDS, 1, HIGHEST, empty=0, visible_to=NOBODY)  # the top is at left - 1
    left: int = size_of("deck")
    face_up: int = number(np.int8, 0, HIGHEST)  # the card drawn, or 0


class Obs(Observation):
    """What a seat sees."""

    players: int = field(2, MAX_SEATS, "seats in play")
    own_seat: int = field(0, MAX_SEATS - 1, "the seat that looks")
    to_move: Ints = field(0, 1, "the seat to decide, counted from the observer", MAX_SEATS)
    round_number: int = field(1, 127, "round")
    rounds_left: int = field(0, 127, "rounds until truncation")
    target: int = field(1, 127, "points that end the game")
    rolling: int = field(0, 1, "rolls are allowed")
    over: int = field(0, 1, "the game is over")
    left: int = field(0, CARDS, "cards in the deck")
    face_up: int = field(0, HIGHEST, "the card drawn")
    own_secret: int = field(1, HIGHEST, "the observer's secret card")
    unseen: Ints = field(0, COPIES, "cards, by number, in the deck or secret to others and not known", HIGHEST)
    known: Ints = field(0, HIGHEST, "secret cards that all have seen, from the observer's seat on, else 0", MAX_SEATS)
    points: Ints = field(0, 127, "points, from the observer's seat on", MAX_SEATS)


@kernel
def take_top(s: State) -> int:
    """Take the top card off the deck."""
    s.left -= 1
    card = s.deck[s.left]
    s.deck[s.left] = 0
    return card


@kernel
def reset(s: State, config: Config) -> None:
    """Shuffle, and deal a secret card to each seat."""
    for card in range(CARDS):
        s.deck[card] = card // COPIES + 1
    s.left = CARDS
    shuffle(s, s.deck, CARDS)
    for seat in range(config.players):
        s.secret[seat] = take_top(s)
    s.round_number = 1


@kernel
def legal(s: State, config: Config, mask: Ints) -> None:
    """With a card face up, keep or swap it; otherwise draw, pass or roll."""
    if s.face_up != 0:
        mask[KEEP] = 1
        mask[SWAP] = 1
        return
    mask[PASS] = 1
    if s.left > 0:
        mask[DRAW] = 1
    if config.rolling:
        mask[ROLL] = 1


@kernel
def apply(s: State, config: Config, action: int) -> None:
    """After a draw the same seat decides; everything else ends the turn."""
    if action == DRAW:
        s.face_up = take_top(s)
        return
    if action == KEEP:
        s.points[s.seat] += s.face_up
    elif action == SWAP:
        s.points[s.seat] += s.secret[s.seat]
        s.secret[s.seat] = s.face_up
        s.known[s.seat] = s.face_up
    elif action == ROLL:
        s.points[s.seat] += below(s, 4)
    s.face_up = 0
    next_seat(s, config)


@kernel
def next_seat(s: State, config: Config) -> None:
    """Go on to the next seat, the next round or the end."""
    if s.seat + 1 < config.players:
        s.seat += 1
        return
    finished = s.left == 0
    for seat in range(config.players):
        if s.points[seat] >= config.target:
            finished = True
    if finished or s.round_number >= config.max_rounds:
        s.over = 1
        s.truncated = 0 if finished else 1
        return
    s.seat = 0
    s.round_number += 1


@kernel
def observe(s: State, config: Config, seat: int, out: Obs) -> None:
    """Everything `seat` sees: neither the order of the deck nor the others' cards."""
    out.players = config.players
    out.own_seat = seat
    out.to_move[:] = 0
    if not s.over:
        out.to_move[(s.seat - seat) % config.players] = 1
    out.round_number = min(127, int(s.round_number))
    out.rounds_left = min(127, int(config.max_rounds) - int(s.round_number))
    out.target = min(127, int(config.target))
    out.rolling = config.rolling
    out.over = s.over
    out.left = s.left
    out.face_up = s.face_up
    out.own_secret = s.secret[seat]
    out.unseen[:] = 0
    for place in range(s.left):
        out.unseen[s.deck[place] - 1] += 1
    out.points[:] = 0
    out.known[:] = 0
    for relative in range(config.players):
        other = (seat + relative) % config.players
        out.points[relative] = min(127, int(s.points[other]))
        out.known[relative] = s.known[other]
        if relative > 0 and s.known[other] == 0:
            out.unseen[s.secret[other] - 1] += 1


@kernel
def points(s: State, config: Config, seat: int) -> int:
    """Points of a seat."""
    return int(s.points[seat])


@kernel
def progress(s: State, config: Config, seat: int) -> float:
    """The points of a seat as a fraction of the target."""
    return s.points[seat] / config.target


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
    """Sort and shuffle the deck together with the secret cards that the seat has not seen, and deal those again."""
    count = int(s.left)
    for other in range(config.players):  # there is room above the deck, where the secret cards came from
        if other != seat and s.known[other] == 0:
            s.deck[count] = s.secret[other]
            count += 1
    for place in range(1, count):
        card, at = s.deck[place], place
        while at > 0 and s.deck[at - 1] > card:
            s.deck[at] = s.deck[at - 1]
            at -= 1
        s.deck[at] = card
    shuffle(s, s.deck, count)
    for other in range(config.players):
        if other != seat and s.known[other] == 0:
            count -= 1
            s.secret[other] = s.deck[count]
            s.deck[count] = 0


def make_config(options: Mapping[str, Any]) -> GameConfig:
    """The config for checked options."""
    config = np.zeros(1, Config.dtype)
    for name, value in options.items():
        config[name] = value
    config.setflags(write=False)
    return GameConfig(
        record=config,
        options=options,
        cards=None,
        num_actions=ACTIONS.num_actions(options),
        max_decisions=2 * options["players"] * options["max_rounds"],
    )


def check_cards(s: State, config: GameConfig) -> Iterator[str]:
    """No card occurs too often, and what all have seen is the secret card."""
    for card, count in enumerate(tally([s.deck, s.secret, s.face_up], HIGHEST + 1)[1:], 1):
        if count > COPIES:
            yield f"{count} cards of {card}, at most {COPIES}"
    if ((s.known != 0) & (s.known != s.secret)).any():
        yield "a card that all have seen is not the secret card of its seat"


def check_end(s: State, config: GameConfig) -> Iterator[str]:
    """The game is over only at the end of a round, and only for one of its reasons."""
    scored = int(s.points.max()) >= config.options["target"]
    last = s.round_number == config.options["max_rounds"]
    if s.over:
        if s.face_up or s.seat != config.players - 1 or not (scored or last or s.left == 0):
            yield "over, but the game goes on"
    if s.truncated and not (s.over and last and s.left and not scored):
        yield "truncated, but not by the limit of rounds"
    if s.over and not s.truncated and not (scored or s.left == 0):
        yield "over by the limit of rounds, but not truncated"


POSITION = Position("toy", State, options=OPTIONS, checks=[check_cards, check_end])

GAME = Game(
    name="toy",
    version=1,
    title="Draw",
    seats=(2, 4),
    rules=sys.modules[__name__],
    state=State.dtype,
    obs=Obs.dtype,
    schema=Obs.schema,
    options=OPTIONS,
    make_config=make_config,
    actions=ACTIONS,
    position=POSITION,
    module=__name__,
)
