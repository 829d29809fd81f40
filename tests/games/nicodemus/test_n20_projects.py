"""Completing projects in rising order (N20.7): one sequence for each choice, and no end lost."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from bdgame_env.engine.jit import JIT_DISABLED
from tests.games.nicodemus.positions import COPIES, KINDS, Position, position
from tests.support.position import both_backends, engine_only
from tests.support.reference.nicodemus_cards import PROJECTS
from tests.support.reference.nicodemus_choices import partner_sets

pytestmark = both_backends

PLENTY = "6 charcoalium 8 wood 8 copper 8 crystal"
Choice = frozenset[tuple[int, tuple[int, ...]]]  # project and positions of its partners
End = tuple[frozenset[int], tuple[str, ...]]  # projects completed, machines that stay


def repaired(workshop: str, newest: str, board: list[int], reserved: list[int]) -> Position:
    """After a repair for which the wild reductions were spent anyhow."""
    t = position(row=newest, workshop=workshop, tokens=PLENTY, board=board, reserved=reserved).play("repair 1")
    while t.phase == "wild":
        t.play(min(t.legal))
    return t


def in_any_order(workshop: list[str], tiles: frozenset[int], done: Choice = frozenset()) -> Iterator[Choice]:
    """N7.1-N7.6 without N20.7: every sequence of projects, as the choice that it comes to."""
    yield done
    for tile in tiles:
        for partners in partner_sets(workshop, tile):
            yield from in_any_order(workshop, tiles - {tile}, done | {(tile, partners)})


def end_of(workshop: list[str], choice: Choice) -> End:
    used = {position for _, partners in choice for position in partners} | ({len(workshop)} if choice else set())
    stay = [kind for position, kind in enumerate(workshop, 1) if position not in used]
    return frozenset(tile for tile, _ in choice), tuple(stay[-1:] if len(stay) == 4 else stay)


def played(t: Position) -> Iterator[tuple[str, ...]]:
    """Every sequence of moves to the end of the turn."""
    if t.seat != t.mover:
        yield ()
        return
    for move in sorted(t.legal):
        for rest in played(t.copy().play(move)):
            yield (move, *rest)


def check(workshop: str, newest: str, board: list[int], reserved: list[int]) -> tuple[int, int, int]:
    """One position; how many sequences there are in any order, in rising order, and how many ends."""
    t = repaired(workshop, newest, board, reserved)
    assert t.phase == "projects"
    machines = [*workshop.split(), newest]
    free = list(in_any_order(machines, frozenset([*board, *reserved])))
    sequences = list(played(t))
    seen: set[End] = set()
    for sequence in sequences:
        after = t.copy().play(*sequence)
        before = set(t.me["completed"])
        seen.add((frozenset(after.me["completed"]) - before, tuple(after.me["workshop"])))
    choices = set(free)
    assert len(sequences) == len(choices), "one sequence for each choice"
    assert seen == {end_of(machines, choice) for choice in choices}, "no end is lost"
    assert len({sequence[:1] for sequence in sequences}) == len(t.legal)
    points = t.me["points"]
    for sequence in sequences[:20]:
        after = t.copy().play(*sequence)
        done = set(after.me["completed"]) - set(t.me["completed"])
        assert after.me["points"] == points + sum(PROJECTS[tile].points for tile in done)
        assert after.me["completed"] == sorted(after.me["completed"])
    return len(free), len(sequences), len(seen)


@pytest.mark.parametrize(
    ("workshop", "newest", "board", "reserved"),
    [
        ("B1 B1 P2", "B1", [13, 6, 1, 5], []),
        ("B1 B1 B1", "B1", [13, 6], []),
        ("R2 Y1 Y2", "Y2", [4, 5, 8], [12, 9, 10]),
        ("P3 P2 P4", "P4", [16, 2, 5], [13]),
        ("B1 P1 R1", "Y2", [0, 9, 11], []),
    ],
)
def test_n20_07_one_sequence_for_each_choice(workshop, newest, board, reserved):
    """N20.7: of projects of the board and reserved ones, with sets of one, two and three partners."""
    anyhow, rising, ends = check(workshop, newest, board, reserved)
    assert anyhow >= rising >= ends > 1


def test_n20_07_one_sequence_for_each_choice_of_random_positions():
    """N20.7."""
    chance, found, fewer = random.Random(5), 0, 0
    while found < (12 if JIT_DISABLED else 60):
        heap = [kind for kind in KINDS for _ in range(COPIES[kind])]
        *older, newest = chance.sample(heap, 4)
        tiles = chance.sample(range(17), 6)
        machines = [*older, newest]
        possible = [tile for tile in tiles if partner_sets(machines, tile)]
        if not 2 <= len(possible) <= 4:
            continue
        anyhow, rising, _ = check(" ".join(older), newest, tiles[:4], sorted(tiles[4:]))
        found += 1
        fewer += rising < anyhow
    assert fewer > found / 2


def test_n20_07_an_earlier_number_is_closed():
    """N20.7: done with 6, 1 is no longer open, and if nothing else is the turn ends."""
    t = repaired("B1 B1", "B1", [1, 6, 13], []).play("complete 6", "partner 1")
    assert t.legal == {"complete 13", "done"} and t.snap["latest"] == 6
    t.refuses("complete 1").play("complete 13", "partner 1")
    assert t.seat == 1 and t.snap["latest"] is None and t.snap["projects"][0] == 1


@engine_only  # observations
def test_n20_07_the_latest_project_is_observed():
    """N20.7: by both."""
    t = repaired("B1 B1", "B1", [1, 6, 13], []).play("complete 6", "partner 1")
    assert t.seen("latest")[6] == 1 and t.seen("latest", 1).sum() == 1
