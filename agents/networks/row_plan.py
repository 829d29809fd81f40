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
  is left out, as are tables of what cards do.

Actions that are about a card have rows too: one for each (verb, card). Where the observation says what comes of an
action, and an action about a card names it in its own words, there is one for each (verb, outcome) instead, as the
card is then told by the action's number alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.game import Game, GameConfig

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
        lookup: (size, 8), what the entries of the observation switch on, by column; an entry that is not read, nothing.
            VALUES: the row of value 1. ALONE: the greatest value with a row of its own. BANDS, WIDE: the rows of the
            first bands of 4 and of 16, REST: that of the remainder 0, SHARED: that of value 1 which the places of a
            field share; else NO_ROW. MOST: the greatest value; larger ones count as this.
        places: (actions,), the entry that shows the card which an action is about, or what comes of it, or NO_ROW.
        card_rows: (actions,), the card row of value 0 at that place.
        card_most: (actions,), the greatest value there.
        sizes: (3,), the number of rows, of card rows, and the most rows that an observation may switch on. The rows of
            an observation that would switch on more are left out beyond that.
    """

    lookup: Numbers
    places: Numbers
    card_rows: Numbers
    card_most: Numbers
    sizes: Numbers

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
        digest = hashlib.sha256()
        entries = np.flatnonzero(self.lookup[:, VALUES] != NO_ROW)
        columns = self.lookup[entries, VALUES : MOST + 1].T
        for part in (entries, *columns, self.places, self.card_rows, self.card_most, self.sizes):
            digest.update(np.ascontiguousarray(part, np.int32).tobytes() + b"|")
        return digest.hexdigest()[:16]


def plan_network(game: Game, config: GameConfig) -> Plan:
    """The plan for a game: from its observation schema and, for the card rows, its places of cards and outcomes."""
    lookup, rows = _first_layer(game)
    places, card_rows, card_most, cards = _card_rows(game, config)
    capacity = min(_CAPACITY, MOST_ROWS_PER_ENTRY * int((lookup[:, VALUES] != NO_ROW).sum()))
    return Plan(lookup, places, card_rows, card_most, np.array([rows, cards, capacity], np.int32))


def _first_layer(game: Game) -> tuple[Numbers, int]:
    """`Plan.lookup`, and the number of rows."""
    lookup = np.full((game.obs.itemsize, 8), NO_ROW, np.int32)
    lookup[:, MOST] = 0  # an entry that is not read counts as 0, which is above its ALONE
    size = 0

    def take(count: int) -> int:
        nonlocal size
        size += count
        return size - count

    for field in game.schema:
        if field.cards == "table":
            continue
        is_card = field.cards in ("cell", "face")
        read = range(field.start, field.stop, field.shape[-1] if field.cards == "face" else 1)
        shared = take(field.high) if is_card and len(read) > 1 else NO_ROW
        for entry in read:
            alone = field.high if is_card or field.high <= _LARGEST_TOLD_APART else _ALONE
            values = take(alone)
            bands = wide = rest = NO_ROW
            if alone < field.high:
                bands = take(field.high // _BAND + 1)
                if field.stop - field.start <= _SMALL_FIELD:
                    wide, rest = take(field.high // _WIDE_BAND + 1), take(_BAND)
            lookup[entry, VALUES : MOST + 1] = values, alone, bands, wide, rest, shared, field.high
    return lookup, size


def _card_rows(game: Game, config: GameConfig) -> tuple[Numbers, Numbers, Numbers, int]:
    """`Plan.places`, `card_rows` and `card_most`, and the number of rows.

    Actions that do the same with a card share the row for (verb, card), wherever the card lies; likewise those of which
    the same comes, the row for (verb, outcome).
    """
    count = config.num_actions
    shown, said = game.card_places(config), game.outcome_places(config)
    names = game.notation(config)[0]
    fields = {entry: field for field in game.schema for entry in range(field.start, field.stop)}
    named = [entry for entry, field in fields.items() if field.cards == "count"]  # the action says the card itself
    places = np.where((shown == NO_ROW) | np.isin(shown, named), said, shown).astype(np.int32)
    about = [(action, int(place)) for action, place in enumerate(places) if place != NO_ROW]
    kinds = {action: "card" if fields[place].cards else fields[place].name for action, place in about}
    rows, most, size = np.zeros(count, np.int32), np.zeros(count, np.int32), 0
    for group in _groups(about, names, kinds):
        actions = [action for action, _ in group]
        highest = max(fields[place].high for _, place in group)
        rows[actions], most[actions] = size, highest
        size += highest + 1
    return places, rows, most, size


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


def _parted(about: Sequence[tuple[int, int]], key: Callable[[int], str]) -> list[list[tuple[int, int]]]:
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
