"""What seats remember of decks (G17.5-G17.8), and that a determinization follows from it (G17.9)."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from itertools import permutations
from typing import Any

import pytest

from bdgame_env.engine.jit import JIT_DISABLED
from bdgame_env.engine.match import Match
from tests.games.gizmos.positions import Position, new_game, position, restore
from tests.support.position import both_backends, engine_only

pytestmark = both_backends

TOPS = {1: [16, 17, 18], 2: [44, 45, 46], 3: [80, 81, 84]}
WORLDS = 200 if JIT_DISABLED else 2000


def known(t: Position, seat: int, level: int = 1) -> tuple[list[list[int]], list[int], list[int]]:
    """Batches, and the labels and parts of the hidden cards from the top down, with those of which nothing is known."""
    found = t.snap["known"][seat][level - 1]
    return (found["batches"], found["labels"], found["parts"]) if found else ([], [], [])


def small(cards: list[int], *, players: int = 2, level: int = 1, **settings: Any) -> Position:
    """A position whose deck of a level has these cards only, top first; the others are in no deck."""
    return position(players=players, tops={level: cards}, **settings).lay(decks={level: cards})


def test_g17_05_the_researcher_knows_what_it_put_under():
    """G17.5: as a batch; nobody else knows anything."""
    t = position(rules="quick", tops=TOPS).play("research 1", "keep none")
    batches, labels, parts = known(t, 0)
    assert batches == [[16, 17, 18]] and labels == [0] * 29 + [16] * 3 and not any(parts)
    assert known(t, 1) == ([], [], []) and t.snap["known"][0][1] is None
    assert t.public["known"] == [None, None]


@engine_only  # observations, snapshots of a seat
def test_g17_05_the_researcher_sees_what_it_knows():
    """G17.5: and nobody else does."""
    t = position(rules="quick", tops=TOPS).play("research 1", "keep none")
    assert t.seen("known", 0).nonzero()[0].tolist() == [16, 17, 18] and not t.seen("known", 1).any()
    assert t.match.snapshot(seat=0)["known"] == [t.snap["known"][0], None]


def test_g17_05_who_chose_the_order_knows_it():
    """G17.5, D3.6: each card is a batch."""
    t = position(tops=TOPS).play("research 1", "keep none", "under 1", "under 1")
    batches, labels, _ = known(t, 0)
    assert batches == [[16], [17], [18]] and labels[-3:] == [17, 18, 16] == t.snap["decks"][0][-3:]


@engine_only  # determinizations
def test_g17_05_determinization_leaves_them_where_they_lie():
    """G17.5, G17.9: under the deck, in any order; to another seat they may be anywhere."""
    t = position(rules="quick", tops=TOPS).play("research 1", "keep none")
    mine = [t.match.clone(determinize=0, seed=seed).snapshot(True)["decks"][0] for seed in range(60)]
    assert all(sorted(deck[-3:]) == [16, 17, 18] for deck in mine)
    assert len({tuple(deck[-3:]) for deck in mine}) == 6
    others = [t.match.clone(determinize=1, seed=seed).snapshot(True)["decks"][0] for seed in range(60)]
    assert sum(sorted(deck[-3:]) == [16, 17, 18] for deck in others) < 5


def test_g17_06_a_card_drawn_in_the_open_leaves_its_batch():
    """G17.6: the top card of the batch comes into the display."""
    t = small([16, 17, 18, 22], rules="quick").play("research 1", "keep none")
    assert known(t, 0)[1] == [0, 16, 16, 16]
    t.play("file 0", "end")
    assert known(t, 0)[:2] == ([[16, 17, 18]], [16, 16, 16]) and t.snap["display"][0] == 22
    t.play("file 0", "end")
    shown = t.snap["display"][0]
    left = sorted({16, 17, 18} - {shown})
    assert shown in (16, 17, 18) and known(t, 0)[:2] == ([left], [left[0]] * 2)


def test_g17_07_another_takes_some_cards_of_a_batch():
    """G17.7: the seat knows how many are in the hand, then under the deck, and how many are left."""
    t = small([16, 17, 18, 20], rules="quick", built=[36]).play("research 1", "keep none", "research 1")  # 36: all four
    assert known(t, 0) == ([[16, 17, 18, 20]], [16] * 4, [0] * 4)
    assert known(t, 1) == ([], [], [])
    t.play("keep none")
    assert known(t, 0) == ([[16, 17, 18, 20]], [16] * 4, [0] * 4)
    batches, labels, _ = known(t, 1)
    assert labels == [0, *[batches[0][0]] * 3] and len(batches[0]) == 3


def test_g17_07_cards_of_two_kinds_form_a_part():
    """G17.7: two unknown cards and one of the batch; the card that is filed is known then."""
    filed, own = (
        small([16, 17, 18, 20, 22], rules="quick").play("research 1", "keep none", "research 1") for _ in range(2)
    )
    for t in (filed, own):  # 20 and 22 were on top of the batch
        batches, labels, parts = known(t, 0)
        assert batches == [[16, 17, 18]] and labels == [16, 0, 0, 16, 16] and parts == [1, 1, 1, 0, 0]
    filed.play(f"file hand {filed.snap['hand']['cards'].index(20)}")
    assert sorted(known(filed, 0)[1]) == [0, 16, 16, 16] and known(filed, 0)[2] == [0, 0, 1, 1]
    mine = next(card for card in own.snap["hand"]["cards"] if card < 20)
    own.play(f"file hand {own.snap['hand']['cards'].index(mine)}")
    assert known(own, 0)[0] == [sorted({16, 17, 18} - {mine})] and not any(known(own, 0)[2])


def test_g17_07_batches_that_one_part_holds_become_one():
    """G17.7: two batches of one card each, both taken by another."""
    t = small([16, 17, 18]).play("research 1", "keep none", "under 0", "under 0")
    assert known(t, 0)[0] == [[16], [17], [18]]
    t.play("research 1")
    assert known(t, 0) == ([[16, 17, 18]], [16, 16, 16], [0, 0, 0])


def test_g17_07_a_part_that_is_cut_goes_on_with_those_taken():
    """G17.7: four places, of which three are in the hand; all three cards stay known."""
    t = small([16, 17, 18, 20, 22], rules="quick", players=3).play("research 1", "keep none", "research 1", "keep none")
    batches, labels, parts = known(t, 0)
    assert batches == [[16, 17, 18]] and labels[:2] == [16, 16] and parts == [0, 0, 1, 1, 1]
    t.play("research 1")  # two of the batch, and one of the three that are mixed
    batches, labels, parts = known(t, 0)
    assert batches == [[16, 17, 18]] and sorted(labels) == [0, 0, 16, 16, 16] and parts == [1] * 5


def test_g17_08_stacks_and_who_is_known_to_know_them():
    """G17.8: the researcher; and who knew all that it took."""
    t = small([16, 17, 18, 20, 22, 23], rules="quick", players=3).play("research 1", "keep none")
    assert t.public["stacks"][0] == [{"cards": 3, "known_to": [0], "order_known_to": None}]
    t.play("research 1", "keep none")
    assert [stack["known_to"] for stack in t.public["stacks"][0]] == [[0], [1]]
    t.play("research 1")
    assert t.public["hand"]["known_to"] == [0]
    t.play("keep none")
    assert [stack["known_to"] for stack in t.public["stacks"][0]] == [[1], [0, 2]]


def test_g17_08_a_stack_that_is_cut():
    """G17.8: its researcher does not know which cards are left, unless it knows the order."""
    for rules, knows in (("quick", []), ("printed", [0])):
        t = small([16, 17, 18, 20], built=[36], rules=rules).play("research 1", "keep none")
        while t.phase == "under":
            t.play("under 0")
        t.play("research 1", "keep none")
        while t.phase == "under":
            t.play("under 0")
        stacks = [stack["known_to"] for stack in t.public["stacks"][0]]
        assert stacks == ([[1]] if rules == "quick" else [[0], [0, 1]])
        assert [seat for seat in (0,) if [seat] in stacks] == knows


def test_g17_08_a_stack_that_is_seen_card_by_card():
    """G17.6, G17.8: it shrinks with each card that comes into the display, and is gone after the last."""
    t = small([16, 17, 18], rules="quick", others={1: {"built": [32]}}).play("research 1", "keep none")
    for left in (2, 1):
        t.play("file 0", "end")
        assert t.public["stacks"][0] == [{"cards": left, "known_to": [0], "order_known_to": None}]
    t.play("file 0", "end")
    assert t.public["stacks"][0] == [] and known(t, 0) == ([], [], [])


def test_g17_08_a_stack_cut_by_its_own_researcher():
    """G17.8: it saw the cards that it takes, so it is held to know the one that is left."""
    t = small([16, 17, 18, 22], rules="quick").play(
        "research 1", "keep none", "pick red", "research 1"
    )  # 22 and two of the stack
    left = {"cards": 1, "known_to": [0], "order_known_to": None}
    assert t.public["stacks"][0] == [left] and t.public["hand"]["known_to"] == []
    t.play("keep none")
    assert t.public["stacks"][0] == [left, {"cards": 3, "known_to": [0], "order_known_to": None}]


def chi_square(counts: Counter[Any], ways: int) -> float:
    """How far counts are from being equal, in standard deviations of the chi-square distribution."""
    total = sum(counts.values())
    expected = total / ways
    value = sum((count - expected) ** 2 / expected for count in counts.values()) + (ways - len(counts)) * expected
    return float((value - (ways - 1)) / (2 * (ways - 1)) ** 0.5)


def unknown_hand() -> tuple[Position, int, set[Any]]:
    """Three of five unknown cards in another's hand."""
    t = small([16, 17, 18, 20, 22], rules="quick").play("research 1")
    cards = (16, 17, 18, 20, 22)
    return t, 1, {(*row[:2], *sorted(row[2:])) for row in permutations(cards)}


def mixed_hand() -> tuple[Position, int, set[Any]]:
    """Another holds one of the batch and both unknown cards; two of the batch are left."""
    t = small([16, 17, 18, 20, 22], rules="quick").play("research 1", "keep none", "research 1")
    batch = (16, 17, 18)
    return t, 0, {(*two, *sorted({20, 22, *batch} - {*two})) for two in permutations(batch, 2)}


def part_under() -> tuple[Position, int, set[Any]]:
    """The same, when all are under the deck."""
    t, seat, _ = mixed_hand()
    t.play("keep none")
    batch = (16, 17, 18)
    return (
        t,
        seat,
        {(*two, *rest) for two in permutations(batch, 2) for rest in permutations({20, 22, *batch} - {*two})},
    )


def named_under() -> tuple[Position, int, set[Any]]:
    """Another names the order of three unknown cards of four, one of them is named."""
    t = small([16, 17, 18, 20]).play("research 1", "keep none", "under 0")
    return t, 1, {(top, *sorted(hand), under) for top, *hand, under in permutations((16, 17, 18, 20))}


CASES: list[Callable[[], tuple[Position, int, set[Any]]]] = [unknown_hand, mixed_hand, part_under, named_under]


def layout(match: Match) -> tuple[int, ...]:
    snap = match.snapshot(omniscient=True)
    hand = snap["hand"]["cards"] if snap["hand"] else []
    return (*snap["decks"][0], *hand, *snap["under"])


@engine_only  # determinizations
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_g17_09_every_world_is_equally_likely(case):
    """G17.9: all that agree with what the seat knows come up, no others, and as often as each other."""
    t, seat, worlds = case()
    counts = Counter(layout(t.match.clone(determinize=seat, seed=seed)) for seed in range(WORLDS))
    assert set(counts) <= worlds
    if 20 * len(worlds) < WORLDS:
        assert set(counts) == worlds and abs(chi_square(counts, len(worlds))) < 4.5


@engine_only  # determinizations
def test_g17_09_of_level_3_the_unknown_cards_are_dealt_with_those_that_left_the_game():
    """G17.3, G17.9: the researcher's own stay in the deck; to the others each card is as likely to be gone."""
    t = position(rules="quick", tops=TOPS).play("research 3", "keep none")
    for seed in range(40):
        mine, other = (t.match.clone(determinize=seat, seed=seed).snapshot(omniscient=True) for seat in (0, 1))
        assert sorted(mine["decks"][2][-3:]) == [80, 81, 84]
        assert mine["removed"] == sorted(mine["removed"]) and other["removed"] == sorted(other["removed"])
    gone = Counter(
        card for seed in range(WORLDS) for card in t.match.clone(determinize=1, seed=seed).snapshot(True)["removed"]
    )
    assert len(gone) == 34 and max(gone.values()) - min(gone.values()) < 6.5 * WORLDS**0.5


@engine_only  # determinizations
def test_g17_09_the_others_know_the_cards_that_were_dealt():
    """G17.8, G17.9: in the copy the researcher knows those that now lie in its stack, not the true ones."""
    t = position(rules="quick", players=3, tops=TOPS).play("research 1", "keep none")
    for seed in range(20):
        copy = Position(t.match.clone(determinize=1, seed=seed))
        assert known(copy, 0)[0] == [sorted(copy.snap["decks"][0][-3:])]
        assert known(copy, 1) == known(copy, 2) == ([], [], [])
        assert restore(json.loads(json.dumps(copy.snap))).snap == copy.snap


@pytest.mark.slow
@engine_only  # determinizations
@pytest.mark.parametrize("options", [{}, {"rules": "printed"}], ids=str)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_g17_09_determinization_depends_on_what_the_seat_knows_only(players: int, options: dict[str, Any]):
    """G17.9: of two worlds that look alike, the same number makes the same third one; in long games of Research."""
    for seed in range(2 if JIT_DISABLED else 12):
        match = new_game(players, seed=seed, **options).match
        chance = random.Random(seed)
        for number in range(120):
            if match.over:
                break
            if number % 6 == 0:
                for seat in range(players):
                    world = match.clone(determinize=seat, seed=number)
                    assert world.snapshot(seat=seat) == match.snapshot(seat=seat)
                    assert world.observe(seat).tobytes() == match.observe(seat).tobytes()
                    one, other = (each.clone(determinize=seat, seed=7) for each in (match, world))
                    assert one.get_state() == other.get_state()
            moves = match.legal_moves()
            liked = [move for move in moves if move.startswith(("research 3", "keep", "under"))]
            match.play(chance.choice(liked if liked and chance.random() < 0.7 else moves))
