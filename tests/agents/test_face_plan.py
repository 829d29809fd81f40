"""Networks that see cards by what they do: decks in any order, several decks, decks that they have not met."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from bdgame_env import get_game, list_games, match_from_snapshot
from bdgame_env.agents.networks import BadPolicy, Policy, policy_of
from bdgame_env.agents.networks.by_face import by_face
from bdgame_env.agents.networks.face_plan import (
    FACE,
    NUMBER,
    action_groups,
    cards_of,
    deck_in,
    entries_of,
    faces_of,
    first_groups,
    has_faces,
    levels,
    plan_by,
)
from bdgame_env.agents.networks.forward import deck_of, rows_on
from bdgame_env.agents.networks.network import fitted, fresh, size_of, view
from bdgame_env.agents.networks.row_plan import ALONE, NO_ROW, SHARED, VALUES, Plan
from bdgame_env.engine.game import Game, ObservationField
from bdgame_env.engine.jit import JIT_DISABLED
from bdgame_env.engine.match import Match
from tests.support.conformance import walk
from tests.support.decks import renumbered
from tests.support.policies import plain_policy

BDGAME = get_game(next(name for name in list_games() if name.startswith("bdgame-")))
SECOND_DECK = Path(__file__).parents[2] / "docs" / "second_deck.toml"
WITH_FACES = [name for name in list_games() if has_faces(get_game(name))]
WIDTH = 12
DECISIONS, EVERY = (60, 6) if JIT_DISABLED else (600, 10)


def policy_for(plan: Plan, seed: int = 0) -> Policy:
    """A network of random weights."""
    weights = np.random.default_rng(seed).standard_normal(size_of(plan, WIDTH, 1), np.float32) * np.float32(0.2)
    return Policy(plan, weights, WIDTH, 1, {"game": BDGAME.id, "players": [2, 3, 4]}, threads=1)


def positions(game: Game, seed: int = 0, **options: Any) -> Iterator[Match]:
    """Some positions of a random game."""
    for number, match in enumerate(walk(game, options, seed, DECISIONS)):
        if number % EVERY == 0:
            yield match


def said_by(policy: Policy, match: Match) -> tuple[dict[str, float], npt.NDArray[np.float32]]:
    """The logits of legal actions by name, and the heads."""
    logits, heads = policy.evaluate(match.observe()[None], match.mask()[None])
    return {match.action_names[action]: logits[0, action] for action in np.flatnonzero(match.mask())}, heads[0]


@pytest.mark.parametrize("options", [{}, {"players": 4, "selling": True, "trading": True}])
def test_numbers_of_cards_do_not_matter(options: dict[str, Any], tmp_path: Path) -> None:
    """The same cards with other numbers, in the same position: the same logits and values."""
    deck = str(renumbered(tmp_path / "deck.toml"))
    here, there = (BDGAME.config(**options, **more) for more in ({}, {"deck": deck}))
    assert here.cards.kinds != there.cards.kinds and sorted(here.cards.kinds) == sorted(there.cards.kinds)
    assert here.cards.kinds[:8] == there.cards.kinds[:8] and here.cards.orders != there.cards.orders
    ours = policy_for(plan_by(FACE, BDGAME, here))
    theirs = Policy(other := plan_by(FACE, BDGAME, there), fitted(ours.network, ours.plan, other), WIDTH, 1, {})
    by_number = policy_for(plan_by(NUMBER, BDGAME, here))
    compared = differ = 0
    for match in positions(BDGAME, **options):
        snapshot = match.snapshot(omniscient=True)
        twin = match_from_snapshot(snapshot, deck=deck)
        (logits, heads), (same_logits, same_heads) = said_by(ours, match), said_by(theirs, twin)
        assert logits.keys() == same_logits.keys()
        for name, logit in logits.items():
            assert logit == pytest.approx(same_logits[name], rel=1e-3, abs=1e-4), name
        np.testing.assert_allclose(heads, same_heads, rtol=1e-3, atol=1e-4)
        differ += int(not np.allclose(said_by(by_number, match)[1], said_by(by_number, twin)[1], rtol=1e-2))
        compared += 1
    assert compared >= 10 and differ > compared / 2, "by number, they do matter"


def test_a_network_by_number_becomes_one_by_face() -> None:
    """If what it adds for a card is a sum over what the card does, it says nearly the same."""
    config, rng = BDGAME.config(), np.random.default_rng(2)
    plan, faced = plan_by(NUMBER, BDGAME, config), plan_by(FACE, BDGAME, config, BDGAME.config(deck="classic"))
    weights = rng.standard_normal(size_of(plan, WIDTH, 1)).astype(np.float32) * np.float32(0.2)
    network, deck = view(weights, plan, WIDTH, 1), deck_in(BDGAME, config)
    network.action_bias[:] = 0.0

    def added(table: ObservationField) -> npt.NDArray[np.float32]:
        does = levels(faces_of(deck, table))
        return (does @ rng.standard_normal((does.shape[1], WIDTH)) / 20).astype(np.float32)

    tables = {f.name: f for f in BDGAME.schema if f.cards == "table"}
    for f in (f for f in BDGAME.schema if f.name in first_groups(BDGAME)):
        for rows in entries_of(f).reshape(f.shape[0] if f.seats else 1, -1):
            cards = added(tables[f.faces])
            for place, entry in enumerate(rows):
                start, most = plan.lookup[entry, [VALUES, ALONE]]
                if f.cards in ("cell", "face"):
                    network.first[start : start + len(cards)] = cards
                else:
                    network.first[start : start + most] = cards[place % f.shape[-1]]
            if plan.lookup[rows[0], SHARED] != NO_ROW:
                network.first[plan.lookup[rows[0], SHARED] :][: len(cards)] = 0.0
    for group, f, actions in action_groups(BDGAME, config):
        if group is not None and f.cards in ("cell", "face"):
            cards = added(group.table)
            network.cards[plan.card_rows[actions[0]] + 1 :][: len(cards)] = cards
            named = [action for action in actions if action in faced.nameless]
            network.actions[named] = cards[faced.card_rows[named] - faced.card_rows[actions[0]] - 1]
            for action in named:
                network.cards[plan.card_rows[action] :][: plan.card_most[action] + 1] = 0.0
        elif group is not None:
            network.actions[actions] = added(group.table)[(faced.places[actions] - f.start) % f.shape[-1]]
            if plan.places[actions[0]] != NO_ROW:
                network.cards[plan.card_rows[actions[0]] :][:14] = 0.0
    ours = Policy(plan, weights, WIDTH, 1, {})
    theirs = Policy(faced, by_face(network, plan, BDGAME, config, faced), WIDTH, 1, {})
    for match in positions(BDGAME):
        (logits, heads), (same_logits, same_heads) = said_by(ours, match), said_by(theirs, match)
        before, after = [*logits.values(), *heads], [*same_logits.values(), *same_heads]
        assert np.corrcoef(before, after)[0, 1] > 0.97


# A slow reading of what the plan says

AMOUNTS = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 24, 32, 48, 64, 96)


def in_words(game: Game, observation: npt.NDArray[np.int8]) -> list[list[tuple[Any, ...]]]:
    """What the entries that show cards with faces switch on: for each row, what it is the sum of."""
    schema = {field.name: field for field in game.schema}
    found: list[list[tuple[Any, ...]]] = []
    for field in game.schema:
        if not field.faces:
            continue
        table = schema[field.faces]
        faces, values = observation[table.slice].reshape(table.shape), observation[field.slice].reshape(field.shape)
        shows = field.cards in ("cell", "face")
        values = values[..., 0] if field.cards == "face" else values
        for place, value in np.ndenumerate(values):
            if value == 0:
                continue
            where = (field.name, place[0] if field.seats else "")
            card, count = (value - 1, 1) if shows else (place[-1], min(value, 3, field.high))
            words: list[tuple[Any, ...]] = [(*where, "at least", n) for n in range(1, count + 1)]
            for feature, amount in enumerate(faces[card].tolist()):
                words += [(*where, feature, reached) for reached in AMOUNTS if reached <= amount]
            found.append(words)
            if shows:
                found.append([(field.name, place, "class", min(11, int(faces[card, 0])))])
    return found


def kept_of(plan: Plan) -> dict[int, list[int]]:
    """The rows that are kept of which each sum is made, and twice if it has them twice."""
    made: dict[int, list[int]] = {}
    for k, row in enumerate(plan.sums.tolist()):
        parts = plan.sum_parts[plan.sum_starts[k] : plan.sum_starts[k + 1]].tolist()
        made[row] = [kept for part in parts for kept in made.get(part, [part])]
    return made


@pytest.mark.parametrize("deck", [None, str(SECOND_DECK)])
def test_cards_switch_on_rows_for_what_they_do(deck: str | None) -> None:
    """A word always has the same row, and a row the same word; other entries have the rows of a plan by number."""
    game, config = BDGAME, BDGAME.config(deck=deck)
    plan, by_number = plan_by(FACE, game, config), plan_by(NUMBER, game, config)
    made, rows, words = kept_of(plan), {}, {}
    room, on = np.zeros(game.obs.itemsize + 1, np.int32), np.zeros(plan.capacity, np.int32)
    shown = np.concatenate([np.arange(field.start, field.stop) for field in game.schema if field.faces])
    for match in positions(game, deck=deck):
        observation = match.observe()
        found = [int(row) for row in on[: rows_on(observation, plan, on, room)]]
        others = observation.copy()
        others[shown] = 0
        assert rows_on(others, plan, on, room) == rows_on(others, by_number, np.zeros(512, np.int32), room)
        plain = {int(row) for row in on[: rows_on(others, plan, on, room)]}
        told = in_words(game, observation)
        about = [row for row in found if row not in plain]
        assert len(about) == len(told)
        sums = sorted((made.get(row, [row]) for row in about), key=len)
        assert sorted(map(len, told)) == [len(parts) for parts in sums]
        for row, sentence in zip(about, told, strict=True):
            for kept, word in zip(made.get(row, [row]), sentence, strict=True):
                assert 0 <= kept < plan.kept_rows
                assert rows.setdefault(word, kept) == kept and words.setdefault(kept, word) == word
    assert len(words) > 50


def test_rows_of_cards_are_the_sums_of_those_kept() -> None:
    """Worked out in every policy, whatever its vector says there; and a quarter of the sum."""
    plan = plan_by(FACE, BDGAME, BDGAME.config())
    policy = policy_for(plan)
    table = policy.weights[: (plan.rows + plan.cards) * WIDTH].reshape(-1, WIDTH).astype(np.float64)
    made, levels = kept_of(plan), set(plan.sum_parts.tolist())
    for row, kept in made.items():
        scale = 1.0 if row in levels else 0.25
        np.testing.assert_allclose(table[row], scale * table[kept].sum(axis=0), rtol=1e-4, atol=1e-5)
    assert not policy.network.actions[plan.nameless].any() and len(plan.nameless) >= len(BDGAME.config().cards.kinds)


# Several decks


def test_a_plan_for_several_decks_plays_each_as_its_own_plan_does() -> None:
    """The table of an observation says which deck it is; the rows that are kept are the same."""
    configs = [BDGAME.config(), BDGAME.config(deck=str(SECOND_DECK)), BDGAME.config(players=3)]
    plan = plan_by(FACE, BDGAME, *configs)
    assert len(plan.keys) == 2, "the number of players is no other deck"
    both = policy_for(plan)
    for config in configs[:2]:
        own = plan_by(FACE, BDGAME, config)
        assert own.digest == plan.digest and len(own.keys) == 1 and own.rows < plan.rows
        alone = Policy(own, fitted(both.network, plan, own), WIDTH, 1, {}, threads=1)
        found = set()
        for match in positions(BDGAME, deck=config.options["deck"]):
            found.add(deck_of(match.observe(), plan))
            (logits, heads), (same_logits, same_heads) = said_by(both, match), said_by(alone, match)
            assert logits == pytest.approx(same_logits, rel=1e-4, abs=1e-5)
            np.testing.assert_allclose(heads, same_heads, rtol=1e-4, atol=1e-5)
        assert len(found) == 1


def test_decks_that_differ_in_one_number_are_told_apart(tmp_path: Path) -> None:
    decks = []
    standard = (Path(__file__).parents[2] / "bdgame_env/games/bdgame/cards.toml").read_text()
    for number in range(12):
        decks.append(tmp_path / f"{number}.toml")
        decks[-1].write_text(re.sub(r"points = \d+", f"points = {1 + number}", standard, count=1))
    configs = [BDGAME.config(deck=str(deck)) for deck in decks]
    plan = plan_by(FACE, BDGAME, *configs)
    seen = [Match(BDGAME, **config.options, seed=1).observe() for config in configs]
    assert len({deck_of(observation, plan) for observation in seen}) == len(decks) == len(plan.keys)


def test_games_that_are_dealt_one_of_several_decks() -> None:
    """The plan of a config with a range of decks knows them all; of more than it can have, it says so."""
    config = BDGAME.config(deck="random:3-7")
    plan = plan_by(FACE, BDGAME, config)
    assert len(plan.keys) == 5 and plan.digest == plan_by(FACE, BDGAME, BDGAME.config()).digest
    for seed in range(20):
        match = Match(BDGAME, deck="random:3-7", seed=seed)
        seen = match.observe()
        own = plan_by(FACE, BDGAME, match.config.of_game(match.states[0]))
        assert deck_of(seen, plan_by(FACE, BDGAME, config)) == deck_of(seen, plan)
        np.testing.assert_array_equal(own.classes[0], plan.classes[deck_of(seen, plan)])
    many = BDGAME.config(deck="random:0-300")
    with pytest.raises(BadPolicy, match="it: a network that sees cards by face plays at most 256 decks at a time"):
        policy_of(policy_for(plan).to_bytes(), "it", BDGAME, many)


# Files


def test_a_file_fits_every_deck() -> None:
    """It holds no sums; what it says of cards by name in its meta is what plans it."""
    config, other = BDGAME.config(), BDGAME.config(deck=str(SECOND_DECK))
    plan = plan_by(FACE, BDGAME, config, other)
    policy = policy_for(plan)
    data = policy.to_bytes()
    for deck in (config, other):
        read = policy_of(data, "it", BDGAME, deck)
        assert cards_of(read.plan) == FACE and read.meta["cards"] == FACE and len(read.plan.keys) == 1
        np.testing.assert_array_equal(read.weights, fitted(policy.network, plan, read.plan))
    assert policy_of(plain_policy(BDGAME, config).to_bytes(), "it", BDGAME, config).meta["cards"] == NUMBER


def test_a_fresh_network_knows_what_it_is_made_of() -> None:
    plan = plan_by(FACE, BDGAME, BDGAME.config())
    weights = fresh(plan, WIDTH, 1, 0)
    np.testing.assert_array_equal(Policy(plan, weights, WIDTH, 1, {}).weights, weights)
    assert view(weights, plan, WIDTH, 1).first[plan.kept_rows :].any()


def test_files_that_do_not_say_how_they_see_cards() -> None:
    """Those of before see them by number; what no plan is for is refused."""
    without = next(get_game(name) for name in list_games() if name not in WITH_FACES)
    for game, cards, allowed in ((BDGAME, "color", "number or face"), (without, FACE, "number")):
        policy = plain_policy(game, game.config())
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("bdgame_env.agents.networks.policy.cards_of", lambda plan, cards=cards: cards)
            data = policy.to_bytes()
        with pytest.raises(BadPolicy, match=f"it: cards='{cards}', must be {allowed}$"):
            policy_of(data, "it", game, game.config())
