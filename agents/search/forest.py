"""Search trees whose leaves are judged by playouts, for many games at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from bdgame_env.engine.game import Game, GameConfig
from bdgame_env.engine.players import CompiledPlayers

from .codes import NOBODY, PUCT
from .guides import player_space, tree_loops_of
from .playouts import PlayoutSettings
from .trees import Trees


@dataclass(frozen=True, kw_only=True)
class SearchSettings(PlayoutSettings):
    """How to search; see also `PlayoutSettings`.

    Attributes:
        formula: PUCT or UCT.
        exploration: weight of the formula's second term.
        adviser: number of the compiled policy whose action gets the prior `prior_weight`, or NOBODY.
        prior_weight: 0 to 1.
        fpu_reduction: first-play urgency reduction: an untried action counts as this much worse than its parent (puct).
        plans: the plans of the compiled players propose actions.
        paranoid: the other seats minimise the decider's value, instead of maximising their own.
    """

    formula: int = PUCT
    exploration: float = 0.3
    adviser: int = NOBODY
    prior_weight: float = 0.5
    fpu_reduction: float = 0.1
    plans: bool = True
    paranoid: bool = False


class Forest(Trees):
    """Trees whose leaves are judged by playouts.

    Args:
        players: the game's compiled players, if it has any.
        game, config, settings, room, threads: see `Trees`.
    """

    def __init__(
        self,
        game: Game,
        config: GameConfig,
        players: CompiledPlayers | None,
        settings: SearchSettings,
        *,
        room: int,
        threads: int | None = None,
    ) -> None:
        plans = players.plans if players and settings.plans else ()
        super().__init__(game, config, settings.record_for(players), room)
        loops = partial(tree_loops_of, game, players, by_network=False)
        self._set_up_trees(loops, partial(player_space, players, plans), threads)
