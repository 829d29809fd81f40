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
from bdgame_env.engine.conservation import tally
from bdgame_env.engine.game import MAX_SEATS, Game, GameConfig, Option, observation_schema
from bdgame_env.engine.jit import kernel
from bdgame_env.engine.layout import record
from bdgame_env.engine.rng import below, shuffle
from bdgame_env.engine.seam import gathered
from bdgame_env.records.snapshot_reader import Entry
from tests.support.restoring import read_options, restore_position

HIGHEST, COPIES = 5, 4
CARDS = HIGHEST * COPIES
ACTIONS = ActionTable(rule="T1")
DRAW, PASS = ACTIONS.add("draw", rule="T1"), ACTIONS.add("pass", rule="T1")
KEEP = ACTIONS.add("take", ("keep", "swap"), rule="T1")
SWAP = KEEP + 1
ROLL = ACTIONS.add("roll", rule="T1", option=("rolling", True))

CONFIG = record([("max_rounds", np.int16), ("target", np.int16), ("players", np.int8), ("rolling", np.int8)])
STATE = record(
    [
        ("rng", np.uint64),
        ("game_seed", np.uint64),
        ("decisions", np.int32),
        ("round_number", np.int16),
        ("points", np.int16, MAX_SEATS),
        ("secret", np.int8, MAX_SEATS),  # the card that only its seat knows; 0 for unused seats
        ("deck", np.int8, CARDS),  # the top is at left - 1; 0 above it
        ("known", np.int8, MAX_SEATS),  # 1 if all have seen the seat's secret card
        ("left", np.int8),
        ("face_up", np.int8),  # the card drawn, or 0
        ("seat", np.int8),
        ("over", np.int8),
        ("truncated", np.int8),
    ]
)
FIELDS: tuple[tuple[str, tuple[int, ...], int, int, str], ...] = (
    ("players", (), 2, MAX_SEATS, "seats in play"),
    ("own_seat", (), 0, MAX_SEATS - 1, "the seat that looks"),
    ("to_move", (MAX_SEATS,), 0, 1, "the seat to decide, counted from the observer"),
    ("round_number", (), 1, 127, "round"),
    ("rounds_left", (), 0, 127, "rounds until truncation"),
    ("target", (), 1, 127, "points that end the game"),
    ("rolling", (), 0, 1, "rolls are allowed"),
    ("over", (), 0, 1, "the game is over"),
    ("left", (), 0, CARDS, "cards in the deck"),
    ("face_up", (), 0, HIGHEST, "the card drawn"),
    ("own_secret", (), 1, HIGHEST, "the observer's secret card"),
    ("unseen", (HIGHEST,), 0, COPIES, "cards, by number, in the deck or secret to others and not known"),
    ("known", (MAX_SEATS,), 0, HIGHEST, "secret cards that all have seen, from the observer's seat on, else 0"),
    ("points", (MAX_SEATS,), 0, 127, "points, from the observer's seat on"),
)
OBS = record([(name, np.int8, shape) if shape else (name, np.int8) for name, shape, *_ in FIELDS])
SCHEMA = observation_schema(FIELDS)


@kernel
def take_top(s: Any) -> Any:
    """Take the top card off the deck."""
    s.left -= 1
    card = s.deck[s.left]
    s.deck[s.left] = 0
    return card


@kernel
def reset(s: Any, config: Any) -> None:
    """Shuffle, and deal a secret card to each seat."""
    for card in range(CARDS):
        s.deck[card] = card // COPIES + 1
    s.left = CARDS
    shuffle(s, s.deck, CARDS)
    for seat in range(config.players):
        s.secret[seat] = take_top(s)
    s.round_number = 1


@kernel
def legal(s: Any, config: Any, mask: Any) -> None:
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
def apply(s: Any, config: Any, action: Any) -> None:
    """After a draw the same seat decides; everything else ends the turn."""
    if action == DRAW:
        s.face_up = take_top(s)
        return
    if action == KEEP:
        s.points[s.seat] += s.face_up
    elif action == SWAP:
        s.points[s.seat] += s.secret[s.seat]
        s.secret[s.seat] = s.face_up
        s.known[s.seat] = 1
    elif action == ROLL:
        s.points[s.seat] += below(s, 4)
    s.face_up = 0
    next_seat(s, config)


@kernel
def next_seat(s: Any, config: Any) -> None:
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
def observe(s: Any, config: Any, seat: Any, out: Any) -> None:
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
        if s.known[other] != 0:
            out.known[relative] = s.secret[other]
        elif relative > 0:
            out.unseen[s.secret[other] - 1] += 1


@kernel
def points(s: Any, config: Any, seat: Any) -> Any:
    """Points of a seat."""
    return int(s.points[seat])


@kernel
def progress(s: Any, config: Any, seat: Any) -> Any:
    """The points of a seat as a fraction of the target."""
    return s.points[seat] / config.target


@kernel
def ranks(s: Any, config: Any, out: Any) -> None:
    """By points; ties share a rank."""
    for seat in range(config.players):
        place = 1
        for other in range(config.players):
            if s.points[other] > s.points[seat]:
                place += 1
        out[seat] = place


@kernel
def resample(s: Any, config: Any, seat: Any) -> None:
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
    config = np.zeros(1, CONFIG)
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


def snapshot(s: Any, config: GameConfig, omniscient: bool, seat: int | None = None) -> dict[str, Any]:
    """The position; without `omniscient`, only cards that everybody can see, and the secret card of `seat`."""
    secrets = [int(card) for card in s.secret[: config.players]]
    return {
        "game": "toy",
        "players": config.players,
        "options": {name: config.options[name] for name in ("rolling", "target", "max_rounds")},
        "round": int(s.round_number),
        "seat": int(s.seat),
        "over": bool(s.over),
        "truncated": bool(s.truncated),
        "points": [int(value) for value in s.points[: config.players]],
        "face_up": int(s.face_up),
        "deck": [int(card) for card in s.deck[: s.left]] if omniscient else int(s.left),
        "secret": [card if omniscient or own == seat or s.known[own] else None for own, card in enumerate(secrets)],
        "known": [bool(known) for known in s.known[: config.players]],
    }


def restore(data: Mapping[str, Any], config: GameConfig, s: Any) -> None:
    """Write the position of an omniscient snapshot."""
    restore_position(data, config, s, write_position, (_check_cards, _check_end), snapshot)


def write_position(snap: Entry, config: GameConfig, s: Any) -> None:
    """Read all entries of a snapshot into a record."""
    s.round_number = snap["round"].whole(1, config.options["max_rounds"])
    s.seat = snap["seat"].whole(0, config.players - 1)
    s.over, s.truncated = snap["over"].flag(), snap["truncated"].flag()
    snap["points"].fill(s.points[: config.players], lambda points: points.whole(0, 127))
    s.face_up = snap["face_up"].whole(0, HIGHEST)
    s.left = snap["deck"].fill(s.deck, _card)
    snap["secret"].fill(s.secret[: config.players], _card)
    snap["known"].fill(s.known[: config.players], lambda known: int(known.flag()))


def _check_cards(s: Any, config: GameConfig) -> Iterator[str]:
    """No card occurs too often, and every seat has a secret card."""
    lying = tally([s.deck, s.secret, s.face_up], HIGHEST + 1)[1:]
    for card, count in enumerate(lying, 1):
        if count > COPIES:
            yield f"{count} cards of {card}, at most {COPIES}"
    if (s.secret[: config.players] == 0).any():
        yield "a seat has no secret card"


def _check_end(s: Any, config: GameConfig) -> Iterator[str]:
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


def _card(card: Entry) -> int:
    return card.whole(1, HIGHEST)


def options_of_snapshot(data: Mapping[str, Any]) -> dict[str, Any]:
    """The options to make the config with."""
    return read_options(data, "toy")


GAME = Game(
    name="toy",
    version=1,
    title="Draw",
    seats=(2, 4),
    state=STATE,
    obs=OBS,
    options={
        "rolling": Option(False, (False, True), "chance during play"),
        "target": Option(12, range(5, 101), "points that end the game"),
        "max_rounds": Option(20, range(1, 1001), "rounds after which the game is truncated"),
    },
    make_config=make_config,
    rules=sys.modules[__name__],
    actions=ACTIONS,
    position=gathered("position", snapshot=snapshot, restore=restore, options_of_snapshot=options_of_snapshot),
    schema=SCHEMA,
    module=__name__,
)
