"""What moves are worth when games are played to their end after them, by players that think little. Knows no game."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

import numpy as np

from bdgame_env.agents import Agent
from bdgame_env.engine.match import Match

TRIALS = 12  # determinizations, the same ones for every move and player
_MOST = 500  # decisions of a trial, which is then judged as it stands


def tried(match: Match, moves: Sequence[int], players: Sequence[Agent], trials: int = TRIALS) -> dict[int, float]:
    """How the seat to decide ends after each move, from -1, last, to 1, first: the mean of the trials.

    It plays on as each of the players, of which the best counts for each move; all other seats play as the first one.
    """
    seat = match.seat
    games = [
        (move, own, match.clone(determinize=seat, seed=trial))
        for move in moves
        for own in range(len(players))
        for trial in range(trials)
    ]
    for move, _, game in games:
        game.play(move)
    for _ in range(_MOST):
        for number, player in enumerate(players):
            mine = [game for _, own, game in games if not game.over and number == (own if game.seat == seat else 0)]
            if mine:
                _play_once(player, mine)
        if all(game.over for _, _, game in games):
            break
    ends = {(move, own): list[float]() for move, own, _ in games}
    for move, own, game in games:
        ends[move, own].append(_end(game, seat))
    return {move: max(fmean(ends[move, own]) for own in range(len(players))) for move in moves}


def _play_once(player: Agent, games: Sequence[Match]) -> None:
    observations, masks = np.stack([game.observe() for game in games]), np.stack([game.mask() for game in games])
    states = np.concatenate([game.states for game in games]) if player.needs_states else None
    for game, action in zip(games, player.act(observations, masks, states), strict=True):
        game.play(int(action))


def _end(game: Match, seat: int) -> float:
    ranks = game.ranks()
    return fmean(float(np.sign(rank - ranks[seat])) for other, rank in enumerate(ranks) if other != seat)
