"""Makes agents from specs such as `NAME` and `NAME:KEY=VALUE,...`. For outside agents see `external`."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from bdgame_env.engine.arguments import check_seed
from bdgame_env.engine.game import Game, GameConfig
from bdgame_env.engine.quoting import SENTENCE, cut, listed, shown
from bdgame_env.engine.values import whole_in

from .base import Agent, UnknownAgent
from .external import Factory, external
from .heuristics.compiled_players import COMPILED, compiled_players, compiled_policy

# name -> "module:attribute", imported on first use; modules are relative to this package.
_AGENTS: dict[str, str] = {
    "random": ".random_agent:RandomAgent",
    "heuristic": ".heuristics.compiled_players:HeuristicAgent",
    "greedy": ".heuristics.compiled_players:GreedyAgent",
    "thrifty": ".heuristics.compiled_players:ThriftyAgent",
    "planner": ".search.planner_agent:PlannerAgent",
    "strong-planner": ".search.planner_agent:StrongPlannerAgent",
    "network-planner": ".search.planner_agent:NetworkPlannerAgent",
    "mcts": ".search.mcts_agent:MCTSAgent",
    "ppo": ".networks.ppo_agent:PPOAgent",
    "az": ".search.az_agent:AZAgent",
}
_FACTORIES: dict[str, Factory] = {}


def register_agent(name: str, factory: Factory) -> None:
    """Add an agent by name, made by `factory(game, config, **settings)`."""
    _FACTORIES[name] = factory


def registered_here(spec: str) -> bool:
    """Whether a spec names an agent that was registered in this process, and is unknown to other processes."""
    return spec.partition(":")[0] in _FACTORIES


def agent_names() -> list[str]:
    """All names that `make_agent` knows."""
    return sorted({*_AGENTS, *_FACTORIES})


def agent_names_of(game: Game) -> list[str]:
    """The names that `make_agent` knows for this game: all but those of other games' compiled players."""
    players = compiled_players(game)
    others = [name for name in COMPILED if compiled_policy(players, name) is None]
    return [name for name in agent_names() if name not in others or name in _FACTORIES]


def make_agent(spec: str, game: Game, config: GameConfig, *, seed: int | None = None, **objects: Any) -> Agent:
    """The agent of a spec such as "greedy" or "ppo:path=runs/demo/policy.npz".

    A spec that ends in `.npz` is a trained policy: "runs/demo/policy.npz" means "ppo:path=runs/demo/policy.npz".
    "my_bots.clever:CleverBot" and "my_bots.clever:CleverBot:depth=3" are a class or function, called as
    `factory(game, config, **settings)`; "program:COMMAND ..." is a program, asked line by line
    (docs/program_agents.md).
    `objects` are settings that are not text, such as a policy in memory.

    Raises:
        UnknownAgent: no such agent or setting; the message lists the known ones.
        BadOption: the seed is neither None nor a whole number from 0 to 2**128 - 1.
    """
    seed = check_seed(seed)
    if spec.endswith(".npz") and ":" not in spec:
        spec = f"ppo:path={spec}"
    name, _, rest = spec.partition(":")
    if name in agent_names_of(game):
        factory = _FACTORIES.get(name) or _load(name)
    elif name in agent_names():
        raise UnknownAgent(f"agent {shown(name)}: {game.id} has no such player; known: {_known(game)}")
    elif found := external(spec):
        factory, rest = found
    else:
        raise UnknownAgent(f"unknown agent {shown(name)}; known: {_known(game)}, module:Class, program:COMMAND")
    settings: dict[str, Any] = dict(objects)
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        if not equals:
            raise UnknownAgent(f"agent {shown(spec)}: {shown(part)} is not KEY=VALUE")
        settings[key] = _value(value)
    try:
        agent = factory(game, config, **settings)
    except UnknownAgent:
        raise
    except (TypeError, ValueError) as error:
        raise UnknownAgent(f"agent {shown(spec)}: {cut(error, SENTENCE)}") from None
    agent.name = spec
    if seed is not None:
        agent.seed(seed)
    return agent


def _known(game: Game) -> str:
    return listed(agent_names_of(game))


def _load(name: str) -> Factory:
    module, _, attribute = _AGENTS[name].partition(":")
    factory: Factory = getattr(import_module(module, __package__), attribute)
    return factory


def _value(text: str) -> int | float | str:
    whole = whole_in(text)
    if whole is not None:
        return whole
    try:
        return float(text)
    except ValueError:
        return text
