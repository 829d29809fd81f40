"""Which rows of a network an observation switches on, against a slow reading of the rules that `plan` states."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from bdgame_env.agents.networks import Policy
from bdgame_env.agents.networks.forward import card_row, rows_on
from bdgame_env.agents.networks.network import HEADS, RANK
from bdgame_env.agents.networks.row_plan import NO_ROW, VALUES, Plan, plan_network
from bdgame_env.engine.game import MAX_SEATS, Game, GameConfig, ObservationField
from bdgame_env.engine.jit import JIT_DISABLED
from bdgame_env.registry import get_game, list_games
from tests.support import nim_game as nim
from tests.support import toy_game as toy
from tests.support.conformance import option_sets, walk
from tests.support.policies import plain_policy

Observation = npt.NDArray[np.int8]
Feature = tuple[Any, ...]

OTHERS = {game.id: game for game in (nim.GAME, toy.GAME)}  # neither says where cards are shown
GAMES = [*list_games(), *OTHERS]
OPTIONS = [  # with games long enough for cards to be everywhere
    (game_id, {name: value for name, value in options.items() if name != "max_rounds"})
    for game_id in list_games()
    for options in option_sets(get_game(game_id))
]
DECISIONS = 40 if JIT_DISABLED else 400
AT_ONCE = 120  # entries that switch on at most four rows each: fewer than are left out


def game_of(game_id: str) -> Game:
    return OTHERS[game_id] if game_id in OTHERS else get_game(game_id)


def observed(game: Game, options: dict[str, Any], seed: int = 0) -> Iterator[tuple[Observation, npt.NDArray[np.int8]]]:
    """What each seat sees in a random game, with the legal actions for the seat to decide and none for others."""
    for match in walk(game, options, seed, DECISIONS):
        for seat in range(match.players):
            mask = match.mask()
            yield match.observe(seat), mask if seat == match.seat else np.zeros_like(mask)


# A slow reading of the rules


@cache
def entries_read(game_id: str) -> list[tuple[int, ObservationField]]:
    """Every entry, but of what a face says only the card's number, and no table of what cards do."""
    return [
        (entry, field)
        for field in game_of(game_id).schema
        for entry in range(field.start, field.stop)
        if field.cards != "table" and (field.cards != "face" or (entry - field.start) % field.shape[-1] == 0)
    ]


def features(game_id: str, observation: Observation) -> list[Feature]:
    """What an observation switches on, in words instead of numbers of rows."""
    found: list[Feature] = []
    for entry, field in entries_read(game_id):
        value = int(observation[entry])
        if value == 0:
            continue
        card = field.cards in ("cell", "face")
        places = (field.stop - field.start) // (field.shape[-1] if field.cards == "face" else 1)
        large = not card and field.high > 30
        if not large or value <= 11:
            found.append(("value", entry, value))
        if large:
            found.append(("band of 4", entry, value // 4))
        if card and places > 1:
            found.append(("anywhere in", field.name, value))
        if large and field.stop - field.start <= 16:
            found += [("band of 16", entry, value // 16), ("modulo 4", entry, value % 4)]
    return found


def rows_of(plan: Plan, observation: Observation) -> list[int]:
    """Nothing else is written to than the two arrays."""
    memory = np.full((2, plan.capacity + 9), -7, np.int32)
    room = np.full((2, len(observation) + 9), -7, np.int32)
    count = rows_on(observation, plan, memory[0, : plan.capacity], room[0, : len(observation) + 1])
    for array, size in ((memory, plan.capacity), (room, len(observation) + 1)):
        assert (array[0, size:] == -7).all() and (array[1] == -7).all()
    return [int(row) for row in memory[0, :count]]


class Names:
    """Checks that the same feature always switches on the same row, and no other feature does.

    A row that the places of a field share is switched on once for each place that shows the card.
    """

    def __init__(self, game_id: str, plan: Plan) -> None:
        self.game_id, self.plan = game_id, plan
        self.row: dict[Feature, int] = {}
        self.feature: dict[int, Feature] = {}

    def check(self, observation: Observation) -> None:
        rows, found = rows_of(self.plan, observation), features(self.game_id, observation)
        assert len(rows) == len(found)
        for row, feature in zip(rows, found, strict=True):
            assert 0 <= row < self.plan.rows
            assert self.row.setdefault(feature, row) == row, feature
            assert self.feature.setdefault(row, feature) == feature, row


@pytest.mark.parametrize(("game_id", "options"), OPTIONS)
def test_random_games_switch_on_the_rows_that_the_rules_name(game_id: str, options: dict[str, Any]) -> None:
    """None is left out: the capacity is enough for all that was met."""
    game = game_of(game_id)
    names = Names(game_id, plan_network(game, game.config(**options)))
    for observation, _ in observed(game, options):
        names.check(observation)
    assert len(names.row) > 100


@pytest.mark.parametrize("game_id", GAMES)
def test_every_row_stands_for_something(game_id: str) -> None:
    """Every value of every entry, some entries at a time; together they switch on all rows of the plan."""
    game = game_of(game_id)
    names = Names(game_id, plan_network(game, game.config()))
    read = entries_read(game_id)
    for start in range(0, len(read), AT_ONCE):
        part = read[start : start + AT_ONCE]
        for value in range(1, max(field.high for _, field in part) + 1):
            observation = np.zeros(game.obs.itemsize, np.int8)
            for entry, field in part:
                observation[entry] = min(value, field.high)
            names.check(observation)
    assert sorted(names.feature) == list(range(names.plan.rows))


@pytest.mark.parametrize(("game_id", "options"), OPTIONS)
def test_what_differs_for_the_rules_differs_for_the_network(game_id: str, options: dict[str, Any]) -> None:
    """Successive observations, and one entry changed to any other value: other rows unless the features are equal."""
    game, rng, apart = game_of(game_id), random.Random(1), 0
    plan, read = plan_network(game, game.config(**options)), entries_read(game_id)
    told = np.array([entry for entry, field in read if field.high <= 30 or field.stop - field.start <= 16])
    seen = [observation for observation, _ in observed(game, options, seed=1)]
    for before, after in pairwise(seen):
        if (before[told] != after[told]).any():
            assert sorted(rows_of(plan, before)) != sorted(rows_of(plan, after))
            apart += 1
    assert apart > len(seen) / 2
    for observation in seen[:: max(1, len(seen) // 60)]:
        entry, field = rng.choice(read)
        changed = observation.copy()
        changed[entry] = rng.choice([value for value in range(field.high + 1) if value != observation[entry]])
        differ = sorted(map(str, features(game_id, observation))) != sorted(map(str, features(game_id, changed)))
        assert (sorted(rows_of(plan, observation)) != sorted(rows_of(plan, changed))) == differ
        alike = min(observation[entry], changed[entry]) > 11 and observation[entry] // 4 == changed[entry] // 4
        assert differ or (entry not in told and alike)
    follows = np.setdiff1d(np.arange(game.obs.itemsize), [entry for entry, _ in read])
    for observation in seen[:5]:  # the rest of a face follows from the card's number, so nothing reads it
        changed = observation.copy()
        changed[follows] = 1
        assert rows_of(plan, observation) == rows_of(plan, changed)


@pytest.mark.parametrize("game_id", list_games())
def test_rows_beyond_the_capacity_are_left_out(game_id: str) -> None:
    """With every entry at its greatest, which no game shows; the rows that are on come first in the observation."""
    game = get_game(game_id)
    plan = plan_network(game, game.config())
    full = np.zeros(game.obs.itemsize, np.int8)
    for field in game.schema:
        full[field.slice] = field.high
    rows, found = rows_of(plan, full), features(game_id, full)
    assert plan.capacity - 4 < len(rows) <= plan.capacity < len(found)
    part = full.copy()
    read = np.flatnonzero(plan.lookup[:, VALUES] != NO_ROW)
    part[read[len(read) // 9] :] = 0
    short = rows_of(plan, part)
    assert rows[: len(short)] == short[: len(rows)]


@pytest.mark.parametrize("game_id", GAMES)
def test_one_plan_serves_any_number_of_players(game_id: str) -> None:
    """So one policy can be trained for several; other actions have another plan."""
    game = game_of(game_id)
    least, most = game.seats
    plans = [plan_network(game, game.config(players=players)) for players in range(least, most + 1)]
    assert len({plan.digest for plan in plans}) == 1
    kinds = {"keys": np.int64, "sum_scales": np.float32}
    assert all(part.dtype == kinds.get(name, np.int32) for name, part in plans[0]._asdict().items())


def test_other_actions_have_another_plan() -> None:
    """As with an option that adds an action; the digest tells."""
    still, rolling = (plan_network(toy.GAME, toy.GAME.config(rolling=rolling)) for rolling in (False, True))
    assert still.rows == rolling.rows and still.digest != rolling.digest
    assert plan_network(nim.GAME, nim.GAME.config()).digest not in (still.digest, rolling.digest)


# Cards


def card_of(plan: Plan, observation: Observation, action: int) -> int:
    return int(card_row(observation, plan, action))


@pytest.mark.parametrize(("game_id", "options"), OPTIONS)
def test_the_row_of_a_card_is_that_of_the_place_where_it_lies(game_id: str, options: dict[str, Any]) -> None:
    """An action has a card row exactly if the game says where its card lies and the action does not name the card, or
    where it says what comes of the action; never both.

    In a random game two actions with a row in common show the same card, and those of one kind that show the same card
    have the same row.
    """
    game = game_of(game_id)
    config = game.config(**options)
    plan = plan_network(game, config)
    places, outcomes = game.card_places(config), game.outcome_places(config)
    counts = [entry for field in game.schema if field.cards == "count" for entry in range(field.start, field.stop)]
    places = np.where(np.isin(places, counts), NO_ROW, places)
    assert (np.minimum(places, outcomes) < 0).all()
    expected = np.maximum(places, outcomes)
    np.testing.assert_array_equal(plan.places, expected)
    about = np.flatnonzero(expected != NO_ROW)
    assert len(about) and plan.cards > 0
    kinds = {int(action): int(plan.card_rows[action]) for action in about}
    row: dict[tuple[int, int], int] = {}
    card: dict[int, tuple[int, int]] = {}
    for observation, mask in observed(game, options, seed=2):
        for action in np.flatnonzero(mask):
            found = card_of(plan, observation, int(action))
            if expected[action] == NO_ROW:
                assert found == NO_ROW
                continue
            shown = (kinds[int(action)], int(observation[expected[action]]))
            assert 0 <= found < plan.cards
            assert row.setdefault(shown, found) == found and card.setdefault(found, shown) == shown
    assert len(row) > 5


def without_number(name: str) -> str:
    """The name of an action without its first number."""
    words = name.split()
    numbers = [k for k, word in enumerate(words) if word.replace(",", "").isdigit()]
    return " ".join(words[: numbers[0]] + words[numbers[0] + 1 :]) if numbers else name


def kind_of(action: int, about: dict[int, int], names: tuple[str, ...], shows: dict[int, str]) -> tuple[str, ...]:
    """Actions on places that show the same kind of number (a card's, or that of a field without cards).

    They are of one kind if they share the verb and all such actions are about places of their own; else those that
    share the words but for the first number; else each is a kind of its own.
    """
    numbers = shows[about[action]]
    for key in (lambda name: name.split()[0], without_number):
        alike = [other for other in about if key(names[other]) == key(names[action]) and shows[about[other]] == numbers]
        if len({about[other] for other in alike}) == len(alike):
            return (key(names[action]), numbers, "...")
    return (names[action],)


@pytest.mark.parametrize(("game_id", "options"), OPTIONS)
def test_actions_that_differ_only_in_the_place_of_the_card_share_rows(game_id: str, options: dict[str, Any]) -> None:
    """The same card at both places: the same row exactly if the actions are of one kind."""
    game = game_of(game_id)
    config = game.config(**options)
    plan, names = plan_network(game, config), game.notation(config)[0]
    about = {action: int(place) for action, place in enumerate(plan.places) if place != NO_ROW}
    fields = {entry: field for field in game.schema for entry in range(field.start, field.stop)}
    shows = {place: "a card" if fields[place].cards else fields[place].name for place in about.values()}
    groups: dict[tuple[str, ...], list[int]] = {}
    for action in about:
        groups.setdefault(kind_of(action, about, names, shows), []).append(action)
    used: set[int] = set()
    for group in groups.values():
        most = max(fields[about[action]].high for action in group)
        rows = set()
        for value in range(most + 1):
            observation = np.full(game.obs.itemsize, value, np.int8)
            (row,) = {card_of(plan, observation, action) for action in group}
            rows.add(row)
        assert len(rows) == most + 1 and not rows & used
        used |= rows
    assert used == set(range(plan.cards))


@pytest.mark.parametrize(
    ("game_id", "one", "other", "share"),
    [
        ("bdgame-v3", "accept 0", "accept 3", True),
        ("bdgame-v3", "buy 0", "buy 3", True),
        ("bdgame-v3", "remove 0,0", "remove 7,8", True),
        ("bdgame-v3", "accept 0", "buy 0", False),
        ("bdgame-v3", "buy 0", "buy pause", False),
        ("bdgame-v3", "buy hopper", "buy pause", True),
        ("gizmos-v3", "file 0", "file hand 14", True),
        ("gizmos-v3", "build 0", "build hand 14", True),
        ("gizmos-v3", "file 0", "build 0", False),
        ("gizmos-v3", "pay 0", "pay 1", False),  # both about the card that is paid for
        ("nicodemus-v2", "repair 1", "repair 9", True),
        ("nicodemus-v2", "repair 1", "target 1", False),
        ("pixel-pusher-v2", "install 0 collect slot 1", "install 3 collect slot 1", True),
        ("pixel-pusher-v2", "install 0 collect slot 1", "install 0 collect slot 2", False),
    ],
)
def test_actions_known_to_share_rows(game_id: str, one: str, other: str, share: bool) -> None:
    """Named by hand, so that the rule itself is seen to do what it is for."""
    game = get_game(game_id)
    config = game.config()
    plan, numbers = plan_network(game, config), game.notation(config)[1]
    seen = np.full(game.obs.itemsize, 3, np.int8)
    first, second = (card_of(plan, seen, numbers[name]) for name in (one, other))
    assert NO_ROW not in (first, second) and (first == second) == share


# The network


def computed(policy: Policy, observation: Observation) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Logits of all actions and heads of one observation, in double precision."""
    net, plan = (part.astype(np.float64) for part in policy.network), policy.plan
    first, cards, first_bias, dense, dense_bias, actions, action_bias, heads, head_bias = net
    hidden = np.maximum(first[rows_of(plan, observation)].sum(axis=0) + first_bias, 0)
    for weights, bias in zip(dense, dense_bias, strict=True):
        hidden = np.maximum(hidden @ weights + bias, 0)
    rows = actions.copy()
    for action in range(len(rows)):
        card = card_of(plan, observation, action)
        if card != NO_ROW:
            rows[action] += cards[card]
    return rows @ hidden + action_bias, heads @ hidden + head_bias


def check_network(game: Game, config: GameConfig, layers: int, seen: list[tuple[Any, Any]]) -> None:
    policy = plain_policy(game, config, scale=0.1, width=13, layers=layers, seed=layers)
    observations, masks = (np.array(part, np.int8) for part in zip(*seen, strict=True))
    logits, heads = policy.evaluate(observations, masks)
    assert logits.dtype == heads.dtype == np.float32 and heads.shape == (len(seen), HEADS)
    assert (np.isneginf(logits) == (masks == 0)).all()
    for observation, mask, found, values in zip(observations, masks, logits, heads, strict=True):
        expected, judged = computed(policy, observation)
        np.testing.assert_allclose(found[mask != 0], expected[mask != 0], rtol=1e-4, atol=1e-4)
        np.testing.assert_allclose(values, judged, rtol=1e-4, atol=1e-4)
    np.testing.assert_array_equal(policy.logits(observations, masks), logits)
    np.testing.assert_array_equal(policy.values(observations), heads[:, RANK : RANK + MAX_SEATS])


@pytest.mark.parametrize("layers", [0, 1, 2])
@pytest.mark.parametrize("game_id", GAMES)
def test_compiled_networks_compute_what_numpy_does(game_id: str, layers: int) -> None:
    """Logits, -inf for illegal actions, and heads, for every number of players."""
    game = game_of(game_id)
    least, most = game.seats
    for players in range(least, most + 1):
        seen = list(observed(game, {"players": players}, seed=3))
        check_network(game, game.config(players=players), layers, seen[:: max(1, len(seen) // 12)])


@pytest.mark.parametrize("game_id", OTHERS)
def test_a_game_that_does_not_say_where_cards_are_has_no_card_rows(game_id: str) -> None:
    """Its actions have their own rows alone."""
    game = game_of(game_id)
    plan = plan_network(game, game.config())
    assert plan.cards == 0 and (plan.places == NO_ROW).all() and len(plan.places) == game.config().num_actions
    assert all(card_of(plan, observation, 0) == NO_ROW for observation, _ in observed(game, {}))
