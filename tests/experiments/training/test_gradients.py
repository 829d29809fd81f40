"""The gradients by hand against automatic ones, and the steps of Adam against PyTorch's."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import torch

from bdgame_env import get_game
from bdgame_env.agents.networks.accumulator import WHOLE
from bdgame_env.agents.networks.network import HEADS, Network, view
from bdgame_env.agents.networks.row_plan import NO_ROW, Plan, plan_network
from bdgame_env.engine.game import Game
from bdgame_env.experiments.training import gradients
from bdgame_env.experiments.training.codes import FINAL, NO_ADVICE, OPEN
from bdgame_env.experiments.training.learner import Diverged, Learner
from bdgame_env.experiments.training.samples import Window, add_returns, new_window
from tests.support import nim_game
from tests.support.windows import learning_stage, play_window, random_weights

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("gradients")]  # one process compiles them, if asked to

CARDS = "gizmos-v3"  # with so many rows that few gradients are mere rounding
GAMES = {CARDS: get_game(CARDS), "nim": nim_game.GAME}
SAMPLES, WIDTH = 64, 16
ALL = np.arange(SAMPLES)


@cache
def played(name: str, segment: int = 1) -> tuple[Plan, Window]:
    """Positions of a game; what is learned from them is random: advantages of both signs, ratios inside and outside."""
    game = GAMES[name]
    made = play_window(game, game.config(), 2, SAMPLES // 2, width=WIDTH, segment=segment)
    rng = np.random.default_rng(5)
    window = made.window
    window.next[:] = FINAL
    window.targets[:] = rng.uniform(-1, 1, window.targets.shape)
    window.advantage[:] = rng.normal(size=SAMPLES)
    window.advised[:] = NO_ADVICE
    window.advised[1::3] = rng.integers(window.legals[1::3])
    improved = np.zeros((SAMPLES, window.legal.shape[1]), np.float32)
    for at in range(0, SAMPLES, 3):
        window.searched[at] = 1
        improved[at, : window.legals[at]] = rng.dirichlet(np.ones(window.legals[at]))
    return made.plan, window._replace(improved=improved)


def with_ratios(plan: Plan, window: Window, weights: Any, layers: int) -> Window:
    """The window as if it had been played by a policy a little different from that of these weights."""
    logits, _ = forward(window, ALL, tensors(weights, plan, layers))
    log_prob = np.array([torch.log_softmax(row, 0)[window.chosen[at]].item() for at, row in enumerate(logits)])
    moved = log_prob + np.random.default_rng(6).normal(0, 0.4, SAMPLES)
    return window._replace(log_prob=moved.astype(np.float32))


# --- the same network and losses, written for PyTorch in double precision


def tensors(weights: Any, plan: Plan, layers: int, width: int = WIDTH) -> dict[str, Any]:
    """The parts of a network as leaves of the graph."""
    parts = view(np.array(weights, np.float64), plan, width, layers)
    return {name: torch.tensor(part, requires_grad=True) for name, part in parts._asdict().items()}


def forward(window: Window, chosen: npt.NDArray[Any], net: Mapping[str, Any]) -> tuple[list[Any], Any]:
    """The logits of the legal actions of each sample, and the heads (n, HEADS)."""
    logits, hidden = [], []
    for at in chosen:
        on = torch.as_tensor(window.rows[at, : window.rows_on[at]], dtype=torch.long)
        h = torch.relu(net["first"].index_select(0, on).sum(0) + net["first_bias"])
        for dense, bias in zip(net["dense"], net["dense_bias"], strict=True):
            h = torch.relu(h @ dense + bias)
        actions = torch.as_tensor(window.legal[at, : window.legals[at]], dtype=torch.long)
        cards = torch.as_tensor(window.cards[at, : window.legals[at]], dtype=torch.long)
        rows = net["actions"][actions]
        if len(net["cards"]):
            about = (cards != NO_ROW).unsqueeze(1)
            rows = rows + torch.where(about, net["cards"][cards.clamp(min=0)], 0.0)
        logits.append(rows @ h + net["action_bias"][actions])
        hidden.append(h)
    return logits, torch.stack(hidden) @ net["heads"].T + net["head_bias"]


def losses(window: Window, chosen: npt.NDArray[Any], net: Mapping[str, Any], settings: Any) -> dict[int, Any]:
    """The mean of each part of the loss, by its number in `gradients`."""
    facts = settings[0]
    clip, parts = float(facts["clip_range"]), []
    logits, said = forward(window, chosen, net)
    for row, at in zip(logits, chosen, strict=True):
        log_probs = torch.log_softmax(row, 0)
        log_prob = log_probs[window.chosen[at]]
        part = {gradients.ENTROPY: -(log_probs.exp() * log_probs).sum()}
        searched = float(facts["search_weight"]) if window.searched[at] else 0.0
        improved = torch.as_tensor(window.improved[at, : len(row)], dtype=torch.float64)
        part[gradients.SEARCH_LOSS] = -searched * (improved * log_probs).sum()
        advised = int(window.advised[at])
        part[gradients.ADVICE_LOSS] = -log_probs[advised] if advised != NO_ADVICE else log_probs.sum() * 0.0
        part[gradients.AGREEMENT] = (log_prob >= log_probs.max()).double()
        if facts["imitation"]:
            part[gradients.POLICY_LOSS] = -log_prob
        else:
            change = log_prob - float(window.log_prob[at])
            ratio, advantage = change.exp(), float(window.advantage[at])
            kept, clipped = ratio * advantage, ratio.clamp(1 - clip, 1 + clip) * advantage
            part[gradients.POLICY_LOSS] = -torch.minimum(kept, clipped)
            part[gradients.CLIPPED] = (clipped < kept).double()
            part[gradients.DIVERGENCE] = ratio - 1 - change
        parts.append(part)
    found = {name: torch.stack([part[name] for part in parts]).mean() for name in parts[0]}
    weight = torch.full((HEADS,), float(facts["other_weight"]), dtype=torch.float64)
    weight[0] = float(facts["value_weight"])
    error = said - torch.as_tensor(window.targets[chosen], dtype=torch.float64)
    found[gradients.VALUE_LOSS] = 0.5 * (weight * error**2).sum(1).mean()
    return found


def whole(found: Mapping[int, Any], settings: Any) -> Any:
    """What is minimized."""
    entropy = float(settings[0]["entropy"]) * found[gradients.ENTROPY]
    policy = found[gradients.POLICY_LOSS] + found[gradients.SEARCH_LOSS]
    advice = float(settings[0]["advice"]) * found[gradients.ADVICE_LOSS]
    return policy + advice + found[gradients.VALUE_LOSS] - entropy


def gradient_of(
    plan: Plan, window: Window, weights: Any, layers: int, settings: Any, width: int = WIDTH, threads: int = 1
) -> tuple[Network, Any, float]:
    """The mean gradient by hand, the losses and the gradient's norm."""
    learner = Learner(plan, width, layers, weights, threads)
    found, norm = learner.gradient(window, np.arange(len(window.rows_on)), settings)
    return Network(*(part / np.float32(len(window.rows_on)) for part in learner.grads)), found, norm


# --- gradients


@pytest.mark.parametrize("imitation", [False, True])
@pytest.mark.parametrize("layers", [0, 1, 2])
@pytest.mark.parametrize("name", GAMES)
def test_gradients_equal_automatic_ones(name: str, layers: int, imitation: bool) -> None:
    plan, window = played(name)
    weights, settings = random_weights(plan, WIDTH, layers, 9), learning_stage(imitation=imitation)
    window = with_ratios(plan, window, weights, layers)
    net = tensors(weights, plan, layers)
    wanted = losses(window, ALL, net, settings)
    whole(wanted, settings).backward()
    grads, found, norm = gradient_of(plan, window, weights, layers, settings)
    for number, value in wanted.items():
        assert found[number] == pytest.approx(value.item(), rel=1e-4, abs=1e-6), number
    squares = 0.0
    for part, ours in grads._asdict().items():
        theirs = np.zeros(ours.shape) if net[part].grad is None else net[part].grad.numpy()
        size = np.linalg.norm(theirs)
        squares += size**2
        assert np.linalg.norm(ours - theirs) <= 1e-4 * size, part
        assert np.abs(ours - theirs).max(initial=0) <= 1e-3 * np.abs(theirs).max(initial=0), part
        assert size > 0 or not ours.size or (part == "dense" and layers == 0), f"{part} does not learn"
    assert norm == pytest.approx(np.sqrt(squares), rel=1e-4)
    if not imitation:
        assert 0.1 < found[gradients.CLIPPED] < 0.9


@pytest.mark.parametrize("segment", [5, 32])
@pytest.mark.parametrize("name", GAMES)
def test_segments_have_the_gradients_of_their_samples(name: str, segment: int) -> None:
    """Of all but those that are OPEN, of which nothing is learned."""
    (plan, alone), (_, joined) = played(name), played(name, segment)
    weights, settings = random_weights(plan, WIDTH, 1, 3), learning_stage()
    alone = with_ratios(plan, alone, weights, 1)
    after = np.where(np.isin(ALL % (SAMPLES // 2), (SAMPLES // 2 - 1, segment - 1)), OPEN, FINAL).astype(np.int32)
    joined = joined._replace(log_prob=alone.log_prob, next=after)
    changed = joined.rows_off != WHOLE
    assert name == "nim" or joined.rows_on[changed].mean() < alone.rows_on.mean() / 2
    assert np.array_equal(joined.chosen, alone.chosen) and np.array_equal(joined.legal, alone.legal)
    learners = [Learner(plan, WIDTH, 1, weights, threads) for threads in (1, 2)]
    wanted, norm = learners[0].gradient(alone, np.flatnonzero(after == FINAL), settings)
    found, same = learners[1].gradient(joined, np.flatnonzero(joined.begins), settings)
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-6)
    assert same == pytest.approx(norm, rel=1e-4) and found[gradients.SAMPLES] == (after == FINAL).sum()
    for one, other in zip(learners[0].grads, learners[1].grads, strict=True):
        assert np.linalg.norm(one - other) <= 1e-4 * np.linalg.norm(one)


def test_threads() -> None:
    plan, window = played(CARDS)
    weights, settings = random_weights(plan, WIDTH, 1, 4), learning_stage()
    window = with_ratios(plan, window, weights, 1)
    found = {
        (count, take): gradient_of(plan, window, weights, 1, settings, WIDTH, count)
        for count in (1, 2)
        for take in (1, 2)
    }
    for count in (1, 2):
        (one, first, size), (other, second, same_size) = found[count, 1], found[count, 2]
        assert all(map(np.array_equal, one, other)) and np.array_equal(first, second) and size == same_size
    (alone, first, size), (shared, second, shared_size) = found[1, 1], found[2, 1]
    np.testing.assert_allclose(first, second, rtol=1e-6)
    assert size == pytest.approx(shared_size, rel=1e-5)
    for one, other in zip(alone, shared, strict=True):
        assert np.linalg.norm(one - other) <= 1e-5 * np.linalg.norm(one)


# --- Adam


def every_row_on(plan: Plan, window: Window) -> Window:
    """The samples with all rows and card rows of the plan switched on somewhere."""
    rows, rows_on, legal = window.rows.copy(), window.rows_on.copy(), window.legal.copy()
    cards, legals = window.cards.copy(), window.legals.copy()
    for part, row in enumerate(np.array_split(np.arange(plan.rows), SAMPLES)):
        assert len(row) <= plan.capacity
        rows[part, : len(row)], rows_on[part] = row, len(row)
    for part, row in enumerate(np.array_split(np.arange(plan.cards), SAMPLES)):
        number = max(2, len(row))
        assert number <= cards.shape[1]
        cards[part, : len(row)], legal[part, :number] = row, np.arange(number)
        legals[part] = number
    chosen = (np.arange(SAMPLES) % legals).astype(np.int32)
    return window._replace(rows=rows, rows_on=rows_on, legal=legal, cards=cards, legals=legals, chosen=chosen)


@pytest.mark.parametrize("threads", [1, 2])
def test_adam_is_that_of_pytorch(threads: int) -> None:
    plan, window = played(CARDS)
    window = every_row_on(plan, window)
    layers, rate, most = 1, 0.01, 0.5
    settings = learning_stage(imitation=True, learning_rate=rate, max_norm=most)
    weights = random_weights(plan, WIDTH, layers, 7)
    net = tensors(weights, plan, layers)
    adam = torch.optim.Adam(net.values(), lr=rate, betas=(0.9, 0.999), eps=1e-8)
    learner = Learner(plan, WIDTH, layers, weights, threads)
    scaled = 0
    for number in range(6):
        adam.zero_grad()
        whole(losses(window, ALL, net, settings), settings).backward()
        scaled += int(torch.nn.utils.clip_grad_norm_(net.values(), most) > most)
        adam.step()
        learner.step(window, ALL, settings)
        assert learner.steps == number + 1
        for name, ours in learner.network._asdict().items():
            theirs, before = net[name].detach().numpy(), getattr(view(weights, plan, WIDTH, layers), name)
            # Adam divides by the size of the gradient, so where that is mere rounding the step is arbitrary.
            assert np.linalg.norm(ours - theirs) <= 1e-2 * np.linalg.norm(theirs - before), (number, name)
    assert scaled >= 1, "nothing was scaled down"
    assert not learner.grads.first.any() and not learner.grads.dense.any()


def test_rows_that_were_not_on_stay_as_they_are() -> None:
    plan, window = played(CARDS)
    weights, some = random_weights(plan, WIDTH, 1, 8), ALL[:5]
    before = view(weights, plan, WIDTH, 1)
    on = np.unique(np.concatenate([window.rows[at, : window.rows_on[at]] for at in some]))
    cards = np.unique(np.concatenate([window.cards[at, : window.legals[at]] for at in some]))
    cards = cards[cards != NO_ROW]
    learner = Learner(plan, WIDTH, 1, weights, 2)
    for _ in range(3):
        learner.step(window, some, learning_stage())
    for part, rows in (("first", on), ("cards", cards)):
        ours, theirs = getattr(learner.network, part), getattr(before, part)
        changed = np.flatnonzero((ours != theirs).any(axis=1))
        assert 0 < len(rows) < len(ours)
        assert set(changed) <= set(rows) and len(changed) > len(rows) // 2
        for memory in (learner.means, learner.squares):
            kept = getattr(view(memory, plan, WIDTH, 1), part)
            assert not np.delete(kept, rows, axis=0).any()


def test_long_gradients_are_scaled_down() -> None:
    plan, window = played("nim")
    weights, settings = random_weights(plan, WIDTH, 1, 1), learning_stage(imitation=True)
    _, _, norm = gradient_of(plan, window, weights, 1, settings)
    means = {}
    for most in (norm / 4, norm * 4, norm * 8):
        learner = Learner(plan, WIDTH, 1, weights, 1)
        learner.step(window, ALL, learning_stage(imitation=True, max_norm=most))
        means[most] = learner.means.copy()
    short, full, same = means.values()
    assert np.array_equal(full, same)
    assert np.linalg.norm(full) == pytest.approx(0.1 * norm, rel=1e-4)
    np.testing.assert_allclose(short, full / 4, rtol=1e-4, atol=1e-9)


@pytest.mark.parametrize("part", Network._fields)
@pytest.mark.parametrize("imitation", [False, True])
def test_weights_that_are_not_numbers(part: str, imitation: bool) -> None:
    plan, window = played(CARDS)
    weights = random_weights(plan, WIDTH, 1, 1)
    getattr(view(weights, plan, WIDTH, 1), part)[...] = np.nan
    learner = Learner(plan, WIDTH, 1, weights, 2)
    with pytest.raises(Diverged, match="not a finite number after 0 steps"):
        learner.step(window, ALL, learning_stage(imitation=imitation))
    assert np.array_equal(learner.weights, weights, equal_nan=True)
    assert learner.steps == 0 and not learner.means.any() and not learner.squares.any()
    learner.weights[:] = random_weights(plan, WIDTH, 1, 1)  # nothing is left of the failed step
    found, norm = learner.gradient(window, ALL, learning_stage(imitation=imitation))
    assert np.isfinite(found).all() and np.isfinite(norm)


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_targets_that_are_not_numbers(value: float) -> None:
    plan, window = played("nim")
    window = window._replace(targets=np.full_like(window.targets, value))
    weights = random_weights(plan, WIDTH, 1, 1)
    learner = Learner(plan, WIDTH, 1, weights, 1)
    with pytest.raises(Diverged):
        learner.step(window, ALL, learning_stage())
    assert np.array_equal(learner.weights, weights)


# --- what came after


@pytest.mark.parametrize("trace", [0.0, 0.7, 1.0])
def test_returns(trace: float) -> None:
    game: Game = nim_game.GAME
    matches, steps = 5, 40
    window = new_window(plan_network(game, game.config()), matches * steps)
    rng = np.random.default_rng(int(10 * trace))
    window.values[:] = rng.normal(size=window.values.shape)
    window.targets[:] = rng.normal(size=window.targets.shape)  # of samples that end a game; the others' are ignored
    window.next[:] = OPEN
    for match in range(matches):
        last: dict[int, int] = {}
        for at in range(match * steps, (match + 1) * steps):
            seat = int(rng.integers(3))
            if seat in last:
                window.next[last[seat]] = at
            last[seat] = at
            if rng.random() < 0.1:
                for end in last.values():
                    window.next[end] = FINAL
                last = {}
    assert {OPEN, FINAL} < set(window.next.tolist())
    given, values = window.targets.astype(float), window.values.astype(float)

    def returns(at: int) -> Any:
        after = int(window.next[at])
        if after == FINAL:
            return given[at]
        if after == OPEN:
            return values[at]
        return (1 - trace) * values[after] + trace * returns(after)

    wanted = np.array([returns(at) for at in range(matches * steps)])
    add_returns(window, steps, np.float32(trace), 0, 2)
    assert not window.advantage[2 * steps :].any(), "matches that were not asked for"
    add_returns(window, steps, np.float32(trace), 2, matches)
    np.testing.assert_allclose(window.targets, wanted, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(window.advantage, (wanted - values)[:, 0], rtol=1e-5, atol=1e-6)
