"""Tree search with a network as in AlphaZero, for hidden information and any number of players."""

from __future__ import annotations

from bdgame_env.engine.game import Game, GameConfig

from ..base import check_range
from ..heuristics.compiled_players import compiled_players
from ..networks import Policy
from ..networks.ppo_agent import read_policy
from .forest import SearchSettings
from .network_forest import LeafSettings, NetworkForest
from .playouts import PlayoutSettings
from .tree_agent import MOST_SIMULATIONS, SearchAgent, check_budget, room_for

PLAYED_ON = 60  # decisions before the network judges: stronger than 0 in three games, equal in Nicodemus


class AZAgent(SearchAgent):
    """Tree search by PUCT with a network's priors and values; see `SearchAgent`.

    Args:
        path: the `.npz` file that training writes; None for the one that ships with the package.
        sims: simulations for a decision.
        time: seconds of one core for a decision, instead of `sims`.
        c: exploration.
        temperature: above 1 makes the priors more alike than the network's probabilities.
        rollout_depth: decisions of the game's first compiled player between the end of the turn and the position that
            the network judges; -1 for 60, or 0 if the game has no compiled player.
        fpu_reduction: first-play urgency reduction: an untried action counts as this much worse than its parent.
        noise: share of noise in the priors of a root, for training.
        threads: 0 for one per core.
        policy: a policy in memory, instead of a file.

    Raises:
        UnknownAgent: a setting is out of its range, or the file cannot be read.
    """

    name = "az"
    games_at_once = 64

    def __init__(
        self,
        game: Game,
        config: GameConfig,
        path: str | None = None,
        sims: int = 64,
        time: float = 0.0,
        c: float = 1.0,
        temperature: float = 2.0,
        rollout_depth: int = -1,
        fpu_reduction: float = 0.1,
        noise: float = 0.0,
        threads: int = 0,
        policy: Policy | None = None,
    ) -> None:
        check_budget("az", sims, time, threads, fewest=2)  # the first one expands the root
        check_range("az", "temperature", temperature, 0.01, 100)
        check_range("az", "rollout_depth", rollout_depth, -1, 10**9)
        check_range("az", "noise", noise, 0, 1)
        policy = policy or read_policy("az", game, config, path)
        players = compiled_players(game)
        length = int(rollout_depth) if rollout_depth >= 0 else PLAYED_ON if players else 0
        playouts = PlayoutSettings(player=1 if players else 0, playout=length, margin=0.0)
        search = SearchSettings(playouts, exploration=float(c), fpu_reduction=float(fpu_reduction), plans=False)
        self._network_forest = NetworkForest(
            game,
            config,
            players,
            LeafSettings(search, temperature=float(temperature), noise=float(noise)),
            policy,
            room=room_for(MOST_SIMULATIONS if time else sims, config.num_actions),
            threads=int(threads) or None,
        )
        super().__init__(self._network_forest, sims, time)

    def set_policy(self, policy: Policy) -> None:
        """Search with another network of the same kind from now on; forgets all trees."""
        self._network_forest.policy = policy
        self._known = {}

    def seed(self, seed: int) -> None:
        """See `Agent.seed`."""
        super().seed(seed)
        self._network_forest.seed_noise(seed)
