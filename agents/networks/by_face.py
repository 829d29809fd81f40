"""A network that sees cards by face, from one that sees them by number: what it knows of each card is fitted to faces.

Everything but the rows of cards is taken over as it is. A row of a card becomes a sum of rows for what its face says
(`face_plan`), found by ridge regression: cards that the network hardly met count little, and what several cards say
has a share in what is known of all of them. So the new network plays roughly as the old one does, on other decks as
well, and is a better start for training than random weights.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.game import Game, GameConfig, ObservationField

from .face_plan import (
    AMOUNTS,
    CLASSES,
    SCALE,
    Group,
    action_groups,
    deck_in,
    entries_of,
    faces_of,
    first_groups,
    levels,
)
from .network import Floats, Network, size_of, view, work_out
from .row_plan import ALONE, BAND, BANDS, NO_ROW, PLACED, REST, SHARED, VALUES, WIDE, WIDE_BAND, Plan

_RIDGE = 0.02  # of squared weights, in units of the mean weight of a card
_ROUNDS = 6  # in which what a card says and what its place adds are told apart
_FEW = 3  # amounts that are usual
_HARDLY = 1e-6  # weight of a card that was never met

Faces = npt.NDArray[np.int8]  # (cards, features)
Targets = npt.NDArray[np.float64]  # (n, H): what cards should add
_SAME = ("first_bias", "dense", "dense_bias", "actions", "action_bias", "heads", "head_bias")


def by_face(network: Network, numbered: Plan, game: Game, config: GameConfig, plan: Plan) -> Floats:
    """The vector of a network for a plan by faces.

    Args:
        network: sees cards by number.
        numbered: its plan.
        game: whose cards these are.
        config: with the deck that it has learned, one alone.
        plan: by faces, of the same game and actions, for whatever decks.
    """
    vector = np.zeros(size_of(plan, network.width, network.layers), np.float32)
    faced = view(vector, plan, network.width, network.layers)
    for name in _SAME:
        getattr(faced, name)[...] = getattr(network, name)
    groups, deck = first_groups(game), deck_in(game, config)
    for field in game.schema:
        if field.cards == "table":
            continue
        if field.name not in groups:
            _take_over(faced.first, network.first, plan, numbered, field)
            continue
        entries = entries_of(field).reshape(len(groups[field.name]), -1)
        for group, row in zip(groups[field.name], entries, strict=True):
            faces = faces_of(deck, group.table)
            if field.cards in ("cell", "face"):
                _fit_places(faced.first, network.first, plan, numbered, group, row, faces)
            else:
                _fit_counts(faced.first, network.first, numbered, group, row, faces, field.shape[-1])
    for kind, field, actions in action_groups(game, config):
        if kind is None:
            _take_over_outcomes(faced, network, plan, numbered, actions[0])
        else:
            _fit_actions(faced, network, plan, numbered, kind, field, actions, faces_of(deck, kind.table))
    work_out(vector, plan, network.width, network.layers)
    return vector


def _blocks(plan: Plan, entry: int, bands: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Rows of an entry that shows no card: the first of each sort, and how many."""
    row = plan.lookup[entry]
    for column, count in ((VALUES, int(row[ALONE])), *zip((BANDS, WIDE, REST), bands, strict=True)):
        if row[column] != NO_ROW:
            yield int(row[column]), count


def _take_over(first: Floats, known: Floats, plan: Plan, numbered: Plan, field: ObservationField) -> None:
    bands = (field.high // BAND + 1, field.high // WIDE_BAND + 1, BAND)
    for entry in range(field.start, field.stop):
        for (to, count), (source, _) in zip(_blocks(plan, entry, bands), _blocks(numbered, entry, bands), strict=True):
            first[to : to + count] = known[source : source + count]


def _weights(rows: npt.NDArray[np.floating]) -> npt.NDArray[np.float64]:
    """How much is known by each row: rows that were met rarely are short."""
    found: npt.NDArray[np.float64] = np.square(rows, dtype=np.float64).sum(axis=-1) + _HARDLY
    return found


def _fit_places(
    first: Floats,
    known: Floats,
    plan: Plan,
    numbered: Plan,
    group: Group,
    row: npt.NDArray[np.int64],
    faces: Faces,
) -> None:
    """Cards at places: a part for the card wherever it lies, and one for each place and class of card."""
    cards = len(faces)
    values, shared = numbered.lookup[row, VALUES], int(numbered.lookup[row[0], SHARED])
    targets = known[values[:, None] + np.arange(cards)].astype(np.float64)  # places, cards, H
    weights = _weights(targets)
    if shared != NO_ROW:
        targets += known[shared : shared + cards]
    classes = np.minimum(faces[:, 0], CLASSES - 1)
    placed = np.zeros((len(row), CLASSES, targets.shape[-1]))
    for _ in range(_ROUNDS):
        of_cards = np.einsum("pc,pch->ch", weights, targets - placed[:, classes]) / weights.sum(0)[:, None]
        for each in set(classes.tolist()):
            of_class = classes == each
            rest = np.einsum("pc,pch->ph", weights[:, of_class], targets[:, of_class] - of_cards[of_class])
            placed[:, each] = rest / (weights[:, of_class].sum(1)[:, None] + 1e-3)
    _fit(first, group, faces, np.arange(cards), np.ones(cards, np.int64), of_cards, weights.sum(0))
    for entry, rows in zip(row, placed, strict=True):
        start = int(plan.lookup[entry, PLACED])
        first[start : start + CLASSES] = rows


def _fit_counts(
    first: Floats,
    known: Floats,
    numbered: Plan,
    group: Group,
    row: npt.NDArray[np.int64],
    faces: Faces,
    cards: int,
) -> None:
    """Fields that say of each card how many there are."""
    pairs = [
        (place % cards, count, int(numbered.lookup[entry, VALUES]) + count - 1)
        for place, entry in enumerate(row)
        for count in range(1, min(group.most, int(numbered.lookup[entry, ALONE])) + 1)
    ]
    numbers, counts, rows = np.array(pairs, np.int64).T
    targets = known[rows].astype(np.float64)
    _fit(first, group, faces, numbers, counts, targets)


def _take_over_outcomes(faced: Network, network: Network, plan: Plan, numbered: Plan, action: int) -> None:
    count, to, source = int(plan.card_most[action]) + 1, int(plan.card_rows[action]), int(numbered.card_rows[action])
    faced.cards[to : to + count] = network.cards[source : source + count]


def _fit_actions(
    faced: Network,
    network: Network,
    plan: Plan,
    numbered: Plan,
    group: Group,
    field: ObservationField,
    actions: list[int],
    faces: Faces,
) -> None:
    """What actions add for the card that they are about. Those whose number names it have no rows of their own."""
    named = [action for action in actions if action in plan.nameless]
    known = network.actions[named].astype(np.float64)
    for at, action in enumerate(named):
        if numbered.places[action] != NO_ROW:  # it had rows for amounts, such as of cards in a pile
            rows, most = int(numbered.card_rows[action]), min(_FEW, int(numbered.card_most[action]))
            known[at] += network.cards[rows + 1 : rows + 1 + most].mean(0)
    if field.cards in ("cell", "face"):
        first, start = int(plan.card_rows[actions[0]]), int(numbered.card_rows[actions[0]])
        numbers: npt.NDArray[np.integer] = np.arange(len(faces))
        targets = network.cards[start + 1 : start + 1 + len(faces)].astype(np.float64)
        targets[plan.card_rows[named] - first - 1] = known  # such as of basic parts, which never lie in the row
    else:
        numbers, targets = (plan.places[named] - field.start) % field.shape[-1], known
    _fit(faced.cards, group, faces, numbers, np.ones(len(numbers), np.int64), targets)


def _fit(
    kept: Floats,
    group: Group,
    faces: Faces,
    numbers: npt.NDArray[np.integer],
    counts: npt.NDArray[np.int64],
    targets: Targets,
    weights: npt.NDArray[np.float64] | None = None,
) -> None:
    """Write the rows of a group whose sums, for so many of these cards, are nearest to the targets."""
    reached = levels(faces)[numbers]  # (n, features)
    amounts = np.arange(len(AMOUNTS))[None, None] < reached[..., None]
    counted = np.arange(group.most)[None] < counts[:, None]
    said = SCALE * np.concatenate([counted, amounts.reshape(len(numbers), -1)], axis=1)
    weights = _weights(targets) if weights is None else weights
    root = np.sqrt(weights / weights.mean())[:, None]
    said, wanted = said * root, targets * root
    rows = said.T @ np.linalg.solve(said @ said.T + _RIDGE * np.eye(len(said)), wanted)
    kept[group.counts : group.counts + group.most] = rows[: group.most]
    kept[group.amounts : group.amounts + rows.shape[0] - group.most] = rows[group.most :]
