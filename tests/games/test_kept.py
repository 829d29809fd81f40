"""What records keep so that observations are fast always follows from the position.

After every decision of random games, in samples and in positions taken back, the record and what every seat observes
are, to the last byte, those of the same position restored, where all that is kept is worked out anew; and what two
games keep is what a slow reading of the snapshot gives.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import bdgame_env
from bdgame_env.engine.match import Match
from bdgame_env.registry import get_game
from tests.games.gizmos import positions as gizmos_positions
from tests.games.nicodemus import positions as nicodemus_positions
from tests.games.nicodemus.test_n23_prospects import worth
from tests.games.pixel_pusher.positions import COLORS
from tests.support.conformance import long_games, restored
from tests.support.reference.pixel_pusher_cards import IMAGES

Kept = dict[str, list[Any]]


def nicodemus(data: dict[str, Any]) -> Kept:
    """Machines shown to both seats, and what a repair of each kind is worth to each seat."""
    shown = Counter(data["removed"]) + Counter(machine["kind"] for machine in data["bric_a_brac"])
    for seat in data["seats"]:
        shown += Counter(seat["workshop"])
    board = [project for project in data["projects"] if project is not None]
    worths = [[0, *(worth(seat, board, kind) for kind in nicodemus_positions.KINDS)] for seat in data["seats"]]
    return {"shown": [shown[kind] for kind in nicodemus_positions.KINDS], "worth": worths}


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
    played = []  # the machine cards of a Build
    for seat in data["seats"]:
        left = Counter(seat["drafted"]) if seat["laid"] else Counter()
        cards = (Counter(card for card in seat["laid"] if isinstance(card, int)) - left).elements()
        played.append([*sorted(cards), 0, 0, 0, 0][:4])
    return {"open": [is_open], "asking": asking, "scoring": scoring, "played": played}


def gizmos(data: dict[str, Any]) -> Kept:
    """test_d07_prospects.py has the twin of what is kept."""
    return {}


TWINS = {"nicodemus-v2": nicodemus, "pixel-pusher-v2": pixel_pusher, "gizmos-v3": gizmos}
LATE = {  # with machines that complete projects; with many cards built
    "nicodemus-v2": lambda seed, options: nicodemus_positions.rich_position(seed, end_by_deck=options["end_by_deck"]),
    "gizmos-v3": lambda seed, options: gizmos_positions.rich_position(seed, **options),
}
LIKED = (  # moves that lead to rare positions
    *("repair", "complete", "effect", "install", "activate", "fill"),
    *("research", "build", "pick", "convert"),
)
CASES = [(game, options) for game in TWINS for options in long_games(get_game(game))]


def forms(match: Match, before: Match, chance: random.Random) -> Iterator[tuple[str, Match]]:
    """The position, a sample of it, and the one before, in a match that has played on."""
    yield "played", match
    yield "sampled", match.clone(determinize=chance.randrange(match.players), seed=chance.getrandbits(32))
    back = match.clone()
    back.set_state(before.get_state())
    yield "taken back", back


def assert_kept(match: Match, where: str) -> None:
    """Fields and observations are those of the position."""
    again, record = restored(match, where), match.states[0]
    assert again.state.rng == match.state.rng, where
    for name, wanted in TWINS[match.game.id](match.snapshot(omniscient=True)).items():
        holder = record if name in (record.dtype.names or ()) else record["seats"][: match.players]
        assert holder[name].ravel().tolist() == np.ravel(wanted).tolist(), f"{where}: {name}"
    for seat in range(match.players):
        assert match.observe(seat).tobytes() == again.observe(seat).tobytes(), f"{where}, seat {seat}"


@pytest.mark.slow
@pytest.mark.parametrize(("game", "options"), CASES, ids=str)
def test_what_is_kept_follows_from_the_position(game: str, options: dict[str, Any]) -> None:
    for seed in range(2):
        match, chance = bdgame_env.make_match(game, seed=seed, **options), random.Random(seed)
        if seed and game in LATE:
            match = LATE[game](seed, options).match
        before = match.clone()
        for number in range(250):
            for how, each in forms(match, before, chance):
                assert_kept(each, f"seed {seed}, decision {number}, {how}")
            moves = match.legal_moves()
            if not moves:
                break
            before = match.clone()
            liked = [move for move in moves if move.startswith(LIKED)]
            match.play(chance.choice(liked if liked and chance.random() < 0.7 else moves))
