"""The family of agents that levels are chosen from, ordered by strength."""

from __future__ import annotations

from bdgame_env.agents.random_moves import EPSILON

SEARCHER, NETWORK = "az", "ppo"
_FINEST = 500  # steps of the probability of a random action, from 0 to 1
_FEWEST = 2


def family(top: int) -> list[str]:
    """The family from the strongest down: searches by the network, the network alone, the network with random actions.

    Neighbors differ by little: by a sixteenth of the simulations, or by one random action in 500.

    Args:
        top: simulations of the strongest.
    """
    budgets = [top]
    while budgets[-1] > _FEWEST:
        budgets.append(max(_FEWEST, min(budgets[-1] - 1, round(budgets[-1] * 15 / 16))))
    searchers = [f"{SEARCHER}:sims={budget}" for budget in budgets]
    weaker = [f"{NETWORK}:{EPSILON}={step / _FINEST:g}" for step in range(1, _FINEST + 1)]
    return [*searchers, NETWORK, *weaker]


def searches(spec: str) -> bool:
    """Whether a member of the family searches, and is slow."""
    return spec.startswith(f"{SEARCHER}:")
