"""What pages know to follow from moves: which end a turn or a round, and what can be scored."""

from __future__ import annotations

import pytest

from bdgame_env import get_game, list_games
from bdgame_env.engine.match import Match
from bdgame_env.experiments.play.following import follow


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
