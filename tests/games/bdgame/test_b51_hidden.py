"""Chapter 9: hidden information (B51)."""

from __future__ import annotations

from tests.support.builders import ORDERS, Position, new_game, position, restore


def test_b51_decks_are_shown_as_counts():
    """B51: without the hidden part the snapshot gives the number of cards in a deck, not the cards."""
    public = new_game(3).public
    assert public["orders_deck"] == 28 and public["parts_deck"] == 56


def test_b51_everything_else_is_public():
    """B51: hands, queues, storages and workshops of all seats are shown."""
    t = position(hand=["pause"], queue=["o28"], others={1: {"hand": ["joiner"], "storage": "2B", "queue": ["o01"]}})
    full, public = t.snap, t.public
    hidden = {"orders_deck", "parts_deck"}
    assert {key for key in full if full[key] != public[key]} == hidden
    assert public["seats"] == full["seats"] and set(public) == set(full)


def test_b51_another_deck_order_looks_the_same():
    """B51: with both decks turned upside down every seat sees what it saw before."""
    t = new_game()
    data = t.snap
    turned = Position(
        restore({**data, "orders_deck": data["orders_deck"][::-1], "parts_deck": data["parts_deck"][::-1]})
    )
    assert turned.snap != t.snap
    assert turned.public == t.public and turned.legal == t.legal


def test_b51_no_order_of_the_deck_is_named():
    """B51: no hidden order appears anywhere in the public snapshot."""
    t = new_game()
    shown = str(t.public)
    assert all(order not in shown for order in t.snap["orders_deck"])
    assert sum(order in shown for order in ORDERS) == 4
