"""Every public entry: wrong arguments are reported in one line. What is no whole number: see `test_values`."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import gymnasium
import numpy as np
import pytest

import bdgame_env
from bdgame_env import BadOption, IllegalAction, Match, UnknownGame
from bdgame_env.adapters.aec import RawAEC
from bdgame_env.engine.game import Game
from bdgame_env.engine.threads import usable_threads
from tests.adapters.conftest import one_line
from tests.support import toy_game

pytestmark = pytest.mark.usefixtures("toy")

GAME: Game = toy_game.GAME
NAN, INF = float("nan"), float("inf")
HUGE = 10**5000

MAKERS: dict[str, Callable[..., Any]] = {
    "make_match": lambda game, **settings: bdgame_env.make_match(game, **settings),
    "make_aec": lambda game, **settings: bdgame_env.make_aec(game, **settings),
    "make_parallel": lambda game, **settings: bdgame_env.make_parallel(game, **settings),
    "make_batch": lambda game, num_games=2, **settings: bdgame_env.make_batch(game, num_games, **settings),
    "make_gym": lambda game, **settings: bdgame_env.make_gym(game, **settings),
    "make_vector": lambda game, num_envs=2, **settings: bdgame_env.make_vector(game, num_envs, **settings),
    "make_sb3_vec": lambda game, num_envs=2, **settings: bdgame_env.make_sb3_vec(game, num_envs, **settings),
}
LEARNERS = ("make_gym", "make_vector", "make_sb3_vec")
PAYING = ("make_aec", "make_batch", *LEARNERS)
SEEDED = ("make_match", "make_batch", *LEARNERS)

# (setting, makers that have it, wrong values)
WRONG: list[tuple[str, tuple[str, ...], list[Any]]] = [
    ("players", tuple(MAKERS), [1, 5, -1, 2.0, "2", True, None, NAN, HUGE, [2], np.bool_(True)]),
    ("rolling", tuple(MAKERS), [1, 0, "yes", None, 1.0, []]),
    ("target", tuple(MAKERS), [0, -1, 1.5, "9", True, None, HUGE]),
    ("nonsense", tuple(MAKERS), [1, None]),
    ("seed", SEEDED, [-1, 1.5, "1", True, NAN, [1, 2], 2**128, HUGE, np.float64(1), np.bool_(True)]),
    ("reward", PAYING, ["glory", "", None, 1, b"rank", [], HUGE]),
    ("shaping", PAYING, ["x", NAN, INF, -INF, None, True, [1], 1j, HUGE, Fraction(1, 2), np.complex64(1)]),
    ("shaping_gamma", ("make_aec", "make_batch", *LEARNERS), ["x", NAN, INF, None, True, -0.1, 1.1, HUGE]),
    ("max_cycles", ("make_aec",), [0, -1, 1.5, "9", True, HUGE]),
    ("num_games", ("make_batch",), [0, -1, 1.5, "2", True, None, NAN, HUGE, [2]]),
    ("num_envs", ("make_vector", "make_sb3_vec"), [0, -1, 1.5, "2", True, None, NAN, HUGE, [2]]),
    ("threads", ("make_batch", "make_vector", "make_sb3_vec"), [0, -1, 1.5, "2", True, 10**6, HUGE]),
    ("illegal", ("make_aec", "make_parallel", *LEARNERS), ["ignore", "", None, True, 5, ["end"], b"end", HUGE]),
    ("observe", ("make_batch",), [1, 0, None, "no"]),
    ("seat", LEARNERS, [-1, 2, 1.0, True, False, "first", None, [0], HUGE, np.array([0, 1])]),
    ("opponents", LEARNERS, [None, 5, [], {}, [None], [("random", NAN)], [("random", -1)], [("random", 0)], object()]),
    ("observation", ("make_aec", "make_parallel", *LEARNERS), ["pixels", None, 5, ["flat"], b"flat"]),
    ("render_mode", ("make_aec", "make_gym", "make_vector"), ["svg", 5, True, ["ansi"], b"ansi"]),
    ("bootstrap", ("make_sb3_vec",), [1, None, "no"]),
]
CASES = [(maker, name, values) for name, makers, values in WRONG for maker in makers]


@pytest.mark.parametrize(("maker", "name", "values"), CASES, ids=[f"{maker} {name}" for maker, name, _ in CASES])
def test_a_wrong_setting_is_named_in_one_line(maker: str, name: str, values: list[Any]) -> None:
    if maker == "make_sb3_vec":
        pytest.importorskip("stable_baselines3")
    for value in values:
        with pytest.raises(BadOption) as refused:
            MAKERS[maker]("toy-v1", **{name: value})
        told = one_line(refused.value)
        assert name.removeprefix("shaping_").rstrip("s") in told
        assert any(word in told for word in ("must be", "allowed", "needed", "known", " is no ")), told


@pytest.mark.parametrize("maker", [*MAKERS, "get_game"])
def test_what_is_no_game_is_unknown(maker: str) -> None:
    if maker == "make_sb3_vec":
        pytest.importorskip("stable_baselines3")
    for game in (None, 5, True, 1.5, b"bdgame-v3", [], {}, "", "chess", "bdgame", "x" * 10**6, HUGE):
        with pytest.raises(UnknownGame, match="unknown game") as refused:
            MAKERS.get(maker, bdgame_env.get_game)(game)
        one_line(refused.value)


def test_a_deck_is_a_path() -> None:
    for value in (5, True, b"deck.toml", ["deck.toml"], 1.5):
        with pytest.raises(BadOption, match="option deck="):
            bdgame_env.make_match("bdgame-v3", deck=value)


def test_what_is_right_is_taken() -> None:
    for seed in (0, 2**64, 2**128 - 1, np.uint64(2**64 - 1), np.int8(3), None):
        Match(GAME, seed=seed)
    batch = bdgame_env.make_batch(
        "toy-v1", np.int32(3), shaping_gamma=np.float32(0.5), shaping=2, threads=np.int64(1), seed=1
    )
    assert batch.num_games == 3
    assert bdgame_env.make_gym("toy-v1", seat=np.int64(1)).reset(seed=1)
    assert usable_threads(np.int64(2)) == 2


def test_the_number_of_threads_of_the_environment_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    for text in ("many", "-1", "1.5", "9" * 9):
        monkeypatch.setenv("BDGAME_ENV_THREADS", text)
        with pytest.raises(BadOption, match=r"BDGAME_ENV_THREADS=.*, must be a whole number"):
            usable_threads(None)
    monkeypatch.setenv("BDGAME_ENV_THREADS", " 3 ")
    assert usable_threads(None) == 3


# Seeds and game seeds of existing environments

BAD_SEEDS = [-1, 1.5, "1", True, [1], 2**128, NAN]


@pytest.mark.parametrize("seed", BAD_SEEDS)
def test_a_bad_seed_changes_nothing(seed: Any) -> None:
    match, aec = Match(GAME, seed=1), RawAEC(GAME)
    aec.reset(seed=1)
    gym, vector = bdgame_env.make_gym("toy-v1", seed=1), bdgame_env.make_vector("toy-v1", 2, seed=1)
    gym.reset(seed=1)
    vector.reset(seed=1)
    batch = bdgame_env.make_batch("toy-v1", 2, seed=1)
    resets = [match.reset, aec.reset, gym.reset, vector.reset, batch.reset]
    states = [match.get_state, aec.get_state, gym.batch.states.tobytes, vector.batch.states.tobytes]
    before = [state() for state in states]
    for reset in resets:
        with pytest.raises((BadOption, TypeError, gymnasium.error.Error), match="seed") as refused:
            reset(seed=seed)
        one_line(refused.value)
    assert [state() for state in states] == before


@pytest.mark.parametrize("game_seed", [-1, 1.5, "1", True, 2**64, None])
def test_a_bad_game_seed_changes_nothing(game_seed: Any) -> None:
    match, aec = Match(GAME, seed=1), RawAEC(GAME)
    before = match.get_state(), aec.get_state()
    with pytest.raises(BadOption, match="game_seed="):
        match.deal(game_seed)
    if game_seed is not None:
        with pytest.raises(BadOption, match="game_seed="):
            aec.reset(options={"game_seed": game_seed})
    with pytest.raises(BadOption, match="options="):
        aec.reset(options=5)  # type: ignore[arg-type]
    assert (match.get_state(), aec.get_state()) == before


def test_an_unobserved_batch_refuses_an_illegal_action() -> None:
    """Otherwise the rules would run on a position that play never reaches."""
    batch = bdgame_env.make_batch("toy-v1", 4, seed=1, observe=False)
    before = batch.states.tobytes()
    for wild in (toy_game.KEEP, toy_game.ROLL, 127, -1):
        with pytest.raises(IllegalAction, match="row 2"):
            batch.step([toy_game.PASS, toy_game.DRAW, wild, toy_game.PASS])
        assert batch.states.tobytes() == before
