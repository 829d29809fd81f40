"""The family of agents that levels are chosen from, ordered by strength."""

from __future__ import annotations

from enum import StrEnum

from bdgame_env.agents.random_moves import EPSILON

SEARCHER, NETWORK = "az", "ppo"
_FINEST = 500  # steps of the probability of a random action, from 0 to 1
_COOLEST, _HOTTEST = 0.5, 64.0
_PER_DOUBLING = 32  # steps of the temperature
_FEWEST = 2


class Noise(StrEnum):
    """How the network alone is made weaker.

    Attributes:
        temperature: it samples its actions, the unlikely ones more often than it would: its mistakes are plausible.
        epsilon: it sometimes takes a random action.
    """

    temperature = "temperature"
    epsilon = "epsilon"


def family(top: int, noise: Noise = Noise.temperature) -> list[str]:
    """The family from the strongest down: searches by the network, the network alone, the network with noise.

    Neighbors differ by little: by a sixteenth of the simulations, by 2 % of the temperature, or by one random action in
    500.

    Args:
        top: simulations of the strongest.
        noise: of the weaker ones.
    """
    budgets = [top]
    while budgets[-1] > _FEWEST:
        budgets.append(max(_FEWEST, min(budgets[-1] - 1, round(budgets[-1] * 15 / 16))))
    searchers = [f"{SEARCHER}:sims={budget}" for budget in budgets]
    return [*searchers, NETWORK, *_noisy(noise)]


def _noisy(noise: Noise) -> list[str]:
    if noise is Noise.epsilon:
        return [f"{NETWORK}:{EPSILON}={step / _FINEST:g}" for step in range(1, _FINEST + 1)]
    hot, settings = _COOLEST, []
    while hot <= _HOTTEST:
        settings.append(f"{NETWORK}:{noise.value}={hot:.3g}")
        hot *= 2 ** (1 / _PER_DOUBLING)
    return settings


def searches(spec: str) -> bool:
    """Whether a member of the family searches, and is slow."""
    return spec.startswith(f"{SEARCHER}:")
