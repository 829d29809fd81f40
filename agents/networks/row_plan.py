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

This is the plan by card numbers. `face_plan` has another one, in which a card is what its face says.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.game import Game, GameConfig, ObservationField

_LARGEST_TOLD_APART = 30
_ALONE = 11  # values of larger entries that have rows of their own
BAND, WIDE_BAND = 4, 16
MOST_ROWS_PER_ENTRY = 4
_SMALL_FIELD = 16
_CAPACITY = 512
NO_ROW = -1
# Columns of `Plan.lookup`.
VALUES, ALONE, BANDS, WIDE, REST, SHARED, MOST, SHIFT, PLACED, CLASS, COLUMNS = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
GREATEST = 127  # value of an entry

Numbers = npt.NDArray[np.int32]


class Plan(NamedTuple):
    """The plan of a first layer and of the card rows, as compiled code reads it; int32 unless said.

    Some rows of a plan by faces are sums of others: no weights of their own, but worked out from those of the rows that
    are kept. They lie behind these, in a block for each deck that the plan is for.

    Attributes:
        lookup: (size, COLUMNS), what the entries of the observation switch on, by column; an entry that is not read,
            nothing. VALUES: the row of value 1. ALONE: the greatest value with a row of its own. BANDS, WIDE: the rows
            of the first bands of 4 and of 16, REST: that of the remainder 0, SHARED: that of value 1 which the places
            of a field share; else NO_ROW. MOST: the greatest value; larger ones count as this. SHIFT: rows of VALUES
            and of SHARED between one deck and the next. PLACED: the row of class 0 in this place, or NO_ROW, where the
            class is that in `classes` at CLASS plus the value.
        places: (actions,), the entry that shows the card which an action is about, or what comes of it, or NO_ROW.
        card_rows: (actions,), the card row of value 0 at that place.
        card_most: (actions,), the greatest value there.
        sizes: (5,), the number of rows, of card rows, and the most rows that an observation may switch on; then how
            many of the rows and of the card rows are kept. The rows of an observation that would switch on more are
            left out beyond that.
        card_shift: (actions,), card rows between one deck and the next.
        classes: (decks, n), the classes of cards.
        probes: (p,), entries of the observation that tell the decks apart.
        keys: int64 (decks,), what they say, in ascending order, see `forward.deck_of`.
        sums: (m,), the rows that are sums, in an order in which each comes after those that it is made of. Card row c
            is number rows + c.
        sum_groups: (g + 1,), where groups of sums begin in `sums`, which have no part in common with others.
        sum_starts: (m + 1,), where the parts of each begin in `sum_parts`.
        sum_parts: (n,), the rows that they are sums of.
        sum_scales: float32 (m,), what the sums are multiplied by.
        nameless: (n,), actions whose own row is 0, since their number says no more than their card.
    """

    lookup: Numbers
    places: Numbers
    card_rows: Numbers
    card_most: Numbers
    sizes: Numbers
    card_shift: Numbers
    classes: Numbers
    probes: Numbers
    keys: npt.NDArray[np.int64]
    sums: Numbers
    sum_groups: Numbers
    sum_starts: Numbers
    sum_parts: Numbers
    sum_scales: npt.NDArray[np.float32]
    nameless: Numbers

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
    def kept_rows(self) -> int:
        """Number of rows of the first layer that have weights of their own."""
        return int(self.sizes[3])

    @property
    def kept_cards(self) -> int:
        """Number of card rows that have weights of their own."""
        return int(self.sizes[4])

    @property
    def digest(self) -> str:
        """A hash (hex) of the plan: networks with different ones do not fit each other's games. Not of the decks."""
        digest = hashlib.sha256()
        entries = np.flatnonzero(self.lookup[:, VALUES] != NO_ROW)
        columns = self.lookup[entries, VALUES : MOST + 1].T
        parts = [entries, *columns, self.places, self.card_rows, self.card_most, self.sizes[[3, 4, 2]]]
        if len(self.sums):
            parts += [self.lookup, self.card_shift, self.nameless]
        for part in parts:
            digest.update(np.ascontiguousarray(part, np.int32).tobytes() + b"|")
        return digest.hexdigest()[:16]


class Rows:
    """Rows that are handed out, one after another.

    Attributes:
        size: how many.
    """

    def __init__(self) -> None:
        self.size = 0

    def take(self, count: int) -> int:
        """The first of so many new rows."""
        self.size += count
        return self.size - count


def plan_network(game: Game, config: GameConfig) -> Plan:
    """The plan for a game: from its observation schema and, for the card rows, its places of cards and outcomes."""
    rows = Rows()
    lookup = empty_lookup(game)
    for field in game.schema:
        add_field(lookup, field, rows)
    places, card_rows, card_most, cards = _card_rows(game, config)
    none = np.zeros(0, np.int32)
    return Plan(
        lookup=lookup,
        places=places,
        card_rows=card_rows,
        card_most=card_most,
        sizes=np.array([rows.size, cards, capacity_for(lookup), rows.size, cards], np.int32),
        card_shift=np.zeros_like(places),
        classes=np.zeros((1, GREATEST + 1), np.int32),
        probes=none,
        keys=np.zeros(1, np.int64),
        sums=none,
        sum_groups=np.zeros(1, np.int32),
        sum_starts=np.zeros(1, np.int32),
        sum_parts=none,
        sum_scales=np.zeros(0, np.float32),
        nameless=none,
    )


def empty_lookup(game: Game) -> Numbers:
    """`Plan.lookup` of a network that reads nothing."""
    lookup = np.full((game.obs.itemsize, COLUMNS), NO_ROW, np.int32)
    lookup[:, [MOST, SHIFT, CLASS]] = 0  # an entry that is not read counts as 0, which is above its ALONE
    return lookup


def capacity_for(lookup: Numbers) -> int:
    """The most rows that an observation may switch on."""
    return min(_CAPACITY, MOST_ROWS_PER_ENTRY * int((lookup[:, [VALUES, SHARED]] != NO_ROW).any(axis=1).sum()))


def add_field(lookup: Numbers, field: ObservationField, rows: Rows) -> None:
    """Have a network read a field, and its cards by number. What cards do, which their numbers imply, is not read."""
    if field.cards == "table":
        return
    is_card = field.cards in ("cell", "face")
    read = range(field.start, field.stop, field.shape[-1] if field.cards == "face" else 1)
    shared = rows.take(field.high) if is_card and len(read) > 1 else NO_ROW
    for entry in read:
        alone = field.high if is_card or field.high <= _LARGEST_TOLD_APART else _ALONE
        values = rows.take(alone)
        bands = wide = rest = NO_ROW
        if alone < field.high:
            bands = rows.take(field.high // BAND + 1)
            if field.stop - field.start <= _SMALL_FIELD:
                wide, rest = rows.take(field.high // WIDE_BAND + 1), rows.take(BAND)
        lookup[entry, VALUES : MOST + 1] = values, alone, bands, wide, rest, shared, field.high


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
    for group in groups_of(about, names, kinds):
        actions = [action for action, _ in group]
        highest = max(fields[place].high for _, place in group)
        rows[actions], most[actions] = size, highest
        size += highest + 1
    return places, rows, most, size


def groups_of(
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
