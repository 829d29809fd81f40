"""Tree search with a network as in Gumbel AlphaZero, for hidden information and any number of players."""

from __future__ import annotations

from os import PathLike

from bdgame_env.engine.game import Game, GameConfig

from ..base import check_range, check_whole
from ..networks import Policy
from ..networks.ppo_agent import read_policy
from .network_forest import GumbelSettings, NetworkForest
from .tree_agent import MOST_SIMULATIONS, SearchAgent, check_budget, room_for

_NAMED_FOR = 64  # simulations that the value scales in networks' files are for


class AZAgent(SearchAgent):
    """Tree search with a network's policy and values; see `SearchAgent` and `GumbelSettings`.

    Args:
        path: the `.npz` file that training writes; None for the one that ships with the package.
        sims: simulations for a decision.
        time: seconds of one core for a decision, instead of `sims`.
        temperature: above 1 makes the priors more alike than the network's probabilities.
        value_scale, visit_offset: how much values count beside priors; -1 for the value scale that the network's file
            names (`search_scale`) for 64 simulations, less for more of them, or 1 if it names none.
        doubt: how cautiously the values of actions with few visits are taken.
        considered: most actions compared at the root.
        least_visits: simulations of the budget for each of them.
        rollout_turns: turns that a simulation plays on by the network alone before it is judged; -1 for the number that
            the network's file names (`search_turns`), or 0 if it names none.
        noise: factor of the Gumbel noise at the root; 0 plays best, 1 varies the games as training does.
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
        path: str | PathLike[str] | None = None,
        sims: int = 64,
        time: float = 0.0,
        temperature: float = GumbelSettings.temperature,
        value_scale: float = -1.0,
        visit_offset: float = GumbelSettings.visit_offset,
        doubt: float = GumbelSettings.doubt,
        considered: int = GumbelSettings.most_considered,
        least_visits: int = GumbelSettings.least_visits,
        rollout_turns: int = -1,
        noise: float = 0.0,
        threads: int = 0,
        policy: Policy | None = None,
    ) -> None:
        check_budget("az", sims, time, threads, fewest=2)  # the first one expands the root
        check_range("az", "temperature", temperature, 0.01, 100)
        check_range("az", "visit_offset", visit_offset, 0, 10**6)
        check_range("az", "doubt", doubt, 0, 10**6)
        check_whole("az", "considered", considered, 1, 10**6)
        check_whole("az", "least_visits", least_visits, 1, 10**6)
        check_range("az", "noise", noise, 0, 1)
        policy = policy or read_policy("az", game, config, path)
        if value_scale == -1:
            value_scale = GumbelSettings.value_scale
            if (named := policy.meta.get("search_scale")) is not None:
                value_scale = float(named) * (1.0 if time else _weight_kept(sims, visit_offset))
        if rollout_turns == -1:
            rollout_turns = int(policy.meta.get("search_turns", GumbelSettings.rollout_turns))
        check_range("az", "value_scale", value_scale, 0, 100)
        check_whole("az", "rollout_turns", rollout_turns, 0, 100)
        settings = GumbelSettings(
            temperature=float(temperature),
            value_scale=float(value_scale),
            visit_offset=float(visit_offset),
            doubt=float(doubt),
            noise=float(noise),
            most_considered=int(considered),
            least_visits=int(least_visits),
            rollout_turns=int(rollout_turns),
        )
        self._network_forest = NetworkForest(
            game,
            config,
            settings,
            policy,
            room=room_for(MOST_SIMULATIONS if time else sims, config.num_actions),
            threads=int(threads) or None,
        )
        super().__init__(self._network_forest, sims, time)

    def set_policy(self, policy: Policy) -> None:
        """Search with another network of the same kind from now on; forgets all trees."""
        self._network_forest.set_policy(policy, self._network_forest.threads)
        self._known = {}


def _weight_kept(sims: int, visit_offset: float) -> float:
    """What a value scale for 64 simulations is multiplied by for more, so that values weigh about as much as with 64.

    Their weight grows with the visits of the most visited action, about a quarter of the simulations.
    """
    return (visit_offset + _NAMED_FOR / 4) / (visit_offset + max(sims, _NAMED_FOR) / 4)
