"""The forms of a seat's observation, and their spaces, from the schema of the game."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from ..engine.game import BadOption, Game, ObservationField
from ..engine.quoting import shown
from .entities import MASK, EntityArray, entities_of

FORMS = ("flat", "dict", "float", "entities")


def check_form(game: Game, form: str) -> str:
    """The form, checked.

    Raises:
        BadOption: there is no such form; lists the known ones.
    """
    if not isinstance(form, str) or form not in FORMS:
        raise BadOption(f"{game.id}: observation={shown(form)}, must be one of {', '.join(map(repr, FORMS))}")
    return form


def observation_space(game: Game, form: str = "flat") -> spaces.Box | spaces.Dict:
    """The space of an observation, bounded by the schema.

    Args:
        game: the declaration of the game.
        form: "flat": int8 of shape (size,); "float": the same numbers as float32; "dict": one int8 array per field, of
            its shape in the schema, or (1,) for a single number. "entities": the arrays of `entities`, int8.
    """
    if form == "entities":
        return spaces.Dict(_entity_spaces(game))
    if form == "dict":
        return spaces.Dict({f.name: spaces.Box(f.low, f.high, array_shape(f), np.int8) for f in game.schema})
    low, high = np.empty((2, game.obs.itemsize), np.float32 if form == "float" else np.int8)
    for f in game.schema:
        low[f.slice], high[f.slice] = f.low, f.high
    return spaces.Box(low, high, dtype=low.dtype.type)


def state_space(game: Game, form: str, seats: int) -> spaces.Box:
    """The space of `state_of`: float32 for the form "float", else int8; shape (seats * size,)."""
    one = observation_space(game, "float" if form == "float" else "flat")
    assert isinstance(one, spaces.Box)
    return spaces.Box(np.tile(one.low, seats), np.tile(one.high, seats), dtype=one.low.dtype.type)


def state_of(form: str, vectors: Sequence[npt.NDArray[np.int8]]) -> npt.NDArray[Any]:
    """The vectors of all seats, int8 of shape (size,) each, one after the other, as PettingZoo's `state`."""
    return np.concatenate(vectors, dtype=np.float32 if form == "float" else np.int8)


def _entity_spaces(game: Game) -> dict[str, spaces.Space[Any]]:
    found: dict[str, spaces.Space[Any]] = {}
    for array in entities_of(game).arrays:
        found[array.name] = spaces.Box(array.low, array.high, dtype=np.int8)
        if array.masked:
            found[array.name + MASK] = spaces.Box(0, 1, array.shape[:1], np.int8)
    return found


def array_shape(field: ObservationField) -> tuple[int, ...]:
    """The shape of a field in the form "dict": a single number is an array of one, as networks take it."""
    return field.shape or (1,)


def in_form(game: Game, form: str, vectors: npt.NDArray[np.int8]) -> Any:
    """Flat observations, int8 of shape (size,) or (n, size), in another form; those of "dict" share their memory."""
    if form == "dict":
        lead = vectors.shape[:-1]
        return {name: vectors[..., start:stop].reshape((*lead, *shape)) for name, start, stop, shape in _layout(game)}
    if form == "entities":
        return entities_of(game).of(vectors)
    return vectors.astype(np.float32) if form == "float" else vectors


class Schemas:
    """What every environment tells about its observations."""

    game: Game

    def observation_schema(self) -> tuple[ObservationField, ...]:
        """The fields of the flat observation in order: name, position, shape, range, meaning."""
        return self.game.schema

    def entity_schema(self) -> tuple[EntityArray, ...]:
        """The arrays of observation="entities", without their masks: name, shape, and what rows and columns mean."""
        return entities_of(self.game).arrays


class AgentSpaces(Schemas):
    """The spaces of a PettingZoo environment, which are alike for all its agents.

    Attributes:
        possible_agents: names of the agents, by seat.
    """

    possible_agents: list[str]
    _form: str
    _num_actions: int

    @cached_property
    def observation_spaces(self) -> dict[str, spaces.Space[Any]]:
        """The observation space of each agent: a Dict of "observation" and "action_mask"."""
        return {agent: self._one_observation() for agent in self.possible_agents}

    def _one_observation(self) -> spaces.Space[Any]:
        observation = observation_space(self.game, self._form)
        return spaces.Dict({"observation": observation, "action_mask": mask_space(self._num_actions)})

    @cached_property
    def action_spaces(self) -> dict[str, spaces.Space[Any]]:
        """The action space of each agent: a Discrete of as many actions as the mask has entries."""
        return {agent: spaces.Discrete(self._num_actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The observation space of an agent, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The action space of an agent, always the same object."""
        return self.action_spaces[agent]

    @cached_property
    def state_space(self) -> spaces.Box:
        """The space of `state`."""
        return state_space(self.game, self._form, len(self.possible_agents))


@cache
def _layout(game: Game) -> tuple[tuple[str, int, int, tuple[int, ...]], ...]:
    return tuple((f.name, f.start, f.stop, array_shape(f)) for f in game.schema)


def mask_space(num_actions: int) -> spaces.Box:
    """The space of an action mask: int8 of shape (num_actions,), 1 for legal."""
    return spaces.Box(0, 1, (num_actions,), np.int8)
