"""Who gives hints and judges decisions afterwards: the strongest of the agents that can, and what it advises."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bdgame_env.agents import Agent, UnknownAgent, make_agent
from bdgame_env.agents.ladder import shipped_ratings
from bdgame_env.engine.game import Game, GameConfig
from bdgame_env.engine.match import Match

from .opinions import Answer, Question, ask, ask_about, is_hopeless
from .trials import TRIALS, tried

THINKERS = ("mcts", "planner", "strong-planner", "az", "network-planner")  # take time=SECONDS, and value moves
SECONDS = 0.5
SECONDS_AHEAD = 0.05  # for a move that follows the advised one in the same turn
UNRATED = "mcts:sims=200"
CLEARLY = 0.4  # a difference of results, of which 12 pairs have a standard error of about 0.2
SURE = 0.9
DOUBTFUL = 0.1  # of a search


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


def advised(
    hinter: Agent, fallback: Agent | None, network: Agent | None, match: Match, names: tuple[str, ...]
) -> Answer:
    """What `hinter` would play, or `fallback`, the game's rule-based player.

    A search that sees all moves lose likes one as much as another, also those that no person would understand: there
    the rule-based player advises. And a network that learned from strong play may be blind in positions of people who
    play otherwise. So where the two disagree, games are played to their end after both moves, by both players
    (`tried`), and the rule-based player advises if its move does clearly better, or wins nearly always.

    Args:
        hinter: searches.
        fallback: thinks little; None if the game has no such player.
        network: plays a network alone; None if there is none for these options, then nothing is tried.
        match: the position; what its seat does not know has no influence.
        names: of the actions.

    Raises:
        AgentFault: an agent failed or chose an illegal action; the message says how.
    """
    question = Question.at(match, 0)
    answer = ask(hinter, question, names)
    if fallback is None:
        return answer
    own, other = answer.action, ask(fallback, question, names).action
    if network is not None and own != other:
        found = tried(match, (own, other), (network, fallback))
        if found[other] > found[own] + CLEARLY or found[other] >= max(found[own], SURE):
            values = {names[move]: round(_believed(found[move]), 3) for move in (other, own)}
            remarks = {"value": values[names[other]], "values": values, "visits": dict.fromkeys(values, TRIALS)}
            return Answer(other, remarks, values, fell_back=True)
    if not is_hopeless(answer.remarks.get("value")):
        return answer
    return Answer(other, {"value": answer.remarks["value"]}, fell_back=True)


def judged_by(hinter: Agent, players: Sequence[Agent], match: Match, played: str, names: tuple[str, ...]) -> Answer:
    """`ask_about`; a better move than the one that was played has to be clearly better in games after both."""
    answer = ask_about(hinter, match, played, names)
    best, values = names[answer.action], answer.values
    if not players or played not in values or values.get(best, -1.0) - values[played] < DOUBTFUL:
        return answer
    found = tried(match, (answer.action, match.string_to_action(played)), players)
    better, own = found[answer.action], found[match.string_to_action(played)]
    if 0 < better - own <= CLEARLY:
        own = better
    known = {best: _believed(better), played: _believed(own)}
    return replace(answer, values={**values, **known}, remarks={**answer.remarks, "value": known[best]})


def _believed(value: float) -> float:
    """What is to be expected after trials of this mean: with Laplace's rule, a win and a loss more."""
    return value * TRIALS / (TRIALS + 2)
