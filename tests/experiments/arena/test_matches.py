"""Matches, and agents that misbehave."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import bdgame_env
from bdgame_env.agents import Agent, make_agent
from bdgame_env.agents.base import AgentFault
from bdgame_env.engine.game import Game, GameConfig
from bdgame_env.engine.match import Match
from bdgame_env.engine.rng import shuffle
from bdgame_env.experiments.arena import matches
from bdgame_env.experiments.arena.matches import GameResult, play_batch, play_batches, warm_up
from bdgame_env.experiments.arena.seating import seatings
from bdgame_env.experiments.arena.standings import win_shares
from tests.support.attacks import leads_back

# Numba warns if a kernel that reads `s.rng` was first compiled for an agent's own generator.
pytestmark = pytest.mark.filterwarnings("ignore:.*considered a subtype of Record")


@pytest.fixture(scope="module")
def game() -> Game:
    return bdgame_env.get_game("bdgame-v3")


@pytest.fixture(scope="module")
def config(game: Game) -> GameConfig:
    return game.config(players=2, max_rounds=2)


class First(Agent):
    """Always takes the legal action with the lowest id."""

    def act(self, observation: Any, mask: Any, states: Any = None) -> Any:
        return mask.argmax(1).astype(np.int32)


class Last(Agent):
    """Always takes the legal action with the highest id."""

    def act(self, observation: Any, mask: Any, states: Any = None) -> Any:
        return (mask.shape[1] - 1 - mask[:, ::-1].argmax(1)).astype(np.int32)


class Scattered(Agent):
    """Plays by a hash of the observation, which looks random."""

    def act(self, observation: Any, mask: Any, states: Any = None) -> Any:
        keys = observation.astype(np.int64) @ (np.arange(observation.shape[1]) ** 2 % 1009)
        return np.array([np.flatnonzero(row)[key % row.sum()] for row, key in zip(mask, keys, strict=True)])


class Answers(Agent):
    """Answers with the result of a function of the mask."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def act(self, observation: Any, mask: Any, states: Any = None) -> Any:
        return self.answer(mask)


def raises(mask: Any) -> Any:
    raise RuntimeError("lost my way\nin the wood")


# Playing


def test_identical_deterministic_agents_tie_over_the_seatings(game: Game) -> None:
    config = game.config(players=2, max_rounds=30)
    results = play_batch(game, config, [Scattered(), Scattered()], seatings(2, 2, 6, seed=1))
    assert any(len(set(result.ranks)) == 2 for result in results)
    shares = win_shares(np.array([result.ranks for result in results]))
    by_agent = [sum(share[r.agents.index(agent)] for share, r in zip(shares, results, strict=True)) for agent in (0, 1)]
    assert by_agent == [6.0, 6.0]


def test_a_game_ends_as_the_same_moves_end_at_a_table(game: Game, config: GameConfig) -> None:
    tables = seatings(2, 2, 3, seed=3)
    agents = [First(), Last()]
    for result, seating in zip(play_batch(game, config, agents, tables), tables, strict=True):
        table = bdgame_env.make_match(game.id, players=2, max_rounds=2)
        table.deal(seating.game_seed)
        actions = []
        while not table.over:
            mask = table.mask()[None]
            actions.append(int(agents[seating.agents[table.seat]].act(table.observe()[None], mask)[0]))
            table.play(actions[-1])
        assert result == GameResult(
            **vars(seating),
            points=tuple(table.points()),
            ranks=tuple(table.ranks()),
            decisions=int(table.state.decisions),
            truncated=table.truncated,
            actions=np.array(actions, matches.ACTION).tobytes(),
        )


def test_same_seed_same_results(game: Game, config: GameConfig) -> None:
    tables = seatings(2, 2, 8, seed=5)

    def play(seed: int, start: int = 0) -> list[GameResult]:
        agents = [make_agent("random", game, config) for _ in range(2)]
        return [r for part in play_batches(game, config, agents, tables[start:], batch=6, seed=seed) for r in part]

    once = play(5)
    assert play(5) == once
    assert play(5, start=6) == once[6:], "a tournament goes on after a batch as if it had not stopped"
    assert play(6) != once


def test_agents_without_chance_play_alike_in_every_batch_size(game: Game, config: GameConfig) -> None:
    tables = seatings(2, 2, 5, seed=5)
    one, other = (
        [r for part in play_batches(game, config, [First(), Last()], tables, batch=size) for r in part]
        for size in (1, 7)
    )
    assert one == other


def test_a_result_holds_the_whole_game(game: Game) -> None:
    """All actions, even of games that outgrow the initial buffer and of games lost by a fault."""
    config = game.config(players=2)
    agents = [make_agent("random", game, config), Answers(lambda mask: mask.argmax(1))]
    results = play_batch(game, config, agents, seatings(2, 2, 3, seed=1), seed=2)
    assert max(result.decisions for result in results) > matches._FIRST_ROOM
    results += play_batch(game, config, [First(), Answers(raises)], seatings(2, 2, 1, seed=0))
    for result in results:
        table = Match(game, seed=0, **config.options)
        table.deal(result.game_seed)
        assert len(result.action_ids) == result.decisions
        for action in result.action_ids:
            table.play(action)
        assert tuple(table.points()) == result.points and table.over == (result.forfeit is None)


def test_wrong_seatings_are_refused(game: Game, config: GameConfig) -> None:
    with pytest.raises(ValueError, match="does not fit 2 seats"):
        play_batch(game, config, [First(), First()], seatings(2, 3, 1, seed=0))
    with pytest.raises(ValueError, match="does not fit 2 seats and 1 agents"):
        play_batch(game, config, [First()], seatings(2, 2, 1, seed=0))
    with pytest.raises(ValueError, match="cannot be played"):
        seatings(2, 2, 0, seed=0)


def test_a_game_without_end_is_noticed(game: Game, config: GameConfig) -> None:
    with pytest.raises(RuntimeError, match="max_decisions=3"):
        play_batch(game, replace(config, max_decisions=3), [First(), First()], seatings(2, 2, 1, seed=0))


# Agents that misbehave


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (raises, "raised RuntimeError: lost my way"),
        (lambda mask: mask.argmin(1), "which was not legal"),
        (lambda mask: np.full(len(mask), 9999), "chose action 9999; ids are 0 to "),
        (lambda mask: np.full(len(mask), -1), "chose action -1; ids are 0 to "),
        (lambda mask: mask.argmax(1)[:-1], "answered with shape (0,) of int64, not (1,) of int32"),
        (lambda mask: mask.argmax(1) * 1.0, "answered with shape (1,) of float64, not (1,) of int32"),
        (lambda mask: None, "answered with shape () of object, not (1,) of int32"),
    ],
)
def test_a_bad_answer_loses_the_game(game: Game, config: GameConfig, answer: Any, reason: str) -> None:
    results = play_batch(game, config, [First(), Answers(answer)], seatings(2, 2, 2, seed=0))
    assert len(results) == 4
    for result in results:
        loser = result.agents.index(1)
        assert result.forfeit == loser and reason in result.reason
        assert result.ranks[loser] == 2 and result.ranks[1 - loser] == 1


def test_the_other_seats_share_the_better_places(game: Game) -> None:
    config = game.config(players=3, max_rounds=2)
    results = play_batch(game, config, [First(), First(), Answers(raises)], seatings(3, 3, 1, seed=0))
    assert len(results) == 6
    for result in results:
        assert [place for seat, place in enumerate(result.ranks) if seat != result.forfeit] == [1, 1]
        assert result.ranks[result.agents.index(2)] == 3


def test_only_the_games_at_fault_are_lost(game: Game, config: GameConfig) -> None:
    own_seat = next(field for field in game.schema if field.name == "own_seat").start

    class FailsInSeatOne(First):
        def act(self, observation: Any, mask: Any, states: Any = None) -> Any:
            if (observation[:, own_seat] == 1).any():
                raise RuntimeError("not in this seat")
            return super().act(observation, mask, states)

    tables = seatings(2, 2, 4, seed=0)
    good = play_batch(game, config, [First(), First()], tables)
    bad = play_batch(game, config, [First(), FailsInSeatOne()], tables)
    for well, result in zip(good, bad, strict=True):
        if result.agents[1] == 1:
            assert result.forfeit == 1 and "not in this seat" in result.reason
        else:
            assert result == well


def test_an_agent_that_hangs_loses_and_is_replaced(game: Game, config: GameConfig) -> None:
    class Hangs(First):
        def act(self, observation: Any, mask: Any, states: Any = None) -> Any:
            time.sleep(3.0)
            return super().act(observation, mask, states)

    agents: list[Agent] = [First(), Hangs()]
    hung = agents[1]
    tables = seatings(2, 2, 1, seed=0)
    results = play_batch(game, config, agents, tables, time_limits=[0.5, 0.5], remake=lambda index: First())
    # Seat 0's call is over the limit; then First stands in, in the game that was not lost.
    assert [result.forfeit for result in results] == [None, 0]
    assert results[1].reason == "took more than 0.5 s per decision"
    assert agents[1] is not hung
    with pytest.raises(ValueError, match="needs `remake`"):
        play_batch(game, config, agents, tables, time_limits=[0.5, 0.5])


def test_what_an_agent_does_to_its_arrays_reaches_no_game(game: Game, config: GameConfig) -> None:
    class Vandal(First):
        needs_states = True

        def act(self, observation: Any, mask: Any, states: Any = None) -> Any:
            actions = super().act(observation, mask, states)
            observation[:], mask[:] = 0, 1
            states["over"] = 1
            states["seats"] = 0
            return actions

    tables = seatings(2, 2, 3, seed=0)
    assert play_batch(game, config, [Vandal(), Vandal()], tables) == play_batch(
        game, config, [First(), First()], tables
    )


# What agents see


def test_states_are_resampled_for_the_seat_to_decide(game: Game) -> None:
    """The copies contain neither the true order of the decks nor a way that leads to it, but everything else."""
    seen: list[tuple[Any, Any, Any]] = []

    class Spy(Scattered):
        needs_states = True

        def act(self, observation: Any, mask: Any, states: Any = None) -> Any:
            seen.append((observation.copy(), mask.copy(), states.copy()))
            return super().act(observation, mask, states)

    seating = seatings(2, 2, 1, seed=11)[:1]
    config = game.config(players=2, max_rounds=5)
    play_batch(game, config, [Spy(), Spy()], seating)
    assert len(seen) > 20
    table = bdgame_env.make_match(game.id, players=2, max_rounds=5)
    table.deal(seating[0].game_seed)
    orders = set()
    hidden = ("rng", "game_seed", "orders_deck", "parts_deck")
    for observation, mask, states in seen:
        assert len(states) == 1 and leads_back(table, states) == ""
        state, true = states[0], table.state
        assert state.game_seed != true.game_seed and state.rng != true.rng
        for deck, left in (("orders_deck", true.orders_left), ("parts_deck", true.parts_left)):
            assert sorted(state[deck][:left]) == sorted(true[deck][:left])
            assert (state[deck][:left] != true[deck][:left]).any()
        names = game.state.names or ()
        assert all(np.array_equal(state[name], true[name]) for name in names if name not in hidden)
        assert (observation[0] == table.observe()).all() and (mask[0] == table.mask()).all()
        orders.add(state.parts_deck.tobytes())
        table.play(int(Scattered().act(observation, mask)[0]))
    assert len(orders) == len(seen), "another deal at every decision"
    shuffled = table.clone()
    shuffled.states["rng"], shuffled.states["game_seed"] = 5, 0
    shuffle(shuffled.state, shuffled.state.parts_deck, int(table.state.parts_left))
    assert "undoing the shuffle" in leads_back(table, shuffled.states), "the true order shuffled does"


def test_agents_that_do_not_ask_get_no_states(game: Game, config: GameConfig) -> None:
    class Asks(First):
        def act(self, observation: Any, mask: Any, states: Any = None) -> Any:
            assert states is None
            assert observation.shape == (len(mask), game.obs.itemsize) and observation.dtype == np.int8
            return super().act(observation, mask, states)

    results = play_batch(game, config, [Asks(), Asks()], seatings(2, 2, 1, seed=0))
    assert [result.forfeit for result in results] == [None, None]


def test_one_call_asks_for_all_games(game: Game, config: GameConfig) -> None:
    sizes: list[int] = []
    told: list[int] = []

    class Counts(First):
        def act(self, observation: Any, mask: Any, states: Any = None) -> Any:
            sizes.append(len(mask))
            return super().act(observation, mask, states)

    results = play_batch(game, config, [Counts(), First()], seatings(2, 2, 8, seed=0), on_step=told.append)
    assert sizes[0] == 8
    assert told[-1] == len(results) == 16 and sorted(told) == told


# Limits by agent, and what ends a program


def test_each_agent_has_its_own_limit(game: Game, config: GameConfig) -> None:
    class Slow(First):
        def act(self, observation: Any, mask: Any, states: Any = None) -> Any:
            time.sleep(0.6)
            return super().act(observation, mask, states)

    closed = []

    class Closes(Slow):
        def close(self) -> None:
            closed.append(self)

    tables = seatings(2, 2, 1, seed=0)
    small = game.config(players=2, max_rounds=1)
    results = play_batch(game, small, [Slow(), Closes()], tables, time_limits=(None, 0.2), remake=lambda index: First())
    assert [result.agents[result.forfeit] for result in results if result.forfeit is not None] == [1]
    assert len(closed) == 1, "what ran out of time is closed"
    with pytest.raises(ValueError, match="1 time limits for 2 agents"):
        play_batch(game, config, [First(), First()], tables, time_limits=[None])


def test_an_agent_that_exits_or_tells_its_fault_loses(game: Game, config: GameConfig) -> None:
    def exits(mask: Any) -> Any:
        raise SystemExit(3)

    def tells(mask: Any) -> Any:
        raise AgentFault("lost the thread")

    for answer, reason in ((exits, "raised SystemExit: 3"), (tells, "lost the thread")):
        for limit in (None, 60.0):
            tables = seatings(2, 2, 1, seed=0)
            results = play_batch(
                game, config, [First(), Answers(answer)], tables, time_limits=[limit] * 2, remake=lambda index: First()
            )
            assert {result.reason for result in results} == {reason}


def test_before_a_question_stands_how_the_game_ends_without_an_answer(game: Game, config: GameConfig) -> None:
    asked: list[GameResult] = []
    seating = seatings(2, 2, 1, seed=0)[:1]
    (result,) = play_batch(game, config, [First(), Last()], seating, on_question=asked.append)
    seeded, asked = asked[:2], asked[2:]
    assert [(question.forfeit, question.ranks, question.decisions) for question in seeded] == [
        (0, (2, 1), 0),
        (1, (1, 2), 0),
    ]
    assert len(asked) == result.decisions and {question.reason for question in asked} == {"?"}
    assert {question.forfeit for question in asked} == {0, 1}
    assert [question.decisions for question in asked] == list(range(result.decisions))
    for question in asked:
        assert question.ranks[question.forfeit or 0] == 2 and question.number == result.number
    with pytest.raises(ValueError, match="for one game, not 2"):
        play_batch(game, config, [First(), Last()], seatings(2, 2, 1, seed=0), on_question=asked.append)


def test_warming_up_forgives_everything(game: Game, config: GameConfig) -> None:
    asked = []

    class Counts(First):
        def act(self, observation: Any, mask: Any, states: Any = None) -> Any:
            asked.append(len(mask))
            return super().act(observation, mask, states)

    warm_up(game, config, Counts(), 60.0)
    assert asked == [1]
    warm_up(game, config, Answers(raises), 60.0)
    warm_up(game, config, Answers(lambda mask: time.sleep(1.0)), 0.1)
