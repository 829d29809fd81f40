"""What a training run is told: one file of settings per experiment, checked, with every setting explained."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any, get_type_hints

from ..errors import BadInput


@dataclass(frozen=True)
class Imitation:
    """The first stage: learn a teacher's decisions, also in positions the learner gets itself into, and how games end.

    DAgger (Ross, Gordon and Bagnell 2011): in each round teachers play, and from the second round on the learner plays
    in a part of the games; every position is labeled with what the teacher would do there, or with how much it likes
    each action if it tells (`Agent.preferences`). The value learns the final rewards by place.

    Attributes:
        teacher: an agent spec; "" leaves the stage out.
        rounds: of collecting and learning.
        samples: decisions collected in each round.
        buffer_rounds: samples of so many rounds are learned from.
        games: games side by side while they are collected.
        learner_share: part of the games in which the learner plays, from the second round on.
        epsilon: part of the decisions that are left to chance, so that other positions are met too.
        stride: one of so many decisions becomes a sample: those of one game are much alike.
        epochs: passes over the samples in a round.
        batch_size: samples per gradient step.
        learning_rate: of Adam, in the first round; it falls to a fifth.
        policy_weight: weight of the policy's cross-entropy; with 0 only the value learns, and the policy is left to
            self-play.
        value_weight: weight of the value's squared error.
        evaluate_every: rounds between evaluations; there is one after the last round in any case.
    """

    teacher: str = "heuristic"
    rounds: int = 8
    samples: int = 300_000
    buffer_rounds: int = 1
    games: int = 512
    learner_share: float = 0.5
    epsilon: float = 0.0
    stride: int = 1
    epochs: int = 1
    batch_size: int = 512
    learning_rate: float = 1e-3
    policy_weight: float = 1.0
    value_weight: float = 0.5
    evaluate_every: int = 1_000_000


@dataclass(frozen=True)
class ExpertIteration:
    """The third stage: search with the network teaches the network (Anthony, Tian and Barber 2017; Silver et al. 2017).

    In each round the expert, a tree search with the network's priors and values, plays itself, and the network learns
    what it liked and how the games ended.

    Attributes:
        expert: an agent spec, for which the network of the round takes the place of its weights.
        rounds: of playing and learning; 0 leaves the stage out.
        others: as in `Imitation`.
    """

    expert: str = "az:sims=32"
    rounds: int = 0
    samples: int = 20_000
    buffer_rounds: int = 8
    games: int = 128
    epochs: int = 1
    batch_size: int = 512
    learning_rate: float = 3e-4
    policy_weight: float = 1.0
    value_weight: float = 0.5
    evaluate_every: int = 4


@dataclass(frozen=True)
class SelfPlay:
    """The second stage: MaskablePPO against snapshots of itself and fixed opponents.

    Attributes:
        steps: the learner's decisions in all.
        num_envs: games side by side.
        rollout: decisions per game between two updates.
        reward: "rank", "win" or "points" (rank, with shaping on the point lead).
        shaping: size of the shaping potential; it changes in equal steps to `shaping_end`.
        gamma: discount; also that of the shaping, so that the best policies stay the best.
        gae_lambda, clip_range, learning_rate, entropy, epochs, batch_size, target_kl, value_weight: as in MaskablePPO.
        entropy_end, learning_rate_end: what the weight of the entropy and the learning rate come to in equal steps.
        keep_values: leave the values as imitation taught them, from far more games than a rollout has, and learn only a
            linear correction; else they soon fit the few games at hand.
        opponents: fixed opponents with their weights.
        self_weight: weight of the snapshots together; among them those weigh most that still beat the learner.
        snapshots: how many of the newest snapshots are opponents.
        evaluate_every: decisions between evaluations; each also writes a checkpoint and a snapshot.
        evaluation_games: games per seat order against each evaluation opponent.
        evaluate_against: agent specs.
    """

    steps: int = 1_000_000
    num_envs: int = 128
    rollout: int = 64
    reward: str = "points"
    shaping: float = 1.0
    shaping_end: float = 1.0
    gamma: float = 0.999
    gae_lambda: float = 0.95
    clip_range: float = 0.1
    learning_rate: float = 1e-4
    learning_rate_end: float = 1e-4
    entropy: float = 0.003
    entropy_end: float = 0.003
    epochs: int = 3
    batch_size: int = 1024
    target_kl: float = 0.03
    value_weight: float = 0.5
    keep_values: bool = False
    opponents: Mapping[str, float] = field(default_factory=lambda: {"heuristic": 0.45, "random": 0.05})
    self_weight: float = 0.5
    snapshots: int = 5
    evaluate_every: int = 65_536
    evaluation_games: int = 50
    evaluate_against: tuple[str, ...] = ("random", "heuristic")


@dataclass(frozen=True)
class TrainConfig:
    """One training run.

    Attributes:
        game: id, e.g. "bdgame-v2".
        players: numbers of seats at the table; one policy learns to play with all of them.
        options: the game's own.
        seed: of everything.
        network: "structured" gives card kinds an embedding that all fields share and reads a workshop as a grid;
            "plain" reads numbers only.
        advice: the network is told what the game's compiled players and their plans would do, and learns whom to
            trust when (residual policy learning: Silver, Allen, Tenenbaum and Kaelbling 2018).
        prior_weight: how much the first of these is trusted at the beginning, as a logit; what nobody advises has -1.
            With less prior_weight more of that is tried.
        hidden: widths of the hidden layers, which policy and value share.
        threads: of torch.
        start: a policy file to begin with, instead of a fresh network; "" for none.
        imitation, self_play, expert_iteration: the stages.
    """

    game: str
    players: tuple[int, ...] = (2,)
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    network: str = "structured"
    advice: bool = True
    prior_weight: float = 4.0
    hidden: tuple[int, ...] = (256, 256)
    threads: int = 2
    start: str = ""
    imitation: Imitation = field(default_factory=Imitation)
    self_play: SelfPlay = field(default_factory=SelfPlay)
    expert_iteration: ExpertIteration = field(default_factory=ExpertIteration)

    def __post_init__(self) -> None:
        if self.network not in ("structured", "plain"):
            raise BadInput(f"network={self.network!r}, must be 'structured' or 'plain'")
        if not self.players:
            raise BadInput("players=(), at least one number of players is needed")


def read_config(path: Path | str) -> TrainConfig:
    """Read a settings file.

    Raises:
        BadInput: it cannot be read, or a setting is unknown or of the wrong type; names file and setting.
    """
    try:
        data = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadInput(f"{path}: {error}") from None
    return read_settings(data, str(path))


def read_settings(data: Any, where: str) -> TrainConfig:
    """Settings from plain data, as a settings file or the record of a run has them.

    Raises:
        BadInput: as `read_config`.
    """
    settings: TrainConfig = _filled(TrainConfig, data, where)
    return settings


def read_run(path: Path) -> dict[str, Any]:
    """What the `run.json` of a training run says: its "config", a match, and its "run".

    Raises:
        BadInput: it is missing, damaged or not of a training run.
    """
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BadInput(f"{path} is not there: it is written by `train`") from None
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{path} is not of a training run: {error}") from None
    if not isinstance(facts, dict) or not all(isinstance(facts.get(name), dict) for name in ("config", "run")):
        raise BadInput(f"{path} is not of a training run: no matches 'config' and 'run'")
    return facts


def _filled(kind: Any, data: Any, where: str) -> Any:
    if not isinstance(data, Mapping):
        raise BadInput(f"{where}: a match is wanted, not {data!r}")
    types = get_type_hints(kind)
    known = {entry.name: entry for entry in fields(kind)}
    for name in data:
        if name not in known:
            raise BadInput(f"{where}: unknown setting {name!r}; known: {', '.join(known)}")
    values = {}
    for name, entry in known.items():
        if name not in data:
            if entry.default is MISSING and entry.default_factory is MISSING:
                raise BadInput(f"{where}: the setting {name!r} is missing")
            continue
        values[name] = _value(types[name], data[name], f"{where}: {name}")
    return kind(**values)


def _value(kind: Any, value: Any, where: str) -> Any:
    if is_dataclass(kind):
        return _filled(kind, value, where)
    if kind == tuple[int, ...] and isinstance(value, int):
        value = [value]
    if kind in (int, float, str, bool):
        if kind is bool and isinstance(value, bool):
            return value
        fits = isinstance(value, (int, float) if kind is float else kind) and not isinstance(value, bool)
        if not fits:
            raise BadInput(f"{where} is {value!r}, must be of type {kind.__name__}")
        return kind(value)
    if isinstance(value, list):
        return tuple(value)
    return value
