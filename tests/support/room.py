"""A game in progress with everything that is shown of it: an environment that renders, and a session with its pages."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from bdgame_env.adapters.aec import RawAEC
from bdgame_env.engine.game import Game
from bdgame_env.engine.match import Match
from bdgame_env.experiments.play.names import names_of
from bdgame_env.experiments.play.session import Session
from bdgame_env.experiments.play.web.links import Link
from bdgame_env.experiments.play.web.messages import Seen, page_news


@dataclass
class Room:
    """One game and all who look at it.

    Attributes:
        env: the environment.
        session: the session of the same game.
        seen: by viewer (a seat, or None for spectators), what its page has been sent.
    """

    env: RawAEC
    session: Session
    seen: dict[int | None, Seen] = field(default_factory=dict)

    @classmethod
    def of(cls, game: Game, options: Mapping[str, Any], seed: int) -> Room:
        """A new game that people play, with a page for each of them and one for spectators."""
        env = RawAEC(game, render_mode="ansi", reward="points", **options)
        env.reset(seed=seed)
        session = _named(Session(env.match.clone(), ["human"] * env.match.players))
        room = cls(env, session, {viewer: Seen() for viewer in (None, *range(env.match.players))})
        for viewer in room.seen:
            room.news(viewer)
        return room

    @classmethod
    def at(cls, match: Match) -> Room:
        """A room that begins at a position; agents play, so that nobody asks what may be undone."""
        env = RawAEC(match.game, render_mode="ansi", reward="points", **match.config.options)
        env.match.states[:] = match.states
        env._begin()
        return cls(env, _named(Session(match.clone(), ["random"] * match.players)))

    @property
    def match(self) -> Match:
        """The game."""
        return self.env.match

    def link(self, viewer: int | None) -> Link:
        """The link of a viewer's page."""
        return Link("secret", () if viewer is None else (viewer,), viewer)

    def twin(self) -> Room:
        """An independent copy."""
        memo: dict[int, Any] = {}
        return Room(self.env.clone(), copy.deepcopy(self.session, memo), copy.deepcopy(self.seen, memo))

    def with_position(self, match: Match) -> Room:
        """The same course of the game, but with this position as its latest; people play on."""
        env = self.env.clone()
        env.match.states[:] = match.states
        env.agent_selection = env.agents[match.seat]
        env._refresh()
        session, state = copy.copy(self.session), match.get_state()
        session.match, session.seats = match.clone(), ["human"] * match.players
        session._tables, session._snapshots, session._logs = {}, {}, {}
        if self.session.played:
            session.played = [*self.session.played[:-1], replace(self.session.played[-1], state=state)]
        else:
            session._first = state
        return Room(env, session)

    def play(self, action: int) -> None:
        """Play an action of the seat to decide."""
        self.session.play(self.match.seat, self.match.action_names[action])
        self.env.step(action)

    def news(self, viewer: int | None) -> Any:
        """The message to a viewer's page, or None if there is nothing new."""
        return page_news(self.session, self.link(viewer), self.seen[viewer])


def _named(session: Session) -> Session:
    """A session as pages show it, which call players by names."""
    session.call_players(session.seats, names_of(session.seats))
    return session
