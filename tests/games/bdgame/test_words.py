"""Moves and cards of Bdgame in words, and what a Device would make."""

from __future__ import annotations

import re

import pytest

from bdgame_env.engine.match import Match
from bdgame_env.games.bdgame.drawing import DRAW
from bdgame_env.games.bdgame.drawing import words as game_words
from bdgame_env.games.bdgame.drawing.reasons import payment
from bdgame_env.games.bdgame.drawing.words import cubes
from bdgame_env.games.bdgame.game import GAME
from bdgame_env.render.picture import scene_of, table
from bdgame_env.render.scene import Scene
from tests.games.bdgame import positions


def scene(match: Match) -> Scene:
    return scene_of(match, seat=match.seat)


def words(match: Match, move: str) -> str:
    assert DRAW.wording is not None
    return DRAW.wording.move(scene(match), move)


def test_moves_name_their_cards_and_prices() -> None:
    match = Match(GAME, seed=3, deck="classic")
    position, deck = match.snapshot(), match.config.cards
    name = position["orders_row"][0]
    assert words(match, "accept 0").startswith("Accept the order for ")
    assert f"({deck.points[deck.orders.index(name)]} point" in words(match, "accept 0")
    assert words(match, "pay B") == "Pay a Blue cube (worth 4)"
    assert words(match, "buy packer") == "Buy the packer for 1"
    assert words(match, "end") == "Skip 3 actions"
    cards = DRAW.wording.cards(match.config) if DRAW.wording else {}
    assert cards["s_1B_2Y2R"] == (
        "Splitter. Turns 1 Blue into 2 Yellow at the upper outlet and 2 Red at the lower outlet, as often "
        "as it can; leftovers go to the bank. Costs 2."
    )
    assert set(cards) == {*deck.kinds, *deck.orders}


def test_a_preview_says_what_the_device_makes() -> None:
    """B31 to B39: the starting Devices pass cubes through."""
    match = Match(GAME, seed=3)
    assert words(match, "load Y@0") == "Load a Yellow cube onto hopper H0 (would make 1 Yellow)"
    match.play("load Y@0")
    assert words(match, "load R@0") == "Load a Red cube onto hopper H0 (would make 1 Yellow and 1 Red)"
    before = match.get_state()
    match.play("load R@0")
    for _ in range(2):
        match.play("end")
    assert match.snapshot()["phase"] == "activate"
    assert words(match, "activate 0") == "Activate hopper H0's Device: makes 1 Yellow and 1 Red"
    match.play("activate 0")
    match.set_state(before)
    match.play("end")
    match.play("remove 1,2")
    match.play("end")
    assert words(match, "load R@0") == "Load a Red cube onto hopper H0", "an unfinished Device makes nothing"


def test_a_cube_that_is_not_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """A converter of three cubes makes nothing of one: no reason not to load it."""
    monkeypatch.setattr(game_words, "cubes_made", lambda *_: (0, 0, 0))
    assert words(Match(GAME, seed=3), "load Y@0") == "Load a Yellow cube onto hopper H0 (would make nothing yet)"


def test_how_many_cubes_are_too_many() -> None:
    """B44: what lies in storage and on hoppers counts, and each return one less."""
    t = positions.position(phase="discard", storage="8Y 2B", workshop=[("hopper", 0, 2, "2Y"), ("packer", 1, 2)])
    assert DRAW.wording is not None
    assert DRAW.wording.turn(scene(t.match)) == "You can keep 10 cubes: return 2"
    t.play("discard Y@0")
    assert DRAW.wording.turn(scene(t.match)) == "You can keep 10 cubes: return 1"


def test_why_a_bought_hopper_waits() -> None:
    """B25: it begins no new Device in a Buy."""
    match = Match(GAME, seed=3, deck="classic")
    match.play("pay Y")
    match.play("buy hopper")
    reason = DRAW.wording.why_not(scene(match), "bought-hopper") if DRAW.wording else None
    assert reason is not None and reason.rule == "B25"
    assert reason.text == "The hopper fits none of your Devices; you can build it later."


def test_a_cell_shows_the_card_as_it_would_lie_there() -> None:
    match = Match(GAME, seed=3)
    for move in ("remove 1,2", "end", "select packer"):
        match.play(move)
    (field,) = (part["svg"] for part in table(scene(match))[0] if part["name"] == "own-workshop")
    cells = [move for move in match.legal_moves() if move.startswith("place ")]
    assert cells and field.count('class="ghost"') == field.count('visibility="hidden"') == len(cells)


def test_a_buy_says_what_is_left_to_spend_and_to_do() -> None:
    assert DRAW.wording is not None
    match = Match(GAME, seed=3, deck="classic")
    match.play("pay B")
    assert DRAW.wording.turn(scene(match)) == "4 to spend: buy a part"
    match.play(next(move for move in match.legal_moves() if move.startswith("buy")))
    told, legal = DRAW.wording.turn(scene(match)), match.legal_moves()
    assert told.endswith("finish") and ("pay more" in told) == any(move.startswith("pay") for move in legal)
    assert ("buy a part" in told) == any(move.startswith("buy") for move in legal)


def test_opponents_workshops_are_drawn_in_miniature() -> None:
    """Every card of them, and no other."""
    match = Match(GAME, seed=3, players=3)
    for part in table(scene(match))[0]:
        if part["name"].startswith("brief-"):
            seat = int(part["name"].removeprefix("brief-"))
            drawn = re.findall(rf'id="seat-{seat}-sketch-(\d+)-(\d+)" data-card="([^"]+)"', part["svg"])
            cards = match.snapshot()["seats"][seat]["workshop"]
            assert drawn == [(str(card["x"]), str(card["y"]), card["kind"]) for card in cards] and cards


def test_the_last_rounds_are_announced() -> None:
    """B48: nothing is said of the limit while it is far away."""
    wording = DRAW.wording
    assert wording is not None
    match = Match(GAME, seed=3, max_rounds=12)
    told = []
    while not match.over:
        if not told or told[-1] != wording.stage(scene(match)):
            told.append(wording.stage(scene(match)))
        match.play("end" if "end" in match.legal_moves() else match.legal_moves()[0])
    assert told[:3] == [f"round {number}, game ends at 30 points" for number in (1, 2)] + [
        "round 3 of at most 12, game ends at 30 points"
    ]


@pytest.mark.parametrize(
    ("storage", "price", "paid"),
    [
        ("4 Yellow 2 Red 1 Blue", 4, "4 Yellow"),  # cheap cubes, for Devices make the others
        ("1 Yellow 2 Red 1 Blue", 3, "1 Yellow and 1 Red"),
        ("1 Yellow 2 Blue", 6, "2 Blue"),  # 2 are lost: with the Yellow it would be more
        ("1 Blue", 1, "1 Blue"),
    ],
)
def test_what_pays_a_price_wastes_least(storage: str, price: int, paid: str) -> None:
    counts = dict.fromkeys("YRB", 0)
    for number, color in zip(storage.split()[::2], storage.split()[1::2], strict=True):
        counts[color[0]] = int(number)
    assert cubes(payment(counts, price)) == paid


def test_a_split_says_what_it_makes_if_no_question_follows() -> None:
    """B34, B35: what goes up is made two for one, what goes down as it is."""
    device = [("hopper", 0, 3, "4Y"), ("splitter", 1, 3), ("c_2Y_1R", 2, 2), ("packer", 3, 2), ("packer", 2, 4)]
    match = positions.position(phase="activate", workshop=device).match
    match.play("activate 0")
    assert words(match, "split 3") == "3 Yellow up, 1 down (makes 1 Yellow and 1 Red)"
    assert DRAW.wording is not None
    assert DRAW.wording.turn(scene(match)) == "How many of the 4 Yellow go up? Each outlet gets one or more."
    match = positions.position(phase="activate", workshop=[("hopper", 0, 3, "4Y 2R"), *device[1:]]).match
    match.play("activate 0")
    assert words(match, "split 3") == "3 Yellow up, 1 down", "it depends on the Red"
    assert "With them came 2 Red." in DRAW.wording.turn(scene(match))
