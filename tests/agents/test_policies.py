"""Policies as arrays: files, advice, and agents that play them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bdgame_env import get_game
from bdgame_env.agents import UnknownAgent, make_agent
from bdgame_env.agents.heuristics.advice import Advisers, adviser_numbers
from bdgame_env.agents.heuristics.compiled_players import compiled_players
from bdgame_env.agents.networks import load_policy, plan_card_inputs, plan_inputs
from bdgame_env.agents.networks.ppo_agent import PolicyAgent
from bdgame_env.engine.batch import Batch
from bdgame_env.engine.players import NO_OPINION
from tests.support import toy_game as toy
from tests.support.policies import plain_policy

GAME = get_game("bdgame-v2")
CONFIG = GAME.config()
ADVISERS = len(adviser_numbers(compiled_players(GAME)))


def positions(steps: int = 25, n: int = 16) -> Batch:
    batch = Batch(GAME, n, seed=9)
    greedy = make_agent("greedy", GAME, CONFIG, seed=0)
    for _ in range(steps):
        batch.step(greedy.act(batch.obs, batch.mask, batch.states.copy()))
    return batch


def test_a_file_holds_the_whole_policy(tmp_path: Path) -> None:
    """Written and read again, it gives exactly the same logits and values."""
    policy = plain_policy(GAME, CONFIG, scale=0.1, advisers=ADVISERS)
    (tmp_path / "x.npz").write_bytes(policy.to_bytes())
    again = load_policy(tmp_path / "x.npz", GAME, CONFIG.num_actions)
    batch = positions()
    advice = Advisers(GAME, CONFIG).ask(batch.states, batch.mask)
    np.testing.assert_array_equal(policy.logits(batch.obs, advice), again.logits(batch.obs, advice))
    np.testing.assert_array_equal(policy.values(batch.obs), again.values(batch.obs))
    assert again.advisers == ADVISERS and again.players == (2,)


def test_many_rows_are_computed_as_few() -> None:
    """For more rows than are computed at once."""
    policy, batch = plain_policy(GAME, CONFIG, scale=0.1), positions(3)
    many = np.repeat(batch.obs, 80, axis=0)
    np.testing.assert_allclose(policy.logits(many)[::80], policy.logits(batch.obs), atol=1e-4)
    assert policy.logits(many[:0]).shape == (0, CONFIG.num_actions)


def test_advice_is_what_the_compiled_players_do() -> None:
    """The first adviser is the game's first player; where only one action is legal, all advise it."""
    batch = positions()
    advice = Advisers(GAME, CONFIG).ask(batch.states, batch.mask)
    greedy = make_agent("greedy", GAME, CONFIG).act(batch.obs, batch.mask, batch.states.copy())
    np.testing.assert_array_equal(advice[:, 0], greedy)
    rows, advisers = np.nonzero(advice != NO_OPINION)
    assert batch.mask[rows, advice[rows, advisers]].all()
    assert (advice == NO_OPINION).any()
    forced = batch.mask.sum(1) == 1
    assert (advice[forced] == batch.mask[forced].argmax(1)[:, None]).all()


def test_who_trusts_an_adviser_does_as_it_says() -> None:
    """A large weight for the first adviser outweighs the rest; without it, some action differs."""
    batch = positions()
    states = batch.states.copy()
    greedy = make_agent("greedy", GAME, CONFIG).act(batch.obs, batch.mask, batch.states.copy())
    trusting = PolicyAgent(plain_policy(GAME, CONFIG, scale=0.1, advisers=ADVISERS, prior_weight=1e6), GAME, CONFIG)
    own = PolicyAgent(plain_policy(GAME, CONFIG, scale=0.1, advisers=ADVISERS), GAME, CONFIG)
    np.testing.assert_array_equal(trusting.act(batch.obs, batch.mask, states), greedy)
    assert (own.act(batch.obs, batch.mask, states) != greedy).any()
    with pytest.raises(ValueError, match="needs states"):
        own.act(batch.obs, batch.mask)
    with pytest.raises(ValueError, match="advice of shape"):
        own.policy.logits(batch.obs)


def test_a_policy_for_other_advisers_is_refused() -> None:
    """As if the game's players had changed since it was trained."""
    with pytest.raises(UnknownAgent, match=f"listens to 3 advisers, bdgame-v2 has {ADVISERS}"):
        PolicyAgent(plain_policy(GAME, CONFIG, advisers=3), GAME, CONFIG)


def test_games_without_players_have_no_advisers() -> None:
    """Networks for such games get no advice."""
    batch = Batch(toy.GAME, 4, seed=0)
    assert Advisers(toy.GAME, batch.config).ask(batch.states, batch.mask).shape == (4, 0)


def test_names_without_weights_say_so() -> None:
    """The message names what is missing and what to do."""
    config = toy.GAME.config()
    for name in ("ppo", "az"):
        with pytest.raises(UnknownAgent, match=f"no weights ship for toy-v1 with {config.players} players"):
            make_agent(name, toy.GAME, config)


def test_inputs_follow_the_schema() -> None:
    """A structured network reads cards by kind, not as numbers; seats that are not in play are never read."""
    apart, cards = plan_inputs(GAME, [2], cards_apart=True), plan_card_inputs(GAME, [2])
    fields = {field.name: field for field in GAME.schema}
    cells = fields["cells"]
    assert cards.kinds == cells.high and cards.grid.shape == (2, 8, 9)
    assert cards.grid.min() == cells.start and cards.grid.max() < cells.start + 2 * 72
    assert not set(cards.grid.ravel()) & set(apart.entries) and set(cards.grid.ravel()) <= set(
        plan_inputs(GAME, [2]).entries
    )
    assert fields["parts_row"].start in cards.faces and cards.counts.shape[1] == cards.kinds
    held = fields["held"]
    assert held.start in cards.layers[0, 0, 0]
    assert plan_card_inputs(GAME, [4]).grid.shape == (4, 8, 9)
    assert max(plan_inputs(GAME, [2]).entries) < fields["open_ports"].start + 2 * 88
