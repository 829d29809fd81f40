"""What is counted is what happened: hand-made games, and a slow count of the same games."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from bdgame_env.agents import make_agent
from bdgame_env.engine.actions import ActionTable
from bdgame_env.engine.game import Game, GameConfig
from bdgame_env.engine.match import Match
from bdgame_env.experiments.arena.matches import ACTION, GameResult, play_batch
from bdgame_env.experiments.arena.seating import seatings
from bdgame_env.experiments.balance.counting import count
from bdgame_env.experiments.balance.items import ACTION as SINGLE
from bdgame_env.experiments.balance.items import CARD, FAMILY, Item, Items
from bdgame_env.experiments.errors import BadInput
from tests.support import nim_game, toy_game

NUMBERS = ("one", "two", "three", "four", "five")


def toy_with_cards() -> Game:
    """The toy game, as one that says which card `take keep` and `take swap` are about."""
    actions = ActionTable(rule="T1")
    for family in toy_game.ACTIONS.families:
        cards = [("face_up",)] * family.count if family.verb == "take" else []
        actions.add(family.verb, family.arguments, rule="T1", cards=cards, option=family.option)
    return replace(toy_game.GAME, actions=actions, card_names=lambda config: {"face_up": NUMBERS})


def played(game: Game, config: GameConfig, moves: list[str], number: int = 0) -> GameResult:
    """The result of a game of these moves."""
    match = Match(game, **config.options)
    match.deal(number)
    ids = [match.string_to_action(move) for move in moves]
    for move in moves:
        match.play(move)
    assert match.over
    actions = np.array(ids, ACTION).tobytes()
    points, ranks = tuple(match.points()), tuple(match.ranks())
    return GameResult(number, number, number, (0, 1), points, ranks, len(ids), match.truncated, actions=actions)


def test_a_game_of_nim_by_hand() -> None:
    game, config = nim_game.GAME, nim_game.GAME.config(heap=5)
    items = Items(game, config)
    assert items.items == [Item(FAMILY, "take", ""), *(Item(SINGLE, "take", stones) for stones in "123")]
    games = [played(game, config, moves) for moves in (["take 1", "take 3", "take 1"], ["take 3", "take 2"])]
    counted = count(game, config, items, games)
    assert counted.available.tolist() == [[[2, 2, 1, 1], [1, 1, 1, 1]], [[1, 1, 1, 1], [1, 1, 1, 0]]]
    assert counted.taken.tolist() == [[[2, 2, 0, 0], [1, 0, 0, 1]], [[1, 0, 0, 1], [1, 0, 1, 0]]]
    assert counted.decisions.tolist() == [[2, 1], [1, 1]]
    assert counted.lead_changes.tolist() == [0, 0] and counted.rounds is None


@pytest.mark.parametrize("players", [2, 3])
def test_the_same_games_counted_slowly(players: int) -> None:
    game = toy_with_cards()
    config = game.config(players=players, max_rounds=6)
    results = play_batch(
        game, config, [make_agent("random", game, config) for _ in range(2)], seatings(2, players, 3, seed=2)
    )
    items = Items(game, config)
    counted = count(game, config, items, results)
    assert counted.rounds is not None
    changes_seen = 0
    for row, result in enumerate(results):
        match = Match(game, **config.options)
        match.deal(result.game_seed)
        available: Counter[tuple[int, Item]] = Counter()
        taken: Counter[tuple[int, Item]] = Counter()
        leaders: list[int] = []
        for action in result.action_ids:
            seat, face_up = match.seat, match.snapshot()["face_up"]
            available.update({(seat, item) for move in match.legal_moves() for item in items_of(move, face_up)})
            taken.update((seat, item) for item in items_of(match.action_to_string(action), face_up))
            match.play(action)
            points = match.points()
            if points.count(max(points)) == 1:
                leaders.append(points.index(max(points)))
        changes = sum(one != other for one, other in pairwise(leaders))
        changes_seen += changes
        assert counted.lead_changes[row] == changes and counted.rounds[row] == match.snapshot()["round"]
        for seat in range(players):
            for number, item in enumerate(items.items):
                assert counted.available[row, seat, number] == available[seat, item]
                assert counted.taken[row, seat, number] == taken[seat, item]
    assert changes_seen
    assert counted.taken[:, :, [item.kind == CARD for item in items.items]].any()


def items_of(move: str, face_up: int) -> list[Item]:
    """The family of a move, and its card."""
    verb = move.split(" ")[0]
    return [Item(FAMILY, verb, ""), *([Item(CARD, "take", NUMBERS[face_up - 1])] if verb == "take" else [])]


def test_without_names_cards_have_numbers() -> None:
    game = replace(toy_with_cards(), card_names=None)
    assert {item.kind for item in Items(game, game.config()).items} == {FAMILY, CARD}
    labels = [item.label for item in Items(game, game.config()).items]
    assert labels == ["draw", "pass", "take", "take keep", "take swap"]


def test_a_game_of_other_code_is_refused() -> None:
    game, config = nim_game.GAME, nim_game.GAME.config(heap=5)
    stored: dict[str, Any] = vars(played(game, config, ["take 3", "take 2"]))
    other = GameResult(**{**stored, "points": (1, 0), "number": 7})
    with pytest.raises(BadInput, match="game 7 does not end as it was stored"):
        count(game, config, Items(game, config), [other])
