"""Parses the seats that the user typed."""

from __future__ import annotations

from collections.abc import Sequence

from bdgame_env import get_game
from bdgame_env.agents import make_agent
from bdgame_env.agents.base import UnknownAgent
from bdgame_env.agents.external import external
from bdgame_env.agents.registry import agent_names_of, comes_with
from bdgame_env.engine.game import Game, GameConfig
from bdgame_env.engine.user_files import is_file
from bdgame_env.records.game_record import GameRecord

from ..errors import BadInput
from ..inputs import split_specs
from .session import HUMAN


def read_seats(together: str | None, single: Sequence[str]) -> list[str]:
    """One spec for each seat.

    Args:
        together: specs separated by commas, such as "human,mcts:sims=200,c=1,greedy", where "c=1" belongs to mcts.
        single: single specs, which may contain other commas.

    Raises:
        BadInput: both are given, or a seat is empty.
    """
    if together is not None and single:
        raise BadInput("--seats and --seat: one or the other")
    seats = [*single, *split_specs(together)] if together is not None else list(single)
    if not all(seats):
        raise BadInput("--seats: a seat is empty; must be e.g. human,mcts,greedy")
    return seats


def is_human(seat: str) -> bool:
    """Whether a person plays the seat."""
    return seat.partition(":")[0] == HUMAN


def seats_of(record: GameRecord) -> list[str]:
    """Who played a record's game: its names that are specs of agents by name, and people for the others.

    A record may come from anybody, so it starts no program, imports no class and opens no file.

    Raises:
        BadOption: the game cannot be played with the record's options.
    """
    game, seats = get_game(record.game), []
    config = game.config(**record.options)
    for name in record.seats:
        agent = comes_with(name, game) and "path=" not in name and not is_file(name)
        try:
            if agent:
                check_agent(game, config, name)
        except UnknownAgent:
            agent = False
        seats.append(name if agent else HUMAN if name == HUMAN else f"{HUMAN}:{name}")
    return seats


def check_agent(game: Game, config: GameConfig, spec: str) -> None:
    """See that there is such an agent; one without settings is not made for that.

    Raises:
        UnknownAgent: there is none, or it cannot play with these options.
    """
    if spec in agent_names_of(game) or (external(spec) and spec.startswith("program:")):
        return
    make_agent(spec, game, config).close()
