"""What is counted in games: activations with branches at work, questions and their answers, the end."""

from __future__ import annotations

import numpy as np
import pytest

from bdgame_env.engine.designing import design_of
from bdgame_env.engine.game import MAX_SEATS
from bdgame_env.games.bdgame.game import GAME
from bdgame_env.games.bdgame.statistics import COUNTS, cards_of, count, finish
from tests.games.bdgame.positions import Position, activating, position

SPLITTER = [("s_1B_2Y2R", 1, 2), ("packer", 2, 1), ("packer", 2, 3)]
JOINER = [("hopper", 0, 0, "1Y"), ("hopper", 0, 2, "1R"), ("j_1Y1R_1B", 1, 1), ("packer", 2, 1)]


def counted(t: Position, *moves: str) -> dict[str, int]:
    """What the mover's moves count as."""
    counts, room = np.zeros((MAX_SEATS, len(COUNTS)), np.int32), np.zeros(1, GAME.state)
    seat = t.seat
    for move in moves:
        before = t.match.states.tobytes()
        count(t.match.states[0], t.match.config.record[0], t.match.string_to_action(move), counts, room)
        assert t.match.states.tobytes() == before, "the game itself does not change"
        t.play(move)
    finish(t.match.states[0], t.match.config.record[0], counts)
    assert not counts[t.match.config.players :].any()
    return {name: int(number) for name, number in zip(COUNTS, counts[seat], strict=True) if name != "branched"}


@pytest.mark.parametrize(
    ("device", "splitters", "joiners"),
    [
        ([("hopper", 0, 2, "1B"), *SPLITTER], 1, 0),
        ([("hopper", 0, 2, "2R"), *SPLITTER], 0, 0),  # it gets nothing that it takes
        (JOINER, 0, 1),
        ([("hopper", 0, 2, "2Y"), ("c_2Y_1R", 1, 2), ("packer", 2, 2)], 0, 0),
    ],
)
def test_which_parts_work(device: list[tuple[object, ...]], splitters: int, joiners: int) -> None:
    found = counted(activating(device), "activate 0")
    assert (found["activations"], found["splitters"], found["joiners"]) == (1, splitters, joiners)
    assert found["branching"] == splitters + joiners


def test_a_part_behind_a_question_works_once_it_is_answered() -> None:
    device = [
        *(("hopper", 0, 4, "2B"), ("splitter", 1, 4), ("packer", 2, 3)),
        *(("s_1B_2Y2R", 2, 5), ("packer", 3, 4), ("packer", 3, 6)),
    ]
    t = activating([("hopper", 0, 4, "3B"), *device[1:]])
    found = counted(t, "activate 0", "split 1")
    assert (found["activations"], found["splits"], found["splitters"], found["branching"]) == (1, 1, 1, 1)


def test_cubes_held_are_counted_and_those_let_go_are_not() -> None:
    device = [("hopper", 0, 2, "1Y 1R"), ("pause", 1, 2), ("packer", 2, 2)]
    assert counted(activating(device), "activate 0", "hold Y")["holds"] == 1
    assert counted(activating(device), "activate 0", "hold none")["holds"] == 0


def test_the_largest_device_at_the_end() -> None:
    assert counted(activating([("hopper", 0, 2, "1B"), *SPLITTER]), "activate 0")["largest"] == 4


def test_what_a_seat_has() -> None:
    t = position(hand={"straight": 2, "s_1B_2Y2R": 1}, workshop=[("hopper", 0, 2), ("packer", 1, 2)])
    holdings = design_of(GAME).holdings
    assert holdings is not None
    out = np.zeros(holdings.length, np.int32)
    cards_of(t.match.states[0], t.match.config.record[0], t.seat, out)
    (deck,) = design_of(GAME).read(t.match.config)  # type: ignore[misc]
    names = holdings.names(deck)
    found = {name: int(number) for name, number in zip(names, out, strict=True) if number}
    assert found == {
        "basic.straight.cost in hand": 2,
        "special.s_1B_2Y2R.cost in hand": 1,
        "basic.hopper.cost in play": 1,
        "basic.packer.cost in play": 1,
    }
