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
from bdgame_env.engine.game import MAX_SEATS, Game, GameConfig, Option, observation_schema
from bdgame_env.engine.jit import kernel
from bdgame_env.engine.layout import record
from bdgame_env.engine.rng import below, shuffle
from bdgame_env.engine.seam import gathered
from bdgame_env.records.snapshot_reader import Entry
from tests.support.restoring import read_options, restore_position

CARDS = 5
ACTIONS = ActionTable(rule="T1")
ACTIONS.add("bid", range(1, CARDS + 1), rule="T1")

CONFIG = record([("rounds", np.int8), ("players", np.int8)])
STATE = record(
    [
        ("rng", np.uint64),
        ("game_seed", np.uint64),
        ("decisions", np.int32),
        ("points", np.int16, MAX_SEATS),
        ("hands", np.int8, (MAX_SEATS, CARDS)),  # 1 for each card k + 1 still held
        ("choice", np.int8, MAX_SEATS),  # the card chosen in this round, 0 for none yet
        ("prizes", np.int8, CARDS),  # the open one at `turn`; before it those gone, in ascending order
        ("turn", np.int8),  # round, from 0
        ("seat", np.int8),
        ("over", np.int8),
        ("truncated", np.int8),
    ]
)
FIELDS: tuple[tuple[str, tuple[int, ...], int, int, str], ...] = (
    ("players", (), 2, MAX_SEATS, "seats in play"),
    ("own_seat", (), 0, MAX_SEATS - 1, "the seat that looks"),
    ("rounds", (), 1, CARDS, "rounds in all"),
    ("turn", (), 0, CARDS, "round, from 0"),
    ("over", (), 0, 1, "the game is over"),
    ("truncated", (), 0, 1, "it ended before all prizes were won"),
    ("asked", (), 0, 1, "the observer is to choose"),
    ("prize", (), 0, CARDS, "the open prize"),
    ("gone", (CARDS,), 0, 1, "prizes of rounds that are over"),
    ("own_choice", (), 0, CARDS, "the card the observer has chosen, 0 for none"),
    ("hands", (MAX_SEATS, CARDS), 0, 1, "cards left, from the observer's seat on; a chosen card counts until revealed"),
    ("points", (MAX_SEATS,), 0, 127, "points, from the observer's seat on"),
)
OBS = record([(name, np.int8, shape) if shape else (name, np.int8) for name, shape, *_ in FIELDS])
SCHEMA = observation_schema(FIELDS)


@kernel
def reset(s: Any, config: Any) -> None:
    """Shuffle the prizes; everybody has all cards."""
    for place in range(CARDS):
        s.prizes[place] = place + 1
    shuffle(s, s.prizes, CARDS)
    for seat in range(config.players):
        s.hands[seat, :] = 1


@kernel
def legal(s: Any, config: Any, mask: Any) -> None:
    """Any card that is left."""
    for card in range(CARDS):
        mask[card] = s.hands[s.seat, card]


@kernel
def apply(s: Any, config: Any, action: Any) -> None:
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
        s.points[winner] += s.prizes[s.turn]
    for seat in range(config.players):
        s.hands[seat, s.choice[seat] - 1] = 0
        s.choice[seat] = 0
    _put_in_order(s.prizes[: s.turn + 1])
    s.turn += 1
    s.seat = 0
    if s.turn == config.rounds:
        s.over = 1
        s.truncated = 1 if s.turn < CARDS else 0


@kernel
def observe(s: Any, config: Any, seat: Any, out: Any) -> None:
    """Everything `seat` sees: not what others have chosen, nor which of them is asked, nor the prizes to come."""
    out.players = config.players
    out.own_seat = seat
    out.rounds = config.rounds
    out.turn = s.turn
    out.over = s.over
    out.truncated = s.truncated
    out.asked = 1 if s.seat == seat and s.over == 0 else 0
    out.prize = s.prizes[s.turn] if s.over == 0 else 0
    out.gone[:] = 0
    for place in range(s.turn):
        out.gone[s.prizes[place] - 1] = 1
    out.own_choice = s.choice[seat]
    out.hands[:] = 0
    out.points[:] = 0
    for relative in range(config.players):
        other = (seat + relative) % config.players
        out.hands[relative, :] = s.hands[other, :]
        out.points[relative] = s.points[other]


@kernel
def points(s: Any, config: Any, seat: Any) -> Any:
    """Points of a seat."""
    return int(s.points[seat])


@kernel
def progress(s: Any, config: Any, seat: Any) -> Any:
    """The fraction of all prizes that a seat has."""
    return s.points[seat] / 15.0


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
def _mix_prizes(s: Any) -> None:
    begin = int(s.turn) + (0 if s.over else 1)
    rest = s.prizes[begin:]
    _put_in_order(rest)  # so that the true order leaves no trace
    shuffle(s, rest, rest.shape[0])


@kernel
def _put_in_order(row: Any) -> None:
    for place in range(1, row.shape[0]):
        at = place
        while at > 0 and row[at - 1] > row[at]:
            kept = row[at]
            row[at] = row[at - 1]
            row[at - 1] = kept
            at -= 1


@kernel
def _any_card(s: Any, hand: Any) -> Any:
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
def simultaneous(s: Any, config: Any, out: Any) -> Any:
    """In every round all choose at once."""
    out[:] = 0
    for seat in range(config.players):
        out[seat] = 1 if s.choice[seat] == 0 else 0
    return int(s.turn) + 1


def told(s: Any, config: GameConfig, action: int, viewer: int | None) -> str:
    """Nobody is told what another seat chooses; the last choice of a round reveals all."""
    return ""


def make_config(options: Mapping[str, Any]) -> GameConfig:
    """The config for checked options."""
    config = np.zeros(1, CONFIG)
    for name, value in options.items():
        config[name] = value
    config.setflags(write=False)
    decisions = options["players"] * options["rounds"]
    return GameConfig(record=config, options=options, cards=None, num_actions=CARDS, max_decisions=decisions)


def snapshot(s: Any, config: GameConfig, omniscient: bool, seat: int | None = None) -> dict[str, Any]:
    """The position; without `omniscient`, no choices except the seat's own, and no prizes to come."""
    players, begin = range(config.players), int(s.turn) + (0 if s.over else 1)
    shown = omniscient or (s.seat == seat and not s.over)
    return {
        "game": "bid",
        "players": config.players,
        "options": {"rounds": config.options["rounds"]},
        "turn": int(s.turn),
        "seat": int(s.seat) if shown else None,
        "over": bool(s.over),
        "truncated": bool(s.truncated),
        "prize": 0 if s.over else int(s.prizes[s.turn]),
        "gone": [int(prize) for prize in s.prizes[: s.turn]],
        "prizes": [int(prize) for prize in s.prizes[begin:]] if omniscient else CARDS - begin,
        "points": [int(s.points[each]) for each in players],
        "hands": [[card + 1 for card in range(CARDS) if s.hands[each, card]] for each in players],
        "choice": [int(s.choice[each]) if omniscient or each == seat else None for each in players],
    }


def restore(data: Mapping[str, Any], config: GameConfig, s: Any) -> None:
    """Write the position of an omniscient snapshot."""
    restore_position(data, config, s, _write, (_choices_fit, _prizes_fit), snapshot)


def _choices_fit(s: Any, config: GameConfig) -> Iterator[str]:
    """Seats choose in order, from cards that they hold; all hold the same number."""
    for seat in range(config.players):
        card = int(s.choice[seat])
        if (card != 0) != (seat < s.seat):
            yield f"choice[{seat}] does not fit: seat {s.seat} is asked"
        if card and not s.hands[seat, card - 1]:
            yield f"choice[{seat}] is {card}, which is not in that hand"
        if int(s.hands[seat].sum()) != CARDS - int(s.turn):
            yield f"hands[{seat}] must have {CARDS - int(s.turn)} cards"


def _prizes_fit(s: Any, config: GameConfig) -> Iterator[str]:
    """Every prize occurs once, and the game ends with its last round."""
    gone = [int(prize) for prize in s.prizes[: s.turn]]
    if sorted(s.prizes) != list(range(1, CARDS + 1)) or gone != sorted(gone):
        yield "prizes must name each once, those that are gone in ascending order"
    if int(s.points[: config.players].sum()) > sum(gone):
        yield "points are more than the prizes that are gone"
    if (s.turn == config.record[0]["rounds"]) != bool(s.over) or bool(s.truncated) != (s.over and s.turn < CARDS):
        yield "over or truncated does not fit the round"


def _write(snap: Entry, config: GameConfig, s: Any) -> None:
    s.turn = snap["turn"].whole(0, CARDS)
    s.over, s.truncated = snap["over"].flag(), snap["truncated"].flag()
    begin = min(CARDS, int(s.turn) + (0 if s.over else 1))
    snap["gone"].fill(s.prizes[: s.turn], lambda prize: prize.whole(1, CARDS))
    snap["prizes"].fill(s.prizes[begin:], lambda prize: prize.whole(1, CARDS))
    if begin > int(s.turn):
        s.prizes[s.turn] = snap["prize"].whole(1, CARDS)
    s.seat = snap["seat"].whole(0, config.players - 1)
    snap["points"].fill(s.points[: config.players], lambda won: won.whole(0, 15))
    for seat, hand in enumerate(snap["hands"].entries(exactly=config.players)):
        for card in hand.entries(most=CARDS):
            s.hands[seat, card.whole(1, CARDS) - 1] = 1
    snap["choice"].fill(s.choice[: config.players], lambda card: card.whole(0, CARDS))


def options_of_snapshot(data: Mapping[str, Any]) -> dict[str, Any]:
    """The options to make the config with."""
    return read_options(data, "bid")


GAME = Game(
    name="bid",
    version=1,
    title="Bids",
    seats=(2, 4),
    state=STATE,
    obs=OBS,
    options={"rounds": Option(CARDS, range(1, CARDS + 1), "rounds")},
    make_config=make_config,
    rules=sys.modules[__name__],
    actions=ACTIONS,
    position=gathered("position", snapshot=snapshot, restore=restore, options_of_snapshot=options_of_snapshot),
    schema=SCHEMA,
    module=__name__,
    told=told,
)
