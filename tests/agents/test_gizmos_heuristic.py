"""The heuristic player of Gizmos: legal everywhere, blind to what is hidden, and better than chance."""

from __future__ import annotations

import numpy as np
import pytest

from bdgame_env import get_game
from bdgame_env.agents import UnknownAgent, make_agent
from bdgame_env.agents.heuristics.compiled_players import compiled_players
from bdgame_env.engine.batch import Batch
from bdgame_env.engine.jit import JIT_DISABLED
from bdgame_env.experiments.arena.matches import play_batch
from bdgame_env.experiments.arena.seating import seatings
from bdgame_env.games.gizmos.state import HAND, PAY, PHASES, UNDER
from tests.games.gizmos.positions import Position, new_game, position, rich_position
from tests.support import toy_game as toy

GAME = get_game("gizmos-v3")
BDGAME = get_game("bdgame-v3")
PLAYERS = compiled_players(GAME)
TABLES = 6 if JIT_DISABLED else 48
OPTIONS = [{}, {"rules": "quick"}]


def heuristic(config):
    return make_agent("heuristic", GAME, config)


def action_at(t):
    """The player's action in a given position."""
    match = t.match
    mask = np.zeros((1, match.config.num_actions), np.int8)
    mask[0, match.legal_actions()] = 1
    return match.action_to_string(int(heuristic(match.config).act(None, mask, match.states.copy())[0]))


def own_games(players, steps, **options):
    """Games after some decisions of the player, of which one in five is random."""
    batch = Batch(GAME, TABLES, seed=5, players=players, **options)
    agents = [heuristic(batch.config), make_agent("random", GAME, batch.config, seed=1)]
    for step in range(steps):
        yield batch
        batch.step(agents[step % 5 == 4].act(batch.obs, batch.mask.copy(), batch.states.copy()))


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_it_plays_legally_in_every_phase_and_writes_nothing(players, options):
    """In all positions of its games, including games disturbed by random decisions."""
    phases = set()
    for batch in own_games(players, 40 if JIT_DISABLED else 250, **options):
        states = batch.states.copy()
        actions = heuristic(batch.config).act(batch.obs, batch.mask.copy(), states)
        assert batch.mask[np.arange(TABLES), actions].all()
        assert states.tobytes() == batch.states.tobytes()
        phases |= set(batch.states["phase"].tolist())
    wanted = {HAND, PAY} if options else {HAND, PAY, UNDER}
    assert JIT_DISABLED or phases >= wanted, [PHASES[phase] for phase in phases]


@pytest.mark.parametrize("seed", range(3 if JIT_DISABLED else 30))
def test_it_plays_late_positions_to_the_end(seed):
    """With many converters, so that there are many ways to pay, and converters to name."""
    t = rich_position(seed, players=2 + seed % 3, max_rounds=30)
    while not t.match.over:
        t.match.play(action_at(t))


def test_it_does_not_see_what_is_hidden():
    """Resampling everything that its seat cannot see changes nothing."""
    phases = set()
    for seed in range(1 if JIT_DISABLED else 6):
        t = new_game(3, seed)
        for step in range(25 if JIT_DISABLED else 200):
            if t.match.over:
                break
            move = action_at(t)
            others = [t.match.clone(determinize=t.match.seat, seed=step + k) for k in range(2)]
            assert [action_at(Position(other)) for other in others] == [move] * 2
            phases.add(t.phase)
            t.match.play(move)
    assert JIT_DISABLED or phases >= {"main", "hand", "pay", "chain"}


def evaluations(states, config, players):
    """The player's evaluation of each seat's position."""
    scratch = np.zeros(1, PLAYERS.scratch)
    return [[PLAYERS.evaluate(s, config.record[0], seat, scratch[0]) for seat in range(players)] for s in states]


def test_its_judgement_tells_who_is_ahead():
    """Points, cards and marbles are worth something to their owner, in units of progress."""
    ahead = position(ring="2 red 1 blue", built=[40, 44, 57, 64], others={1: {"built": [8]}}, round=9)
    mine, theirs = evaluations([ahead.match.state], ahead.match.config, 2)[0]
    assert 0.1 < mine - theirs < 2.0


def test_it_takes_the_card_that_wins():
    """The last seat can end the game ahead with this turn."""
    built = [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29]
    t = position(seat=1, ring="1 red", built=built, display={0: 8, 1: 9, 2: 10, 3: 11}, round=9)
    assert action_at(t) == "build 0"


def test_it_pays_no_more_than_it_must():
    """A card that a discount makes free is not paid for."""
    t = position(ring="1 red", built=[104], archive=[8], round=9).play("build archive 0")
    assert t.phase == "pay" and action_at(t) == "pay 0"


@pytest.mark.slow
@pytest.mark.parametrize(("players", "deals"), [(2, 60), (3, 20), (4, 10)])
def test_it_beats_chance(players, deals):
    """In paired games of any number of players."""
    config = GAME.config(players=players)
    agents = [heuristic(config), make_agent("random", GAME, config, seed=3)]
    results = play_batch(GAME, config, agents, seatings(2, players, deals, 1), seed=2)
    won = sum(result.agents[result.ranks.index(1)] == 0 for result in results)
    assert won >= 0.9 * len(results) > 0


def test_the_first_compiled_player_of_any_game_is_called_heuristic():
    """Whatever its own name; a game without any has none."""
    config = BDGAME.config(players=2)
    batch = Batch(BDGAME, 8, seed=1, players=2)
    ours = make_agent("heuristic", BDGAME, config).act(batch.obs, batch.mask.copy(), batch.states.copy())
    greedy = make_agent("greedy", BDGAME, config).act(batch.obs, batch.mask.copy(), batch.states.copy())
    np.testing.assert_array_equal(ours, greedy)
    assert make_agent("heuristic", BDGAME, config).name == "heuristic"
    with pytest.raises(UnknownAgent, match="agent 'heuristic': toy-v1 has no such player"):
        make_agent("heuristic", toy.GAME, toy.GAME.config())
