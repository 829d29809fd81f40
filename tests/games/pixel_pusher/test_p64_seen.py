"""Who sees what (P64-P68), and that nobody sees more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

from bdgame_env.games.pixel_pusher.cards import CARDS, LINE_POINTS, NEED
from tests.games.pixel_pusher.positions import COPIES, DECKS, PIXELS, Position, new_game, position
from tests.support.position import both_backends

HANDS = {0: [1, 9, 17, "first_build"], 1: [2, 10, 18, "prism"], 2: [3, 11, 19, "first_score"]}


def cards(row: np.ndarray) -> list[int | str]:
    """A row of counts by card as a list of cards."""
    found = [card for card, count in enumerate(row.tolist(), 1) for _ in range(count)]
    return [card if card <= 41 else CARDS.abilities[card - 42] for card in found]


def determinized(t: Position, seat: int, number: int = 20) -> list[Position]:
    """The position with what a seat cannot see resampled, several times; its view is the same each time."""
    view, mask, public = t.match.observe(seat), t.match.mask(), t.public
    found = []
    for seed in range(number):
        other = Position(t.match.clone(determinize=seat, seed=seed))
        assert other.match.observe(seat).tobytes() == view.tobytes() and other.public == public
        if seat == t.seat:
            assert other.match.mask().tobytes() == mask.tobytes()
        found.append(other)
    return found


def test_p64_1_the_round():
    """P64.1: round, rounds left, phase, whose decision, leaders counted from the observer, decks."""
    t = position("score", players=3, round=4, seat=2, leaders=(1, 2, 0), pixels={2: "BB"}, images={0: 7})
    for seat in range(3):
        assert (t.seen("players", seat), t.seen("round_number", seat), t.seen("rounds_left", seat)) == (3, 4, 2)
        assert t.seen("phase", seat).tolist() == [0, 0, 0, 0, 0, 1, 0] and t.seen("over", seat) == 0
        assert t.seen("to_move", seat).argmax() == (2 - seat) % 3 and t.seen("to_move", seat).sum() == 1
        assert t.seen("leaders", seat).argmax(axis=1).tolist() == [(leader - seat) % 3 for leader in (1, 2, 0)]
        assert (t.seen("deck_size", seat), t.seen("image_deck_size", seat)) == (DECKS[3][3], 14)
    t.play("pass")
    over = position("over", players=3, round=6)
    assert over.seen("over", 1) == 1 and not over.seen("to_move", 1).any() and over.seen("rounds_left", 1) == 0


def test_p64_2_pixels_outside_the_boards():
    """P64.2: conveyor, bag and piles."""
    t = position("build", drafted={0: [1, 2]}, pixels={0: "RW"}, conveyor=["RRG", "B", "", "", "", "G"])
    assert t.seen("supply", 1).tolist() == [17, 18, 19, 10, 10, 10, 9]
    assert t.seen("conveyor", 1).tolist() == [[2, 1, 0], [0, 0, 1], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 1, 0]]


def test_p64_3_boards():
    """P64.3: of each seat, counted from the observer; absent seats are zero."""
    t = position(
        "score",
        players=3,
        pixels={0: "BB", 1: "RGW"},
        points={1: 7},
        slots={1: {1: ("R", [1, 25]), 2: ("?", [37]), 4: ("convert", [2, 10, 17])}},
        abilities={1: ["prism"]},
        used_abilities={1: ["prism"]},
        images={0: 7},
    )
    assert t.seen("points", 0).tolist() == [0, 7, 0, 0] and t.seen("points", 1).tolist() == [7, 0, 0, 0]
    assert t.seen("pixels", 2)[2].tolist() == [1, 1, 0, 0, 0, 0, 1]
    slots = t.seen("slots", 0)[1]
    assert slots[0].tolist() == [3, 0, 0, 0, 0] and slots[1].tolist() == [0, 0, 0, 1, 0]
    assert slots[3].tolist() == [0, 0, 0, 0, 3] and not slots[[2, 4, 5]].any()
    assert t.seen("slot_cards", 0)[1].tolist() == [2, 1, 0, 3, 0, 0]
    assert t.seen("converters", 0)[1][CARDS.converters.index("mixY")] == 3
    assert t.seen("abilities", 0)[1].tolist() == t.seen("used_abilities", 0)[1].tolist() == [0, 0, 0, 1]
    for name in ("points", "pixels", "slots", "slot_cards", "converters", "abilities", "hand_size", "face_down"):
        assert not t.seen(name, 0)[3].any()
    t = position("build", players=3, drafted={0: [1, 2], 1: [9], 2: [3, 4, 5]})
    assert t.seen("face_down", 1).tolist() == [1, 3, 2, 0]
    assert new_game(3).seen("hand_size", 1).tolist() == [4, 4, 4, 0]


def test_p64_4_images():
    """P64.4: what lines that are not filled ask for, and their points; finished images."""
    t = position("score", pixels={0: "BB"}, images={0: 7, 5: None}, filled=[(0, 1)], image_deck=0)
    lines = t.seen("lines", 1)
    assert t.seen("images", 1)[0] == 7 and t.seen("images", 1)[5] == 0 and not lines[5].any()
    assert t.seen("filled", 1)[0].tolist() == [0, 1, 0, 0, 0] and not lines[0, 1].any()
    assert lines[0, 2].tolist() == [*NEED[7, 2].tolist(), LINE_POINTS[0, 7, 2]]
    assert np.flatnonzero(t.seen("finished", 0)).tolist() == [image - 1 for image in t.snap["finished"]]


def test_p64_5_cards_out_of_the_game():
    """P64.5: discarded ones by kind, of the others the numbers."""
    t = position("score", players=3, round=6, pixels={0: "BB"}, images={0: 7})
    assert (t.seen("removed", 1), t.seen("set_aside", 1)) == (10, 2)
    counts = Counter(t.snap["discarded"])
    assert t.seen("discarded", 1).tolist() == [counts[kind] for kind in range(1, 42)]


def test_p65_own_cards():
    """P65: hand, drafted cards and choice in Draft, cards to play in Build; for nobody else."""
    t = position("draft", players=3, hands=HANDS).play("draft 1")
    assert [int(row.any()) for row in t.seen("hand", 1)] == [1, 1, 1, 1] and not t.seen("choice", 1).any()
    t.play("draft 0", "draft 3")
    assert [cards(t.seen("drafted", seat)) for seat in range(3)] == [[9], [2], ["first_score"]]
    t = position("build", drafted={0: [1, 37], 1: [9]})
    hand = t.seen("hand", 0)
    assert hand[:, 0].tolist() == [1, 37, 0, 0] and hand[0, 1] == 1 and hand[1, 4] == 1 and not hand[2:].any()
    assert t.seen("hand", 1)[0, :3].tolist() == [9, 0, 1] and not t.seen("hand", 1)[1:].any()
    assert not t.seen("drafted", 0).any() and sorted(t.seen("laid", 0)[:, 0])[-1] >= 42


def test_p65_own_converters():
    """P65: what is not used yet, to its owner only; others see it used when the phase is over."""
    slots = {0: {1: ("convert", [2, 10])}, 1: {1: ("convert", [41])}}
    t = position("convert", slots=slots, pixels={0: "RGRGB", 1: "BG"}, abilities={0: ["first_build"]}, images={0: 7})
    mix, recolor = CARDS.converters.index("mixY"), CARDS.converters.index("recolor")
    assert t.seen("ready", 0)[[mix, recolor]].tolist() == [2, 1]
    t.play("activate RG>Y", "activate R>B")
    assert t.seen("ready", 0)[[mix, recolor]].tolist() == [1, 0]
    assert t.seen("used_abilities", 0)[0].tolist() == [1, 0, 0, 0] and not t.seen("used_abilities", 1).any()
    while t.phase == "convert":
        t.play("finish")
    assert t.phase == "score" and t.seen("used_abilities", 1)[1].tolist() == [1, 0, 0, 0]


def test_p66_hands_that_were_passed_on():
    """P66: by seat that holds them, with what has been taken from them since; never seen ones are empty."""
    t = position("draft", players=3, hands=HANDS)
    assert not t.seen("passed", 0).any()
    t.play("draft 0", "draft 0", "draft 0")
    assert cards(t.seen("passed", 0)[0]) == [9, 17, "first_build"] and not t.seen("passed", 0)[1:].any()
    t.play("draft 1", "draft 0", "draft 0")
    # seat 0 passed {9, 17, first_build} to seat 1, which took 9; seat 2 holds the rest. Then {3 taken, 11, ...}.
    assert cards(t.seen("passed", 0)[1]) == [9, 17, "first_build"]
    assert cards(t.seen("passed", 0)[0]) == [11, "first_score"]


def hand_and_drafted(t: Position, seat: int) -> list[int | str]:
    return [*t.of(seat)["hand"], *t.of(seat)["drafted"]]


def test_p66_determinization_keeps_what_was_passed_on():
    """P66: seen cards stay in that hand or with who has held it since; only unseen ones change."""
    t = position("draft", players=3, hands=HANDS).play("draft 0", "draft 0", "draft 0", "draft 1", "draft 0", "draft 0")
    assert t.seat == 0 and t.of(2)["hand"] == [17, "first_build"]
    taken, first = set(), set()
    for other in determinized(t, 0, 60):
        stack = [*other.of(2)["hand"], other.of(1)["drafted"][1]]
        assert Counter(stack) == Counter([9, 17, "first_build"])
        assert other.of(1)["hand"] == [11, "first_score"]
        assert other.of(0) == t.of(0)
        taken.add(other.of(1)["drafted"][1])
        first.add(other.of(1)["drafted"][0])
        kinds = [card for seat in range(3) for card in hand_and_drafted(other, seat) if isinstance(card, str)]
        assert len(set(kinds)) == 3
    assert taken == {9, 17, "first_build"} and len(first) > 10


def test_p65_p67_determinization_deals_unseen_hands_anew():
    """P65, P67: machine cards from all that is unseen, one ability card in each stack; choices become others."""
    t = position("draft", players=3, hands=HANDS).play("draft 3", "draft 3")
    choices, abilities, kinds = set(), set(), set()
    for other in determinized(t, 2, 60):
        assert other.of(2) == t.of(2)
        choices.add((other.of(0)["choice"], other.of(1)["choice"]))
        for seat in (0, 1):
            hand = other.of(seat)["hand"]
            assert sum(isinstance(card, str) for card in hand) == 1 and isinstance(hand[-1], str)
            assert hand[:-1] == sorted(hand[:-1])
            abilities.add(hand[-1])
            kinds.update(hand[:-1])
    assert len(choices) > 8 and abilities == {"first_build", "first_collect", "prism"} and len(kinds) > 25


def test_p67_decks_removed_and_set_aside_cards():
    """P67: their order and what they are is resampled; all cards stay in the game."""
    t = position("score", players=3, round=5, pixels={0: "BB"}, images={0: 7})
    found = determinized(t, 1)
    assert len({str(other.snap["machine_deck"]) for other in found}) > 15
    assert len({str(other.snap["removed"]) for other in found}) > 15
    assert len({str(other.snap["image_deck"]) for other in found}) > 15
    for other in found:
        snap = other.snap
        assert snap["removed"] == sorted(snap["removed"]) and Counter(snap["image_deck"]) == Counter(
            t.snap["image_deck"]
        )
        assert Counter([*snap["removed"], *snap["machine_deck"], *snap["discarded"]]) == Counter(COPIES)


def test_p67_cards_to_play_in_build():
    """P65, P67: the others' ones are resampled; who decides has a choice still."""
    slots = {0: {k: ("R", [k]) for k in range(1, 7)}}
    t = position("build", players=3, drafted={0: [7], 1: [9, 10]}, slots=slots)
    kinds = set()
    for other in determinized(t, 1, 60):
        assert other.of(1) == t.of(1) and len(other.legal) > 1
        kinds.add(other.of(0)["drafted"][0])
    assert kinds <= {1, 2, 3, 4, 7, 8} and len(kinds) > 1
    assert all(other.of(0) == t.of(0) for other in determinized(t, 0))


def test_p60_p67_what_others_have_converted_is_done_otherwise():
    """P60, P67: those before have made other legal choices; a seat that has not been asked is dealt the beginning."""
    slots = {seat: {1: ("convert", [2 + 8 * seat])} for seat in (0, 1)} | {2: {1: ("convert", [17])}}
    t = position("convert", players=3, slots=slots, pixels=dict.fromkeys(range(3), "RRGG"), images={0: 7})
    t.play("activate RG>Y")
    while t.seat == 0:
        t.play("finish")
    assert t.seat == 1
    boards = {seat: set() for seat in range(3)}
    for seat, decides in ((0, 1), (1, 1), (2, 0)):
        for other in determinized(t, seat, 60):
            assert other.seat == decides and other.phase == "convert" and len(other.legal) > 1
            assert sum(other.supply.values()) + sum(len(other.pixels(k)) for k in range(3)) == sum(PIXELS.values())
            boards[seat].add(tuple(other.pixels(k) for k in range(3)))
    assert boards[0] == {("RGY", "RRGG", "RRGG")} and boards[2] == {("RRGG",) * 3}
    assert {found[0] for found in boards[1]} >= {"RGY", "RRGG"}
    assert {found[1:] for found in boards[1]} == {("RRGG", "RRGG")}
    t.play("activate RG>Y")
    assert t.seat == 1
    assert {other.pixels(1) for other in determinized(t, 1)} == {t.pixels(1)} == {"RGY"}


def test_p44_an_open_phase_hides_nothing():
    """P44: the last Y is gone, and all have seen who took it: a determinization leaves boards and choices."""
    slots = {0: {1: ("convert", [2])}, 1: {1: ("convert", [10, 3])}}
    pixels = {0: "RGMYYYYY", 1: "RGBYYYY"}
    t = position("convert", slots=slots, pixels=pixels, images={0: 7}, open_convert=True)
    t.play("activate RG>Y")
    assert t.public["seat"] == 0 and t.seen("to_move", 1)[1] == 1 and t.seen("open_convert", 1) == 1
    assert t.seen("pixels", 1)[1].tolist() == [0, 0, 0, 0, 1, 6, 0] and t.public["supply"]["Y"] == 0
    while t.seat == 0:
        t.play(min(t.legal))
    assert t.seat == 1 and t.public["seats"][0]["used"] == ["mixY"]
    for other in [*determinized(t, 1), *determinized(t, 0)]:
        assert other.legal == t.legal and other.snap["seats"] == t.snap["seats"]


def half_drafted() -> Position:
    """Seat 0 has chosen its second card, seat 1 has not."""
    return position("draft", players=3, hands=HANDS).play("draft 1", "draft 3", "draft 0", "draft 2")


def in_build() -> Position:
    """A random end is in its slot, and to be paid."""
    t = position("build", players=3, drafted={0: [1, 37], 1: [9, 10]}, pixels={0: "RG"}, tops=[40, 8])
    return t.play("install 1 collect slot 2")


def scored() -> Position:
    """In the round in which two cards have been set aside; a line has been filled."""
    t = position("score", players=3, round=6, pixels={0: "BB", 1: "BB"}, images={0: 7}, abilities={1: ["prism"]})
    return t.play("fill 0 line 0")


@both_backends
@pytest.mark.parametrize("make", [half_drafted, in_build, scored])
def test_p64_p65_p67_the_public_snapshot_leaves_out_what_is_hidden(make: Callable[[], Position]):
    """P64, P65, P67: numbers instead of cards, nothing of choices, sights and chance; all else is there."""
    t = make()
    hidden, public = t.snap, t.public
    decks, cards = ("machine_deck", "removed", "set_aside", "image_deck"), ("hand", "drafted", "laid")
    expected = {name: value for name, value in hidden.items() if name != "rng"} | {"known": None, "shown_supply": None}
    expected |= {name: len(hidden[name]) for name in decks}
    unseen = {"choice": None, "asked": None, "shown": None}
    expected["seats"] = [{**one, **{name: len(one[name]) for name in cards}, **unseen} for one in hidden["seats"]]
    if t.phase == "draft":
        expected["seat"] = None  # P59
    assert public == expected


@both_backends
def test_p68_result():
    """P68: by P49; points as if the game ended now at any time."""
    t = position("score", points={0: 3, 1: 4}, pixels={0: "BB"}, images={0: 7})
    assert t.ranks == [2, 1]
    t.play("fill 0 line 0")
    assert t.ranks == [1, 2] and t.match.points() == [5, 4]
