"""`engine.batch`: many matches at once. tests/conformance checks that a batch plays like its matches."""

from __future__ import annotations

import copy
import pickle
from itertools import pairwise

import numpy as np
import pytest

from bdgame_env import IllegalAction
from bdgame_env.engine.batch import Batch
from bdgame_env.engine.match import Match
from bdgame_env.engine.threads import run_ranges, usable_threads
from tests.support.toy_game import DRAW, GAME, KEEP, PASS, ROLL, SWAP


def batch(num_games=4, **settings):
    return Batch(GAME, num_games, **{"seed": 1, "threads": 1, **settings})


def step(games, chance):
    games.step((chance.random(games.mask.shape) * games.mask).argmax(axis=1))


def same(one, other):
    return pickle.dumps(one.get_state()) == pickle.dumps(other.get_state())


def test_arrays_have_the_shapes_and_types_announced():
    """They follow the number of games and the config's players, actions and observation size."""
    games = batch(5, players=3, rolling=True)
    arrays = {name: getattr(games, name) for name in ("obs", "mask", "seat", "rewards", "done", "finals")}
    assert {name: (array.shape, array.dtype.name) for name, array in arrays.items()} == {
        "obs": ((5, GAME.obs.itemsize), "int8"),
        "mask": ((5, 5), "int8"),
        "seat": ((5,), "int8"),
        "rewards": ((5, 3), "float32"),
        "done": ((5,), "int8"),
        "finals": ((5, 7), "int32"),
    }
    assert games.players == 3 and len(games.states) == 5


def test_arrays_are_read_only_and_stay_the_same():
    """A caller cannot change the games by accident; the next call overwrites what it holds."""
    games = batch()
    mask = games.mask
    for array in (games.obs, mask, games.seat, games.rewards, games.done, games.finals, games.states):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    games.step([DRAW] * 4)
    assert games.mask is mask and mask[:, [KEEP, SWAP]].all()


def test_the_end_pays_by_place_and_a_new_game_begins():
    """A game truncated after one round of passing: everybody shares the first rank."""
    games = batch(2, max_rounds=1)
    games.step([DRAW, PASS])
    assert not games.rewards.any() and not games.done.any()
    games.step([KEEP, PASS])
    assert games.done.tolist() == [0, 2] and games.finals[1].tolist() == [0, 0, 1, 1, 2]
    games.step([PASS, PASS])
    assert games.done.tolist() == [2, 0] and games.rewards.tolist() == [[1, -1], [0, 0]]
    points = games.finals[0, 0]
    assert points > 0 and games.finals[0].tolist() == [points, 0, 1, 2, 3]
    assert games.seat.tolist() == [0, 1] and games.states["decisions"].tolist() == [0, 1]


@pytest.mark.parametrize(
    ("scheme", "ranks", "rewards"),
    [
        ("rank", [1, 2, 3, 4], [1, 1 / 3, -1 / 3, -1]),
        ("rank", [1, 1, 3, 4], [2 / 3, 2 / 3, -1 / 3, -1]),
        ("rank", [2, 1, 2, 4], [0, 1, 0, -1]),
        ("win", [1, 2, 3, 4], [1, -1 / 3, -1 / 3, -1 / 3]),
        ("win", [1, 1, 3, 4], [1 / 3, 1 / 3, -1 / 3, -1 / 3]),
        ("win", [1, 1, 1, 1], [0, 0, 0, 0]),
    ],
)
def test_each_scheme_pays_what_its_name_says(scheme, ranks, rewards):
    """Seats that tie share what their ranks pay."""
    games = batch(1, players=4, reward=scheme, max_rounds=1)
    state = games.get_state()
    state["_games"]["points"][0] = [10 - place for place in ranks]
    state["_games"]["seat"] = 3
    games._take(state)
    games.step([PASS])
    assert games.finals[0, 4:8].tolist() == ranks
    np.testing.assert_allclose(games.rewards[0], rewards, atol=1e-6)


def test_shaping_pays_the_change_of_the_lead():
    """The potential is a seat's progress less the mean of the others': discounted, scaled, and 0 after the end."""
    games = batch(1, players=3, reward="points", shaping=2.0, shaping_gamma=0.5, max_rounds=1, target=12)
    games.step([DRAW])
    assert not games.rewards.any()
    face_up = int(games.states["face_up"][0])
    games.step([KEEP])
    lead = np.array([1, -0.5, -0.5]) * face_up / 12
    np.testing.assert_allclose(games.rewards[0], 2 * 0.5 * lead, atol=1e-6)
    games.step([PASS])
    np.testing.assert_allclose(games.rewards[0], 2 * (0.5 - 1) * lead, atol=1e-6)
    games.step([PASS])
    np.testing.assert_allclose(games.rewards[0], np.array([1, -0.5, -0.5]) - 2 * lead, atol=1e-6)


def test_the_next_game_is_drawn_from_the_matchs_own_generator():
    """What happens in other matches makes no difference."""
    one, two = batch(2, seed=5, max_rounds=1, rolling=True), batch(2, seed=5, max_rounds=1, rolling=True)
    for _ in range(10):
        one.step([PASS, PASS])
        two.step([PASS, ROLL])
    assert one.states["game_seed"][0] == two.states["game_seed"][0]
    assert one.states["game_seed"][1] != two.states["game_seed"][1]


WRONG = [
    ([0, 0, 0], "actions are whole numbers, shape (4,), not array(shape=(3,), dtype=int64)"),
    ([0.0] * 4, "actions are whole numbers, shape (4,), not array(shape=(4,), dtype=float64)"),
    ([0, 0, 4, 0], "row 2: no action 4; ids are 0 to 3"),
    ([0, 1, 0, KEEP], "row 3: 'take keep' is not legal (T1); legal moves: draw, pass"),
]


@pytest.mark.parametrize(("actions", "message"), WRONG, ids=[message for _, message in WRONG])
def test_a_wrong_action_is_refused_in_one_line(actions, message):
    """The message names row and action; no match is changed."""
    games = batch()
    before = copy.deepcopy(games)
    with pytest.raises(IllegalAction) as refused:
        games.step(np.array(actions))
    assert str(refused.value) == f"toy-v1: {message}"
    assert same(games, before)


def test_unobserved_batches_play_the_same_games():
    """`observe=False` leaves the observation unwritten, and the games as they are."""
    seen, unseen = batch(), batch(observe=False)
    shown = unseen.obs.copy()
    for _ in range(30):
        actions = seen.mask.argmax(axis=1)
        seen.step(actions)
        unseen.step(actions)
    assert seen.states.tobytes() == unseen.states.tobytes() and (seen.done == unseen.done).all()
    assert (unseen.obs == shown).all()


def test_copies_play_on_in_the_same_way():
    """clone, deepcopy, pickle and get_state, in the middle of games, with all settings."""
    settings = {"reward": "points", "shaping": 0.5, "shaping_gamma": 0.9, "players": 3, "rolling": True}
    games = batch(**settings)
    chance = np.random.default_rng(0)
    for _ in range(17):
        step(games, chance)
    restored = batch(**settings)
    restored.set_state(games.get_state())
    copies = [games.clone(), copy.deepcopy(games), pickle.loads(pickle.dumps(games)), restored]
    before = copy.deepcopy(games)
    rngs = [np.random.default_rng(1) for _ in [games, *copies]]
    for each, rng in zip(copies, rngs[1:], strict=True):
        for _ in range(40):
            step(each, rng)
    assert same(games, before)
    for _ in range(40):
        step(games, rngs[0])
    assert all(same(games, each) for each in copies)


def test_reset_starts_the_games_of_a_new_batch():
    """With a seed the same games, without one different games each time."""
    games, chance = batch(), np.random.default_rng(0)
    for _ in range(9):
        step(games, chance)
    games.reset(seed=8)
    assert same(games, batch(seed=8))
    games.reset()
    first = games.states["game_seed"].copy()
    games.reset()
    assert (games.states["game_seed"] != first).all()
    assert games.states["game_seed"][0] != Match(GAME).game_seed


def test_ranges_cover_all_rows_once():
    """Fewer than 512 rows make one part; there are never more parts than threads."""
    for rows, threads, parts in [(1, 8, 1), (511, 8, 1), (512, 1, 1), (512, 8, 2), (1000, 3, 3), (5000, 4, 4)]:
        ranges = run_ranges(lambda part, lo, hi: part * 10**8 + lo * 10**4 + hi, rows, threads, sliced=False)
        bounds = [(number // 10**4 % 10**4, number % 10**4) for number in ranges]
        assert len(bounds) == parts and bounds[0][0] == 0 and bounds[-1][1] == rows
        assert all(one[1] == other[0] for one, other in pairwise(bounds))
    assert usable_threads(3) == 3 and usable_threads(None) >= 1


def test_an_error_in_a_thread_reaches_the_caller():
    """No range is lost silently."""

    def fails(part, lo, hi):
        if part == 1:
            raise RuntimeError("range 1")

    with pytest.raises(RuntimeError, match="range 1"):
        run_ranges(fails, 512, 2)
