"""The command `ship`: add a trained policy to the package, with a card that describes it."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from bdgame_env import get_game
from bdgame_env.agents import make_agent
from bdgame_env.agents.networks import BadPolicy, Policy, file_of, load_meta, load_policy
from bdgame_env.agents.networks.weights import FOLDER
from bdgame_env.engine.game import Game, GameConfig

from ..arena.settings import Settings
from ..arena.standings import standings
from ..arena.tournament import Place
from ..arena.tournament import run as run_tournament
from ..errors import BadInput
from ..files import provenance, write_bytes, write_text
from ..inputs import own_seed
from .config import checked, read_run
from .history import earlier_runs

_LARGEST = 5_000_000  # bytes
_SEARCH = {"search_scale": "value_scale", "search_turns": "rollout_turns"}  # in the file, and as settings of `az`


def ship(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="folder that `train` wrote")],
    agent: Annotated[str, typer.Option(help="the agent that uses it: ppo or az")] = "ppo",
    against: Annotated[list[str] | None, typer.Option(help="agents to measure it against")] = None,
    deals: Annotated[int, typer.Option(min=1, help="deals per opponent, each played in every seat order")] = 500,
    seed: Annotated[int, typer.Option(min=0, callback=own_seed, help="seed of the deals")] = 7,
    search_scale: Annotated[
        float | None,
        typer.Option(min=0, max=100, help="the best value_scale for az:sims=64 with it; default: as before"),
    ] = None,
    search_turns: Annotated[
        int | None,
        typer.Option(min=0, max=100, help="the best rollout_turns for az with this network; default: as before"),
    ] = None,
) -> None:
    """Add a run's policy, rounded to half precision, to the weights that ship; measure it and write its card."""
    facts = read_run(run / "run.json")
    config = checked(facts["config"], str(run / "run.json"))
    game = get_game(config.game)
    configs = [game.config(players=players, **config.options) for players in config.players]
    path = run / "policy.npz"
    try:
        policy = load_policy(path, game, configs[0])
    except BadPolicy as error:
        raise BadInput(str(error)) from None
    if not isinstance(policy.meta.get("decisions"), int):
        raise BadInput(f"{path} does not say how many decisions it has learned from (meta 'decisions')")
    which = f"{config.players[0]}p" if len(config.players) == 1 else "all"
    target = FOLDER / f"{agent}_{game.id}_{which}.npz"
    given = {"search_scale": search_scale, "search_turns": search_turns}
    policy.meta |= _search_named_in(target) | {name: value for name, value in given.items() if value is not None}
    try:
        written = file_of(policy, game, configs[0], f"{path}, in half precision", half=True)
    except BadPolicy as error:
        raise BadInput(str(error)) from None
    if len(written) > _LARGEST:
        raise BadInput(f"{path} takes {len(written):,} bytes, must be at most {_LARGEST:,}")
    for game_config in configs:
        for spec in (f"{agent}:path={path}", *(against or ())):
            make_agent(spec, game, game_config).close()  # a mistake in a name is found before anything is written
    write_bytes(target, written)
    rows = [
        head_to_head(f"{agent}:path={target}", spec, game, game_config, deals, seed)
        for game_config in configs
        for spec in against or ()
    ]
    write_text(target.with_suffix(".md"), card(agent, target.name, policy, game, facts, rows))
    print(f"written: {target}, {target.with_suffix('.md')}")


def _search_named_in(shipped: Path) -> dict[str, Any]:
    """How `az` searches with a network that ships, also with one made for other observations; {} if unknown."""
    with suppress(BadPolicy):
        meta = load_meta(shipped)
        return {name: meta[name] for name in _SEARCH if isinstance(meta.get(name), (int, float))}
    return {}


@dataclass(frozen=True)
class Meeting:
    """Games of one agent against another.

    Attributes:
        players: seats of each game. other: the other agent. games: how many.
        share: in how many it ranked above the other, ties half. low, high: its 95 % interval over deals.
        truncated: share of the games.
    """

    players: int
    other: str
    games: int
    share: float
    low: float
    high: float
    truncated: float


def head_to_head(
    spec: str, other: str, game: Game, game_config: GameConfig, deals: int, seed: int, place: Place | None = None
) -> Meeting:
    """How often one agent ranks above another, over every line-up and seat order of the two; None plays here."""
    settings = Settings(game.id, dict(game_config.options), [spec, other], deals, seed)
    results = run_tournament(settings, game, game_config, place=place or Place(1)).results
    rated = standings([spec, other], results)
    one = next(k for k, row in enumerate(rated.agents) if row.agent == spec)
    low, high = rated.win_matrix_intervals[one][1 - one] or (0.0, 1.0)
    truncated = sum(result.truncated for result in results) / len(results)
    share = rated.win_matrix[one][1 - one]
    assert share is not None
    return Meeting(game_config.players, other, len(results), share, low, high, truncated)


def card(agent: str, name: str, policy: Policy, game: Game, facts: dict[str, Any], rows: list[Meeting]) -> str:
    """The text of a card."""
    run, config = facts["run"], facts["config"]
    players = ", ".join(map(str, config["players"]))
    settings = {key: value for key, value in config.items() if key not in ("game", "players")}
    search = ", ".join(f"{name}={policy.meta[key]:g}" for key, name in _SEARCH.items() if policy.meta.get(key))
    lines = [
        f"# {name}",
        "",
        f"For the agent `{agent}`: {game.title} ({game.id}), {players} players. A network alone, without search:"
        f" {policy.plan.rows:,} rows, {policy.network.layers + 1} hidden layers of {policy.network.width}.",
        "",
        f"- Trained by `{run.get('command', 'an unknown command')}`, {policy.meta['decisions']:,} decisions,"
        f" seed {config['seed']}.",
        *(f"- {line}." for line in earlier_runs(policy)),
        f"- Commit {run.get('commit') or 'unknown'}{' with changes' if run.get('modified') else ''},"
        f" {str(run.get('date', 'unknown date'))[:10]}.",
        f"- Settings: `{json.dumps(settings)}`",
        *([f"- `az` searches with {search}."] if search else []),
        "",
        f"Measured on {provenance()['date'][:10]} on deals that training did not see: how often it ranked above the"
        " other (ties half, 95 % intervals).",
        "",
        "| players | against | games | | truncated |",
        "|---|---|---|---|---|",
    ]
    for row in rows:
        share = f"{100 * row.share:.1f} % ({100 * row.low:.1f}-{100 * row.high:.1f})"
        lines.append(f"| {row.players} | {row.other} | {row.games} | {share} | {100 * row.truncated:.1f} % |")
    return "\n".join(lines) + "\n"
