"""The end of the game (N15, N18, N22)."""

from __future__ import annotations

import random

import pytest

from bdgame_env.engine.batch import Batch
from bdgame_env.engine.jit import JIT_DISABLED
from bdgame_env.games.nicodemus.game import GAME
from tests.games.nicodemus.positions import new_game, position, restore
from tests.support.position import both_backends, engine_only

pytestmark = both_backends

PAY = {"row": "P1", "tokens": "1 wood 1 copper"}


def test_n15_01_twenty_points_trigger_the_end():
    """N15.1: by a repair or by a project, at once."""
    assert position(**PAY, points=19).play("repair 1").snap["ending"]
    assert not position(**PAY, points=18).play("repair 1").snap["ending"]
    t = position(**PAY, points=18, workshop="P2", board=[2, 6]).play("repair 1")
    assert not t.snap["ending"] and t.phase == "projects"
    t.play("complete 2")
    assert t.snap["ending"] and t.phase == "projects"


def test_n15_01_a_lack_of_cards_triggers_the_end():
    """N15.1."""
    assert position(hand="B1 B1", deck=3).play("charcoalium B1").snap["ending"]


def test_n15_02_the_round_is_finished():
    """N15.2: after the first player's trigger one turn more, after the second's none."""
    t = position(**PAY, points=19, other={"hand": "B1"}).play("repair 1")
    assert t.seat == 1 and not t.over
    assert t.play("charcoalium B1").match.over and t.phase == "over"
    t = position(**PAY, points=19, seat=1).play("repair 1")
    assert t.over and t.seat == 1 and t.snap["round"] == 2


def test_n15_03_a_second_trigger_changes_nothing():
    """N15.3."""
    t = position(hand="B1 B1", deck=3, other={"points": 19, "hand": ""}, row="P1")
    t.play("charcoalium B1")
    assert t.snap["ending"] and t.legal == {"pass"}
    assert t.play("pass").match.over
    t = position(seat=1, hand="B1 B1", deck=3, ending=True, other={"points": 20}).play("charcoalium B1")
    assert t.over and t.ranks == [1, 2]


@pytest.mark.parametrize(
    ("one", "other", "ranks"),
    [
        ((8, ""), (7, "5 charcoalium"), [1, 2]),
        ((8, "1 charcoalium"), (8, "2 charcoalium"), [2, 1]),
        ((8, "1 charcoalium 3 wood"), (8, "1 charcoalium 1 wood 1 copper"), [1, 2]),
        ((8, "1 charcoalium 3 wood"), (8, "1 charcoalium 1 wood 1 copper 1 crystal"), [1, 1]),
        ((0, "1 charcoalium"), (2, ""), [2, 1]),
    ],
)
def test_n15_04_who_wins(one, other, ranks):
    """N15.4: score, charcoalium, resources, draw."""
    t = position(points=one[0], tokens=one[1], other={"points": other[0], "tokens": other[1]})
    assert t.ranks == ranks and t.points == [one[0], other[0]]
    t = position(seat=1, points=one[0], tokens=one[1], other={"points": other[0], "tokens": other[1]})
    assert t.ranks == ranks[::-1]


def test_n18_01_a_turn_is_decided_by_its_player():
    """N18.1: whatever is asked in it."""
    t = position(hand="R2 B1", other={"hand": "B2", "tokens": "1 wood 1 copper"}).play("effect R2")
    assert t.phase == "pick" and t.seat == 0 and t.legal


def test_n18_02_the_same_chance_is_the_same_game():
    """N18.2: other chance steals other machines; no chance is drawn where there is nothing random."""
    hands = {"hand": "B1 B2 B3 B4 B5"}
    same = [position(hand="R1", rng=4, other=hands).play("effect R1").snap for _ in range(2)]
    assert same[0] == same[1]
    others = [position(hand="R1", rng=rng, other=hands).play("effect R1").other["hand"] for rng in range(12)]
    assert any(hand != others[0] for hand in others)
    assert position(hand="B1", rng=4).play("charcoalium B1").snap["rng"] == "4"


@engine_only  # rewards
def test_n18_03_rewards_at_the_end():
    """N18.3: 1 and -1, 0 for a draw."""
    batch = Batch(GAME, 8, seed=3, threads=1, max_rounds=3)
    seen = set()
    for _ in range(60):
        batch.step(batch.mask.argmax(axis=1))
        for match in range(8):
            pay = tuple(batch.rewards[match].tolist())
            if batch.done[match]:
                ranks = batch.finals[match, 2:4].tolist()
                assert pay == {(1, 2): (1, -1), (2, 1): (-1, 1), (1, 1): (0, 0)}[tuple(ranks)]
                seen.add(pay)
            else:
                assert pay == (0, 0)
    assert seen


def test_truncation():
    """After max_rounds, at the end of the second seat's turn; not if the game is over anyway."""
    t = position(hand="B1", other={"hand": "B2"}, round=2, max_rounds=2).play("charcoalium B1")
    assert not t.over
    t.play("charcoalium B2")
    assert t.over and t.snap["truncated"] and t.snap["round"] == 2
    t = position(seat=1, hand="B1", deck=3, round=2, max_rounds=2).play("charcoalium B1")
    assert t.over and not t.snap["truncated"] and t.snap["ending"]


def play_out(seed: int, liked: tuple[str, ...]) -> tuple[int, int, int]:
    """Turns, decisions and highest score of a random game."""
    match = new_game(seed).match
    chance = random.Random(seed)
    turns = decisions = 0
    while not match.over:
        moves = match.legal_moves()
        turns += moves[0].split(" ")[0] in ("charcoalium", "repair", "pass")
        good = [move for move in moves if move.startswith(liked)]
        match.play(chance.choice(good or moves))
        decisions += 1
    assert not match.truncated
    return turns, decisions, max(match.points())


@pytest.mark.parametrize("liked", [("nothing",), ("repair", "complete"), ("effect", "exchange")])
def test_n22_01_n22_02_n22_04_games_end_soon(liked: tuple[str, ...]):
    """N22.1, N22.2, N22.4: far below 106 turns and 519 decisions; the declared bound is 520."""
    assert GAME.config().max_decisions == 520 == 5 * 55 + 5 * 40 + 17 + 16 + 11 + 1 and 55 + 40 + 11 == 106
    games = [play_out(seed, liked) for seed in range(3 if JIT_DISABLED else 60)]
    assert all(0 < turns <= 106 and decisions <= 519 and score <= 34 for turns, decisions, score in games)
    if not JIT_DISABLED:
        mean = sum(decisions for _, decisions, _ in games) / len(games)
        assert 50 < mean < 140


@engine_only  # rewards
def test_progress_is_the_part_of_twenty_points():
    """For shaping; any score is bounded (N22.3)."""
    t = position(points=5)
    game = t.match.game
    assert game.rules.progress(t.match.state, t.match.config.record[0], 0) == 0.25


def test_n15_05_the_last_card_drawn():
    """N15.5: with the option it triggers the end, as a lack does; without it only a lack does."""
    five = "B1 B1 B1 B1 P2"
    for end_by_deck, cards, ending in (
        ("lack", 1, False),
        ("last_card", 1, True),
        ("lack", 2, False),
        ("last_card", 2, False),
    ):
        t = position(hand=five, deck=cards, end_by_deck=end_by_deck).play("charcoalium P2")
        assert t.snap["ending"] is ending and len(t.snap["deck"]) == cards - 1, (end_by_deck, cards)
    for end_by_deck in ("lack", "last_card"):
        assert position(hand="B1 B1", deck=3, end_by_deck=end_by_deck).play("charcoalium B1").snap["ending"]
        assert position(deck=4, end_by_deck=end_by_deck).play("pass").snap["ending"]
    assert not position(deck=5).play("pass").snap["ending"]
    assert position(deck=5, end_by_deck="last_card").play("pass").snap["ending"]


def test_n15_05_a_refill_that_needs_no_card():
    """N15.5, N5.2: after a steal the hand is full; the deck stays as it is."""
    t = position(hand="R1 B1 B1 B1 B1", deck=1, end_by_deck="last_card", other={"hand": "B2"}).play("effect R1")
    assert not t.snap["ending"] and len(t.snap["deck"]) == 1


def test_n15_05_the_option_is_part_of_a_snapshot():
    """N15.5."""
    t = position(hand="B1", end_by_deck="last_card")
    assert t.snap["options"]["end_by_deck"] == "last_card" and restore(t.snap).snap == t.snap


@engine_only  # the reference trusts its options
def test_n15_05_other_values_of_the_option_are_refused():
    """N15.5."""
    with pytest.raises(ValueError, match="end_by_deck='never' is not allowed"):
        new_game(end_by_deck="never")
