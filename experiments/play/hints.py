"""Which agent gives hints and judges decisions afterwards: the strongest of those that can."""

from __future__ import annotations

from bdgame_env.agents import UnknownAgent, make_agent
from bdgame_env.agents.ladder import shipped_ratings
from bdgame_env.engine.game import Game, GameConfig

THINKERS = ("mcts", "planner", "strong-planner", "az", "network-planner")  # take time=SECONDS, and value moves
SECONDS = 0.5
SECONDS_AHEAD = 0.05  # for a move that follows the advised one in the same turn
UNRATED = "mcts:sims=200"


def hinter_for(game: Game, config: GameConfig) -> str:
    """The spec of the best rated thinker that can play with these options; `UNRATED` if none is rated."""
    rated = shipped_ratings(game).get(config.players, {})
    for name in sorted(set(THINKERS) & set(rated), key=lambda name: -rated[name]):
        spec = f"{name}:time={SECONDS}"
        try:
            make_agent(spec, game, config).close()
        except UnknownAgent:  # a network that learned with other options
            continue
        return spec
    return UNRATED
