"""No agent uses what its seat cannot see, in any game of the registry; and the detectors find agents that do."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from bdgame_env.agents.heuristics.compiled_players import compiled_players
from bdgame_env.agents.search.codes import NOBODY
from bdgame_env.agents.search.forest import Forest, SearchSettings
from bdgame_env.agents.search.network_forest import GumbelSettings, NetworkForest
from bdgame_env.agents.search.planner import Planner, PlanSettings
from bdgame_env.engine.game import Game
from bdgame_env.engine.jit import JIT_DISABLED
from bdgame_env.engine.match import Match
from bdgame_env.engine.players import CompiledPlayers
from bdgame_env.engine.seam import gathered
from bdgame_env.registry import get_game, list_games
from tests.support import toy_game as toy
from tests.support.cheat import CHEAT
from tests.support.conformance import option_sets, walk
from tests.support.leaks import Leak, Watch, check_players
from tests.support.policies import plain_policy

watching = pytest.mark.skipif(not JIT_DISABLED, reason="rules are watched in plain Python")
GAMES = [*list_games(), "toy-v1"]
SIMS = 5


def game_of(game_id: str) -> Game:
    return toy.GAME if game_id == toy.GAME.id else get_game(game_id)


def players_of(game: Game) -> CompiledPlayers | None:
    return CHEAT if game is toy.GAME else compiled_players(game)


def begun(game: Game) -> Match:
    """A position from the middle of a random game, with as few choices as possible, but more than one."""
    options = {**option_sets(game)[-1], **({"max_rounds": 20} if "max_rounds" in game.options else {})}
    games = walk(game, options, seed=4, decisions=30)
    found = [match.clone() for match in games if len(match.legal_actions()) > 1]
    return min(found[len(found) // 2 :], key=lambda match: len(match.legal_actions()))


class Search:
    """A search of one position of the watched game, which a test may make faulty."""

    def __init__(self, match: Match, kind: str) -> None:
        self.match = match
        players = players_of(match.game)
        self.watch = watch = Watch(match, players)
        settings = SearchSettings(
            player=int(bool(players)), playout=2, adviser=1 if players else NOBODY, prior_weight=0.5
        )
        self.forest: Forest | NetworkForest | Planner
        if kind == "planner":
            assert watch.players is not None
            plans = PlanSettings(player=1, playout=2, deals=1, most_deals=1, deviate=True)
            self.forest = Planner(watch.game, match.config, watch.players, plans, threads=1)
        elif kind == "network planner":
            policy = plain_policy(match.game, match.config)
            plans = PlanSettings(playout=2, deals=1, most_deals=1, deviate=True)
            self.forest = Planner(watch.game, match.config, watch.players, plans, policy=policy, threads=1)
        elif kind == "network":
            policy = plain_policy(match.game, match.config)
            self.forest = NetworkForest(watch.game, match.config, GumbelSettings(), policy, room=9999, threads=1)
        else:
            self.forest = Forest(watch.game, match.config, watch.players, settings, room=9999, threads=1)

    @property
    def loops(self) -> ModuleType:
        """The search's loops; their globals are the attributes of this module."""
        return self.forest._loops

    @property
    def determinize(self) -> Callable[..., None]:
        """What the search determinizes by."""
        found: Callable[..., None] = self.loops.loops.determinize
        return found

    @determinize.setter
    def determinize(self, other: Callable[..., None]) -> None:
        self.loops.loops = gathered("loops", determinize=other)

    def run(self) -> None:
        states, seeds = self.match.states.copy(), np.array([7], np.uint64)
        if isinstance(self.forest, Planner):
            self.forest.decide(states, seeds)
        else:
            self.forest.init_roots(seeds)
            self.forest.grow(states, [SIMS])


def searches(game: Game) -> list[str]:
    always = ["tree", "network", "network planner"]
    return [*always, "planner"] if players_of(game) else always


CASES = [(game_id, kind) for game_id in GAMES for kind in searches(game_of(game_id))]
ADVISED = [case for case in CASES if case[1] != "network" and case[0] != "toy-v1" and players_of(game_of(case[0]))]


@watching
@pytest.mark.parametrize(("game_id", "kind"), CASES)
def test_a_search_sees_nothing_but_deals_that_its_seat_can_take_for_the_true_one(game_id: str, kind: str) -> None:
    """The same holds for its adviser, plans, playouts and evaluations."""
    search = Search(begun(game_of(game_id)), kind)
    search.run()
    assert search.watch.deals >= search.watch.used >= 1


def deals_nothing(search: Search) -> None:
    """It searches the true position."""
    search.determinize = lambda s, config, number, seat: None


def deals_for_another(search: Search) -> None:
    """It resamples what the next seat cannot see, and looks at that seat's cards."""
    true, players = search.determinize, search.match.players
    search.determinize = lambda s, config, number, seat: true(s, config, number, (seat + 1) % players)


def deals_with_true_luck(search: Search) -> None:
    """It knows the dice to come."""
    search.loops.nth = lambda deals, number: search.match.state.rng


def puts_back(search: Search) -> None:
    """It resamples, and then looks at the true cards all the same."""
    true, root = search.determinize, search.match.states.copy()

    def determinize(s: Any, config: Any, number: Any, seat: int) -> None:
        true(s, config, number, seat)
        for name in root.dtype.names:
            if name not in ("rng", "game_seed"):
                s[name] = root[0][name]

    search.determinize = determinize


def deals_itself(search: Search) -> None:
    """It resamples by itself, and gives its own seat another hand as well."""
    true, game = search.determinize, search.match.game

    def determinize(s: Any, config: Any, number: Any, seat: int) -> None:
        for other in range(search.match.players):
            game.rules.resample(s, config, other)
        true(s, config, number, seat)

    search.determinize = determinize


FAULTS: list[tuple[Callable[[Search], None], str]] = [
    (deals_nothing, "not resampled"),
    (deals_for_another, "but seat . searches"),
    (deals_with_true_luck, "with the chance of the true game"),
    (puts_back, "changed after it had been resampled"),
    (deals_itself, "none that the seat can take for the true one"),
]


def hides(match: Match, of: int) -> bool:
    """Whether some seat other than `of` cannot see something that `of` sees."""
    true = match.observe(of).tobytes()
    others = (other for other in range(match.players) if other != of)
    return any(
        match.clone(determinize=other, seed=seed).observe(of).tobytes() != true
        for other in others
        for seed in range(20)
    )


@watching
@pytest.mark.parametrize(("fault", "message"), FAULTS, ids=lambda value: getattr(value, "__name__", None))
@pytest.mark.parametrize(("game_id", "kind"), CASES)
def test_a_search_that_peeks_is_found_out(game_id: str, kind: str, fault: Any, message: str) -> None:
    """The search is made to peek in various ways, by changing its loops."""
    match = begun(game_of(game_id))
    search = Search(match, kind)
    fault(search)
    if fault is deals_itself and not hides(match, match.seat):
        search.run()  # nobody has cards that only one seat sees, so there is no wrong deal of them
        return
    with pytest.raises(Leak, match=message):
        search.run()


@watching
@pytest.mark.parametrize(("game_id", "kind"), ADVISED)
def test_a_search_that_shows_its_advisers_the_truth_is_found_out(game_id: str, kind: str) -> None:
    """Even though what it plays on is resampled: the first sample is the one for the advisers."""
    game = game_of(game_id)
    search = Search(begun(game), kind)
    true, calls = search.determinize, []

    def determinize(s: Any, config: Any, number: Any, seat: int) -> None:
        calls.append(seat)
        if len(calls) > 1:
            true(s, config, number, seat)

    search.determinize = determinize
    with pytest.raises(Leak, match="not resampled"):
        search.run()


@pytest.mark.slow
@pytest.mark.parametrize("game_id", [game_id for game_id in list_games() if compiled_players(get_game(game_id))])
def test_compiled_players_do_the_same_whatever_they_cannot_see(game_id: str) -> None:
    """All of them, with all plans, for the fewest and the most seats."""
    game = get_game(game_id)
    players = compiled_players(game)
    assert players is not None
    for options in (option_sets(game)[0], option_sets(game)[-1]):
        check_players(game, players, options, every=7)


def test_a_player_that_looks_is_found_out() -> None:
    """The cheat of the toy game looks at the card on top of the deck."""
    with pytest.raises(Leak, match=r"in worlds that look alike: .*draw"):
        check_players(toy.GAME, CHEAT, {"players": 2, "rolling": True}, every=1)
