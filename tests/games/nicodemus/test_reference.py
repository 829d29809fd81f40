"""What the slow Nicodemus keeps in every game. The rule tests (test_n*.py, test_examples.py) run against it as well."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from typing import Any

import pytest

from bdgame_env import make_match
from bdgame_env.engine.match import Match
from bdgame_env.games.nicodemus.cards import CARDS, COLORS, SYMBOLS
from tests.games.nicodemus.positions import COPIES, assert_pieces, new_game, position
from tests.support.reference.nicodemus import QUIET, Reference
from tests.support.reference.nicodemus_cards import KINDS, MACHINES, PROJECTS, RESOURCES, TOKENS
from tests.support.reference.nicodemus_choices import partner_sets, wild_sequences

pytestmark = pytest.mark.plain

EVERY = 17  # every how many decisions a random game goes through a snapshot


@pytest.mark.parametrize(("backend", "match_type"), [("engine", Match), ("reference", Reference)], indirect=["backend"])
def test_each_backend_plays_its_cases(backend: str, match_type: type) -> None:
    """A case of a rule test is played by the backend in its name, copies of a position included."""
    for one in (position(), position().copy(), new_game()):
        assert type(one.match) is match_type


def test_n1_both_card_tables_say_the_same() -> None:
    """N1.1, N1.2, N1.4: the reference has its own, the engine reads the card file."""
    assert tuple(COPIES) == KINDS
    for index, kind in enumerate(KINDS):
        machine = MACHINES[kind]
        assert machine.copies == CARDS.copies[index] == COPIES[kind] and machine.points == CARDS.points[index]
        assert machine.color == COLORS[CARDS.color[index]] and machine.symbol == SYMBOLS[CARDS.symbol[index]]
        assert [machine.cost.count(r) for r in RESOURCES] == CARDS.cost[index].tolist()
    assert [project.points for project in PROJECTS] == CARDS.project_points.tolist()
    assert [project.machines for project in PROJECTS] == CARDS.project_machines.tolist()


def test_a_snapshot_with_hidden_things_left_out_is_no_position() -> None:
    game = Reference.new(5)
    for data in (game.snapshot(), game.snapshot(seat=0)):
        with pytest.raises(ValueError, match="cannot be played on"):
            Reference.from_snapshot(data)


def test_n22_3_best_repair() -> None:
    """N22.3: by the search of the reference."""
    best, most = 0, 0
    for old in combinations_with_replacement(KINDS, 3):
        for newest in KINDS:
            tiles = [tile for tile in range(17) if partner_sets([*old, newest], tile)]
            most = max(most, len(tiles))
            best = max(best, MACHINES[newest].points + sum(PROJECTS[tile].points for tile in tiles))
    assert (most, best) == (6, 15)


# ---- payments (N21) ---------------------------------------------------------------------------------


def steps(need: dict[str, int], amounts: dict[str, int], left: int, lo: int = 0) -> Iterator[tuple[str, ...]]:
    """The sequences that the step rule N21.2 allows."""
    if not left:
        yield ()
        return
    for r in range(lo, 3):
        low = {name: need[name] - (n == r) for n, name in enumerate(RESOURCES)}
        short = [max(0, low[name] - amounts[name]) for name in RESOURCES]
        if (
            low[RESOURCES[r]] >= 0
            and not any(short[:r])
            and sum(low[name] for name in RESOURCES[r:]) >= left - 1
            and sum(short[r:]) <= left - 1
        ):
            for rest in steps(low, amounts, left - 1, r):
                yield (RESOURCES[r], *rest)


def test_n21_3_payments() -> None:
    cases = payments = 0
    workshops = [item for n in range(4) for item in combinations_with_replacement(("wild", *TOKENS), n)]
    for workshop, cost in product(workshops, sorted({machine.cost for machine in MACHINES.values()})):
        need = {r: max(0, cost.count(r) - workshop.count(r)) for r in RESOURCES}
        wild = workshop.count("wild")
        number = min(wild, sum(need.values()))
        for amounts in product(range(5), repeat=3):
            owned = dict(zip(RESOURCES, amounts, strict=True))
            found = wild_sequences(need, owned, number)
            payable = sum(max(0, need[r] - owned[r]) for r in RESOURCES) <= wild  # N6.6
            assert bool(found) == payable
            if payable:
                cases += 1
                payments += len(found)
                assert sorted(steps(need, owned, number)) == sorted(found)
    assert (cases, payments) == (68_630, 80_772)


# ---- random games (N22, N24) ------------------------------------------------------------------------


def choose(game: Reference, rng: random.Random, taste: int) -> str:
    """A random move; players of taste 1 like repairs and projects, of taste 2 effects."""
    legal = game.legal_moves()
    liked = [move for move in legal if move.split()[0] in ((), ("repair", "complete"), ("effect",))[taste]]
    return rng.choice(liked if liked and rng.random() < 0.8 else legal)


@pytest.mark.parametrize("taste", [0, 1, 2])
def test_random_games(taste: int) -> None:
    seen: set[str] = set()
    actions = set(make_match("nicodemus-v2").action_names)
    for number in range(40):
        rng = random.Random(number)
        game = Reference.new(rng.getrandbits(64))
        turns = decisions = 0
        before = game.points()
        while not game.over:
            legal = game.legal_moves()
            assert legal and set(legal) <= actions and len(set(legal)) == len(legal)  # N24.5
            if game.phase in QUIET and not (game.phase == "pick" and game.effect == "P1"):  # N20.8
                assert len(legal) > 1
            if game.phase in ("exchange", "projects"):
                assert legal != ["done"]
            data = game.snapshot(omniscient=True)
            assert_pieces(data)
            check_phase(data)
            assert all(new >= old for new, old in zip(game.points(), before, strict=True))  # N24.4
            before = game.points()
            if decisions % EVERY == 0:
                game = Reference.from_snapshot(json.loads(json.dumps(data)))
                assert game.snapshot(omniscient=True) == data and game.legal_moves() == legal
            turns += game.phase == "turn"
            decisions += 1
            move = choose(game, rng, taste)
            seen.add(move.split()[0])
            if move.startswith("effect"):
                seen.add(move)
            game.play(move)
        assert_pieces(game.snapshot(omniscient=True))
        assert turns <= 106 and decisions <= 519 and max(game.points()) <= 34  # N22
        assert game.ending and not game.truncated and game.seat == 1
    if taste == 1:
        assert {move.split()[0] for move in actions} - {"pass"} <= seen
    if taste == 2:
        assert {f"effect {kind}" for kind in KINDS} <= seen


def check_phase(data: dict[str, Any]) -> None:
    """N24.3, N24.4, and that the context of a decision is there in its phase only."""
    phase = data["phase"]
    assert all(sum(item["hand"].values()) <= 5 for item in data["seats"])
    if phase == "turn":
        assert all(len(item["workshop"]) <= 3 for item in data["seats"]) and len(data["bric_a_brac"]) <= 9
        assert data["seats"][data["seat"]]["points"] <= 19
        assert data["played"] is data["effect"] is None
    assert (data["repair"] is not None) == (phase == "wild")
    assert (data["left"] > 0) == (phase in ("wild", "pick", "exchange"))
    assert (data["project"] is not None) == (phase == "partner")
    assert bool(data["offer"]) == (phase == "keep")
    if phase != "partner":
        assert not data["partners"]
    assert (data["latest"] is not None) == bool(data["used"])
    if phase not in ("projects", "partner"):
        assert not data["used"]
    if phase not in ("pick", "wild"):
        assert data["previous"] is None
    assert (data["discarded"] is not None) == (phase == "pick" and data["effect"] in ("P1", "P2", "P3", "P5"))
