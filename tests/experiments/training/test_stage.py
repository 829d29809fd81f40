"""The settings of an update follow from those of the run and from how far it is."""

from __future__ import annotations

import pytest

from bdgame_env.experiments.training.config import TrainConfig
from bdgame_env.experiments.training.stage import stage_of

CONFIG = TrainConfig(
    "nim-v1", imitation=0.5, entropy=0.2, entropy_end=0.1, learning_rate=0.03, learning_rate_end=0.01, epochs=3
)


def test_imitation_and_then_self_play() -> None:
    stages = {at: stage_of(CONFIG, at, 7, teacher=2)[0] for at in (0.0, 0.25, 0.5, 0.75, 1.0, 1.5)}
    assert [(stage.imitation, stage.teacher, stage.epochs) for stage in stages.values()] == [(1, 2, 1)] * 2 + [
        (0, 0, 3)
    ] * 4
    rates = [stage.learning_rate for stage in stages.values()]
    assert rates == pytest.approx([1e-3, 0.55e-3, 0.03, 0.02, 0.01, 0.01])
    assert [stage.entropy for stage in stages.values()] == pytest.approx([0, 0, 0.2, 0.15, 0.1, 0.1])
    assert [stage.batch_size for stage in stages.values()] == [512] * 2 + [CONFIG.batch_size] * 4
    assert {(stage.update, stage.temperature) for stage in stages.values()} == {(7, 1.0)}


def test_imitation_has_no_larger_batches_than_self_play() -> None:
    stage = stage_of(TrainConfig("nim-v1", batch_size=64), 0.0, 0, teacher=2)[0]
    assert stage.imitation and stage.batch_size == 64


def test_advice_fades_and_no_teacher_is_asked_at_its_end() -> None:
    config = TrainConfig("nim-v1", imitation=0.5, advice=0.2)
    stages = [stage_of(config, at, 0, teacher=2)[0] for at in (0.25, 0.5, 0.75, 1.0)]
    assert [stage.advice for stage in stages] == pytest.approx([0, 0.2, 0.1, 0])
    assert [stage.adviser for stage in stages] == [0, 2, 2, 0]
    kept = stage_of(TrainConfig("nim-v1", imitation=0.5, advice=0.2, advice_end=0.2), 1.0, 0, teacher=2)[0]
    assert (kept.advice, kept.adviser) == (pytest.approx(0.2), 2)


def test_without_a_teacher_everything_is_self_play() -> None:
    stage = stage_of(CONFIG, 0.5, 0, teacher=0)[0]
    assert not stage.imitation and stage.learning_rate == pytest.approx(0.02)


def test_a_frozen_opponent_plays_what_it_likes_best() -> None:
    config = TrainConfig("nim-v1", against="perfect", search_every=3, imitation=0.5)
    taught, alone = (stage_of(config, at, 0, teacher=1)[0] for at in (0.0, 0.9))
    assert (taught.temperature, taught.search_every) == (1.0, 0) and (alone.temperature, alone.search_every) == (0.0, 3)
