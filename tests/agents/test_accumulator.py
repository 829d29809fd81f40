"""Sums of the first layer that follow the observations, and hashes that do, against those computed anew."""

from __future__ import annotations

import numpy as np
import pytest

from bdgame_env import get_game, list_games
from bdgame_env.agents.networks import forward
from bdgame_env.agents.networks.accumulator import FRESH_AFTER, accumulator, forget, update
from bdgame_env.agents.search.network_forest import GumbelSettings, NetworkForest
from bdgame_env.engine.batch import Batch
from bdgame_env.engine.jit import JIT_DISABLED
from tests.support import nim_game as nim
from tests.support.policies import plain_policy

STEPS = 20 if JIT_DISABLED else 100


@pytest.mark.parametrize("game_id", list_games())
def test_sums_are_those_of_the_observation(game_id: str) -> None:
    """From decision to decision, from seat to seat, and from one game to another; at last with all entries on."""
    game = get_game(game_id)
    batch = Batch(game, 2, seed=1)
    policy = plain_policy(game, batch.config, scale=0.1)
    network, plan = policy.network, policy.plan
    of, rng = accumulator(network, plan), np.random.default_rng(2)
    words, rows = np.zeros_like(of.words), np.zeros(plan.capacity, np.int32)
    seen, room, fresh = words.view(np.int8), np.zeros(8 * len(words) + 1, np.int32), 0
    observations = []
    for _ in range(STEPS):
        observations += [batch.obs[0].copy(), batch.obs[1].copy()][: 1 + int(rng.integers(2))]
        batch.step((rng.random(batch.mask.shape) * batch.mask).argmax(axis=1))
    for observation in [*observations, np.full_like(batch.obs[0], 3), *observations[:3]]:
        seen[: len(observation)] = observation
        update(of, network, plan, seen, words, room)
        count = forward.rows_on(observation, plan, rows, room)
        wanted = network.first_bias + network.first[rows[:count]].sum(axis=0)
        np.testing.assert_allclose(of.sums, wanted, atol=2e-5)
        assert of.left[1] == count
        fresh += int(of.left[0] == FRESH_AFTER - 1)
    assert fresh < len(observations) / 2, "most observations only change the sums"
    forget(of)
    update(of, network, plan, seen, words, room)
    assert of.left[0] == FRESH_AFTER - 1


def test_equal_observations_have_equal_hashes() -> None:
    """Whatever was seen between them; another seat or another entry makes another one."""
    config = nim.GAME.config()
    forest = NetworkForest(nim.GAME, config, GumbelSettings(), plain_policy(nim.GAME, config), room=9, threads=1)
    space, hash_of = forest._work[0][0], forest._loops.leaves.hash_of
    rng, found = np.random.default_rng(0), {}
    for value in [*range(-5, 20), *range(19, -6, -1)]:
        for seat in (0, 1):
            space.words[:] = rng.integers(2**63)
            hash_of(0, space)
            space.seen[:] = 0
            space.seen[0] = value
            found.setdefault((seat, value), set()).add(int(hash_of(seat, space)))
    assert all(len(keys) == 1 for keys in found.values())
    assert len(set.union(*found.values())) == len(found) == 50
