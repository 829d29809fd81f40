"""What the slow Gizmos keeps in every game, and how it searches for payments.

The rule tests (test_g*.py, test_d*.py, test_examples.py) run against it as well.
"""

from __future__ import annotations

import copy
import json
import random
import tomllib
from collections import Counter
from itertools import combinations, permutations
from typing import Any

import pytest

from bdgame_env.engine.match import Match
from bdgame_env.games.gizmos.cards import CARD_FILE
from tests.games.gizmos.positions import new_game, position, rich_position
from tests.support.reference.gizmos import TYPES, Reference
from tests.support.reference.gizmos_cards import CARDS, COLORS, CONVERTERS, Card
from tests.support.reference.gizmos_payment import conversions, fits, reaches, smallest_sets, steps_of

pytestmark = pytest.mark.plain
reference_only = pytest.mark.parametrize("backend", ["reference"], indirect=True)

OPTIONS: list[dict[str, Any]] = [{}, {"rules": "quick"}]
FAMILIES = {
    *("file", "pick", "research", "build", "build archive", "pay", "draw"),
    *("file hand", "build hand", "keep none", "end"),
}


def family(move: str) -> str:
    """The kind of a move: its words without numbers, colors and types."""
    words = move.split()
    kept = len(words) > 1 and words[1] in ("hand", "archive", "none", "points")
    return " ".join(words[:2]) if kept else words[0]


def check_conservation(data: dict[str, Any]) -> None:
    """G1.1, G1.2: each marble and each card is in one place."""
    found = Counter(data["row"]) + Counter(data["dispenser"])
    cards = Counter(number for number in data["display"] if number is not None) + Counter(data["removed"])
    for deck in data["decks"]:
        cards += Counter(deck)
    cards += Counter(data["hand"]["cards"] if data["hand"] else []) + Counter(data["under"])
    for seat in data["seats"]:
        found += Counter(seat["ring"])
        cards += Counter(seat["archive"]) + Counter(seat["built"])
    assert found == dict.fromkeys(COLORS, 13)
    everything = [card.number for card in CARDS if card.level or card.number < data["players"]]
    assert cards == dict.fromkeys(everything, 1)
    assert len(data["removed"]) == 20


@pytest.mark.parametrize(("backend", "match_type"), [("engine", Match), ("reference", Reference)], indirect=["backend"])
def test_each_backend_plays_its_cases(backend: str, match_type: type) -> None:
    """A case of a rule test is played by the backend in its name, copies of a position and changed ones included."""
    for one in (position(), position().copy(), position().lose_deck(1), new_game(), rich_position(1, 2)):
        assert type(one.match) is match_type


@reference_only
def test_a_snapshot_that_hides_something_is_refused(backend: str) -> None:
    """The reference trusts a snapshot, but cannot play on from one that does not tell the whole position."""
    t = position().play("research 1", "keep none")
    with pytest.raises(ValueError, match="order of the decks"):
        Reference.from_snapshot(t.public)


def as_in_the_card_file(card: Card) -> dict[str, Any]:
    """A card of the reference in the words of the card file."""
    line: dict[str, Any] = {} if card.level == 0 else {"color": card.color, "cost": card.cost, "points": card.points}
    if card.kind == "convert":
        return line | {"converts": card.type_name}
    if card.kind != "upgrade":
        when = {"any": "", "archive": "from archive"}.get(card.when, card.when)
        return line | {"when": f"{card.kind} {when}".strip(), "gives": card.effect}
    name, *words = card.effect.split()
    if name == "limits":
        grown = zip(("ring", "archive", "research"), words, strict=True)
        return line | {"upgrade": ", ".join(f"{what} +{more}" for what, more in grown if more != "0")}
    return line | {"upgrade": " ".join([{"forbid": "no"}.get(name, name), *words])}


def test_the_cards_are_those_of_the_card_file() -> None:
    """C1: two transcriptions of the same cards; test_cards.py checks C2-C7 on one of them."""
    levels = tomllib.loads(CARD_FILE.read_text("utf-8"))
    lines = {int(number): line for level in levels.values() for number, line in level.items()}
    assert {card.number: as_in_the_card_file(card) for card in CARDS} == lines
    assert [len(cards) for cards in levels.values()] == [
        sum(card.level == level for card in CARDS) for level in range(4)
    ]


def test_d2_3_converter_types() -> None:
    """D2.3: their names in order, and how many cards have each."""
    names = [f"{color}-any" for color in COLORS] + [f"2{color}-any" for color in COLORS]
    names += [f"{color}-2{color}" for color in COLORS]
    names += ["any-any", "red-2red+black-2black", "blue-2blue+yellow-2yellow"]
    assert names == TYPES and set(CONVERTERS) == set(names)
    assert [len(CONVERTERS[name]) for name in names] == [2] * 4 + [1] * 4 + [2] * 4 + [2, 1, 1]


def random_demand(rng: random.Random) -> tuple[tuple[int, ...], str, int, int]:
    """A few marbles and what is to be paid with them: marbles, color, least, most."""
    vector = [0, 0, 0, 0]
    for _ in range(rng.randint(1, 3)):
        vector[rng.randrange(4)] += 1
    most = sum(vector) + rng.choice((0, 0, 1, 1, 2))
    return tuple(vector), rng.choice((*COLORS, "any")), max(0, most - rng.choice((0, 0, 0, 1))), most


def by_all_orders(vector: tuple[int, ...], cards: list[str], color: str, least: int, most: int) -> bool:
    """Can the marbles pay, by trying every order of all halves, each used or not?"""
    for order in permutations(steps_of(cards)):
        pools = {vector}
        for step in order:
            pools |= {changed for one in pools for changed in conversions(one, step)}
        if any(fits(one, color, least, most) for one in pools):
            return True
    return False


def test_d4_4_search_agrees_with_all_orders() -> None:
    rng = random.Random(7)
    seen = Counter[bool]()
    for _ in range(400):
        cards = rng.choices(list(CONVERTERS), k=rng.randint(1, 4))
        while len(steps_of(cards)) > 4:
            cards.pop()
        vector, color, least, most = random_demand(rng)
        answer = by_all_orders(vector, cards, color, least, most)
        assert reaches(vector, steps_of(cards), color, least, most) == answer
        seen[answer] += 1
    assert min(seen[True], seen[False]) > 50


def test_d4_6_smallest_sets_by_definition() -> None:
    rng = random.Random(8)
    several = 0
    for _ in range(300):
        owned = sorted(rng.choices(list(CONVERTERS), k=rng.randint(1, 6)))
        vector, color, least, most = random_demand(rng)
        parts = {part for size in range(len(owned) + 1) for part in combinations(owned, size)}
        paying = {part for part in parts if reaches(vector, steps_of(part), color, least, most)}
        smallest = {
            part for part in paying if not any(other != part and Counter(other) <= Counter(part) for other in paying)
        }
        found = smallest_sets(vector, owned, color, least, most)
        assert sorted(sorted(choice.elements()) for choice in found) == sorted(map(list, smallest))
        several += len(found) > 1
    assert several > 20


def check_limits(game: Reference) -> None:
    """G4.6, G6.2, G10.2: rings, archives and marks."""
    for number, seat in enumerate(game.seats):
        assert sum(seat.ring.values()) <= seat.limit(0)
        assert min(seat.ring.values()) >= 0
        assert len(seat.archive) <= seat.limit(1)
        if number != game.seat or game.phase == "main":
            assert not seat.spent and not seat.used
    if sum(game.dispenser.values()):
        assert sum(game.row.values()) == 6


def choose(moves: list[str], chance: random.Random, eager: bool) -> str:
    """A random move; an eager player builds when it can and does not end its turn."""
    if eager:
        good = [move for move in moves if move.startswith(("build", "convert"))]
        if good and chance.random() < 0.8:
            return chance.choice(good)
        lively = [move for move in moves if not move.startswith(("end", "keep"))]
        if lively and chance.random() < 0.8:
            return chance.choice(lively)
    return chance.choice(moves)


def random_game(seed: int, players: int, families: set[str], **options: Any) -> Reference:
    """Play one random game and check it on the way."""
    rng = random.Random(seed)
    begin = rich_position if seed % 3 == 2 else new_game
    game: Reference = begin(seed=seed, players=players, **options).match
    decisions = 0
    while not game.over:
        assert decisions < 5000
        moves = game.legal_moves()
        assert moves and moves == sorted(set(moves))
        assert len(moves) > 1 or game.phase in ("main", "hand")
        data = json.loads(json.dumps(game.snapshot()))
        check_conservation(data)
        check_limits(game)
        if decisions % 11 == seed % 11 or game.phase in ("pay", "convert", "under"):
            kept = copy.deepcopy(data)
            other = Reference.from_snapshot(data)
            assert other.snapshot() == game.snapshot()
            assert list(other.snapshot()) == list(kept)
            assert other.legal_moves() == moves
            if rng.random() < 0.5:
                game = other
            assert data == kept
        move = choose(moves, rng, seed % 2 == 1)
        families.add(family(move))
        game.play(move)
        decisions += 1
    data = game.snapshot()
    check_conservation(data)
    assert game.legal_moves() == []
    assert data["truncated"] or data["last_round"] or data["passes"] == players
    assert data["hand"] is None and data["payment"] is None and not any(data["credits"].values())
    assert sorted(game.ranks()) == list(range(1, players + 1))
    assert max(game.points()) == game.points()[game.ranks().index(1)]
    return game


@reference_only
@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_games(backend: str, players: int, options: dict[str, Any]) -> None:
    """Pieces, limits and snapshots at every decision, and how games end."""
    families: set[str] = set()
    ended = 0
    for seed in range(6):
        game = random_game(100 * players + seed, players, families, max_rounds=5 if seed == 4 else 100, **options)
        ended += not game.truncated
    assert ended >= 5
    assert families >= FAMILIES
    assert ("under" in families) == ("take points" in families) == ("rules" not in options)
