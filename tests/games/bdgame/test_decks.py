"""The decks that the option `deck` stands for: words, numbers, ranges; and what keeps random decks playable (B6)."""

from __future__ import annotations

import hashlib
import pickle
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bdgame_env
from bdgame_env.engine.game import BadOption, BadSnapshot
from bdgame_env.engine.match import Match
from bdgame_env.games.bdgame.cards import (
    BASIC,
    CUBES_OF_A_COLOR,
    HOPPER,
    MAX_PRICE,
    NUM_BASIC,
    PACKER,
    read_deck,
    standard_deck,
)
from bdgame_env.games.bdgame.decks import CLASSIC_DECK, TEST_DECKS, TRAIN_DECKS, decks_of
from bdgame_env.games.bdgame.game import GAME
from bdgame_env.games.bdgame.random_decks import keeps_principles, make_decks
from bdgame_env.records.game_record import GameRecord
from tests.games.bdgame.positions import eager
from tests.games.bdgame.test_sufficient import check

MANY = make_decks(range(64))


def play(match: Match, decisions: int, seed: int = 0) -> Match:
    chance = random.Random(seed)
    for _ in range(decisions):
        if not match.over:
            match.play(eager(match.legal_moves(), chance))
    return match


# Random decks


def test_b02_b03_b04_random_decks_keep_the_counts():
    """B1 to B4, B6: 8 basic and 20 special kinds, 32 orders, all different; prices, cubes and points of 1 or more."""
    for deck in MANY:
        assert deck.kinds[:NUM_BASIC] == BASIC and len(set(deck.kinds)) == 28
        assert len(set(deck.orders)) == len({tuple(needs) for needs in deck.needs.tolist()}) == 32
        assert deck.cost.min() >= 1 and deck.cost.max() <= MAX_PRICE and deck.points.min() >= 1
        assert deck.needs.sum(axis=1).min() >= 1 and deck.needs.max() <= CUBES_OF_A_COLOR
        assert deck.cost[PACKER] >= 4 and deck.cost[HOPPER] >= 3


def test_random_decks_are_card_files_too(tmp_path: Path) -> None:
    """B6: what is drawn obeys every check of a file: ports, names that spell the recipe, prices."""
    for deck in MANY[:8]:
        file = tmp_path / "deck.toml"
        file.write_text(card_file(deck), "utf-8")
        (read,) = decks_of(file)[1]
        for name in ("kinds", "orders"):
            assert getattr(read, name) == getattr(deck, name)
        for name in ("shapes", "cost", "takes", "gives", "needs", "points"):
            assert getattr(read, name).tolist() == getattr(deck, name).tolist()


def card_file(deck: Any) -> str:
    def cubes(row: Any) -> str:
        return " ".join(f"{count}{color}" for count, color in zip(row, "YRB", strict=True) if count)

    lines = ["[bank]", "Y = 24", "R = 24", "B = 24"]
    for number, kind in enumerate(deck.kinds):
        lines += [
            "[[basic]]" if number < NUM_BASIC else "[[special]]",
            f'kind = "{kind}"',
            f"cost = {deck.cost[number]}",
        ]
        for side, table in (("in", deck.takes), ("out", deck.gives)):
            for port, name in enumerate(("up", "mid", "down")):
                if table[number, port].any():
                    lines.append(f'{side}.{name} = "{cubes(table[number, port])}"')
    lines.append("[orders]")
    for name, needs, points in zip(deck.orders, deck.needs, deck.points, strict=True):
        lines.append(f'{name} = {{ needs = "{cubes(needs)}", points = {points} }}')
    return "\n".join(lines)


def test_a_deck_is_the_same_everywhere() -> None:
    """Whoever asks for it, alone or among others; and on every machine: a digest of some decks."""
    assert make_decks([5])[0] is make_decks(range(3, 7))[2]
    digest = hashlib.sha256()
    for deck in make_decks([0, 1, 2, 1023, 10_000, 999_999]):
        digest.update("\n".join((*deck.kinds, *deck.orders)).encode())
        for name in ("cost", "needs", "points"):
            digest.update(str(getattr(deck, name).tolist()).encode())
    assert digest.hexdigest()[:16] == "2e33173009d80a26"


def test_random_decks_differ() -> None:
    """No two are alike in parts, prices or orders; hundreds of kinds come up, none in more than half of the decks."""
    kinds = [deck.kinds[NUM_BASIC:] for deck in MANY]
    assert (
        len(set(kinds)) == len({deck.cost.tobytes() for deck in MANY}) == len({d.needs.tobytes() for d in MANY}) == 64
    )
    every = [kind for of_deck in kinds for kind in of_deck]
    assert len(set(every)) > 300 and max(map(every.count, set(every))) < 40
    converters = {sum(kind.startswith("c") for kind in of_deck) for of_deck in kinds}
    assert len(converters) >= 4


def test_random_decks_keep_the_principles() -> None:
    """As the standard deck does. Decks that do not are told apart: the classic deck has one engine, a converter."""
    assert all(keeps_principles([*MANY, standard_deck()])) and keeps_principles([read_deck(CLASSIC_DECK)]) == [False]


def test_decks_to_learn_with_are_not_those_to_measure_with() -> None:
    assert not set(TRAIN_DECKS) & set(TEST_DECKS)
    assert GAME.config(deck="random").options["deck"] == f"random:0-{TRAIN_DECKS[-1]}"


# The option


@pytest.mark.parametrize(
    ("deck", "reason"),
    [
        ("random:", "there are 'classic', 'random'"),
        ("random:x", "there are 'classic', 'random'"),
        ("random:-3", "there are 'classic', 'random'"),
        ("random:1-", "there are 'classic', 'random'"),
        ("random:1-2-3", "there are 'classic', 'random'"),
        ("random:٣", "there are 'classic', 'random'"),
        ("random:9-3", "the range ends before it begins"),
        ("random:1000000", "there is no deck 1000000"),
        ("random:0-1024", "these are 1025 decks, at most 1024"),
        (7, "allowed: None or a path"),
    ],
)
def test_words_that_name_no_deck_are_refused(deck: Any, reason: str) -> None:
    with pytest.raises(BadOption, match=reason) as refusal:
        GAME.config(deck=deck)
    assert "\n" not in str(refusal.value)


def test_a_word_that_is_unknown_is_a_file_that_is_not_there() -> None:
    with pytest.raises(ValueError, match=r"clasic: cannot be read: .*; besides files there are 'classic', 'random'"):
        GAME.config(deck="clasic")


def test_words_have_one_form() -> None:
    """So the same decks have the same config."""
    assert GAME.config(deck="random:07") is GAME.config(deck="random:7-7") is GAME.config(deck="random:7")
    assert GAME.config(deck="random:7").cards.kinds == make_decks([7])[0].kinds


def test_classic_is_a_deck_by_name() -> None:
    match = Match(GAME, seed=1, deck="classic")
    assert match.config.cards.path.endswith("classic.toml") and match.config.options["deck"] == "classic"
    assert match.snapshot()["options"]["deck"] == "classic"


# One of several decks


def test_a_game_of_several_decks_is_that_of_its_deck_alone() -> None:
    """B6: deal, names and observations; so its record and its snapshots say which deck it was."""
    dealt = set()
    for seed in range(12):
        match = Match(GAME, seed=seed, deck="random:40-45", players=3)
        word = match.config.options["deck"]
        alone = Match(GAME, seed=seed, deck=word, players=3)
        dealt.add(word)
        for _ in range(2):
            assert match.snapshot(omniscient=True) == alone.snapshot(omniscient=True)
            assert match.legal_moves() == alone.legal_moves()
            assert all(match.observe(seat).tobytes() == alone.observe(seat).tobytes() for seat in range(3))
            play(match, 40, seed), play(alone, 40, seed)
    assert len(dealt) >= 4 and dealt <= {f"random:{number}" for number in range(40, 46)}


def test_the_snapshot_of_a_seat_follows_from_its_observation_with_any_deck() -> None:
    """Section 12: with the names of its cards."""
    for seed in range(4):
        match = Match(GAME, seed=seed, deck="random:100-199", selling=True, trading=True, players=4)
        for _ in range(4):
            check(play(match, 15, seed))


def test_batches_play_the_same_decks() -> None:
    """Each game has its own, another when it is dealt anew."""
    batch = bdgame_env.make_batch(GAME.id, 40, seed=3, deck="random:0-99")
    numbers = set()
    for row in range(40):
        match = Match(GAME, seed=3, match=row, deck="random:0-99")
        assert match.observe(0).tobytes() == batch.obs[row].tobytes()
        assert int(match.state.deck) == int(batch.states["deck"][row])
        numbers.add(int(match.state.deck))
    assert len(numbers) > 20
    assert batch.config.cards.kinds[NUM_BASIC:][:2] == ("special_1", "special_2")


def test_copies_pickles_and_states_keep_the_deck() -> None:
    match = play(Match(GAME, seed=8, deck="random:0-99"), 20)
    for twin in (match.clone(), match.clone(determinize=0, seed=1), pickle.loads(pickle.dumps(match))):
        assert twin.config is match.config and twin.snapshot() == match.snapshot()
        assert twin.action_names == match.action_names
    other = Match(GAME, seed=9, deck="random:0-99")
    assert other.config is not match.config
    other.set_state(match.get_state())
    assert other.config is match.config
    other.reset(seed=9)
    assert other.config is not match.config
    with pytest.raises(ValueError, match="other options"):
        Match(GAME, seed=8, deck="random:0-98").set_state(match.get_state())


def test_snapshots_name_the_deck() -> None:
    match = play(Match(GAME, seed=8, deck="random:0-99"), 30)
    word = match.config.options["deck"]
    data = match.snapshot(omniscient=True)
    assert data["options"]["deck"] == word
    assert Match.from_snapshot(GAME, data).config is match.config
    with pytest.raises(BadSnapshot, match=f"options.deck is '{word}', but these are the cards of 'random:3'"):
        Match.from_snapshot(GAME, data, deck="random:3")
    with pytest.raises(BadSnapshot, match=f"options.deck is '{word}', but these are other cards"):
        Match.from_snapshot(GAME, data, deck=None)
    nameless = {**data, "options": {name: value for name, value in data["options"].items() if name != "deck"}}
    with pytest.raises(BadSnapshot, match=f"options.deck is None, but these are the cards of '{word}'"):
        Match.from_snapshot(GAME, nameless, deck=word)


@pytest.mark.parametrize("deck", ["random:0-99", "random:9-1", "cards.toml", 3, ["classic"]])
def test_a_snapshot_of_no_deck_is_refused(deck: Any) -> None:
    """A position has one deck; and a snapshot opens no files."""
    data = Match(GAME, seed=8, deck="classic").snapshot(omniscient=True)
    data["options"]["deck"] = deck
    with pytest.raises(BadSnapshot, match=r"options\.deck is "):
        Match.from_snapshot(GAME, data)


def test_records_replay_with_their_deck() -> None:
    match = Match(GAME, seed=8, deck="random:0-99", max_rounds=2)
    record = GameRecord.begun(match, ["a", "b"])
    assert record.options["deck"] == match.config.options["deck"]
    actions, chance = [], random.Random(1)
    while not match.over:
        action = chance.choice(match.legal_actions())
        actions.append(action)
        match.play(action)
    ranged = GAME.config(deck="random:0-99", max_rounds=2)
    whole = GameRecord.of_actions(GAME, ranged, match.game_seed, ["a", "b"], actions)
    assert GameRecord.from_text(whole.to_text()) == whole and whole.options == record.options
    assert list(whole.play(GAME))[-1].snapshot() == match.snapshot()


def test_environments_know_the_words_of_their_deck() -> None:
    """AEC, Gymnasium: moves are named by the cards of the game that is played, after every reset."""
    env = bdgame_env.make_aec(GAME.id, deck="random:0-99")
    for seed in (1, 2):
        env.reset(seed=seed)
        assert env.unwrapped.match.snapshot() == Match(GAME, seed=seed, deck="random:0-99").snapshot()
        assert env.unwrapped.match.config.options["deck"] != "random:0-99"
    learner: Any = bdgame_env.make_gym(GAME.id, deck="random:0-99", opponents=["random"], seat=0)
    for seed in (1, 2):
        learner.reset(seed=seed)
        match = learner.unwrapped.match()
        kinds = match.config.cards.kinds
        assert kinds[8] != "special_1" and learner.unwrapped.action_to_string(
            match.string_to_action(f"select {kinds[8]}")
        )
        assert (
            learner.unwrapped.action_to_string(match.string_to_action(f"select {kinds[20]}")) == f"select {kinds[20]}"
        )


def test_every_deck_can_be_played() -> None:
    """Some games of decks to learn with and to measure with, to their ends."""
    batch = bdgame_env.make_batch(GAME.id, 8, seed=3, deck="random:10000-10099", max_rounds=3)
    chance = np.random.default_rng(0)
    done = np.zeros(8, bool)
    for _ in range(2_000):
        batch.step(np.array([int(chance.choice(np.flatnonzero(row))) for row in batch.mask], np.int32))
        done |= batch.done != 0
        if done.all():
            return
    raise AssertionError("a game did not end")
