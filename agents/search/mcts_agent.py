"""Monte-Carlo tree search for any game."""

from __future__ import annotations

from bdgame_env.engine.game import Game, GameConfig

from ..base import check_choice, check_range, check_whole
from ..heuristics.compiled_players import compiled_names, compiled_players
from .codes import NOBODY, PUCT, UCT
from .forest import Forest, SearchSettings
from .playouts import playout_length
from .tree_agent import MOST_SIMULATIONS, SearchAgent, check_budget, room_for


class MCTSAgent(SearchAgent):
    """Tree search with playouts, for any game; see `SearchAgent`.

    Args:
        sims: visits of the root when it decides, those of a reused tree included.
        time: seconds of one core for a decision, instead of `sims`; a reused tree gets less, by its visits.
        rule: "puct" or "uct".
        c: exploration.
        playout: "random", or one of the game's compiled players such as "greedy"; "" for the first of these.
        advice: the player whose action gets `prior_weight`; "" for the playout's unless random, "none" for nobody.
        prior_weight: prior of the advised action.
        rollout_depth: decisions of a playout before it is judged; 0 to play to the end, -1 for the number that the
            game's compiled players declare.
        value_scale: factor of a lead in progress before it is squashed into a value.
        margin: weight of the lead at the end of a game; the rest is the reward for the rank.
        fpu_reduction: first-play urgency reduction: an untried action counts as this much worse than its parent (puct).
        plans: 1 to raise the priors of actions that the plans of the game's compiled players propose.
        others: "own" (every seat maximises its own value) or "paranoid".
        threads: 0 for one per core.

    Raises:
        UnknownAgent: a setting is out of its range; says what is allowed.
    """

    name = "mcts"

    def __init__(
        self,
        game: Game,
        config: GameConfig,
        sims: int = 24,
        time: float = 0.0,
        rule: str = "puct",
        c: float = 0.3,
        playout: str = "",
        advice: str = "",
        prior_weight: float = 0.5,
        rollout_depth: int = -1,
        value_scale: float = 2.0,
        margin: float = 0.8,
        fpu_reduction: float = 0.1,
        plans: int = 1,
        others: str = "own",
        threads: int = 0,
    ) -> None:
        players = compiled_players(game)
        names = compiled_names(players)
        playout = playout or names[min(1, len(names) - 1)]
        advice = advice or ("none" if playout == "random" else playout)
        check_choice("mcts", "playout", playout, names)
        check_choice("mcts", "advice", advice, ["none", *names])
        check_choice("mcts", "rule", rule, ["puct", "uct"])
        check_choice("mcts", "others", others, ["own", "paranoid"])
        check_budget("mcts", sims, time, threads)
        check_range("mcts", "prior_weight", prior_weight, 0, 1)
        check_range("mcts", "margin", margin, 0, 1)
        check_range("mcts", "value_scale", value_scale, 0, 1000)
        check_range("mcts", "c", c, 0, 1000)
        check_range("mcts", "fpu_reduction", fpu_reduction, 0, 100)
        check_whole("mcts", "rollout_depth", rollout_depth, -1, 10**9)
        check_range("mcts", "plans", plans, 0, 1)
        forest = Forest(
            game,
            config,
            players,
            SearchSettings(
                player=names.index(playout),
                playout=playout_length(int(rollout_depth), config, players),
                value_scale=float(value_scale),
                margin=float(margin),
                formula=PUCT if rule == "puct" else UCT,
                exploration=float(c),
                adviser=NOBODY if advice == "none" else names.index(advice),
                prior_weight=float(prior_weight),
                fpu_reduction=float(fpu_reduction),
                plans=bool(plans),
                paranoid=others == "paranoid",
            ),
            room=room_for(MOST_SIMULATIONS if time else sims, config.num_actions),
            threads=int(threads) or None,
        )
        super().__init__(forest, sims, time)
