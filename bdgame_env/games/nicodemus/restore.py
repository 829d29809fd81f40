"""Restores a game from an omniscient snapshot; invariants.py checks it, and it is read back and compared."""

from __future__ import annotations

from functools import partial
from typing import Any

from ...engine.game import GameConfig
from ...records.restoring import read_options, read_turn, restore_position
from ...records.snapshot_reader import Entry
from .cards import COPIES, KINDS, NUM_PROJECTS, RESOURCES, SUPPLY, TOKENS
from .invariants import CHECKS
from .setup import empty_table
from .snapshot import snapshot
from .state import BOARD, EXCHANGES, HAND_SIZE, MOST_POINTS, NO_USE, NONE, NUM_SEATS, PHASES, SPACES, USES

_MOST_ROUNDS = 53  # N22.1
_MOST_NEEDED = 4  # of a resource to repair a machine


def _write(snap: Entry, config: GameConfig, s: Any) -> None:
    empty_table(s)
    read_turn(snap, config, s, PHASES, min(_MOST_ROUNDS, config.options["max_rounds"]))
    s.ending, s.truncated = snap["ending"].flag(), snap["truncated"].flag()
    s.reserve[:] = snap["reserve"].counts(TOKENS, SUPPLY)
    row = snap["bric_a_brac"].entries(most=SPACES)
    s.machines = len(row)
    for space, machine in enumerate(row):
        s.kinds[space] = _kind(machine["kind"])
        s.coal[space] = machine["charcoalium"].whole(0, SUPPLY[0])
    # both decks are at the end of their rows
    s.deck_size = snap["deck"].fill(s.deck[::-1], _kind, backwards=True)
    s.board[:] = [_project(tile, null=NONE) for tile in snap["projects"].entries(exactly=BOARD)]
    s.project_deck_size = snap["project_deck"].fill(s.project_deck[::-1], _project, backwards=True)
    s.removed[:] = snap["removed"].counts_of_some(KINDS, COPIES)
    s.rng = snap["rng"].rng()
    _write_decision(snap, s)
    for seat, own in zip(snap["seats"].entries(exactly=NUM_SEATS), s.seats, strict=True):
        _write_seat(seat, own)
    for known, own in zip(snap["known"].entries(exactly=NUM_SEATS), s.seats, strict=True):
        own.known[:] = known["hand"].counts_of_some(KINDS, COPIES)
        own.doubtful[:] = known["hand_or_lost"].counts_of_some(KINDS, COPIES)


def _kind(entry: Entry, null: int | None = None) -> int:
    return entry.place_in(KINDS, null=null)


def _project(entry: Entry, null: int | None = None) -> int:
    return entry.whole(0, NUM_PROJECTS - 1, null=null)


def _fill_rising(entry: Entry, row: Any) -> None:
    """Read projects whose order does not matter; the record holds them in ascending order."""
    number = entry.fill(row, _project)
    row[:number] = sorted(row[:number])


def _write_decision(snap: Entry, s: Any) -> None:
    """Read the progress of the turn."""
    for name in ("played", "effect", "discarded"):
        s[name] = _kind(snap[name], null=NONE)
    s.left = snap["left"].whole(0, EXCHANGES)
    s.previous = snap["previous"].place_in(RESOURCES, null=NONE)
    repair = snap["repair"]
    if not repair.is_null:
        s.space = repair["space"].whole(1, int(s.machines)) - 1
        s.fee = repair["fee"].whole(0, SPACES)
        s.need[:] = repair["need"].counts(RESOURCES, _MOST_NEEDED)
    _fill_rising(snap["offer"], s.offer)
    s.project = _project(snap["project"], null=NONE)
    s.latest = _project(snap["latest"], null=NONE)
    s.partners = _bits(snap["partners"], 3)
    s.used = _bits(snap["used"], 4)


def _bits(positions: Entry, most: int) -> int:
    return sum({1 << position.whole(1, most) - 1 for position in positions.entries(most=most)})


def _write_seat(data: Entry, seat: Any) -> None:
    seat.points = data["points"].whole(0, MOST_POINTS)
    seat.tokens[:] = data["tokens"].counts(TOKENS, SUPPLY)
    seat.hand[:] = data["hand"].counts_of_some(KINDS, COPIES)
    seat.hand_size = seat.hand.sum()
    if seat.hand_size > HAND_SIZE:
        raise data["hand"].refusal(f"of at most {HAND_SIZE} machines")
    seat.machines = data["workshop"].fill(seat.workshop, _kind)
    for name in ("reserved", "completed", "rejected"):
        _fill_rising(data[name], seat[name])
    seat.lost[:] = data["lost"].counts_of_some(KINDS, COPIES)
    last = data["last"]
    seat.last_use, seat.last_kind, seat.last_effect = NO_USE, NONE, NONE
    if not last.is_null:
        seat.last_use = last["use"].place_in(USES) + 1
        seat.last_kind = _kind(last["kind"], null=NONE)
        seat.last_effect = _kind(last["effect"], null=NONE)


options_of_snapshot = partial(read_options, game="nicodemus")
restore = partial(restore_position, write=_write, checks=CHECKS, snapshot=snapshot)
