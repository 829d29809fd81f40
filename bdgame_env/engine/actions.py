"""The actions of a game as one table of families: their ids, notation, paragraphs of the rules, and cards."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .game import GameConfig, ObservationField

NO_CARD = -1

Place = tuple[Any, ...]  # the name of a field of the observation, then an index for each of its leading axes


@dataclass(frozen=True)
class FromCards:
    """Arguments whose texts the card data of a config gives, e.g. the kinds of the deck in use.

    Attributes:
        attribute: the name of the list of texts, an attribute of `GameConfig.cards`.
        count: its length, in every config.
    """

    attribute: str
    count: int


@dataclass(frozen=True)
class Family:
    """Actions that share a verb: one for each argument, with consecutive ids; a single action if there is none.

    Attributes:
        verb: the words that the notation begins with.
        arguments: the words after them, one text for each action.
        rule: the paragraph of the rules that the actions are under.
        first: id of the first one, in the whole table.
        count: how many there are.
        cards: where the observation shows the card that each action is about; empty if they are about none.
        outcomes: where it says what comes of each action; empty if it does not. A network that has both goes by the
            card, unless the action's own words name it (its place is then in a field of counts).
        option: name and value of the option that the family needs to exist; None if it always does.
    """

    verb: str
    arguments: tuple[str, ...] | FromCards
    rule: str
    first: int
    count: int
    cards: tuple[Place, ...]
    outcomes: tuple[Place, ...]
    option: tuple[str, Any] | None

    def exists(self, options: Mapping[str, Any]) -> bool:
        """Whether games with these options have the family."""
        return self.option is None or options[self.option[0]] == self.option[1]

    def names(self, cards: Any) -> list[str]:
        """The notation of these actions, in order; `cards` is the card data of the config."""
        texts = self.arguments
        if isinstance(texts, FromCards):
            texts = getattr(cards, texts.attribute)
        return [f"{self.verb} {text}" for text in texts] or [self.verb]


class ActionTable:
    """All action families of a game, in the order of their ids.

    `add` returns a family's first id as a plain integer: assigned to a name of a module, it is a constant of the
    compiled rules. A config leaves out the families whose option it does not have, and the ids after them move up.
    "The whole table" is that with no family left out.

    Args:
        rule: what `rule_of` says of a name that is in no family.
    """

    def __init__(self, rule: str) -> None:
        self.families: list[Family] = []
        self._rule = rule

    def add(
        self,
        verb: str,
        arguments: Iterable[object] | FromCards = (),
        *,
        rule: str,
        cards: Iterable[Place] = (),
        outcomes: Iterable[Place] = (),
        option: tuple[str, Any] | None = None,
    ) -> int:
        """Append a family, and return its first id (in the whole table). For the arguments, see `Family`.

        Raises:
            ValueError: `cards` or `outcomes` has not one entry for each action.
        """
        texts = arguments if isinstance(arguments, FromCards) else tuple(map(str, arguments))
        count = texts.count if isinstance(texts, FromCards) else max(1, len(texts))
        shown, said = tuple(cards), tuple(outcomes)
        for places, what in ((shown, "cards"), (said, "outcomes")):
            if len(places) not in (0, count):
                raise ValueError(f"{verb}: {len(places)} places of {what} for {count} actions")
        first = self.size
        self.families.append(Family(verb, texts, rule, first, count, shown, said, option))
        return first

    @property
    def size(self) -> int:
        """The number of actions in the whole table."""
        return sum(family.count for family in self.families)

    def num_actions(self, options: Mapping[str, Any]) -> int:
        """The number of actions in a game with these options."""
        return sum(family.count for family in self._existing(options))

    def _existing(self, options: Mapping[str, Any]) -> list[Family]:
        return [family for family in self.families if family.exists(options)]

    def count(self, first: int) -> int:
        """The number of actions of the family that begins with this id.

        Raises:
            KeyError: none does.
        """
        return {family.first: family.count for family in self.families}[first]

    def first_of_each(self) -> npt.NDArray[np.int16]:
        """By action id, in the whole table, the first id of its family, shape (size,), read-only: for dispatch."""
        firsts = np.repeat([family.first for family in self.families], [family.count for family in self.families])
        found: npt.NDArray[np.int16] = firsts.astype(np.int16)
        found.setflags(write=False)
        return found

    def names(self, config: GameConfig) -> list[str]:
        """The notation of every action, by id."""
        return [name for family in self._existing(config.options) for name in family.names(config.cards)]

    def verbs(self, config: GameConfig) -> list[str]:
        """The verb of every action's family, by id."""
        return [family.verb for family in self._existing(config.options) for _ in range(family.count)]

    def rule_of(self, name: str) -> str:
        """The paragraph of the rules that an action is under, by its notation."""
        found = [family for family in self.families if f"{name} ".startswith(f"{family.verb} ")]
        return max(found, key=lambda family: len(family.verb)).rule if found else self._rule

    def card_places(self, config: GameConfig, schema: Iterable[ObservationField]) -> npt.NDArray[np.int32]:
        """Where an observation shows the card that each action is about.

        Args:
            config: of the game.
            schema: the fields of its observation.

        Returns:
            By action id the index, in the flat observation vector, of the first entry that shows the card: its number
            in a field of faces or cells, its count in a field of counts, the start of its row in other fields. NO_CARD
            (-1) if the action is about no card. The field is the one of the schema with `start <= index < stop`.
            int32, shape (num_actions,).
        """
        return _entries([(family.count, family.cards) for family in self._existing(config.options)], schema)

    def outcome_places(self, config: GameConfig, schema: Iterable[ObservationField]) -> npt.NDArray[np.int32]:
        """Where an observation says what comes of each action, as a number; as `card_places`."""
        return _entries([(family.count, family.outcomes) for family in self._existing(config.options)], schema)


def _entries(
    families: Iterable[tuple[int, Sequence[Place]]], schema: Iterable[ObservationField]
) -> npt.NDArray[np.int32]:
    """By action id the index of the entry at its place, or NO_CARD, for families of so many actions each."""
    fields = {field.name: field for field in schema}
    found: list[int] = []
    for count, places in families:
        found += [_index(fields[name], at) for name, *at in places] or [NO_CARD] * count
    return np.array(found, np.int32)


def _index(field: ObservationField, at: Sequence[int]) -> int:
    """The index in the flat observation vector of a field's first entry at these indices of its leading axes."""
    return field.start + sum(index * math.prod(field.shape[axis + 1 :]) for axis, index in enumerate(at))
