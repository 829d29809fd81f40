"""How decks of Bdgame may change: as data and back, what is wrong with a deck, what may take the place of a card."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bdgame_env.engine.designing import design_of
from bdgame_env.experiments.design.deck_data import changed, text_of, value_at
from bdgame_env.games.bdgame.cards import NUM_BASIC, NUM_KINDS, SPLITTER, standard_deck
from bdgame_env.games.bdgame.design import data_of
from bdgame_env.games.bdgame.game import GAME
from bdgame_env.games.bdgame.machines import multiplications
from bdgame_env.games.bdgame.random_decks import keeps_principles, make_decks

DESIGN = design_of(GAME)
FRESH = data_of(make_decks([7])[0])


def config_of(deck: dict[str, Any], tmp_path: Path) -> Any:
    path = tmp_path / "deck.toml"
    path.write_text(text_of(deck))
    return GAME.config(deck=str(path))


@pytest.mark.plain
@pytest.mark.parametrize("deck", [standard_deck(), *make_decks(range(3))], ids=lambda deck: Path(deck.path).name)
def test_a_deck_is_the_same_as_data(deck: Any, tmp_path: Path) -> None:
    there = config_of(data_of(deck), tmp_path).cards
    assert (there.kinds, there.orders) == (deck.kinds, deck.orders)
    for name in ("shapes", "cost", "takes", "gives", "needs", "points"):
        assert np.array_equal(getattr(there, name), getattr(deck, name))


@pytest.mark.plain
def test_every_deck_of_a_config_is_read() -> None:
    assert DESIGN.read is not None
    assert DESIGN.read(GAME.config(deck="random:3-5")) == [data_of(deck) for deck in make_decks(range(3, 6))]


@pytest.mark.plain
def test_decks_that_are_drawn_have_no_faults(tmp_path: Path) -> None:
    assert DESIGN.faults(config_of(FRESH, tmp_path)) == []
    assert all(keeps_principles(make_decks(range(40))))


@pytest.mark.plain
def test_the_standard_deck_keeps_the_principles() -> None:
    """Of its splitters none multiplies Yellow by 2 alone, so that pairs do (docs/design.md)."""
    config = GAME.config()
    assert DESIGN.faults(config) == []
    deck = config.cards
    yellow = [kind for kind in range(NUM_BASIC, NUM_KINDS) if not deck.takes[kind][:, 1:].any()]
    alone = multiplications(deck.takes[yellow].sum(axis=1), deck.gives[yellow].sum(axis=1))
    splitters = alone[deck.shapes[yellow] == SPLITTER]
    assert len(splitters) == 6 and 1.5 <= splitters.min() <= splitters.max() <= 1.75


@pytest.mark.plain
def test_a_deck_without_principles_is_told(tmp_path: Path) -> None:
    assert any("by 2.5 or more" in line for line in DESIGN.faults(GAME.config(deck="classic")))
    paid = changed(FRESH, "orders.o01.points", 9)
    assert DESIGN.faults(config_of(paid, tmp_path)) == ["not so: no order pays so well that cubes need no machine"]
    stingy = {
        **FRESH,
        "orders": {name: {**order, "points": min(3, order["points"])} for name, order in FRESH["orders"].items()},
    }
    assert DESIGN.faults(config_of(stingy, tmp_path)) == ["not so: orders pay so much that one of 4 players reaches 30"]


@pytest.mark.plain
@pytest.mark.parametrize("path", [f"special.{FRESH['special'][4]['kind']}", "orders.o12"])
def test_alternatives_make_legal_decks(path: str, tmp_path: Path) -> None:
    others = DESIGN.alternatives(FRESH, path)
    assert len(others) > 30 and value_at(FRESH, path) not in others
    for other in others[:: len(others) // 10]:
        config_of(changed(FRESH, path, other), tmp_path)
    assert not DESIGN.alternatives(FRESH, "basic.packer.cost")
