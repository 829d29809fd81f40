"""Section 11: a snapshot in which the rules could go wrong is refused, though every piece is there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.games.bdgame.positions import cubes, new_game, position, restore
from tests.support.faults import Spoil, both, check_refused, numbered, put, shift

Data = dict[str, Any]

PAUSE_LINE = [("hopper", 0, 2, "3Y"), ("pause", 1, 2, "R"), ("packer", 2, 2)]
TWO_PAUSES = [("hopper", 0, 2, "3Y"), ("pause", 1, 2), ("pause", 2, 2, "R"), ("packer", 3, 2)]
WAITING = [("hopper", 0, 6, "1B"), ("packer", 1, 6)]
FORK = [("hopper", 0, 2, "2Y 2R"), ("splitter", 1, 2), ("packer", 2, 1), ("packer", 2, 3)]
TRADE = {"trading": True, "hand": ["straight"], "others": {1: {"hand": ["straight", "pause"]}}}
SHOP = {"storage": "1B 1Y", "workshop": [("hopper", 0, 2)], "hand": ["straight", "packer"]}
MINE, THEIRS = ("seats", 0), ("seats", 1)


def new() -> Data:
    return new_game().snap


def act() -> Data:
    return position(workshop=PAUSE_LINE, others={1: {"workshop": PAUSE_LINE}}).snap


def cleared() -> Data:
    return position().play("clear").snap


def buy() -> Data:
    return position(**SHOP).play("pay B", "buy joiner").snap


def sold() -> Data:
    return position(**{**SHOP, "hand": ["pause", "splitter"]}, selling=True).play("sell pause").snap


def place() -> Data:
    return position(**SHOP).play("pay B", "buy joiner", "select joiner").snap


def place_built() -> Data:
    return position(**SHOP).play("select straight").snap


def build() -> Data:
    return position(**SHOP).play("select straight", "place 1,2").snap


def load() -> Data:
    return position(**SHOP).play("load Y@0").snap


def collected() -> Data:
    return position(storage="9R").play("collect").snap


def activate() -> Data:
    return position(workshop=PAUSE_LINE).play("end").snap


def held() -> Data:
    return position(workshop=[*PAUSE_LINE, *WAITING]).play("end", "activate 0", "hold Y").snap


def hold() -> Data:
    return position(workshop=PAUSE_LINE).play("end", "activate 0").snap


def hold_first() -> Data:
    return position(workshop=TWO_PAUSES).play("end", "activate 0").snap


def hold_second() -> Data:
    return position(workshop=TWO_PAUSES).play("end", "activate 0", "hold Y").snap


def split() -> Data:
    return position(workshop=FORK).play("end", "activate 0", "split 1").snap


def fulfil() -> Data:
    return position(phase="fulfil", made="4Y 2B", queue=["o01", "o12"]).snap


def offer() -> Data:
    return position(**TRADE).play("offer straight", "seat 1").snap


def respond() -> Data:
    return position(**TRADE).play("offer straight", "seat 1", "want pause").snap


def basic_card_in_the_deck(data: Data) -> None:
    data["seats"][0]["hand"][data["parts_deck"][0]] = 1
    data["parts_deck"][0] = "pause"
    data["piles"]["pause"] -= 1


def pay_back(color: str, *where: Any, number: int = 1) -> Spoil:
    """Cubes from somewhere in the snapshot go to the bank; with a negative number the other way."""
    return shift((*where, color), ("bank", color), number)


def waiting_at(x: int, y: int) -> Spoil:
    """A Yellow from the bank waits at the middle inlet of the card there."""

    def spoil(data: Data) -> None:
        data["pending"]["flow"].append({"x": x, "y": y, "port": "mid", "cubes": cubes("1Y")})
        data["bank"]["Y"] -= 1

    return spoil


def packer_taken(data: Data) -> None:
    """The last packer of the fork, whose Device was finished, is in hand."""
    data["seats"][0]["workshop"].pop()
    data["seats"][0]["hand"]["packer"] = 1


def nothing_arrived(data: Data) -> None:
    for color, number in data["pending"]["arrived"].items():
        data["bank"][color] += number
        data["pending"]["arrived"][color] = data["pending"]["up"][color] = 0


def hold_at(card: int, color: str | None, fresh: bool) -> Spoil:
    """The card of the mover's workshop holds this cube, from the bank; what it held before goes there."""

    def spoil(data: Data) -> None:
        pause = data["seats"][0]["workshop"][card]
        for each, change in ((pause["held"], 1), (color, -1)):
            if each:
                data["bank"][each] += change
        pause |= {"held": color, "fresh": fresh}

    return spoil


def packer_sold(data: Data) -> None:
    data["piles"]["packer"] += data["seats"][0]["hand"].pop("packer")


HOPPER_0 = (*MINE, "workshop", 0, "cubes")

FAULTS: list[tuple[Callable[[], Data], Spoil, str]] = [
    # What is open, and what is left
    (respond, put("actions_left", 0), "phase 'respond' with actions_left 0, must be 1 to 3"),
    # Points and the end
    (new, put(*MINE, "points", 5), r"seats\[0\].points is 5, but its fulfilled orders give 0"),
    (new, put("truncated", True), "truncated in phase 'act'"),
    # Optional rules
    (respond, put("options", "trading", False), "phase is 'respond', must be one of act, .*, over$"),
    (new, put("offers", 1), "offers is 1, must be 0 to 0"),
    (sold, put("options", "selling", False), "sold is 1, must be 0 to 0"),
    # Offers
    (respond, put("offer", "card", "joiner"), "offer.card is 'joiner', which seat 0 has not in hand"),
    (respond, put("offer", "want", "joiner"), "offer.want is 'joiner', which seat 1 has not in hand"),
    (respond, put("offer", "want", "straight"), "offer.want must be another kind"),
    (respond, put("offer", "want", None), "offer.want must be another kind"),
    (respond, put("offer", "to", None), "offer.to must be 1, the seat to decide"),
    (respond, put("offer", "to", 0), "offer.to must be 1, the seat to decide"),
    (respond, put("seat", 0), "offer.to must be 0, the seat to decide"),
    (offer, put("offer", "to", 0), "offer.from must be 0, .*, and the other another seat"),
    (offer, both(put("offer", "from", 1), put("offer", "to", 0)), "offer.from must be 0, the seat to decide"),
    (offer, put("offer", "want", "pause"), "offer.want must be another kind .* in phase 'respond' and only there"),
    # Decks
    (new, basic_card_in_the_deck, "a basic card in parts_row or parts_deck"),
    (cleared, put("known", ["pause"] * 61), "known has 61 entries, at most 56"),
    (cleared, put("known", 3, "pause"), r"known\[3\] is 'pause', but reads as"),
    # Buying and placing
    (place, put("selected", "packer"), "selected is 'packer', but no card of this kind is bought"),
    (place_built, put("selected", "pause"), "selected is 'pause', but no card of this kind is in hand"),
    (buy, put("purchases", 40), "credit 2 and 40 purchases: more than 36 cannot have been paid"),
    (buy, put("credit", 36), "credit 36 and 1 purchases: more than 36 cannot have been paid"),
    # Limits
    (new, pay_back("Y", *MINE, "storage", number=-8), r"seats\[0\] holds 11 cubes, at most 10"),
    (collected, pay_back("B", *THEIRS, "storage", number=-11), r"seats\[1\] holds 11 cubes, at most 10"),
    (
        collected,
        both(*(shift((*MINE, "storage", color), (*HOPPER_0, color), number) for color, number in (("Y", 2), ("R", 9)))),
        r"seats\[0\] has 11 cubes on hoppers, at most 10",
    ),
    # Held cubes
    (act, put(*MINE, "workshop", 1, "fresh", True), r"the cube at \(1, 2\) is fresh, but no Device was activated"),
    (act, put(*THEIRS, "workshop", 1, "fresh", True), r"seats\[1\].workshop: the cube at \(1, 2\) is fresh"),
    (held, put("phase", "fulfil"), "phase 'fulfil' has nothing to decide"),
    (held, pay_back("B", *HOPPER_0, number=-1), r"the Device at \(1, 2\) was activated, but has loaded hoppers"),
    # An activation
    (split, packer_taken, r"pending at \(1, 2\): the Device is not finished"),
    (split, pay_back("B", *HOPPER_0, number=-1), "the Device has cubes on its hoppers still"),
    (split, nothing_arrived, "there is one answer for R only"),
    (split, put("pending", "up", "R", 1), "up is of colors before R"),
    (split, put("pending", "up", "Y", 3), "up is of colors before R, and no more than arrived"),
    (split, put("pending", "color", "B"), "there is one answer for B only"),
    (split, waiting_at(1, 2), "no cubes can wait at junction 3 left of column 1"),
    (hold, waiting_at(2, 2), "23 cubes of color R"),
    (hold, hold_at(1, "B", False), r"the cube at \(1, 2\) is not held since the time"),
    (hold_first, hold_at(2, "B", True), r"the cube at \(2, 2\) is not held since the time"),
    (hold_second, hold_at(1, "B", False), r"the cube at \(1, 2\) is not held since the time"),
    # Phases that would have closed
    (collected, pay_back("R", *MINE, "storage"), "phase 'discard' has nothing to decide"),
    (activate, pay_back("Y", *HOPPER_0, number=3), "phase 'activate' has nothing to decide"),
    (
        fulfil,
        both(pay_back("Y", "made", number=4), pay_back("B", "made", number=2)),
        "phase 'fulfil' has nothing to decide",
    ),
    (build, packer_sold, "phase 'build' has nothing to decide"),
    (load, pay_back("B", *MINE, "storage"), "phase 'load' has nothing to decide"),
]


@numbered(FAULTS)
def test_what_cannot_come_up_is_refused(make: Callable[[], Data], spoil: Spoil, reason: str) -> None:
    """Section 11: what is open, offered, paid, held or asked must go together; else one line says what does not."""
    check_refused(restore, make, spoil, reason)
