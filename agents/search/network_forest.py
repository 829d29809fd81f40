"""Search trees that a policy and value network guides, for many games at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from bdgame_env.engine.game import Game, GameConfig

from ..networks import Policy
from .guides import network_space, tree_loops_of
from .playouts import Stoppable
from .trees import Trees


@dataclass(frozen=True, kw_only=True)
class GumbelSettings(Stoppable):
    """How to search.

    Attributes:
        temperature: divides the network's logits; above 1 makes the priors more alike.
        value_scale, visit_offset: the range of all values seen is worth `value_scale` * (`visit_offset` + visits of the
            most visited action) nats of logit.
        doubt: the value of an action is drawn towards that of its siblings, as if so many more visits had shown it.
        noise: factor of the Gumbel noise at the root: 0 for the strongest play, 1 for samples of the policy.
        most_considered: most actions that the root compares; a small budget compares fewer.
        least_visits: simulations of the budget for each of them.
        rollout_turns: turns that a simulation plays on by the network alone, the present one included, before it is
            judged; 0 to judge where it leaves the tree.
        margin, truncation: as in training, see `TrainConfig`.
    """

    temperature: float = 1.0
    value_scale: float = 1.0
    visit_offset: float = 50.0
    doubt: float = 8.0
    noise: float = 0.0
    most_considered: int = 16
    least_visits: int = 4
    rollout_turns: int = 0
    margin: float = 0.3
    truncation: float = 0.3


class NetworkForest(Trees):
    """Trees that a network guides.

    Args:
        policy: the network.
        game, config, settings, room, threads: see `Trees`.
    """

    def __init__(
        self,
        game: Game,
        config: GameConfig,
        settings: GumbelSettings,
        policy: Policy,
        *,
        room: int,
        threads: int | None = None,
    ) -> None:
        super().__init__(game, config, settings.record(), room)
        self.set_policy(policy, threads)

    def set_policy(self, policy: Policy, threads: int | None = None) -> None:
        """Search with another network of the same kind from now on."""
        self.policy = policy
        loops = partial(tree_loops_of, self.game, None, by_network=True)
        self._set_up_trees(loops, partial(network_space, self.game, self.config, policy, None), threads)
