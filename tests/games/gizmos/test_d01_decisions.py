"""The game as a sequence of decisions (D1-D7)."""

from __future__ import annotations

import random

import numpy as np
import pytest

import bdgame_env
from bdgame_env.engine.jit import JIT_DISABLED
from bdgame_env.games.gizmos.game import GAME, max_decisions_in_a_turn
from tests.games.gizmos.positions import COLORS, marbles, new_game, position, rich_position
from tests.support.position import both_backends, engine_only

pytestmark = both_backends

GAMES = 1 if JIT_DISABLED else 10
BUILDERS = ("build", "pay", "convert")


def random_game(seed: int, players: int = 2, eager: float = 0.0, rich: bool = False, **options):
    """A match before each decision of a random game."""
    chance = random.Random(seed)
    match = (rich_position if rich else new_game)(seed=seed, players=players, **options).match
    while not match.over:
        yield match
        legal = match.legal_moves()
        liked = [move for move in legal if move.startswith(BUILDERS)]
        match.play(chance.choice(liked if liked and chance.random() < eager else legal))
    yield match


@engine_only  # numbers of actions
def test_d01_01_d02_01_one_flat_set_of_106_actions():
    """D1.1, D2.1: by families; the same seat decides until its turn is over."""
    names = new_game().match.action_names
    assert len(names) == 106 == new_game().match.config.num_actions
    families = {}
    for name in names:
        verb = name.rpartition(" ")[0] if name.split()[-1].isdigit() else name.split()[0]
        families[verb] = families.get(verb, 0) + 1
    by_place = {"file": 9, "build": 9, "build archive": 9, "file hand": 15, "build hand": 15, "pay": 8, "under": 15}
    others = {"pick": 4, "research": 3, "keep": 1, "draw": 1, "take": 1, "end": 1, "convert": 15}
    assert families == by_place | others
    assert [names.index(name) for name in ("build 0", "build archive 0", "pick red", "research 1")] == [9, 18, 27, 31]
    assert [names.index(name) for name in ("keep none", "end", "pay 0", "convert red-any", "under 0")] == [
        *(64, 67, 68, 76, 91)
    ]


def test_d01_01_the_seat_changes_at_the_end_of_a_turn_only():
    """D1.1: each turn begins in main, and the next seat's begins when it is over."""
    seat, phase = 0, "main"
    for match in random_game(3, players=3, eager=0.5, max_rounds=20):
        snap = match.snapshot()
        if snap["seat"] != seat:
            assert snap["seat"] == (seat + 1) % 3 and snap["phase"] == "main"
        seat, phase = snap["seat"], snap["phase"]
    assert phase == "over"


def test_d01_02_the_order_of_colors():
    """D1.2: in snapshots."""
    t = position(ring="2 red 3 blue 2 yellow", built=[72], display={7: 108})
    snap = t.snap
    assert all(list(marbles) == list(COLORS) for marbles in (t.ring, snap["row"], snap["dispenser"]))
    t.play("build 7")
    assert t.held == 0 and list(t.ring) == list(COLORS)


@engine_only  # observations, numbers of actions
def test_d01_02_the_order_of_colors_in_actions_and_observations():
    """D1.2: the same there."""
    t = position(ring="1 red 2 blue 1 yellow", row="3 blue 3 yellow")
    assert t.seen("ring")[0].tolist() == [1, 2, 0, 1]
    assert t.seen("row").tolist() == [0, 3, 0, 3]
    assert list(t.match.action_names[27:31]) == [f"pick {color}" for color in COLORS]


def test_d01_03_phases():
    """D1.3: one after the other in a turn with everything in it."""
    t = position(ring="1 blue", built=[24, 62, 91], tops={1: [16, 22, 18]})
    phases = [t.phase]
    for move in ("research 1", "build hand 1"):
        phases.append(t.play(move).phase)
    assert phases == ["main", "hand", "convert"]
    phases = [t.play(move).phase for move in ("convert blue-any", "under 0")]
    assert phases == ["under", "main"]
    t = position(ring="1 red 1 blue", built=[24], display={0: 16})
    assert t.play("build 0").phase == "pay"
    assert t.copy().play("pay 1").seat == 1
    assert position().play("file 0").phase == "chain"


@engine_only  # environments
def test_d01_04_only_the_seat_on_turn_has_legal_actions():
    """D1.4: in PettingZoo's environment the masks of the others are zero, in hand too."""
    from bdgame_env import gizmos_v3

    env = gizmos_v3.raw_env(players=3, max_rounds=2)
    env.reset(seed=1)
    names = new_game().match.action_names
    env.step(names.index("research 1"))
    assert env.agent_selection == "player_0"
    assert env.observe("player_0")["action_mask"].any()
    assert not env.observe("player_1")["action_mask"].any() and not env.observe("player_2")["action_mask"].any()


def test_d01_04_what_is_no_move_changes_nothing():
    """D1.4, D2: words that mean nothing, and moves of other phases."""
    nonsense = ("", "nonsense", "file 9", "pick green", "research 4", "pick ")
    position().refuses(*nonsense, "end", "pay 0", "draw", "take points", "keep none", "under 0")


def test_d02_02_picks_name_colors():
    """D2.2: four at most, whatever lies in the row."""
    assert len(position().family("pick")) == 4
    assert position(row="6 black").family("pick") == {"pick black"}


@engine_only  # its tables
def test_d02_03_types_of_converters():
    """D2.3: each converter of the config has one of 15 types."""
    from bdgame_env.games.gizmos.cards import CARDS, CONVERTER_TYPES

    assert len(CONVERTER_TYPES) == 15 == len(set(CONVERTER_TYPES))
    found = CARDS.converter[CARDS.converter >= 0]
    assert np.bincount(found, minlength=15).tolist() == [2, 2, 2, 2, 1, 1, 1, 1, 2, 2, 2, 2, 2, 1, 1]
    assert [CONVERTER_TYPES[CARDS.converter[card]] for card in (26, 60, 64, 92, 94, 95)] == [
        *("red-any", "2yellow-any", "blue-2blue", "any-any", "red-2red+black-2black", "blue-2blue+yellow-2yellow")
    ]


def test_d03_01_triggered_cards_add_to_counters():
    """D3.1: a draw 3 adds 3, a pick 2 adds 2; the cards are spent."""
    t = position(built=[78, 79, 4]).play("file 0")
    assert t.credits["draw"] == 7 and t.credits["pick"] == 1 and t.snap["spent"] == [0, 4, 78, 79]
    assert t.play("draw").credits["draw"] == 6


def test_d03_02_cards_with_one_effect_stand_in_for_each_other():
    """D3.2: two File cards that pick, one counter; a second File adds nothing."""
    t = position(built=[4, 5, 84, 32], ring="1 blue", display={0: 17}).play("build 0", "file 1")
    assert t.credits["pick"] == 2
    t = position(built=[84, 85, 4, 32, 33], ring="1 blue 1 red", display={0: 17, 1: 16}).play("file 2", "pick red")
    assert t.credits["pick"] == 0 and t.credits["draw"] == 1


def test_d03_03_a_build_in_chain_is_the_free_one():
    """D3.3: without the credit there is none, though the ring could pay."""
    t = position(ring="2 red", built=[19], display={0: 16, 1: 20}).play("build 0")
    assert t.credits["pick"] == 1 and not t.family("build")


def test_d03_04_the_turn_ends_by_itself():
    """D3.4: after the last credit, and at once if no credit can be used."""
    assert position().play("file 0", "draw").seat == 1
    assert position(ring="5 red").play("file 0").seat == 1
    assert position().play("pick red").seat == 1


def test_d03_05_points_at_once_or_by_a_move():
    """D3.5: they wait, and `end` declines them; in the quick variant they are taken at once."""
    t = position(rules="quick", ring="1 red", built=[22, 81], display={0: 16}).play("build 0")
    assert t.me["tokens"] == 3 and t.seat == 1
    t = position(ring="1 red", built=[22, 81], display={0: 16}).play("build 0")
    assert t.credits["points"] == 3 and t.legal == {"take points", "end"}
    assert t.copy().play("end").me["tokens"] == 0
    assert t.play("take points").me["tokens"] == 3 and t.seat == 1


def test_d03_06_cards_go_under_shuffled_or_one_by_one():
    """D3.6: in the order named; in the quick variant in random order, from chance alone."""
    tops = {1: [16, 17, 18]}
    orders = set()
    for rng in range(60):
        t = position(rules="quick", tops=tops, rng=rng).play("research 1", "keep none")
        orders.add(tuple(t.snap["decks"][0][-3:]))
    assert len(orders) == 6
    t = position(tops=tops).play("research 1", "keep none")
    assert t.legal == {"under 0", "under 1", "under 2"}
    t.play("under 2")
    assert t.legal == {"under 0", "under 1"} and t.snap["under"] == [18] and t.snap["hand"]["cards"] == [16, 17]
    t.play("under 1")
    assert t.snap["decks"][0][-3:] == [18, 17, 16]


def test_d03_06_a_single_card_needs_no_decision():
    """D3.6: two researched, one kept: the other goes under by itself."""
    t = position().lay(decks={1: [16, 17]}).play("research 1", "file hand 0")
    assert t.phase == "chain" and t.snap["decks"][0] == [17]


def test_d03_07_all_moves_occur():
    """D3.7: every family of actions is played."""
    families = {*("file", "pick", "build", "research", "keep", "draw", "take", "end", "pay", "convert", "under")}
    found = set()
    for seed in range(40):
        if found == families:
            break
        for match in random_game(seed, 2 + seed % 3, 0.6, seed % 2 == 1, max_rounds=40):
            found.update(move.split()[0] for move in match.legal_moves())
    assert found == families


def test_d04_01_most_payments_ask_nothing():
    """D4.1: one color, one price: no decision between the choice and the next turn."""
    assert position(ring="3 red 2 blue", display={4: 40}).play("build 4").seat == 1


def test_d04_02_no_build_without_a_payable_choice():
    """D4.2: and with a discount nothing at all can be one."""
    position(ring="1 red", display={4: 40}).refuses("build 4")
    assert "build archive 0" in position(built=[104], archive=[16]).legal


def test_d04_03_colors_are_asked_in_turn():
    """D4.3: a generic card of 7 with 3 red, 3 blue, 2 black, 1 yellow."""
    t = position(ring="3 red 3 blue 2 black 1 yellow", built=[72, 73], display={7: 108}).play("build 7")
    assert t.legal == {"pay 1", "pay 2", "pay 3"} and t.snap["payment"]["paid"] == []
    t.play("pay 2")
    assert t.legal == {"pay 2", "pay 3"} and t.snap["payment"]["paid"] == [2]
    t.play("pay 3")
    assert t.legal == {"pay 1", "pay 2"} and t.snap["payment"]["paid"] == [2, 3]
    t.play("pay 1")  # the last yellow is forced
    assert t.ring == marbles("1 red 1 black") and t.seat == 1


def test_d04_04_doublings_are_counted():
    """D4.4: 2 marbles reach 4 with two doublers, 5 with three halves."""
    assert "build 7" in position(ring="2 red", built=[66, 68], display={7: 76}).legal
    assert "build 7" not in position(ring="2 red", built=[66, 68], display={7: 80}).legal
    assert "build 7" in position(ring="2 red", built=[66, 68, 94], display={7: 80}).legal


def test_d02_04_the_order_of_equal_steps_leaves_no_trace():
    """D2.4: two cards filed, built or named one way or the other; the researched ones rise."""
    display, tops = {0: 16, 1: 21, 2: 36, 3: 20}, {1: [39, 38]}  # red: 85 and 88; blue or yellow: 84
    turn = {"ring": "1 red", "built": [84, 85, 88, 32, 33], "display": display, "tops": tops}
    one, other = (position(**turn).play("build 0", "build 1") for _ in range(2))
    assert one.credits["file"] == 2
    one.play("file 2", "file 3")
    other.play("file 3", "file 2")
    assert one.me["archive"] == other.me["archive"] == [20, 36]
    t = position(tops={1: [19, 16, 18]}).play("research 1")
    assert t.snap["hand"]["cards"] == [16, 18, 19]
    t = position(ring="1 red", built=[100], display={0: 20}).play("build 0")
    assert t.snap["seats"][0]["built"] == [0, 20, 100]


WAYS = {"ring": "1 blue", "display": {0: 22}}  # black, cost 1: as black by either of two converters


def test_d04_05_converters_are_asked_for_only_if_a_payment_can_follow():
    """D4.5: with a Research to come, and no ban."""
    none = position(**WAYS, built=[24, 62]).play("build 0")
    assert none.seat == 1 and none.snap["used"] == []
    assert position(**WAYS, built=[24, 62, 91]).play("build 0").phase == "convert"
    assert position(**WAYS, built=[24, 62, 91, 100]).play("build 0").seat == 1
    assert position(ring="1 blue 1 black", built=[24, 62], display={7: 90}).copy().phase == "main"


def test_d04_05_a_card_being_built_counts():
    """D4.5: the Build-to-Research card itself, though nothing is left to trigger it."""
    t = position(ring="5 red 2 blue", built=[24, 30, 62, 72], display={7: 90}).play("build 7")
    assert t.phase == "convert" and t.legal == {"convert blue-any", "convert 2blue-any"}


def test_d04_05_a_spent_card_does_not_count():
    """D4.5: in the Research that it granted, no further payment can follow."""
    t = position(rules="quick", ring="1 red 1 blue", built=[24, 62, 91], display={0: 36}, tops={1: [39, 22, 18, 19]})
    t.play("build 0", "pay 1", "research 1")
    t.play(f"build hand {t.snap['hand']['cards'].index(22)}")
    assert t.seat == 1 and 22 in t.me["built"] and t.snap["used"] == []


def test_d04_05_a_research_that_still_waits_counts():
    """D4.5: of two granted by cards that are spent now, the second can bring another payment."""
    built, tops = [24, 62, 88, 90, 91], {1: [39, 38, 22, 18, 19]}
    t = position(ring="1 red 1 blue", built=built, display={0: 16, 1: 17}, tops=tops)
    t.play("build 0", "pay 1", "build 1")  # red: 88 and 91; blue: 90
    assert t.credits["research"] == 2
    t.play("research 1", "build hand 2")
    assert t.phase == "convert" and t.legal == {"convert blue-any", "convert 2blue-any"}
    assert t.play("convert blue-any").snap["used"] == [24] and t.credits["research"] == 1


def test_d04_06_naming_converters():
    """D4.6: 2 blue as black by one double card, or by two single ones."""
    t = position(ring="2 blue", built=[30, 24, 62, 91], display={4: 42}).play("build 4")
    assert t.legal == {"convert blue-any", "convert 2blue-any"}
    twice = t.copy().play("convert 2blue-any")
    assert twice.phase != "convert" and 42 in twice.snap["seats"][0]["built"]
    t.play("convert blue-any")  # the second single one is forced: `2blue-any` would make the first needless
    assert 42 in t.me["built"]


def test_d04_06_the_only_minimal_set_is_not_asked_for():
    """D4.6: 1 red and 1 blue as 2 black need both converters, in whatever order."""
    t = position(ring="1 red 1 blue", built=[62, 63, 90], display={4: 42}).play("build 4")
    assert 42 in t.me["built"] and t.snap["used"] == [62, 63] and t.credits["research"] == 1


def test_d04_06_types_are_named_one_by_one():
    """D4.6: each that some minimal multiset has; when the rest is forced it is over."""
    types = {"convert red-any", "convert 2red-any", "convert any-any"}
    t = position(ring="1 red", built=[26, 63, 91, 92], archive=[7]).play("build archive 0")
    assert t.legal == types and t.snap["payment"]["paid"] == [1, 0, 0, 0]
    assert t.play("convert any-any").snap["used"] == [92]
    t = position(ring="2 red", built=[26, 63, 91, 92], archive=[43]).play("build archive 0")
    assert t.legal == types
    assert t.play("convert red-any").snap["used"] == [26, 92]  # 63 does not need the other two


def test_d04_06_d02_04_types_named_lie_in_order():
    """D2.4, D4.6: with two of four changes of color named, three ways are left."""
    t = position(ring="4 blue", built=[24, 30, 62, 91, 92, 93], display={7: 77}).play("build 7")
    t.play("convert any-any", "convert blue-any")
    assert t.snap["payment"]["converters"] == ["blue-any", "any-any"]
    assert t.legal == {"convert blue-any", "convert any-any", "convert 2blue-any"}
    t.play("convert 2blue-any")
    assert 77 in t.snap["seats"][0]["built"] and t.snap["seats"][0]["ring"] == marbles()


def test_d04_06_of_several_cards_the_lowest_numbers():
    """D4.6: used is the unused one of the type with the lowest number."""
    t = position(ring="1 blue", built=[30, 24, 91], display={0: 16}).play("build 0")
    assert t.credits["research"] == 1 and t.snap["used"] == [24]


def test_d04_07_main_and_hand_are_always_asked():
    """D4.7: even with one choice; pay and convert only with two."""
    t = position(archive=[20]).play("research 1")
    assert t.phase == "hand" and t.legal == {"keep none"}
    for seed in range(GAMES):
        for match in random_game(seed, eager=0.7, max_rounds=30):
            if match.snapshot()["phase"] in ("pay", "convert", "under"):
                assert len(match.legal_moves()) > 1


def test_d04_08_the_order_inside_a_build():
    """D4.8: the marbles that pay fill a short row; display and limits are new before the trigger is used."""
    t = position(ring="3 blue", built=[51, 84], archive=[20], display={4: 73}, tops={2: [75]})
    t.lay(row="3 red 1 black 1 yellow", dispenser="").play("build 4")
    assert t.snap["row"] == marbles("3 red 1 blue 1 black 1 yellow") and t.snap["dispenser"] == marbles("2 blue")
    assert t.snap["display"][4] == 75 and t.credits["pick"] == t.credits["file"] == 1
    assert t.family("file")


@pytest.mark.parametrize("rich", [False, True])
@pytest.mark.parametrize("eager", [0.0, 0.8])
def test_d05_01_d05_02_no_dead_ends(eager, rich):
    """D5.1, D5.2: in each phase there is a move; a Build that was chosen is carried out."""
    for seed in range(3 * GAMES):
        chosen, seat = None, 0
        for match in random_game(seed, 2 + seed % 3, eager, rich, max_rounds=40):
            snap, legal = match.snapshot(omniscient=True), match.legal_moves()
            assert bool(legal) != match.over
            if snap["phase"] == "hand":
                assert "keep none" in legal
            if snap["phase"] == "chain":
                assert "end" in legal
            if chosen is not None and snap["payment"] is None:
                assert chosen in snap["seats"][seat]["built"]
            chosen = snap["payment"]["card"] if snap["payment"] else None
            seat = snap["seat"]


def test_d06_01_truncated_after_max_rounds():
    """D6.1: points and places are there for information."""
    t = new_game(3, max_rounds=2)
    for _ in range(6):
        assert not t.over
        t.play(min(t.family("pick")))
    assert t.over and t.match.truncated and t.snap["truncated"] and t.snap["round"] == 2
    assert sorted(t.ranks) == [1, 2, 3]


def test_d06_01_the_last_round_is_no_truncation():
    """D6.1: if the game ends by G14 in the last round."""
    t = position(seat=1, round=2, max_rounds=2, ring="1 yellow", built=[*range(16, 30)], display={0: 15}).play(
        "build 0"
    )
    while not t.over:
        t.play("end")
    assert not t.snap["truncated"]


@engine_only  # its bounds
def test_d06_02_decisions_in_a_turn():
    """D6.2: the bounds, and that games keep to them."""
    assert max_decisions_in_a_turn(quick=True) == 67
    assert max_decisions_in_a_turn(quick=False) == 67 + 42 + 1 == 110
    assert GAME.config(players=4).max_decisions == 110 * 4 * 100
    assert GAME.config(players=4, rules="quick").max_decisions == 67 * 4 * 100
    for seed in range(GAMES):
        decisions = 0
        seat = 0
        for match in random_game(seed, eager=0.7, max_rounds=30):
            decisions = decisions + 1 if match.seat == seat else 1
            seat = match.seat
            assert decisions <= max_decisions_in_a_turn(quick=False)


@engine_only  # batches
@pytest.mark.slow
def test_d06_03_how_long_random_games_are():
    """D6.3: 205 decisions for two players, 294 for three, 404 for four; in the quick variant 138, 198 and 273."""
    cases = [(2, "printed", 205), (3, "printed", 294), (4, "printed", 404), (2, "quick", 138), (4, "quick", 273)]
    for players, rules, wanted in cases:
        batch = bdgame_env.make_batch("gizmos-v3", 512, seed=1, players=players, rules=rules)
        chance = np.random.default_rng(1)
        lengths: list[int] = []
        while len(lengths) < 1500:
            batch.step((chance.random(batch.mask.shape) * batch.mask).argmax(axis=1))
            lengths += batch.finals[batch.done != 0, -1].tolist()
        assert abs(np.mean(lengths) - wanted) < 0.06 * wanted


@engine_only  # observations
def test_d07_01_where_cards_are():
    """D7.1: by place with their features, built and archived ones by number for each seat."""
    t = position(built=[8, 90], archive=[20], others={1: {"built": [44], "archive": [77]}}, display={0: 16, 8: 80})
    assert t.seen("display")[0, 0] == 17 and t.seen("display")[8, 0] == 81
    assert t.seen("own_archive")[:2, 0].tolist() == [21, 0]
    assert np.flatnonzero(t.seen("built")[0]).tolist() == [0, 8, 90]
    assert np.flatnonzero(t.seen("built")[1]).tolist() == [1, 44]
    assert np.flatnonzero(t.seen("archived")[1]).tolist() == [77] and not t.seen("archived")[2:].any()
    assert np.flatnonzero(t.seen("built", 1)[0]).tolist() == [1, 44]


@engine_only  # observations
def test_d07_02_what_is_seen_of_each_seat():
    """D7.2: seats from the observer; absent ones are zero."""
    t = position(
        players=3,
        seat=1,
        ring="2 red 1 blue",
        tokens=4,
        built=[72, 102, 104, 98],
        archive=[20],
        others={2: {"ring": "1 yellow", "built": [101]}},
    )
    assert t.seen("turn_order").tolist() == [2, 3, 1, 0] and t.seen("to_move").tolist() == [1, 0, 0, 0]
    assert t.seen("ring")[:2].tolist() == [[2, 1, 0, 0], [0, 0, 0, 1]] and t.seen("marbles").tolist() == [3, 1, 0, 0]
    assert t.seen("ring_limit").tolist() == [7, 5, 5, 0]
    assert t.seen("archive_size").tolist() == [1, 0, 0, 0] and t.seen("archive_limit").tolist() == [2, 1, 1, 0]
    assert t.seen("research").tolist() == [5, 3, 3, 0]
    assert t.seen("no_file").tolist() == [1, 0, 0, 0] and t.seen("no_research").tolist() == [0, 1, 0, 0]
    assert t.seen("discounts")[0].tolist() == [1, 1, 0] and t.seen("tokens").tolist() == [4, 0, 0, 0]
    assert t.seen("built_cards").tolist() == [5, 2, 1, 0] and t.seen("built_level_3").tolist() == [3, 1, 0, 0]
    assert t.seen("score").tolist() == [4 + 3 + 5 + 5 + 7, 8, 0, 0]


@engine_only  # observations
def test_d07_03_row_dispenser_and_decks():
    """D7.3: an empty display place is all zero."""
    t = position(display={0: 16}, ring="1 red", row="3 red 3 blue")
    assert t.seen("row").tolist() == [3, 3, 0, 0] and t.seen("dispenser").tolist() == [9, 10, 13, 13]
    assert t.seen("deck_sizes").tolist() == [32, 33, 14]
    assert not t.lose_deck(1).play("build 0").seen("display")[0].any()


@engine_only  # observations
def test_d07_04_the_state_of_the_turn():
    """D7.4: phase, credits, spent and used cards, round, rounds left."""
    t = position(built=[91, 26], ring="1 red", display={0: 17}, round=7, max_rounds=20)
    assert t.seen("round_number") == 7 and t.seen("rounds_left") == 13 and t.seen("phase").tolist() == [1] + [0] * 6
    t = position(built=[91, 24], ring="1 blue", display={0: 16}).play("build 0")
    assert t.seen("credits").tolist() == [0, 0, 0, 0, 1, 0] and t.seen("phase")[5] == 1
    assert np.flatnonzero(t.seen("spent", 1)).tolist() == [24, 91] and t.seen("last_round") == 0
    assert position(passes=1).seen("passes") == 1


@engine_only  # observations
def test_d07_05_the_state_of_a_payment():
    """D7.5: card, source, least and most, color asked for, amounts, converters named."""
    t = position(ring="1 red 2 blue", built=[104, 24], archive=[40]).play("build archive 0")
    assert t.seen("paying_for")[0] == 41 and t.seen("source").tolist() == [0, 1, 0]
    assert (t.seen("least"), t.seen("most")) == (1, 2) and t.seen("asked_color").tolist() == [1, 0, 0, 0]
    t.play("pay 1")
    assert t.seen("paid").tolist() == [1, 0, 0, 0] and t.seen("asked_color").tolist() == [0, 1, 0, 0]
    t = position(ring="3 blue", built=[24, 30, 62, 91, 92], display={4: 54}).play("build 4")
    assert t.phase == "convert"
    t.play("convert 2blue-any")
    assert t.phase == "convert" and t.seen("named")[5] == 1 and not t.seen("asked_color").any()


@engine_only  # observations
def test_d07_06_researched_cards():
    """D7.6: see G17.4; nothing of it is left afterwards."""
    t = position(rules="quick", tops={2: [44, 45, 46]}).play("research 2")
    assert t.seen("hand")[1, 0] == 46 and t.seen("hand_level").tolist() == [0, 1, 0]
    t.play("keep none")
    assert not t.seen("hand").any() and t.seen("hand_size") == 0 and not t.seen("hand_level").any()


def test_d07_08_chance_comes_from_the_generator_of_the_match():
    """D7.8: with the same random numbers the same marbles and the same order under the deck."""
    moves = ("file 0", "draw", "research 1", "keep none", "pick red")
    one, other, third = (position(rules="quick", rng=rng).play(*moves) for rng in (5, 5, 6))
    assert one.snap == other.snap != third.snap
