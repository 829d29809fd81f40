"""Who a network learns from, learns against and is measured against, as the settings and the game name them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from bdgame_env.agents import UnknownAgent
from bdgame_env.agents.heuristics.compiled_players import HEURISTIC, compiled_players, compiled_policy
from bdgame_env.agents.networks import BadPolicy, Policy, load_policy
from bdgame_env.agents.networks.face_plan import FACE, cards_of
from bdgame_env.agents.networks.network import Network, fitted, view
from bdgame_env.agents.networks.row_plan import Plan
from bdgame_env.agents.networks.weights import shipped
from bdgame_env.engine.codes import RANDOM
from bdgame_env.engine.game import Game, GameConfig
from bdgame_env.engine.quoting import shown

from ..errors import BadInput
from .codes import RIVAL
from .config import TrainConfig
from .evaluation import Opponent

STRONGEST = "strongest"  # of the game's compiled players
SHIPPED = "ppo"  # in place of a policy file, the network that ships


def teacher_of(game: Game, config: TrainConfig) -> int:
    """The number of the teacher among the game's compiled players, or 0 for none.

    Raises:
        BadInput: the game has no such player.
    """
    players, name = compiled_players(game), config.teacher
    if not name or (name in (STRONGEST, HEURISTIC) and not players):
        return 0
    number = players.teacher if players and name == STRONGEST else compiled_policy(players, name)
    if not number:
        known = (STRONGEST, HEURISTIC, *(players.names if players else ()))
        raise BadInput(f"teacher={shown(name)}, must be one of {', '.join(known)}, or '' for none")
    return number


def policy_path(name: str, game: Game, game_configs: Sequence[GameConfig]) -> str:
    """The policy file that a setting names, "ppo" for the one that ships for all numbers of players of a run.

    Raises:
        BadInput: none ships.
    """
    if name != SHIPPED:
        return name
    try:
        return str(shipped(SHIPPED, game, max(game_configs, key=lambda one: one.players)))
    except UnknownAgent as error:
        raise BadInput(str(error)) from None


def frozen_opponent(game: Game, game_configs: Sequence[GameConfig], plan: Plan, config: TrainConfig) -> Opponent | None:
    """Who has all seats but the learner's in self-play, if the settings name one. `plan` is the learner's.

    Raises:
        BadInput: it is neither a compiled player nor a policy file for all numbers of players that sees cards as the
            learner does.
    """
    name = config.against
    if not name:
        return None
    players = compiled_players(game)
    if number := compiled_policy(players, name):
        return Opponent(name, number)
    try:
        policy = load_policy(policy_path(name, game, game_configs), game, game_configs[0])
    except BadPolicy as error:
        known = ", ".join((HEURISTIC, *players.names)) if players else "none here"
        raise BadInput(
            f"against={shown(name)}: {error}; must be a policy file or a compiled player ({known})"
        ) from None
    check_network(policy, f"against={shown(name)}", plan, config)
    return Opponent(name, RIVAL, *network_of(policy, plan))


def check_network(policy: Policy, what: str, plan: Plan, config: TrainConfig) -> None:
    """Check that a network, of any width, can play or teach in a run. `plan` is the learner's.

    Raises:
        BadInput: it has not learned to play with all numbers of players, or does not see cards as the learner does.
    """
    if missing := [count for count in config.players if count not in policy.players]:
        trained = " or ".join(map(str, policy.players))
        raise BadInput(f"{what}: trained for {trained} players, not for {missing[0]}")
    if cards_of(policy.plan) != cards_of(plan):
        raise BadInput(f"{what}: it sees cards by {cards_of(policy.plan)}, the learner must too")


def network_of(policy: Policy, plan: Plan) -> tuple[Network, Plan]:
    """A policy's network and its plan: this plan if both see cards by face."""
    network = policy.network
    if not cards_of(policy.plan) == cards_of(plan) == FACE:
        return network, policy.plan
    return view(fitted(network, policy.plan, plan), plan, network.width, network.layers), plan


def usual_opponents(game: Game, game_config: GameConfig, plan: Plan) -> list[Opponent]:
    """Random play, the first and the strongest of the game's compiled players, and the shipped network, which gets this
    plan if it sees cards by face, as the plan is for more decks than one.
    """
    opponents = [Opponent("random", RANDOM)]
    declared = compiled_players(game)
    if declared is not None:
        numbers = dict.fromkeys((1, declared.teacher))
        opponents += [Opponent(declared.names[number - 1], number) for number in numbers]
    with suppress(UnknownAgent, BadPolicy):  # none ships, or for other options
        policy = load_policy(shipped("ppo", game, game_config), game, game_config)
        opponents.append(Opponent("ppo", RIVAL, *network_of(policy, plan)))
    return opponents
