"""What pages know to follow from moves: which end a turn or a round, and what can be scored."""

from __future__ import annotations

import pytest

from bdgame_env import get_game, list_games
from bdgame_env.engine.match import Match
from bdgame_env.experiments.play.following import follow
from tests.games.bdgame import positions


@pytest.mark.parametrize("game_id", list_games())
def test_what_ends_a_turn_or_a_round_is_known_and_so_is_the_best_gain(game_id: str) -> None:
    """Also where the same player begins the next round."""
    match = Match(get_game(game_id), seed=2, players=2)
    ended = scored = 0
    for number in range(90):
        if match.over:
            break
        seat, before, points = match.seat, match.snapshot(seat=match.seat).get("round"), match.points()[match.seat]
        found, legal = follow(match, ()), match.legal_moves()
        gains = []
        for move in legal:
            twin = match.clone()
            twin.play(move)
            gains.append(twin.points()[seat] - points)
            if twin.over or twin.seat != seat or twin.snapshot(seat=seat).get("round") != before:
                assert move in found.ends
                ended += twin.seat == seat
        assert found.gain == max(0, *gains)
        scored += found.gain > 0
        match.play(max(zip(gains, legal, strict=True))[1] if max(gains) else legal[number * 7919 % len(legal)])
    assert scored or game_id == "bdgame-v3", "random play fulfils no order there"
    assert ended or game_id != "pixel-pusher-v2"


def test_each_of_several_times_reads_as_it_will() -> None:
    """Bdgame: what a Device would make with two, three cubes."""
    kinds = positions.position().match.config.cards.kinds
    device = [("hopper", 0, 3), (next(kind for kind in kinds if kind.startswith("c_2Y")), 1, 3), ("packer", 2, 3)]
    match = positions.position(storage="5Y", workshop=device, phase="load", open="load").match
    found = follow(match, {"load"})
    move = next(move for move in match.legal_moves() if move.startswith("load Y"))
    assert found.again[move] == 5 and len(found.then[move]) == 4
    assert found.then[move][0] != found.then[move][2]
    assert all("would make" in told for told in found.then[move])
