"""Which rows of a network's first layer an observation switches on, planned from the game's schema.

The first layer is a table with one row of weights for each (entry of the observation, value) that can be told apart;
its output is the sum of the rows that the observation switches on, of which there are a few hundred at most. This is
the feature transformer of NNUE (Nasu 2018). An entry that is 0 switches on nothing.

- Entries with values up to 30, and all cards: one row for each value.
- Entries with larger ones: one row for the band of 4 that the value lies in and, up to 11, one for the value itself, as
  most amounts are small, however great they may become. In fields of up to 16 entries, also one for the band of 16 and
  one for the value modulo 4, which tell all values apart.
- Entries that show a card ("cell" and "face" in the schema) switch on a second row, which all places of the field
  share, so that what is learned of a card in one place holds in all. What else a face says follows from its number and
  is left out.

Actions that are about a card have rows too: one for each (verb, card). Where the observation says what comes of an
action, and an action about a card names it in its own words, there is one for each (verb, outcome) instead, as the
card is then told by the action's number alone. See `_CardRows`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.game import Game, GameConfig, ObservationField

_LARGEST_TOLD_APART = 30
_ALONE = 11  # values of larger entries that have rows of their own
_BAND, _WIDE_BAND = 4, 16
MOST_ROWS_PER_ENTRY = 4
_SMALL_FIELD = 16
_CAPACITY = 512
NO_ROW = -1
VALUES, ALONE, BANDS, WIDE, REST, SHARED, MOST = 0, 1, 2, 3, 4, 5, 6  # columns of `Plan.lookup`

Numbers = npt.NDArray[np.int32]


class Plan(NamedTuple):
    """The plan of a first layer and of the card rows, as compiled code reads it; int32 throughout.

    Attributes:
        entries: (k,), the entries of the observation that are read.
        values: (k,), the row of value 1.
        alone: (k,), the greatest value with a row of its own.
        bands: (k,), the row of the first band of 4; else NO_ROW.
        wide: (k,), the row of the first band of 16; else NO_ROW.
        rest: (k,), the row of the remainder 0; else NO_ROW.
        shared: (k,), the row of value 1 that the places of a field share; else NO_ROW.
        most: (k,), the greatest value; larger ones count as this.
        places: (actions,), the entry that shows the card which an action is about, or what comes of it, or NO_ROW.
        card_rows: (actions,), the card row of value 0 at that place.
        card_most: (actions,), the greatest value there.
        sizes: (3,), the number of rows, of card rows, and the most rows that an observation may switch on. The rows of
            an observation that would switch on more are left out beyond that.
        lookup: (size, 8), `values` to `most` by the entry of the observation, in the columns VALUES to MOST; an entry
            that is not read switches nothing on.
    """

    entries: Numbers
    values: Numbers
    alone: Numbers
    bands: Numbers
    wide: Numbers
    rest: Numbers
    shared: Numbers
    most: Numbers
    places: Numbers
    card_rows: Numbers
    card_most: Numbers
    sizes: Numbers
    lookup: Numbers

    @property
    def rows(self) -> int:
        """Number of rows of the first layer."""
        return int(self.sizes[0])

    @property
    def cards(self) -> int:
        """Number of card rows."""
        return int(self.sizes[1])

    @property
    def capacity(self) -> int:
        """The most rows that an observation may switch on."""
        return int(self.sizes[2])

    @property
    def digest(self) -> str:
        """A hash (hex) of the plan: networks with different ones do not fit each other's games."""
        found = hashlib.sha256()
        for part in self[: self._fields.index("lookup")]:  # which follows from the others
            found.update(np.ascontiguousarray(part, np.int32).tobytes() + b"|")
        return found.hexdigest()[:16]


def plan_network(game: Game, config: GameConfig) -> Plan:
    """The plan for a game: from its observation schema and, for the card rows, its places of cards and outcomes."""
    first = _FirstLayer()
    for field in game.schema:
        first.add(field)
    cards = _card_rows(game, config)
    capacity = min(_CAPACITY, MOST_ROWS_PER_ENTRY * len(first.entries))
    entries, *columns = first.columns()
    lookup = np.full((game.obs.itemsize, 8), NO_ROW)
    lookup[:, MOST] = 0  # an entry that is not read counts as 0, which is above its ALONE
    lookup[entries, VALUES : MOST + 1] = np.transpose(columns)
    parts = [entries, *columns, cards.places, cards.rows, cards.most, [first.size, cards.size, capacity], lookup]
    return Plan._make(np.array(part, np.int32) for part in parts)


class _FirstLayer:
    """Collects the rows of the first layer."""

    def __init__(self) -> None:
        self.size = 0
        self.entries: list[int] = []
        self._columns: list[tuple[int, ...]] = []

    def columns(self) -> list[Sequence[int]]:
        """`Plan.entries` to `Plan.most`."""
        return [self.entries, *(zip(*self._columns, strict=True) if self._columns else [()] * 7)]

    def add(self, field: ObservationField) -> None:
        """Plan the rows of a field."""
        read = range(field.start, field.stop)
        is_card = field.cards in ("cell", "face")
        if field.cards == "face":
            read = range(field.start, field.stop, field.shape[-1])
        shared = self._take(field.high) if is_card and len(read) > 1 else NO_ROW
        for entry in read:
            alone = field.high if is_card or field.high <= _LARGEST_TOLD_APART else _ALONE
            values = self._take(alone)
            bands = wide = rest = NO_ROW
            if alone < field.high:
                bands = self._take(field.high // _BAND + 1)
                if field.stop - field.start <= _SMALL_FIELD:
                    wide, rest = self._take(field.high // _WIDE_BAND + 1), self._take(_BAND)
            self.entries.append(entry)
            self._columns.append((values, alone, bands, wide, rest, shared, field.high))

    def _take(self, count: int) -> int:
        first = self.size
        self.size += count
        return first


@dataclass
class _CardRows:
    """Rows for (verb, card): actions that do the same with a card share the row, wherever the card lies.

    Rows for (verb, outcome) are the same: actions of which the same comes share the row.

    Attributes:
        places, rows, most: as in `Plan`.
        size: number of rows.
    """

    places: list[int]
    rows: list[int]
    most: list[int]
    size: int


def _card_rows(game: Game, config: GameConfig) -> _CardRows:
    count = config.num_actions
    found = _CardRows([NO_ROW] * count, [0] * count, [0] * count, 0)
    shown = np.full(count, NO_ROW) if game.card_places is None else game.card_places(config)
    said = np.full(count, NO_ROW) if game.outcome_places is None else game.outcome_places(config)
    names = game.notation(config)[0]
    fields = {entry: field for field in game.schema for entry in range(field.start, field.stop)}
    named = [entry for entry, field in fields.items() if field.cards == "count"]  # the action says the card itself
    places = np.where((shown == NO_ROW) | np.isin(shown, named), said, shown)
    about = [(action, int(place)) for action, place in enumerate(places) if place != NO_ROW]
    kinds = {action: "card" if fields[place].cards else fields[place].name for action, place in about}
    for group in _groups(about, names, kinds):
        most = max(fields[place].high for _, place in group)
        for action, place in group:
            found.places[action], found.rows[action], found.most[action] = place, found.size, most
        found.size += most + 1
    return found


def _groups(
    about: Sequence[tuple[int, int]], names: Sequence[str], kinds: Mapping[int, str]
) -> list[list[tuple[int, int]]]:
    """Actions that differ only in the place of the card, as (action, place).

    Actions with the same first word belong together if each is about a place of its own; if not, those whose words are
    the same but for the first number; if not even these, each stands alone. `kinds` says by action what kind of number
    lies at the place: only equal ones belong together.
    """
    groups: list[list[tuple[int, int]]] = []
    for part in _parted(about, lambda action: f"{names[action].split()[0]} {kinds[action]}"):
        if _apart(part):
            groups.append(part)
            continue
        for finer in _parted(part, lambda action: _without_number(names[action])):
            groups += [finer] if _apart(finer) else [[one] for one in finer]
    return groups


def _parted(about: Sequence[tuple[int, int]], key: Any) -> list[list[tuple[int, int]]]:
    parts: dict[str, list[tuple[int, int]]] = {}
    for action, place in about:
        parts.setdefault(key(action), []).append((action, place))
    return list(parts.values())


def _apart(part: Sequence[tuple[int, int]]) -> bool:
    return len({place for _, place in part}) == len(part)


def _without_number(name: str) -> str:
    words = name.split()
    first = next((k for k, word in enumerate(words) if word.replace(",", "").isdigit()), None)
    return " ".join(word for k, word in enumerate(words) if k != first)
