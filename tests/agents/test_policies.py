"""Trained policies: what they answer, their files, and agents that play them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from bdgame_env import get_game, list_games
from bdgame_env.agents import UnknownAgent, make_agent
from bdgame_env.agents.networks import Policy, load_policy, policy_of
from bdgame_env.agents.networks.network import HEADS, fresh, size_of
from bdgame_env.agents.networks.ppo_agent import PolicyAgent
from bdgame_env.agents.networks.row_plan import plan_network
from bdgame_env.engine.batch import Batch
from bdgame_env.engine.game import MAX_SEATS
from tests.support import toy_game as toy
from tests.support.policies import plain_policy, to_eight_bits

GAME = get_game("bdgame-v3")
CONFIG = GAME.config()


def positions(game_id: str = GAME.id, steps: int = 25, n: int = 16) -> Batch:
    """Games that were played at random for some steps."""
    batch, rng = Batch(get_game(game_id), n, seed=9), np.random.default_rng(0)
    for _ in range(steps):
        batch.step((batch.mask * rng.random(batch.mask.shape)).argmax(axis=1).astype(np.int32))
    return batch


@pytest.mark.parametrize("game_id", list_games())
def test_a_file_holds_the_whole_policy(game_id: str, tmp_path: Path) -> None:
    """Written and read again, it gives exactly the same logits and values, and says the same of itself."""
    batch = positions(game_id)
    policy = plain_policy(batch.game, batch.config, scale=0.1, layers=2)
    (tmp_path / "x.npz").write_bytes(policy.to_bytes())
    again = load_policy(tmp_path / "x.npz", batch.game, batch.config)
    for one, other in zip(policy.evaluate(batch.obs, batch.mask), again.evaluate(batch.obs, batch.mask), strict=True):
        np.testing.assert_array_equal(one, other)
    np.testing.assert_array_equal(policy.weights, again.weights)
    assert again.players == (2,) and policy.meta.items() <= again.meta.items()
    assert (again.network.width, again.network.layers, again.plan.digest) == (8, 2, policy.plan.digest)


def test_rows_that_training_never_met_take_no_room() -> None:
    """They are read as zeros; a policy of zeros has a file without rows."""
    policy = plain_policy(GAME, CONFIG, scale=0.1)
    whole = policy.to_bytes()
    policy.network.first[::3] = 0
    policy.network.first[0] = 0
    part = policy.to_bytes()
    read = policy_of(part, "x.npz", GAME, CONFIG)
    np.testing.assert_array_equal(read.weights, policy.weights)
    assert not read.network.first[::3].any() and len(part) < 0.8 * len(whole)
    nothing = plain_policy(GAME, CONFIG)
    assert not policy_of(nothing.to_bytes(), "x.npz", GAME, CONFIG).weights.any()


def test_half_precision_makes_files_small() -> None:
    """To eight significant bits, once: the rounded policy is written the same again."""
    policy, batch = plain_policy(GAME, CONFIG, scale=0.1), positions()
    data = policy.to_bytes(half=True)
    rounded = policy_of(data, "x.npz", GAME, CONFIG)
    assert rounded.weights.dtype == np.float32 and len(data) < 0.5 * len(policy.to_bytes())
    np.testing.assert_array_equal(rounded.weights, to_eight_bits(policy.weights))
    again = policy_of(rounded.to_bytes(half=True), "x.npz", GAME, CONFIG)
    np.testing.assert_array_equal(again.logits(batch.obs, batch.mask), rounded.logits(batch.obs, batch.mask))
    legal = batch.mask != 0
    np.testing.assert_allclose(
        rounded.logits(batch.obs, batch.mask)[legal], policy.logits(batch.obs, batch.mask)[legal], atol=0.05
    )


def test_what_training_adds_about_a_policy_is_kept() -> None:
    """As plain JSON."""
    policy = plain_policy(GAME, CONFIG)
    policy.meta["steps"], policy.meta["curve"] = 17, [[1, 0.5]]
    read = policy_of(policy.to_bytes(), "x.npz", GAME, CONFIG)
    assert (read.meta["steps"], read.meta["curve"]) == (17, [[1, 0.5]])
    assert json.loads(json.dumps(read.meta)) == read.meta


def test_a_policy_has_weights_of_its_own() -> None:
    """Training goes on with the vector that it was made from."""
    plan = plan_network(GAME, CONFIG)
    vector = fresh(plan, 8, 1, seed=0)
    policy = Policy(plan, vector, 8, 1, {"players": [2]})
    vector[:] = 0
    assert policy.weights.any() and policy.network.first.any()


def test_a_new_network_is_nearly_uniform() -> None:
    """All actions are about equally likely and nobody is ahead; another seed makes another network."""
    batch = positions()
    plan = plan_network(GAME, CONFIG)
    one, other = (fresh(plan, 64, 2, seed) for seed in (0, 1))
    assert one.shape == (size_of(plan, 64, 2),) and not np.array_equal(one, other)
    np.testing.assert_array_equal(one, fresh(plan, 64, 2, 0))
    logits, heads = Policy(plan, one, 64, 2, {"players": [2]}).evaluate(batch.obs, batch.mask)
    legal = batch.mask != 0
    assert logits[legal].std() > 0 and np.abs(logits[legal]).max() < 1 and np.abs(heads).max() < 1


def test_rows_do_not_depend_on_their_number() -> None:
    """Many are shared among threads, none is too few, and arrays may have gaps."""
    policy, batch = plain_policy(GAME, CONFIG, scale=0.1), positions(steps=3)
    threaded = Policy(policy.plan, policy.weights, 8, 1, policy.meta, threads=2)
    logits, heads = policy.evaluate(batch.obs, batch.mask)
    many = [np.repeat(part, 80, axis=0) for part in (batch.obs, batch.mask)]
    for found, expected in zip(threaded.evaluate(*many), (logits, heads), strict=True):
        np.testing.assert_array_equal(found, np.repeat(expected, 80, axis=0))
    np.testing.assert_array_equal(policy.logits(many[0][::80], many[1][::80]), logits)
    none = policy.evaluate(batch.obs[:0], batch.mask[:0])
    assert [part.shape for part in none] == [(0, CONFIG.num_actions), (0, HEADS)]
    assert policy.values(batch.obs[:0]).shape == (0, MAX_SEATS)


def probabilities(logits: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    raised = np.exp(logits.astype(np.float64) - logits.max())
    return np.asarray(raised / raised.sum())


def test_an_agent_takes_the_most_likely_legal_action() -> None:
    """Whatever is hidden from the observation: it needs no states."""
    batch = positions()
    policy = plain_policy(GAME, CONFIG, scale=0.1)
    agent = PolicyAgent(policy)
    chosen = agent.act(batch.obs, batch.mask)
    assert not agent.needs_states and chosen.dtype == np.int32
    np.testing.assert_array_equal(chosen, policy.logits(batch.obs, batch.mask).argmax(axis=1))
    assert batch.mask[np.arange(len(chosen)), chosen].all()
    agent.seed(3)
    np.testing.assert_array_equal(agent.act(batch.obs, batch.mask, batch.states), chosen)


def test_an_agent_samples_legal_actions_by_their_probability() -> None:
    """The same ones from the same seed."""
    batch = positions()
    row = int(batch.mask.sum(axis=1).argmax())
    seen, mask = (np.repeat(part[row : row + 1], 1500, axis=0) for part in (batch.obs, batch.mask))
    policy = plain_policy(GAME, CONFIG, scale=0.1)
    agent = PolicyAgent(policy, temperature=1, seed=1)
    chosen = agent.act(seen, mask)
    expected = probabilities(policy.logits(seen[:1], mask[:1])[0])
    shares = np.bincount(chosen, minlength=len(expected)) / len(chosen)
    assert not shares[mask[0] == 0].any() and (shares > 0).sum() > 1
    np.testing.assert_allclose(shares, expected, atol=0.06)
    agent.seed(1)
    np.testing.assert_array_equal(agent.act(seen, mask), chosen)
    assert (agent.act(seen, mask) != chosen).any()
    hot = np.bincount(PolicyAgent(policy, temperature=3, seed=1).act(seen, mask), minlength=len(expected)) / len(chosen)
    np.testing.assert_allclose(hot, probabilities(policy.logits(seen[:1], mask[:1])[0] / 3), atol=0.06)


def test_policy_files_play_by_name(tmp_path: Path) -> None:
    """As `ppo`, most likely or sampled, and as the plain path of the file."""
    batch, path = positions(), tmp_path / "x.npz"
    policy = plain_policy(GAME, CONFIG, scale=0.1)
    path.write_bytes(policy.to_bytes())
    best = policy.logits(batch.obs, batch.mask).argmax(axis=1)
    for spec in (f"ppo:path={path}", str(path)):
        np.testing.assert_array_equal(make_agent(spec, GAME, CONFIG).act(batch.obs, batch.mask), best)
    sampled = make_agent(f"ppo:path={path},sample=1", GAME, CONFIG, seed=4)
    chosen = sampled.act(batch.obs, batch.mask)
    assert (chosen != best).any() and batch.mask[np.arange(len(chosen)), chosen].all()
    same = make_agent(f"ppo:path={path},temperature=1", GAME, CONFIG, seed=4)
    np.testing.assert_array_equal(same.act(batch.obs, batch.mask), chosen)


def test_a_policy_plays_with_other_numbers_of_players() -> None:
    """Than the one it was trained for: observations and actions are the same."""
    policy = plain_policy(GAME, CONFIG, scale=0.1)
    for players in (3, 4):
        config = GAME.config(players=players)
        batch = Batch(GAME, 4, seed=1, players=players)
        read = policy_of(policy.to_bytes(), "x.npz", GAME, config)
        chosen = PolicyAgent(read).act(batch.obs, batch.mask)
        assert batch.mask[np.arange(4), chosen].all()


def test_an_agent_plays_only_with_the_numbers_of_players_it_was_trained_for(tmp_path: Path) -> None:
    """A network can read other games, and continue to learn in them, but its play there means nothing."""
    path = tmp_path / "x.npz"
    path.write_bytes(plain_policy(GAME, CONFIG).to_bytes())
    for name in ("ppo", "az"):
        with pytest.raises(UnknownAgent, match=r"x\.npz: trained for 2 players, not for 3$"):
            make_agent(f"{name}:path={path}", GAME, GAME.config(players=3))


def test_names_without_weights_say_so() -> None:
    """The message names what is missing and what to do."""
    config = toy.GAME.config()
    for name in ("ppo", "az"):
        with pytest.raises(UnknownAgent, match=f"no weights ship for toy-v1 with {config.players} players"):
            make_agent(name, toy.GAME, config)
