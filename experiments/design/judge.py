"""Judges decks by play: the same deals for every deck, kept on disk so that nothing is played twice. Knows no game."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.agents import make_agent
from bdgame_env.agents.heuristics.compiled_players import compiled_players, compiled_policy
from bdgame_env.engine.designing import Deck, Design, design_of
from bdgame_env.engine.game import MAX_SEATS, BadOption, Game, GameConfig
from bdgame_env.engine.quoting import cut
from bdgame_env.engine.rng import game_seed

from ..arena.matches import play_batches
from ..arena.seating import Seating
from ..balance.counting import Counted, Counts, count, play
from ..balance.items import Items
from ..balance.tally import Tally, Value, figures_of, tally_of
from ..errors import BadInput
from ..files import append_line, write_text
from .deck_data import text_of

_KEPT = "games.jsonl"
_LENGTH = 16  # letters of a deck's name


class Judge:
    """Plays games of decks.

    Args:
        game: the game.
        options: of the game, besides players and deck.
        spec: the agent that plays all seats.
        seed: of the deals.
        folder: where decks and results are kept; what is there already counts.

    Attributes:
        played: games played by this judge, without those found in the folder.

    Raises:
        UnknownAgent: there is no such agent.
    """

    def __init__(self, game: Game, options: dict[str, Any], spec: str, seed: int, folder: Path) -> None:
        self.game, self.options, self.spec, self.seed, self.folder = game, options, spec, seed, folder
        self.design: Design = design_of(game)
        self.played = 0
        self._policy = compiled_policy(compiled_players(game), spec)
        self._seeds: list[int] = []
        self._kept: dict[str, Any] = {}
        self._read()
        if self._policy is None:
            make_agent(spec, game, game.config(**options)).close()

    def _read(self) -> None:
        path = self.folder / _KEPT
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
            try:
                data = json.loads(line)
                self._kept[data["key"]] = data["value"]
            except (ValueError, KeyError, TypeError):  # the last line of a run that was killed
                continue

    def keep(self, key: str, make: Callable[[], Any]) -> Any:
        """What `make` gives, as JSON data, or gave in an earlier call; `key` says what it depends on."""
        key = f"{key}, {self.spec}, seed {self.seed}"
        if key not in self._kept:
            value = make()
            append_line(self.folder / _KEPT, json.dumps({"key": key, "value": value}))
            self._kept[key] = value
        return self._kept[key]

    def name_of(self, deck: Deck) -> str:
        """A short name that stands for exactly this deck."""
        return sha256(text_of(deck).encode()).hexdigest()[:_LENGTH]

    def config(self, deck: Deck, players: int) -> GameConfig:
        """The game with this deck.

        Raises:
            BadInput: the game refuses the deck; in one line.
        """
        path = self.folder / "decks" / f"{self.name_of(deck)}.toml"
        if not path.exists():
            write_text(path, text_of(deck))
        try:
            return self.game.config(**{**self.options, "players": players, self.design.option: str(path)})
        except (BadOption, ValueError) as error:
            path.unlink(missing_ok=True)
            raise BadInput(cut(str(error).replace(str(path), "the deck"), 300)) from None

    def faults(self, deck: Deck) -> list[str]:
        """Why a deck is not worth playing: it is not legal, or breaks a principle of the game's."""
        try:
            config = self.config(deck, self.game.seats[0])
        except BadInput as error:
            return [str(error)]
        return self.design.faults(config)

    def figures(self, tally: Tally) -> dict[str, Value]:
        """The figures of some games."""
        return figures_of(tally, self.design.statistics)

    def tally(self, deck: Deck, players: int, games: int, first: int = 0) -> Tally:
        """The games of a deck on the deals from `first` on, `games` of them."""

        def play_them() -> dict[str, Any]:
            config = self.config(deck, players)
            items = Items(self.game, config)
            counted = self._play(config, items, self._deals(first, games), first)
            self.played += games
            return vars(tally_of(counted, items, self.design.taken, self.design.statistics))

        return Tally(**self.keep(f"{self.name_of(deck)}, {players} players, deals {first}+{games}", play_them))

    def _deals(self, first: int, games: int) -> npt.NDArray[np.uint64]:
        while len(self._seeds) < first + games:
            self._seeds.append(game_seed(self.seed, len(self._seeds)))
        return np.array(self._seeds[first : first + games], np.uint64)

    def _play(self, config: GameConfig, items: Items, seeds: npt.NDArray[np.uint64], first: int) -> Counted:
        if self._policy is not None:
            policies = np.full((len(seeds), MAX_SEATS), self._policy, np.int8)
            return play(self.game, config, items, seeds, policies)[0]
        seats = (0,) * config.players
        seatings = [Seating(first + k, first + k, int(seed), seats) for k, seed in enumerate(seeds)]
        agent = make_agent(self.spec, self.game, config)
        results = [
            result
            for batch in play_batches(self.game, config, [agent], seatings, seed=self.seed)
            for result in batch
            if result.forfeit is None
        ]
        agent.close()
        if not results:
            raise BadInput(f"--judge {self.spec}: all {len(seeds)} games were lost by forfeit")
        return count(self.game, config, items, results)

    def explore(self, deck: Deck, players: int, games: int) -> tuple[Counted, Counts]:
        """Games that begin with positions of `Game.explore`, and what each seat began with, see `counting.play`.

        They are played by the judge if it is compiled, and else by the game's first compiled player.
        """
        config = self.config(deck, players)
        policy = 1 if self._policy is None else self._policy
        policies = np.full((games, MAX_SEATS), policy, np.int8)
        seeds = np.array([game_seed(self.seed + 1, deal) for deal in range(games)], np.uint64)
        self.played += games
        return play(self.game, config, Items(self.game, config), seeds, policies, exploring=True)
