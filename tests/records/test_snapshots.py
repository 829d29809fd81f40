"""Positions written and read by the declaration of a record; on a game of a few fields of each form."""

from __future__ import annotations

from collections import UserDict
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from bdgame_env.engine.arrays import Ints, Ints2, Rows
from bdgame_env.engine.game import BadSnapshot, GameConfig, Option
from bdgame_env.engine.struct import (
    MOVER,
    NOBODY,
    NONE,
    OWNER,
    SEATS,
    GameState,
    Struct,
    bits,
    copies,
    counts,
    custom,
    flag,
    listing,
    name_of,
    number,
    part,
    size_of,
    unsaved,
)
from bdgame_env.records.snapshots import Position, first_difference

COLORS = ("red", "blue")
KINDS = ("ace", "king")
PLAYERS = 2


class Seat(Struct):
    points: int = number(np.int16, 0, 300)
    hand: Ints = counts(KINDS, (2, 3), some=True, visible_to=OWNER)
    known: Ints = counts(KINDS, 3, visible_to=SEATS)


class Spot(Struct):
    kind: int = name_of(KINDS, none=True)
    height: int = number(np.int8, 0, 9)


class State(GameState):
    phase: int = name_of(("act", "over"))
    seats: Rows[Seat] = part(Seat, 4, by_seat=True)
    bank: Ints = counts(COLORS, lambda config: config.options["size"])
    grid: Ints2 = number(np.int8, -2, 2, (2, 2))
    open: int = flag()
    deck: Ints = listing(4, names=KINDS, backwards=True, visible_to=NOBODY)
    deck_size: int = size_of("deck")
    rising: Ints = listing(3, 1, 9, rising=True, at_end=True)
    offer: Ints = listing(2, 0, 5, visible_to=MOVER)
    row: Ints = listing(3, names=KINDS, group="table", key="kind")
    coal: Ints = number(np.int8, 0, 3, 3, group="table")
    space: int = number(np.int8, 0, 2, none=True, shift=1, group="repair")
    fee: int = number(np.int8, 0, 9, group="repair")
    used: int = bits(3)
    marked: int = bits(2, names=COLORS)
    gone: Ints = copies(3, 2, low=1)
    spot: Spot = part(Spot, none=True)
    odd: int = custom(np.int8, none=True)
    double: int = unsaved(np.int8)


def derive(s: State, config: GameConfig) -> None:
    s.over, s.double = s.phase == 1, 2 * s.fee


def at_most_7(s: State, config: GameConfig) -> Iterator[str]:
    if s.fee > 7:
        yield f"fee is {s.fee}, must be at most 7"
        raise AssertionError("nothing is asked for behind a fault")


def read_odd(entry: Any, s: State, config: GameConfig, seat: int | None) -> None:
    s.odd = entry.whole(0, 9)


POSITION = Position(
    "forms",
    State,
    options={"size": Option(9, range(10), ""), "file": Option(None, None, "")},
    derive=derive,
    checks=(at_most_7,),
    custom={"odd": (lambda s, config, seat: int(s.odd), read_odd)},
)
CONFIG = GameConfig(np.zeros(1), {"players": PLAYERS, "size": 9, "file": None}, None, 1, 1)
DATA: dict[str, Any] = {
    "game": "forms",
    "players": 2,
    "options": {"size": 9},
    "rng": "12",
    "seat": 1,
    "truncated": False,
    "phase": "act",
    "bank": {"red": 1, "blue": 9},
    "grid": [[-2, 0], [1, 2]],
    "open": True,
    "seats": [
        {"points": 300, "hand": {"king": 3}, "known": {"ace": 0, "king": 1}},
        {"points": 0, "hand": {}, "known": {"ace": 2, "king": 0}},
    ],
    "deck": ["king", "ace", "ace"],
    "rising": [2, 5],
    "offer": [5],
    "used": [1, 3],
    "marked": ["blue"],
    "table": [{"kind": "ace", "coal": 3}, {"kind": "king", "coal": 0}],
    "repair": {"space": 3, "fee": 4},
    "gone": [1, 1, 2],
    "spot": {"kind": "king", "height": 9},
    "odd": 5,
}


def restored(data: Any) -> Any:
    games = np.zeros(1, State.dtype)
    POSITION.restore(data, CONFIG, games[0])
    return games[0]


def test_every_form_goes_both_ways() -> None:
    """What reads like a dict or a list is one, and what is given is left as it is."""
    kept = dict(DATA)
    s = restored(kept)
    assert kept == DATA and POSITION.snapshot(s, CONFIG, omniscient=True) == DATA
    assert restored(UserDict({**DATA, "rising": (2, 5)}))["rising"].tolist() == [NONE, 2, 5]
    assert (s.deck.tolist(), s.deck_size) == ([0, 0, 1, NONE], 3)
    assert (s.space, s.fee, s.double, s.used, s.marked, s.gone.tolist()) == (2, 4, 8, 0b101, 0b10, [0, 2, 1])
    assert s.row.tolist() == [0, 1, NONE] and s.coal.tolist() == [3, 0, 0]
    empty = restored({**DATA, "repair": None, "spot": None, "table": []})
    assert (empty.space, empty.fee, empty.spot.kind) == (NONE, 0, NONE)


def test_who_sees_what() -> None:
    s = restored(DATA)
    for viewer, mover in ((None, False), (0, False), (1, True)):
        seen = POSITION.snapshot(s, CONFIG, omniscient=False, seat=viewer)
        assert "rng" not in seen and seen["deck"] == 3 and seen["offer"] == ([5] if mover else 1)
        for number_, seat in enumerate(seen["seats"]):
            own = DATA["seats"][number_]
            assert seat["hand"] == (own["hand"] if viewer == number_ else sum(own["hand"].values()))
            assert seat["known"] == (None if viewer is None else own["known"])
            assert seat["points"] == own["points"]


def test_a_record_with_nothing_in_it() -> None:
    blank = State.blank[0]
    assert (blank.space, blank.fee, blank.spot.kind, blank.odd) == (NONE, 0, NONE, NONE)
    assert blank.deck.tolist() == [NONE] * 4 and not State.blank.flags.writeable
    assert State.dtype.itemsize % 8 == 0 and State.alignment == 8 and Seat.dtype.itemsize % 2 == 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"bank": {"red": 10, "blue": 0}}, "bank.red is 10, must be 0 to 9"),
        ({"bank": {"red": 1}}, "bank.blue is missing"),
        ({"grid": [[0, 0]]}, "grid has 1 entries, must have 2"),
        ({"grid": [[0, 3], [0, 0]]}, r"grid\[0\]\[1\] is 3, must be -2 to 2"),
        ({"deck": 3}, "deck is 3, must be a list: a number says that it is hidden, but only omniscient"),
        ({"deck": ["queen"]}, r"deck\[0\] is 'queen', must be one of ace, king"),
        ({"deck": ["ace"] * 5}, "deck has 5 entries, at most 4"),
        ({"rising": [5, 2]}, r"rising\[0\] is 5, but reads as 2"),
        ({"table": [{"kind": "ace"}]}, r"table\[0\].coal is missing"),
        ({"repair": {"space": 4, "fee": 1}}, "repair.space is 4, must be 1 to 3"),
        ({"repair": {"space": 1, "fee": 9}}, "fee is 9, must be at most 7"),
        ({"used": [4]}, r"used\[0\] is 4, must be 1 to 3"),
        ({"gone": [0]}, r"gone\[0\] is 0, must be 1 to 2"),
        ({"gone": [1, 1, 1]}, r"gone\[2\] is 1, must be there at most 2 times"),
        ({"odd": 10}, "odd is 10, must be 0 to 9"),
        ({"seats": DATA["seats"][:1]}, "seats has 1 entries, must have 2"),
        ({"open": 1}, "open is 1, must be true or false"),
        ({"rng": 12}, "rng is 12, must be a whole number in a string"),
        ({"players": 2.0}, "players is 2.0, but reads as 2"),
        ({"note": 1}, "'note' is unknown here; known: game, players, options"),
        ({"options": {}}, "options.size is missing"),
        ({"options": {"size": 9, "new\nline": 1}}, r"'new\\nline' is unknown in options; known: size"),
    ],
    ids=str,
)
def test_what_is_no_position_is_refused_in_one_line(change: Any, message: str) -> None:
    with pytest.raises(BadSnapshot, match=f"^snapshot: {message}") as refusal:
        restored({**DATA, **change})
    assert "\n" not in str(refusal.value)


def test_a_snapshot_without_chance_is_no_whole_one() -> None:
    data = {name: entry for name, entry in DATA.items() if name != "rng"}
    with pytest.raises(BadSnapshot, match="rng is missing: only omniscient snapshots can be restored"):
        restored(data)


@pytest.mark.parametrize(
    "error", [KeyError("x"), IndexError("x"), ValueError("x\ny"), TypeError(), AttributeError(), OverflowError()]
)
def test_what_nobody_has_foreseen_is_a_bad_snapshot_too(error: Exception) -> None:
    """Data from outside never ends in another error; one of the program itself is not hidden."""

    def stumble(s: Any, config: GameConfig) -> None:
        raise error

    careless = Position("forms", State, options={}, derive=stumble, custom=POSITION._custom)
    with pytest.raises(BadSnapshot, match=f"not of the documented form: {type(error).__name__}") as refusal:
        careless.restore(DATA, CONFIG, np.zeros(1, State.dtype)[0])
    assert "\n" not in str(refusal.value)


def test_options_of_a_snapshot() -> None:
    """With the number of players; only of the game that is asked for."""
    assert POSITION.options_of_snapshot(DATA) == {"players": 2, "size": 9}
    for wrong, message in (
        ({"game": "chess"}, "^snapshot: game is 'chess', must be 'forms'$"),
        ({}, "game is None, must be 'forms'"),
        ({"game": "forms", "players": 2}, "'players' or 'options' is missing"),
        ({"game": "forms", "options": {}}, "'players' or 'options' is missing"),
        ({"game": "forms", "players": 2, "options": [1]}, "'players' or 'options' is missing"),
    ):
        with pytest.raises(BadSnapshot, match=message):
            POSITION.options_of_snapshot(wrong)


def test_equal_data_does_not_differ() -> None:
    """Empty lists and nested ones included."""
    for value in (None, 0, "", [], {}, DATA, [[1], [[]]]):
        assert first_difference("", value, value) == ""
    assert first_difference("a", [[1], [2]], [[1], [3]]) == "a[1][0] is 2, but reads as 3"
