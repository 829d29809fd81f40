"""Self checks of the slow Nicodemus: the rules' worked examples (N25), every effect and project, what games keep."""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from typing import Any

import pytest

from tests.support.reference.nicodemus import QUIET, Reference
from tests.support.reference.nicodemus_cards import KINDS, MACHINES, PROJECTS, RESOURCES, SUPPLY, TOKENS
from tests.support.reference.nicodemus_choices import partner_sets, wild_sequences

pytestmark = pytest.mark.plain

EVERY = 17  # every how many decisions a random game goes through a snapshot
COPIES = {kind: machine.copies for kind, machine in MACHINES.items()}
PAIRS = [f"charcoalium-{r}" for r in RESOURCES] + [f"{r}-charcoalium" for r in RESOURCES]
ACTIONS = [  # N19
    *(f"{use} {kind}" for use in ("charcoalium", "produce", "effect") for kind in KINDS),
    *(f"repair {space}" for space in range(1, 10)),
    *(f"{verb} {r}" for verb in ("wild", "pick") for r in RESOURCES),
    *(f"discard {kind}" for kind in KINDS),
    *(f"target {space}" for space in range(1, 10)),
    *(f"exchange {pair}" for pair in PAIRS),
    *(f"{verb} {tile}" for verb in ("keep", "complete") for tile in range(17)),
    *(f"partner {position}" for position in (1, 2, 3)),
    "done",
    "pass",
]


def tokens(text: str) -> dict[str, int]:
    """Tokens from four numbers: "2 0 1 1" is 2 charcoalium, no wood, 1 copper, 1 crystal."""
    return dict(zip(TOKENS, map(int, text.split()), strict=True))


def shown(amounts: dict[str, int]) -> str:
    """The other way round."""
    return " ".join(str(amounts[token]) for token in TOKENS)


def seat(
    hand: str = "", stock: str = "0 0 0 0", workshop: str = "", points: int = 0, reserved: tuple[int, ...] = ()
) -> dict[str, Any]:
    """A seat of a snapshot."""
    return {
        "points": points,
        "tokens": tokens(stock),
        "hand": dict(Counter(hand.split())),
        "workshop": workshop.split(),
        "reserved": list(reserved),
        "completed": [],
        "rejected": [],
        "lost": {},
        "last": None,
    }


def position(
    board: str = "",
    me: dict[str, Any] | None = None,
    you: dict[str, Any] | None = None,
    projects: tuple[int, ...] = (),
    project_deck: tuple[int, ...] = (),
    deck: str | None = None,
    **changes: Any,
) -> Reference:
    """Seat 0 to begin a turn. "R2:1" on the board is an R2 with 1 charcoalium on it; cards not named are in the deck,
    or out of the game if there is a deck; tiles not named were completed by seat 1."""
    data = Reference.new(0).snapshot()
    data["seats"] = seats = [me or seat(), you or seat()]
    data["bric_a_brac"] = [
        {"kind": kind, "charcoalium": int(lying or 0)}
        for kind, _, lying in (item.partition(":") for item in board.split())
    ]
    data["removed"], data["deck"] = {}, (deck or "").split()
    rest = Counter(COPIES) - machines_of(data)
    if deck is None:
        data["deck"] = sorted(rest.elements())
    else:
        data["removed"] = dict(rest)
    data["projects"] = [*projects, *[None] * (6 - len(projects))]
    data["project_deck"] = list(project_deck)
    seats[1]["completed"] = [tile for tile in range(17) if tile not in tiles_of(data)]
    data["reserve"] = dict.fromkeys(TOKENS, 0)
    data["reserve"] = {token: SUPPLY[token] - n for token, n in tokens_of(data).items()}
    data |= changes
    check_conservation(data)
    return Reference.from_snapshot(data)


def play(game: Reference, *moves: str) -> Reference:
    """Play moves in turn."""
    for move in moves:
        game.play(move)
    return game


def stock(game: Reference, number: int = 0) -> str:
    return shown(game.seats[number].tokens)


def board(game: Reference) -> str:
    return " ".join(f"{spot.kind}:{spot.charcoalium}" if spot.charcoalium else spot.kind for spot in game.bric_a_brac)


def moves(game: Reference, *verbs: str) -> set[str]:
    """The legal moves of some verbs."""
    return {move for move in game.legal_moves() if move.split()[0] in verbs}


def machines_of(data: dict[str, Any]) -> Counter[str]:
    """N24.2: all machines of a snapshot, wherever they are."""
    found = Counter(data["deck"]) + Counter(data["removed"])
    found += Counter(item["kind"] for item in data["bric_a_brac"])
    for item in data["seats"]:
        found += Counter(item["hand"]) + Counter(item["lost"]) + Counter(item["workshop"])
    return found


def tokens_of(data: dict[str, Any]) -> dict[str, int]:
    """N24.1: all tokens of a snapshot, wherever they are."""
    found = {token: data["reserve"][token] + sum(item["tokens"][token] for item in data["seats"]) for token in TOKENS}
    found["charcoalium"] += sum(item["charcoalium"] for item in data["bric_a_brac"])
    return found


def tiles_of(data: dict[str, Any]) -> list[int]:
    """N24.2: all projects of a snapshot, wherever they are."""
    found = [tile for tile in data["projects"] if tile is not None] + data["project_deck"] + data["offer"]
    for item in data["seats"]:
        found += item["reserved"] + item["completed"] + item["rejected"]
    return found


def check_conservation(data: dict[str, Any]) -> None:
    assert machines_of(data) == COPIES
    assert tokens_of(data) == SUPPLY
    assert sorted(tiles_of(data)) == list(range(17))
    amounts = [data["reserve"], *(item["tokens"] for item in data["seats"])]
    assert all(n >= 0 for item in amounts for n in item.values())


# ---- card facts (N1) --------------------------------------------------------------------------------


def test_n1_machines() -> None:
    assert len(KINDS) == 16
    assert sum(COPIES.values()) == 56
    cards = [MACHINES[kind] for kind in KINDS for _ in range(COPIES[kind])]
    assert Counter(card.color for card in cards) == {"blue": 20, "purple": 20, "red": 8, "yellow": 8}
    symbols = {"charcoalium": 14, "wood": 14, "copper": 10, "crystal": 10, "wild": 8}
    assert Counter(card.symbol for card in cards) == symbols
    assert Counter(r for card in cards for r in card.cost) == {"wood": 60, "copper": 56, "crystal": 54}
    assert sum(card.points for card in cards) == 114
    assert all(2 <= len(card.cost) <= 4 for card in cards)


def test_n1_projects() -> None:
    assert len(PROJECTS) == 17
    assert sum(project.points for project in PROJECTS) == 39
    assert sum(project.machines for project in PROJECTS) == 37


def test_n2_setup() -> None:
    game = Reference.new(20)
    data = game.snapshot()
    check_conservation(data)
    assert [sum(item["hand"].values()) for item in data["seats"]] == [5, 5]
    assert (len(data["bric_a_brac"]), len(data["deck"])) == (1, 45)
    assert (len(data["projects"]), len(data["project_deck"])) == (6, 11)
    assert [stock(game, 0), stock(game, 1), shown(data["reserve"])] == ["2 0 0 0", "1 1 0 0", "9 7 8 8"]
    assert game.snapshot() == Reference.new(20).snapshot() != Reference.new(21).snapshot()


def test_n19_actions() -> None:
    assert len(ACTIONS) == len(set(ACTIONS)) == 133
    starts = ["charcoalium B1", "produce B1", "effect B1", "repair 1", "wild wood", "pick wood", "discard B1"]
    starts += ["target 1", "exchange charcoalium-wood", "keep 0", "complete 0", "partner 1", "done", "pass"]
    assert [ACTIONS.index(move) for move in starts] == [0, 16, 32, 48, 57, 60, 63, 79, 88, 94, 111, 128, 131, 132]


# ---- worked examples (N25) --------------------------------------------------------------------------


def test_n25_1_repair() -> None:
    game = position("P4 R2:1 B2 Y1 P2", seat("B1", "2 0 1 1", "B1 P5 P1"))
    play(game, "repair 2")
    assert game.phase == "wild" and game.legal_moves() == ["wild copper", "wild crystal"]
    assert game.snapshot()["repair"] == {"space": 2, "fee": 2, "need": {"wood": 0, "copper": 1, "crystal": 1}}
    assert board(game) == "P4 R2:1 B2 Y1 P2" and stock(game) == "2 0 1 1"  # nothing is paid yet
    play(game, "wild copper")
    assert stock(game) == "1 0 1 0" and game.points() == [2, 0]
    assert board(game) == "P4 B2:1 Y1:1 P2"
    assert game.seats[0].workshop == ["R2"]
    assert game.seat == 1


def test_n25_2_shortage() -> None:
    game = position("P4:1", seat("B5", "9 0 0 0"), seat("B1", "1 0 0 0"))
    assert game.reserve["charcoalium"] == 1
    play(game, "charcoalium B5")
    assert [stock(game, 0), stock(game, 1)] == ["11 0 0 0", "0 0 0 0"] and game.reserve["charcoalium"] == 0


def test_n25_3_copy() -> None:
    game = position("B2 P2", seat("Y2 B1"))
    play(game, "effect Y2")
    assert game.phase == "target" and game.legal_moves() == ["target 1", "target 2"]
    other = copy.deepcopy(game)
    play(game, "target 1")
    assert stock(game) == "2 0 0 0"
    play(other, "target 2")
    assert other.phase == "target" and other.snapshot()["effect"] == "P2"
    assert other.legal_moves() == ["target 1", "target 2"]
    for space, left in (("target 1", "P2 Y2"), ("target 2", "B2 Y2")):
        branch = play(copy.deepcopy(other), space)
        assert stock(branch) == "0 1 0 0" and board(branch) == left and branch.seat == 1


def test_n25_4_projects() -> None:
    game = position("R1", seat("", "0 1 0 1", "P2 B4 B1"), projects=(15, 6, 1))
    play(game, "repair 1")
    assert game.phase == "projects" and game.legal_moves() == ["complete 15", "complete 6", "done"]
    play(game, "complete 6")
    assert game.phase == "partner" and game.legal_moves() == ["partner 1", "partner 3"]
    play(game, "partner 1")
    assert game.phase == "projects" and game.snapshot()["used"] == [1, 4]
    play(game, "complete 15")
    assert game.legal_moves() == ["partner 1", "partner 2"]
    play(game, "partner 1")  # no project is left to complete
    assert game.seat == 1 and game.points() == [7, 0]
    assert game.seats[0].workshop == ["B4", "B1"] and game.seats[0].completed == [6, 15]
    assert game.projects == [None, None, 1, None, None, None]


def test_n25_5_full_board() -> None:
    nine = "B1 B2:1 B3 B4:1 B5 P1:1 P2 P3 P4"
    game = play(position(nine, seat("P5 B1"), deck=""), "charcoalium P5")
    assert board(game) == "P1:1 P2 P3 P4 P5" and game.reserve["charcoalium"] == 12 - 1 - 3
    game = position(nine, seat("P5 B1"), deck="")
    play(game, "effect P5")
    assert game.phase == "pick" and game.snapshot()["discarded"] == "P4"
    assert stock(game) == "0 1 0 0" and game.legal_moves() == ["pick crystal", "pick wood"]  # the first is wood anyway
    play(game, "pick wood")
    assert board(game) == "B1 B2:1 B3 B4:1 B5 P1:1 P2 P3 P5" and stock(game) == "0 2 0 0"


def test_n25_6_deck() -> None:
    game = position("B1", seat("B1 B2 B3 B4 B5"), seat("P1 P2 P3 P4 P5"), deck="Y1")
    play(game, "charcoalium B1")
    assert game.seats[0].hand.total() == 5 and not game.ending
    play(game, "charcoalium P1")
    assert game.seats[1].hand.total() == 4 and game.ending and game.over


def test_n25_7_thinned_hand() -> None:
    game = position("P2", seat("R3 B1"), seat("B1 B2 B3 B4 B5", "3 2 0 0"))
    play(game, "effect R3")
    assert game.seats[1].hand.total() == 2 and game.seats[1].lost.total() == 3
    play(game, "repair 1")
    assert game.seats[1].hand.total() == 2 and game.seat == 0
    play(game, "charcoalium B1")
    kind = next(kind for kind in KINDS if game.seats[1].hand[kind])
    before = len(game.deck)
    play(game, f"charcoalium {kind}")
    assert game.seats[1].hand.total() == 5 and before - len(game.deck) == 4


def test_n25_8_tie() -> None:
    def places(mine: str, yours: str, points: tuple[int, int] = (21, 21)) -> list[int]:
        return position("", seat("", mine, points=points[0]), seat("", yours, points=points[1])).ranks()

    assert places("3 0 0 0", "2 2 2 1") == [1, 2]
    assert places("3 0 0 0", "3 0 0 1") == [2, 1]
    assert places("3 1 0 1", "3 0 2 0") == [1, 1]
    assert places("0 0 0 0", "2 0 0 0", (22, 21)) == [1, 2]


# ---- the turn (N3-N6, N8) ---------------------------------------------------------------------------


def test_n3_pass() -> None:
    game = position("P2 P2", seat(""))
    assert game.legal_moves() == ["pass"]
    play(game, "pass")
    assert game.seats[0].hand.total() == 5 and board(game) == "P2 P2" and not game.ending and game.seat == 1
    game = play(position("P2 P2", seat(""), deck="B5 B5 B5 B5"), "pass")
    assert game.seats[0].hand.total() == 4 and game.ending and not game.over
    assert position("P2", seat("", "0 2 0 0")).legal_moves() == ["repair 1"]  # N3.2


def test_n4_copies_of_a_kind_are_one_action() -> None:
    assert position("", seat("P1 P1")).legal_moves() == ["charcoalium P1", "effect P1", "produce P1"]


@pytest.mark.parametrize("kind", KINDS)
def test_n4_charcoalium_and_produce(kind: str) -> None:
    machine = MACHINES[kind]
    game = play(position("", seat(f"{kind} B1")), f"charcoalium {kind}")
    assert stock(game) == f"{machine.points} 0 0 0" and board(game) == kind and game.seat == 1
    game = play(position("", seat(f"{kind} B1")), f"produce {kind}")
    if machine.symbol == "wild":
        assert game.legal_moves() == ["pick copper", "pick crystal", "pick wood"]  # N4.4
        assert game.snapshot()["played"] == kind and game.snapshot()["effect"] is None
        play(game, "pick crystal")
    gained = "crystal" if machine.symbol == "wild" else machine.symbol
    assert game.seats[0].tokens == dict.fromkeys(TOKENS, 0) | {gained: 1}


def test_n4_nothing_left_to_gain() -> None:
    game = position("B1", seat("B1 B4", "12 0 0 0"))
    play(game, "charcoalium B1")
    assert stock(game) == "12 0 0 0"


def test_n4_6_when_effects_are_open() -> None:
    def open_effects(game: Reference) -> set[str]:
        return {move.split()[1] for move in moves(game, "effect")}

    assert open_effects(position("", seat("P1"))) == set()  # the hand is empty once it is played
    assert open_effects(position("", seat("P1 P2 P3 P4 P5"))) == {"P1"}
    assert open_effects(position("B1", seat("P1 P2 P3 P4 P5"))) == {"P1", "P2", "P3", "P5"}
    assert open_effects(position("B1", seat("P4", "1 0 0 0"))) == {"P4"}
    assert open_effects(position("B1", seat("P4", "0 1 0 0"))) == {"P4"}
    assert open_effects(position("B1", seat("P4", "12 0 0 0"))) == {"P4"}
    assert open_effects(position("B1:12", seat("P4", "0 1 0 0"))) == set()  # N10.4.3, N13.2: nothing to gain
    assert open_effects(position("", seat("Y1"), project_deck=(3,))) == {"Y1"}
    assert open_effects(position("", seat("Y1"))) == set()
    assert open_effects(position("", seat("Y2 R1 R2 R3 R4"), seat(""))) == {"R1", "R2", "R3", "R4"}
    assert open_effects(position("Y2 P4 Y1 P1", seat("Y2"))) == set()  # N12.2.2
    assert open_effects(position("P1", seat("Y2 B1"))) == {"Y2", "B1"}
    assert open_effects(position("P5", seat("Y2"))) == {"Y2"}


def test_n6_cost_and_fee() -> None:
    def repairs(workshop: str, amounts: str) -> set[str]:
        return moves(position("P5 B5 R1", seat("B1", amounts, workshop)), "repair")

    assert repairs("", "0 1 0 1") == {"repair 3"}
    assert repairs("", "0 3 1 0") == set()  # B5 needs a fee of 1
    assert repairs("", "1 3 1 0") == {"repair 2"}
    assert repairs("P5", "0 3 1 0") == {"repair 2"}  # N6.5
    assert repairs("P5 P5", "0 1 1 2") == {"repair 1", "repair 3"}
    assert repairs("B1", "0 0 0 1") == {"repair 3"}  # N6.3
    assert repairs("B1 B1", "0 0 0 1") == {"repair 3"}  # N6.3: the surplus is lost
    assert repairs("B5 P1", "0 0 0 0") == {"repair 3"}  # N6.4
    assert repairs("P5 B5", "0 1 1 1") == {"repair 3"}  # N6.4: wild never takes off the fee


def test_n6_wild_reductions_are_not_optional_and_rise() -> None:
    game = position("R2", seat("B1", "0 1 1 1", "B5 P1"))
    play(game, "repair 1")
    assert game.phase == "wild" and game.left == 2
    assert game.legal_moves() == ["wild copper", "wild wood"]  # N21.2: crystal would leave nothing to rise to
    play(game, "wild wood")
    assert game.legal_moves() == ["wild copper", "wild crystal"]
    play(game, "wild crystal")
    assert stock(game) == "0 1 0 1"
    game = play(position("R2", seat("B1", "0 1 1 1", "B5 P1")), "repair 1", "wild copper")
    assert stock(game) == "0 0 1 1" and game.seat == 1  # crystal was the only choice left (N20.2)


def test_n6_8_the_fee_cannot_help_itself() -> None:
    game = position("B2:3 P2:1 P2", seat("B1", "1 2 0 0"))
    assert moves(game, "repair") == {"repair 2", "repair 3"}  # N6.9: the three on B2 do not pay its fee
    play(game, "repair 2")
    assert board(game) == "B2:3 P2:1" and stock(game) == "1 0 0 0"


def test_n5_3_a_repair_draws_nothing() -> None:
    game = play(position("P2", seat("B1", "0 2 0 0")), "repair 1")
    assert game.seats[0].hand == {"B1": 1} and game.seat == 1


def test_n7_7_old_machines_alone_complete_nothing() -> None:
    game = play(position("P1", seat("B1", "0 1 1 0", "B3 B4"), projects=(1,)), "repair 1")
    assert game.seat == 1 and game.seats[0].workshop == ["B3", "B4", "P1"]


def test_n7_done_leaves_the_rest() -> None:
    game = position("B1", seat("B1", "0 0 1 1", "B2 B3"), projects=(1, 6))
    play(game, "repair 1", "done")
    assert game.points() == [1, 0] and game.seats[0].workshop == ["B2", "B3", "B1"] and game.projects[0] == 1
    game = position("B1", seat("B1", "0 0 1 1", "B2 B3"), projects=(1, 6))
    play(game, "repair 1", "complete 1", "partner 2", "done")  # N7.6
    assert game.points() == [2, 0] and game.seats[0].workshop == ["B2"] and game.removed["B3"] == 1
    assert game.seat == 1 and game.projects[:2] == [None, 6]


def test_n8_workshop_limit() -> None:
    game = play(position("P2", seat("B1", "0 2 0 0", "B2 P3 R4")), "repair 1")
    assert game.seats[0].workshop == ["P2"]
    game = play(position("P2", seat("B1", "0 2 0 0", "P3 R4")), "repair 1")
    assert game.seats[0].workshop == ["P3", "R4", "P2"]


# ---- projects (N7) ----------------------------------------------------------------------------------

SETS = [  # project, machines in the workshop, the one repaired, partners that complete it
    (0, "B1 P2 R1", "Y1", [(1, 2, 3)]),
    (0, "B1 P2 R1", "B2", []),
    (1, "B1 P2 B5", "B2", [(1,), (3,)]),
    (2, "B1 P2 P2", "P3", [(2,), (3,)]),
    (3, "R1 P2 B5", "R4", [(1,)]),
    (4, "Y1 P2 Y2", "Y1", [(1,), (3,)]),
    (5, "P2 B5 P2", "P2", [(1,), (3,)]),
    (5, "P2 B5 P2", "B4", []),
    (6, "P2 B5 B4", "B1", [(1,)]),
    (7, "P3 B5 B4", "B3", [(1,), (3,)]),
    (8, "P5 B5 B4", "Y2", [(1,), (2,)]),
    (9, "B2 P1 B1", "P5", [(3,)]),
    (9, "B2 P1 B1", "P1", []),
    (10, "B3 P1 B2", "R2", [(3,)]),
    (11, "R1 B4 B5", "R3", [(1,), (2,)]),
    (12, "B2 B5 P5", "R3", [(1,), (3,)]),
    (13, "P4 B5 Y1", "R4", [(1,), (3,)]),
    (14, "B3 P1 R2", "P3", [(1,), (3,)]),
    (15, "B4 P1 R1", "P2", [(1,), (3,)]),
    (16, "B4 B3 P2", "B1", [(1, 2), (2, 3)]),
    (16, "B4 B5 P2", "B1", []),
]


@pytest.mark.parametrize(("tile", "workshop", "newest", "partners"), SETS)
@pytest.mark.parametrize("own", [False, True])
def test_n7_3_project(tile: int, workshop: str, newest: str, partners: list[tuple[int, ...]], own: bool) -> None:
    where: dict[str, Any] = {"projects": () if own else (tile,)}
    me = seat("B1", "0 3 3 3", workshop, reserved=(tile,) if own else ())
    game = play(position(newest, me, seat(), **where), "repair 1")
    while game.phase == "wild":
        play(game, game.legal_moves()[0])
    worth = MACHINES[newest].points
    if not partners:
        assert game.seat == 1 and game.points() == [worth, 0]
        return
    assert game.legal_moves() == [f"complete {tile}", "done"]
    for chosen in partners:
        branch = play(copy.deepcopy(game), f"complete {tile}")
        for place in chosen:
            if f"partner {place}" in branch.legal_moves():  # the only one is taken unasked
                play(branch, f"partner {place}")
        assert branch.seat == 1 and branch.points() == [worth + PROJECTS[tile].points, 0]
        left = [kind for place, kind in enumerate(workshop.split(), 1) if place not in chosen]
        assert branch.seats[0].workshop == left and branch.seats[0].completed == [tile]
        assert branch.seats[0].reserved == [] and tile not in branch.projects
        check_conservation(branch.snapshot())


def test_n7_1_the_opponents_reserved_project_is_closed() -> None:
    game = play(position("B1", seat("", "0 0 1 1", "B2"), seat(reserved=(1,))), "repair 1")
    assert game.seat == 1 and game.points() == [1, 0]


def test_n7_6_machines_serve_several_projects_of_a_turn() -> None:
    game = position("B1", seat("", "0 0 1 1", "B1 B1"), projects=(1, 5, 6, 13))
    play(game, "repair 1", "complete 1", "partner 1", "complete 5", "partner 1", "complete 6", "partner 1")
    assert game.legal_moves() == ["complete 13", "done"]
    play(game, "complete 13", "partner 2")
    assert game.seats[0].workshop == [] and game.points() == [1 + 1 + 2 + 3 + 2, 0]


def test_n22_3_best_repair() -> None:
    best, most = 0, 0
    for old in combinations_with_replacement(KINDS, 3):
        for newest in KINDS:
            tiles = [tile for tile in range(17) if partner_sets([*old, newest], tile)]
            most = max(most, len(tiles))
            best = max(best, MACHINES[newest].points + sum(PROJECTS[tile].points for tile in tiles))
    assert (most, best) == (6, 15)


# ---- effects (N9-N12) -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "lying", "gained"),
    [
        ("B1", "B1 P4 P1 B2", "0 3 0 0"),
        ("B2", "P5 Y2 P1 B1", "3 0 0 0"),
        ("B3", "P3 B5 R2", "0 0 3 0"),
        ("B4", "P2 R1 P1 B3", "0 0 0 3"),
    ],
)
def test_n9_production(kind: str, lying: str, gained: str) -> None:
    game = play(position(lying, seat(f"{kind} B1")), f"effect {kind}")
    assert stock(game) == gained and board(game) == f"{lying} {kind}" and game.seat == 1
    check_conservation(game.snapshot())


def test_n9_5_b5() -> None:
    game = play(position("P1 B1 B5", seat("B5 B1")), "effect B5")
    assert game.phase == "pick" and len(game.legal_moves()) == 3
    play(game, "pick copper")
    assert stock(game) == "0 0 3 0" and game.seat == 1


def test_n14_gains_take_from_the_opponent() -> None:
    game = position("P1 B1 B5", seat("B5 B1", "0 5 0 0"), seat("B1", "0 2 0 0"))
    play(game, "effect B5", "pick wood")  # 1 wood is in the reserve
    assert [stock(game, 0), stock(game, 1)] == ["0 8 0 0", "0 0 0 0"] and game.reserve["wood"] == 0


def test_n10_1_p1() -> None:
    game = play(position("", seat("P1 R3 B2")), "effect P1")
    assert game.phase == "hand" and game.legal_moves() == ["discard B2", "discard R3"]
    both = play(copy.deepcopy(game), "discard B2")
    assert both.legal_moves() == ["pick wood"] == play(both, "pick wood").legal_moves()  # N20.8: asked all the same
    assert stock(play(both, "pick wood")) == "0 2 0 0" and both.seat == 1
    play(game, "discard R3")
    assert game.legal_moves() == ["pick crystal", "pick wood"]  # 1 wood 3 crystal
    public = game.snapshot(omniscient=False)
    assert public["discarded"] is None and public["seats"][0]["lost"] == 1 and game.snapshot()["discarded"] == "R3"
    other = play(copy.deepcopy(game), "pick wood")
    assert other.legal_moves() == ["pick crystal"] and stock(play(other, "pick crystal")) == "0 1 0 1"
    play(game, "pick crystal", "pick crystal")
    assert stock(game) == "0 0 0 2" and game.seat == 1 and game.seats[0].lost == {"R3": 1}


def test_n10_2_p2() -> None:
    game = play(position("B1 P4:2 B3 B5:1", seat("P2 B1")), "effect P2")
    assert game.legal_moves() == ["target 2", "target 3", "target 4"]
    before = game.reserve["charcoalium"]
    play(game, "target 2")
    assert game.reserve["charcoalium"] == before + 2 and board(game) == "B1 B3 B5:1 P2"  # N10.7
    assert game.legal_moves() == ["pick crystal", "pick wood"]
    play(game, "pick crystal")
    assert stock(game) == "0 0 0 1" and game.removed["P4"] == 1
    far = play(position("B1 P4 B3", seat("P3 B1")), "effect P3")  # N10.3: not as far back
    assert far.legal_moves() == ["target 2", "target 3"]
    alone = play(position("B2", seat("P2 B1")), "effect P2")
    assert stock(alone) == "0 1 0 0" and board(alone) == "P2"


def test_n10_3_p3() -> None:
    game = play(position("B1:12 P1", seat("P3 B1")), "effect P3")
    assert game.legal_moves() == ["target 1", "target 2"]
    other = play(copy.deepcopy(game), "target 2", "pick wood")
    assert stock(other) == "0 1 0 0" and board(other) == "B1:12 P3"
    play(game, "target 1")
    assert stock(game) == "1 0 0 0"  # discarding first filled the reserve (N10.7)
    assert game.legal_moves() == ["pick copper", "pick crystal"]
    play(game, "pick copper")
    assert stock(game) == "1 0 1 0" and game.seat == 1


def test_n10_4_p4() -> None:
    game = play(position("", seat("P4 B1", "1 1 0 0"), seat("B1", "0 0 8 0")), "effect P4")
    assert game.legal_moves() == sorted([*(f"exchange {pair}" for pair in PAIRS[:4]), "done"])
    play(game, "exchange charcoalium-copper")  # from the opponent
    assert [stock(game, 0), stock(game, 1)] == ["0 1 1 0", "0 0 7 0"] and game.reserve["copper"] == 0
    assert game.legal_moves() == ["done", "exchange copper-charcoalium", "exchange wood-charcoalium"]
    assert play(copy.deepcopy(game), "done").seat == 1
    play(game, "exchange wood-charcoalium", "exchange charcoalium-crystal")
    assert game.seat == 1 and stock(game) == "0 0 1 1"
    game = position("B1:11", seat("P4 B1", "0 1 0 0"), seat("B1"))
    play(game, "effect P4", "exchange wood-charcoalium")
    assert game.phase == "exchange" and game.left == 2  # it could be turned back
    assert play(position("", seat("P4 B1", "1 0 0 0")), "effect P4", "done").seat == 1


def test_n10_4_ends_when_nothing_can_be_exchanged() -> None:
    game = position("B1:11", seat("P4 B1", "0 7 8 8"), seat("B1"))
    assert moves(game, "effect") == {"effect B1", "effect P4"}  # the last charcoalium is in the reserve
    play(game, "effect P4", "exchange copper-charcoalium")
    assert game.phase == "exchange" and moves(game, "exchange") == {
        "exchange charcoalium-copper",
        "exchange charcoalium-wood",  # no crystal is left to gain, and no charcoalium
    }
    game = position("B1:12", seat("P4 B1", "0 1 0 0"), seat("B1"))
    assert moves(game, "effect") == {"effect B1"}


def test_n10_5_p5() -> None:
    game = play(position("B1 R2:1", seat("P5 B1")), "effect P5")
    assert game.phase == "pick" and board(game) == "B1 P5"
    assert game.legal_moves() == ["pick copper", "pick wood"]  # N20.4: crystal comes last and only once
    play(game, "pick wood")
    assert stock(game) == "0 1 0 0" and game.legal_moves() == ["pick copper", "pick crystal"]
    play(game, "pick crystal")
    assert stock(game) == "0 1 0 1" and game.seat == 1


def test_n11_1_r1() -> None:
    game = play(position("", seat("R1 B1"), seat("P1 P2 P3 P4 P5", "2 1 0 0")), "effect R1")
    assert [stock(game, 0), stock(game, 1)] == ["1 0 0 0", "1 1 0 0"]
    assert [game.seats[n].hand.total() for n in (0, 1)] == [5, 4]
    assert sum(game.seats[1].hand[kind] for kind in ("P1", "P2", "P3", "P4", "P5")) == 4
    game = play(position("", seat("R1 B1"), seat("")), "effect R1")  # N11.5
    assert [game.seats[n].hand.total() for n in (0, 1)] == [5, 0] and stock(game) == "0 0 0 0"


def test_n5_1_a_steal_may_leave_nothing_to_draw() -> None:
    game = position("", seat("R1 B1 B2 B3 B4"), seat("P1 P2 P3 P4 P5"), deck="")
    play(game, "effect R1")
    assert game.seats[0].hand.total() == 5 and not game.ending


def test_n11_2_r2() -> None:
    game = play(position("", seat("R2 B1"), seat("P1", "2 1 0 1")), "effect R2")
    assert game.legal_moves() == ["pick crystal", "pick wood"] and game.seats[1].hand.total() == 1
    play(game, "pick crystal")
    assert [stock(game, 0), stock(game, 1)] == ["0 0 0 1", "2 1 0 0"]
    assert game.seats[0].hand["P1"] >= 1 and game.seats[1].hand.total() == 0
    game = play(position("", seat("R2 B1"), seat("P1", "2 0 0 0")), "effect R2")  # nothing to choose
    assert game.seats[0].hand["P1"] >= 1 and stock(game) == "0 0 0 0" and game.seat == 1


def test_n11_3_r3() -> None:
    game = play(position("", seat("R3 B1"), seat("P1 P2 P3 P4 P5", "3 1 0 0")), "effect R3")
    assert stock(game, 1) == "1 1 0 0" and game.seats[1].hand.total() == 2 and game.seats[1].lost.total() == 3
    check_conservation(game.snapshot())
    game = play(position("", seat("R3 B1"), seat("P1 P2", "1 1 0 0")), "effect R3")
    assert stock(game, 1) == "0 1 0 0" and game.seats[1].hand.total() == 2 and not game.seats[1].lost


def test_n11_4_r4() -> None:
    game = play(position("", seat("R4 B1"), seat("P1", "2 1 2 0")), "effect R4")
    assert game.left == 2 and game.legal_moves() == ["pick copper", "pick wood"]
    play(game, "pick wood")
    assert stock(game, 1) == "2 0 1 0"  # only copper was left to pick
    game = play(position("", seat("R4 B1"), seat("P1", "2 1 2 0")), "effect R4", "pick copper")
    assert stock(game, 1) == "2 1 0 0" and game.seat == 1 and game.reserve["copper"] == 8
    for owned, left in (("1 0 0 0", "1 0 0 0"), ("1 0 1 0", "1 0 0 0"), ("0 0 0 2", "0 0 0 0")):
        game = play(position("", seat("R4 B1"), seat("P1", owned)), "effect R4")
        assert stock(game, 1) == left and game.seat == 1


def test_n11_6_every_card_of_a_hand_is_as_likely() -> None:
    stolen: Counter[str] = Counter()
    for rng in range(600):
        game = position("", seat("R1 B1 B2 B3 B4"), seat("P1 P1 P2"), rng=str(rng * 977), deck="")
        play(game, "effect R1")
        stolen.update(kind for kind in ("P1", "P2") if game.seats[0].hand[kind])
    assert stolen.total() == 600 and abs(stolen["P1"] - 400) < 50


def test_chance_takes_one_draw_for_each_machine() -> None:
    def draws(hand: str, kind: str) -> int:
        game = position("", seat(f"{kind} B1"), seat(hand), rng="0")
        step = 0x9E3779B97F4A7C15
        play(game, f"effect {kind}")
        return next(n for n in range(9) if game.rng == n * step % 2**64)

    assert [draws("P1 P2 P3", kind) for kind in ("R1", "R2", "R3", "R4")] == [1, 1, 1, 0]
    assert [draws("P1", kind) for kind in ("R1", "R2", "R3", "R4")] == [1, 1, 0, 0]
    assert [draws("", kind) for kind in ("R1", "R2", "R3", "R4")] == [0, 0, 0, 0]


def test_n12_1_y1() -> None:
    game = play(position("", seat("Y1 B1"), project_deck=(7, 4, 9)), "effect Y1")
    assert game.phase == "keep" and game.legal_moves() == ["keep 4", "keep 7"]
    assert game.snapshot(omniscient=False)["offer"] == 2 and game.snapshot()["offer"] == [4, 7]
    play(game, "keep 4")
    mine = game.snapshot()["seats"][0]
    assert (mine["reserved"], mine["rejected"], game.project_deck) == ([4], [7], [9])
    game = play(position("", seat("Y1 B1"), project_deck=(9,)), "effect Y1")  # N12.1.1
    assert game.seats[0].reserved == [9] and game.seats[0].rejected == [] and game.seat == 1


COPYING = [  # the machine copied, moves after TARGET, seat 0's tokens then (it began with 2 of each), the board
    ("B1", [], "2 3 2 2", "B1 Y2"),
    ("B3", [], "2 2 3 2", "B3 Y2"),
    ("B4", [], "2 2 2 3", "B4 Y2"),
    ("B5", ["pick crystal"], "2 2 2 3", "B5 Y2"),
    ("P1", ["discard B2", "pick wood", "pick wood"], "2 4 2 2", "P1 Y2"),
    ("P2", [], "2 3 2 2", "Y2"),
    ("P3", ["pick copper"], "3 2 3 2", "Y2"),
    ("P4", ["exchange charcoalium-wood", "done"], "1 3 2 2", "P4 Y2"),
    ("P5", ["pick wood", "pick copper"], "2 3 3 2", "Y2"),
    ("R1", [], "3 2 2 2", "R1 Y2"),
    ("R2", ["pick wood"], "2 3 2 2", "R2 Y2"),
    ("R3", [], "2 2 2 2", "R3 Y2"),
    ("R4", ["pick wood", "pick copper"], "2 2 2 2", "R4 Y2"),
    ("Y1", ["keep 3"], "2 2 2 2", "Y1 Y2"),
]


@pytest.mark.parametrize(("kind", "then", "tokens_after", "board_after"), COPYING)
def test_n12_2_y2_copies(kind: str, then: list[str], tokens_after: str, board_after: str) -> None:
    me, you = seat("Y2 B2", "2 2 2 2"), seat("B1 P1 P3", "1 1 1 1")
    game = play(position(kind, me, you, project_deck=(3, 4)), "effect Y2", *then)  # the one target is taken unasked
    assert game.seat == 1 and stock(game) == tokens_after and board(game) == board_after
    you_left = {"R1": ("0 1 1 1", 2), "R2": ("1 0 1 1", 2), "R3": ("0 1 1 1", 2), "R4": ("1 0 0 1", 3)}
    assert (stock(game, 1), game.seats[1].hand.total()) == you_left.get(kind, ("1 1 1 1", 3))
    assert game.seats[0].reserved == ([3] if kind == "Y1" else [])
    check_conservation(game.snapshot())


# ---- the end (N15) and hidden things (N16) ----------------------------------------------------------


def test_n15_2_the_round_is_finished() -> None:
    game = position("P2 P2", seat("B1 B1", "1 4 0 0", points=19), seat("B1 B2", "0 2 0 0", points=18))
    play(game, "repair 2")
    assert game.ending and game.seat == 1 and not game.over
    play(game, "repair 1")
    assert game.over and game.points() == [20, 19] and game.ranks() == [1, 2] and game.legal_moves() == []
    assert (game.round, game.seat, game.truncated) == (1, 1, False)
    game = position("P2 P2", seat("B1 B1"), seat("B1 B2", "1 4 0 0", points=19))
    play(game, "charcoalium B1", "produce B1")
    assert not game.over and game.round == 2
    game = position("P2", seat("B1 B1"), seat("B1 B2", "1 4 0 0", points=19), seat=1)
    play(game, "repair 1")
    assert game.over and game.ranks() == [2, 1]


def test_n15_1_a_project_may_reach_the_goal() -> None:
    game = position("B1", seat("", "0 0 1 1", "B2", points=18), projects=(1, 6))
    play(game, "repair 1")
    assert not game.ending
    play(game, "complete 1")
    assert game.phase == "projects" and game.ending and game.points() == [20, 0]


def test_truncation() -> None:
    data = Reference.new(5, max_rounds=2).snapshot()
    game = Reference.from_snapshot(data)
    for _ in range(4):
        assert not game.over
        play(game, next(move for move in game.legal_moves() if move.startswith("charcoalium")))
    assert game.over and game.truncated and game.round == 2 and not game.ending


def test_n16_public_snapshot() -> None:
    data = Reference.new(5).snapshot(omniscient=False)
    assert "rng" not in data and data["deck"] == 45 and data["project_deck"] == 11
    assert [item["hand"] for item in data["seats"]] == [5, 5]
    with pytest.raises(ValueError, match="cannot be played on"):
        Reference.from_snapshot(data)


def test_illegal_moves_are_refused() -> None:
    game = Reference.new(5)
    for move in ("done", "pass", "pick wood", "repair 2", "nonsense"):
        with pytest.raises(ValueError, match="not legal"):
            game.play(move)


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
    for number in range(40):
        rng = random.Random(number)
        game = Reference.new(rng.getrandbits(64))
        turns = decisions = 0
        before = game.points()
        while not game.over:
            legal = game.legal_moves()
            assert legal and set(legal) <= set(ACTIONS) and len(set(legal)) == len(legal)  # N24.5
            if game.phase in QUIET and not (game.phase == "pick" and game.effect == "P1"):  # N20.8
                assert len(legal) > 1
            if game.phase in ("exchange", "projects"):
                assert legal != ["done"]
            data = game.snapshot()
            check_conservation(data)
            check_phase(data)
            assert all(new >= old for new, old in zip(game.points(), before, strict=True))  # N24.4
            before = game.points()
            if decisions % EVERY == 0:
                game = Reference.from_snapshot(json.loads(json.dumps(data)))
                assert game.snapshot() == data and game.legal_moves() == legal
            turns += game.phase == "turn"
            decisions += 1
            move = choose(game, rng, taste)
            seen.add(move.split()[0])
            if move.startswith("effect"):
                seen.add(move)
            game.play(move)
        check_conservation(game.snapshot())
        assert turns <= 106 and decisions <= 519 and max(game.points()) <= 34  # N22
        assert game.ending and not game.truncated and game.seat == 1
    if taste == 1:
        assert {move.split()[0] for move in ACTIONS} - {"pass"} <= seen
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
