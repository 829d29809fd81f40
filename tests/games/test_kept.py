"""What records keep so that observations are fast always follows from the position, against a slow twin.

After every decision of random games, in copies, samples, restored positions and positions taken back: the fields kept
are those that a slow reading of the snapshot gives, and every seat observes, to the last byte, what it observes in the
same position restored, where all of them are worked out anew.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import bdgame_env
from bdgame_env.engine.match import Match
from tests.games.nicodemus.positions import KINDS, rich_position
from tests.games.nicodemus.test_n23_prospects import worth
from tests.games.pixel_pusher.positions import COLORS
from tests.support.reference.pixel_pusher_cards import IMAGES

Kept = dict[str, list[Any]]


def nicodemus(data: dict[str, Any]) -> Kept:
    """Machines shown to both seats, and what a repair of each kind is worth to each seat."""
    shown = Counter(data["removed"]) + Counter(machine["kind"] for machine in data["bric_a_brac"])
    for seat in data["seats"]:
        shown += Counter(seat["workshop"])
    board = [project for project in data["projects"] if project is not None]
    worths = [[0, *(worth(seat, board, kind) for kind in KINDS)] for seat in data["seats"]]
    return {"shown": [shown[kind] for kind in KINDS], "worth": worths}


def pixel_pusher(data: dict[str, Any]) -> Kept:
    """The lines that are open, those that ask for more than n pixels of a color, and those by the bits of points."""
    is_open, asking, scoring = 0, [[0] * 8 for _ in COLORS], [0] * 5
    for place, image in enumerate(data["images"]):
        for line in range(5) if image else ():
            bit, shown = 1 << 5 * place + line, IMAGES[image["image"]]
            is_open += 0 if image["filled"][line] else bit
            for color, number in Counter(shown.needs(line)).items():
                for below in range(number):
                    asking[COLORS.index(color)][below] += bit
            points = shown.worth(line, data["options"]["line_points"])
            scoring = [lines + bit * (points >> power & 1) for power, lines in enumerate(scoring)]
    return {"open": [is_open], "asking": asking, "scoring": scoring}


TWINS: dict[str, Callable[[dict[str, Any]], Kept]] = {"nicodemus": nicodemus, "pixel_pusher": pixel_pusher}
LIKED = ("repair", "complete", "effect", "install", "activate", "fill")  # moves that lead to rare positions
CASES = [
    *(("nicodemus-v2", options) for options in ({}, {"max_rounds": 7}, {"end_by_deck": "last_card"})),
    *(
        ("pixel-pusher-v2", {"players": players, **options})
        for players in (2, 3, 4)
        for options in ({}, {"line_points": "may_2018"}, {"triple": "any"})
    ),
]


def forms(match: Match, before: Match, chance: random.Random) -> Iterator[tuple[str, Match]]:
    """The position in other matches, a sample of it, and the one before, in a match that has played on."""
    yield "played", match
    yield "copied", match.clone()
    yield "restored", Match.from_snapshot(match.game, match.snapshot(omniscient=True))
    yield "sampled", match.clone(determinize=chance.randrange(match.players), seed=chance.getrandbits(32))
    back = match.clone()
    back.set_state(before.get_state())
    yield "taken back", back


def assert_kept(match: Match, where: str) -> None:
    """Fields and observations are those of the position."""
    data = match.snapshot(omniscient=True)
    record, again = match.states[0], Match.from_snapshot(match.game, data)
    for name, wanted in TWINS[match.game.name](data).items():
        holder = record if name in (record.dtype.names or ()) else record["seats"][: match.players]
        assert holder[name].ravel().tolist() == np.ravel(wanted).tolist(), f"{where}: {name}"
    for seat in range(match.players):
        assert match.observe(seat).tobytes() == again.observe(seat).tobytes(), f"{where}, seat {seat}"


@pytest.mark.slow
@pytest.mark.parametrize(("game", "options"), CASES, ids=str)
def test_what_is_kept_follows_from_the_position(game: str, options: dict[str, Any]) -> None:
    for seed in range(4):
        match, chance = bdgame_env.make_match(game, seed=seed, **options), random.Random(seed)
        if game.startswith("nicodemus") and seed % 2:  # with workshops that complete projects
            match = rich_position(seed=seed, **options).match
        before = match.clone()
        for number in range(400):
            for how, each in forms(match, before, chance):
                assert_kept(each, f"seed {seed}, decision {number}, {how}")
            moves = match.legal_moves()
            if not moves:
                break
            before = match.clone()
            liked = [move for move in moves if move.startswith(LIKED)]
            match.play(chance.choice(liked if liked and chance.random() < 0.7 else moves))
