"""What players remember (N16.6, N16.7), and what each is told of a move (N16.4)."""

from __future__ import annotations

import pytest

from tests.games.nicodemus.positions import Position, position
from tests.support.position import both_backends, engine_only, reference_plays
from tests.support.reference.nicodemus_cards import KINDS

pytestmark = both_backends


def memory(t: Position, seat: int) -> tuple[dict[str, int], dict[str, int]]:
    """What a seat knows of the other hand: the known and the doubtful machines, as its own snapshot tells it."""
    known, doubtful = (t.snap["seats"][seat][name] for name in ("known", "doubtful"))
    for viewer in (0, 1):
        facts = t.told(viewer)["seats"][seat]
        assert (facts["known"], facts["doubtful"]) == (known, doubtful)
    if not reference_plays():  # it has no observations
        observed = [
            {kind: int(number) for kind, number in zip(KINDS, t.seen(name, seat)[0], strict=True) if number}
            for name in ("known", "doubtful")
        ]
        assert observed == [known, doubtful]
    return known, doubtful


def test_n16_06_n16_06_05_nobody_knows_anything_at_first_and_spectators_never_do():
    """N16.6, N16.6.5."""
    t = position(hand="R1", other={"hand": "B1"})
    assert memory(t, 0) == memory(t, 1) == ({}, {})
    t.play("effect R1")
    assert memory(t, 1) == ({"B1": 1}, {}) and t.public["seats"][1]["known"] is None


@engine_only  # observations
def test_n16_06_05_the_thief_sees_what_the_other_knows():
    """N16.6.5."""
    t = position(hand="R1", other={"hand": "B1"}).play("effect R1")
    assert t.seen("known", 0)[1].sum() == 1


@pytest.mark.parametrize("thief", ["R1", "R2", "Y2"])
def test_n16_06_01_a_stolen_machine_is_known(thief: str):
    """N16.6.1: stolen by either machine, or by a copy of one."""
    t = position(row="R1", hand=thief, other={"hand": "B1", "tokens": ""}).play(f"effect {thief}")
    assert memory(t, 1) == ({"B1": 1}, {}) and memory(t, 0) == ({}, {})


def test_n16_06_02_a_machine_that_is_played_is_the_known_one():
    """N16.6.2: even if the hand may have another one of the kind."""
    t = position(seat=1, hand="P2", other={"hand": "B1 B1", "known": ""}, known="B1").play("charcoalium P2")
    t.play("charcoalium B1")
    assert memory(t, 1) == ({}, {}) and t.other["hand"]["B1"] >= 1


def test_n16_06_02_a_machine_that_is_stolen_back():
    """N16.6.2: the thief of before knows it now."""
    t = position(hand="R1", known="B1", other={"hand": "B1"}).play("effect R1")
    assert memory(t, 0) == ({}, {}) and memory(t, 1) == ({"B1": 1}, {})


def test_n16_06_02_known_ones_before_doubtful_ones():
    """N16.6.2."""
    t = position(seat=1, hand="B2", known="B1", doubtful="B1", other={"hand": "B1 B1 B1", "lost": "B1"})
    t.play("charcoalium B2")
    assert memory(t, 1) == ({"B1": 1}, {"B1": 1})
    t.play("charcoalium B1", "charcoalium B2")
    assert memory(t, 1) == ({}, {"B1": 1})
    t.play("charcoalium B1")
    assert memory(t, 1) == ({}, {})


def test_n16_06_03_r3_leaves_doubts():
    """N16.6.3: one of each kind for each machine lost; a hand of which all is known leaves nothing open."""
    t = position(hand="R3", known="B1 B1 Y2", other={"hand": "B1 B1 Y2"}).play("effect R3")
    assert sum(t.other["lost"].values()) == 1 and memory(t, 0) == ({"B1": 1}, {"B1": 1, "Y2": 1})
    t = position(hand="R3", known="B1 B1 Y2", other={"hand": "B1 B1 Y2 P1 P2"}).play("effect R3")
    assert sum(t.other["lost"].values()) == 3 and memory(t, 0) == ({}, {"B1": 2, "Y2": 1})
    t = position(hand="R3", known="B1 B1", other={"hand": "B1 B1"}).play("effect R3")
    assert memory(t, 0) == ({"B1": 2}, {})


def test_n16_06_03_the_own_losses_are_no_doubt():
    """N16.6.3: what the loser knows of the other hand stays."""
    t = position(hand="R3 Y1", other={"hand": "B1 B2 B3", "known": "Y1"}).play("effect R3")
    assert memory(t, 1) == ({"Y1": 1}, {})


@pytest.mark.parametrize(
    ("discard", "picks", "known", "doubtful"),
    [
        ("P5", ("wood", "copper"), {"B1": 1, "R1": 1}, {"P5": 1}),  # B1: no wood; R1: no copper
        ("P5", ("crystal", "crystal"), {"B1": 1, "R1": 1}, {"P5": 1}),  # each of them has one crystal only
        ("P5", ("wood", "crystal"), {"B1": 1}, {"P5": 1, "R1": 1}),
        ("B1", ("copper", "crystal"), {"R1": 1}, {"B1": 1, "P5": 1}),
        ("Y2", ("copper", "copper"), {"B1": 1, "P5": 1, "R1": 1}, {}),  # none of them can give it
    ],
)
def test_n16_06_04_the_gains_of_p1_tell(discard: str, picks: tuple[str, str], known, doubtful):
    """N16.6.4: after the second pick only what fits both is in doubt; before nothing is."""
    t = position(hand="P1 B1 P5 R1 Y2", other={"known": "B1 P5 R1"}).play("effect P1", f"discard {discard}")
    assert memory(t, 1) == ({"B1": 1, "P5": 1, "R1": 1}, {})
    t.play(f"pick {picks[0]}")
    assert memory(t, 1) == ({"B1": 1, "P5": 1, "R1": 1}, {})
    t.play(f"pick {picks[1]}")
    assert memory(t, 1) == (known, doubtful)


def test_n16_06_drawing_and_repairing_change_nothing():
    """N16.6: nor do passes."""
    t = position(
        seat=1, row="P1 B1", hand="B2", known="Y2", tokens="1 wood 1 copper 1 charcoalium", other={"hand": "Y2"}
    )
    t.play("repair 1")
    assert memory(t, 1) == ({"Y2": 1}, {})
    t = position(row="", known="Y2", other={"hand": "Y2 B1"}).play("pass", "charcoalium B1")
    assert memory(t, 0) == ({"Y2": 1}, {})


def last(t: Position, seat: int) -> tuple[str, str | None, str | None] | None:
    found = t.public["seats"][seat]["last"]
    return found and (found["use"], found["kind"], found["effect"])


TURNS: list[tuple[list[str], tuple[str, str, str | None]]] = [
    (["charcoalium B1"], ("charcoalium", "B1", None)),
    (["produce B1"], ("produce", "B1", None)),
    (["effect B1"], ("effect", "B1", "B1")),
    (["effect Y2", "target 2"], ("effect", "Y2", "B2")),
    (["repair 1", "done"], ("repair", "P1", None)),
]


def before_a_turn() -> Position:
    return position(row="P1 B2", hand="B1 Y2", workshop="B1", board=[6], tokens="1 wood 1 copper 1 charcoalium")


@pytest.mark.parametrize(("moves", "wanted"), TURNS)
def test_n16_07_the_latest_turn(moves: list[str], wanted):
    """N16.7: noted when it begins, kept until the next one of that seat; seen by all."""
    t = before_a_turn()
    assert last(t, 0) == ("pass", None, None)
    t.play(moves[0])
    assert last(t, 0) is not None and last(t, 0)[:2] == wanted[:2]
    t.play(*moves[1:])
    assert t.seat == 1 and last(t, 0) == wanted and last(t, 1) == ("pass", None, None)


@engine_only  # observations
@pytest.mark.parametrize(("moves", "wanted"), TURNS)
def test_n16_07_the_latest_turn_is_observed(moves: list[str], wanted):
    """N16.7: by both."""
    t = before_a_turn().play(*moves)
    assert t.seen("last_use", 1)[1].sum() == 1 and t.seen("last_kind", 0)[0][KINDS.index(wanted[1])] == 1
    assert t.seen("last_effect", 1)[1].sum() == (wanted[2] is not None)


def test_n16_07_before_the_first_turn_there_is_none():
    """N16.7."""
    t = position(round=1)
    assert last(t, 0) is last(t, 1) is None
    assert last(t.play("pass"), 0) == ("pass", None, None)


@engine_only  # observations
def test_n16_07_before_the_first_turn_none_is_observed():
    """N16.7."""
    assert not position(round=1).seen("last_use").any()


@engine_only  # names of moves
def test_n16_04_what_a_viewer_is_told_of_a_move():
    """N16.4: of P1's discard only that there is one; all else in full."""
    t = position(hand="P1 B1 B2", other={"hand": "Y2"}).play("effect P1")
    game, config, names = t.match.game, t.match.config, t.match.game.notation(t.match.config)[0]
    assert game.told is not None
    for action, name in enumerate(names):
        full = [game.told(t.match.states[0], config, action, viewer) for viewer in (0, 1, None)]
        assert full == ([name, "discard", "discard"] if name.startswith("discard") else [name] * 3)
