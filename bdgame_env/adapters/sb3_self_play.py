"""Self-play for Stable-Baselines3: a callback that makes the learner's snapshots its opponents."""

from __future__ import annotations

import copy
import hashlib
import inspect
import io
import re
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

try:
    import torch
    from gymnasium import spaces
    from stable_baselines3.common.callbacks import BaseCallback
except ModuleNotFoundError as error:
    if (error.name or "").partition(".")[0] not in ("stable_baselines3", "torch"):
        raise
    told = f"SelfPlayCallback needs {error.name}: pip install 'bdgame_env[train]'"
    raise ModuleNotFoundError(told, name=error.name) from None

from ..engine.arguments import switch, whole
from ..engine.game import BadOption, Game
from ..engine.quoting import shown
from ..engine.rng import OwnGenerator
from .learner_games import learner_space, learner_view
from .observations import FORMS, observation_space
from .self_play import Act, SnapshotOpponents

_FORMAT = "bdgame_env snapshots 1"
_NAME = "snapshot-"
_SNAPSHOTS = "snapshots"
_LONGEST = 18  # letters of a name in the log: of longer keys SB3's logger shows the beginning, and refuses two alike
_DIGITS = 6  # of the hash that stands for the rest of a name


class PolicySnapshot:
    """A copy of a model's policy as a function `(observations, masks) -> actions`, for many games in one call.

    It answers by the policy's own `predict`, with random numbers of its own: what it draws changes nothing for the
    learner. Statistics of `VecNormalize` are copied with it.

    Args:
        model: a model of sb3-contrib's `MaskablePPO`, or any other whose policy predicts with `action_masks`, on an
            environment of this package.
        deterministic: whether it always plays its most probable action.

    Raises:
        BadOption: the policy takes no masks, the environment is another package's, or a wrapper reshapes observations.
    """

    def __init__(self, model: Any, *, deterministic: bool = False) -> None:
        if "action_masks" not in inspect.signature(model.policy.predict).parameters:
            kind = type(model).__name__
            raise BadOption(f"{kind} predicts without masks: pass snapshot=, which makes a function of the model")
        self.game, self.form = _seen_by(model)
        self.deterministic = switch("deterministic", deterministic)
        self.policy = _copy_of(model.policy)
        self.normalize = copy.deepcopy(model.get_vec_normalize_env())
        self._rng = OwnGenerator()

    def __call__(self, observations: npt.NDArray[np.int8], masks: npt.NDArray[np.int8]) -> npt.NDArray[Any]:
        """Choose an action in each of n games; see `SnapshotOpponents.add`."""
        view = learner_view(self.game, self.form, observations, masks)
        if self.normalize is not None:
            view = self.normalize.normalize_obs(view)
        with _seeded(int(self._rng().integers(2**63)), self.policy.device):
            actions, _ = self.policy.predict(view, deterministic=self.deterministic, action_masks=masks)
        return np.asarray(actions)

    def seed(self, seed: int) -> None:
        """Seed what it draws."""
        self._rng.seed(seed)

    def get_state(self) -> dict[str, Any]:
        """Weights and statistics, as tensors."""
        held = {"game": self.game.id, "policy": self.policy.state_dict()}
        return {**held, "statistics": _statistics(self.normalize)}

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Take over the weights and statistics of another snapshot of such a model.

        Raises:
            ValueError: they are those of another game or network; in one line.
        """
        if state["game"] != self.game.id:
            raise ValueError(f"{self.game.id}: a snapshot of another game: {shown(state['game'])}")
        try:
            self.policy.load_state_dict(state["policy"])
            _set_statistics(self.normalize, state["statistics"])
        except (KeyError, TypeError, AttributeError, RuntimeError) as error:
            reason = " ".join(str(error).split())[:200]
            raise ValueError(f"{self.game.id}: a snapshot of another network: {reason}") from None


class SelfPlayCallback(BaseCallback):
    """Makes earlier versions of the model the opponents of its games.

        envs = make_sb3_vec("gizmos-v3", 64, players=3, seed=1)
        model = MaskablePPO("MlpPolicy", envs, seed=1)
        model.learn(1_000_000, callback=SelfPlayCallback(["heuristic"], every=50_000))

    The first snapshot is taken before the first rollout, others between rollouts. With the environment and the model
    seeded, a run is reproducible. The log has "self_play/snapshots", and the mean reward of a game against each of the
    `opponents` and against "snapshots", as "self_play/reward_against_...": against one's own kind it stays around 0.
    A long name stands there with its beginning and a hash of the whole; `verbose=1` prints which is which.

    The environment is one of `make_sb3_vec`, or of `make_vec_env` with a Gymnasium id, where every game asks alone.

    Args:
        opponents: those that stay in the pool, as in `SnapshotOpponents`.
        every: steps of the model (decisions in all games together) from one snapshot to the next.
        keep: how many snapshots the pool holds.
        latest: the share of the newest snapshot.
        past: the share of all older ones.
        fixed: the share of all `opponents`.
        deterministic: whether snapshots always play their most probable action.
        path: a file for the snapshots, replaced whenever one is taken; to go on from it, `load` it first.
        snapshot: makes a function `(observations, masks) -> actions` of the model, in place of `PolicySnapshot`. It has
            to copy the model. Such snapshots cannot be saved.
        verbose: 1 prints a line for each snapshot, and for each opponent whose name in the log is another.

    Attributes:
        snapshots: the pool.

    Raises:
        BadOption: an argument is out of its range. When learning starts: the environment or the policy does not fit.
        OSError: while learning, if `path` cannot be written.
    """

    def __init__(
        self,
        opponents: Any = (),
        *,
        every: int = 50_000,
        keep: int = 8,
        latest: float = 0.5,
        past: float = 0.3,
        fixed: float = 0.2,
        deterministic: bool = False,
        path: str | PathLike[str] | None = None,
        snapshot: Callable[[Any], Act] | None = None,
        verbose: int = 0,
    ) -> None:
        super().__init__(verbose)
        self.every = whole("every", every, 1, 2**63 - 1)
        self.snapshots = SnapshotOpponents(opponents, keep=keep, latest=latest, past=past, fixed=fixed)
        self._deterministic = switch("deterministic", deterministic)
        if snapshot is not None and not callable(snapshot):
            raise BadOption(f"snapshot={shown(snapshot)}, must be a function of the model")
        if snapshot is not None and path is not None:
            raise BadOption("snapshots made by a function of your own cannot be saved: path must be None")
        if not isinstance(path, (str, PathLike, type(None))):
            raise BadOption(f"path={shown(path)}, must be a path or None")
        self._make, self._path = snapshot, path
        self._keys: dict[str, str] = {}  # by the name of an opponent, what the log calls it
        self._kept: list[tuple[int, Act]] = []  # model steps and function of each snapshot in the pool

    def _on_training_start(self) -> None:
        if self._kept:
            self._use()

    def _on_rollout_start(self) -> None:
        steps = self.model.num_timesteps
        if not self._kept or not 0 <= steps - self._kept[-1][0] < self.every:
            self._add(steps, self._snapshot(self.model))
            self._use()
            if self._path is not None:
                self.save(self._path)
            self._say(f"{self.snapshots.names[-1]}, {len(self._kept)} in the pool")

    def _on_step(self) -> bool:
        for info in self.locals.get("infos", ()):
            if "final" in info and "episode" in info:
                lineup = set(info["final"]["lineup"]) - {"learner"}
                for key in {_SNAPSHOTS if name.startswith(_NAME) else self._key(name) for name in lineup}:
                    self.logger.record_mean(f"self_play/reward_against_{key}", info["episode"]["r"])
        return True

    def _key(self, name: str) -> str:
        """What the log calls an opponent."""
        if name not in self._keys:
            key = self._keys[name] = _key_of(name)
            if key != name:
                self._say(f"{key} in the log is {shown(name)}")
        return self._keys[name]

    def _say(self, text: str) -> None:
        if self.verbose:
            with suppress(OSError, ValueError):  # nobody may be there to read it, and the model learns all the same
                print(f"self-play: {text}")  # noqa: T201

    def _snapshot(self, model: Any) -> Act:
        return self._make(model) if self._make else PolicySnapshot(model, deterministic=self._deterministic)

    def _add(self, steps: int, act: Act) -> None:
        self.snapshots.add(act, f"{_NAME}{steps}")
        self._kept = [*self._kept, (steps, act)][-self.snapshots.keep :]

    def _use(self) -> None:
        self.training_env.env_method("set_opponents", self.snapshots.pool())
        self.logger.record("self_play/snapshots", len(self._kept))

    # Files

    def save(self, path: str | PathLike[str]) -> None:
        """Write the snapshots to a file, whole or not at all; tensors and numbers only.

        Raises:
            BadOption: they were made by a function of your own.
            OSError: the file cannot be written.
        """
        if self._make is not None:
            raise BadOption("snapshots made by a function of your own cannot be saved")
        kept = [{"steps": steps, **act.get_state()} for steps, act in self._kept if isinstance(act, PolicySnapshot)]
        data = io.BytesIO()
        torch.save({"format": _FORMAT, "snapshots": kept}, data)
        path = Path(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_name(f".unfinished-{secrets.token_hex(8)}")
        try:
            fresh.write_bytes(data.getvalue())
            fresh.replace(path)
        finally:
            fresh.unlink(missing_ok=True)

    def load(self, path: str | PathLike[str], model: Any) -> None:
        """Go on with the snapshots of a file, in place of those that there are.

        Args:
            path: a file that `save` wrote.
            model: the model to learn, of the same network, with its environment.

        Raises:
            OSError: the file cannot be read.
            ValueError: it holds no snapshots, or those of another game or network; in one line. Nothing was changed.
            BadOption: the model's environment or policy does not fit.
        """
        try:
            held = torch.load(path, map_location=model.device, weights_only=True)
        except OSError:
            raise
        except Exception as error:
            raise ValueError(f"{path}: no file of snapshots ({type(error).__name__})") from None
        if not isinstance(held, dict) or held.get("format") != _FORMAT:
            raise ValueError(f"{path}: no file of snapshots")
        snapshots: list[tuple[int, Act]] = []
        try:
            for state in held["snapshots"][-self.snapshots.keep :]:
                snapshot = PolicySnapshot(model, deterministic=self._deterministic)
                snapshot.set_state(state)
                snapshots.append((int(state["steps"]), snapshot))
        except (KeyError, TypeError) as error:
            raise ValueError(f"{path}: no file of snapshots ({type(error).__name__})") from None
        self.snapshots.clear()
        self._kept = []
        for steps, act in snapshots:
            self._add(steps, act)


def _key_of(name: str) -> str:
    """A short key for an opponent in SB3's logs: its own, the same in every run, and a word of a CSV file."""
    key = re.sub(r'[^ -~]|[,/\\"]', "_", name)
    if key == name != _SNAPSHOTS and len(key) <= _LONGEST:
        return name
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
    return f"{key[: _LONGEST - _DIGITS - 1]}-{digest}"


@contextmanager
def _seeded(number: int, device: torch.device) -> Iterator[None]:
    """Torch draws from this seed, and afterwards goes on as if nothing had been drawn."""
    cuda = device.type == "cuda"
    with torch.random.fork_rng(devices=[device] if cuda else []):
        torch.default_generator.manual_seed(number)
        if cuda:
            with torch.cuda.device(device):
                torch.cuda.manual_seed(number)
        yield


def _copy_of(policy: Any) -> Any:
    """A copy of a policy without its optimizer, made as SB3 loads one: `copy.deepcopy` refuses policies in use."""
    with _seeded(0, policy.device):
        twin = type(policy)(**policy._get_constructor_parameters())
    twin.load_state_dict(policy.state_dict())
    twin.to(policy.device).set_training_mode(False)
    twin.optimizer = None
    return twin


def _seen_by(model: Any) -> tuple[Game, str]:
    """The game that a model learns, and the form in which it sees it.

    Raises:
        BadOption: the environment is another package's, or a wrapper reshapes observations.
    """
    envs = model.get_env()
    games = envs.unwrapped.get_attr("game", [0]) if envs is not None and envs.unwrapped.has_attr("game") else []
    if not games or not isinstance(games[0], Game):
        raise BadOption("self-play needs an environment of bdgame_env: make_sb3_vec(...), or make_vec_env of its ids")
    game, inner = games[0], envs.unwrapped.observation_space
    for form in FORMS:
        known = (observation_space(game, form), learner_space(game, form, int(model.action_space.n)))
        if inner in known and _shapes(inner) == _shapes(model.observation_space):
            return game, form
    raise BadOption(f"{game.id}: a wrapper changes the observations' shape, but snapshots see them without wrappers")


def _shapes(space: Any) -> Any:
    return {name: part.shape for name, part in space.items()} if isinstance(space, spaces.Dict) else space.shape


def _statistics(normalize: Any) -> dict[str, list[torch.Tensor]] | None:
    """What `VecNormalize` knows of observations: mean, variance and count by field ("" for a vector)."""
    if normalize is None or not normalize.norm_obs:
        return None
    known = normalize.obs_rms
    by_field = known if isinstance(known, dict) else {"": known}
    return {
        name: [torch.as_tensor(each.mean), torch.as_tensor(each.var), torch.as_tensor(each.count)]
        for name, each in by_field.items()
    }


def _set_statistics(normalize: Any, statistics: Mapping[str, list[torch.Tensor]] | None) -> None:
    if statistics is None and _statistics(normalize) is None:
        return
    known = normalize.obs_rms
    by_field = known if isinstance(known, dict) else {"": known}
    if set(by_field) != set(statistics or ()):
        raise ValueError("statistics of other fields")
    for name, (mean, var, count) in (statistics or {}).items():
        by_field[name].mean, by_field[name].var = mean.cpu().numpy(), var.cpu().numpy()
        by_field[name].count = float(count)
