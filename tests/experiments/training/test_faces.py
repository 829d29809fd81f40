"""Learning to see cards by what they do: gradients of sums, several decks in one run, other decks afterwards."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from bdgame_env import get_game, list_games
from bdgame_env.agents.networks import load_policy
from bdgame_env.agents.networks.face_plan import FACE, has_faces, plan_by
from bdgame_env.agents.networks.network import Network, rows_in, view, work_out
from bdgame_env.agents.networks.row_plan import Plan
from bdgame_env.experiments.errors import BadInput
from bdgame_env.experiments.training import training_run
from bdgame_env.experiments.training.codes import FINAL
from bdgame_env.experiments.training.config import TrainConfig
from bdgame_env.experiments.training.learner import Learner
from bdgame_env.experiments.training.rollouts import Matches, WindowPlayer
from bdgame_env.experiments.training.samples import Window, new_window
from bdgame_env.experiments.training.show import showing
from bdgame_env.experiments.training.train import run
from bdgame_env.experiments.training.training_run import TrainingRun
from bdgame_env.games.bdgame.cards import NUM_BASIC
from tests.experiments.training.test_gradients import losses, tensors, whole, with_ratios
from tests.support.windows import learning_stage, play_window, random_weights, stage

pytestmark = pytest.mark.slow

GAME = get_game(next(name for name in list_games() if name.startswith("bdgame-")))
SECOND_DECK = str(Path(__file__).parents[3] / "docs" / "second_deck.toml")
WIDTH, STEPS = 16, 4
ALL = np.arange(64)
TINY = TrainConfig(
    game=GAME.id,
    variants=({}, {"deck": SECOND_DECK}),
    cards="face",
    teacher="",
    width=8,
    matches=8,
    steps=8,
    batch_size=32,
    decisions=200,
    evaluations=1,
    evaluation_deals=2,
    planner_deals=0,
)


@pytest.fixture(autouse=True)
def few_final_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training_run, "FINAL_DEALS", 2)


@cache
def played() -> tuple[Plan, Window]:
    """Samples of two decks; what is learned from them is random."""
    configs = [GAME.config(), GAME.config(deck=SECOND_DECK)]
    plan = plan_by(FACE, GAME, *configs)
    window, rng = new_window(plan, len(ALL)), np.random.default_rng(5)
    learner = view(random_weights(plan, WIDTH, 1, 0), plan, WIDTH, 1)
    half = len(ALL) // 2
    for number, config in enumerate(configs):
        part = window.part(number * half, (number + 1) * half)
        Matches(GAME, config, half // STEPS, 0, 1).play_window(part, STEPS, stage(), learner, [learner], plan)
    window.next[:] = FINAL
    window.targets[:] = rng.uniform(-1, 1, window.targets.shape)
    window.advantage[:] = rng.normal(size=len(ALL))
    return plan, window._replace(improved=np.zeros((len(ALL), window.legal.shape[1]), np.float32))


def weights_of(plan: Plan, layers: int) -> Any:
    weights = random_weights(plan, WIDTH, layers, 9)
    work_out(weights, plan, WIDTH, layers)
    return weights


def with_sums(net: dict[str, Any], plan: Plan) -> dict[str, Any]:
    """The same network, in which sums depend on what they are made of, and actions without names are 0."""
    rows = list(torch.cat([net["first"], net["cards"]]))
    for k, row in enumerate(plan.sums.tolist()):
        parts = plan.sum_parts[plan.sum_starts[k] : plan.sum_starts[k + 1]].tolist()
        total = torch.stack([rows[part] for part in parts]).sum(0) if parts else torch.zeros(WIDTH, dtype=torch.float64)
        rows[row] = total * float(plan.sum_scales[k])
    table, named = torch.stack(rows), torch.ones(len(plan.places), dtype=torch.float64)
    named[torch.as_tensor(plan.nameless, dtype=torch.long)] = 0.0
    actions, bias = net["actions"] * named[:, None], net["action_bias"] * named
    made = {"first": table[: plan.rows], "cards": table[plan.rows :], "actions": actions, "action_bias": bias}
    return {**net, **made}


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("layers", [0, 1])
def test_gradients_equal_automatic_ones(layers: int, threads: int) -> None:
    plan, window = played()
    weights, settings = weights_of(plan, layers), learning_stage(imitation=False, search_weight=0.0)
    window = with_ratios(plan, window, weights, layers)
    net = tensors(weights, plan, layers)
    whole(losses(window, ALL, with_sums(net, plan), settings), settings).backward()
    learner = Learner(plan, WIDTH, layers, weights, threads)
    _, norm = learner.gradient(window, ALL, settings)
    squares = 0.0
    for part, ours in Network(*learner.grads)._asdict().items():
        theirs = np.zeros(ours.shape) if net[part].grad is None else net[part].grad.numpy()
        squares += np.linalg.norm(theirs) ** 2
        assert np.linalg.norm(ours / len(ALL) - theirs) <= 2e-4 * np.linalg.norm(theirs), part
    assert norm == pytest.approx(np.sqrt(squares), rel=1e-4)
    assert not learner.grads.first[plan.kept_rows :].any() and learner.grads.cards[: plan.kept_cards].any()


def test_steps_keep_sums_true() -> None:
    """After steps the sums are those of the new weights, and the optimizer remembers nothing of them."""
    plan, window = played()
    weights = weights_of(plan, 1)
    learner = Learner(plan, WIDTH, 1, weights, 2)
    for _ in range(3):
        learner.step(window, ALL, learning_stage(search_weight=0.0))
    found = learner.weights.copy()
    work_out(found, plan, WIDTH, 1)
    np.testing.assert_array_equal(found, learner.weights)
    assert not np.array_equal(weights, found)
    for memory in (learner.means, learner.squares):
        assert not rows_in(memory, plan, WIDTH)[plan.sums].any()
        assert not view(memory, plan, WIDTH, 1).actions[plan.nameless].any()


def test_sums_that_a_batch_does_not_look_at_change_nothing() -> None:
    """Within a window only sums that are looked at are worked out: it is learned as if all were, and then all are."""
    plan, window = played()
    window = window._replace(advantage=window.advantage.copy())  # which is normalized in place
    settings = learning_stage(search_weight=0.0, batch_size=len(ALL) // 4, epochs=1)
    whole, single = (Learner(plan, WIDTH, 1, weights_of(plan, 1), 2) for _ in range(2))
    learned = whole.learn_window(window, settings, np.random.default_rng(3))
    begins = np.random.default_rng(3).permutation(np.flatnonzero(window.begins))
    assert learned.steps == 4
    for some in np.array_split(begins, 4):
        single.step(window, some, settings)
    np.testing.assert_array_equal(whole.weights, single.weights)


def test_a_run_on_two_decks(tmp_path: Path) -> None:
    """It learns from both, its network plays both and others, and it goes on as if it had not been interrupted."""
    policy = run(TINY, tmp_path / "whole")
    for deck in (None, SECOND_DECK):
        load_policy(policy, GAME, GAME.config(deck=deck))
    with showing() as show:
        begun = TrainingRun(TINY, tmp_path / "parts", show)
        begun.update()
        decks = [matches.game_config.options["deck"] for matches in begun.matches]
        assert len(begun.plan.keys) == 2 and decks[0] is None and decks[1] == SECOND_DECK
        assert (begun.window.legals.reshape(2, -1).sum(axis=1) > 0).all()
        begun.checkpoint()
        again = TrainingRun(TINY, tmp_path / "parts", show)
        begun.update(), again.update()
        np.testing.assert_array_equal(begun.learner.weights, again.learner.weights)
        more = replace(TINY, start=str(policy), variants=(), options={"deck": SECOND_DECK}, width=12)
        started = TrainingRun(more, tmp_path / "more", show)
        read = load_policy(policy, GAME, GAME.config(deck=SECOND_DECK))
        np.testing.assert_array_equal(started.learner.network.first[:, :8], read.network.first)
        assert started.policy.meta["variants"] == []


def test_settings_that_do_not_fit(tmp_path: Path) -> None:
    without = next(name for name in list_games() if not has_faces(get_game(name)))
    with pytest.raises(BadInput, match=f"cards='face': observations of {without} do not say what cards do"):
        WindowPlayer(get_game(without), TrainConfig(without, cards="face"), 1)
    with pytest.raises(BadInput, match="one network cannot learn games whose actions differ"):
        WindowPlayer(GAME, replace(TINY, variants=({}, {"trading": True})), 1)
    for deck in ("random:10000", "random:9999-10000", "random:11023-11024"):
        with pytest.raises(BadInput, match=f"held out for measuring: .*{deck}"):
            WindowPlayer(GAME, replace(TINY, variants=({}, {"deck": deck})), 1)
    WindowPlayer(GAME, replace(TINY, variants=({"deck": "random:9999"}, {"deck": "random:11024"})), 1)
    policy = run(replace(TINY, cards="number", variants=(), decisions=10), tmp_path / "numbers")
    for named in ({"against": str(policy)}, {"rivals": (str(policy),)}, {"teachers": (str(policy),), "imitation": 1.0}):
        (setting,) = named.keys() - {"imitation"}
        with pytest.raises(BadInput, match=f"^{setting}=.*sees cards by number"):
            run(replace(TINY, **named), tmp_path / setting)
    by_face = run(replace(TINY, start=str(policy), decisions=10), tmp_path / "start")
    with pytest.raises(BadInput, match=r"^start=.*sees cards by face"):
        run(replace(TINY, cards="number", variants=(), start=str(by_face)), tmp_path / "back")


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_games_begin_with_machines_or_parts(share: float) -> None:
    """`exploring`: the share of new games that begin with special parts; the first games of all are as dealt."""
    made = play_window(GAME, GAME.config(max_rounds=1), 32, 60, exploring=share)
    seats, new = made.matches.games["seats"], made.matches.games["decisions"] < 4
    special = (seats["hand"][:, :, NUM_BASIC:].sum(axis=(1, 2)) > 0) | (seats["workshop"]["kinds"] >= NUM_BASIC).any(
        axis=(1, 2, 3)
    )
    assert new.sum() >= 3 and (special[new] == bool(share)).all()
    assert not (made.started["seats"]["hand"]).any()
