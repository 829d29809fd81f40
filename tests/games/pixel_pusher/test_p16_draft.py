"""The round: Generate and Draft (P16-P25, P59)."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.games.pixel_pusher.positions import ABILITIES, DECKS, SET_ASIDE, Position, drawn, new_game, position, total
from tests.support.position import both_backends, engine_only

pytestmark = both_backends

HANDS2 = {0: [1, 9, 17, "first_build"], 1: [2, 10, 18, "prism"]}
HANDS3 = {0: [1, 9, 17, "first_build"], 1: [2, 10, 18, "prism"], 2: [3, 11, 19, "first_score"]}


def pass_time(t: Position) -> Position:
    """The first legal move, or a discard, finish, pass where there is one, until the next round's Draft."""
    number = t.round
    while t.round == number and not t.over:
        moves = sorted(t.legal)
        quiet = [move for move in moves if move.startswith(("discard", "finish", "pass"))]
        t.play((quiet or moves)[0])
    return t


def last_turn_of_round(conveyor: list[str], **rest) -> Position:
    """Seat 1 is about to pass in Score: the next round begins after it."""
    return position("score", seat=1, pixels={1: "BB"}, images={0: 7}, conveyor=conveyor, **rest)


def test_p16_phases_follow_one_another():
    """P16: Draft, Build, Convert, Score are seen; Generate and Collect happen in between."""
    t = position(
        "draft",
        hands=HANDS2,
        slots={0: {1: ("R", [4]), 2: ("convert", [2])}},
        pixels={0: "RG", 1: "B"},
        conveyor=["R", "", "", "", "", "GGG"],
        images={0: 7, 1: 5},
    )
    seen = []
    while t.round == 2:
        if t.phase not in seen[-1:]:
            seen.append(t.phase)
        moves = sorted(t.legal)
        quiet = [move for move in moves if move.startswith(("finish", "pass"))]
        t.play((quiet or [move for move in moves if not move.startswith("discard")])[0])
    assert seen == ["draft", "build", "convert", "score"]
    assert t.segment(6) == "" and len(t.segment(1)) == 6 and t.phase == "draft"


def test_p17_nothing_is_generated_in_round_1():
    """P17: the conveyor is as set up."""
    assert [len(t) for t in map(new_game().segment, range(1, 7))] == [6, 5, 4, 3, 2, 1]


def test_p17_1_p17_2_the_conveyor_moves():
    """P17.1, P17.2: the last segment goes into the bag, the others move on."""
    t = last_turn_of_round(["R", "GG", "B", "RR", "G", "BBBB"])
    t.play("pass")
    assert [t.segment(k) for k in range(2, 7)] == ["R", "GG", "B", "RR", "G"]
    assert total(t) == total(last_turn_of_round([]))


def test_p17_3_six_new_pixels():
    """P17.3: drawn from the bag, what has just gone in included."""
    t = last_turn_of_round(["RRRRRRR", "GGGGGGGGGG", "BBBBBBBBB", "RRRRRRRRR", "GGGGGGGGG", "BBBBBBBBB"])
    assert t.bag == 4 + 1 + 0 + 0
    t.play("pass")
    assert len(t.segment(1)) == 6 and t.bag == 8


def test_p17_3_p50_fewer_if_the_bag_runs_out():
    """P17.3, P50: two in the bag and one on segment 6 make three; then nothing is drawn."""
    t = last_turn_of_round(["RRRRRRRRRR", "RRRRRRRRRR", "GGGGGGGGGG", "GGGGGGGGGG", "BBBBBBBBBBBBBBBB", "B"])
    assert t.bag == 1
    t.play("pass")
    assert t.segment(1) == "BB" and t.bag == 0
    assert drawn(t, 1, 2 + 3)  # two pixels, and the shuffle of four ability cards


def test_p17_3_the_last_pixel_is_drawn():
    """P17.3: there is one in the bag, and none on segment 6."""
    t = last_turn_of_round(["RRRRRRRRRR", "RRRRRRRRRR", "GGGGGGGGGG", "GGGGGGGGGG", "BBBBBBBBBBBBBBBBB", ""])
    assert t.play("pass").segment(1) == "B" and drawn(t, 1, 1 + 3)


def test_p18_with_two_players_two_ability_cards_are_dealt():
    """P18: different ones in different rounds; the others are nowhere to be seen."""
    found = set()
    for seed in range(12):
        hands = [one["hand"] for one in new_game(seed=seed).snap["seats"]]
        cards = [card for hand in hands for card in hand if isinstance(card, str)]
        assert len(cards) == 2 and all(isinstance(hand[-1], str) for hand in hands)
        found.add(tuple(cards))
    assert len(found) > 5 and {card for pair in found for card in pair} == set(ABILITIES)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_p19_p19_2_p48_stacks_round_by_round(players: int):
    """P19, P19.2, P48: three, then what is left evenly; and the game is over with the deck."""
    t, sizes = new_game(players, seed=3), []
    while not t.over:
        snap = t.snap
        sizes.append(len(snap["seats"][0]["hand"]) - 1)
        number = snap["round"]
        assert len({len(one["hand"]) for one in snap["seats"]}) == 1
        assert len(snap["machine_deck"]) == DECKS[players][number - 1]
        assert len(snap["set_aside"]) == SET_ASIDE.get((players, number), 0)
        pass_time(t)
    assert sizes == {2: [3] * 6 + [2], 3: [3] * 5 + [1], 4: [3] * 5}[players]


def test_p19_1_cards_that_do_not_go_round_are_set_aside():
    """P19.1: with three players two cards in round 6, in order of kind."""
    t = position("score", players=3, round=5, seat=2, pixels={2: "BB"}, images={0: 7}, tops=[30, 5, 28, 33, 8])
    t.play("pass")
    assert t.snap["set_aside"] == [8, 33] and t.snap["machine_deck"] == []
    assert [one["hand"][0] for one in t.snap["seats"]] == [30, 5, 28]


def test_p20_stacks_are_hands_and_secret():
    """P20: seat 0 has the top cards, seat 1 the next; only numbers are public."""
    t = last_turn_of_round([], tops=[33, 5, 28, 7, 30, 8])
    t.play("pass")
    assert [one["hand"][:3] for one in t.snap["seats"]] == [[5, 28, 33], [7, 8, 30]]
    assert [one["hand"] for one in t.public["seats"]] == [4, 4]


def test_p21_hands_go_left():
    """P21: with three players, to the next seat each; the last card is taken without being asked."""
    t = position("draft", players=3, hands=HANDS3)
    t.play("draft 0", "draft 3", "draft 2")
    assert [one["drafted"] for one in t.snap["seats"]] == [[1], ["prism"], [19]]
    assert [one["hand"] for one in t.snap["seats"]] == [[3, 11, "first_score"], [9, 17, "first_build"], [2, 10, 18]]
    t.play("draft 2", "draft 2", "draft 0", "draft 0", "draft 0", "draft 0")
    assert t.phase == "build" and not any(one["hand"] for one in t.snap["seats"])
    drafted = [sorted([*one["drafted"], *one["abilities"]], key=str) for one in t.snap["seats"]]
    assert drafted == [[1, 10, 17, "first_score"], [18, 3, "first_build", "prism"], [11, 19, 2, 9]]


def test_p22_ability_cards_are_turned_up():
    """P22: after the last card; machine cards stay hidden, and the ability cards go back with the round."""
    t = position("draft", hands=HANDS2)
    t.play("draft 3", "draft 3")
    assert [one["abilities"] for one in t.public["seats"]] == [[], []]
    t.play("draft 0", "draft 0", "draft 0", "draft 0")
    assert t.phase == "build"
    assert [one["abilities"] for one in t.public["seats"]] == [["first_build"], ["prism"]]
    assert [one["drafted"] for one in t.public["seats"]] == [3, 3]
    pass_time(t)
    assert [one["abilities"] for one in t.public["seats"]] == [[], []]


def test_p22_what_an_ability_card_has_done_is_forgotten_with_the_round():
    """P22, P40: used cards go back as well."""
    t = position("convert", abilities={0: ["prism"]}, pixels={0: "RGB", 1: "BB"}, images={0: 7})
    t.play("activate R>M")
    assert t.of(0)["used_abilities"] == ["prism"]
    pass_time(t)
    assert t.of(0)["used_abilities"] == [] and t.public["seats"][0]["used_abilities"] == []


@pytest.mark.parametrize("card", ["first_build", "first_collect", "first_score"])
def test_p23_the_owner_leads(card: str):
    """P23: whoever drafted the card, and in this phase only."""
    hands = {0: [1, 9, 17, card], 1: [2, 10, 18, "prism"]}
    t = position("draft", hands=hands, leaders=(1, 1, 1), round=1)
    t.play("draft 3", "draft 0", "draft 0", "draft 0", "draft 0", "draft 0")
    phase = card.removeprefix("first_")
    assert t.snap["leaders"] == {name: 0 if name == phase else 1 for name in ("build", "collect", "score")}
    assert t.seat == t.snap["leaders"]["build"]


def test_p23_every_phase_has_its_own_order():
    """P23, P26: from its leader clockwise; who has no card to play is passed over in Build."""
    t = position(
        "build",
        players=4,
        seat=1,
        leaders=(1, 3, 2),
        slots={seat: {1: ("convert", [2 + 8 * (seat % 2)])} for seat in range(4)},
        pixels=dict.fromkeys(range(4), "RGYYG"),
        drafted={seat: [17] for seat in range(3)},
        images={0: 2, 1: 7},
    )
    asked = []
    while t.round == 2:
        asked.append((t.phase, t.seat))
        t.play({"build": "install 0 convert slot 1", "convert": "finish", "score": "pass"}[t.phase])
    expected = [("build", seat) for seat in (1, 2, 0)]
    expected += [("convert", seat) for seat in (3, 0, 1, 2)]
    expected += [("score", seat) for seat in (2, 3, 0, 1)]
    assert asked == expected


def test_p24_without_the_card_the_next_seat_leads():
    """P24: left of the last leader; in round 1 the starting seat itself."""
    hands = {0: [1, 9, 17, "prism"], 1: [2, 10, 18, "first_score"], 2: [3, 11, 19, "first_build"]}
    moves = ["draft 3"] * 3 + ["draft 0"] * 6
    later = position("draft", players=3, hands=hands, leaders=(2, 2, 0)).play(*moves)
    assert later.snap["leaders"] == {"build": 2, "collect": 0, "score": 1}
    first = position("draft", players=3, hands=hands, leaders=(1, 1, 1), round=1).play(*moves)
    assert first.snap["leaders"] == {"build": 2, "collect": 1, "score": 1}


def test_p24_in_draft_the_leaders_are_those_of_last_round():
    """P24: new ones stand when abilities are turned up."""
    t = position("score", seat=1, leaders=(1, 0, 0), pixels={1: "BB"}, images={0: 7})
    t.play("pass")
    assert t.phase == "draft" and t.snap["leaders"] == {"build": 1, "collect": 0, "score": 0}


RECOLOR = {"R>G", "R>B", "G>R", "G>B", "B>R", "B>G"}
PRISM = {"R>M", "R>Y", "G>C", "G>Y", "B>C", "B>M"}


@pytest.mark.parametrize("card", ABILITIES)
def test_p25_an_ability_card_converts_once(card: str):
    """P25: the three "1st to" cards one primary to another, Prism to a secondary that contains it."""
    recipes = PRISM if card == "prism" else RECOLOR
    t = position("convert", abilities={0: [card]}, pixels={0: "RGB"})
    assert t.family("activate") == {f"activate {recipe}" for recipe in recipes}
    for recipe in sorted(recipes):
        other = t.copy().play(f"activate {recipe}")
        pay, gain = recipe.split(">")
        after = Counter("RGB")
        after.subtract(pay)
        after.update(gain)
        assert other.seat == 1 or not other.family("activate")
        assert Counter(other.pixels(0)) == +after


def test_p25_two_cards_convert_twice():
    """P25: of two that recolor the first in file order is used first."""
    t = position("convert", players=3, abilities={0: ["first_collect", "first_score"], 1: ["prism"]}, pixels={0: "RGB"})
    t.play("activate R>G")
    assert t.of(0)["used_abilities"] == ["first_collect"] and t.family("activate")
    t.play("activate B>G")
    assert t.of(0)["used_abilities"] == ["first_collect", "first_score"] and t.pixels(0) == "GGG"
    assert t.phase == "score"


def test_p59_choices_are_locked_and_not_shown():
    """P59: seats in order; a choice is seen by nobody else until all have chosen."""
    t = position("draft", players=3, hands=HANDS3)
    t.play("draft 1")
    assert t.seat == 1 and t.of(0)["choice"] == 1 and t.public["seats"][0]["choice"] is None
    assert t.of(0)["hand"] == HANDS3[0]
    other = position("draft", players=3, hands=HANDS3).play("draft 3")
    assert t.public == other.public and t.public["seat"] is None
    t.play("draft 0")
    assert t.seat == 2
    t.play("draft 0")
    assert t.seat == 0 and [one["drafted"] for one in t.snap["seats"]] == [[9], [2], [3]]


@engine_only  # the reference observes nothing
def test_p59_choices_are_not_observed():
    """P59: who is asked sees only that, and nobody else sees anything new."""
    t = position("draft", players=3, hands=HANDS3)
    views = [t.match.observe(seat) for seat in (1, 2)]
    t.play("draft 1")
    assert t.seen("choice", 0).tolist() == [0, 1, 0, 0]
    other = position("draft", players=3, hands=HANDS3).play("draft 3")
    for k, seat in enumerate((1, 2)):
        seen = t.match.observe(seat).tobytes()
        assert seen == other.match.observe(seat).tobytes() and (seen == views[k].tobytes()) == (seat == 2)
    assert t.seen("to_move", 1).tolist() == [1, 0, 0, 0] and not t.seen("to_move", 2).any()


def test_p21_p26_a_player_may_get_four_machine_cards_in_each_round():
    """P19.2, P21: with two players 27, if the other takes all ability cards; all of them can be installed."""
    t = new_game(2, seed=3)
    while not t.over:
        if t.phase == "draft":
            t.play("draft 0" if t.seat == 0 else f"draft {len(t.of(1)['hand']) - 1}")
        elif t.phase == "build" and t.seat == 0:
            t.play("install 0 convert slot 6")
        else:
            t.play(next(move for move in sorted(t.legal) if move.startswith(("discard", "finish", "give", "pass"))))
    kind, cards = t.slot(0, 6)
    assert (kind, len(cards)) == ("convert", 27) and cards == sorted(cards)
    assert len(t.snap["discarded"]) == 40 - 27


@engine_only  # the reference observes nothing
def test_p21_p26_all_of_many_cards_are_observed():
    """P19.2, P21: 27 in one slot."""
    cards = [*range(1, 28)]
    t = position("score", round=7, slots={0: {6: ("convert", cards)}}, pixels={0: "BB"}, images={0: 7})
    assert t.seen("slot_cards", 1)[1, 5] == 27 and t.seen("converters", 1)[1].sum() == 27
