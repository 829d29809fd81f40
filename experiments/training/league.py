"""The learner's opponents: fixed ones, and snapshots of itself, preferring those that still beat it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bdgame_env.agents import Agent, make_agent
from bdgame_env.agents.networks import Policy
from bdgame_env.agents.networks.ppo_agent import PolicyAgent
from bdgame_env.engine.game import Game, GameConfig
from bdgame_env.engine.learner import Opponent

from .config import TrainConfig

_WINDOW = 200.0  # time constant, in games, of the exponential average of scores


class League:
    """The opponents of a training run, and how the learner fares against each.

    Snapshots share `self_weight` by prioritized fictitious self-play: each weighs (1 - p)^2, where p is how often the
    learner ranks above it (Vinyals et al. 2019, Nature 575; `f_hard` with exponent 2). One that it has not met yet
    counts as equal.

    Args:
        config: the run's settings.
        game: the declaration of the game.
        configs: its configs by number of players.
        scores: result of `to_json`, of the run to resume.
        policies: snapshots by name, of the run to resume.

    Attributes:
        policies: the snapshots that play, by name, including those that play only in games in progress.
    """

    def __init__(
        self,
        config: TrainConfig,
        game: Game,
        configs: Mapping[int, GameConfig],
        scores: Mapping[str, Sequence[float]] | None = None,
        policies: Mapping[str, Policy] | None = None,
    ) -> None:
        self._config, self._game, self._configs = config, game, configs
        self._scores = {name: (float(won), float(met)) for name, (won, met) in (scores or {}).items()}
        self._agents: dict[tuple[str, int], PolicyAgent] = {}
        self.policies = dict(policies or {})

    def to_json(self) -> dict[str, list[float]]:
        """Exponentially averaged wins and games against each opponent, as plain JSON data."""
        return {name: [won, met] for name, (won, met) in self._scores.items()}

    def count(self, infos: Iterable[Mapping[str, Any]]) -> None:
        """Count the games that ended in a step of the learner's environments, given its infos."""
        for info in infos:
            final = info.get("final")
            if final is None:
                continue
            own = final["ranks"][final["seat"]]
            for seat, name in enumerate(final["lineup"]):
                if seat != final["seat"]:
                    other = final["ranks"][seat]
                    won, met = self._scores.get(name, (0.0, 0.0))
                    fade = 1.0 - 1.0 / _WINDOW
                    above = 1.0 if own < other else 0.5 if own == other else 0.0
                    self._scores[name] = (fade * won + above, fade * met + 1.0)

    def score(self, name: str) -> float:
        """How often the learner ranks above an opponent, ties counting half; 0.5 before they have met."""
        won, met = self._scores.get(name, (0.0, 0.0))
        return (won + 1.0) / (met + 2.0)

    def pool(self, snapshots: Sequence[tuple[str, Policy]], players: int) -> list[Any]:
        """Opponents with their weights, as `set_opponents` takes them: the fixed ones, and the newest snapshots.

        Args:
            snapshots: policies by name, the newest last.
            players: number of players in their games.
        """
        play = self._config.self_play
        pool: list[Any] = [(spec, weight) for spec, weight in play.opponents.items() if weight > 0]
        newest = list(snapshots)[-play.snapshots :] if play.self_weight > 0 else []
        self.policies |= dict(newest)
        shares = [(1.0 - self.score(name)) ** 2 for name, _ in newest]
        for (name, policy), share in zip(newest, shares, strict=True):
            pool.append((self._agent(name, policy, players), play.self_weight * share / sum(shares)))
        kept = {name for name, _ in newest}
        self._agents = {key: agent for key, agent in self._agents.items() if key[0] in kept}
        return pool

    def forget_all_but(self, names: Iterable[str]) -> None:
        """Drop the policies of snapshots with other names."""
        kept = set(names)
        self.policies = {name: policy for name, policy in self.policies.items() if name in kept}

    def opponent(self, name: str, players: int) -> Opponent:
        """The Python agent of a name: a snapshot, or an agent named in the settings.

        Args:
            name: the name in line-ups.
            players: number of players in its games.

        Raises:
            UnknownAgent: there is no such snapshot or agent.
        """
        agent: Agent
        if name in self.policies:
            agent = self._agent(name, self.policies[name], players)
        else:
            agent = make_agent(name, self._game, self._configs[players])
        return Opponent(name, act=agent.act, needs_states=agent.needs_states, seed=agent.seed)

    def _agent(self, name: str, policy: Policy, players: int) -> PolicyAgent:
        agent = self._agents.get((name, players))
        if agent is None:
            seed = self._config.seed + len(self._agents)
            agent = PolicyAgent(policy, self._game, self._configs[players], sample=True, seed=seed)
            agent.name = name
            self._agents[name, players] = agent
        return agent
