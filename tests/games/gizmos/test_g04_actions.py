"""Marbles, the turn, File and Pick (G4-G7)."""

from __future__ import annotations

import random
from collections import Counter

from bdgame_env.games.gizmos.cards import ADDS
from bdgame_env.games.gizmos.state import LEAST_LEFT, MOST_IN_RINGS
from tests.games.gizmos.positions import COLORS, marbles, new_game, position
from tests.support import splitmix
from tests.support.position import both_backends, engine_only

pytestmark = both_backends


def total(counts: dict[str, int]) -> int:
    return sum(counts.values())


def test_g04_01_the_row_is_filled_before_triggers():
    """G4.1: six marbles lie there while the draw of a Pick card waits."""
    t = position(built=[8], row="5 blue 1 red").play("pick blue")
    assert t.credits["draw"] == 1 and total(t.snap["row"]) == 6 and total(t.snap["dispenser"]) == 45


def test_g04_02_each_marble_is_equally_likely_to_come_out():
    """G4.2: the color follows from chance as the section on chance says; over 400 deals all come in proportion."""
    found = Counter()
    for rng in range(0, 400_000, 1000):
        t = position(row="6 red", rng=rng)
        before = t.snap
        after = t.play("pick red").snap
        (came,) = [color for color in COLORS if after["dispenser"][color] != before["dispenser"][color]]
        number = (splitmix.output(rng, 0) >> 32) * total(before["dispenser"]) >> 32
        stock = [color for color in COLORS for _ in range(before["dispenser"][color])]
        assert came == stock[number]
        found[came] += 1
    assert 35 < found["red"] < 90 and all(85 < found[color] < 145 for color in COLORS[1:])


def test_g04_02_a_drawn_marble_is_one_of_those_in_the_dispenser():
    """G4.2: it comes into the ring as one comes into the row."""
    found = set()
    for rng in range(0, 40_000, 1000):
        t = position(rng=rng).play("file 0")
        before = t.snap["dispenser"]
        t.play("draw")
        number = (splitmix.output(rng, 0) >> 32) * total(before) >> 32
        came = [color for color in COLORS for _ in range(before[color])][number]
        assert t.ring == marbles(f"1 {came}") and t.snap["dispenser"] == {**before, came: before[came] - 1}
        found.add(came)
    assert found == set(COLORS)


def test_g04_03_g08_06_marbles_that_paid_are_in_the_dispenser():
    """G4.3, G8.6: before the next chance event."""
    t = position(ring="2 red 1 blue", display={4: 40})
    before = t.snap["dispenser"]["red"]
    t.play("build 4")
    assert t.snap["dispenser"]["red"] == before + 2 and t.ring == marbles("1 blue")


@engine_only  # its constants
def test_g04_04_rings_never_hold_more_than_44_marbles():
    """G4.4: 5 for each seat and what all cards add."""
    assert (MOST_IN_RINGS, LEAST_LEFT) == (44, 2)
    assert 4 * 5 + sum(int(ADDS[card, 0]) for card in range(112)) == 44


def test_g04_04_g04_05_row_and_dispenser_always_have_eight():
    """G4.4, G4.5: six in the row, and two at least in the dispenser."""
    for seed in range(3):
        t = new_game(4, seed=seed)
        chance = random.Random(seed)
        for _ in range(150):
            if t.over:
                break
            assert total(t.snap["row"]) == 6 and total(t.snap["dispenser"]) >= 2
            liked = [move for move in t.legal if move.startswith(("pick", "draw", "build", "pay"))]
            t.play(chance.choice(sorted(liked or t.legal)))


def test_g04_04_were_the_dispenser_empty():
    """G4.4: then a Pick would leave five, and paying two would make it six again."""
    t = position(ring="3 red", display={4: 40, 5: 41}, built=[32]).lose_marbles("dispenser")
    t.play("pick blue")
    assert total(t.snap["row"]) == 5 and total(t.snap["dispenser"]) == 0
    t.play("pick red")  # seat 1
    t.play("build 4")
    assert total(t.snap["row"]) == 6 and total(t.snap["dispenser"]) == 0


def test_g04_05_nothing_comes_from_an_empty_dispenser_or_row():
    """G4.5: no draw, so the turn is over after the File; no Pick."""
    t = position().lose_marbles("dispenser").play("file 0")
    assert t.seat == 1 and t.held == 0
    t = position().lose_marbles("row")
    assert not t.family("pick") and t.family("file")


def test_g04_06_g07_02_a_full_ring_takes_nothing():
    """G4.6, G7.2: at the limit no Pick; a draw is lost."""
    t = position(ring="5 red")
    t.refuses("pick red", "pick blue")
    t.play("file 0")
    assert t.seat == 1 and t.held == 5


def test_g04_06_a_draw_3_stops_at_the_limit():
    """G4.6: with four marbles only one of three can be drawn."""
    t = position(ring="4 red", built=[78]).play("file 0")
    assert t.credits["draw"] == 4
    t.play("draw")
    assert t.seat == 1 and t.held == 5


@engine_only  # the names of all moves
def test_g04_07_no_move_is_a_discard():
    """G4.7: there is no such word."""
    names = new_game().match.action_names
    assert {name.split()[0] for name in names} == {
        *("file", "build", "pick", "research", "keep", "draw", "take", "end", "pay", "convert", "under")
    }


def test_g04_06_a_full_ring_leaves_the_other_effects():
    """G4.6, G12.3: a draw cannot be used, the points can."""
    t = position(ring="5 red", built=[76]).play("file 0")
    assert t.credits["draw"] == t.credits["points"] == 1 and t.legal == {"take points", "end"}
    t.play("take points")
    assert t.seat == 1 and t.me["tokens"] == 1 and t.held == 5


def test_g04_07_no_move_discards_or_exchanges():
    """G4.7: only a Build takes marbles out of a ring."""
    t = position(ring="5 red")
    for move in sorted(t.legal):
        if not move.startswith("build"):
            assert t.copy().play(move).held >= 5


def test_g04_08_the_row_is_counted_by_color():
    """G4.8: a Pick names a color, whichever of its marbles it is."""
    t = position(row="6 blue")
    assert t.family("pick") == {"pick blue"} and t.snap["row"] == marbles("6 blue")


def test_g05_01_one_of_four_actions_must_be_done():
    """G5.1: File, Pick, Build, Research; the turn cannot be ended without."""
    t = position(ring="1 red", display={0: 16}).refuses("end")
    assert {move.split()[0] for move in t.legal} == {"file", "pick", "build", "research"}
    assert t.play("pick red").seat == 1


def test_g05_02_after_the_action_triggered_cards_then_the_next_seat():
    """G5.2: in the chain no second action of the turn is possible."""
    t = position(ring="1 red", display={0: 16}).play("file 3")
    assert (t.seat, t.phase, t.legal) == (0, "chain", {"draw", "end"})
    assert t.play("draw").seat == 1 and t.phase == "main"


STUCK = {"ring": "5 red", "built": [100], "archive": [57]}


def stuck_table(**rest):
    """Seat 0 can do nothing: full ring of red, full archive, no Research, nothing red to build."""
    display = {0: 17, 1: 18, 2: 19, 3: 21, 4: 41, 5: 42, 6: 43, 7: 88, 8: 84}
    return position(**STUCK, display=display, **rest)


def test_g05_03_who_can_do_nothing_passes():
    """G5.3: `end` is legal then, and only then; it is the only move."""
    t = stuck_table()
    assert t.legal == {"end"}
    t.play("end")
    assert t.seat == 1 and t.snap["passes"] == 1
    assert t.play("pick blue").snap["passes"] == 0


def test_g05_03_who_can_build_does_not_pass():
    """G5.3: with a red card that can be paid `end` is refused."""
    t = position(**STUCK, display={0: 16, 1: 18, 2: 19, 3: 21, 4: 41, 5: 42, 6: 43, 7: 88, 8: 84})
    assert t.legal == {"build 0"}
    t.refuses("end")


def test_g05_04_when_everybody_passes_in_turn_the_game_is_over():
    """G5.4, D6.1: scored, and not called truncated, in the last possible round either."""
    t = stuck_table(others={1: {"ring": "5 yellow", "built": [101], "archive": [56]}}, round=7, max_rounds=7)
    t.lay(display=dict.fromkeys(range(9)))
    t.play("end")
    assert t.seat == 1 and not t.over and t.legal == {"end"}
    t.play("end")
    assert t.over and not t.snap["truncated"] and t.snap["passes"] == 2
    assert (t.seat, t.snap["round"]) == (1, 7) and t.points == [8, 8]


def test_g05_04_as_many_passes_as_players():
    """G5.4: of three seats two have passed, the third plays on."""
    t = stuck_table(players=3, passes=1).play("end")
    assert t.snap["passes"] == 2 and not t.over and t.seat == 1


def test_g05_04_a_pass_in_between_does_not_count():
    """G5.4: in a row."""
    t = stuck_table(passes=0).play("end", "pick red", "end")
    assert t.snap["passes"] == 1 and not t.over


def test_g05_05_marks_and_effects_end_with_the_turn():
    """G5.5: credits not used lapse, spent cards are ready for the next turn."""
    t = position(built=[8], row="6 blue").play("pick blue")
    assert t.snap["spent"] == [8] and t.credits["draw"] == 1
    t.play("end")
    assert t.seat == 1 and not any(t.credits.values()) and t.snap["spent"] == []
    t.play("pick blue", "pick blue")
    assert t.snap["spent"] == [8] and t.credits["draw"] == 1


def test_g06_01_any_display_card_can_be_filed():
    """G6.1: of every level, without cost; it lies in the archive, the last filed last."""
    t = position(archive=[20], built=[32], display={8: 90})
    assert t.family("file") == {f"file {place}" for place in range(9)}
    t.play("file 8")
    assert t.me["archive"] == [20, 90] and t.held == 0


def test_g06_02_not_with_a_full_archive_nor_with_a_ban():
    """G6.2: also with room, if filing is forbidden."""
    assert not position(archive=[20]).family("file")
    assert not position(built=[98]).family("file")
    assert position(built=[32], archive=[20]).family("file")


def test_g06_03_a_filed_card_only_waits():
    """G6.3: no points, no effect, no way out but a Build."""
    t = position(archive=[8], row="6 blue", ring="1 red")
    assert t.score == 0
    t.play("pick blue")
    assert t.seat == 1 and t.snap["spent"] == []
    t.play("pick blue", "build archive 0")
    assert t.me["archive"] == [] and t.me["built"] == [0, 8] and t.score == 1


def test_g07_01_a_marble_of_the_row():
    """G7.1: only colors that lie there; it is in the ring, and the row has six again."""
    t = position(row="3 red 3 yellow")
    assert t.family("pick") == {"pick red", "pick yellow"}
    t.play("pick yellow")
    assert t.ring == marbles("1 yellow") and total(t.snap["row"]) == 6


def test_g07_03_a_draw_is_no_pick():
    """G7.3: the drawn marble triggers no Pick card, whatever its color."""
    t = position(built=[40, 41, 42, 43]).play("file 0", "draw")
    assert t.seat == 1 and t.held == 1
