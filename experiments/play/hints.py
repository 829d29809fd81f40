"""Who gives hints and judges decisions afterwards: the strongest of the agents that can, and what it advises."""

from __future__ import annotations

from bdgame_env.agents import Agent, UnknownAgent, make_agent
from bdgame_env.agents.ladder import shipped_ratings
from bdgame_env.engine.game import Game, GameConfig

from .opinions import Answer, Question, ask, is_hopeless

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


def advised(hinter: Agent, fallback: Agent | None, question: Question, names: tuple[str, ...]) -> Answer:
    """What `hinter` would play; where it expects to lose whatever is played, what `fallback` would.

    A search that sees all moves lose likes one as much as another, also those that no person would understand.

    Raises:
        AgentFault: an agent failed or chose an illegal action; the message says how.
    """
    answer = ask(hinter, question, names)
    if fallback is None or not is_hopeless(answer.remarks.get("value")):
        return answer
    return Answer(ask(fallback, question, names).action, {"value": answer.remarks["value"]}, fell_back=True)
