"""Your own bot in a tournament: `python examples/tournament.py gizmos-v3 --games 50`."""

import argparse
from pathlib import Path
from typing import Any

import numpy as np

import bdgame_env
from bdgame_env.agents import Agent, register_agent
from bdgame_env.experiments.arena.tournament import tournament


class Lookahead(Agent):
    """Tries each legal action on a sample of the game, and takes one after which it is ahead the most.

    `observation`, `mask` and `states` have a row for each of n games. The states are samples: what the seat to decide
    cannot see has been dealt again in them, so a bot that plays on them learns nothing it may not know.
    """

    needs_states = True

    def __init__(self, game: Any, config: Any) -> None:
        self.match = bdgame_env.Match(game, seed=0, **config.options)
        self.rng = np.random.default_rng()

    def seed(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def act(self, observation: Any, mask: Any, states: Any = None) -> Any:
        return np.array([self.best(*row) for row in zip(mask, states, strict=True)], np.int32)

    def best(self, mask: Any, state: Any) -> int:
        leads = {}
        for action in self.rng.permutation(np.flatnonzero(mask)):  # the first of equals is taken
            self.match.states[0] = state
            seat = self.match.seat
            self.match.play(int(action))
            points = self.match.points()
            leads[int(action)] = points[seat] - max(points[:seat] + points[seat + 1 :])
        return max(leads, key=lambda action: leads[action])


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("game", nargs="?", default="nicodemus-v2", choices=bdgame_env.list_games())
parser.add_argument("--players", type=int, default=2)
parser.add_argument("--games", type=int, default=20, help="deals for each line-up, each played in every seat order")
parser.add_argument("--out", type=Path, help="folder for tables, plots and every game's moves")
asked = parser.parse_args()

register_agent("lookahead", Lookahead)
tournament(
    asked.game, ["lookahead", "heuristic", "random"], players=asked.players, games=asked.games, out=asked.out, workers=1
)
