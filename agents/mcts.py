"""Monte-Carlo tree search for every game, without knowing any."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.core.game import Box, Game
from bdgame_env.core.rng import deal_number

from .base import Actions, Agent, Masks, Observations, check_choice, check_range
from .greedy import compiled_players
from .search.forest import Forest, Report, SearchSettings
from .search.playouts import PlayoutSettings

_MOST_SIMULATIONS = 50_000


@dataclass(frozen=True)
class _Known:
    """A tree to go on with: TREE record (1,), its nodes, and its root's share of the visits of the root before."""

    tree: npt.NDArray[Any]
    nodes: npt.NDArray[Any]
    share: float


class MCTSAgent(Agent):
    """Searches every decision that is one, and goes on with the same tree for the next decision of the same turn.

    The tree belongs to what the seat has seen: it is looked up by the observation, so a tree that was grown in one
    game goes on in whatever game shows the same.

    Args:
        sims: simulations that the root of a decision has seen in the end, those of a tree that goes on included.
        time: seconds of one core for a decision, instead of `sims`; a tree that goes on gets less, by what it knows.
        rule: "puct" or "uct".
        c: exploration.
        playout: "random", or one of the game's compiled players such as "greedy"; "" for the first of these.
        advice: the player whose action is tried first; "" for the playout's if it is not random, "none" for nobody.
        trust: prior of the advised action.
        cut: decisions of a playout before its end is judged by the lead; 0 for playing to the end.
        steep: how much a lead in progress is worth.
        margin: weight of the lead at the end of a game; the rest is the reward of the place.
        caution: how much worse than its parent an untried action is taken to be (puct).
        plans: 1 to look first at what the plans of the game's compiled players propose.
        others: "own" (every seat wants its own good) or "paranoid".
        threads: 0 for one per core.

    Raises:
        UnknownAgent: a setting is out of its range; says what is allowed.
    """

    name = "mcts"
    needs_states = True
    games_at_once = 16

    def __init__(
        self,
        game: Game,
        box: Box,
        sims: int = 100,
        time: float = 0.0,
        rule: str = "puct",
        c: float = 0.3,
        playout: str = "",
        advice: str = "",
        trust: float = 0.5,
        cut: int = 60,
        steep: float = 2.0,
        margin: float = 0.8,
        caution: float = 0.1,
        plans: int = 1,
        others: str = "own",
        threads: int = 0,
    ) -> None:
        players = compiled_players(game)
        names = ["random", *(players.names if players else ())]
        playout = playout or names[min(1, len(names) - 1)]
        advice = advice or ("none" if playout == "random" else playout)
        check_choice("mcts", "playout", playout, names)
        check_choice("mcts", "advice", advice, ["none", *names])
        check_choice("mcts", "rule", rule, ["puct", "uct"])
        check_choice("mcts", "others", others, ["own", "paranoid"])
        check_range("mcts", "sims", sims, 1, _MOST_SIMULATIONS)
        check_range("mcts", "time", time, 0, 3600)
        check_range("mcts", "trust", trust, 0, 1)
        check_range("mcts", "margin", margin, 0, 1)
        check_range("mcts", "cut", cut, 0, 10**9)
        check_range("mcts", "threads", threads, 0, 1024)
        self._sims, self._time = int(sims), float(time)
        most = _MOST_SIMULATIONS if time else int(sims)
        self._forest = Forest(
            game,
            box,
            players,
            SearchSettings(
                PlayoutSettings(
                    player=names.index(playout),
                    playout=int(cut) or box.max_decisions,
                    steepness=float(steep),
                    margin=float(margin),
                ),
                formula=rule,
                exploration=float(c),
                adviser=None if advice == "none" else names.index(advice),
                trust=float(trust),
                caution=float(caution),
                plans=bool(plans),
                paranoid=others == "paranoid",
            ),
            room=min(1_000_000, 16 * most + box.num_actions),
            threads=int(threads) or None,
        )
        self._rng = np.random.default_rng(deal_number(None))
        self._known: dict[bytes, _Known] = {}
        self.last: Report | None = None

    def seed(self, seed: int) -> None:
        """Fix the agent's own luck, and forget all trees."""
        self._rng = np.random.default_rng(seed)
        self._known = {}

    def act(self, observation: Observations, mask: Masks, states: npt.NDArray[Any] | None = None) -> Actions:
        """See `Agent.act`. Afterwards `last` tells visits, values and priors of the rows that had a choice."""
        if states is None:
            raise ValueError(f"the agent {self.name!r} needs states")
        actions: Actions = mask.argmax(axis=1).astype(np.int32)
        rows = np.flatnonzero(mask.sum(axis=1) > 1)
        self.last = None
        if len(rows):
            actions[rows] = self._searched(observation[rows], states[rows])
        else:
            self._known = {}
        return actions

    def _searched(self, observation: Observations, states: npt.NDArray[Any]) -> Actions:
        forest = self._forest
        forest.plant(self._rng.integers(0, 2**64, len(states), np.uint64))
        done = np.zeros(len(states))
        for row, seen in enumerate(observation):
            known = self._known.pop(seen.tobytes(), None)
            if known is not None:
                done[row] = known.share
                forest.adopt(row, known.tree, known.nodes)
        if self._time:
            forest.grow_for(states, self._time * (1.0 - done), _MOST_SIMULATIONS)
        else:
            forest.grow(states, np.maximum(self._sims - forest.visits(), 1))
        self.last = forest.report(states["seat"])
        chosen = self.last.best()
        self._remember(states.copy(), chosen)
        return chosen

    def _remember(self, states: npt.NDArray[Any], chosen: Actions) -> None:
        """Keep the trees of the seats that decide again, by what they will see if nothing unknown turns up."""
        again, seen = self._forest.look_ahead(states, chosen)
        before = self._forest.visits()
        self._known = {}
        for row in map(int, np.flatnonzero(again)):
            tree, nodes = self._forest.subtree(row, int(chosen[row]))
            share = float(nodes["visits"][0] / max(1, before[row]))
            self._known[seen[row].tobytes()] = _Known(tree, nodes, share)
