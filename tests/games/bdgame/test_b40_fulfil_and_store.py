"""Chapter 6: fulfilling orders, storing and discarding (B40-B44)."""

from __future__ import annotations

from tests.games.bdgame.positions import cubes, position
from tests.support.position import both_backends

pytestmark = both_backends


def test_b40_a_covered_order_is_fulfilled():
    """B40: its cubes go to the bank, its points are scored, it leaves the queue."""
    t = position(phase="fulfil", made="4Y 1R", queue=["o16"], points=5)
    assert t.bank == cubes("20Y 23R 24B")
    t.play("fulfil 0")
    assert t.me["points"] == 8 and t.me["orders"] == [] and t.me["fulfilled"][-1] == "o16"
    assert t.bank == cubes("24Y 24R 24B")


def test_b40_an_order_not_covered_is_refused():
    """B40: of three orders only those are offered whose cubes are all in the pool."""
    t = position(phase="fulfil", made="3Y 1R", queue=["o16", "o15", "o07"])
    assert t.legal == {"end", "fulfil 1"}
    t.refuses("fulfil 0", "fulfil 2")


def test_b40_cubes_in_storage_do_not_help():
    """B40: 3 Yellow are asked for, 2 are made and 5 in storage: there is nothing to fulfil."""
    t = position(storage="5Y", workshop=[("hopper", 0, 2, "2Y"), ("packer", 1, 2)], queue=["o01"])
    t.play("end", "activate 0")
    assert t.seat == 1 and t.me["orders"] == ["o01"] and t.storage == cubes("7Y")


def test_b40_the_pool_of_two_devices_covers_an_order_together():
    """B40: the Red of one Device and the Blue of another fulfil one order."""
    t = position(
        workshop=[("hopper", 0, 2, "1R"), ("packer", 1, 2), ("hopper", 0, 5, "1B"), ("packer", 1, 5)],
        queue=["o25"],
    ).play("end", "activate 0")
    assert t.phase == "activate"
    t.play("activate 1")
    assert t.play("fulfil 0").me["points"] == 3


def test_b40_the_queue_closes_up():
    """B40: after the first of three the other two have places 0 and 1."""
    t = position(phase="fulfil", made="8Y", queue=["o01", "o13", "o02"]).play("fulfil 0")
    assert t.me["orders"] == ["o13", "o02"] and t.made == cubes("5Y")
    assert t.legal == {"end", "fulfil 1"}
    t.play("fulfil 1")
    assert t.me["orders"] == ["o13"] and t.me["points"] == 4


def test_b40_each_cube_fulfils_one_order():
    """B40: 5 Yellow cover either order, not both: after one the other is not covered any more."""
    t = position(phase="fulfil", made="5Y", queue=["o01", "o02"])
    assert t.family("fulfil") == {"0", "1"}
    t.play("fulfil 1")
    assert t.me["orders"] == ["o01"] and t.storage == cubes("1Y") and t.seat == 1


def test_b40_a_player_may_keep_an_order():
    """B40: fulfilling is a choice; the cubes go to storage then."""
    t = position(phase="fulfil", made="3Y", queue=["o01"]).play("end")
    assert t.me["orders"] == ["o01"] and t.me["points"] == 0 and t.storage == cubes("3Y")


def test_b40_orders_come_after_all_activations():
    """B40: while a Device can still be activated nothing is fulfilled; with `end` the phase begins."""
    t = position(
        workshop=[("hopper", 0, 2, "3Y"), ("packer", 1, 2), ("hopper", 0, 5, "1B"), ("packer", 1, 5)],
        queue=["o01"],
    ).play("end", "activate 0")
    t.refuses("fulfil 0")
    assert t.play("end").legal == {"end", "fulfil 0"}
    t.refuses("activate 1")


def test_b41_the_rest_of_the_pool_is_stored():
    """B41: what no order took joins the cubes in storage."""
    t = position(phase="fulfil", storage="1B", made="4Y 2R 1B", queue=["o15"]).play("fulfil 0")
    assert t.storage == cubes("1Y 1R 2B") and t.made == cubes()


def test_b42_an_order_stays_in_the_queue():
    """B42: not fulfilled this turn, it is there in the next one, and no move gives it back."""
    t = position(queue=["o28", "o32", "o13"]).play("end", "end")
    assert t.seat == 0 and t.me["orders"] == ["o28", "o32", "o13"]
    assert {move.split()[0] for move in t.legal} == {"end", "collect", "clear", "remove"}


def test_b43_made_cubes_are_not_loaded_in_the_same_turn():
    """B43: after a Device has worked its cubes cannot feed another one."""
    t = position(
        workshop=[("hopper", 0, 2, "3Y"), ("packer", 1, 2), ("hopper", 0, 5, "1B"), ("packer", 1, 5)],
        queue=["o01"],
    ).play("end", "activate 0")
    assert t.legal == {"end", "activate 1"}
    t.refuses("load Y@0", "load Y@1")
    t.play("end").refuses("load Y@0")


def test_b43_they_can_be_loaded_in_the_next_turn():
    """B43: stored, they are cubes like any other."""
    t = position(workshop=[("hopper", 0, 2, "1R"), ("packer", 1, 2)]).play("end", "activate 0", "end")
    assert t.play("load R@0").hopper(0) == cubes("1R")


def test_b44_above_ten_after_storing_cubes_are_discarded():
    """B44: 7 in storage and 5 stored: two go back, of the player's choice; then the turn passes on."""
    t = position(phase="fulfil", storage="7Y", made="3R 2B", queue=["o11"]).play("end")
    assert (t.phase, t.snap["open"], t.storage) == ("discard", None, cubes("7Y 3R 2B"))
    assert t.legal == {"discard Y", "discard R", "discard B"}
    t.play("discard B", "discard Y")
    assert t.storage == cubes("6Y 3R 1B") and t.seat == 1 and t.bank == cubes("18Y 21R 23B")


def test_b44_cubes_on_hoppers_count_and_may_go():
    """B44: 8 in storage, 1 on a hopper, 2 collected: one goes, from storage or from the hopper."""
    t = position(
        storage="5Y 3R",
        workshop=[("hopper", 0, 2), ("packer", 1, 2), ("hopper", 0, 5, "1B"), ("packer", 1, 5)],
    )
    t.play("collect")
    assert t.legal == {"discard Y", "discard R", "discard B@1"}
    t.refuses("discard B", "discard Y@0", "collect", "end")
    t.play("discard B@1")
    assert t.storage == cubes("7Y 3R") and t.hopper(1) == cubes() and t.bank["B"] == 24 and t.phase == "act"


def test_b44_ten_are_allowed():
    """B44: 6 in storage, 1 left on a hopper and 3 stored are ten: nothing is discarded."""
    t = position(
        phase="fulfil",
        storage="6Y",
        made="3Y",
        queue=["o01"],
        workshop=[("hopper", 0, 2, "1B"), ("packer", 1, 2)],
    ).play("end")
    assert t.seat == 1 and t.storage == cubes("9Y") and t.hopper(0) == cubes("1B")


def test_b44_the_pool_does_not_count_before_it_is_stored():
    """B44: ten in storage and a full pool: fulfilled first, nothing is left to discard."""
    t = position(phase="fulfil", storage="10R", made="8Y", queue=["o06"]).play("fulfil 0")
    assert t.seat == 1 and t.storage == cubes("10R")
