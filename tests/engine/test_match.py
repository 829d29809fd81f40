"""`engine.match`: one game, moves by name, positions, copies."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from bdgame_env import IllegalAction, Match
from bdgame_env.engine.game import BadOption, BadSnapshot
from bdgame_env.engine.rng import game_seed
from tests.support.broken_games import STUCK
from tests.support.toy_game import GAME


def position(**facts):
    """A toy position in play with two seats, seat 0 to decide, and the given entries."""
    data = Match(GAME, seed=0).snapshot(omniscient=True)
    return Match.from_snapshot(GAME, {**data, "deck": [1, 2, 3], "secret": [5, 4], **facts})


def test_a_game_by_hand():
    """Each move does what the rules of the toy game say."""
    t = position()
    assert t.legal_moves() == ["draw", "pass"] and t.seat == 0
    t.play("draw")
    assert t.legal_moves() == ["take keep", "take swap"] and t.seat == 0
    t.play("take swap")
    assert t.points() == [5, 0] and t.seat == 1 and t.ranks() == [1, 2]
    t.play(1)
    assert t.snapshot(omniscient=True)["secret"] == [3, 4] and t.snapshot()["round"] == 2


def test_the_end_by_points_and_by_rounds():
    """The match is over, or truncated; then nobody can move."""
    t = position(points=[11, 0], deck=[1, 1])
    for move in ("draw", "take keep", "pass"):
        t.play(move)
    assert t.over and not t.truncated and t.legal_moves() == [] and not t.mask().any()
    with pytest.raises(IllegalAction, match="the game is over"):
        t.play("pass")
    t = position(round=20, seat=1)
    t.play("pass")
    assert t.over and t.truncated and t.ranks() == [1, 1]


def test_an_illegal_move_names_move_rule_and_legal_moves():
    """The match is not changed."""
    t = position()
    before = t.get_state()
    with pytest.raises(IllegalAction) as refused:
        t.play("take keep")
    assert str(refused.value) == "toy-v1: 'take keep' is not legal now (T1); legal moves: draw, pass"
    with pytest.raises(IllegalAction) as refused:
        t.play("jump")
    assert str(refused.value) == "toy-v1: 'jump' is no move of this game; legal moves: draw, pass"
    for action in (-1, 4, 10**6):
        with pytest.raises(IllegalAction) as refused:
            t.play(action)
        assert str(refused.value) == f"toy-v1: no action {action}; ids are 0 to 3"
    assert t.get_state() == before


def test_options_decide_what_is_a_move():
    """`roll` is in the notation only with the option."""
    with pytest.raises(IllegalAction, match="'roll' is no move of this game"):
        Match(GAME, seed=0).string_to_action("roll")
    t = Match(GAME, seed=0, rolling=True)
    assert t.action_to_string(t.string_to_action("roll")) == "roll"
    with pytest.raises(BadOption):
        Match(GAME, rolling="often")


def test_seeds_and_match_numbers():
    """Seed and match number determine a game seed, which determines the game."""
    t = Match(GAME, seed=3, match=5)
    assert t.game_seed == game_seed(3, 5)
    other = Match(GAME, seed=0)
    other.deal(t.game_seed)
    assert other.get_state() == t.get_state()
    other.reset(seed=3, match=5)
    assert other.get_state() == t.get_state()
    assert Match(GAME).game_seed != Match(GAME).game_seed


def test_copies_are_independent():
    """Playing one does not affect the other."""
    t = Match(GAME, seed=4, rolling=True)
    for twin in (t.clone(), copy.copy(t), copy.deepcopy(t), pickle.loads(pickle.dumps(t))):
        before = t.get_state()
        twin.play("roll")
        assert t.get_state() == before != twin.get_state()
        assert twin.config.options == t.config.options and twin.game is t.game


def test_set_state_takes_only_whole_records():
    """Bytes of another size are refused; the bytes given are copied."""
    t = Match(GAME, seed=4)
    state = t.get_state()
    with pytest.raises(ValueError, match=f"a state of toy-v1 has {len(state)} bytes, not 3"):
        t.set_state(b"abc")
    t.play("draw")
    t.set_state(state)
    t.play("draw")
    assert state != t.get_state()


def test_determinize_needs_a_seat_in_play():
    """With a seed, the result is the same each time."""
    t = Match(GAME, seed=4)
    assert t.clone(determinize=0, seed=8).get_state() == t.clone(determinize=0, seed=8).get_state()
    assert t.clone(determinize=0).get_state() != t.clone(determinize=0).get_state()
    assert t.clone(determinize=0, seed=4).game_seed != t.game_seed, "the game's own seed must not bring its deal back"
    for seat in (2, -1):
        with pytest.raises(ValueError, match=f"toy-v1: no seat {seat}; seats are 0 to 1"):
            t.clone(determinize=seat)
        with pytest.raises(ValueError, match=f"no seat {seat}"):
            t.observe(seat)


def test_observe_is_for_the_seat_to_decide_unless_said():
    """Here that is seat 0, which begins."""
    t = Match(GAME, seed=4)
    assert (t.observe() == t.observe(0)).all() and (t.observe(0) != t.observe(1)).any()
    assert t.observe().dtype == np.int8


def test_a_snapshot_that_is_none_is_refused():
    """The message is one line."""
    with pytest.raises(BadSnapshot, match="a mapping is wanted, not list"):
        Match.from_snapshot(GAME, [])  # type: ignore[arg-type]
    data = Match(GAME, seed=0).snapshot(omniscient=True)
    with pytest.raises(BadSnapshot, match=r"deck\[0\] is 9, must be 1 to 5"):
        Match.from_snapshot(GAME, {**data, "deck": [9]})


def test_a_position_without_a_legal_move_is_refused():
    """Unless the game is over."""
    data = Match(STUCK, seed=0).snapshot(omniscient=True)
    with pytest.raises(BadSnapshot, match="has no legal move"):
        Match.from_snapshot(STUCK, {**data, "round": 2})
    ended = {**data, "round": 2, "seat": 1, "over": True, "points": [12, 0]}
    assert Match.from_snapshot(STUCK, ended).over
