"""A game's table of actions, and the games declared with one."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from bdgame_env import make_match
from bdgame_env.engine.actions import NO_CARD, ActionTable, FromCards
from bdgame_env.engine.arrays import Ints2, Ints3
from bdgame_env.engine.game import GameConfig
from bdgame_env.engine.observing import Observation, field
from bdgame_env.registry import get_game, list_games


class Obs(Observation):
    number: int = field(0, 3, "")
    hand: Ints2 = field(0, 1, "", (2, 3))
    shelf: Ints3 = field(0, 9, "", (2, 4, 5), cards="face")


def a_table() -> ActionTable:
    """Five families; one exists only with an option, one takes its names from the cards."""
    table = ActionTable(rule="R0")
    assert table.add("play", ("a", "b", "c"), rule="R1", cards=[("hand", 1, kind) for kind in range(3)]) == 0
    assert table.add("play late", range(2), rule="R2", cards=[("shelf", 1, place) for place in (1, 3)]) == 3
    assert table.add("sell", FromCards("kinds", 2), rule="R3", option=("selling", True)) == 5
    assert table.add("stop", rule="R4") == 7
    return table


def config(**options: Any) -> GameConfig:
    """A config with two kinds of cards."""
    return GameConfig(np.zeros(1), options, SimpleNamespace(kinds=("x", "y")), 0, 0)


def test_ids_and_notation_follow_the_options():
    """A family whose option is off is left out, and the ids after it move up."""
    table = a_table()
    with_sales = ["play a", "play b", "play c", "play late 0", "play late 1", "sell x", "sell y", "stop"]
    assert table.names(config(selling=True)) == with_sales and table.size == 8
    assert table.names(config(selling=False)) == [*with_sales[:5], "stop"]
    assert [table.num_actions({"selling": on}) for on in (True, False)] == [8, 6]


def test_a_family_by_its_first_id():
    """Dispatch needs the first id of each action's family, and the size of a family."""
    table = a_table()
    assert table.first_of_each().tolist() == [0, 0, 0, 3, 3, 5, 5, 7] and table.count(3) == 2
    with pytest.raises(KeyError):
        table.count(1)


def test_the_paragraph_of_a_name():
    """It belongs to the longest verb that the name begins with."""
    rule_of = a_table().rule_of
    names = ("play b", "play", "play late 1", "stop", "stopped", "?")
    assert [rule_of(name) for name in names] == ["R1", "R1", "R2", "R4", "R0", "R0"]


def test_verbs_of_actions():
    """By id, with the families that the options leave out left out."""
    verbs = ["play", "play", "play", "play late", "play late", "stop"]
    assert a_table().verbs(config(selling=False)) == verbs
    table = a_table()
    for name, verb in zip(table.names(config(selling=True)), table.verbs(config(selling=True)), strict=True):
        assert f"{name} ".startswith(f"{verb} ")


@pytest.mark.parametrize("game_id", list_games())
def test_every_card_has_a_name_of_its_own(game_id: str):
    """In the fields that a game names; no number that such a field can hold is left without."""
    game = get_game(game_id)
    assert game.card_names is not None
    fields = {field.name: field for field in game.schema}
    for name, names in game.card_names(game.config()).items():
        assert len(set(names)) == len(names) and all(names)
        field = fields[name]
        most = {"count": field.shape[-1], "": field.high}.get(
            field.cards
        )  # entries of faces after the first are others
        assert most is None or len(names) == most
    match = make_match(game_id, seed=1)
    rng = random.Random(1)
    places = game.card_places(match.config)
    owner = {index: field for field in game.schema for index in range(field.start, field.stop)}
    for _ in range(200):
        seen, legal = match.observe(match.seat), match.legal_actions()
        for place in {int(places[action]) for action in legal} - {NO_CARD}:
            field = owner[place]
            if field.name in game.card_names(match.config) and field.cards != "count":
                assert 0 <= seen[place] <= len(game.card_names(match.config)[field.name])
        match.play(rng.choice(legal))
        if match.over:
            break


AFTER = ("after_recipe", "after_two")


def test_places_of_cards():
    """The index of the first entry that shows the card, in the flat observation."""
    places = a_table().card_places(config(selling=False), Obs.schema)
    assert places.tolist() == [4, 5, 6, 7 + 25, 7 + 35, NO_CARD] and places.dtype == np.int32


def test_each_action_has_a_place_or_none_has():
    """Any other number of places is refused."""
    with pytest.raises(ValueError, match="play: 1 places of cards for 2 actions"):
        ActionTable(rule="R0").add("play", "ab", rule="R1", cards=[("hand", 0)])
    with pytest.raises(ValueError, match="play: 3 places of outcomes for 2 actions"):
        ActionTable(rule="R0").add("play", "ab", rule="R1", outcomes=[("after", 0)] * 3)


def test_places_of_outcomes():
    """What recipes, gifts, marbles, tokens and productions lead to, in each game that says so; Bdgame says nothing."""
    said = {
        "gizmos-v3": {"pick"},
        "nicodemus-v2": {"charcoalium", "produce", "effect", "pick", "exchange"},
        "pixel-pusher-v2": {"activate", "give"},
    }
    for game_id in list_games():
        game = get_game(game_id)
        places, names = game.outcome_places(game.config()), game.notation(game.config())[0]
        verbs = {name.split()[0] for name, place in zip(names, places, strict=True) if place != NO_CARD}
        assert verbs == said.get(game_id, set())
    game = get_game("pixel-pusher-v2")
    match = make_match("pixel-pusher-v2", triple="any", seed=1)
    places, rng, met = game.outcome_places(match.config), random.Random(1), 0
    fields = {field.name: field for field in game.schema}
    while not match.over:
        seen, legal = match.observe(match.seat), match.legal_actions()
        for action in legal:
            if match.action_to_string(action).startswith("activate"):
                one, two = (seen[fields[name].start + places[action] - fields["after_two"].start] for name in AFTER)
                assert 0 <= one - 1 <= two
                met += 1
        match.play(rng.choice(legal))
    assert met > 0


@pytest.mark.parametrize("game_id", list_games())
def test_a_legal_action_is_about_a_card_that_the_observation_shows(game_id: str):
    """In every game, the observation has the card's number, or how many there are, at its place."""
    rng, checked = random.Random(1), 0
    for seed in range(2):
        match = make_match(game_id, seed=seed)
        places = match.game.card_places(match.config)
        assert places.shape == (match.config.num_actions,)
        fields = [field.name for field in match.game.schema for _ in range(field.start, field.stop)]
        for _ in range(150):
            if match.over:
                break
            seen = match.observe(match.seat)
            for action in match.legal_actions():
                bought = match.action_names[action].startswith("select") and match.snapshot()["bought"]
                if places[action] != NO_CARD and not bought:  # then `select` may name a card not in hand yet
                    width = 7 if fields[places[action]] == "projects" else 1  # one entry per place of a tile
                    assert seen[places[action] :][:width].any(), match.action_names[action]
                    checked += 1
            match.play(rng.choice(match.legal_actions()))
    assert checked > 50
