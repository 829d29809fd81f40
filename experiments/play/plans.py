"""A game to be played, and how it is prepared: its session, its agents, and the agent that gives hints."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bdgame_env import get_game
from bdgame_env.agents import Agent, UnknownAgent, make_agent
from bdgame_env.agents.base import AgentFault
from bdgame_env.agents.registry import comes_with
from bdgame_env.engine.match import Match

from .clocks import TimeControl
from .game_records import read_record, resumable
from .hints import SECONDS_AHEAD, hinter_for
from .opinions import Question, ask
from .seats import is_human
from .session import Session, resumed

_TIME = re.compile(r"\btime=[\d.]+")


@dataclass(frozen=True)
class Plan:
    """A game to be played.

    Attributes:
        game: its id.
        options: of the game, without `players`.
        seats: as in `Session`.
        hint: spec of the agent that gives hints; "" for the one that `hinter_for` finds.
        separate: whether each person gets a link.
        seed: of the deal; None for a random one.
        clock: of people, as in `TimeControl.read`; "" for none.
        hints: whether people who play against each other may ask for hints, of which all are told.
    """

    game: str
    options: Mapping[str, Any]
    seats: Sequence[str]
    hint: str = ""
    separate: bool = True
    seed: int | None = None
    clock: str = ""
    hints: bool = False

    @property
    def gives_hints(self) -> bool:
        """Whether people may ask for hints: one who plays alone always may."""
        return self.hints or sum(map(is_human, self.seats)) < 2


@dataclass
class Prepared:
    """A game that can be played.

    Attributes:
        session: the game.
        agents: those that play, by seat.
        hinter: the agent that gives hints, and judges decisions afterwards.
        follower: the same with little time, which says how a turn goes on after a hint.
        fallback, network: the rule-based player and the network alone, as `advised` needs them; None if there is none.
    """

    session: Session
    agents: dict[int, Agent]
    hinter: Agent
    follower: Agent
    fallback: Agent | None = None
    network: Agent | None = None

    def close_agents(self) -> None:
        """Release the agents that play, once the game is over: a searcher has much room."""
        while self.agents:
            close_quietly(self.agents.popitem()[1])

    def close_advisers(self) -> None:
        """Release the agents that give hints."""
        for adviser in (self.hinter, self.follower, self.fallback, self.network):
            if adviser is not None:
                close_quietly(adviser)


def close_quietly(agent: Agent) -> None:
    """Close an agent whose game is over, whatever it says to that."""
    with suppress(Exception):
        agent.close()


def begin(plan: Plan, file: Path | None) -> Session:
    """The session of a plan, continued from its record if the file exists.

    Raises:
        BadInput, BadOption, BadRecord: the plan cannot be played.
    """
    control = TimeControl.read(plan.clock) if plan.clock else None
    if file is not None and file.exists():
        record = read_record(file)
        return resumed(resumable(record), plan.seats, record, control)
    match = Match(get_game(plan.game), seed=plan.seed, players=len(plan.seats), **plan.options)
    return Session(match, plan.seats, control)


def with_agents(
    session: Session, hint: str = "", say: Callable[[str], None] = lambda _: None, *, rehearsed: bool = False
) -> Prepared:
    """A session with its agents; `say` is told how far it is.

    Args:
        session: the game.
        hint: spec of the agent that gives hints; "" for the one that `hinter_for` finds.
        say: is told, in words for players, what is being prepared.
        rehearsed: whether each agent first makes a move elsewhere, so that none has to compile during the game.

    Raises:
        UnknownAgent: there is no such agent.
    """
    game, config = session.match.game, session.match.config
    made: dict[int, Agent] = {}
    specs = {seat: spec for seat, spec in enumerate(session.seats) if not is_human(spec)}
    hint = hint or hinter_for(game, config)
    for number, (seat, spec) in enumerate({**specs, -1: hint}.items(), 1):
        say("loading hints" if seat < 0 else f"loading opponents ({number} of {len(specs)})")
        made[seat] = make_agent(spec, game, config)
        if rehearsed:
            _rehearse(spec, session)
    fallback, network = (_if_there_is(spec, session, rehearsed) for spec in ("heuristic", "ppo"))
    follower = make_agent(_TIME.sub(f"time={SECONDS_AHEAD}", hint), game, config)
    return Prepared(session, made, made.pop(-1), follower, fallback, network)


def _if_there_is(spec: str, session: Session, rehearsed: bool) -> Agent | None:
    """An agent, if the game has it with these options."""
    with suppress(UnknownAgent):
        agent = make_agent(spec, session.match.game, session.match.config)
        if rehearsed:
            _rehearse(spec, session)
        return agent
    return None


def _rehearse(spec: str, session: Session) -> None:
    """Have an agent of this package move once in a new game, as quickly as it can."""
    match = Match(session.match.game, seed=0, **session.match.config.options)
    if not comes_with(spec, match.game):  # a program may not expect another game
        return
    agent = make_agent(_TIME.sub("time=0.05", spec), match.game, match.config)
    with closing(agent), suppress(AgentFault):  # it will say so when it plays
        ask(agent, Question.at(match, 0), match.action_names)
