"""What machines do (N9-N12): each effect, plain and copied."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.games.nicodemus.positions import assert_pieces, position, tokens
from tests.support import splitmix
from tests.support.position import both_backends

pytestmark = both_backends


def below(rng: int, number: int, most: int) -> int:
    """The number-th draw from this chance, 0 to most - 1."""
    return ((splitmix.output(rng, number) >> 32) * most) >> 32


# Production


@pytest.mark.parametrize(
    ("kind", "row", "gained"),
    [
        ("B1", "P4 R4 Y1 B5 B2", "4 wood"),
        ("B2", "P5 R3 Y2 B5 B1", "4 charcoalium"),
        ("B3", "P3 R2 B3 B5 B1", "4 copper"),
        ("B4", "P2 R1 B4 P1 B1", "4 crystal"),
    ],
)
def test_n09_01_n09_02_n09_03_n09_04_production(kind: str, row: str, gained: str):
    """N9.1-N9.4: for each machine with the symbol, itself included; a wild symbol does not count."""
    t = position(row=row, hand=kind).play(f"effect {kind}")
    assert t.tokens == tokens(gained) and t.seat == 1


def test_n09_05_production_of_one_resource_for_wild_symbols():
    """N9.5: all of the same, chosen before anything else happens."""
    t = position(row="B5 P1 B1 B2", hand="B5").play("effect B5")
    assert t.phase == "pick" and t.snap["left"] == 1 and t.snap["effect"] == "B5" and t.snap["discarded"] is None
    assert t.play("pick crystal").tokens == tokens("3 crystal")


def test_n09_05_n14_03_a_resource_of_which_none_is_left():
    """N9.5, N14.3: may be chosen."""
    t = position(hand="B5", tokens="8 wood").play("effect B5")
    assert t.legal == {"pick wood", "pick copper", "pick crystal"}
    assert t.play("pick wood").tokens == tokens("8 wood")


# Transformation


def test_n10_01_p1_discards_from_the_hand():
    """N10.1: seen by its owner only (N16.4)."""
    t = position(hand="P1 P5 P5 B2", row="B1").play("effect P1")
    assert t.phase == "hand" and t.legal == {"discard P5", "discard B2"}
    t.play("discard P5")
    assert t.phase == "pick" and t.snap["left"] == 2 and t.snap["discarded"] == "P5" and t.me["lost"] == {"P5": 1}
    t.play("pick wood", "pick crystal")
    assert t.tokens == tokens("1 wood 1 crystal") and t.row == "B1 P1" and t.gone == {}


def test_n10_02_p2_discards_one_of_the_previous_three():
    """N10.2."""
    t = position(row="B1 B2 P5 B3", hand="P2").play("effect P2")
    assert t.phase == "target" and t.legal == {"target 2", "target 3", "target 4"}
    t.play("target 3")
    assert t.legal == {"pick wood", "pick copper", "pick crystal"} and t.row == "B1 B2 B3 P2"
    assert t.play("pick copper").tokens == tokens("1 copper") and t.gone == {"P5": 1}
    t = position(row="P5 B2", hand="P2").play("effect P2")
    assert t.legal == {"target 1", "target 2"}
    t = position(row="P4", hand="P2").play("effect P2")
    assert t.phase == "pick" and t.row == "P2" and t.legal == {"pick wood", "pick crystal"}


def test_n10_03_p3_discards_one_of_the_previous_two():
    """N10.3: and gains a charcoalium, before the resource is chosen."""
    t = position(row="B1 B2 P5 B3", hand="P3").play("effect P3")
    assert t.legal == {"target 3", "target 4"}
    t.play("target 4")
    assert t.tokens == tokens("1 charcoalium") and t.legal == {"pick copper", "pick crystal"}
    assert t.play("pick crystal").tokens == tokens("1 charcoalium 1 crystal")
    t = position(row="B2", hand="P3").play("effect P3")
    assert t.seat == 1 and t.tokens == tokens("1 charcoalium 1 wood")


def test_n10_04_p4_exchanges_up_to_three_times():
    """N10.4: in both directions."""
    t = position(hand="P4", tokens="1 charcoalium 1 crystal").play("effect P4")
    assert t.phase == "exchange" and t.snap["left"] == 3
    kinds = {"charcoalium-wood", "charcoalium-copper", "charcoalium-crystal", "crystal-charcoalium"}
    assert t.family("exchange") == kinds and "done" in t.legal
    t.play("exchange charcoalium-wood", "exchange wood-charcoalium", "exchange crystal-charcoalium")
    assert t.seat == 1 and t.tokens == tokens("2 charcoalium")


@pytest.mark.parametrize("exchanges", [0, 1, 2])
def test_n10_04_01_stopping_at_any_time(exchanges: int):
    """N10.4.1."""
    t = position(hand="P4", tokens="3 charcoalium").play("effect P4")
    t.play(*["exchange charcoalium-wood"] * exchanges, "done")
    assert t.seat == 1 and t.tokens == tokens(f"{3 - exchanges} charcoalium {exchanges} wood")


def test_n10_04_02_given_first_then_gained():
    """N10.4.2: the charcoalium given is in the reserve when a wood comes from the opponent."""
    t = position(hand="P4", tokens="1 charcoalium", other={"tokens": "8 wood"}).play("effect P4")
    before = t.snap["reserve"]["charcoalium"]
    t.play("exchange charcoalium-wood")
    assert t.tokens == tokens("1 wood") and t.other["tokens"] == tokens("7 wood")
    assert t.snap["reserve"]["charcoalium"] == before + 1


def test_n10_04_03_no_exchange_without_a_token_to_gain():
    """N10.4.3: charcoalium on the bric-a-brac cannot be gained."""
    t = position(row="B1:10", hand="P4", tokens="2 charcoalium 8 wood 1 crystal").play("effect P4")
    assert t.family("exchange") == {"charcoalium-copper", "charcoalium-crystal"}
    t.play("exchange charcoalium-copper")
    assert "wood-charcoalium" in t.family("exchange")


def test_n10_05_p5_discards_the_previous_machine():
    """N10.5."""
    t = position(row="B1 R3", hand="P5").play("effect P5")
    assert t.phase == "pick" and t.row == "B1 P5" and t.snap["left"] == 2
    assert t.legal == {"pick wood", "pick crystal"}
    t.play("pick wood")
    assert t.seat == 1 and t.tokens == tokens("1 wood 1 crystal")


@pytest.mark.parametrize(
    ("kind", "picks"),
    [
        ("B2", ["2 wood"]),
        ("P1", ["1 wood 1 copper"]),
        ("P4", ["2 wood", "1 wood 1 crystal"]),
        ("B5", ["2 wood", "1 wood 1 copper"]),
        ("Y1", ["2 wood", "1 wood 1 crystal", "2 crystal"]),
        ("P5", ["1 wood 1 copper", "1 wood 1 crystal", "1 copper 1 crystal", "2 crystal"]),
        ("R2", ["1 wood 1 copper", "1 wood 1 crystal", "1 copper 1 crystal"]),
    ],
)
def test_n10_06_resources_of_the_cost(kind: str, picks: list[str]):
    """N10.6, N20.4: each part of the printed cost in one way; reductions do not matter."""
    found = []
    waiting = [position(row=kind, hand="P5", workshop="B1 B3 B4").play("effect P5")]
    while waiting:
        t = waiting.pop()
        if t.seat == 1:
            found.append(t.tokens)
        else:
            waiting += [t.copy().play(move) for move in t.legal]
    assert sorted(map(str, found)) == sorted(str(tokens(text)) for text in picks)


def test_n10_07_n17_06_discard_first():
    """N10.7, N17.6: the reserve has no charcoalium but what lay on the discarded machine."""
    t = position(row="B2:4 B1:8", hand="P3").play("effect P3", "target 1")
    assert t.tokens == tokens("1 charcoalium 1 wood") and t.row == "B1:8 P3"
    assert t.snap["reserve"]["charcoalium"] == 3 and t.gone == {"B2": 1}


# Attack


def test_n11_01_r1_steals_charcoalium_and_a_machine():
    """N11.1, N11.6: the machine is drawn from the other's hand."""
    t = position(hand="R1", rng=7, other={"hand": "B1 B2 B2 Y2", "tokens": "2 charcoalium 1 wood"}).play("effect R1")
    stolen = ["B1", "B2", "B2", "Y2"][below(7, 0, 4)]
    assert t.tokens == tokens("1 charcoalium") and t.other["tokens"] == tokens("1 charcoalium 1 wood")
    assert t.other["hand"] == dict(Counter(["B1", "B2", "B2", "Y2"]) - Counter([stolen]))
    assert t.snap["rng"] == str(splitmix.advance(7)) and t.other["lost"] == {}


def test_n11_02_r2_steals_a_resource_and_a_machine():
    """N11.2: the resource is chosen, then the machine drawn."""
    t = position(hand="R2 R1 R1 P5", rng=9, other={"hand": "B4", "tokens": "1 wood 2 crystal 3 charcoalium"})
    t.play("effect R2")
    assert t.phase == "pick" and t.legal == {"pick wood", "pick crystal"} and t.other["hand"] == {"B4": 1}
    t.play("pick crystal")
    assert t.tokens == tokens("1 crystal") and t.other["tokens"] == tokens("1 wood 1 crystal 3 charcoalium")
    assert t.other["hand"] == {} and t.me["hand"]["B4"] == 1 and t.held == 5


def test_n11_02_n20_05_without_a_resource_the_machine_is_taken():
    """N11.2, N20.5: and charcoalium is no resource."""
    t = position(hand="R2", other={"hand": "B4", "tokens": "3 charcoalium"}).play("effect R2")
    assert t.seat == 1 and t.tokens == tokens() and t.other["hand"] == {} and "B4" in t.me["hand"]


@pytest.mark.parametrize(("cards", "charcoalium"), [(5, 3), (3, 2), (2, 1), (1, 0), (0, 4)])
def test_n11_03_r3_thins_the_hand(cards: int, charcoalium: int):
    """N11.3: to two machines, and 2 charcoalium go."""
    hand = ["B1", "B2", "B3", "B4", "B5"][:cards]
    spec = {"hand": " ".join(hand), "tokens": f"{charcoalium} charcoalium"}
    t = position(hand="R3", rng=3, other=spec).play("effect R3")
    draws, left = 0, list(hand)
    while len(left) > 2:
        left.pop(below(3, draws, len(left)))
        draws += 1
    assert list(t.other["hand"]) == left and sum(t.other["lost"].values()) == draws
    assert t.other["tokens"]["charcoalium"] == max(0, charcoalium - 2) and t.tokens == tokens()
    rng = 3
    for _ in range(draws):
        rng = splitmix.advance(rng)
    assert t.snap["rng"] == str(rng) and t.gone == {}


def test_n11_04_r4_destroys_two_resources():
    """N11.4: of the attacker's choice; they return to the reserve."""
    t = position(hand="R4", other={"tokens": "2 wood 1 copper 1 charcoalium"}).play("effect R4")
    assert t.phase == "pick" and t.snap["left"] == 1 and t.snap["previous"] == "wood"  # that was no question
    assert t.legal == {"pick wood", "pick copper"} and t.other["tokens"]["wood"] == 1
    t.play("pick copper")
    assert t.other["tokens"] == tokens("1 wood 1 charcoalium") and t.tokens == tokens()
    assert t.snap["reserve"] == {"charcoalium": 11, "wood": 7, "copper": 8, "crystal": 8}
    t = position(hand="R4", other={"tokens": "1 wood 2 copper 1 crystal"}).play("effect R4")
    assert t.legal == {"pick wood", "pick copper"} and t.snap["left"] == 2


@pytest.mark.parametrize("owned", ["1 crystal", "", "2 crystal", "1 wood 1 crystal"])
def test_n11_04_r4_against_few_resources(owned: str):
    """N11.4, N20.5: what there is goes without a question."""
    t = position(hand="R4", other={"tokens": owned + " 2 charcoalium"}).play("effect R4")
    assert t.seat == 1 and t.other["tokens"] == tokens("2 charcoalium")


def test_n11_05_n17_12_an_empty_hand():
    """N11.5, N17.12: nothing is drawn, no chance is used."""
    t = position(hand="R1", rng=5, other={"tokens": "1 charcoalium"}).play("effect R1")
    assert t.tokens == tokens("1 charcoalium") and t.snap["rng"] == "5"
    t = position(hand="R2", rng=5, other={"tokens": "1 wood"}).play("effect R2")
    assert t.tokens == tokens("1 wood") and t.snap["rng"] == "5"


def test_n11_06_every_card_can_be_taken():
    """N11.6: by number of copies; the other draws only after the own next play."""
    taken = Counter()
    for rng in range(60):
        t = position(hand="R1", rng=rng, other={"hand": "B1 Y2 Y2 Y2"}).play("effect R1")
        stolen = ["B1", "Y2", "Y2", "Y2"][below(rng, 0, 4)]
        assert t.other["hand"] == ({"Y2": 3} if stolen == "B1" else {"B1": 1, "Y2": 2}) and stolen in t.me["hand"]
        taken[stolen] += 1
    assert 5 <= taken["B1"] <= 28 and taken.total() == 60
    t.play("charcoalium Y2")
    assert sum(t.other["hand"].values()) == 5


@pytest.mark.parametrize(
    ("hand", "draws"), [("P1 P2 P3", (1, 1, 1, 0)), ("P1 P1", (1, 1, 0, 0)), ("P1", (1, 1, 0, 0)), ("", (0, 0, 0, 0))]
)
def test_n11_06_one_draw_for_each_machine(hand: str, draws: tuple[int, ...]):
    """N11.6, N18.2: and no other chance."""
    for kind, number in zip(("R1", "R2", "R3", "R4"), draws, strict=True):
        t = position(hand=kind, rng=11, other={"hand": hand}).play(f"effect {kind}")
        rng = 11
        for _ in range(number):
            rng = splitmix.advance(rng)
        assert t.snap["rng"] == str(rng), kind


# Special


def test_n12_01_y1_reserves_one_of_two_projects():
    """N12.1."""
    t = position(hand="Y1", project_top=[7, 4, 9]).play("effect Y1")
    assert t.phase == "keep" and t.snap["offer"] == [4, 7] and t.legal == {"keep 7", "keep 4"}
    assert t.snap["project_deck"][0] == 9
    t.play("keep 4")
    assert t.me["reserved"] == [4] and t.me["rejected"] == [7] and t.seat == 1 and t.snap["offer"] == []


def test_n12_01_tiles_are_listed_in_rising_order():
    """N12.1: those kept and those returned, whenever they were drawn."""
    t = position(hand="Y1", reserved=[2, 9], rejected=[5, 10], project_top=[7, 4]).play("effect Y1", "keep 4")
    assert t.me["reserved"] == [2, 4, 9] and t.me["rejected"] == [5, 7, 10]


def test_n12_01_01_n17_10_the_last_tile_is_reserved():
    """N12.1.1, N17.10: unasked."""
    t = position(hand="Y1", project_top=[7], project_deck=1).play("effect Y1")
    assert t.seat == 1 and t.me["reserved"] == [7] and t.me["rejected"] == [] and t.snap["project_deck"] == []


def test_n12_01_02_six_uses_empty_the_project_deck():
    """N12.1.2: of eleven tiles."""
    t = position(row="Y1", hand="Y1 Y1 Y1 Y2 Y2", other={"hand": "B1 B1 B1 B1 B2"}, top="Y2 B2 B2 B2 Y2 B3 B3 B3 B3")
    for kind in ("Y1", "Y1", "Y1", "Y2", "Y2"):
        t.play(f"effect {kind}")
        while t.phase != "turn":
            t.play(min(move for move in t.legal if move.startswith(("keep", "target"))))
        t.play(min(move for move in t.legal if move.startswith("charcoalium")))
    assert len(t.snap["project_deck"]) == 1
    t.play("effect Y2")
    while t.phase != "turn":
        t.play(min(t.legal))
    assert len(t.me["reserved"]) == 6 and len(t.me["rejected"]) == 5 and t.snap["project_deck"] == []


def test_n12_02_y2_copies_an_effect():
    """N12.2: the machine copied stays where it is."""
    t = position(row="B2 B3 P1:1", hand="Y2 B1 B2").play("effect Y2")
    assert t.phase == "target" and t.legal == {"target 1", "target 2", "target 3"} and t.snap["effect"] == "Y2"
    t.play("target 2")
    assert t.row == "B2 B3 P1:1 Y2" and t.tokens == tokens("1 copper")
    t = position(row="B2 P1", hand="Y2 B1 B2").play("effect Y2", "target 2")
    assert t.phase == "hand" and t.snap["effect"] == "P1" and t.snap["played"] == "Y2"


@pytest.mark.parametrize(
    ("kind", "moves", "mine", "yours", "row"),
    [  # from 2 and 1 of each token; the moves after the target, which is taken unasked
        ("B1", [], "2 3 2 2", "1 1 1 1", "B1 Y2"),
        ("B2", [], "4 2 2 2", "1 1 1 1", "B2 Y2"),
        ("B3", [], "2 2 3 2", "1 1 1 1", "B3 Y2"),
        ("B4", [], "2 2 2 3", "1 1 1 1", "B4 Y2"),
        ("B5", ["pick crystal"], "2 2 2 3", "1 1 1 1", "B5 Y2"),
        ("P1", ["discard B2", "pick wood", "pick wood"], "2 4 2 2", "1 1 1 1", "P1 Y2"),
        ("P2", [], "2 3 2 2", "1 1 1 1", "Y2"),
        ("P3", ["pick copper"], "3 2 3 2", "1 1 1 1", "Y2"),
        ("P4", ["exchange charcoalium-wood", "done"], "1 3 2 2", "1 1 1 1", "P4 Y2"),
        ("P5", ["pick wood", "pick copper"], "2 3 3 2", "1 1 1 1", "Y2"),
        ("R1", [], "3 2 2 2", "0 1 1 1", "R1 Y2"),
        ("R2", ["pick wood"], "2 3 2 2", "1 0 1 1", "R2 Y2"),
        ("R3", [], "2 2 2 2", "0 1 1 1", "R3 Y2"),
        ("R4", ["pick wood", "pick copper"], "2 2 2 2", "1 0 0 1", "R4 Y2"),
        ("Y1", ["keep 3"], "2 2 2 2", "1 1 1 1", "Y1 Y2"),
    ],
)
def test_n12_02_every_effect_can_be_copied(kind: str, moves: list[str], mine: str, yours: str, row: str):
    """N12.2, N16.7: all that the copied machine does is done."""
    other = {"hand": "B1 P1 P3", "tokens": "1 charcoalium 1 wood 1 copper 1 crystal"}
    held = "2 charcoalium 2 wood 2 copper 2 crystal"
    t = position(row=kind, hand="Y2 B2", tokens=held, other=other, project_top=[3, 4]).play("effect Y2", *moves)
    assert t.seat == 1 and t.row == row and t.me["last"] == {"use": "effect", "kind": "Y2", "effect": kind}
    assert [list(seat["tokens"].values()) for seat in (t.me, t.other)] == [
        [int(number) for number in text.split()] for text in (mine, yours)
    ]
    assert sum(t.other["hand"].values()) == (2 if kind in ("R1", "R2", "R3") else 3)
    assert t.me["reserved"] == ([3] if kind == "Y1" else [])
    assert_pieces(t.snap)


def test_n12_02_01_the_y2_is_this_machine():
    """N12.2.1: the copied machine is one of those before it, and may go; the Y2 counts for B2."""
    t = position(row="B2 P5", hand="Y2").play("effect Y2", "target 2")
    assert t.row == "B2 Y2" and t.phase == "pick" and t.snap["effect"] == "P5" and t.snap["discarded"] == "P5"
    t = position(row="B2", hand="Y2").play("effect Y2")
    assert t.seat == 1 and t.tokens == tokens("2 charcoalium")
    t = position(row="B1 B1 B3 P2", hand="Y2").play("effect Y2", "target 4")
    assert t.phase == "target" and t.snap["effect"] == "P2" and t.legal == {"target 2", "target 3", "target 4"}
    t = position(row="P3", hand="Y2").play("effect Y2")
    assert t.phase == "pick" and t.row == "Y2" and t.tokens == tokens("1 charcoalium")


def test_n12_02_02_n17_11_what_cannot_be_copied():
    """N12.2.2, N17.11: another Y2, and what could not be applied now."""
    t = position(row="Y2 P4 P1 Y1 B1 R1", hand="Y2", project_deck=0).play("effect Y2")
    assert t.legal == {"target 5", "target 6"}
    t = position(row="P1 B1", hand="Y2 B2").play("effect Y2")
    assert t.legal == {"target 1", "target 2"}


def test_n12_02_03_the_choice_stands():
    """N12.2.3: once the copied effect has begun, only it goes on."""
    t = position(row="B1 P4", hand="Y2", tokens="1 wood").play("effect Y2", "target 2")
    assert t.phase == "exchange" and not t.family("target")
    assert t.play("done").seat == 1
