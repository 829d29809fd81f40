"""Resampling what a seat cannot see (N16.8): it leaves no trace of the truth, and is uniform over what fits."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from bdgame_env.engine.jit import JIT_DISABLED
from tests.games.nicodemus.positions import Position, new_game, position, rich_position
from tests.support.reference.nicodemus_cards import MACHINES, RESOURCES

SAMPLES = 1_200 if JIT_DISABLED else 4_000
_LEAST_EXPECTED = 6.0  # of an outcome that counts by itself
_SIGMAS = 5.0  # beyond which a distribution is another one


def state(t: Any, seat: int, seed: int) -> bytes:
    """The record of a determinization."""
    return t.clone(determinize=seat, seed=seed).get_state()


@pytest.mark.parametrize("begin", [new_game, rich_position])
def test_n16_08_n24_06_determinization_depends_on_chance_and_what_the_seat_knows_only(begin):
    """N16.8: positions that look alike give the same record with the same numbers; what is known is never denied."""
    phases = set()
    for seed in range(3 if JIT_DISABLED else 8):
        t, chance = begin(seed=seed), random.Random(seed)
        while not t.match.over:
            snap = t.snap
            phases.add(snap["phase"])
            for seat in (0, 1):
                twin = t.match.clone(determinize=seat, seed=seed)
                assert twin.observe(seat).tobytes() == t.match.observe(seat).tobytes()
                assert twin.snapshot(seat=seat) == t.match.snapshot(seat=seat)
                number = chance.getrandbits(30)
                assert state(twin, seat, number) == state(t.match, seat, number)
                assert_true(twin.snapshot(omniscient=True))
            moves = sorted(t.legal)
            good = [move for move in moves if move.startswith(("effect P1", "effect R", "effect Y"))]
            t.play(chance.choice(good if good and chance.random() < 0.8 else moves))
    assert phases >= {"turn", "pick"}


def assert_true(snap: dict[str, Any]) -> None:
    """N24.6: what is known holds."""
    for seat, own in enumerate(snap["seats"]):
        other = snap["seats"][1 - seat]
        held = Counter(other["hand"])
        there = held + Counter(other["lost"])
        if snap["phase"] == "pick" and snap["effect"] == "P1" and snap["seat"] != seat:
            held[snap["discarded"]] += 1
        assert Counter(own["known"]) <= held
        assert Counter(own["known"]) + Counter(own["doubtful"]) <= there


def test_n16_08_n20_08_the_number_of_decisions_tells_nothing():
    """N16.8, N20.8: after discards with the same gains determinizations are the same, their decision counts too."""
    found = []
    for discarded in ("P5", "R3"):
        t = position(hand="P1 P5 R3 B1", tokens="").play("effect P1", f"discard {discarded}")
        before = state(t.match, 1, 4)
        found.append((before, state(t.play("pick crystal", "pick crystal").match, 1, 4)))
    assert found[0] == found[1]


Outcome = tuple[Any, ...]


def machine_outcomes(snap: dict[str, Any], seat: int) -> Counter[Outcome]:
    """N16.8 by trying everything: in how many ways each outcome can lie, every card told from every other one.

    An outcome is the other's hand, what it has lost, the top card of the deck, and the machine that P1 discarded.
    """
    own, other = snap["seats"][seat], snap["seats"][1 - seat]
    picking = snap["phase"] == "pick" and snap["effect"] == "P1" and snap["seat"] != seat
    sorts = [
        *(("known", kind) for kind in Counter(own["known"]).elements()),
        *(("doubtful", kind) for kind in Counter(own["doubtful"]).elements()),
    ]
    free = Counter(snap["deck"]) + Counter(other["hand"]) + Counter(other["lost"])
    free.subtract(kind for _, kind in sorts)
    cards = [*sorts, *(("free", kind) for kind in free.elements())]
    everything = set(range(len(cards)))
    size, lost = sum(other["hand"].values()), sum(other["lost"].values()) - picking
    found: Counter[Outcome] = Counter()
    for hand in itertools.combinations(range(len(cards)), size):
        for gone in itertools.combinations(sorted(everything - set(hand)), lost):
            rest = everything - set(hand) - set(gone)
            for discarded in sorted(rest) if picking else [None]:
                deck = rest - {discarded}
                in_hand = {*hand, discarded}
                if any(sort == "known" and card not in in_hand for card, (sort, _) in enumerate(cards)):
                    continue
                if any(sort == "doubtful" and card in deck for card, (sort, _) in enumerate(cards)):
                    continue
                if discarded is not None and not fits(snap, cards[discarded][1]):
                    continue
                told = [tuple(sorted(cards[card][1] for card in some)) for some in (hand, gone)]
                for top in deck or [None]:
                    kinds = [None if card is None else cards[card][1] for card in (top, discarded)]
                    found[(*told, *kinds)] += 1
    return found


def fits(snap: dict[str, Any], kind: str) -> bool:
    """N20.4: whether P1 can be at this point with a machine of this kind."""
    if snap["previous"] is None:
        return True
    cost = MACHINES[kind].cost
    later = [r for r in cost if RESOURCES.index(r) >= RESOURCES.index(snap["previous"])]
    return snap["previous"] in cost and len(later) >= 2


def machine_outcome(snap: dict[str, Any], seat: int) -> Outcome:
    other = snap["seats"][1 - seat]
    picking = snap["phase"] == "pick" and snap["effect"] == "P1" and snap["seat"] != seat
    lost = Counter(other["lost"])
    if picking:
        lost[snap["discarded"]] -= 1
    told = [tuple(sorted(Counter(counts).elements())) for counts in (other["hand"], lost)]
    return (*told, snap["deck"][0] if snap["deck"] else None, snap["discarded"] if picking else None)


def tile_outcomes(snap: dict[str, Any], seat: int) -> Counter[Outcome]:
    """The same of projects: on offer, rejected by the other, on top of the deck."""
    offered = snap["offer"] if snap["seat"] != seat else []
    rejected = snap["seats"][1 - seat]["rejected"]
    hidden = {*snap["project_deck"], *rejected, *offered}
    found: Counter[Outcome] = Counter()
    for offer in itertools.combinations(sorted(hidden), len(offered)):
        for gone in itertools.combinations(sorted(hidden - set(offer)), len(rejected)):
            for top in hidden - set(offer) - set(gone):
                found[offer, gone, top] += 1
    return found


def tile_outcome(snap: dict[str, Any], seat: int) -> Outcome:
    offered = snap["offer"] if snap["seat"] != seat else []
    return tuple(offered), tuple(snap["seats"][1 - seat]["rejected"]), snap["project_deck"][0]


def assert_uniform(t: Position, seat: int, ways: Counter[Outcome], outcome: Callable[..., Outcome]) -> None:
    """Chi-square: determinizations for the seat come out as often as there are ways; rare outcomes count together."""
    found: Counter[Outcome] = Counter()
    for seed in range(SAMPLES):
        found[outcome(t.match.clone(determinize=seat, seed=seed).snapshot(omniscient=True), seat)] += 1
    assert set(found) <= set(ways), f"impossible: {set(found) - set(ways)}"
    part = SAMPLES / ways.total()
    rare = [one for one in ways if ways[one] * part < _LEAST_EXPECTED]
    cells = [(found[one], ways[one] * part) for one in ways if ways[one] * part >= _LEAST_EXPECTED]
    if rare and sum(ways[one] for one in rare) * part >= _LEAST_EXPECTED:
        cells.append((sum(found[one] for one in rare), sum(ways[one] for one in rare) * part))
    free = len(cells) - 1
    assert free > 2
    square = sum((number - expected) ** 2 / expected for number, expected in cells)
    most = free * (1 - 2 / (9 * free) + _SIGMAS * math.sqrt(2 / (9 * free))) ** 3  # Wilson and Hilferty
    assert square < most, f"chi-square {square:.1f} with {free} degrees of freedom, at most {most:.1f}"


def turn() -> Position:
    return position(top="B1 B2 P1", deck=3, other={"hand": "B1 Y2", "lost": "B2"})


def known_turn() -> Position:
    return position(top="B1 B2 P1", deck=3, known="B1", other={"hand": "B1 Y2 B2", "lost": "B3"})


def doubtful_turn() -> Position:
    return position(
        top="B1 B2 P1 P1", deck=4, known="B1", doubtful="Y2 B2", other={"hand": "B1 B2 Y1", "lost": "Y2 B1"}
    )


def known_all() -> Position:
    return position(top="B1 B2 P1", deck=3, known="Y2", doubtful="B1", other={"hand": "Y2", "lost": "B1 B1"})


def no_deck() -> Position:
    return position(deck=0, doubtful="B2", other={"hand": "B1 B2 B3", "lost": "B1 P1"}, ending=True, points=0, seat=1)


def hand() -> Position:
    return position(hand="P1 B1 Y2", top="B1 B1 B2", deck=3, lost="P3", other={"known": "Y2", "doubtful": "P3"}).play(
        "effect P1"
    )


def pick() -> Position:
    return position(hand="P1 B1 P5 Y1", top="B1 R2", deck=2).play("effect P1", "discard P5")


def pick_known() -> Position:
    other = {"known": "P5 B1"}
    return position(hand="P1 B1 P5 Y1", top="B1 B2 R2", deck=3, lost="B4", other=other).play("effect P1", "discard P5")


def pick_doubtful() -> Position:
    other = {"known": "P5", "doubtful": "B3 B1"}
    t = position(hand="P1 B1 P5 Y1", top="B1 P5 R2", deck=3, lost="B3", other=other)
    return t.play("effect P1", "discard P5", "pick copper")


def pick_all_known() -> Position:
    other = {"known": "P5 B1 R2", "doubtful": "B3"}
    t = position(hand="P1 B1 P5 R2", top="B1 P5 R3 B2", deck=4, lost="B3 B2", other=other)
    return t.play("effect P1", "discard P5", "pick wood")


def pick_copied() -> Position:
    t = position(row="P1", hand="Y2 B1 P5", top="P5 R2 B2 Y1", deck=4, other={"known": "B1"})
    return t.play("effect Y2", "discard P5", "pick wood")


def pick_no_deck() -> Position:
    t = position(hand="P1 R3 P5 B3", deck=0, lost="B1 R2", seat=1, ending=True, other={"doubtful": "R2", "known": "P5"})
    return t.play("effect P1", "discard P5")


def cases() -> list[Any]:
    found = []
    for make in (turn, known_turn, doubtful_turn, known_all, no_deck):
        found.append(pytest.param(make, True, id=make.__name__))
    for make in (hand, pick, pick_known, pick_doubtful, pick_all_known, pick_copied, pick_no_deck):
        found.append(pytest.param(make, False, id=make.__name__))
        found.append(pytest.param(make, True, id=f"{make.__name__}-own"))
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("make", "mover"), cases())
def test_n16_08_determinization_of_machines_is_uniform(make: Callable[[], Position], mover: bool):
    """N16.8: against all ways in which the cards not seen can lie, for the mover and for the other."""
    t = make()
    seat = t.mover if mover else 1 - t.mover
    ways = machine_outcomes(t.snap, seat)
    assert ways[machine_outcome(t.snap, seat)], "the truth is one of them"
    if len(ways) > 3:
        assert_uniform(t, seat, ways, machine_outcome)
    else:
        found = [t.match.clone(determinize=seat, seed=seed).snapshot(omniscient=True) for seed in range(40)]
        assert {machine_outcome(snap, seat) for snap in found} == set(ways)


@pytest.mark.slow
@pytest.mark.parametrize("mover", [False, True])
@pytest.mark.parametrize("asked", [False, True])
def test_n16_08_determinization_of_projects_is_uniform(asked: bool, mover: bool):
    """N16.8, N16.5: tiles on offer, rejected, and in the deck."""
    board, mine = [0, 1, 2, 3, 5, 6], {"reserved": [8], "rejected": [9]}
    t = position(hand="Y1", board=board, project_deck=5, **mine, other={"reserved": [10], "rejected": [11]})
    if asked:
        t.play("effect Y1")
        assert t.phase == "keep"
    seat = t.mover if mover else 1 - t.mover
    ways = tile_outcomes(t.snap, seat)
    assert ways[tile_outcome(t.snap, seat)]
    assert_uniform(t, seat, ways, tile_outcome)
