"""One value, one treatment: whole numbers of every type are taken or refused alike by everything that takes one."""

from __future__ import annotations

import enum
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import gymnasium
import numpy as np
import pytest

import bdgame_env
from bdgame_env import BadOption, IllegalAction, Match
from bdgame_env.adapters.aec import RawAEC
from bdgame_env.adapters.self_play import SnapshotOpponents
from bdgame_env.agents import make_agent
from bdgame_env.engine.batch import Batch
from bdgame_env.engine.game import Game, NoAction
from bdgame_env.engine.learner import LearnerBatch, Opponent
from bdgame_env.engine.rng import game_seed
from bdgame_env.engine.threads import usable_threads
from bdgame_env.engine.values import as_number, as_switch, as_whole, as_wholes
from bdgame_env.registration import gymnasium_id
from tests.adapters.conftest import one_line
from tests.support import toy_game

torch: Any = pytest.importorskip("torch")
pytestmark = pytest.mark.usefixtures("toy")

GAME: Game = toy_game.GAME
TOY = "toy-v1"
PASS, KEEP = toy_game.PASS, toy_game.KEEP
RANDOM = [Opponent("random", policy=0)]


class Number(enum.IntEnum):
    """Whole numbers that are no plain `int`."""

    ONE, TWO = 1, 2


class Indexed:
    """What Python itself takes for an index."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __index__(self) -> int:
        return self.number


class Hostile:
    """Raises from whatever it is asked."""

    def _raise(self, *_: Any) -> Any:
        raise RuntimeError("no")

    __index__ = __int__ = __float__ = __array__ = __repr__ = __len__ = __iter__ = item = _raise


WHOLE: dict[str, Callable[[int], Any]] = {
    "int": int,
    "IntEnum": Number,
    **{kind: np.dtype(kind).type for kind in ("int8", "int32", "int64", "uint8", "uint64")},
    "0-d array": lambda number: np.array(number, np.int16),
    "array of one": lambda number: np.array([number], np.uint32),
    "array of one in two axes": lambda number: np.array([[number]]),
    "array of one object": lambda number: np.array([number], object),
    "0-d tensor": torch.tensor,
    "tensor of one": lambda number: torch.tensor([number], dtype=torch.int32),
    "index": Indexed,
}
NOT_WHOLE: dict[str, Any] = {
    "True": True,
    "np.True_": np.True_,
    "0-d array of bool": np.array(True),
    "array of one bool": np.array([True]),
    "tensor of bool": torch.tensor(True),
    "1.0": 1.0,
    "1.5": 1.5,
    "NaN": float("nan"),
    "infinity": float("inf"),
    "np.float32": np.float32(1),
    "array of one float": np.array([1.0]),
    "tensor of float": torch.tensor(1.0),
    "complex": 1j,
    "Fraction": Fraction(1),
    "Decimal": Decimal(1),
    "timedelta64": np.timedelta64(1, "ns"),
    "array of one timedelta64": np.array([1], "m8[ns]"),
    "bytes": b"1",
    "array of a string": np.array("1"),
    "list": [1],
    "tuple": (1,),
    "dict": {1: 1},
    "array of none": np.array([], np.int64),
    "array of two": np.array([1, 1]),
    "tensor of two": torch.tensor([1, 1]),
    "object": object(),
    "hostile": Hostile(),
}
NO_ACTIONS = [-1, 5, 127, 128, 2**31, 2**63, -(2**63) - 1, 2**64 + 1, 10**30, 10**5000, np.uint64(2**63)]


# Actions, one at a time

Way = tuple[Callable[[Any], Any], Callable[[], Any]]  # plays an action; what must not change if it is refused


def _aec(raw: bool, illegal: str) -> Way:
    env: Any = RawAEC(GAME) if raw else bdgame_env.make_aec(TOY, illegal=illegal)
    env.reset(seed=1)
    return env.step, lambda: repr(env.unwrapped.get_state())


def _parallel(illegal: str) -> Way:
    env = bdgame_env.make_parallel(TOY, illegal=illegal)
    env.reset(seed=1)
    return lambda action: env.step({env.agents[0]: action}), lambda: (env.match.get_state(), env.agents)


def _played(env: Any) -> Way:
    env.reset(seed=1)
    return env.play, lambda: _games(env)


def _gym(made_by_gymnasium: bool, illegal: str) -> Way:
    env: Any = bdgame_env.make_gym(TOY, illegal=illegal, seat=0)
    if made_by_gymnasium:
        env = gymnasium.make(gymnasium_id(TOY), illegal=illegal, seat=0)
    env.reset(seed=1)
    return env.step, lambda: (env.unwrapped.batch.states.tobytes(), env.unwrapped.batch.rows.tobytes())


def _rows(make: Callable[[], Any]) -> Way:
    env = make()
    if not isinstance(env, Batch):
        env.reset()
    batch = getattr(env, "batch", env)
    return lambda action: env.step([action]), lambda: batch.states.tobytes()


def _match(play: Callable[[Match, Any], Any]) -> Way:
    match = Match(GAME, seed=1)
    return lambda action: play(match, action), match.get_state


def _openspiel() -> Way:
    spiel = pytest.importorskip("bdgame_env.adapters.openspiel")
    spiel.register_openspiel()
    import pyspiel

    state = pyspiel.load_game("python_toy").new_initial_state()
    for _ in range(8):
        state.apply_action(1)
    return state.apply_action, lambda: (str(state), state.history())


def _rllib() -> Way:
    pytest.importorskip("ray")
    from bdgame_env.adapters.rllib import RLlibEnv

    env = RLlibEnv({"game": GAME})
    env.reset(seed=1)
    return lambda action: env.step({"player_0": action}), lambda: repr(env._env.unwrapped.get_state())


def _sb3(illegal: str) -> Way:
    pytest.importorskip("stable_baselines3")
    return _rows(lambda: bdgame_env.make_sb3_vec(TOY, 1, seed=1, seat=0, illegal=illegal))


ENDING: dict[str, Callable[[str], Way]] = {  # those that have `illegal`
    "make_aec": lambda illegal: _aec(False, illegal),
    "make_parallel": _parallel,
    "make_gym": lambda illegal: _gym(False, illegal),
    "gymnasium.make": lambda illegal: _gym(True, illegal),
    "make_vector": lambda illegal: _rows(lambda: bdgame_env.make_vector(TOY, 1, seed=1, seat=0, illegal=illegal)),
    "make_sb3_vec": _sb3,
    "LearnerBatch": lambda illegal: _rows(
        lambda: LearnerBatch(GAME, GAME.config(), 1, RANDOM, seed=1, seat=0, illegal=illegal)
    ),
}
WAYS: dict[str, Callable[[], Way]] = {
    **{name: lambda make=make: make("end") for name, make in ENDING.items()},
    "RawAEC": lambda: _aec(True, ""),
    "RawAEC.play": lambda: _played(RawAEC(GAME)),
    "LearnerEnv.play": lambda: _played(bdgame_env.make_gym(TOY, seat=0)),
    "Batch": lambda: _rows(lambda: Batch(GAME, 1, seed=1)),
    "Match.play": lambda: _match(Match.play),
    "Match.action_to_string": lambda: _match(Match.action_to_string),
    "Match.told": lambda: _match(lambda match, action: match.told(action, None)),
    "OpenSpiel": _openspiel,
    "RLlibEnv": _rllib,
}


@pytest.mark.parametrize("way", WAYS)
def test_a_whole_number_of_any_type_is_the_same_action(way: str) -> None:
    ends = set()
    for kind, made in WHOLE.items():
        play, state = WAYS[way]()
        play(made(PASS))
        ends.add(repr(state()))
        assert len(ends) == 1, kind


@pytest.mark.parametrize("way", WAYS)
def test_what_is_no_whole_number_is_no_action(way: str) -> None:
    """The same error everywhere, whatever `illegal` says, and nothing is changed."""
    play, state = WAYS[way]()
    before = state()
    given = {**NOT_WHOLE, "None": None}
    if not way.startswith("Match") and not way.endswith(".play"):
        given["a move"] = "pass"
    for kind, value in given.items():
        with pytest.raises(NoAction) as refused:
            play(value)
        assert isinstance(refused.value, TypeError) and isinstance(refused.value, IllegalAction)
        assert ": an action is a whole number, not " in one_line(refused.value) or (
            ": actions are whole numbers, shape (1,), not " in str(refused.value)
        )
        assert state() == before, kind


@pytest.mark.parametrize("way", WAYS)
def test_a_number_that_is_no_action_is_refused_whatever_its_size(way: str) -> None:
    """By PettingZoo's own wrapper in its own way, which RLlib's environment is made of."""
    play, state = WAYS[way]()
    before = state()
    for action in NO_ACTIONS:
        with pytest.raises(AssertionError if way in ("make_aec", "RLlibEnv") else IllegalAction) as refused:
            play(action)
        assert not isinstance(refused.value, NoAction)
        one_line(refused.value)
        assert state() == before, action


@pytest.mark.parametrize("way", ENDING)
def test_the_type_of_an_illegal_action_makes_no_difference(way: str) -> None:
    for kind, made in WHOLE.items():
        play, state = ENDING[way]("raise")
        before = state()
        with pytest.raises(IllegalAction, match=r"'?take keep'?.* is not legal.*; legal moves: draw, pass") as refused:
            play(made(KEEP))
        assert not isinstance(refused.value, NoAction) and state() == before, kind
        play, state = ENDING[way]("end")
        before = state()
        play(made(KEEP))
        assert state() != before, kind


# Actions, a row for each game

FEW = 3
ROWS: dict[str, Callable[[list[int]], Any]] = {
    "list": list,
    "tuple": tuple,
    **{
        kind: lambda actions, kind=kind: np.array(actions, kind)
        for kind in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "object")
    },
    "strided": lambda actions: np.repeat(np.array(actions), 2)[::2],
    "tensor": torch.tensor,
    "tensor of int8": lambda actions: torch.tensor(actions, dtype=torch.int8),
    **{
        f"list of {kind}": lambda actions, made=made: [made(action) for action in actions]
        for kind, made in WHOLE.items()
    },
}
NO_ROWS: list[Any] = [
    *(np.ones(FEW), np.full(FEW, np.nan), np.ones(FEW, np.float16), np.ones(FEW, bool), np.array(["pass"] * FEW)),
    *(np.ones(FEW, "m8[ns]"), np.ones((FEW, 1), int), np.ones((1, FEW), int), np.ones(FEW + 1, int), np.array(1)),
    *(torch.ones(FEW), torch.ones(FEW, dtype=torch.bool), torch.ones(FEW - 1, dtype=torch.int64)),
    *([1.0] * FEW, [1, 1.5, 1], [True, 1, 1], [1, 1, None], ["pass"] * FEW, [[1]] * FEW, [1], [1] * (FEW + 1), []),
    *(
        [1, [1, 2], 1],
        1,
        True,
        None,
        "pass",
        "111",
        b"111",
        1.0,
        {0: 1, 1: 1, 2: 1},
        {1, 2, 3},
        iter([1, 1, 1]),
        Hostile(),
    ),
    *([Hostile()] * FEW, np.array([1, 1, True], object), np.array([1, 1, 1.0], object)),
]
STEPPED: dict[str, Callable[[], Any]] = {
    "Batch": lambda: Batch(GAME, FEW, seed=1),
    "Batch unobserved": lambda: Batch(GAME, FEW, seed=1, observe=False),
    "LearnerBatch": lambda: LearnerBatch(GAME, GAME.config(), FEW, RANDOM, seed=1, seat=0),
    "make_vector": lambda: bdgame_env.make_vector(TOY, FEW, seed=1, seat=0, render_mode="ansi"),
    "make_sb3_vec": lambda: bdgame_env.make_sb3_vec(TOY, FEW, seed=1, seat=0),
}


def stepped(way: str) -> Way:
    if way == "make_sb3_vec":
        pytest.importorskip("stable_baselines3")
    env = STEPPED[way]()
    if not isinstance(env, Batch):
        env.reset()
    return env.step, lambda: getattr(env, "batch", env).states.tobytes()


@pytest.mark.parametrize("way", STEPPED)
def test_rows_of_whole_numbers_of_any_type_are_the_same_actions(way: str) -> None:
    ends = set()
    for kind, made in ROWS.items():
        step, state = stepped(way)
        step(made([PASS, PASS, PASS]))
        ends.add(state())
        assert len(ends) == 1, kind


@pytest.mark.parametrize("way", STEPPED)
def test_rows_of_anything_else_are_refused(way: str) -> None:
    step, state = stepped(way)
    before = state()
    for place, actions in enumerate(NO_ROWS):
        with pytest.raises(NoAction, match=r"actions are whole numbers, shape \(3,\), not ") as refused:
            step(actions)
        one_line(refused.value)
        assert state() == before, place
    wide = np.array([PASS, 2**63 + 1, PASS], np.uint64)
    for actions in (*([PASS, action, PASS] for action in NO_ACTIONS), wide):
        with pytest.raises(IllegalAction, match=r"row 1: no action .*; ids are 0 to 3") as refused:
            step(actions)
        assert not isinstance(refused.value, NoAction)
        one_line(refused.value)
        assert state() == before, actions


@pytest.mark.parametrize("answer", [*ROWS.values()], ids=ROWS)
def test_opponents_answer_in_whole_numbers_of_any_type(answer: Callable[[list[int]], Any]) -> None:
    def act(observation: Any, mask: Any, states: Any) -> Any:
        return answer([PASS] * len(mask))

    batch = LearnerBatch(GAME, GAME.config(), FEW, [Opponent("own", act=act)], seed=1, seat=1)
    batch.reset()
    assert batch.rows["seat"].tolist() == [1] * FEW


# Seeds


def _games(env: Any) -> Any:
    """The games of any environment, as bytes."""
    env = getattr(env, "unwrapped", env)
    if hasattr(env, "batch"):
        return env.batch.states.tobytes()
    return env.match.get_state() if hasattr(env, "match") else env.states.tobytes()


def _ready(env: Any) -> Any:
    env.reset(seed=3)
    return env


def _reset(env: Any, seed: Any) -> Any:
    env.reset(seed=seed)
    return _games(env)


def _made(env: Any) -> Any:
    env.reset()
    return _games(env)


def _sb3_seeded(seed: Any) -> Any:
    env = bdgame_env.make_sb3_vec(TOY, 2)
    env.seed(seed)
    return _made(env)


def _learners(seat: Any = 0) -> LearnerBatch:
    batch = LearnerBatch(GAME, GAME.config(), 2, RANDOM, seed=1, seat=seat)
    batch.reset()
    return batch


def _rows_seeded(seed: Any) -> Any:
    batch = _learners()
    batch.seed(seed)
    return batch.rows.tobytes()


def _determinized(seat: Any, seed: Any) -> Any:
    batch = _learners()
    batch.determinize(seat, seed)
    return batch.states.tobytes()


CLONED: dict[str, Callable[[Any, Any], Any]] = {  # (seat, seed) -> games
    "Match.clone": lambda seat, seed: _games(Match(GAME, seed=1).clone(determinize=seat, seed=seed)),
    "RawAEC.clone": lambda seat, seed: _games(_ready(RawAEC(GAME)).clone(determinize=seat, seed=seed)),
    "make_aec clone": lambda seat, seed: _games(_ready(bdgame_env.make_aec(TOY)).clone(determinize=seat, seed=seed)),
    "make_gym clone": lambda seat, seed: _games(
        _ready(bdgame_env.make_gym(TOY, seat=0)).clone(determinize=seat, seed=seed)
    ),
    "LearnerBatch.determinize": _determinized,
}
SEEDED: dict[str, Callable[[Any], Any]] = {
    "game_seed": game_seed,
    "Match": lambda seed: _games(Match(GAME, seed=seed)),
    "Match.reset": lambda seed: _reset(Match(GAME, seed=1), seed),
    "Batch": lambda seed: _games(Batch(GAME, 2, seed=seed)),
    "Batch.reset": lambda seed: _reset(Batch(GAME, 2), seed),
    "LearnerBatch.seed": _rows_seeded,
    "RawAEC.reset": lambda seed: _reset(RawAEC(GAME), seed),
    "make_aec reset": lambda seed: _reset(bdgame_env.make_aec(TOY), seed),
    "make_parallel reset": lambda seed: _reset(bdgame_env.make_parallel(TOY), seed),
    "make_gym": lambda seed: _made(bdgame_env.make_gym(TOY, seed=seed, seat=0)),
    "make_gym reset": lambda seed: _reset(bdgame_env.make_gym(TOY, seat=0), seed),
    "gymnasium.make reset": lambda seed: _reset(gymnasium.make(gymnasium_id(TOY), seat=0), seed),
    "make_vector": lambda seed: _made(bdgame_env.make_vector(TOY, 2, seed=seed, seat=0)),
    "make_vector reset": lambda seed: _reset(bdgame_env.make_vector(TOY, 2, seat=0), seed),
    "gymnasium.make_vec reset": lambda seed: _reset(gymnasium.make_vec(gymnasium_id(TOY), 2, seat=0), seed),
    "make_sb3_vec": lambda seed: _made(bdgame_env.make_sb3_vec(TOY, 2, seed=seed, seat=0)),
    "make_sb3_vec seed": _sb3_seeded,
    "make_agent": lambda seed: vars(make_agent("random", GAME, GAME.config(), seed=seed))["_seed"],
    **{name: lambda seed, clone=clone: clone(0, seed) for name, clone in CLONED.items()},
}


def needs(name: str) -> None:
    if "sb3" in name:
        pytest.importorskip("stable_baselines3")


@pytest.mark.parametrize("name", SEEDED)
def test_a_seed_of_any_type_is_the_same_seed(name: str) -> None:
    needs(name)
    wanted = SEEDED[name](2)
    assert wanted != SEEDED[name](1)
    for kind, made in WHOLE.items():
        assert SEEDED[name](made(2)) == wanted, kind


@pytest.mark.parametrize("name", SEEDED)
def test_what_is_no_seed_is_refused(name: str) -> None:
    needs(name)
    for value in (*NOT_WHOLE.values(), "1", -1, np.int8(-1), 2**128, 10**5000):
        with pytest.raises(BadOption, match=r"seed=.*, must be None or a whole number, 0 to 2\*\*128 - 1$") as refused:
            SEEDED[name](value)
        one_line(refused.value)


@pytest.mark.parametrize("spec", ["random", "mcts", "planner", "ppo", "program:cat"])
def test_agents_are_seeded_alike(spec: str) -> None:
    game = bdgame_env.get_game("gizmos-v3")
    agent = make_agent(spec, game, game.config())
    for made in WHOLE.values():
        agent.seed(made(1))
    for value in (*NOT_WHOLE.values(), "1", -1, 2**128):
        with pytest.raises(BadOption, match="seed="):
            agent.seed(value)


# Sizes, options and seats


MAKERS: dict[str, Callable[..., Any]] = {
    "make_match": lambda **settings: bdgame_env.make_match(TOY, **settings),
    "make_aec": lambda **settings: bdgame_env.make_aec(TOY, **settings),
    "make_parallel": lambda **settings: bdgame_env.make_parallel(TOY, **settings),
    "make_gym": lambda **settings: bdgame_env.make_gym(TOY, **settings),
    "gymnasium.make": lambda **settings: gymnasium.make(gymnasium_id(TOY), **settings),
    "make_vector": lambda num_envs=2, **settings: bdgame_env.make_vector(TOY, num_envs, **settings),
    "make_sb3_vec": lambda num_envs=2, **settings: bdgame_env.make_sb3_vec(TOY, num_envs, **settings),
    "make_batch": lambda num_games=2, **settings: bdgame_env.make_batch(TOY, num_games, **settings),
}


def _options(env: Any) -> dict[str, Any]:
    env = getattr(env, "unwrapped", env)
    holder = getattr(env, "batch", None) or getattr(env, "match", env)
    return dict(holder.config.options)


def _seat_of(env: Any) -> list[int]:
    env.reset()
    seats: list[int] = getattr(env, "unwrapped", env).batch.rows["seat"].tolist()
    return seats


TAKEN: dict[str, Callable[[Any], Any]] = {  # what becomes of 2
    **{
        f"{maker} {option}": lambda value, make=make, option=option: _options(make(**{option: value}))[option]
        for maker, make in MAKERS.items()
        for option in ("players", "max_rounds")
    },
    "make_batch num_games": lambda value: MAKERS["make_batch"](num_games=value).num_games,
    "make_vector num_envs": lambda value: MAKERS["make_vector"](num_envs=value).num_envs,
    "make_sb3_vec num_envs": lambda value: MAKERS["make_sb3_vec"](num_envs=value).num_envs,
    "make_aec max_cycles": lambda value: MAKERS["make_aec"](max_cycles=value).unwrapped.max_cycles,
    "LearnerBatch num_games": lambda value: LearnerBatch(GAME, GAME.config(), value, RANDOM).num_games,
    "threads": usable_threads,
    **{
        f"{maker} threads": lambda value, make=make: getattr(env := make(threads=value), "batch", env).threads
        for maker, make in MAKERS.items()
        if maker in ("make_batch", "make_vector", "make_sb3_vec")
    },
    "SnapshotOpponents keep": lambda value: SnapshotOpponents(keep=value).keep,
    "Match match": lambda value: 2 if Match(GAME, seed=1, match=value).game_seed == game_seed(1, 2) else 0,
    "Match.deal": lambda value: _dealt(value),
    "RawAEC.reset game_seed": lambda value: _game_of(value),
}
SEATS: dict[str, Callable[[Any], Any]] = {  # what becomes of seat 1
    **{
        f"{maker} seat": lambda value, make=make: _seat_of(make(seat=value, seed=1))[0]
        for maker, make in MAKERS.items()
        if maker in ("make_gym", "gymnasium.make", "make_vector", "make_sb3_vec")
    },
    "LearnerBatch seat": lambda value: int(_learners(value).rows["seat"][0]),
    "Match.observe": lambda value: Match(GAME, seed=1).observe(value).tobytes(),
    "Match.snapshot": lambda value: repr(Match(GAME, seed=1).snapshot(seat=value)),
    "Match.told": lambda value: Match(GAME, seed=1).told(PASS, value),
    **{
        f"{maker} render": lambda value, make=make: _ready(make(render_mode="ansi")).render(value)
        for maker, make in MAKERS.items()
        if maker in ("make_aec", "make_parallel")
    },
    **{name: lambda value, clone=clone: clone(value, 5) for name, clone in CLONED.items()},
}


def _dealt(value: Any) -> int:
    match = Match(GAME, seed=1)
    match.deal(value)
    return match.game_seed


def _game_of(value: Any) -> int:
    env = RawAEC(GAME)
    env.reset(options={"game_seed": value})
    return env.match.game_seed


@pytest.mark.parametrize("name", TAKEN)
def test_a_whole_number_of_any_type_is_the_same_setting(name: str) -> None:
    needs(name)
    for kind, made in WHOLE.items():
        found = TAKEN[name](made(2))
        assert found == 2 and type(found) is int, kind
    for value in (*NOT_WHOLE.values(), "2", "", -1, 10**5000):
        with pytest.raises(BadOption) as refused:
            TAKEN[name](value)
        one_line(refused.value)


@pytest.mark.parametrize("name", SEATS)
def test_a_seat_of_any_type_is_the_same_seat(name: str) -> None:
    needs(name)
    wanted = SEATS[name](1)
    for kind, made in WHOLE.items():
        assert SEATS[name](made(1)) == wanted, kind
    for value in (*NOT_WHOLE.values(), "1", -1, 2, 10**5000):
        with pytest.raises(BadOption, match=r"seat") as refused:
            SEATS[name](value)
        one_line(refused.value)


def test_indices_of_games_are_whole_numbers() -> None:
    """SB3 itself would take True for game 1, and leave out those that do not exist."""
    pytest.importorskip("stable_baselines3")
    env = bdgame_env.make_sb3_vec(TOY, 3, seed=1)
    env.reset()
    asked: list[Callable[[Any], Any]] = [
        lambda indices: env.get_attr("num_envs", indices),
        lambda indices: env.env_method("action_masks", indices=indices),
        lambda indices: env.env_method("has_attr", "batch", indices=indices),
        lambda indices: env.env_is_wrapped(gymnasium.Wrapper, indices),
    ]
    for ask in asked:
        assert len(ask(None)) == 3 and len(ask([0, np.int64(2)])) == len(ask(range(2))) == len(ask({0, -1})) == 2
        for made in WHOLE.values():
            assert len(ask(made(1))) == 1
        wrong = [value for kind, value in NOT_WHOLE.items() if kind not in ("list", "tuple", "dict", "hostile")]
        for value in (*wrong, 3, -4, [0, 3], [True], [1.0], "0", 10**5000):
            if (isinstance(value, np.ndarray) and value.dtype.kind == "i") or value is NOT_WHOLE["tensor of two"]:
                continue  # several games, or none
            with pytest.raises(BadOption, match="indices=") as refused:
                ask(value)
            one_line(refused.value)
    with pytest.raises(BadOption, match="belongs to all games"):
        env.set_attr("note", 1, indices=[0, 1, 1])
    env.set_attr("note", 1, indices=[0, -1, 1])


# The functions themselves


def test_numbers_and_switches_of_any_type() -> None:
    for made in WHOLE.values():
        found = as_whole(made(2))
        assert found == as_number(made(2)) == 2 and type(found) is int and as_switch(made(1)) is None
    for kind in (float, np.float16, np.float32, np.array, torch.tensor, lambda value: np.array([value])):
        number = as_number(kind(0.5))
        assert number == 0.5 and type(number) is float and as_whole(kind(0.5)) is None
    for yes in (True, np.True_, np.array(True), np.array([True]), torch.tensor(True), torch.tensor([True])):
        assert as_switch(yes) is True and as_whole(yes) is None and as_number(yes) is None
        for make in MAKERS.values():
            assert _options(make(rolling=yes))["rolling"] is True


def test_numbers_of_a_row_keep_their_values() -> None:
    for most in (2**63 - 1, 2**64 - 1, 10**30):
        found = as_wholes([1, most], 2)
        assert found is not None and [int(number) for number in found] == [1, most]
    whole = np.array([1, 2**64 - 1], np.uint64)
    assert as_wholes(whole, 2) is whole
