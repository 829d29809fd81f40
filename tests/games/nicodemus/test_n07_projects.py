"""Completing projects, and the limit of the workshop (N7, N8)."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from functools import cache

import pytest

from bdgame_env.games.nicodemus.cards import CARDS, COLORS, SYMBOLS
from tests.games.nicodemus.positions import COPIES, KINDS, assert_pieces, position, tokens
from tests.support.position import both_backends, engine_only

pytestmark = both_backends

PLENTY = "6 charcoalium 8 wood 8 copper 8 crystal"
CARD = {
    kind: (COLORS[CARDS.color[index]], int(CARDS.points[index]), SYMBOLS[CARDS.symbol[index]])
    for index, kind in enumerate(KINDS)
}
POINTS = CARDS.project_points.tolist()


def repaired(workshop: str, newest: str, board: tuple[int, ...], **more):
    """After the repair of `newest` by somebody who can pay for anything."""
    return position(row=newest, workshop=workshop, tokens=PLENTY, board=board, **more).play("repair 1")


def paid_off(t):
    """Choose wild reductions anyhow."""
    while t.phase == "wild":
        t.play(min(t.legal))
    return t


def possible(project: int, workshop: str, newest: str) -> bool:
    """Whether the project is offered."""
    t = paid_off(repaired(workshop, newest, (project,)))
    return t.phase == "projects" and f"complete {project}" in t.legal


def test_n07_01_after_a_repair_only():
    """N7.1: as many as one likes, and none if one likes."""
    t = position(row="B1", hand="B2 P1", workshop="B1 B2", board=[1, 6, 10])
    assert t.copy().play("charcoalium B2").me["completed"] == []
    t = repaired("B1 B1", "B1", (1, 6, 13))
    assert t.family("complete") == {"1", "6", "13"} and "done" in t.legal
    assert t.copy().play("done").me["completed"] == []
    t.play("complete 1", "partner 1", "complete 13", "partner 2")
    assert t.me["completed"] == [1, 13] and t.me["points"] == 1 + 1 + 2


def test_n07_01_own_reserved_projects_too():
    """N7.1, N12.1: not the other's."""
    t = repaired("B1", "B1", (1,), reserved=[5], other={"reserved": [13]})
    assert t.family("complete") == {"1", "5"}
    t.play("complete 5")
    assert t.me["completed"] == [5] and t.me["reserved"] == [] and t.snap["projects"][0] == 1


def test_n07_02_n17_03_the_set_has_the_machine_just_repaired():
    """N7.2, N17.3: two blue ones beside a red one are no set, nor are two alike beside another."""
    assert not possible(1, "B1 B2", "R1")
    assert possible(1, "B1 R1", "B2")
    assert not possible(5, "B1 B1 B1", "B2")
    t = repaired("B1 B1 B2", "B1", (5,)).play("complete 5")
    assert t.legal == {"partner 1", "partner 2"}


def test_n07_02_four_machines_count():
    """N7.2: before the limit of the workshop."""
    assert possible(0, "B1 P2 R1", "Y1") and possible(9, "B2 B3 B4", "B1")


@pytest.mark.parametrize("project", [1, 2, 3, 4])
def test_n07_03_01_two_of_a_color(project: int):
    """N7.3.1."""
    one, other, wrong = {1: "B3 B5 P1", 2: "P3 P1 Y1", 3: "R2 R4 B1", 4: "Y1 Y2 R1"}[project].split()
    assert possible(project, one, other) and possible(project, f"{wrong} {one}", other)
    assert not possible(project, wrong, other) and not possible(project, f"{one} {other}", wrong)


def test_n07_03_02_all_colors():
    """N7.3.2: four machines, whose other marks do not matter."""
    assert possible(0, "Y2 P4 B5", "R3")
    assert not possible(0, "Y2 P4 P5", "R3") and not possible(0, "Y2 P4", "R3")
    t = repaired("Y2 P4 B1", "R3", (0,)).play("complete 0")
    assert t.seat == 1 and t.me["workshop"] == [] and t.me["points"] == 3 + 5


def test_n07_03_03_twins():
    """N7.3.3: of the same kind; B2 and P2 cost the same, but are no twins."""
    assert possible(5, "B2", "B2") and not possible(5, "P2", "B2")


@pytest.mark.parametrize(("project", "pairs"), [(6, "B1 P1"), (7, "B3 R2"), (8, "Y2 P5")])
def test_n07_03_04_two_of_a_value(project: int, pairs: str):
    """N7.3.4."""
    one, other = pairs.split()
    assert possible(project, one, other)
    assert not possible(project, {6: "B3", 7: "B5", 8: "B1"}[project], other)


@pytest.mark.parametrize(
    ("project", "workshop", "newest"),
    [
        (9, "P5", "R4"),
        (10, "P3", "B2"),
        (11, "Y2", "P2"),
        (12, "R3", "B2"),
        (13, "Y1", "B1"),
        (14, "R2", "B3"),
        (15, "R1", "B4"),
        (16, "B3 P2", "P4"),
    ],
)
def test_n07_03_05_symbols(project: int, workshop: str, newest: str):
    """N7.3.5: each once; a wild symbol is none of them."""
    assert possible(project, workshop, newest)
    assert not possible(project, "B5 P1 " + workshop.split()[0] if " " in workshop else "B5 P1", newest)
    if project in (9, 10, 11):
        assert not possible(project, newest, newest)


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


@pytest.mark.parametrize("own", [False, True])
@pytest.mark.parametrize(("project", "workshop", "newest", "sets"), SETS)
def test_n07_03_n07_05_each_project(project: int, workshop: str, newest: str, sets: list[tuple[int, ...]], own: bool):
    """N7.1, N7.3-N7.6: by which sets it is completed, what it scores, what stays; reserved and on the board."""
    t = paid_off(repaired(workshop, newest, () if own else (project,), reserved=[project] if own else []))
    points = CARD[newest][1]
    if not sets:
        assert t.seat == 1 and t.me["points"] == points
        return
    assert t.legal == {f"complete {project}", "done"}
    for partners in sets:
        after = t.copy().play(f"complete {project}")
        for place in partners:
            if f"partner {place}" in after.legal:  # the only one is taken unasked
                after.play(f"partner {place}")
        assert after.seat == 1 and after.me["points"] == points + POINTS[project]
        assert after.me["workshop"] == [kind for n, kind in enumerate(workshop.split(), 1) if n not in partners]
        assert after.me["completed"] == [project] and after.me["reserved"] == []
        assert project not in after.snap["projects"]
        assert_pieces(after.snap)


def test_n07_04_n17_02_no_machine_too_many():
    """N7.4, N17.2: one partner is used up, the others stay; of several the player chooses."""
    t = repaired("B1 B3 B4", "B2", (1,)).play("complete 1")
    assert t.phase == "partner" and t.legal == {"partner 1", "partner 2", "partner 3"}
    t.play("partner 2")
    assert t.me["workshop"] == ["B1", "B4"] and t.gone["B3"] == 1 and t.gone["B2"] == 1


def test_n07_05_points_at_once_and_the_place_stays_empty():
    """N7.5."""
    t = repaired("B1 B1", "B1", (16, 1, 13)).play("complete 1", "partner 1")
    assert t.phase == "projects" and t.me["points"] == 2 and t.me["completed"] == [1]
    assert t.snap["projects"] == [16, None, 13, None, None, None] and len(t.me["workshop"]) == 3
    t.play("done")
    assert t.snap["projects"] == [16, None, 13, None, None, None] and t.me["workshop"] == ["B1"]


def test_n07_06_n20_07_used_machines_serve_again():
    """N7.6, N20.7: in rising order; all that were used leave together at the end."""
    t = repaired("B1 B1", "B1", (13, 1, 6, 5))
    for project in (1, 5, 6, 13):
        t.play(f"complete {project}", "partner 1")
        if project == 5:
            assert t.snap["used"] == [1, 3] and t.snap["latest"] == 5 and t.family("complete") == {"6", "13"}
    assert t.seat == 1 and t.me["workshop"] == ["B1"] and t.me["points"] == 1 + 2 + 1 + 3 + 2
    t = repaired("B1 B1", "B1", (1, 5)).play("complete 1", "partner 1", "complete 5", "partner 2")
    assert t.me["workshop"] == [] and t.gone["B1"] == 3


def test_n07_07_later_only_with_a_repair_that_fits():
    """N7.7."""
    t = position(row="B1 R1", workshop="B1", tokens=PLENTY, board=[1], hand="P1", other={"hand": "P1"})
    t.play("repair 1", "done", "charcoalium P1", "repair 1")
    assert t.seat == 1 and t.me["workshop"] == ["B1", "B1", "R1"] and t.me["completed"] == []


def test_n07_08_a_reserved_project_costs_nothing():
    """N7.8: at the end of the game."""
    t = position(seat=1, hand="B1", points=7, reserved=[0, 3], ending=True, other={"points": 20})
    t.play("charcoalium B1")
    assert t.over and t.points == [20, 7]


def test_n08_01_n17_04_of_four_machines_the_newest_stays():
    """N8.1, N17.4: after projects; three may stay."""
    t = repaired("B1 B3 P4", "P2", ())
    assert t.me["workshop"] == ["P2"] and {"B1", "B3", "P4"} <= t.gone.keys()
    assert repaired("B1 B3", "P2", ()).me["workshop"] == ["B1", "B3", "P2"]
    t = repaired("B1 B3 R1", "P2", (15,)).play("complete 15")
    assert t.me["workshop"] == ["B1", "B3"]


def test_n08_02_tokens_and_reserved_projects_stay():
    """N8.2."""
    t = repaired("B2 B3 R1", "P2", (), reserved=[0, 1, 3, 4])
    assert t.me["reserved"] == [0, 1, 3, 4] and t.tokens == tokens("6 charcoalium 6 wood 8 copper 8 crystal")


def fulfils(project: int, machines: tuple[str, ...]) -> bool:
    """N7.3 once more, in words."""
    colors, values, symbols = (Counter(row) for row in zip(*(CARD[kind] for kind in machines), strict=True))
    if project == 0:
        return len(machines) == 4 and len(colors) == 4
    if project == 16:
        return len(machines) == 3 and {"wood", "copper", "crystal"} == set(symbols)
    if len(machines) != 2:
        return False
    if project < 5:
        return colors[COLORS[project - 1]] == 2
    if project == 5:
        return machines[0] == machines[1]
    if project < 9:
        return values[project - 5] == 2
    wanted = ["charcoalium wood", "charcoalium copper", "charcoalium crystal"]
    wanted += ["charcoalium charcoalium", "wood wood", "copper copper", "crystal crystal"]
    return symbols == Counter(wanted[project - 9].split())


@cache
def done_with(machines: tuple[str, ...]) -> set[int]:
    """The projects that a set fulfils."""
    return {project for project in range(17) if fulfils(project, machines)}


@engine_only  # it plays nothing
def test_n22_03_most_projects_and_points_of_one_repair():
    """N22.3: over all workshops; so the most that a score can reach is 19 + 15."""
    projects, points = 0, {}
    for older in itertools.combinations_with_replacement(KINDS, 3):
        for newest in KINDS:
            if max(Counter([*older, newest]).values()) > COPIES[newest]:
                continue
            sets = [(*some, newest) for size in (1, 2, 3) for some in itertools.combinations(older, size)]
            done = set().union(*(done_with(each) for each in sets))
            projects = max(projects, len(done))
            points[older, newest] = CARD[newest][1] + sum(POINTS[project] for project in done)
    assert projects == 6 and max(points.values()) == 15 == points[("R2", "Y1", "Y2"), "Y2"]


@pytest.mark.parametrize("seed", range(3))
def test_n07_03_projects_offered_are_those_that_a_search_finds(seed: int):
    """N7.2, N7.3: for workshops drawn at random."""
    chance = random.Random(seed)
    for _ in range(12):
        heap = [kind for kind in KINDS for _ in range(COPIES[kind])]
        *older, newest = chance.sample(heap, 4)
        board = chance.sample(range(17), 6)
        t = paid_off(repaired(" ".join(older), newest, tuple(board)))
        sets = [(*some, newest) for size in (1, 2, 3) for some in itertools.combinations(older, size)]
        wanted = {str(project) for project in board if any(fulfils(project, each) for each in sets)}
        assert t.family("complete") == wanted and (t.phase == "projects") == bool(wanted)
