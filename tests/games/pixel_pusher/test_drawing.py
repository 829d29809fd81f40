"""The picture of Pixel Pusher holds what the snapshot holds, element by element."""

from __future__ import annotations

import pytest

from bdgame_env.engine.match import Match
from bdgame_env.games.pixel_pusher.cards import AMOUNT, CARDS, COLORS, NUM_CONVERTERS
from bdgame_env.games.pixel_pusher.drawing import DRAW
from bdgame_env.games.pixel_pusher.drawing.cards import card_words, converter_says
from bdgame_env.games.pixel_pusher.drawing.words import converter, recipes_of, side
from bdgame_env.games.pixel_pusher.game import GAME
from bdgame_env.render.picture import scene_of
from bdgame_env.render.text_picture import text_picture
from tests.games.pixel_pusher.positions import Slots, position
from tests.support.pictures import Shown, positions

pytestmark = pytest.mark.plain  # cards and pictures do not depend on the JIT


@pytest.fixture(params=[2, 3, 4], scope="module")
def pictures(request: pytest.FixtureRequest) -> list[tuple[Match, Shown]]:
    """Positions of one game, each with its picture."""
    match = Match(GAME, seed=request.param, players=request.param)
    return [(each.clone(), Shown(each)) for each in positions(match, 9, 200)]


def test_images_conveyor_and_supply(pictures: list[tuple[Match, Shown]]) -> None:
    for _, shown in pictures:
        position = shown.snapshot
        for place, there in enumerate(position["images"]):
            assert shown.data(f"image-{place}", "card") == (str(there["image"]) if there else "")
            for line, filled in enumerate(there["filled"] if there else ()):
                name = f"image-{place}-line-{line}"
                assert shown.data(name, "filled") == str(filled).lower()
                cells = shown.data(name, "cells")
                assert cells == CARDS.image_lines[there["image"] - 1][line]
                printed = "".join(shown.text(name).split()).removesuffix("done")
                assert printed.startswith(cells.replace("_", ""))
        segments = [shown.count(f"segment-{number}") for number in range(1, 7)]
        assert segments == [sum(segment.values()) for segment in position["conveyor"]]
        supply = {color: shown.count(f"supply-{color}") for color in COLORS}
        assert supply == position["supply"]


def test_each_player(pictures: list[tuple[Match, Shown]]) -> None:
    for _, shown in pictures:
        for seat, facts in enumerate(shown.snapshot["seats"]):
            name = f"seat-{seat}"
            assert shown.count(f"{name}-points", "points") == facts["points"]
            assert {color: shown.count(f"{name}-pixels-{color}") for color in COLORS} == facts["pixels"]
            for number, slot in enumerate(facts["slots"], 1):
                assert shown.data(f"{name}-slot-{number}", "type") == (slot["type"] or "")
                assert shown.count(f"{name}-slot-{number}") == len(slot["cards"])
                if slot["type"] not in (None, "convert"):
                    amount = sum(int(AMOUNT[card]) for card in slot["cards"])
                    assert shown.text(f"{name}-slot-{number}").endswith(f"takes {amount} {slot['type']}")
            abilities = [shown.data(id, "card") for id in shown.ids(f"{name}-ability-")]
            assert abilities == facts["abilities"]
            for entry in ("hand", "drafted"):
                cards, drawn = facts[entry], shown.ids(f"{name}-{entry}-")
                if isinstance(cards, int):
                    assert shown.count(f"{name}-{entry}") == cards and not drawn
                else:
                    assert [shown.data(id, "card") for id in drawn] == [str(card) for card in cards]
            assert isinstance(facts["hand"], int) == (seat != shown.seat)


def test_moves_are_on_the_element_that_they_are_about(pictures: list[tuple[Match, Shown]]) -> None:
    for match, shown in pictures:
        about, own = shown.moves(), f"seat-{match.seat}-"
        for move in match.legal_moves():
            verb, *rest = move.split()
            places = [id for id, moves in about.items() if move in moves]
            if verb == "activate":
                assert places and all(id.startswith((f"{own}slot-", f"{own}ability-")) for id in places)
                continue
            wanted = f"move-{verb}"
            if verb == "install":
                assert places == [f"{own}slot-{rest[3]}", f"{own}drafted-{rest[0]}"], "where it goes, and what"
                continue
            if verb == "draft":
                wanted = f"{own}hand-{rest[0]}"
            elif verb == "discard":
                wanted = f"{own}drafted-{rest[0]}"
            elif verb == "give":
                wanted = f"{own}pixels-{rest[0]}"
            elif verb == "fill":
                wanted = f"image-{rest[0]}-line-{rest[2]}"
            assert places == [wanted]


def test_every_card_and_converter_says_what_it_does() -> None:
    assert len({converter_says(number) for number in range(NUM_CONVERTERS)}) == NUM_CONVERTERS
    assert len({card_words(card) for card in [*range(1, 42), *CARDS.abilities]}) == 45
    assert card_words(1) == "R / mixC BG>C" and card_words("prism") == "Prism RGB>CMY"


def test_a_converter_with_several_recipes_tells_them_all() -> None:
    for number in range(NUM_CONVERTERS):
        recipes = recipes_of(number)
        if len(recipes) > 1 and CARDS.converters[number] not in ("triple", "recolor", "prism"):  # told as a whole
            pays, *others = {each.partition(">")[0] for each in recipes}
            assert not others and converter(number).startswith(f"{side(pays)} into ")
            assert all(side(each.partition(">")[2]) in converter(number) for each in recipes)


def test_the_text_tells_the_same(pictures: list[tuple[Match, Shown]]) -> None:
    for _, shown in pictures:
        text = text_picture(shown.scene)
        for seat, facts in enumerate(shown.snapshot["seats"]):
            head = next(line for line in text.splitlines() if line.startswith(f"seat {seat}"))
            assert f"  {facts['points']} points" in head and ("(you)" in head) == (seat == shown.seat)


@pytest.mark.parametrize(("pixels", "marked"), [("", False), ("RGB", True)])
def test_an_end_that_cannot_be_paid_is_not_marked_and_says_why(pixels: str, marked: bool) -> None:
    """P30: nor does a click on it discard the card (P31), as a click on the other end may."""
    card = next(card for card in range(1, len(AMOUNT)) if AMOUNT[card] == 2)
    t = position("build", drafted={0: [card]}, pixels={0: pixels})
    scene = scene_of(t.match, seat=0)
    assert DRAW.table is not None and DRAW.wording is not None
    moves: dict[str, list[str]] = {}
    for part in DRAW.table(scene):
        moves |= Shown.of(str(part.canvas)).moves()
    takes, converts = (moves.get(f"seat-0-drafted-0-{end}", []) for end in ("collect", "convert"))
    assert "discard 0" in converts and "install 0 convert slot 1" in converts
    assert ("discard 0" in takes, "install 0 collect slot 1" in takes) == (marked, marked)
    reason = DRAW.wording.why_not(scene, "seat-0-drafted-0-collect")
    assert reason is not None and (marked or "pixel, and you have none" in reason.text)


def test_how_many_pixels_are_too_many() -> None:
    t = position("store", pixels={0: "RRRGGGB"})
    assert DRAW.wording is not None
    assert DRAW.wording.turn(scene_of(t.match, seat=0)) == "You can keep 5 pixels: give back 2"


@pytest.mark.parametrize(
    ("mine", "others", "told"),
    [
        ("C", "", "Red and green into yellow: you lack red and green."),
        ("CR", "", "Red and green into yellow: you lack green."),
        ("CRG", 10 * "Y", "Red and green into yellow: what it gives has run out."),
    ],
)
def test_a_click_on_a_slot_says_why_it_converts_nothing(mine: str, others: str, told: str) -> None:
    """P40: what is lacking, on the board or on the piles; the Cyan could still be sold."""
    mix, sell = (next(card for card in range(1, 42) if name in card_words(card)) for name in ("mixY", "C>2VP"))
    slots: dict[int, Slots] = {0: {1: ("convert", [mix]), 2: ("convert", [sell])}}
    t = position("convert", slots=slots, pixels={0: mine, 1: others}, open_convert=bool(others))
    assert DRAW.wording is not None
    reason = DRAW.wording.reason(scene_of(t.match, seat=0), "slot-1", True)
    assert reason is not None and reason.text == told
