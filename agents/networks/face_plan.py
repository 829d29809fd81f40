"""A plan in which a card is what its face says, so that one network plays decks that it has never seen.

Where the schema has a table of what cards do ("table"), the fields that show those cards by number have no rows for
numbers. The row of a card is a sum instead, of a row for each amount that each feature of its face reaches, amounts 1
to 8 and some greater ones: what gives 3 cubes has the rows "at least 1", "at least 2" and "at least 3" of that feature.
So an amount that training never met counts as the greatest one below it that training did meet. Cards that do the same
are the same to the network, whatever their numbers.

- The places of a field share these rows; each seat has its own.
- Of a field that counts cards, the sum has rows for "at least n of them" besides.
- Places that show a card, such as the cells of a grid, also have rows of their own for the card's first feature.
- An action about a card has such a sum too, with rows for its verb. If its number names the card, it has nothing else.

A game does not change its deck, so the sums are worked out when the weights change, not for each decision. They are
rows of the network like all others: a block of them for each deck that the plan is for. The table in an observation
says which deck is played.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.game import Game, GameConfig, ObservationField
from bdgame_env.engine.loop_builder import loops_of

from .row_plan import (
    ALONE,
    CLASS,
    GREATEST,
    MOST,
    NO_ROW,
    PLACED,
    SHARED,
    SHIFT,
    VALUES,
    Numbers,
    Plan,
    Rows,
    add_field,
    capacity_for,
    empty_lookup,
    groups_of,
    plan_network,
)

NUMBER, FACE = "number", "face"  # how networks see cards

AMOUNTS = (*range(1, 9), 10, 12, 16, 20, 24, 32, 48, 64, 96)  # that have rows
_MOST_COUNTED = 3  # cards of a kind; more count as this many
CLASSES = 12  # of the first feature; greater values count as the greatest
SCALE = 0.25  # of sums of some ten rows, which learn together
_MOST_PROBES = 8  # 7 bits each
MOST_DECKS = 256
_DEALT = 16  # games for each deck that was found: so one is missed with probability e**-16

Deck = npt.NDArray[np.int8]  # what an observation says, of which the tables are read


@dataclass(frozen=True)
class Group:
    """Rows for what the cards of a table do, in one field or for one verb.

    Attributes:
        table: the field that says it.
        counts: the row of "at least one of them", which those of more follow.
        amounts: the row of the first amount of the first feature, which the other amounts and features follow.
        place: where the sums begin in a deck's block: one of nothing, then, for each card, one for each count.
        most: the greatest count.
    """

    table: ObservationField
    counts: int
    amounts: int
    place: int
    most: int


@dataclass
class _Weights:
    """The rows of the first layer, or the card rows: those that are kept, and the groups that have sums.

    Attributes:
        rows: that are kept.
        groups: in the order of their sums.
        block: the number of sums of a deck.
    """

    rows: Rows = field(default_factory=Rows)
    groups: list[Group] = field(default_factory=list)
    block: int = 0

    def add(self, table: ObservationField, most: int) -> Group:
        """A new group."""
        cards, features = table.shape
        counts, amounts = self.rows.take(most), self.rows.take(features * len(AMOUNTS))
        self.groups.append(Group(table, counts, amounts, self.block, most))
        self.block += 1 + cards * most
        return self.groups[-1]


@dataclass
class _Sums:
    """See `Plan.sums`, `sum_groups`, `sum_starts`, `sum_parts` and `sum_scales`."""

    rows: list[int] = field(default_factory=list)
    groups: list[int] = field(default_factory=lambda: [0])
    starts: list[int] = field(default_factory=lambda: [0])
    parts: list[int] = field(default_factory=list)
    scales: list[float] = field(default_factory=list)

    def add(self, row: int, parts: Iterable[int], scale: float) -> None:
        """Say what a row is the sum of."""
        self.rows.append(row)
        self.parts += parts
        self.starts.append(len(self.parts))
        self.scales.append(scale)


class TooManyDecks(ValueError):
    """More decks than a plan by faces can have; the message is one line."""


def has_faces(game: Game) -> bool:
    """Whether a game's observations say what cards do, so that there is a plan by faces."""
    return any(f.cards == "table" for f in game.schema)


def plan_by(cards: str, game: Game, *configs: GameConfig) -> Plan:
    """The plan of a network that sees cards by NUMBER or by FACE; by face for all decks of these configs."""
    return plan_by_face(game, configs) if cards == FACE else plan_network(game, configs[0])


def cards_of(plan: Plan) -> str:
    """Whether a plan is one by NUMBER or by FACE."""
    return FACE if len(plan.sums) else NUMBER


def plan_by_face(game: Game, configs: Sequence[GameConfig]) -> Plan:
    """The plan for a game with one or several decks; all configs have the same actions."""
    decks, probes, keys = _told_apart(game, _decks(game, configs))
    lookup, classes, first = _first_layer(game, decks)
    cards = _Weights()
    places, card_rows, card_most, card_shift, nameless = _card_rows(game, configs[0], cards, [])
    sums = _Sums()
    rows = _add_sums(sums, first, decks, 0)
    size = _add_sums(sums, cards, decks, rows) - rows
    return Plan(
        lookup=lookup,
        places=places,
        card_rows=card_rows,
        card_most=card_most,
        sizes=np.array([rows, size, capacity_for(lookup), first.rows.size, cards.rows.size], np.int32),
        card_shift=card_shift,
        classes=classes,
        probes=probes,
        keys=keys,
        sums=np.array(sums.rows, np.int32),
        sum_groups=np.array(sums.groups, np.int32),
        sum_starts=np.array(sums.starts, np.int32),
        sum_parts=np.array(sums.parts, np.int32),
        sum_scales=np.array(sums.scales, np.float32),
        nameless=nameless,
    )


# Decks


def _decks(game: Game, configs: Sequence[GameConfig]) -> list[Deck]:
    """Observations of the different decks of these configs.

    Games of a config with several decks are dealt until no new one comes.

    Raises:
        TooManyDecks: they are more than a plan can have.
    """
    found: dict[bytes, Deck] = {}
    tables = [f for f in game.schema if f.cards == "table"]
    for config in configs:
        before, dealt = -1, 0
        while len(found) > before:
            before = len(found)
            count = 1 if config.dealt is None else _DEALT * max(1, before)
            for deck in _deal(game, config, dealt, count):
                found.setdefault(b"".join(deck[f.slice].tobytes() for f in tables), deck)
            if len(found) > MOST_DECKS:
                raise TooManyDecks(f"a network that sees cards by {FACE} plays at most {MOST_DECKS} decks at a time")
            dealt += count
            if config.dealt is None:
                break
    return list(found.values())


def _deal(game: Game, config: GameConfig, first: int, count: int) -> Deck:
    """What seat 0 sees at the beginning of the games of so many seeds, (count, size)."""
    games, seen = np.zeros(count, game.state), np.zeros(count, game.obs)
    seeds = np.arange(first, first + count, dtype=np.uint64)
    loops_of(game).reset_games(games, config.record, seeds, 0, count)
    loops_of(game).observe_games(games, config.record, np.zeros(count, np.int8), seen, 0, count)
    return seen.view(np.int8).reshape(count, -1)


def deck_in(game: Game, config: GameConfig) -> Deck:
    """What an observation says of the deck of a config, its first one if it has several."""
    deck: Deck = _deal(game, config, 0, 1)[0]
    return deck


def faces_of(deck: Deck, table: ObservationField) -> Deck:
    """What the cards of a table do, (cards, features)."""
    return deck[table.slice].reshape(table.shape)


def levels(faces: Deck) -> npt.NDArray[np.int64]:
    """How many of the amounts that have rows each feature reaches."""
    return np.searchsorted(AMOUNTS, np.maximum(0, faces), side="right")


def _told_apart(game: Game, decks: Sequence[Deck]) -> tuple[list[Deck], Numbers, npt.NDArray[np.int64]]:
    """The decks in the order of their keys, `Plan.probes` and `keys`.

    Entries of the tables are added, of which each tells most decks apart.
    """
    entries = np.concatenate([np.arange(f.start, f.stop) for f in game.schema if f.cards == "table"])
    said = np.array([deck[entries] for deck in decks], np.int64)
    keys = np.zeros(len(decks), np.int64)
    probes: list[int] = []
    while len(set(keys.tolist())) < len(decks):
        tried = keys[:, None] * (GREATEST + 1) + said
        best = int(np.argmax([len(set(column)) for column in tried.T.tolist()]))
        assert len(probes) < _MOST_PROBES, "decks that differ in too many ways"
        keys = tried[:, best]
        probes.append(int(entries[best]))
    order = np.argsort(keys)
    return [decks[k] for k in order], np.array(probes, np.int32), keys[order]


# Rows


def _first_layer(game: Game, decks: Sequence[Deck]) -> tuple[Numbers, Numbers, _Weights]:
    """`Plan.lookup`, `classes`, and the rows that are kept."""
    schema, lookup, first = {f.name: f for f in game.schema}, empty_lookup(game), _Weights()
    shown: list[tuple[ObservationField, list[Group]]] = []
    starts: dict[str, int] = {}
    width = 0
    for f in game.schema:
        if f.cards == "table":
            starts[f.name], width = width, width + 1 + f.shape[0]
        elif f.faces:
            most = 1 if f.cards in ("cell", "face") else min(f.high, _MOST_COUNTED)
            groups = [first.add(schema[f.faces], most) for _ in range(f.shape[0] if f.seats else 1)]
            shown.append((f, groups))
            if f.cards in ("cell", "face"):
                for entry in entries_of(f):
                    lookup[entry, PLACED] = first.rows.take(CLASSES)
        else:
            add_field(lookup, f, first.rows)
    for f, groups in shown:
        entries = entries_of(f).reshape(len(groups), -1)
        for group, row in zip(groups, entries, strict=True):
            start = first.rows.size + group.place + 1
            lookup[row, SHIFT] = first.block
            if f.cards in ("cell", "face"):
                lookup[row, SHARED], lookup[row, ALONE], lookup[row, MOST] = start, 0, group.table.shape[0]
                lookup[row, CLASS] = starts[f.faces]
            else:
                number = np.arange(len(row)) % f.shape[-1]
                lookup[row, VALUES] = start + number * group.most
                lookup[row, ALONE] = lookup[row, MOST] = group.most
    classes = np.zeros((len(decks), width + GREATEST + 1), np.int32)
    for name, start in starts.items():
        for which, deck in enumerate(decks):
            of_cards = faces_of(deck, schema[name])[:, 0]
            classes[which, start + 1 : start + 1 + len(of_cards)] = np.minimum(of_cards, CLASSES - 1)
    return lookup, classes, first


def first_groups(game: Game) -> dict[str, list[Group]]:
    """The groups of the first layer by the field that shows the cards: one for each seat that it is about, or one."""
    _, _, first = _first_layer(game, [])
    groups = iter(first.groups)
    shown = [f for f in game.schema if f.cards != "table" and f.faces]
    return {f.name: [next(groups) for _ in range(f.shape[0] if f.seats else 1)] for f in shown}


def entries_of(f: ObservationField) -> npt.NDArray[np.int64]:
    """The entries of a field that show cards or count them."""
    return np.arange(f.start, f.stop, f.shape[-1] if f.cards == "face" else 1)


ActionGroup = tuple[Group | None, ObservationField, list[int]]


def action_groups(game: Game, config: GameConfig) -> list[ActionGroup]:
    """Actions about cards or outcomes that share card rows: their group, or None if they have rows for numbers; the
    field that shows the first one's card; and the actions.
    """
    found: list[ActionGroup] = []
    _card_rows(game, config, _Weights(), found)
    return found


def _card_rows(
    game: Game, config: GameConfig, cards: _Weights, found: list[ActionGroup]
) -> tuple[Numbers, Numbers, Numbers, Numbers, Numbers]:
    """`Plan.places`, `card_rows`, `card_most`, `card_shift` and `nameless`; adds to the groups that are found."""
    count = config.num_actions
    shown = np.full(count, NO_ROW) if game.card_places is None else game.card_places(config)
    said = np.full(count, NO_ROW) if game.outcome_places is None else game.outcome_places(config)
    names, schema = game.notation(config)[0], {f.name: f for f in game.schema}
    fields = {entry: f for f in game.schema for entry in range(f.start, f.stop)}
    counted = [entry for entry, f in fields.items() if f.cards == "count" and not f.faces]
    places = np.where((shown == NO_ROW) | np.isin(shown, counted), said, shown).astype(np.int32)
    about = [(action, int(place)) for action, place in enumerate(places) if place != NO_ROW]
    kinds = {a: fields[p].faces or ("card" if fields[p].cards else fields[p].name) for a, p in about}
    rows, most, shift = (np.zeros(count, np.int32) for _ in range(3))
    nameless, sums = [], []
    for pairs in groups_of(about, names, kinds):
        actions = [action for action, _ in pairs]
        first = fields[pairs[0][1]]
        if not first.faces:
            found.append((None, first, actions))
            highest = max(fields[place].high for _, place in pairs)
            rows[actions], most[actions] = cards.rows.take(highest + 1), highest
            continue
        group = cards.add(schema[first.faces], 1)
        found.append((group, first, actions))
        for action, place in pairs:
            f = fields[place]
            if f.cards in ("cell", "face"):
                rows[action], most[action] = group.place, group.table.shape[0]
            else:
                rows[action] = group.place + 1 + (place - f.start) % f.shape[-1]
                nameless.append(action)
        sums += actions
    rows[sums] += cards.rows.size
    shift[sums] = cards.block
    return places, rows, most, shift, np.array(sorted(nameless), np.int32)


def _add_sums(sums: _Sums, weights: _Weights, decks: Sequence[Deck], start: int) -> int:
    """Add the sums of the rows of the first layer, or of the card rows; `start` is the number of the first of these.

    Returns:
        The number of the first row after them.
    """
    blocks = start + weights.rows.size
    free = blocks + len(decks) * weights.block
    for group in weights.groups:
        faces = [levels(faces_of(deck, group.table)) for deck in decks]
        reaching: dict[tuple[int, int], int] = {}  # by feature and level, the row for the first amounts of the feature
        for feature, level in enumerate(np.max(faces, axis=(0, 1)).tolist()):
            row = start + group.amounts + feature * len(AMOUNTS)
            reaching[feature, 1] = row
            for more in range(2, level + 1):
                sums.add(free, (reaching[feature, more - 1], row + more - 1), 1.0)
                reaching[feature, more] = free
                free += 1
        for deck, cards in enumerate(faces):
            row = blocks + deck * weights.block + group.place
            sums.add(row, (), 1.0)
            for face in cards.tolist():
                parts = [reaching[feature, level] for feature, level in enumerate(face) if level]
                for of_them in range(1, group.most + 1):
                    row += 1
                    sums.add(row, (*range(start + group.counts, start + group.counts + of_them), *parts), SCALE)
        sums.groups.append(len(sums.rows))
    return free
