"""Every public member of every environment before the first `reset`: it works, or raises what its framework then does.

Records of zeros are no games: nothing may show, copy or sample them.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from bdgame_env import Match, get_game, list_games, make_aec, make_batch, make_gym, make_parallel, make_sb3_vec
from bdgame_env import make_vector as make_vector_env
from bdgame_env.adapters.aec import RawAEC
from bdgame_env.engine.learner import Opponent
from bdgame_env.registration import gymnasium_id

GAMES = list_games()


@dataclass(frozen=True)
class Kind:
    """One kind of environment.

    Attributes:
        make: `(game) -> environment`.
        arguments: of its members that need some; `(game, environment) -> arguments`, or the arguments.
        needs: its members that need a game, and what they raise without one.
        never: members that its framework declares but that raise this, with or without a game.
        passed_on: members of the environment that a wrapper passes on.
    """

    make: Callable[[str], Any]
    arguments: dict[str, Any]
    needs: dict[str, type[Exception]]
    never: dict[str, type[Exception]]
    passed_on: tuple[str, ...] = ()


def an_action(env: Any) -> Any:
    """A legal action, for each game of a batch; 0 if there is no game."""
    if isinstance(env, Match):
        return env.legal_actions()[0]
    inner = getattr(env, "venv", getattr(env, "unwrapped", env))  # that of a wrapper
    match = getattr(inner, "match", None)
    if isinstance(match, Match):
        return match.legal_actions()[0]
    masks = getattr(inner, "batch", inner).mask
    return masks[0].argmax() if hasattr(inner, "action_to_string") or len(masks) == 1 else masks.argmax(axis=1)


def a_move(env: Any) -> str:
    config = getattr(env, "batch", getattr(env, "match", env)).config
    return str(env.game.notation(config)[0][an_action(env)])


def snapshot_of(env: Any) -> dict[str, Any]:
    return Match(env.game, seed=1).snapshot(omniscient=True)


def given(*arguments: Any) -> Callable[[Any], tuple[Any, ...]]:
    return lambda env: arguments


ACTION = lambda env: (an_action(env),)  # noqa: E731
AGENT = given("player_0")
NOBODY = lambda env: ([Opponent("random", policy=0)],)  # noqa: E731
NAMES = {"action_to_string": given(0), "string_to_action": lambda env: (a_move(env),)}
AEC = {
    "action_space": AGENT,
    "observation_space": AGENT,
    "observe": AGENT,
    "step": ACTION,
    "play": lambda env: (a_move(env),),
    "advance": ACTION,
    "refuses": given(0),
    "from_snapshot": lambda env: (snapshot_of(env),),
    "set_state": lambda env: (env.get_state(),),
    "render_match": lambda env: (env.match, None),
    **NAMES,
}
RAW_AEC = ("action_to_string", "string_to_action", "legal_moves", "snapshot", "get_state", "match", "game")
SPACES = {"set_wrapper_attr": given("spare", 1), "has_wrapper_attr": given("batch"), "get_wrapper_attr": given("batch")}
GYM = {
    **SPACES,
    "step": ACTION,
    "play": lambda env: (a_move(env),),
    **NAMES,
    "set_opponents": NOBODY,
    "set_state": lambda env: (env.get_state(),),
}
VEC_ENV = {
    "step": ACTION,
    "step_async": ACTION,
    "env_method": given("action_masks"),
    "get_attr": given("batch"),
    "has_attr": given("batch"),
    "set_attr": given("spare", 1),
    "env_is_wrapped": given(object),
    "getattr_depth_check": given("batch", False),
    "getattr_recursive": given("batch"),
    "set_opponents": NOBODY,
    "set_state": lambda env: (env.get_state(),),
}
UNREADABLE = ("agents", "num_agents", "agent_selection", "rewards", "terminations", "truncations", "infos")
KINDS = {
    "aec": Kind(
        lambda game: make_aec(game, render_mode="ansi"),
        AEC,
        {
            **dict.fromkeys(UNREADABLE, AttributeError),
            **dict.fromkeys(("agent_iter", "last", "observe", "play", "render", "step"), AssertionError),
            "last": AttributeError,  # it begins with `agent_selection`
            "state": AssertionError,
        },
        {},
        RAW_AEC,
    ),
    "raw aec": Kind(lambda game: RawAEC(get_game(game), render_mode="ansi"), AEC, {}, {}),
    "parallel": Kind(
        lambda game: make_parallel(game, render_mode="ansi"),
        {**AEC, "step": given({})},
        {"step": AssertionError},
        {},
    ),
    "gym": Kind(
        lambda game: make_gym(game, render_mode="ansi"),
        GYM,
        dict.fromkeys(
            ("action_masks", "legal_moves", "lineup", "match", "play", "render", "seat", "snapshot", "step"),
            ResetNeeded,
        ),
        {},
    ),
    "gymnasium.make": Kind(
        lambda game: gymnasium.make(gymnasium_id(game), render_mode="ansi"),
        GYM,
        dict.fromkeys(("render", "step"), ResetNeeded),
        {},
    ),
    "vector": Kind(
        lambda game: make_vector_env(game, 2, render_mode="ansi"),
        {**GYM, "call": given("action_masks"), "get_attr": given("game"), "set_attr": given("spare", 1)},
        dict.fromkeys(("action_masks", "call", "render", "step"), ResetNeeded),
        {},
    ),
    "sb3": Kind(
        lambda game: make_sb3_vec(game, 2),
        VEC_ENV,
        dict.fromkeys(("env_method", "step", "step_wait"), RuntimeError),
        {"get_images": NotImplementedError},
    ),
    "raw sb3": Kind(
        lambda game: make_sb3_vec(game, 2).venv,
        VEC_ENV,
        dict.fromkeys(("action_masks", "env_method", "step", "step_wait"), RuntimeError),
        {"get_images": NotImplementedError},
    ),
    "batch": Kind(lambda game: make_batch(game, 2), GYM, {}, {}),
    "match": Kind(
        lambda game: Match(get_game(game)),
        {
            **NAMES,
            "play": ACTION,
            "deal": given(7),
            "told": given(0, None),
            "told_to_all": given(0),
            "seat_known_to": given(0),
            "set_state": lambda env: (env.get_state(),),
            "from_snapshot": lambda env: (env.game, env.snapshot(omniscient=True)),
        },
        {},
        {},
    ),
    "learner batch": Kind(
        lambda game: make_sb3_vec(game, 2).batch,
        {
            "step": ACTION,
            "lineup": given(0),
            "result": given(0),
            "row": given(0),
            "determinize": given(0),
            "seed": given(1),
            "seed_agents": given(1),
            "set_opponents": NOBODY,
            "set_state": lambda env: (env.get_state(),),
        },
        dict.fromkeys(("check_started", "determinize", "lineup", "result", "step"), RuntimeError),
        {},
    ),
}
NOT_CALLED = {"reset", "env", "unwrapped", "venv"}


def members(env: Any, kind: Kind) -> list[str]:
    names = {name for name in dir(type(env)) if not name.startswith("_")}
    return sorted((names | set(kind.passed_on)) - NOT_CALLED)


def use(env: Any, name: str, kind: Kind) -> Any:
    """Read a member, and call it if it is a method."""
    arguments = kind.arguments.get(name, given())(env)
    member = getattr(env, name)
    is_method = callable(getattr(type(env), name, None)) or (name in kind.passed_on and callable(member))
    return member(*arguments) if is_method else member


def raised(env: Any, name: str, kind: Kind) -> Exception | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of `render` without a mode
            use(env, name, kind)
    except Exception as error:
        return error
    return None


@pytest.mark.parametrize("named", KINDS)
@pytest.mark.parametrize("game", GAMES)
def test_a_member_works_or_asks_for_a_reset(game: str, named: str) -> None:
    kind = KINDS[named]
    names = members(kind.make(game), kind)
    assert set(kind.needs) <= set(names)
    for name in names:
        env = kind.make(game)
        error, wanted = raised(env, name, kind), kind.needs.get(name, kind.never.get(name))
        assert isinstance(error, wanted or type(None)), f"{name}: {error!r}, not {wanted}"
        assert error is None or "\n" not in str(error)
        assert not name.startswith(("step", "play")) or wanted is None or "reset" in str(error)
        env.reset()  # what was tried has done no harm


@pytest.mark.parametrize("named", KINDS)
@pytest.mark.parametrize("game", GAMES)
def test_a_member_works_after_reset_and_after_close(game: str, named: str) -> None:
    """What asks for a reset before works then, and closing takes nothing away."""
    kind = KINDS[named]
    for name in members(kind.make(game), kind):
        env = kind.make(game)
        env.reset()
        if hasattr(env, "close"):
            env.close()
        error, wanted = raised(env, name, kind), {**kind.never, "result": RuntimeError}.get(name, type(None))
        assert isinstance(error, wanted), f"{name}: {error!r}, not {wanted}"


@pytest.mark.parametrize("game", GAMES)
def test_a_copy_of_no_game_is_no_game(game: str) -> None:
    """It continues as the original does; nothing can be sampled in it."""
    env = make_gym(game, seed=3)
    with pytest.raises(ResetNeeded):
        env.clone(determinize=0)
    twin = env.clone()
    with pytest.raises(ResetNeeded):
        twin.match()
    for one in (env, twin):
        one.reset()
    assert env.match().get_state() == twin.match().get_state()


@pytest.mark.parametrize("game", GAMES)
def test_a_game_whose_opponent_failed_is_no_game(game: str) -> None:
    """In whichever call it fails: what waits for an opponent must not be taken for the learner's turn."""

    def fail(observations: Any, masks: Any, states: Any = None) -> Any:
        if failing:
            raise KeyError
        return np.asarray(masks).argmax(axis=1)

    failing = False
    env = make_gym(game, opponents=fail, seat=1, seed=3)
    env.reset()
    failing = True
    with pytest.raises(KeyError):
        env.reset()
    for call in (env.match, env.legal_moves, lambda: env.step(0), lambda: env.clone(determinize=1)):
        with pytest.raises(ResetNeeded):
            call()
    failing = False
    env.reset()
    assert env.legal_moves()
