"""The checkers work: all pass on the toy game, and each fails on a game with the fault it looks for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bdgame_env.engine.game import Game
from bdgame_env.engine.jit import JIT_DISABLED
from bdgame_env.registry import get_game, list_games
from tests.support import broken_games as broken
from tests.support import toy_game as toy
from tests.support.conformance import CHECKS, COMPILED_ONLY, option_sets, place_rewards

FAULTS = [
    ("a_legal_move_until_the_end", broken.STUCK, "over is False, legal moves \\[\\]"),
    ("a_legal_move_until_the_end", broken.MASK_OF_TWOS, "mask holds"),
    ("ends_within_max_decisions", broken.ENDLESS, "not over after"),
    ("ends_within_max_decisions", broken.LONGER_THAN_SAID, "not over after 3 decisions"),
    ("illegal_actions_are_refused", broken.LEGAL_WRITES, "changed the game"),
    ("looking_changes_nothing", broken.LEGAL_WRITES, "decision 0"),
    ("same_deal_and_moves_are_the_same_game", broken.CHANCE_FROM_OUTSIDE, "differs after"),
    ("ranks_are_a_ranking", broken.DENSE_PLACES, "ranks \\["),
    ("notation_goes_both_ways", broken.SAME_NAMES, "names given twice: \\['take'\\]"),
    ("notation_goes_both_ways", broken.TOO_FEW_NAMES, "4 names for 5 actions"),
    ("snapshots_go_both_ways", broken.FORGETFUL, "other legal moves"),
    ("snapshots_go_both_ways", broken.RESTORES_LESS, "another snapshot"),
    ("snapshots_go_both_ways", broken.MASK_TOO_WIDE, r"secret\[\d\] is 0, must be 1 to 5"),
    ("only_whole_snapshots_are_restored", broken.GUESSING, "decision 0: None"),
    ("spoiled_snapshots_are_refused", broken.RESTORES_ANYTHING, "restored although unheard is spoiled"),
    ("copies_go_on_in_the_same_way", broken.CHANCE_FROM_OUTSIDE, "goes on differently"),
    ("observations_are_as_announced", broken.OUT_OF_RANGE, "points is -1, not 0..127"),
    ("observations_are_as_announced", broken.MASK_TOO_WIDE, "unseen is 5, not 0..4"),
    ("observations_are_as_announced", broken.SCHEMA_GAP, "schema and vector differ"),
    ("observations_are_written_whole", broken.UNWRITTEN, "seat 0"),
    ("hidden_stays_hidden", broken.PEEKING, "sees more"),
    ("hidden_stays_hidden", broken.TALKATIVE, "the public snapshot shows"),
    ("hidden_stays_hidden", broken.SNITCHING, "the snapshot of seat 0 shows what it cannot see"),
    ("hidden_stays_hidden", broken.OWN_KEYS, "the snapshot of seat 0 has other entries"),
    ("hidden_stays_hidden", broken.RESAMPLE_PUBLIC, "sees more"),
    ("hidden_stays_hidden", broken.RESAMPLE_OWN, "sees more"),
    ("hidden_stays_hidden", broken.RESAMPLE_NOTHING, "resampled: False"),
    ("pictures_are_sound", broken.UNMARKED, "moves on no element: .*pass"),
    ("pictures_are_sound", broken.GROWING, "is 4.0 high, not 410"),
    ("a_batch_plays_as_single_matches", broken.CHANCE_FROM_OUTSIDE, "record"),
    ("rewards_add_up_to_zero", broken.DENSE_PLACES, "rewards add up to"),
    ("threads_change_nothing", broken.CHANCE_FROM_OUTSIDE, "_games"),
    ("a_step_allocates_nothing", broken.ALLOCATING, "allocations"),
]
OPTIONS = {"players": 3, "rolling": True, "target": 12, "max_rounds": 4}


@pytest.mark.parametrize(
    ("name", "game", "message"),
    [  # else each process would compile each broken game
        pytest.param(
            *fault,
            id=f"{fault[0]}-{fault[1].name}",
            marks=() if fault[0] in COMPILED_ONLY else (pytest.mark.plain,),
        )
        for fault in FAULTS
    ],
)
def test_a_check_fails_on_its_broken_game(name: str, game: Game, message: str) -> None:
    """Because of the fault, and for no other reason."""
    if name in COMPILED_ONLY and JIT_DISABLED:
        pytest.skip("about compiled code")
    with pytest.raises(AssertionError, match=message):
        CHECKS[name](game, OPTIONS)


def test_every_check_has_a_broken_game() -> None:
    """No check is taken on trust."""
    assert {name for name, *_ in FAULTS} == set(CHECKS)


@pytest.mark.parametrize("options", option_sets(toy.GAME), ids=str)
@pytest.mark.parametrize("name", CHECKS)
def test_the_toy_passes(name: str, options: dict[str, Any]) -> None:
    """A check must not fail on a sound game."""
    if name in COMPILED_ONLY and (JIT_DISABLED or options["players"] != 3):
        pytest.skip("about compiled code; three players will do")
    CHECKS[name](toy.GAME, options)


def test_the_toy_passes_a_longer_game() -> None:
    """With the options for which the broken games fail."""
    for name, check in CHECKS.items():
        if name not in COMPILED_ONLY:
            check(toy.GAME, OPTIONS)


def test_a_field_that_hides_an_attribute_of_records_is_refused() -> None:
    """`s.size` would mean the field in compiled code and something else in Python."""
    with pytest.raises(ValueError, match="field 'size' hides an attribute"):
        broken.hiding_record()


def test_padding_is_refused() -> None:
    """Bytes that no field owns would make equal games differ."""
    with pytest.raises(ValueError, match="padding"):
        broken.padded_record()


@pytest.mark.parametrize("game", [*map(get_game, list_games()), toy.GAME], ids=lambda game: game.id)
def test_every_number_of_players_and_value_of_an_option_is_tried(game: Game) -> None:
    """The sets of options are made from the declaration alone."""
    sets = option_sets(game)
    assert {options["players"] for options in sets} == set(range(game.seats[0], game.seats[1] + 1))
    for name, option in game.options.items():
        if isinstance(option.allowed, tuple):
            assert {options[name] for options in sets} == set(option.allowed)
        if isinstance(option.allowed, range):
            assert {options[name] for options in sets} == {option.allowed[2]}


def test_place_rewards() -> None:
    """The formula that the engine is compared with, worked out by hand."""
    np.testing.assert_allclose(place_rewards([1, 2]), [1, -1])
    np.testing.assert_allclose(place_rewards([2, 1, 2]), [-0.5, 1, -0.5])
    np.testing.assert_allclose(place_rewards([1, 1, 3, 4]), [2 / 3, 2 / 3, -1 / 3, -1])
