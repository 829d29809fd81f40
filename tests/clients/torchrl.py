"""TorchRL: `GymEnv` and `PettingZooWrapper`, its check of environments, and rollouts."""

from __future__ import annotations

from torchrl.envs import GymEnv, PettingZooWrapper, TransformedEnv, check_env_specs, default_info_dict_reader
from torchrl.envs.transforms import ActionMask

from bdgame_env import make_aec, make_parallel
from bdgame_env.registration import gymnasium_id
from tests.clients.checks import check

NEEDS = [".", "torchrl"]


@check("`GymEnv`: `check_env_specs`, `rollout`")
def gym_env(game: str, players: int) -> None:
    env = GymEnv(gymnasium_id(game), players=players)
    check_env_specs(env)
    assert env.rollout(20).batch_size[0] >= 1


@check("`PettingZooWrapper` of `make_aec`: `check_env_specs`, `rollout`")
def aec(game: str, players: int) -> None:
    env = PettingZooWrapper(env=make_aec(game, players=players, illegal="raise"), use_mask=True, group_map=None)
    check_env_specs(env)
    assert env.rollout(50).batch_size[0] >= 10  # `illegal="raise"`: its random policy keeps to the mask


@check("`PettingZooWrapper` of `make_parallel`: `check_env_specs`, `rollout`")
def parallel(game: str, players: int) -> None:
    env = PettingZooWrapper(env=make_parallel(game, players=players, illegal="raise"), group_map=None)
    check_env_specs(env)
    assert env.rollout(50).batch_size[0] >= 10


@check("`GymEnv` with `set_info_dict_reader` and `ActionMask`: its random policy keeps to the rules")
def masked(game: str, players: int) -> None:
    env = GymEnv(gymnasium_id(game), players=players)
    env = env.set_info_dict_reader(default_info_dict_reader(["action_mask"]))
    env = TransformedEnv(env, ActionMask())
    rollout = env.rollout(100)
    chosen = rollout["action_mask"].gather(-1, rollout["action"].argmax(-1, keepdim=True))
    assert rollout.batch_size[0] >= 5 and chosen.all()


@check(
    '`GymEnv` with `observation="dict"` and `ActionMask`',
    fails={
        "gizmos-v3": "TorchRL puts the fields of a dict beside its own entries, and Gizmos has a field `truncated`. "
        'With `observation="flat"` there is no such clash.'
    },
)
def masked_fields(game: str, players: int) -> None:
    env = GymEnv(gymnasium_id(game), players=players, observation="dict", illegal="raise")
    env = TransformedEnv(env, ActionMask())
    assert env.rollout(30).batch_size[0] >= 1
