"""Where seats choose at once, tree search decides the same whatever the others have chosen.

Several lines of play are tried from the beginning of such a phase. Where a seat sees the same and has the same legal
actions after two of them, they differ only in secret choices of others, so its search must be equal as well.
"""

from __future__ import annotations

import random
from collections import defaultdict

from bdgame_env.agents.search.mcts_agent import MCTSAgent
from bdgame_env.engine.game import Game
from bdgame_env.engine.jit import JIT_DISABLED
from bdgame_env.engine.match import Match
from tests.support import bid_game

LINES = 3 if JIT_DISABLED else 8
SIMS = 3 if JIT_DISABLED else 40
PHASES = 2 if JIT_DISABLED else 8  # phases to examine, among those in which worlds were found


def beginnings(game: Game, players: int) -> list[Match]:
    """Positions of random games in which a phase of simultaneous choices begins."""
    found, seed = [], 0
    while len(found) < (12 if JIT_DISABLED else 60):
        match, chance, before = Match(game, seed=seed, players=players), random.Random(seed), 0
        while not match.over:
            number, _ = match.choosing()
            if number not in (0, before):
                found.append(match.clone())
            before = number
            match.play(chance.choice(match.legal_actions()))
        seed += 1
    return found


def worlds(begun: Match, chance: random.Random) -> list[Match]:
    """Positions within the phase that look the same to the seat to decide, after different choices of others."""
    number, _ = begun.choosing()
    alike = defaultdict(list)
    for _ in range(LINES):
        match = begun.clone()
        while not match.over and match.choosing()[0] == number:
            if match.seat != begun.seat:
                alike[match.seat, match.observe().tobytes(), match.mask().tobytes()].append(match)
                break
            match.play(chance.choice(match.legal_actions()))
    different = [{match.get_state(): match for match in found} for found in alike.values()]
    return max((list(found.values()) for found in different), key=len, default=[])


def search(match: Match) -> bytes:
    """The visits of each action in a search with a fixed seed."""
    agent = MCTSAgent(match.game, match.config, sims=SIMS, rollout_depth=10, threads=1)
    agent.seed(5)
    agent.act(match.observe()[None], match.mask()[None], match.states.copy())
    assert agent.last is not None
    return agent.last.visits.tobytes()


def test_a_search_is_the_same_whatever_others_have_chosen_in_secret() -> None:
    """Choices already made are resampled too."""
    looked_at = 0
    for players in (2, 3):
        chance = random.Random(players)
        begun = beginnings(bid_game.GAME, players)
        for match in chance.sample(begun, len(begun)):
            found = worlds(match, chance)
            if len(found) > 1:
                assert len({search(world) for world in found}) == 1
                looked_at += 1
                if looked_at % PHASES == 0:
                    break
    assert looked_at == 2 * PHASES
