"""A snapshot that was tampered with is refused in one line, or restores a position that plays on like any other."""

from __future__ import annotations

import copy
import json
from collections import Counter
from functools import cache

import pytest
from hypothesis import HealthCheck, Phase, given, note, settings
from hypothesis import strategies as st

from bdgame_env.engine.game import BadOption, BadSnapshot, Game
from bdgame_env.engine.jit import JIT_DISABLED
from bdgame_env.engine.match import Match
from bdgame_env.records.snapshots import Position
from bdgame_env.registry import get_game, list_games
from tests.support import broken_games as broken
from tests.support import toy_game as toy
from tests.support.changed_fields import change_a_field
from tests.support.conformance import option_sets, walk
from tests.support.faults import Snapshot
from tests.support.mutations import Choose, Mutations
from tests.support.soundness import play_to_the_end

EXAMPLES = 50 if JIT_DISABLED else 400
DECISIONS = 100 if JIT_DISABLED else 400  # played in each game that positions are taken from
EVERY = 50 if JIT_DISABLED else 7  # decisions between positions taken
MUTATIONS = (1, 1, 1, 2, 3)  # per snapshot; most positions tolerate only one

same_every_time = settings(
    derandomize=True,
    database=None,
    deadline=None,
    phases=(Phase.generate,),
    suppress_health_check=list(HealthCheck),
)
# Choices are drawn as bits: the integers that hypothesis draws include constants of the modules loaded so far, which
# depend on the tests that ran before.
BITS = st.lists(st.booleans(), min_size=10, max_size=10)


@cache
def positions_of(game: Game) -> tuple[list[list[Snapshot]], Mutations]:
    """Positions of random games with all sets of options, grouped by the rarest kind of move among the legal ones."""
    found: list[tuple[set[str], Snapshot]] = []
    for number, options in enumerate(option_sets(game)):
        for match in walk(game, options, seed=number, decisions=DECISIONS):
            found.append(({move.split()[0] for move in match.legal_moves()}, match.snapshot(omniscient=True)))
    frequency = Counter(kind for kinds, _ in found for kind in kinds)
    groups: dict[str, list[Snapshot]] = {}
    for kinds, data in found:
        groups.setdefault(min(sorted(kinds), key=lambda kind: frequency[kind], default=""), []).append(data)
    return list(groups.values()), Mutations(data for _, data in found)


def tampered(game: Game, choose: Choose, numbers_only: bool) -> tuple[Snapshot, list[str]]:
    """A position of a random game with one to three changes, and a description of them."""
    groups, mutations = positions_of(game)
    group = groups[choose(len(groups))]
    data = copy.deepcopy(group[choose(len(group))])
    return data, [mutations.mutate(data, choose, numbers_only) for _ in range(MUTATIONS[choose(len(MUTATIONS))])]


def refused_or_sound(game: Game, data: Snapshot, seed: int) -> bool:
    """True if the snapshot was restored and played to its end, False if it was refused in one line."""
    kept, match, message = json.dumps(data), None, ""
    try:
        match = Match.from_snapshot(game, data)
    except (BadSnapshot, BadOption) as refused:
        message = str(refused)
    assert json.dumps(data) == kept, "restoring changed the data"
    if match is None:
        assert message and "\n" not in message, repr(message)
        return False
    play_to_the_end(match, seed, EVERY)
    return True


def choosing(draw: st.DataObject) -> Choose:
    """Choices made by hypothesis."""
    return lambda count: sum(bit << place for place, bit in enumerate(draw.draw(BITS))) % count


def tamper(game: Game, examples: int, numbers_only: bool = False) -> int:
    """Tamper with many snapshots of the game, or only with their numbers; returns how many were restored."""
    restored = 0

    @settings(same_every_time, max_examples=examples)
    @given(st.data())
    def run(draw: st.DataObject) -> None:
        nonlocal restored
        choose = choosing(draw)
        data, changes = tampered(game, choose, numbers_only)
        note(f"{'; '.join(changes)}\n{json.dumps(data)}")
        restored += refused_or_sound(game, data, choose(1000))

    run()
    return restored


GAMES = [pytest.param(game_id, marks=pytest.mark.slow) for game_id in list_games()]


@pytest.mark.parametrize("game_id", [*GAMES, pytest.param(toy.GAME.id, marks=pytest.mark.plain)])
def test_a_tampered_snapshot_is_refused_or_sound(game_id: str) -> None:
    """Numbers are changed; entries are swapped, moved, dropped, duplicated, or taken from another position."""
    game = toy.GAME if game_id == toy.GAME.id else get_game(game_id)
    restored = tamper(game, EXAMPLES)
    assert restored > EXAMPLES // 50, f"only {restored} of {EXAMPLES} were restored: too little was played on"


@pytest.mark.parametrize("game_id", GAMES)
def test_fields_within_their_ranges_are_refused_or_sound(game_id: str) -> None:
    """One to three fields of the record take other values that its declaration allows."""
    game, restored = get_game(game_id), 0
    position = game.position
    assert isinstance(position, Position)

    @settings(same_every_time, max_examples=EXAMPLES)
    @given(st.data())
    def run(draw: st.DataObject) -> None:
        nonlocal restored
        choose = choosing(draw)
        groups, _ = positions_of(game)
        group = groups[choose(len(groups))]
        match = Match.from_snapshot(game, group[choose(len(group))])
        s = match.state
        changes = [
            change_a_field(position.state, s, match.config, choose) for _ in range(MUTATIONS[choose(len(MUTATIONS))])
        ]
        note("; ".join(changes))
        restored += refused_or_sound(game, position.snapshot(s, match.config, omniscient=True), choose(1000))

    run()
    assert restored > EXAMPLES // 50, f"only {restored} of {EXAMPLES} were restored: too little was played on"


@pytest.mark.plain
@pytest.mark.parametrize(
    ("game", "numbers_only", "fault"),
    [
        pytest.param(broken.RESTORES_DEBTS, True, r"points\[\d\] is -\d", id="a negative number"),
        pytest.param(broken.RESTORES_UNCOUNTED, False, r"unseen is \d, not 0\.\.4", id="a card too many"),
    ],
)
def test_a_careless_restore_is_found(game: Game, numbers_only: bool, fault: str) -> None:
    """Each of these restores a position that its game cannot reach."""
    with pytest.raises(AssertionError, match=fault):
        tamper(game, 400, numbers_only)
