"""PettingZoo's Parallel environment: seats that choose at once are asked at once, and the game is the same."""

from __future__ import annotations

import pickle
from collections import Counter
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from pettingzoo.test import parallel_api_test, parallel_seed_test

from bdgame_env import IllegalAction, Match, bdgame_v3, get_game, gizmos_v3, nicodemus_v2, pixel_pusher_v2
from bdgame_env.adapters.parallel import RawParallel
from tests.games.pixel_pusher.positions import Position, position

GAME = get_game("pixel-pusher-v2")
WAIT = 141


def chooser(seed: int) -> Any:
    """Random legal actions according to the masks."""
    rng = np.random.default_rng(seed)
    return lambda observations: {
        agent: int(rng.choice(np.flatnonzero(seen["action_mask"]))) for agent, seen in observations.items()
    }


def at(t: Position) -> tuple[RawParallel, dict[str, Any]]:
    """A parallel environment at this position."""
    env = pixel_pusher_v2.parallel_env(players=t.match.players)
    env.reset(seed=0)
    env._aec.from_snapshot(t.snap)
    env._begin_phase()
    return env, env._observations()


def asked(observations: dict[str, Any]) -> list[int]:
    """The seats that may do anything other than wait."""
    return [int(agent[-1]) for agent, seen in observations.items() if not seen["action_mask"][-1]]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize(
    "options", [{}, {"reward": "points"}, {"observation": "dict"}, {"observation": "float"}], ids=str
)
def test_pettingzoo_accepts_it(players: int, options: dict[str, Any]) -> None:
    parallel_api_test(RawParallel(GAME, players=players, **options), num_cycles=60)


def test_pettingzoo_seed() -> None:
    """The test ignores masks, and an illegal action ends the game, so it compares only a few steps."""
    parallel_seed_test(lambda: pixel_pusher_v2.parallel_env(players=3), num_cycles=30)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_game_in_parallel_is_a_game_in_turns(players: int) -> None:
    """Simultaneous choices are played in the order of the game: the same decisions lead to the same end."""
    for seed in range(2):
        env, choose = pixel_pusher_v2.parallel_env(players=players, reward="points"), chooser(seed)
        observations, _ = env.reset(seed=seed)
        played: list[int] = []
        advance = env._aec.advance

        def record(action: int, played: list[int] = played, advance: Any = advance) -> bool:
            played.append(action)
            return bool(advance(action))

        env._aec.advance = record
        turns = Match(GAME, seed=seed, players=players)
        total = Counter(dict.fromkeys(env.agents, 0.0))
        together = 0
        while env.agents:
            together += len(asked(observations)) > 1
            for agent, seen in observations.items():
                assert env.observation_space(agent).contains(seen) and seen["action_mask"].any()
            observations, rewards, terminations, truncations, infos = env.step(choose(observations))
            total.update(rewards)
            assert abs(sum(rewards.values())) < 1e-9 and not any(truncations.values())
        for action in played:
            turns.play(action)
        assert turns.over and turns.get_state() == env.match.get_state() and all(terminations.values())
        assert [info["points"] for info in infos.values()] == turns.points()
        assert [info["rank"] for info in infos.values()] == turns.ranks()
        assert together >= 15 and all(seen["action_mask"][WAIT] == 1 for seen in observations.values())


@pytest.mark.parametrize("players", [2, 3, 4])
def test_all_draft_at_once(players: int) -> None:
    """Every seat is asked, and nobody sees what others choose."""
    views = []
    for first in (0, 3):
        env = pixel_pusher_v2.parallel_env(players=players)
        observations, infos = env.reset(seed=5)
        assert asked(observations) == list(range(players))
        assert data_equivalence(infos["player_1"]["action_mask"], observations["player_1"]["action_mask"])
        state = env.match.get_state()
        env._choose(0, first)
        assert env.match.get_state() == state
        views.append([env.observe(agent) for agent in env.agents[1:]])
    assert data_equivalence(*views)


def test_players_who_take_turns_are_asked_alone() -> None:
    """The others wait; an agent that is not asked may be left out."""
    env, observations = at(position("build", players=3, seat=1, drafted={1: [1, 2], 2: [9]}))
    assert asked(observations) == [1]
    assert np.flatnonzero(observations["player_0"]["action_mask"]).tolist() == [WAIT]
    observations, *_ = env.step({"player_1": env.match.string_to_action("discard 0")})
    assert asked(observations) == [1]


SLOTS = {0: {1: ("convert", [2])}, 1: {1: ("convert", [10, 3])}}
BOARDS = {0: "RGCCCC", 1: "RGBYYY", 2: "BBBBWW"}


def convert_at_once() -> tuple[RawParallel, dict[str, Any]]:
    return at(position("convert", players=3, slots=SLOTS, pixels=BOARDS, images={0: 7, 1: 4, 2: 14}))


def test_all_convert_at_once() -> None:
    """Each on its own copy, where its own board is live; what others do shows when all are done."""
    env, observations = convert_at_once()
    ids = env.match.string_to_action
    assert asked(observations) == [0, 1, 2] and env.match.seat == 0
    before = env.match.get_state()
    wait = dict.fromkeys(env.agents, WAIT)
    observations, *_ = env.step(
        {"player_0": ids("finish"), "player_1": ids("activate RB>M"), "player_2": ids("finish")}
    )
    assert env.match.get_state() == before and asked(observations) != []
    pixels = next(field for field in GAME.schema if field.name == "pixels")
    seen = observations["player_1"]["observation"][pixels.slice].reshape(pixels.shape)
    assert seen[0].tolist() == [0, 1, 0, 0, 1, 3, 0] and seen[2].tolist() == [1, 1, 0, 4, 0, 0, 0]
    _, rewards, terminations, *_ = env.step(wait)
    assert all(terminations.values()) and rewards["player_1"] == -1


def test_a_seat_that_has_only_pixels_to_give_is_asked_at_once() -> None:
    """Whatever the first seat is asked: one seat may store while another still converts."""
    boards, abilities = {0: "CCCWWW", 1: "RGBYYY", 2: "CCWWMM"}, {0: ["prism"], 1: ["first_build", "first_score"]}
    t = position("store", players=3, pixels=boards, abilities=abilities, images={0: 7, 1: 4, 2: 14})
    env, observations = at(t)
    legal = {
        agent: {env.match.action_names[action].split()[0] for action in np.flatnonzero(seen["action_mask"])}
        for agent, seen in observations.items()
    }
    assert legal == {"player_0": {"give"}, "player_1": {"activate", "finish"}, "player_2": {"give"}}


def played_out(env: RawParallel, chance: np.random.Generator, mine: dict[str, int]) -> list[bytes]:
    """What player_0 is given at each step of the phase: others choose at random, it waits after its own choices."""
    given, number = [], env._number
    observations = env._observations()
    while env._number == number:
        mask = observations["player_0"]["action_mask"]
        actions = {
            agent: int(chance.choice(np.flatnonzero(seen["action_mask"]))) for agent, seen in observations.items()
        }
        actions["player_0"] = WAIT if mask[WAIT] else mine["first"] if mask[mine["first"]] else mine["then"]
        observations, *rest = env.step(actions)
        if env._number == number:
            given.append(pickle.dumps((observations["player_0"], [each["player_0"] for each in rest])))
    return [*given, bytes([len(given)])]


def test_a_seat_that_is_done_learns_nothing_from_the_steps_of_others() -> None:
    """Until the phase ends, every step is the same byte for byte, and their number too, whatever others choose."""
    found = set()
    for seed in range(12):
        env, _ = convert_at_once()
        ids = env.match.string_to_action
        mine = {"first": ids("finish"), "then": ids("give C")}
        found.add(tuple(played_out(env, np.random.default_rng(seed), mine)))
    assert len(found) == 1 and len(found.pop()) > 3


def test_illegal_actions_can_raise() -> None:
    """For an action the mask forbids, one that does not exist, and a seat that waits when asked; nothing changes."""
    env = pixel_pusher_v2.parallel_env(players=2, illegal="raise")
    env.reset(seed=1)
    before = pickle.dumps((env.match.get_state(), env._choices))
    for wrong in (4, 141, 142, -1):
        for agent in env.agents:
            with pytest.raises(IllegalAction, match=f"of {agent} is not legal now; legal moves: draft 0, draft 1"):
                env.step({**dict.fromkeys(env.agents, 0), agent: wrong})
    with pytest.raises(IllegalAction, match="wait of player_1"):
        env.step({"player_0": 0})
    assert pickle.dumps((env.match.get_state(), env._choices)) == before


def test_an_illegal_action_ends_the_game() -> None:
    """The seat that chose it gets -1, the others 0; then a new game can begin."""
    env = pixel_pusher_v2.parallel_env(players=3)
    env.reset(seed=1)
    observations, rewards, terminations, truncations, infos = env.step({"player_0": 0, "player_1": 99, "player_2": 0})
    ends = [(info["points"], info["rank"], info["illegal"]) for info in infos.values()]
    assert ends == [(0, 1, False), (0, 3, True), (0, 1, False)]
    assert rewards == {"player_0": 0, "player_1": -1, "player_2": 0} and env.agents == []
    assert all(terminations.values()) and not any(truncations.values())
    assert all(seen["action_mask"][WAIT] for seen in observations.values())
    observations, _ = env.reset()
    assert asked(observations) == [0, 1, 2] and len(env.agents) == 3


def test_max_cycles_truncates() -> None:
    """After that many decisions; all seats are paid by their ranks at that point."""
    env, choose = pixel_pusher_v2.parallel_env(players=2, max_cycles=9), chooser(0)
    observations, _ = env.reset(seed=0)
    while env.agents:
        observations, rewards, terminations, truncations, _ = env.step(choose(observations))
    assert all(truncations.values()) and not any(terminations.values()) and sum(rewards.values()) == 0
    assert int(env.match.state.decisions) == 9


@pytest.mark.parametrize(
    ("module", "players"),
    [*((module, players) for module in (bdgame_v3, gizmos_v3) for players in (2, 3, 4)), (nicodemus_v2, 2)],
)
def test_where_players_take_turns_one_is_asked_in_each_step(module: Any, players: int) -> None:
    """The same decisions give the same game as in turns."""
    env, choose = module.parallel_env(players=players), chooser(1)
    turns = Match(env.game, seed=1, players=players)
    observations, _ = env.reset(seed=1)
    for _ in range(60):
        if not env.agents:
            break
        assert asked(observations) == [turns.seat]
        actions = choose(observations)
        turns.play(actions[f"player_{turns.seat}"])
        observations, *_ = env.step(actions)
    assert turns.get_state() == env.match.get_state()


def test_the_game_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    """It renders like the AEC environment."""
    env = pixel_pusher_v2.parallel_env(players=2, render_mode="ansi")
    env.reset(seed=1)
    text = env.render()
    assert text is not None and text.startswith("Pixel Pusher, round 1: all seats draft at once")
    assert env.observation_schema() is GAME.schema and str(env) == "pixel_pusher_v2" and env.close() is None
