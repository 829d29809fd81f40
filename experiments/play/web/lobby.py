"""The lobby: what can be played with whom, the games that are on, and those that are over."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from bdgame_env import UnknownGame, get_game, list_games
from bdgame_env.agents.levels import level_names
from bdgame_env.agents.registry import agent_names_of
from bdgame_env.engine.game import BadOption, Game
from bdgame_env.engine.quoting import shown
from bdgame_env.render.drawings import drawing_of

from ..hints import THINKERS
from ..names import agent_words, person
from ..plans import Plan
from ..session import Refused
from .hub import BadMessage
from .rooms import Rooms

Ratings = Mapping[str, Mapping[int, Mapping[str, float]]]  # of agents, by game and number of players

TIMES = (0.5, 1, 3, 10)  # seconds of thinking that searchers are offered
CLOCKS = ("", "5+10", "15+20", "30+30", "60+60")  # of people: minutes for the game + seconds after each turn
_PARAGRAPH = re.compile(r" \([A-Z]\d+(\.\d+)*\)")  # of the rules, which are not at hand in the lobby
_SHOWN = 60  # finished games that are listed


def lobby_message(rooms: Rooms, ratings: Ratings) -> dict[str, Any]:
    """What the lobby shows."""
    newest = sorted(rooms.rooms.values(), key=lambda room: -room.began)
    on, over = [room for room in newest if not room.over], [room for room in newest if room.over]
    return {
        "type": "lobby",
        "games": [_game(get_game(id), ratings.get(id, {})) for id in list_games()],
        "times": TIMES,
        "clocks": [(clock, _clock_words(clock)) for clock in CLOCKS],
        "rooms": [room.to_json() for room in [*on, *over[:_SHOWN]]],
    }


def _clock_words(clock: str) -> str:
    minutes, _, seconds = clock.partition("+")
    return f"{minutes} min + {seconds} s per turn" if clock else "none"


def _game(game: Game, ratings: Mapping[int, Mapping[str, float]]) -> dict[str, Any]:
    options = [
        {
            "name": name,
            "default": option.default,
            "allowed": [option.allowed[0], option.allowed[-1]] if isinstance(option.allowed, range) else option.allowed,
            "range": isinstance(option.allowed, range),
            "meaning": _PARAGRAPH.sub("", option.meaning),
        }
        for name, option in game.options.items()
        if option.allowed is not None
    ]
    wording = drawing_of(game).wording
    least, most = game.seats
    return {
        "id": game.id,
        "title": game.title,
        "about": "" if wording is None else wording.about,
        "brief": "" if wording is None else wording.brief,
        "effort": "" if wording is None else wording.effort,
        "emblem": _emblem(game.id),
        "look": drawing_of(game).look.to_json(),
        "seats": game.seats,
        "options": options,
        "agents": [*_levels(game), *({"name": name, "timed": name in THINKERS} for name in agent_names_of(game))],
        "offered": {players: _offered(game, ratings.get(players, {})) for players in range(least, most + 1)},
    }


def _offered(game: Game, rated: Mapping[str, float]) -> list[tuple[str, str]]:
    """The opponents as the page lists them: the levels from the lowest up, then the agents, the best rated last."""
    agents = sorted(agent_names_of(game), key=lambda name: (rated.get(name, -math.inf), name))
    named = [(name, agent_words(name) + (f" (rating {rated[name]:.0f})" if name in rated else "")) for name in agents]
    return [*((level["name"], level["level"]) for level in _levels(game)), *named]


@cache
def _emblem(game_id: str) -> str:
    """The small picture of a game, as SVG; empty if it has none."""
    game = get_game(game_id)
    emblem = drawing_of(game).emblem
    return "" if emblem is None else str(emblem(game.config()))


def _levels(game: Game) -> list[dict[str, Any]]:
    """The levels as the page lists them, from the lowest up and before all other agents."""
    names = level_names(game)
    told = [f"level {number} of {len(names)}" for number in range(1, len(names) + 1)]
    told = [*(f"{words}, for beginners" for words in told[:1]), *told[1:]]
    return [{"name": name, "timed": False, "level": words} for name, words in zip(names, told, strict=True)]


def plan_of(message: Mapping[str, Any], hint: str) -> Plan:
    """The game that a page asks for. Only what the lobby offers is accepted: no programs, files or classes.

    Raises:
        BadMessage: no page asks so.
        Refused: it cannot be played; says why.
    """
    options, seats = message.get("options"), message.get("seats")
    if not isinstance(message.get("game"), str) or not isinstance(options, dict) or not isinstance(seats, list):
        raise BadMessage("a new game needs `game`, `options` and `seats`")
    try:
        game = get_game(message["game"])
        allowed = {name for name, option in game.options.items() if option.allowed is not None}
        if unknown := set(options) - allowed:
            raise Refused(f"the lobby offers no option {shown(sorted(map(str, unknown))[0])}")
        game.config(players=len(seats), **options)
    except (UnknownGame, BadOption) as error:
        raise Refused(str(error)) from None
    specs = [_spec(game, seat) for seat in seats]
    if all(spec.partition(":")[0] != "human" for spec in specs):
        raise Refused("at least one seat must be a person's")
    if (clock := message.get("clock", "")) not in CLOCKS:
        raise Refused(f"the lobby offers the clocks {', '.join(filter(None, CLOCKS))}")
    return Plan(
        game.id,
        options,
        specs,
        hint,
        separate=bool(message.get("separate", True)),
        clock=clock,
        hints=message.get("hints") is True,
    )


def _spec(game: Game, seat: object) -> str:
    if not isinstance(seat, dict):
        raise BadMessage("a seat must be an object")
    if seat.get("agent") is None:
        return person(seat.get("name") or "")
    name, seconds = seat["agent"], seat.get("time")
    if name not in agent_names_of(game) and name not in level_names(game):
        raise Refused(f"the lobby offers no agent {shown(name)}")
    if name in THINKERS and seconds is not None:
        if seconds not in TIMES or isinstance(seconds, bool):
            raise Refused(f"the lobby offers {', '.join(map(str, TIMES))} seconds")
        return f"{name}:time={seconds}"
    return str(name)
