"""Entities: the flat observation and nothing else, in every environment, game and number of players."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest

from bdgame_env import get_game, list_games, make_aec, make_gym, make_match, make_parallel, make_sb3_vec, make_vector
from bdgame_env.adapters.entities import CONSTANT, Entities, entities_of
from bdgame_env.engine.arrays import Ints, Ints2, Ints3
from bdgame_env.engine.game import Seats
from bdgame_env.engine.observing import Observation, field
from tests.clients.checks import SIZES
from tests.support.toy_game import GAME as TOY

GAMES = list_games()
STEPS = 25


def same(one: Any, other: Any) -> bool:
    return one.keys() == other.keys() and all(np.array_equal(one[name], other[name]) for name in one)


def rebuilt(entities: Entities, view: dict[str, Any], size: int) -> np.ndarray[Any, Any]:
    """The flat observation that a view is of."""
    vector = np.zeros(size, np.int8)
    for array in entities.arrays:
        taken = array.sources != CONSTANT
        vector[array.sources[taken]] = view[array.name][taken]
    return vector


def seen(game: str) -> np.ndarray[Any, Any]:
    """The flat observations of the seats to decide through 40 random decisions, shape (41, size)."""
    match, chance = make_match(game, seed=4), np.random.default_rng(4)
    found = [match.observe()]
    for _ in range(40):
        match.play(chance.choice(match.legal_actions()))
        found.append(match.observe())
    return np.stack(found)


@pytest.mark.parametrize("game", GAMES)
def test_every_entry_is_there_exactly_once(game: str) -> None:
    """So a network that sees the entities sees all that one with the vector sees, and no more."""
    sources = np.concatenate([array.sources.ravel() for array in entities_of(get_game(game)).arrays])
    taken = sources[sources != CONSTANT]
    assert sorted(taken) == list(range(get_game(game).obs.itemsize))


@pytest.mark.parametrize(("game", "players"), SIZES)
def test_they_are_a_function_of_the_flat_observation(game: str, players: int) -> None:
    """Of every seat, through a game: the vector can be rebuilt, bounds hold, and the mask counts the seats."""
    entities, match = entities_of(get_game(game)), make_match(game, players=players, seed=4)
    chance = np.random.default_rng(4)
    for _ in range(STEPS):
        vectors = np.stack([match.observe(seat) for seat in range(players)])
        views = entities.of(vectors)
        for seat, vector in enumerate(vectors):
            view = entities.of(vector)
            assert same(view, {name: array[seat] for name, array in views.items()})
            assert np.array_equal(rebuilt(entities, view, len(vector)), vector)
            assert view["seats_mask"].tolist() == [1] * players + [0] * (len(view["seats_mask"]) - players)
            for array in entities.arrays:
                table = view[array.name]
                assert table.dtype == np.int8 and table.shape == array.shape
                assert (array.low <= table).all() and (table <= array.high).all()
        match.play(chance.choice(match.legal_actions()))


@pytest.mark.parametrize("game", GAMES)
def test_tokens_say_what_lies_where(game: str) -> None:
    """Zone, seat, place and number of a card agree with the field of the schema, and the mask with the numbers."""
    declared, vector = get_game(game), seen(game)[20]
    view = entities_of(declared).of(vector)
    for array in (array for array in entities_of(declared).arrays if array.number is not None):
        fields = [f for f in declared.schema if f.cards == "face" and array.name == f"{f.deck}s"]
        rows = []
        for zone, each in enumerate(fields, 1):
            table = vector[each.slice].reshape(each.shape)
            for at in np.ndindex(each.shape[:-1]):
                owner, place = (at[0] + 1, at[1:]) if each.seats else (0, at)
                number = int(np.ravel_multi_index(place, each.shape[each.seats : -1])) if place else 0
                rows.append([zone, owner, number, *table[at], *[0] * (array.shape[1] - 3 - each.shape[-1])])
        assert view[array.name].tolist() == rows and len(array.rows) == len(rows)
        assert view[f"{array.name}_mask"].tolist() == [int(row[3] != 0) for row in rows]
        assert 0 < view[f"{array.name}_mask"].sum() < len(rows)


@pytest.mark.parametrize("game", GAMES)
def test_kinds_count_what_the_schema_counts(game: str) -> None:
    """And say of every kind what a table says of it."""
    declared, vectors = get_game(game), seen(game)
    views = entities_of(declared).of(vectors)
    arrays = [array for array in entities_of(declared).arrays if array.name.endswith("_kinds")]
    assert arrays
    for array in arrays:
        fields = [f for f in declared.schema if f.cards in ("count", "table") and array.name == f"{f.deck}_kinds"]
        for vector, table, mask in zip(vectors, views[array.name], views[f"{array.name}_mask"], strict=True):
            blocks = [vector[f.slice].reshape(-1, f.shape[-1]) for f in fields]
            found = np.column_stack([b if f.cards == "table" else b.T for f, b in zip(fields, blocks, strict=True)])
            assert np.array_equal(table, found) and np.array_equal(mask, found.any(axis=1))
        assert views[array.name].any()
        repeated = [(f.name, len(f.features) if f.cards == "table" else math.prod(f.shape[:-1])) for f in fields]
        assert [column.field for column in array.columns] == [name for name, times in repeated for _ in range(times)]


def test_grids_are_planes() -> None:
    """Of Bdgame: the workshops, with what else is said of their cells."""
    declared, vector = get_game("bdgame-v3"), seen("bdgame-v3")[40]
    fields = {f.name: vector[f.slice].reshape(f.shape) for f in declared.schema}
    planes = entities_of(declared).of(vector)["planes"]
    assert np.array_equal(planes, np.stack([fields[name] for name in ("cells", "held", "finished")], axis=1))


def test_two_grids_and_a_game_without_cards() -> None:
    class Obs(Observation):
        big: Ints3 = field(0, 3, "cards", (Seats(2), 3, 4), cards="cell")
        small: Ints3 = field(0, 3, "cards", (Seats(2), 2, 2), cards="cell")

    arrays = Entities(Obs.schema).arrays
    assert [(array.name, array.shape) for array in arrays] == [
        ("planes_3x4", (2, 1, 3, 4)),
        ("planes_2x2", (2, 1, 2, 2)),
    ]
    vector = np.arange(TOY.obs.itemsize, dtype=np.int8)
    assert rebuilt(entities_of(TOY), entities_of(TOY).of(vector), len(vector)).tolist() == vector.tolist()


def test_a_schema_that_does_not_fit_is_refused() -> None:
    """Better no entities than some without what the game shows."""

    class Odd(Observation):
        hands: Ints2 = field(0, 3, "cards", (Seats(2), 4))
        odd: Ints = field(0, 3, "of a kind that nobody knows", 4, cards="heap")

    class Twice(Observation):
        hands: Ints2 = field(0, 3, "cards", (Seats(2), 4))
        row: Ints2 = field(0, 3, "cards", (4, 1), cards="face", deck="seat")

    with pytest.raises(ValueError, match="its entries would not all be there once"):
        Entities(Odd.schema)
    with pytest.raises(ValueError, match="two arrays would have the same name"):
        Entities(Twice.schema)


# Environments


def agents_views(env: Any) -> Iterator[Any]:
    """The observations of all agents of an AEC environment through some steps."""
    env.reset(seed=6)
    for _ in range(STEPS):
        for agent in env.possible_agents:
            yield env.observation_space(agent), env.observe(agent)
        env.step(int(env.last()[0]["action_mask"].nonzero()[0][0]))


def parallel_views(env: Any) -> Iterator[Any]:
    seen, _ = env.reset(seed=6)
    for _ in range(STEPS):
        for agent, view in seen.items():
            yield env.observation_space(agent), view
        seen, *_ = env.step({agent: int(view["action_mask"].nonzero()[0][0]) for agent, view in seen.items()})


def learner_views(env: Any) -> Iterator[Any]:
    seen, info = env.reset(seed=6)
    for _ in range(STEPS):
        yield env.observation_space, seen
        legal = info["action_mask"] != 0
        seen, _, terminated, truncated, info = env.step(legal.argmax(-1))
        if np.ndim(terminated) == 0 and (terminated or truncated):
            seen, info = env.reset()


def sb3_views(env: Any) -> Iterator[Any]:
    env.seed(6)
    seen = env.reset()
    for _ in range(STEPS):
        for row in range(env.num_envs):
            yield (
                env.observation_space,
                {name: seen[name][row] for name in seen} if isinstance(seen, dict) else seen[row],
            )
        seen, _, dones, infos = env.step(env.action_masks().argmax(-1))
        for row in np.flatnonzero(dones):
            yield env.observation_space, infos[row]["terminal_observation"]


MAKERS: dict[str, tuple[Callable[..., Any], Callable[[Any], Iterator[Any]]]] = {
    "aec": (make_aec, agents_views),
    "parallel": (make_parallel, parallel_views),
    "gym": (make_gym, learner_views),
    "vector": (partial(make_vector, num_envs=3, threads=1), learner_views),
    "sb3": (partial(make_sb3_vec, num_envs=3, threads=1), sb3_views),
}


@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.parametrize(("game", "players"), SIZES)
def test_every_environment_gives_those_of_its_flat_observation(game: str, players: int, kind: str) -> None:
    make, views_of = MAKERS[kind]
    flat, tables = (make(game, players=players, observation=form) for form in ("flat", "entities"))
    convert = entities_of(get_game(game)).of
    assert tables.observation_schema() is get_game(game).schema
    assert [array.name for array in tables.entity_schema()] == [
        array.name for array in entities_of(get_game(game)).arrays
    ]
    compared = 0
    for (_, vector), (space, view) in zip(views_of(flat), views_of(tables), strict=True):
        assert space.contains(view)
        if kind in ("aec", "parallel"):
            vector, mask, view, own = (
                vector["observation"],
                vector["action_mask"],
                view["observation"],
                view["action_mask"],
            )
            assert np.array_equal(mask, own)
        else:
            view = {name: array for name, array in view.items() if name != "action_mask"}
        assert same(view, convert(vector))
        compared += 1
    assert compared >= STEPS
