"""Suites: fixed deals and fixed opponents, by name."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bdgame_env import get_game
from bdgame_env.engine.game import Game, GameConfig
from bdgame_env.engine.quoting import listed, shown

from ..arena.schedule import CIRCLE, GUEST
from ..arena.settings import Settings
from ..errors import BadInput
from ..inputs import read_numbers

FOLDER = Path(__file__).parent
LATEST = "suite-1"


@dataclass(frozen=True)
class Cell:
    """A game with a number of players, with its standard options or those of a variant of the suite."""

    game: Game
    config: GameConfig
    variant: str = ""

    def __str__(self) -> str:
        return ", ".join([self.game.id, f"{self.config.players} players", *filter(None, [self.variant])])

    @property
    def file_name(self) -> str:
        """Of the folder or file of its results, without an ending."""
        return "_".join([self.game.id, f"{self.config.players}p", *filter(None, [self.variant])])


@dataclass(frozen=True)
class Suite:
    """A suite.

    Attributes:
        name: its name, which stands for a version: whoever changes what is played changes the name.
        seed: of the deals that agents play; the pools play among themselves on those of the next number.
        deals: how many deals an agent plays in each cell. pool_games: about how many games a pool plays.
        pools: specs of the opponents, by game.
        variants: options of the games, by a word for them; suites without variants have one, called "".
        players: the numbers of players; empty for all that a game is for.
        gaps: pairs of variants whose scores are compared.
    """

    name: str
    seed: int
    deals: int
    pool_games: int
    pools: Mapping[str, Sequence[str]]
    variants: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: {"": {}})
    players: Sequence[int] = ()
    gaps: Sequence[tuple[str, str]] = ()

    def cells(self, games: str = "all", players: str | None = None) -> list[Cell]:
        """The cells of some games and numbers of players.

        Args:
            games: ids such as "gizmos-v3,nicodemus-v2"; "all" for those of the suite.
            players: numbers such as "2,3"; None for all.

        Raises:
            BadInput, UnknownGame: the suite has no such game, or none for so many.
        """
        chosen = list(dict.fromkeys(self.pools if games == "all" else games.split(",")))
        for name in chosen:
            if get_game(name).id not in self.pools:
                raise BadInput(f"--games {shown(name)}: {self.name} has {listed(self.pools)}")
        wanted = None if players is None else read_numbers("--players", players)
        found = []
        for game in map(get_game, chosen):
            low, high = game.seats
            counts = [n for n in range(low, high + 1) if n in (self.players or range(low, high + 1))]
            found += [
                self.cell(game, n, variant)
                for n in counts
                for variant in self.variants
                if wanted is None or n in wanted
            ]
        if not found:
            raise BadInput(f"--players {players}: none of these games is for so many")
        return found

    def cell(self, game: Game, players: Any, variant: str = "") -> Cell:
        """The cell of a game, a number of players and a variant.

        Raises:
            BadInput, BadOption: the suite has no such variant, or the game is not for so many.
        """
        if variant not in self.variants:
            raise BadInput(f"{self.name} has no variant {shown(variant)}")
        return Cell(game, game.config(players=players, **self.variants[variant]), variant)

    def pool_settings(self, cell: Cell) -> Settings:
        """How the pool of a cell plays among itself."""
        options, pool = dict(cell.config.options), list(self.pools[cell.game.id])
        deals = max(2, self.pool_games // (len(pool) * cell.config.players))
        return Settings(cell.game.id, options, pool, deals, self.seed + 1, 0, [], CIRCLE)

    def settings(
        self,
        cell: Cell,
        agent: str,
        deals: int | None = None,
        precision: float | None = None,
        seconds: float | None = None,
    ) -> Settings:
        """How an agent plays a cell.

        Args:
            cell: of this suite.
            agent: its spec.
            deals: fewer deals than the suite has.
            precision: see `arena.schedule.Plan`.
            seconds: the agent's time limit for a decision.
        """
        agents = [agent, *self.pools[cell.game.id]]
        limits = [] if seconds is None else [seconds, *[None] * (len(agents) - 1)]
        options, count = dict(cell.config.options), min(deals or self.deals, self.deals)
        return Settings(cell.game.id, options, agents, count, self.seed, 0, limits, GUEST, precision=precision)


def read_suite(name: str) -> Suite:
    """The suite of a name.

    Raises:
        BadInput: there is none.
    """
    known = sorted(path.stem for path in FOLDER.glob("*.toml"))
    if name not in known:
        raise BadInput(f"unknown suite {shown(name)}; known: {listed(known)}")
    facts = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    more: dict[str, Any] = {key: facts[key] for key in ("variants", "players") if key in facts}
    more["gaps"] = [(one, other) for one, other in facts.get("gaps", ())]
    return Suite(name, facts["seed"], facts["deals"], facts["pool_games"], facts["pools"], **more)
