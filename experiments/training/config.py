"""The settings of a training run: one TOML file per experiment, checked, with every setting explained."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import field, fields
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    BeforeValidator,
    ConfigDict,
    Field,
    NonNegativeFloat,
    NonNegativeInt,
    PositiveFloat,
    PositiveInt,
    TypeAdapter,
    ValidationError,
)
from pydantic.dataclasses import dataclass

from ..errors import BadInput

Share = Annotated[float, Field(ge=0, le=1)]
_STRICT = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


def _as_tuple(value: Any) -> Any:
    """A single number stands for a list of one."""
    return (value,) if isinstance(value, int) else tuple(value) if isinstance(value, list) else value


Players = Annotated[tuple[PositiveInt, ...], BeforeValidator(_as_tuple), Field(min_length=1)]
Widths = Annotated[tuple[PositiveInt, ...], BeforeValidator(_as_tuple), Field(min_length=1)]


@dataclass(frozen=True, config=_STRICT)
class Imitation:
    """The first stage: learn a teacher's decisions, also in positions that the learner reaches, and the final rewards.

    DAgger (Ross, Gordon and Bagnell 2011): in each round teachers play, and from the second round on the learner plays
    in part of the games. Every position is labeled with the teacher's action, or with its preferences if it has any
    (`Agent.preferences`). The value learns the final rewards of all seats.

    Attributes:
        teacher: an agent spec; "" leaves the stage out.
        rounds: rounds of collecting samples and fitting the network to them.
        samples: decisions collected in each round.
        buffer_rounds: rounds whose samples the replay buffer holds.
        games: games side by side while samples are collected.
        learner_share: share of the games in which the learner plays, from the second round on.
        epsilon: probability of a random action, so that more positions are reached.
        stride: on average one decision in this many becomes a sample, since those of one game are much alike.
        epochs: passes over the replay buffer in a round.
        batch_size: samples per gradient step.
        learning_rate: of Adam, in the first round; it decays to a fifth.
        policy_weight: weight of the policy's cross-entropy; with 0 only the value learns.
        value_weight: weight of the value's squared error.
        evaluate_every: rounds between evaluations; the last round is always followed by one.
    """

    teacher: str = "heuristic"
    rounds: NonNegativeInt = 8
    samples: PositiveInt = 300_000
    buffer_rounds: PositiveInt = 1
    games: PositiveInt = 512
    learner_share: Share = 0.5
    epsilon: Share = 0.0
    stride: PositiveInt = 1
    epochs: PositiveInt = 1
    batch_size: PositiveInt = 512
    learning_rate: PositiveFloat = 1e-3
    policy_weight: NonNegativeFloat = 1.0
    value_weight: NonNegativeFloat = 0.5
    evaluate_every: PositiveInt = 1_000_000


@dataclass(frozen=True, config=_STRICT)
class ExpertIteration:
    """The third stage: a search that uses the network teaches it (Anthony, Tian and Barber 2017; Silver et al. 2017).

    In each round the expert, a tree search with the network's priors and values, plays itself, and the network learns
    its preferences and the final rewards.

    Attributes:
        expert: an agent spec; the agent uses the network of the round.
        rounds: rounds of playing and fitting; 0 leaves the stage out.
        others: as in `Imitation`.
    """

    expert: str = "az:sims=32"
    rounds: NonNegativeInt = 0
    samples: PositiveInt = 20_000
    buffer_rounds: PositiveInt = 8
    games: PositiveInt = 128
    epochs: PositiveInt = 1
    batch_size: PositiveInt = 512
    learning_rate: PositiveFloat = 3e-4
    policy_weight: NonNegativeFloat = 1.0
    value_weight: NonNegativeFloat = 0.5
    evaluate_every: PositiveInt = 4


@dataclass(frozen=True, config=_STRICT)
class SelfPlay:
    """The second stage: MaskablePPO against snapshots of itself and fixed opponents.

    Attributes:
        steps: total number of the learner's decisions.
        num_envs: games side by side.
        rollout: decisions per game between two updates.
        reward: "rank", "win" or "points" ("rank" with shaping by the point lead).
        shaping: scale of the shaping potential; it changes linearly to `shaping_end`.
        gamma: discount, also of the shaping, so that optimal policies stay optimal.
        gae_lambda, clip_range, learning_rate, entropy, epochs, batch_size, target_kl, value_weight: as in MaskablePPO.
        entropy_end, learning_rate_end: final values of the entropy weight and the learning rate, reached linearly.
        keep_values: keep the values that imitation learned from many games, and learn only a linear correction;
            otherwise they soon overfit to the few games of a rollout.
        opponents: fixed opponents and their weights.
        self_weight: total weight of the snapshots; among these, opponents that still beat the learner weigh most.
        snapshots: number of the newest snapshots that are opponents.
        evaluate_every: decisions between evaluations; each also writes a checkpoint and a snapshot.
        evaluation_games: games per seat order against each evaluation opponent.
        evaluate_against: agent specs.
    """

    steps: NonNegativeInt = 1_000_000
    num_envs: PositiveInt = 128
    rollout: PositiveInt = 64
    reward: str = "points"
    shaping: NonNegativeFloat = 1.0
    shaping_end: NonNegativeFloat = 1.0
    gamma: Share = 0.999
    gae_lambda: Share = 0.95
    clip_range: PositiveFloat = 0.1
    learning_rate: NonNegativeFloat = 1e-4
    learning_rate_end: NonNegativeFloat = 1e-4
    entropy: NonNegativeFloat = 0.003
    entropy_end: NonNegativeFloat = 0.003
    epochs: PositiveInt = 3
    batch_size: PositiveInt = 1024
    target_kl: PositiveFloat = 0.03
    value_weight: NonNegativeFloat = 0.5
    keep_values: bool = False
    opponents: Mapping[str, NonNegativeFloat] = field(default_factory=lambda: {"heuristic": 0.45, "random": 0.05})
    self_weight: NonNegativeFloat = 0.5
    snapshots: PositiveInt = 5
    evaluate_every: PositiveInt = 65_536
    evaluation_games: PositiveInt = 50
    evaluate_against: tuple[str, ...] = ("random", "heuristic")


@dataclass(frozen=True, config=_STRICT)
class TrainConfig:
    """One training run.

    Attributes:
        game: id, e.g. "bdgame-v2".
        players: numbers of players; one policy learns to play with all of them.
        options: options of the game.
        seed: for all random numbers.
        network: "structured" shares an embedding of card kinds among all fields and reads a workshop as a grid; "plain"
            reads numbers only.
        advice: whether the network sees what the game's compiled players and their plans would do, and learns when to
            follow which (residual policy learning: Silver, Allen, Tenenbaum and Kaelbling 2018).
        prior_weight: initial logit of the first adviser's action; an action that nobody advises starts at -1. With a
            lower weight, more of those actions are explored.
        hidden: widths of the hidden layers, which policy and value share.
        threads: number of torch's threads.
        start: a policy file to begin with, instead of a fresh network; "" for none.
        imitation, self_play, expert_iteration: the stages.
    """

    game: str
    players: Players = (2,)
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: NonNegativeInt = 0
    network: Literal["structured", "plain"] = "structured"
    advice: bool = True
    prior_weight: float = 4.0
    hidden: Widths = (256, 256)
    threads: PositiveInt = 2
    start: str = ""
    imitation: Imitation = field(default_factory=Imitation)
    self_play: SelfPlay = field(default_factory=SelfPlay)
    expert_iteration: ExpertIteration = field(default_factory=ExpertIteration)


_KINDS = {"": TrainConfig, "imitation": Imitation, "self_play": SelfPlay, "expert_iteration": ExpertIteration}


def read_config(path: Path | str) -> TrainConfig:
    """Read a settings file.

    Raises:
        BadInput: the file cannot be read, or a setting is unknown, missing or not allowed.
    """
    try:
        data = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadInput(f"{path}: {error}") from None
    return read_settings(data, str(path))


def read_settings(data: Any, where: str) -> TrainConfig:
    """Settings from plain data, as in a settings file or a `run.json`.

    Raises:
        BadInput: as `read_config`.
    """
    try:
        return TypeAdapter(TrainConfig).validate_json(json.dumps(data, default=str))  # JSON: a list may be a tuple
    except ValidationError as error:
        raise BadInput(f"{where}: {_line(error)}") from None


def _line(error: ValidationError) -> str:
    """The first mistake in one line: setting, what is wrong, what is allowed."""
    first = error.errors()[0]
    *tables, name = ("", *first["loc"])
    setting = ".".join(map(str, first["loc"])) or "the file"
    if first["type"] == "missing":
        return f"the setting {setting!r} is missing"
    if first["type"] == "unexpected_keyword_argument":
        known = ", ".join(entry.name for entry in fields(_KINDS[str(tables[-1])]))
        return f"unknown setting {name!r}; known: {known}"
    wanted = first["msg"].replace("Input should be", "must be").replace("Value should have", "must have")
    return f"{setting} is {first['input']!r}, {wanted}"


def read_run(path: Path) -> dict[str, Any]:
    """The contents of the `run.json` of a training run: the objects "config" and "run".

    Raises:
        BadInput: the file is missing, damaged or not that of a training run.
    """
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BadInput(f"{path} does not exist: `train` writes it") from None
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{path} is not that of a training run: {error}") from None
    if not isinstance(facts, dict) or not all(isinstance(facts.get(name), dict) for name in ("config", "run")):
        raise BadInput(f"{path} is not that of a training run: no objects 'config' and 'run'")
    return facts
