"""Tree search: it finds the best moves in games with known values, and never uses what its seat cannot see."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bdgame_env import get_game
from bdgame_env.agents import UnknownAgent, make_agent
from bdgame_env.agents.heuristics.compiled_players import compiled_players
from bdgame_env.agents.search.forest import Forest, SearchSettings
from bdgame_env.agents.search.mcts_agent import MCTSAgent
from bdgame_env.agents.search.planner import Planner, PlanSettings
from bdgame_env.agents.search.tree_agent import _Known
from bdgame_env.engine.game import Game
from bdgame_env.engine.jit import JIT_DISABLED, kernel
from bdgame_env.engine.match import Match
from tests.support import broken_games as broken
from tests.support import nim_game as nim
from tests.support import toy_game as toy
from tests.support.cheat import CHEAT
from tests.support.variants import variant

SIMS = 500 if JIT_DISABLED else 1000
WORLDS = [1, 5]  # the card on top of the deck, which nobody can see


def choose(agent: MCTSAgent, match: Match) -> str:
    seen = match.observe()[None]
    action = agent.act(seen, match.mask()[None], match.states.copy())[0]
    return match.action_to_string(int(action))


def searcher(match: Match, seed: int = 0, **settings: Any) -> MCTSAgent:
    agent = MCTSAgent(match.game, match.config, **{"sims": SIMS, "margin": 0.0, "threads": 1, **settings})
    agent.seed(seed)
    return agent


@pytest.mark.parametrize("rule", ["puct", "uct"])
@pytest.mark.parametrize("heap", [5, 6, 7, 9, 10, 11])
def test_it_finds_the_forced_win(heap, rule):
    """Leave a multiple of 4."""
    match = Match(nim.GAME, seed=0, heap=heap)
    agent = searcher(match, rule=rule, c=1.0)
    assert choose(agent, match) == f"take {heap % 4}"
    assert agent.last is not None and agent.last.visits.sum() >= SIMS - 1
    assert agent.last.values[0, heap % 4 - 1] > 0.5


def test_it_knows_a_lost_position():
    """All moves lose against the best play, and their values show it."""
    match = Match(nim.GAME, seed=0, heap=8)
    agent = searcher(match, c=1.0)
    choose(agent, match)
    assert agent.last is not None and agent.last.values.max() < -0.3


def test_a_child_of_another_deal_is_no_choice_in_this_one():
    """A move that was legal when the node was opened is not tried if the cards of this deal forbid it."""
    game = get_game("bdgame-v3")
    match, players = Match(game, seed=1), compiled_players(game)
    forest = Forest(game, match.config, players, SearchSettings(adviser=1, prior_weight=0.5), room=400, threads=1)
    forest.init_roots(np.array([1], np.uint64))
    tree, nodes, mask = forest.trees[0], forest.nodes[0], match.mask()
    forest._loops.tree_nodes.add_children(tree, nodes, 0, 1 - mask, int((mask == 0).sum()))
    forest.grow(match.states.copy(), [50])
    told = forest.report(match.states, mask[None])
    assert nodes["visits"][0] == told.visits.sum() == 50


def test_a_tree_that_goes_on_names_no_action_of_another_deal():
    """A tree may have grown over deals that allowed more than this one: moves that only those allow are not chosen."""
    before, now = Match(nim.GAME, seed=0, heap=7), Match(nim.GAME, seed=0, heap=2)
    agent = searcher(before, c=1.0)
    assert choose(agent, before) == "take 3"
    grown = _Known(agent._forest.trees[:1].copy(), agent._forest.nodes[0].copy(), share=1.0)
    agent._known = {now.observe().tobytes(): grown}
    assert choose(agent, now) in now.legal_moves()
    assert agent.last is not None and agent.last.visits[0, 2] == 0 and agent.last.visits.sum() > 0


def test_three_seats_each_have_a_value():
    """Nobody can take all of 4 stones; so the next seat does and wins, and the two others share the last ranks."""
    match = Match(nim.GAME, seed=0, heap=4, players=3)
    settings = SearchSettings(margin=0.0, exploration=1.0)
    forest = Forest(match.game, match.config, None, settings, room=20 * SIMS, threads=1)
    forest.init_roots(np.array([3], np.uint64))
    forest.grow(match.states.copy(), [SIMS])
    mean = forest.nodes["value"][0, 0, :3] / SIMS
    assert mean[1] > 0.6 and mean[0] < -0.2 and mean[2] < -0.2 and abs(mean.sum()) < 1e-3


@pytest.mark.parametrize("heap", [5, 7, 9])
def test_a_paranoid_search_finds_the_forced_win(heap):
    """With two seats, both models of the opponent are the same."""
    match = Match(nim.GAME, seed=0, heap=heap)
    assert choose(searcher(match, others="paranoid", c=1.0), match) == f"take {heap % 4}"


def last_turn(top: int, points: int, game: Game = toy.GAME) -> Match:
    """Seat 1 has the last turn and a 1 as its secret card; `top` is the card that it would draw."""
    cards = [card for card in range(1, 6) for _ in range(4)]
    for known in (1, 3, top):
        cards.remove(known)
    data = {
        "game": "toy",
        "players": 2,
        "options": {"rolling": True, "target": 30, "max_rounds": 9},
        "rng": "1",
        "round": 9,
        "seat": 1,
        "over": False,
        "truncated": False,
        "points": [points, 0],
        "face_up": 0,
        "deck": [*cards, top],
        "secret": [3, 1],
        "known": [0, 0],
    }
    return Match.from_snapshot(game, data)


@pytest.mark.parametrize("top", WORLDS)
def test_it_does_not_look_at_hidden_cards(top):
    """A draw wins with a 3, 4 or 5, a roll only with a 3: drawing is right, whatever card is on top."""
    match = last_turn(top, points=2)
    for seed in range(5):
        assert choose(searcher(match, seed), match) == "draw"


def test_a_search_that_looked_would_be_found_out():
    """The same test fails for a game that does not resample hidden cards: with a 1 on top nobody would draw."""
    peeking = variant(broken.RESAMPLE_NOTHING, apply=toy.apply)
    chosen = [choose(searcher(match), match) for match in (last_turn(top, 2, peeking) for top in WORLDS)]
    assert chosen == ["roll", "draw"]


@pytest.mark.parametrize("top", WORLDS)
def test_not_even_a_player_that_looks_sees_hidden_cards(top):
    """It looks at a resampled card, so over some seeds it advises both moves, whatever card is on top."""
    match = last_turn(top, points=2)
    settings = SearchSettings(player=1, adviser=1, prior_weight=0.9, plans=False)
    advised, planned = set(), set()
    for seed in range(20):
        forest = Forest(match.game, match.config, CHEAT, settings, room=100, threads=1)
        forest.init_roots(np.array([seed], np.uint64))
        forest.grow(match.states.copy(), [1])
        advised.add(int(forest.report(match.states, match.mask()[None]).priors[0].argmax()))
        planner = Planner(match.game, match.config, CHEAT, PlanSettings(player=1), threads=1)
        planned.add(int(planner.decide(match.states.copy(), np.array([seed], np.uint64)).actions[0]))
    assert advised == planned == {toy.DRAW, toy.ROLL}


def test_a_drawn_card_is_kept_or_swapped_by_its_size():
    """In the last decision of the game, where chance no longer matters."""
    for card, wanted in ((5, "take keep"), (2, "take keep")):
        match = last_turn(card, points=1)
        match.play("draw")
        assert choose(searcher(match), match) == wanted


@pytest.mark.parametrize("name", ["toy", "nim", "bdgame"])
def test_trees_are_sound(name):
    """A node has the visits of its children plus its own first one, also in the part kept for the next decision.

    Where chance may end the game at a node, it has more: one for each sample in which the game ended there.
    """
    game = {"toy": toy.GAME, "nim": nim.GAME}.get(name) or get_game("bdgame-v3")
    match = Match(game, seed=3)
    sims = 40 if JIT_DISABLED else 400
    players = compiled_players(game) if name == "bdgame" else None  # with which its search is compiled ahead
    forest = Forest(game, match.config, players, SearchSettings(exploration=1.0), room=20 * sims, threads=1)
    forest.init_roots(np.array([7], np.uint64))
    forest.grow(match.states.copy(), [sims])
    nodes = forest.nodes[0]
    assert nodes["visits"][0] == sims == forest.visits()[0]
    check_node(nodes, 0, root=True, exact=name == "nim")
    told = forest.report(match.states, match.mask()[None])
    np.testing.assert_array_equal(np.flatnonzero(told.priors[0]), match.legal_actions())
    assert told.priors.sum() == pytest.approx(1.0)
    best = int(told.chosen[0])
    values = child_values(nodes, best)
    _, kept = forest.subtree(0, best)
    check_node(kept, 0, root=False, exact=name == "nim")
    assert kept["visits"][0] == told.visits[0, best] and child_values(kept, None) == values


def check_node(nodes: Any, node: int, root: bool, exact: bool) -> None:
    children = []
    child = nodes["child"][node]
    while child >= 0:
        children.append(int(child))
        child = nodes["next"][child]
    if not children:
        return
    ends = nodes["visits"][node] - sum(nodes["visits"][children]) - (0 if root else 1)
    assert ends == 0 if exact else ends >= 0
    assert len({int(nodes["action"][k]) for k in children}) == len(children)
    for k in children:
        assert nodes["visits"][k] <= nodes["available"][k]
        check_node(nodes, k, False, exact)


def child_values(nodes: Any, action: int | None) -> list[tuple[int, int, float]]:
    node = 0
    if action is not None:
        node = nodes["child"][0]
        while nodes["action"][node] != action:
            node = nodes["next"][node]
    found = []
    child = nodes["child"][node]
    while child >= 0:
        found.append((int(nodes["action"][child]), int(nodes["visits"][child]), float(nodes["value"][child][0])))
        child = nodes["next"][child]
    return found


def test_the_tree_goes_on_in_the_same_turn():
    """After a draw the seat decides again: if its search had sampled that card, the subtree is kept."""
    match = Match(get_game("bdgame-v3"), seed=5)
    sims = 30 if JIT_DISABLED else 200
    agent = searcher(match, sims=sims, margin=1.0, plans=0, playout="random", rollout_depth=10)
    kept = 0
    for _ in range(8):
        seat = match.seat
        match.play(choose(agent, match))
        if match.seat == seat and agent._known:
            (known,) = agent._known.values()
            kept += int(known.nodes["visits"][0])
            choose(agent, match)
            assert agent.last is None or agent.last.visits.sum() in (sims - 1, sims)
    assert kept > 0


def test_the_same_seed_searches_alike_on_any_number_of_threads():
    """Every tree has its own generator."""
    game = get_game("bdgame-v3")
    matches = [Match(game, seed=seed) for seed in range(3)]
    seen = np.concatenate([match.observe()[None] for match in matches])
    masks = np.concatenate([match.mask()[None] for match in matches])
    states = np.concatenate([match.states for match in matches])
    reports = []
    for threads in (1, 2):
        agent = searcher(
            matches[0], seed=9, sims=20, threads=threads, playout="random", advice="none", plans=0, rollout_depth=20
        )
        actions = agent.act(seen, masks, states.copy())
        assert all(masks[row, action] for row, action in enumerate(actions))
        assert agent.last is not None
        reports.append((actions.tolist(), agent.last.visits.tolist()))
    assert reports[0] == reports[1]


def test_a_time_budget_is_enough_for_a_few_simulations():
    """However short it is."""
    match = Match(toy.GAME, seed=1)
    agent = searcher(match, time=1e-9)
    choose(agent, match)
    assert agent.last is not None and agent.last.visits.sum() >= 1


def test_a_full_tree_goes_on():
    """Without room for more nodes, simulations continue from the existing leaves."""
    match = Match(get_game("bdgame-v3"), seed=1)
    forest = Forest(match.game, match.config, compiled_players(match.game), SearchSettings(), room=1, threads=1)
    forest.init_roots(np.array([1], np.uint64))
    forest.grow(match.states.copy(), [60 if JIT_DISABLED else 600])
    assert forest.visits()[0] in (60, 600) and forest.trees["used"][0] <= forest.room


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("mcts:rule=best", "rule='best', must be one of puct, uct"),
        ("mcts:playout=nobody", "playout='nobody', must be one of random, greedy, thrifty, engineer"),
        ("mcts:sims=0", "sims=0, must be a whole number from 1 to 50000"),
        ("mcts:prior_weight=two", "prior_weight='two', must be a number from 0 to 1"),
        ("mcts:others=nice", "others='nice', must be one of own, paranoid"),
        ("mcts:plans=nan", "plans=nan, must be a number from 0 to 1"),
        ("mcts:c=1e999", "c=inf, must be a number from 0 to 1000"),
        ("mcts:time=nan", "time=nan, must be a number from 0 to 3600"),
        ("planner:deviate=inf", "deviate=inf, must be a number from 0 to 1"),
        ("planner:value_scale=nan", "value_scale=nan, must be a number from 0 to 1000"),
        ("ppo:sample=nan", "sample=nan, must be a number from 0 to 1"),
        ("ppo:temperature=-1", "temperature=-1, must be a number from 0 to 1000"),
        ("az:value_scale=nan", "value_scale=nan, must be a number from 0 to 100"),
        ("az:temperature=1e-310", "temperature=1e-310, must be a number from 0.01 to 100"),
        ("planner:deals=0", "deals=0, must be a whole number from 1"),
        ("planner:mood=1", "unknown setting 'mood'; known: deals, most, sims, time, path, "),
        ("strong-planner:mood=1", "unknown setting 'mood'; known: deals, most, deviate, sims, time, path, "),
        ("mcts:sims=9,sims=8", "'sims' is given twice"),
    ],
)
def test_wrong_settings_are_refused(spec, message):
    """The message is one line and says what is allowed."""
    game = get_game("bdgame-v3")
    with pytest.raises(UnknownAgent) as refused:
        make_agent(spec, game, game.config())
    assert message in str(refused.value) and "\n" not in str(refused.value)


@kernel
def _no_number(s: Any, config: Any, seat: Any) -> Any:
    """Progress that is infinite, no number, or beyond single precision, by the position and the seat."""
    kind = (s.heap + seat) % 5
    if kind == 0:
        return np.nan
    if kind == 1:
        return np.inf
    return -np.inf if kind == 2 else 1e300 * (kind - 3)


STRANGE = variant(nim.GAME, name="strange-nim", module=__name__, progress=_no_number)


def test_progress_that_is_no_number_is_still_judged() -> None:
    """A game of somebody else may say anything."""
    match = Match(STRANGE, seed=0, heap=40)
    while not match.over:
        agent = searcher(match, sims=30, rollout_depth=1, margin=1.0)
        action = agent.act(match.observe()[None], match.mask()[None], match.states.copy())[0]
        assert action in match.legal_actions()
        assert agent.last is None or (np.isfinite(agent.last.values).all() and np.abs(agent.last.values).max() <= 1)
        match.play(int(action))


def test_a_full_tree_gives_legal_actions() -> None:
    """A reused root may have children, none of them legal now, and no room for others."""
    match = Match(toy.GAME, seed=1)
    mask = match.mask()[None]
    agent = searcher(match, sims=4)
    forest = agent._forest
    forest.init_roots(np.array([1], np.uint64))
    forest.nodes = forest.nodes[:, :1].copy()  # room for the root alone
    forest.grow(match.states.copy(), [3])
    told = forest.report(match.states, mask)
    assert mask[0, told.chosen[0]] and not told.visits[mask == 0].any()
    np.testing.assert_allclose(told.policies, mask / mask.sum())
