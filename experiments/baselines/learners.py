"""The learners that are compared; each learns with one thread, until its watch says that it is over."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import numpy as np
import torch
from stable_baselines3.common.callbacks import BaseCallback

from bdgame_env import make_sb3_vec
from bdgame_env.agents.base import Actions, Agent, Masks, Observations
from bdgame_env.agents.networks.ppo_agent import PolicyAgent
from bdgame_env.agents.networks.row_plan import plan_network
from bdgame_env.engine.game import Game

from ..command_name import CHECKOUT
from ..errors import BadInput
from ..training.config import TrainConfig
from ..training.maskable_ppo import export, new_model
from ..training.show import showing
from ..training.training_run import TrainingRun
from .masked import WithMask, new_a2c, new_dqn
from .watch import Budget, Watch

OPPONENTS = ["heuristic", "random"]  # of the learners that do not play against themselves, drawn game by game
WIDTH, GAMES, FEW_GAMES = 128, 256, 64  # games side by side; few where each step is an update
_ENDLESS = 10**12  # decisions; the watch says when it is over
_EXPLORATION, _LEAST = 0.3, 0.05  # share of the budget in which DQN's exploration falls, and its end


@dataclass(frozen=True)
class Learner:
    """A learner.

    Attributes:
        title: what tables call it.
        about: a sentence.
        learn: learns a game with two players, from a seed, within a budget.
    """

    title: str
    about: str
    learn: Callable[[Game, int, Budget, Watch], None]


class _Chooser(Agent):
    """An agent that takes the legal action with the highest of the numbers that a function gives."""

    def __init__(self, numbers: Callable[[Observations, Masks], Any]) -> None:
        self._numbers = numbers

    def act(self, observation: Observations, mask: Masks, states: Any = None) -> Actions:
        with torch.no_grad():
            numbers = self._numbers(observation, mask).numpy()
        best: Actions = np.where(mask != 0, numbers, -np.inf).argmax(1).astype(np.int32)
        return best


class _Follow(BaseCallback):
    """Tells the watch of each step of Stable-Baselines3."""

    def __init__(self, watch: Watch, agent: Callable[[], Agent]) -> None:
        super().__init__()
        self._watch, self._agent = watch, agent

    def _on_step(self) -> bool:
        return self._watch.goes_on(self.num_timesteps, self._agent)


def _maskable_ppo(game: Game, seed: int, budget: Budget, watch: Watch) -> None:
    env = make_sb3_vec(game.id, GAMES, opponents=OPPONENTS, seed=seed, threads=1)
    model = new_model(env, width=WIDTH, seed=seed)
    watch.start()
    model.learn(_ENDLESS, callback=_Follow(watch, lambda: PolicyAgent(export(model, env))))


def _masked_a2c(game: Game, seed: int, budget: Budget, watch: Watch) -> None:
    env = make_sb3_vec(game.id, FEW_GAMES, opponents=OPPONENTS, seed=seed, threads=1)
    model = new_a2c(WithMask(env), plan_network(game, env.batch.config), WIDTH, seed)
    _learn_with_masks(model, watch, lambda seen: model.policy.get_distribution(seen).distribution.logits)  # type: ignore[union-attr]


def _masked_dqn(game: Game, seed: int, budget: Budget, watch: Watch) -> None:
    env = make_sb3_vec(game.id, FEW_GAMES, opponents=OPPONENTS, seed=seed, threads=1)
    model = new_dqn(WithMask(env), plan_network(game, env.batch.config), WIDTH, seed)
    model.exploration_schedule = lambda _: max(_LEAST, 1.0 - watch.share / _EXPLORATION)
    _learn_with_masks(model, watch, model.q_net)


def _learn_with_masks(model: Any, watch: Watch, numbers: Callable[[Any], Any]) -> None:
    def judged(observation: Observations, mask: Masks) -> Any:
        model.policy.set_training_mode(False)
        return numbers(model.policy.obs_to_tensor({"observation": observation, "action_mask": mask})[0])

    watch.start()
    model.learn(_ENDLESS, callback=_Follow(watch, lambda: _Chooser(judged)))


def _example_ppo(game: Game, seed: int, budget: Budget, watch: Watch) -> None:
    example = _example()
    told = [game.id, "--steps", str(_ENDLESS), "--opponents", ",".join(OPPONENTS), "--seed", str(seed)]

    def agent_of(network: Any) -> Agent:
        def judged(observation: Observations, mask: Masks) -> Any:
            return network(torch.as_tensor(observation.astype(np.float32)), torch.as_tensor(mask != 0))[0].logits

        return _Chooser(judged)

    watch.start()
    example.train(
        example.parser.parse_args(told), lambda network, steps: watch.goes_on(steps, lambda: agent_of(network))
    )


def _example() -> Any:
    """The module of `examples/ppo.py`.

    Raises:
        BadInput: this is no checkout, so there is none.
    """
    path = None if CHECKOUT is None else Path(CHECKOUT) / "examples" / "ppo.py"
    if path is None or not path.exists():
        raise BadInput("ppo-example: examples/ppo.py is in a checkout only; --learners names others")
    spec = spec_from_file_location("example_ppo", path)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _ours(teacher: str) -> Callable[[Game, int, Budget, Watch], None]:
    """The learner of `bdgame train`, with one thread and fewer games; its settings change over the budget as there."""

    def learn(game: Game, seed: int, budget: Budget, watch: Watch) -> None:
        config = TrainConfig(
            game=game.id,
            minutes=budget.minutes,
            decisions=budget.decisions,
            threads=1,
            matches=GAMES,
            seed=seed,
            teacher=teacher,
        )
        with tempfile.TemporaryDirectory() as folder, showing() as show:
            run = TrainingRun(config, Path(folder), show)
            run.warm_up()
            watch.start()
            going = True
            while going:
                began = time.process_time()
                run.update()
                run.state.seconds += time.process_time() - began
                going = watch.goes_on(run.state.decisions, lambda: PolicyAgent(run.policy))

    return learn


LEARNERS = {
    "ours-teacher": Learner(
        "`bdgame train`", "imitation of the strongest compiled player, then self-play", _ours("strongest")
    ),
    "ours-scratch": Learner("`bdgame train --from-scratch`", "self-play alone", _ours("")),
    "maskable-ppo": Learner("MaskablePPO", "of sb3-contrib, as in `experiments.training.maskable_ppo`", _maskable_ppo),
    "ppo-example": Learner("PPO of `examples/ppo.py`", "one file of PyTorch", _example_ppo),
    "masked-a2c": Learner("masked A2C", "A2C of Stable-Baselines3 with a policy that sees the mask", _masked_a2c),
    "masked-dqn": Learner(
        "masked DQN", "DQN of Stable-Baselines3 with masked values, exploring among legal actions", _masked_dqn
    ),
}
