"""The settings of a training run, checked, with every setting explained."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import field, fields
from os import PathLike, fspath
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Field,
    NonNegativeInt,
    PositiveInt,
    TypeAdapter,
    ValidationError,
)
from pydantic.dataclasses import dataclass

from bdgame_env.engine.game import Game
from bdgame_env.engine.quoting import shown
from bdgame_env.engine.user_files import NotRead, read_text

from ..errors import BadInput

Share = Annotated[float, Field(ge=0, le=1)]
_MOST = 1e9  # far within single precision
Amount = Annotated[float, Field(ge=0, le=_MOST)]
PositiveAmount = Annotated[float, Field(gt=0, le=_MOST)]
STRICT = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


def _as_tuple(value: object) -> Any:
    """A single number stands for a list of one."""
    return (value,) if isinstance(value, int) else tuple(value) if isinstance(value, list) else value


def _all_different(players: tuple[int, ...]) -> tuple[int, ...]:
    if len(set(players)) < len(players):
        raise ValueError("must be different numbers")
    return players


PathText = Annotated[str, BeforeValidator(lambda value: fspath(value) if isinstance(value, PathLike) else value)]
SEEDS = 2**40  # seeds from here on are those of evaluations
_GONE = {"learners": 0, "staleness": 0}  # what runs of earlier versions name, at values that change nothing
Players = Annotated[
    tuple[PositiveInt, ...], BeforeValidator(_as_tuple), Field(min_length=1), AfterValidator(_all_different)
]
Seed = Annotated[int, Field(ge=0, lt=SEEDS)]


@dataclass(frozen=True, config=STRICT)
class TrainConfig:
    """One training run: imitation of a teacher for a share of the budget, then self-play.

    In imitation (DAgger: Ross, Gordon and Bagnell 2011) the teacher's choice is the label of every decision, in its own
    games and in the learner's. Self-play is PPO (Schulman et al. 2017) against the current network itself, against
    earlier snapshots and against the teacher. Settings with an end change linearly over self-play.

    Attributes:
        game: id, e.g. "bdgame-v3".
        players: numbers of players; one network learns to play with all of them.
        options: options of the game.
        variants: sets of options, each together with `options`; every set has an equal share of the matches, and one
            network learns all of them: several decks, for example. None for `options` alone.
        cards: how the network sees cards, by "number" or, if the game's observations say what cards do, by "face",
            which also serves decks that it has not met; see `bdgame_env.agents.networks.face_plan`.
        seed: for all random numbers.
        minutes: budget in minutes; evaluations count.
        decisions: budget in decisions instead, if it is not 0. Such a run can be repeated and resumed bit for bit.
        threads: that share the work; results depend on their number.
        start: a policy file to begin with, instead of a fresh network; "" for none. As in the other settings that name
            policy files, "ppo" is the one that ships. A narrower network is widened; if it sees cards by number and
            `cards` is "face", what it knows of cards is fitted to faces.
        against: a policy file or a compiled player that has all seats but the learner's in self-play, and plays what it
            likes best; "" for the network itself, its snapshots and the teacher.
        width, layers: of the network, see `bdgame_env.agents.networks.network`.
        matches: games side by side.
        steps: decisions of each game between two updates.
        batch_size: samples per step of Adam.
        segment: decisions of a game in a row that are in the same batch: the longer, the faster, as only what changes
            from one to the next is worked out; 1 for a batch of single decisions.
        epochs: how often each sample of self-play is used.
        teacher: one of the game's compiled players, or "strongest" for the strongest of them; "" for none: then
            everything is self-play.
        teachers: policy files whose networks teach in imitation instead: each has an equal share of the matches, where
            its likeliest action is the label, so that one network learns the styles of all (policy distillation: Rusu
            et al. 2016, arXiv 1511.06295).
        imitation: share of the budget for imitation.
        imitation_rate: learning rate in imitation.
        imitation_batch_size: samples per step of Adam in imitation, if `batch_size` is not smaller: labels are less
            noisy than returns, so that more and smaller steps learn more from as many samples.
        teacher_share: share of the matches of imitation that the teacher plays; the learner plays the others.
        noise: probability of a random action in the teacher's matches, so that more positions are reached.
        learning_rate, learning_rate_end: of self-play.
        entropy, entropy_end: weight of the policy's entropy.
        clip_range, max_norm: as in PPO: range of the probability ratio, norm of the gradient.
        trace: lambda of the returns.
        value_weight: weight of the squared error of the observer's own utility.
        other_weight: likewise of the other heads: the others' utilities, progress and rank rewards.
        margin: share of the lead in points in the utility; the rest is the reward for the rank.
        truncation: what a truncated game takes off the utility of every seat, so that finishing pays.
        exploring: share of the games of training that begin with a random position of the game's choice, such as with a
            random machine, if it has any (`Game.explore`); games that measure never do.
        short_games: whether games of training have the options of the game's short form (`Game.short`), such as a low
            limit of rounds, where `options` and `variants` do not name them; games that measure never do. Of whole
            games beginners mostly see how they come to nothing. None for runs without `start`.
        snapshot_share: share of the matches of self-play against snapshots.
        teacher_matches: share of the matches of self-play against the teacher.
        snapshots: how many snapshots are kept.
        rivals: policy files whose networks, of any width, are among the snapshots from the beginning to the end.
        averaged_updates: the network that is measured and written is the mean of the weights after about so many of the
            last updates of self-play (a moving average, as in Polyak and Juditsky 1992); 1 for the newest alone. Play
            and learning go on with the newest.
        advice, advice_end: in self-play, the weight of the cross-entropy with what the teacher would do in the
            learner's place; it keeps up what the learner would unlearn, and falls to nothing unless an end is given
            (kickstarting: Schmitt et al. 2018, arXiv 1803.03835). 0 for none.
        advice_every: one in so many decisions of a game is advised.
        search_every: one in so many of the learner's decisions of self-play is searched, and the network learns the
            policy that the search improved (expert iteration: Anthony et al. 2017); 0 for none.
        search_sims: simulations of each search.
        search_scale: how far searches trust values, `value_scale` of `agents.search.network_forest.GumbelSettings`.
        search_turns: turns that their simulations play on before they are judged, `rollout_turns` there.
        search_weight: weight of the cross-entropy with the improved policies.
        measured: likewise the sets of options of the games that measure; none for those that the run is about.
        evaluations: number of evaluations during the run.
        evaluation_deals: deals of an evaluation against each opponent, each played from every seat.
        planner_deals: likewise against the planner, which is slower: at the end of the run only, 0 for not at all.
    """

    game: str
    players: Players = (2,)
    options: Mapping[str, Any] = field(default_factory=dict)
    variants: tuple[Mapping[str, Any], ...] = ()
    cards: Literal["number", "face"] = "number"
    seed: Seed = 0
    minutes: Amount = 15.0
    decisions: NonNegativeInt = 0
    threads: PositiveInt = 2
    start: PathText = ""
    against: PathText = ""
    width: PositiveInt = 128
    layers: NonNegativeInt = 1
    matches: PositiveInt = 1024
    steps: PositiveInt = 96
    batch_size: PositiveInt = 4096
    segment: PositiveInt = 16
    epochs: PositiveInt = 1
    teacher: str = "strongest"
    teachers: tuple[PathText, ...] = ()
    imitation: Share = 0.3
    imitation_rate: Amount = 1e-3
    imitation_batch_size: PositiveInt = 512
    teacher_share: Share = 0.75
    noise: Share = 0.05
    learning_rate: Amount = 1e-3
    learning_rate_end: Amount = 1e-4
    entropy: Amount = 0.02
    entropy_end: Amount = 0.003
    clip_range: PositiveAmount = 0.2
    max_norm: PositiveAmount = 0.5
    trace: Share = 0.95
    value_weight: Amount = 0.5
    other_weight: Amount = 0.05
    margin: Share = 0.3
    truncation: Share = 0.3
    exploring: Share = 0.0
    short_games: bool | None = None
    snapshot_share: Share = 0.15
    teacher_matches: Share = 0.1
    snapshots: PositiveInt = 6
    rivals: tuple[PathText, ...] = ()
    averaged_updates: PositiveInt = 1
    advice: Amount = 0.0
    advice_end: Amount = 0.0
    advice_every: PositiveInt = 4
    search_every: NonNegativeInt = 0
    search_sims: Annotated[int, Field(ge=2, le=10_000)] = 32
    search_scale: Annotated[float, Field(ge=0, le=100)] = 1.0
    search_turns: Annotated[int, Field(ge=0, le=100)] = 0
    search_weight: Amount = 1.0
    measured: tuple[Mapping[str, Any], ...] = ()
    evaluations: PositiveInt = 12
    evaluation_deals: PositiveInt = 100
    planner_deals: NonNegativeInt = 10


def option_sets(config: TrainConfig, variants: Sequence[Mapping[str, Any]] = ()) -> list[dict[str, Any]]:
    """The options of the games that a run is about, or those of other variants: for each number of players."""
    sets = [{**config.options, **variant} for variant in variants or config.variants or ({},)]
    return [{"players": players, **options} for options in sets for players in config.players]


def training_sets(config: TrainConfig, game: Game) -> list[dict[str, Any]]:
    """The options of the games that a run learns from, likewise."""
    short = not config.start if config.short_games is None else config.short_games
    return [{**(game.short if short else {}), **options} for options in option_sets(config)]


def read_config(path: str | PathLike[str]) -> dict[str, Any]:
    """The settings in a TOML file, not yet checked.

    Raises:
        BadInput: the file cannot be read.
    """
    try:
        return tomllib.loads(read_text(path))
    except (NotRead, tomllib.TOMLDecodeError) as error:
        raise BadInput(f"{path}: {error}") from None


def checked(data: Any, where: str) -> TrainConfig:
    """Settings from plain data, as in a settings file or a `run.json`.

    Raises:
        BadInput: a setting is unknown, missing or not allowed; one line.
    """
    try:
        return TypeAdapter(TrainConfig).validate_json(json.dumps(data, default=str))  # JSON: a list may be a tuple
    except ValidationError as error:
        raise BadInput(f"{where}: {first_mistake(error)}") from None


def first_mistake(error: ValidationError) -> str:
    """The first mistake in one line: setting, what is wrong, what is allowed."""
    first = error.errors()[0]
    setting = ".".join(map(str, first["loc"])) or "the file"
    if first["type"] == "missing":
        return f"the setting {shown(setting)} is missing"
    if first["type"] == "unexpected_keyword_argument":
        known = ", ".join(entry.name for entry in fields(TrainConfig))
        return f"unknown setting {shown(setting)}; known: {known}"
    wanted = first["msg"].replace("Input should be", "must be").replace("Value should have", "must have")
    wanted = wanted.removeprefix("Value error, ")
    return f"{setting} is {shown(first['input'])}, {wanted}"


def read_run(path: Path) -> dict[str, Any]:
    """The contents of the `run.json` of a training run: the objects "config" and "run".

    Raises:
        BadInput: the file is missing, damaged or not that of a training run.
    """
    try:
        if not path.exists():
            raise BadInput(f"{path} does not exist: `train` writes it")
        facts = json.loads(read_text(path))
    except BadInput:
        raise
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{path} is not that of a training run: {error}") from None
    if not isinstance(facts, dict) or not all(isinstance(facts.get(name), dict) for name in ("config", "run")):
        raise BadInput(f"{path} is not that of a training run: no objects 'config' and 'run'")
    kept = {name: value for name, value in facts["config"].items() if (name, value) not in _GONE.items()}
    return {**facts, "config": kept}
