"""The Device resolver over arrays (B31-B39): worked examples, puzzles solved by hand, and the rules move by move."""

from __future__ import annotations

import doctest
import random
from functools import partial
from typing import Any

import numpy as np
import pytest

import bdgame_env
from bdgame_env.engine.jit import JIT_DISABLED
from bdgame_env.engine.match import Match
from bdgame_env.experiments.benchmarks.device_problems import sample_problems
from bdgame_env.games.bdgame import planning
from bdgame_env.games.bdgame.cards import read_deck
from bdgame_env.games.bdgame.decks import CLASSIC_DECK
from bdgame_env.games.bdgame.state import ACTIVATE, FRESH, HOLD, SPLIT, WORKSHOP
from tests.games.bdgame.positions import eager

Y, R, B = 0, 1, 2
HOLD_NONE = 3
# Examples are of the classic deck, random workshops of the standard one.
CLASSIC = read_deck(CLASSIC_DECK)
workshop, resolve, enumerate_outputs = (
    partial(function, deck=CLASSIC) for function in (planning.workshop, planning.resolve, planning.enumerate_outputs)
)


def counts(text: str) -> list[int]:
    return planning.cubes(text).tolist()


def line(*kinds: str) -> list[tuple[str, int, int]]:
    """A hopper at (0, 2), the kinds one after the other at the same height, and a packer."""
    return [(kind, x, 2) for x, kind in enumerate(("hopper", *kinds, "packer"))]


# What goes up is made; what goes down is lost (fewer than 3 Red in 3R>2B).
FORK = [("hopper", 0, 2), ("splitter", 1, 2), ("packer", 2, 1), ("c_3R_2B", 2, 3), ("packer", 3, 3)]


def run(cards: Any, load: str, *answers: int, bank: Any = None) -> planning.Resolution:
    """One activation with everything on hopper 0."""
    return resolve(workshop(cards, loads={0: load}), list(answers), slots=0, bank=bank)


def listed(outputs: planning.Outputs) -> dict[tuple[int, ...], int]:
    """How many routings lead to each number of cubes made, pause cards being empty."""
    assert outputs.complete and not outputs.held.any()
    return {tuple(made): n for made, n in zip(outputs.made.tolist(), outputs.routings.tolist(), strict=True)}


# The worked examples (E9, E11 and E12 are about buying and building)


def test_e01_three_yellow_become_three_red():
    """E1 (B33): hopper, 1Y>1R, packer."""
    result = run(line("c_1Y_1R"), "3Y")
    assert result.made.tolist() == [counts("3R")]
    assert result.bank.tolist() == [counts("24Y 21R 24B")]
    assert result.workings[0, 1, 2] == result.workings.sum() == 3
    assert not result.purged.any() and not result.held.any()
    assert result.asked.tolist() == [0] and result.legal.tolist() == [True]


def test_e02_two_blue_become_four_yellow_and_four_red():
    """E2 (B13, B33): packers fit at (2, 1) and (2, 3), not between; the splitter works twice."""
    cards = [("hopper", 0, 2), ("s_1B_2Y2R", 1, 2)]
    result = run([*cards, ("packer", 2, 1), ("packer", 2, 3)], "2B")
    assert result.made.tolist() == [counts("4Y 4R")] and result.workings[0, 1, 2] == 2
    with pytest.raises(ValueError, match=r"outlet at junction 2 of boundary 2 touches a card of column 2 \(B15\)"):
        workshop([*cards, ("packer", 2, 2)])


def test_e03_the_fifth_yellow_is_purged():
    """E3 (B33): 2Y>1R works twice with five."""
    result = run(line("c_2Y_1R"), "5Y")
    assert result.made.tolist() == [counts("2R")] and result.purged.tolist() == [counts("1Y")]


def test_e04_red_does_not_feed_a_yellow_converter():
    """E4 (B33): three Red are purged."""
    result = run(line("c_2Y_1R"), "3R")
    assert not result.made.any() and result.purged.tolist() == [counts("3R")] and not result.workings.any()
    assert result.bank.tolist() == [counts("24Y 24R 24B")]


def test_e05_the_splitter_and_the_straight_card():
    """E5 (B15): the splitter's open outlet at junction 2 would touch the straight card."""
    cards = [("hopper", 0, 0), ("straight", 1, 0), ("hopper", 0, 2), ("s_1B_2Y2R", 1, 2), ("straight", 2, 0)]
    with pytest.raises(ValueError, match="B15"):
        workshop(cards)


def test_e06_grey_splitter_with_two_yellow_and_a_blue():
    """E6 (B53): after 0 and after 2 Yellow up the Blue is forced; after 1 it is asked."""
    answers = [[0, -1], [2, -1], [1, 0], [1, 1], [3, -1]]
    result = resolve(workshop(FORK, loads={0: "2Y 1B"}), answers, slots=0)
    assert result.made.tolist() == [counts(text) for text in ("1B", "2Y", "1Y", "1Y 1B", "2Y")]
    assert result.purged.tolist() == [counts(text) for text in ("2Y", "1B", "1Y 1B", "1Y", "1B")]
    assert result.asked.tolist() == [1, 1, 2, 2, 1]
    assert result.legal.tolist() == [True] * 4 + [False]
    outputs = enumerate_outputs(workshop(FORK, loads={0: "2Y 1B"}), 0)
    assert outputs.answers.tolist() == [[0, -1], [1, 0], [1, 1], [2, -1]]
    assert outputs.made.tolist() == [counts(text) for text in ("1B", "1Y", "1Y 1B", "2Y")]


def test_e07_ten_red_and_twenty_yellow_in_the_bank():
    """E7 (B36): six workings; 18 Yellow made, all Red back in the bank."""
    result = run(line("c_1R_3Y"), "10R", bank=[20, 14, 24])
    assert result.made.tolist() == [counts("18Y")] and result.workings[0, 1, 2] == 6
    assert result.bank.tolist() == [counts("2Y 24R 24B")] and result.purged.tolist() == [counts("4R")]


def test_e08_the_joiner_works_as_often_as_the_scarcer_side_allows():
    """E8 (B33): 2 Yellow above and 5 Red below make 2 Blue; 3 Red are purged."""
    cards = [("hopper", 0, 0), ("hopper", 0, 2), ("j_1Y1R_1B", 1, 1), ("packer", 2, 1)]
    result = resolve(workshop(cards, loads={0: "2Y", 1: "5R"}), slots=1)
    assert result.made.tolist() == [counts("2B")] and result.purged.tolist() == [counts("3R")]


def test_e10_a_cube_held_back_comes_with_the_next_turn():
    """E10 (B37): 1 Yellow made and 1 held; then, with 1 Red, both."""
    shop = workshop(line("pause"), loads={0: "2Y"})
    first = resolve(shop, [Y], slots=0)
    assert first.made.tolist() == [counts("1Y")] and first.held[0, 1, 2] == Y + 1 and first.held.sum() == Y + 1
    shop["held"] = first.held
    shop["loaded"][0, 0] = counts("1R")
    second = resolve(shop, [HOLD_NONE], slots=0)
    assert second.made.tolist() == [counts("1Y 1R")] and not second.held.any()


def test_e13_grey_splitter_with_eighteen_yellow():
    """E13 (B35): `split` may be 1..17."""
    shop = workshop(FORK, loads={0: "18Y"})
    result = resolve(shop, np.arange(25)[:, None], slots=0)
    assert np.flatnonzero(result.legal).tolist() == list(range(1, 18))
    assert result.made[1:18, Y].tolist() == list(range(1, 18))
    assert enumerate_outputs(shop, 0).made[:, Y].tolist() == list(range(1, 18))


# Puzzles, solved by hand


def test_b34_split_halves_meet_again_in_a_grey_joiner():
    """B33-B35: up 2Y>1R, down 1R>3Y; a Yellow and b Red up make a // 2 Red and 3 * (2 - b) Yellow."""
    cards = [
        ("hopper", 0, 3),
        ("splitter", 1, 3),
        ("c_2Y_1R", 2, 2),
        ("c_1R_3Y", 2, 4),
        ("joiner", 3, 3),
        ("packer", 4, 3),
    ]
    result = resolve(workshop(cards, loads={0: "3Y 2R"}), [[2, 1], [3, 0]], slots=0)
    assert result.made.tolist() == [counts("3Y 1R"), counts("6Y 1R")]
    assert result.purged.tolist() == [counts("1Y 1R"), counts("1Y")]
    assert result.bank.tolist() == [counts("21Y 23R 24B"), counts("18Y 23R 24B")]
    # a and b are 01 02 10 11 12 20 21 22 30 31: neither 00 nor 32, which would leave an outlet without a cube
    outputs = enumerate_outputs(workshop(cards, loads={0: "3Y 2R"}), 0)
    assert listed(outputs) == {(3, 0, 0): 2, (0, 0, 0): 2, (6, 0, 0): 1, (6, 1, 0): 2, (3, 1, 0): 2, (0, 1, 0): 1}
    assert outputs.answers.tolist() == [[0, 1], [0, 2], [1, 0], [2, 0], [2, 1], [2, 2]]


def test_b33_split_halves_meet_again_in_a_special_joiner():
    """B33, B35: 3 Yellow and 2 Red into 1Y above + 1R below > 1B: min(a, 2 - b) Blue."""
    cards = [("hopper", 0, 3), ("splitter", 1, 3), ("j_1Y1R_1B", 2, 3), ("packer", 3, 3)]
    shop = workshop(cards, loads={0: "3Y 2R"})
    assert listed(enumerate_outputs(shop, 0)) == {(0, 0, 0): 4, (0, 0, 1): 4, (0, 0, 2): 2}
    best = resolve(shop, [3, 0], slots=0)
    assert best.made.tolist() == [counts("2B")] and best.purged.tolist() == [counts("1Y")]
    assert best.workings[0, 2, 3] == 2


def test_b33_two_hoppers_feed_a_special_joiner():
    """B32, B33: 5 Yellow above and 3 Red below into 2Y+2R>3B: once; the other way round never."""
    cards = [("hopper", 0, 0), ("hopper", 0, 2), ("j_2Y2R_3B", 1, 1), ("packer", 2, 1)]
    loads = np.zeros((2, 6, 3), np.int64)
    loads[0, :2] = [counts("5Y"), counts("3R")]
    loads[1, :2] = [counts("3R"), counts("5Y")]
    result = resolve(workshop(cards), slots=[0, 1], loads=loads)
    assert result.made.tolist() == [counts("3B"), counts("")]
    assert result.purged.tolist() == [counts("3Y 1R"), counts("5Y 3R")]
    assert result.bank.tolist() == [counts("24Y 24R 21B"), counts("24Y 24R 24B")]


def test_b37_a_pause_card_over_several_turns():
    """B37: cubes saved up before 2Y>1R; `held` and `bank` of one turn are the start of the next."""
    shop = workshop(line("pause", "c_2Y_1R"))
    bank = np.array(counts("24Y 24R 24B"))
    made = []
    for load, answer in (("1Y", Y), ("1Y", Y), ("1Y", HOLD_NONE), ("1R", R)):
        shop["loaded"][0, 0] = counts(load)
        result = resolve(shop, [answer], slots=0, bank=bank - counts(load))
        assert result.legal.all() and result.asked.tolist() == [1]
        shop["held"], bank = result.held, result.bank[0]
        made.append((result.made[0].tolist(), result.purged[0].tolist(), int(result.held[0, 1, 2])))
    assert bank.tolist() == counts("24Y 22R 24B")
    assert made == [
        (counts(""), counts(""), Y + 1),  # the first Yellow stays
        (counts(""), counts("1Y"), Y + 1),  # it leaves alone and is purged; the second stays
        (counts("1R"), counts(""), 0),  # the second leaves together with the third
        (counts(""), counts(""), R + 1),
    ]


def test_b37_an_old_cube_leaves_without_a_new_one():
    """B37: the Yellow goes past the pause card, which is not asked; the Red held there leaves nevertheless."""
    cards = [("hopper", 0, 3), ("splitter", 1, 3), ("pause", 2, 2), ("packer", 3, 2), ("packer", 2, 4)]
    shop = workshop(cards, loads={0: "1Y"}, held={(2, 2): "R"})
    result = resolve(shop, [[0, -1], [1, Y], [1, R]], slots=0)
    assert result.asked.tolist() == [1, 2, 2]
    assert result.made.tolist() == [counts("1Y 1R"), counts("1R"), counts("1Y 1R")]
    assert result.held[:, 2, 2].tolist() == [0, Y + 1, 0]
    assert result.legal.tolist() == [True, True, False]  # an old cube cannot be held again
    assert result.bank.tolist() == [counts("23Y 23R 24B")] * 3


def test_b37_a_fresh_cube_is_next_turns_old_one():
    """B37: in a workshop taken after an activation the held cube is marked fresh; that changes nothing."""
    shop = workshop(line("pause"), loads={0: "1R"}, held={(1, 2): "B"})
    fresh = shop.copy()
    fresh["held"][0, 1, 2] += FRESH
    results = resolve(np.concatenate([shop, fresh]), [R], slots=0)
    assert results.made.tolist() == [counts("1B")] * 2 and results.held[:, 1, 2].tolist() == [R + 1] * 2


def test_b36_the_scarcest_of_two_products_counts():
    """B36: 3 Blue into 1B>2Y,2R with 15 Yellow and 3 Red in the bank: once; 2 Blue are purged."""
    cards = [("hopper", 0, 2), ("s_1B_2Y2R", 1, 2), ("packer", 2, 1), ("packer", 2, 3)]
    result = run(cards, "3B", bank=[15, 3, 21])
    assert result.made.tolist() == [counts("2Y 2R")] and result.workings[0, 1, 2] == 1
    assert result.purged.tolist() == [counts("2B")] and result.bank.tolist() == [counts("13Y 1R 24B")]


def test_b36_what_arrives_returns_to_the_bank_before_the_products_are_taken():
    """B36: 2 Blue into 1B>1B,1R while the bank has no Blue: twice."""
    cards = [("hopper", 0, 2), ("s_1B_1B1R", 1, 2), ("packer", 2, 1), ("packer", 2, 3)]
    result = run(cards, "2B", bank=[0, 24, 0])
    assert result.made.tolist() == [counts("2R 2B")] and result.bank.tolist() == [[0, 22, 0]]


def test_b34_a_grey_joiner_passes_one_side():
    """B34: only the lower hopper is loaded; any hopper of the Device may name it."""
    cards = [("hopper", 0, 0), ("hopper", 0, 2), ("joiner", 1, 1), ("packer", 2, 1)]
    result = resolve(workshop(cards, loads={1: "2R 1B"}), slots=[0, 1])
    assert result.made.tolist() == [counts("2R 1B")] * 2


def test_b32_a_hopper_in_a_later_column_joins_in():
    """B32: 2 Yellow from column 0 and 2 Red from column 1 meet in 1Y+1R>3R in column 2."""
    cards = [("hopper", 0, 2), ("straight", 1, 2), ("hopper", 1, 4), ("j_1Y1R_3R", 2, 3), ("packer", 3, 3)]
    result = resolve(workshop(cards, loads={0: "2Y", 1: "2R"}), slots=0)
    assert result.made.tolist() == [counts("6R")]


def test_b33_three_converters_in_a_row():
    """B33: 10Y > 20Y > 10R > three times 2B; one Red is purged."""
    result = run(line("c_1Y_2Y", "c_2Y_1R", "c_3R_2B"), "10Y")
    assert result.made.tolist() == [counts("6B")] and result.purged.tolist() == [counts("1R")]
    assert result.workings[0, :, 2].tolist() == [0, 10, 10, 3, 0, 0, 0, 0]
    assert result.bank.tolist() == [counts("24Y 24R 18B")]


def test_b32_only_the_hoppers_of_one_device_empty():
    """B32, B38: another Device's cubes, on its hopper and its pause card, stay where they are."""
    cards = [*line("c_1Y_1R"), ("hopper", 0, 6), ("pause", 1, 6), ("packer", 2, 6)]
    result = resolve(workshop(cards, loads={0: "1Y", 1: "4B"}, held={(1, 6): "R"}), slots=0)
    assert result.made.tolist() == [counts("1R")] and result.held[0, 1, 6] == R + 1
    assert result.bank.tolist() == [counts("24Y 22R 20B")]


# Answers


def test_b53_defaults_are_all_up_and_nothing_held():
    """B35, B37, B53: -1, too few answers and illegal ones give the default; answers too many are passed over."""
    cards = [("hopper", 0, 3), ("splitter", 1, 3), ("pause", 2, 2), ("packer", 3, 2), ("packer", 2, 4)]
    shop = workshop(cards, loads={0: "3Y"})
    answers = [[-1, -1, -1], [2, HOLD_NONE, -1], [3, R, -1], [2, HOLD_NONE, 9], [2, Y, -1], [1, B, 0]]
    result = resolve(shop, answers, slots=0)
    assert result.legal.tolist() == [True, True, False, True, True, False]
    assert result.made[:, Y].tolist() == [3, 3, 3, 3, 2, 3]
    assert result.made.tolist()[0] == resolve(shop, slots=0).made.tolist()[0]
    assert result.asked.tolist() == [2] * 6


def test_b53_three_holds_are_told_apart():
    """B37: outputs differ in what is held, though the same is made."""
    cards = line("pause", "c_3R_2B")
    outputs = enumerate_outputs(workshop(cards, loads={0: "1Y 1R 1B"}), 0)
    assert outputs.held[:, 1, 2].tolist() == [1, 2, 3, 0] and not outputs.made.any()
    assert outputs.answers.tolist() == [[0], [1], [2], [3]] and outputs.routings.tolist() == [1] * 4
    assert outputs.bank.tolist() == [[23, 24, 24], [24, 23, 24], [24, 24, 23], [24, 24, 24]]


def test_b37_every_way_to_fill_three_pause_cards():
    """B37: three pause cards, three cubes of each color: 4 * 4 * 4 outputs, which only differ in what is held."""
    cards = line("pause", "pause", "pause", "c_1B_3R", "c_1Y_1R")
    outputs = enumerate_outputs(workshop(cards, loads={0: "3Y 3R 3B"}), 0, limit=64)
    assert outputs.complete and outputs.routings.tolist() == [1] * 64 and not outputs.made.any()
    assert (outputs.held[:, 1:4, 2] == (outputs.answers + 1) % 4).all()
    assert len(np.unique(outputs.held.reshape(64, 72), axis=0)) == 64


def test_enumeration_stops_at_its_limit():
    """Seventeen routings: complete with limit 17, not with 16."""
    shop = workshop(FORK, loads={0: "18Y"})
    assert enumerate_outputs(shop, 0, limit=17).complete
    stopped = enumerate_outputs(shop, 0, limit=16)
    assert not stopped.complete and len(stopped.made) == stopped.routings.sum() == 16
    assert not enumerate_outputs(shop, 0, limit=1).complete


def test_the_example_of_the_documentation():
    failed, tried = doctest.testmod(planning)
    assert tried and not failed


# Against the rules, move by move


def at_activation(shop: Any, bank: Any) -> Match:
    """A match whose first seat has this workshop and is about to activate."""
    match = bdgame_env.make_match("bdgame-v3", players=2, seed=0)
    match.states["seats"]["workshop"][0, 0] = shop
    match.states["bank"][0] = bank
    match.state.phase = ACTIVATE
    return match


def keep_the_pool(match: Match) -> None:
    """Storage far above ten: whatever was made, the turn stops at discarding, before held cubes are lost (B38)."""
    match.states["seats"]["storage"][0, match.seat] = [12, 0, 0]


def outcome(match: Match, seat: int) -> tuple[list[int], list[int], Any]:
    """Cubes of the pool (or, if it was stored, of storage above twelve Yellow), bank, and held cubes, fresh or not."""
    made = match.states["made"][0] + match.states["seats"]["storage"][0, seat] - [12, 0, 0]
    held = np.asarray(match.states["seats"]["workshop"]["held"][0, seat])
    return made.tolist(), match.states["bank"][0].tolist(), np.where(held > FRESH, held - FRESH, held)


def activate(match: Match, slot: int) -> None:
    """The Device of this slot, under the name the rules give it: its lowest loaded slot (B31)."""
    shop = match.states["seats"]["workshop"][0, match.seat]
    cells = shop["hopper_cell"].tolist()
    device = shop["devices"].ravel()[cells[slot]]
    same = [n for n, cell in enumerate(cells) if cell >= 0 and shop["devices"].ravel()[cell] == device]
    match.play(f"activate {min(n for n in same if shop['loaded'][n].any())}")


def notation(match: Match, answer: int) -> str:
    """The move that an answer of `planning` means."""
    if match.state.phase == SPLIT:
        return f"split {answer}"
    return f"hold {(*'YRB', 'none')[answer]}" if answer <= HOLD_NONE else "hold nothing"


def answer_all(match: Match, answers: list[int]) -> tuple[int, bool]:
    """Answer all questions, illegal answers replaced by the default; returns how many, and whether all were legal."""
    asked, all_legal = 0, True
    while match.state.phase in (SPLIT, HOLD):
        moves = match.legal_moves()  # ascending: the default comes last
        answer = answers[asked] if asked < len(answers) else planning.DEFAULT
        legal = answer != planning.DEFAULT and notation(match, answer) in moves
        all_legal &= legal or answer == planning.DEFAULT
        match.play(notation(match, answer) if legal else moves[-1])
        asked += 1
    return asked, all_legal


def assert_row(result: planning.Resolution, i: int, match: Match, seat: int, before: list[int]) -> None:
    made, bank, held = outcome(match, seat)
    assert [a - b for a, b in zip(made, before, strict=True)] == result.made[i].tolist()
    assert bank == result.bank[i].tolist()
    assert (held == result.held[i]).all()


def test_b53_a_thousand_random_devices_as_the_rules_run_them():
    """B31-B39: random workshops, loads, banks and answers, legal or not, played in a match."""
    n = 40 if JIT_DISABLED else 1000
    problems = sample_problems(n, seed=1)
    result = planning.resolve(**problems)
    assert result.asked.max() >= 3 and 0 < result.legal.sum() < n and result.held.any() and result.purged.any()
    for i in range(n):
        shop = problems["workshops"][i].copy()
        shop["loaded"] = problems["loads"][i]
        match = at_activation(shop, problems["bank"][i])
        keep_the_pool(match)
        activate(match, int(problems["slots"][i]))
        asked, legal = answer_all(match, problems["answers"][i].tolist())
        assert (asked, legal) == (int(result.asked[i]), bool(result.legal[i]))
        assert_row(result, i, match, 0, [0, 0, 0])


def test_b31_devices_of_random_games_as_the_rules_run_them():
    """B31-B39: positions from games in which a Device can be activated; the answers are random legal moves."""
    chance = random.Random(5)
    tried = 0
    for seed in range(1 if JIT_DISABLED else 8):
        match = bdgame_env.make_match("bdgame-v3", players=2 + seed % 3, seed=seed, max_rounds=15)
        while not match.over and (not JIT_DISABLED or tried < 5):
            moves = match.legal_moves()
            slots = [int(move.split()[1]) for move in moves if move.startswith("activate")]
            if slots:
                tried += 1
                check_position(match, chance.choice(slots), chance)
            match.play(eager(moves, chance))
    assert tried >= (5 if JIT_DISABLED else 80)


def check_position(match: Match, slot: int, chance: random.Random) -> None:
    seat = match.seat
    copied = match.clone()
    keep_the_pool(copied)
    before = outcome(copied, seat)[0]
    shop = planning.workshops_of(match, seat)
    bank = match.states["bank"][0]
    copied.play(f"activate {slot}")
    answers = []
    while copied.state.phase in (SPLIT, HOLD):
        move = chance.choice(copied.legal_moves())
        value = move.split()[1]
        answers.append("YRB".index(value) if value in "YRB" else HOLD_NONE if value == "none" else int(value))
        copied.play(move)
    result = planning.resolve(shop, answers, slots=slot, bank=bank)
    assert result.legal.all() and result.asked.tolist() == [len(answers)]
    assert_row(result, 0, copied, seat, before)


def every_outcome(match: Match) -> list[tuple[list[int], list[int], Any]]:
    """Brute force: what every sequence of legal answers leads to, in ascending order of the answers."""
    if match.state.phase not in (SPLIT, HOLD):
        return [outcome(match, 0)]
    found = []
    for move in match.legal_moves():
        copied = match.clone()
        copied.play(move)
        found += every_outcome(copied)
    return found


def test_b53_enumeration_finds_what_brute_force_finds():
    """B31-B39: the same outputs, in the same order, with the same number of routings; and each example leads there."""
    n, most = (40, 12) if JIT_DISABLED else (400, 300)
    problems = sample_problems(n, seed=2)
    asked = planning.resolve(**problems).asked
    compared = 0
    for i in np.flatnonzero(asked >= (1 if JIT_DISABLED else 2)):
        shop = problems["workshops"][i : i + 1].copy()
        shop["loaded"] = problems["loads"][i]
        slot, bank = int(problems["slots"][i]), problems["bank"][i]
        outputs = planning.enumerate_outputs(shop, slot, bank=bank, limit=2000)
        if not outputs.complete or outputs.routings.sum() > most:
            continue
        compared += 1
        match = at_activation(shop[0], bank)
        keep_the_pool(match)
        activate(match, slot)
        found: dict[tuple[Any, ...], list[Any]] = {}
        for made, left, held in every_outcome(match):
            found.setdefault((*made, held.tobytes()), [0, made, left, held])[0] += 1
        assert outputs.routings.tolist() == [routings for routings, *_ in found.values()]
        assert outputs.made.tolist() == [made for _, made, *_ in found.values()]
        assert outputs.bank.tolist() == [left for *_, left, _ in found.values()]
        assert (outputs.held == [held for *_, held in found.values()]).all()
        again = planning.resolve(shop, outputs.answers, slots=slot, bank=bank)
        assert again.legal.all() and (again.made == outputs.made).all() and (again.held == outputs.held).all()
    assert compared >= (2 if JIT_DISABLED else 40)


@pytest.mark.slow
def test_threads_change_nothing():
    """Two threads and one give the same arrays."""
    problems = sample_problems(32, seed=3)
    many = {name: np.concatenate([array] * 33) for name, array in problems.items()}  # 1056 rows: above the limit
    if JIT_DISABLED:
        many = {name: array[:520] for name, array in many.items()}
    one, two = (planning.resolve(**many, threads=threads) for threads in (1, 2))
    for name in planning.Resolution.__dataclass_fields__:
        assert (getattr(one, name) == getattr(two, name)).all(), name
        assert (getattr(one, name)[:32] == getattr(one, name)[32:64]).all(), name


# Workshops


def test_b10_a_workshop_is_the_record_that_the_rules_build():
    """B10, B19: the starting cards, in the order in which they are dealt; hoppers take slots in the order given."""
    start = [("hopper", 0, 2), ("packer", 1, 2), ("hopper", 0, 6), ("packer", 1, 6)]
    shop = planning.workshop(start)
    dealt = planning.workshops_of(bdgame_env.make_match("bdgame-v3", players=2, seed=0), 1)
    assert shop.dtype == WORKSHOP and shop.tobytes() == dealt.tobytes()
    other = planning.workshop(reversed(start), loads={0: "2Y 1B"})
    assert other["hopper_cell"].tolist() == [[6, 2, -1, -1, -1, -1]]
    assert other["loaded"][0, :2].tolist() == [counts("2Y 1B"), counts("")]


def assert_read_back(match: Match) -> None:
    for seat in range(match.players):
        shop = planning.workshops_of(match, seat)
        assert shop.tobytes() == match.states["seats"]["workshop"][:, seat].tobytes()
        assert shop.tobytes() == planning.workshops_of(match.snapshot(), seat).tobytes()


def test_b51_workshops_of_a_match_and_of_its_snapshot_are_equal():
    """B51: workshops are public, in whatever position the game is."""
    chance = random.Random(3)
    match = bdgame_env.make_match("bdgame-v3", players=3, seed=11)
    for _ in range(60 if JIT_DISABLED else 1000):
        match.play(eager(match.legal_moves(), chance))
        if match.state.decisions % 20 == 0:
            assert_read_back(match)
    before = match.get_state()
    planning.workshops_of(match, 0)["held"] = 1
    assert match.get_state() == before, "a copy is handed out"


def test_b19_slots_with_a_gap_and_held_cubes_are_read_back():
    """B19, B37: a hopper in slot 4, a cube held in this turn and one held before."""
    cards = [*line("pause"), ("hopper", 0, 6), ("pause", 1, 6), ("packer", 2, 6)]
    shop = planning.workshop(cards, loads={0: "2Y"}, held={(1, 6): "R"})
    shop["hopper_cell"][0, [1, 4]] = shop["hopper_cell"][0, [4, 1]]
    match = at_activation(shop, counts("22Y 23R 24B"))
    keep_the_pool(match)
    match.play("activate 0")
    match.play("hold Y")
    assert_read_back(match)
    taken = planning.workshops_of(match, 0)
    assert taken["held"][0, 1, [2, 6]].tolist() == [Y + 1 + FRESH, R + 1]
    assert taken["hopper_cell"].tolist() == [[2, -1, -1, -1, 6, -1]]
    result = planning.resolve(taken, [HOLD_NONE], slots=4, loads=[[0] * 3] * 4 + [counts("1B")] + [[0] * 3])
    assert result.made.tolist() == [counts("1R 1B")] and result.held[0, 1, [2, 6]].tolist() == [Y + 1, 0]


# Bad input

ROW = workshop(FORK, loads={0: "3Y"})
TWO = np.concatenate([ROW, ROW])
UNFINISHED = workshop([("hopper", 0, 2), ("splitter", 1, 2), ("packer", 2, 1)], loads={0: "3Y"})
EMPTY = workshop(FORK)


def broken(**fields: Any) -> Any:
    shop = ROW.copy()
    for name, value in fields.items():
        shop[name] = value
    return shop


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"workshops": np.zeros(3)}, "workshops must be WORKSHOP records"),
        ({"workshops": [1, 2]}, "workshops must be WORKSHOP records"),
        ({"workshops": np.zeros(1, WORKSHOP)}, "is no workshop"),
        ({"workshops": broken(kinds=99)}, "is no workshop"),
        ({"workshops": broken(columns=-1)}, "is no workshop"),
        ({"workshops": broken(held=9)}, "is no workshop"),
        ({"workshops": broken(hopper_cell=100)}, "is no workshop"),
        ({"workshops": broken(hopper_cell=12)}, "is no workshop"),
        ({"workshops": broken(loaded=-1)}, "is no workshop"),
        ({"workshops": UNFINISHED}, r"the Device of slot 0 is not finished \(B18\)"),
        ({"workshops": EMPTY}, r"no hopper of the Device of slot 0 holds a cube \(B31\)"),
        ({"workshops": np.concatenate([ROW, ROW, EMPTY, UNFINISHED])}, "row 2: no hopper of the Device"),
        ({"slots": 1}, r"no hopper in slot 1 \(B19\)"),
        ({"slots": [0, 0, 3]}, r"row 2: no hopper in slot 3"),
        ({"slots": 6}, "slots has the number 6, must be 0 to 5"),
        ({"slots": -1}, "slots has the number -1"),
        ({"slots": 0.0}, r"slots must be integers of shape \(n,\), not float64"),
        ({"slots": "0"}, "slots must be integers"),
        ({"answers": [[1], [1, 2]]}, "rows differ in length"),
        ({"answers": 3}, r"answers must be integers of shape \(n, q\)"),
        ({"answers": [25]}, "answers has the number 25, must be -1 to 24"),
        ({"answers": [[-2]]}, "answers has the number -2"),
        ({"answers": [[1.5]]}, "answers must be integers"),
        ({"workshops": TWO, "answers": [[1]] * 3}, "answers has 3 rows, but another argument has 2"),
        ({"loads": [[1, 2, 3]]}, r"loads must be integers of shape \(n, 6, 3\)"),
        ({"loads": [[-1, 0, 0]] * 6}, "loads has the number -1"),
        ({"loads": [[1, 0, 0]] * 6}, r"a slot without a hopper \(B29\)"),
        ({"loads": [[0, 0, 0]] * 6}, "holds a cube"),
        ({"bank": [24, 24]}, r"bank must be integers of shape \(n, 3\)"),
        ({"bank": [25, 0, 0]}, "bank has the number 25, must be 0 to 24"),
        ({"bank": [22, 24, 24]}, r"more than 24 cubes of a color \(B1\)"),
        ({"threads": 0}, "threads=0"),
    ],
)
def test_bad_arguments_are_refused_in_one_line(arguments: dict[str, Any], reason: str):
    """B1, B18, B19, B31: one clear line, and no argument is changed."""
    chosen = {"workshops": ROW, "slots": 0, **arguments}
    before = np.array(chosen["workshops"]).tobytes()
    with pytest.raises(ValueError, match=reason) as caught:
        resolve(**chosen)
    assert "\n" not in str(caught.value)
    assert np.array(chosen["workshops"]).tobytes() == before


@pytest.mark.parametrize(
    ("cards", "more", "reason"),
    [
        ([("hoper", 0, 2)], {}, "unknown card kind 'hoper'; known: hopper, packer"),
        ([("hopper", 8, 2)], {}, r"lies outside the workshop .*\(B12\)"),
        ([("hopper", 0, 9)], {}, "lies outside the workshop"),
        ([("hopper", 0, "2")], {}, "lies outside the workshop"),
        (["hopper"], {}, "'hopper' is no card"),
        ([("hopper", 0)], {}, "is no card"),
        ([("hopper", 0, 2), ("hopper", 0, 3)], {}, r"hopper at \(0, 3\) overlaps another card \(B12\)"),
        ([("packer", 0, 2)], {}, r"packer at \(0, 2\) points out of the workshop \(B16\)"),
        ([("straight", 7, 2)], {}, r"points out of the workshop \(B16\)"),
        ([("splitter", 1, 2), ("splitter", 1, 4)], {}, r"shares a junction .*\(B14\)"),
        ([("hopper", 0, 2), ("splitter", 1, 2), ("packer", 2, 2)], {}, r"\(B15\)"),
        ([("hopper", 0, 3), ("straight", 1, 4)], {}, r"open outlet at junction 4 of boundary 1 .*column 1 \(B15\)"),
        ([("hopper", x, y) for x in (0, 2) for y in (0, 2, 4, 6)], {}, r"more than 6 hoppers \(B19\)"),
        (line(), {"loads": {1: "1Y"}}, r"slot 1, but there is no hopper in it \(B19\)"),
        (line(), {"loads": {0: "1X"}}, "'1X' is not cubes such as '3Y 1R'"),
        (line(), {"loads": {0: "1Y 2Y"}}, "each color once"),
        (line(), {"loads": {0: "25Y"}}, "at most 24"),
        (line(), {"loads": {0: 3}}, "is not cubes"),
        (line(), {"held": {(1, 2): "Y"}}, r"held names \(1, 2\), where no pause card lies \(B37\)"),
        (line(), {"held": {3: "Y"}}, "where no pause card lies"),
        (line("pause"), {"held": {(1, 2): "G"}}, "held color 'G'; known: Y, R, B"),
    ],
)
def test_bad_workshops_are_refused_in_one_line(cards: Any, more: dict[str, Any], reason: str):
    """B12-B19: cards that cannot lie so, and cubes where none can be."""
    with pytest.raises(ValueError, match=reason) as caught:
        workshop(cards, **more)
    assert "\n" not in str(caught.value)


def test_bad_sources_and_limits_are_refused():
    """One clear line each."""
    match = bdgame_env.make_match("bdgame-v3", players=2, seed=0)
    for source, seat, reason in (
        (match, 2, "no seat 2; seats are 0 to 1"),
        (match.snapshot(), -1, "no seat -1"),
        ({"game": "chess"}, 0, "a match or a snapshot of bdgame is wanted"),
        (None, 0, "not NoneType"),
        ({"seats": [{"workshop": [{"x": 0}]}]}, 0, "not of the documented form"),
    ):
        with pytest.raises(ValueError, match=reason):
            planning.workshops_of(source, seat)
    for limit in (0, 1.5, 2**40):
        with pytest.raises(ValueError, match="limit="):
            enumerate_outputs(ROW, 0, limit=limit)
    with pytest.raises(ValueError, match="one workshop, slot, load and bank is wanted, not 2"):
        enumerate_outputs(TWO, 0)
    with pytest.raises(ValueError, match="enumerate_outputs: the Device of slot 0 is not finished"):
        enumerate_outputs(UNFINISHED, 0)


def test_arguments_are_not_written_to():
    """Read-only arguments do, in any layout; a batch of none gives arrays of no rows."""
    problems = sample_problems(8, seed=4)
    before = {name: array.tobytes() for name, array in problems.items()}
    for array in problems.values():
        array.setflags(write=False)
    result = planning.resolve(**problems)
    assert {name: array.tobytes() for name, array in problems.items()} == before
    every_other = {name: np.repeat(array, 2, axis=0)[::2] for name, array in problems.items()}
    assert (planning.resolve(**every_other).made == result.made).all()
    assert planning.resolve(problems["workshops"][:0], slots=0).made.shape == (0, 3)
    outputs = enumerate_outputs(ROW[0], 0)
    assert outputs.made.tolist() == [counts("1Y"), counts("2Y")]


def test_a_damaged_record_is_refused_or_harmless():
    """Whatever one byte of a record is changed to, nothing is read or written outside of it (see NUMBA_BOUNDSCHECK)."""
    cards = [("hopper", 0, 3), ("splitter", 1, 3), ("pause", 2, 2), ("packer", 3, 2), ("packer", 2, 4)]
    shop = workshop(cards, loads={0: "3Y 1B"}, held={(2, 2): "R"})
    refused = 0
    for at in range(0, WORKSHOP.itemsize, 9 if JIT_DISABLED else 1):
        for value in (0, 1, 9, 127, 128, 255):
            damaged = shop.copy()
            damaged.view(np.uint8)[at] = value
            try:
                resolve(damaged, slots=0)
            except ValueError:
                refused += 1
    assert refused > (15 if JIT_DISABLED else 200)
