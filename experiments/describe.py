"""The command `describe`: a game's facts, options, actions and observations as tables, made from its declaration."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Annotated, Any

import typer

from bdgame_env.adapters.entities import MASK, EntityArray, entities_of
from bdgame_env.engine.game import Game, GameConfig, Option
from bdgame_env.registration import gymnasium_id
from bdgame_env.registry import get_game

from .errors import BadInput
from .tables import Table


def facts(game: Game) -> Table:
    """What one wants to know first."""
    least, most = game.seats
    configs = [game.config(players=players) for players in range(least, most + 1)]
    longest = max(one.max_decisions for one in configs)
    rows = {
        "Players": str(least) if least == most else f"{least} to {most}",
        "Decisions": "players take turns"
        if not game.has_simultaneous_phases
        else "turns, and phases in which all choose at once",
        "Actions": " or ".join(sorted({str(one.num_actions) for one in configs})),
        "Observation": f"{game.obs.itemsize} numbers (int8) in {len(game.schema)} fields",
        "A game ends within": f"{longest:,} decisions",
        "Rewards": "by rank at the end, zero-sum; `reward=` has others",
        "PettingZoo": f"`{_module(game)}.env()`",
        "Gymnasium": f'`gymnasium.make("{gymnasium_id(game.id)}")`',
        "Everywhere else": f'`"{game.id}"`',
    }
    return Table("Facts", ("", game.title), tuple(rows.items()))


def options(game: Game) -> Table:
    """The game's options."""
    least, most = game.seats
    every = {"players": Option(least, range(least, most + 1), "number of seats"), **game.options}
    rows = [(f"`{name}`", f"`{one.default!r}`", _allowed(one), one.meaning) for name, one in every.items()]
    return Table("Options", ("option", "default", "allowed", "meaning"), tuple(rows))


def _allowed(option: Option) -> str:
    if option.allowed is None:
        return "a path or None" if option.words is None else "a path, None, or a word as in the meaning"
    if isinstance(option.allowed, range):
        return f"{option.allowed[0]} to {option.allowed[-1]}" if len(option.allowed) > 1 else f"{option.allowed[0]}"
    return ", ".join(f"`{value!r}`" for value in option.allowed)


def actions(game: Game) -> Table:
    """The families of actions: their ids and notation, and the paragraph of the rules that each is under."""
    config = game.config()
    rows = _families(game, config)
    known = {row[2] for row in rows}
    for name, option in game.options.items():
        for value in option.allowed if isinstance(option.allowed, tuple) else ():
            if value != option.default:
                for _, count, notation, rule in _families(game, game.config(**{name: value})):
                    if notation not in known:
                        known.add(notation)
                        rows.append((f"with `{name}={value!r}`", count, notation, rule))
    return Table("Actions", ("ids", "actions", "notation", "rules"), tuple(rows))


def _families(game: Game, config: GameConfig) -> list[tuple[str, str, str, str]]:
    names, verbs = game.actions.names(config), game.actions.verbs(config)
    found = []
    for verb, group in groupby(range(len(names)), key=lambda action: verbs[action]):
        ids = list(group)
        first, last = names[ids[0]], names[ids[-1]]
        notation = f"`{first}`" if len(ids) == 1 else f"`{first}` ... `{last}`"
        where = f"{ids[0]}" if len(ids) == 1 else f"{ids[0]}-{ids[-1]}"
        found.append((where, str(len(ids)), notation, game.actions.rule_of(verb if len(ids) > 1 else first)))
    return found


def observation(game: Game) -> Table:
    """The fields of the flat observation, which are the entries of the form "dict" too."""
    rows = [
        (f"`{f.name}`", f"{f.start}-{f.stop - 1}" if f.stop - f.start > 1 else f"{f.start}", _shape(f.shape),
         f"{f.low} to {f.high}", ("by seat; " if f.seats else "") + f.meaning)
        for f in game.schema
    ]  # fmt: skip
    return Table("Fields of the observation", ("field", "entries", "shape", "range", "meaning"), tuple(rows))


def entities(game: Game) -> Table:
    """The arrays of the form "entities"."""
    rows = [(f"`{a.name}`", _shape(a.shape), _rows(a), _columns(a)) for a in entities_of(game).arrays]
    masked = ", ".join(f"`{a.name}{MASK}`" for a in entities_of(game).arrays if a.masked)
    note = f"Masks of rows: {masked}." if masked else ""
    return Table("Entities", ("array", "shape", "rows", "columns"), tuple(rows), note)


def _rows(array: EntityArray) -> str:
    if not array.rows:
        return ""
    if len(array.rows) <= 4:
        return "; ".join(array.rows)
    return f"{array.rows[0]} ... {array.rows[-1]}"


def _columns(array: EntityArray) -> str:
    """What the columns mean, field by field; of a token, column by column."""
    if array.number is not None:
        return "; ".join(f"{place}: {column.meaning}" for place, column in enumerate(array.columns))
    found = []
    for name, group in groupby(enumerate(array.columns), key=lambda numbered: numbered[1].field):
        places = [place for place, _ in group]
        found.append(f"{_span(places)}: {name}")
    return "; ".join(found)


def _span(places: Sequence[int]) -> str:
    return f"{places[0]}" if len(places) == 1 else f"{places[0]}-{places[-1]}"


def _shape(shape: Sequence[int]) -> str:
    return "(" + ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "") + ")"


def _module(game: Game) -> str:
    return f"{game.name}_v{game.version}"


TABLES: Mapping[str, Callable[[Game], Table]] = {
    "facts": facts,
    "options": options,
    "actions": actions,
    "observation": observation,
    "entities": entities,
}


def describe(
    game: Annotated[str, typer.Argument(metavar="GAME", help="e.g. bdgame-v3; the command `games` lists all")],
    only: Annotated[str | None, typer.Option(metavar="TABLES", help=f"any of {','.join(TABLES)}; default: all")] = None,
) -> None:
    """Print a game's facts, options, actions and observations as tables (in Markdown)."""
    declared: Any = get_game(game)
    asked = list(TABLES) if only is None else only.split(",")
    for name in asked:
        if name not in TABLES:
            raise BadInput(f"--only {only!r}: {name!r} is not one of {', '.join(TABLES)}")
    tables = [TABLES[name](declared) for name in asked]
    print("\n\n".join(f"## {table.title}\n\n{table.markdown()}" for table in tables))
