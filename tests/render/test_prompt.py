"""The cards that a reader of text is told of are those in its seat's snapshot, in every game."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from bdgame_env.engine.match import Match
from bdgame_env.games.pixel_pusher.game import GAME as PIXEL_PUSHER
from bdgame_env.registry import get_game, list_games
from bdgame_env.render.drawings import drawing_of
from bdgame_env.render.prompt import cards_in_sight, prompt
from bdgame_env.render.scene import Scene
from tests.support.conformance import option_sets

pytestmark = pytest.mark.plain  # cards and texts do not depend on the JIT

# Where cards lie in a snapshot, face up or in the own hand: "*" stands for all entries of a list, "#" for the names
# that are counted. What has left the game, what a seat only remembers, and what stands elsewhere too is left out.
PLACES = {
    "bdgame-v3": (
        *("orders_row *", "parts_row *", "piles #", "selected", "bought #", "offer card", "offer want"),
        *("seats * hand #", "seats * orders *", "seats * workshop * kind"),
    ),
    "gizmos-v3": ("display *", "hand cards *", "payment card", "seats * archive *", "seats * built *"),
    "nicodemus-v2": (
        *("bric_a_brac * kind", "projects *", "played", "effect", "discarded", "offer *"),
        *("seats * hand #", "seats * workshop *", "seats * reserved *", "seats * completed *"),
    ),
    "pixel-pusher-v2": (
        *("images * image", "seats * hand *", "seats * drafted *", "seats * slots * cards *", "seats * abilities *"),
    ),
}
NAMES = {("pixel-pusher-v2", "images * image"): "image {}"}
EXAMINED = 12  # positions of a game


def lying(data: Any, path: list[str]) -> Iterator[Any]:
    """The cards at a place of a snapshot; none where it says only how many there are."""
    if not path:
        if data is not None:
            yield data
    elif path[0] == "*" and isinstance(data, list):
        for entry in data:
            yield from lying(entry, path[1:])
    elif path[0] == "#" and isinstance(data, dict):
        yield from (name for name, count in data.items() if count)
    elif isinstance(data, dict) and path[0] in data:
        yield from lying(data[path[0]], path[1:])


def cards_of(game_id: str, snapshot: dict[str, Any]) -> set[str]:
    return {
        NAMES.get((game_id, place), "{}").format(card)
        for place in PLACES[game_id]
        for card in lying(snapshot, place.split())
    }


def whole_game(match: Match, chance: random.Random) -> Iterator[Match]:
    """Positions of a random game from its beginning to its end."""
    past = [match.get_state()]
    while not match.over:
        match.play(chance.choice(match.legal_actions()))
        past.append(match.get_state())
    for number in range(EXAMINED):
        match.set_state(past[number * (len(past) - 1) // (EXAMINED - 1)])
        yield match


CASES = [
    (game_id, options)
    for game_id in list_games()
    for options in {options["players"]: options for options in option_sets(get_game(game_id))}.values()
]


@pytest.mark.parametrize(("game_id", "options"), CASES, ids=[f"{game}-{chosen['players']}" for game, chosen in CASES])
def test_the_cards_described_are_those_in_the_snapshot(game_id: str, options: dict[str, Any]) -> None:
    """No more and no fewer, to every seat and to spectators, from the first decision to the last."""
    game = get_game(game_id)
    for match in whole_game(Match(game, seed=7, **options), random.Random(7)):
        for seat in (None, *range(match.players)):
            snapshot = match.snapshot(seat=seat)
            described = set(cards_in_sight(Scene(game, snapshot, config=match.config, seat=seat)))
            assert described == cards_of(game_id, snapshot), f"decision {match.state.decisions}, seat {seat}"


def test_the_numbers_of_machines_end_where_those_of_ability_cards_begin() -> None:
    wording = drawing_of(PIXEL_PUSHER).wording
    assert wording is not None
    machines, images = [str(kind) for kind in range(1, 42)], [f"image {number}" for number in range(1, 21)]
    abilities = ["first_build", "first_collect", "first_score", "prism"]
    assert list(wording.cards(PIXEL_PUSHER.config())) == [*machines, *abilities, *images]


def test_lines_of_pixel_pusher_name_cards_as_the_list_does() -> None:
    """Cards in the hand and in slots, and images; of an image, its place is not taken for its number."""
    match, chance = Match(PIXEL_PUSHER, seed=7, players=3), random.Random(7)
    while match.snapshot()["round"] < 4:
        match.play(chance.choice(match.legal_actions()))
    seat = match.seat
    snapshot = match.snapshot(seat=seat)
    told = prompt(Scene(PIXEL_PUSHER, snapshot, config=match.config, seat=seat, legal=match.legal_moves()))
    lines = told.partition("The position:\n")[2].splitlines()
    for number, card in enumerate(snapshot["seats"][seat]["hand"]):
        assert any(line.startswith(f"|   hand {number}: {card} (") for line in lines)
        assert f"\n| {card}: " in told
    for number, there in enumerate(snapshot["images"]):
        assert any(line.startswith(f"| place {number}: image {there['image']}, ") for line in lines)
    slots = [slot["cards"] for facts in snapshot["seats"] for slot in facts["slots"] if slot["cards"]]
    written = [line for line in lines if line.startswith("|   slots ")]
    assert slots and all(any(f"({' '.join(map(str, cards))})" in line for line in written) for cards in slots)
