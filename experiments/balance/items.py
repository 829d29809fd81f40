"""What is counted: the families of a game's actions, the cards that actions are about, and single actions.

Knows no game: verbs, notation, places and names of cards are what the game declares.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.game import Game, GameConfig, ObservationField

FAMILY, CARD, ACTION = "family", "card", "action"
_NO_ITEM = -1

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Item:
    """Something that a player may take.

    Attributes:
        kind: FAMILY, all actions with one verb; CARD, those of them about one card; or ACTION, a single action that is
            about no card, in a family that has others.
        family: the verb.
        name: of the card, or the words after the verb; "" for a family.
    """

    kind: str
    family: str
    name: str

    @property
    def label(self) -> str:
        """The words of the notation, with the card's name in place of where it lies."""
        return f"{self.family} {self.name}".strip()


class Items:
    """All items of a game, by number, and which of them an action is in a position.

    Every action belongs to its family, and to at most one other item.

    Args:
        game: any game.
        config: its cards and options.

    Attributes:
        items: families first, in the order of their first actions' ids.
        tables: the items of all actions for compiled code, see `counting_loops`, int64.
    """

    def __init__(self, game: Game, config: GameConfig) -> None:
        names = game.notation(config)[0]
        verbs = game.actions.verbs(config)
        self.items: list[Item] = []
        self._numbers: dict[Item, int] = {}
        self._family = np.array([self._number(Item(FAMILY, verb, "")) for verb in verbs], np.int64)
        places = game.card_places(config)
        declared = {} if game.card_names is None else game.card_names(config)
        self._fixed = np.full(len(names), _NO_ITEM, np.int64)
        shown: dict[str, list[int]] = {}  # by field: the actions about whichever card it shows at their places
        fields = {field.name: field for field in game.schema}
        for action, (verb, name) in enumerate(zip(verbs, names, strict=True)):
            rest = name.removeprefix(verb).strip()
            field = _field_at(game, int(places[action]))
            if field is None:
                if rest:
                    self._fixed[action] = self._number(Item(ACTION, verb, rest))
            elif field.cards == "count":
                card = (int(places[action]) - field.start) % field.shape[-1]
                self._fixed[action] = self._number(Item(CARD, verb, _name(declared.get(field.name), card)))
            elif field.cards or field.name in declared:
                shown.setdefault(field.name, []).append(action)
            else:
                self._fixed[action] = self._number(Item(CARD, verb, rest))
        # Rows of `by_card` are the actions about whichever card is shown; columns are the entry of the observation.
        most = max((fields[name].high for name in shown), default=0)
        rows, entries = np.zeros(len(names), np.int64), np.full(len(names), _NO_ITEM, np.int64)
        by_card = np.full((max(1, sum(map(len, shown.values()))), most + 1), _NO_ITEM, np.int64)
        row = 0
        for field_name, actions in shown.items():
            names_here = declared.get(field_name)
            count = fields[field_name].high if names_here is None else len(names_here)
            for action in actions:
                rows[action], entries[action] = row, places[action]
                by_card[row, 1 : count + 1] = [
                    self._number(Item(CARD, verbs[action], _name(names_here, card))) for card in range(count)
                ]
                row += 1
        self.tables = self._family, self._fixed, entries, rows, by_card

    def __len__(self) -> int:
        return len(self.items)

    def _number(self, item: Item) -> int:
        number = self._numbers.setdefault(item, len(self.items))
        if number == len(self.items):
            self.items.append(item)
        return number


def _field_at(game: Game, place: int) -> ObservationField | None:
    """The field with this entry of the observation, or None for NO_CARD."""
    return next((field for field in game.schema if field.start <= place < field.stop), None)


def _name(names: Any, card: int) -> str:
    return str(card) if names is None else str(names[card])
