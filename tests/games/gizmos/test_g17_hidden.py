"""Who sees what (G17.1-G17.4), and that nobody sees more (D7.7). What seats remember is in test_g17_known.py."""

from __future__ import annotations

import pytest

from tests.games.gizmos.positions import COLORS, MARBLES, Position, position
from tests.support.position import both_backends, engine_only

pytestmark = both_backends

TOPS = {1: [16, 17, 18], 2: [44, 45, 46], 3: [80, 81, 84]}


def test_g17_01_what_lies_open_is_public():
    """G17.1: the public snapshot differs in hidden cards, knowledge and chance only."""
    t = position(archive=[20], built=[8], others={1: {"ring": "2 red", "archive": [44], "tokens": 3}})
    full, public = t.snap, t.public
    assert set(full) - set(public) == {"rng"}
    assert {key for key in public if public[key] != full[key]} == {"decks", "known", "removed", "under"}
    assert public["decks"] == [len(deck) for deck in full["decks"]]


def test_g17_02_the_colors_in_the_dispenser_are_known():
    """G17.2: 13 of each less those that are seen."""
    t = position(ring="2 red", others={1: {"ring": "1 blue"}})
    public = t.public
    for color in COLORS:
        seen = public["row"][color] + sum(seat["ring"][color] for seat in public["seats"])
        assert public["dispenser"][color] == MARBLES - seen


@engine_only  # observations
def test_g17_02_the_colors_in_the_dispenser_can_be_observed():
    """G17.2: 13 of each less those that are seen."""
    t = position(ring="2 red", others={1: {"ring": "1 blue"}})
    row, dispenser = t.seen("row"), t.seen("dispenser")
    seen = row + t.seen("ring").sum(axis=0)
    assert (seen + dispenser).tolist() == [MARBLES] * len(COLORS)


def another_order() -> tuple[Position, Position]:
    """Two positions that differ in hidden cards only."""
    other = position(tops={1: [18, 17, 16], 2: [46, 44], 3: [90]}, removed=[80, 81, 84, 85])
    return position(tops=TOPS), other


def test_g17_03_another_order_of_the_decks_looks_the_same():
    """G17.3: and other cards removed do too."""
    t, other = another_order()
    assert t.public == other.public and t.snap != other.snap


@engine_only  # observations
def test_d07_07_g17_03_another_order_of_the_decks_is_observed_as_the_same():
    """G17.3: and other cards removed are too."""
    t, other = another_order()
    for seat in (0, 1):
        assert t.match.observe(seat).tobytes() == other.match.observe(seat).tobytes()


@pytest.mark.parametrize("level", [1, 2, 3])
def test_g17_04_researched_cards_are_hidden(level):
    """G17.4: all see level and number."""
    t = position(players=3, tops=TOPS).play(f"research {level}")
    assert t.public["hand"] == {"level": level, "cards": 3, "known_to": []}


def test_g17_04_cards_that_go_under_are_hidden():
    """G17.4: all see how many have been named, and how many are left."""
    t = position(tops=TOPS).play("research 1", "keep none", "under 2")
    assert t.snap["under"] == [18] and t.public["under"] == 1
    assert t.public["hand"] == {"level": 1, "cards": 2, "known_to": []} and t.public["kept"] is None


@engine_only  # observations
@pytest.mark.parametrize("level", [1, 2, 3])
def test_g17_04_researched_cards_are_seen_by_the_researcher_only(level):
    """G17.4: the others see level and number."""
    t = position(players=3, tops=TOPS).play(f"research {level}")
    assert t.seen("hand")[:4, 0].tolist() == [card + 1 for card in TOPS[level]] + [0]
    for seat in (0, 1, 2):
        assert t.seen("hand_size", seat) == 3 and t.seen("hand_level", seat)[level - 1] == 1
        assert t.seen("hand", seat).any() == (seat == 0)


@engine_only  # determinizations
@pytest.mark.parametrize("level", [1, 2, 3])
def test_g17_04_determinization_gives_the_researcher_other_cards_for_those_who_do_not_see_them(level):
    """G17.4: out of deck and removed cards of that level; the researcher keeps the hand."""
    t = position(players=3, tops=TOPS).play(f"research {level}")
    hand = t.snap["hand"]["cards"]
    found = set()
    for seed in range(20):
        own, others = (t.match.clone(determinize=seat, seed=seed).snapshot(omniscient=True) for seat in (0, 2))
        assert own["hand"]["cards"] == hand
        assert own["decks"] != t.snap["decks"]
        found.update(others["hand"]["cards"])
        for snap in (own, others):
            cards = [*snap["decks"][level - 1], *snap["hand"]["cards"], *(snap["removed"] if level == 3 else ())]
            before = [*t.snap["decks"][level - 1], *hand, *(t.snap["removed"] if level == 3 else ())]
            assert sorted(cards) == sorted(before)
            assert snap["removed"] == sorted(snap["removed"])
    assert len(found) > 15


def test_g17_04_a_card_being_paid_for_is_open():
    """G17.4: it is shown to all, but not its place in the hand."""
    t = position(built=[24], ring="1 red 1 blue", tops=TOPS).play("research 1", "build hand 0")
    assert t.phase == "pay" and t.snap["payment"]["place"] == 0
    assert t.public["payment"]["card"] == 16 and t.public["payment"]["place"] is None
    filed = position(built=[24], ring="1 red 1 blue", archive=[16]).play("build archive 0")
    assert filed.public["payment"]["place"] == 0  # an archive is open


@engine_only  # observations
def test_g17_04_a_card_being_paid_for_is_observed():
    """G17.4: by all; a determinization leaves it in the hand."""
    t = position(built=[24], ring="1 red 1 blue", tops=TOPS).play("research 1", "build hand 0")
    assert t.seen("paying_for", 1)[0] == 17 and not t.seen("hand", 1).any()
    for seed in range(8):
        other = t.match.clone(determinize=1, seed=seed)
        hand = other.snapshot(omniscient=True)["hand"]["cards"]
        assert 16 in hand and hand == sorted(hand)
        assert other.snapshot() == t.public
        assert other.legal_moves() == t.match.legal_moves()


@engine_only  # what is told of moves
@pytest.mark.parametrize(
    ("moves", "texts"),
    [
        (["file hand 1"], ["file hand (card 17)"]),
        (["build hand 0"], ["build hand (card 16)"]),
        (["keep none", "under 2", "under 0"], ["keep none", "under (hidden)", "under (hidden)"]),
    ],
)
def test_g17_04_what_others_are_told(moves, texts):
    """G17.4, G17.6: which card is filed or built, never its place in the hand; nothing of what goes under."""
    t = position(built=[24], ring="1 red", tops=TOPS).play("research 1")
    game, config = t.match.game, t.match.config
    for move, text in zip(moves, texts, strict=True):
        action = t.match.string_to_action(move)
        assert {game.told(t.match.state, config, action, viewer) for viewer in (1, None)} == {text}
        t.play(move)


@engine_only  # what is told of moves
def test_g17_04_all_other_moves_are_told_in_full():
    """G17.1: they can be seen."""
    t = position()
    hidden = ("file hand", "build hand", "under")
    for action, name in enumerate(t.match.action_names):
        if not name.startswith(hidden):
            assert t.match.game.told(t.match.state, t.match.config, action, 1) == name
