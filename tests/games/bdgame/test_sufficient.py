"""Section 12: an observation tells all that the snapshot of its seat tells."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest

from bdgame_env.engine.jit import JIT_DISABLED
from bdgame_env.engine.match import Match
from bdgame_env.games.bdgame.cards import STANDARD_DECK
from bdgame_env.games.bdgame.game import GAME
from tests.games.bdgame.positions import eager
from tests.games.bdgame.test_snapshot import PHASES, in_phase
from tests.support.seen.bdgame import seat_snapshot

DECISIONS = 80 if JIT_DISABLED else 1500
EVERY = 16 if JIT_DISABLED else 5
CLEARS = 0.1  # how often a row is cleared where it may be: it makes cards known (B51)
OPTIONS: list[dict[str, Any]] = [
    {},
    {"selling": True},
    {"trading": True},
    {"selling": True, "trading": True, "max_rounds": 9},
]


def check(match: Match) -> None:
    """Every seat's snapshot can be written down from its observation."""
    for seat in range(match.players):
        seen = match.observe(seat).view(GAME.obs)[0]
        assert seat_snapshot(seen, match.config, seat) == match.snapshot(seat=seat)


def play_and_check(seed: int, **options: Any) -> set[str]:
    """A random game, at whose positions all seats look; the phases seen, and "known" if cards were known in one."""
    match, chance, phases = Match(GAME, seed=seed, **options), random.Random(seed), set()
    for number in range(DECISIONS):
        snapshot = match.snapshot()
        found = {snapshot["phase"], *(["known"] if snapshot["known"] else [])}
        if number % EVERY == 0 or found - phases or match.over:
            phases |= found
            check(match)
        if match.over:
            break
        moves = match.legal_moves()
        match.play("clear" if "clear" in moves and chance.random() < CLEARS else eager(moves, chance))
    return phases


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_snapshot_of_a_seat_follows_from_its_observation(players: int, options: dict[str, Any]) -> None:
    """For every seat, whoever decides; with the option sets of all rules."""
    phases = play_and_check(players, players=players, **options)
    assert "known" in phases


@pytest.mark.parametrize("phase", PHASES)
def test_in_every_phase(phase: str) -> None:
    """Rare ones included: questions of splitters and pause cards, offers on their way, the end."""
    match = in_phase(phase).match
    assert match.snapshot()["phase"] == phase
    check(match)


def test_with_other_cards(tmp_path: Path) -> None:
    """Prices, recipes and points are those of the config."""
    file = tmp_path / "deck.toml"
    text = re.sub(r"points = \d+", "points = 3", STANDARD_DECK.read_text("utf-8"))
    file.write_text(re.sub(r"cost = \d+", "cost = 1", text), "utf-8")
    play_and_check(5, players=3, deck=str(file), selling=True)


@pytest.mark.parametrize(("max_rounds", "round_number"), [(10_000, 1), (10_000, 130), (10_000, 9_000), (300, 150)])
def test_in_the_middle_of_a_long_game(max_rounds: int, round_number: int) -> None:
    """B48: neither the round nor the rounds that are left fit into an entry."""
    match = Match(GAME, seed=1, max_rounds=max_rounds)
    data = {**match.snapshot(omniscient=True), "round": round_number}
    check(Match.from_snapshot(GAME, data))


@pytest.mark.parametrize("max_rounds", [1, 2])
def test_after_the_end(max_rounds: int) -> None:
    """B48: that a game was truncated follows from the orders and points that were left."""
    match = Match(GAME, seed=2, players=3, max_rounds=max_rounds)
    while not match.over:
        match.play("end")
    assert match.truncated
    check(match)


def test_more_points_than_an_entry_holds(tmp_path: Path) -> None:
    """B46: points over 127 follow from the orders that were fulfilled (B40)."""
    file = tmp_path / "deck.toml"
    file.write_text(re.sub(r"points = \d+", "points = 100", STANDARD_DECK.read_text("utf-8")), "utf-8")
    match = Match(GAME, seed=3, deck=str(file))
    data = match.snapshot(omniscient=True)
    data["seats"][0] |= {"fulfilled": [data["orders_deck"].pop() for _ in range(3)], "points": 300}
    check(Match.from_snapshot(GAME, {**data, "last_round": True}, deck=str(file)))
