"""Every channel over which a seat or a spectator is given something while a game is on; no game is named here.

A new channel is a line in one of the tables: a function `(room, viewer) -> what the viewer is given`, where the viewer
is a seat, or None for spectators. tests/conformance compares what they give in worlds that the viewer cannot tell
apart, and after choices that it is not told of.
"""

from __future__ import annotations

import asyncio
import pickle
import re
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from io import StringIO
from types import SimpleNamespace
from typing import Any

import numpy as np

from bdgame_env.adapters.gym import LearnerEnv
from bdgame_env.adapters.openspiel.observer import PublicObserver, RecallObserver, SeatObserver
from bdgame_env.adapters.openspiel.position import Position
from bdgame_env.adapters.parallel import RawParallel
from bdgame_env.agents import Agent
from bdgame_env.agents.heuristics.compiled_players import compiled_players
from bdgame_env.engine.game import Game, IllegalAction
from bdgame_env.engine.learner import LearnerBatch, Opponent
from bdgame_env.experiments.play.json_play import JsonGame
from bdgame_env.experiments.play.opinions import Question
from bdgame_env.experiments.play.plans import Prepared
from bdgame_env.experiments.play.session import Refused, Session
from bdgame_env.experiments.play.text_play import TextGame
from bdgame_env.experiments.play.web.hub import Hub
from bdgame_env.experiments.play.web.messages import Seen, game_message, look_message, page_view, why_message
from bdgame_env.render.picture import picture_of, scene_of
from bdgame_env.render.prompt import prompt
from tests.support.room import Room

Give = Callable[[Room, int | None], Any]
_REASONS = 30  # elements of a table that are asked about
_IDS = re.compile(r' id="([^"]+)"')


class _FirstLegal(Agent):
    """Gives hints, from what it is shown."""

    name = "first legal"

    def act(self, observation: Any, mask: Any, states: Any = None) -> Any:
        """The first legal action."""
        self.preferences = (mask / mask.sum(axis=1, keepdims=True)).astype(np.float32)
        return mask.argmax(axis=1)


def _agent(room: Room, viewer: int | None) -> str:
    assert viewer is not None
    agent: str = room.env.possible_agents[viewer]
    return agent


def _log(room: Room, viewer: int | None) -> Any:
    """The moves that a viewer knows of, in notation, in words and with remarks."""
    session = room.session
    return [session.known_move(number, viewer) for number in session.known(viewer)], session.log(viewer)


def _latest(room: Room, viewer: int | None) -> Any:
    """The message to a page that has seen all but the latest decision: with its steps, if it has any."""
    known = room.session.known(viewer)
    seen = Seen([room.session.played[number - 1] for number in known[:-1]], viewer, begun=True)
    return page_view(room.session, room.link(viewer), seen)


def _looks(room: Room, viewer: int | None) -> Any:
    """The tables and points of the last two positions that a page may look back at."""
    known = len(room.session.known(viewer))
    return [look_message(room.session, viewer, number) for number in {max(0, known - 1), known}]


def _reasons(room: Room, viewer: int | None) -> Any:
    """Why things on the table, or not on it, stand for no move."""
    parts = room.session.table(room.session.number, viewer)[0]
    ids = [id for part in parts for id in _IDS.findall(part["svg"])]
    chosen = [*ids[:: 1 + len(ids) // _REASONS], "seat-0-hand-0", "seat-1-hand-0", "unheard"]
    return [why_message(room.session, room.link(viewer), id) for id in chosen]


def _hub(room: Room, viewer: int | None) -> Hub:
    """A page's game, in a copy: an undo that is not refused takes a decision back."""
    return Hub(Prepared(room.with_position(room.match).session, {}, _FirstLegal(), _FirstLegal()), [room.link(viewer)])


def _refusals(room: Room, viewer: int | None) -> Any:
    """What a page is answered that asks for what it cannot have now."""
    hub, link, known = _hub(room, viewer), room.link(viewer), len(room.session.known(viewer))
    asked: list[dict[str, Any]] = [
        *({"do": "move", "move": "unheard", "number": number} for number in (known, known + 1, 0)),
        *({"do": "look", "number": number} for number in (-1, known + 1, 9999)),
        *({"do": what} for what in ("finish", "record", "undo")),
    ]

    async def analysis() -> None:
        async for _ in hub.analyze(link):
            pass

    return [_refused(lambda: _waited(analysis())), *(_refused(partial(hub.obey, link, one)) for one in asked)]


def _waited(asked: Coroutine[Any, Any, Any]) -> Any:
    """The result of a coroutine, from another thread: in this one, a browser of other tests may keep a loop running."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, asked).result()


def _refused(ask: Callable[[], Any]) -> str:
    try:
        return f"answered: {ask()}"
    except Refused as refusal:
        return str(refusal)


def _illegal(room: Room, viewer: int | None) -> Any:
    """The error lines of actions that are not legal."""
    told = []
    for play in (room.match.clone().play, room.env.clone().step):
        for action in (*np.flatnonzero(room.match.mask() == 0)[::20].tolist(), room.match.config.num_actions):
            try:
                play(action)
            except IllegalAction as error:
                told.append(str(error))
    assert told
    return told


def _alone(room: Room, viewer: int | None) -> Session:
    """The session, with this person and agents in the other seats."""
    session = room.with_position(room.match).session
    session.seats = ["human" if seat == viewer else "random" for seat in range(room.match.players)]
    return session


def _json(room: Room, viewer: int | None) -> str:
    """What a program is sent that plays a seat, and answers with nonsense."""
    out = StringIO()
    JsonGame(_alone(room, viewer), {}, StringIO('nonsense\n{"move": 9999}\n{"move": "unheard"}\n'), out).play()
    return out.getvalue()


def _dialog(room: Room, viewer: int | None) -> str:
    """What a person is told who plays by lines of text and asks for help."""
    out, lines = StringIO(), "nonsense\n9999\nhint\ncards\nhelp\nundo\nquit\n"
    TextGame(_alone(room, viewer), {}, _FirstLegal(), _FirstLegal(), StringIO(lines), out).play()
    return out.getvalue()


def _question(room: Room, viewer: int | None) -> Any:
    asked = Question.at(room.match, 0)
    return asked.seat, asked.observation.tobytes(), asked.mask.tobytes()


def _state(room: Room, viewer: int | None) -> Any:
    """What OpenSpiel's observers read: the position, and the same past for the viewer."""
    return SimpleNamespace(position=Position(room.match, dict.fromkeys(range(room.match.players), b"past")))


def _spiel(kind: type[SeatObserver]) -> Give:
    def give(room: Room, viewer: int | None) -> Any:
        observer = kind(room.match.game)
        observer.set_from(_state(room, viewer), viewer)
        tensor = None if observer.tensor is None else observer.tensor.tobytes()
        return observer.string_from(_state(room, viewer), viewer), tensor

    return give


def _resampled(room: Room, viewer: int | None) -> Any:
    """OpenSpiel's sample for a player: the record, and what each player has learned."""
    sample = _state(room, viewer).position.resampled(viewer, 3)
    return sample.match.get_state(), [sample.learned_by(seat) for seat in range(room.match.players)]


def _parallel(room: Room, viewer: int | None) -> Any:
    """What the parallel environment gives to an agent, if it begins at this position."""
    env = RawParallel(room.match.game, render_mode="ansi", **room.match.config.options)
    env.reset(seed=0)
    env._aec.match.states[:] = room.match.states
    env._aec._begin()
    env._begin_phase()
    sees, agent = env.observe(_agent(room, viewer)), _agent(room, viewer)
    return sees["observation"].tobytes(), sees["action_mask"].tobytes(), env.agents, env.render(viewer), agent


@cache
def _batch(game: Game, options: tuple[tuple[str, Any], ...]) -> LearnerBatch:
    config = game.config(**dict(options))
    players = compiled_players(game)
    batch = LearnerBatch(game, config, 1, [Opponent("random", policy=0)], compiled=players, autoreset=False, seed=0)
    batch.reset()
    return batch


def _learner(room: Room, viewer: int | None) -> Any:
    """A sampled copy of a learner's environment: what it shows and holds."""
    env = LearnerEnv(_batch(room.match.game, tuple(room.match.config.options.items())).clone(), render_mode="ansi")
    env.batch._games[:] = room.match.states
    env.batch.rows["seat"] = viewer
    twin = env.clone(determinize=viewer, seed=3)
    return twin._observation().tobytes(), pickle.dumps(twin._info()), twin.batch.states.tobytes(), twin.render()


TO_ALL: dict[str, Give] = {
    "snapshot": lambda room, viewer: room.match.snapshot(seat=viewer),
    "render": lambda room, viewer: room.env.render(viewer),
    "picture": lambda room, viewer: picture_of(room.match, seat=viewer),
    "page": lambda room, viewer: page_view(room.session, room.link(viewer), Seen()),
    "page after a decision": _latest,
    "game on the page": lambda room, viewer: game_message(room.session),
    "looks back": _looks,
    "reasons": _reasons,
    "refusals": _refusals,
    "log": _log,
    "points on the page": lambda room, viewer: room.session.points,
    "points": lambda room, viewer: room.match.shown_points(),
    "seat to decide": lambda room, viewer: room.match.seat_known_to(viewer),
    "OpenSpiel's public string": lambda room, viewer: PublicObserver().string_from(_state(room, viewer), 0),
}
TO_SEATS: dict[str, Give] = {
    "observation": lambda room, viewer: room.env.observe(_agent(room, viewer))["observation"].tobytes(),
    "mask": lambda room, viewer: room.env.observe(_agent(room, viewer))["action_mask"].tobytes(),
    "info": lambda room, viewer: pickle.dumps(room.env.infos.get(_agent(room, viewer))),
    "reward": lambda room, viewer: room.env.rewards[_agent(room, viewer)],
    "rewards added up": lambda room, viewer: room.env._cumulative_rewards[_agent(room, viewer)],
    "progress": lambda room, viewer: [
        float(room.match.game.rules.progress(room.match.state, room.match.config.record[0], seat))
        for seat in range(room.match.players)
    ],
    "ended": lambda room, viewer: [
        each[_agent(room, viewer)] for each in (room.env.terminations, room.env.truncations)
    ],
    "copy for search": lambda room, viewer: room.match.clone(determinize=viewer, seed=3).get_state(),
    "parallel environment": _parallel,
    "learner's environment": _learner,
    "OpenSpiel's observer": _spiel(SeatObserver),
    "OpenSpiel's information state": _spiel(RecallObserver),
    "OpenSpiel's sample": _resampled,
}
TO_THE_ASKED: dict[str, Give] = {
    "prompt": lambda room, viewer: prompt(scene_of(room.match, seat=viewer)),
    "JSON": _json,
    "dialog": _dialog,
    "hint": lambda room, viewer: _waited(_hub(room, viewer).hint(room.link(viewer))),
    "question": _question,
    "errors of illegal actions": _illegal,
}
# To the seat that is asked these show its legal moves, which may depend on what others took.
WITH_MOVES = {*("page", "page after a decision", "reasons", "refusals", "mask", "info"), *TO_THE_ASKED}


def channels(room: Room, viewer: int | None) -> Iterator[tuple[str, Give]]:
    """The channels that a viewer has now."""
    yield from TO_ALL.items()
    if viewer is not None:
        yield from TO_SEATS.items()
        if viewer == room.match.seat and not room.match.over:
            yield from TO_THE_ASKED.items()


def given_to(room: Room, viewer: int | None) -> dict[str, Any]:
    """Everything that a viewer is given now, by channel."""
    return {name: give(room, viewer) for name, give in channels(room, viewer)}
