"""Makes agents from specs such as `NAME` and `NAME:KEY=VALUE,...`. For outside agents see `external`."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from inspect import signature
from os import PathLike, fspath
from typing import Any

from bdgame_env.engine.arguments import check_seed
from bdgame_env.engine.game import Game, GameConfig
from bdgame_env.engine.quoting import SENTENCE, cut, listed, shown

from .base import Agent, UnknownAgent
from .external import Factory, external
from .heuristics.compiled_players import COMPILED, compiled_players, compiled_policy
from .levels import LEVEL, level_names, level_spec
from .random_moves import EPSILON, with_random_moves
from .specs import MODEL_FILE, PATH, KeptSpec, Spec, kept_spec, names_policy_file, read_settings

# name -> "module:attribute", imported on first use; modules are relative to this package.
_AGENTS: dict[str, str] = {
    "random": ".random_agent:RandomAgent",
    "heuristic": ".heuristics.compiled_players:HeuristicAgent",
    "greedy": ".heuristics.compiled_players:GreedyAgent",
    "thrifty": ".heuristics.compiled_players:ThriftyAgent",
    "engineer": ".heuristics.compiled_players:EngineerAgent",
    "planner": ".search.planner_agent:PlannerAgent",
    "strong-planner": ".search.planner_agent:StrongPlannerAgent",
    "network-planner": ".search.planner_agent:NetworkPlannerAgent",
    "mcts": ".search.mcts_agent:MCTSAgent",
    "ppo": ".networks.ppo_agent:PPOAgent",
    "az": ".search.az_agent:AZAgent",
}
_FACTORIES: dict[str, Factory] = {}
_OBJECT = "policy"  # a setting that is an object, which no text can give


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


def comes_with(spec: str, game: Game) -> bool:
    """Whether a spec names one of this game's agents or levels: no file, no class and no program of somebody else."""
    return spec in level_names(game) or spec.partition(":")[0] in agent_names_of(game)


def make_agent(spec: Spec, game: Game, config: GameConfig, *, seed: int | None = None, **objects: Any) -> Agent:
    """The agent of a spec such as "greedy" or "ppo:path=runs/demo/policy.npz".

    The path of a file, as text or `os.PathLike`, is a trained policy: "runs/demo/policy.npz" means
    "ppo:path=runs/demo/policy.npz"; "model.zip" is a model of Stable-Baselines3 (`sb3_agent`). A file that exists comes
    before every other reading of a text but that of an agent's bare name, and `path=` takes all that follows it if that
    is a file, so paths may hold ":", "=" and ",".
    "my_bots.clever:CleverBot" and "my_bots.clever:CleverBot:depth=3" are a class or function, called as
    `factory(game, config, **settings)`, or a function of observations and masks; "program:COMMAND ..." is a program,
    asked line by line (docs/program_agents.md).
    "level:1" to "level:10" are the levels of a game (`levels`). Every agent of the package takes `epsilon`, the
    probability of a random legal action instead of its own (`random_moves`).
    `objects` are settings that are not text, such as a policy in memory.

    Raises:
        UnknownAgent: no such agent or setting; the message lists the known ones.
        BadOption: the seed is neither None nor a whole number from 0 to 2**128 - 1.
    """
    seed = check_seed(seed)
    if not isinstance(spec, (str, PathLike)):
        raise UnknownAgent(f"agent {shown(spec)} must be a name or a path; known: {_known(game)}")
    factory, settings = read_spec(spec, game)
    name = fspath(spec)
    if names_policy_file(spec, agent_names()) and not name.endswith(MODEL_FILE):
        name = f"ppo:{PATH}={name}"
    try:
        agent = factory(game, config, **{**objects, **settings})
    except UnknownAgent:
        raise
    except (TypeError, ValueError) as error:
        raise UnknownAgent(f"agent {shown(name)}: {cut(error, SENTENCE)}") from None
    agent.name = name
    if seed is not None:
        agent.seed(seed)
    return agent


def read_spec(spec: Spec, game: Game) -> tuple[Factory, dict[str, Any]]:
    """What makes the agent of a spec, and the settings in it. Errors as for `make_agent`."""
    if names_policy_file(spec, agent_names()):
        where = ".sb3_agent:SB3Agent" if fspath(spec).endswith(MODEL_FILE) else _AGENTS["ppo"]
        return _load(where), {PATH: spec.file if isinstance(spec, KeptSpec) else fspath(spec)}
    assert isinstance(spec, str)
    name, _, rest = spec.partition(":")
    if name == LEVEL and name not in _FACTORIES:
        return read_spec(level_spec(spec, game), game)
    if name in agent_names_of(game):
        if name in _FACTORIES:
            return _FACTORIES[name], read_settings(spec, rest)
        factory, settings = _load(_AGENTS[name]), read_settings(spec, rest)
        known = _settings_of(factory)
        for key in settings:
            if key not in known:
                raise UnknownAgent(f"agent {shown(str(spec))}: unknown setting {shown(key)}; known: {listed(known)}")
        return (partial(with_random_moves, factory) if EPSILON in settings else factory), settings
    if name in agent_names():
        raise UnknownAgent(f"agent {shown(name)}: {game.id} has no such player; known: {_known(game)}")
    if found := external(spec):
        factory, rest = found
        return factory, read_settings(spec, rest)
    raise UnknownAgent(f"unknown agent {shown(name)}; known: {_known(game)}, module:Class, program:COMMAND")


def _settings_of(factory: Factory) -> list[str]:
    """The settings that an agent of the package takes in a spec. Those left to **settings are its base's."""
    names: list[str] = []
    for base in getattr(factory, "__mro__", ()):
        _, _, *own = signature(base).parameters.values()  # game and config come first
        names += [one.name for one in own if one.kind is not one.VAR_KEYWORD and one.name not in (*names, _OBJECT)]
        if all(one.kind is not one.VAR_KEYWORD for one in own):
            break
    return [*names, EPSILON]


def keep_spec(spec: Spec) -> str:
    """A spec as text that holds the contents of the policy file that it names, see `KeptSpec`."""
    return kept_spec(spec, _AGENTS)


def _known(game: Game) -> str:
    levels = level_names(game)
    return listed([*agent_names_of(game), *([f"{levels[0]} to {levels[-1]}"] if levels else [])])


def _load(where: str) -> Factory:
    module, _, attribute = where.partition(":")
    factory: Factory = getattr(import_module(module, __package__), attribute)
    return factory
