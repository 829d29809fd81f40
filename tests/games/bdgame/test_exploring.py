"""Positions that training begins from: no card is lost, Devices are finished, and play goes on to the end."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from bdgame_env import match_from_snapshot
from bdgame_env.engine.match import Match
from bdgame_env.engine.players import AGENT_RNG
from bdgame_env.games.bdgame.cards import JOINER, NUM_BASIC, SPLITTER
from bdgame_env.games.bdgame.exploring import explore
from bdgame_env.games.bdgame.game import GAME
from bdgame_env.games.bdgame.state import COLUMNS, NONE, ROWS
from bdgame_env.games.bdgame.workshop import finished

POSITIONS = 300


def explored(seed: int, players: int = 2) -> Match:
    match = Match(GAME, seed=seed, players=players)
    rng = np.zeros(1, AGENT_RNG)
    rng["rng"] = seed
    explore(match.states[0], match.config.record[0], rng[0])
    return match


def kinds_of(match: Match, seat: int) -> list[int]:
    """The cards that a seat has in play."""
    kinds = match.state.seats[seat].workshop.kinds
    return [int(kind) for kind in kinds.ravel() if kind != NONE]


@pytest.mark.plain
@pytest.mark.parametrize("players", [2, 3, 4])
def test_positions_are_ones_that_play_could_reach(players: int) -> None:
    """Restoring checks that every card is there once and lies where it may; B18: every Device is finished."""
    before = Counter[int]()
    for seed in range(POSITIONS // players):
        match = explored(seed, players)
        there = match_from_snapshot(match.snapshot(omniscient=True))
        assert there.snapshot(omniscient=True) == match.snapshot(omniscient=True)
        shapes = match.config.record[0].of[0].shapes
        for seat in range(players):
            workshop = match.state.seats[seat].workshop
            for cell in range(COLUMNS * ROWS):
                device = int(workshop.devices[cell // ROWS, cell % ROWS])
                assert device == NONE or finished(workshop, shapes, device)
            before[sum(kind >= NUM_BASIC for kind in kinds_of(match, seat))] += 1
    assert set(before) == {0, 1, 2}


@pytest.mark.plain
def test_machines_of_all_shapes_are_built() -> None:
    """One seat or all have one; splitters, joiners, a pair of them, and parts in hand."""
    found, seats = set(), Counter[int]()
    for seed in range(POSITIONS):
        match = explored(seed)
        shapes = match.config.record[0].of[0].shapes
        changed = 0
        for seat in range(2):
            special = sorted(int(shapes[kind]) for kind in kinds_of(match, seat) if kind >= NUM_BASIC)
            in_hand = int(match.state.seats[seat].hand[NUM_BASIC:].sum())
            found.add((*special, "hand") if in_hand else tuple(special))
            changed += bool(special or in_hand)
        seats[changed] += 1
    assert {(SPLITTER,), (SPLITTER, JOINER), (SPLITTER, SPLITTER), ("hand",), (JOINER,)} <= found
    assert min(seats[1], seats[2]) > POSITIONS / 4 and not seats[0]


@pytest.mark.plain
def test_a_pair_is_mostly_one_that_fits() -> None:
    """The joiner takes what the splitter before it gives: random pairs would hardly ever."""
    fitting, pairs = 0, 0
    for seed in range(POSITIONS):
        match = explored(seed)
        deck = match.config.record[0].of[0]
        for seat in range(2):
            kinds = {int(deck.shapes[kind]): kind for kind in kinds_of(match, seat) if kind >= NUM_BASIC}
            if len(kinds) == 2 and JOINER in kinds and SPLITTER in kinds:
                pairs += 1
                taken, given = deck.takes[kinds[JOINER]] > 0, deck.gives[kinds[SPLITTER]] > 0
                fitting += not (taken & ~given).any()
    assert pairs >= 8 and fitting > pairs / 2


def test_games_go_on_to_the_end() -> None:
    rng = np.random.default_rng(0)
    for seed in range(5):
        match = explored(seed)
        while not match.over:
            match.play(int(rng.choice(np.flatnonzero(match.mask()))))
