"""What a training run is told: one file of settings per experiment, checked, with every setting explained."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any, get_type_hints

from .errors import BadInput


@dataclass(frozen=True)
class Imitation:
    """The first stage: learn a teacher's decisions, also in positions the learner gets itself into, and how games end.

    DAgger (Ross, Gordon and Bagnell 2011): in each round teachers play, and from the second round on the learner plays
    in a part of the games; every position is labeled with what the teacher would do there.

    Attributes:
        teacher: an agent spec; "" leaves the stage out.
        rounds: of collecting and learning.
        samples: decisions collected in each round.
        games: games side by side while they are collected.
        learner_share: part of the games in which the learner plays, from the second round on.
        epochs: passes over the samples of a round.
        batch_size: samples per gradient step.
        learning_rate: of Adam, in the first round; it falls to a fifth.
        value_weight: weight of the value's squared error next to the policy's cross-entropy.
    """

    teacher: str = "greedy"
    rounds: int = 8
    samples: int = 300_000
    games: int = 512
    learner_share: float = 0.5
    epochs: int = 1
    batch_size: int = 512
    learning_rate: float = 1e-3
    value_weight: float = 0.5


@dataclass(frozen=True)
class SelfPlay:
    """The second stage: MaskablePPO against snapshots of itself and fixed opponents.

    Attributes:
        steps: the learner's decisions in all.
        num_envs: games side by side.
        rollout: decisions per game between two updates.
        reward: "place", "win" or "points" (place, with shaping on the point lead).
        shaping: size of the shaping potential.
        gamma: discount; also that of the shaping, so that the best policies stay the best.
        gae_lambda, clip_range, learning_rate, entropy, epochs, batch_size, target_kl, value_weight: as in MaskablePPO.
        entropy_end: what the weight of the entropy falls (or rises) to in equal steps; `entropy` is where it begins.
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
    gamma: float = 0.999
    gae_lambda: float = 0.95
    clip_range: float = 0.1
    learning_rate: float = 1e-4
    entropy: float = 0.003
    entropy_end: float = 0.003
    epochs: int = 3
    batch_size: int = 1024
    target_kl: float = 0.03
    value_weight: float = 0.5
    opponents: Mapping[str, float] = field(default_factory=lambda: {"greedy": 0.45, "random": 0.05})
    self_weight: float = 0.5
    snapshots: int = 5
    evaluate_every: int = 65_536
    evaluation_games: int = 50
    evaluate_against: tuple[str, ...] = ("random", "greedy")


@dataclass(frozen=True)
class TrainConfig:
    """One training run.

    Attributes:
        game: id, e.g. "bdgame-v1".
        players: seats at the table.
        options: the game's own.
        seed: of everything.
        hidden: widths of the hidden layers; policy and value share the first.
        threads: of torch.
        imitation, self_play: the stages.
    """

    game: str
    players: int = 2
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    hidden: tuple[int, ...] = (256, 256)
    threads: int = 2
    imitation: Imitation = field(default_factory=Imitation)
    self_play: SelfPlay = field(default_factory=SelfPlay)


def read_config(path: Path | str) -> TrainConfig:
    """Read a settings file.

    Raises:
        BadInput: it cannot be read, or a setting is unknown or of the wrong type; names file and setting.
    """
    try:
        data = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadInput(f"{path}: {error}") from None
    return _filled(TrainConfig, data, str(path))  # type: ignore[no-any-return]


def _filled(kind: Any, data: Any, where: str) -> Any:
    if not isinstance(data, Mapping):
        raise BadInput(f"{where}: a table is wanted, not {data!r}")
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
    if kind in (int, float, str):
        fits = isinstance(value, (int, float) if kind is float else kind) and not isinstance(value, bool)
        if not fits:
            raise BadInput(f"{where} is {value!r}, must be of type {kind.__name__}")
        return kind(value)
    if isinstance(value, list):
        return tuple(value)
    return value
