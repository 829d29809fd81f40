"""What marbles can pay for (D7.10), against a slow reading of the seat's snapshot."""

from __future__ import annotations

import random
from functools import lru_cache
from typing import Any

import numpy as np
import pytest

from bdgame_env.engine.jit import JIT_DISABLED
from bdgame_env.engine.match import Match
from tests.games.gizmos.positions import COLORS, new_game, position, rich_position
from tests.support.reference.gizmos import Seat
from tests.support.reference.gizmos_cards import CARDS
from tests.support.reference.gizmos_payment import payable

FIELDS = ("energy", "display_lacks", "archive_lacks", "hand_lacks", "pick_pays", "pick_best")
MOST_SEATS, MOST_ARCHIVED, MOST_RESEARCHED, MOST_ENERGY = 4, 9, 15, 15
Ring = tuple[int, ...]


@lru_cache(maxsize=50_000)
def most_energy(ring: Ring, types: tuple[str, ...], color: str) -> int:
    """The greatest amount that some of these marbles pay; no amount below it is out of reach."""
    amount = 0
    while amount < MOST_ENERGY and payable(ring, types, color, amount + 1, amount + 1):
        amount += 1
    return amount


class Reading:
    """What one seat can work out from its snapshot."""

    def __init__(self, match: Match, seat: int) -> None:
        self.data = match.snapshot(seat=seat)
        self.seat = seat
        used = {*self.data["used"]}
        self.seats = [
            Seat(ring=one["ring"], archive=one["archive"], built=one["built"], used=used & {*one["built"]})
            for one in self.data["seats"]
        ]

    def energy(self, seat: Seat, color: str, more: str | None = None) -> int:
        """What its marbles make, with one more of a color."""
        ring = tuple(seat.ring[each] + (each == more) for each in COLORS)
        return most_energy(ring, tuple(sorted(seat.converter_types())), color)

    def missing(self, seat: Seat, number: int, source: str, more: str | None = None) -> int:
        card = CARDS[number]
        return max(0, card.cost - seat.discount(card, source) - self.energy(seat, card.color, more))

    def lacks(self, seat: Seat, numbers: list[int | None], source: str, places: int) -> list[int]:
        found = [0 if number is None else 1 + self.missing(seat, number, source) for number in numbers]
        return found + [0] * (places - len(found))

    def expected(self) -> dict[str, Any]:
        own = self.seats[self.seat]
        players = len(self.seats)
        in_order = [self.seats[(self.seat + relative) % players] for relative in range(players)]
        absent = MOST_SEATS - players
        hand = self.data["hand"]
        shown = hand["cards"] if hand is not None and self.data["seat"] == self.seat else []
        cards = [(number, "display") for number in self.data["display"] if number is not None]
        cards += [(number, "archive") for number in own.archive]
        by_color: list[list[int]] = [[] for _ in COLORS]
        if own.has_room():
            for found, color in zip(by_color, COLORS, strict=True):
                for number, source in cards:
                    if self.missing(own, number, source) and not self.missing(own, number, source, color):
                        found.append(CARDS[number].points)
        return {
            "energy": [[self.energy(seat, color) for color in (*COLORS, "any")] for seat in in_order]
            + [[0] * 5] * absent,
            "display_lacks": [self.lacks(seat, self.data["display"], "display", 9) for seat in in_order]
            + [[0] * 9] * absent,
            "archive_lacks": self.lacks(own, own.archive, "archive", MOST_ARCHIVED),
            "hand_lacks": self.lacks(own, shown, "hand", MOST_RESEARCHED),
            "pick_pays": [len(points) for points in by_color],
            "pick_best": [max(points, default=0) for points in by_color],
        }


def seen(match: Match, seat: int) -> dict[str, Any]:
    obs = match.observe(seat).view(match.game.obs)[0]
    return {name: obs[name].tolist() for name in FIELDS}


def test_d07_10_by_hand() -> None:
    """D7.10, with blue to any color and 1 off for cards of the archive."""
    display = dict(enumerate([26, 28, 30, 25, 66, 64, 68, 92, 94]))  # blue, black, yellow, red for 1; ...
    t = position(ring="2 yellow", built=[24, 104], archive=[60], display=display, others={1: {"ring": "3 blue"}})
    obs = t.match.observe(0).view(t.match.game.obs)[0]
    assert obs["energy"][0].tolist() == [0, 0, 0, 2, 2]
    assert obs["energy"][1].tolist() == [0, 3, 0, 0, 3]
    assert obs["display_lacks"][0].tolist() == [2, 2, 1, 2, 4, 4, 4, 5, 6]
    assert obs["display_lacks"][1].tolist() == [1, 2, 2, 2, 1, 4, 4, 5, 3]
    assert obs["archive_lacks"].tolist() == [2] + [0] * 8  # red for 2
    assert not obs["hand_lacks"].any()
    assert obs["pick_pays"].tolist() == [2, 4, 1, 0]  # a blue one as blue, as black, as red twice
    assert obs["pick_best"].tolist() == [2, 2, 1, 0]
    assert t.match.observe(1).view(t.match.game.obs)[0]["archive_lacks"].tolist() == [0] * 9


def test_d07_10_a_full_ring_takes_no_marble() -> None:
    """D7.10, G4.6."""
    for ring, pays in (("2 yellow 2 black", True), ("3 yellow 2 black", False)):
        t = position(ring=ring, display=dict(enumerate([26, 28, 30, 25, 66, 64, 68, 92, 94])))
        assert t.match.observe(0).view(t.match.game.obs)[0]["pick_pays"].any() == pays


def test_g10_02_what_a_converter_makes_is_back_in_the_next_turn() -> None:
    """G10.2, G5.5: while it is used, its energy is out of reach, and no longer when the turn is over."""
    t = position(built=[91, 27], ring="2 yellow", display={0: 16})
    energies = []
    for move in ("build 0", "end", ""):
        energies.append(t.match.observe(0).view(t.match.game.obs)[0]["energy"][0].tolist())
        if move:
            t.play(move)
    assert energies == [[1, 1, 1, 2, 2], [0, 0, 0, 1, 1], [1, 1, 1, 1, 1]]  # of red, blue, black, yellow, any


@pytest.mark.parametrize("options", [{}, {"rules": "quick"}], ids=str)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_d07_10_prospects_follow_from_what_a_seat_sees(players: int, options: dict[str, Any]) -> None:
    """D7.10: in random games, of the seat that decides and of another one, in every phase."""
    met: set[str] = set()
    phases: set[str] = set()
    for seed in range(2):
        begin = rich_position if seed else new_game
        match = begin(seed=seed, players=players, max_rounds=30, **options).match
        chance, number = random.Random(seed), 0
        while not match.over and number < (60 if JIT_DISABLED else 240):
            number += 1
            phases.add(match.snapshot()["phase"])
            if number % (6 if JIT_DISABLED else 2) == 0:
                for seat in (match.seat, number % players):
                    found = seen(match, seat)
                    assert found == Reading(match, seat).expected()
                    met.update(name for name in FIELDS if np.any(found[name]))
            moves = match.legal_moves()
            liked = [move for move in moves if move.startswith(("research", "build", "pick"))]
            match.play(chance.choice(liked if liked and chance.random() < 0.6 else moves))
    assert JIT_DISABLED or met == set(FIELDS)
    assert JIT_DISABLED or phases >= {"main", "hand", "pay", "chain"}
