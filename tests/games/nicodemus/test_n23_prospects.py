"""What repairs lack and bring, and what effects produce (N23.12), against a slow reading of the seat's snapshot."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from bdgame_env.engine.jit import JIT_DISABLED
from bdgame_env.engine.match import Match
from bdgame_env.registry import get_game
from tests.games.nicodemus.positions import KINDS, TOKENS, new_game, position, rich_position
from tests.support.reference.nicodemus_cards import MACHINES, PROJECTS, RESOURCES
from tests.support.reference.nicodemus_choices import fee, partner_sets, reductions_needed, wild_sequences

FIELDS = ("row_lacks", "row_worth", "one_more", "produced")
SPACES, MOST_WORTH = 10, 20


def payable(seat: dict[str, Any], row: list[str], space: int, more: dict[str, int]) -> bool:
    """N6.6, with so many tokens more: found by trying all reductions."""
    stock = {token: seat["tokens"][token] + more.get(token, 0) for token in TOKENS}
    need, wild = reductions_needed(seat["workshop"], row[space])
    fits = any(wild_sequences(need, stock, number) for number in range(min(wild, sum(need.values())) + 1))
    return fits and fee(seat["workshop"], len(row) - 1 - space) <= stock["charcoalium"]


def lacks(seat: dict[str, Any], row: list[str], space: int) -> int:
    """The fewest tokens more that it can be repaired with: the fee's, then those of each number of each resource."""
    short = max(0, fee(seat["workshop"], len(row) - 1 - space) - seat["tokens"]["charcoalium"])
    for number in range(5):
        for first in range(number + 1):
            for second in range(number + 1 - first):
                extra = dict(zip(RESOURCES, (first, second, number - first - second), strict=True))
                if payable(seat, row, space, {"charcoalium": short, **extra}):
                    return short + number
    raise AssertionError("no cost has more than four resources")


def worth(seat: dict[str, Any], board: list[int], kind: str) -> int:
    """The points of a repair, with all projects that it lets the seat complete."""
    projects = [*board, *seat["reserved"]]
    done = [project for project in projects if partner_sets([*seat["workshop"], kind], project)]
    return min(MOST_WORTH, MACHINES[kind].points + sum(PROJECTS[project].points for project in done))


def produced(data: dict[str, Any], me: dict[str, Any], other: dict[str, Any], row: list[str], kind: str) -> int:
    """N9, N14.1: what a blue machine of the hand would gain."""
    symbol = MACHINES[kind].symbol
    if kind[0] != "B" or not me["hand"].get(kind):
        return 0
    number = 1 + sum(MACHINES[each].symbol == symbol for each in row)
    tokens = RESOURCES if symbol == "wild" else [symbol]
    return max(min(number, data["reserve"][token] + other["tokens"][token]) for token in tokens)


def expected(match: Match, seat: int) -> dict[str, Any]:
    data = match.snapshot(seat=seat)
    me, other = data["seats"][seat], data["seats"][1 - seat]
    row = [machine["kind"] for machine in data["bric_a_brac"]]
    board = [project for project in data["projects"] if project is not None]
    empty = [0] * (SPACES - len(row))
    by_seat = {
        "row_lacks": [[1 + lacks(one, row, space) for space in range(len(row))] + empty for one in (me, other)],
        "row_worth": [[worth(one, board, kind) for kind in row] + empty for one in (me, other)],
    }
    best = dict.fromkeys(TOKENS, 0)
    for space, kind in enumerate(row):
        for token in TOKENS:
            if not payable(me, row, space, {}) and payable(me, row, space, {token: 1}):
                best[token] = max(best[token], worth(me, board, kind))
    one_more = [*best.values(), max(best[resource] for resource in RESOURCES)]
    return {**by_seat, "one_more": one_more, "produced": [produced(data, me, other, row, kind) for kind in KINDS]}


def seen(match: Match, seat: int) -> dict[str, Any]:
    obs = match.observe(seat).view(match.game.obs)[0]
    return {name: obs[name].tolist() for name in FIELDS}


def test_n23_12_by_hand() -> None:
    """The repairs of N25.1, and the projects of N25.4: two crystal, two of value 1, two blue."""
    t = position(
        row="P4 R2:1 B2 Y1 P2",
        workshop="B1 P5 P1",
        hand="B1 B2 B5 P1 P2",
        tokens="2 charcoalium 1 copper 1 crystal",
        board=[15, 6, 1],
        other={"tokens": "4 wood", "workshop": "B4"},
    )
    found = seen(t.match, 0)
    # P4 lacks 1 of its fee of 3; Y1 a wood or a crystal, the wild reduction is for the other
    assert found["row_lacks"][0] == [2, 1, 1, 2, 1, 0, 0, 0, 0, 0]
    assert found["row_lacks"][1] == [5, 5, 3, 3, 1, 0, 0, 0, 0, 0]
    # B2 makes two blue with B1, two of value 1 with B1 or P1; P2 the latter only, and two crystal for the other seat
    assert found["row_worth"][0] == [2, 2, 1 + 1 + 3, 3, 1 + 3, 0, 0, 0, 0, 0]
    assert found["row_worth"][1] == [2, 2, 1 + 1, 3, 1 + 3, 0, 0, 0, 0, 0]
    assert found["one_more"] == [2, 3, 0, 3, 3]
    # wood: P4, Y1 and B1; charcoalium: B2 twice; wild: B5 alone
    assert dict(zip(KINDS, found["produced"], strict=True)) == {**dict.fromkeys(KINDS, 0), "B1": 3, "B2": 2, "B5": 1}


def test_n23_12_production_from_a_small_supply() -> None:
    """N14.1: what the reserve lacks comes from the other seat, and what that lacks too is lost."""
    t = position(row="B3 P3 R2 B3", hand="B3 B4", tokens="6 copper", other={"tokens": "1 copper"})
    assert seen(t.match, 0)["produced"][KINDS.index("B3")] == 2
    assert seen(t.match, 0)["produced"][KINDS.index("B4")] == 1


def test_n23_12_outcomes_of_actions() -> None:
    """N4.3 to N4.5, N10.4, N20.5: the entry that says what an action brings is that of the token, or of the effect."""
    game = get_game("nicodemus-v2")
    config = game.config()
    places = game.outcome_places(config)
    by_start = {field.start: field.name for field in game.schema}
    wanted = {"pass": None, "done": None, "repair 1": None, "discard B1": None, "keep 3": None}
    for kind in KINDS:
        symbol = MACHINES[kind].symbol
        wanted[f"charcoalium {kind}"] = ("one_more", TOKENS.index("charcoalium"))
        wanted[f"produce {kind}"] = ("one_more", 4 if symbol == "wild" else TOKENS.index(symbol))
        wanted[f"effect {kind}"] = ("produced", KINDS.index(kind))
    for resource in RESOURCES:
        wanted[f"pick {resource}"] = ("one_more", TOKENS.index(resource))
        wanted[f"exchange charcoalium-{resource}"] = ("one_more", TOKENS.index(resource))
        wanted[f"exchange {resource}-charcoalium"] = ("one_more", TOKENS.index("charcoalium"))
    names = game.notation(config)[0]
    for name, place in wanted.items():
        entry = int(places[names.index(name)])
        start = max((one for one in by_start if one <= entry), default=None)
        assert place == (None if start is None else (by_start[start], entry - start)), name
    assert {names[action] for action in np.flatnonzero(places >= 0)} == {name for name in wanted if wanted[name]}


@pytest.mark.parametrize("options", [{}, {"max_rounds": 6}], ids=str)
def test_n23_12_prospects_follow_from_what_a_seat_sees(options: dict[str, Any]) -> None:
    """N23.12: in random games, of both seats, in every phase."""
    met: set[str] = set()
    phases: set[str] = set()
    for seed in range(3 if JIT_DISABLED else 16):
        match = (rich_position if seed % 2 else new_game)(seed=seed, **options).match
        chance, number = random.Random(seed), 0
        while not match.over and (number < 30 or not JIT_DISABLED):
            number += 1
            phases.add(match.snapshot()["phase"])
            for seat in (0, 1):
                found = seen(match, seat)
                assert found == expected(match, seat)
                met.update(name for name in FIELDS if np.any(found[name]))
            moves = match.legal_moves()
            good = [move for move in moves if move.startswith(("repair", "complete", "effect"))]
            match.play(chance.choice(good if good and chance.random() < 0.7 else moves))
    assert met == set(FIELDS)
    assert JIT_DISABLED or phases >= {"turn", "wild", "pick", "hand", "target", "exchange", "keep", "projects"}
