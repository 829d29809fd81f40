"""Collect as pages show it, segment by segment."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from bdgame_env.engine.match import Match
from bdgame_env.games.pixel_pusher.collect_steps import collect_positions
from bdgame_env.games.pixel_pusher.drawing import DRAW
from bdgame_env.games.pixel_pusher.game import GAME
from bdgame_env.render.picture import scene_of
from bdgame_env.render.wording import Step
from tests.games.pixel_pusher.positions import Slots, position


def everything(snapshot) -> dict[str, int]:
    """The primaries on the conveyor and on all boards."""
    piles = [*snapshot["conveyor"], *(seat["pixels"] for seat in snapshot["seats"])]
    return {color: sum(pile[color] for pile in piles) for color in "RGB"}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_from_the_end_of_build_to_what_everyone_has_after_collect(players: int):
    """In whole games, for every viewer: a segment a step, nothing lost, and the last step is the position after it."""
    found = 0
    for seed in range(6):
        match, rng = Match(GAME, players=players, seed=seed), random.Random(seed)
        while not match.over:
            viewer = rng.choice([None, *range(players)])
            before = match.snapshot(seat=viewer)
            match.play(rng.choice(match.legal_moves()))
            after = match.snapshot(seat=viewer)
            steps = collect_positions(before, after)
            found += len(steps)
            changed: list[int] = []
            for was, now in zip([None, *steps], steps, strict=False):
                assert now["phase"] == "collect" and everything(now) == everything(after)
                old = before if was is None else was
                changed += [k for k in range(6) if old["conveyor"][k] != now["conveyor"][k]]
                assert now["seats"] != old["seats"]
            assert len(changed) == len(steps) and changed == sorted(changed)
            if steps:
                assert (steps[-1]["conveyor"], steps[-1]["seats"]) == (after["conveyor"], after["seats"])
    assert found > 20


def steps_of(slots: dict[int, Slots], conveyor: list[str]) -> list[tuple[str, str]]:
    """What two seats have after each step."""
    given = {**slots, 1: {**slots.get(1, {}), 6: ("convert", [1])}}
    t = position("build", players=2, seat=1, drafted={1: [17]}, slots=given, conveyor=conveyor)
    before = t.snap
    t.play("install 0 convert slot 6")
    return [
        tuple("".join(color * seat["pixels"][color] for color in "RGB") for seat in step["seats"])
        for step in collect_positions(before, t.snap)
    ]


def test_segments_where_nobody_takes_anything_are_passed_over():
    """P34, P35: slot 1 takes R, slot 2 finds too few, slot 4 takes B."""
    slots = {0: {1: ("R", [1]), 2: ("G", [9]), 4: ("B", [17])}}
    assert steps_of(slots, ["R", "R", "", "BB"]) == [("R", ""), ("RB", "")]


def test_what_one_random_slot_draws_is_known():
    """P36: what is gone and nobody else took."""
    slots = {0: {1: ("?", [37])}, 1: {1: ("R", [1])}}
    assert steps_of(slots, ["RG"]) == [("G", "R")]


def test_of_two_random_slots_at_one_segment_nothing_is_shown():
    """Which of them drew which pixel cannot be told from what is left."""
    assert steps_of({seat: {1: ("?", [37 + seat])} for seat in range(2)}, ["RGB"]) == []


def test_other_moves_have_no_steps():
    """A draft, for one."""
    match = Match(GAME, players=2, seed=1)
    before = match.snapshot()
    match.play(match.legal_moves()[0])
    assert collect_positions(before, match.snapshot()) == []


def test_the_log_tells_the_pixel_of_a_discarded_card_from_those_that_collect_brings() -> None:
    """P31, P34: also if the discard ends Build."""
    for slots, told in (({0: {1: ("R", [1])}}, "collected red"), ({seat: {1: ("?", [37])} for seat in range(2)}, "")):
        given = {**slots, 1: {**slots.get(1, {}), 6: ("convert", [1])}}
        t = position("build", players=2, seat=1, drafted={1: [17]}, slots=given, conveyor=["RG"])
        before = scene_of(t.match, seat=1)
        had = t.pixels(1)
        t.play("discard 0")
        step = Step(before, scene_of(t.match, seat=1), 1, "discard 0")
        assert DRAW.wording is not None
        events = DRAW.wording.events([step])
        if told:
            [gained] = Counter(t.pixels(1)) - Counter(had)
            names = {"R": "red", "G": "green", "B": "blue"}
            assert [text.rpartition(" for ")[2] for seat, text in events if seat == 1] == [f"a {names[gained]} pixel"]
            assert (0, told) in events
        else:
            assert any(text.endswith(", one of them for the discarded card") for _, text in events)
