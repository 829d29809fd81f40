"""Variants of the toy game with one fault each. Every checker of `conformance.py` must fail on one of these.

Each has its own name, since compiled loops are distinguished by the game's name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from bdgame_env.engine.actions import ActionTable
from bdgame_env.engine.game import Game, GameConfig
from bdgame_env.engine.jit import kernel
from bdgame_env.engine.layout import record
from bdgame_env.engine.rng import draw
from bdgame_env.records.snapshots import Position
from tests.support import toy_game as toy
from tests.support.variants import variant


def broken(name: str, **fault: Any) -> Game:
    """The toy game with some functions replaced."""
    return variant(toy.GAME, name=name, module=__name__, **fault)


@kernel
def _swap_at_any_time(s: Any, config: Any, mask: Any) -> None:
    toy.legal(s, config, mask)
    mask[toy.SWAP] = 1  # without a card face up: the secret card scores, and nothing takes its place


@kernel
def _nothing_in_round_2(s: Any, config: Any, mask: Any) -> None:
    if s.round_number != 2:
        toy.legal(s, config, mask)


@kernel
def _draws_a_number(s: Any, config: Any, mask: Any) -> None:
    toy.legal(s, config, mask)
    draw(s)


@kernel
def _marks_two(s: Any, config: Any, mask: Any) -> None:
    toy.legal(s, config, mask)
    mask[toy.PASS] *= 2


@kernel
def _never_over(s: Any, config: Any, action: Any) -> None:
    toy.apply(s, config, action)
    s.over = 0
    s.truncated = 0


@kernel
def _chance_from_outside(s: Any, config: Any, action: Any) -> None:
    s.points[s.seat] += np.random.randint(0, 2)  # noqa: NPY002  the fault: chance that is not in the state
    toy.apply(s, config, action)


@kernel
def _shows_the_top_card(s: Any, config: Any, seat: Any, out: Any) -> None:
    toy.observe(s, config, seat, out)
    out.face_up = s.deck[max(0, int(s.left) - 1)]


@kernel
def _shows_more_than_announced(s: Any, config: Any, seat: Any, out: Any) -> None:
    toy.observe(s, config, seat, out)
    out.points[0] -= 1


@kernel
def _leaves_a_field_unwritten(s: Any, config: Any, seat: Any, out: Any) -> None:
    before = out.target
    toy.observe(s, config, seat, out)
    out.target = before


@kernel
def _makes_an_array(s: Any, config: Any, seat: Any, out: Any) -> None:
    count = np.zeros(int(s.left) + 1, np.int8)
    toy.observe(s, config, seat, out)
    out.left = len(count) - 1


@kernel
def _dense_places(s: Any, config: Any, out: Any) -> None:
    for seat in range(config.players):  # 1, 1, 2: nobody may be second when two share the first rank
        place = 1
        for other in range(config.players):
            first_of_its_points = True
            for earlier in range(other):
                if s.points[earlier] == s.points[other]:
                    first_of_its_points = False
            if first_of_its_points and s.points[other] > s.points[seat]:
                place += 1
        out[seat] = place


@kernel
def _resample_nothing(s: Any, config: Any, seat: Any) -> None:
    s.deck[0] = s.deck[0]


@kernel
def _resample_the_card_face_up(s: Any, config: Any, seat: Any) -> None:
    toy.resample(s, config, seat)
    if s.face_up != 0:
        s.face_up = s.face_up % toy.HIGHEST + 1


@kernel
def _resample_the_own_card(s: Any, config: Any, seat: Any) -> None:
    toy.resample(s, config, (seat + 1) % config.players)


def _snapshot_without_the_card_face_up(
    s: Any, config: GameConfig, omniscient: bool, seat: int | None = None
) -> dict[str, Any]:
    return {**toy.POSITION.snapshot(s, config, omniscient, seat), "face_up": 0}


def _snapshot_with_all_cards(s: Any, config: GameConfig, omniscient: bool, seat: int | None = None) -> dict[str, Any]:
    return {
        **toy.POSITION.snapshot(s, config, omniscient, seat),
        "secret": [int(card) for card in s.secret[: config.players]],
    }


def _snapshot_that_shows_a_seat_all(
    s: Any, config: GameConfig, omniscient: bool, seat: int | None = None
) -> dict[str, Any]:
    return toy.POSITION.snapshot(s, config, omniscient or seat is not None, seat)


def _snapshot_with_a_key_more_for_a_seat(
    s: Any, config: GameConfig, omniscient: bool, seat: int | None = None
) -> dict[str, Any]:
    return {**toy.POSITION.snapshot(s, config, omniscient, seat), **({} if seat is None else {"own": seat})}


def _restore_without_the_secret_cards(data: Mapping[str, Any], config: GameConfig, s: Any) -> None:
    toy.POSITION.restore(data, config, s)
    s.secret[: config.players] = 1


def _restore_what_is_known(data: Mapping[str, Any], config: GameConfig, s: Any) -> None:
    toy.POSITION.restore({name: entry for name, entry in data.items() if name != "unheard"}, config, s)


def _restore_a_guess(data: Mapping[str, Any], config: GameConfig, s: Any) -> None:
    if isinstance(data["deck"], int):
        deck = [place % toy.HIGHEST + 1 for place in range(data["deck"])]
        data = {**data, "rng": "1", "deck": deck, "secret": [toy.HIGHEST - seat for seat in range(config.players)]}
    toy.POSITION.restore(data, config, s)


def _restore_debts(data: Mapping[str, Any], config: GameConfig, s: Any) -> None:
    points = data.get("points")
    if not isinstance(points, list) or not all(type(value) is int for value in points):
        toy.POSITION.restore(data, config, s)
        return
    toy.POSITION.restore({**data, "points": [max(0, value) for value in points]}, config, s)
    s.points[: len(points)] = points


def _restore_uncounted(data: Mapping[str, Any], config: GameConfig, s: Any) -> None:
    Position("toy", toy.State, options=toy.OPTIONS).restore(data, config, s)


def _actions(*verbs: str) -> ActionTable:
    table = ActionTable(rule="T1")
    for verb in verbs:
        table.add(verb, rule="T1", option=("rolling", True) if verb == "roll" else None)
    return table


def _too_few_decisions(options: Mapping[str, Any]) -> GameConfig:
    return replace(toy.make_config(options), max_decisions=3)


MASK_TOO_WIDE = broken("toy_mask_too_wide", legal=_swap_at_any_time)
STUCK = broken("toy_stuck", legal=_nothing_in_round_2)
LEGAL_WRITES = broken("toy_legal_writes", legal=_draws_a_number)
MASK_OF_TWOS = broken("toy_mask_of_twos", legal=_marks_two)
ENDLESS = broken("toy_endless", apply=_never_over)
LONGER_THAN_SAID = broken("toy_longer_than_said", make_config=_too_few_decisions)
CHANCE_FROM_OUTSIDE = broken("toy_chance_from_outside", apply=_chance_from_outside)
PEEKING = broken("toy_peeking", observe=_shows_the_top_card)
OUT_OF_RANGE = broken("toy_out_of_range", observe=_shows_more_than_announced)
UNWRITTEN = broken("toy_unwritten", observe=_leaves_a_field_unwritten)
ALLOCATING = broken("toy_allocating", observe=_makes_an_array)
DENSE_PLACES = broken("toy_dense_places", ranks=_dense_places)
RESAMPLE_NOTHING = broken("toy_resample_nothing", resample=_resample_nothing)
RESAMPLE_PUBLIC = broken("toy_resample_public", resample=_resample_the_card_face_up)
RESAMPLE_OWN = broken("toy_resample_own", resample=_resample_the_own_card)
FORGETFUL = broken("toy_forgetful", snapshot=_snapshot_without_the_card_face_up)
TALKATIVE = broken("toy_talkative", snapshot=_snapshot_with_all_cards)
RESTORES_LESS = broken("toy_restores_less", restore=_restore_without_the_secret_cards)
RESTORES_ANYTHING = broken("toy_restores_anything", restore=_restore_what_is_known)
GUESSING = broken("toy_guessing", restore=_restore_a_guess)
RESTORES_DEBTS = broken("toy_restores_debts", restore=_restore_debts)
RESTORES_UNCOUNTED = broken("toy_restores_uncounted", restore=_restore_uncounted)
SAME_NAMES = broken("toy_same_names", actions=_actions("draw", "pass", "take", "take", "roll"))
TOO_FEW_NAMES = broken("toy_too_few_names", actions=_actions("pass", "take keep", "take swap", "roll"))
SCHEMA_GAP = broken(
    "toy_schema_gap", schema=tuple(replace(f, start=f.start + 1, stop=f.stop + 1) for f in toy.GAME.schema)
)


def hiding_record() -> np.dtype[Any]:
    """A state whose field `size` hides an attribute of NumPy records, which `record` refuses."""
    return record([*((name, toy.State.dtype[name]) for name in toy.State.dtype.names or ()), ("size", np.int8)])


def padded_record() -> np.dtype[Any]:
    """A state with padding, which may differ between equal games, so that `record` refuses it."""
    padded = np.dtype([("small", np.int8), ("large", np.int64)], align=True)
    return record([*((name, toy.State.dtype[name]) for name in toy.State.dtype.names or ()), ("extra", padded)])


SNITCHING = broken("toy_snitching", snapshot=_snapshot_that_shows_a_seat_all)
OWN_KEYS = broken("toy_own_keys", snapshot=_snapshot_with_a_key_more_for_a_seat)
UNMARKED = broken("toy_unmarked", drawing="tests.support.broken_drawings")
GROWING = broken("toy_growing", drawing="tests.support.growing_drawing")
