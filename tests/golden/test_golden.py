"""Recorded games and counts are what is played now. `python -m tests.golden.record` rewrites them."""

from __future__ import annotations

from typing import Any

import pytest

from bdgame_env.engine.jit import JIT_DISABLED
from bdgame_env.registry import get_game, list_games
from tests.golden.record import COUNTS, DEPTH, FOLDER, RECORDINGS, Counts, Recording, choose, count_lines, game_lines


def of_its_game(entry: Recording | Counts) -> Any:
    """One process runs all tests of a game (`--dist loadgroup`), so that no two compile the same functions."""
    return pytest.param(entry, id=f"{entry.game}-{entry.name}", marks=pytest.mark.xdist_group(entry.game))


@pytest.mark.parametrize("recording", [of_its_game(recording) for recording in RECORDINGS])
def test_a_recorded_game_is_played_as_before(recording: Recording) -> None:
    """The same moves are legal and lead to the same positions: else play has changed, and the version moves."""
    assert list(game_lines(recording)) == recording.path.read_text("utf-8").splitlines()


@pytest.mark.parametrize("counts", [of_its_game(counts) for counts in COUNTS])
def test_lines_of_play_are_as_many_as_before(counts: Counts) -> None:
    """From fixed deals; without the JIT only short lines."""
    depth = 2 if JIT_DISABLED else DEPTH
    recorded = counts.path.read_text("utf-8").splitlines()
    found = list(count_lines(counts, depth))
    assert found[:2] == recorded[:2]
    assert [line.split() for line in found[2:]] == [line.split()[: depth + 1] for line in recorded[2:]]


@pytest.mark.parametrize("game_id", list_games())
def test_every_game_is_recorded(game_id: str) -> None:
    """For each number of players, with counts."""
    players = {recording.options["players"] for recording in RECORDINGS if recording.game == game_id}
    least, most = get_game(game_id).seats
    assert players == set(range(least, most + 1))
    assert any(counts.game == game_id for counts in COUNTS)


def test_every_file_belongs_to_a_recording_and_is_small() -> None:
    """Nothing lies there that no test reads."""
    files = {path for path in FOLDER.glob("*/*") if path.suffix in (".txt", ".perft")}
    assert files == {entry.path for entry in (*RECORDINGS, *COUNTS)}
    assert all(path.stat().st_size < 60_000 for path in files)


def test_the_chooser_is_the_same_everywhere() -> None:
    """Known choices; preferred verbs are taken more often, and others still are."""
    moves = ["end", "buy 1", "place 1,2", "buyer"]
    assert [choose(moves, (), 5, decision) for decision in range(1, 6)] == CHOICES
    chosen = [choose(moves, ("buy",), 5, decision) for decision in range(400)]
    assert 275 < chosen.count("buy 1") < 350 and set(chosen) == set(moves)


CHOICES = ["buy 1", "end", "place 1,2", "buyer", "end"]
